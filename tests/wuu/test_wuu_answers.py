from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw_wuu.answers import Answer, Reply, UnreadableError, read_output, read_reply


@pytest.mark.parametrize(
    ("output", "answer"),
    [
        ("", Answer()),
        (" \n", Answer()),
        ("{}", Answer()),
        ("null", Answer()),
        (' \n{"decision":"block"}\r\n', Answer(blocks=True)),
        ('{"decision":"block","reason":"r"}', Answer(blocks=True, reason="r")),
        ('{"continue":false}', Answer(blocks=True)),
        ('{"continue":true}', Answer()),
        ('{"continue":null,"decision":null,"reason":null}', Answer()),
        ('{"continue":true,"decision":"block"}', Answer(blocks=True)),
        ('{"Decision":"block","REASON":"r"}', Answer(blocks=True, reason="r")),
        ('{"updated_input":{"a":1}}', Answer(updated_input={"a": 1})),
        ('{"updated_input":{}}', Answer(updated_input={})),
        ('{"updated_input":null}', Answer()),
        ('{"additional_context":"c"}', Answer(context="c")),
        ('{"additional_context":null}', Answer()),
        ('{"other":{"decision":"block"}}', Answer()),
    ],
)
def test_what_is_printed_is_one_json_object(output, answer):
    assert read_output(output) == answer


@pytest.mark.parametrize(
    ("output", "word"),
    [
        ('log\n{"decision":"block"}', "not one JSON object"),
        ('{"decision":"block"} done', "not one JSON object"),
        ('{"decision":"block"}{}', "not one JSON object"),
        ('[{"decision":"block"}]', "not one JSON object"),
        ('"block"', "not one JSON object"),
        ("0", "not one JSON object"),
        ("```json\n{}\n```", "not one JSON object"),
        ('{"decision":"block","reason":42}', "a whole number as `reason`"),
        ('{"decision":"block","continue":"false"}', "a text as `continue`"),
        ('{"decision":"block","continue":0}', "a whole number as `continue`"),
        ('{"decision":["block"],"continue":false}', "a list as `decision`"),
        ('{"decision":"block","additional_context":{}}', "an object as `additional_context`"),
    ],
)
def test_what_is_no_such_object_or_has_a_field_of_the_wrong_type_says_nothing_and_that_is_told(output, word):
    answer = read_output(output)
    assert answer._replace(oddities=()) == Answer()
    assert len(answer.oddities) == 1
    assert word in answer.oddities[0]


@pytest.mark.parametrize("word", ["deny", "allow", "approve", "Block", "BLOCK", "block ", "ask"])
def test_every_word_but_block_says_nothing_and_is_told(word):
    answer = read_output(json.dumps({"decision": word}))
    assert not answer.blocks
    assert "`block` alone refuses" in answer.oddities[0]


@pytest.mark.parametrize("value", [[], "ls", 5, True, 1.5])
def test_a_new_input_that_is_no_object_is_ignored_and_the_rest_counts(value):
    answer = read_output(json.dumps({"updated_input": value, "decision": "block", "reason": "r"}))
    assert (answer.updated_input, answer.blocks, answer.reason) == (None, True, "r")
    assert "`updated_input`" in answer.oddities[0]


@pytest.mark.parametrize(
    "field", ["hookSpecificOutput", "permissionDecision", "updatedInput", "additionalContext", "systemMessage"]
)
def test_the_fields_of_another_agent_mean_nothing_and_are_told(field):
    answer = read_output(json.dumps({field: "deny"}))
    assert answer._replace(oddities=()) == Answer()
    assert f"`{field}`" in answer.oddities[0]


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ('{"ok": true}', Reply(ok=True)),
        ('{"ok": true, "reason": "r", "more": []}', Reply(ok=True, reason="r")),
        ('\n {"ok": false, "reason": "r"}\n', Reply(ok=False, reason="r")),
        ('{"OK": true}', Reply(ok=True)),
        ("{}", Reply()),
        ("null", Reply()),
        ('\ufeff{"ok": true}', Reply(ok=True)),
        ("\ufeffnull", Reply()),
        ('{"reason": "fine"}', Reply(reason="fine")),
        ('{"ok": null}', Reply()),
    ],
)
def test_a_reply_without_ok_is_a_no(reply, expected):
    assert read_reply(reply) == expected


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "no",
        '{"ok": "false"}',
        '{"ok": 0}',
        '{"ok": false, "reason": 5}',
        '{"ok": false} I hope this helps.',
        '```json\n{"ok": false}\n```',
        '[{"ok": false}]',
        '{"ok": false',
    ],
)
def test_a_reply_that_is_not_exactly_that_cannot_be_parsed(reply):
    with pytest.raises(UnreadableError):
        read_reply(reply)


@given(st.text(max_size=200))
def test_any_output_is_read_without_an_error(output):
    read_output(output)


@given(
    st.dictionaries(
        st.sampled_from(["decision", "continue", "reason", "updated_input", "additional_context", "x"]),
        st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.just("block") | st.just({"a": 1}),
    )
)
def test_only_a_block_or_a_false_of_the_right_types_refuses(printed):
    answer = read_output(json.dumps(printed))
    texts = all(isinstance(printed.get(name), str | None) for name in ("decision", "reason", "additional_context"))
    sound = texts and isinstance(printed.get("continue"), bool | None)
    assert answer.blocks == (sound and (printed.get("decision") == "block" or printed.get("continue") is False))
