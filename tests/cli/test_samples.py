from __future__ import annotations

import pytest

from hookfw.cli._samples import sample_fields
from hookfw.events import KINDS, parse_event


@pytest.mark.parametrize("kind", KINDS)
def test_the_made_event_of_each_kind_has_only_fields_of_its_kind(kind):
    event, unknown = parse_event(kind, sample_fields(kind))
    assert unknown == ()
    assert event.session_id
