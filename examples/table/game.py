"""The game at the table: sparks and a familiar each. Small on purpose; the turn is all of Magic's."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from secrets import token_urlsafe
from typing import Any

import fsm
from fsm import Answer, CheckState, Leave, Over, Perform, Priority, Request, Resolve

SEATS = ("Ann", "Ben")
LIFE, HAND, SPARK, FAMILIAR = 12, 3, 3, 2
CAST, PASS, ATTACK, STAY, LEAVE = "Cast a spark", "Pass", "Attack", "Do not attack", "Give up"
Ask = Callable[[str], Awaitable[str]]
"""Asks a player for one of the choices, and waits for it."""


class Host(fsm.BaseHost):
    """What the players have, and what the turn asks for. Only what a player decides is waited for.

    `stack` are the casters of sparks that have not taken effect, the last on top. `links` are the
    secrets of the seats.
    """

    def __init__(self, ask: Ask) -> None:
        self.ask = ask
        self.life, self.hand = dict.fromkeys(SEATS, LIFE), dict.fromkeys(SEATS, HAND)
        self.stack, self.log = list[str](), list[str]()
        self.links = {seat: token_urlsafe() for seat in SEATS}

    def shown(self) -> dict[str, Any]:
        """What both players may see."""
        return {"life": self.life, "hand": self.hand, "stack": self.stack, "log": self.log}

    def save(self) -> dict[str, Any]:
        """What is kept in the file."""
        return {**self.shown(), "links": self.links}

    def load(self, saved: dict[str, Any]) -> None:
        """Go on with what was kept."""
        vars(self).update(saved)

    def choices(self, player: str, request: Request | Over) -> list[str]:
        """What a player may choose now. A browser can send anything else."""
        if isinstance(request, Priority):
            return [CAST, PASS, LEAVE] if self.hand[player] else [PASS, LEAVE]
        return [ATTACK, STAY, LEAVE] if isinstance(request, Perform) else []

    async def on_priority(self, request: Priority) -> Answer:
        """The player casts a spark, or passes."""
        player = request.player
        choice = await self.ask(player)
        if choice != CAST:
            return request.passed(*([Leave(player)] if choice == LEAVE else []))
        self.hand[player] -= 1
        self.stack.append(player)
        self.log.append(f"{player} casts a spark")
        return request.acted()

    def on_draw_card(self, request: Perform) -> None:
        """Every card is a spark."""
        self.hand[request.player] += 1

    async def on_declare_attackers(self, request: Perform) -> Answer:
        """The familiar attacks, or does not."""
        choice = await self.ask(request.player)
        if choice == ATTACK:
            self.log.append(f"{request.player} attacks")
        leaving = [Leave(request.player)] if choice == LEAVE else []
        return request.done(*leaving, attackers_declared=choice == ATTACK)

    def on_deal_combat_damage(self, request: Perform) -> None:
        """The familiar hits."""
        self._hurt(request.at.active, FAMILIAR, "familiar")

    def on_check_state(self, request: CheckState) -> Answer | None:
        """Whoever has no life left leaves the game."""
        beaten = [player for player, life in self.life.items() if life <= 0]
        return request.done(Leave(*beaten), sba_performed=True) if beaten else None

    def on_resolve(self, request: Resolve) -> None:
        """The spark on top hits."""
        self._hurt(self.stack.pop(), SPARK, "spark")

    @property
    def stack_empty(self) -> bool:
        """What the turn wants to know besides."""
        return not self.stack

    def _hurt(self, player: str, damage: int, what: str) -> None:
        foe = next(seat for seat in SEATS if seat != player)
        self.life[foe] -= damage
        self.log.append(f"{player}'s {what}: {foe} is at {self.life[foe]}")
