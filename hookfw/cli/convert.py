"""`hookfw convert`: the configuration of one ecosystem as another's."""

from __future__ import annotations

import contextlib
import os
import sys
from tempfile import mkstemp
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from hookfw.cli._options import json_option, plugin_option
from hookfw.cli._output import aside, plain_line, write_json
from hookfw.errors import ConversionError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookfw.conversion import Converted
    from hookfw.dialect import Dialect
    from hookfw.host import Host
    from hookfw.sources import Document, Places

_STREAM = "-"


@click.command("convert")
@click.argument("file", required=False)
@click.option("--from", "origin", required=True, metavar="NAME", help="The ecosystem of FILE.")
@click.option("--to", "target", required=True, metavar="NAME", help="The ecosystem whose configuration is written.")
@click.option(
    "-o", "--output", metavar="FILE", help="Write to this file, which must not exist.  [default: -, standard output]"
)
@click.option("--force", is_flag=True, help="Replace the file of --output where it exists.")
@click.option("--strict", is_flag=True, help="Write nothing, with status 1, where anything would be lost.")
@click.option("--home", metavar="DIR", help="The home whose configuration counts.  [default: yours]")
@click.option(
    "--workspace",
    metavar="DIR",
    default=".",
    help="The project whose configuration counts.  [default: the current directory]",
)
@json_option
@plugin_option
@click.pass_obj
def command(host: Host, /, file: str | None, *, as_json: bool, **options: Any) -> int:
    """
    Write the hooks of FILE, which is of one ecosystem, as a configuration of another.

    FILE may be - for standard input; without it, your own files of that ecosystem are read. Commands are wrapped in
    `hookfw adapt`, so that their scripts run unchanged. What the other ecosystem cannot say is listed on standard error,
    and in the document of --json.
    """
    from hookfw.conversion import convert  # noqa: PLC0415 - not for --help
    from hookfw.opening import make_places  # noqa: PLC0415 - likewise

    given = _Options(**options)
    if given.output == _STREAM:
        given = given._replace(output=None)
    places = make_places({"workspace": given.workspace, "home": given.home})
    if given.output is not None:
        _must_be_free(given.output, replace=given.force)
    with aside():
        origin, target = host.dialect(given.origin), host.dialect(given.target)
        documents = _own(origin, places) if file is None else _named(origin, file)
        converted = convert(origin, target, documents, places)
    unread = converted.read == 0 and any(loss.field == "file" for loss in converted.losses)
    refused = unread or (given.strict and bool(converted.losses))
    written = None if refused else given.output
    if written is not None:
        write_file(written, converted.document.data, replace=given.force)
    if as_json:
        write_json(_document(converted, given, written, refused=refused))
    elif not refused and written is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(converted.document.data)
        sys.stdout.buffer.flush()
    _tell(converted, written, refused=refused)
    return 1 if refused else 0


class _Options(NamedTuple):
    """What the command line asks for, beside the file."""

    origin: str
    target: str
    output: str | None
    home: str | None
    workspace: str
    force: bool
    strict: bool


def _named(dialect: Dialect, file: str) -> Sequence[Document]:
    """One file as the person's own. Raises `ConversionError` where it cannot be read."""
    from hookfw.conversion import conversion_of  # noqa: PLC0415 - as above
    from hookfw.sources import FileView  # noqa: PLC0415 - as above

    conversion = conversion_of(dialect)
    if file == _STREAM:
        if sys.stdin is None:
            message = "Standard input is closed; name a file."
            raise ConversionError(message)
        data = sys.stdin.buffer.read()
        # A configuration in JSON is an object; the others are TOML.
        suffix = "json" if data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") else "toml"
        return conversion.documents(f"/standard-input.{suffix}", data)
    read = FileView().read(os.path.abspath(file))
    if read.data is None:
        message = f"{file} {read.problem or 'does not exist; name a file that does'}."
        raise ConversionError(message)
    return conversion.documents(os.path.abspath(file), read.data)


def _own(dialect: Dialect, places: Places) -> Sequence[Document]:
    """The person's own files. Raises `ConversionError` where there are none."""
    from hookfw.sources import FileView  # noqa: PLC0415 - as above

    found = [document for document in dialect.discover(places, FileView()) if document.scope == "user"]
    if not found:
        message = f"There is no configuration of {dialect.name} in {places.home}: name a FILE, or another --home."
        raise ConversionError(message)
    return found


def _must_be_free(path: str, *, replace: bool = False) -> None:
    if not path:
        message = "The name of the output is empty; name a file, or - for standard output."
        raise ConversionError(message)
    if os.path.isdir(path):
        message = f"{path} is a folder; name a file in it."
        raise ConversionError(message)
    if os.path.lexists(path) and not replace:
        message = f"{path} exists and is left as it is; write to another file, or replace it with --force."
        raise ConversionError(message)


def write_file(path: str, data: bytes, *, replace: bool) -> None:
    """Write a file whole or not at all. Raises `ConversionError` where it cannot, and where one is there and is not replaced."""
    folder = os.path.dirname(os.path.abspath(path))
    try:
        descriptor, temporary = mkstemp(dir=folder, prefix=".hookfw-")
        try:
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            if replace:
                os.replace(temporary, path)
            else:
                os.link(temporary, path)
        finally:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(temporary)
    except FileExistsError:
        _must_be_free(path)
    except OSError as error:
        message = f"{path} cannot be written: {error.strerror or error}; write to a folder that is there and yours."
        raise ConversionError(message) from None


def _document(converted: Converted, given: _Options, written: str | None, *, refused: bool) -> dict[str, object]:
    return {
        "from": given.origin,
        "to": given.target,
        "read": converted.read,
        "hooks": converted.hooks,
        "written": written,
        "usual_place": converted.document.path,
        "document": None if refused else converted.document.data.decode(),
        "losses": [{"place": loss.place, "field": loss.field, "message": loss.message} for loss in converted.losses],
        "diagnostics": [item.as_dict() for item in converted.diagnostics],
    }


def _tell(converted: Converted, output: str | None, *, refused: bool) -> None:
    """What happened, on standard error: the document may be on standard output."""
    lost = " ".join(loss.message for loss in converted.losses)
    for item in converted.diagnostics:
        if item.message.rstrip(".") in lost:
            continue  # said as a loss
        _say(f"{item.severity}: {item.message}")
    for loss in converted.losses:
        _say(f"lost: {loss.place}: {loss.field}: {loss.message}.")
    if refused:
        _say(f"nothing was written: {'something would be lost' if converted.read else 'no hook could be read'}.")
        return
    where = "its usual place" if output is None else f"written to {output}; its usual place"
    _say(
        f"{_count(converted.read, 'hook')} read, {converted.hooks} written, {_count(len(converted.losses), 'loss', 'losses')}; "
        f"{where} is {converted.document.path}"
    )


def _count(number: int, one: str, many: str | None = None) -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"


def _say(sentence: str) -> None:
    sys.stderr.write(f"{plain_line(sentence)}\n")
