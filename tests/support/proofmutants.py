"""Rulesets broken on purpose, each with a property that must notice."""

from __future__ import annotations

from dataclasses import dataclass, replace

import fsm
from fsm.model import Model


@dataclass(frozen=True)
class Mutant:
    """A ruleset in which a state is passed by (`bypassed`), or a transition is missing (`without`).

    What ends as such a state is left still ends.

    `turns`: so many it takes to notice.
    """

    ruleset: str
    breaks: str
    bypassed: str = ""
    without: str = ""
    turns: int = 2

    @property
    def model(self) -> Model:
        """The broken model."""
        model = fsm.load(self.ruleset)
        if self.without:
            return model.without(self.without)
        onward = model.rows(self.bypassed, "done")[-1]
        ends = tuple(action for action in onward.actions if action.name == "end")
        rows = (
            replace(t, target=onward.target, actions=(*t.actions, *ends))
            if t.target == self.bypassed
            else t
            for t in model.transitions
        )
        return replace(model, transitions=tuple(rows))

    def __str__(self) -> str:
        return f"{self.ruleset}: {self.bypassed or self.without}"


def _bypassing(ruleset: str, **properties: str) -> list[Mutant]:
    return [Mutant(ruleset, property, bypassed=state) for state, property in properties.items()]


MUTANTS = [
    *_bypassing(
        "magic",
        untap_phasing="phasing_first",
        untap_day_night="day_before_untap",
        upkeep_end="mana_empties",
        draw_draw_card="draw_before_priority",
        precombat_main_set_scheme="scheme_before_lore",
        declare_attackers_declare_attackers="attackers_before_priority",
        declare_blockers_declare_blockers="blockers_before_priority",
        first_strike_damage_assign_combat_damage="assigned_before_dealt",
        combat_damage_deal_combat_damage="no_response_to_assignment",
        end_of_combat_remove_from_combat="combat_is_left",
        cleanup_discard_to_hand_size="discard_before_wearing_off",
        cleanup_remove_damage_and_end_effects="cleanup_acts_first",
        end_turn_combat="fighters_leave_an_ended_turn",
    ),
    *_bypassing(
        "magic-2010",
        untap_phasing="phasing_first",
        draw_end="mana_empties",
        draw_draw_card="draw_before_priority",
        declare_blockers_order_attackers="orders_before_priority",
        declare_blockers_declare_blockers="blockers_before_orders",
        first_strike_damage_assign_blockers="assigned_before_dealt",
        combat_damage_deal_combat_damage="no_response_to_assignment",
        end_of_combat_remove_from_combat="combat_is_left",
    ),
    *_bypassing(
        "magic-classic",
        untap_phasing="phasing_first",
        draw_draw_card="draw_before_priority",
        beginning_phase_end="mana_burns",
        declare_attackers_declare_attackers="attackers_before_priority",
        declare_blockers_declare_blockers="blockers_before_priority",
        end_of_combat_remove_from_combat="combat_is_left",
        cleanup_discard_to_hand_size="discard_before_wearing_off",
        cleanup_remove_damage_and_end_effects="cleanup_acts_first",
        end_turn_combat="fighters_leave_an_ended_turn",
        end_turn_leave="ending_leads_to_cleanup",
    ),
    Mutant(
        "magic-classic",
        "first_draw_skipped",
        without="draw_before -> draw_after [first_turn, first_draw_skipped, not extra_draw]",
    ),
    Mutant(
        "magic-classic",
        "cleanup_again",
        without="cleanup_window -> cleanup_again_end on closed [window_opened]",
    ),
    Mutant(
        "magic-classic",
        "fighters_leave_an_ended_turn",
        without="end_turn_stack -> end_turn_combat [combat_under_way]",
    ),
    Mutant("grand-archive", "wake_before_opportunity", bypassed="wake_up_wake", turns=3),
    *_bypassing(
        "grand-archive",
        draw_draw_card="draw_before_opportunity",
        retaliation_declare_retaliation="retaliation_before_damage",
        end_of_combat_remove_roles="roles_come_off",
        end_clean_up="clean_up_comes",
        end_turn_stack="combat_has_its_end",
    ),
]
