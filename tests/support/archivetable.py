"""A table of Grand Archive at which something happens wherever it can, and places in its turn to
come back to.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, field
from typing import Any

import fsm
from fsm import (
    Answer,
    CheckState,
    Over,
    Perform,
    PlaceTriggers,
    Priority,
    Request,
    Resolve,
    Signal,
    TurnController,
)
from fsm.engine.requests import Word
from fsm.model import Model
from fsm.scenarios import Outcome, play
from support.playing import quiet, started, until

BOUND = 3000


@dataclass
class Table:
    """Something triggers as each window opens, and the turn player attacks once in each turn from
    `fights` on.
    """

    controller: TurnController
    fights: int = 1
    waiting: int = 0
    stack: int = 0
    seen: frozenset[object] = frozenset()
    asked: list[Request | Over] = field(default_factory=list)

    @property
    def request(self) -> Request | Over:
        """What is asked now."""
        return self.controller.request

    @property
    def over(self) -> bool:
        """Is the game over?"""
        return isinstance(self.request, Over)

    def fork(self) -> Table:
        """The same game, to go on differently."""
        twin = copy(self)
        twin.controller = TurnController.restore(self.controller.model, self.controller.snapshot())
        twin.asked = []
        return twin

    def answer(self, signal: Signal | None = None, **facts: bool) -> Request | Over:
        """Answer what is asked, perhaps with a signal."""
        request, word, sent = self.request, self._word(), self._sends()
        self.asked.append(request)
        told = {
            "stack_empty": not self.stack,
            "triggers_waiting": bool(self.waiting),
            "attack_declared": True,
            "several_retaliators": True,
        }
        known = {name: told.get(name, False) for name in request.facts}
        return self.controller.answer(
            Answer("acted" if sent else word, {**known, **facts}, (), signal or sent)
        )

    def _word(self) -> Word:
        request = self.request
        if (
            isinstance(request, CheckState)
            and request.state == "sba"
            and self._first(request.at.stage)
        ):
            self.waiting += 1
        elif isinstance(request, PlaceTriggers):
            self.stack, self.waiting = self.stack + self.waiting, 0
        elif isinstance(request, Resolve):
            self.stack -= 1
        elif isinstance(request, Perform) and request.action == "banish_stack":
            self.stack = 0
        return "passed" if isinstance(request, Priority) else "done"

    def _sends(self) -> Signal | None:
        """The turn player's attack, once in a turn."""
        request = self.request
        free = (
            isinstance(request, Priority) and request.at.stage == "main_window" and not self.stack
        )
        return (
            Signal("attack")
            if free and request.at.turn >= self.fights and self._first("attack")
            else None
        )

    def _first(self, what: str) -> bool:
        key = (self.request.at.turn, what)
        known, self.seen = key in self.seen, self.seen | {key}
        return not known

    def through(self, turn: int) -> list[Request | Over]:
        """Play until this turn is over, or the game; returns what was asked."""
        for _ in range(BOUND):
            if self.over or self.request.at.turn > turn:
                return self.asked
            self.answer()
        raise AssertionError(f"turn {turn} does not end; last asked: {self.asked[-1]}")


def stages(asked: list[Request | Over]) -> list[str]:
    """Where something was asked, each place once in a row."""
    found = [request.at.stage for request in asked]
    return [stage for i, stage in enumerate(found) if i == 0 or stage != found[i - 1]]


def places(model: Model, players: str, turn: int) -> Iterator[tuple[str, Table]]:
    """Every place of this turn at which something waits, each with a game that has come there."""
    table, known = Table(TurnController(model, list(players)), fights=turn), set()
    while table.request.at.turn <= turn:
        request = table.request
        name = f"{request.at.stage}/{request.state}"
        if request.at.turn == turn and name not in known:
            known.add(name)
            yield name, table.fork()
        table.answer()


def endless(model: Model, fact: str) -> tuple[TurnController, int]:
    """After each clean-up something has changed; the game at its end, and how many clean-ups there
    were.
    """
    controller, clean_ups, fresh, stack = started(model), 0, False, 0
    until(controller, lambda r: r.at.stage == "end_clean_up")
    for _ in range(20 * BOUND):
        request, changes = controller.request, False
        if isinstance(request, Over):
            return controller, clean_ups
        if isinstance(request, Perform):
            clean_ups, fresh = clean_ups + 1, True
        elif isinstance(request, CheckState):
            changes, fresh = fresh, False
            stack += changes and fact == "triggers_waiting"
        elif isinstance(request, Resolve):
            stack = 0
        controller.answer(
            quiet(request, {"stack_empty": not stack, **({fact: True} if changes else {})})
        )
    raise AssertionError(f"{clean_ups} clean-ups, and no end")


# scenarios ----------------------------------------------------------------------------------------


def item(verb: str, turn: int, step: str, at: str = "", /, **fields: Any) -> dict[str, Any]:
    """One thing that happens, as a scenario has it."""
    when = {"turn": turn, "step": step, **({"at": at} if at else {})}
    return {"when": when, "do": verb, **fields}


def played(*given: dict[str, Any], **rest: Any) -> Outcome:
    """What comes of a game in which this happens."""
    return play(
        fsm.scenarios.load(
            {"ruleset": "grand-archive", "given": list(given), "expect": [], **rest}, place="here"
        )[0]
    )


def seen(outcome: Outcome, turn: int) -> list[str]:
    """The actions performed and the windows in which somebody received Opportunity."""
    return [stage.state for stage in outcome.stages if stage.turn == turn]


def between(found: list[str], first: str, last: str) -> list[str]:
    """The part from one place to the next other."""
    return found[found.index(first) : found.index(last, found.index(first)) + 1]
