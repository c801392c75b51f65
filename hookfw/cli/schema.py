"""`hookfw schema`: the JSON Schema of a configuration."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from hookfw.cli._options import json_option, plugin_option
from hookfw.cli._output import write_json

if TYPE_CHECKING:
    from hookfw.host import Host


@click.command("schema")
@click.argument("dialect", required=False)
@json_option
@plugin_option
@click.pass_obj
def command(host: Host, dialect: str | None, *, as_json: bool) -> None:
    """
    Print the JSON Schema of a configuration file of DIALECT, or of hookfw's own.

    The schema is JSON with and without --json.
    """
    del as_json
    write_json(own_schema() if dialect is None else dict(host.dialect(dialect).schema()))


def own_schema() -> dict[str, Any]:
    """The schema of hookfw's own configuration."""
    from pydantic import TypeAdapter  # noqa: PLC0415 - heavy, and needed only here

    from hookfw.settings import Settings  # noqa: PLC0415 - as above

    schema = TypeAdapter(Settings).json_schema()
    for table in (schema, *schema["$defs"].values()):
        _describe(table)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": "Configuration of hookfw"}


def _describe(table: dict[str, Any]) -> None:
    """Give each setting its own line of the table's documentation."""
    about, _, attributes = table["description"].partition("\n\nAttributes:\n")
    table["description"] = about
    for line in attributes.splitlines():
        name, _, text = line.strip().partition(": ")
        if name in table["properties"]:
            table["properties"][name]["description"] = text.removesuffix(".")
