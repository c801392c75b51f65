"""
The MCP servers that `mcp_tool` handlers call.

From the client's documentation: the person's servers of this project and of all projects in `~/.claude.json`, the project's in
`.mcp.json`, those of plugins as `plugin:PLUGIN:SERVER`. Among equal names the person's own come first, unlike in the client: no
file of a repository changes what such a name stands for. A project's server is reached under the consent that its hooks need.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from hookfw import BrokenJsonError, Source, parse_json
from hookfw_claude.claude_code.locations import PROJECT_SERVERS, TRUST
from hookfw_claude.claude_code.plugins import SERVERS
from hookfw_claude.claude_code.rules import EARLY_EVENTS
from hookfw_claude.mcp_servers import STARTUP, UNKNOWN, BrokenServerError, Server, make_spec, text_of, texts_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from hookfw import Document, Hook, Places
    from hookfw_claude.claude_code.plugins import Plugin
    from hookfw_claude.problems import Problems

STARTUP_VARIABLE: Final = "MCP_TIMEOUT"
"""The client's own variable: milliseconds until a server must be connected."""

_FIELD: Final = "mcpServers"
_VARIABLE: Final = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_.]*)(?::-([^}]*))?\}")
_OPTION: Final = "user_config."


class Place(NamedTuple):
    """
    What entries of one place are read with.

    Attributes:
        variables: what stands for `${NAME}`.
        env: what its servers find set.
        workspace: where they work.
        startup: seconds until they must be connected.
    """

    variables: Mapping[str, str]
    env: Mapping[str, str]
    workspace: str
    startup: float


def with_servers(
    hooks: Sequence[Hook],
    documents: Sequence[Document],
    plugins: Iterable[tuple[Plugin, Mapping[str, Any]]],
    rejected: Iterable[Any],
    places: Places,
    problems: Problems,
) -> list[Hook]:
    """
    The hooks, those that call a tool with its server; without any nothing is read.

    `plugins`: each with its manifest; `rejected`: lists of names of the project's servers that settings say are not wanted.
    """
    if not any(hook.handler == "mcp_tool" for hook in hooks):
        return list(hooks)
    servers = _servers(documents, plugins, rejected, places)
    found = []
    for hook in hooks:
        if hook.handler == "mcp_tool":
            name = hook.config.fields["server"]
            server = servers.get(name, UNKNOWN)
            for note in server.notes:
                problems.note("odd-server", "warning", hook.source, f"its MCP server {name!r} {note}", hook.name)
            if hook.event in EARLY_EVENTS:
                what = (
                    f"the client runs {hook.event} hooks before its MCP servers are connected, so there this one fails; here "
                    "its server is connected for it"
                )
                problems.note("early-tool", "info", hook.source, what, hook.name)
            found.append(hook._replace(config=hook.config._replace(server=server)))
        else:
            found.append(hook)
    return found


def _servers(
    documents: Sequence[Document],
    plugins: Iterable[tuple[Plugin, Mapping[str, Any]]],
    rejected: Iterable[Any],
    places: Places,
) -> dict[str, Server]:
    """Every server by its name; the strongest place last."""
    known = {"CLAUDE_PROJECT_DIR": places.workspace}
    place = Place({**places.environ, **known}, known, places.workspace, _startup(places))
    own = _content(documents, TRUST)
    projects = own.get("projects")
    project = projects.get(places.workspace) if isinstance(projects, dict) else None
    project = project if isinstance(project, dict) else {}
    shared = _read(_content(documents, PROJECT_SERVERS).get(_FIELD), place)
    for names in (*rejected, project.get("disabledMcpjsonServers")):
        for name in names if isinstance(names, list) else ():
            if name in shared:
                shared[name] = Server(None, "was rejected for this project (`disabledMcpjsonServers`)")
    found = shared | _read(own.get(_FIELD), place) | _read(project.get(_FIELD), place)
    for plugin, manifest in plugins:
        of_plugin = place._replace(
            variables={
                **place.variables,
                **plugin.variables,
                **{_OPTION + option: value for option, value in plugin.options.items()},
            },
            env={**place.env, **plugin.variables},
        )
        for table in (manifest.get(_FIELD), *_tables(documents, SERVERS + plugin.root)):
            for name, server in _read(table, of_plugin).items():
                found[f"plugin:{plugin.name}:{name}"] = server
    return found


def _tables(documents: Sequence[Document], role: str) -> Iterator[Any]:
    """The servers of a plugin's files, with or without a field around them."""
    for document in documents:
        if document.role == role:
            content = _parsed(document)
            yield content.get(_FIELD, content)


def _content(documents: Sequence[Document], role: str) -> Mapping[str, Any]:
    return next((_parsed(document) for document in documents if document.role == role), {})


def _parsed(document: Document) -> Mapping[str, Any]:
    """What a file holds; nothing where it cannot be used, so that its servers are unknown."""
    try:
        content = {} if document.problem is not None else parse_json(document.data)
    except BrokenJsonError:
        return {}
    return content if isinstance(content, dict) else {}


def note_broken(documents: Sequence[Document], hooks: Sequence[Hook], problems: Problems) -> None:
    """Where some hook calls a tool: the files of servers that cannot be used."""
    if not any(hook.handler == "mcp_tool" for hook in hooks):
        return
    for document in documents:
        if document.role != PROJECT_SERVERS and not document.role.startswith(SERVERS):
            continue
        what = None if document.problem is None else f"it {document.problem}"
        if what is None:
            try:
                what = None if isinstance(parse_json(document.data), dict) else "it must hold a JSON object"
            except BrokenJsonError as error:
                what = error.detail
        if what is not None:
            source = Source(document.path, document.scope, "")
            problems.note("broken-file", "error", source, f"{what}; until that is corrected its servers are unknown")


def _read(table: Any, place: Place) -> dict[str, Server]:
    return {name: _server(entry, place) for name, entry in table.items()} if isinstance(table, dict) else {}


def _server(entry: Any, place: Place) -> Server:
    """One entry, its variables filled in; one that is not set stays as it is written, as in the client, and is said."""
    if not isinstance(entry, dict):
        return Server(None, "is no object; write one with a `command` or a `url`")
    kind = entry.get("type")
    if kind in ("sse", "ws"):
        return Server(None, f"has the `type` `{kind}`, which is not spoken here; use `http` where the server has it")
    unset: dict[str, None] = {}

    def value(written: re.Match[str]) -> str:
        name: str = written[1]
        otherwise: str | None = written[2]
        known = place.variables.get(name, otherwise)
        if known is None:
            unset[name] = None
            return written[0]
        return known

    def fill(text: str) -> str:
        return _VARIABLE.sub(value, text)

    try:
        args = entry.get("args", [])
        expanded = {
            "command": fill(text_of(entry, "command")),
            "url": fill(text_of(entry, "url")),
            "cwd": fill(text_of(entry, "cwd")),
            "args": [fill(word) if isinstance(word, str) else word for word in args]
            if isinstance(args, list)
            else args,
        }
        env = {name: fill(text) for name, text in texts_of(entry, "env").items()}
        headers = {name: fill(text) for name, text in texts_of(entry, "headers").items()}
        spec = make_spec(expanded, env={**place.env, **env}, headers=headers, workspace=place.workspace)
    except BrokenServerError as error:
        return Server(None, str(error))
    notes = tuple(f"names the variable `{name}`, which is not set and stays as it is written; set it" for name in unset)
    return Server(spec._replace(startup_timeout=place.startup), notes=notes)


def _startup(places: Places) -> float:
    try:
        milliseconds = float(places.environ.get(STARTUP_VARIABLE, ""))
    except ValueError:
        return STARTUP
    return milliseconds / 1000 if 0 < milliseconds < float("inf") else STARTUP
