"""The words classic Magic's table uses: where each edition says things, the facts, durations and
settings.
"""

from __future__ import annotations

from calendar import month_name
from dataclasses import dataclass

from fsm.model import Fact, Setting
from fsm.rulesets.frame.rows import agenda_fact, controller_fact, game_fact
from fsm.rulesets.frame.windows import PriorityRules
from fsm.rulesets.magic.facts import durations

CHECK = "State-based effects"

PRIORITY = PriorityRules(
    first="408.1c",
    settle="408.1b",
    checks="420.3",
    places="410.3",
    opens_if="314.3",
    holds="408.1c",
    acts="408.1c",
    passes="408.1c",
    all_passed="413.1",
    resolves="408.1c",
    closes="300.2",
    leaves="600.4a",
    check="state-based effect",
)

DURATIONS = durations(begin="300.4", wears_off="314.2", combat="300.4", end_step="end_of_turn")


@dataclass(frozen=True, slots=True)
class Changes:
    """What changed from edition to edition ("2006-10": the rules in force from that month on), and
    its numbers.
    """

    edition: str

    @property
    def rulebook(self) -> str:
        """The rulebook with its month: "Comprehensive Rules of October 2006"."""
        year, month = self.edition.split("-")
        return f"Comprehensive Rules of {month_name[int(month)]} {year}"

    @property
    def no_attack(self) -> str:
        """Nothing attacks: no blocks, no damage."""
        return "308.5" if self.edition >= "2007-10" else "308.4"

    @property
    def first_draw(self) -> str:
        """The starting player's first draw."""
        return "101.5" if self.edition < "2005-08" else "101.5a" if self.edition < "2007-07" else "101.6a"

    @property
    def leaves(self) -> str:
        """A player leaves in their own turn: a rule of its own only from CR 2007-02 on."""
        return "600.4f" if self.edition >= "2007-02" else "600.4"

    @property
    def turn_can_be_ended(self) -> bool:
        """Is there a rule on ending the turn (509)?"""
        return self.edition >= "2004-10"

    @property
    def leaving_ruled(self) -> bool:
        """Is there a rule on a player who leaves in their own turn (600.4f)?"""
        return self.edition >= "2007-02"

    @property
    def put_in_counts(self) -> bool:
        """Do creatures put into play attacking make blocks and damage happen (308.5)?"""
        return self.edition >= "2007-10"

    @property
    def team_skips_draw(self) -> bool:
        """Does the starting team skip its first draw step, as a single player does (606.6b)?"""
        return self.edition >= "2007-05"

    def one_draws(self, unless_told: bool) -> bool:
        """Does the secondary player alone draw there? Before CR 2006-10 no rule is known: as the
        option says.
        """
        return unless_told if self.edition < "2006-10" else not self.team_skips_draw


def facts(changes: Changes, **optional: bool) -> tuple[Fact, ...]:
    """The facts of the table in an edition; the `optional` ones, by name, only when something reads
    them.
    """
    attack, draw = changes.no_attack, changes.first_draw
    every = (
        game_fact("attackers_declared", "a creature was declared as an attacker this combat", attack, "latched",
                  "combat", says="a creature attacks", denies="nobody attacks"),
        game_fact("put_in_attacking", "a creature was put into play attacking", attack, "latched", "combat",
                  says="a creature is put in attacking", denies="none is put in attacking"),
        game_fact("first_strike_in_combat", "an attacker or blocker has first or double strike", "310.5", "once",
                  says="a fighter has first or double strike", denies="nobody has first or double strike"),
        game_fact("damage_assigned", "somebody assigns combat damage", "310.1",
                  says="there is damage", denies="there is no damage"),
        game_fact("sba_performed", "a state-based effect was performed", "420.3", about="state-based effects",
                  says="something happened by itself, such as a creature dying", denies="nothing happened by itself"),
        controller_fact("several_opponents", "there is more than one opponent to attack", "306.3", "more_sides_than",
                        "2", says="there are several opponents", denies="there is only one opponent"),
        controller_fact("several_sides_left", "at least two players or teams are left", "102.2a", "more_sides_than",
                        "1", says="several sides are left", denies="one side is left"),
        controller_fact("first_turn", "this is the starting player's first turn", draw, "starters_turn_is", "1",
                        says="this is the first turn of the one who starts", denies="this is a later turn"),
        controller_fact("first_draw_skipped", "the starting player skips the first draw step", draw, "setting",
                        "first_draw_skipped", says="nobody draws on that turn", denies="a card is drawn on that turn"),
        controller_fact("team_turns", "the players of a team take their turns together", "606.6b", "shared_turns",
                        says="the players of a team take their turns together", denies="each player takes turns alone"),
        controller_fact("active_left", "whose turn it is has left the game", "600.4", "active_left"),
        agenda_fact("extra_draw", "this draw step is an extra one", draw, "inside_any_extra",
                    says="this draw step is an extra one", denies="this draw step is not an extra one"),
        agenda_fact("main_phase_begun", "a main phase has begun this turn", "305.1", "begun", "phase", "main",
                    says="a main phase has begun this turn", denies="no main phase has begun this turn"),
        agenda_fact("combat_under_way", "the game is in a combat phase", "509.1a", "phase_under_way", "combat",
                    says="the game is in combat", denies="the game is not in combat"),
        agenda_fact("end_under_way", "the game is in an end phase", "509.1c", "phase_under_way", "end",
                    says="the turn is ending", denies="the turn is not ending yet"),
        Fact("window_opened", "somebody received priority in this window", "314.3", "controller", "latched", "window",
             says="something happened", denies="nothing happened"),
        Fact("cleanup_owed", "the turn was ended in a cleanup step in which players had priority", "314.3",
             "controller", "latched", "cleanup", "this turn"),
    )
    return tuple(fact for fact in every if optional.get(fact.name, True))


def settings(changes: Changes) -> tuple[Setting, ...]:
    """Two players; from CR 2007-05 on also two teams."""
    doc = "the starting player or team skips the first draw step"
    skips = Setting("first_draw_skipped", doc, changes.first_draw, sides=2, even=True)
    alone = Setting("first_draw_skipped", "the starting player skips the first draw step", skips.rule, players=2)
    return (skips if changes.team_skips_draw else alone,)
