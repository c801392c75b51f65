"""
Comparing without regard to letter case: simple case folding, letter by letter, and nothing else.

From the hooks document, "Matchers" (exact, any case), and the public source: no glob, no pattern, no `|`, no trimming, and
no letter becomes two, so `ß` is not `ss`.
"""

from __future__ import annotations


def fold(name: str) -> str:
    """What all spellings of `name` that differ in letter case alone have in common."""
    if name.isascii():
        return name.lower()
    return "".join(map(_fold_letter, name))


def _fold_letter(letter: str) -> str:
    """The full folding of a letter where that is one letter; else its small form, where that is one; else itself."""
    for folded in (letter.casefold(), letter.lower()):
        if len(folded) == 1:
            return folded
    return letter


def is_for_all(matcher: str) -> bool:
    """An empty matcher and `*` select everything, events without a tool included."""
    return matcher in ("", "*")


def matches(matcher: str, tool: str) -> bool:
    """`matcher` selects an event about `tool`; an event without a tool has the name ""."""
    return is_for_all(matcher) or fold(matcher) == fold(tool)
