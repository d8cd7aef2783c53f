"""Grand Archive, Comprehensive Rules of August 2026, or of 2024 (the option `edition`); citations
are page and rule.

Read it beside the rulebook: phases in turn order, most with one step of the same name. Players may
act in a natural window, or in a conditional one while something is on the Effects Stack. Combat
runs inside main, which waits for it.

The rules leave some points open, which have numbers here (U-n). Five of them are options; for the
others this table takes one reading, which stands where it matters.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from fsm.model import Opens, Transition
from fsm.rulesets.frame.parts import (
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
from fsm.rulesets.frame.rows import row
from fsm.rulesets.frame.table import Table
from fsm.rulesets.grand_archive.endings import EVENTS, cut_down, endings
from fsm.rulesets.grand_archive.facts import DURATIONS, SETTINGS, facts
from fsm.rulesets.grand_archive.window import opportunity_window

EDITIONS = {"CUR": "GA CR 2026-08", "OLD": "GA CR 2024"}
RULEBOOKS = {"CUR": "Comprehensive Rules of August 2026", "OLD": "Comprehensive Rules of 2024"}

RULES = FrameRules(
    turn="Turn Order GR1",
    begin="Turn Order GR6",
    end="Turn Order GR5",
    skip="Skipping Phases GR1",
    skip_step="",
    extra_turn="no rule (U-17)",
    no_turn="Ending the Game GR8",
    turn_clears="turn",
)
"""An extra turn is a full turn, after the current one, the newest first; it is never a player's
first turn (U-17). What lasts "until end of turn" outlasts a turn without clean-up (U-13).
"""

NOT_FIRST = Absent("first_turn", "Turn Order GR1", "not on a player's first turn", says="a player's first turn")
"""An effect that skips such a phase waits for one that would happen (U-12)."""

REFUSED = (
    Absent("first_turn, not last_in_cycle", "Turn One 1.1", "nobody attacks on their first turn"),
    Absent("not stack_empty", "Attack Cards GR2.1", "something else is there: the attack card fizzles"),
)
BEGINNING = "beginning-of-phase abilities"


def wake_up() -> Phase:
    """Beginning-of-phase abilities come after the action (U-1)."""
    return Phase("wake_up", "Wake Up", "Wake Up GR1", (
        Step("wake_up", "Wake up", "Wake Up GR1", (
            Act("wake", "Wake", "Wake Up GR1", doc="all rested objects of the turn player, at once",
                says="wake what is rested"),
            Window("Wake Up GR2", "conditional", "triggers", doc="“wakes up” and beginning-of-phase abilities"),
        )),
    ), absent=(NOT_FIRST,))


def materialize(*, once_more: bool) -> Phase:
    """The window before the action closes as soon as the Effects Stack is empty (U-15). On a
    player's first turn the phase does not come after main either (U-19).
    """
    rule, name = "Materialize GR4", "afterwards"
    after = (
        Window(rule, name=name, when="trigger_placed", doc="something triggered: all must pass once more")
        if once_more else Window(rule, "conditional", name, doc="what has triggered since")
    )
    return Phase("materialize", "Materialize", "Materialize GR2", (
        Step("materialize", "Materialize", "Materialize GR2", (
            Window("Materialize GR2", "conditional", "triggers", doc=BEGINNING),
            Act("materialize", "Materialize", "Materialize GR3", doc="one card of the material deck, if wanted",
                says="one card, if wanted"),
            Window("Materialize GR3", "conditional", "responses", doc="the card itself, if there is one"),
            after,
        )),
    ), absent=(
        Absent("first_turn", "Materialize GR1", "not on a player's first turn", says="a player's first turn"),
        Absent("time_distorted, not materialize_moved", "Special Continuous Effects 1", "it comes after main",
               says="time is distorted: comes after Main"),
    ), then=(
        Then("end", "materialize_moved", "Special Continuous Effects 1", doc="it came after main",
             says="it came after Main"),
    ))


def recollection(*, current: bool) -> Phase:
    """Charge counters go on before beginning-of-recollection abilities (U-2)."""
    return Phase("recollection", "Recollection", "Recollection GR1", (
        Step("recollection", "Recollection", "Recollection GR1", (
            Act("add_charge_counters", "Charge counters", "On Charge N", doc="on the turn player's objects"),
            Window("Recollection GR1", "conditional", "triggers", doc="beginning-of-recollection abilities"),
            Window("Recollection GR2", label="Before recollection"),
            Act("recollect", "Recollect", "Recollection GR3", doc="the turn player's memory returns to hand",
                says="memory to hand"),
            Window("Recollection GR4", "conditional", "afterwards", doc="what has triggered since") if current else
            Act("place_triggers", "Place triggers", "Recollection GR4", doc="they resolve in draw", asks="place"),
        )),
    ), absent=(NOT_FIRST,))


def champion(when: str, *, current: bool) -> tuple[Part, ...]:
    """The first champion: in 2024 on a player's first turn (U-28), and its abilities at once
    (U-23).
    """
    if current:
        return ()
    return (
        Act("place_champion", "Place the champion", "Turn One 1", when, "the turn player's, of level 0"),
        Window("Turn One 1", "conditional", "champion_enters", when=when, doc="its On Enter abilities"),
    )


def draw(*, current: bool, pantheon_draws: bool) -> Phase:
    """Beginning-of-phase abilities come after the action (U-1)."""
    no_draw = "first_turn, starting_player, first_draw_skipped" + (", not pantheon" * pantheon_draws)
    return Phase("draw", "Draw", "Draw GR1", (
        Step("draw", "Draw", "Draw GR1", (
            *champion("first_turn", current=current),
            Act("draw_card", "Draw a card", "Draw GR1", doc="the turn player draws"),
            Window("Draw GR2", "conditional", "triggers", doc="beginning-of-phase abilities, and those of the draw"),
        )),
    ), absent=(
        Absent(no_draw, "Turn Order GR1.1", "the first player of two does not draw first",
               says="first turn of the one who starts, if the format says so"),
    ))


def main(*, current: bool, silent: bool) -> Phase:
    """Combat does not end what lasts "until end of main phase" (U-3). Time that is distorted moves
    a materialize phase here even if this turn has had one (U-18), but not on a first turn (U-19).
    """
    begins = Window("Main GR1", "conditional", "triggers", doc="beginning-of-main abilities")
    return Phase("main", "Main", "Main GR1", (
        Step("main", "Main", "Main GR1", (
            *champion("first_turn, not draw_begun", current=current),
            *((begins,) if current else ()),
            Window("Main GR2", label="Main window"),
        ), during=(
            During("attack", "Attack Declaration 2", Act(
                "declare_attack", "Declare an attack", "Attack Declaration 2", decides=("attack_declared",),
                doc="attacker, weapons, target, costs: all or nothing",
            ), into="combat", when="attack_declared", refused=REFUSED if current else (), back="Main GR2",
                doc="a slow action, or an attack card that resolves", says="an attack is declared"),
        ), says="the turn player acts, attacks are declared"),
    ), then=(
        Then("materialize", "time_distorted, not materialize_moved, not first_turn", "Special Continuous Effects 1",
             doc="time is distorted: it comes now", says="time is distorted", do=("latch(materialize_moved)",)),
    ), inside=(combat(current=current, silent=silent),))


def early_attack() -> Iterator[Transition]:
    """An attack card that resolves before the main window: in main it is, so there is an attack."""
    here, event, rule = "main_triggers", "attack", "Attack Cards GR2.3"
    for refused in REFUSED:
        yield row(here, None, refused.when, event=event, rule=refused.rule, layer="jump", doc=refused.doc)
    yield row(here, "main_declare_attack", event=event, rule=rule, doc="an attack card that resolves",
              says="an attack is declared")


def combat(*, current: bool, silent: bool) -> Phase:
    """After retaliation there is a window only for what has triggered (U-4). Several retaliators
    are ordered after the window before damage (U-5).
    """
    return Phase("combat", "Combat", "Main GR2", (
        Step("retaliation", "Retaliation", "Retaliation Step GR1", (
            Window("Retaliation Step GR1", "conditional", "triggers", doc="On Attack, Intercept, “attacked” abilities"),
            Window("Retaliation Step GR2", label="Before retaliation"),
            Act("declare_retaliation", "Retaliate", "Retaliation Step GR3", decides=("several_retaliators",),
                doc="each eligible unit, if its controller wants", by="everyone"),
            Window("Retaliation Step GR4", "conditional", "afterwards", doc="what has triggered since"),
        ), says="defenders may retaliate"),
        Step("damage", "Damage", "Damage Step GR1", (
            Window("Damage Step GR1", label="Before damage"),
            Act("order_retaliators", "Order retaliators", "Damage Step GR2", "several_retaliators",
                doc="the attacking player, if there are several"),
            Act("deal_combat_damage", "Deal damage", "Damage Step GR3", doc="and weapons lose durability, all at once"),
        ), says="several: choose an order, then damage is dealt"),
        Step("end_of_combat", "End of combat", "End of Combat GR1", end_of_combat(current=current),
             says="combat roles end, attack card to graveyard"),
    ), clears="combat", then=cut_down(current=current, silent=silent))


def end_of_combat(*, current: bool) -> tuple[Part, ...]:
    """The end of combat step, whose order changed with the edition. Roles and intent are gone
    before players may act (U-6). A step that an effect forced is like any other (U-7, U-27).
    """
    damage = Act("place_triggers", "Place triggers", "End of Combat GR1", doc="those of the damage step", asks="place")
    checks = (
        Act("check", "State-based check", "End of Combat GR1", doc="deaths, weapons without durability", asks="check"),
        Back("check", "sba_performed", "State-based Checks GR1", "until nothing changes"),
        Act("place_new_triggers", "Place new triggers", "End of Combat GR1", doc="on top", asks="place"),
    )
    roles = Act("remove_roles", "Roles off", "End of Combat GR1", doc="nobody attacks or defends any more",
                says="combat roles end")
    intent = Act("discard_intent", "Intent to graveyard", "End of Combat GR1", doc="ephemeral cards are banished",
                 says="attack card to graveyard")
    acts = Window("End of Combat GR2", "conditional", "triggers", doc="what is still to be placed")
    return (damage, *checks, roles, intent, acts) if current else (intent, roles, damage, *checks, acts)


def end(*, current: bool, once_more: bool) -> Phase:
    return Phase("end", "End", "End Phase GR1", (
        Step("end", "End", "End Phase GR1", (
            Window("End Phase GR2", label="Before end of turn", doc="beginning-of-end-phase abilities there now"),
            *clean_up(current=current),
            *recheck(current=current, once_more=once_more),
        ), says="damage off allies, effects for this turn end"),
    ))


def clean_up(*, current: bool) -> tuple[Part, ...]:
    """One action for everything, or in 2024 a series. When it repeats, "as the turn ends" effects
    do not occur again (U-26).
    """
    rule, manner = "End Phase GR3", "effects_once"
    if current:
        return (
            Act("clean_up", "Clean-up", rule, ends="end_of_turn", manner=manner,
                doc="at once: damage off allies, “this turn” ends, discard to imposed limits",
                says="damage off allies, effects for this turn end"),
        )
    return (
        Act("remove_damage", "Damage off allies", rule, doc="temporary damage, not that of champions"),
        Act("end_effects", "“This turn” ends", rule, ends="end_of_turn", manner=manner,
            doc="and what happens “as the turn ends”"),
        Act("discard_to_limits", "Discard to limits", rule, doc="the turn player, if a limit is imposed"),
    )


def recheck(*, current: bool, once_more: bool) -> Iterator[Part]:
    """The check after the clean-up, which repeats if the check changed something or an ability
    triggered (U-14). In 2024 it does so too, because what is on the Effects Stack gives Opportunity
    (Opportunity 1.2, U-16). After 1000 repeats in a turn the loop is reported (U-24).
    """
    checks = "End Phase GR4" if current else "End Phase GR3"
    rule, first = (checks, "clean_up") if current else ("no rule (U-16)", "remove_damage")
    opens: Opens = "conditional_round" if once_more else "conditional"
    yield Window(checks, opens, "recheck", "Check again", doc="what the clean-up has caused")
    for changed in ("sba_acted", "trigger_placed"):
        yield Back("clean_up_loop", f"{changed}, clean_up_endless", "no rule (U-24)", "no end")
    for changed in ("sba_acted", "trigger_placed"):
        yield Back(first, changed, rule, "something changed: the clean-up again", "extra", ("tally(clean_up)",),
                   "if something happened: clean-up again")


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
    current, silent = edition == "CUR", silent_combat_teardown
    states, transitions = endings(current=current, silent=silent, next_acts=next_player_acts_for_lost)
    place = Act("place_champions", "Place the champions", "Starting the Game 6", doc="all of level 0", by="everyone",
                says="all champions are placed")
    return Table(
        name="grand-archive",
        title="Grand Archive",
        edition=EDITIONS[edition],
        rulebook=RULEBOOKS[edition],
        phases=(
            wake_up(),
            materialize(once_more=round_after_materialize),
            recollection(current=current),
            draw(current=current, pantheon_draws=pantheon_first_draw),
            main(current=current, silent=silent),
            end(current=current, once_more=round_after_recheck),
        ),
        rules=RULES,
        window=opportunity_window(EDITIONS[edition]),
        window_label="Opportunity",
        before_game=(place,) if current else (),
        facts=facts(current=current, pantheon=pantheon_first_draw, turn_ending=not silent),
        events=EVENTS,
        states=states,
        transitions=(*(early_attack() if current else ()), *transitions),
        durations=DURATIONS,
        settings=SETTINGS,
        options=(
            ("edition", edition),
            ("silent_combat_teardown", silent_combat_teardown),
            ("round_after_recheck", round_after_recheck),
            ("pantheon_first_draw", pantheon_first_draw),
            ("next_player_acts_for_lost", next_player_acts_for_lost),
            ("round_after_materialize", round_after_materialize),
        ),
    )
