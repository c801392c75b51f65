"""
The commands that one line for a shell consists of, as far as a permission rule is tried against them.

From the contract, "`if`": every part of a compound command, without leading assignments, and what stands inside `$()` and
backticks. It is a best effort and no shell: what is not understood is reported as such, and the hook then runs.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

_ASSIGNMENT: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\+?=")
_LEADING_WORDS: Final = frozenset({"!", "{", "if", "then", "elif", "else", "while", "until", "do", "time"})
"""Words that a command may stand behind."""
_CLOSING_WORDS: Final = frozenset({"}", "fi", "done", "esac"})
_BLANKS: Final = " \t\r"
_OPERATORS: Final = ";&|\n"
_DEPTH_LIMIT: Final = 32


class ShellParts(NamedTuple):
    """
    What a line for a shell does.

    Attributes:
        commands: the text of each simple command, outer ones and inner ones.
        expands: some text is only known when it runs: a `$VAR`, a `$()` or backticks.
    """

    commands: tuple[str, ...]
    expands: bool


class _UnreadableError(ValueError):
    """Raised for what is not understood: an open quote, a stray bracket, a here-document, too many levels."""


def split(line: str) -> ShellParts | None:
    """The commands of `line`; `None` when it is not understood."""
    scanner = _Scanner(line, 0)
    try:
        scanner.commands("")
    except _UnreadableError:
        return None
    return ShellParts(tuple(scanner.found), scanner.expands)


class _Scanner:
    """Reads one text from left to right; `found` and `expands` are what it has seen."""

    def __init__(self, text: str, depth: int) -> None:
        if depth > _DEPTH_LIMIT:
            raise _UnreadableError
        self.found: list[str] = []
        self.expands = False
        self._text = text
        self._depth = depth
        self._position = 0

    def commands(self, closer: str) -> None:
        """Simple commands up to `closer`, which is passed; up to the end where it is empty."""
        text = self._text
        words: list[tuple[int, int]] = []
        start: int | None = None
        while True:
            letter = text[self._position] if self._position < len(text) else ""
            if not letter or letter in _BLANKS or letter in "()" or self._is_operator(letter):
                if start is not None:
                    words.append((start, self._position))
                    start = None
                if letter not in _BLANKS or not letter:
                    self._keep(words)
                    words = []
                self._position += 1
                if letter == closer:
                    return
                if not letter or letter == ")":
                    raise _UnreadableError
                if letter == "(":
                    self._nested(")")
            elif letter == "#" and start is None:
                end = text.find("\n", self._position)
                self._position = len(text) if end < 0 else end
            else:
                start = self._position if start is None else start
                self._word_piece(letter)

    def _is_operator(self, letter: str) -> bool:
        """An operator between commands; the `&` of a redirection is none."""
        if letter != "&":
            return letter in _OPERATORS
        before = self._text[self._position - 1 : self._position]
        after = self._text[self._position + 1 : self._position + 2]
        return before not in ("<", ">") and after != ">"

    def _word_piece(self, letter: str) -> None:
        """One character of a word, or what it opens."""
        self._position += 1
        match letter:
            case "\\":
                self._position += 1
            case "'":
                self._position = self._after("'")
            case '"':
                self._quoted('"')
            case "$":
                self._dollar()
            case "`":
                self._backticks()
            case "<" if self._text.startswith("<", self._position):
                if not self._text.startswith("<<", self._position):
                    raise _UnreadableError
                self._position += 2

    def _quoted(self, closer: str) -> None:
        """The rest of a text in double quotes, or of a `${…}`, up to `closer`: what is opened in it is read too."""
        while True:
            letter = self._text[self._position : self._position + 1]
            self._position += 1
            match letter:
                case "":
                    raise _UnreadableError
                case _ if letter == closer:
                    return
                case '"':
                    self._nested_text('"')
                case "\\":
                    self._position += 1
                case "$":
                    self._dollar()
                case "`":
                    self._backticks()

    def _dollar(self) -> None:
        """What follows a dollar."""
        following = self._text[self._position : self._position + 1]
        if following == "(":
            self.expands = True
            self._position += 1
            self._nested(")")
        elif following == "{":
            self.expands = True
            self._position += 1
            self._nested_text("}")
        elif following == "'":
            self._position += 1
            while self._text[self._position : self._position + 1] not in ("'", ""):
                self._position += 2 if self._text[self._position] == "\\" else 1
            self._position = self._after("'")
        elif following.isalnum() or (following and following in "_@*#?$!-"):
            self.expands = True

    def _nested_text(self, closer: str) -> None:
        """A `${…}`, or double quotes inside one."""
        inner = _Scanner(self._text, self._depth + 1)
        inner._position = self._position
        inner._quoted(closer)
        self._take(inner)

    def _backticks(self) -> None:
        self.expands = True
        start = self._position
        self._position = self._after("`", escapes=True)
        inner = _Scanner(re.sub(r"\\([\\`$])", r"\1", self._text[start : self._position - 1]), self._depth + 1)
        inner.commands("")
        self.found += inner.found

    def _nested(self, closer: str) -> None:
        """Commands inside brackets, which stand at the place that is read."""
        inner = _Scanner(self._text, self._depth + 1)
        inner._position = self._position
        inner.commands(closer)
        self._take(inner)

    def _take(self, inner: _Scanner) -> None:
        """Go on behind what `inner` has read, with what it found."""
        self._position = inner._position
        self.found += inner.found
        self.expands = self.expands or inner.expands

    def _after(self, mark: str, *, escapes: bool = False) -> int:
        """The place behind the next `mark`."""
        position = self._position
        while (letter := self._text[position : position + 1]) != mark:
            if not letter:
                raise _UnreadableError
            position += 2 if escapes and letter == "\\" else 1
        return position + 1

    def _keep(self, words: list[tuple[int, int]]) -> None:
        """One simple command, from its first word that is no assignment and no word of the shell's own."""
        for start, end in words:
            word = self._text[start:end]
            if word == "case":
                raise _UnreadableError
            if word not in _LEADING_WORDS and not _ASSIGNMENT.match(word):
                if word not in _CLOSING_WORDS:
                    self.found.append(self._text[start : words[-1][1]])
                return
