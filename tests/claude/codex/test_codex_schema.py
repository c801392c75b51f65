from __future__ import annotations

import json

from hookfw_claude.codex.dialect import Codex
from hookfw_claude.codex.rules import EVENTS
from hookfw_claude.codex.shapes import FIELDS


def test_the_schema_names_every_event_and_every_handler_field():
    schema = json.loads(json.dumps(dict(Codex().schema())))
    events = schema["properties"]["hooks"]["properties"]
    assert list(events) == list(EVENTS)
    handlers = events["Stop"]["items"]["properties"]["hooks"]["items"]["oneOf"]
    assert {field for handler in handlers for field in handler["properties"]} == {
        field for fields in FIELDS.values() for field in fields
    }


def test_only_the_root_is_closed():
    text = json.dumps(dict(Codex().schema()))
    assert text.count('"additionalProperties": false') == 1
