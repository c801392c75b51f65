"""Two tiny dialects of opposite nature, for tests of the host: one concurrent, one chaining."""

from __future__ import annotations

import dataclasses
import json

from hookfw import (
    Delivery,
    Dialect,
    DialectInfo,
    Edit,
    Effect,
    Hook,
    HookState,
    Invocation,
    Kill,
    Loaded,
    NativeEvent,
    Queue,
    Reading,
    Rejected,
    Review,
    Row,
    Source,
    Step,
    Verdict,
)

TIMEOUT = 10.0


class _Twin(Dialect):
    """Configuration: `~/.NAME.json`, a list of `{event, command, tool?, background?, timeout?, name?}`."""

    heard = False
    kinds = ("pre_tool_use", "post_tool_use", "user_prompt_submit", "session_start")

    def discover(self, places, files):
        user = files.document(f"{places.home}/.{self.name}.json", "user")
        project = files.document(f"{places.workspace}/.{self.name}.json", "project")
        store = files.document(f"{places.home}/.{self.name}-trust.json", "user", "trust")
        return [document for document in (user, project, store) if document]

    def load(self, documents, places, *, trust_all):
        hooks, rejected = [], []
        for document in documents:
            if document.role != "hooks":
                continue
            for at, entry in enumerate(json.loads(document.data)):
                source = Source(document.path, document.scope, f"[{at}]")
                if not entry.get("command"):
                    rejected.append(Rejected(f"{at}", self.name, entry.get("event"), source, ("no command",)))
                    continue
                tool = entry.get("tool")
                hooks.append(
                    Hook(
                        name=entry.get("name", f"{entry['event']}:{at}"),
                        dialect=self.name,
                        event=entry["event"],
                        handler=entry.get("type", "command"),
                        summary=entry["command"],
                        source=source,
                        timeout=entry.get("timeout", TIMEOUT),
                        keys=frozenset([tool]) if tool and not tool.endswith("*") else None,
                        predicate=_prefix(tool[:-1]) if tool and tool.endswith("*") else None,
                        background=entry.get("background", False),
                        strict=entry.get("strict", False),
                        command=entry["command"],
                        config=entry["command"],
                    )
                )
        return Loaded(hooks=tuple(hooks), rejected=tuple(rejected))

    def judge(self, loaded, documents, places):
        store = next((d for d in documents if d.role == "trust"), None)
        approved = json.loads(store.data) if store else {}
        return {
            hook: HookState("trusted" if hook.source.scope == "user" or approved.get("all") else "untrusted")
            for hook in loaded.hooks
        }

    def reviews(self, loaded, documents, places):
        hooks = tuple(hook for hook in loaded.hooks if hook.source.scope == "project")
        if not hooks:
            return ()
        state = self.judge(loaded, documents, places)[hooks[0]]
        return [Review(dialect=self.name, key="all", path=hooks[0].source.path, digest="d1", state=state, hooks=hooks)]

    def approve(self, review, places):
        return [Edit(f"{places.home}/.{self.name}-trust.json", ("all",), True)]

    def revoke(self, review, places):
        return [Edit(f"{places.home}/.{self.name}-trust.json", ("all",), None)]

    def begin(self, event, session, loaded):
        if event.kind not in self.kinds:
            return ()
        tool = getattr(event, "tool_name", None)
        return [
            Row(
                native_event=event.kind,
                event=event,
                subjects=(tool,) if tool else (),
                facts=tool,
                payload=lambda: json.dumps(dict(event.given)).encode(),
                environment=lambda: {"TWIN": self.name},
                schedule=self.schedule,
                chain=self.chain.get(event.kind),
            )
        ]

    def invocation(self, row, hook, session):
        return Invocation(
            argv=("sh", "-c", hook.config),
            stdin=row.stdin,
            env=row.env,
            cwd=session.workspace,
            timeout=hook.timeout,
            discard_output=hook.background and not self.heard,
            kill=Kill(after_exit=True),
            detach_on=(lambda line: line == "detach") if self.heard else None,
            read_back={"NOTES": "notes.txt"} if self.heard else {},
        )

    def late(self, row, hook, ended):
        if not self.heard:
            return None
        return Delivery(context=(ended.stdout.removeprefix("detach\n").strip(),), messages=(hook.name,))

    def interpret(self, row, hook, ended):
        if ended.stdout.startswith("detach\n") or (self.heard and hook.background):
            return Reading()
        if ended.files.get("NOTES"):
            return Reading(effect=Effect(env={"NOTES": ended.files["NOTES"]}))
        if ended.state != "exited" or ended.exit_code not in (0, 2):
            status = "timed_out" if ended.state == "timed_out" else "failed"
            return Reading(status=status, error=ended.error_kind or f"exit {ended.exit_code}")
        if ended.exit_code == 2:
            return Reading(effect=Effect(decision="deny", reason=ended.stderr.strip()), ends_row=self.chain != {})
        said = json.loads(ended.stdout) if ended.stdout.strip() else {}
        return Reading(effect=Effect(**{k: tuple(v) if isinstance(v, list) else v for k, v in said.items()}))


class Chaining(_Twin):
    """One hook after another; each sees what the one before it made; the first denial ends the row."""

    name = "chaining"
    schedule = "sequential"
    chain = {"user_prompt_submit": "prompt", "pre_tool_use": "tool_input"}  # noqa: RUF012
    events = tuple(NativeEvent(name=kind, canonical=kind) for kind in _Twin.kinds)

    def reduce(self, event, done, session):
        last = {}
        for item in done:
            for field in ("updated_input", "prompt"):
                if getattr(item.effect, field) is not None:
                    last[field] = getattr(item.effect, field)
        denied = next((item for item in done if item.effect.decision == "deny"), None)
        return Verdict(
            dialect=self.name,
            decision="deny" if denied else "none",
            reason=denied.effect.reason if denied else None,
            decided_by=denied.hook.name if denied else None,
            refused=denied is not None,
            context=tuple(text for item in done for text in item.effect.context),
            **last,
        )


class Concurrent(_Twin):
    """All hooks at once; the last to finish sets the input, the first configured gives the reason."""

    name = "concurrent"
    schedule = "concurrent"
    chain = {}  # noqa: RUF012
    events = tuple(NativeEvent(name=kind, canonical=kind) for kind in _Twin.kinds)

    def plan(self, row, hooks):
        return [
            Step(hook, "skip", "duplicate")
            if any(other.config == hook.config for other in hooks[:at])
            else Step(hook, "background" if hook.background else "foreground")
            for at, hook in enumerate(hooks)
        ]

    def reduce(self, event, done, session):
        by_end = sorted(done, key=lambda item: item.finished)
        inputs = [item.effect.updated_input for item in by_end if item.effect.updated_input is not None]
        denied = next((item for item in done if item.effect.decision == "deny"), None)
        return Verdict(
            dialect=self.name,
            decision="deny" if denied else "none",
            reason=denied.effect.reason if denied else None,
            decided_by=denied.hook.name if denied else None,
            refused=denied is not None,
            updated_input=inputs[-1] if inputs else None,
            context=tuple(text for item in by_end for text in item.effect.context),
        )


def _prefix(text):
    def judge(facts):
        return None if facts is not None and facts.startswith(text) else f"{facts!r} does not start with {text!r}"

    return judge


class Heard(Concurrent):
    """As the concurrent one; background runs are heard later, one at a time, and a first line `detach` detaches."""

    name = "heard"
    heard = True
    background = Queue(places=None, workers=1)

    def reduce(self, event, done, session):
        verdict = super().reduce(event, done, session)
        return dataclasses.replace(verdict, env={k: v for item in done for k, v in item.effect.env.items()})


class TwinsPlugin:
    """Registers both."""

    def __init__(self):
        from hookfw import hookimpl

        @hookimpl
        def register_dialects():
            return [
                DialectInfo(name="chaining", title="Chaining", follows="1 (made for tests)", load=Chaining),
                DialectInfo(name="concurrent", title="Concurrent", follows="1 (made for tests)", load=Concurrent),
                DialectInfo(name="heard", title="Heard", follows="1 (made for tests)", load=Heard),
            ]

        self.register_dialects = register_dialects
