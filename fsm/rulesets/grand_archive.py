"""Grand Archive, Comprehensive Rules of August 2026, or of 2024 (the option `edition`); citations
are page and rule.

Read it beside the rulebook: phases in turn order, most with one step of the same name. Players may
act in a natural window, or in a conditional one while something is on the Effects Stack. Combat
runs inside main, which waits for it.

The rules leave some points open, which have numbers here (U-n). Five of them are options; for the
others this table takes one reading, which stands where it matters.
"""

from __future__ import annotations

from functools import partial
from itertools import chain
from typing import Literal

from fsm.model import Duration, Event, Fact, Model, Setting, State, Transition
from fsm.rulesets.parts import (
    Absent,
    Act,
    Back,
    During,
    FrameRules,
    Part,
    Phase,
    Step,
    Then,
    Window,
)
from fsm.rulesets.rows import DONE, agenda_fact, controller_fact, jump, perform, row, ruled
from fsm.rulesets.table import Table

EDITIONS = {
    "CUR": ("GA CR 2026-08", "Comprehensive Rules of August 2026"),
    "OLD": ("GA CR 2024", "Comprehensive Rules of 2024"),
}

# facts, durations, settings ------------------------------------------------------------------------

PHASES = ("wake_up", "materialize", "recollection", "draw", "main")
CLEAN_UPS = 1000
"""Repeats of the clean-up in one turn after which the loop is reported. No rule bounds them (U-24).
"""


_latched = partial(Fact, owner="controller", timing="latched")
_of_window = partial(_latched, scope="window")

CHECKED = Fact("sba_performed", "the state-based check changed something", "State-based Checks GR1",
               says="something happened by itself", denies="nothing happened by itself")
FACTS = (
    Fact("attack_declared", "the attack was declared, and nothing made it fail", "Attack Declaration 2",
              says="an attack is declared", denies="the attack fails"),
    Fact("several_retaliators", "at least two units retaliate", "Damage Step GR2", timing="latched",
         scope="combat",
              says="several units retaliate", denies="at most one unit retaliates"),
    CHECKED,
    Fact("stack_empty", "the Effects Stack is empty", "Effects Stack GR2",
              says="the Effects Stack is empty", denies="something is on the Effects Stack"),
    Fact("time_distorted", "time is distorted", "Special Continuous Effects 1",
              says="time is distorted", denies="time is not distorted"),
    agenda_fact("combat_under_way", "the game is in combat", "Ending Phases GR2", "phase_under_way", "combat",
                says="the game is in combat", denies="the game is not in combat"),
    agenda_fact("ending_under_way", "the game is in an end phase", "Ending Phases GR2", "phase_under_way", "end",
                says="the turn is in its End phase", denies="the turn is not in its End phase"),
    agenda_fact("turn_player_lost", "the turn player has lost the game", "Ending the Game GR8", "left",
                "active", says="the turn player has lost", denies="the turn player is still in the game"),
    controller_fact("starting_player", "it is the turn of the player who plays first", "Turn One 1", "starter_active"),
    controller_fact("several_sides_left", "at least two players are left", "Ending the Game GR2", "more_sides_than",
                    "1", says="several players are left", denies="one side is left"),
    controller_fact("first_draw_skipped", "the first player skips the first draw phase", "Turn Order GR1.1", "setting",
                    "first_draw_skipped"),
    _latched("materialize_moved", "this turn's materialize phase comes after main", "Special Continuous Effects 1",
             scope="turn"),
    controller_fact("first_turn", "this is the player's first turn", "Turn One 1", "own_turn_is", "1",
                    says="a player's first turn", denies="a later turn"),
    agenda_fact("clean_up_endless", f"the clean-up was repeated {CLEAN_UPS} times", "no rule (U-24)", "tallied",
                "clean_up", str(CLEAN_UPS)),
)
DRAW_BEGUN = agenda_fact("draw_begun", "this turn has had a draw phase", "Turn One 1", "begun", "phase", "draw")
PANTHEON = controller_fact("pantheon", "the game is played by the rules of Pantheon", "Pantheon Turn One 1", "setting",
                           "pantheon")
TURN_ENDING = _latched("turn_ending", "an effect has ended this turn", "Ending Phases GR2", scope="turn")
LAST_IN_CYCLE = controller_fact("last_in_cycle", "the turn player is the last of the turn cycle", "Turn One 1.1",
                                "active_sits_last", "living")
"""Only those who are still in the game count (U-21)."""

DURATIONS = (
    Duration("end_of_turn", "mark", "end_of_turn", rule="End Phase GR3", doc="this turn, until end of turn"),
    *(
        Duration(f"end_of_{phase}", "end", phase, rule="Turn Order GR5",
                 doc=f"until end of the {phase.replace('_', ' ')} phase")
        for phase in (*PHASES, "combat", "end")
    ),
    Duration("your_next_turn", "begin", "turn", "yours", rule="Turn Order GR1", doc="until your next turn begins"),
)

SETTINGS = (
    Setting("first_draw_skipped", "the first player skips the first draw phase", "Turn Order GR1.1",
            default="two_players"),
    Setting("pantheon", "Pantheon instead of Standard: nobody skips the first draw phase", "Pantheon Turn One 1"),
)

# Opportunity: who may act, and when the Effects Stack resolves (Timing and Permissions) ---------------

# A natural window goes on until all pass on an empty Effects Stack. A conditional one opens only if something is there,
# and closes as soon as the Effects Stack is empty; "conditional_round": but for one more round.


WINDOW_EVENTS = (
    DONE,
    Event("acted", "the player with Opportunity did something"),
    Event("passed", "the player with Opportunity passed"),
    Event("player_left", "somebody lost the game"),
)

WINDOW_FACTS = (
    CHECKED,
    Fact("triggers_waiting", "a triggered ability waits to be put on the Effects Stack", "Triggered Abilities GR1",
         says="an ability has triggered", denies="no ability has triggered"),
    Fact("stack_empty", "the Effects Stack is empty", "Opportunity 4",
         says="the Effects Stack is empty", denies="something is on the Effects Stack"),
    Fact("interdiction_on_stack", "a card with Interdiction is on the Effects Stack", "Interdiction",
         says="a card with Interdiction is waiting", denies="no card with Interdiction is waiting"),
    Fact("attack_required", "the player must attack first, and has not attempted it", "Attack Declaration 1.4",
         says="the player must attack first", denies="the player need not attack"),
    controller_fact("window_conditional", "this window exists only while something is there", "Opportunity 1.2",
                  "window_opens", "conditional"),
    controller_fact("window_with_round", "this window exists only if something is there, and all must pass once more",
                  "End Phase GR4 (U-15)", "window_opens", "conditional_round"),
    controller_fact("everyone_passed", "all players have passed in succession", "Opportunity 4", "everyone_passed"),
    controller_fact("holder_left", "the player with Opportunity has lost the game", "Ending the Game GR8", "left",
                  "holder"),
    _of_window("window_opened", "somebody received Opportunity in this window", "Opportunity 1"),
    _of_window("sba_acted", "a state-based check changed something in this window", "State-based Checks GR1"),
    _of_window("trigger_placed", "a trigger was put on the Effects Stack in this window", "Triggered Abilities GR10"),
    _of_window("interdicted", "a card with Interdiction has just resolved", "Interdiction 3", scope="interdiction"),
)

WINDOW_STATES = (
    State("open", "stage", label="Window opens", role="begin", rule="Opportunity 8"),
    State("settle", "phase", "settle", "Before Opportunity", rule="Opportunity 9", doc="before anybody receives Opportunity"),
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
    State("closed", "final", label="the turn goes on", role="end", rule="Opportunity 11"),
)

WINDOW_ROWS = (
    row("open", "sba", "Opportunity 8", do=["clear(window)", "clear(interdiction)", "priority_to_first"],
        doc="the turn player comes first"),
    row("sba", "sba_done", "State-based Checks GR1"),
    row("sba_done", "sba", "State-based Checks GR1", "sba_performed", ["latch(sba_acted)"],
        doc="until nothing changes"),
    row("sba_done", "place_triggers", "Triggered Abilities GR1", "triggers_waiting"),
    row("sba_done", "gate", "Opportunity 9"),
    row("place_triggers", "sba", "Triggered Abilities GR10", do=["latch(trigger_placed)"], doc="then check once more"),
    jump("gate", "resolve_top", "Interdiction", "interdiction_on_stack", ["latch(interdicted)"],
        doc="nobody gets Opportunity until it has resolved"),
    row("gate", "closed", "Opportunity 7", "window_conditional, stack_empty, not interdicted", layer="skip",
        doc="nothing is left, so no further round comes"),
    row("gate", "closed", "Opportunity 1.2", "window_with_round, stack_empty, not interdicted, not window_opened",
        layer="skip", doc="nothing is there, so nobody gets Opportunity"),
    row("gate", "opportunity", "Opportunity 9", do=["latch(window_opened)"]),
    row("opportunity", "sba", "Opportunity 8.1", do=["note_action"], event="acted", doc="the same player again"),
    jump("opportunity", None, "Attack Declaration 1.4", "attack_required", event="passed",
        doc="the pass is refused: an attack must be attempted first"),
    row("opportunity", "all_passed", "Opportunity 4", do=["note_pass"], event="passed"),
    row("all_passed", "sba", "Opportunity 4", "not everyone_passed", ["priority_to_next"], doc="the next player"),
    row("all_passed", "resolve_top", "Opportunity 4", "not stack_empty", ["clear(interdiction)"]),
    row("all_passed", "closed", "Opportunity 11", doc="all passed in a row on an empty Effects Stack"),
    row("resolve_top", "sba", "Opportunity 8", do=["priority_to_first"], doc="then the turn player"),
)


_lost = partial(jump, rule="Ending the Game GR8", event="player_left")
_lost_on = partial(_lost, when="holder_left", do=["priority_to_next"])
LOSSES = (
    _lost_on("settle", None, doc="who comes next receives Opportunity instead"),
    _lost("settle", None, doc="Opportunity stays where it is"),
    _lost_on("opportunity", None, doc="the next player has it"),
    _lost("opportunity", None, doc="it stays"),
    _lost("all_passed", None, doc="Opportunity goes on to the next player all the same"),
)


def opportunity_window(edition: str) -> Model:
    """The Opportunity loop: settle, Opportunity goes round, resolve or close."""
    return Model(
        name="grand-archive-window",
        title="The Opportunity window",
        edition=edition,
        initial="open",
        states=WINDOW_STATES,
        transitions=(*WINDOW_ROWS, *LOSSES),
        events=WINDOW_EVENTS,
        facts=WINDOW_FACTS,
    )


# how a phase or turn ends early, and a turn player who loses (Ending Phases, Ending the Game) ---------


PHASE_ENDS = ("end(step)", "end(phase)")
COMBAT_ENDS = (*PHASE_ENDS, "clear(combat)", "resume")
TURN_ENDS = (*PHASE_ENDS, "drop(turn)")
TO_END = ("begin_quietly(phase, end, end)", "begin_quietly(step, end, end)")


_banish = partial(perform, label="Banish the rest", action="banish_stack",
                  doc="what is left on the Effects Stack vanishes unresolved")
ENDING_STATES = (
    *(_banish(f"{part}_cut", rule="Ending Phases GR1") for part in (*PHASES, "combat", "end_of_combat")),
    _banish("end_turn_stack", rule="Ending Phases GR2"),
    perform("end_turn_combat", "Combat is cleared", "Ending Phases GR2", "clear_combat", "roles and intent, silently"),
    State("lost_stack", "choice", label="Is anything pending?", parent="turn", role="procedure",
          rule="Ending the Game GR8"),
    State("lost_resolve", "action", "lost_resolve", "Pending items finish", "turn", "procedure", "Ending the Game GR8",
          "nobody gets Opportunity", asks="resolve"),
    State("lost_check", "action", "lost_check", "State-based check", "turn", "procedure", "State-based Checks GR1",
          "nobody gets Opportunity", asks="check"),
    perform("lost_combat", "Combat is cleared", "Ending the Game GR8", "clear_combat", "roles and intent, silently"),
    State("clean_up_loop", "final", label="The clean-up never ends", role="end", rule="no rule (U-24)"),
    State("game_over", "final", "", "Game over", role="end", rule="Ending the Game GR2"),
)


_ended = partial(jump, event="end_phase", says="an effect ends the phase")
_COMBAT = "Ending Phases GR1.2"
PHASE_ENDINGS = (
    *chain.from_iterable((
        _ended(f"{phase}_phase", f"{phase}_cut", "Ending Phases GR1", doc="an effect ends the phase"),
        jump(f"{phase}_cut", f"{phase}_phase_end", "Ending Phases GR1.1", do=PHASE_ENDS),
    ) for phase in PHASES),
    _ended("combat_phase", "combat_cut", _COMBAT, doc="an effect ends combat"),
    _ended("combat_phase_before", "combat_cut", _COMBAT, do=["begin_quietly(phase, combat, combat)"],
           doc="combat begins, only to be ended"),
    jump("combat_cut", "end_of_combat_before", _COMBAT, do=["end(step)"],
         doc="combat always has its end of combat step"),
    jump("end_of_combat_before", None, _COMBAT, event="end_phase", doc="it is ending already"),
    _ended("end_of_combat_step", "end_of_combat_cut", _COMBAT),
    jump("end_of_combat_cut", "end_of_combat_end", _COMBAT, do=["end(step)"]),
    _ended("end_phase", "end_turn_stack", "Ending Phases GR1", doc="this ends the turn (U-9)"),
    jump("turn", None, "Ending Phases GR1", event="end_phase", doc="it is ending already"),
    jump("turn", None, "Attacking GR1.7.1", event="attack", doc="not in main: the attack card fizzles"),
)
"""A main phase that is ended is still followed by a moved materialize phase (U-8). Ending the end
phase is ending the turn (U-9).
"""


def _turn(last: str, marks: tuple[str, ...], *, current: bool, silent: bool) -> tuple[Transition, ...]:
    """`silent`: a turn ended in combat has no end of combat step (U-11)."""
    rule, here, quietly = "Ending Phases GR2", "end_turn_stack", (*TURN_ENDS, *TO_END, *marks)
    combat = (
        jump(here, "end_turn_combat", rule, "combat_under_way", doc="combat ends silently (U-11)"),
        jump("end_turn_combat", last, rule, do=[*COMBAT_ENDS, *quietly]),
    ) if silent else (
        jump(here, "end_of_combat_before", rule, "combat_under_way", ["end(step)", "latch(turn_ending)"],
             doc="combat has its end of combat step first (U-11)"),
    )
    early = jump("before_game_over", None, rule, event="end_turn", doc="no turn has begun")
    return (
        jump("turn", here, rule, event="end_turn", doc="an effect ends the turn", says="an effect ends the turn"),
        *([early] if current else []),
        *combat,
        jump(here, last, rule, "ending_under_way", marks, doc="to the final part of the end phase"),
        jump(here, last, rule, do=quietly,
             doc="to the final part of the end phase: no triggers at its beginning, no window before it"),
    )


def _losing(end: str, marks: tuple[str, ...]) -> tuple[Transition, ...]:
    rule = "Ending the Game GR8"
    return (
        jump("turn", "game_over", "Ending the Game GR2", "not several_sides_left", event="player_left",
             doc="only one is left: the game is over", says="one side is left"),
        jump("turn", "lost_stack", rule, "turn_player_lost, not ending_under_way", event="player_left",
             doc="the turn player has lost: the turn comes to its end", says="the turn player leaves"),
        jump("turn", None, rule, event="player_left", doc="the others play on"),
        jump("lost_stack", "lost_resolve", rule, "not stack_empty", doc="what is pending finishes"),
        jump("lost_stack", "lost_combat", rule, "combat_under_way"),
        jump("lost_stack", end, rule, do=[*TURN_ENDS, *marks], doc="then the end phase of that turn"),
        jump("lost_resolve", "lost_check", rule),
        jump("lost_check", "lost_check", "State-based Checks GR1", "sba_performed", doc="until nothing changes"),
        jump("lost_check", "lost_stack", rule),
        jump("lost_combat", end, rule, do=[*COMBAT_ENDS, *TURN_ENDS, *marks]),
    )


# the turn -----------------------------------------------------------------------------------------

RULES = FrameRules(
    turn="Turn Order GR1",
    begin="Turn Order GR6",
    end="Turn Order GR5",
    skip="Skipping Phases GR1",
    extra_turn="no rule (U-17)",
    no_turn="Ending the Game GR8",
)
"""An extra turn is a full turn, after the current one, the newest first; it is never a player's
first turn (U-17). What lasts "until end of turn" outlasts a turn without clean-up (U-13).
"""

NOT_FIRST = Absent("first_turn", "Turn Order GR1", "not on a player's first turn", says="a player's first turn")
"""An effect that skips such a phase waits for one that would happen (U-12)."""

REFUSED = (
    Absent("first_turn, not last_in_cycle", "Turn One 1.1", "nobody attacks on their first turn"),
    Absent("not stack_empty", "Attack Cards GR2.1", "the attack card fizzles if something else is there"),
)
CHANGED = ("sba_acted", "trigger_placed")
"""In a window the check has changed something, or a trigger was put on the Effects Stack."""
BEGINNING = "beginning-of-phase abilities"
DISTORTED = "Special Continuous Effects 1"


_place = partial(Act, asks="place")

WAKE_UP = Phase("wake_up",
    Step("wake_up",
        Act("wake", "Wake", "Wake Up GR1", "all rested objects of the turn player, at once",
            says="wake what is rested"),
        # beginning-of-phase abilities come after the action (U-1)
        Window("Wake Up GR2", "“wakes up” and beginning-of-phase abilities", "conditional", "triggers"),
        rule="Wake Up GR1"),
    rule="Wake Up GR1", label="Wake Up", unless=NOT_FIRST)

EARLY_ATTACK = (
    *(ruled(refused, "main_triggers", None, event="attack", layer="jump") for refused in REFUSED),
    row("main_triggers", "main_declare_attack", "Attack Cards GR2.3", event="attack",
        doc="an attack card that resolves", says="an attack is declared"),
)
"""An attack card that resolves before the main window: in main it is, so there is an attack."""


def _champion(when: str) -> tuple[Part, ...]:
    """The first champion: in 2024 on a player's first turn (U-28), and its abilities at once
    (U-23).
    """
    return (
        Act("place_champion", "Place the champion", "Turn One 1", "the turn player's, of level 0", when=when),
        Window("Turn One 1", "its On Enter abilities", "conditional", "champion_enters", when=when),
    )


def table(
    *,
    edition: Literal["CUR", "OLD"] = "CUR",
    silent_combat_teardown: bool = True,
    round_after_recheck: bool = True,
    pantheon_first_draw: bool = True,
    next_player_acts_for_lost: bool = True,
    round_after_materialize: bool = False,
) -> Table:
    """Grand Archive's turn, with its editions, and the options that stand for what the rules leave
    open.

    edition: the text of August 2026, or that of 2024.
    silent_combat_teardown: a turn ended in combat has no end of combat step (U-11).
    round_after_recheck: after a clean-up that caused something, all must pass once more on the
        empty Effects Stack (U-15).
    pantheon_first_draw: in Pantheon the first player of two draws (U-20).
    next_player_acts_for_lost: after the turn player has lost, the end phase has its windows, and
        the next player acts first (U-22).
    round_after_materialize: all must pass once more after what followed a materialization (U-25).
    """
    options = {**locals()}
    current, silent = edition == "CUR", silent_combat_teardown
    title, rulebook = EDITIONS[edition]
    # an ended turn goes on with the clean-up (U-10): "this turn" ends as it begins, but in 2024 within it
    last, marks = ("end_clean_up", ("mark(end_of_turn)",)) if current else ("end_remove_damage", ())
    to_end = (*TO_END, *marks)

    # the window before the action closes as soon as the Effects Stack is empty (U-15)
    afterwards = Window("Materialize GR4", "what has triggered since", "conditional", "afterwards")
    if round_after_materialize:
        afterwards = Window("Materialize GR4", "something triggered: all must pass once more", name="afterwards",
                            when="trigger_placed")
    materialize = Phase("materialize",
        Step("materialize",
            Window("Materialize GR2", BEGINNING, "conditional", "triggers"),
            Act("materialize", "Materialize", "Materialize GR3", "one card of the material deck, if wanted",
                says="one card, if wanted"),
            Window("Materialize GR3", "the card itself, if there is one", "conditional", "responses"),
            afterwards,
            rule="Materialize GR2"),
        rule="Materialize GR2", unless=(  # on a player's first turn the phase does not come after main either (U-19)
            Absent("first_turn", "Materialize GR1", "not on a player's first turn", says="a player's first turn"),
            Absent("time_distorted, not materialize_moved", DISTORTED, "it comes after main",
                   says="time is distorted: comes after Main"),
        ), then=Then("end", "materialize_moved", DISTORTED, "it came after main", says="it came after Main"))
    recollection = Phase("recollection",
        Step("recollection",
            # they go on before beginning-of-recollection abilities (U-2)
            Act("add_charge_counters", "Charge counters", "On Charge N", "on the turn player's objects"),
            Window("Recollection GR1", "beginning-of-recollection abilities", "conditional", "triggers"),
            Window("Recollection GR2", "before memory returns to hand", label="Before recollection"),
            Act("recollect", "Recollect", "Recollection GR3", "the turn player's memory returns to hand",
                says="memory to hand"),
            Window("Recollection GR4", "what has triggered since", "conditional", "afterwards") if current else
            _place("place_triggers", "Place triggers", "Recollection GR4", "they resolve in draw"),
            rule="Recollection GR1"),
        rule="Recollection GR1", unless=NOT_FIRST)
    no_draw = "first_turn, starting_player, first_draw_skipped" + (", not pantheon" * pantheon_first_draw)
    draw = Phase("draw",
        Step("draw",
            *(() if current else _champion("first_turn")),
            Act("draw_card", "Draw a card", "Draw GR1", "the turn player draws"),
            # beginning-of-phase abilities come after the action (U-1)
            Window("Draw GR2", "beginning-of-phase abilities, and those of the draw", "conditional", "triggers"),
            rule="Draw GR1"),
        rule="Draw GR1", unless=Absent(no_draw, "Turn Order GR1.1", "the first player of two does not draw first",
                                       says="starting player's first turn, if the format says so"))
    damage = _place("place_triggers", "Place triggers", "End of Combat GR1", "those of the damage step")
    checks = (
        Act("check", "State-based check", "End of Combat GR1", "deaths, weapons without durability", asks="check"),
        Back("check", "sba_performed", "State-based Checks GR1", "until nothing changes"),
        _place("place_new_triggers", "Place new triggers", "End of Combat GR1", "on top"),
    )
    roles = Act("remove_roles", "Roles off", "End of Combat GR1", "nobody attacks or defends any more",
                says="combat roles end")
    intent = Act("discard_intent", "Intent to graveyard", "End of Combat GR1", "ephemeral cards are banished",
                 says="attack card to graveyard")
    combat = Phase("combat",
        Step("retaliation",
            Window("Retaliation Step GR1", "On Attack, Intercept, “attacked” abilities", "conditional", "triggers"),
            Window("Retaliation Step GR2", "before defenders retaliate", label="Before retaliation"),
            Act("declare_retaliation", "Retaliate", "Retaliation Step GR3",
                "each eligible unit, if its controller wants", decides="several_retaliators", by="everyone"),
            # after retaliation there is a window only for what has triggered (U-4)
            Window("Retaliation Step GR4", "what has triggered since", "conditional", "afterwards"),
            rule="Retaliation Step GR1", says="defenders may retaliate"),
        Step("damage",
            Window("Damage Step GR1", "before damage is dealt", label="Before damage"),
            # several retaliators are ordered after the window before damage (U-5)
            Act("order_retaliators", "Order retaliators", "Damage Step GR2",
                "the attacking player, if there are several", when="several_retaliators"),
            Act("deal_combat_damage", "Deal damage", "Damage Step GR3", "and weapons lose durability, all at once"),
            rule="Damage Step GR1", says="several: choose an order, then damage is dealt"),
        # The order changed with the edition. Roles and intent are gone before players may act (U-6). A step that an
        # effect forced is like any other (U-7, U-27).
        Step("end_of_combat",
            *((damage, *checks, roles, intent) if current else (intent, roles, damage, *checks)),
            Window("End of Combat GR2", "what is still to be placed", "conditional", "triggers"),
            rule="End of Combat GR1", says="combat roles end, attack card to graveyard"),
        rule="Main GR2", then=() if silent else Then(
            last, "turn_ending", "Ending Phases GR2", "the turn is being ended (U-11)", layer="jump",
            do=("resume", *TURN_ENDS, *to_end)))
    attack = Act("declare_attack", "Declare an attack", "Attack Declaration 2",
                 "attacker, weapons, target, costs: all or nothing", decides="attack_declared")
    # Combat does not end what lasts "until end of main phase" (U-3). Time that is distorted moves a materialize phase
    # here even if this turn has had one (U-18), but not on a first turn (U-19).
    main = Phase("main",
        Step("main",
            *([Window("Main GR1", "beginning-of-main abilities", "conditional", "triggers")] if current else
              _champion("first_turn, not draw_begun")),
            Window("Main GR2", "the turn player may attack", label="Main window", during=During("attack", attack, combat,
                   rule="Attack Declaration 2", when="attack_declared", unless=REFUSED * current, back="Main GR2",
                   doc="a slow action, or an attack card that resolves", says="an attack is declared")),
            rule="Main GR1", says="the turn player acts, attacks are declared"),
        rule="Main GR1", then=Then(
            "materialize", "time_distorted, not materialize_moved, not first_turn", DISTORTED,
            "time is distorted: it comes now", says="time is distorted", do=("latch(materialize_moved)",)))
    # One action for everything, or in 2024 a series. When it repeats, "as the turn ends" effects do not occur again
    # (U-26). In 2024 it repeats because what is on the Effects Stack gives Opportunity (Opportunity 1.2, U-16).
    clean_up: tuple[Act, ...] = (
        Act("clean_up", "Clean-up", "End Phase GR3",
            "at once: damage off allies, “this turn” ends, discard to imposed limits",
            says="damage off allies, effects for this turn end", ends="end_of_turn", manner="effects_once"),
    )
    checked, again = "End Phase GR4", "End Phase GR4"
    if not current:
        clean_up = (
            Act("remove_damage", "Damage off allies", "End Phase GR3", "temporary damage, not that of champions"),
            Act("end_effects", "“This turn” ends", "End Phase GR3", "and what happens “as the turn ends”",
                ends="end_of_turn", manner="effects_once"),
            Act("discard_to_limits", "Discard to limits", "End Phase GR3", "the turn player, if a limit is imposed"),
        )
        checked, again = "End Phase GR3", "no rule (U-16)"
    end = Phase("end",
        Step("end",
            Window("End Phase GR2", "beginning-of-end-phase abilities there now", label="Before end of turn"),
            *clean_up,
            Window(checked, "what the clean-up has caused",
                   "conditional_round" if round_after_recheck else "conditional", "recheck", label="Check again"),
            # again if the check changed something or an ability triggered (U-14), up to 1000 times in a turn (U-24)
            *(Back("clean_up_loop", f"{changed}, clean_up_endless", "no rule (U-24)", "no end")
              for changed in CHANGED),
            *(Back(clean_up[0].name, changed, again, "something changed: the clean-up again",
                   says="if something happened: clean-up again", layer="extra", do=("tally(clean_up)",))
              for changed in CHANGED),
            rule="End Phase GR1", says="damage off allies, effects for this turn end"),
        rule="End Phase GR1")
    lost = _losing("end_phase_before", ()) if next_player_acts_for_lost else _losing(last, to_end)
    return Table(
        "grand-archive",
        WAKE_UP,
        materialize,
        recollection,
        draw,
        main,
        end,
        title="Grand Archive",
        edition=title,
        rulebook=rulebook,
        rules=RULES,
        lacks="extra_phase, extra_step, skip_step",
        window=opportunity_window(title),
        window_label="Opportunity",
        before_game=Act("place_champions", "Place the champions", "Starting the Game 6", "all of level 0",
                        says="all champions are placed", by="everyone") if current else (),
        facts=(
            *FACTS,
            LAST_IN_CYCLE if current else DRAW_BEGUN,
            *[PANTHEON] * pantheon_first_draw,
            *[TURN_ENDING] * (not silent),
        ),
        events=(
            Event("attack", "the turn player declares an attack, or an attack card resolves"),
            Event("end_phase", "an effect ends the phase"),
            Event("end_turn", "an effect ends the turn"),
            Event("player_left", "somebody lost the game"),
        ),
        states=tuple(state for state in ENDING_STATES if silent or state.id != "end_turn_combat"),
        transitions=(*EARLY_ATTACK * current, *PHASE_ENDINGS, *_turn(last, marks, current=current, silent=silent),
            *lost),
        durations=DURATIONS,
        settings=SETTINGS,
        options=tuple(options.items()),
    )
