"""A tiny game for learning: sparks that burn, a familiar that attacks, and sparks given up to block
it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum

import fsm
from fsm.engine import Answer, CheckState, Over, Perform, Priority, Request, Resolve

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
class Game(fsm.BaseHost):
    """The host of the turn. `move` is the decision to be carried out next."""

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

    # what the turn asks for -----------------------------------------------------------------------

    def on_priority(self, request: Priority) -> Answer:
        """Cast a spark, or pass."""
        if self._moved() is not Move.CAST:
            return request.passed()
        self.sides[request.player].hand -= 1
        self.stack.append(request.player)
        return request.acted()

    def on_draw_card(self, request: Perform) -> None:
        """Draw from the deck, as long as it has cards."""
        side = self.sides[request.at.active]
        if side.deck:
            side.hand += side.deck.pop()

    def on_declare_attackers(self, request: Perform) -> Answer:
        """The familiar attacks, or does not."""
        self.blocked = False
        return request.done(attackers_declared=self._moved() is Move.ATTACK)

    def on_declare_blockers(self, request: Perform) -> None:
        """A spark is given up to block."""
        self.blocked = self._moved() is Move.BLOCK
        self.sides[self.other(request.at.active)].hand -= self.blocked

    def on_deal_combat_damage(self, request: Perform) -> None:
        """The familiar hits, unless it was blocked."""
        self.sides[self.other(request.at.active)].life -= 0 if self.blocked else FAMILIAR

    def on_check_state(self, request: CheckState) -> Answer | None:
        """Whoever has no life left has lost."""
        self.loser = next((name for name, side in self.sides.items() if side.life <= 0), "")
        return request.done(fsm.Leave(self.loser), sba_performed=True) if self.loser else None

    def on_resolve(self, request: Resolve) -> None:
        """The spark on top burns."""
        self.sides[self.other(self.stack.pop())].life -= SPARK

    @property
    def stack_empty(self) -> bool:
        """What the turn wants to know besides."""
        return not self.stack

    def _moved(self) -> Move:
        move, self.move = self.move, Move.PASS
        return move
