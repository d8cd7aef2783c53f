"""The window: the loop that runs wherever players may act. A model of its own, one per family of
rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fsm.model import Event, Fact, Model, State, Transition
from fsm.model.elements import LEAVING
from fsm.rulesets.frame.rows import DONE, row


@dataclass(frozen=True, slots=True)
class PriorityRules:
    """The rules of the priority loop, in the order of the loop, and how it places triggers.

    Attributes
    ----------
    first
        Who has priority first.
    settle
        What happens before anybody receives priority.
    checks
        State-based actions are checked.
    places
        Triggers are placed.
    opens_if
        When a conditional window opens.
    holds
        A player has priority.
    acts
        A player acts.
    passes
        A player passes.
    all_passed
        All players have passed in succession.
    resolves
        Who has priority after something has resolved.
    closes
        The window closes.
    leaves
        A player leaves the game.
    placing
        The model's word for how triggers are placed.
    placing_doc
        How triggers are placed, for people.
    check
        What the rulebook calls a state-based action.
    """

    first: str = ""
    settle: str = ""
    checks: str = ""
    places: str = ""
    opens_if: str = ""
    holds: str = ""
    acts: str = ""
    passes: str = ""
    all_passed: str = ""
    resolves: str = ""
    closes: str = ""
    leaves: str = ""
    placing: str = "one_pass"
    placing_doc: str = "active player first, one pass"
    check: str = "state-based action"


CURRENT = PriorityRules(
    first="117.3a",
    settle="117.5",
    checks="704.3",
    places="603.3b",
    opens_if="514.3a",
    holds="117.3",
    acts="117.3c",
    passes="117.3d",
    all_passed="117.4",
    resolves="117.3b",
    closes="500.2",
    leaves="800.4a",
    placing="two_passes",
    placing_doc="active player first, two passes",
)
"""Magic's current rules (CR 2026-01)."""

UNCITED_WINDOW = PriorityRules()
"""The same window for games whose rulebook has no numbers."""

PRIORITY_EVENTS = (
    DONE,
    Event("acted", "the player with priority did something"),
    Event("passed", "the player with priority passed"),
    Event(LEAVING, "somebody left the game"),
)


def priority_window(
    ruleset: str, *, edition: str = "", rules: PriorityRules = UNCITED_WINDOW
) -> Model:
    """Return the model of a window in which priority goes round, as in Magic.

    Parameters
    ----------
    ruleset
        The name of the ruleset.
    edition
        The edition of the rulebook.
    rules
        The rules that the model cites. The default cites none.

    Returns
    -------
    Model
        The model of the window.
    """
    return Model(
        name=f"{ruleset}-window",
        title="The priority window",
        edition=edition,
        initial="open",
        states=tuple(_states(rules)),
        transitions=tuple(_rows(rules)),
        events=PRIORITY_EVENTS,
        facts=tuple(_facts(rules)),
    )


def _facts(r: PriorityRules) -> Iterator[Fact]:
    yield Fact("sba_performed", f"a {r.check} was performed", r.checks, about=f"{r.check}s",
               says="something happened by itself", denies="nothing happened by itself")  # fmt: skip
    yield Fact("triggers_waiting", "a triggered ability waits to be put on the stack", r.places, about="triggers",
               says="an ability has triggered", denies="no ability has triggered")  # fmt: skip
    yield Fact("stack_empty", "the stack is empty", r.all_passed, about="stack",
               says="the stack is empty", denies="something is on the stack")  # fmt: skip
    happened = f"a {r.check} was performed or an ability triggered since the window opened"
    yield Fact("something_happened", happened, r.opens_if, "controller", "latched", "window")
    yield Fact(
        "window_opened",
        "somebody received priority in this window",
        r.opens_if,
        "controller",
        "latched",
        "window",
    )
    yield Fact(
        "window_conditional",
        "this window opens only if something happened",
        r.opens_if,
        "controller",
        test=("window_opens", "conditional"),
    )
    yield Fact(
        "everyone_passed",
        "all players have passed in succession",
        r.all_passed,
        "controller",
        test=("everyone_passed",),
    )
    yield Fact(
        "holder_left",
        "the player with priority has left the game",
        r.leaves,
        "controller",
        test=("holder_left",),
    )


def _states(r: PriorityRules) -> Iterator[State]:
    checks = f"{r.check.capitalize()}s"
    yield State("open", "stage", label="Window opens", role="begin", rule=r.first)
    yield State(
        "settle", "phase", "settle", "Settle", rule=r.settle, doc="before anybody receives priority"
    )
    yield State(
        "sba",
        "action",
        "sba",
        checks,
        "settle",
        "action",
        r.checks,
        "all that apply, as one event",
        asks="check",
    )
    yield State("sba_done", "choice", "", "Did anything happen?", "settle", "after", r.checks)
    yield State(
        "place_triggers",
        "action",
        "place_triggers",
        "Place waiting triggers",
        "settle",
        "action",
        r.places,
        r.placing_doc,
        asks="place",
        manner=r.placing,
    )
    yield State("gate", "choice", label="Does the window open?", role="after", rule=r.settle)
    yield State(
        "priority",
        "action",
        "priority",
        "A player has priority",
        role="window",
        rule=r.holds,
        doc="the active player first, then each in turn order",
        asks="priority",
    )
    yield State(
        "all_passed", "choice", label="Has everyone passed?", role="after", rule=r.all_passed
    )
    yield State(
        "resolve_top",
        "action",
        "resolve_top",
        "Resolve the top",
        role="action",
        rule=r.all_passed,
        doc="nobody has priority",
        asks="resolve",
    )
    yield State("closed", "final", label="the window closes", role="end", rule=r.closes)


def _rows(r: PriorityRules) -> Iterator[Transition]:
    yield row(
        "open",
        "sba",
        do=["clear(window)", "priority_to_active"],
        rule=r.first,
        doc="the active player comes first",
    )
    yield row("sba", "sba_done", rule=r.checks)
    yield row(
        "sba_done",
        "sba",
        "sba_performed",
        ["latch(something_happened)"],
        rule=r.checks,
        doc="until none applies",
    )
    yield row("sba_done", "place_triggers", "triggers_waiting", rule=r.places)
    yield row("sba_done", "gate", rule=r.settle)
    yield row(
        "place_triggers",
        "sba",
        do=["latch(something_happened)"],
        rule=r.places,
        doc="then check once more",
    )
    yield row(
        "gate",
        "closed",
        "window_conditional, not something_happened",
        rule=r.opens_if,
        layer="skip",
        doc="nothing happened: nobody receives priority",
    )
    yield row("gate", "priority", do=["latch(window_opened)"], rule=r.holds)
    yield row(
        "priority",
        "sba",
        event="acted",
        do=["note_action"],
        rule=r.acts,
        doc="the same player again",
    )
    yield row("priority", "all_passed", event="passed", do=["note_pass"], rule=r.passes)
    yield row(
        "all_passed",
        "sba",
        "not everyone_passed",
        ["priority_to_next"],
        rule=r.passes,
        doc="the next player",
    )
    yield row("all_passed", "resolve_top", "not stack_empty", rule=r.all_passed)
    yield row(
        "all_passed", "closed", rule=r.closes, doc="all passed in succession on an empty stack"
    )
    yield row(
        "resolve_top",
        "sba",
        do=["priority_to_active"],
        rule=r.resolves,
        doc="then the active player",
    )
    yield _left(r, "settle", "holder_left", "who comes next receives priority instead")
    yield _left(r, "settle", "", "priority stays where it is")
    yield row("priority", "sba", "holder_left", ["priority_to_next"], event=LEAVING, rule=r.leaves, layer="jump",
              doc="who comes next receives priority")  # fmt: skip
    yield _left(r, "priority", "", "priority stays where it is, and nobody's pass is undone")
    yield _left(r, "all_passed", "", "priority goes on to the next player all the same")


def _left(r: PriorityRules, source: str, when: str, doc: str) -> Transition:
    do = ["priority_to_next"] if when else []
    return row(source, None, when, do, event=LEAVING, rule=r.leaves, layer="jump", doc=doc)
