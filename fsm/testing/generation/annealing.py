"""Makes a set of paths shorter by simulated annealing: many small changes, of which some make it
longer for a while.

A change leaves out answers, orders or whole paths, skips a step, or puts in what is missing. It is
judged by the cost of all paths, and by the weight of what they no longer take. What is missing for
long weighs more and more. The best set that takes everything is returned. Kirkpatrick, Gelatt and
Vecchi, "Optimization by simulated annealing" (1983); weights that grow are from Morris, "The
breakout method for escaping from local minima" (1993).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import exp
from random import Random

from fsm.coverage.target import Key
from fsm.engine.requests import Answer, Signal
from fsm.state.entries import Occurrence
from fsm.state.orders import Order, SkipPhase, SkipStep
from fsm.testing.budget import Budget
from fsm.testing.generation.candidate import (
    Candidate,
    Script,
    replay_progress,
    replayed_exactly,
    trimmed,
)
from fsm.testing.generation.pruning import Pruner, cost_of_steps, passes_of
from fsm.testing.generation.searchgoal import SearchGoal
from fsm.testing.generation.searchnode import AnswerStep, alike
from fsm.testing.generation.targetedwalker import TargetedAnswers

HOT, COLD = 3.0, 0.3
"""The temperature at the beginning and at the end. A change that costs as much more is made about
once in three.
"""
WEIGHT, HEAVIER, OFTEN = 20.0, 2.0, 20
"""The weight of a missing target, and how much more it weighs after every so many changes."""
BLOCKS = (1, 1, 1, 2, 2, 3, 4, 5, 6, 8, 12)
"""How many answers are left out at a time."""
REPAIRS, MERGES, OWN_FACTS = 0.5, 0.1, 0.7
"""The share of changes that put in what is missing, that of merges, and how often an answer keeps
its own facts.
"""
MARGIN = 20
"""How much longer a game may become by one change. If anything is missing, it is twice as much."""
LONG, TRIES = 80, 250
"""If the best game that is known to take a target costs more, so many answers are tried to shorten
it.
"""
AGAIN, BEFORE = 6, 6
"""How often another place is chosen if nothing can be changed there, and how long before a step it
may be skipped.
"""

Taken = tuple[Key, ...]


@dataclass(eq=False)
class Game:
    """A path of the set, with what each of its steps takes."""

    candidate: Candidate
    first: Taken
    taken: list[Taken] = field(default_factory=list)

    @property
    def steps(self) -> list[AnswerStep]:
        """The steps of the path."""
        return self.candidate.steps


@dataclass
class Change:
    """The steps of a game from a number on, up to an end, are replaced by others. `gone` is a game
    that is left out.
    """

    game: Game
    at: int
    end: int
    steps: list[AnswerStep]
    taken: list[Taken]
    gone: Game | None = None


class Annealing:
    """Makes a set of paths cheaper. The tries of the budget are answers."""

    def __init__(
        self,
        goal: SearchGoal,
        candidates: Sequence[Candidate],
        random: Random,
        budget: Budget,
    ) -> None:
        self.goal, self.random, self.budget = goal, random, budget
        self.games = [self._game(candidate) for candidate in candidates]
        self.count = Counter(
            key for game in self.games for keys in (game.first, *game.taken) for key in keys
        )
        self.weight = dict.fromkeys(self.count, WEIGHT)
        self.missing: dict[Key, None] = {}
        self.shortened: set[Key] = set()
        self.known: dict[Key, tuple[int, Candidate]] = {}
        for game in self.games:
            self._know(game)
        self.cost = sum(map(cost_of_game, self.games))
        self.answers = TargetedAnswers(replace(goal, open=self.missing), random)
        self.passes = {_skipped_by(order): order for order in passes_of(goal)}
        self.events = sorted(goal.abstract.signals - {goal.abstract.model.leaving})

    def run(self) -> list[Candidate]:
        """Change the set until the budget is spent. Return the best that takes all that the first
        one took.
        """
        first = best = self._copied()
        least, number = self.cost, 0
        tries = self.budget.left
        while self.budget.lasts and self.games:
            number += 1
            heat = HOT * (COLD / HOT) ** (1 - self.budget.left / tries)
            change = self._change()
            if (
                change is not None
                and self._accepted(change, heat)
                and not self.missing
                and self.cost < least
            ):
                best, least = self._copied(), self.cost
            self.budget.spend()
            if number % OFTEN == 0:
                for key in self.missing:
                    self.weight[key] += HEAVIER
        return best if self._holds(best) else first

    def _holds(self, candidates: Sequence[Candidate]) -> bool:
        """Whether these paths take everything when they are played from the beginning."""
        taken = {key for candidate in candidates for key in self._taken(candidate.first)}
        for candidate in candidates:
            steps = replayed_exactly(
                candidate.first.node, [step.answer for step in candidate.steps]
            )
            taken.update(key for step in steps or () for key in self._taken(step))
        return self.weight.keys() <= taken

    def _copied(self) -> list[Candidate]:
        return [replace(game.candidate, steps=list(game.steps)) for game in self.games]

    def _game(self, candidate: Candidate) -> Game:
        candidate = replace(candidate, steps=list(candidate.steps))
        return Game(
            candidate, self._taken(candidate.first), [self._taken(step) for step in candidate.steps]
        )

    def _know(self, game: Game) -> None:
        """Note the beginning of this game for each target that it takes sooner than any game
        before.
        """
        cost = cost_of_steps([game.candidate.first])
        for number, (step, keys) in enumerate(zip(game.steps, game.taken, strict=True), 1):
            cost += len(step.fired) + 1
            for key in keys:
                if key not in self.known or cost < self.known[key][0]:
                    self.known[key] = cost, replace(game.candidate, steps=game.steps[:number])

    def _taken(self, step: AnswerStep) -> Taken:
        return tuple(
            [key for key in dict.fromkeys(self.goal.targets_of(step)) if key in self.goal.targets]
        )

    # judging --------------------------------------------------------------------------------------

    def _accepted(self, change: Change, heat: float) -> bool:
        """Make a change if it is good enough."""
        game, old = change.game, change.game.taken[change.at : change.end]
        differs = Counter(key for keys in change.taken for key in keys)
        differs.subtract(key for keys in old for key in keys)
        fresh = game not in self.games
        if fresh:
            differs.update(game.first)
        if change.gone is not None:
            differs.subtract(
                key for keys in (change.gone.first, *change.gone.taken) for key in keys
            )
        if change.end == len(game.taken):
            self._cut(change, differs)
        empty = not change.at and not change.steps and change.end == len(game.taken)
        if empty:
            differs.subtract(game.first)
        longer = cost_of_steps(change.steps) - cost_of_steps(game.steps[change.at : change.end])
        longer += (fresh - empty) * cost_of_steps([game.candidate.first])
        longer -= cost_of_game(change.gone) if change.gone is not None else 0
        worse = longer + self._weighed(differs)
        if worse > 0 and self.random.random() >= exp(-worse / heat):
            return False
        self._make(change, differs, fresh=fresh, empty=empty)
        self.cost += longer
        return True

    def _cut(self, change: Change, differs: Counter[Key]) -> None:
        """Leave out the last steps that take nothing of their own."""
        while change.taken and all(self.count[key] + differs[key] > 1 for key in change.taken[-1]):
            differs.subtract(change.taken.pop())
            change.steps.pop()
        while not change.taken and change.at and change.end:
            keys = change.game.taken[change.at - 1]
            if not all(self.count[key] + differs[key] > 1 for key in keys):
                return
            differs.subtract(keys)
            change.at -= 1

    def _weighed(self, differs: Counter[Key]) -> float:
        """Return the weight of what would be missing, less that of what would no longer be."""
        worse = 0.0
        for key, more in differs.items():
            if more and key in self.weight:
                now = self.count[key]
                if now and not now + more:
                    worse += self.weight[key]
                elif not now and more > 0:
                    worse -= self.weight[key]
        return worse

    def _make(self, change: Change, differs: Counter[Key], *, fresh: bool, empty: bool) -> None:
        game = change.game
        game.steps[change.at : change.end] = change.steps
        game.taken[change.at : change.end] = change.taken
        for key, more in differs.items():
            if more:
                self.count[key] += more
                if self.count[key]:
                    self.missing.pop(key, None)
                elif key in self.weight:
                    self.missing[key] = None
        self._know(game)
        if fresh and not empty:
            self.games.append(game)
        if empty and not fresh:
            self.games.remove(game)
        if change.gone is not None:
            self.games.remove(change.gone)

    # changes --------------------------------------------------------------------------------------

    def _change(self) -> Change | None:
        random = self.random
        if self.missing and random.random() < REPAIRS:
            return random.choice((self._varied, self._varied, self._varied, self._recalled))()
        if len(self.games) > 1 and random.random() < MERGES:
            return self._merged()
        return random.choice(
            (self._left_out, self._left_out, self._less, self._skipped, self._ended)
        )()

    def _place(self) -> tuple[Game, int]:
        """Choose a step of any game."""
        number = self.random.randrange(sum(len(game.steps) for game in self.games))
        for game in self.games:
            if number < len(game.steps):
                return game, number
            number -= len(game.steps)
        raise AssertionError("a game has steps")

    def _left_out(self) -> Change | None:
        """Leave out some answers."""
        game, at = self._place()
        size = self.random.choice(BLOCKS)
        return self._replayed(game, at, game.candidate.script_from(at + size))

    def _less(self) -> Change | None:
        """Leave out an order or a signal."""
        game, at = self._place()
        for _ in range(AGAIN):
            answer = game.steps[at].answer
            if answer.orders or answer.signal:
                break
            game, at = self._place()
        (pair, answer), *script = game.candidate.script_from(at)
        if answer.signal is not None and (not answer.orders or self.random.random() < 0.5):
            return self._replayed(game, at, [(pair, replace(answer, signal=None)), *script])
        if not answer.orders:
            return self._left_out()
        out = self.random.randrange(len(answer.orders))
        less = replace(answer, orders=(*answer.orders[:out], *answer.orders[out + 1 :]))
        return self._replayed(game, at, [(pair, less), *script])

    def _skipped(self) -> Change | None:
        """Skip a step or phase in which nothing is needed, by an order that is given a little
        before.
        """
        for _ in range(AGAIN):
            game, at = self._place()
            level = self.random.choice(("step", "step", "phase"))
            name, since, until = self._spent(game, at, level)
            needed = (key for keys in game.taken[since + 1 : until] for key in keys)
            if (
                (level, name) in self.passes
                and since
                and not any(self.count[key] == 1 for key in needed)
            ):
                at = max(since - self.random.randrange(BEFORE), 0)
                (pair, answer), *script = game.candidate.script_from(at)
                more = replace(answer, orders=(*answer.orders, self.passes[level, name]))
                return self._replayed(game, at, [(pair, more), *script])
        return None

    def _spent(self, game: Game, at: int, level: str) -> tuple[str, int, int]:
        """Return the name of the step or phase under way after a number of answers, and between
        which ones it is.
        """

        def under_way(number: int) -> Occurrence | None:
            agenda = game.candidate.node_after(number).run.agenda
            return agenda.current_step if level == "step" else agenda.current_phase

        now = under_way(at)
        if now is None:
            return "", 0, 0
        since, until = at, at + 1
        while since and under_way(since - 1) == now:
            since -= 1
        while until < len(game.steps) and under_way(until) == now:
            until += 1
        return (
            now.name if level == "step" else now.family or now.name,
            since - 1 if since else 0,
            until,
        )

    def _ended(self) -> Change | None:
        """End a phase or turn by a signal."""
        game, at = self._place()
        (pair, answer), *script = game.candidate.script_from(at)
        events = [event for event in self.events if self.goal.abstract.model.rows(pair[0], event)]
        if answer.signal is not None or not events:
            return None
        more = replace(answer, signal=Signal(self.random.choice(events)))
        return self._replayed(game, at, [(pair, more), *script])

    def _merged(self) -> Change | None:
        """Put the answers of one game behind some of those of another."""
        one, other = self.random.sample(self.games, 2)
        at = self.random.choice((len(one.steps), self.random.randrange(len(one.steps) + 1)))
        since = self.random.choice((0, self.random.randrange(len(other.steps) + 1)))
        change = self._replayed(one, at, other.candidate.script_from(since), other)
        return replace(change, gone=other) if change is not None else None

    def _varied(self) -> Change | None:
        """Add orders and facts to one answer, and repeat the answers after it as far as possible."""
        game, at = self._place()
        node, answers = game.candidate.node_after(at), self.answers
        (pair, old), *script = game.candidate.script_from(at)
        new = answers.answer(node, answers.order_finder.find(node.players[:2]), first=True)
        facts = {**new.facts, **(old.facts if self.random.random() < OWN_FACTS else {})}
        more = Answer(old.word, facts, (*old.orders, *new.orders), new.signal or old.signal)
        return self._replayed(game, at, [(pair, more), *script])

    def _recalled(self) -> Change | None:
        """Take something that is missing by the shortest game that is known to take it."""
        key = self.random.choice(list(self.missing))
        if key not in self.known:
            return None
        cost, candidate = self.known[key]
        if cost > LONG and key not in self.shortened:
            self.shortened.add(key)
            candidate = replace(candidate, steps=list(candidate.steps))
            [candidate] = Pruner(self.goal.only([key]), [candidate], self.budget.part(TRIES)).once()
            self._know(self._game(candidate))
            candidate = self.known[key][1]
        game = self._game(candidate)
        steps, taken = game.steps[:], game.taken[:]
        game.steps.clear()
        game.taken.clear()
        return Change(game, 0, 0, steps, taken)

    def _replayed(
        self, game: Game, at: int, script: Script, other: Game | None = None
    ) -> Change | None:
        """Repeat answers from a number of steps on. Where the game comes to an old node again, the
        old steps follow.

        It ends when nothing is left that only the old steps took. Return None if it becomes too
        long.
        """
        steps, taken, node = list[AnswerStep](), list[Taken](), game.candidate.node_after(at)
        whole, rest = len(game.steps), self._needed(game, at, other)
        most = (
            cost_of_steps(game.steps[at:])
            + (cost_of_game(other) if other is not None else 0)
            + MARGIN
            + (MARGIN if self.missing else 0)
        )
        for step, followed in replay_progress(node, script):
            self.budget.spend()
            step = trimmed(step, node)
            node, keys = step.node, self._taken(step)
            steps.append(step)
            taken.append(keys)
            most -= len(step.fired) + 1
            if most < 0:
                return None
            old = whole - len(script) + followed
            if (
                other is None
                and old >= at
                and alike(node, game.candidate.node_after(old), self.goal.length - 1)
            ):
                return Change(game, at, old, steps, taken)
            rest.difference_update(keys)
            if not rest and not self.missing:
                break
        return Change(game, at, whole, steps, taken)

    def _needed(self, game: Game, at: int, other: Game | None) -> set[Key]:
        """Return what only the steps of a game from a number on take, and another game."""
        gone = (other.first, *other.taken) if other is not None else ()
        here = Counter(key for keys in (*game.taken[at:], *gone) for key in keys)
        return {key for key, many in here.items() if self.count[key] == many}


def cost_of_game(game: Game) -> int:
    """Return the number of firings and answers of a game."""
    return cost_of_steps([game.candidate.first, *game.steps])


def _skipped_by(order: Order) -> tuple[str, str]:
    """Return the level and the name of what an order skips."""
    if isinstance(order, SkipStep):
        return "step", order.step
    return ("phase", order.phase) if isinstance(order, SkipPhase) else ("", "")
