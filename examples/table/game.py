"""The game at the table: sparks and a familiar each. Small on purpose; the turn is all of Magic's."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from fsm.engine import Answer, CheckState, Over, Perform, PlaceTriggers, Priority, Request, Resolve, Signal
from fsm.errors import AnswerError

SEATS = ("Ann", "Ben")
LIFE, HAND, SPARK, FAMILIAR = 12, 3, 3, 2
Ask = Callable[[str, Request], Awaitable[Answer]]
"""Asks a player, and waits for the answer."""


@dataclass
class Game:
    """What the players have. `stack` are the casters of sparks that have not taken effect, the last on top."""

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


class Host:
    """What the turn asks for (`fsm.aio.Host`); only what a player decides is waited for."""

    def __init__(self, game: Game, ask: Ask) -> None:
        self.game, self.ask = game, ask

    async def priority(self, request: Priority) -> Answer:
        """The player casts a spark, or passes."""
        game, player = self.game, request.player
        answer = await self.ask(player, request)
        if answer.word == "acted":
            game.hand[player] -= 1
            game.stack.append(player)
            game.log.append(f"{player} casts a spark")
        return Answer(answer.word, signal=answer.signal)

    async def perform(self, request: Perform) -> Answer:
        """Drawing, attacking and damage; this game needs nothing else that a turn offers."""
        game, active = self.game, request.at.active
        if request.action == "declare_attackers":
            return await self._attack(request)
        if request.action == "draw_card":
            game.hand[active] += 1
        elif request.action == "deal_combat_damage":
            self._hurt(active, FAMILIAR, "familiar")
        return Answer()

    async def _attack(self, request: Perform) -> Answer:
        active = request.at.active
        answer = await self.ask(active, request)
        attacks = answer.facts.get("attackers_declared", False)
        if attacks:
            self.game.log.append(f"{active} attacks")
        return Answer(facts={"attackers_declared": attacks}, signal=answer.signal)

    def check(self, request: CheckState) -> Answer:
        """Whoever has no life left leaves the game."""
        beaten = next((player for player, life in self.game.life.items() if life <= 0), "")
        facts = {"sba_performed": bool(beaten), "triggers_waiting": False}
        return Answer(facts=facts, signal=Signal("player_left", beaten) if beaten else None)

    def place(self, request: PlaceTriggers) -> Answer:
        """Nothing triggers here."""
        return Answer()

    def resolve(self, request: Resolve) -> Answer:
        """The spark on top hits."""
        self._hurt(self.game.stack.pop(), SPARK, "spark")
        return Answer()

    def facts(self, names: tuple[str, ...]) -> dict[str, bool]:
        """What the turn wants to know besides."""
        return {name: name == "stack_empty" and not self.game.stack for name in names}

    def notice(self, expired: tuple[str, ...], triggered: tuple[str, ...]) -> None:
        """Nothing here has a duration."""

    def _hurt(self, player: str, damage: int, what: str) -> None:
        foe = next(seat for seat in SEATS if seat != player)
        self.game.life[foe] -= damage
        self.game.log.append(f"{player}'s {what}: {foe} is at {self.game.life[foe]}")
