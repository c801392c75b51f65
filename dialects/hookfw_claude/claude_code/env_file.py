"""
What hooks write into `CLAUDE_ENV_FILE`: variables for later shell commands.

From the contract, "Environment": lines `export K=V`. The client has a shell read them; here quotes and plain `$NAME` are understood,
and a line that needs a shell to be read is left out, which is said.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

_ASSIGNMENT: Final = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=")
_PIECE: Final = re.compile(
    r"""'(?P<literal>[^']*)'"""
    r"""|(?P<quote>")"""
    r"""|\$(?:\{(?P<braced>[A-Za-z_][A-Za-z0-9_]*)\}|(?P<name>[A-Za-z_][A-Za-z0-9_]*))"""
    r"""|\\(?P<escaped>.)"""
    r"""|(?P<plain>[^\s'"$\\`;&|<>()]+)""",
    re.DOTALL,
)
_QUOTED: Final = re.compile(
    r"""(?P<end>")"""
    r"""|\$(?:\{(?P<braced>[A-Za-z_][A-Za-z0-9_]*)\}|(?P<name>[A-Za-z_][A-Za-z0-9_]*))"""
    r"""|\\(?P<escaped>["$`\\])"""
    r"""|(?P<plain>[^"$\\`]+|\\|\$(?![({0-9@*#?$!-]))"""
)
_EXPORT: Final = "export"


class Variables(NamedTuple):
    """The variables of a file, and how many of its lines were left out."""

    values: Mapping[str, str]
    unread: int


def parse(written: str, environ: Mapping[str, str]) -> Variables:
    """What `written` sets; `$NAME` is looked up among what it has set so far, then in `environ`."""
    values: dict[str, str] = {}
    unread = 0
    position = 0
    while position < len(written):
        while position < len(written) and written[position].isspace():
            position += 1
        end = _line_end(written, position)
        line = written[position:end]
        if line.startswith("#"):
            position = end
        elif line.startswith((f"{_EXPORT} ", f"{_EXPORT}\t")):
            position = _read_line(written, position + len(_EXPORT), values, environ)
            if position < 0:
                unread += 1
                position = end
        else:
            unread += bool(line.strip())
            position = end
    return Variables(values, unread)


def _line_end(written: str, position: int) -> int:
    end = written.find("\n", position)
    return len(written) if end < 0 else end


def _read_line(written: str, position: int, values: dict[str, str], environ: Mapping[str, str]) -> int:
    """The assignments of one line; gives the place behind them, or -1 where they cannot be read."""
    found: dict[str, str] = {}
    known = {**environ, **values}
    while True:
        while written[position : position + 1] in (" ", "\t", "\r"):
            position += 1
        if position >= len(written) or written[position] in "\n#;":
            values.update(found)
            return position + 1 if written[position : position + 1] == ";" else _line_end(written, position)
        name = _ASSIGNMENT.match(written, position)
        if name is None:
            return -1
        value = _word(written, name.end(), known)
        if value is None:
            return -1
        found[name[1]] = known[name[1]] = value[0]
        position = value[1]


def _word(written: str, position: int, known: Mapping[str, str]) -> tuple[str, int] | None:
    """One word as a shell takes it, and the place behind it; `None` for one that takes a shell."""
    parts: list[str] = []
    quoted = False
    while True:
        found = (_QUOTED if quoted else _PIECE).match(written, position)
        if found is None:
            break
        kind, piece = found.lastgroup or "", found[found.lastgroup or 0]
        if kind == "plain" and not quoted and _is_home(piece, "".join(parts)):
            return None
        position = found.end()
        if kind in ("quote", "end"):
            quoted = not quoted
        elif kind in ("braced", "name"):
            parts.append(known.get(piece, ""))
        elif piece != "\n" or kind != "escaped":
            parts.append(piece)
    if quoted or written[position : position + 1] not in ("", " ", "\t", "\r", "\n", ";"):
        return None
    return "".join(parts), position


def _is_home(piece: str, before: str) -> bool:
    """A shell would read a `~` in it as a home: at the beginning of a value, and behind each `:`."""
    return ":~" in piece or (piece.startswith("~") and (not before or before.endswith(":")))
