"""
The Claude-style family of dialects and agents, registered lightly.

Shared is what is truly one: the three-level configuration (`groups`, `json_files`) and what is wrong with it (`problems`),
project folders (`projects`), consent to single hooks (`hook_state`), matchers (`matcher`) and the pattern languages, the
call (`command`) and the payload (`payload`), the reading of exit code and output (`reading`, `failures`), the models of
answers (`wire`), and for the agents' side calls (`calls`) and answers (`answers`). What one agent does stands on one page, the docstring of its subpackage. Everything but this module is imported on use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookfw import hookimpl

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookfw import Agent, AgentInfo, DemoInfo, Dialect, DialectInfo

_CLAUDE_CODE = "Claude Code"
_CLAUDE_CODE_FOLLOWS = (
    "the client 2.1.332 as it was seen to run, mostly without a terminal; where that is silent, its public reference of "
    "August 2026 (about 2.1.240) and the types of claude-agent-sdk 0.2.189"
)

_CODEX = "Codex"
_CODEX_FOLLOWS = (
    "codex-cli 0.171.0 as it was seen to run against a mock of its model; where that is silent, its binary and the public "
    "source of about August 2026"
)

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
            name="claude-code",
            title=_CLAUDE_CODE,
            follows=_CLAUDE_CODE_FOLLOWS,
            load=_claude_code_dialect,
            traces=(
                "~/.claude",
                ".claude",
                "/etc/claude-code",
                "/Library/Application Support/ClaudeCode",
                "$CLAUDE_CONFIG_DIR",
            ),
        ),
        DialectInfo(
            name="codex",
            title=_CODEX,
            follows=_CODEX_FOLLOWS,
            load=_codex_dialect,
            traces=("~/.codex", ".codex", "/etc/codex", "$CODEX_HOME"),
        ),
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
        AgentInfo(name="claude-code", title=_CLAUDE_CODE, load=_claude_code_agent),
        AgentInfo(name="codex", title=_CODEX, load=_codex_agent),
        AgentInfo(name="deepagents", title=_DEEPAGENTS, load=_deepagents_agent),
        AgentInfo(name="mind", title=_MIND, load=_mind_agent),
    ]


@hookimpl
def register_demos() -> Sequence[DemoInfo]:
    """What `hookfw demo` shows of the family."""
    from hookfw_claude.claude_code.demo import DEMO as CLAUDE_CODE  # noqa: PLC0415 - loaded on use
    from hookfw_claude.codex.demo import DEMO as CODEX  # noqa: PLC0415 - as above
    from hookfw_claude.deepagents.demo import DEMO as DEEPAGENTS  # noqa: PLC0415 - as above
    from hookfw_claude.mind.demo import DEMO as MIND  # noqa: PLC0415 - as above

    return [CLAUDE_CODE, CODEX, DEEPAGENTS, MIND]


def _claude_code_dialect() -> Dialect:
    from hookfw_claude.claude_code.dialect import ClaudeCode  # noqa: PLC0415 - loaded on use

    return ClaudeCode()


def _claude_code_agent() -> Agent:
    from hookfw_claude.claude_code.agent import ClaudeCodeAgent  # noqa: PLC0415 - loaded on use

    return ClaudeCodeAgent()


def _codex_dialect() -> Dialect:
    from hookfw_claude.codex.dialect import Codex  # noqa: PLC0415 - loaded on use

    return Codex()


def _codex_agent() -> Agent:
    from hookfw_claude.codex.agent import CodexAgent  # noqa: PLC0415 - loaded on use

    return CodexAgent()


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
