"""A game that does anything: it answers whatever a Model asks, at random by a seed, with random
orders and signals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import get_args

from fsm import (
    AddPhase,
    AddStep,
    AddTurn,
    Answer,
    ControlNextTurn,
    DelayedTrigger,
    Effect,
    Leave,
    Over,
    Priority,
    Request,
    ReverseTurnOrder,
    Signal,
    SkipPhase,
    SkipStep,
    SkipTurn,
    StandingTrigger,
    TurnController,
    Withdraw,
    load,
)
from fsm.engine.requests import Word
from fsm.errors import AnswerError, OrderError
from fsm.model import Model
from fsm.orders import Order
from fsm.state.orders import DelayOn, Scope

DELAYS = get_args(DelayOn)
SCOPES: tuple[Scope, ...] = ("next", "this_turn", "all_next_turn")
LIKELY = {
    "stack_empty": 0.75,
    "sba_performed": 0.15,
    "triggers_waiting": 0.15,
    "interdiction_on_stack": 0.08,
    "attack_required": 0.05,
    "attackers_declared": 0.7,
    "attack_declared": 0.8,
}
SEATS = (("A", "B"), ("A", "B", "C"), ("A", "B", "C", "D"))


def loop_brought_near(name: str, limit: int = 2) -> Model:
    """The ruleset with a low bound of its one endless loop, if it has one: the same transitions."""
    model = load(name)
    endless = next((fact for fact in model.facts if fact.name == "clean_up_endless"), None)
    if endless is None:
        return model
    near = replace(endless, test=(*endless.test[:2], str(limit)))
    return replace(model, facts=tuple(near if f is endless else f for f in model.facts))


class Wanderer:
    """Wanders through a Model, game after game. `watch` sees the controller after every answer."""

    def __init__(
        self, model: Model, seed: int, watch: Callable[[TurnController], object] = lambda _: None
    ) -> None:
        self.model, self.random, self.watch = model, Random(seed), watch
        self.steps = [state.name for state in model.of_kind("step")]
        self.families = list(dict.fromkeys(state.family for state in model.of_kind("phase")))
        self.events = [event.name for event in model.events if not event.completion]
        self.latched = [f.name for f in model.facts if f.owner == "game" and f.timing == "latched"]
        self.number = 0

    def games(self, answers: int) -> Iterator[TurnController]:
        """Games in which so many answers are given in all, each as it is over or has gone on for
        twelve turns.
        """
        controller = self._game()
        for _ in range(answers):
            if isinstance(controller.request, Over) or controller.request.at.turn > 12:
                yield controller
                controller = self._game()
            if not (self.random.random() < 0.01 and self._leave(controller)):
                self._answer(controller)
            self.watch(controller)
        yield controller

    def _game(self) -> TurnController:
        seats = self.random.choice(SEATS)
        teams = (seats[:2], seats[2:]) if len(seats) == 4 and self.random.random() < 0.4 else ()
        settings = {
            s.name: self.random.random() < 0.5
            for s in self.model.settings
            if self.random.random() < 0.2
        }
        return TurnController(self.model, seats, teams=teams, settings=settings)

    def _answer(self, controller: TurnController) -> None:
        request = controller.request
        assert not isinstance(request, Over)
        facts = {name: self.random.random() < LIKELY.get(name, 0.5) for name in request.facts}
        facts.update((name, True) for name in self.latched if self.random.random() < 0.01)
        answer = Answer(
            self._word(request), facts, tuple(self._orders(controller)), self._signal(controller)
        )
        try:
            controller.answer(answer)
        except (
            OrderError,
            AnswerError,
        ):  # the order is refused, or a fact matters only because of it
            controller.answer(Answer(answer.word, facts, signal=answer.signal))

    def _leave(self, controller: TurnController) -> bool:
        """One player leaves between two answers, but not the last; True if somebody can."""
        agenda = controller.agenda
        here = [p for side in agenda.sides for p in side if p not in agenda.left]
        facts = dict.fromkeys(controller.request.facts, False)
        if "player_left" not in self.events or len(here) < 3:
            return False
        controller.order(Leave(self.random.choice(here)), **facts)
        return True

    def _word(self, request: Request) -> Word:
        if not isinstance(request, Priority):
            return "done"
        return "acted" if self.random.random() < 0.15 else "passed"

    def _signal(self, controller: TurnController) -> Signal | None:
        if not self.events or self.random.random() > 0.06:
            return None
        event = self.random.choice(self.events)
        if event != "player_left":
            return Signal(event)
        agenda = controller.agenda
        here = [p for side in agenda.sides for p in side if p not in agenda.left]
        return Signal(event, self.random.choice(here)) if self.random.random() < 0.4 else None

    def _orders(self, controller: TurnController) -> Iterator[Order]:
        if self.random.random() < 0.06:
            yield self._order([p for side in controller.agenda.sides for p in side])

    def _order(self, players: list[str]) -> Order:
        choice, player = self.random.choice, self.random.choice(players)
        step, other, family = choice(self.steps), choice(self.steps), choice(self.families)
        label, bound = choice(("", "", "", "x", "y")), choice(("", "", "", "x", "y"))
        whose, scope = choice((player, "")), choice(SCOPES)
        self.number += 1
        return choice(
            (
                lambda: AddTurn(player, id=label, after=bound),
                lambda: AddTurn(players=tuple(players), id=label),
                lambda: SkipTurn(player, id=label),
                lambda: SkipTurn(whose, extra=True, scope=choice(("next", "each")), id=label),
                lambda: ControlNextTurn(
                    player, choice(players), self.random.random() < 0.5, bound, label
                ),
                lambda: ReverseTurnOrder(),
                lambda: Withdraw(
                    choice(("x", "y", f"d{self.number // 2}", f"s{self.number // 2}"))
                ),
                lambda: AddPhase((family,), id=label),
                lambda: AddPhase((family, choice(self.families)), choice(self.families), id=label),
                lambda: AddStep(step, id=label),
                lambda: AddStep(step, other, id=label),
                *(lambda: AddStep(step, before=other, id=label),) * 3,
                lambda: AddStep(step, "current_phase", id=label),
                lambda: SkipStep(step, whose, scope, bound, label),
                lambda: SkipPhase(family, whose, scope, bound, label),
                lambda: DelayedTrigger(
                    f"d{self.number}", choice((step, family)), player, choice(DELAYS), bound
                ),
                lambda: StandingTrigger(
                    f"s{self.number}",
                    choice((step, family)),
                    choice(("each", player)),
                    self.random.random() < 0.5,
                ),
                lambda: Effect(f"l{self.number}", player, choice(self.model.durations).name, bound),
            )
        )()
