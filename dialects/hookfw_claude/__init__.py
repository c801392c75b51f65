"""
The Claude-style family of dialects and agents, registered lightly.

Shared is what is truly one: the three-level configuration (`groups`, `json_files`), matchers (`matcher`), the models of
answers (`wire`), the reading of exit code and output (`reading`), the call (`command`) and the payload (`payload`). What
one agent does stands on one page, the docstring of its subpackage. Everything but this module is imported on use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookfw import hookimpl

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookfw import Agent, AgentInfo, DemoInfo, Dialect, DialectInfo

_DEEPAGENTS = "Deep Agents Code"
_DEEPAGENTS_FOLLOWS = (
    "its hooks document; where that is silent, the public source of 0.1.59 and the behaviour of deepagents-code 0.1.88"
)

_MIND = "Mind"
_MIND_FOLLOWS = (
    "its hooks document; where that is silent, the public source of ProxyMind, commits 0bd2a23 to 88620fd; the documents "
    "and the source were read, the agent itself was not run"
)


@hookimpl
def register_dialects() -> Sequence[DialectInfo]:
    """The dialects of the family."""
    from hookfw import DialectInfo  # noqa: PLC0415 - registering loads nothing that listing plugins does not need

    return [
        DialectInfo(
            name="deepagents",
            title=_DEEPAGENTS,
            follows=_DEEPAGENTS_FOLLOWS,
            load=_deepagents_dialect,
            traces=("~/.deepagents", ".deepagents"),
        ),
        DialectInfo(name="mind", title=_MIND, follows=_MIND_FOLLOWS, load=_mind_dialect, traces=("~/.mind", ".mind")),
    ]


@hookimpl
def register_agents() -> Sequence[AgentInfo]:
    """The compatibility modes of the family."""
    from hookfw import AgentInfo  # noqa: PLC0415 - as above

    return [
        AgentInfo(name="deepagents", title=_DEEPAGENTS, load=_deepagents_agent),
        AgentInfo(name="mind", title=_MIND, load=_mind_agent),
    ]


@hookimpl
def register_demos() -> Sequence[DemoInfo]:
    """What `hookfw demo` shows of the family."""
    from hookfw_claude.deepagents.demo import DEMO as DEEPAGENTS  # noqa: PLC0415 - loaded on use
    from hookfw_claude.mind.demo import DEMO as MIND  # noqa: PLC0415 - as above

    return [DEEPAGENTS, MIND]


def _deepagents_dialect() -> Dialect:
    from hookfw_claude.deepagents.dialect import DeepAgents  # noqa: PLC0415 - loaded on use

    return DeepAgents()


def _deepagents_agent() -> Agent:
    from hookfw_claude.deepagents.agent import DeepAgentsAgent  # noqa: PLC0415 - loaded on use

    return DeepAgentsAgent()


def _mind_dialect() -> Dialect:
    from hookfw_claude.mind.dialect import Mind  # noqa: PLC0415 - loaded on use

    return Mind()


def _mind_agent() -> Agent:
    from hookfw_claude.mind.agent import MindAgent  # noqa: PLC0415 - loaded on use

    return MindAgent()
