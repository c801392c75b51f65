"""The model client `replay:FILE`: replies from a file, for tests and demonstrations."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, NamedTuple

from hookfw import ConfigurationError, ModelError, text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hookfw import ModelSettings

_EXAMPLE = 'write a list such as [{"contains": "part of the prompt", "reply": "{\\"ok\\": true}"}]'


class Entry(NamedTuple):
    """
    One prepared reply.

    Attributes:
        contains: what the user's text must hold; empty for any.
        reply: the reply.
        error: why the request fails instead; `None` where it does not.
    """

    contains: str
    reply: str
    error: str | None


class ReplayClient:
    """Answers with the first entry that fits; entries are not used up."""

    def __init__(self, entries: list[Entry]) -> None:
        self._entries = entries

    async def complete(self, *, model: str | None, system: str, user: str, timeout: float) -> str:
        """The prepared reply. Raises `ModelError` for an entry with an error, and where none fits."""
        del model, system, timeout
        for entry in self._entries:
            if entry.contains in user:
                if entry.error is not None:
                    raise ModelError(text.line(entry.error, 200))
                return entry.reply
        message = "no entry of the replay file fits the prompt"
        raise ModelError(message)


def load(argument: str, settings: ModelSettings, environ: Mapping[str, str]) -> ReplayClient:
    """
    The client of the file named by `argument`; a relative name is looked for in the current directory.

    Raises `ConfigurationError` for a file that is not there or holds something else than entries.
    """
    del settings, environ
    if not argument:
        message = "the model client `replay` needs a file; write `replay:FILE`"
        raise ConfigurationError(message)
    path = os.path.expanduser(argument)
    try:
        with open(path, "rb") as stream:
            content = json.loads(text.decode(stream.read()).removeprefix("\ufeff"))
    except (OSError, ValueError) as error:
        if isinstance(error, OSError):
            problem = f"cannot be read ({error.strerror}); name a file that is there"
        else:
            problem = f"is no JSON; {_EXAMPLE}"
        message = f"the replay file {path} {problem}"
        raise ConfigurationError(message) from None
    except RecursionError:
        message = f"the replay file {path} is nested too deeply; {_EXAMPLE}"
        raise ConfigurationError(message) from None
    if not isinstance(content, list):
        message = f"the replay file {path} holds no list; {_EXAMPLE}"
        raise ConfigurationError(message)
    return ReplayClient([_entry(path, number, raw) for number, raw in enumerate(content)])


def _entry(path: str, number: int, raw: object) -> Entry:
    known = {"contains", "reply", "error"}
    if isinstance(raw, dict) and raw.keys() <= known and all(isinstance(value, str) for value in raw.values()):
        if ("reply" in raw) != ("error" in raw):
            return Entry(raw.get("contains", ""), raw.get("reply", ""), raw.get("error"))
        what = "needs either a `reply` or an `error`"
    else:
        what = "must be an object of the texts `contains`, and `reply` or `error`"
    message = f"entry {number} of the replay file {path} {what}"
    raise ConfigurationError(message)
