"""What is true of every run of Magic, in each of its editions: the same sentences, each with that
edition's rule.

`CURRENT` has the numbers of CR 2026-01; `fsm.rulesets.magic` has those of its neighbours.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fsm.rulesets.editions import MANA
from fsm.rulesets.properties import (
    Form,
    Property,
    acts,
    after,
    begins,
    checks,
    ends,
    followed,
    never,
    only,
    ordered,
    passes,
    performs,
    priority,
    reaches,
    resolves,
    responds,
    skipped,
)

TURN_ENDED = reaches("end_turn_triggers", "end_turn_stack")
COMBAT_ENDED = reaches("end_combat_triggers")
BROKEN_OFF = TURN_ENDED | COMBAT_ENDED
LAST = ("ending", "end")
"""The names of the phase with the cleanup step."""
FIGHTING = ("declare_attackers", "declare_blockers", "first_strike_damage", "combat_damage", "end_of_combat")


def _steps(end: str) -> Iterator[tuple[str, str, Form]]:
    """What belongs to a step, and in which order."""
    yield ("untap_is_quiet", "nobody receives priority in untap", never(priority("untap")))
    yield ("phasing_first", "permanents phase in and out before anything untaps",
           only(performs("untap_permanents"), performs("phasing"), begins("step", "untap")))
    yield ("day_before_untap", "it becomes day or night before anything untaps",
           only(performs("untap_permanents"), performs("day_night"), begins("step", "untap")))
    yield ("draw_before_priority", "the card is drawn before anybody receives priority in draw",
           only(priority("draw_window"), performs("draw_card", "secondary_player_draws"), begins("step", "draw")))
    yield ("scheme_before_lore", "a scheme is set in motion before lore counters are added",
           only(performs("add_lore_counters"), performs("set_scheme"), begins("step", "precombat_main")))
    yield ("lore_is_precombat", "lore counters are added in a precombat main phase only",
           never(performs("add_lore_counters", inside=("postcombat_main",), extra=False)))
    yield ("attackers_before_priority", "attackers are declared before anybody receives priority in that step",
           only(priority("declare_attackers_window"), performs("declare_attackers"),
                begins("step", "declare_attackers")))
    yield ("blockers_before_priority", "blockers are declared before anybody receives priority in that step",
           only(priority("declare_blockers_window"), performs("declare_blockers"), begins("step", "declare_blockers")))
    yield ("orders_before_priority", "damage assignment orders are announced before anybody receives priority",
           only(priority("declare_blockers_window"), performs("order_attackers"), begins("step", "declare_blockers")))
    yield ("blockers_before_orders", "blockers are declared before their order is announced",
           only(performs("order_blockers"), performs("declare_blockers"), begins("step", "declare_blockers")))
    yield ("assigned_before_dealt", "combat damage is assigned before it is dealt",
           only(performs("deal_combat_damage"), performs("assign_combat_damage", "assign_blockers"),
                begins("step", "first_strike_damage", "combat_damage")))
    yield ("no_response_to_assignment", "nobody receives priority between assignment and damage",
           after(performs("assign_combat_damage", "assign_attackers"), priority(), performs("deal_combat_damage")))
    yield ("damage_on_stack_after_assignment", "damage is put on the stack only once it is assigned",
           only(performs("put_damage_on_stack"), performs("assign_combat_damage"),
                begins("step", "first_strike_damage", "combat_damage")))
    yield ("combat_is_left", "what fought leaves combat before the combat phase is over",
           followed(begins("step", "declare_attackers", extra=False),
                    performs("remove_from_combat") | skipped("step", "end_of_combat"), ends("phase", "combat")))
    yield ("discard_before_wearing_off", "cards are discarded before damage and effects wear off",
           only(performs("remove_damage_and_end_effects"), performs("discard_to_hand_size"),
                begins("step", "cleanup")))
    yield ("cleanup_acts_first", "nobody receives priority in cleanup before its actions are done",
           only(priority("cleanup_window"), performs("remove_damage_and_end_effects"), begins("step", "cleanup")))
    yield ("cleanup_again", "after a cleanup step with priority there is another one, unless an effect skips it",
           followed(priority("cleanup_window"), begins("step", "cleanup") | skipped("step", "cleanup") | BROKEN_OFF,
                    ends("turn")))
    yield ("first_strike_then_the_others",
           "first-strike damage is followed by combat damage, or the turn or combat was ended",
           followed(begins("step", "first_strike_damage", extra=False),
                    begins("step", "combat_damage") | skipped("step", "combat_damage") | BROKEN_OFF,
                    ends("phase", "combat")))
    yield ("damage_after_blocks", "creatures deal combat damage only after blockers could be declared",
           only(begins("step", "combat_damage", extra=False),
                begins("step", "declare_blockers") | skipped("step", "declare_blockers"), begins("phase", "combat")))
    yield ("blocks_after_attacks", "blockers are declared only after attackers could be",
           only(begins("step", "declare_blockers", extra=False),
                begins("step", "declare_attackers") | skipped("step", "declare_attackers"), begins("phase", "combat")))
    yield ("upkeep_before_draw", "the upkeep step comes before the draw step",
           only(begins("step", "draw", extra=False), begins("step", "upkeep") | skipped("step", "upkeep"),
                begins("turn")))
    yield ("first_draw_skipped", "the starting player of two draws no card in the first turn's draw step",
           only(begins("step", "draw", extra=False), ends("turn")))
    yield ("end_step_before_cleanup", "cleanup comes after the end step, or the turn was ended",
           only(begins("step", "cleanup", inside=LAST, extra=False),
                begins("step", end) | skipped("step", end) | TURN_ENDED, begins("turn")))


def _turns(end: str) -> Iterator[tuple[str, str, Form]]:
    """The course of a turn, and what is added to it or left out of it."""
    yield ("cleanup_is_last", "cleanup is the last step of every turn: no other natural step comes after it",
           after(begins("step", "cleanup", inside=LAST, extra=False) | TURN_ENDED,
                 begins("step", besides=("cleanup",), extra=False), begins("turn")))
    yield ("cleanup_comes", "every turn has a cleanup step, unless an effect skips it",
           followed(begins("turn"),
                    begins("step", "cleanup") | skipped("step", "cleanup") | skipped("phase", "ending", "end"),
                    ends("turn")))
    yield ("beginning_first", "a turn begins with its beginning phase",
           only(begins("phase", besides=("beginning",), extra=False),
                begins("phase", "beginning") | skipped("phase", "beginning") | TURN_ENDED, begins("turn")))
    yield ("first_main_only_once", "only the first main phase of a turn is precombat",
           after(ends("phase", "precombat_main"), begins("phase", "precombat_main"), begins("turn")))
    yield ("postcombat_needs_precombat", "a main phase is postcombat only after another main phase of the turn",
           only(begins("phase", "postcombat_main"), begins("phase", "precombat_main"), begins("turn")))
    yield ("mana_empties", "unspent mana empties after players could act, before the next step begins",
           after(priority(), begins("step") | ends("turn"), performs("empty_mana")))
    yield ("mana_burns", "unspent mana is lost after players could act, before the next phase begins",
           after(priority(), begins("phase", besides=("end",), extra=False) | ends("turn"), performs("lose_mana")))
    yield ("skipped_step_never_was", "a skipped step does not begin, so nothing triggers as it does",
           after(skipped("step", "*"), begins("step", "*"), reaches("*_before") | TURN_ENDED))
    yield ("skipped_phase_never_was", "a skipped combat phase does not begin",
           after(skipped("phase", "combat"), begins("phase", "combat"), reaches("combat_phase_before")))
    yield ("skipped_turn_never_was", "a skipped turn does not begin",
           after(skipped("turn"), begins("turn"), reaches("turn_before")))
    yield ("extra_phase_in_its_turn", "an extra phase belongs to the turn it was added to",
           after(ends("turn"), begins("phase", extra=True), ordered("extra phase") | ordered("step after phase")))
    yield ("extra_step_in_its_turn", "an extra step belongs to the turn it was added to",
           after(ends("turn"), begins("step", extra=True),
                 ordered("extra step") | ordered("step before") | ordered("extra phase") | ordered("step after phase")))
    yield ("upkeep_after_combat", "an upkeep step added after combat comes before the next natural phase",
           followed(ordered("step after phase", "upkeep", inside=("combat",)),
                    begins("step", "upkeep") | skipped("step", "upkeep") | skipped("phase", "beginning") | TURN_ENDED,
                    begins("phase", extra=False) | ends("turn")))
    yield ("extra_combat_at_once", "a combat phase added in a main phase comes before the next natural phase",
           followed(ordered("extra phase", "combat", inside=("precombat_main", "postcombat_main")),
                    begins("phase", "combat", extra=True) | skipped("phase", "combat") | TURN_ENDED,
                    begins("phase", extra=False) | ends("turn")))
    yield ("extra_step_at_once", "an upkeep step added after the upkeep step comes before any natural step",
           followed(ordered("extra step", "upkeep", inside=("upkeep_window",)),
                    begins("step", "upkeep", extra=True) | skipped("step", "upkeep") | TURN_ENDED | COMBAT_ENDED,
                    begins("step", extra=False) | ends("turn")))
    yield ("no_end_step_after_the_end", "after the turn was ended it has no end step",
           after(TURN_ENDED, begins("step", end, extra=False), begins("turn")))
    yield ("ending_leads_to_cleanup", "when the turn is ended, cleanup comes next",
           followed(TURN_ENDED, begins("step", "cleanup"), begins("step", besides=("cleanup",)) | ends("turn")))
    yield ("ending_is_silent", "while the turn is being ended nobody receives priority",
           after(TURN_ENDED, priority(), begins("step", "cleanup")))
    yield ("fighters_leave_an_ended_turn", "when the turn is ended in combat, what fought leaves combat",
           followed(reaches("end_turn_triggers", "end_turn_stack", inside=("combat",)), performs("remove_from_combat"),
                    begins("step", "cleanup")))
    yield ("only_combat_is_ended", "outside combat nothing comes of ending it",
           never(reaches("end_combat_triggers", outside=("combat",))))
    yield ("ended_combat_is_over", "after combat was ended none of its steps comes before the next phase",
           after(COMBAT_ENDED, begins("step", *FIGHTING), begins("phase") | ends("turn")))
    yield ("ending_combat_is_silent", "while combat is being ended nobody receives priority",
           after(COMBAT_ENDED, priority(), begins("phase") | TURN_ENDED))
    yield ("checked_before_priority", "state-based actions are checked after whatever happened, before priority",
           after(acts() | resolves(), priority(), checks()))
    yield ("resolves_when_all_pass", "nothing resolves before players have passed", after(acts(), resolves(), passes()))
    yield ("turn_ends", "a turn in which finitely many things happen ends", responds(begins("turn"), ends("turn")))
    yield ("window_closes", "players who only pass come to the next step",
           responds(priority("precombat_main"), begins("step") | begins("turn") | skipped("step")))


def _stated(rules: Mapping[str, str], end: str = "end") -> tuple[Property, ...]:
    """Those with a rule in this edition."""
    known = {name: (says, form) for name, says, form in (*_steps(end), *_turns(end))}
    return tuple(Property(name, known[name][0], rule, known[name][1]) for name, rule in rules.items())


CURRENT = _stated({
    "untap_is_quiet": "502.4",
    "phasing_first": "502.1, 502.3",
    "day_before_untap": "502.2, 502.3",
    "draw_before_priority": "504.1, 504.2",
    "scheme_before_lore": "505.3, 505.4",
    "lore_is_precombat": "505.4",
    "attackers_before_priority": "508.1, 508.2",
    "blockers_before_priority": "509.1, 509.2",
    "assigned_before_dealt": "510.1, 510.2",
    "no_response_to_assignment": "510.2",
    "combat_is_left": "511.3",
    "discard_before_wearing_off": "514.1, 514.2",
    "cleanup_acts_first": "514.3a",
    "cleanup_again": "514.3a",
    "first_strike_then_the_others": "510.4",
    "damage_after_blocks": "506.1",
    "blocks_after_attacks": "506.1",
    "upkeep_before_draw": "501.1",
    "first_draw_skipped": "103.8a",
    "end_step_before_cleanup": "512.1",
    "cleanup_is_last": "512.1, 514",
    "cleanup_comes": "500.1, 514",
    "beginning_first": "500.1",
    "first_main_only_once": "505.1a",
    "postcombat_needs_precombat": "505.1a",
    "mana_empties": MANA,
    "skipped_step_never_was": "614.10, 614.10a",
    "skipped_phase_never_was": "614.10, 614.10a",
    "skipped_turn_never_was": "614.10, 614.10a",
    "extra_phase_in_its_turn": "500.8",
    "extra_step_in_its_turn": "500.9",
    "upkeep_after_combat": "500.10",
    "extra_combat_at_once": "500.8",
    "extra_step_at_once": "500.9",
    "no_end_step_after_the_end": "723.1e",
    "ending_leads_to_cleanup": "723.1d",
    "ending_is_silent": "723.1c",
    "fighters_leave_an_ended_turn": "723.1d",
    "only_combat_is_ended": "723.2g",
    "ended_combat_is_over": "723.2d, 723.2e",
    "ending_combat_is_silent": "723.2c",
    "checked_before_priority": "117.5, 704.3",
    "resolves_when_all_pass": "117.4",
    "turn_ends": "500.1, 500.2",
    "window_closes": "117.4, 500.2",
})

TABLE = _stated({
    "untap_is_quiet": "502.3",
    "phasing_first": "502.1, 502.2",
    "draw_before_priority": "504.1, 504.3",
    "attackers_before_priority": "508.1, 508.3",
    "blockers_before_priority": "509.1, 509.5",
    "orders_before_priority": "509.3, 509.5",
    "blockers_before_orders": "509.1, 509.2",
    "assigned_before_dealt": "510.1, 510.2",
    "no_response_to_assignment": "510.2",
    "combat_is_left": "511.3",
    "discard_before_wearing_off": "514.1, 514.2",
    "cleanup_acts_first": "514.3a",
    "cleanup_again": "514.3a",
    "first_strike_then_the_others": "510.5",
    "damage_after_blocks": "506.1",
    "blocks_after_attacks": "506.1",
    "upkeep_before_draw": "501.1",
    "first_draw_skipped": "103.7a",
    "end_step_before_cleanup": "512.1",
    "cleanup_is_last": "512.1, 514",
    "cleanup_comes": "500.1, 514",
    "beginning_first": "500.1",
    "first_main_only_once": "505.1a",
    "postcombat_needs_precombat": "505.1a",
    "mana_empties": "500.4",
    "skipped_step_never_was": "614.10",
    "skipped_phase_never_was": "614.10",
    "skipped_turn_never_was": "614.10",
    "extra_phase_in_its_turn": "500.8",
    "extra_step_in_its_turn": "500.9",
    "extra_combat_at_once": "500.8",
    "extra_step_at_once": "500.9",
    "no_end_step_after_the_end": "712.3",
    "ending_leads_to_cleanup": "712.1c",
    "ending_is_silent": "712.1b",
    "fighters_leave_an_ended_turn": "712.1a",
    "checked_before_priority": "116.5, 704.3",
    "resolves_when_all_pass": "116.4",
    "turn_ends": "500.1, 500.2",
    "window_closes": "116.4, 500.2",
})

CLASSIC = _stated({
    "untap_is_quiet": "302.3",
    "phasing_first": "302.1, 302.2",
    "draw_before_priority": "304.1",
    "attackers_before_priority": "308.1",
    "blockers_before_priority": "309.1",
    "damage_on_stack_after_assignment": "310.1",
    "combat_is_left": "311.2",
    "discard_before_wearing_off": "314.1, 314.2",
    "cleanup_acts_first": "314.3",
    "cleanup_again": "314.3",
    "first_strike_then_the_others": "310.5",
    "damage_after_blocks": "306.1",
    "blocks_after_attacks": "306.1",
    "upkeep_before_draw": "301.1",
    "first_draw_skipped": "101.5a",
    "end_step_before_cleanup": "312.1",
    "cleanup_is_last": "312.1, 314",
    "cleanup_comes": "300.1, 314",
    "beginning_first": "300.1",
    "first_main_only_once": "305.1",
    "postcombat_needs_precombat": "305.1",
    "mana_burns": "300.3",
    "skipped_step_never_was": "300.9, 419.6e",
    "skipped_phase_never_was": "300.9, 419.6e",
    "skipped_turn_never_was": "300.9, 419.6e",
    "extra_phase_in_its_turn": "300.7",
    "extra_step_in_its_turn": "300.8",
    "extra_combat_at_once": "300.7",
    "extra_step_at_once": "300.8",
    "no_end_step_after_the_end": "509.3",
    "ending_leads_to_cleanup": "509.1c",
    "ending_is_silent": "509.1b",
    "fighters_leave_an_ended_turn": "509.1a",
    "checked_before_priority": "408.1b, 420.3",
    "resolves_when_all_pass": "408.1c, 413.1",
    "turn_ends": "300.1, 300.2",
    "window_closes": "300.2, 413.1",
}, end="end_of_turn")
