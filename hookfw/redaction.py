"""
Redaction: no path, argument, command or secret of a hook's reason reaches a person or a model.

The algorithm is Codewhale's for denial reasons ("Security notes" of its hooks document). The text is taken field by
field; a field that gives something away is replaced by the name of its class. A label (`password`, `cwd:`) hides the
field after it as well, which keeps a value from slipping through when it is written apart from its key. Redaction errs
towards hiding: "this file is locked" loses two words.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

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
_NAME_ENDINGS = ("_access_key", "_private_key", "_secret_key", "_credentials")
_PATH_WORDS = frozenset({"path", "file", "directory", "cwd", "workspace"})
_COMMAND_WORDS = frozenset({"command", "cmd", "argv", "executable"})

_AROUND = "'\"`()[]{},;"
# Patterns as texts: `re` keeps what it compiled, and a firing that redacts nothing compiles nothing.
_FIELD = r"""(?:"[^"]*(?:"|\Z)|'[^']*(?:'|\Z)|[^\s"'])+"""
_WORD = r"""(?:(?<!\w)(?:"[^"]*(?:"|\Z)|'[^']*(?:'|\Z))|\S)+"""
_APOSTROPHE = r"(?<=\w)'(?=\w)"
_NOT_OF_A_KEY = r"[^\w.-]+"
_KNOWN_PREFIX = r"(?i)(?<![a-z0-9_-])(?:sk-|ghp_|github_pat_)"

_TAKEN_OUT = "\ufffc"
"""Stands for a secret while the rest is looked at: the word itself would hide what follows it."""
_VALUE = r"""(?!(?:true|false|null|none)\b)([^\s"'$`<{(\[-][^\s"'&;]{3,})"""
_PLAIN_SECRETS = (
    r"(?i)(?<![\w-])((?:sk-|gh[opsur]_|github_pat_|glpat-|xox[abprs]-)[\w-]{16,})",
    r"(?<!\w)((?:AKIA|ASIA)[0-9A-Z]{16}|AIza[\w-]{35})(?!\w)",
    rf"""(?i)--?[\w-]*(?:token|password|passwd|secret|api-?key)[ =]["']?{_VALUE}""",
    rf"""(?i)(?:token|password|passwd|secret|api[_-]?key|access[_-]?key)["']?\s?[=:]\s?["']?{_VALUE}""",
    r"""(?i)\bbearer\s+([^\s"'$`<{\[]{8,})""",
    r"""://[^/\s:@"'$]*:([^@\s/"'$`{\[]+)@""",
)
"""What a secret that is written out looks like, the secret itself in the group."""


def redact(text: str) -> str:
    """
    `text` with every field that looks like a path, an argument, a command or a secret replaced by its class.

    White space between fields becomes one space. Total: any text is accepted, and the result is never empty. Cutting
    the text to a length and taking out control characters come before, see `hookfw.text.block`.
    """
    return " ".join(_Redaction().fields(text)) or EMPTY


def holds_secret(text: str) -> bool:
    """`text` holds what is plainly a secret, written out: not one that a variable stands for."""
    return any(re.search(pattern, text) is not None for pattern in _PLAIN_SECRETS)


def without_secrets(text: str) -> str:
    """
    `text` with its secrets replaced by their class, and all else as it is, white space and paths too.

    For what a person must be able to read as it stands: command lines, variables, payloads. It errs towards hiding, as
    `redact` does. Total: any text is accepted.
    """
    text = _taken_out(text)
    redaction = _Redaction()
    return re.sub(_FIELD, lambda found: redaction.secret_or(found[0]), text).replace(_TAKEN_OUT, SECRET)


def without_written_secrets(text: str) -> str:
    """`text` without what is plainly a secret, see `holds_secret`: for sentences, in which `token` is only a word."""
    return _taken_out(text).replace(_TAKEN_OUT, SECRET)


def _taken_out(text: str) -> str:
    for pattern in _PLAIN_SECRETS:
        text = re.sub(pattern, lambda found: found[0].replace(found[1], _TAKEN_OUT), text)
    return text


def without_secret_values(value: Any) -> Any:
    """`without_secrets` for a JSON value: every text in it, names included, and all that stands under the name of a secret."""
    match value:
        case str():
            return without_secrets(value)
        case list():
            return [without_secret_values(item) for item in value]
        case dict():
            return {
                without_written_secrets(name): SECRET
                if is_secret_name(name) and item is not None
                else without_secret_values(item)
                for name, item in value.items()
            }
        case _:
            return value


def is_secret_name(name: str) -> bool:
    """A variable or field of this name holds a secret."""
    key = _normal(name)
    return _is_secret(key) or key.endswith(_NAME_ENDINGS)


class _Redaction:
    """One pass over a text; what a label hides is remembered from field to field."""

    __slots__ = ("_hides", "_left")

    def __init__(self) -> None:
        self._hides = ""
        self._left = 0

    def fields(self, text: str) -> Iterator[str]:
        """The fields of `text`, split at white space outside quotes, each as it may be shown."""
        for found in re.finditer(_FIELD, text):
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
        else:
            shown = self._assignment(core) or self._label(core) or self._unlabelled(field, core)
        if shown == SECRET and _is_open(field):
            self._pend(SECRET, max(self._left, 1))
        return shown

    def _unlabelled(self, field: str, core: str) -> str:
        beyond = self._beyond(field, core)
        looks = _by_its_looks(core)
        if looks is None:
            return beyond
        # A path with a secret in it whose quote goes on: what follows is still the secret.
        self._left = max(self._left, 1) if SECRET in beyond and _is_open(field) else 0
        self._hides = SECRET
        return looks

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
        A field that Codewhale shows as written. What is hidden here goes beyond its algorithm, and is secrets alone.

        A quoted run is looked at word by word. An apostrophe opens such a run too, so `don't use token=abc` is one
        field; between its words it opens none.
        """
        body = field.lstrip(_AROUND)
        words = re.findall(_WORD, body)
        if len(words) > 1:
            shown = [self.secret_or(word) for word in words]
            return field if shown == words else field[: -len(body)] + " ".join(shown)
        # A secret key further on in one field, as in `mode=x&token=abc`, or a secret behind a harmless key.
        *pieces, last = re.split("[:=]", core)
        keys = [re.split(_NOT_OF_A_KEY, piece.rstrip(_AROUND))[-1] for piece in pieces]
        if any(_is_secret(_normal(key)) for key in keys):
            return self._pend(SECRET, not last)
        return SECRET if re.search(_KNOWN_PREFIX, core) else field

    def secret_or(self, word: str) -> str:
        """The class of a word that gives a secret away, else the word; paths and commands in quotes stay."""
        shown = self._show(word)
        if shown is not None and SECRET in shown:
            return shown
        if shown is not None:
            self._left = 0
        return word


def _normal(key: str) -> str:
    return key.lower().replace("-", "_").replace(".", "_")


def _is_secret(key: str) -> bool:
    return key in _SECRET_KEYS or key.endswith(_SECRET_ENDINGS)


def _is_open(field: str) -> bool:
    """A quote of `field` has no partner, so what it opens goes on in the next one."""
    return any(re.sub(_APOSTROPHE, "", field).count(quote) % 2 for quote in "'\"")


def _by_its_looks(core: str) -> str | None:
    if re.match(_KNOWN_PREFIX, core):
        return SECRET
    if "/" in core or "\\" in core or (core[1:2] == ":" and core[0].isascii()):
        return PATH
    return ARGUMENT if core.startswith("-") else None
