"""
The Codewhale dialect and agent, registered lightly.

Everything else of the package is imported when the dialect, the agent or the demonstration is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookfw import hookimpl

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookfw import Agent, AgentInfo, DemoInfo, Dialect, DialectInfo

_TITLE = "Codewhale"
_FOLLOWS = "its hooks document of 2026-09-29; where that is silent, the public source of August and September 2026"
_TRACES = ("~/.codewhale", ".codewhale", "$CODEWHALE_CONFIG_PATH", "$DEEPSEEK_CONFIG_PATH")


@hookimpl
def register_dialects() -> Sequence[DialectInfo]:
    """The dialect `codewhale`."""
    from hookfw import DialectInfo  # noqa: PLC0415 - registering loads nothing that listing plugins does not need

    return [DialectInfo(name="codewhale", title=_TITLE, follows=_FOLLOWS, load=_dialect, traces=_TRACES)]


@hookimpl
def register_agents() -> Sequence[AgentInfo]:
    """The compatibility mode `codewhale`."""
    from hookfw import AgentInfo  # noqa: PLC0415 - as above

    return [AgentInfo(name="codewhale", title=_TITLE, load=_agent)]


@hookimpl
def register_demos() -> Sequence[DemoInfo]:
    """What `hookfw demo` shows of Codewhale."""
    from hookfw_codewhale.demo import DEMO  # noqa: PLC0415 - loaded on use

    return [DEMO]


def _dialect() -> Dialect:
    from hookfw_codewhale.dialect import Codewhale  # noqa: PLC0415 - loaded on use

    return Codewhale()


def _agent() -> Agent:
    from hookfw_codewhale.agent import CodewhaleAgent  # noqa: PLC0415 - loaded on use

    return CodewhaleAgent()
