"""Small models whose coverage can be counted by hand."""

from __future__ import annotations

from fsm.engine import Machine
from fsm.model import Action, Event, Fact, Model, State, Term, Transition

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
        Transition("off", "on", "press", (Term("plugged"), Term("burnt", False)), rule="L.2"),
        Transition("off", None, "press", rule="L.4"),
        Transition("on", "off", "press", rule="L.1, L.5"),
        Transition("working", "broken", "smash", rule="L.3"),
    ),
    events=(Event("press"), Event("smash")),
    facts=(Fact("plugged", "it is plugged in", "L.6"), Fact("burnt", "the bulb is burnt", "L.7")),
)


class Lamp:
    """What such a machine drives, after these events."""

    plugged, burnt = True, False

    def __init__(self, *events: str, plugged: bool = True) -> None:
        self.plugged = plugged
        Machine.from_model(LAMP, self)
        for event in events:
            self.trigger(event)  # type: ignore[attr-defined]


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
        Transition("pick", "left", guard=(Term("lucky"),)),
        Transition("pick", "right", guard=(Term("marked"),), actions=(Action("clear(hand)"),)),
        Transition("pick", "again"),
        Transition("pick", "lost", guard=(Term("lucky"),)),
        Transition("left", "won", guard=(Term("lucky"),), actions=(Action("latch(marked)"),)),
        Transition("left", "again"),
        Transition("right", "won", guard=(Term("marked"),)),
        Transition("right", "again"),
        Transition("won", "ask"),
        Transition("won", "again", guard=(Term("lucky"), Term("lucky", False))),
        Transition("again", "ask"),
        Transition("lost", "ask"),
    ),
    events=(Event("done", completion=True),),
    facts=(
        Fact("lucky", "the card is lucky"),
        Fact("marked", "the card is marked", owner="controller", timing="latched", scope="hand"),
    ),
)
