"""Turns of any ruleset with every step beside every other, and every signal wherever it can come:
made, not stored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import fsm
from fsm.engine.requests import Answer, Over, Priority, Signal
from fsm.engine.trace import Record
from fsm.errors import FsmError, OrderError
from fsm.model import Model
from fsm.state.orders import AddPhase, AddStep, Leave, Order, SkipPhase, SkipStep
from fsm.testing.fuzzing.gameelements import game_elements_of
from support.coveragegames import plain, words

RESTLESS = "restless"
AFTERWARDS, ASIDE, DEEP, LONGEST = 7, 70, 3, 500


@dataclass
class Tours:
    """All tours of one ruleset. `watch` is told every firing but those with which a game begins."""

    model: Model
    watch: Callable[[fsm.TurnController], object] = lambda _: None
    seen: set[tuple[object, ...]] = field(default_factory=set)
    answers: int = 0
    mood: list[str] = field(default_factory=list)

    def run(self) -> None:
        """Play them all."""
        for players, orders, skipping, *mood in self._plans():
            self.mood = mood
            try:
                game = fsm.TurnController(self.model, tuple(players), orders=orders)
            except OrderError:
                continue  # the ruleset knows no such thing
            self.watch(game)
            self._follow(game, LONGEST if orders else 2 * LONGEST, 0, skipping, ["", ""])

    def _plans(self) -> Iterator[tuple[Any, ...]]:
        """Who plays, what is scheduled, a step that is skipped at the last moment (as something
        comes before it).

        Then, if any, the only latched facts that are told, or RESTLESS: something happens in every
        window.
        """
        steps, families = game_elements_of(self.model).steps, game_elements_of(self.model).families
        yield "AB", (), ""
        yield "ABCD", (), ""
        for count in (1, 2):
            for step in steps:
                yield "ABC", tuple(AddStep(step, before=other, count=count) for other in steps), ""
                yield "ABC", tuple(AddStep(step, other, count=count) for other in steps), ""
        for step in steps:
            yield "ABC", tuple(AddStep(step, other) for other in steps), "", RESTLESS
        for fact in game_elements_of(self.model).latched:
            yield "ABC", tuple(AddStep(steps[0], before=step) for step in steps), "", fact
            yield from (("ABC", (SkipStep(step),), "", fact) for step in steps)
        for step in steps:
            yield "ABC", (AddStep(steps[0], before=step),), step
            again = (AddPhase((family,), after=family) for family in families)
            yield "AB", (*again, AddStep(step, "current_phase"), AddStep(step)), ""
            yield "AB", (SkipStep(step),), ""
        for family in families:
            yield "AB", tuple(AddPhase((family,), after=other) for other in families), ""
            yield "AB", (SkipPhase(family),), ""

    def _follow(
        self, game: fsm.TurnController, most: int, depth: int, skipping: str, last: list[str]
    ) -> None:
        """Answer plainly, but with everything told that makes a turn long; try every signal where
        it is new.
        """
        turn = game.request.at.turn
        game.watch(lambda record: _note(last, record))
        for _ in range(most):
            if isinstance(game.request, Over) or game.request.at.turn > turn + (
                1 if most <= LONGEST else 10
            ):
                return
            if depth < DEEP:
                self._signals(game, last, depth)
            orders: tuple[Order, ...] = ()
            if skipping and game.agenda.returns_step:
                orders, skipping = (SkipStep(skipping),), ""
            self._answer(game, orders, None, last)

    def _signals(self, game: fsm.TurnController, last: list[str], depth: int) -> None:
        late = game.request.at.turn > len(game.agenda.sides)  # everybody has had a turn
        agenda = game.agenda
        due = [agenda.extra_due(level) is not None for level in ("phase", "step")]
        inside = (bool(agenda.returns_phase), bool(agenda.returns_step))
        key = (*last, game.request.at.stage, game.request.state, late, *due, *inside, *self.mood)
        for signal in self._known(game):
            of = (key, *_what(signal, game.position.active))
            if of in self.seen:
                continue
            self.seen.add(of)
            fork, onward = game.fork(), list(last)
            self.watch(fork)
            stop = fork.watch(lambda record, onward=onward: _note(onward, record))  # type: ignore[misc]
            if (
                self._answer(fork, (), signal, onward)
                if isinstance(signal, Signal)
                else self._lets(fork, signal)
            ):
                stop()
                self._follow(
                    fork, ASIDE if onward[0] in self._aside else AFTERWARDS, depth + 1, "", onward
                )

    @cached_property
    def _aside(self) -> set[str]:
        """Transitions by which a signal leads aside, and not to an end."""
        rows = self.model.transitions
        return {
            t.id
            for t in rows
            if t.event in game_elements_of(self.model).events and t.target and t.layer != "jump"
        }

    def _known(self, game: fsm.TurnController) -> Iterator[Signal | Leave]:
        agenda, active = game.agenda, game.position.active
        here = [p for side in agenda.sides for p in side if p not in agenda.left]
        for event in game_elements_of(self.model).events:
            if event != "player_left":
                yield Signal(event)
            else:
                leaving = [
                    p for p in dict.fromkeys((active, *self._holder(game), *here[-1:])) if p in here
                ]
                yield from (Signal(event, p) for p in leaving)
                yield from map(Leave, leaving)
                if len(here) > 2 and active in here:
                    yield Leave(*(p for p in here if p != active))

    def _holder(self, game: fsm.TurnController) -> tuple[str, ...]:
        return (game.request.player,) if isinstance(game.request, Priority) else ()

    def _lets(self, game: fsm.TurnController, leave: Leave) -> bool:
        """Let a player leave between two answers, and say whether that was possible."""
        self.answers += 1
        try:
            game.order(leave, **plain(self.model, game.request))
        except FsmError:
            return False
        return True

    def _answer(
        self,
        game: fsm.TurnController,
        orders: tuple[Order, ...],
        signal: Signal | None,
        last: list[str],
    ) -> bool:
        """Answer, and say whether it was taken."""
        facts, known = plain(self.model, game.request), game_elements_of(self.model)
        facts.update(
            (name, True)
            for name in facts
            if name not in known.window and self.model.fact(name).quiet is None
        )
        if RESTLESS in self.mood:
            facts.update(
                (n, True)
                for n in facts
                if n in known.window - known.quiet and not last[1].startswith("sba")
            )
        elif self.mood:
            facts.update((name, name in self.mood) for name in known.latched)
        self.answers += 1
        try:
            game.answer(Answer(words(game)[-1], facts, orders, signal))  # type: ignore[arg-type]
        except FsmError:
            return False
        return True


def _what(signal: Signal | Leave, active: str) -> tuple[object, ...]:
    """What is tried: an event, or a departure between two answers; and whether it is about the
    active player.
    """
    if isinstance(signal, Leave):
        return "between", len(signal.players), signal.players[0] == active
    return signal.event, signal.player == active


def _note(last: list[str], record: Record) -> None:
    if record.machine == "turn":
        last[:] = [record.transition, ""]
    else:
        last[1] = record.transition
