"""Searches for a game that distinguishes a mutant from its model, for one mutant at a time.

A random game with the orders and signals that the mutant's transitions ask for comes near it sooner
or later. From there the search goes back a little, gives another order, and continues much as
before.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from benchmarks.mutation.focus import Focus, focus_on
from benchmarks.mutation.mutants import Mutant
from benchmarks.mutation.noticing import Judge
from fsm.engine.requests import Answer, Signal
from fsm.model import Model
from fsm.testing.budget import Budget
from fsm.testing.fuzzing.gameelements import game_elements_of
from fsm.testing.generation.abstractgraph import abstract_graph_of
from fsm.testing.generation.candidate import state_pair, trimmed
from fsm.testing.generation.candidateorders import CandidateOrders
from fsm.testing.generation.path import Path, starts
from fsm.testing.generation.searchnode import SearchNode, first_step, try_answer
from fsm.testing.generation.waitinggame import WaitingGame

NEW, CONTINUED, BACK = (30, 60, 90), (2, 4, 8, 16, 32), (0, 0, 1, 2, 4, 8, 16, 32)
"""The lengths of a new game and of one that continues from near a mutant, and how many answers that
one goes back.
"""
NEAR = 0.7
"""The probability that a game continues from near a mutant, if such a wait point is known."""
AGAIN, ANYTHING, ORDINARY = 0.6, 0.1, 0.3
"""The probabilities that an earlier answer is repeated, that an order is given which no guard of
the mutant's transitions mentions, and that a signal of the ordinary course is sent."""
SIGNALS, SIGNALS_NEW = 0.4, 0.05
"""The probability of a signal that leads to the mutant's transitions: near it, and in a new game."""
UNUSUAL = 0.2
"""The probability that a game has another set-up than most."""
EarlierAnswers = dict[tuple[str, str], Answer]
"""The answers given so far, by the states of turn and window."""


class DistinguishingSearch:
    """Searches for games that notice the mutants that a judge has left. The tries of the budget are
    answers.
    """

    def __init__(self, model: Model, judge: Judge, budget: Budget, seed: int = 1) -> None:
        self.model, self.judge, self.budget, self.random = model, judge, budget, Random(seed)
        self.abstract = abstract_graph_of(model)
        nodes = {
            start: first_step(self.abstract, start.controller(model)).node
            for start in starts(model)
        }
        self.beginnings = {start: WaitingGame(start, node) for start, node in nodes.items()}
        self.focus: dict[Mutant, Focus] = {
            m: focus_on(self.abstract, m, self.random) for m in judge.left
        }
        self.elements = game_elements_of(model)

    def run(self) -> Iterator[tuple[Path, list[Mutant]]]:
        """Yield games up to where they notice new mutants, and those mutants, until the budget is
        spent.
        """
        for start in self.beginnings:
            beginning = Path(self.model, start, ())
            if found := self.judge.noticed(beginning):
                yield beginning, list(found)
        while self.judge.left and self.budget.lasts:
            for mutant in list(self.judge.left):
                if mutant in self.judge.left:
                    yield from self._game(self.focus[mutant])

    def _game(self, focus: Focus) -> Iterator[tuple[Path, list[Mutant]]]:
        game, earlier, length = self._beginning(focus)
        sends = SIGNALS if game.before is not None else SIGNALS_NEW
        choices = focus.answers.order_finder.find(game.node.remaining[:2])
        for number in range(length):
            if game.node.over:
                return
            answer = self._answer(focus, game.node, choices, earlier, sends, not number)
            step = try_answer(game.node, answer)
            self.budget.spend()
            if step is None:
                continue
            if found := self.judge.answering(game.node.run.copy(), answer):
                yield Path(self.model, game.start, (*game.answers, answer)), found
            for other in self.judge.left:
                self.focus[other].note(game, step)
            game = game.after(trimmed(step, game.node))

    def _beginning(self, focus: Focus) -> tuple[WaitingGame, EarlierAnswers, int]:
        """Return the game to continue, the answers that were given after it, and the number of
        answers to give.
        """
        random = self.random
        if not focus.near or random.random() >= NEAR:
            return self._new(focus), {}, random.choice(NEW)
        game, earlier, back = (
            random.choice(list(focus.near.values())),
            EarlierAnswers(),
            random.choice(BACK),
        )
        for _ in range(back):
            if game.before is None or game.step is None:
                break
            earlier.setdefault(state_pair(game.before.node), game.step.answer)
            game = game.before
        return game, earlier, back + random.choice(CONTINUED)

    def _new(self, focus: Focus) -> WaitingGame:
        """Return a new game. If players must leave, there are more than two, so that the game goes
        on.
        """
        many = [start for start in self.beginnings if len(start.players) > 2]
        if self.model.leaving in focus.events and many:
            return self.beginnings[self.random.choice(many)]
        first, *others = self.beginnings
        return self.beginnings[
            self.random.choice(others) if others and self.random.random() < UNUSUAL else first
        ]

    def _answer(
        self,
        focus: Focus,
        node: SearchNode,
        choices: CandidateOrders,
        earlier: EarlierAnswers,
        sends: float,
        new: bool,
    ) -> Answer:
        random, players = self.random, node.remaining
        answer = focus.answers.answer(node, choices, first=new)
        if state_pair(node) in earlier and random.random() < AGAIN:
            old = earlier[state_pair(node)]
            answer = Answer(
                old.word, {**answer.facts, **old.facts}, answer.orders or old.orders, old.signal
            )
        if random.random() < ANYTHING and players and self.elements.makers:
            order = self.elements.order(random, players, str(self.budget.spent))
            answer = replace(answer, orders=(*answer.orders, order))
        events = focus.events if random.random() < sends else ()
        events = (
            events or self.elements.ordinary.get(node.graph_node.state, ())
            if random.random() < ORDINARY
            else events
        )
        if events:
            event = random.choice(events)
            who = random.choice(players) if event == node.abstract.model.leaving and players else ""
            answer = replace(answer, signal=Signal(event, who))
        return answer
