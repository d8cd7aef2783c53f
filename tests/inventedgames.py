"""Games that no rulebook knows, for whatever must not depend on a name: a small one, and random ones."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

from fsm.model import Event, Fact, Layer, Model, State, Term, Transition

PHASES = ("Dawn", "Morning council", "Market of the seven towns", "War", "Dusk")
STEPS = ("Go", "Muster the guard", "Trade", "Battle of wits and swords", "Rest")
ACTIONS = ("Pay upkeep", "Count the votes in the hall", "Roll")
EVENTS = (
    Event("done", "", True),
    Event("closed", "", True),
    Event("retreat", "a bell rings"),
    Event("storm", "the sky falls"),
)
FACTS = tuple(
    Fact(f"fact_{i}_{word}", f"what {i} is about")
    for i, word in enumerate(["is", "was", "will", "holds", "is", "was", "will", "holds"])
)
LAYERS: tuple[Layer, ...] = ("core", "skip", "extra")


class Builder:
    """States and transitions on their way to become a model; a transition that is there already is left out."""

    def __init__(self) -> None:
        self.states: list[State] = []
        self.rows: dict[str, Transition] = {}

    def state(self, id: str, kind: Any, label: str = "", **more: Any) -> None:
        self.states.append(State(id, kind, label=label, **more))

    def row(self, source: str, target: str | None, event: str = "done", **more: Any) -> None:
        made = Transition(source, target, event, **more)
        self.rows.setdefault(made.id, made)

    def model(self, name: str = "towns", initial: str = "hub") -> Model:
        """The model; guarded rows stand above unguarded ones."""
        rows = sorted(self.rows.values(), key=lambda t: not t.guard)
        title = "The Seven Towns"
        return Model(name, initial, tuple(self.states), tuple(rows), EVENTS, FACTS, title=title, edition="2nd edition")


def holds(*facts: int) -> tuple[Term, ...]:
    """A guard: these facts hold; the negative ones do not."""
    return tuple(Term(FACTS[abs(i)].name, i >= 0) for i in facts)


def framed(builder: Builder, plan: Iterable[tuple[str, Iterable[str]]]) -> list[tuple[str, list[str]]]:
    """The frame of a turn for phases and their steps: before, begin, end, after; no stages yet."""
    phases = [(phase, list(steps)) for phase, steps in plan]
    b = builder
    b.state("turn", "turn", "Round")
    b.state("hub", "choice", "Next round", role="hub")
    b.state("opening", "stage", parent="turn", role="begin")
    b.state("closing", "stage", parent="turn", role="end")
    b.state("more", "choice", "Extra", parent="turn", role="hub", doc="newest first")
    b.row("hub", "opening")
    b.row("opening", f"{phases[0][0]}_before")
    b.row("closing", "hub")
    for (phase, steps), (following, _) in zip(phases, [*phases[1:], ("", [])], strict=True):
        b.state(f"{phase}_before", "choice", role="before", parent=phase)
        b.state(f"{phase}_after", "choice", role="after", parent=phase)
        b.row(f"{phase}_before", f"{phase}_after", guard=holds(0), layer="skip", generic=True, rule="9.9")
        b.row(f"{phase}_before", f"{steps[0]}_before" if steps else f"{phase}_after", rule="1.1")
        b.row(f"{phase}_after", f"{following}_before" if following else "closing")
        b.row("more", f"{phase}_before", guard=holds(3) if following else (), layer="extra", generic=True)
        for step, then in zip(steps, [*steps[1:], ""], strict=False):
            b.state(f"{step}_before", "choice", role="before", parent=step)
            b.state(f"{step}_begin", "stage", role="begin", parent=step)
            b.state(f"{step}_end", "stage", role="end", parent=step)
            b.state(f"{step}_after", "choice", role="after", parent=step)
            b.row(f"{step}_before", f"{step}_begin")
            b.row(f"{step}_end", f"{step}_after")
            b.row(f"{step}_after", f"{then}_before" if then else f"{phase}_after")
    return phases


def stages(builder: Builder, step: str, actions: Iterable[str], window: str = "") -> str:
    """The stages between a step's begin and end; returns the last of them."""
    here, event = f"{step}_begin", "done"
    for i, label in enumerate(actions):
        builder.state(f"{step}_act{i}", "action", label, parent=step, role="action", asks="perform", action=label)
        builder.row(here, f"{step}_act{i}", event)
        here = f"{step}_act{i}"
    if window:
        builder.state(f"{step}_window", "window", "Talk", parent=step, role="window", opens=window)
        builder.row(here, f"{step}_window")
        here, event = f"{step}_window", "closed"
    builder.row(here, f"{step}_end", event)
    return here


def towns() -> Model:
    """A small game: three phases, a skip arc, a fork, a repeated step, a signal."""
    b = Builder()
    plan = {"morning": ["wake", "council"], "war": ["march", "siege", "storming", "retreat"], "night": ["sleep"]}
    for phase, steps in plan.items():
        b.state(phase, "phase", phase.capitalize(), parent="turn", family=phase, rule=f"{len(phase)}")
        for step in steps:
            b.state(step, "step", step.capitalize(), parent=phase, rule=f"{len(phase)}.{len(step)}")
    framed(b, plan.items())
    for phase in plan:
        b.row(f"{phase}_after", "more", guard=holds(1), layer="extra", generic=True, rule="8.8")
    stages(b, "wake", ["Wake up", "Feed the goats"])
    stages(b, "council", ["Count the votes"], "natural")
    for step in ("march", "siege", "storming", "retreat"):
        stages(b, step, ["Move"], "natural")
    stages(b, "sleep", [], "conditional")
    b.row("march_after", "retreat_before", guard=holds(4), layer="skip", rule="4.4", doc="nobody marches")
    b.row("siege_after", "retreat_before", guard=holds(5, -6), rule="4.5")
    b.row("sleep_window", "sleep_begin", "closed", guard=holds(7), layer="extra", rule="5.5")
    b.row("war", "war_after", "retreat", layer="jump", rule="2.3")
    b.row("turn", "sleep_begin", "storm", layer="jump", rule="2.1")
    return b.model()


def random_game(seed: int) -> Model:
    """A turn with anything in it: short and long phases, empty ones, skips, repeats, jumps to anywhere."""
    rng, b = random.Random(seed), Builder()
    plan = [
        (f"p{p}", [f"p{p}s{s}" for s in range(rng.choice([0, 1, 1, 2, 3, 4, 6]))]) for p in range(rng.randint(1, 8))
    ]
    for p, (phase, steps) in enumerate(plan):
        family = rng.choice("abcde")
        b.state(phase, "phase", f"{rng.choice(PHASES)} {p}", parent="turn", family=family, rule=f"{p}.1")
        for s, step in enumerate(steps):
            b.state(step, "step", f"{rng.choice(STEPS)} {p}{s}", parent=phase, rule=f"{p}.{s}")
    framed(b, plan)
    _special(rng, b, plan)
    return b.model()


def _special(rng: random.Random, b: Builder, plan: list[tuple[str, list[str]]]) -> None:
    steps = [step for _, found in plan for step in found]
    for phase, _ in plan:
        if rng.random() < 0.7:
            b.row(f"{phase}_after", "more", guard=holds(1), layer="extra", generic=True, rule="8.8")
        if steps and rng.random() < 0.2:
            b.row(f"{phase}_after", f"{rng.choice(steps)}_before", guard=holds(2), rule="7.7", layer=rng.choice(LAYERS))
        if steps and rng.random() < 0.3:
            b.row(phase, f"{rng.choice(steps)}_begin", "storm", layer="jump", rule="2.2")
        if rng.random() < 0.2:
            b.row(phase, f"{phase}_after", "retreat", layer="jump", rule="2.3", guard=holds(7))
    for step in steps:
        window = rng.choice(["", "", "natural", "natural", "conditional"])
        last = stages(b, step, rng.choices(ACTIONS, k=rng.randint(0, 3)), window)
        if window and rng.random() < 0.25:
            b.row(last, f"{step}_begin", "closed", guard=holds(4), layer="extra", rule="5.5")
        if rng.random() < 0.15:
            b.row(last, f"{rng.choice(steps)}_begin", "retreat", rule="6.6", layer=rng.choice(["jump", "core"]))
        if rng.random() < 0.3:
            facts = [rng.choice([-1, 1]) * i for i in rng.sample(range(1, 8), rng.randint(1, 3))]
            b.row(
                f"{step}_after",
                f"{rng.choice(steps)}_before",
                guard=holds(*facts),
                rule="4.4",
                layer=rng.choice(LAYERS),
            )
        if rng.random() < 0.1:
            b.row(f"{step}_after", "hub", guard=holds(6), rule="4.5")
        if rng.random() < 0.2:
            b.row(f"{step}_before", f"{step}_after", guard=holds(5, -6), layer="skip", rule="3.3")
    for event in rng.sample(["storm", "retreat"], rng.randint(0, 2)) if steps else []:
        b.row("turn", f"{rng.choice(steps)}_begin", event, layer="jump", rule="2.1")
    if rng.random() < 0.5:
        b.state("over", "final", "The war is over")
        b.row("turn", "over", "storm", layer="jump", guard=holds(0))
        if steps and rng.random() < 0.5:
            b.row(f"{rng.choice(steps)}_after", "over", guard=holds(7))


def tiny(words: str = "Idle") -> Model:
    """Two states and no phase."""
    states = (State("idle", "stage", label=words, doc=words), State("busy", "stage", label="Busy"))
    rows = (
        Transition("idle", "busy", "retreat", holds(1), rule="1.1", doc=words),
        Transition("busy", "idle", rule="1.2"),
    )
    return Model("tiny", "idle", states, rows, EVENTS, FACTS)


def tangle(size: int = 20) -> Model:
    """A flat model without any order: every state leads to two others."""
    states = tuple(State(f"s{i}", "stage", label=f"State {i}") for i in range(size))
    rows = tuple(
        Transition(f"s{i}", f"s{(i * step + 1) % size}", event, holds(i % 8), rule=f"{i}")
        for i in range(size)
        for step, event in ((1, "done"), (7, "retreat"))
    )
    return Model("tangle", "s0", states, rows, EVENTS, FACTS)
