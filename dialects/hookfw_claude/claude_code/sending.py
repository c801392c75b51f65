"""
Handlers of the type `http`: the request, and what its header fields may hold.

From the contract, "`http`". Variables are filled into the values of header fields alone, and only those that the handler
lists and that settings do not withhold; any other is sent as nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from hookfw import HttpRequest, url_problem, visible_url
from hookfw_claude.problems import quoted

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from hookfw_claude.claude_code.handlers import Handler

_VARIABLE: Final = re.compile(r"\$(?:\{([A-Za-z_][A-Za-z0-9_]*)\}|([A-Za-z_][A-Za-z0-9_]*))")


def request(handler: Handler, environ: Mapping[str, str]) -> HttpRequest:
    """The request of a handler, its header fields filled in; what is filled in is not looked at again."""
    allowed = handler.fields.get("allowedEnvVars", ())

    def value(found: re.Match[str]) -> str:
        name = found[1] or found[2]
        return environ.get(name, "") if name in allowed else ""

    headers = handler.fields.get("headers", {})
    return HttpRequest(handler.fields["url"], {name: _VARIABLE.sub(value, held) for name, held in headers.items()})


def warnings_of(handler: Handler) -> Iterator[str]:
    """What of a handler will not be sent as it seems, as sentences without their end."""
    url: str = handler.fields["url"]
    problem = url_problem(url)
    if problem is not None:
        yield f"its `url` {quoted(visible_url(url))} {problem}, so nothing is sent; correct it"
    allowed = handler.fields.get("allowedEnvVars", ())
    for name in allowed:
        if "$" in name:
            yield f"{quoted(name)} in `allowedEnvVars` is no name of a variable and allows nothing; write {quoted(name.strip('${}'))}"
    for header, variable in referenced(handler):
        if variable not in allowed:
            yield (
                f"its header `{header}` names the variable `{variable}`, which `allowedEnvVars` does not list, so nothing is sent "
                "for it; list it there"
            )


def withheld(handler: Handler, limit: Collection[str] | None, environ: Mapping[str, str]) -> Iterator[str]:
    """Variables that a handler lists and that are not sent all the same, as sentences without their end."""
    allowed = handler.fields.get("allowedEnvVars", ())
    for header, variable in referenced(handler):
        if variable not in allowed:
            continue
        what = f"its header `{header}` names the variable `{variable}`"
        if limit is not None and variable not in limit:
            yield f"{what}, which `httpHookAllowedEnvVars` does not list, so nothing is sent for it; list it there too"
        elif variable not in environ:
            yield f"{what}, which is not set, so nothing is sent for it; set it where the agent is started"


def referenced(handler: Handler) -> Iterator[tuple[str, str]]:
    """Each header field with each variable that its value names."""
    for header, held in handler.fields.get("headers", {}).items():
        for found in _VARIABLE.finditer(held):
            yield header, found[1] or found[2]
