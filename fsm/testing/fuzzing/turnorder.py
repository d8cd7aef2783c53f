"""Predicts the next turn from the orders of a game. It does not use the agenda, so that it can
check the agenda.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from fsm.engine.requests import Answer
from fsm.model.elements import LEAVING
from fsm.state.orders import (
    AddTurn,
    ControlNextTurn,
    Leave,
    Order,
    ReverseTurnOrder,
    SkipTurn,
    Withdraw,
)

MOST = 10_000
"""This many turns in a row that do not begin are an error."""


class ExpectedTurn(NamedTuple):
    """The turn that must begin: the active player, whether it is extra, and the player who controls
    it.
    """

    active: str
    extra: bool
    controller: str


class AddedTurn(NamedTuple):
    """A turn that an order adds: for which side, under which label, and after which other label."""

    side: str
    label: str = ""
    after: str = ""


class SkippedTurn(NamedTuple):
    """A skip of turns that an order makes."""

    side: str
    extra: bool
    scope: str
    id: str


class TurnOrder:
    """Natural turns in seat order and extra turns before them, without skipped turns and players
    who have left.

    `tests` are the tests of the model. A model that does not test for extra turns has none.
    """

    def __init__(
        self,
        sides: Sequence[Sequence[str]],
        tests: Iterable[tuple[str, ...]],
        leaving: str = LEAVING,
    ) -> None:
        self.leaving, self.sides = leaving, [tuple(side) for side in sides]
        self.home = {player: side[0] for side in sides for player in side}
        known = set(tests)
        self.active, self.label = "", ""
        self.extras = ("extra_due", "turn") in known
        self.skips = ("skip_due", "turn", "turn") in known
        self.passes = ("candidate_left",) in known
        self.seat = -1
        self.step = 1
        self.extra_turns: list[AddedTurn] = []
        self.turns_to_skip: list[SkippedTurn] = []
        self.controls: list[ControlNextTurn] = []
        self.has_left: set[str] = set()
        self.between = False

    def start_with(self, player: str, turn: int) -> None:
        """Begin elsewhere, so that the turn with this number is that of this player."""
        self.seat = ([side[0] for side in self.sides].index(self.home[player]) - turn) % len(
            self.sides
        )

    def note_answer(self, answer: Answer) -> None:
        """Note the orders of an answer, and a player who leaves."""
        if answer.orders:
            self.note_orders(answer.orders)
        self.has_left.update(
            one.player for one in answer.interruptions if one.event == self.leaving
        )

    def note_orders(self, orders: Iterable[Order]) -> None:
        """Note orders for turns, and players who leave."""
        for order in orders:
            if isinstance(order, AddTurn):
                after = order.after if order.after != self.label else ""
                for side in self._named(order):
                    self.extra_turns[:0] = [AddedTurn(side, order.id, after)] * order.count
            elif isinstance(order, SkipTurn):
                skips = [
                    SkippedTurn(side, order.extra, order.scope, order.id)
                    for side in self._named(order)
                ]
                self.turns_to_skip += skips * order.count
            elif isinstance(order, ControlNextTurn):
                self.controls.append(order)
            elif isinstance(order, ReverseTurnOrder):
                self.step = -self.step
            elif isinstance(order, Leave):
                self.has_left.update(order.players)
            elif isinstance(order, Withdraw):
                self._withdraw(order.id)

    def _named(self, order: AddTurn | SkipTurn) -> list[str]:
        """Return the sides that an order names, in turn order from the active one. Without names it
        is for all.
        """
        sides = [side[0] for side in self.sides][:: self.step]
        start = sides.index(self.active) if self.active else 0
        names = order.players or ((order.player,) if order.player else ())
        named = (
            {self.home[name] for name in names}
            if names
            else {s for s in sides if not self._gone(s)}
        )
        return [side for side in sides[start:] + sides[:start] if side in named]

    def _withdraw(self, id: str) -> None:
        self.extra_turns = [turn for turn in self.extra_turns if turn.label != id]
        self.turns_to_skip = [skip for skip in self.turns_to_skip if skip.id != id]
        self.controls = [control for control in self.controls if control.id != id]

    def begin(self) -> ExpectedTurn | None:
        """Return the turn that begins now, or None if nobody is left."""
        turn = self._next()
        self.between = False
        if turn is None:
            return None
        side, label, extra = turn
        self._begin(side, label)
        return ExpectedTurn(side, extra, self._controller(side, label))

    def _next(self) -> tuple[str, str, bool] | None:
        """Take the next turn: its side, its label, and whether it is extra."""
        if not self.between:
            self._end()
        self.between = True
        for _ in range(MOST):
            due = (
                next((turn for turn in self.extra_turns if not turn.after), None)
                if self.extras
                else None
            )
            side, label, extra = (
                (due.side, due.label, True) if due is not None else (self._natural(), "", False)
            )
            if due is not None:
                self.extra_turns.remove(due)
            if (self.passes and self._gone(side)) or (
                self.skips and self._is_skipped(side, extra=extra)
            ):
                continue
            return side, label, extra
        return None

    def _is_skipped(self, side: str, *, extra: bool) -> bool:
        """Whether the oldest order that skips this turn is there. It is used up unless it stands."""
        skip = next(
            (s for s in self.turns_to_skip if s.side == side and (extra or not s.extra)), None
        )
        if skip is not None and skip.scope == "next":
            self.turns_to_skip.remove(skip)
        return skip is not None

    def _begin(self, side: str, label: str) -> None:
        """Begin a turn with this label. What comes after it is the next to come."""
        self.active, self.label = side, label
        if label:
            now = [turn._replace(after="") for turn in self.extra_turns if turn.after == label]
            self.extra_turns = now + [turn for turn in self.extra_turns if turn.after != label]

    def _end(self) -> None:
        """End the turn before. What is bound to added turns of which none is to come has no effect
        any more.
        """
        if self.seat >= 0:
            coming = {""}
            for _ in self.extra_turns:
                coming.update([turn.label for turn in self.extra_turns if turn.after in coming])
            self.extra_turns = [turn for turn in self.extra_turns if turn.after in coming]
            self.controls = [control for control in self.controls if control.within in coming]

    def _natural(self) -> str:
        self.seat = (self.seat + self.step) % len(self.sides) if self.seat >= 0 else 0
        return self.sides[self.seat][0]

    def _gone(self, side: str) -> bool:
        return all(player in self.has_left for player, home in self.home.items() if home == side)

    def _controller(self, side: str, label: str) -> str:
        """Return the controller by the newest order for this turn, unless that player has left.

        Each of these orders may also add an extra turn after this one.
        """
        bound = ("", label)
        mine = [
            one for one in self.controls if self.home[one.player] == side and one.within in bound
        ]
        self.controls = [control for control in self.controls if control not in mine]
        self.extra_turns[:0] = [AddedTurn(side) for control in mine if control.extra_turn_after]
        if not mine:
            return side
        return side if mine[-1].by in self.has_left else mine[-1].by
