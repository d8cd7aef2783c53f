"""The driver that plays a `Script` with the real TurnController: it answers what is asked, as the
script says.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from fsm import (
    Answer,
    CheckState,
    ControlNextTurn,
    Leave,
    Over,
    Perform,
    PlaceTriggers,
    Priority,
    Request,
    Resolve,
    Signal,
    TurnController,
)
from fsm.hosts import Position
from fsm.model import Model
from fsm.orders import Order
from support.oracle import Happening, Script, Visit

BOUND = 20_000


@dataclass
class Visited:
    """The visit of a step under way, and what is still to happen in it."""

    visit: Visit
    number: int
    still: Happening


class Driver:
    """Plays a script. `seen` are the visits of steps, told from the positions of the requests."""

    def __init__(self, script: Script, model: Model) -> None:
        self.script = script
        self.left: set[str] = set()
        self.seen: list[Visit] = []
        players = [player for side in script.sides for player in side]
        teams = [side for side in script.sides if len(side) > 1]
        self.controller = TurnController(model, players, teams=teams, orders=script.orders)
        self.here = self._arrive(self.controller.request.at)
        self.ways: dict[
            type[Request | Over], Callable[[Request | Over, dict[str, bool]], Answer]
        ] = {
            Perform: self._done,
            Priority: self._priority,
            CheckState: self._check,
            PlaceTriggers: self._done,
            Resolve: self._resolve,
        }

    def play(self, visits: int) -> list[Visit]:
        """Play until so many visits of steps have begun, or the game is over."""
        for _ in range(BOUND):
            if len(self.seen) > visits or isinstance(self.controller.request, Over):
                return self.seen[:visits]
            self.step()
        raise AssertionError(f"{BOUND} answers, and only {len(self.seen)} visits")

    def step(self) -> None:
        """Answer one request, or let somebody concede who does not wait for one."""
        request = self._conceded() or self.controller.answer(self._answer(self.controller.request))
        if not isinstance(request, Over) and not self._is_here(request.at):
            self.here = self._arrive(request.at)

    def _is_here(self, at: Position) -> bool:
        """Is this the same visit? Its controller may have left meanwhile; a phase without steps is
        none.
        """
        here = self.here.visit
        return not at.step or replace(_visit(at), controller=here.controller) == here

    def _arrive(self, at: Position) -> Visited:
        number, visit = len(self.seen), _visit(at)
        self.seen.append(visit)
        return Visited(visit, number, self.script.at(number, visit))

    def _spend(self, **rest: object) -> Happening:
        """What was still to happen; from now on this is left of it."""
        still = self.here.still
        self.here.still = replace(still, **rest)  # type: ignore[arg-type]
        return still

    # answers -------------------------------------------------------------------------------------

    def _answer(self, request: Request | Over) -> Answer:
        still = self._spend(begin=(), leaves="")
        facts = {name: self._fact(name, request) for name in request.facts}
        answer = self.ways[type(request)](request, facts)
        signal = self._leaving(still.leaves) or answer.signal
        orders = tuple(o for o in (*still.begin, *answer.orders) if not self._of_nobody(o))
        return Answer(answer.word, answer.facts, orders, signal)

    def _of_nobody(self, order: Order) -> bool:
        """Does somebody order it who has left? That is refused."""
        return isinstance(order, ControlNextTurn) and order.by in self.controller.agenda.left

    def _fact(self, name: str, request: Request | Over) -> bool:
        if name == "attackers_declared":
            return request.at.phase == "combat" and self.script.attack(self.here.number)
        if name == "first_strike_in_combat":
            return self.script.strike(self.here.number)
        return name == "stack_empty" and not self.here.still.resolutions

    def _conceded(self) -> Request | Over | None:
        if not self.here.still.concedes or not isinstance(self.controller.request, Priority):
            return None
        player = self._spend(concedes="").concedes
        return self.controller.order(Leave(player)) if self._leaving(player) else None

    def _leaving(self, player: str) -> Signal | None:
        if not player or player in self.left:
            return None
        self.left.add(player)
        return Signal("player_left", player)

    def _done(self, request: Request | Over, facts: dict[str, bool]) -> Answer:
        return Answer("done", facts)

    def _priority(self, request: Request | Over, facts: dict[str, bool]) -> Answer:
        if self._spend(acts=False).acts:
            return Answer("acted", facts)
        assert isinstance(request, Priority)
        leaves = (
            self._spend(resigns="").resigns if self.here.still.resigns in request.players else ""
        )
        return Answer("passed", facts, signal=self._leaving(leaves))

    def _check(self, request: Request | Over, facts: dict[str, bool]) -> Answer:
        cause = self._spend(cause="").cause
        told = {"sba_performed": cause == "sba", "triggers_waiting": cause == "trigger"}
        return Answer("done", {**facts, **told})

    def _resolve(self, request: Request | Over, facts: dict[str, bool]) -> Answer:
        resolution, *rest = self.here.still.resolutions
        self._spend(resolutions=tuple(rest), cause=resolution.cause)
        if resolution.put_attacking and request.at.phase == "combat":
            facts = {**facts, "put_in_attacking": True}
        signal = resolution.signal
        if signal is not None and signal.event == "player_left":
            signal = self._leaving(signal.player)
        return Answer("done", facts, resolution.orders, signal)


def _visit(at: Position) -> Visit:
    return Visit(at.turn, at.active, at.controller, at.extra, at.phase, at.step, at.iteration)
