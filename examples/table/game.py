"""The game at the table: sparks and a familiar each. Small on purpose; the turn is all of Magic's."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from fsm import Answer, CheckState, Over, Perform, Priority, Request, Resolve, Signal, aio
from fsm.errors import AnswerError
from fsm.orders import Leave

SEATS = ("Ann", "Ben")
LIFE, HAND, SPARK, FAMILIAR = 12, 3, 3, 2
Ask = Callable[[str, Request], Awaitable[Answer]]
"""Asks a player, and waits for the answer."""


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

    def judge(self, player: str, request: Request | Over, answer: Answer) -> None:
        """May this player answer so? A browser can send anything. Raises AnswerError."""
        if answer.orders or answer.signal not in (None, Signal("player_left", player)):
            raise AnswerError("a player orders no turns and signals no more than leaving")
        if answer.word == "acted" and not self.hand[player]:
            raise AnswerError(f"{player} has no spark left to cast")
        if answer.word not in (("acted", "passed") if isinstance(request, Priority) else ("done",)):
            raise AnswerError(f"{answer.word!r} does not answer a {type(request).__name__}")


class Host(aio.BaseHost):
    """What the turn asks for. Only what a player decides is waited for."""

    def __init__(self, game: Game, ask: Ask) -> None:
        self.game, self.ask = game, ask

    async def on_priority(self, request: Priority) -> Answer:
        """The player casts a spark, or passes."""
        game, player = self.game, request.player
        answer = await self.ask(player, request)
        if answer.word == "acted":
            game.hand[player] -= 1
            game.stack.append(player)
            game.log.append(f"{player} casts a spark")
        return Answer(answer.word, signal=answer.signal)

    def on_draw_card(self, request: Perform) -> None:
        """Every card is a spark."""
        self.game.hand[request.player] += 1

    async def on_declare_attackers(self, request: Perform) -> Answer:
        """The familiar attacks, or does not."""
        answer = await self.ask(request.player, request)
        attacks = answer.facts.get("attackers_declared", False)
        if attacks:
            self.game.log.append(f"{request.player} attacks")
        return Answer(facts={"attackers_declared": attacks}, signal=answer.signal)

    def on_deal_combat_damage(self, request: Perform) -> None:
        """The familiar hits."""
        self._hurt(request.at.active, FAMILIAR, "familiar")

    def on_check_state(self, request: CheckState) -> Answer | None:
        """Whoever has no life left leaves the game."""
        beaten = next((player for player, life in self.game.life.items() if life <= 0), "")
        return request.done(Leave(beaten), sba_performed=True) if beaten else None

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
