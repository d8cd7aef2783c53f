"""The window: the loop that runs wherever players may act. A model of its own, one per family of rules."""

from __future__ import annotations

from fsm.model import Event, Fact, Model, State, Transition
from fsm.rulesets.rows import DONE, row


def _left(source: str, target: str | None, when: str, doc: str) -> Transition:
    do = ["priority_to_next"] if when else []
    return row(source, target, when, do, event="player_left", rule="800.4a", layer="jump", doc=doc)


PRIORITY_EVENTS = (
    DONE,
    Event("acted", "the player with priority did something"),
    Event("passed", "the player with priority passed"),
    Event("player_left", "somebody left the game"),
)

PRIORITY_FACTS = (
    Fact("sba_performed", "a state-based action was performed", "704.3", about="state-based actions"),
    Fact("triggers_waiting", "a triggered ability waits to be put on the stack", "603.3b", about="triggers"),
    Fact("stack_empty", "the stack is empty", "117.4", about="stack"),
    Fact("something_happened", "a state-based action or a trigger, since the window opened", "514.3a", "controller",
         "latched", "window"),
    Fact("window_opened", "somebody received priority in this window", "514.3a", "controller", "latched", "window"),
    Fact("window_conditional", "this window opens only if something happened", "514.3a", "controller",
         test=("window_opens", "conditional")),
    Fact("everyone_passed", "all players have passed in succession", "117.4", "controller", test=("everyone_passed",)),
    Fact("holder_left", "the player with priority has left the game", "800.4a", "controller", test=("holder_left",)),
)

PRIORITY_STATES = (
    State("open", "stage", label="Window opens", role="begin", rule="117.3a"),
    State("settle", "phase", "settle", "Settle", rule="117.5", doc="before anybody receives priority"),
    State("sba", "action", "sba", "State-based actions", "settle", "action", "704.3", "all that apply, as one event",
          asks="check"),
    State("sba_done", "choice", "", "Did anything happen?", "settle", "after", "704.3"),
    State("place_triggers", "action", "place_triggers", "Place waiting triggers", "settle", "action", "603.3b",
          "active player first, two passes", asks="place", manner="two_passes"),
    State("gate", "choice", label="Does the window open?", role="after", rule="117.5"),
    State("priority", "action", "priority", "A player has priority", role="window", rule="117.3",
          doc="active player first", asks="priority"),
    State("all_passed", "choice", label="Has everyone passed?", role="after", rule="117.4"),
    State("resolve_top", "action", "resolve_top", "Resolve the top", role="action", rule="117.4",
          doc="nobody has priority", asks="resolve"),
    State("closed", "final", label="window closes", role="end", rule="500.2"),
)

PRIORITY_ROWS = (
    row("open", "sba", do=["clear(window)", "priority_to_active"], rule="117.3a", doc="the active player comes first"),
    row("sba", "sba_done", rule="704.3"),
    row("sba_done", "sba", "sba_performed", ["latch(something_happened)"], rule="704.3", doc="until none applies"),
    row("sba_done", "place_triggers", "triggers_waiting", rule="603.3b"),
    row("sba_done", "gate", rule="117.5"),
    row("place_triggers", "sba", do=["latch(something_happened)"], rule="603.3b", doc="then check once more"),
    row("gate", "closed", "window_conditional, not something_happened", rule="514.3a", layer="skip",
        doc="nothing happened: nobody receives priority"),
    row("gate", "priority", do=["latch(window_opened)"], rule="117.3"),
    row("priority", "sba", event="acted", do=["note_action"], rule="117.3c", doc="the same player again"),
    row("priority", "all_passed", event="passed", do=["note_pass"], rule="117.3d"),
    row("all_passed", "sba", "not everyone_passed", ["priority_to_next"], rule="117.3d", doc="the next player"),
    row("all_passed", "resolve_top", "not stack_empty", rule="117.4"),
    row("all_passed", "closed", rule="500.2", doc="all passed in succession on an empty stack"),
    row("resolve_top", "sba", do=["priority_to_active"], rule="117.3b", doc="then the active player"),
    _left("settle", None, "holder_left", "who comes next receives priority instead"),
    _left("settle", None, "", "priority stays where it is"),
    _left("all_passed", None, "", "priority goes on to the next player all the same"),
)


def priority_window(ruleset: str, *, edition: str) -> Model:
    """Magic's priority loop (CR 117, 603.3, 704.3): settle, priority goes round, resolve or close."""
    return Model(
        name=f"{ruleset}-window",
        title="The priority window",
        edition=edition,
        initial="open",
        states=PRIORITY_STATES,
        transitions=PRIORITY_ROWS,
        events=PRIORITY_EVENTS,
        facts=PRIORITY_FACTS,
    )
