"""Helpers for tests of sessions: scripted hooks that remember what they were asked, and both kinds of session driven alike."""

from __future__ import annotations

import asyncio
import inspect

import hookfw.background
from hookfw import AgentSession, Effect, Host, Supervisor, SyncAgentSession, hookimpl, open_sync
from hookfw.events import KINDS


class Script:
    """Hooks of every event: each is remembered, and answered as scripted (an effect, or one after the other)."""

    def __init__(self, **answers):
        self.events = []
        self.answers = {kind: list(given) if isinstance(given, list) else given for kind, given in answers.items()}
        for kind in KINDS:
            setattr(self, kind, self._handler(kind))

    def _handler(self, kind):
        @hookimpl(specname=kind)
        def handle(event):
            self.events.append(event)
            answer = self.answers.get(kind)
            return answer.pop(0) if isinstance(answer, list) and answer else answer or None

        return handle

    @property
    def kinds(self):
        return [event.kind for event in self.events]

    def only(self, kind):
        """The one event of this kind."""
        (event,) = [event for event in self.events if event.kind == kind]
        return event


class Driven:
    """A session whose steps are plain calls, whichever kind it is; observers are waited for after each."""

    def __init__(self, kind, options, settings):
        self._runner = None
        if kind == "sync":
            self.hooks = open_sync(**options)
            self.session = SyncAgentSession(self.hooks, **settings)
        else:
            self._runner = asyncio.Runner()
            self.hooks = Supervisor.open(**options)
            self.session = AgentSession(self.hooks, **settings)

    def _wait(self, value):
        return self._runner.run(value) if inspect.iscoroutine(value) else value

    def __getattr__(self, name):
        value = getattr(self.session, name)
        if not callable(value):
            return value

        def step(*arguments, **named):
            async def awaited():
                return await value(*arguments, **named)

            result = value(*arguments, **named) if self._runner is None else self._runner.run(awaited())
            self._wait(self.hooks.join_background())
            return result

        return step

    def close(self):
        self._wait(self.hooks.close())
        if self._runner is not None:
            self._runner.close()


def scripted_host(script):
    host = Host()
    host.register(hookfw.background, "background")
    host.register(script, "script")
    return host


def denies(reason="no", **more):
    return Effect(decision="deny", reason=reason, **more)
