"""
Patterns with `*` for any text, as permission rules and lists of addresses have them.

Each piece between two stars is looked for once, from left to right, so no pattern can take long.
"""

from __future__ import annotations

ANY = "*"


def fits(pattern: str, text: str) -> bool:
    """The whole of `text` is what `pattern` says."""
    first, *pieces = pattern.split(ANY)
    if not pieces:
        return text == pattern
    last = pieces.pop()
    if not text.startswith(first) or not text.endswith(last) or len(text) < len(first) + len(last):
        return False
    position, end = len(first), len(text) - len(last)
    for piece in pieces:
        found = text.find(piece, position, end)
        if found < 0:
            return False
        position = found + len(piece)
    return True
