from __future__ import annotations

import json

from hookfw_claude.mind.dialect import Mind
from hookfw_claude.mind.handlers import FIELDS
from hookfw_claude.mind.rules import EVENTS


def test_the_schema_names_every_event_and_every_handler_field():
    schema = json.loads(json.dumps(dict(Mind().schema())))
    events = schema["properties"]["hooks"]["properties"]
    assert list(events) == list(EVENTS)
    handlers = events["Stop"]["items"]["properties"]["hooks"]["items"]["oneOf"]
    assert {field for handler in handlers for field in handler["properties"]} == set(FIELDS)


def test_only_the_root_is_closed():
    text = json.dumps(dict(Mind().schema()))
    assert text.count('"additionalProperties": false') == 1
