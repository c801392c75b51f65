from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw_claude.mind.transcript import ACTORS, EVENTS, Entry, Transcript, created_in, path_of, read

NOON = datetime(2026, 8, 1, 10, 20, 30, 123456, tzinfo=UTC)


def base36(number):
    digits = ""
    while number:
        number, rest = divmod(number, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[rest] + digits
    return digits


def clock():
    return NOON


@pytest.fixture
def path(tmp_path):
    return path_of(str(tmp_path), "sid_1", NOON)


def test_the_path_has_the_day_of_creation_and_the_id(tmp_path, path):
    assert path == str(tmp_path / ".mind/sessions/2026/08/01/session-sid_1.jsonl")


@pytest.mark.parametrize("session_id", ["", "../x", "a/b", "a b", "a\0"])
def test_an_id_that_is_no_file_name_is_refused(session_id):
    with pytest.raises(ValueError, match="cannot be part of a file name"):
        path_of("/home/ada", session_id, NOON)


def test_an_id_tells_when_it_was_made():
    made = created_in(f"sid_abc_{base36(1_785_579_630_123)}_0a1b2c")
    assert made == datetime(2026, 8, 1, 10, 20, 30, 123000, tzinfo=UTC)
    assert [created_in(other) for other in ("sid_case_0001", "x", f"sid_a_{'z' * 11}_0a1b2c")] == [None, None, None]


def test_each_line_is_one_object_with_the_six_fields(path):
    with Transcript(path, "sid_1", clock) as record:
        record.append("message.created", {"content": "größe"}, turn_id="t_1", actor="user")
    lines = [json.loads(line) for line in Path(path).read_text().splitlines()]
    assert [line["event"] for line in lines] == ["session.started", "message.created", "session.ended"]
    assert lines[1] == {
        "timestamp": "2026-08-01T10:20:30.123Z",
        "event": "message.created",
        "session_id": "sid_1",
        "turn_id": "t_1",
        "actor": "user",
        "payload": {"content": "größe"},
    }
    assert (lines[0]["turn_id"], lines[0]["actor"], lines[0]["payload"]) == (None, None, {})


def test_the_clock_is_told_in_utc_whatever_its_zone(path):
    from datetime import timezone

    record = Transcript(path, "sid_1", lambda: NOON.astimezone(timezone(timedelta(hours=5))))
    assert record.append("turn.started").timestamp == "2026-08-01T10:20:30.123Z"
    record.close()


def test_a_resumed_session_goes_on_in_the_same_file_with_a_new_start(path):
    for _ in range(2):
        with Transcript(path, "sid_1", clock):
            pass
    assert [entry.event for entry in read(Path(path).read_bytes())] == ["session.started", "session.ended"] * 2


def test_a_line_cut_short_by_a_crash_costs_only_itself(path):
    with Transcript(path, "sid_1", clock):
        pass
    with Path(path).open("ab") as stream:
        stream.write(b'{"timestamp": "2026')
    with Transcript(path, "sid_1", clock):
        pass
    assert len(list(read(Path(path).read_bytes()))) == 4


def test_the_file_is_the_persons_alone_and_no_link_is_followed(path, tmp_path):
    Transcript(path, "sid_1", clock).close()
    assert Path(path).stat().st_mode & 0o777 == 0o600
    Path(path).unlink()
    Path(path).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match=r"symbolic links|loop"):
        Transcript(path, "sid_1", clock)
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.parametrize(
    ("event", "payload"),
    [("message.deleted", {}), ("turn.started", {"x": float("nan")}), ("turn.started", {"x": object()})],
)
def test_what_is_no_record_is_refused_and_nothing_is_written(path, event, payload):
    record = Transcript(path, "sid_1", clock)
    with pytest.raises((ValueError, TypeError)):
        record.append(event, payload)
    record.close()
    assert Path(path).read_bytes() == b""


@pytest.mark.parametrize(
    "line",
    [
        b"rubbish",
        b"[]",
        b"{}",
        b'{"timestamp":"t","event":"e","session_id":"s","turn_id":null,"actor":"robot","payload":{}}',
        b'{"timestamp":"t","event":"e","session_id":"s","turn_id":5,"actor":null,"payload":{}}',
        b'{"timestamp":"t","event":"e","session_id":"s","turn_id":null,"actor":null,"payload":[]}',
        b'{"timestamp":"","event":"e","session_id":"s","turn_id":null,"actor":null,"payload":{}}',
        b'{"timestamp":"t","event":"e","session_id":"s","turn_id":null,"actor":null,"payload":{},"more":1}',
    ],
)
def test_damaged_lines_are_passed_over(line):
    good = Entry("t", "e", "s", None, None, {}).line().encode()
    assert len(list(read(good + line + b"\n" + good))) == 2


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


@given(
    st.sampled_from(EVENTS),
    st.none() | TEXTS,
    st.none() | st.sampled_from(sorted(ACTORS)),
    st.dictionaries(TEXTS, TEXTS | st.none() | st.integers(), max_size=3),
)
def test_what_is_written_is_read_back(event, turn, actor, payload):
    entry = Entry("2026-08-01T10:20:30.123Z", event, "sid_1", turn, actor, payload)
    assert entry.line().count("\n") == 1
    assert list(read(entry.line().encode())) == [entry]


@given(st.binary(max_size=100))
def test_no_bytes_of_a_record_raise(data):
    list(read(data))
