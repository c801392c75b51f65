"""
Redaction of transcripts: hooks may read the conversation, not the secrets in it.

From the public source of Deep Agents Code: assignments to credential names, bearer tokens, tokens with a known beginning,
JSON web tokens, all of a URL but its host and the names in its query, and the values of object keys that look like
credentials.
"""

from __future__ import annotations

import re
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from hookfw_claude.deepagents.rules import looks_like_credential

HIDDEN: Final = "[redacted]"

# Nothing is given back once it is matched: a long word costs one look, whatever it is made of.
_ASSIGNMENT = re.compile(r"\b([A-Za-z]\w*+)\s*+=\s*+[^\s,;]++", re.ASCII)
_ASSIGNED = re.compile(r"(?i)KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL")
_BEARER = re.compile(r"(?i)\b(bearer)\s+[a-z0-9._~+/=-]{8,}")
_KNOWN_TOKEN = re.compile(
    r"(?<![A-Za-z0-9])(?:sk-|[sp]k_(?:live|test)_|gh[opurs]_|github_pat_|glpat-|xox[abprs]-|hf_|npm_|AIza|AKIA)"
    r"[A-Za-z0-9._-]{8,}"
)
_WEB_TOKEN = re.compile(r"(?<![\w-])eyJ[\w-]{6,}(?:\.[\w-]{6,}){2}", re.ASCII)
_URL = re.compile(r"(?i)https?://[^\s<>\"']+")


def redact_content(value: Any) -> Any:
    """A JSON value without the secrets in its texts."""
    if isinstance(value, str):
        return redact_text(value)
    if isinstance(value, list):
        return [redact_content(item) for item in value]
    if isinstance(value, dict):
        return {key: HIDDEN if looks_like_credential(key) else redact_content(item) for key, item in value.items()}
    return value


def redact_text(text: str) -> str:
    """A text without its secrets."""
    text = _ASSIGNMENT.sub(_redact_assignment, text)
    text = _BEARER.sub(rf"\1 {HIDDEN}", text)
    text = _KNOWN_TOKEN.sub(HIDDEN, text)
    text = _WEB_TOKEN.sub(HIDDEN, text)
    return _URL.sub(_redact_url, text)


def _redact_assignment(found: re.Match[str]) -> str:
    return f"{found[1]}={HIDDEN}" if _ASSIGNED.search(found[1]) else found[0]


def _redact_url(found: re.Match[str]) -> str:
    try:
        parts = urlsplit(found[0])
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return HIDDEN
    place = f"[{host}]" if ":" in host else host
    query = urlencode([(name, HIDDEN) for name, _ in parse_qsl(parts.query, keep_blank_values=True)])
    return urlunsplit(
        (
            parts.scheme,
            place if port is None else f"{place}:{port}",
            f"/{HIDDEN}" if parts.path else "",
            query,
            HIDDEN if parts.fragment else "",
        )
    )
