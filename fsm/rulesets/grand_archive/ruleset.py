"""Grand Archive, Comprehensive Rules of August 2026, or of 2024 (the option `edition`); citations
are page and rule.

Read it beside the rulebook: phases in turn order, most with one step of the same name. Players may
act in a natural window, or in a conditional one while something is on the Effects Stack. Combat
runs inside main, which waits for it.
"""

from __future__ import annotations

from dataclasses import asdict, replace

from fsm.rulesets.frame.parts import Absent, Act, During, FrameRules, Phase, Step, Then, Window
from fsm.rulesets.frame.table import Table
from fsm.rulesets.grand_archive import parts
from fsm.rulesets.grand_archive.endings import EVENTS, cut_down, endings, main_ends
from fsm.rulesets.grand_archive.facts import SETTINGS, durations, facts
from fsm.rulesets.grand_archive.options import Options
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


def wake_up(o: Options) -> Phase:
    return Phase("wake_up", "Wake Up", "Wake Up GR1", (
        Step("wake_up", "Wake up", "Wake Up GR1", (
            *parts.first_triggers(o),
            Act("wake", "Wake", "Wake Up GR1", doc="all rested objects of the turn player, at once",
                says="wake what is rested"),
            Window("Wake Up GR2", "conditional", "triggers", doc="“wakes up” and beginning-of-phase abilities"),
        )),
    ), absent=(parts.not_first(o),))


def materialize(o: Options) -> Phase:
    first = "first_turn" if o.distorted_first_turn_skips else "first_turn, not materialize_moved"
    return Phase("materialize", "Materialize", "Materialize GR2", (
        Step("materialize", "Materialize", "Materialize GR2", (
            Window("Materialize GR2", parts.round_of(o.round_before_materialize), "triggers", doc=parts.BEGINNING),
            Act("materialize", "Materialize", "Materialize GR3", doc="one card of the material deck, if wanted",
                says="one card, if wanted"),
            Window("Materialize GR3", "conditional", "responses", doc="the card itself, if there is one"),
            *parts.after_materialization(o),
        )),
    ), absent=(
        parts.not_first(o, first, "Materialize GR1"),
        Absent("time_distorted, not materialize_moved", "Special Continuous Effects 1", "it comes after main",
               says="time is distorted: comes after Main"),
    ), then=(
        Then("end", "materialize_moved", "Special Continuous Effects 1", doc="it came after main",
             says="it came after Main"),
    ))


def recollection(o: Options) -> Phase:
    charge = Act("add_charge_counters", "Charge counters", "On Charge N", doc="on the turn player's objects")
    begins = Window("Recollection GR1", "conditional", "triggers", doc="beginning-of-recollection abilities")
    return Phase("recollection", "Recollection", "Recollection GR1", (
        Step("recollection", "Recollection", "Recollection GR1", (
            *((charge, begins) if o.charge_before_triggers else (begins, charge)),
            Window("Recollection GR2", label="Before recollection"),
            Act("recollect", "Recollect", "Recollection GR3", doc="the turn player's memory returns to hand",
                says="memory to hand"),
            Window("Recollection GR4", "conditional", "afterwards", doc="what has triggered since") if o.current else
            Act("place_triggers", "Place triggers", "Recollection GR4", doc="they resolve in draw", asks="place"),
        )),
    ), absent=(parts.not_first(o),))


def draw(o: Options) -> Phase:
    no_draw = "first_turn, starting_player, first_draw_skipped" + (", not pantheon" * o.pantheon_first_draw)
    return Phase("draw", "Draw", "Draw GR1", (
        Step("draw", "Draw", "Draw GR1", (
            *parts.champion(o, "first_turn"),
            *parts.first_triggers(o),
            Act("draw_card", "Draw a card", "Draw GR1", doc="the turn player draws"),
            Window("Draw GR2", "conditional", "triggers", doc="beginning-of-phase abilities, and those of the draw"),
        )),
    ), absent=(parts.not_first(o, no_draw, "Turn Order GR1.1", "the first player of two does not draw first",
                        says="first turn of the one who starts, if the format says so"),))


def main(o: Options) -> Phase:
    moves = "time_distorted, not materialize_moved" + (", not first_turn" * o.distorted_first_turn_skips)
    moves += ", not materialize_begun" * (not o.distortion_counts_late)
    return Phase("main", "Main", "Main GR1", (
        Step("main", "Main", "Main GR1", (
            *parts.champion(o, "first_turn, not draw_begun"),
            *((Window("Main GR1", "conditional", "triggers", doc="beginning-of-main abilities"),) if o.current else ()),
            Window("Main GR2", label="Main window"),
        ), during=(
            During("attack", "Attack Declaration 2", Act(
                "declare_attack", "Declare an attack", "Attack Declaration 2", decides=("attack_declared",),
                doc="attacker, weapons, target, costs: all or nothing",
            ), into="combat", when="attack_declared",
                refused=parts.REFUSED if o.current else (), back="Main GR2", do=main_ends(o),
                doc="a slow action, or an attack card that resolves", says="an attack is declared"),
        ), says="the turn player acts, attacks are declared"),
    ), ends="" if o.combat_suspends_main else "end_of_main", then=(
        Then("materialize", moves, "Special Continuous Effects 1", doc="time is distorted: it comes now",
             says="time is distorted",
             do=("latch(materialize_moved)",)),
    ), inside=(combat(o),))


def combat(o: Options) -> Phase:
    order = Act("order_retaliators", "Order retaliators", "Damage Step GR2", "several_retaliators",
                doc="the attacking player, if there are several")
    before = Window("Damage Step GR1", label="Before damage")
    return Phase("combat", "Combat", "Main GR2", (
        Step("retaliation", "Retaliation", "Retaliation Step GR1", (
            Window("Retaliation Step GR1", "conditional", "triggers", doc="On Attack, Intercept, “attacked” abilities"),
            Window("Retaliation Step GR2", label="Before retaliation"),
            Act("declare_retaliation", "Retaliate", "Retaliation Step GR3", decides=("several_retaliators",),
                doc="each eligible unit, if its controller wants", by="everyone"),
            *parts.after_retaliation(o),
        ), says="defenders may retaliate"),
        Step("damage", "Damage", "Damage Step GR1", (
            *((before, order) if o.retaliator_order == "after_window" else (order, before)),
            Act("deal_combat_damage", "Deal damage", "Damage Step GR3", doc="and weapons lose durability, all at once"),
        ), says="several: choose an order, then damage is dealt"),
        Step("end_of_combat", "End of combat", "End of Combat GR1", parts.end_of_combat(o),
             says="combat roles end, attack card to graveyard"),
    ), clears="combat", then=cut_down(o))


def end(o: Options) -> Phase:
    return Phase("end", "End", "End Phase GR1", (
        Step("end", "End", "End Phase GR1", (
            Window("End Phase GR2", label="Before end of turn", doc="beginning-of-end-phase abilities there now"),
            *parts.clean_up(o),
            *parts.recheck(o),
        ), says="damage off allies, effects for this turn end"),
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
        rulebook=RULEBOOKS[o.edition],
        phases=phases,
        rules=RULES if o.persist_until_next_clean_up else replace(RULES, turn_marks="end_of_turn"),
        window=opportunity_window(EDITIONS[o.edition]),
        window_label="Opportunity",
        before_game=() if o.champion_late else (
            Act("place_champions", "Place the champions", "Starting the Game 6", doc="all of level 0", by="everyone",
                says="all champions are placed"),
        ),
        facts=facts(o),
        events=EVENTS,
        states=states,
        transitions=(*parts.early_attack(o), *transitions),
        durations=durations(o),
        settings=SETTINGS,
        options=tuple(asdict(o).items()),
    )
