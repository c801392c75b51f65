"""Scripts and programs: what a command names is there, can be started, and is found from wherever the session works."""

from __future__ import annotations

import os.path
import stat
from typing import TYPE_CHECKING

from hookfw.checks.lines import BUILT_IN, Command, fill_in, first_command, unquoted_variable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hookfw.checks.checkup import Checkup, Examined
    from hookfw.diagnostics import Diagnostic, Severity
    from hookfw.dialect import Invocation
    from hookfw.sources import FileView

_BOM = b"\xef\xbb\xbf"


def check(checkup: Checkup) -> Iterator[Diagnostic]:
    """What keeps a command from being started, by its first words."""
    if checkup.platform == "win32":
        return
    for item in checkup.hooks:
        if item.hook.handler == "command" and item.sent is not None:
            yield from _of(item, item.sent, checkup)


def _of(item: Examined, sent: Invocation, checkup: Checkup) -> Iterator[Diagnostic]:
    variables = _variables(sent, checkup.environ)
    line = item.hook.command or ""
    blank = unquoted_variable(line, variables)
    if blank is not None:
        what = f"names a path with ${blank}, whose value has a blank, without quotes: the shell takes it for two words"
        yield item.found("unquoted-path", "error", f'{what}; write "${blank}/…" in double quotes')
        return
    command = first_command(sent.argv, variables)
    if command is None:
        return
    named = command.script
    if named is not None:
        yield from _file(item, named, sent.cwd, checkup, started=False)
    if "/" in command.program:
        split = _split_path(command, sent.cwd, checkup.files)
        if split is not None:
            what = f"names {split!r} without quotes: the shell takes it for several words; put it in quotes"
            yield item.found("unquoted-path", "error", what)
        else:
            yield from _file(item, command.program, sent.cwd, checkup, started=True)
    elif not _is_found(command, variables.get("PATH"), checkup.files):
        what = f"runs {command.program!r}, which is nowhere on its PATH; install it, or write its whole path"
        yield item.found("command-not-found", "error", what)


def _variables(sent: Invocation, environ: Mapping[str, str]) -> dict[str, str]:
    """The variables that a command sees."""
    kept = {name: value for name, value in environ.items() if name not in sent.unset}
    return {**kept, **sent.env}


def script_of(item: Examined, checkup: Checkup) -> str | None:
    """The absolute path of the script that its command starts, where that can be told."""
    if item.sent is None or item.hook.handler != "command":
        return None
    variables = _variables(item.sent, checkup.environ)
    command = first_command(item.sent.argv, variables)
    if command is None:
        return None
    named = command.script or (command.program if "/" in command.program else None)
    path = None if named is None else fill_in(named, variables)
    return None if path is None else os.path.normpath(os.path.join(item.sent.cwd, path))


def _file(item: Examined, named: str, cwd: str, checkup: Checkup, *, started: bool) -> Iterator[Diagnostic]:
    """A file that a command names; `started`: it is run by itself, and not by an interpreter."""
    assert item.sent is not None
    path = os.path.normpath(os.path.join(item.sent.cwd, named))
    mode = checkup.files.mode(path)
    if mode is None:
        where = "" if os.path.isabs(named) else f" in {cwd}"
        severity: Severity = "warning" if item.drifts and not os.path.isabs(named) else "error"
        yield item.found(
            "script-missing", severity, f"runs {named!r}, which does not exist{where}; restore it or correct the path"
        )
        return
    if not stat.S_ISREG(mode):
        yield item.found("script-missing", "error", f"runs {named!r}, which is no file; correct the path")
        return
    if item.drifts and not os.path.isabs(named):
        what = (
            f"runs {named!r}, a path that counts from wherever the session works: after a `cd` it is not found; "
            "write it from the project or home on"
        )
        yield item.found("relative-script", "warning", what)
    if started and not mode & 0o111:
        what = f"starts {named!r}, which is not executable; run `chmod +x` on it, or name its interpreter before it"
        yield item.found("script-not-executable", "error", what)
    if started:
        yield from _first_line(item, named, path, checkup.files)
    if mode & stat.S_IWOTH:
        what = f"runs {named!r}, which anyone on this machine may change; run `chmod o-w` on it"
        yield item.found("writable-by-others", "error", what)
    if item.hook.source.scope in ("project", "local") and _leads_out(path, checkup):
        what = f"runs {named!r}, a link that leads out of the project; what it runs is in no review of the project"
        yield item.found("linked-script", "warning", f"{what}, so put the file itself there")


def _first_line(item: Examined, named: str, path: str, files: FileView) -> Iterator[Diagnostic]:
    """The line that says what runs a script."""
    data = files.read(path).data or b""
    if data.startswith(_BOM + b"#!"):
        what = f"starts {named!r}, which begins with a byte order mark, so nothing can run it; save it without one"
        yield item.found("script-mark", "error", what)
        return
    if not data.startswith(b"#!"):
        return
    first = data.split(b"\n", 1)[0]
    if first.endswith(b"\r"):
        what = (
            f"starts {named!r}, whose lines end as on Windows, so its interpreter is not found; save it with plain ends"
        )
        yield item.found("script-line-ends", "error", what)
        return
    words = first[2:].decode(errors="replace").split()
    if words and files.mode(words[0]) is None:
        what = f"starts {named!r}, whose interpreter {words[0]!r} is not there; install it or correct the first line"
        yield item.found("no-interpreter", "error", what)


def _split_path(command: Command, cwd: str, files: FileView) -> str | None:
    """The file that the first words name together, where the first alone names none."""
    if not command.line or files.mode(os.path.join(cwd, command.program)) is not None:
        return None
    for end in range(2, min(len(command.words), 6) + 1):
        joined = " ".join(command.words[:end])
        if files.mode(os.path.join(cwd, joined)) is not None:
            return joined
    return None


def _is_found(command: Command, path: str | None, files: FileView) -> bool:
    """The program is on the search path, or a shell knows it, or nobody can tell."""
    name = command.program
    if (command.line and name in BUILT_IN) or path is None or not name.replace("-", "").replace("_", "").isalnum():
        return True
    for folder in path.split(os.pathsep):
        mode = files.mode(os.path.join(folder, name)) if os.path.isabs(folder) else stat.S_IFREG | 0o111
        if mode is not None and stat.S_ISREG(mode) and mode & 0o111:
            return True
    return False


def _leads_out(path: str, checkup: Checkup) -> bool:
    inside = checkup.workspace.rstrip("/") + "/"
    return path.startswith(inside) and not checkup.files.resolve(path).startswith(
        checkup.files.resolve(checkup.workspace).rstrip("/") + "/"
    )
