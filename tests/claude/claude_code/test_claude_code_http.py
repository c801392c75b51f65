from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw import HttpRequest, PreToolUse, failed
from hookfw.requests import visible
from hookfw_claude.claude_code.handlers import Handler
from hookfw_claude.claude_code.sending import request

CALL = PreToolUse(tool_name="Bash", tool_input={"command": "ls"})
SECRET = "not-to-be-seen"


def headers_of(headers, allowed=None, environ=None):
    fields = {"url": "https://hooks.example", "headers": headers}
    fields |= {} if allowed is None else {"allowedEnvVars": allowed}
    return request(Handler("http", fields), environ or {"TOKEN": SECRET, "OTHER": "other", "EMPTY": ""}).headers


@pytest.mark.parametrize(
    ("value", "allowed", "sent"),
    [
        ("Bearer $TOKEN", ["TOKEN"], f"Bearer {SECRET}"),
        ("Bearer ${TOKEN}", ["TOKEN"], f"Bearer {SECRET}"),
        ("$TOKEN/$OTHER", ["TOKEN", "OTHER"], f"{SECRET}/other"),
        ("[$TOKEN]", None, "[]"),
        ("[$TOKEN]", [], "[]"),
        ("[$TOKEN]", ["$TOKEN"], "[]"),
        ("[${TOKEN}]", ["OTHER"], "[]"),
        ("[$TOKENS]", ["TOKEN"], "[]"),
        ("[$MISSING]", ["MISSING"], "[]"),
        ("$ $5 ${} ${a-b} $$", ["TOKEN"], "$ $5 ${} ${a-b} $$"),
    ],
)
def test_only_listed_variables_are_filled_in(value, allowed, sent):
    assert headers_of({"X": value}, allowed) == {"X": sent}


@given(st.text(), st.text(alphabet="$TOKEN{}ab"))
def test_what_is_filled_in_is_not_looked_at_again(value, around):
    filled = headers_of(
        {"X": f"{around}${{SECRET}}{around}"}, ["SECRET"], {"SECRET": f"{value}${{OTHER}}", "OTHER": "o"}
    )
    assert "${OTHER}" in filled["X"]


def test_names_of_headers_and_the_address_are_not_filled_in(claude):
    hook = claude.hook(
        type="http", url="https://hooks.example/$TOKEN", headers={"$TOKEN": "x"}, allowedEnvVars=["TOKEN"]
    )
    sent = claude.dialect.invocation(claude.row(CALL), hook, claude.session(environ={"TOKEN": SECRET}))
    assert sent.config == HttpRequest("https://hooks.example/$TOKEN", {"$TOKEN": "x"})
    assert sent.stdin == claude.row(CALL).stdin
    assert sent.timeout == 600


def test_header_values_are_in_no_representation(claude):
    hook = claude.hook(type="http", url="https://hooks.example", headers={"A": "$T"}, allowedEnvVars=["T"])
    sent = claude.dialect.invocation(claude.row(CALL), hook, claude.session(environ={"T": SECRET}))
    assert sent.config.headers == {"A": SECRET}
    assert SECRET not in f"{sent!r} {sent.config} {visible(sent.config)}"
    assert "'A'" in repr(sent)


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"headers": {"A": "$T"}}, "`allowedEnvVars` does not list"),
        ({"headers": {"A": "$T"}, "allowedEnvVars": ["$T", "T"]}, "write `T`"),
        ({"headers": {"A": "$T"}, "allowedEnvVars": ["${T}", "T"]}, "write `T`"),
        ({"headers": {"A": "$U"}, "allowedEnvVars": ["U"]}, "which is not set"),
        ({"url": "ftp://hooks.example"}, "neither `http://` nor `https://`"),
    ],
)
def test_what_will_not_be_sent_is_said_at_load(claude, fields, says):
    handler = {"type": "http", "url": "https://hooks.example"} | fields
    loaded = claude.load_file({"hooks": {"PreToolUse": [{"hooks": [handler]}]}}, environ={"T": SECRET})
    (said,) = loaded.diagnostics
    assert says in said.message
    assert SECRET not in said.message


def test_settings_withhold_variables_and_that_is_said(claude):
    handler = {
        "type": "http",
        "url": "https://hooks.example",
        "headers": {"A": "$T-$U"},
        "allowedEnvVars": ["T", "U"],
    }
    content = {"hooks": {"PreToolUse": [{"hooks": [handler]}]}, "httpHookAllowedEnvVars": ["U"]}
    environ = {"T": SECRET, "U": "u"}
    loaded = claude.load_file(content, environ=environ)
    (said,) = loaded.diagnostics
    assert "`T`, which `httpHookAllowedEnvVars` does not list" in said.message
    sent = claude.dialect.invocation(claude.row(CALL), loaded.hooks[0], claude.session(environ=environ))
    assert sent.config.headers == {"A": "-u"}


@pytest.mark.parametrize(("on_failure", "decision"), [("continue", "none"), ("block", "deny")])
@pytest.mark.parametrize(
    "ended",
    [
        failed("HTTP_STATUS", "got the status 403 from hooks.example", status=403),
        failed("REQUEST_FAILED", "could not reach hooks.example"),
        failed("OVER_CAP", "got more than 1,048,576 bytes"),
    ],
)
def test_without_an_answer_it_has_no_say_unless_on_failure_says_block(claude, ended, on_failure, decision):
    http = {"type": "http", "url": "https://hooks.example", "onFailure": on_failure}
    reading = claude.read(CALL, ended, **http)
    assert (reading.status, reading.effect.decision) == ("failed", decision)
    assert len(reading.diagnostics) == 1


@pytest.mark.parametrize(
    ("body", "status"), [("", "completed"), ("{}", "completed"), ("fine", "failed"), ("[1]", "failed")]
)
def test_an_answer_is_one_object_or_nothing(claude, body, status):
    reading = claude.read(CALL, claude.exited(body), type="http", url="https://hooks.example")
    assert reading.status == status


def test_the_object_is_read_like_a_command_s(claude):
    ended = claude.said("PreToolUse", permissionDecision="deny", permissionDecisionReason="no")
    reading = claude.read(CALL, ended, type="http", url="https://hooks.example")
    assert (reading.effect.decision, reading.effect.reason) == ("deny", "no")
