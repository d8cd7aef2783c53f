"""Rulesets broken on purpose: a state is passed by, or a transition is missing. Each breaks a
property that the ruleset states.
"""

from __future__ import annotations

from msgspec.structs import replace

import fsm
from fsm.model import Model

BYPASSED = {
    "magic untap_day_night": "day_before_untap",
    "magic upkeep_end": "mana_empties",
    "magic precombat_main_set_scheme": "actions_in_order",
    "magic declare_attackers_declare_attackers": "actions_before_priority",
    "magic cleanup_discard_to_hand_size": "actions_in_order",
    "magic cleanup_remove_damage_and_end_effects": "actions_before_priority",
    "magic-2010 untap_phasing": "actions_in_order",
    "magic-2010 draw_draw_card": "actions_before_priority",
    "magic-2010 draw_end": "mana_empties",
    "magic-2010 declare_blockers_order_attackers": "orders_before_priority",
    "magic-2010 first_strike_damage_assign_blockers": "actions_in_order",
    "magic-2010 combat_damage_deal_combat_damage": "no_response_to_assignment",
    "magic-classic beginning_phase_end": "mana_burns",
    "magic-classic end_of_combat_remove_from_combat": "combat_is_left",
    "magic-classic end_turn_combat": "fighters_leave_an_ended_turn",
    "magic-classic end_turn_leave": "ending_leads_to_cleanup",
    "grand-archive draw_draw_card": "actions_before_opportunity",
    "grand-archive retaliation_declare_retaliation": "retaliation_before_damage",
    "grand-archive end_of_combat_remove_roles": "roles_come_off",
    "grand-archive end_clean_up": "clean_up_comes",
    "grand-archive end_turn_stack": "combat_has_its_end",
}
"""The property that is broken, by the ruleset and the state that is passed by."""


def bypassing(ruleset: str, state: str) -> Model:
    """The ruleset in which what leads to a state leads past it. What ends there still ends."""
    model = fsm.load(ruleset)
    onward = model.rows(state, "done")[-1]
    ends = tuple(action for action in onward.actions if action.name == "end")
    return rerouted(model, state, onward.target, *ends)


def rerouted(model: Model, state: str, target: str | None, *more: fsm.model.Action) -> Model:
    """The model in which what leads to a state leads to another one, and does more."""
    rows = tuple(
        replace(row, target=target, actions=(*row.actions, *more)) if row.target == state else row
        for row in model.transitions
    )
    assert rows != model.transitions
    return replace(model, transitions=rows)
