"""Texts of an outcome on their way into an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookfw.modes.forms import PARAGRAPH

if TYPE_CHECKING:
    from collections.abc import Iterable


def said(texts: Iterable[str | None]) -> list[str]:
    """The texts that say something."""
    return [told for told in texts if told and told.strip()]


def distinct(texts: Iterable[str]) -> list[str]:
    """Each text once, where it first stood."""
    return list(dict.fromkeys(texts))


def joined(texts: Iterable[str]) -> str | None:
    """The texts as paragraphs, each once; nothing where there is none."""
    return PARAGRAPH.join(distinct(texts)) or None
