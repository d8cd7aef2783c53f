"""What is common to a controller and a history of it. Functions that run or watch a game take
either.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from fsm.engine.controller import TurnController
    from fsm.engine.options import Option
    from fsm.engine.order_results import Result
    from fsm.engine.refusals import Refusal
    from fsm.engine.requests import Answer, Over, Position, Request
    from fsm.engine.trace import Record, Trace
    from fsm.engine.watching import Answered, Watching
    from fsm.model import Model, State
    from fsm.state.agenda import Agenda
    from fsm.state.calendar import Calendar
    from fsm.state.orders import Order
    from fsm.state.run import Run


class Game(Protocol):
    """A game that is asked and answered: a `TurnController`, or a `History` of one.

    The members mean what they mean for `TurnController`.
    """

    @property
    def request(self) -> Request | Over:
        """What the game needs next."""

    @property
    def over(self) -> Over | None:
        """The end of the game, or None while it goes on."""

    @property
    def number(self) -> int:
        """The number of `request`."""

    @property
    def model(self) -> Model:
        """The Model whose turns it runs."""

    @property
    def position(self) -> Position:
        """Where the game stands."""

    @property
    def facts(self) -> frozenset[str]:
        """The latched facts that hold now."""

    @property
    def agenda(self) -> Agenda:
        """What is scheduled."""

    @property
    def calendar(self) -> Calendar:
        """Durations and triggers waited for."""

    @property
    def run(self) -> Run:
        """All that the run remembers."""

    @property
    def waiting(self) -> State:
        """The state that waits for the answer."""

    @property
    def results(self) -> tuple[Result, ...]:
        """What became of orders by the last answer."""

    @property
    def trace(self) -> Trace:
        """The record of the run so far."""

    def answer(self, answer: Answer, *, to: int | None = None) -> Request | Over:
        """Process the answer to `request`."""

    def order(self, *orders: Order, **facts: bool) -> Request | Over:
        """Give orders between two answers."""

    def possible(self) -> tuple[Option, ...]:
        """Return what can be answered and ordered now."""

    def why_not(self, asked: str | type[Order]) -> Refusal | None:
        """Say why something is not possible now."""

    def watch(self, watcher: Callable[[Record], object]) -> Watching:
        """Call a function with every record."""

    def watch_answers(self, watcher: Callable[[Answered], object]) -> Watching:
        """Call a function once for each answer."""

    def fork(self) -> TurnController:
        """Return an independent controller of the same game, at the same request."""

    def snapshot(self) -> dict[str, object]:
        """Return the game as plain JSON values."""

    def __iter__(self) -> Iterator[Request]:
        """Yield one request after the other, to be answered in the body of the loop."""
