"""Searches for a game that distinguishes a mutant from its model, for one mutant at a time.

A random game with the orders and signals that the mutant's transitions ask for comes near it sooner or later. From
there the search goes back a little, gives another order, and continues much as before.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from fsm.engine.requests import Answer, Over, Signal
from fsm.model import Model
from fsm.testing.fuzzing.words import words_of
from fsm.testing.generation.abstractgraph import ground_of
from fsm.testing.generation.candidate import spot, trimmed
from fsm.testing.generation.candidateorders import Menu
from fsm.testing.generation.mutating.focus import Focus, focus_on
from fsm.testing.generation.mutating.mutants import Mutant
from fsm.testing.generation.mutating.noticing import Judge
from fsm.testing.generation.path import Path, starts
from fsm.testing.generation.place import WaitingGame
from fsm.testing.generation.randomwalk import any_order
from fsm.testing.generation.replies import players_of
from fsm.testing.generation.searchnode import Here, begun, tried

LONG, SHORT, BACK = (30, 60, 90), (2, 4, 8, 16, 32), (0, 0, 1, 2, 4, 8, 16, 32)
"""The largest number of answers in a new game, in one that continues from near a mutant, and how far that one goes
back."""
NEAR = 0.7
"""The probability that a game continues from near a mutant, if such a wait point is known."""
AGAIN, ANYTHING, ORDINARY = 0.6, 0.1, 0.3
"""The probabilities that an earlier answer is repeated, that an order is given which no guard of the mutant's
transitions mentions, and that a signal of the ordinary course is sent."""
SIGNALS, SIGNALS_NEW = 0.4, 0.05
"""The probability of a signal that leads to the mutant's transitions: near it, and in a new game."""
ASIDE = 0.2
"""The probability that a game does not begin as most do."""
Habits = dict[tuple[str, str], Answer]
"""The answers given so far, by the states of turn and window."""


class Telling:
    """Looks for games for all that a judge has left; `played` counts the answers."""

    def __init__(self, model: Model, judge: Judge, seed: int = 1) -> None:
        self.model, self.judge, self.random = model, judge, Random(seed)
        self.ground = ground_of(model)
        self.begun = {s: WaitingGame(s, begun(self.ground, s.controller(model)).here) for s in starts(model)}
        self.focus: dict[Mutant, Focus] = {m: focus_on(self.ground, m, self.random) for m in judge.left}
        self.ordinary = words_of(model).ordinary
        self.played = 0

    def run(self, effort: int) -> Iterator[tuple[Path, list[Mutant]]]:
        """Games, each ending where it notices mutants that none did before; so many answers are tried at most."""
        for start in self.begun:
            beginning = Path(self.model, start, ())
            if found := self.judge.noticed(beginning):
                yield beginning, list(found)
        while self.judge.left and self.played < effort:
            for mutant in list(self.judge.left):
                if mutant in self.judge.left:
                    yield from self._game(self.focus[mutant])

    def _game(self, focus: Focus) -> Iterator[tuple[Path, list[Mutant]]]:
        place, habits, length = self._beginning(focus)
        sends = SIGNALS if place.before is not None else SIGNALS_NEW
        menu = focus.walker.kitchen.menu(players_of(place.here)[:2])
        for number in range(length):
            if isinstance(place.here.controller.request, Over):
                return
            answer = self._answer(focus, place.here, menu, habits, sends, first=not number)
            step = tried(place.here, answer)
            self.played += 1
            if step is None:
                continue
            if found := self.judge.answering(place.here.controller.run.copy(), answer):
                yield Path(self.model, place.start, (*place.answers, answer)), found
            for other in self.judge.left:
                self.focus[other].note(place, step)
            place = place.after(trimmed(step, place.here))

    def _beginning(self, focus: Focus) -> tuple[WaitingGame, Habits, int]:
        """Where to begin, what was answered where after that, and how many answers to give."""
        random = self.random
        if not focus.near or random.random() >= NEAR:
            return self._new(focus), {}, random.choice(LONG)
        place, habits, back = random.choice(list(focus.near.values())), Habits(), random.choice(BACK)
        for _ in range(back):
            if place.before is None or place.step is None:
                break
            habits.setdefault(spot(place.before.here), place.step.answer)
            place = place.before
        return place, habits, back + random.choice(SHORT)

    def _new(self, focus: Focus) -> WaitingGame:
        """A new game; of more than two where players leave, so that it goes on."""
        many = [start for start in self.begun if len(start.players) > 2]
        if "player_left" in focus.events and many:
            return self.begun[self.random.choice(many)]
        first, *others = self.begun
        return self.begun[self.random.choice(others) if others and self.random.random() < ASIDE else first]

    def _answer(self, focus: Focus, here: Here, menu: Menu, habits: Habits, sends: float, *, first: bool) -> Answer:
        random, players = self.random, players_of(here)
        answer = focus.walker.answer(here, menu, first=first)
        if spot(here) in habits and random.random() < AGAIN:
            habit = habits[spot(here)]
            answer = Answer(habit.word, {**answer.facts, **habit.facts}, answer.orders or habit.orders, habit.signal)
        if random.random() < ANYTHING and players:
            answer = replace(answer, orders=(*answer.orders, any_order(here, random, players)))
        events = focus.events if random.random() < sends else ()
        events = events or self.ordinary.get(here.spot.state, ()) if random.random() < ORDINARY else events
        if events:
            event = random.choice(events)
            who = random.choice(players) if event == "player_left" and players else ""
            answer = replace(answer, signal=Signal(event, who))
        return answer
