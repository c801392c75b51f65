"""
What a guest and the background process say to each other, and where they meet.

Both are processes of one person and one installation, and each makes sure of that before it says anything. Messages are
tuples in the interpreter's own format, since every other one costs the guest an import; a number before each gives its length.
"""

from __future__ import annotations

import marshal
import os
import socket
import stat
import struct
import sys
from binascii import crc32
from typing import TYPE_CHECKING, Any

from hookfw._version import __version__
from hookfw.processes.facts import Ended, Kill, Spawn

if TYPE_CHECKING:
    from collections.abc import Mapping

_LENGTH = struct.Struct("!I")
_CREDENTIALS = struct.Struct("3i")
_LIMIT = 64 * 1024 * 1024
_LONGEST_PATH = 107
"""Bytes that the path of a socket may have."""
_NAME = 13
_FACTS = (
    "state",
    "exit_code",
    "signal",
    "stdout",
    "stderr",
    "stdout_cut",
    "stderr_cut",
    "pipes_held",
    "error_kind",
    "duration",
    "killed",
    "confirmed",
)

SUPPORTED = sys.platform == "linux"
"""Whether there is a background process at all: elsewhere nobody can tell who a peer is."""


class WireError(Exception):
    """Raised for what is no message."""


class Wire:
    """One end of a connection: whole messages out, whole messages in."""

    __slots__ = ("_data", "sock")

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self._data = bytearray()

    def send(self, *message: Any) -> None:
        """Send one message. Raises `OSError`."""
        data = marshal.dumps(message, 2)
        self.sock.sendall(_LENGTH.pack(len(data)) + data)

    def receive(self) -> list[tuple[Any, ...]] | None:
        """Every whole message that is there after one read; `None` at the end. Raises `OSError` and `WireError`."""
        part = self.sock.recv(1 << 20)
        if not part:
            return None
        self._data += part
        found = []
        while len(self._data) >= _LENGTH.size:
            (length,) = _LENGTH.unpack_from(self._data)
            if length > _LIMIT:
                message = f"a message of {length} bytes"
                raise WireError(message)
            if len(self._data) < _LENGTH.size + length:
                break
            body = bytes(self._data[_LENGTH.size : _LENGTH.size + length])
            del self._data[: _LENGTH.size + length]
            try:
                found.append(marshal.loads(body))  # noqa: S302 - from a process of the same person, who could do all it does
            except (ValueError, EOFError, TypeError) as error:
                raise WireError(str(error)) from None
        return found


class QueuedWire(Wire):
    """An end that never waits: what the other side does not take yet is kept, and sent by `flush`."""

    __slots__ = ("_unsent",)

    def __init__(self, sock: socket.socket) -> None:
        """Makes `sock` one that does not block."""
        super().__init__(sock)
        sock.settimeout(0.0)
        self._unsent = bytearray()

    @property
    def full(self) -> bool:
        """Something waits to be sent."""
        return bool(self._unsent)

    def send(self, *message: Any) -> None:
        """Send one message, or keep it. Raises `OSError`."""
        data = marshal.dumps(message, 2)
        self._unsent += _LENGTH.pack(len(data)) + data
        self.flush()

    def flush(self) -> None:
        """Send as much as the other side takes. Raises `OSError`."""
        try:
            while self._unsent:
                del self._unsent[: self.sock.send(self._unsent)]
        except BlockingIOError:
            return


def meeting_folder(environ: Mapping[str, str]) -> str | None:
    """
    The person's folder for sockets, made where it is missing; `None` where it cannot be trusted.

    It must be a folder of the person's own that nobody else can look into.
    """
    run = environ.get("XDG_RUNTIME_DIR")
    uid = os.geteuid()
    if run and os.path.isabs(run):
        folder = os.path.join(run, "hookfw")
    else:
        folder = os.path.join(environ.get("TMPDIR") or "/tmp", f"hookfw-{uid}")  # noqa: S108 - checked below
    if len(os.fsencode(folder)) + 1 + _NAME > _LONGEST_PATH:
        folder = f"/tmp/hookfw-{uid}"  # noqa: S108 - as above
    try:
        os.mkdir(folder, 0o700)
    except FileExistsError:
        pass
    except OSError:
        return None
    try:
        found = os.lstat(folder)
    except OSError:
        return None
    mine = stat.S_ISDIR(found.st_mode) and found.st_uid == uid and not found.st_mode & 0o077
    return folder if mine else None


def meeting_point(environ: Mapping[str, str]) -> str | None:
    """The path of the socket for this home and this installation of hookfw; `None` where there can be none."""
    folder = meeting_folder(environ) if SUPPORTED else None
    if folder is None:
        return None
    told = (
        home_key(environ),
        __version__,
        os.path.dirname(os.path.dirname(__file__)),
        sys.executable,
        environ.get("PYTHONPATH", ""),
    )
    return os.path.join(folder, f"{crc32(chr(0).join(told).encode('utf-8', 'surrogateescape')):08x}.sock")


def home_key(environ: Mapping[str, str]) -> str:
    """What tells one home from another: where its configuration is, hookfw's own too."""
    return chr(0).join((environ.get("HOME", ""), environ.get("XDG_CONFIG_HOME", "")))


def locked(path: str) -> int | None:
    """The descriptor of the lock of whoever serves at `path`; `None` where somebody has it. Raises `OSError`."""
    import fcntl  # noqa: PLC0415 - most guests start nothing

    lock = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        return None
    return lock


def peer(sock: socket.socket) -> tuple[int, int]:
    """Process and user at the other end."""
    data = sock.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    pid, uid, _ = _CREDENTIALS.unpack(data)
    return pid, uid


def packed_spawn(spawn: Spawn, environ: Mapping[str, str]) -> dict[str, Any]:
    """What to start, as a message; of its environment only what differs from that of the call."""
    return {
        "argv": spawn.argv,
        "program": spawn.program,
        "stdin": spawn.stdin,
        "env": {name: value for name, value in spawn.env.items() if environ.get(name) != value},
        "unset": [name for name in environ if name not in spawn.env],
        "cwd": spawn.cwd,
        "timeout": spawn.timeout,
        "stdout_cap": spawn.stdout_cap,
        "stderr_cap": spawn.stderr_cap,
        "discard_output": spawn.discard_output,
        "kill": (spawn.kill.grace, spawn.kill.after_exit),
        "run_id": spawn.run_id,
        "drain": spawn.drain,
        "reap": spawn.reap,
    }


def unpacked_spawn(told: dict[str, Any], environ: Mapping[str, str]) -> Spawn:
    """What `packed_spawn` was given."""
    env = dict(environ)
    for name in told.pop("unset"):
        env.pop(name, None)
    env |= told.pop("env")
    grace, after_exit = told.pop("kill")
    return Spawn(**told, env=env, kill=Kill(grace, after_exit=after_exit))


def packed_facts(ended: Ended) -> dict[str, Any]:
    """The facts of a child, as a message."""
    return {name: getattr(ended, name) for name in _FACTS}


def unpacked_facts(told: dict[str, Any]) -> Ended:
    """What `packed_facts` was given."""
    return Ended(**told)
