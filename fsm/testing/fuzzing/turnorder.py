"""Predicts the next turn from the orders of a game. It does not use the agenda, so that it can check the agenda."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from fsm.engine.requests import Answer
from fsm.state.orders import AddTurn, ControlNextTurn, Order, SkipTurn

MOST = 10_000
"""This many turns in a row that do not begin are an error."""


class Expected(NamedTuple):
    """A turn that is to begin: whose, is it extra, who decides."""

    active: str
    extra: bool
    controller: str


class TurnOrder:
    """Natural turns in seat order; extra turns first, the newest first of all; skips; players who left.

    `tests`: what the model asks at all: one that never asks for extra turns has none.
    """

    def __init__(self, sides: Sequence[Sequence[str]], tests: Iterable[tuple[str, ...]]) -> None:
        self.sides = [tuple(side) for side in sides]
        self.home = {player: side[0] for side in sides for player in side}
        known = set(tests)
        self.extras = ("extra_due", "turn") in known
        self.skips = ("skip_due", "turn", "turn") in known
        self.passes = ("candidate_left",) in known
        self.seat = -1
        self.coming: list[str] = []
        self.skipped: list[str] = []
        self.controls: list[ControlNextTurn] = []
        self.left: set[str] = set()

    def heard(self, answer: Answer) -> None:
        """Orders and a player who leaves count before the next turn begins."""
        if answer.orders:
            self.ordered(answer.orders)
        if answer.signal is not None and answer.signal.event == "player_left":
            self.left.add(answer.signal.player)

    def ordered(self, orders: Iterable[Order]) -> None:
        """Take in what a game has ordered."""
        for order in orders:
            if isinstance(order, AddTurn):
                self.coming[:0] = [self.home[order.player]] * order.count
            elif isinstance(order, SkipTurn):
                self.skipped += [self.home[order.player]] * order.count
            elif isinstance(order, ControlNextTurn):
                self.controls.append(order)

    def begin(self) -> Expected | None:
        """The turn that begins now; None if there is none, because nobody is left."""
        for _ in range(MOST):
            extra = self.extras and bool(self.coming)
            side = self.coming.pop(0) if extra else self._natural()
            if self.passes and self._gone(side):
                continue
            if self.skips and side in self.skipped:
                self.skipped.remove(side)
                continue
            return Expected(side, extra, self._controller(side))
        return None

    def _natural(self) -> str:
        self.seat = (self.seat + 1) % len(self.sides)
        return self.sides[self.seat][0]

    def _gone(self, side: str) -> bool:
        return all(player in self.left for player, home in self.home.items() if home == side)

    def _controller(self, side: str) -> str:
        """The newest order for one of its players decides, and who has left for nobody; extra turns promised for after
        it come of each."""
        mine = [control for control in self.controls if self.home[control.player] == side]
        self.controls = [control for control in self.controls if control not in mine]
        self.coming[:0] = [side for control in mine if control.extra_turn_after]
        if not mine:
            return side
        return side if mine[-1].by in self.left else mine[-1].by
