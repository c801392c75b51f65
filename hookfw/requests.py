"""What handlers that are no command are asked to do, and who does it: plain values that dialects make and plugins read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from hookfw.settings import ModelSettings

_NONE: Mapping[str, Any] = MappingProxyType({})

AGENT_TURNS = 50
"""Model requests an `agent` handler may make at most, unless its request says otherwise."""
HIDDEN = "(not shown)"
"""What stands for a value that may be a secret."""
BODY_LIMIT = 1_048_576
"""Bytes of a response that are read, unless the request says otherwise."""


def url_problem(url: str) -> str | None:
    """Why nothing can be posted to an address, in words that follow it; `None` where it can."""
    from urllib.parse import urlsplit  # noqa: PLC0415 - most firings have no address

    if any(letter <= " " or letter == "\x7f" or "\ud800" <= letter <= "\udfff" for letter in url):
        return "holds a blank, a line break or another letter that no address holds"
    try:
        parts = urlsplit(url)
        known = bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        return "is no address that can be called"
    if parts.scheme.lower() not in ("http", "https"):
        return "begins with neither `http://` nor `https://`"
    return None if known else "is no address that can be called"


def visible_url(url: str) -> str:
    """What may be shown of an address: no name and password before its host, and no plain secret in its query."""
    from hookfw.redaction import without_secrets  # noqa: PLC0415 - only where an address is shown

    scheme, slashes, rest = url.partition("://")
    place = rest.replace("\\", "/").replace("?", "/").replace("#", "/").partition("/")[0]
    return without_secrets(f"{scheme}{slashes}{rest[place.rfind('@') + 1 :]}")


class ModelRequest(NamedTuple):
    """
    One request to a model (`prompt` handlers): `Invocation.config`.

    Attributes:
        user: the text of the user, with everything filled in.
        system: the system text.
        model: the model's name; `None` for the client's default.
    """

    user: str
    system: str = ""
    model: str | None = None


class AgentRequest(NamedTuple):
    """
    A question to a helper that may look around with reading tools (`agent` handlers): `Invocation.config`.

    Attributes:
        user: the text of the user, with everything filled in.
        system: the system text.
        model: the model's name; `None` for the client's default.
        turns: model requests it may make at most.
    """

    user: str
    system: str = ""
    model: str | None = None
    turns: int = AGENT_TURNS


class ServerSpec(NamedTuple):
    """
    How an MCP server is reached, as a dialect's own configuration says it; hashable, so that a session can be kept by it.

    Attributes:
        command: program of a server on standard input and output; empty for one with an address.
        args: its arguments.
        env: variables it is given, as pairs.
        cwd: its working directory; `None` for that of the program.
        url: address of a server on streamable HTTP; empty for one that is started.
        headers: header fields of its requests, as pairs, filled in.
        startup_timeout: seconds until it must be connected.
    """

    command: str = ""
    args: tuple[str, ...] = ()
    env: tuple[tuple[str, str], ...] = ()
    cwd: str | None = None
    url: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    startup_timeout: float = 30.0

    def __repr__(self) -> str:
        return f"ServerSpec({visible(self)})"


class ToolRequest(NamedTuple):
    """
    One call of an MCP tool (`mcp_tool` handlers): `Invocation.config`.

    Attributes:
        server: name of the server.
        tool: name of the tool on it.
        arguments: its arguments, with everything filled in.
        spec: how the server is reached; `None` where no configuration of the dialect has it.
        problem: why no call is made, in words that follow the hook's name; empty where one is.
    """

    server: str
    tool: str
    arguments: Mapping[str, Any] = _NONE
    spec: ServerSpec | None = None
    problem: str = ""


class HttpRequest(NamedTuple):
    """
    One POST (`http` handlers): `Invocation.config`; its body is `Invocation.stdin`, its bound `Invocation.timeout`.

    Attributes:
        url: `http` or `https`.
        headers: header fields, filled in.
        limit: bytes of the response's body that are read; one byte more fails the run.
    """

    url: str
    headers: Mapping[str, str] = _NONE
    limit: int = BODY_LIMIT

    def __repr__(self) -> str:
        return f"HttpRequest({visible(self)})"


def visible(config: Any) -> Any:
    """What may be shown of `Invocation.config`, as JSON: values of header fields and variables may be secrets, and are left out."""
    match config:
        case HttpRequest():
            headers = dict.fromkeys(config.headers, HIDDEN)
            return {**config._asdict(), "url": visible_url(config.url), "headers": headers}
        case ServerSpec():
            hidden = {name: {key: HIDDEN for key, _ in getattr(config, name)} for name in ("env", "headers")}
            return {**config._asdict(), **hidden, "url": visible_url(config.url)}
        case ToolRequest():
            return {**config._asdict(), "arguments": dict(config.arguments), "spec": visible(config.spec)}
        case ModelRequest() | AgentRequest():
            return config._asdict()
        case Mapping():
            return dict(config)
    return None


class ToolResult(NamedTuple):
    """
    What a tool answered.

    Attributes:
        text: its text, parts joined by a newline, others as markers such as `[image]`.
        structured: its structured content.
        is_error: the tool says that it failed.
    """

    text: str
    structured: Any = None
    is_error: bool = False


class ModelClient(Protocol):
    """
    Who answers `prompt` handlers: an object of the embedding program, or one that a plugin registers.

    One that a plugin made is closed with the supervisor, if it has a method `close`.
    """

    async def complete(self, *, model: str | None, system: str, user: str, timeout: float) -> str:
        """The model's reply as text. Raises `ModelError` (or anything) where there is none."""


class AgentClient(Protocol):
    """Who answers `agent` handlers: an object of the embedding program, with tools that only read."""

    async def ask(self, *, model: str | None, system: str, user: str, turns: int, timeout: float) -> str:
        """The helper's last reply as text. Raises `ModelError` (or anything) where there is none."""


class ToolCaller(Protocol):
    """Who calls MCP tools for an embedding program that is connected to its servers already."""

    def has(self, server: str) -> bool:
        """It reaches a server of this name; others are reached as the dialect's configuration says."""

    async def call(self, server: str, tool: str, arguments: Mapping[str, Any], timeout: float) -> ToolResult:
        """The tool's answer. Raises where there is none."""


class ModelClientInfo(NamedTuple):
    """
    A light description of a model client; registering it loads nothing.

    Attributes:
        name: as `HOOKFW_MODEL_CLIENT` and the setting `model.client` spell it, before a colon.
        load: makes the client of what stands after the colon, the person's settings and the environment, and connects to
            nothing; raises `ConfigurationError` where something is missing, in a sentence without its end that says what
            and names the remedy.
    """

    name: str
    load: Callable[[str, ModelSettings, Mapping[str, str]], ModelClient]
