"""Grand Archive, Comprehensive Rules of August 2026, or of 2024 (the option `edition`); citations are page and rule.

Read it beside the rulebook: phases in turn order, most with one step of the same name. Players may act in a natural
window, or in a conditional one while something is on the Effects Stack. Combat runs inside main, which waits for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace

from fsm.model import Opens, Transition
from fsm.rulesets.grand_archive_endings import EVENTS, cut_down, endings, fresh, main_ends
from fsm.rulesets.grand_archive_facts import SETTINGS, durations, facts
from fsm.rulesets.grand_archive_options import Options
from fsm.rulesets.grand_archive_window import opportunity_window
from fsm.rulesets.rows import row
from fsm.rulesets.table import Absent, Act, Back, During, FrameRules, Part, Phase, Step, Table, Then, Window

EDITIONS = {"CUR": "GA CR 2026-08", "OLD": "GA CR 2024"}

CHANGES = {
    "trigger": ("trigger_placed",),
    "sba_or_trigger": ("sba_acted", "trigger_placed"),
    "anything": ("clean_up_changed", "sba_acted", "trigger_placed"),
}
BEGINNING = "beginning-of-phase abilities"
REFUSED = (
    Absent("first_turn, not last_in_cycle", "Turn One 1.1", "nobody attacks on their first turn"),
    Absent("not stack_empty", "Attack Cards GR2.1", "something else is there: the attack card fizzles"),
)

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


def wake_up(o: Options) -> Phase:
    return Phase("wake_up", "Wake Up", "Wake Up", (
        Step("wake_up", "Wake up", "Wake Up GR1", (
            *_first_triggers(o),
            Act("wake", "Wake", "Wake Up GR2", doc="all rested objects of the turn player, at once"),
            Window("Wake Up GR3", "conditional", "triggers", doc="“wakes up” and beginning-of-phase abilities"),
        )),
    ), absent=(_not_first(o),))


def materialize(o: Options) -> Phase:
    first = "first_turn" if o.distorted_first_turn_skips else "first_turn, not materialize_moved"
    return Phase("materialize", "Materialize", "Materialize", (
        Step("materialize", "Materialize", "Materialize GR1", (
            Window("Materialize GR1", _round(o.round_before_materialize), "triggers", doc=BEGINNING),
            Act("materialize", "Materialize", "Materialize GR2", doc="one card of the material deck, if wanted"),
            Window("Materialize GR3", "conditional", "responses", doc="the card itself, if there is one"),
            *_after_materialization(o),
        )),
    ), absent=(
        _not_first(o, first),
        Absent("time_distorted, not materialize_moved", "Special Continuous Effects 1", "it comes after main"),
    ), then=(
        Then("end", "materialize_moved", "Special Continuous Effects 2", doc="it came after main"),
    ))


def recollection(o: Options) -> Phase:
    charge = Act("add_charge_counters", "Charge counters", "On Charge N", doc="on the turn player's objects")
    begins = Window("Recollection GR1", "conditional", "triggers", doc="beginning-of-recollection abilities")
    return Phase("recollection", "Recollection", "Recollection", (
        Step("recollection", "Recollection", "Recollection GR1", (
            *((charge, begins) if o.charge_before_triggers else (begins, charge)),
            Window("Recollection GR2", label="Before recollection"),
            Act("recollect", "Recollect", "Recollection GR3", doc="the turn player's memory returns to hand"),
            Window("Recollection GR4", "conditional", "afterwards", doc="what has triggered since") if o.current else
            Act("place_triggers", "Place triggers", "Recollection GR4", doc="they resolve in draw", asks="place"),
        )),
    ), absent=(_not_first(o),))


def draw(o: Options) -> Phase:
    no_draw = "first_turn, starting_player, first_draw_skipped" + (", not pantheon" * o.pantheon_first_draw)
    return Phase("draw", "Draw", "Draw", (
        Step("draw", "Draw", "Draw GR1", (
            *_champion(o, "first_turn"),
            *_first_triggers(o),
            Act("draw_card", "Draw a card", "Draw GR2", doc="the turn player draws"),
            Window("Draw GR3", "conditional", "triggers", doc="beginning-of-phase abilities, and those of the draw"),
        )),
    ), absent=(_not_first(o, no_draw, "the first player of two does not draw first"),))


def main(o: Options) -> Phase:
    moves = "time_distorted, not materialize_moved" + (", not first_turn" * o.distorted_first_turn_skips)
    moves += ", not materialize_begun" * (not o.distortion_counts_late)
    return Phase("main", "Main", "Main", (
        Step("main", "Main", "Main GR1", (
            *_champion(o, "first_turn, not draw_begun"),
            *((Window("Main GR1", "conditional", "triggers", doc="beginning-of-main abilities"),) if o.current else ()),
            Window("Main GR2", label="Main window"),
        ), during=(
            During("attack", "Attack Declaration 2", Act(
                "declare_attack", "Declare an attack", "Attack Declaration 2", tells=("attack_declared",),
                doc="attacker, weapons, target, costs: all or nothing",
            ), into="combat", succeeds="attack_declared", refused=REFUSED if o.current else (), back="Main GR2",
                do=main_ends(o), doc="a slow action, or an attack card that resolves"),
        )),
    ), marks="" if o.combat_suspends_main else "end_of_main", then=(
        Then("materialize", moves, "Special Continuous Effects 2", doc="time is distorted: it comes now",
             do=("latch(materialize_moved)",)),
    ), inside=(combat(o),))


def combat(o: Options) -> Phase:
    order = Act("order_retaliators", "Order retaliators", "Damage Step GR2", "several_retaliators",
                doc="the attacking player, if there are several")
    before = Window("Damage Step GR1", label="Before damage")
    return Phase("combat", "Combat", "Combat Phase", (
        Step("retaliation", "Retaliation", "Retaliation Step", (
            Window("Retaliation Step GR1", "conditional", "triggers", doc="On Attack, Intercept, “attacked” abilities"),
            Window("Retaliation Step GR2", label="Before retaliation"),
            Act("declare_retaliation", "Retaliate", "Retaliation Step GR3", tells=("several_retaliators",),
                doc="each eligible unit, if its controller wants"),
            *_after_retaliation(o),
        )),
        Step("damage", "Damage", "Damage Step", (
            *((before, order) if o.retaliator_order == "after_window" else (order, before)),
            Act("deal_combat_damage", "Deal damage", "Damage Step GR3", doc="and weapons lose durability, all at once"),
        )),
        Step("end_of_combat", "End of combat", "End of Combat Step", _end_of_combat(o)),
    ), clears="combat", then=cut_down(o))


def end(o: Options) -> Phase:
    return Phase("end", "End", "End Phase", (
        Step("end", "End", "End Phase GR1", (
            Window("End Phase GR2", label="Before end of turn", doc="beginning-of-end-phase abilities there now"),
            Act("clean_up", "Clean-up", "End Phase GR3", marks="end_of_turn",
                doc="at once: damage off allies, “this turn” ends, discard to imposed limits",
                manner="effects_once" if o.turn_end_effects_once else "effects_each_time",
                tells=("clean_up_changed",) if o.clean_up_tells else ()),
            *_recheck(o),
        )),
    ))


def table(options: Options | None = None) -> Table:
    """Grand Archive's turn, with the options that stand for what the rules leave open."""
    o = options or Options()
    phases = (wake_up(o), materialize(o), recollection(o), draw(o), main(o), end(o))
    states, transitions = endings(o)
    return Table(
        name="grand-archive",
        title="Grand Archive",
        edition=EDITIONS[o.edition],
        phases=phases,
        rules=RULES if o.persist_until_next_clean_up else replace(RULES, turn_marks="end_of_turn"),
        window=opportunity_window(EDITIONS[o.edition]),
        window_label="Opportunity",
        before_game=() if o.champion_late else (
            Act("place_champions", "Place the champions", "Starting the Game 6", doc="all of level 0, in turn order"),
        ),
        facts=facts(o),
        events=EVENTS,
        states=states,
        transitions=(*_early_attack(o), *transitions),
        durations=durations(o),
        settings=SETTINGS,
        options=tuple(asdict(o).items()),
    )


# parts that options decide ------------------------------------------------------------------------------------------


def _round(wanted: bool) -> Opens:
    return "conditional_round" if wanted else "conditional"


def _not_first(o: Options, when: str = "first_turn", doc: str = "not on a player's first turn") -> Absent:
    return Absent(when, "Turn Order GR1", doc, spends=o.skip_spent_by_absent_phase)


def _first_triggers(o: Options) -> tuple[Part, ...]:
    begins = Window("Turn Order GR6", "conditional", "first_triggers", doc=BEGINNING)
    return () if o.begin_triggers_after_tba else (begins,)


def _champion(o: Options, when: str) -> tuple[Part, ...]:
    if not o.champion_late:
        return ()
    place = Act("place_champion", "Place the champion", "Special Game Actions", when, "the turn player's, of level 0")
    enters = Window("Special Game Actions", "conditional", "champion_enters", when=when, doc="its On Enter abilities")
    return (place, enters) if o.champion_enters_first else (place,)


def _after_materialization(o: Options) -> tuple[Part, ...]:
    rule, name = "Materialize GR4", "afterwards"
    if o.round_after_materialize:
        return (Window(rule, name=name, when="trigger_placed", doc="something triggered: all must pass once more"),)
    return (Window(rule, "conditional", name, doc="what has triggered since"),)


def _early_attack(o: Options) -> Iterator[Transition]:
    """An attack card that resolves before the main window: in main it is, so there is an attack."""
    if not o.current:
        return
    here, event, rule = "main_triggers", "attack", "Attack Cards GR2.3"
    for refused in REFUSED:
        yield row(here, None, refused.when, event=event, rule=refused.rule, layer="jump", doc=refused.doc)
    yield row(here, "main_declare_attack", event=event, rule=rule, doc="an attack card that resolves")


def _after_retaliation(o: Options) -> tuple[Part, ...]:
    if o.window_after_retaliation == "none":
        return ()
    return (Window("Retaliation Step GR4", o.window_after_retaliation, "afterwards", doc="what has triggered since"),)


def _end_of_combat(o: Options) -> tuple[Part, ...]:
    checks: tuple[Part, ...] = (
        Act("check", "State-based check", "End of Combat GR1", doc="deaths, weapons without durability", asks="check"),
        Back("check", "sba_performed", "State-based Checks GR1", "until nothing changes"),
        Act("place_new_triggers", "Place new triggers", "End of Combat GR1", doc="on top", asks="place"),
    )
    damage = Act("place_triggers", "Place triggers", "End of Combat GR1", doc="those of the damage step", asks="place")
    roles = Act("remove_roles", "Roles off", "End of Combat GR1", doc="nobody attacks or defends any more")
    intent = Act("discard_intent", "Intent to graveyard", "End of Combat GR1", doc="ephemeral cards are banished")
    forced = "" if o.forced_end_of_combat_window == "conditional" else "not combat_cut"
    acts = Window("End of Combat GR2", "conditional", "triggers", when=forced, doc="what is still to be placed")
    if not o.current:
        return (intent, roles, damage, *checks, acts)
    last = (roles, intent, acts) if o.clear_combat_before_window else (acts, roles, intent)
    return (damage, *checks, *last)


def _recheck(o: Options) -> tuple[Part, ...]:
    if not o.loops:
        check = Act("recheck", "State-based check", "End Phase GR4", asks="check")
        return (check, Back("recheck", "sba_performed", "State-based Checks GR1", "until nothing changes"))
    rule, doc = "End Phase GR4", "something changed: the clean-up again"
    again = ("tally(clean_up)", *fresh(o))
    window = Window(rule, _round(o.round_after_recheck), "recheck", "Check again", doc="what the clean-up has caused")
    changes = CHANGES[o.clean_up_change]
    endless = (Back("clean_up_loop", f"{what}, clean_up_endless", "no rule (U-24)", "no end") for what in changes)
    return (window, *endless, *(Back("clean_up", what, rule, doc, "extra", again) for what in changes))
