"""What Grand Archive's rules leave open, as options with a default each; U-n numbers the open
questions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Each option but the first stands for a point the rules leave open.

    edition: the text of August 2026, or that of 2024.
    begin_triggers_after_tba: beginning-of-phase triggers of wake up and draw come after the action
    (U-1).
    charge_before_triggers: charge counters go on before beginning-of-recollection triggers (U-2).
    combat_suspends_main: "until end of main phase" outlasts combat (U-3).
    window_after_retaliation: the window after retaliation was declared (U-4).
    retaliator_order: when the attacking player orders several retaliators (U-5).
    clear_combat_before_window: roles and intent are gone before players may act in end of combat
    (U-6).
    forced_end_of_combat_window: the window of an end of combat step forced by an effect (U-7,
    U-27).
    enter_extra_materialize: a main phase ended by an effect is still followed by the moved phase
    (U-8).
    ending_end_phase_ends_turn: ending the end phase is ending the turn (U-9).
    end_turn_target: where a turn goes on that is ended: at its clean-up, or at the check after it
    (U-10).
    silent_combat_teardown: a turn ended in combat has no end of combat step (U-11).
    skip_spent_by_absent_phase: a skip is used up by a phase that would not happen anyway (U-12).
    persist_until_next_clean_up: "until end of turn" outlasts a turn without clean-up (U-13).
    clean_up_change: what makes the clean-up repeat (U-14).
    round_after_recheck, round_before_materialize: all must pass once more as those windows end
    (U-15).
    old_clean_up_loops: in the edition of 2024, too, players may act after the clean-up, and it
    repeats (U-16).
    extra_turn_can_be_first: an extra turn may be a player's first turn (U-17).
    distortion_counts_late: time distorted after this turn's materialize phase moves one all the
    same (U-18).
    distorted_first_turn_skips: on a first turn the moved phase does not happen either (U-19).
    pantheon_first_draw: in Pantheon the first player of two draws (U-20).
    last_of_cycle: who may attack on the first turn: the last of those living, or of all seated
    (U-21).
    next_player_acts_for_lost: after the turn player has lost, the end phase has its windows (U-22).
    champion_enters_first: on enter abilities of a champion placed on the first turn come first
    (U-23).
    clean_up_limit: repeats of the clean-up in one turn after which the loop is reported (U-24).
    round_after_materialize: all must pass once more after what followed a materialization (U-25).
    turn_end_effects_once: "as the turn ends" effects do not occur again when the clean-up repeats
    (U-26).
    champion_at: when the first champion is placed; "edition": 2026 before the game, 2024 on the
    first turn (U-28).
    """

    edition: Literal["CUR", "OLD"] = "CUR"
    begin_triggers_after_tba: bool = True
    charge_before_triggers: bool = True
    combat_suspends_main: bool = True
    window_after_retaliation: Literal["conditional", "natural", "none"] = "conditional"
    retaliator_order: Literal["after_window", "before_window"] = "after_window"
    clear_combat_before_window: bool = True
    forced_end_of_combat_window: Literal["conditional", "none"] = "conditional"
    enter_extra_materialize: bool = True
    ending_end_phase_ends_turn: bool = True
    end_turn_target: Literal["clean_up", "recheck"] = "clean_up"
    silent_combat_teardown: bool = True
    skip_spent_by_absent_phase: bool = False
    persist_until_next_clean_up: bool = True
    clean_up_change: Literal["sba_or_trigger", "trigger", "anything"] = "sba_or_trigger"
    round_after_recheck: bool = True
    round_before_materialize: bool = False
    old_clean_up_loops: bool = False
    extra_turn_can_be_first: bool = False
    distortion_counts_late: bool = True
    distorted_first_turn_skips: bool = True
    pantheon_first_draw: bool = True
    last_of_cycle: Literal["living", "seated"] = "living"
    next_player_acts_for_lost: bool = True
    champion_enters_first: bool = True
    clean_up_limit: int = 1000
    round_after_materialize: bool = False
    turn_end_effects_once: bool = True
    champion_at: Literal["edition", "game_start", "first_turn"] = "edition"

    @property
    def current(self) -> bool:
        """Is it the text of August 2026?"""
        return self.edition == "CUR"

    @property
    def champion_late(self) -> bool:
        """Is the first champion placed on each player's first turn?"""
        return self.champion_at == "first_turn" or (self.champion_at == "edition" and not self.current)

    @property
    def loops(self) -> bool:
        """Does the clean-up repeat?"""
        return self.current or self.old_clean_up_loops

    @property
    def repeat_rule(self) -> str:
        """The rule by which the clean-up repeats; the text of 2024 has none."""
        return "End Phase GR4" if self.current else "no rule (U-16)"

    @property
    def clean_up_begins(self) -> str:
        """The action with which the clean-up begins."""
        return "clean_up" if self.current else "remove_damage"

    @property
    def clean_up_tells(self) -> bool:
        """Is it asked of the clean-up itself whether it changed something?"""
        return self.loops and self.clean_up_change == "anything"

    @property
    def forced_leaves_window_out(self) -> bool:
        """Has an end of combat step that an effect forced no window?"""
        return self.forced_end_of_combat_window == "none"
