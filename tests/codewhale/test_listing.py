from __future__ import annotations

from hookfw import Document, HookState, Places
from hookfw_codewhale.config import load
from hookfw_codewhale.listing import render_events, render_list
from hookfw_codewhale.native import EVENTS
from hookfw_codewhale.trust import judge

PLACES = Places(home="/home/me", workspace="/srv/project")
PATHS = {"user": "/home/me/.codewhale/config.toml", "project": "/srv/project/.codewhale/hooks.toml"}


def listed(user="", project=None):
    texts = {"user": user} if project is None else {"user": user, "project": project}
    documents = [Document(path=PATHS[scope], scope=scope, data=text.encode()) for scope, text in texts.items()]
    loaded = load(documents, PLACES)
    return render_list(loaded, judge(loaded, documents, PLACES))


def test_the_list_shows_hooks_by_event_with_what_will_happen_to_each():
    text = """
[[hooks.hooks]]
name = "gate"
event = "tool_call_before"
command = "~/gate.sh"
timeout_secs = 5
condition = { type = "all", conditions = [{ type = "tool_name", name = "bash" }, { type = "mode", mode = "plan" }] }

[[hooks.hooks]]
event = "session_start"
command = "echo hi"
background = true
"""
    assert listed(text) == (
        "2 hooks, enabled\n"
        "\n"
        "session_start\n"
        "  (unnamed) [bg, submitted not awaited] (timeout 30s)\n"
        "    $ echo hi\n"
        "\n"
        "tool_call_before\n"
        "  gate (timeout 5s) if all of [tool_name=`bash`, mode=`plan`]\n"
        "    $ ~/gate.sh\n"
    )


def test_hooks_of_one_event_stay_in_configuration_order():
    text = "".join(
        f'[[hooks.hooks]]\nname = "{name}"\nevent = "{event}"\ncommand = "true"\n'
        for name, event in (("z", "turn_end"), ("b", "session_end"), ("a", "turn_end"))
    )
    shown = listed(text)
    assert shown.index("  b ") < shown.index("  z ") < shown.index("  a ")


def test_a_long_timeout_is_shown_in_full():
    shown = listed('[[hooks.hooks]]\nevent = "turn_end"\ncommand = "true"\ntimeout_secs = 1234567\n')
    assert "(timeout 1234567s)" in shown


def test_an_override_in_force_is_named_beside_the_timeout():
    shown = listed('[hooks]\ndefault_timeout_secs = 7\n[[hooks.hooks]]\nevent = "turn_end"\ncommand = "true"\n')
    assert "(timeout 7s, [hooks].default_timeout_secs)" in shown


def test_a_refused_override_is_credited_nowhere_and_stands_under_the_problems():
    shown = listed('[hooks]\ndefault_timeout_secs = 0\n[[hooks.hooks]]\nevent = "turn_end"\ncommand = "true"\n')
    assert "(timeout 30s)\n" in shown
    problems = shown.split("configuration problems\n")[1]
    assert problems.startswith("  rejected: `[hooks].default_timeout_secs` — `default_timeout_secs = 0`")


def test_background_that_is_not_honored_is_no_mark_but_a_warning():
    shown = listed('[[hooks.hooks]]\nname = "creds"\nevent = "shell_env"\ncommand = "x"\nbackground = true\n')
    assert "[bg" not in shown
    assert "  warning: `shell_env` hook `creds` — `background = true` is not honored" in shown


def test_refused_entries_stand_under_the_problems_with_every_reason():
    shown = listed(
        '[[hooks.hooks]]\nevent = "turn_end"\ncommand = ""\ntimeout_secs = 0\n'
        '[[hooks.hooks]]\nevent = "turn_end"\ncommand = "true"\n'
    )
    row = next(line for line in shown.splitlines() if line.startswith("  rejected: `turn_end` hook `(unnamed)` — "))
    assert "`command` is empty" in row
    assert "`timeout_secs = 0`" in row


def test_problems_hold_no_path():
    shown = listed("oops\n", "[[hooks]]\nevent = 1\n")
    assert "configuration problems" in shown
    assert "/home" not in shown
    assert "/work" not in shown


def test_hooks_that_wait_for_consent_say_so():
    shown = listed(project='[[hooks]]\nname = "theirs"\nevent = "turn_end"\ncommand = "true"\n')
    assert "  theirs (timeout 30s) [untrusted: the workspace is not trusted" in shown


def test_the_global_switch_is_told_first():
    shown = listed('[hooks]\nenabled = false\n[[hooks.hooks]]\nevent = "turn_end"\ncommand = "true"\n')
    assert shown.startswith("1 hook, all disabled by [hooks].enabled = false\n")


def test_nothing_configured_and_everything_rejected_are_told_apart():
    assert listed() == "No hooks are configured.\n"
    shown = listed('[[hooks.hooks]]\nevent = "turn_end"\n')
    assert shown.startswith("No hook can run: every configured entry was rejected")
    assert "rejected: `turn_end` hook `(unnamed)`" in shown


def test_a_command_is_a_preview_on_one_line():
    shown = listed(f'[[hooks.hooks]]\nevent = "turn_end"\ncommand = "a\\u001b\\n{"x" * 100}"\n')
    assert f"    $ a  {'x' * 56}…\n" in shown


def test_every_state_that_keeps_a_hook_from_running_is_shown():
    document = Document(path=PATHS["user"], scope="user", data=b'[[hooks.hooks]]\nevent = "turn_end"\ncommand = "x"\n')
    loaded = load([document], PLACES)
    shown = render_list(loaded, {loaded.hooks[0]: HookState("modified", note="it changed")})
    assert "[modified: it changed]" in shown


def test_the_events_are_shown_in_their_order_with_what_they_steer():
    lines = render_events().splitlines()
    assert [line.split()[0] for line in lines] == list(EVENTS)
    assert [line.split()[0] for line in lines if not line.endswith("observer")] == [
        "message_submit",
        "tool_call_before",
        "shell_env",
    ]
