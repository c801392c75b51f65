from __future__ import annotations

import json

import pytest

from hookfw import Document
from hookfw_claude.claude_code.switches import Switches

HOOKS = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}}


def running(claude, *files):
    """The scopes whose hooks are not switched off."""
    loaded = claude.load(*(claude.file(HOOKS | settings, scope) for scope, settings in files))
    return [hook.source.scope for hook in loaded.hooks if hook not in loaded.settings.off]


ALL = ("managed", "user", "project", "local", "cli")


@pytest.mark.parametrize("where", ["user", "project", "local", "cli"])
def test_switching_all_hooks_off_spares_managed_ones(claude, where):
    assert running(claude, *((scope, {"disableAllHooks": True} if scope == where else {}) for scope in ALL)) == [
        "managed"
    ]


def test_managed_settings_switch_managed_hooks_off_too(claude):
    assert running(claude, *((scope, {"disableAllHooks": True} if scope == "managed" else {}) for scope in ALL)) == []


@pytest.mark.parametrize(
    ("weaker", "stronger"),
    [("user", "project"), ("project", "local"), ("local", "cli"), ("cli", "managed"), ("user", "cli")],
)
@pytest.mark.parametrize("off", [True, False])
def test_the_stronger_file_says_whether_hooks_are_off(claude, weaker, stronger, off):
    files = [(weaker, {"disableAllHooks": not off}), (stronger, {"disableAllHooks": off})]
    assert ("user" in running(claude, *files, ("user", {}))) is not off


def test_of_several_managed_files_the_later_one_counts(claude):
    first = claude.file(HOOKS | {"disableAllHooks": True}, "managed")
    later = claude.file({"disableAllHooks": False}, "managed", path="/etc/claude-code/managed-settings.d/1.json")
    assert claude.load(first, later).settings.off == {}


def test_only_managed_hooks_run_where_the_organisation_says_so(claude):
    assert running(claude, *((scope, {"allowManagedHooksOnly": scope == "managed"}) for scope in ALL)) == ["managed"]


@pytest.mark.parametrize("where", ["user", "project", "local", "cli"])
def test_nobody_else_can_say_so(claude, where):
    assert running(claude, (where, {"allowManagedHooksOnly": True})) == [where]


@pytest.mark.parametrize(
    ("enabled", "runs"), [({"gate@market": True}, True), ({"gate@market": False}, False), ({}, False)]
)
def test_a_plugin_that_the_organisation_enables_runs_beside_managed_hooks(claude, enabled, runs):
    managed = claude.file({"allowManagedHooksOnly": True, "enabledPlugins": enabled}, "managed")
    plugin = Document("/opt/gate/hooks/hooks.json", "plugin", "plugin-hooks:/opt/gate", json.dumps(HOOKS).encode())
    loaded = claude.load(managed, plugin)
    assert (loaded.settings.off == {}) is runs


@pytest.mark.parametrize("name", ["disableAllHooks", "allowedHttpHookUrls", "enabledPlugins"])
def test_a_setting_of_the_wrong_type_is_ignored_and_said(claude, name):
    loaded = claude.load_file(HOOKS | {name: "true"})
    assert loaded.settings.off == {}
    assert [item.code for item in loaded.diagnostics] == ["ignored-setting"]


def test_a_switched_off_hook_says_which_file_did_it(claude):
    loaded = claude.load_file(HOOKS | {"disableAllHooks": True})
    (why,) = loaded.settings.off.values()
    assert "disableAllHooks" in why
    assert claude.paths["user"] in why


def http(claude, url, *lists, **fields):
    handler = {"type": "http", "url": url} | fields
    content = {"hooks": {"Stop": [{"hooks": [handler]}]}}
    files = [claude.file({"allowedHttpHookUrls": urls}, scope) for urls, scope in zip(lists, ALL, strict=False)]
    (hook,) = claude.load(*files, claude.file(content)).hooks
    return hook.config


@pytest.mark.parametrize(
    ("url", "lists", "allowed"),
    [
        ("https://a.example/x", [], True),
        ("https://a.example/x", [[]], False),
        ("https://a.example/x", [["https://a.example/*"]], True),
        ("https://A.Example./x", [["https://a.example/*"]], True),
        ("https://a.example/X", [["https://a.example/x"]], False),
        ("https://b.example/x", [["https://a.example/*"]], False),
        ("https://b.example/x", [["https://a.example/*"], ["https://b.example/*"]], True),
        ("https://hooks.a.example/x", [["https://*.a.example/*"]], True),
        ("https://a.example:8443/x", [["https://a.example:8443/*"]], True),
        ("https://a.example@evil.example/x", [["https://a.example*"]], False),
        ("https://a.example\\@evil.example/x", [["https://a.example*"]], False),
        ("https://[bad", [["*"]], False),
    ],
)
def test_addresses_that_http_hooks_may_call(claude, url, lists, allowed):
    assert (http(claude, url, *lists).blocked is None) is allowed


def test_variables_that_http_hooks_may_send_are_limited_by_settings(claude):
    handler = {"type": "http", "url": "https://a", "allowedEnvVars": ["A", "B"]}
    content = {"hooks": {"Stop": [{"hooks": [handler]}]}}
    (free,) = claude.load_file(content).hooks
    (limited,) = claude.load_file(content | {"httpHookAllowedEnvVars": ["B", "C"]}).hooks
    assert free.config.fields["allowedEnvVars"] == ["A", "B"]
    assert limited.config.fields["allowedEnvVars"] == ["B"]


def test_without_settings_nothing_is_limited():
    assert Switches([]).url_problem("https://anything") is None


@pytest.mark.parametrize(
    ("pattern", "url", "allowed"),
    [
        ("https://*.example.com/*", "https://a.b.Example.com./x", True),
        ("https://*.example.com/*", "https://evil.test/a.example.com/b", False),
        ("https://*.example.com/*", "https://evil.test?.example.com/b", False),
        ("https://*.example.com/*", "https://evil.test#.example.com/b", False),
        ("http://localhost:*", "http://localhost:99/x", True),
        ("http://localhost:*", "http://localhost.evil.test:99/x", False),
        ("https://*", "https://a.test/b?c", True),
        ("https://a.test", "https://a.test/b", False),
        ("*", "http://a.test/b", True),
    ],
)
def test_a_star_in_the_host_stays_in_the_host(claude, pattern, url, allowed):
    loaded = claude.load_file(
        {"allowedHttpHookUrls": [pattern], "hooks": {"Stop": [{"hooks": [{"type": "http", "url": url}]}]}}
    )
    assert (loaded.hooks[0].config.blocked is None) is allowed
