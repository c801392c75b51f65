"""Conformance cases: what a case file holds, and reading it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookfw.errors import HookfwError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class CaseError(HookfwError):
    """Raised for a case file that is no case; its text names the file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """
    One conformance case: a configuration, one event fired at it, and what must come out.

    The keys of a case file; the format is written down beside the cases in `CASE-FORMAT.md`.

    Attributes:
        path: the case file.
        id: unique within the dialect.
        dialect: name of the dialect.
        expect: a subset of the JSON document that must come out.
        about: what it shows, in one sentence.
        source: where the rule is stated.
        area: which part of the work it is about.
        files: relative path to content: a text, `{"link_to": …}` or `{"bytes_hex": …}`.
        trust: `all` or `none`.
        event: canonical fields and the name of the event; `None` only lists what is configured.
        files_after: what must stand in files afterwards.
        environ: variables of the program that fires.
        model_replies: what a stub model client answers; `None` configures no client.
    """

    path: Path
    id: str
    dialect: str
    expect: Mapping[str, Any]
    about: str = ""
    source: str = ""
    area: str = ""
    files: Mapping[str, Any] = field(default_factory=dict)
    trust: str = "all"
    event: Mapping[str, Any] | None = None
    files_after: Mapping[str, Any] = field(default_factory=dict)
    environ: Mapping[str, str] = field(default_factory=dict)
    model_replies: list[Any] | None = None

    @property
    def name(self) -> str:
        """`DIALECT/ID`."""
        return f"{self.dialect}/{self.id}"


def load_cases(paths: Iterable[str | Path]) -> list[Case]:
    """The cases in `paths`, files or folders searched for `*.json`, in order of path. Raises `CaseError`."""
    files: list[Path] = []
    for path in map(Path, paths):
        files += sorted(path.rglob("*.json")) if path.is_dir() else [path]
    return [load_case(file) for file in files]


def load_case(path: Path) -> Case:
    """The case in one file. Raises `CaseError`."""
    try:
        data = json.loads(path.read_bytes())
    except OSError as error:
        message = f"{path} cannot be read: {error.strerror}."
        raise CaseError(message) from None
    except ValueError as error:
        message = f"{path} is no JSON document: {error}."
        raise CaseError(message) from None
    known = set(Case.__dataclass_fields__) - {"path"}
    if not isinstance(data, dict) or not {"id", "dialect", "expect"} <= data.keys() or not data.keys() <= known:
        message = f"{path} is no case: it needs an object with id, dialect and expect, and no keys but {sorted(known)}."
        raise CaseError(message)
    return Case(path=path, **data)
