"""
`hookfw guest AGENT [EVENT]`, as an agent starts it: answered before anything of the command line is imported.

Nothing but the answer reaches the agent: both outputs are put aside while hooks run and plugins load.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookfw.guests.relay import Relay

RECORD = "--record"
"""The option that names a file in which firings are recorded."""
_INSTALLING = ("install", "uninstall")
SWITCH = "HOOKFW_DAEMON"
"""With `off` in this variable a guest neither asks nor starts a background process."""
_KEPT = frozenset(
    {"HOME", "PATH", "LANG", "TMPDIR", "PYTHONPATH", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME"}
)
_FAILED, _REFUSED = 1, 2
_SIGNALLED = 128
_INTERRUPTED = 130


class Call(NamedTuple):
    """
    What the command line of a guest says.

    Attributes:
        agent: the agent that calls.
        hint: the native event, where the entry names it.
        record: the file that firings are recorded in.
    """

    agent: str
    hint: str | None = None
    record: str | None = None


def call_of(arguments: Sequence[str]) -> Call | None:
    """What arguments, those after the program, say where they are an agent's call of its guest and nothing else."""
    words, record = [*arguments], None
    for at, word in enumerate(words):
        if word == RECORD and at + 1 < len(words):
            record = words[at + 1]
            del words[at : at + 2]
            break
        if word.startswith(f"{RECORD}="):
            record = word.partition("=")[2]
            del words[at]
            break
    if len(words) not in (2, 3) or words[0] != "guest" or words[1] in _INSTALLING or record == "":
        return None
    if any(word.startswith("-") for word in words):
        return None
    return Call(words[1], "".join(words[2:]) or None, record)


def run(call: Call) -> int:
    """Answer one call and give the exit status. What the agent does not wait for is carried on by another process."""
    _open_all()
    out, err = _put_aside(1), _put_aside(2)
    heard = _hear_endings()
    reply = _Reply((_FAILED, b"", b""))
    try:
        reply = _answer(call)
    except KeyboardInterrupt:
        return _SIGNALLED + heard[0] if heard else _INTERRUPTED
    except Exception as error:  # noqa: BLE001 - whatever it is, the agent must hear of it
        reply = _Reply(_broken(call, error))
    _write(out, reply.answer[1])
    _write(err, reply.answer[2])
    if reply.alone:
        _start_background(dict(os.environ))
    if reply.afterwards is not None:
        _carry_on(reply.afterwards, (out, err))
    return reply.answer[0]


class _Reply(NamedTuple):
    """Exit status and output for the agent, what goes on afterwards, and whether a background process is missing."""

    answer: tuple[int, bytes, bytes]
    afterwards: Callable[[], None] | None = None
    alone: bool = False


def _answer(call: Call) -> _Reply:
    stdin, cwd, environ = _read(0), _cwd(), dict(os.environ)
    record = None if call.record is None else os.path.join(cwd, call.record)
    relay = None
    helped = environ.get(SWITCH) != "off"
    if helped:
        from hookfw.guests import relay as guest_relay  # noqa: PLC0415 - nothing is imported before it is needed

        wire = guest_relay.connect(environ)
        relay = None if wire is None else guest_relay.Relay(wire, environ)
        decided = None if relay is None else relay.ask(call.agent, call.hint, stdin, cwd, record)
        if relay is not None and decided is not None:
            told = relay

            def go_on() -> None:
                if not told.go_on() and decided.goes_on == guest_relay.ALL:
                    rest = _alone(call, stdin, cwd, environ, record, told).afterwards
                    if rest is not None:
                        rest()

            return _Reply(decided[:3], go_on if decided.goes_on else None)
    reply = _alone(call, stdin, cwd, environ, record, relay)
    return reply._replace(alone=helped and relay is None and reply.alone)


def _alone(
    call: Call, stdin: bytes, cwd: str, environ: dict[str, str], record: str | None, relay: Relay | None
) -> _Reply:
    """What this process decides by itself, with what a background process had started already."""
    from hookfw.agent import NativeCall  # noqa: PLC0415 - nothing is imported before it is needed
    from hookfw.guests.guest import LaterDriver, respond  # noqa: PLC0415 - likewise

    driver = LaterDriver(relay.started if relay is not None else ())
    if relay is not None and relay.wrote:
        record = None
    try:
        reply = respond(call.agent, NativeCall(call.hint, (), environ, stdin), cwd, driver, record)
    finally:
        if relay is not None:
            relay.end()
    return _Reply(reply.answer, reply.afterwards, alone=reply.known)


def _broken(call: Call, error: Exception) -> tuple[int, bytes, bytes]:
    """The answer of a guest that is broken itself; it knows no agent's form, and so says it by its status."""
    said = f"hookfw guest: {type(error).__name__}: {error}. hookfw cannot run as it is installed: install it again.\n"
    status = _REFUSED if _wants_closed() and not ends_turn(call.hint, b"") else _FAILED
    return status, b"", said.encode("utf-8", "replace")


def _wants_closed() -> bool:
    """The word `closed` stands in the person's configuration, which cannot be read properly here."""
    own = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    try:
        with open(os.path.join(own, "hookfw", "config.toml"), "rb") as stream:
            return b"closed" in stream.read()
    except FileNotFoundError:
        return False
    except OSError:
        return True


def ends_turn(hint: str | None, stdin: bytes) -> bool:
    """
    An event that ends a turn, as far as its name says so, where the agent's own forms are out of reach.

    Such a call is never refused: that would keep the agent at work without end.
    """
    if hint is None:
        import json  # noqa: PLC0415 - only where something is broken

        try:
            document = json.loads(stdin)
        except (ValueError, RecursionError):
            return False
        hint = str(document.get("hook_event_name", "")) if isinstance(document, dict) else ""
    return "stop" in hint.lower()


def _start_background(environ: dict[str, str]) -> None:
    """
    Start the background process for the calls to come; it gets nothing of the agent's but the person's own places.

    It is handed the lock with which this guest makes sure that there is one only.
    """
    try:
        from hookfw.guests import wire as guest_wire  # noqa: PLC0415 - nothing is imported before it is needed

        path = guest_wire.meeting_point(environ)
        lock = None if path is None else guest_wire.locked(path)
        if lock is None:
            return
        import subprocess  # noqa: PLC0415 - likewise

        kept = {name: value for name, value in environ.items() if name in _KEPT or name.startswith("LC_")}
        subprocess.Popen(
            [sys.executable, "-P", "-m", "hookfw.guests.daemon", str(lock)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=kept,
            cwd="/",
            start_new_session=True,
            pass_fds=(lock,),
        )
        os.close(lock)
    except (OSError, ValueError, TypeError):
        return  # then the next call is decided without it, too


def _cwd() -> str:
    try:
        return os.getcwd()
    except OSError:
        return "/"  # it is gone; the call may say where the project is


def _open_all() -> None:
    """Open what the agent closed, so that no other file takes the number of an output."""
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest that is free


def _put_aside(descriptor: int) -> int:
    """The real output behind `descriptor`, which leads nowhere from here on; -1 where it is closed."""
    try:
        kept = os.dup(descriptor)
    except OSError:
        kept = -1
    null = os.open(os.devnull, os.O_WRONLY)
    if null != descriptor:
        os.dup2(null, descriptor)
        os.close(null)
    return kept


def _read(descriptor: int) -> bytes:
    parts = []
    try:
        while part := os.read(descriptor, 1 << 20):
            parts.append(part)
    except OSError:
        pass  # closed: an agent that has nothing to say
    return b"".join(parts)


def _write(descriptor: int, data: bytes) -> None:
    try:
        while data:
            data = data[os.write(descriptor, data) :]
    except OSError:
        return  # nobody listens


def _hear_endings() -> list[int]:
    """From here on SIGTERM and SIGHUP do what Ctrl-C does, so that hooks, which live in sessions of their own, are ended."""
    heard: list[int] = []

    def stop(number: int, frame: Any) -> None:
        heard.append(number)
        interrupt = signal.getsignal(signal.SIGINT)
        if not callable(interrupt):
            raise KeyboardInterrupt
        interrupt(signal.SIGINT, frame)

    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, stop)
    return heard


def _carry_on(work: Callable[[], None], outputs: tuple[int, ...]) -> None:
    """Do `work` in a process of its own that holds nothing of the agent's open."""
    if os.fork():
        return
    _leave(work, outputs)


def _leave(work: Callable[[], None], outputs: tuple[int, ...]) -> NoReturn:
    status = 1
    try:
        os.setsid()
        null = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(null, descriptor)
        for descriptor in (null, *outputs, *_inherited()):
            if descriptor > 2:  # noqa: PLR2004 - the standard streams stay, and lead nowhere
                os.close(descriptor)
        work()
        status = 0
    finally:
        os._exit(status)


def _inherited() -> list[int]:
    """What else the agent left open for this process: Python's own files are not inheritable."""
    found = []
    for name in os.listdir("/dev/fd"):
        try:
            if int(name) > 2 and os.get_inheritable(int(name)):  # noqa: PLR2004 - as above
                found.append(int(name))
        except (OSError, ValueError):
            continue
    return found
