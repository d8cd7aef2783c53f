"""Grand Archive's Opportunity: who may act, and when the Effects Stack resolves (Timing and
Permissions).

A natural window goes on until all pass on an empty Effects Stack. A conditional one opens only if
something is there, and closes as soon as the Effects Stack is empty; "conditional_round": but for
one more round.
"""

from __future__ import annotations

from fsm.model import Event, Fact, Model, Owner, State, Timing, Transition
from fsm.rulesets.frame.rows import DONE, row


def _fact(
    name: str, doc: str, rule: str, *test: str, timing: Timing = "live", scope: str = "", says: str = "",
    denies: str = "",
) -> Fact:  # fmt: skip
    owner: Owner = "controller" if test or scope else "game"
    about = "the window" if owner == "controller" else "the game"
    return Fact(name, doc, rule, owner, timing, scope, about, test=test, says=says, denies=denies)


EVENTS = (
    DONE,
    Event("acted", "the player with Opportunity did something"),
    Event("passed", "the player with Opportunity passed"),
    Event("player_left", "somebody lost the game"),
)

FACTS = (
    _fact("sba_performed", "the state-based check changed something", "State-based Checks GR1",
          says="something happened by itself", denies="nothing happened by itself"),
    _fact("triggers_waiting", "a triggered ability waits to be put on the Effects Stack", "Triggered Abilities GR1",
          says="an ability has triggered", denies="no ability has triggered"),
    _fact("stack_empty", "the Effects Stack is empty", "Opportunity 4",
          says="the Effects Stack is empty", denies="something is on the Effects Stack"),
    _fact("interdiction_on_stack", "a card with Interdiction is on the Effects Stack", "Interdiction",
          says="a card with Interdiction is waiting", denies="no card with Interdiction is waiting"),
    _fact("attack_required", "the player must attack first, and has not attempted it", "Attack Declaration 1.4",
          says="the player must attack first", denies="the player need not attack"),
    _fact("window_conditional", "this window exists only while something is there", "Opportunity 1.2", "window_opens",
          "conditional"),
    _fact("window_with_round", "this window exists only if something is there, and all must pass once more",
          "End Phase GR4 (U-15)", "window_opens", "conditional_round"),
    _fact("everyone_passed", "all players have passed in succession", "Opportunity 4", "everyone_passed"),
    _fact("holder_left", "the player with Opportunity has lost the game", "Ending the Game GR8", "holder_left"),
    _fact("window_opened", "somebody received Opportunity in this window", "Opportunity 1", timing="latched",
          scope="window"),
    _fact("sba_acted", "a state-based check changed something here", "State-based Checks GR1", timing="latched",
          scope="window"),
    _fact("trigger_placed", "a trigger was put on the Effects Stack here", "Triggered Abilities GR10",
          timing="latched", scope="window"),
    _fact("interdicted", "a card with Interdiction has just resolved", "Interdiction 3",
          timing="latched", scope="interdiction"),
)

STATES = (
    State("open", "stage", label="Window opens", role="begin", rule="Opportunity 8"),
    State("settle", "phase", "settle", "Settle", rule="Opportunity 9", doc="before anybody receives Opportunity"),
    State("sba", "action", "sba", "State-based check", "settle", "action", "State-based Checks GR1",
          "until it changes nothing", asks="check"),
    State("sba_done", "choice", "", "Did anything happen?", "settle", "after", "State-based Checks GR1"),
    State("place_triggers", "action", "place_triggers", "Place waiting triggers", "settle", "action",
          "Triggered Abilities GR10", "turn player first, then in turn order", asks="place"),
    State("gate", "choice", label="Does anybody get Opportunity?", role="after", rule="Opportunity 9"),
    State("opportunity", "action", "opportunity", "A player has Opportunity", role="window", rule="Opportunity 8",
          doc="the turn player first, then each in turn order; who acts keeps it", asks="priority"),
    State("all_passed", "choice", label="Has everyone passed?", role="after", rule="Opportunity 4"),
    State("resolve_top", "action", "resolve_top", "Resolve the top layer", role="action", rule="Effects Stack GR2",
          doc="one layer at a time", asks="resolve"),
    State("closed", "final", label="the window closes", role="end", rule="Opportunity 11"),
)

ROWS = (
    row("open", "sba", do=["clear(window)", "clear(interdiction)", "priority_to_active"], rule="Opportunity 8",
        doc="the turn player comes first"),
    row("sba", "sba_done", rule="State-based Checks GR1"),
    row("sba_done", "sba", "sba_performed", ["latch(sba_acted)"], rule="State-based Checks GR1",
        doc="until nothing changes"),
    row("sba_done", "place_triggers", "triggers_waiting", rule="Triggered Abilities GR1"),
    row("sba_done", "gate", rule="Opportunity 9"),
    row("place_triggers", "sba", do=["latch(trigger_placed)"], rule="Triggered Abilities GR10",
        doc="then check once more"),
    row("gate", "resolve_top", "interdiction_on_stack", ["latch(interdicted)"], rule="Interdiction", layer="jump",
        doc="nobody gets Opportunity until it has resolved"),
    row("gate", "closed", "window_conditional, stack_empty, not interdicted", rule="Opportunity 7", layer="skip",
        doc="nothing is there, or nothing is left: no further round"),
    row("gate", "closed", "window_with_round, stack_empty, not interdicted, not window_opened", rule="Opportunity 1.2",
        layer="skip", doc="nothing is there: nobody gets Opportunity"),
    row("gate", "opportunity", do=["latch(window_opened)"], rule="Opportunity 9"),
    row("opportunity", "sba", event="acted", do=["note_action"], rule="Opportunity 8.1", doc="the same player again"),
    row("opportunity", None, "attack_required", event="passed", rule="Attack Declaration 1.4", layer="jump",
        doc="the pass is refused: an attack must be attempted first"),
    row("opportunity", "all_passed", event="passed", do=["note_pass"], rule="Opportunity 4"),
    row("all_passed", "sba", "not everyone_passed", ["priority_to_next"], rule="Opportunity 4", doc="the next player"),
    row("all_passed", "resolve_top", "not stack_empty", ["clear(interdiction)"], rule="Opportunity 4"),
    row("all_passed", "closed", rule="Opportunity 11", doc="all passed in a row on an empty Effects Stack"),
    row("resolve_top", "sba", do=["priority_to_active"], rule="Opportunity 8", doc="then the turn player"),
)


def _left(source: str, when: str, doc: str) -> Transition:
    do = ["priority_to_next"] if when else []
    return row(source, None, when, do, event="player_left", rule="Ending the Game GR8", layer="jump", doc=doc)


LOSSES = (
    _left("settle", "holder_left", "who comes next receives Opportunity instead"),
    _left("settle", "", "Opportunity stays where it is"),
    _left("opportunity", "holder_left", "the next player has it"),
    _left("opportunity", "", "it stays"),
    _left("all_passed", "", "Opportunity goes on to the next player all the same"),
)


def opportunity_window(edition: str) -> Model:
    """The Opportunity loop: settle, Opportunity goes round, resolve or close."""
    return Model(
        name="grand-archive-window",
        title="The Opportunity window",
        edition=edition,
        initial="open",
        states=STATES,
        transitions=(*ROWS, *LOSSES),
        events=EVENTS,
        facts=FACTS,
    )
