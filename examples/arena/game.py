"""A tiny game for learning: sparks that burn, a familiar that attacks, and sparks given up to block it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum

from fsm.engine import Answer, CheckState, Over, Perform, PlaceTriggers, Priority, Request, Resolve, Signal

LIFE, HAND, SPARK, FAMILIAR = 10, 2, 3, 2
DECK = (True,) * 12 + (False,) * 18
"""True is a spark; the other cards do nothing."""


class Move(IntEnum):
    """What a player can do. Passing is also not to attack, and not to block."""

    PASS = 0
    CAST = 1
    ATTACK = 2
    BLOCK = 3


@dataclass
class Side:
    """What one player has: life, sparks in hand, and cards to draw."""

    deck: list[bool]
    life: int = LIFE
    hand: int = HAND


@dataclass
class Game:
    """The host of the turn (`fsm.Host`). `move` is the decision to be carried out next."""

    sides: dict[str, Side]
    stack: list[str] = field(default_factory=list)
    blocked: bool = False
    move: Move = Move.PASS
    loser: str = ""

    def other(self, player: str) -> str:
        """The opponent."""
        return next(name for name in self.sides if name != player)

    def decides(self, request: Request | Over) -> str:
        """Who has something to decide here; "" when there is nothing, or nothing to choose from."""
        if isinstance(request, Priority):
            return request.player if self.sides[request.player].hand else ""
        if isinstance(request, Perform) and request.action == "declare_attackers":
            return request.at.active
        if isinstance(request, Perform) and request.action == "declare_blockers":
            [defender] = request.players
            return defender if self.sides[defender].hand else ""
        return ""

    def legal(self, request: Request | Over) -> tuple[Move, ...]:
        """What can be decided here."""
        if isinstance(request, Perform):
            return (Move.PASS, Move.ATTACK if request.action == "declare_attackers" else Move.BLOCK)
        return (Move.PASS, Move.CAST) if isinstance(request, Priority) else ()

    # what the turn asks for ------------------------------------------------------------------------

    def priority(self, request: Priority) -> Answer:
        """Cast a spark, or pass."""
        if self._moved() is not Move.CAST:
            return Answer("passed")
        self.sides[request.player].hand -= 1
        self.stack.append(request.player)
        return Answer("acted")

    def perform(self, request: Perform) -> Answer:
        """The actions that this game has; a turn offers more."""
        act: Callable[[str], Answer | None] | None = getattr(self, f"_{request.action}", None)
        return (act and act(request.at.active)) or Answer()

    def check(self, request: CheckState) -> Answer:
        """Whoever has no life left has lost."""
        self.loser = next((name for name, side in self.sides.items() if side.life <= 0), "")
        facts = {"sba_performed": bool(self.loser), "triggers_waiting": False}
        return Answer(facts=facts, signal=Signal("player_left", self.loser) if self.loser else None)

    def place(self, request: PlaceTriggers) -> Answer:
        """Nothing triggers here."""
        return Answer()

    def resolve(self, request: Resolve) -> Answer:
        """The spark on top burns."""
        self.sides[self.other(self.stack.pop())].life -= SPARK
        return Answer()

    def facts(self, names: tuple[str, ...]) -> dict[str, bool]:
        """What the turn wants to know besides."""
        return {name: name == "stack_empty" and not self.stack for name in names}

    def notice(self, expired: tuple[str, ...], triggered: tuple[str, ...]) -> None:
        """Nothing here has a duration."""

    def _moved(self) -> Move:
        move, self.move = self.move, Move.PASS
        return move

    def _draw_card(self, active: str) -> None:
        side = self.sides[active]
        if side.deck:
            side.hand += side.deck.pop()

    def _declare_attackers(self, active: str) -> Answer:
        self.blocked = False
        return Answer(facts={"attackers_declared": self._moved() is Move.ATTACK})

    def _declare_blockers(self, active: str) -> None:
        self.blocked = self._moved() is Move.BLOCK
        self.sides[self.other(active)].hand -= self.blocked

    def _deal_combat_damage(self, active: str) -> None:
        self.sides[self.other(active)].life -= 0 if self.blocked else FAMILIAR
