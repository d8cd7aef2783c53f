"""Games that no rulebook knows, for whatever must not depend on a name: a small one, and random
ones.
"""

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
    Event("bell", "somebody rings the bell"),
)
FACTS = tuple(
    Fact(f"fact_{i}_{word}", f"what {i} is about")
    for i, word in enumerate(["is", "was", "will", "holds", "is", "was", "will", "holds"])
)
LAYERS: tuple[Layer, ...] = ("core", "skip", "extra")


class Builder:
    """States and transitions on their way to become a model; a transition that is there already is
    left out.
    """

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
        return Model(
            name,
            initial,
            tuple(self.states),
            tuple(rows),
            EVENTS,
            FACTS,
            title=title,
            edition="2nd edition",
        )


def holds(*facts: int) -> tuple[Term, ...]:
    """A guard: these facts hold; the negative ones do not."""
    return tuple(Term(FACTS[abs(i)].name, i >= 0) for i in facts)


def framed(
    builder: Builder, plan: Iterable[tuple[str, Iterable[str]]]
) -> list[tuple[str, list[str]]]:
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
        b.row(
            f"{phase}_before",
            f"{phase}_after",
            guard=holds(0),
            layer="skip",
            generic=True,
            rule="9.9",
        )
        b.row(f"{phase}_before", f"{steps[0]}_before" if steps else f"{phase}_after", rule="1.1")
        b.row(f"{phase}_after", f"{following}_before" if following else "closing")
        b.row(
            "more",
            f"{phase}_before",
            guard=holds(3) if following else (),
            layer="extra",
            generic=True,
        )
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
        builder.state(
            f"{step}_act{i}",
            "action",
            label,
            parent=step,
            role="action",
            asks="perform",
            action=label,
        )
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
    plan = {
        "morning": ["wake", "council"],
        "war": ["march", "siege", "storming", "retreat"],
        "night": ["sleep"],
    }
    for phase, steps in plan.items():
        b.state(
            phase, "phase", phase.capitalize(), parent="turn", family=phase, rule=f"{len(phase)}"
        )
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
    b.row(
        "march_after",
        "retreat_before",
        guard=holds(4),
        layer="skip",
        rule="4.4",
        doc="nobody marches",
    )
    b.row("siege_after", "retreat_before", guard=holds(5, -6), rule="4.5")
    b.row("sleep_window", "sleep_begin", "closed", guard=holds(7), layer="extra", rule="5.5")
    b.row("war", "war_after", "retreat", layer="jump", rule="2.3")
    b.row("turn", "sleep_begin", "storm", layer="jump", rule="2.1")
    return b.model()


def random_game(seed: int) -> Model:
    """A turn with anything in it: short and long phases, empty ones, skips, repeats, jumps to
    anywhere.
    """
    rng, b = random.Random(seed), Builder()
    plan = [
        (f"p{p}", [f"p{p}s{s}" for s in range(rng.choice([0, 1, 1, 2, 3, 4, 6]))])
        for p in range(rng.randint(1, 8))
    ]
    for p, (phase, steps) in enumerate(plan):
        family = rng.choice("abcde")
        b.state(
            phase, "phase", f"{rng.choice(PHASES)} {p}", parent="turn", family=family, rule=f"{p}.1"
        )
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
            b.row(
                f"{phase}_after",
                f"{rng.choice(steps)}_before",
                guard=holds(2),
                rule="7.7",
                layer=rng.choice(LAYERS),
            )
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
            b.row(
                last,
                f"{rng.choice(steps)}_begin",
                "retreat",
                rule="6.6",
                layer=rng.choice(["jump", "core"]),
            )
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


OPENS = ("natural", "conditional", "conditional_round")


def parts(builder: Builder, rng: random.Random, step: str, label: str, phase: str) -> list[str]:
    """A step with actions and windows in any order, some guarded, some repeated; returns its
    windows.
    """
    b, windows = builder, []
    b.state(step, "step", label, parent=phase, rule=f"{len(step)}.{len(label)}")
    for role, kind in (
        ("before", "choice"),
        ("begin", "stage"),
        ("end", "stage"),
        ("after", "choice"),
    ):
        b.state(f"{step}_{role}", kind, parent=step, role=role)
    b.row(f"{step}_before", f"{step}_begin")
    b.row(f"{step}_end", f"{step}_after")
    here, event = f"{step}_begin", "done"
    for i in range(rng.randint(0, 5)):
        there = f"{step}_part{i}"
        if rng.random() < 0.5:
            b.state(
                there,
                "window",
                "Talk",
                parent=step,
                role="window",
                opens=rng.choice(OPENS),
                doc="whoever wants",
            )
            windows.append(there)
        else:
            b.state(
                there,
                "action",
                rng.choice(ACTIONS),
                parent=step,
                role="action",
                asks="perform",
                doc="at once",
            )
        b.row(here, there, event, guard=holds(rng.randint(1, 7)) if rng.random() < 0.3 else ())
        if rng.random() < 0.2 and here != f"{step}_begin":
            b.row(
                there,
                here,
                "closed" if there in windows else "done",
                guard=holds(2),
                layer=rng.choice(LAYERS),
            )
        here, event = there, "closed" if there in windows else "done"
    b.row(here, f"{step}_end", event)
    return windows


def nested(seed: int) -> Model:
    """A game whose phases lie in phases, and theirs in those; each is left for the one inside and
    come back to.
    """
    rng, b = random.Random(seed), Builder()
    b.state("turn", "turn", "Round")
    b.state(
        "prelude",
        "action",
        "Draw lots for the first seat",
        parent="turn",
        role="procedure",
        rule="0.1",
    )
    b.state("hub", "choice", "Next round", role="hub")
    b.state("opening", "stage", parent="turn", role="begin")
    b.row("prelude", "hub")
    b.row("hub", "opening")
    names = [f"p{i}" for i in range(rng.randint(1, 5))]
    for name in names:
        _nested_phase(b, rng, name, "turn", 0)
    ways_in, ways_out = [f"{name}_before" for name in names], [f"{name}_after" for name in names]
    for here, there in zip(["opening", *ways_out], [*ways_in, "hub"], strict=True):
        b.row(here, there)
    return b.model("nested", "prelude")


def _nested_phase(b: Builder, rng: random.Random, name: str, parent: str, depth: int) -> None:
    b.state(
        name,
        "phase",
        f"{rng.choice(PHASES)} {name}",
        parent=parent,
        family=rng.choice("abc"),
        rule=f"{depth}.1",
    )
    b.state(f"{name}_before", "choice", parent=name, role="before")
    steps, windows = [f"{name}s{i}" for i in range(rng.randint(0 if depth else 1, 3))], []
    for step in steps:
        windows += parts(b, rng, step, f"{rng.choice(STEPS)} {step}", name)
    for i in range(rng.choice([0, 1, 1, 2]) if windows and depth < 3 else 0):
        inner, window = f"{name}i{i}", rng.choice(windows)
        _nested_phase(b, rng, inner, name, depth + 1)
        b.row(
            window,
            f"{inner}_before",
            rng.choice(["retreat", "storm"]),
            guard=holds(i + 1),
            rule="6.6",
        )
        b.row(f"{inner}_after", window, rule="6.7")
    b.state(f"{name}_after", "choice", parent=name, role="after")
    for here, there in zip(["before", *steps], [*steps, "after"], strict=True):
        source = f"{name}_before" if here == "before" else f"{here}_after"
        b.row(source, f"{name}_after" if there == "after" else f"{there}_before")
    if rng.random() < 0.4:
        b.row(
            f"{name}_before",
            f"{name}_after",
            guard=holds(rng.randint(1, 7)),
            layer="skip",
            rule="3.3",
        )
    if rng.random() < 0.6:
        b.row(name, f"{name}_after", "bell", layer="jump", rule="2.2")
    if steps and rng.random() < 0.4:
        b.row(name, f"{rng.choice(steps)}_begin", "bell", guard=holds(5), layer="jump", rule="2.3")
    if rng.random() < 0.3:
        b.row(name, None, "storm", layer="jump", rule="2.4", doc="nobody minds the weather in here")
