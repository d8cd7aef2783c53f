"""Small models whose coverage can be counted by hand, and recordings of walks through them."""

from __future__ import annotations

from collections.abc import Sequence

from fsm.coverage import Data, Walk, subject_of
from fsm.model import Action, Event, Fact, Model, State, Term, Transition


def term(text: str) -> Term:
    return Term.parse(text)


# A machine that anybody may trigger: two boxes, one inside which a light is on or off.
LAMP = Model(
    name="lamp",
    initial="off",
    states=(
        State("working", "phase", rule="L.1"),
        State("off", "stage", parent="working", rule="L.1"),
        State("on", "stage", parent="working", rule="L.2"),
        State("broken", "final", rule="L.3"),
    ),
    transitions=(
        Transition("off", "on", "press", (term("plugged"), term("not burnt")), rule="L.2"),
        Transition("off", None, "press", rule="L.4"),
        Transition("on", "off", "press", rule="L.1, L.5"),
        Transition("working", "broken", "smash", rule="L.3"),
    ),
    events=(Event("press"), Event("smash")),
    facts=(Fact("plugged", "it is plugged in", "L.6"), Fact("burnt", "the bulb is burnt", "L.7")),
)
ON, DARK, OFF, SMASH = (t.id for t in LAMP.transitions)

# A model that is played: it asks, then goes on by itself.
CARDS = Model(
    name="cards",
    initial="ask",
    states=(
        State("ask", "action", asks="perform", action="ask", tells=("lucky",)),
        State("pick", "choice"),
        State("left", "choice"),
        State("right", "choice"),
        State("lost", "stage"),
        State("won", "stage"),
        State("again", "choice"),
    ),
    transitions=(
        Transition("ask", "pick"),
        Transition("pick", "left", guard=(term("lucky"),)),
        Transition("pick", "right", guard=(term("marked"),), actions=(Action("clear", ("hand",)),)),
        Transition("pick", "again"),
        Transition("pick", "lost", guard=(term("lucky"),)),
        Transition("left", "won", guard=(term("lucky"),), actions=(Action("latch", ("marked",)),)),
        Transition("left", "again"),
        Transition("right", "won", guard=(term("marked"),)),
        Transition("right", "again"),
        Transition("won", "ask"),
        Transition("won", "again", guard=(term("lucky"), term("not lucky"))),
        Transition("again", "ask"),
        Transition("lost", "ask"),
    ),
    events=(Event("done", completion=True),),
    facts=(
        Fact("lucky", "the card is lucky"),
        Fact("marked", "the card is marked", owner="controller", timing="latched", scope="hand"),
    ),
)


# A small game: a draw, then perhaps a fight, round and round.
FIGHTING = Model(
    name="fighting",
    initial="draw",
    states=(
        State("turn", "turn", "turn"),
        State("draw", "action", parent="turn", asks="perform", action="draw"),
        State("fights", "choice", parent="turn"),
        State("fight", "action", parent="turn", asks="perform", action="fight"),
        State("over", "final"),
    ),
    transitions=(
        Transition("draw", "fights"),
        Transition("fights", "fight", guard=(term("angry"), term("not tired"))),
        Transition("fights", "draw"),
        Transition("fight", "draw"),
        Transition("turn", "over", "stop"),
    ),
    events=(Event("done", "finished", completion=True), Event("stop", "somebody has had enough")),
    facts=(Fact("angry", "somebody is angry"), Fact("tired", "all are tired")),
)


def recorded(
    model: Model, *walks: Sequence[tuple[str, str]], machine: str = "", context: str = ""
) -> Data:
    """Data of these walks: (transition, state) after (transition, state)."""
    data = Data()
    for steps in walks:
        data.of(subject_of(model)).walks[
            Walk(machine or model.name, tuple(steps), ((0, context),))
        ] += 1
    return data
