"""Recording consent: edits of configuration and trust files, atomic, locked, with comments, order and mode kept."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Iterator, MutableMapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from hookfw.errors import TrustError
from hookfw.sources import FileView

if TYPE_CHECKING:
    from tomlkit.items import Table

    from hookfw.dialect import Edit

LOCK_TIMEOUT = 10.0
"""Seconds to wait for another process that edits the same file."""


def record(edits: Sequence[Edit]) -> None:
    """
    Apply `edits`, file by file.

    Each file is read, changed and replaced as a whole under a lock; a link is followed and stays a link. Raises
    `TrustError`, in one sentence, for a file that cannot be parsed, locked or written; that file is left as it was.
    """
    for path, group in groupby(edits, key=lambda edit: edit.path):
        _edit_file(os.path.realpath(path), list(group))


def _edit_file(path: str, edits: list[Edit]) -> None:
    with alone_with(path):
        before = read_for_edit(path)
        after = edited(path, before or b"", edits)
        if after != (before or b""):
            replace_file(path, after, edits[0].mode)


@contextlib.contextmanager
def alone_with(path: str) -> Iterator[None]:
    """
    While inside, no other hookfw changes the file at `path`, whose folder is made where it is missing.

    Raises `TrustError`, in one sentence, where the file stays locked or cannot be changed.
    """
    from filelock import FileLock, Timeout  # noqa: PLC0415 - needed only when something is recorded

    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        with FileLock(_lock_path(path), timeout=LOCK_TIMEOUT):
            yield
    except Timeout:
        message = f"{path} is being changed by another process for {LOCK_TIMEOUT:g}s; try again when it is done."
        raise TrustError(message) from None
    except OSError as error:
        message = f"{path} cannot be changed: {error.strerror or error}; nothing was recorded there."
        raise TrustError(message) from None


def read_for_edit(path: str) -> bytes | None:
    """The bytes of a file that is to be changed; `None` where there is none. Raises `TrustError` where it cannot be read."""
    read = FileView().read(path)
    if read.problem is not None:
        message = f"{path} {read.problem}; nothing was recorded there."
        raise TrustError(message)
    return read.data


def _lock_path(path: str) -> str:
    """The lock of a file, in a folder of hookfw's own: nothing is left lying beside the person's files."""
    from hashlib import sha256  # noqa: PLC0415 - needed only when something is recorded

    from platformdirs import user_state_dir  # noqa: PLC0415 - as above

    folder = os.path.join(user_state_dir("hookfw"), "locks")
    os.makedirs(folder, mode=0o700, exist_ok=True)
    return os.path.join(folder, f"{sha256(os.fsencode(path)).hexdigest()}.lock")


def edited(path: str, data: bytes, edits: Sequence[Edit]) -> bytes:
    """The bytes of a TOML or JSON file (by its ending) after `edits`. Raises `TrustError` when it cannot be parsed."""
    bom = data.startswith(b"\xef\xbb\xbf")
    try:
        text = data.decode("utf-8-sig")
        changed = _edit_json(text, edits) if path.endswith(".json") else _edit_toml(text, edits)
    except RecursionError:
        message = f"{path} cannot be changed, because it is nested too deeply to be read; repair it first."
        raise TrustError(message) from None
    except (ValueError, TypeError, KeyError) as error:
        message = f"{path} cannot be changed, because it cannot be read as it is: {error}; repair it first."
        raise TrustError(message) from None
    return (b"\xef\xbb\xbf" if bom else b"") + changed.encode("utf-8")


def _edit_json(text: str, edits: Sequence[Edit]) -> str:
    document = json.loads(text) if text.strip() else {}
    if not isinstance(document, dict):
        message = "it holds no JSON object"
        raise TypeError(message)
    for edit in edits:
        _set(document, edit, dict)
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _edit_toml(text: str, edits: Sequence[Edit]) -> str:
    import tomlkit  # noqa: PLC0415 - slow, and needed only for edits

    # tomlkit writes \n; a file of an editor with \r\n gets them back.
    newline = "\r\n" if "\r\n" in text else "\n"
    document = tomlkit.parse(text.replace("\r\n", "\n"))

    def table() -> Table:
        return tomlkit.table()

    for edit in edits:
        _set(document, edit, table)
    return tomlkit.dumps(document).replace("\n", newline)


def _set(document: MutableMapping[str, Any], edit: Edit, make: Any) -> None:
    """Set or remove one value; tables on the way are made only where something is set."""
    table = document
    for key in edit.keys[:-1]:
        inner = table.get(key)
        if inner is None:
            if edit.value is None:
                return
            table[key] = make()
            inner = table[key]
        if not isinstance(inner, MutableMapping):
            message = f"{key!r} is no table"
            raise TypeError(message)
        table = inner
    if edit.value is None:
        table.pop(edit.keys[-1], None)
    else:
        table[edit.keys[-1]] = edit.value


def replace_file(path: str, data: bytes, mode: int) -> None:
    """Replace the file in one step; it keeps its mode, and a new one gets `mode`."""
    with contextlib.suppress(FileNotFoundError):
        mode = os.stat(path).st_mode & 0o7777
    descriptor, temporary = tempfile.mkstemp(dir=os.path.dirname(path), prefix=f".{os.path.basename(path)}.")
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fchmod(stream.fileno(), mode)
            os.fsync(stream.fileno())
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
