from __future__ import annotations

import json

from hookfw_claude.claude_code.fields import FIELDS
from hookfw_claude.claude_code.rules import EVENTS, HANDLER_TYPES


def test_the_schema_names_every_event_and_every_handler_field(claude):
    schema = json.loads(json.dumps(dict(claude.dialect.schema())))
    events = schema["properties"]["hooks"]["properties"]
    assert list(events) == list(EVENTS)
    handlers = events["Stop"]["items"]["properties"]["hooks"]["items"]["oneOf"]
    assert {handler["properties"]["type"]["const"] for handler in handlers} == HANDLER_TYPES
    for handler in handlers:
        assert set(handler["properties"]) == set(FIELDS[handler["properties"]["type"]["const"]])


def test_every_dialect_event_is_one_of_the_contract(claude):
    assert [event.name for event in claude.dialect.events] == list(EVENTS)
    assert len({event.canonical for event in claude.dialect.events}) == 33
