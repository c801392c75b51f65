"""Converting configurations: every pair, every loss, and there and back."""

from __future__ import annotations

import json
import tomllib
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hookfw import ConversionError, FileView, Host, Places, PreToolUse, open_sync
from hookfw.conversion import Wrapped, convert, unwrapped
from hookfw.patterns import wildcard_fits
from hookfw.portable import Pattern, PortableHook, Selector, ToolNames, joined
from hookfw.testing import load_cases

HOST = Host.load()
NAMES = sorted(HOST.dialects)
PAIRS = list(permutations(NAMES, 2))
CONFIGURATIONS = [
    case for case in load_cases([Path(__file__).parent / "cases"]) if case.path.stem.startswith("config-")
]
NOWHERE = Places(home="/nowhere", workspace="/nowhere/project")


def written(case, root):
    """The places of a case, its files laid out."""
    for folder in ("home", "workspace"):
        (root / folder).mkdir()
    for path, content in case.files.items():
        if isinstance(content, str):
            target = root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            text = content.replace("{WORKSPACE}", str(root / "workspace")).replace("{HOME}", str(root / "home"))
            target.write_text(text)
    return Places(home=str(root / "home"), workspace=str(root / "workspace"))


def reloaded(name, converted, places=NOWHERE):
    """What the other ecosystem makes of a document."""
    dialect = HOST.dialect(name)
    documents = dialect.conversion().documents(converted.document.path, converted.document.data)
    return dialect.load(documents, places, trust_all=True)


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in CONFIGURATIONS])
def test_every_configuration_becomes_one_of_every_other_ecosystem(case, tmp_path):
    places = written(case, tmp_path)
    origin = HOST.dialect(case.dialect)
    documents = origin.discover(places, FileView())
    loaded = origin.load(documents, places, trust_all=True)
    for name in NAMES:
        if name == case.dialect:
            continue
        converted = convert(origin, HOST.dialect(name), documents, places)
        assert converted.read == len(loaded.hooks)
        found = reloaded(name, converted, places)
        assert found.rejected == ()
        assert len(found.hooks) == converted.hooks
        assert [item.message for item in found.diagnostics if item.code in ("broken-file", "unknown-event")] == []
        named = {(loss.place, loss.field) for loss in converted.losses}
        assert {(entry.source.entry, "hook") for entry in loaded.rejected} <= named
        if not loaded.hooks and not loaded.rejected and any(item.severity == "error" for item in loaded.diagnostics):
            assert "file" in {field for _, field in named}
        # Each hook is there, or one with it that differs in its event only, or it is named as left out.
        gone = {loss.place for loss in converted.losses if "so it is left out" in loss.message} - {
            entry.source.entry for entry in loaded.rejected
        }
        different = {(hook.handler, hook.summary, hook.matcher, hook.timeout) for hook in loaded.hooks}
        assert converted.hooks + len(gone) >= len(different)


def from_(name, text, target, path=None):
    origin = HOST.dialect(name)
    data = text.encode() if isinstance(text, str) else json.dumps(text).encode()
    documents = origin.conversion().documents(path or "/nowhere/hooks.json", data)
    return convert(origin, HOST.dialect(target), documents, NOWHERE)


def claude(event="PreToolUse", matcher=None, **handler):
    group = {"hooks": [{"type": "command", "command": "gate", **handler}]}
    if matcher is not None:
        group["matcher"] = matcher
    return {"hooks": {event: [group]}}


def codewhale(condition="", **fields):
    lines = ["[[hooks.hooks]]", 'event = "tool_call_before"', 'command = "gate"']
    lines += [f"{name} = {value}" for name, value in fields.items()]
    return "\n".join([*lines, f"condition = {condition}" if condition else "", ""])


def entry(converted):
    """The one entry of a converted configuration of Codewhale."""
    [only] = tomllib.loads(converted.document.data.decode())["hooks"]["hooks"]
    return only


def group(converted, event="PreToolUse"):
    """The one group of a converted configuration of the Claude-style family."""
    [only] = json.loads(converted.document.data)["hooks"][event]
    return only


def lost(converted):
    return [loss.field for loss in converted.losses]


@pytest.mark.parametrize(
    ("matcher", "condition"),
    [
        ("Bash", {"type": "tool_name", "name": "bash"}),
        ("^Bash$", {"type": "tool_name", "name": "bash"}),
        ("mcp__.*", {"type": "tool_name", "name": "*mcp__*"}),
        ("^mcp__git__", {"type": "tool_name", "name": "mcp__git__*"}),
        (
            "Edit|Write",
            {"type": "any", "conditions": [{"type": "tool_name", "name": name} for name in ("edit", "write")]},
        ),
        (
            "^(Bash|mcp__.*)$",
            {"type": "any", "conditions": [{"type": "tool_name", "name": name} for name in ("bash", "mcp__*")]},
        ),
        (
            "Bas.*",
            {"type": "any", "conditions": [{"type": "tool_name", "name": name} for name in ("bash", "*Bas*")]},
        ),
        ("*", None),
        (None, None),
    ],
)
def test_names_and_simple_patterns_become_conditions_without_loss(matcher, condition):
    converted = from_("claude-code", claude(matcher=matcher), "codewhale")
    assert entry(converted).get("condition") == condition
    assert converted.losses == ()


def test_a_pattern_that_says_more_is_a_loss_and_the_gate_stays_on():
    converted = from_("claude-code", claude(matcher="mcp__[a-z]+__write"), "codewhale")
    assert "condition" not in entry(converted)
    [loss] = converted.losses
    assert loss.field == "matcher"
    assert "mcp__[a-z]+__write" in loss.message


@pytest.mark.parametrize(
    ("condition", "matcher"),
    [
        ('{ type = "tool_name", name = "bash" }', "Bash"),
        ('{ type = "tool_name", name = "exec_shell" }', "Bash"),
        ('{ type = "tool_name", name = "*_shell" }', "^(?:Bash|.*_shell)$"),
        ('{ type = "tool_name", name = "mcp__*" }', "^mcp__.*$"),
        ('{ type = "tool_category", category = "shell" }', "Bash"),
        ('{ type = "tool_category", category = "file_write" }', "Edit|Write|MultiEdit|NotebookEdit"),
        ('{ type = "always" }', None),
        ('{ type = "all", conditions = [{ type = "tool_name", name = "read" }] }', "Read"),
    ],
)
def test_conditions_on_tools_become_matchers_without_loss(condition, matcher):
    converted = from_("codewhale", codewhale(condition), "claude-code")
    assert group(converted).get("matcher") == matcher
    assert converted.losses == ()


def test_what_else_a_condition_asks_is_named_and_its_tools_stay():
    condition = (
        '{ type = "all", conditions = [{ type = "mode", mode = "plan" }, { type = "tool_name", name = "bash" }] }'
    )
    converted = from_("codewhale", codewhale(condition), "codex")
    assert group(converted)["matcher"] == "Bash"
    [loss] = converted.losses
    assert (loss.field, "mode=`plan`" in loss.message) == ("condition", True)


def test_a_condition_that_mixes_all_and_any_is_never_narrower():
    condition = (
        '{ type = "any", conditions = [{ type = "mode", mode = "plan" }, { type = "tool_name", name = "bash" }] }'
    )
    converted = from_("codewhale", codewhale(condition), "codex")
    assert "matcher" not in group(converted)
    assert lost(converted) == ["condition"]


@pytest.mark.parametrize(
    ("matcher", "target", "losses"),
    [
        (r"^mcp__[a-z_]+$", "codex", []),
        (r"\bmcp__\w+", "codex", ["matcher"]),
        (r"mcp__(?!git)", "codex", ["matcher"]),
        (r"mcp__(?!git)", "deepagents", ["matcher"]),
    ],
)
def test_a_pattern_is_kept_where_languages_agree_and_widened_by_name_where_they_may_not(matcher, target, losses):
    converted = from_("claude-code", claude(matcher=matcher), target)
    assert lost(converted) == losses
    assert group(converted).get("matcher") == (None if losses else matcher)


MEANT_OTHERWISE = [
    ("codex", "Ba**sh", "Bash"),
    ("codex", "(?:a|s)++", "Bash"),
    ("codex", r"\<Bash\>", "Bash"),
    ("codex", "[[:alpha:]]+", "Bash"),
    ("codex", r"\p{L}+", "Bash"),
    ("codex", "$*", "Bash"),
    ("codex", "^A[a-z]+t$|spawn_a[a-z]+", "Agent"),
    ("claude-code", "[a&&b]|Bash", "Bash"),
    ("claude-code", "^A[a-z]+t$", "Agent"),
    ("claude-code", "^E[a-z]+t$", "Edit"),
    ("deepagents", "a?+sh", "Bash"),
    ("mind", "(?i)^exec.*", "Bash"),
    ("mind", "(?i)^e", "Edit"),
]
"""Where, and what, a pattern of one language is for, that would be none in another, or not for this."""


@pytest.mark.parametrize("target", ["claude-code", "codex", "deepagents", "mind"])
@pytest.mark.parametrize(("origin", "matcher", "tool"), MEANT_OTHERWISE)
def test_no_gate_is_narrower_for_the_language_of_its_pattern(origin, matcher, tool, target, tmp_path):
    if origin == target:
        return
    text = {"hooks": {"PreToolUse": [{"matcher": matcher, "hooks": [{"type": "command", "command": "gate"}]}]}}
    converted = from_(origin, text, target)
    written = tmp_path / converted.document.path.removeprefix("/nowhere/")
    written.parent.mkdir()
    written.write_bytes(converted.document.data)
    with open_sync(
        workspace=tmp_path, home=tmp_path, dialects=[target], trust="all", environ={"HOME": str(tmp_path)}
    ) as hooks:
        (explained,) = hooks.explain(PreToolUse(tool_name=tool, tool_input={})).dialects
        assert [hook.standing for row in explained.rows for hook in row.hooks] == ["runs"]


def test_a_pattern_for_a_tool_that_is_spelled_otherwise_is_for_that_spelling_too():
    assert group(from_("claude-code", claude(matcher="^A[a-z]+t$"), "codex"))["matcher"] == "^spawn_agent$|^A[a-z]+t$"


def test_a_pattern_that_is_for_more_tools_by_the_names_of_the_other_is_a_loss():
    converted = from_("claude-code", claude(matcher="^E[a-z]+t$"), "codex")
    assert lost(converted) == ["matcher"]
    assert "also runs for Write" in converted.losses[0].message


def test_a_tool_without_a_name_is_none():
    converted = from_("codewhale", codewhale('{ type = "tool_name", name = "" }'), "wuu")
    assert lost(converted) == ["matcher"]
    assert converted.hooks == 0


def test_a_name_with_a_hyphen_is_escaped_where_it_would_be_a_pattern():
    converted = from_("claude-code", claude(matcher="my-tool"), "codex")
    assert group(converted)["matcher"] == "^my-tool$"


def test_a_tool_that_is_two_elsewhere_is_written_as_both():
    text = {"hooks": {"PreToolUse": [{"matcher": "apply_patch", "hooks": [{"type": "command", "command": "gate"}]}]}}
    converted = from_("codex", text, "claude-code")
    assert group(converted)["matcher"] == "Edit|Write"


def test_two_tools_that_are_one_elsewhere_are_a_loss_where_only_one_was_meant():
    converted = from_("claude-code", claude(matcher="Edit"), "codex")
    assert group(converted)["matcher"] == "Edit"
    assert [(loss.field, "Write" in loss.message) for loss in converted.losses] == [("matcher", True)]


def test_a_matcher_that_matches_nothing_is_left_out_by_name():
    converted = from_("claude-code", claude(matcher="(["), "codewhale")
    assert converted.hooks == 0
    assert lost(converted) == ["matcher"]


def test_a_subject_that_the_other_does_not_choose_by_is_a_loss():
    converted = from_("claude-code", claude("SessionStart", "compact"), "codewhale")
    assert "condition" not in entry(converted)
    assert lost(converted) == ["matcher"]
    assert (
        group(from_("claude-code", claude("SessionStart", "compact"), "codex"), "SessionStart")["matcher"] == "compact"
    )


def test_the_time_a_hook_has_stays_whatever_the_defaults_are():
    assert entry(from_("claude-code", claude(), "codewhale"))["timeout_secs"] == 600
    assert group(from_("codewhale", codewhale(), "claude-code"))["hooks"][0]["timeout"] == 30
    assert "timeout" not in group(from_("claude-code", claude(), "codex"))["hooks"][0]
    assert group(from_("claude-code", claude(timeout=2.5), "deepagents"))["hooks"][0]["timeout"] == 2.5


def test_a_fraction_of_a_second_is_rounded_up_and_named():
    converted = from_("claude-code", claude(timeout=2.5), "codewhale")
    assert entry(converted)["timeout_secs"] == 3
    assert lost(converted) == ["timeout"]


def test_a_time_beyond_what_an_event_allows_is_cut_and_named():
    converted = from_("claude-code", claude("SessionEnd", timeout=50), "codex")
    assert group(converted, "SessionEnd")["hooks"][0]["timeout"] == 3
    assert lost(converted) == ["timeout"]


def test_an_event_the_other_has_not_is_named_and_left_out():
    converted = from_("claude-code", claude("Setup"), "codex")
    assert (converted.hooks, lost(converted)) == (0, ["event"])


def test_one_event_for_good_and_bad_results_becomes_both_and_comes_back_as_one():
    there = from_("codewhale", '[[hooks.hooks]]\nevent = "tool_call_after"\ncommand = "log"\n', "claude-code")
    assert sorted(json.loads(there.document.data)["hooks"]) == ["PostToolUse", "PostToolUseFailure"]
    back = from_("claude-code", there.document.data.decode(), "codewhale")
    assert entry(back) == {"event": "tool_call_after", "command": "log"}
    assert (*there.losses, *back.losses) == ()


def test_a_handler_the_other_has_not_is_named_and_left_out():
    text = {"hooks": {"Stop": [{"hooks": [{"type": "prompt", "prompt": "done?"}]}]}}
    converted = from_("claude-code", text, "codex")
    assert (converted.hooks, lost(converted)) == (0, ["handler"])


def test_an_mcp_tool_goes_to_those_who_have_it_and_its_answers_are_named():
    handler = {"type": "mcp_tool", "server": "s", "tool": "t", "input": {"a": "${cwd}"}}
    converted = from_("claude-code", {"hooks": {"PreToolUse": [{"hooks": [handler]}]}}, "mind")
    assert group(converted)["hooks"] == [handler]
    assert lost(converted) == ["protocol"]


@pytest.mark.parametrize("target", [name for name in NAMES if name not in ("claude-code", "wuu")])
def test_features_are_carried_over_or_named(target):
    converted = from_("claude-code", claude(statusMessage="looking", **{"if": "Bash(git *)", "async": True}), target)
    said = converted.document.data.decode()
    named = lost(converted)
    assert ("looking" in said) != ("status_message" in named)
    assert ('"async": true' in said) != ("background" in named)
    assert "if" in named


def test_what_refuses_when_it_fails_says_so_in_every_form_that_can():
    assert entry(from_("claude-code", claude(onFailure="block"), "codewhale"))["continue_on_error"] is False
    there = from_("codewhale", codewhale(continue_on_error="false"), "claude-code")
    assert group(there)["hooks"][0]["onFailure"] == "block"
    assert "--strict" in group(there)["hooks"][0]["command"]
    codex = from_("codewhale", codewhale(continue_on_error="false"), "codex")
    assert "--strict" in group(codex)["hooks"][0]["command"]
    assert lost(codex) == ["strict"]
    assert "hookfw itself" in codex.losses[0].message


def test_what_was_switched_off_is_named():
    converted = from_("claude-code", {"disableAllHooks": True, **claude()}, "codex")
    assert lost(converted) == ["switch"]


def test_an_entry_that_does_not_load_is_named_with_its_problem():
    text = {"hooks": {"Stop": [{"hooks": [{"type": "command"}, {"type": "command", "command": "log"}]}]}}
    converted = from_("claude-code", text, "codex")
    assert converted.hooks == 1
    [loss] = converted.losses
    assert (loss.place, loss.field) == ("hooks.Stop[0].hooks[0]", "hook")
    assert "`command` is missing" in loss.message


def test_arguments_become_a_line_that_the_shell_reads_as_they_were():
    converted = from_(
        "claude-code", claude(command="/bin/say it", args=["a b", "${CLAUDE_PROJECT_DIR}/x$y", "'"]), "codewhale"
    )
    line = unwrapped(entry(converted)["command"]).command
    assert line == """'/bin/say it' 'a b' "${CLAUDE_PROJECT_DIR}/x\\$y" ''"'"''"""
    there = from_(
        "deepagents",
        {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x", "argv": ["a", "b c"]}]}]}},
        "mind",
    )
    assert unwrapped(group(there, "Stop")["hooks"][0]["command"]).command == "a 'b c'"


def test_a_command_is_wrapped_with_the_event_the_time_and_what_it_is_for():
    converted = from_("codewhale", '[[hooks.hooks]]\nevent = "on_error"\ncommand = "log \'it\'"\n', "claude-code")
    line = json.loads(converted.document.data)["hooks"]["PostToolUseFailure"][0]["hooks"][0]["command"]
    assert line == (
        "hookfw adapt --from codewhale --to claude-code --event PostToolUseFailure --as on_error --timeout 30 "
        """-- 'log '"'"'it'"'"''"""
    )


def test_a_wrapped_command_is_wrapped_once_however_far_it_goes():
    there = from_("claude-code", claude(), "codex")
    further = from_("codex", there.document.data.decode(), "codewhale")
    wrapped = unwrapped(entry(further)["command"])
    assert (wrapped.origin, wrapped.target, wrapped.command) == ("claude-code", "codewhale", "gate")
    back = from_("codewhale", further.document.data.decode(), "claude-code")
    assert group(back)["hooks"] == [{"type": "command", "command": "gate"}]


def test_nothing_is_converted_into_itself():
    with pytest.raises(ConversionError, match="nothing to convert"):
        from_("codex", {}, "codex")


def test_tool_names_stand_for_themselves_outside_the_pairs():
    names = ToolNames([("sh", "Bash"), ("shell", "Bash")])
    assert names.canonical(["sh", "x"]) == ("Bash", "x")
    assert names.native(["Bash", "x"], lambda name: name.startswith("B")) == ("sh", "x")
    assert names.canonical([], lambda name: name.startswith("s")) == ("Bash",)
    assert names.further(["Bash"]) == ()


@given(st.text(max_size=30).filter(lambda text: "\0" not in text), st.floats(0.001, 1e6), st.booleans())
def test_what_was_wrapped_is_unwrapped(command, timeout, strict):
    wrapped = Wrapped("a", "b", command, event="E", timeout=round(timeout, 3), strict=strict)
    assert unwrapped(wrapped.line()) == wrapped


@pytest.mark.parametrize(
    "line",
    [
        "make",
        "hookfw adapt",
        "hookfw adapt --from a",
        "hookfw adapt --what x -- y",
        "hookfw adapt -- a b",
        "hookfw adapt -- a",
        "hookfw adapt --from a -- b",
        "hookfw adapt --from a --to b -- c&&d",
        'hookfw adapt --from a --to b -- "$c"',
        "hookfw adapt --from a --to b --timeout nan -- c",
        "hookfw adapt '",
    ],
)
def test_any_other_line_is_no_wrapped_one(line):
    assert unwrapped(line) is None


TOOLS = ["Bash", "Read", "Agent", "mcp__git__push", "mcp__my-server__x.y", "Grep"]
SELECTORS = st.one_of(
    st.just(Selector()),
    st.builds(
        lambda names, wildcards: Selector("tool_name", tuple(names), tuple(wildcards)),
        st.lists(st.sampled_from([*TOOLS, "Edit"]), min_size=1, max_size=3, unique=True),
        st.lists(st.sampled_from(["mcp__*", "*write*", "B*"]), max_size=2, unique=True),
    ),
    st.just(Selector("tool_name", patterns=(Pattern("x[0-9]+y", "Python"),))),
)
HOOKS = st.builds(
    PortableHook,
    place=st.just("x"),
    event=st.sampled_from(["pre_tool_use", "post_tool_use", "session_start", "user_prompt_submit"]),
    kinds=st.just(()),
    command=st.text(min_size=1, max_size=20).filter(lambda text: "\0" not in text and text.strip() == text != ""),
    selector=SELECTORS,
    timeout=st.one_of(st.integers(1, 3000).map(float), st.sampled_from([0.5, 30.0, 600.0])),
    background=st.booleans(),
    strict=st.booleans(),
    status_message=st.one_of(st.none(), st.sampled_from(["looking", "Prüfe…"])),
)


def neutral(name, document):
    """The hooks of a document in the neutral form, without what depends on where they stand."""
    dialect = HOST.dialect(name)
    conversion = dialect.conversion()
    loaded = dialect.load(conversion.documents(document.path, document.data), NOWHERE, trust_all=True)
    assert loaded.rejected == ()
    return [comparable(conversion.neutral(hook)) for hook in loaded.hooks]


def comparable(hook):
    wildcards = set(hook.selector.wildcards)
    names = {name for name in hook.selector.names if not any(wildcard_fits(each, name) for each in wildcards)}
    if {"Edit", "Write"} <= names:
        names.discard("apply_patch")
    return {
        "event": hook.event,
        "matcher": (hook.selector.subject, names, wildcards, {pattern.text for pattern in hook.selector.patterns}),
        "command": hook.command,
        "timeout": hook.timeout,
        "background": hook.background,
        "strict": hook.strict,
        "status_message": hook.status_message,
    }


@pytest.mark.parametrize(("one", "other"), PAIRS)
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(hook=HOOKS)
def test_there_and_back_changes_nothing_but_what_was_named(one, other, hook):
    origin, target = HOST.dialect(one), HOST.dialect(other)
    native = next((spec.name for spec in origin.events if spec.canonical == hook.event), None)
    assert native is not None
    selector = hook.selector if hook.event.endswith("tool_use") else Selector()
    made = origin.conversion().dump([replaced(hook, event=native, selector=selector)], NOWHERE).document
    before = neutral(one, made)
    there = convert(origin, target, origin.conversion().documents(made.path, made.data), NOWHERE)
    back = convert(target, origin, target.conversion().documents(there.document.path, there.document.data), NOWHERE)
    named = set(lost(there)) | set(lost(back))
    after = neutral(one, back.document)
    before, after = together(before), together(after)
    assert {field for field, value in before.items() if value != after[field]} <= named


def together(hooks):
    """Hooks that differ in their tools only, as one: where a matcher is one name, a hook for several tools is several."""
    first = hooks[0]
    assert all({**hook, "matcher": None} == {**first, "matcher": None} for hook in hooks)
    matchers = [hook["matcher"] for hook in hooks]
    return {
        **first,
        "matcher": (matchers[0][0], *(set().union(*parts) for parts in list(zip(*matchers, strict=True))[1:])),
    }


def replaced(hook, **changes):
    from dataclasses import replace

    return replace(hook, **changes)


def test_a_hook_for_several_tools_is_an_entry_for_each_where_a_matcher_is_one_name():
    converted = from_("claude-code", claude(matcher="Bash|Edit"), "wuu")
    entries = json.loads(converted.document.data)["hooks"]["PreToolUse"]
    assert [item["matcher"] for item in entries] == ["bash", "edit_file"]
    assert (converted.read, converted.hooks, converted.losses) == (1, 2, ())


def test_a_name_in_any_letter_case_is_the_tool_that_it_means():
    entries = {"hooks": {"PreToolUse": [{"matcher": "BASH", "command": "gate"}]}}
    assert group(from_("wuu", entries, "claude-code"))["matcher"] == "Bash"


def test_a_pattern_where_there_are_only_names_is_a_loss_and_the_gate_stays_on():
    converted = from_("claude-code", claude(matcher="mcp__.*"), "wuu")
    assert "matcher" not in json.loads(converted.document.data)["hooks"]["PreToolUse"][0]
    assert lost(converted) == ["matcher"]


def test_an_observer_stays_as_it_is_within_a_family():
    converted = from_("claude-code", claude("SessionEnd", timeout=2), "codex")
    assert group(converted, "SessionEnd")["hooks"] == [{"type": "command", "command": "gate", "timeout": 2}]
    assert unwrapped(group(from_("claude-code", claude(), "codex"))["hooks"][0]["command"]) is not None
    wuu = json.loads(from_("claude-code", claude("SessionEnd", timeout=2), "wuu").document.data)
    assert unwrapped(wuu["hooks"]["SessionEnd"][0]["command"]) is not None


def test_a_question_keeps_the_place_of_its_event():
    text = {"hooks": {"PreToolUse": [{"hooks": [{"type": "prompt", "prompt": "ok?", "model": "small"}]}]}}
    converted = from_("claude-code", text, "wuu")
    assert json.loads(converted.document.data)["hooks"]["PreToolUse"] == [
        {"type": "prompt", "prompt": "ok?\n\n$ARGUMENTS", "model": "small"}
    ]
    assert lost(converted) == ["protocol"]
    bare = {"hooks": {"PreToolUse": [{"type": "prompt", "prompt": "ok?"}]}}
    assert sorted(lost(from_("wuu", bare, "claude-code"))) == ["prompt", "protocol"]


def test_a_handler_that_does_not_run_on_an_event_is_left_out_by_name():
    handler = {"type": "mcp_tool", "server": "s", "tool": "t"}
    converted = from_("claude-code", {"hooks": {"SessionEnd": [{"hooks": [handler]}]}}, "codex")
    assert converted.hooks == 0
    assert "handler" in lost(converted)
    prompt = from_("wuu", {"hooks": {"SessionStart": [{"type": "prompt", "prompt": "ok? $ARGUMENTS"}]}}, "claude-code")
    assert prompt.hooks == 0
    assert "do not run on SessionStart" in " ".join(loss.message for loss in prompt.losses)


def test_a_call_is_told_the_time_that_its_event_gives_and_no_more():
    text = "[[hooks.hooks]]\nevent = 'session_end'\ncommand = 'bye'\ntimeout_secs = 300\n"
    for target in ("claude-code", "codex", "mind"):
        converted = from_("codewhale", text, target)
        handler = group(converted, "SessionEnd")["hooks"][0]
        assert unwrapped(handler["command"]).timeout == handler["timeout"] < 300
        assert lost(converted) == ["timeout"]


@pytest.mark.parametrize("name", NAMES)
def test_an_event_that_nobody_knows_is_a_loss(name):
    entry = {"type": "command", "command": "x"}
    text: object = {"hooks": {"Unheard": [entry if name == "wuu" else {"hooks": [entry]}]}}
    if name == "codewhale":
        text = "[[hooks.hooks]]\nevent = 'unheard'\ncommand = 'x'\n"
    converted = from_(name, text, "wuu" if name != "wuu" else "mind")
    assert len(converted.losses) == 1
    assert "nheard" in f"{converted.losses[0]}"


def test_an_event_that_its_own_ecosystem_does_not_know_is_named():
    converted = from_("wuu", {"hooks": {"PreToolCall": [{"command": "gate"}]}}, "claude-code")
    assert (converted.hooks, lost(converted)) == (0, ["event"])


def test_every_loss_has_words_of_its_own():
    from hookfw.portable import LOST, Lost, Taking

    hook = PortableHook(place="here", event="E", kinds=(), fields=dict.fromkeys(LOST, "x") | {"other": "x"})
    losses = Taking(hook, "Other").losses
    assert {loss.field for loss in losses} == {*LOST, "other"}
    assert all(isinstance(loss, Lost) and "{" not in loss.message for loss in losses)


def test_a_command_that_no_configuration_can_hold_is_left_out_by_name():
    handlers = [{"type": "command", "command": command} for command in ("a\0b", "")]
    for event in ("Stop", "SessionEnd"):
        converted = from_("deepagents", {"hooks": {event: [{"hooks": handlers}]}}, "codex")
        assert lost(converted).count("command") == 2
        assert reloaded("codex", converted).rejected == ()


def test_hooks_that_differ_are_not_compared_one_by_one(monkeypatch):
    compared = []
    monkeypatch.setattr("hookfw.portable._alike", lambda *pair: compared.append(pair))
    hooks = [PortableHook(place=f"{at}", event="e", kinds=(f"{at % 2}",), command=f"gate{at}") for at in range(50)]
    assert joined(hooks) == hooks
    assert compared == []
