"""`hookfw list` and `hookfw check`: what is configured, and what is wrong with it."""

from __future__ import annotations

import json

import pytest

PROJECT = '[[hooks]]\nevent = "session_start"\nname = "of-the-project"\ncommand = "true"\n'


def test_every_hook_is_listed_with_all_there_is_to_know(place):
    place.hooks(
        'event = "tool_call_before"\nname = "gate"\ncommand = "check it"\ntimeout_secs = 7\ncontinue_on_error = false\n'
        'condition = { type = "tool_name", name = "bash" }',
        'event = "turn_end"\ncommand = "log"\nbackground = true',
        'event = "turn_end"\ncommand = ""',
    )
    place.write("workspace/.codewhale/hooks.toml", PROJECT)
    document = place.there("list", "--json").json
    first, second, third = document["hooks"]
    assert (first["name"], first["dialect"], first["event"]) == ("gate", "codewhale", "tool_call_before")
    assert (first["summary"], first["timeout"], first["strict"]) == ("check it", 7, True)
    assert "bash" in first["matcher"]
    assert (first["source"], first["scope"], first["trust"]) == (str(place.config), "user", "trusted")
    assert second["background"] is True
    assert (third["scope"], third["trust"], third["enabled"]) == ("project", "untrusted", True)
    assert document["loaded"] == 3
    (rejected,) = document["rejected"]
    assert rejected["source"] == str(place.config)
    assert rejected["problems"]
    assert document["diagnostics"]


def test_people_see_hooks_by_event_with_trust_timeout_and_its_reason(place):
    place.config.parent.mkdir()
    place.config.write_text(
        '[hooks]\ndefault_timeout_secs = 9\n[[hooks.hooks]]\nevent = "turn_end"\nname = "log"\ncommand = "log it"\n'
        '[[hooks.hooks]]\nevent = "nonsense"\ncommand = "true"\n'
    )
    place.write("workspace/.codewhale/hooks.toml", PROJECT)
    out = place.there("list").out
    assert out.index("session_start\n") < out.index("turn_end\n")
    assert "timeout 9s, from [hooks].default_timeout_secs" in out
    assert "$ log it" in out
    assert "untrusted" in out
    assert out.count("nonsense") == 1
    assert "rejected" in out


def test_people_are_told_that_nothing_is_configured_and_where_it_was_looked_for(place):
    out = place.there("list").out
    assert out.startswith("No hooks are configured")
    assert str(place.config) in out
    assert str(place.workspace / ".codewhale" / "hooks.toml") in out


def test_python_handlers_are_listed_and_not_counted(place):
    place.write(
        "packages/my_handler.py", "from hookfw import hookimpl\n@hookimpl\ndef pre_tool_use(event):\n    return None\n"
    )
    place.write("packages/mine-1.dist-info/METADATA", "Metadata-Version: 2.1\nName: mine\nVersion: 1\n")
    place.write("packages/mine-1.dist-info/entry_points.txt", "[hookfw]\nmine = my_handler\n")
    place.monkeypatch.syspath_prepend(str(place.root / "packages"))
    document = place.there("list", "--json").json
    assert [(hook["name"], hook["dialect"], hook["event"]) for hook in document["hooks"]] == [
        ("mine", "python", "pre_tool_use")
    ]
    assert document["loaded"] == 0
    assert "python:mine" in place.there("list").out


def test_a_dialect_can_be_chosen(place):
    place.hooks('event = "turn_end"\ncommand = "log"')
    assert place.there("list", "--json", "--dialect", "codewhale").json["loaded"] == 1


def test_a_clean_configuration_passes_the_check(place):
    place.hooks('event = "turn_end"\ncommand = "log"')
    result = place.there("check")
    assert (result.status, result.out) == (0, "1 hook loaded, 0 rejected; 0 errors, 0 warnings.\n")
    assert place.there("check", "--json").json == {"ok": True, "findings": []}


def test_a_syntax_error_is_found_with_file_line_and_column(place):
    place.config.parent.mkdir()
    place.config.write_text('[hooks]\n[[hooks.hooks]]\nevent = "turn_end\n')
    for command in ("check", "list", "fire"):
        result = place.there(command, *(["turn_end"] if command == "fire" else []))
        assert result.status == (1 if command == "check" else 0)
        assert str(place.config) in result.out
        assert "line 3" in result.out
        assert "column 18" in result.out
        assert "Traceback" not in result.out + result.err


def test_a_refused_entry_is_found_with_its_line(place):
    place.hooks('event = "turn_end"\ncommand = "log"', 'event = "turn_ent"\ncommand = "log"')
    result = place.there("check")
    assert result.status == 1
    first = result.out.splitlines()[0]
    assert first.startswith(f"{place.config}:")
    assert ": error: " in first
    assert first.count(str(place.config)) == 1
    assert "turn_end" in first
    (finding,) = place.there("check", "--json").json["findings"]
    assert finding["line"] is not None


def test_a_warning_alone_is_no_failure(place):
    place.hooks('event = "shell_env"\ncommand = "true"\nbackground = true')
    result = place.there("check")
    assert result.status == 0
    assert "warning: " in result.out
    assert "0 errors, 1 warning." in result.out


def test_files_that_cannot_be_read_are_found(place):
    place.config.mkdir(parents=True)
    (place.workspace / ".codewhale").mkdir()
    (place.workspace / ".codewhale" / "hooks.toml").symlink_to("nowhere")
    result = place.there("check")
    assert result.status == 1
    assert f"{place.config}: error: " in result.out
    assert "is a directory" in result.out
    assert "a link to a file that does not exist" in result.out


def test_only_findings_about_the_files_that_are_named_are_shown(place):
    place.hooks('event = "turn_ent"\ncommand = "log"')
    project = place.write("workspace/.codewhale/hooks.toml", PROJECT)
    assert place.there("check", project).status == 0
    assert place.there("check", project, place.config).status == 1
    assert "turn_ent" not in place.there("check", project).out


@pytest.mark.parametrize("kind", ["a file", "a folder"])
def test_a_path_that_no_dialect_reads_is_said_so(place, kind):
    path = place.root / "other"
    if kind == "a file":
        path.write_text("")
    else:
        path.mkdir()
    result = place.there("check", path)
    assert result.status == 1
    assert "read by no dialect" in result.out


@pytest.mark.parametrize("name", ["home/.codewhale/config.toml", "nowhere.json"])
def test_a_path_that_is_not_there_is_said_so_whether_it_would_be_read_or_not(place, name):
    result = place.there("check", place.root / name)
    assert result.status == 1
    assert "does not exist" in result.out


def test_a_finding_names_its_line_once(place):
    path = place.write("home/.claude/settings.json", '{"hooks": {\n"PreTool": [], "PreToolUse": 1}}')
    (line, *_) = [line for line in place.there("check").out.splitlines() if "PreTool`" in line]
    assert line.startswith(f"{path}:2: warning: hooks.PreTool: the event")
    assert "line 2" not in line


def test_a_state_is_not_named_again_in_its_reason(place):
    settings = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}}
    place.write("home/.claude/settings.json", json.dumps(settings))
    assert "untrusted (the folder was not accepted)\n" in place.there("list").out
    assert "  untrusted\n  the folder was not accepted\n" in place.there("review").out


def test_where_a_file_is_broken_no_places_are_listed(place):
    place.write("home/.codewhale/config.toml", "[[hooks")
    out = place.there("list").out
    assert out.startswith("No hook was loaded")
    assert "Looked for" not in out
    assert "[broken-file]" in out


def test_only_files_that_may_hold_something_are_places_that_were_looked_for(place):
    lines = place.there("list").out.splitlines()[1:]
    assert lines
    assert all(line.endswith((".json", ".toml")) for line in lines)


def test_the_check_looks_at_project_files_before_anybody_approved_them(place):
    place.write("workspace/.codewhale/hooks.toml", '[[hooks]]\nevent = "turn_ent"\ncommand = "true"\n')
    assert place.there("check").status == 1
