"""
Installing a guest in an agent's own file, and taking it out again.

An installation only inserts. What was inserted is noted beside hookfw's configuration, so that taking it out gives the file
back byte for byte; where the file was changed around it since, the entries are found by what they run and cut out.
"""

from __future__ import annotations

import contextlib
import json
import os
from typing import TYPE_CHECKING, Any, NamedTuple

from hookfw import trust
from hookfw.errors import ConfigurationError
from hookfw.guests import json_text, toml_text
from hookfw.guests.entries import guest_call
from hookfw.settings import config_dir
from hookfw.toml_files import parse_toml

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hookfw.guests.entries import GuestEntries
    from hookfw.sources import Places


class Change(NamedTuple):
    """
    What becomes of a file.

    Attributes:
        path: the file, links followed.
        before: its bytes; `None` where there is none.
        after: likewise, afterwards.
    """

    path: str
    before: bytes | None
    after: bytes | None


class _Note(NamedTuple):
    """What is noted of an installation: the texts that were inserted, in their order, and what was made for it."""

    inserted: tuple[str, ...] = ()
    made: tuple[str, ...] = ()


def install(agent: str, wanted: GuestEntries, places: Places, *, dry_run: bool = False) -> Change:
    """
    Put the entries into the agent's file. What is there already stays; entries for further events are left alone.

    Raises `TrustError` or `ConfigurationError`, in one sentence, where the file cannot be used; it is then left as it was.
    """
    path = os.path.realpath(wanted.path)
    change, _ = _installed(agent, path, wanted, places)
    if dry_run or change.after == change.before:
        return change
    made = _missing(path)
    with trust.alone_with(path):
        change, note = _installed(agent, path, wanted, places)
        if change.after != change.before and change.after is not None:
            noted = _read_note(path, places)
            _write_note(path, places, note._replace(made=note.made or made))
            try:
                trust.replace_file(path, change.after, wanted.mode)
            except BaseException:
                _write_note(path, places, noted if noted.inserted else None)
                raise
    return change


def uninstall(agent: str, path: str, places: Places, *, dry_run: bool = False) -> Change:
    """Take out what `install` put into the file. Raises as it does."""
    path = os.path.realpath(path)
    if not os.path.lexists(path):
        if not dry_run:
            _write_note(path, places, None)
        return Change(path, None, None)
    if dry_run:
        return _taken_out(agent, path, _read_note(path, places))
    with trust.alone_with(path):
        note = _read_note(path, places)
        change = _taken_out(agent, path, note)
        if change.after is None:
            os.unlink(path)
            for folder in reversed(note.made[:-1]):
                with contextlib.suppress(OSError):  # somebody else has put something into it
                    os.rmdir(folder)
        elif change.after != change.before:
            trust.replace_file(path, change.after, 0o600)
        _write_note(path, places, None)
    return change


def _missing(path: str) -> tuple[str, ...]:
    """The file and the folders above it that are not there, outermost first."""
    found: list[str] = []
    while not os.path.lexists(path):
        found.insert(0, path)
        path = os.path.dirname(path)
    return tuple(found)


def _installed(agent: str, path: str, wanted: GuestEntries, places: Places) -> tuple[Change, _Note]:
    before = trust.read_for_edit(path)
    note = _read_note(path, places)
    data = before or b""
    with _said_of(path):
        there = list(_guests(_parsed(path, _text(data)), agent))
        asked = [(entry.keys, dict(entry.value)) for entry in wanted.entries]
        if not there:
            note = _Note()  # whatever was noted was taken out by hand since
        missing = [entry for entry in asked if entry not in there]
        slots = {_slot(*entry) for entry in missing}
        if any(_slot(*entry) in slots for entry in there):
            # An entry for the event is there and says something else: all are written anew.
            data, note = _taken_out(agent, path, note).after or b"", _Note(made=note.made)
            kept = {_slot(*entry) for entry in asked}
            missing = [*(entry for entry in there if _slot(*entry) not in kept), *asked]
        if not missing:
            return Change(path, before, before), note
        text = _text(data)
        added = _insertions(path, text, missing)
    after = json_text.put(text, added)
    _check_writable(path)
    inserted = (*note.inserted, *(addition for _, addition in added))
    return Change(path, before, after.encode()), note._replace(inserted=inserted)


def _taken_out(agent: str, path: str, note: _Note) -> Change:
    before = trust.read_for_edit(path) or b""
    with _said_of(path):
        text = _text(before)
        after = _undone(agent, path, text, note)
        if after is None:
            after = text
            if any(_guests(_parsed(path, text), agent)):
                edit = json_text if path.endswith(".json") else toml_text
                after = edit.without(text, lambda item: _is_guests(item, agent))
    gone = path in note.made and _says_nothing(path, after)
    if gone or after != text:
        _check_writable(path)
    return Change(path, before, None if gone else after.encode())


def _says_nothing(path: str, text: str) -> bool:
    """An agent that wrote the file anew leaves the brackets of what is taken out of it."""
    return not _parsed(path, text) and "#" not in text


def _check_writable(path: str) -> None:
    """A file that its owner made read-only is meant to stay as it is, even where it could be replaced."""
    if os.path.exists(path) and not os.stat(path).st_mode & 0o222:
        message = f"{path} was left as it is, because it is read-only: make it writable, or edit what it is made from."
        raise ConfigurationError(message)


def _undone(agent: str, path: str, text: str, note: _Note) -> str | None:
    """`text` without what was inserted; `None` where that is not there as it was, or is not all there is."""
    if not note.inserted:
        return None
    for inserted in reversed(note.inserted):
        if text.count(inserted) != 1:
            return None
        text = text.replace(inserted, "")
    try:
        return None if any(_guests(_parsed(path, text), agent)) else text
    except ValueError:
        return None


def _insertions(
    path: str, text: str, entries: Sequence[tuple[tuple[str, ...], Mapping[str, Any]]]
) -> Sequence[json_text.Insertion]:
    if not path.endswith(".json"):
        return [(len(text), toml_text.addition(text, entries))]
    additions: dict[str, Any] = {}
    for keys, value in entries:
        table = additions
        for key in keys[:-1]:
            table = table.setdefault(key, {})
        table.setdefault(keys[-1], []).append(value)
    return json_text.insertions(text, additions)


def _guests(document: Any, agent: str, keys: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every entry of the agent's guest, with the way to its list."""
    if isinstance(document, dict):
        for key, value in document.items():
            yield from _guests(value, agent, (*keys, key))
    elif isinstance(document, list):
        for item in document:
            if _is_guests(item, agent):
                yield keys, item
            else:
                yield from _guests(item, agent, keys)


def _is_guests(item: Any, agent: str) -> bool:
    """An entry that runs the agent's guest, or a group of nothing but such entries."""
    if not isinstance(item, dict):
        return False
    hooks = item.get("hooks")
    if isinstance(hooks, list) and hooks:
        return all(_is_guests(hook, agent) for hook in hooks)
    call = guest_call(item.get("command"))
    return call is not None and call[0] == agent


def _slot(keys: tuple[str, ...], item: Mapping[str, Any]) -> tuple[tuple[str, ...], str | None]:
    """What an entry is for: its list, and the event that its command names."""
    hooks = item.get("hooks")
    call = guest_call((hooks[0] if hooks else item).get("command"))
    return keys, None if call is None else call[1]


def _text(data: bytes) -> str:
    return data.decode("utf-8")


def _parsed(path: str, text: str) -> Any:
    if not path.endswith(".json"):
        return parse_toml(text.encode())
    return json_text.parse(text) if text.strip("\ufeff \t\r\n") else {}


@contextlib.contextmanager
def _said_of(path: str) -> Iterator[None]:
    """What is wrong with the text of a file, as one sentence that names it."""
    try:
        yield
    except RecursionError:
        message = f"{path} was left as it is, because it is nested too deep to be read."
        raise ConfigurationError(message) from None
    except ValueError as error:
        message = f"{path} was left as it is, because it cannot be read: {error}; repair it first."
        raise ConfigurationError(message) from None


def _note_path(path: str, places: Places) -> str:
    from hashlib import sha256  # noqa: PLC0415 - only for installing

    name = sha256(os.fsencode(path)).hexdigest()
    return os.path.join(config_dir(places.home, places.environ), "guests", f"{name}.json")


def _read_note(path: str, places: Places) -> _Note:
    """What was noted; nothing where the note is gone or was changed by hand."""
    try:
        with open(_note_path(path, places), encoding="utf-8", newline="") as stream:
            told = json.load(stream)
        return _Note(tuple(map(str, told["inserted"])), tuple(map(str, told["made"])))
    except (OSError, ValueError, KeyError, TypeError):
        return _Note()


def _write_note(path: str, places: Places, note: _Note | None) -> None:
    where = _note_path(path, places)
    if note is None:
        with contextlib.suppress(OSError):
            os.unlink(where)
        with contextlib.suppress(OSError):
            os.rmdir(os.path.dirname(where))
        return
    os.makedirs(os.path.dirname(where), mode=0o700, exist_ok=True)
    told = json.dumps({"path": path, **note._asdict()}, indent=2) + "\n"
    trust.replace_file(where, told.encode(), 0o600)
