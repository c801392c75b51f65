"""Comparison of what a case expects with what came out. Pure, but for `file_mismatches`, which reads files."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

Document = Mapping[str, Any]

_SHOWN = 500
"""Characters of a value that a mismatch shows."""


def is_subset(want: Any, got: Any) -> bool:
    """Every key of an object in `want` is in `got` and fits; anything else is equal."""
    if isinstance(want, Mapping):
        return isinstance(got, Mapping) and all(key in got and is_subset(item, got[key]) for key, item in want.items())
    return bool(want == got)


def mismatches(expect: Mapping[str, Any], document: Document) -> list[str]:
    """What `document`, as the command prints it, lacks of `expect`; one sentence each, empty when it fits."""
    wrong = []
    for key, want in expect.items():
        check, name = _check_for(key)
        wrong += [f"{key}: want {_json(part)}, got {_json(got)}" for part, got in check(name, want, document)]
    return wrong


_Misses = list[tuple[Any, Any]]
_Check = Callable[[str, Any, Document], _Misses]


def _check_for(key: str) -> tuple[_Check, str]:
    if key in _SPECIAL:
        return _SPECIAL[key], key
    for ending, check in _ENDINGS.items():
        if key.endswith(ending):
            return check, key.removesuffix(ending)
    return _equal, key


def _parts(value: Any) -> list[Any]:
    if isinstance(value, Mapping):
        return list(value)
    return value if isinstance(value, list) else [value]


def _equal(key: str, want: Any, document: Document) -> _Misses:
    got = document.get(key)
    return [] if got == want else [(want, got)]


def _contains(key: str, want: Any, document: Document) -> _Misses:
    got = document.get(key) or []
    texts = [str(item) for item in _parts(got)]
    return [(part, got) for part in _parts(want) if not any(part in text for text in texts)]


def _lacks(key: str, want: Any, document: Document) -> _Misses:
    got = document.get(key) or []
    return [(part, got) for part in _parts(want) if any(part in str(item) for item in _parts(got))]


def _runs(key: str, want: Any, document: Document) -> _Misses:
    runs = document.get(key) or []
    fits = len(runs) == len(want) and all(map(is_subset, want, runs))
    return [] if fits else [(want, [{name: run.get(name) for name in ("name", "status", "exit_code")} for run in runs])]


def _count(key: str, want: Any, document: Document) -> _Misses:
    got = document.get(key)
    count = len(got) if isinstance(got, list) else got
    return [] if count == want else [(want, count)]


def _diagnostic_texts(document: Document) -> list[str]:
    return [f"{item['code']} {item['message']}".lower() for item in document.get("diagnostics") or []]


def _diagnostics_contain(_key: str, want: Any, document: Document) -> _Misses:
    texts = _diagnostic_texts(document)
    return [(word, texts) for word in want if not any(word.lower() in text for text in texts)]


def _diagnostics_lack(_key: str, want: Any, document: Document) -> _Misses:
    texts = _diagnostic_texts(document)
    return [(word, texts) for word in want if any(word.lower() in text for text in texts)]


_SPECIAL: Mapping[str, _Check] = {
    "runs": _runs,
    "loaded": _count,
    "rejected": _count,
    "diagnostics_contain": _diagnostics_contain,
    "diagnostics_lack": _diagnostics_lack,
}
_ENDINGS: Mapping[str, _Check] = {
    "_contains": _contains,
    "_contain": _contains,
    "_lacks": _lacks,
    "_lack": _lacks,
}


def file_mismatches(wanted: Mapping[str, Any], root: Path) -> list[str]:
    """What the files below `root` lack of `files_after`; one sentence each, empty when they fit."""
    return [f"{name}: {problem}" for name, want in wanted.items() for problem in _file_problems(want, root / name)]


def _file_problems(want: Any, path: Path) -> list[str]:
    if want is None:
        return ["should not exist"] if path.exists() else []
    if not path.exists():
        return ["was not written"]
    text = path.read_text(encoding="utf-8", errors="replace")
    if isinstance(want, str):
        return [] if text == want else [f"want {_json(want)}, got {_json(text)}"]
    wrong = [f"lacks {_json(part)} in {_json(text)}" for part in want.get("contains", ()) if part not in text]
    wrong += [f"has {_json(part)}" for part in want.get("lacks", ()) if part in text]
    if "json_subset" in want or "json_lacks" in want:
        wrong += _json_problems(want, text)
    return wrong


def _json_problems(want: Mapping[str, Any], text: str) -> list[str]:
    try:
        data = json.loads(text)
    except ValueError:
        return [f"is no JSON document: {_json(text)}"]
    wrong = []
    if not is_subset(want.get("json_subset", {}), data):
        wrong.append(f"want JSON with {_json(want['json_subset'])}, got {_json(data)}")
    return wrong + [f"key {key} should be absent" for key in want.get("json_lacks", ()) if key in data]


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)[:_SHOWN]
