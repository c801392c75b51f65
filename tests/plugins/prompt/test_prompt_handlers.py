from __future__ import annotations

import asyncio
import json

import pytest
from driving import Resources as Held
from driving import both_drivers

from hookfw import AgentRequest, ConfigurationError, ModelError
from hookfw.settings import ModelSettings
from hookfw_prompt.handlers import AgentHandler, PromptHandler

KEY = "sk-not-to-be-seen"


class Client:
    def __init__(self, reply="{}"):
        self.reply = reply
        self.asked = []
        self.closed = 0

    async def complete(self, **asked):
        self.asked.append(asked)
        if isinstance(self.reply, BaseException):
            raise self.reply
        return self.reply

    ask = complete

    async def close(self):
        self.closed += 1


def replay(tmp_path, entries):
    path = tmp_path / "replies.json"
    path.write_text(entries if isinstance(entries, str) else json.dumps(entries))
    return {"HOOKFW_MODEL_CLIENT": f"replay:{path}"}


@both_drivers
def test_the_program_s_own_client_is_asked_and_its_reply_is_standard_output(run, resources, ask):
    client = Client('{"ok": true}')
    ended = run(ask(PromptHandler(), resources(model_client=client)))
    assert (ended.state, ended.exit_code, ended.stdout) == ("exited", 0, '{"ok": true}')
    assert client.asked == [{"model": "small", "system": "answer in JSON", "user": "may it run ls?", "timeout": 30.0}]
    assert client.closed == 0


@both_drivers
def test_the_program_s_own_client_counts_before_the_environment(run, resources, ask, tmp_path):
    environ = replay(tmp_path, [{"reply": "from the file"}])
    ended = run(ask(PromptHandler(), resources(model_client=Client("mine"), environ=environ)))
    assert ended.stdout == "mine"


@both_drivers
def test_the_environment_counts_before_the_settings(run, resources, ask, tmp_path):
    environ = replay(tmp_path, [{"reply": "from the file"}])
    ended = run(ask(PromptHandler(), resources(model=ModelSettings(client="other"), environ=environ)))
    assert ended.stdout == "from the file"


@both_drivers
def test_the_settings_name_the_client(run, resources, ask, tmp_path):
    replay(tmp_path, [{"reply": "from the file"}])
    model = ModelSettings(client=f"replay:{tmp_path}/replies.json")
    assert run(ask(PromptHandler(), resources(model=model))).stdout == "from the file"


@both_drivers
def test_without_a_client_the_run_fails_and_says_how_to_get_one(run, resources, ask):
    ended = run(ask(PromptHandler(), resources()))
    assert (ended.state, ended.error_kind) == ("failed", "NO_CLIENT")
    assert "HOOKFW_MODEL_CLIENT" in ended.detail
    assert "replay" in ended.detail


@both_drivers
def test_an_unknown_client_is_named_with_the_one_that_was_probably_meant(run, resources, ask):
    ended = run(ask(PromptHandler(), resources(environ={"HOOKFW_MODEL_CLIENT": "repaly:x.json"})))
    assert (ended.state, ended.error_kind) == ("failed", "NO_CLIENT")
    assert "'repaly'" in ended.detail
    assert "did you mean 'replay'?" in ended.detail


@both_drivers
@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("[", "is no JSON"),
        ("{}", "holds no list"),
        ('["x"]', "entry 0"),
        ('[{"reply": "x"}, {"reply": 5}]', "entry 1"),
        ('[{"contains": "x"}]', "needs either a `reply` or an `error`"),
        ('[{"reply": "x", "error": "y"}]', "needs either a `reply` or an `error`"),
        ('[{"reply": "x", "when": "y"}]', "must be an object of the texts"),
        ("[" * 200_000, "replay file"),
    ],
)
def test_a_broken_replay_file_is_said_with_its_path(run, resources, ask, tmp_path, content, says):
    ended = run(ask(PromptHandler(), resources(environ=replay(tmp_path, content))))
    assert (ended.state, ended.error_kind) == ("failed", "NO_CLIENT")
    assert says in ended.detail
    assert str(tmp_path / "replies.json") in ended.detail


@pytest.mark.parametrize(
    ("spec", "says"), [("replay", "write `replay:FILE`"), ("replay:/no/such/file", "/no/such/file cannot be read")]
)
@both_drivers
def test_a_replay_file_that_is_not_there_is_said(run, resources, ask, spec, says):
    ended = run(ask(PromptHandler(), resources(environ={"HOOKFW_MODEL_CLIENT": spec})))
    assert ended.error_kind == "NO_CLIENT"
    assert says in ended.detail


@both_drivers
def test_the_first_entry_that_fits_answers_and_is_not_used_up(run, resources, ask, tmp_path):
    environ = replay(
        tmp_path, [{"contains": "rm", "reply": "no"}, {"contains": "", "reply": "any"}, {"reply": "never"}]
    )
    held = resources(environ=environ)

    def body(user):
        return ask(PromptHandler(), held, user=user)

    assert [run(body(user)).stdout for user in ("rm it", "ls", "rm it")] == ["no", "any", "no"]


@both_drivers
def test_an_entry_with_an_error_and_no_entry_at_all_fail_the_request(run, resources, ask, tmp_path):
    environ = replay(tmp_path, [{"contains": "rm", "error": "unreachable"}])
    refused = run(ask(PromptHandler(), resources(environ=environ), user="rm it"))
    assert (refused.state, refused.error_kind) == ("failed", "REQUEST_FAILED")
    assert refused.detail.endswith("unreachable")
    unmatched = run(ask(PromptHandler(), resources(environ=environ), user="ls"))
    assert (unmatched.state, unmatched.error_kind) == ("failed", "REQUEST_FAILED")


@both_drivers
@pytest.mark.parametrize("error", [RuntimeError(KEY), SystemExit(KEY), KeyError(KEY)])
def test_what_a_client_raises_is_told_by_its_kind_alone(run, resources, ask, error):
    ended = run(ask(PromptHandler(), resources(model_client=Client(error))))
    assert (ended.state, ended.error_kind) == ("failed", "REQUEST_FAILED")
    assert type(error).__name__ in ended.detail
    assert KEY not in repr(ended)


@both_drivers
def test_a_model_error_is_told_with_its_text(run, resources, ask):
    ended = run(ask(PromptHandler(), resources(model_client=Client(ModelError("the service is down")))))
    assert ended.detail.endswith("the service is down")


@both_drivers
@pytest.mark.parametrize("reply", [None, b"{}", {"ok": True}])
def test_a_reply_that_is_no_text_fails(run, resources, ask, reply):
    ended = run(ask(PromptHandler(), resources(model_client=Client(reply))))
    assert (ended.state, ended.error_kind) == ("failed", "REQUEST_FAILED")


@both_drivers
def test_a_reply_over_the_cap_fails(run, resources, ask):
    ended = run(ask(PromptHandler(), resources(model_client=Client("x" * 10_000_000))))
    assert (ended.state, ended.error_kind) == ("failed", "OVER_CAP")


@both_drivers
def test_half_a_surrogate_pair_in_a_reply_can_be_printed(run, resources, ask, tmp_path):
    environ = replay(tmp_path, '[{"reply": "\\ud800"}]')
    run(ask(PromptHandler(), resources(environ=environ))).stdout.encode()


@both_drivers
def test_a_client_that_hangs_is_ended_by_the_timeout(run, resources, ask):
    cancelled = []

    class Hanging:
        async def complete(self, **asked):
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                cancelled.append(asked)
                raise

    held = Held()
    ended = run(ask(PromptHandler(), resources(model_client=Hanging()), timeout=0.05))
    assert ended.state == "timed_out"
    held.check()
    assert len(cancelled) == 1


@both_drivers
def test_a_client_of_a_plugin_is_made_once_and_closed_with_the_session(run, resources, ask):
    client = Client("reply")
    made = []

    def load(argument, settings, environ):
        made.append((argument, settings.base_url))
        return client

    given = resources(
        environ={"HOOKFW_MODEL_CLIENT": "mine:a:b"}, clients={"mine": load}, model=ModelSettings(base_url="http://x")
    )

    def twice(driver):
        async def first_and_second():
            from hookfw import HandlerCall, Invocation, ModelRequest

            invocation = Invocation(config=ModelRequest("u"))
            call = HandlerCall(driver, "run", {}, lambda: "/nowhere", given)
            await PromptHandler().run(invocation, call)
            assert client.closed == 0
            return await ask(PromptHandler(), given)(driver)

        return first_and_second()

    assert run(twice).stdout == "reply"
    assert made == [("a:b", "http://x")]
    assert client.closed == 1


@both_drivers
def test_settings_for_one_client_are_not_given_to_another_that_the_environment_names(run, resources, ask):
    seen = []

    def load(argument, settings, environ):
        seen.append(settings)
        return Client("reply")

    model = ModelSettings(client="theirs:small", base_url="http://theirs", key_env="THEIR_KEY", model="big")
    given = resources(environ={"HOOKFW_MODEL_CLIENT": "mine"}, clients={"mine": load}, model=model)
    run(ask(PromptHandler(), given))
    assert seen == [ModelSettings(client="mine")]


@both_drivers
@pytest.mark.parametrize(
    ("error", "says"),
    [(ConfigurationError("the key is missing; set it"), "the key is missing; set it"), (KeyError(KEY), "KeyError")],
)
def test_a_client_that_cannot_be_made_is_no_client(run, resources, ask, error, says):
    def load(argument, settings, environ):
        raise error

    ended = run(ask(PromptHandler(), resources(environ={"HOOKFW_MODEL_CLIENT": "mine"}, clients={"mine": load})))
    assert ended.error_kind == "NO_CLIENT"
    assert says in ended.detail
    assert KEY not in repr(ended)


@both_drivers
def test_an_agent_is_asked_with_its_bound_of_turns(run, resources, ask):
    client = Client('{"ok": false}')
    ended = run(ask(AgentHandler(), resources(agent_client=client), config=AgentRequest("look", "system")))
    assert ended.stdout == '{"ok": false}'
    assert client.asked == [{"model": None, "system": "system", "user": "look", "turns": 50, "timeout": 30.0}]


@both_drivers
def test_without_an_agent_client_an_agent_has_no_runner(run, resources, ask):
    ended = run(ask(AgentHandler(), resources(model_client=Client()), config=AgentRequest("look")))
    assert (ended.state, ended.error_kind) == ("failed", "NO_CLIENT")
    assert "no agent runner" in ended.detail


def test_what_is_lacking_is_known_before_anything_is_asked(resources, tmp_path):
    def lacks(kind, **given):
        made = resources(**given)
        return made.host.handler_types[kind].lacks(made)

    assert "no model to ask" in lacks("prompt")
    assert "is no JSON" in lacks("prompt", environ=replay(tmp_path, "["))
    assert lacks("prompt", environ=replay(tmp_path, [])) is None
    assert lacks("prompt", model_client=Client()) is None
    assert "no agent runner" in lacks("agent")
    assert lacks("agent", agent_client=Client()) is None
