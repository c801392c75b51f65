from __future__ import annotations

import asyncio
import json
import logging

import pytest
from driving import Resources as Held
from driving import both_drivers
from services import TEN_MEGABYTES, closed_port, dying, hanging, saying, serving, speaking_otherwise

import hookfw_http
import hookfw_prompt
from hookfw import ConfigurationError, Ended, HandlerCall, Host, Invocation, ModelRequest, Resources
from hookfw.settings import ModelSettings, Settings
from hookfw_prompt.handlers import PromptHandler

KEY = "sk-not-to-be-seen"
REPLY = '{"ok": false, "reason": "no"}'
ANSWERS = {
    "openai": {"choices": [{"message": {"role": "assistant", "content": REPLY}}]},
    "anthropic": {"content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": REPLY}]},
}
PATHS = {"openai": "/v1/chat/completions", "anthropic": "/v1/messages"}
both_services = pytest.mark.parametrize("name", ["openai", "anthropic"])


def base_of(name, url):
    return f"{url}/v1" if name == "openai" else url


def variables(name, url, key=KEY):
    prefix = name.upper()
    return {"HOOKFW_MODEL_CLIENT": name, f"{prefix}_BASE_URL": base_of(name, url), f"{prefix}_API_KEY": key}


def shared(environ, model=None):
    host = Host()
    host.register(hookfw_prompt, "prompt")
    host.register(hookfw_http, "http")
    return Resources(host=host, settings=Settings(model=model or ModelSettings()), environ=environ)


def asking(environ, *, model=None, request=None, timeout=30.0):
    """A body for a driver: one prompt."""

    async def body(driver):
        resources = shared(environ, model)
        invocation = Invocation(timeout=timeout, config=request or ModelRequest("may it?", "answer in JSON", "small"))
        try:
            return await PromptHandler().run(invocation, HandlerCall(driver, "run", {}, lambda: "/no", resources))
        except TimeoutError:
            return Ended(state="timed_out")  # as the host takes it
        finally:
            await resources.close(driver)

    return body


@both_drivers
def test_an_openai_compatible_service_is_asked_for_json(run):
    with serving(saying(ANSWERS["openai"])) as service:
        ended = run(asking(variables("openai", service.url)))
    assert (ended.state, ended.exit_code, ended.stdout) == ("exited", 0, REPLY)
    (request,) = service.requests
    assert request.path == "/v1/chat/completions"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.json == {
        "model": "small",
        "messages": [{"role": "system", "content": "answer in JSON"}, {"role": "user", "content": "may it?"}],
        "response_format": {"type": "json_object"},
    }


@both_drivers
def test_an_anthropic_compatible_service_is_asked_for_a_message(run):
    with serving(saying(ANSWERS["anthropic"])) as service:
        ended = run(asking(variables("anthropic", service.url)))
    assert (ended.state, ended.exit_code, ended.stdout) == ("exited", 0, REPLY)
    (request,) = service.requests
    assert request.path == "/v1/messages"
    assert request.headers["x-api-key"] == KEY
    assert request.headers["anthropic-version"] == "2023-06-01"
    assert request.json == {
        "model": "small",
        "max_tokens": 1024,
        "messages": [{"role": "user", "content": "may it?"}],
        "system": "answer in JSON",
    }


@both_services
@pytest.mark.parametrize(
    "answer",
    [
        dying,
        speaking_otherwise,
        saying(b"rubbish"),
        saying(b"[" * 200_000),
        saying(b"\xff\xfe"),
        saying({}),
        saying([]),
        saying({"choices": [], "content": 5}),
        saying({"choices": [{"message": {"content": None}}], "content": [{"type": "text"}]}),
        saying(b" " * TEN_MEGABYTES),
        saying({"error": f"your key {KEY} is wrong"}, 401),
        saying({}, 302, Location="http://127.0.0.1:1/"),
        saying({}, 500),
    ],
)
@both_drivers
def test_a_service_without_a_reply_fails_the_request(run, name, answer):
    with serving(answer) as service:
        ended = run(asking(variables(name, service.url)))
    assert (ended.state, ended.error_kind) == ("failed", "REQUEST_FAILED")
    assert KEY not in repr(ended)
    assert len(service.requests) == 1


@both_services
@both_drivers
def test_a_service_that_is_not_there_fails_the_request(run, name):
    ended = run(asking(variables(name, f"http://127.0.0.1:{closed_port()}")))
    assert (ended.state, ended.error_kind) == ("failed", "REQUEST_FAILED")
    assert "could not reach 127.0.0.1" in ended.detail


@both_services
@pytest.mark.parametrize("begins", [False, True])
@both_drivers
def test_a_service_that_hangs_is_left_at_the_timeout(run, name, begins):
    with hanging(begins=begins) as service:
        held = Held()
        ended = run(asking(variables(name, service.url), timeout=0.2))
        held.check()
    assert ended.state == "timed_out"


@both_services
def test_a_client_bounds_its_own_requests_too(name):
    resources = shared({})
    with hanging(begins=True) as service:
        client = resources.host.model_clients[name].load("m", ModelSettings(), variables(name, service.url))
        with pytest.raises(TimeoutError):
            asyncio.run(client.complete(model=None, system="", user="u", timeout=0.1))


@both_services
@both_drivers
def test_the_key_is_shown_nowhere(run, name, caplog):
    caplog.set_level(logging.DEBUG)
    echoing = json.loads(json.dumps(ANSWERS[name]).replace("no", KEY))
    with serving(saying(echoing)) as service:
        environ = variables(name, service.url)
        ended = run(asking(environ))
        client = shared({}).host.model_clients[name].load("", ModelSettings(), environ)
    assert KEY not in repr(ended)
    assert KEY not in caplog.text
    assert KEY not in repr(client) + repr(client._service) + repr(vars(client))


def made(name, environ=None, argument="", **settings):
    return shared({}).host.model_clients[name].load(argument, ModelSettings(**settings), environ or {})


@both_services
@pytest.mark.parametrize(
    ("environ", "settings", "says"),
    [
        ({}, {}, "{PREFIX}_API_KEY"),
        ({}, {"key_env": "MINE", "base_url": "http://127.0.0.1"}, "MINE"),
        ({"{PREFIX}_API_KEY": "x"}, {"base_url": "host/v1"}, "`model.base_url`"),
        ({"{PREFIX}_API_KEY": "x", "{PREFIX}_BASE_URL": "ftp://host"}, {}, "{PREFIX}_BASE_URL"),
        ({"{PREFIX}_API_KEY": f"{KEY}\n{KEY}"}, {}, "{PREFIX}_API_KEY"),
        ({"{PREFIX}_API_KEY": f"{KEY}\u2603"}, {}, "{PREFIX}_API_KEY"),
    ],
)
def test_what_is_missing_or_wrong_is_said_with_its_name_and_without_the_key(name, environ, settings, says):
    filled = {key.format(PREFIX=name.upper()): value for key, value in environ.items()}
    with pytest.raises(ConfigurationError) as raised:
        made(name, filled, **settings)
    assert says.format(PREFIX=name.upper()) in str(raised.value)
    assert KEY not in str(raised.value)


@both_services
@both_drivers
def test_a_service_of_one_s_own_needs_no_key(run, name):
    with serving(saying(ANSWERS[name])) as service:
        model = ModelSettings(client=name, base_url=base_of(name, service.url) + "/", model="mine")
        ended = run(asking({}, model=model, request=ModelRequest("u")))
    assert ended.stdout == REPLY
    (request,) = service.requests
    assert request.path == PATHS[name]
    assert not {"authorization", "x-api-key"} & request.headers.keys()
    assert request.json["model"] == "mine"


@both_services
@both_drivers
def test_settings_count_before_the_environment(run, name):
    with serving(saying(ANSWERS[name])) as service, serving(saying({})) as other:
        environ = variables(name, other.url) | {"MY_KEY": "mine"}
        model = ModelSettings(client=name, base_url=base_of(name, service.url), key_env="MY_KEY")
        run(asking(environ, model=model))
    assert other.requests == []
    sent = service.requests[0].headers
    assert sent.get("x-api-key") == "mine" or sent.get("authorization") == "Bearer mine"


@both_services
@pytest.mark.parametrize(
    ("argument", "setting", "asked", "expected"),
    [("arg", "set", "own", "own"), ("arg", "set", None, "arg"), ("", "set", None, "set")],
)
@both_drivers
def test_the_hook_s_own_model_counts_first(run, name, argument, setting, asked, expected):
    with serving(saying(ANSWERS[name])) as service:
        environ = variables(name, service.url) | {"HOOKFW_MODEL_CLIENT": f"{name}:{argument}".rstrip(":")}
        run(asking(environ, model=ModelSettings(model=setting), request=ModelRequest("u", model=asked)))
    assert service.requests[0].json["model"] == expected


@both_drivers
def test_without_any_model_openai_says_where_to_name_one_and_anthropic_has_one(run):
    with serving(saying(ANSWERS["anthropic"])) as service:
        ended = run(asking(variables("openai", service.url), request=ModelRequest("u")))
        assert (ended.state, ended.error_kind) == ("failed", "REQUEST_FAILED")
        assert "model.model" in ended.detail
        assert service.requests == []
        run(asking(variables("anthropic", service.url), request=ModelRequest("u")))
    assert service.requests[0].json["model"].startswith("claude-haiku")


@both_services
def test_without_the_package_it_is_said_how_to_install_it(name, monkeypatch):
    import hookfw_http.services

    monkeypatch.setattr(hookfw_http.services, "find_spec", lambda module: None)
    with pytest.raises(ConfigurationError, match=r"pip install 'hookfw\[http\]'"):
        made(name, variables(name, "http://127.0.0.1:1"))
