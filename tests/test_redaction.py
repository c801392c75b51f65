"""Redaction of reasons: what each form gives away, and that no supported form of a secret survives."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookfw import redact
from hookfw.redaction import SECRET, holds_secret, without_secret_values, without_secrets


@pytest.mark.parametrize(
    ("reason", "shown"),
    [
        ("shell access is closed", "shell access is closed"),
        ("saw Authorization: Bearer abc123 here", "saw [secret] [secret] [secret] here"),
        ("saw authorization=Basic abc123 here", "saw [secret] [secret] here"),
        ("saw authorization=user:abc123 here", "saw [secret] here"),
        ('saw Authorization="Bearer abc123" here', "saw [secret] here"),
        ("denied command reboot password hunter2 now", "denied [command] [command] [secret] [secret] now"),
        ("denied command: reboot now", "denied [command] [command] now"),
        ("refused /srv/x.txt --force token=abc123 please", "refused [path] [argument] [secret] please"),
        ("touch src/main.c C:\\temp ..\\up ok", "touch [path] [path] [path] ok"),
        ("set password = hunter2 done", "set [secret] [secret] done"),
        ("a lone = sign", "a lone sign"),
        ("keys sk-live99 GHP_abc github_pat_xyz end", "keys [secret] [secret] [secret] end"),
        ("this file is locked", "this [path] [path] locked"),
        ("workspace: home cwd=here end", "[path] [path] [path] end"),
        ("X-Api-Key: abc my.token=abc end", "[secret] [secret] [secret] end"),
        ("token='a b c' end", "[secret] end"),
        ("path 'a b c' end", "[path] [path] end"),
        ('path "never closed end', "[path] [path]"),
        ("(plain), [words]; `kept`", "(plain), [words]; `kept`"),
        ("one\n\ttwo", "one two"),
        ("the secret token is wrong", "the [secret] [secret] is wrong"),
        ("and/or", "[path]"),
        ("src/sk-utils.py https://host/?token=abc", "[path] [path]"),
    ],
)
def test_each_form_shows_its_class(reason, shown):
    assert redact(reason) == shown


@pytest.mark.parametrize("reason", ["", "   ", "=", ": ="])
def test_nothing_left_is_the_fixed_sentence(reason):
    assert redact(reason) == "hook denied the action"


@pytest.mark.parametrize(
    ("reason", "shown"),
    [
        ("don't use token=abc here", "don't use [secret] here"),
        ('he said "use password hunter2 now"', 'he said "use [secret] [secret] now"'),
        ("don't use token='abc def' here", "don't use [secret] [secret]"),
        ("don't use password 'abc def' here", "don't use [secret] [secret] [secret]"),
        ("don't  worry\nabout this", "don't  worry\nabout this"),
        ('{"token": "abc"}', "[secret] [secret]"),
        ("mode=x&token=abc", "[secret]"),
        ("key=sk-abc", "[secret]"),
        ('say "run command now --fast" ok', 'say "run command now --fast" ok'),
        ("password => hunter2", "[secret] [secret]"),
        ("DB_PASSWORD=hunter2", "[secret]"),
    ],
)
def test_beyond_the_rule_nothing_slips_through_quotes_lists_and_arrows(reason, shown):
    assert redact(reason) == shown


def test_words_that_only_resemble_a_token_stay():
    assert redact("risk-free desk-top") == "risk-free desk-top"


_secret = st.from_regex(r"[A-Za-z0-9]{8,20}", fullmatch=True).map(lambda word: f"zq{word}")
_word = st.sampled_from(
    ["the", "push", "was", "refused", "don't", "(now)", "main,", "x=1", "=", '"quoted', "a/b", "--go"]
)
_form = st.sampled_from(
    [
        "token={}",
        "password: {}",
        "PASSWD = {}",
        "api-key={}",
        "GITHUB_TOKEN={}",
        "client.secret:{}",
        "X-Api-Key: {}",
        "Authorization: Bearer {}",
        "authorization Basic {}",
        "authorization={}",
        "bearer {}",
        "'secret' {}",
        "token='{} {}'",
        'password "{} more"',
        '{{"token":"{}"}}',
        "(token={}),",
        "sk-{}",
        "ghp_{}",
        "github_pat_{}",
    ]
)


@given(st.lists(_word, max_size=6), _form, _secret, st.lists(_word, max_size=6))
def test_a_planted_secret_never_survives_in_any_supported_form(before, form, secret, after):
    reason = " ".join([*before, form.format(secret, secret), *after])
    assert secret not in redact(reason)


@given(st.text())
def test_any_text_is_accepted_and_never_comes_out_empty(text):
    assert redact(text)


@given(st.text(alphabet="ab'\"= :/-\n", max_size=60))
def test_a_path_is_never_shown(text):
    for field in redact(text).split():
        assert "\\" not in field
        assert field == "[path]" or "/" not in field


@pytest.mark.timeout(30)
def test_a_long_hostile_text_is_no_quadratic_work():
    size = 300_000
    for text in ("a" * size, "'" * size, "a=" * size, '"a ' * size, "a.-" * size):
        assert redact(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("./check.sh  --strict src/main.c", "./check.sh  --strict src/main.c"),
        ("curl -H 'Authorization: Bearer abcdefgh' x", "curl -H [secret] x"),
        ("run --token abcdefgh --path a/b", "run --token [secret] --path a/b"),
        ("API_TOKEN=abcdefgh make", "[secret] make"),
        ("git clone https://me:hunter2@host/x.git", "git clone https://me:[secret]@host/x.git"),
        ("use AKIAABCDEFGHIJKLMNOP now", "use [secret] now"),
        ("file a\ttext", "file a\ttext"),
    ],
)
def test_secrets_alone_are_taken_out_and_all_else_stays_as_it_is(text, shown):
    assert without_secrets(text) == shown


@given(st.text())
def test_taking_secrets_out_keeps_every_text_without_letters_of_a_secret(text):
    assert isinstance(without_secrets(text), str)
    blank = "".join(letter for letter in text if letter.isspace())
    assert without_secrets(blank) == blank


@pytest.mark.parametrize(
    "text",
    ["curl --token abcdefgh", "X_PASSWORD='hunter22' run", "a://b:cccc@d", "Bearer abcdefghi", "sk-" + "a" * 20],
)
def test_what_is_written_out_is_found(text):
    assert holds_secret(text)
    assert without_secrets(text) != text


@pytest.mark.parametrize(
    "text",
    [
        'curl -H "Authorization: Bearer $TOKEN" x',
        "TOKEN=$(pass show x) run",
        "run --token-file ~/.token",
        "MAX_TOKENS=4096 run",
        "run --password=true",
        "https://host:8080/x",
        "",
    ],
)
def test_what_a_variable_stands_for_is_no_secret_written_out(text):
    assert not holds_secret(text)


def test_inside_json_a_secret_is_found_by_its_name_or_its_looks():
    value = {"api_key": "x", "AWS_SECRET_ACCESS_KEY": "y", "text": ["Bearer abcdefghi", 1, None], "token": None}
    assert without_secret_values(value) == {
        "api_key": SECRET,
        "AWS_SECRET_ACCESS_KEY": SECRET,
        "text": ["[secret] [secret]", 1, None],
        "token": None,
    }


def test_a_secret_that_is_itself_a_name_is_hidden():
    secret = "sk-abcdefghijklmnopqrstuvwxyz"
    assert without_secret_values({"a": {secret: 1}}) == {"a": {"[secret]": 1}}
