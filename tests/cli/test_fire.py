"""`hookfw fire`: the document, the exit status, what is waited for, and how it reads."""

from __future__ import annotations

import json

import pytest

KEYS = [
    "event", "dialects", "refused", "ends_turn", "decision", "decided_by", "reason", "stop_reason", "updated_input", "prompt",
    "asks", "suppress_prompt", "context", "feedback", "messages", "terminal_sequences", "env", "runs", "skipped", "loaded", "rejected",
    "diagnostics",
]  # fmt: skip
RUN_KEYS = ["name", "dialect", "handler", "status", "exit_code", "signal", "duration_ms", "source", "event", "error"]


def gate(decision, **more):
    fields = "".join(f', "{key}": "{value}"' for key, value in more.items())
    return (
        f"""event = "tool_call_before"\nname = "gate"\ncommand = '''echo '{{"decision": "{decision}"{fields}}}' '''"""
    )


def test_the_document_has_every_key(place):
    place.hooks(gate("deny", reason="not here"), 'event = "nonsense"\ncommand = "true"')
    result = place.there("fire", "pre_tool_use", "--json")
    assert result.status == 0
    document = result.json
    assert set(KEYS) <= document.keys()
    assert document["event"] == "pre_tool_use"
    assert document["dialects"] == ["codewhale"]
    assert (document["decision"], document["refused"], document["reason"]) == ("deny", True, "not here")
    assert (document["loaded"], document["rejected"]) == (1, 1)
    (run,) = document["runs"]
    assert set(RUN_KEYS) <= run.keys()
    assert {"stdout_cut", "stderr_cut", "pipes_held"} <= run.keys()
    assert (run["name"], run["status"], run["exit_code"]) == ("gate", "completed", 0)
    assert run["source"] == str(place.config)
    assert {"code", "severity", "message", "file", "entry"} <= document["diagnostics"][0].keys()


@pytest.mark.parametrize(("decision", "status"), [("deny", 2), ("ask", 3), ("allow", 0)])
def test_the_exit_status_tells_the_decision_only_when_asked(place, decision, status):
    place.hooks(gate(decision))
    assert place.there("fire", "pre_tool_use").status == 0
    assert place.there("fire", "pre_tool_use", "--exit-code").status == status


def test_a_blocked_prompt_is_2_with_exit_code(place):
    place.hooks('event = "message_submit"\ncommand = "exit 2"')
    result = place.there("fire", "user_prompt_submit", "--exit-code", "--json")
    assert (result.status, result.json["decision"]) == (2, "block")


def test_workspace_and_cwd_are_filled_in_and_the_session_is_not(place):
    place.hooks('event = "turn_end"\ncommand = "cat > $HOME/turn.json; env > $HOME/turn.env"')
    place.there("fire", "turn_end")
    assert f'"workspace":"{place.workspace}"' in (place.home / "turn.json").read_text()
    assert '"session_id":null' in (place.home / "turn.json").read_text()
    assert f"DEEPSEEK_WORKSPACE={place.workspace}\n" in (place.home / "turn.env").read_text()


def test_the_current_directory_is_the_workspace_by_default(place):
    place.hooks('event = "session_start"\ncommand = "pwd > $HOME/pwd"')
    place.monkeypatch.chdir(place.workspace)
    place.run("fire", "session_start")
    assert (place.home / "pwd").read_text() == f"{place.workspace}\n"


def test_background_hooks_are_waited_for_and_what_they_report_is_shown(place):
    place.hooks(
        'event = "session_start"\ncommand = "sleep 0.3; echo > $HOME/done"\nbackground = true',
        'event = "session_start"\ncommand = "exit 9"\nbackground = true',
    )
    document = place.there("fire", "session_start", "--json").json
    assert (place.home / "done").exists()
    assert [run["status"] for run in document["runs"]] == ["submitted", "submitted"]
    assert document["diagnostics"]


def test_trust_all_says_so_and_holds_for_this_firing_only(place):
    place.write("workspace/.codewhale/hooks.toml", '[[hooks]]\nevent = "session_start"\ncommand = "true"\n')
    stored = place.there("fire", "session_start", "--json").json
    assert (stored["runs"], len(stored["skipped"])) == ([], 1)
    trusted = place.there("fire", "session_start", "--json", "--trust", "all").json
    assert len(trusted["runs"]) == 1
    assert [item["code"] for item in trusted["diagnostics"]].count("trust-all") == 1
    assert place.there("fire", "session_start", "--json").json["runs"] == []


def test_diagnostics_come_in_the_order_of_loading_firing_background(place):
    place.hooks(
        'event = "nonsense"\ncommand = "true"',
        'event = "session_start"\ncommand = "exit 9"\nname = "fore"',
        'event = "session_start"\ncommand = "exit 9"\nname = "back"\nbackground = true',
    )
    document = place.there("fire", "session_start", "--json", "--input", "-", stdin={"zzz": 1}).json
    order = [item["hook"] or item["code"] for item in document["diagnostics"]]
    assert order.index("unknown-field") > 0
    assert order.index("unknown-field") < order.index("fore") < order.index("back")


def test_people_see_decision_who_why_and_each_run_with_its_time(place):
    place.hooks(gate("deny", reason="not here"), 'event = "tool_call_before"\nname = "other"\ncommand = "true"')
    out = place.there("fire", "pre_tool_use").out
    assert out.startswith("pre_tool_use: deny by codewhale:gate, refused\n")
    assert "reason         not here" in out
    assert "codewhale:gate" in out
    assert "completed" in out
    assert " ms" in out
    assert "codewhale:other" in out


def test_people_see_what_was_skipped_and_why(place):
    place.write("workspace/.codewhale/hooks.toml", '[[hooks]]\nevent = "session_start"\nname = "p"\ncommand = "true"\n')
    out = place.there("fire", "session_start").out
    assert "skipped codewhale:p: " in out
    assert "[untrusted-hooks]" in out


def test_people_see_rewrites_context_and_variables(place):
    place.hooks(
        """event = "message_submit"\ncommand = '''echo '{"text": "new\\\\nlines"}' '''""",
        """event = "tool_call_before"\ncommand = '''echo '{"updatedInput": {"a": 1}, "additionalContext": "note"}' '''""",
        'event = "shell_env"\ncommand = "echo A=1"',
    )
    assert "new prompt     new\n" in place.there("fire", "message_submit", "--input", "-", stdin={"prompt": "x"}).out
    out = place.there("fire", "pre_tool_use", "--input", "-", stdin={"tool_name": "Bash", "tool_input": {"b": 2}}).out
    assert 'new input      {"a": 1}' in out
    assert "context        note" in out
    assert "variable       A=1" in place.there("fire", "shell_env").out


def test_people_are_told_when_nothing_ran(place):
    assert "no dialect has a configuration here" in place.there("fire", "stop").out
    place.hooks('event = "session_start"\ncommand = "true"')
    assert "no hook of codewhale applies" in place.there("fire", "stop").out


def test_no_control_character_of_a_field_reaches_the_terminal(place):
    out = place.there("fire", "stop", "--input", "-", stdin={"x\x1b[2J\u202e": 1}).out
    assert "\x1b" not in out
    assert "\u202e" not in out


def test_runs_of_one_name_are_told_apart_by_their_file(place):
    paths = []
    for where in ("home", "workspace"):
        settings = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": f": {where}"}]}]}}
        paths.append(place.write(f"{where}/.claude/settings.json", json.dumps(settings)))
    place.hooks('event = "turn_end"\nname = "log"\ncommand = "true"')
    out = place.there("fire", "stop", "--trust", "all").out
    assert all(f"of {path}\n" in out for path in paths)
    assert f"of {place.config}" not in place.there("fire", "turn_end").out


def test_where_nothing_ran_it_is_said_what_says_why(place):
    place.hooks('event = "turn_end"\nname = "log"\ncommand = "true"')
    assert "`hookfw explain session_start` says why" in place.there("fire", "session_start").out
