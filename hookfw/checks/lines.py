"""The first command of a shell line: as much of it as can be told without being a shell."""

from __future__ import annotations

import os.path
import re
import shlex
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_SHELL_OPTIONS = ("-c", "-lc", "-ic", "-ec")
_OPERATORS = frozenset("();<>|&")
_NOT_TOLD = re.compile(r"\$\(|`|\$[({]?[^\w{(]|\$\Z|<<")
_VARIABLE = re.compile(r"\$(?:\{(\w+)\}|(\w+))")
_ASSIGNMENT = re.compile(r"\w+=")
_NO_SCRIPT = frozenset({"c", "lc", "ic", "m", "e", "p", "eval", "print", "with"})
"""Options after which no script is named."""
_PREFIXES = frozenset({"exec", "command", "env", "nohup", "setsid", "time"})

INTERPRETERS = frozenset(
    {"sh", "bash", "dash", "zsh", "ksh", "python", "python3", "node", "ruby", "perl", "deno", "bun"}
)
"""Programs whose first argument that is no option is a script."""

BUILT_IN = frozenset(
    [
        ".",
        ":",
        "[",
        "[[",
        "!",
        "{",
        "(",
        "alias",
        "bg",
        "break",
        "builtin",
        "case",
        "cd",
        "command",
        "continue",
        "coproc",
        "declare",
        "do",
        "done",
        "echo",
        "elif",
        "else",
        "esac",
        "eval",
        "exec",
        "exit",
        "export",
        "false",
        "fc",
        "fg",
        "fi",
        "for",
        "function",
        "getopts",
        "hash",
        "if",
        "in",
        "jobs",
        "kill",
        "let",
        "local",
        "printf",
        "pwd",
        "read",
        "readonly",
        "return",
        "select",
        "set",
        "shift",
        "source",
        "test",
        "then",
        "time",
        "times",
        "trap",
        "true",
        "type",
        "typeset",
        "ulimit",
        "umask",
        "unalias",
        "unset",
        "until",
        "wait",
        "while",
        "}",
    ]
)
"""Words that a shell knows by itself."""


class Command(NamedTuple):
    """
    A command as far as it can be told.

    Attributes:
        words: program and arguments, variables filled in.
        line: the whole line it begins; empty where no shell is asked.
    """

    words: tuple[str, ...]
    line: str = ""

    @property
    def program(self) -> str:
        """The program, as written."""
        return self.words[0]

    @property
    def script(self) -> str | None:
        """The script that an interpreter is given; `None` where the program is none or runs something else."""
        name = os.path.basename(self.program)
        rest = list(self.words[1:])
        if name == "uv" and rest[:1] == ["run"]:
            rest = rest[1:]
        elif name.rstrip("0123456789.") not in INTERPRETERS:
            return None
        while rest and rest[0].startswith("-"):
            if rest.pop(0).lstrip("-") in _NO_SCRIPT:
                return None
        found = rest[0] if rest else ""
        return found if "/" in found or re.fullmatch(r"[\w.-]+\.\w{1,4}", found) else None


def shell_line(argv: Sequence[str]) -> str | None:
    """The line that a shell is given by `argv`; `None` where a program is started without one."""
    return argv[2] if len(argv) == 3 and argv[1] in _SHELL_OPTIONS else None  # noqa: PLR2004 - shell, option, line


def first_command(argv: Sequence[str], variables: Mapping[str, str]) -> Command | None:
    """The first command that `argv` runs; `None` where only a run can tell."""
    line = shell_line(argv)
    if line is None:
        return Command(tuple(argv)) if argv and argv[0] else None
    first = next((text for text in line.splitlines() if text.strip() and not text.lstrip().startswith("#")), "")
    try:
        lexer = shlex.shlex(first, posix=True, punctuation_chars=True)
        lexer.whitespace_split = True
        lexer.commenters = ""
        tokens = list(lexer)
    except ValueError:
        return None
    words: list[str] = []
    for token in tokens:
        if _OPERATORS.issuperset(token):
            break
        if not words and (_ASSIGNMENT.match(token) or token in _PREFIXES):
            if _NOT_TOLD.search(token):
                return None
            continue
        words.append(token)
    filled = [fill_in(word, variables) for word in words]
    if not filled or filled[0] is None:
        return None
    return Command(tuple(word if word is not None else "" for word in filled), line)


def fill_in(word: str, variables: Mapping[str, str]) -> str | None:
    """`word` with its variables filled in; `None` where only a shell can tell."""
    if _NOT_TOLD.search(word) or any(letter in word for letter in "*?"):
        return None
    if word.startswith("~/"):
        word = "$HOME" + word[1:]
    names = [braced or plain for braced, plain in _VARIABLE.findall(word)]
    if any(name not in variables for name in names) or "${" in _VARIABLE.sub("", word):
        return None
    return _VARIABLE.sub(lambda found: variables[found[1] or found[2]], word)


def unquoted_variable(line: str, variables: Mapping[str, str]) -> str | None:
    """A variable whose value has a blank and that stands before a path without quotes around it."""
    for found in re.finditer(r"\$(?:\{(\w+)\}|(\w+))/", line):
        name = found[1] or found[2]
        before = line[: found.start()]
        if " " in variables.get(name, "") and not (before.count('"') % 2 or before.count("'") % 2):
            return name
    return None
