"""`hookfw convert`: one ecosystem's configuration as another's, with every loss named."""

from __future__ import annotations

import json
import os
import tomllib

import pytest

from hookfw.conversion import unwrapped

GATE = """event = "tool_call_before"
name = "gate"
command = "gate"
condition = { type = "tool_name", name = "bash" }"""
PLAIN = """event = "tool_call_before"
command = "gate"
condition = { type = "tool_name", name = "bash" }"""
TO_CODEX = ("--from", "codewhale", "--to", "codex")


def test_the_persons_own_hooks_are_written_to_standard_output_and_losses_beside_it(place):
    place.hooks(GATE)
    result = place.there("convert", *TO_CODEX)
    assert result.status == 0
    [group] = json.loads(result.out)["hooks"]["PreToolUse"]
    assert group["matcher"] == "Bash"
    assert unwrapped(group["hooks"][0]["command"]).command == "gate"
    assert "lost: hooks.hooks[0]: name: Codex calls hooks by their place, so the name 'gate' is left out." in result.err
    assert f"1 hook read, 1 written, 1 loss; its usual place is {place.home}/.codex/hooks.json" in result.err


def test_the_hooks_of_a_project_are_not_the_persons_own(place):
    place.write("workspace/.codewhale/hooks.toml", f"[[hooks]]\n{GATE}\n")
    result = place.there("convert", *TO_CODEX)
    assert (result.status, result.out) == (1, "")
    assert "There is no configuration of codewhale in" in result.err


def test_a_file_is_converted_wherever_it_lies(place):
    file = place.write("workspace/.codewhale/hooks.toml", f"[[hooks]]\n{GATE}\n")
    assert "PreToolUse" in json.loads(place.there("convert", *TO_CODEX, file).out)["hooks"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("codewhale", f"[[hooks.hooks]]\n{GATE}\n"),
        ("codex", '[[hooks.PreToolUse]]\n[[hooks.PreToolUse.hooks]]\ntype = "command"\ncommand = "gate"\n'),
        ("mind", '{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "gate"}]}]}}'),
    ],
)
def test_standard_input_may_be_either_format(name, text, place):
    result = place.there("convert", "--from", name, "--to", "claude-code", "-", stdin=text.encode())
    assert result.status == 0, result.err
    assert "PreToolUse" in json.loads(result.out)["hooks"]


def test_the_json_document_has_the_configuration_and_every_loss(place):
    place.hooks(GATE)
    document = place.there("convert", *TO_CODEX, "--json").json
    assert (document["from"], document["to"], document["read"], document["hooks"]) == ("codewhale", "codex", 1, 1)
    assert document["written"] is None
    assert document["losses"] == [
        {
            "place": "hooks.hooks[0]",
            "field": "name",
            "message": "Codex calls hooks by their place, so the name 'gate' is left out",
        }
    ]
    assert "PreToolUse" in json.loads(document["document"])["hooks"]


def test_strict_writes_nothing_where_anything_would_be_lost(place):
    place.hooks(GATE)
    target = place.workspace / "hooks.json"
    result = place.there("convert", *TO_CODEX, "--strict", "-o", target)
    assert (result.status, result.out, target.exists()) == (1, "", False)
    assert "nothing was written: something would be lost." in result.err
    document = place.there("convert", *TO_CODEX, "--strict", "--json")
    assert (document.status, document.json["document"]) == (1, None)


def test_strict_writes_what_loses_nothing(place):
    place.hooks(PLAIN)
    assert place.there("convert", *TO_CODEX, "--strict").status == 0


def test_an_output_is_written_whole_and_never_over_another_file(place):
    place.hooks(PLAIN)
    target = place.workspace / "hooks.json"
    assert place.there("convert", *TO_CODEX, "-o", target).status == 0
    written = target.read_text()
    assert "PreToolUse" in json.loads(written)["hooks"]
    target.write_text("mine")
    result = place.there("convert", *TO_CODEX, "-o", target)
    assert (result.status, target.read_text()) == (1, "mine")
    assert "is left as it is" in result.err
    assert place.there("convert", *TO_CODEX, "-o", target, "--force").status == 0
    assert target.read_text() == written
    assert os.listdir(place.workspace) == ["hooks.json"]


def test_a_link_in_the_place_of_the_output_is_no_way_into_another_file(place):
    place.hooks(PLAIN)
    other = place.write("workspace/other", "mine")
    link = place.workspace / "hooks.json"
    link.symlink_to(other)
    assert place.there("convert", *TO_CODEX, "-o", link).status == 1
    assert place.there("convert", *TO_CODEX, "-o", link, "--force").status == 0
    assert (other.read_text(), link.is_symlink()) == ("mine", False)


def test_a_folder_that_is_not_there_is_told(place):
    place.hooks(PLAIN)
    result = place.there("convert", *TO_CODEX, "-o", place.workspace / "no" / "hooks.json")
    assert result.status == 1
    assert "cannot be written: No such file or directory; write to a folder that is there" in result.err


def test_an_output_that_is_no_file_is_told(place):
    place.hooks(PLAIN)
    for options in ((), ("--force",)):
        result = place.there("convert", *TO_CODEX, "-o", place.workspace, *options)
        assert (result.status, "is a folder; name a file in it." in result.err) == (1, True)
        result = place.there("convert", *TO_CODEX, "-o", "", *options)
        assert (result.status, "is empty; name a file" in result.err) == (1, True)


def test_a_hyphen_is_standard_output(place):
    place.hooks(PLAIN)
    result = place.there("convert", *TO_CODEX, "-o", "-")
    assert "PreToolUse" in json.loads(result.out)["hooks"]
    assert os.listdir(place.workspace) == []


def test_a_file_that_is_not_there_is_told(place):
    result = place.there("convert", *TO_CODEX, place.workspace / "nothing")
    assert result.status == 1
    assert "does not exist; name a file that does." in result.err


def test_what_is_wrong_with_the_original_is_told(place):
    place.hooks("event = 'tool_call_befor'\ncommand = 'gate'", PLAIN)
    result = place.there("convert", *TO_CODEX, "--strict")
    assert result.status == 1
    assert "error: " in result.err
    assert "lost: hooks.hooks[0]: hook: it does not load, so it is left out: `event` is `tool_call_befor`" in result.err


def test_a_broken_file_is_an_error_and_no_empty_configuration(place):
    file = place.write("workspace/hooks.toml", "[[hooks")
    result = place.there("convert", *TO_CODEX, file)
    assert (result.status, result.out) == (1, "")
    assert "lost: " in result.err
    assert "nothing was written: no hook could be read." in result.err
    assert "not valid TOML" in result.err


def test_an_ecosystem_that_is_not_there_is_told(place):
    result = place.there("convert", "--from", "codewale", "--to", "codex")
    assert result.status == 1
    assert "did you mean 'codewhale'?" in result.err


def test_there_and_back_gives_the_same_file(place):
    place.hooks(PLAIN)
    there = place.there("convert", *TO_CODEX).out
    back = place.there("convert", "--from", "codex", "--to", "codewhale", "-", stdin=there.encode()).out
    assert tomllib.loads(back)["hooks"]["hooks"] == tomllib.loads(place.config.read_text())["hooks"]["hooks"]
