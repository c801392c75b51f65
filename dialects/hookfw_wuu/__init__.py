"""
The Wuu dialect and agent, registered lightly.

Everything else of the package is imported when the dialect, the agent or the demonstration is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookfw import hookimpl

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookfw import Agent, AgentInfo, DemoInfo, Dialect, DialectInfo

_TITLE = "Wuu"
_FOLLOWS = (
    "its hooks document; where that is silent, its public source of September and October 2026 and its documents on "
    "configuration, plugins and skills"
)
_TRACES = ("~/.wuu", ".wuu", ".wuu.json", "wuu.json", "$WUU_HOME")


@hookimpl
def register_dialects() -> Sequence[DialectInfo]:
    """The dialect `wuu`."""
    from hookfw import DialectInfo  # noqa: PLC0415 - registering loads nothing that listing plugins does not need

    return [DialectInfo(name="wuu", title=_TITLE, follows=_FOLLOWS, load=_dialect, traces=_TRACES)]


@hookimpl
def register_agents() -> Sequence[AgentInfo]:
    """The compatibility mode `wuu`."""
    from hookfw import AgentInfo  # noqa: PLC0415 - as above

    return [AgentInfo(name="wuu", title=_TITLE, load=_agent)]


@hookimpl
def register_demos() -> Sequence[DemoInfo]:
    """What `hookfw demo` shows of Wuu."""
    from hookfw_wuu.demo import DEMO  # noqa: PLC0415 - loaded on use

    return [DEMO]


def _dialect() -> Dialect:
    from hookfw_wuu.dialect import Wuu  # noqa: PLC0415 - loaded on use

    return Wuu()


def _agent() -> Agent:
    from hookfw_wuu.agent import WuuAgent  # noqa: PLC0415 - loaded on use

    return WuuAgent()
