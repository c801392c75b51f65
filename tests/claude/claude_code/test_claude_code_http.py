from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw import HttpRequest, PreToolUse, failed, visible_url
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
        ({"url": "http://"}, "is no address that can be called"),
        ({"url": "http://hooks.example:99999/"}, "is no address that can be called"),
        ({"url": " http://hooks.example/"}, "holds a blank"),
        ({"url": f"ftp://ada:{SECRET}@hooks.example"}, "ftp://hooks.example"),
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


@pytest.mark.parametrize("headers", [{"A": SECRET, "B": 5}, [SECRET], f"Authorization: {SECRET}", [{"A": SECRET}]])
def test_header_values_are_in_no_message_about_headers_of_the_wrong_kind(claude, headers):
    loaded = claude.load_handlers({"type": "http", "url": "https://hooks.example", "headers": headers})
    assert loaded.hooks == ()
    assert "`headers` must be an object of texts" in loaded.diagnostics[0].message
    assert SECRET not in f"{loaded.diagnostics} {loaded.rejected}"


def test_the_header_of_the_wrong_kind_is_named(claude):
    loaded = claude.load_handlers({"type": "http", "url": "https://hooks.example", "headers": {"A": SECRET, "X-B": 5}})
    assert "in which `X-B` is none" in loaded.diagnostics[0].message


def test_secrets_of_an_address_are_neither_in_its_summary_nor_in_a_reason(claude):
    url = f"https://ada:{SECRET}@hooks.example/check?token={SECRET}&to=all"
    hook = claude.hook(type="http", url=url, onFailure="block")
    assert SECRET not in hook.summary
    assert "https://hooks.example/check" in hook.summary
    effect = claude.read(
        CALL, failed("REQUEST_FAILED", "could not be reached"), type="http", url=url, onFailure="block"
    ).effect
    assert effect.decision == "deny"
    assert SECRET not in effect.reason
    sent = claude.dialect.invocation(claude.row(CALL), hook, claude.session())
    assert sent.config.url == url
    assert SECRET not in f"{visible(sent.config)} {sent!r}"


def test_addresses_that_differ_in_a_secret_alone_are_two_handlers(claude):
    urls = [f"https://hooks.example/?token={letter * 8}" for letter in "ab"]
    loaded = claude.load_handlers(*({"type": "http", "url": url} for url in urls))
    assert len({hook.config.identity for hook in loaded.hooks}) == 2


@given(st.text())
def test_any_text_can_be_shown_as_an_address(url):
    assert isinstance(visible_url(url), str)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://hooks.example/a@b?c=d", "https://hooks.example/a@b?c=d"),
        ("https://token@hooks.example/", "https://hooks.example/"),
        ("https://a:b@c@hooks.example", "https://hooks.example"),
        ("https://a:b@hooks.example?x=@y", "https://hooks.example?x=@y"),
    ],
)
def test_an_address_is_shown_without_what_stands_before_its_host(url, shown):
    assert visible_url(url) == shown
