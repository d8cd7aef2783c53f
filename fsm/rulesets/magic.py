"""Magic: The Gathering, Comprehensive Rules effective 2026-01-16 (rule numbers are that edition's).

Read it beside the rulebook: a turn is five phases, each with its steps, each with its turn-based
actions in order. What every step has in common (500, 614.10) is the frame's; what is special is here.
"""

from __future__ import annotations

from fsm.model import Duration, Event, Fact, Setting, State, Transition
from fsm.rulesets.frame import row
from fsm.rulesets.table import Absent, Act, Again, FrameRules, Phase, Step, Swap, Table, Then
from fsm.rulesets.windows import priority_window

EDITION = "CR 2026-01"

RULES = FrameRules(
    turn="500.1",
    begin="500.4, 500.6",
    end="500.5",
    skip="614.10",
    extra_turn="500.7",
    extra_phase="500.8",
    extra_step="500.9",
    step_after_phase="500.10",
    no_turn="800.4k",
    end_action=Act("empty_mana", "Mana empties", "500.5", doc="unspent mana empties from every pool"),
)

NO_ATTACKERS = Absent("not attackers_declared, not put_in_attacking", "508.8", "there are no attackers to block, and none to deal damage")


def table(
    *,
    stated_attacker_counts: bool = False,
    delayed_trigger_in_extra_end_step: bool = True,
    extra_draw_on_first_turn: bool = True,
    first_main_counts_skipped: bool = False,
) -> Table:
    """Magic's turn, with the options that stand for what the rules leave open.

    stated_attacker_counts: a creature that an effect states to be attacking keeps the declare
        blockers and combat damage steps from being skipped (508.4 against 508.8).
    delayed_trigger_in_extra_end_step: "at the beginning of the next end step", made in an end step,
        triggers in an extra end step of the same turn (603.7b against 513.2).
    extra_draw_on_first_turn: an extra draw step on the starting player's first turn takes place, for
        the rule skips "the draw step" (103.8a).
    first_main_counts_skipped: a skipped precombat main phase was the turn's first main phase all the
        same, so that the next one is postcombat (505.1a against 614.10a).
    """
    no_attackers = NO_ATTACKERS
    to_blockers = [
        Then("declare_blockers", "attackers_declared", "508.8", doc="a creature was declared as an attacker"),
        Then("declare_blockers", "put_in_attacking", "508.8", doc="a creature was put onto the battlefield attacking"),
    ]
    if stated_attacker_counts:
        no_attackers = Absent(f"{NO_ATTACKERS.when}, not stated_attacking", "508.8", NO_ATTACKERS.doc)
        to_blockers.append(Then("declare_blockers", "stated_attacking", "508.4", doc="an effect stated that a creature is attacking"))
    first_draw = "first_turn, first_draw_skipped" + (", not draw_missed" if extra_draw_on_first_turn else "")

    beginning = Phase(
        "beginning", "Beginning", "501", (
            Step("untap", "Untap", "502", (
                Act("phasing", "Phasing", "502.1", doc="permanents phase in and out, all at once"),
                Act("day_night", "Day and night", "502.2", doc="does it become day or night?"),
                Act("untap_permanents", "Untap permanents", "502.3", doc="the active player's, all at once"),
            )),
            Step("upkeep", "Upkeep", "503", opens="natural", window_rule="503.1"),
            Step("draw", "Draw", "504", (
                Act("draw_card", "Draw a card", "504.1", doc="the active player draws"),
            ), opens="natural", window_rule="504.2",
                absent=(Absent(first_draw, "103.8a", "the starting player skips the draw step of the first turn"),)),
        ),
    )
    precombat_main = Phase(
        "precombat_main", "First main", "505", (
            Step("precombat_main", "Precombat main", "505.1", (
                Act("set_scheme", "Set a scheme in motion", "505.3", doc="the archenemy does"),
                Act("add_lore_counters", "Add lore counters", "505.4", doc="one on each Saga the active player controls"),
                Act("roll_attractions", "Roll to visit Attractions", "505.5", doc="if the active player controls any"),
            ), opens="natural", window_rule="505.6"),
        ),
        family="main",
        swap=Swap("postcombat_main", "main_phase_begun", "505.1a", "only the first main phase of the turn is precombat"),
    )
    combat = Phase(
        "combat", "Combat", "506", (
            Step("beginning_of_combat", "Beginning of combat", "507", (
                Act("choose_defender", "Defending player", "507.1", when="several_opponents", doc="choose, if several"),
            ), opens="natural", window_rule="507.2"),
            Step("declare_attackers", "Declare attackers", "508", (
                Act("declare_attackers", "Declare attackers", "508.1", doc="all or nothing", tells=("attackers_declared",)),
            ), opens="natural", window_rule="508.2",
                then=(*to_blockers, Then("end_of_combat", "", "508.8", "skip", "no attackers: blocks and damage are skipped"))),
            Step("declare_blockers", "Declare blockers", "509", (
                Act("declare_blockers", "Declare blockers", "509.1", doc="the defending player does"),
            ), opens="natural", window_rule="509.2", absent=(no_attackers,),
                then=(
                    Then("first_strike_damage", "first_strike_in_combat", "510.4", doc="some attacker or blocker has first or double strike"),
                    Then("combat_damage", "", "510.4", doc="everybody deals damage at once"),
                )),
            Step("first_strike_damage", "First-strike damage", "510.4", (
                Act("assign_combat_damage", "Assign damage", "510.1", doc="first and double strike"),
                Act("deal_combat_damage", "Deal damage", "510.2", doc="all at once"),
            ), opens="natural", window_rule="510.3", absent=(no_attackers,)),
            Step("combat_damage", "Combat damage", "510", (
                Act("assign_combat_damage", "Assign damage", "510.1", doc="the others, and double strike"),
                Act("deal_combat_damage", "Deal damage", "510.2", doc="all at once"),
            ), opens="natural", window_rule="510.3", absent=(no_attackers,)),
            Step("end_of_combat", "End of combat", "511", opens="natural", window_rule="511.1", closing=(
                Act("remove_from_combat", "Leave combat", "511.3", doc="everything in combat does"),
            )),
        ),
        clears="combat",
    )
    postcombat_main = Phase(
        "postcombat_main", "Second main", "505", (
            Step("postcombat_main", "Postcombat main", "505.1", opens="natural", window_rule="505.6"),
        ),
        family="main",
        swap=None if first_main_counts_skipped else Swap("precombat_main", "not main_phase_begun", "505.1a", "the first main phase that really begins is precombat"),
        extra_rule="505.1a",
    )
    ending = Phase(
        "ending", "Ending", "512", (
            Step("end", "End step", "513", opens="natural", window_rule="513.1",
                begin="begin" if delayed_trigger_in_extra_end_step else "begin_late"),
            Step("cleanup", "Cleanup", "514", (
                Act("discard_to_hand_size", "Discard to hand size", "514.1", doc="the active player does"),
                Act("remove_damage_and_end_effects", "Damage and effects off", "514.2", doc="at the same time", marks="end_of_turn"),
            ), opens="conditional", window_rule="514.3a",
                again=Again("window_opened", "514.3a", "a state-based action or a trigger: another cleanup step")),
        ),
    )
    options = {
        "stated_attacker_counts": stated_attacker_counts,
        "delayed_trigger_in_extra_end_step": delayed_trigger_in_extra_end_step,
        "extra_draw_on_first_turn": extra_draw_on_first_turn,
        "first_main_counts_skipped": first_main_counts_skipped,
    }
    return Table(
        name="magic",
        title="Magic",
        edition=EDITION,
        phases=(beginning, precombat_main, combat, postcombat_main, ending),
        rules=RULES,
        window=priority_window("magic", edition=EDITION),
        facts=_facts(stated_attacker_counts, extra_draw_on_first_turn),
        events=(
            Event("end_turn", "an effect ends the turn"),
            Event("end_phase", "an effect ends the combat phase"),
            Event("player_left", "somebody left the game"),
        ),
        states=PROCEDURE_STATES,
        transitions=PROCEDURES,
        durations=DURATIONS,
        settings=(
            Setting("first_draw_skipped", "the starting player (or team) skips the first draw step", "103.8", sides=2),
        ),
        options=tuple(options.items()),
    )


def _facts(stated_attacker_counts: bool, extra_draw_on_first_turn: bool) -> tuple[Fact, ...]:
    optional = {"stated_attacking": stated_attacker_counts, "draw_missed": extra_draw_on_first_turn}
    facts = (
        Fact("attackers_declared", "a creature was declared as an attacker this combat", "508.8", "game", "latched", "combat", about="combat"),
        Fact("put_in_attacking", "a creature was put onto the battlefield attacking this combat", "508.8", "game", "latched", "combat", about="combat"),
        Fact("stated_attacking", "an effect stated that a creature is attacking this combat", "508.4", "game", "latched", "combat", about="combat"),
        Fact("first_strike_in_combat", "an attacking or blocking creature has first or double strike", "510.4", "game", "once", about="combat"),
        Fact("several_opponents", "there is more than one opponent to attack", "507.1", "controller", test=("more_sides_than", "2")),
        Fact("first_turn", "this is the first turn of the game", "103.8", "controller", test=("turn_is", "1")),
        Fact("first_draw_skipped", "the starting player skips the first draw step", "103.8", "controller", test=("setting", "first_draw_skipped")),
        Fact("draw_missed", "a draw step was left out by that rule", "103.8a", "agenda", test=("missed", "draw")),
        Fact("main_phase_begun", "a main phase has begun this turn", "505.1a", "agenda", test=("begun", "phase", "main")),
        Fact("combat_under_way", "the game is in a combat phase", "723.2", "agenda", test=("phase_under_way", "combat")),
        Fact("ending_under_way", "the game is in an ending phase", "723.1d", "agenda", test=("phase_under_way", "ending")),
        Fact("several_sides_left", "at least two players or teams are in the game", "104.2a", "controller", test=("more_sides_than", "1")),
        Fact("sba_performed", "a state-based action was performed", "704.3", about="state-based actions"),
        Fact("window_opened", "somebody received priority in this step's last window", "514.3a", "controller", "latched", "window"),
    )
    return tuple(f for f in facts if optional.get(f.name, True))


def _procedure(id: str, label: str, rule: str, asks: str, action: str = "", doc: str = "") -> State:
    return State(id, "action", id, label, "turn", "procedure", rule, doc, asks="check" if asks == "check" else "perform", action=action)


PROCEDURE_STATES = (
    # 723.1, end the turn
    _procedure("end_turn_triggers", "Waiting triggers cease", "723.1a", "perform", "cease_triggers", "those not yet on the stack"),
    _procedure("end_turn_stack", "Exile the stack", "723.1b", "perform", "exile_stack", "every object, the resolving one too"),
    _procedure("end_turn_sba", "State-based actions", "723.1c", "check", doc="nobody gets priority, no triggers are placed"),
    _procedure("end_turn_combat", "Leave combat", "723.1d", "perform", "remove_from_combat", "all creatures and planeswalkers"),
    _procedure("end_turn_leave", "Phase and step end", "723.1d", "perform", "empty_mana", "what lies before cleanup is skipped"),
    # 723.2, end the combat phase
    _procedure("end_combat_triggers", "Waiting triggers cease", "723.2a", "perform", "cease_triggers", "those not yet on the stack"),
    _procedure("end_combat_stack", "Exile the stack", "723.2b", "perform", "exile_stack", "every object, the resolving one too"),
    _procedure("end_combat_sba", "State-based actions", "723.2c", "check", doc="nobody gets priority, no triggers are placed"),
    _procedure("end_combat_combat", "Leave combat", "723.2d", "perform", "remove_from_combat", "all creatures and planeswalkers"),
    _procedure("end_combat_leave", "Combat phase ends", "723.2d", "perform", "empty_mana", "its other steps are skipped"),
    State("game_over", "final", label="Game over", role="end", rule="104.1"),
)

COMBAT_ENDS = ("end(step)", "end(phase)", "clear(combat)")
TO_CLEANUP = "begin(step, cleanup, cleanup)"

PROCEDURES: tuple[Transition, ...] = (
    row("turn", "end_turn_triggers", event="end_turn", rule="723.1", layer="jump", doc="an effect ends the turn"),
    row("end_turn_triggers", "end_turn_stack", rule="723.1b", layer="jump"),
    row("end_turn_stack", "end_turn_sba", rule="723.1c", layer="jump"),
    row("end_turn_sba", "end_turn_sba", "sba_performed", rule="704.3", layer="jump", doc="until none applies"),
    row("end_turn_sba", "end_turn_combat", "combat_under_way", rule="723.1d", layer="jump", doc="if this happens during combat"),
    row("end_turn_sba", "end_turn_leave", do=["end(step)"], rule="723.1d", layer="jump"),
    row("end_turn_combat", "end_turn_leave", do=COMBAT_ENDS, rule="723.1d", layer="jump"),
    row("end_turn_leave", "cleanup_begin", "ending_under_way", ["drop(turn)", TO_CLEANUP], rule="723.1d", layer="jump", doc="a new cleanup step, even from cleanup"),
    row("end_turn_leave", "cleanup_begin", do=["end(phase)", "drop(turn)", "begin(phase, ending, ending)", TO_CLEANUP], rule="723.1d", layer="jump", doc="straight to cleanup; there is no end step (723.1e)"),
    row("combat_phase", "end_combat_triggers", "combat_under_way", event="end_phase", rule="723.2", layer="jump", doc="an effect ends the combat phase"),
    row("turn", "end_combat_triggers", "combat_under_way", event="end_phase", rule="723.2", layer="jump", doc="also from a step of another kind that was added to combat"),
    row("turn", None, event="end_phase", rule="723.2g", layer="jump", doc="it is no combat phase: nothing happens"),
    row("end_combat_triggers", "end_combat_stack", rule="723.2b", layer="jump"),
    row("end_combat_stack", "end_combat_sba", rule="723.2c", layer="jump"),
    row("end_combat_sba", "end_combat_sba", "sba_performed", rule="704.3", layer="jump", doc="until none applies"),
    row("end_combat_sba", "end_combat_combat", rule="723.2d", layer="jump"),
    row("end_combat_combat", "end_combat_leave", do=[*COMBAT_ENDS, "drop(phase)"], rule="723.2d", layer="jump"),
    row("end_combat_leave", "combat_phase_after", rule="723.2d", layer="jump", doc="the next phase, whatever it is"),
    row("turn", None, "several_sides_left", event="player_left", rule="800.4j", layer="jump", doc="the turn goes on, without an active player if need be"),
    row("turn", "game_over", event="player_left", rule="104.2a", layer="jump", doc="only one is left: the game is over"),
)

DURATIONS = (
    Duration("end_of_turn", "mark", "end_of_turn", rule="514.2", doc="until end of turn, this turn"),
    Duration("end_of_combat", "end", "combat", rule="500.5a", doc="until end of combat: the combat phase"),
    Duration("your_next_turn", "begin", "turn", "yours", rule="500.4", doc="until your next turn"),
    Duration("end_of_your_next_turn", "mark", "end_of_turn", "yours", "next", rule="514.2", doc="until the end of your next turn"),
    Duration("your_next_upkeep", "begin", "upkeep", "yours", rule="500.4", doc="until your next upkeep"),
    Duration("your_next_end_step", "begin", "end", "yours", rule="500.4", doc="until your next end step"),
    Duration("end_of_combat_on_your_next_turn", "end", "combat", "yours", "next", rule="500.5a", doc="until end of combat on your next turn"),
)
