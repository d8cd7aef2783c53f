"""A game that does anything: it answers whatever a Model asks, at random by a seed, with random
orders.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from random import Random
from typing import Any

import fsm
from fsm import AddPhase, AddStep, AddTurn, Answer, Leave, Order, Over, Signal, TurnController
from fsm.errors import AnswerError, OrderError
from fsm.model import Model

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


class Wanderer:
    """Wanders through a Model, game after game. `watch` sees the controller after every answer."""

    def __init__(
        self, model: Model, seed: int, watch: Callable[[TurnController], object] = lambda _: None
    ) -> None:
        self.model, self.random, self.watch = model, Random(seed), watch
        self.steps = [state.name for state in model.of_kind("step")]
        self.families = list(dict.fromkeys(state.family for state in model.of_kind("phase")))
        self.events = [event.name for event in model.events if not event.completion]
        told = [fact for machine in model.machines.values() for fact in machine.facts]
        told = [fact for fact in told if fact.owner == "game"]
        self.live = [fact.name for fact in told if fact.timing != "latched"]
        self.latched = [f.name for f in model.facts if f.owner == "game" and f.timing == "latched"]
        self.players: tuple[str, ...] = ()
        self.number = 0

    def games(self, answers: int) -> Iterator[TurnController]:
        """Games in which so many answers are given in all, each as it is over or has gone on for
        twelve turns.
        """
        game = self.game()
        for _ in range(answers):
            if isinstance(game.request, Over) or game.request.at.turn > 12:
                yield game
                game = self.game()
            self.answer(game)
            self.watch(game)
        yield game

    def game(self) -> TurnController:
        """A new game."""
        self.players = seats = self.random.choice(SEATS)
        teams = (seats[:2], seats[2:]) if len(seats) == 4 and self._chance(0.4) else ()
        named = [setting.name for setting in self.model.settings if self._chance(0.2)]
        settings = {name: self._chance(0.5) for name in named}
        return TurnController(self.model, seats, teams=teams, settings=settings)

    def answer(self, game: TurnController) -> None:
        """Give an answer that is taken."""
        for answer in self.attempts(game):
            with suppress(AnswerError, OrderError):
                game.answer(answer, to=game.number)
                break

    def attempts(self, game: TurnController) -> Iterator[Answer]:
        """An answer with an order, which may be refused, and then one without."""
        request: Any = game.request
        facts = {name: self._chance(LIKELY.get(name, 0.5)) for name in request.facts}
        facts |= dict.fromkeys((name for name in self.latched if self._chance(0.01)), True)
        acted = request.kind == "priority" and self._chance(0.15)
        word: Any = "acted" if acted else request.quietly.word
        ordering = {name: self._chance(LIKELY.get(name, 0.5)) for name in self.live} | facts
        if "player_left" in self.events and self._chance(0.005):
            yield Answer("", ordering, (Leave(self.random.choice(self.players)),))
        elif self._chance(0.06):
            yield Answer(word, ordering, (self._order(),))
        elif self._chance(0.06):
            yield Answer(word, ordering, (self._interruption(),))
        yield Answer(word, facts)

    def _chance(self, of: float) -> bool:
        return self.random.random() < of

    def _interruption(self) -> Order:
        event = self.random.choice(self.events or ["none"])
        if event == "player_left" and self._chance(0.4):
            return Leave(self.random.choice(self.players))
        return Signal(event)

    def _order(self) -> Order:
        choice = self.random.choice
        player, other = choice(self.players), choice(self.players)
        step, place, family = choice(self.steps), choice(self.steps), choice(self.families)
        label, bound, whose = (
            choice(("", "", "x", "y")),
            choice(("", "", "x", "y")),
            choice((player, "")),
        )
        scope: Any = choice(("next", "this_turn", "all_next_turn"))
        on: Any = choice(("next", "your_next", "your_next_turn", "next_turn"))
        self.number += 1
        orders: list[Order] = [
            AddTurn(player, id=label, after=bound),
            AddTurn(players=self.players, id=label),
            fsm.SkipTurn(player, id=label),
            fsm.SkipTurn(whose, extra=True, scope=choice(("next", "each")), id=label),
            fsm.ControlNextTurn(player, other, self._chance(0.5), bound, label),
            fsm.ReverseTurnOrder(),
            fsm.Withdraw(choice(("x", "y", f"d{self.number // 2}", f"s{self.number // 2}"))),
            AddPhase(family, choice(self.families), after=choice(("", family)), id=label),
            AddStep(step, choice(("current_step", "current_phase", place)), id=label),
            *[AddStep(step, before=place, id=label)] * 3,
            fsm.SkipStep(step, whose, scope, bound, label),
            fsm.SkipPhase(family, whose, scope, bound, label),
            fsm.DelayedTrigger(f"d{self.number}", choice((step, family)), player, on, bound),
            fsm.StandingTrigger(
                f"s{self.number}",
                choice((step, family)),
                choice(("each", player)),
                self._chance(0.5),
            ),
            fsm.Effect(f"l{self.number}", player, choice(self.model.durations).name, bound),
        ]
        return choice(orders)
