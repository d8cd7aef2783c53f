"""A turn of a few states, sound as it stands, in which tests plant one fault each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from fsm.model import Action, Event, Fact, Layer, Model, State, Term, Transition


def row(
    source: str,
    target: str | None,
    when: str = "",
    do: str = "",
    on: str = "done",
    layer: Layer = "core",
) -> Transition:
    """A transition. `when` is a list of facts with commas between them."""
    guard = tuple(Term(part) for part in when.split(",") if part)
    actions = (Action(do),) if do else ()
    return Transition(source, target, on, guard, actions, "1", layer)


def stage(id: str, parent: str = "turn", **more: Any) -> State:
    return State(id, "stage", parent=parent, rule="1", **more)


def choice(id: str) -> State:
    return State(id, "choice", parent="turn", rule="1")


def action(id: str, **more: Any) -> State:
    return State(id, "action", parent="turn", rule="1", asks="perform", action=id, **more)


# Draw a card; who is lucky feasts, who is not rests; then the turn is over.
TURN = Model(
    name="small",
    initial="hub",
    states=(
        State("hub", "choice", rule="1"),
        State("turn", "turn", rule="1"),
        action("draw", tells=("lucky",)),
        choice("pick"),
        action("feast", role="action"),
        action("rest", role="action"),
        stage("over", role="end"),
    ),
    transitions=(
        row("hub", "draw"),
        row("draw", "pick"),
        row("pick", "feast", "lucky"),
        row("pick", "rest"),
        row("feast", "over"),
        row("rest", "over"),
        row("over", "hub"),
    ),
    events=(Event("done", completion=True),),
    facts=(Fact("lucky", "", "1"),),
)
"""A sound model."""


def extended(model: Model, **more: Iterable[Any]) -> Model:
    """A model with more parts of these kinds."""
    return replace(model, **{kind: (*getattr(model, kind), *parts) for kind, parts in more.items()})


def swapped(gone: str, *rows: Transition, **more: Any) -> Model:
    """The turn with other rows instead of one."""
    return extended(TURN.without(gone), transitions=rows, **more)


def choosing(*rows: Transition, **more: Any) -> Model:
    """The turn with other rows for its choice."""
    without = TURN.without("pick -> feast [lucky]", "pick -> rest")
    return extended(without, transitions=rows, **more)
