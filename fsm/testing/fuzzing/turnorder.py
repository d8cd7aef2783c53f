"""Predicts the next turn from the orders of a game. It does not use the agenda, so that it can check the agenda."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from fsm.engine.requests import Answer
from fsm.model.elements import LEAVING
from fsm.state.orders import AddTurn, ControlNextTurn, Leave, Order, SkipTurn

MOST = 10_000
"""This many turns in a row that do not begin are an error."""


class ExpectedTurn(NamedTuple):
    """The turn that must begin: the active player, whether it is extra, and the player who controls it."""

    active: str
    extra: bool
    controller: str


class TurnOrder:
    """Natural turns in seat order and extra turns before them, without skipped turns and players who have left.

    `tests` are the tests of the model. A model that does not test for extra turns has none.
    """

    def __init__(
        self, sides: Sequence[Sequence[str]], tests: Iterable[tuple[str, ...]], leaving: str = LEAVING
    ) -> None:
        self.leaving, self.sides = leaving, [tuple(side) for side in sides]
        self.home = {player: side[0] for side in sides for player in side}
        known = set(tests)
        self.extras = ("extra_due", "turn") in known
        self.skips = ("skip_due", "turn", "turn") in known
        self.passes = ("candidate_left",) in known
        self.seat = -1
        self.extra_turns: list[str] = []
        self.turns_to_skip: list[str] = []
        self.controls: list[ControlNextTurn] = []
        self.has_left: set[str] = set()

    def note_answer(self, answer: Answer) -> None:
        """Note the orders of an answer, and a player who leaves."""
        if answer.orders:
            self.note_orders(answer.orders)
        if answer.signal is not None and answer.signal.event == self.leaving:
            self.has_left.add(answer.signal.player)

    def note_orders(self, orders: Iterable[Order]) -> None:
        """Note orders for turns, and players who leave."""
        for order in orders:
            if isinstance(order, AddTurn):
                self.extra_turns[:0] = [self.home[order.player]] * order.count
            elif isinstance(order, SkipTurn):
                self.turns_to_skip += [self.home[order.player]] * order.count
            elif isinstance(order, ControlNextTurn):
                self.controls.append(order)
            elif isinstance(order, Leave):
                self.has_left.update(order.players)

    def begin(self) -> ExpectedTurn | None:
        """Return the turn that begins now, or None if nobody is left."""
        for _ in range(MOST):
            extra = self.extras and bool(self.extra_turns)
            side = self.extra_turns.pop(0) if extra else self._natural()
            if self.passes and self._gone(side):
                continue
            if self.skips and side in self.turns_to_skip:
                self.turns_to_skip.remove(side)
                continue
            return ExpectedTurn(side, extra, self._controller(side))
        return None

    def _natural(self) -> str:
        self.seat = (self.seat + 1) % len(self.sides)
        return self.sides[self.seat][0]

    def _gone(self, side: str) -> bool:
        return all(player in self.has_left for player, home in self.home.items() if home == side)

    def _controller(self, side: str) -> str:
        """Return the controller by the newest order for the side, unless that player has left.

        Each of these orders may also add an extra turn after this one.
        """
        mine = [control for control in self.controls if self.home[control.player] == side]
        self.controls = [control for control in self.controls if control not in mine]
        self.extra_turns[:0] = [side for control in mine if control.extra_turn_after]
        if not mine:
            return side
        return side if mine[-1].by in self.has_left else mine[-1].by
