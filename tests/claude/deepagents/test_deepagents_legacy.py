from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw import Notification, SessionEnd, UserPromptSubmit
from hookfw_claude.deepagents import legacy


def codes(loaded):
    return [item.code for item in loaded.diagnostics]


@pytest.mark.parametrize(
    ("old", "event", "matcher"),
    [
        ("session.start", "UserPromptSubmit", ""),
        ("user.prompt", "UserPromptSubmit", ""),
        ("task.complete", "Notification", "agent_completed"),
        ("input.required", "Notification", "agent_needs_input"),
        ("session.end", "SessionEnd", ""),
        ("context.offload", "PreCompact", "manual"),
        ("context.compact", "PreCompact", "manual"),
    ],
)
def test_each_old_event_that_has_an_equivalent_becomes_a_group_with_one_handler(bench, old, event, matcher):
    loaded = bench.load_file({"hooks": [{"command": ["save", "a b"], "events": [old]}]})
    (hook,) = loaded.hooks
    assert (hook.name, hook.matcher, hook.timeout) == (f"{event}:0:0", matcher, 5.0)
    assert hook.config.argv == ("save", "a b")
    assert codes(loaded) == ["legacy-deprecated", "legacy-migrated"]


@pytest.mark.parametrize("events", [None, [], "absent"])
def test_without_events_all_seven_are_meant_in_the_order_of_the_table(bench, events):
    entry = {"command": ["save"]} | ({} if events == "absent" else {"events": events})
    loaded = bench.load_file({"hooks": [entry]})
    assert [(hook.name, hook.config.legacy) for hook in loaded.hooks] == [
        ("UserPromptSubmit:0:0", "session.start"),
        ("UserPromptSubmit:1:0", "user.prompt"),
        ("SessionEnd:0:0", "session.end"),
        ("Notification:0:0", "task.complete"),
        ("Notification:1:0", "input.required"),
        ("PreCompact:0:0", "context.offload"),
        ("PreCompact:1:0", "context.compact"),
    ]


def test_a_name_given_twice_counts_once(bench):
    assert len(bench.load_file({"hooks": [{"command": ["a"], "events": ["session.end"] * 2}]}).hooks) == 1


@pytest.mark.parametrize(
    "old", ["permission.request", "tool.use", "tool.result", "tool.error", "user.name.set", "x", 5]
)
def test_an_old_event_without_an_equivalent_is_skipped_with_a_diagnostic_of_its_own(bench, old):
    loaded = bench.load_file({"hooks": [{"command": ["a"], "events": [old, "session.end"]}]})
    assert len(loaded.hooks) == 1
    assert codes(loaded) == ["legacy-deprecated", "legacy-migrated", "legacy-skipped"]
    assert str(old) in loaded.diagnostics[-1].message


def test_a_file_of_which_nothing_can_be_carried_over_says_so(bench):
    loaded = bench.load_file({"hooks": [{"command": ["a"], "events": ["tool.use"]}]})
    assert loaded.hooks == ()
    assert codes(loaded) == ["legacy-deprecated", "legacy-unmapped", "legacy-skipped"]
    assert codes(bench.load_file({"hooks": []})) == ["legacy-deprecated", "legacy-unmapped"]


@pytest.mark.parametrize(
    "entry", [{}, {"command": "a"}, {"command": []}, {"command": ["a", 1]}, {"command": ["a"], "events": "x"}]
)
def test_an_entry_without_a_usable_part_is_refused_alone_with_its_place(bench, entry):
    loaded = bench.load_file({"hooks": [entry, {"command": ["b"], "events": ["session.end"]}]})
    assert len(loaded.hooks) == 1
    assert [rejected.name for rejected in loaded.rejected] == ["hooks[0]"]


def test_the_form_exists_in_files_not_in_plugins(bench):
    document = bench.file({"hooks": []}, "/p/hooks/hooks.json", "plugin", "plugin-hooks:fmt@local")
    assert codes(bench.load(document)) == ["invalid-config"]


@pytest.mark.parametrize(
    ("old", "event", "payload"),
    [
        ("session.start", UserPromptSubmit(session_id="s", prompt="hi"), {"event": "session.start", "thread_id": "s"}),
        ("user.prompt", UserPromptSubmit(session_id="s", prompt="hi"), {"event": "user.prompt"}),
        ("session.end", SessionEnd(), {"event": "session.end"}),
        (
            "input.required",
            Notification(notification_type="agent_needs_input", session_id="s"),
            {"event": "input.required"},
        ),
    ],
)
def test_an_old_hook_reads_the_old_payload_and_nobody_reads_what_it_prints(bench, old, event, payload):
    hook = bench.load_file({"hooks": [{"command": ["save"], "events": [old]}]}).hooks[0]
    call = bench.dialect.invocation(bench.row(event), hook, bench.session())
    assert call.argv == ("save",)
    assert json.loads(call.stdin) == payload
    assert call.discard_output


@pytest.mark.parametrize("code", [0, 1, 2])
def test_an_old_hook_decides_nothing_however_it_ends(bench, code):
    hook = bench.load_file({"hooks": [{"command": ["save"], "events": ["user.prompt"]}]}).hooks[0]
    reading = bench.dialect.interpret(bench.row(UserPromptSubmit()), hook, bench.exited('{"decision": "block"}', code))
    assert (reading.status, reading.effect.decision, reading.diagnostics) == ("completed", "none", ())


@given(
    st.lists(
        st.dictionaries(
            st.sampled_from(["command", "events"]),
            st.none() | st.text(max_size=2) | st.lists(st.text(max_size=2) | st.integers(), max_size=2),
        )
    )
)
def test_every_entry_gives_something_that_was_carried_over_or_a_reason(entries):
    found = {item.at for item in legacy.migrate(entries)}
    assert found == set(range(len(entries)))
