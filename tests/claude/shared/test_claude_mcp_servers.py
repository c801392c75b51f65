from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw import ServerSpec
from hookfw_claude.mcp_servers import UNKNOWN, read_tables, request

ENVIRON = {"TOKEN": "t0ken", "EMPTY": "", "GIVEN": "g"}


def read(*tables):
    """The servers of these tables, each of the person's unless a scope stands before it."""
    pairs = [table if isinstance(table, tuple) else ("user", table) for table in tables]
    return read_tables(pairs, workspace="/srv/project", environ=ENVIRON)


def one(**entry):
    return read({"gate": entry})["gate"]


def test_a_command_is_started_in_the_project():
    entry = {"command": "serve", "args": ["-x"], "env": {"B": "2", "A": "1"}, "env_vars": ["GIVEN", {"name": "ABSENT"}]}
    assert one(**entry).spec == ServerSpec(
        command="serve", args=("-x",), env=(("A", "1"), ("B", "2"), ("GIVEN", "g")), cwd="/srv/project/"
    )
    assert one(command="serve", cwd="sub").spec.cwd == "/srv/project/sub"
    assert one(command="serve", cwd="/else").spec.cwd == "/else"


def test_an_address_has_headers_and_a_token_from_the_environment():
    entry = {
        "url": "https://mcp.example",
        "http_headers": {"X-A": "a"},
        "headers": {"X-B": "b"},
        "env_http_headers": {"X-C": "GIVEN", "X-D": "ABSENT"},
        "bearer_token_env_var": "TOKEN",
    }
    expected = (("Authorization", "Bearer t0ken"), ("X-A", "a"), ("X-B", "b"), ("X-C", "g"))
    assert one(**entry).spec == ServerSpec(url="https://mcp.example", headers=expected)


@pytest.mark.parametrize(
    ("fields", "seconds"), [({}, 30), ({"startup_timeout_sec": 2.5}, 2.5), ({"startup_timeout_ms": 1500}, 1.5)]
)
def test_the_time_to_connect_has_two_spellings(fields, seconds):
    assert one(command="x", **fields).spec.startup_timeout == seconds


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ({}, "neither"),
        ({"command": "x", "url": "http://x"}, "both"),
        ({"command": 5}, "`command`"),
        ({"command": "x", "args": "y"}, "`args`"),
        ({"command": "x", "args": [1]}, "`args`"),
        ({"command": "x", "env": {"A": 1}}, "`env`"),
        ({"command": "x", "env_vars": "A"}, "`env_vars`"),
        ({"command": "x", "env_vars": [1]}, "`env_vars`"),
        ({"url": "ftp://x"}, "`http`"),
        ({"url": "http://x", "http_headers": 1}, "`http_headers`"),
        ({"url": "http://x", "bearer_token_env_var": "EMPTY"}, "not set"),
        ({"command": "x", "startup_timeout_sec": True}, "`startup_timeout_sec`"),
        ({"command": "x", "startup_timeout_ms": -1}, "`startup_timeout_ms`"),
        ({"command": "x", "enabled": False}, "switched off"),
    ],
)
def test_an_entry_that_cannot_be_used_says_why(entry, words):
    found = one(**entry)
    assert found.spec is None
    assert words in found.problem
    asked = request("gate", "t", {}, found)
    assert asked.problem.startswith("could not be called: the MCP server 'gate' ")


def test_a_later_layer_of_the_person_adds_to_the_fields_of_an_earlier_one():
    base = {"gate": {"command": "x", "env": {"A": "1"}}}
    over = {"gate": {"env": {"B": "2"}}}
    assert read(base, ("cli", over))["gate"].spec.env == (("A", "1"), ("B", "2"))
    assert "switched off" in read(base, ("cli", {"gate": {"enabled": False}}))["gate"].problem


def test_a_project_adds_servers_and_never_changes_what_a_name_of_the_persons_stands_for():
    mine = {"gate": {"command": "mine"}}
    theirs = ("project", {"gate": {"command": "theirs"}, "more": {"command": "more"}})
    for order in ((mine, theirs), (theirs, mine)):
        found = read(*order)
        assert found["gate"].spec.command == "mine"
        assert found["more"].spec.command == "more"


def test_a_table_that_is_none_names_no_server():
    assert read(None, 5, []) == {}
    assert "is no table" in read({"gate": 5})["gate"].problem


def test_a_server_that_nobody_configures_is_left_to_the_embedding_program():
    asked = request("gate", "t", {"a": 1}, UNKNOWN)
    assert (asked.spec, asked.problem, asked.arguments) == (None, "", {"a": 1})


VALUES = st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.lists(st.text(max_size=3), max_size=2)
NAMES = st.sampled_from(
    [
        "command",
        "args",
        "env",
        "env_vars",
        "cwd",
        "url",
        "headers",
        "bearer_token_env_var",
        "startup_timeout_sec",
        "enabled",
    ]
)


@given(entry=st.dictionaries(NAMES, VALUES | st.dictionaries(st.text(max_size=3), VALUES, max_size=2), max_size=5))
def test_whatever_an_entry_holds_it_is_reached_or_says_why_not(entry):
    found = one(**entry)
    assert (found.spec is None) == bool(found.problem)
    hash(found.spec)
