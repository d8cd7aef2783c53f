"""The turn graph as `if` and `elif`: what the engines are measured against in the dispatch bars."""

from __future__ import annotations

from benchmarks.graph import Game


class HandWritten(Game):
    """The graph written by hand, one branch for each state, with the same guards and callbacks."""

    def __init__(self) -> None:
        super().__init__()
        self.state = "untap"

    def advance(self) -> None:  # noqa: C901, PLR0915 - written as by hand
        """Make the one event happen."""
        state = self.state
        if state == "untap":
            self.state = "upkeep"
            self.enter_upkeep()
        elif state == "upkeep":
            self.state = "draw"
            self.enter_draw()
        elif state == "draw":
            self.state = "precombat_main"
            self.enter_precombat_main()
        elif state == "precombat_main":
            self.state = "beginning_of_combat"
            self.enter_beginning_of_combat()
        elif state == "beginning_of_combat":
            self.state = "declare_attackers"
            self.enter_declare_attackers()
        elif state == "declare_attackers":
            if self.no_attackers():
                self.state = "end_of_combat"
                self.enter_end_of_combat()
            else:
                self.state = "declare_blockers"
                self.enter_declare_blockers()
        elif state == "declare_blockers":
            if self.first_strike():
                self.state = "first_strike_damage"
                self.enter_first_strike_damage()
            else:
                self.state = "combat_damage"
                self.enter_combat_damage()
        elif state == "first_strike_damage":
            self.state = "combat_damage"
            self.enter_combat_damage()
        elif state == "combat_damage":
            self.state = "end_of_combat"
            self.enter_end_of_combat()
        elif state == "end_of_combat":
            self.state = "postcombat_main"
            self.enter_postcombat_main()
        elif state == "postcombat_main":
            self.state = "end"
            self.enter_end()
        elif state == "end":
            self.state = "cleanup"
            self.enter_cleanup()
        elif state == "cleanup":
            if self.cleanup_again():
                self.state = "cleanup"
                self.enter_cleanup()
            else:
                self.state = "untap"
                self.enter_untap()
