"""What is true of every run of Magic, in each of its editions: the same sentences, each with that
edition's rule.

`CURRENT` has the numbers of CR 2026-01; `fsm.rulesets.magic` has those of its neighbours.
"""

from __future__ import annotations

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
FIGHTING = ("declare_attackers", "declare_blockers", "first_strike_damage", "combat_damage",
            "end_of_combat")
END = ("end", "end_of_turn")
"""The name of the end step."""

# Each with its rule in CR 2026-01, in the table of 2010 and in the classic rulebook, or "".
STATED: tuple[tuple[str, str, tuple[str, str, str], Form], ...] = (
    # what belongs to a step, and in which order
    ("untap_is_quiet", "nobody receives priority in untap",
     ("502.4", "502.3", "302.3"), never(priority("untap"))),
    ("phasing_first", "permanents phase in and out before anything untaps",
     ("502.1, 502.3", "502.1, 502.2", "302.1, 302.2"),
     only(performs("untap_permanents"), performs("phasing"), begins("step", "untap"))),
    ("day_before_untap", "it becomes day or night before anything untaps",
     ("502.2, 502.3", "", ""),
     only(performs("untap_permanents"), performs("day_night"), begins("step", "untap"))),
    ("draw_before_priority", "the card is drawn before anybody receives priority in draw",
     ("504.1, 504.2", "504.1, 504.3", "304.1"),
     only(priority("draw_window"), performs("draw_card", "secondary_player_draws"),
          begins("step", "draw"))),
    ("scheme_before_lore", "a scheme is set in motion before lore counters are added",
     ("505.3, 505.4", "", ""),
     only(performs("add_lore_counters"), performs("set_scheme"), begins("step", "precombat_main"))),
    ("lore_is_precombat", "lore counters are added in a precombat main phase only",
     ("505.4", "", ""),
     never(performs("add_lore_counters", inside=("postcombat_main",), extra=False))),
    ("attackers_before_priority",
     "attackers are declared before anybody receives priority in that step",
     ("508.1, 508.2", "508.1, 508.3", "308.1"),
     only(priority("declare_attackers_window"), performs("declare_attackers"),
          begins("step", "declare_attackers"))),
    ("blockers_before_priority",
     "blockers are declared before anybody receives priority in that step",
     ("509.1, 509.2", "509.1, 509.5", "309.1"),
     only(priority("declare_blockers_window"), performs("declare_blockers"),
          begins("step", "declare_blockers"))),
    ("orders_before_priority",
     "damage assignment orders are announced before anybody receives priority",
     ("", "509.3, 509.5", ""),
     only(priority("declare_blockers_window"), performs("order_attackers"),
          begins("step", "declare_blockers"))),
    ("blockers_before_orders", "blockers are declared before their order is announced",
     ("", "509.1, 509.2", ""),
     only(performs("order_blockers"), performs("declare_blockers"),
          begins("step", "declare_blockers"))),
    ("assigned_before_dealt", "combat damage is assigned before it is dealt",
     ("510.1, 510.2", "510.1, 510.2", ""),
     only(performs("deal_combat_damage"), performs("assign_combat_damage", "assign_blockers"),
          begins("step", "first_strike_damage", "combat_damage"))),
    ("no_response_to_assignment", "nobody receives priority between assignment and damage",
     ("510.2", "510.2", ""),
     after(performs("assign_combat_damage", "assign_attackers"), priority(),
           performs("deal_combat_damage"))),
    ("damage_on_stack_after_assignment", "damage is put on the stack only once it is assigned",
     ("", "", "310.1"),
     only(performs("put_damage_on_stack"), performs("assign_combat_damage"),
          begins("step", "first_strike_damage", "combat_damage"))),
    ("combat_is_left", "what fought leaves combat before the combat phase is over",
     ("511.3", "511.3", "311.2"),
     followed(begins("step", "declare_attackers", extra=False), performs("remove_from_combat") |
              skipped("step", "end_of_combat"), ends("phase", "combat"))),
    ("discard_before_wearing_off", "cards are discarded before damage and effects wear off",
     ("514.1, 514.2", "514.1, 514.2", "314.1, 314.2"),
     only(performs("remove_damage_and_end_effects"), performs("discard_to_hand_size"),
          begins("step", "cleanup"))),
    ("cleanup_acts_first", "nobody receives priority in cleanup before its actions are done",
     ("514.3a", "514.3a", "314.3"),
     only(priority("cleanup_window"), performs("remove_damage_and_end_effects"),
          begins("step", "cleanup"))),
    ("cleanup_again",
     "after a cleanup step with priority there is another one, unless an effect skips it",
     ("514.3a", "514.3a", "314.3"),
     followed(priority("cleanup_window"), begins("step", "cleanup") | skipped("step", "cleanup") |
              BROKEN_OFF, ends("turn"))),
    ("first_strike_then_the_others",
     "first-strike damage is followed by combat damage, or the turn or combat was ended",
     ("510.4", "510.5", "310.5"),
     followed(begins("step", "first_strike_damage", extra=False), begins("step", "combat_damage") |
              skipped("step", "combat_damage") | BROKEN_OFF, ends("phase", "combat"))),
    ("damage_after_blocks", "creatures deal combat damage only after blockers could be declared",
     ("506.1", "506.1", "306.1"),
     only(begins("step", "combat_damage", extra=False), begins("step", "declare_blockers") |
          skipped("step", "declare_blockers"), begins("phase", "combat"))),
    ("blocks_after_attacks", "blockers are declared only after attackers could be",
     ("506.1", "506.1", "306.1"),
     only(begins("step", "declare_blockers", extra=False), begins("step", "declare_attackers") |
          skipped("step", "declare_attackers"), begins("phase", "combat"))),
    ("upkeep_before_draw", "the upkeep step comes before the draw step",
     ("501.1", "501.1", "301.1"),
     only(begins("step", "draw", extra=False), begins("step", "upkeep") | skipped("step", "upkeep"),
          begins("turn"))),
    ("first_draw_skipped", "the starting player of two draws no card in the first turn's draw step",
     ("103.8a", "103.7a", "101.5a"), only(begins("step", "draw", extra=False), ends("turn"))),
    ("end_step_before_cleanup", "cleanup comes after the end step, or the turn was ended",
     ("512.1", "512.1", "312.1"),
     only(begins("step", "cleanup", inside=LAST, extra=False), begins("step", *END) |
          skipped("step", *END) | TURN_ENDED, begins("turn"))),
    # the course of a turn, and what is added to it or left out of it
    ("cleanup_is_last",
     "cleanup is the last step of every turn: no other natural step comes after it",
     ("512.1, 514", "512.1, 514", "312.1, 314"),
     after(begins("step", "cleanup", inside=LAST, extra=False) | TURN_ENDED,
           begins("step", besides=("cleanup",), extra=False), begins("turn"))),
    ("cleanup_comes", "every turn has a cleanup step, unless an effect skips it",
     ("500.1, 514", "500.1, 514", "300.1, 314"),
     followed(begins("turn"), begins("step", "cleanup") | skipped("step", "cleanup") |
              skipped("phase", "ending", "end"), ends("turn"))),
    ("beginning_first", "a turn begins with its beginning phase",
     ("500.1", "500.1", "300.1"),
     only(begins("phase", besides=("beginning",), extra=False), begins("phase", "beginning") |
          skipped("phase", "beginning") | TURN_ENDED, begins("turn"))),
    ("first_main_only_once", "only the first main phase of a turn is precombat",
     ("505.1a", "505.1a", "305.1"),
     after(ends("phase", "precombat_main"), begins("phase", "precombat_main"), begins("turn"))),
    ("postcombat_needs_precombat",
     "a main phase is postcombat only after another main phase of the turn",
     ("505.1a", "505.1a", "305.1"),
     only(begins("phase", "postcombat_main"), begins("phase", "precombat_main"), begins("turn"))),
    ("mana_empties", "unspent mana empties after players could act, before the next step begins",
     (MANA, "500.4", ""), after(priority(), begins("step") | ends("turn"), performs("empty_mana"))),
    ("mana_burns", "unspent mana is lost after players could act, before the next phase begins",
     ("", "", "300.3"),
     after(priority(), begins("phase", besides=("end",), extra=False) | ends("turn"),
           performs("lose_mana"))),
    ("skipped_step_never_was", "a skipped step does not begin, so nothing triggers as it does",
     ("614.10, 614.10a", "614.10", "300.9, 419.6e"),
     after(skipped("step", "*"), begins("step", "*"), reaches("*_before") | TURN_ENDED)),
    ("skipped_phase_never_was", "a skipped combat phase does not begin",
     ("614.10, 614.10a", "614.10", "300.9, 419.6e"),
     after(skipped("phase", "combat"), begins("phase", "combat"), reaches("combat_phase_before"))),
    ("skipped_turn_never_was", "a skipped turn does not begin",
     ("614.10, 614.10a", "614.10", "300.9, 419.6e"),
     after(skipped("turn"), begins("turn"), reaches("turn_before"))),
    ("extra_phase_in_its_turn", "an extra phase belongs to the turn it was added to",
     ("500.8", "500.8", "300.7"),
     after(ends("turn"), begins("phase", extra=True), ordered("extra phase") |
           ordered("step after phase"))),
    ("extra_step_in_its_turn", "an extra step belongs to the turn it was added to",
     ("500.9", "500.9", "300.8"),
     after(ends("turn"), begins("step", extra=True), ordered("extra step") |
           ordered("step before") | ordered("extra phase") | ordered("step after phase"))),
    ("upkeep_after_combat", "an upkeep step added after combat comes before the next natural phase",
     ("500.10", "", ""),
     followed(ordered("step after phase", "upkeep", inside=("combat",)), begins("step", "upkeep") |
              skipped("step", "upkeep") | skipped("phase", "beginning") | TURN_ENDED,
              begins("phase", extra=False) | ends("turn"))),
    ("extra_combat_at_once",
     "a combat phase added in a main phase comes before the next natural phase",
     ("500.8", "500.8", "300.7"),
     followed(ordered("extra phase", "combat", inside=("precombat_main", "postcombat_main")),
              begins("phase", "combat", extra=True) | skipped("phase", "combat") | TURN_ENDED,
              begins("phase", extra=False) | ends("turn"))),
    ("extra_step_at_once",
     "an upkeep step added after the upkeep step comes before any natural step",
     ("500.9", "500.9", "300.8"),
     followed(ordered("extra step", "upkeep", inside=("upkeep_window",)),
              begins("step", "upkeep", extra=True) | skipped("step", "upkeep") | TURN_ENDED |
              COMBAT_ENDED, begins("step", extra=False) | ends("turn"))),
    ("no_end_step_after_the_end", "after the turn was ended it has no end step",
     ("723.1e", "712.3", "509.3"),
     after(TURN_ENDED, begins("step", *END, extra=False), begins("turn"))),
    ("ending_leads_to_cleanup", "when the turn is ended, cleanup comes next",
     ("723.1d", "712.1c", "509.1c"),
     followed(TURN_ENDED, begins("step", "cleanup"), begins("step", besides=("cleanup",)) |
              ends("turn"))),
    ("ending_is_silent", "while the turn is being ended nobody receives priority",
     ("723.1c", "712.1b", "509.1b"), after(TURN_ENDED, priority(), begins("step", "cleanup"))),
    ("fighters_leave_an_ended_turn", "when the turn is ended in combat, what fought leaves combat",
     ("723.1d", "712.1a", "509.1a"),
     followed(reaches("end_turn_triggers", "end_turn_stack", inside=("combat",)),
              performs("remove_from_combat"), begins("step", "cleanup"))),
    ("only_combat_is_ended", "outside combat nothing comes of ending it",
     ("723.2g", "", ""), never(reaches("end_combat_triggers", outside=("combat",)))),
    ("ended_combat_is_over", "after combat was ended none of its steps comes before the next phase",
     ("723.2d, 723.2e", "", ""),
     after(COMBAT_ENDED, begins("step", *FIGHTING), begins("phase") | ends("turn"))),
    ("ending_combat_is_silent", "while combat is being ended nobody receives priority",
     ("723.2c", "", ""), after(COMBAT_ENDED, priority(), begins("phase") | TURN_ENDED)),
    ("checked_before_priority",
     "state-based actions are checked after whatever happened, before priority",
     ("117.5, 704.3", "116.5, 704.3", "408.1b, 420.3"),
     after(acts() | resolves(), priority(), checks())),
    ("resolves_when_all_pass", "nothing resolves before players have passed",
     ("117.4", "116.4", "408.1c, 413.1"), after(acts(), resolves(), passes())),
    ("turn_ends", "a turn in which finitely many things happen ends",
     ("500.1, 500.2", "500.1, 500.2", "300.1, 300.2"), responds(begins("turn"), ends("turn"))),
    ("window_closes", "players who only pass come to the next step",
     ("117.4, 500.2", "116.4, 500.2", "300.2, 413.1"),
     responds(priority("precombat_main"), begins("step") | begins("turn") | skipped("step"))),
)


def _stated(rulebook: int) -> tuple[Property, ...]:
    """Those with a rule in this rulebook."""
    found = []
    for name, says, rules, form in STATED:
        if rules[rulebook]:
            found.append(Property(name, says, rules[rulebook], form))
    return tuple(found)


CURRENT, TABLE, CLASSIC = map(_stated, range(3))
