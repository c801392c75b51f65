"""
The switch of all hooks: `[features] hooks`.

As seen with codex-cli 0.171.0; that administrators have a say from the documentation. A project has none: nothing in a
repository may silence the person's hooks, though the client lets it.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from hookfw import BrokenTomlError, parse_toml

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hookfw import Document

_NAME: Final = "hooks"
_OLD_NAME: Final = "codex_hooks"
_PRECEDENCE: Mapping[tuple[str, str], int] = MappingProxyType(
    {("requirements", "managed"): 0, ("flags", "cli"): 1, ("config", "user"): 2, ("config", "managed"): 3}
)
"""Role and scope of the documents that have a say, the strongest first."""


class Switch(NamedTuple):
    """
    What the documents say.

    Attributes:
        off: the document that switches all hooks off; `None` where they are on.
        old_names: the documents that use the former name of the switch.
    """

    off: Document | None
    old_names: tuple[Document, ...]


def read_switch(documents: Sequence[Document]) -> Switch:
    """Whether hooks are on: as the strongest document says that says something; else they are."""
    ranked = [item for item in documents if (item.role, item.scope) in _PRECEDENCE]
    ranked.sort(key=lambda item: _PRECEDENCE[item.role, item.scope])
    off: Document | None = None
    decided = False
    old_names = []
    for document in ranked:
        features = _features(document)
        value = features.get(_NAME, features.get(_OLD_NAME))
        if _OLD_NAME in features:
            old_names.append(document)
        if isinstance(value, bool) and not decided:
            decided = True
            off = None if value else document
    return Switch(off, tuple(old_names))


def _features(document: Document) -> Mapping[str, Any]:
    try:
        features = parse_toml(document.data).get("features")
    except BrokenTomlError:
        return {}
    return features if isinstance(features, dict) else {}
