"""Where configuration comes from: scopes, places, documents, and the one view through which files are read."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

Scope = Literal["managed", "user", "project", "local", "plugin", "cli"]
"""Who wrote a source: each dialect says which of them need what consent."""


class Places(NamedTuple):
    """
    Where to look for configuration.

    Attributes:
        home: absolute path of the person's home.
        workspace: absolute path of the project.
        environ: environment variables that may name other places.
        platform: as `sys.platform`.
        plugin_dirs: folders of ecosystem plugins that the program hands in.
        profile: name of the profile an agent was started with, for ecosystems that have profiles.
        overrides: settings given for this session over all files, dotted key to value, both as in TOML.
        cwd: absolute path of the directory the session works in, where it is another one than the project.
        handler_types: names of the handler types that are registered, for dialects that take those of any plugin.
    """

    home: str
    workspace: str
    environ: Mapping[str, str] = MappingProxyType({})
    platform: str = "linux"
    plugin_dirs: tuple[str, ...] = ()
    profile: str | None = None
    overrides: Mapping[str, str] = MappingProxyType({})
    cwd: str | None = None
    handler_types: frozenset[str] = frozenset()


class Document(NamedTuple):
    """
    One configuration file as it was read, once.

    Attributes:
        path: absolute path.
        scope: who wrote it.
        role: what the dialect reads it for (`hooks`, `trust`, …).
        data: its bytes; empty where `problem` says why.
        problem: why it could not be read, in words that follow the path; `None` when it was.
    """

    path: str
    scope: Scope
    role: str = "hooks"
    data: bytes = b""
    problem: str | None = None


class FileRead(NamedTuple):
    """What reading one path gave: bytes, nothing there, or a problem."""

    data: bytes | None
    problem: str | None = None


_PROBLEMS = {
    errno.EACCES: "cannot be read: permission denied; make it readable for you",
    errno.EISDIR: "is a directory, not a file; move it away",
    errno.ELOOP: "is a link that leads back to itself; replace it by a file",
}


class FileView:
    """
    A read-only view of the file system that reads each path once and remembers what it was asked for.

    What was read first is what everything else sees: a digest and a parser never look at two versions. `asked` lists
    all paths, missing ones too: that is what a watcher watches.
    """

    __slots__ = ("_exists", "_limit", "_modes", "_names", "_read")

    def __init__(self, *, limit: int = 16 * 1024 * 1024) -> None:
        """`limit`: bytes; a longer file is a problem, not a document."""
        self._limit = limit
        self._read: dict[str, FileRead] = {}
        self._names: dict[str, tuple[str, ...]] = {}
        self._exists: dict[str, bool] = {}
        self._modes: dict[str, int | None] = {}

    @property
    def asked(self) -> tuple[str, ...]:
        """Every path that was asked for, in order, missing ones included."""
        return tuple(dict.fromkeys((*self._read, *self._names, *self._exists, *self._modes)))

    def read(self, path: str) -> FileRead:
        """The bytes at `path`; never raises."""
        found = self._read.get(path)
        if found is None:
            found = self._read[path] = _read_file(path, self._limit)
        return found

    def names(self, path: str) -> tuple[str, ...]:
        """What is in the folder at `path`, by name and sorted; empty where no folder can be read. Never raises."""
        found = self._names.get(path)
        if found is None:
            try:
                found = tuple(sorted(os.listdir(path)))
            except (OSError, ValueError):
                found = ()
            self._names[path] = found
        return found

    def exists(self, path: str) -> bool:
        """Something is at `path`, a broken link included; never raises."""
        found = self._exists.get(path)
        if found is None:
            found = self._exists[path] = os.path.lexists(path)
        return found

    def mode(self, path: str) -> int | None:
        """Kind and permission bits of what is at `path`, links followed; `None` where nothing is. Never raises."""
        if path not in self._modes:
            try:
                self._modes[path] = os.stat(path).st_mode
            except (OSError, ValueError):
                self._modes[path] = None
        return self._modes[path]

    def resolve(self, path: str) -> str:
        """`path` with every link in it followed, as far as it exists; never raises."""
        try:
            return os.path.realpath(path)
        except (OSError, ValueError):
            return path

    def document(self, path: str, scope: Scope, role: str = "hooks") -> Document | None:
        """`path` as a document, or `None` where nothing is."""
        found = self.read(path)
        if found.data is None and found.problem is None:
            return None
        return Document(path=path, scope=scope, role=role, data=found.data or b"", problem=found.problem)


def _read_file(path: str, limit: int) -> FileRead:
    try:
        # Not blocking: a named pipe in the place of a file must not hang the supervisor.
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except (FileNotFoundError, NotADirectoryError):
        broken = "is a link to a file that does not exist; remove it or restore its target"
        return FileRead(None, broken if os.path.islink(path) else None)
    except OSError as error:
        return FileRead(None, _problem(error))
    except ValueError as error:
        return FileRead(None, f"is not a usable path: {error}")
    try:
        return _read_open(descriptor, limit)
    except OSError as error:
        return FileRead(None, _problem(error))
    finally:
        os.close(descriptor)


def _read_open(descriptor: int, limit: int) -> FileRead:
    kind = os.fstat(descriptor).st_mode
    if stat.S_ISDIR(kind):
        return FileRead(None, _PROBLEMS[errno.EISDIR])
    if not stat.S_ISREG(kind):
        return FileRead(None, "is not a regular file; replace it by one")
    with os.fdopen(descriptor, "rb", closefd=False) as stream:
        data = stream.read(limit + 1)
    if len(data) > limit:
        return FileRead(None, f"is longer than {limit:,} bytes; shorten it")
    return FileRead(data)


def _problem(error: OSError) -> str:
    return _PROBLEMS.get(error.errno or 0, f"cannot be read: {error.strerror or error}")
