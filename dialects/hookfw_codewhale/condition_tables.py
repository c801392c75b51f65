"""
Reading a condition table of a configuration file.

What is wrong is gathered, not raised: an entry is refused with all its problems at once. What can be read but will
never do what it seems to say is a warning.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from hookfw_codewhale.conditions import (
    ALWAYS,
    CATEGORIES,
    AllOf,
    AnyOf,
    Condition,
    ExitCode,
    Mode,
    ToolCategory,
    ToolName,
)
from hookfw_codewhale.problems import did_you_mean, kind_of, quoted

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_DEPTH = 64
"""How deep conditions may be nested; deeper ones are refused before they can exhaust the stack."""

_FIELDS: Mapping[str, str | None] = MappingProxyType(
    {
        "always": None,
        "tool_name": "name",
        "tool_category": "category",
        "mode": "mode",
        "exit_code": "code",
        "all": "conditions",
        "any": "conditions",
    }
)
"""Each type of condition, and the one field it has beside `type`."""

_NOT_IN_NAMES = frozenset("|?[](){}^$+\\ ")
_CODES = range(-(2**63), 2**63)


@dataclass(slots=True)
class Findings:
    """What reading a condition (or the entry around it) found wrong."""

    problems: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def read_condition(value: object, findings: Findings, where: str = "condition", depth: int = 0) -> Condition | None:
    """
    The condition that a TOML value describes; `None` with a problem in `findings` when it describes none.

    `where` is the place of the value within its entry, for messages; `depth` how many conditions it is nested in.
    """
    type_ = value.get("type") if isinstance(value, dict) else None
    if not isinstance(value, dict):
        problem = f'`{where}` must be a table such as {{ type = "tool_name", name = "bash" }}, not {kind_of(value)}'
    elif depth > MAX_DEPTH:
        problem = f"`condition` is nested more than {MAX_DEPTH} deep, make it flatter"
    elif not isinstance(type_, str) or type_ not in _FIELDS:
        problem = _bad_type(type_, where)
    elif (key := _FIELDS[type_]) is not None and key not in value:
        problem = f"`{where}` of type `{type_}` needs `{key}`"
    else:
        return _read_known(type_, key, value, findings, where, depth)
    findings.problems.append(problem)
    return None


def _read_known(
    type_: str, key: str | None, table: dict[str, Any], findings: Findings, where: str, depth: int
) -> Condition | None:
    for name in table:
        if name not in ("type", key):
            findings.warnings.append(f"`{where}` has {quoted(name)}, which `{type_}` does not know and ignores")
    if key is None:
        return ALWAYS
    read = _SIMPLE.get(type_)
    if read is None:
        return _read_parts(type_, table[key], findings, f"{where}.{key}", depth)
    return read(table[key], findings, f"{where}.{key}")


def _bad_type(type_: object, where: str) -> str:
    known = ", ".join(f"`{name}`" for name in _FIELDS)
    if type_ is None:
        return f"`{where}` needs a `type`, one of {known}"
    if not isinstance(type_, str):
        return f"`{where}.type` must be a text, one of {known}, not {kind_of(type_)}"
    return f"`{where}.type` is {quoted(type_)}{did_you_mean(type_, _FIELDS)}, which is none of {known}"


def _text(value: object, findings: Findings, where: str) -> str | None:
    if isinstance(value, str):
        return value
    findings.problems.append(f"`{where}` must be a text, not {kind_of(value)}")
    return None


def _read_tool_name(value: object, findings: Findings, where: str) -> Condition | None:
    name = _text(value, findings, where)
    if name is None:
        return None
    if not name or not _NOT_IN_NAMES.isdisjoint(name):
        findings.warnings.append(
            f"`{where}` is {quoted(name)}, which fits no tool: only `*` is special in it, every other character stands "
            "for itself, name several tools by `any`"
        )
    return ToolName(name)


def _read_category(value: object, findings: Findings, where: str) -> Condition | None:
    category = _text(value, findings, where)
    if category is None:
        return None
    if category not in CATEGORIES:
        known = ", ".join(f"`{name}`" for name in sorted(CATEGORIES))
        findings.warnings.append(f"`{where}` is {quoted(category)}, which no tool has, the categories are {known}")
    return ToolCategory(category)


def _read_mode(value: object, findings: Findings, where: str) -> Condition | None:
    mode = _text(value, findings, where)
    return None if mode is None else Mode(mode)


def _read_code(value: object, findings: Findings, where: str) -> Condition | None:
    if type(value) is not int:
        findings.problems.append(f"`{where}` must be a whole number, not {kind_of(value)}")
        return None
    if value not in _CODES:
        findings.problems.append(
            f"`{where}` must be a whole number of 64 bits, from {_CODES.start} to {_CODES.stop - 1}"
        )
        return None
    return ExitCode(value)


_SIMPLE = MappingProxyType(
    {"tool_name": _read_tool_name, "tool_category": _read_category, "mode": _read_mode, "exit_code": _read_code}
)


def _read_parts(type_: str, value: object, findings: Findings, where: str, depth: int) -> Condition | None:
    if not isinstance(value, list):
        findings.problems.append(f"`{where}` must be an array of conditions, not {kind_of(value)}")
        return None
    parts = [read_condition(part, findings, f"{where}[{index}]", depth + 1) for index, part in enumerate(value)]
    known = tuple(part for part in parts if part is not None)
    if len(known) < len(parts):
        return None
    if type_ == "all":
        return AllOf(known)
    if not known:
        findings.warnings.append(f"`{where}` is empty, so `any` never holds")
    return AnyOf(known)
