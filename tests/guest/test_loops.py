from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest
from guest.conftest import CALLS

import hookfw
from hookfw.guests.entries import WITHHELD, guest_call, withheld

EVERY = ["claude-code", "codex", "mind", "deepagents", "codewhale", "wuu"]
WUU = {"hook_event_name": "PreToolUse", "session_id": "", "tool_name": "bash", "tool_input": {"command": "echo hi"}}


def test_guests_of_all_agents_side_by_side_start_each_other_never_and_every_hook_once(site):
    site.claude(PreToolUse="echo claude >> $HOME/ran")
    site.codewhale('event = "tool_call_before"\ncommand = "echo codewhale >> $HOME/ran"')
    for agent in EVERY:
        assert site.command("guest", "install", agent).status == 0
    for agent in EVERY:
        own = agent.partition("-")[0]
        call = {**WUU, "cwd": str(site.workspace)} if agent == "wuu" else None
        assert site.guest(agent, call).nothing
        assert (site.home / "ran").read_text().split() == [name for name in ("claude", "codewhale") if name != own]
        (site.home / "ran").unlink()


def test_an_entry_of_a_guest_is_listed_and_skipped_with_its_reason(site, monkeypatch):
    site.codewhale('event = "tool_call_before"\ncommand = "/opt/bin/hookfw guest codewhale tool_call_before"')
    options = {"workspace": site.workspace, "home": site.home, "withheld": withheld}
    with hookfw.open_sync(**options, without=("codex",)) as hooks:
        outcome = hooks.fire(hookfw.PreToolUse(tool_name="Bash", tool_input={}))
        assert [hook.command for hook in hooks.snapshot.hooks] == ["/opt/bin/hookfw guest codewhale tool_call_before"]
    assert outcome.runs == ()
    assert [skipped.reason for skipped in outcome.skipped] == [WITHHELD]


def test_a_guests_entry_that_nobody_approved_is_no_reason_to_complain(site):
    hook = {"type": "command", "command": "hookfw guest codex PreToolUse"}
    site.write("home/.codex/hooks.json", {"hooks": {"PreToolUse": [{"hooks": [hook]}]}})
    with hookfw.open_sync(workspace=site.workspace, home=site.home, withheld=withheld) as hooks:
        outcome = hooks.fire(hookfw.PreToolUse(tool_name="Bash", tool_input={}))
    assert (outcome.diagnostics, len(outcome.skipped)) == ((), 1)


@pytest.mark.parametrize(
    "line",
    [
        "hookfw guest codex PreToolUse",
        "/home/a/.local/bin/hookfw guest codex PreToolUse",
        "'/home/a b/bin/hookfw' guest codex PreToolUse",
        "cd / && hookfw guest codex PreToolUse",
        'sh -c "hookfw guest codex PreToolUse"',
        "python3 -m hookfw guest codex PreToolUse",
    ],
)
def test_a_guest_is_known_however_its_line_is_written(line):
    assert guest_call(line) == ("codex", "PreToolUse")
    assert withheld(SimpleNamespace(command=line)) == WITHHELD


@pytest.mark.parametrize(
    "line",
    [
        None,
        "",
        "hookfw fire",
        "hookfw guest install codex",
        "myhookfw guest codex",
        "echo guest",
        "hookfw-guest codex x",
    ],
)
def test_other_lines_run_no_guest(line):
    assert guest_call(line) is None


def test_a_hook_that_starts_an_agent_whose_guest_starts_it_again_ends(site):
    site.write("home/call.json", {**CALLS["codex"], "cwd": str(site.workspace)})
    script = site.write(
        "home/agent.sh", f"echo again >> $HOME/ran\n{sys.executable} -m hookfw guest codex < $HOME/call.json\n"
    )
    site.codewhale(f'event = "tool_call_before"\ncommand = "sh {script}"')
    site.guest("codex")
    assert (site.home / "ran").read_text().split() == ["again"] * 4
