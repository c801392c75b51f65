"""What plugins register, checked: one wrong description must not spoil what others registered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookfw.guard import Registered

_TEXTS = frozenset({"name", "title", "follows", "help", "dialect"})
_CALLS = frozenset({"load", "make"})
_FIELDS = {
    "register_dialects": ("name", "title", "follows", "load"),
    "register_agents": ("name", "title", "load"),
    "register_handler_types": ("name", "load"),
    "register_model_clients": ("name", "load"),
    "register_executors": ("name", "make"),
    "register_commands": ("name", "help", "load"),
    "register_demos": ("dialect", "files", "steps"),
}


def registered(hook: str, key: str, results: Sequence[Registered]) -> tuple[dict[str, Any], list[str]]:
    """
    What was registered in one hook by the field `key`, sorted, and what is wrong with the rest.

    `results` are in the order of the plugins: of two things of one name the first counts.
    """
    infos: dict[str, Any] = {}
    owners: dict[str, str] = {}
    problems = []
    for plugin, given in results:
        for info in given:
            wrong = _wrong_field(info, _FIELDS.get(hook, (key,)))
            name: str = "" if wrong else getattr(info, key)
            if wrong:
                problems.append(
                    f"The plugin {plugin!r} registers {info!r:.60} in {hook!r}, which has no usable {wrong!r}: it is left "
                    "out."
                )
            elif name in infos:
                problems.append(
                    f"The plugins {owners[name]!r} and {plugin!r} both register {name!r} in {hook!r}: that of "
                    f"{owners[name]!r} counts; block one of them by its name."
                )
            else:
                infos[name], owners[name] = info, plugin
    return dict(sorted(infos.items())), problems


def _wrong_field(info: object, fields: Sequence[str]) -> str | None:
    """The first of the fields that `info` lacks, or that is empty, no text or no function where one is wanted."""
    for field in fields:
        value = getattr(info, field, None)
        if value is None or (field in _TEXTS and not _is_text(value)) or (field in _CALLS and not callable(value)):
            return field
    return None


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())
