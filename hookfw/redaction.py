"""
Redaction: no path, argument, command or secret of a hook's reason reaches a person or a model.

The algorithm is Codewhale's for denial reasons ("Security notes" of its hooks document). The text is taken field by
field; a field that gives something away is replaced by the name of its class. A label (`password`, `cwd:`) hides the
field after it as well, which keeps a value from slipping through when it is written apart from its key. Redaction errs
towards hiding: "this file is locked" loses two words.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

PATH: Final = "[path]"
ARGUMENT: Final = "[argument]"
COMMAND: Final = "[command]"
SECRET: Final = "[secret]"  # noqa: S105 - a placeholder, no password

EMPTY: Final = "hook denied the action"
"""What stands for a reason of which nothing is left."""

_SECRET_LABELS = frozenset({"bearer", "token", "secret", "password", "passwd"})
_SECRET_KEYS = _SECRET_LABELS | {"api_key", "apikey", "authorization"}
# `_password` and `_passwd` are ours: DB_PASSWORD=… is as much a secret as DB_TOKEN=….
_SECRET_ENDINGS = ("_api_key", "_token", "_secret", "_password", "_passwd")
_PATH_WORDS = frozenset({"path", "file", "directory", "cwd", "workspace"})
_COMMAND_WORDS = frozenset({"command", "cmd", "argv", "executable"})

_AROUND = "'\"`()[]{},;"
_FIELD = re.compile(r"""(?:"[^"]*(?:"|\Z)|'[^']*(?:'|\Z)|[^\s"'])+""")
_WORD = re.compile(r"""(?:(?<!\w)(?:"[^"]*(?:"|\Z)|'[^']*(?:'|\Z))|\S)+""")
_APOSTROPHE = re.compile(r"(?<=\w)'(?=\w)")
_NOT_OF_A_KEY = re.compile(r"[^\w.-]+")
_KNOWN_TOKEN = re.compile(r"(?<![a-z0-9_-])(?:sk-|ghp_|github_pat_)", re.IGNORECASE)


def redact(text: str) -> str:
    """
    `text` with every field that looks like a path, an argument, a command or a secret replaced by its class.

    White space between fields becomes one space. Total: any text is accepted, and the result is never empty. Cutting
    the text to a length and taking out control characters come before, see `hookfw.text.block`.
    """
    return " ".join(_Redaction().fields(text)) or EMPTY


class _Redaction:
    """One pass over a text; what a label hides is remembered from field to field."""

    __slots__ = ("_hides", "_left")

    def __init__(self) -> None:
        self._hides = ""
        self._left = 0

    def fields(self, text: str) -> Iterator[str]:
        """The fields of `text`, split at white space outside quotes, each as it may be shown."""
        for found in _FIELD.finditer(text):
            shown = self._show(found[0])
            if shown is not None:
                yield shown

    def _show(self, field: str) -> str | None:
        core = field.strip(_AROUND)
        if core in ("=", ":") or (self._left and not core.strip("=:>-")):
            return None
        if self._left:
            shown = self._hides
            self._left -= 1
            # A label in the place of a value, as in "secret token abc": what follows it is then the value.
            more = _is_secret(_normal(core.rstrip("=:")))
        else:
            shown = self._assignment(core) or self._label(core) or _by_its_looks(core) or self._beyond(field, core)
            more = False
        if shown == SECRET and (more or _is_open(field)):
            self._pend(SECRET, max(self._left, 1))
        return shown

    def _pend(self, hides: str, count: int) -> str:
        self._hides, self._left = hides, count
        return hides

    def _assignment(self, core: str) -> str | None:
        """`key=value` or `key:value`; the value is hidden with its key, or is the next field."""
        first = re.search("[:=]", core)
        if first is None:
            return None
        key, value = _normal(core[: first.start()].strip(_AROUND)), core[first.end() :].strip(_AROUND)
        for words, hides in ((_PATH_WORDS, PATH), (_COMMAND_WORDS, COMMAND)):
            if key in words:
                return self._pend(hides, not value)
        if _is_secret(key):
            # `Authorization: Bearer abc`: a scheme stands between the key and what is secret.
            scheme = key == "authorization" and not re.search(r"[\s:]", value)
            return self._pend(SECRET, (not value) + scheme)
        return None

    def _label(self, core: str) -> str | None:
        """A bare word that says what the next field is."""
        word = _normal(core)
        if word == "authorization":
            return self._pend(SECRET, 2)
        for words, hides in ((_SECRET_LABELS, SECRET), (_PATH_WORDS, PATH), (_COMMAND_WORDS, COMMAND)):
            if word in words:
                return self._pend(hides, 1)
        return None

    def _beyond(self, field: str, core: str) -> str:
        """
        A field that Codewhale shows as written. What is hidden here goes beyond its algorithm.

        A quoted run is looked at word by word. An apostrophe opens such a run too, so `don't use token=abc` is one
        field; between its words it opens none.
        """
        body = field.lstrip(_AROUND)
        words = _WORD.findall(body)
        if len(words) > 1:
            shown = [each for each in map(self._show, words) if each is not None]
            return field if shown == words else field[: -len(body)] + " ".join(shown)
        # A secret key further on in one field, as in `mode=x&token=abc`, or a secret behind a harmless key.
        *pieces, last = re.split("[:=]", core)
        keys = [_NOT_OF_A_KEY.split(piece.rstrip(_AROUND))[-1] for piece in pieces]
        if any(_is_secret(_normal(key)) for key in keys):
            return self._pend(SECRET, not last)
        return SECRET if _KNOWN_TOKEN.search(core) else field


def _normal(key: str) -> str:
    return key.lower().replace("-", "_").replace(".", "_")


def _is_secret(key: str) -> bool:
    return key in _SECRET_KEYS or key.endswith(_SECRET_ENDINGS)


def _is_open(field: str) -> bool:
    """A quote of `field` has no partner, so what it opens goes on in the next one."""
    return any(_APOSTROPHE.sub("", field).count(quote) % 2 for quote in "'\"")


def _by_its_looks(core: str) -> str | None:
    if _KNOWN_TOKEN.match(core):
        return SECRET
    if "/" in core or "\\" in core or (core[1:2] == ":" and core[0].isascii()):
        return PATH
    return ARGUMENT if core.startswith("-") else None
