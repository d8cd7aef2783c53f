"""A turn of Magic written by hand, as a good programmer would who needs no extra turns or steps.

It asks the same questions in the same order as the controller does while nothing is scheduled and
no signal comes. Its requests are ordinary frozen dataclasses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, make_dataclass
from typing import Any

from fsm import Answer

STRIKES = ("first_strike_in_combat",)
SETTLES = ("sba_performed", "triggers_waiting")
STACK = ("stack_empty",)
ASKED = "facts expired triggered"
FIELDS = {
    "Position": ("turn active controller extra phase step iteration stage", ""),
    "Perform": ("at state", f"{ASKED} action manner by"),
    "Priority": ("at state", f"{ASKED} player by"),
    "CheckState": ("at state", ASKED),
    "PlaceTriggers": ("at state", f"{ASKED} by manner"),
    "Resolve": ("at state", ASKED),
}
"""The fields of each request, and those that may be left out."""


def _maker(name: str, needed: str, rest: str) -> Callable[..., Any]:
    fields: list[Any] = [*needed.split(), *((one, Any, field(default=())) for one in rest.split())]
    return make_dataclass(name, fields, frozen=True, slots=True)


MAKERS = tuple(_maker(name, *fields) for name, fields in FIELDS.items())


class HandTurn:
    """One game's turns: `play` takes them one after another. `ask` answers requests."""

    def __init__(self, players: Sequence[str], ask: Callable[[Any], Answer]) -> None:
        self.position, self.perform, self.priority, self.check, self.place, self.resolve = MAKERS
        self.players = tuple(players)
        self.ask = ask
        self.turn = 0
        self.order: tuple[str, ...] = ()
        self.active = self.phase = self.step = ""
        self.iteration = 1

    def play(self, turns: int) -> None:
        """Play so many turns."""
        for _ in range(turns):
            self._whole_turn()

    def _whole_turn(self) -> None:
        first = self.turn % len(self.players)
        self.order = self.players[first:] + self.players[:first]
        self.active = self.order[0]
        self.turn += 1
        self._beginning()
        self._main("precombat_main", "set_scheme", "add_lore_counters", "roll_attractions")
        self._combat()
        self._main("postcombat_main")
        self._ending()

    # phases ---------------------------------------------------------------------------------------

    def _beginning(self) -> None:
        self.phase = "beginning"
        self.step = "untap"
        self._act("phasing")
        self._act("day_night")
        self._act("untap_permanents")
        self._leave()
        self.step = "upkeep"
        self._window()
        self._leave()
        if self.turn > 1 or len(self.players) > 2:
            self.step = "draw"
            self._act("draw_card")
            self._window()
            self._leave()

    def _main(self, name: str, *actions: str) -> None:
        self.phase = self.step = name
        for action in actions:
            self._act(action)
        self._window()
        self._leave()

    def _combat(self) -> None:
        self.phase = "combat"
        self.step = "beginning_of_combat"
        if len(self.players) > 2:
            self._act("choose_defender")
        self._window()
        self._leave()
        self.step = "declare_attackers"
        attacked = self._act("declare_attackers", ("attackers_declared",))["attackers_declared"]
        self._window()
        self._leave()
        if attacked:
            self._blocks_and_damage()
        self.step = "end_of_combat"
        self._window()
        self._act("remove_from_combat")
        self._perform("combat_phase_end", "empty_mana")

    def _blocks_and_damage(self) -> None:
        self.step = "declare_blockers"
        self._act("declare_blockers", by=self.order[1:])
        self._window()
        if self._leave(STRIKES)["first_strike_in_combat"]:
            self._damage("first_strike_damage", "first_or_double_strike")
        self._damage("combat_damage", "others_and_double_strike")

    def _damage(self, step: str, manner: str) -> None:
        self.step = step
        self._act("assign_combat_damage", manner=manner, by=self.order)
        self._act("deal_combat_damage")
        self._window()
        self._leave()

    def _ending(self) -> None:
        self.phase = "ending"
        self.step = "end"
        self._window()
        self._leave()
        self.step = "cleanup"
        while self._cleanup():
            self.iteration += 1
        self.iteration = 1

    def _cleanup(self) -> bool:
        """One cleanup step; True when somebody received priority, so that another one follows."""
        self._act("discard_to_hand_size")
        self._act("remove_damage_and_end_effects")
        if self._window(conditional=True):
            self._perform("cleanup_again_end", "empty_mana")
            return True
        self._leave()
        return False

    # what happens in a step -----------------------------------------------------------------------

    def _act(
        self, action: str, facts: tuple[str, ...] = (), manner: str = "", by: tuple[str, ...] = ()
    ) -> Mapping[str, bool]:
        return self._perform(f"{self.step}_{action}", action, facts, manner, by)

    def _leave(self, facts: tuple[str, ...] = ()) -> Mapping[str, bool]:
        return self._perform(f"{self.step}_end", "empty_mana", facts)

    def _perform(
        self,
        stage: str,
        action: str,
        facts: tuple[str, ...] = (),
        manner: str = "",
        by: tuple[str, ...] = (),
    ) -> Mapping[str, bool]:
        request = self.perform(
            self._at(stage), stage, facts, (), (), action, manner, by or (self.active,)
        )
        return self.ask(request).facts

    def _window(self, *, conditional: bool = False) -> bool:
        """Priority goes round until all have passed on an empty stack; False when the window stayed
        shut.
        """
        order, at = self.order, self._at(f"{self.step}_window")
        happened = self._settle(at)
        if conditional and not happened:
            return False
        holder = passes = 0
        while True:
            player = order[holder]
            answer = self.ask(self.priority(at, "priority", STACK, (), (), player, (player,)))
            if answer.word == "acted":
                passes = 0
            elif passes + 1 < len(order):
                passes += 1
                holder = (holder + 1) % len(order)
            elif answer.facts["stack_empty"]:
                return True
            else:
                self.ask(self.resolve(at, "resolve_top"))
                holder = passes = 0
            self._settle(at)

    def _settle(self, at: Any) -> bool:
        """State-based actions, then triggers, until neither is there; did anything happen?"""
        check, happened = self.check(at, "sba", SETTLES), False
        while True:
            told = self.ask(check).facts
            if not told["sba_performed"]:
                if not told["triggers_waiting"]:
                    return happened
                self.ask(self.place(at, "place_triggers", (), (), (), self.order, "two_passes"))
            happened = True

    def _at(self, stage: str) -> Any:
        active = self.active
        return self.position(
            self.turn, active, active, False, self.phase, self.step, self.iteration, stage
        )
