"""Canonical events about prompts, messages, models and questions to the person."""

from __future__ import annotations

from typing import Any, ClassVar

from hookfw.events._base import Event


class UserPromptSubmit(Event):
    """The person's prompt, before it reaches history or model."""

    kind: ClassVar[str] = "user_prompt_submit"
    prompt: str | None = None
    session_title: str | None = None


class UserPromptExpansion(Event):
    """A slash command or stored prompt, before it is expanded."""

    kind: ClassVar[str] = "user_prompt_expansion"
    prompt: str | None = None
    expansion_type: str | None = None
    command_name: str | None = None
    command_args: str | None = None
    command_source: str | None = None


class MessageDisplay(Event):
    """A message of the agent, before it is shown."""

    kind: ClassVar[str] = "message_display"
    message_id: str | None = None
    message: str | None = None
    index: int | None = None
    final: bool | None = None
    delta: str | None = None


class _ModelRequest(Event):
    """The fields of a request to the model."""

    request_id: str | None = None
    attempt_number: int | None = None
    thread_id: str | None = None


class PreModelRequest(_ModelRequest):
    """Before a request goes to the model."""

    kind: ClassVar[str] = "pre_model_request"


class PostModelRequest(_ModelRequest):
    """After the model answered or failed."""

    kind: ClassVar[str] = "post_model_request"
    status: str | None = None
    error: Any = None
    usage: dict[str, Any] | None = None
    response_id: str | None = None


class _ModelSwitch(Event):
    """The fields of a change of model."""

    source: str | None = None
    from_model: str | None = None
    to_model: str | None = None
    requested_model: str | None = None
    context_tokens: int | None = None
    prompt_cache_warm: bool | None = None
    cache_ttl: str | None = None
    estimated_cache_write_usd: float | None = None
    pricing: str | None = None


class PreModelSwitch(_ModelSwitch):
    """Before the model changes."""

    kind: ClassVar[str] = "pre_model_switch"


class PostModelSwitch(_ModelSwitch):
    """After the model changed."""

    kind: ClassVar[str] = "post_model_switch"


class Notification(Event):
    """The agent notifies the person."""

    kind: ClassVar[str] = "notification"
    notification_type: str | None = None
    message: str | None = None
    title: str | None = None


class _ElicitationFields(Event):
    """The fields of a question that an MCP server asks the person."""

    mcp_server_name: str | None = None
    message: str | None = None
    url: str | None = None
    elicitation_id: str | None = None
    requested_schema: dict[str, Any] | None = None


class Elicitation(_ElicitationFields):
    """An MCP server asks the person something."""

    kind: ClassVar[str] = "elicitation"


class ElicitationResult(_ElicitationFields):
    """The person answered an MCP server's question."""

    kind: ClassVar[str] = "elicitation_result"
    action: str | None = None
    content: dict[str, Any] | None = None
