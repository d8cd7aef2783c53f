"""The game at the table: sparks and a familiar each. Small on purpose; the turn is all of Magic's."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from fsm import Answer, CheckState, Leave, Over, Perform, Priority, Request, Resolve, aio

SEATS = ("Ann", "Ben")
LIFE, HAND, SPARK, FAMILIAR = 12, 3, 3, 2
CAST, PASS, ATTACK, STAY, LEAVE = "Cast a spark", "Pass", "Attack", "Do not attack", "Give up"
Ask = Callable[[str], Awaitable[str]]
"""Asks a player for one of the choices, and waits for it."""


@dataclass
class Game:
    """What the players have. `stack` are the casters of sparks that have not taken effect, the last
    on top.
    """

    life: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SEATS, LIFE))
    hand: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SEATS, HAND))
    stack: list[str] = field(default_factory=list)
    log: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """All of it, for the store and the browser."""
        return asdict(self)

    def choices(self, player: str, request: Request | Over) -> list[str]:
        """What a player may choose now. A browser can send anything else."""
        if isinstance(request, Priority):
            return [CAST, PASS, LEAVE] if self.hand[player] else [PASS, LEAVE]
        return [ATTACK, STAY, LEAVE] if isinstance(request, Perform) else []


class Host(aio.BaseHost):
    """What the turn asks for. Only what a player decides is waited for."""

    def __init__(self, game: Game, ask: Ask) -> None:
        self.game, self.ask = game, ask

    async def on_priority(self, request: Priority) -> Answer:
        """The player casts a spark, or passes."""
        game, player = self.game, request.player
        choice = await self.ask(player)
        if choice != CAST:
            return request.passed(*([Leave(player)] if choice == LEAVE else []))
        game.hand[player] -= 1
        game.stack.append(player)
        game.log.append(f"{player} casts a spark")
        return request.acted()

    def on_draw_card(self, request: Perform) -> None:
        """Every card is a spark."""
        self.game.hand[request.player] += 1

    async def on_declare_attackers(self, request: Perform) -> Answer:
        """The familiar attacks, or does not."""
        choice = await self.ask(request.player)
        if choice == ATTACK:
            self.game.log.append(f"{request.player} attacks")
        leaving = [Leave(request.player)] if choice == LEAVE else []
        return request.done(*leaving, attackers_declared=choice == ATTACK)

    def on_deal_combat_damage(self, request: Perform) -> None:
        """The familiar hits."""
        self._hurt(request.at.active, FAMILIAR, "familiar")

    def on_check_state(self, request: CheckState) -> Answer | None:
        """Whoever has no life left leaves the game."""
        beaten = [player for player, life in self.game.life.items() if life <= 0]
        return request.done(Leave(*beaten), sba_performed=True) if beaten else None

    def on_resolve(self, request: Resolve) -> None:
        """The spark on top hits."""
        self._hurt(self.game.stack.pop(), SPARK, "spark")

    @property
    def stack_empty(self) -> bool:
        """What the turn wants to know besides."""
        return not self.game.stack

    def _hurt(self, player: str, damage: int, what: str) -> None:
        foe = next(seat for seat in SEATS if seat != player)
        self.game.life[foe] -= damage
        self.game.log.append(f"{player}'s {what}: {foe} is at {self.game.life[foe]}")
