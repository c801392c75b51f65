"""
What goes to standard output: JSON documents, and text for people.

Text for people is plain in a pipe and laid out by Rich on a terminal; no control character of a hook, a file or an
event ever reaches either. Colour follows Rich's rules: none with `NO_COLOR` or a dumb terminal.
"""

from __future__ import annotations

import json
import sys
from contextlib import redirect_stdout
from typing import TYPE_CHECKING, Any, Literal, TextIO

from hookfw.text import DECEIVING, scrub, without_controls

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

Style = Literal["head", "good", "warn", "bad", "dim"]
Part = str | tuple[str, Style]

_STYLES: dict[str, str] = {"head": "bold", "good": "green", "warn": "yellow", "bad": "bold red", "dim": "dim"}
_LONG = 200
"""Items of a list beyond which a document is not laid out for reading."""
_GAP = "  "

# A command under review must read as it runs.
_DECEIVING = {code: f"\\u{code:04x}" for code in DECEIVING}
# JSON escapes the control characters below 0x20 by itself.
_JSON_CONTROLS = {code: f"\\u{code:04x}" for code in range(0x7F, 0xA0)}


def plain(text: str) -> str:
    """`text` with lines and tabs, but without control characters and marks that reorder or hide text."""
    return scrub(without_controls(text)).translate(_DECEIVING)


def plain_line(text: str) -> str:
    """`plain`, on one line: each run of white space is one space."""
    return " ".join(plain(text).split())


def write_json(document: Any) -> None:
    """
    Write one JSON document, safe on a terminal too: readable, or on one line where a list in it is so long that nobody reads it.

    The encoder that lays a document out takes five times as long.
    """
    long = isinstance(document, dict) and any(
        isinstance(item, list) and len(item) > _LONG for item in document.values()
    )
    unicode = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    text = json.dumps(document, ensure_ascii=not unicode, indent=None if long else 2)
    if not text.isascii() or "\x7f" in text:
        text = scrub(text).translate(_JSON_CONTROLS)
    sys.stdout.write(text + "\n")


def aside() -> redirect_stdout[TextIO]:
    """While inside, what plugins print goes to standard error: a document on standard output stays one."""
    return redirect_stdout(sys.stderr)


class Output:
    """Writes text for people to a stream, by default standard output."""

    __slots__ = ("_console", "_stream")

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stdout
        self._console: Console | None = None
        if self._stream.isatty():
            from rich.console import Console  # noqa: PLC0415 - only a terminal needs it

            self._console = Console(file=self._stream, highlight=False, markup=False, emoji=False)

    def line(self, *parts: Part, indent: int = 0) -> None:
        """Write one line; what is longer than a terminal is wrapped at `indent`."""
        self._write([(_one_line(part), style) for part, style in map(_styled, parts)], indent)

    def block(self, text: str, *, indent: int = 0, style: Style | None = None) -> None:
        """Write `text` with its own lines, each indented."""
        for line in plain(text).expandtabs(4).splitlines():
            if line:
                self._write([(line, style)], indent)
            else:
                self.blank()  # Rich drops an empty line that is indented

    def blank(self) -> None:
        """Write an empty line."""
        self._stream.write("\n")

    def table(self, headings: Sequence[str], rows: Sequence[Sequence[Part]]) -> None:
        """Write a table: columns under headings on a terminal and in a pipe alike, the last one as long as it likes."""
        cells = [[(plain_line(text), style) for text, style in map(_styled, row)] for row in rows]
        if self._console is not None:
            self._console.print(_rich_table(headings, cells))
            return
        texts = [[heading.upper() for heading in headings], *([text for text, _ in row] for row in cells)]
        widths = [max(len(row[at]) for row in texts) for at in range(len(headings) - 1)] + [0]
        for row in texts:
            line = _GAP.join(text.ljust(width) for text, width in zip(row, widths, strict=True))
            self._stream.write(line.rstrip() + "\n")

    def _write(self, parts: Sequence[tuple[str, Style | None]], indent: int) -> None:
        if self._console is None:
            self._stream.write((" " * indent + "".join(text for text, _ in parts)).rstrip() + "\n")
            return
        from rich.padding import Padding  # noqa: PLC0415 - only a terminal needs it
        from rich.text import Text  # noqa: PLC0415 - likewise

        text = Text.assemble(*((text, _STYLES[style] if style else "") for text, style in parts))
        self._console.print(Padding(text, (0, 0, 0, indent), expand=False))


def _one_line(text: str) -> str:
    """Without line breaks, unlike `plain`; spaces at the ends, which part two styles, stay, unlike in `plain_line`."""
    return plain(text).replace("\n", " ").replace("\t", " ")


def _styled(part: Part) -> tuple[str, Style | None]:
    return (part, None) if isinstance(part, str) else part


def _rich_table(headings: Sequence[str], rows: Sequence[Sequence[tuple[str, Style | None]]]) -> Any:
    from rich import box  # noqa: PLC0415 - only a terminal needs it
    from rich.table import Table  # noqa: PLC0415 - likewise
    from rich.text import Text  # noqa: PLC0415 - likewise

    table = Table(*headings, box=box.SIMPLE_HEAD, pad_edge=False)
    for row in rows:
        table.add_row(*(Text(text, _STYLES[style] if style else "") for text, style in row))
    return table
