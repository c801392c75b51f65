"""
MCP servers as configuration names them, for the agents whose `mcp_tool` handlers call them.

Nothing is started for being configured: a server is reached when a hook calls one of its tools. What is wrong with an entry is
said by the hook that needs it.
"""

from __future__ import annotations

import os.path
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from hookfw import ServerSpec, ToolRequest

if TYPE_CHECKING:
    from hookfw import Scope

STARTUP: Final = 30.0
"""Seconds until a server must be connected, where nothing says otherwise."""


class Server(NamedTuple):
    """
    A server that some configuration names.

    Attributes:
        spec: how it is reached; `None` where it is not.
        problem: why it is not, in words that follow its name, with the remedy.
        notes: what is odd about it, in words that follow its name.
    """

    spec: ServerSpec | None
    problem: str = ""
    notes: tuple[str, ...] = ()


UNKNOWN: Final = Server(None)
"""A server that no configuration names; the embedding program may have it."""


class BrokenServerError(ValueError):
    """Raised for an entry that names no server that can be reached; its text follows the server's name."""


def request(server: str, tool: str, arguments: Mapping[str, Any], found: Server, problem: str = "") -> ToolRequest:
    """The call of a tool of a server, as far as it can be made."""
    if not problem and found.problem:
        problem = f"could not be called: the MCP server {server!r} {found.problem}"
    return ToolRequest(server, tool, arguments, found.spec, problem)


def read_tables(
    tables: Iterable[tuple[Scope, Any]], *, workspace: str, environ: Mapping[str, str]
) -> Mapping[str, Server]:
    """
    The servers of `[mcp_servers.NAME]` tables, those of the weakest layer first.

    A layer of the person (of the system, of the session) adds to the fields of the ones before it. A project adds servers of names
    that nobody else has: nothing in a repository changes what a name of the person's stands for.
    """
    own: dict[str, Any] = {}
    projects: dict[str, Any] = {}
    for scope, table in tables:
        if not isinstance(table, dict):
            continue
        into = projects if scope == "project" else own
        for name, entry in table.items():
            before = into.get(name)
            into[name] = _merged(before, entry) if isinstance(before, dict) and isinstance(entry, dict) else entry
    return {name: _of_table(entry, workspace, environ) for name, entry in (projects | own).items()}


def _merged(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """Two tables, the later one over the earlier, tables in them likewise."""
    merged = dict(before)
    for key, value in after.items():
        known = merged.get(key)
        merged[key] = _merged(known, value) if isinstance(known, dict) and isinstance(value, dict) else value
    return merged


def _of_table(entry: Any, workspace: str, environ: Mapping[str, str]) -> Server:
    if not isinstance(entry, dict):
        return Server(None, "is no table; write `[mcp_servers.NAME]` with a `command` or a `url`")
    if entry.get("enabled") is False:
        return Server(None, "is switched off (`enabled = false`); remove that to use it")
    try:
        env = texts_of(entry, "env")
        env |= {name: environ[name] for name in _names(entry, "env_vars") if name in environ and name not in env}
        spec = make_spec(entry, env=env, headers=_headers(entry, environ), workspace=workspace)
        return Server(spec._replace(startup_timeout=_startup(entry)))
    except BrokenServerError as error:
        return Server(None, str(error))


def make_spec(
    entry: Mapping[str, Any], *, env: Mapping[str, str], headers: Mapping[str, str], workspace: str
) -> ServerSpec:
    """The server of an entry with a `command` or a `url`; it works in the project. Raises `BrokenServerError`."""
    command, url, cwd = (text_of(entry, name) for name in ("command", "url", "cwd"))
    if bool(command) == bool(url):
        which = "both a `command` and a `url`; keep one" if command else "neither a `command` nor a `url`; write one"
        message = f"has {which}"
        raise BrokenServerError(message)
    if url and not url.startswith(("http://", "https://")):
        message = "has a `url` that is neither `http` nor `https`"
        raise BrokenServerError(message)
    if url:
        return ServerSpec(url=url, headers=tuple(sorted(headers.items())))
    args = entry.get("args", [])
    if not isinstance(args, list) or not all(isinstance(word, str) for word in args):
        message = "has `args` that are no list of texts"
        raise BrokenServerError(message)
    return ServerSpec(
        command=command, args=tuple(args), env=tuple(sorted(env.items())), cwd=os.path.join(workspace, cwd)
    )


def text_of(entry: Mapping[str, Any], name: str) -> str:
    """A field that is a text, empty where it is absent. Raises `BrokenServerError`."""
    value = entry.get(name, "")
    if not isinstance(value, str):
        message = f"has a `{name}` that is no text"
        raise BrokenServerError(message)
    return value


def texts_of(entry: Mapping[str, Any], name: str) -> dict[str, str]:
    """A field that is a table of texts. Raises `BrokenServerError`."""
    value = entry.get(name, {})
    if not isinstance(value, dict) or not all(isinstance(item, str) for item in value.values()):
        message = f"has `{name}` that is no table of texts"
        raise BrokenServerError(message)
    return dict(value)


def _names(entry: Mapping[str, Any], name: str) -> list[str]:
    """A list of names of variables, each a text or a table with a `name`."""
    value = entry.get(name, [])
    names = [item.get("name") if isinstance(item, dict) else item for item in value] if isinstance(value, list) else []
    found = [item for item in names if isinstance(item, str)]
    if not isinstance(value, list) or len(found) < len(value):
        message = f"has `{name}` that is no list of names"
        raise BrokenServerError(message)
    return found


def _headers(entry: Mapping[str, Any], environ: Mapping[str, str]) -> dict[str, str]:
    headers = texts_of(entry, "headers") | texts_of(entry, "http_headers")
    for header, variable in texts_of(entry, "env_http_headers").items():
        if environ.get(variable):
            headers[header] = environ[variable]
    token = text_of(entry, "bearer_token_env_var")
    if token and not environ.get(token):
        message = f"takes its token from the variable `{token}` (`bearer_token_env_var`), which is not set; set it"
        raise BrokenServerError(message)
    return headers | ({"Authorization": f"Bearer {environ[token]}"} if token else {})


def _startup(entry: Mapping[str, Any]) -> float:
    """Seconds; `startup_timeout_ms` is the older spelling."""
    for name, unit in (("startup_timeout_sec", 1.0), ("startup_timeout_ms", 1000.0)):
        value = entry.get(name)
        if value is None:
            continue
        if not isinstance(value, int | float) or isinstance(value, bool) or not 0 < value < float("inf"):
            message = f"has a `{name}` that is no number above 0"
            raise BrokenServerError(message)
        return value / unit
    return STARTUP
