"""Tables of what the hooks of every agent can say, and of what becomes of the rest: for the documentation and for tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from hookfw.events import KINDS, event_class
from hookfw.merge import REFUSABLE, refusal_of
from hookfw.modes.forms import CALLS, DEAF, ENDS, PROMPTS
from hookfw.outcome import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hookfw.agent import Agent
    from hookfw.events import Event

CELLS = {
    "refusal": "refused",
    "stop": "turn ends",
    "silence": "no answer",
    "context": "as context",
    "feedback": "told the model",
    "reason": "in the reason",
    "prompt": "in the prompt",
    "message": "as message",
    "part": "in part",
    "nothing": "left out",
}
"""What becomes of something, in a cell."""

SAID = "said"
ABSENT = "-"


class Probe(NamedTuple):
    """
    One thing that an outcome can say.

    Attributes:
        label: what it is, for a table.
        field: the field of the outcome that it is about.
        outcome: an outcome that says it and nothing else.
    """

    label: str
    field: str
    outcome: Outcome


class Row(NamedTuple):
    """One thing that an outcome can say on one event, and what each mode makes of it, in the order of the modes."""

    probe: Probe
    cells: tuple[str, ...]


def sample(kind: str) -> Event:
    """An event of a kind, with the fields that decide what can be said."""
    cls = event_class(kind)
    given: dict[str, Any] = {"tool_name": "Bash", "tool_input": {"command": "ls"}, "prompt": "hello"}
    return cls(**{name: value for name, value in given.items() if name in cls.model_fields})


def probes(kind: str) -> Iterator[Probe]:
    """Everything that an outcome can say on an event of this kind."""
    if kind in ENDS:
        yield Probe("go on, with feedback", "feedback", Outcome(decision="block", refused=True, feedback=("f",)))
        yield Probe("fail, without feedback", "decision", Outcome(decision="block", refused=True, reason="r"))
    elif kind in REFUSABLE:
        word = refusal_of(kind)
        yield Probe(f"`{word}`", "decision", Outcome(decision=word, refused=True, reason="r"))
    if kind in (*CALLS, "pre_model_switch"):
        yield Probe("`ask`", "decision", Outcome(decision="ask", reason="r"))
    if kind in CALLS:
        yield Probe("`allow`", "decision", Outcome(decision="allow"))
        yield Probe("`defer`", "decision", Outcome(decision="defer", refused=True, reason="r"))
        yield Probe("new input", "updated_input", Outcome(updated_input={"command": "x"}))
        allowed = Outcome(decision="allow", updated_input={"command": "x"})
        yield Probe("`allow` with a new input", "updated_input", allowed)
    if kind in PROMPTS:
        yield Probe("new prompt", "prompt", Outcome(prompt="x"))
        yield Probe("prompt kept out of sight", "suppress_prompt", Outcome(suppress_prompt=True))
    yield Probe("the turn ends", "ends_turn", Outcome(decision="stop", ends_turn=True, reason="r", stop_reason="r"))
    yield Probe("context", "context", Outcome(context=("c",)))
    if kind in REFUSABLE and kind not in ENDS:
        refused = Outcome(decision=refusal_of(kind), refused=True, reason="r", context=("c",))
        yield Probe("context beside a refusal", "context", refused)
    if kind not in REFUSABLE:
        yield Probe("feedback", "feedback", Outcome(decision="block", reason="f", feedback=("f",)))
    yield Probe("messages", "messages", Outcome(messages=("m",)))
    yield Probe("terminal sequences", "terminal_sequences", Outcome(terminal_sequences=("\a",)))
    yield Probe("variables", "env", Outcome(env={"A": "1"}))


def cell(agent: Agent, kind: str, probe: Probe) -> str:
    """What a mode makes of one thing on an event of this kind."""
    if agent.forms.get(kind, DEAF) == DEAF:
        return ABSENT
    losses = {loss.field: loss.becomes for loss in agent.can_say(sample(kind), probe.outcome)}
    return CELLS[losses[probe.field]] if probe.field in losses else SAID


def table(agents: Mapping[str, Agent], kind: str) -> Sequence[Row]:
    """The rows of one event, without those that every mode leaves out; none where no mode hears hooks of it."""
    rows = [Row(probe, tuple(cell(agent, kind, probe) for agent in agents.values())) for probe in probes(kind)]
    return [row for row in rows if set(row.cells) - {ABSENT, CELLS["nothing"]}]


def native_row(agents: Mapping[str, Agent], kind: str) -> tuple[str, ...]:
    """The keys of `native` that each mode can say."""
    forms = [agent.forms.get(kind, DEAF) for agent in agents.values()]
    return tuple(", ".join(f"`{key}`" for key in sorted(form.native)) or ABSENT for form in forms)


def markdown(agents: Mapping[str, Agent]) -> str:
    """A table for every event of which hooks are heard by some mode; events of which all is alike have one together."""
    parts: dict[tuple[tuple[str, ...], ...], list[str]] = {}
    for kind in KINDS:
        rows = [(row.probe.label, *row.cells) for row in table(agents, kind)]
        native = native_row(agents, kind)
        if set(native) != {ABSENT}:
            rows.append(("`native`", *native))
        if rows:
            parts.setdefault(tuple(rows), []).append(kind)
    head = [("of an outcome", *agents), ("---",) * (len(agents) + 1)]
    return "\n".join(
        "\n".join([f"### {', '.join(kinds)}", "", *(f"| {' | '.join(line)} |" for line in (*head, *rows)), ""])
        for rows, kinds in parts.items()
    )
