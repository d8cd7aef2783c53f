"""Bounded equivalence: decides whether two models behave alike by playing the same games with both.

The observable part of a game is its turn, the active player, who decides, the phase and step, and the request. The
names of states and rules are not observable. The games are explored breadth first, so the first difference is found by
a shortest game. If there is no difference, all games within the bounds were explored.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from fsm.analysis.modelchecking.bounds import Bounds, within
from fsm.analysis.modelchecking.candidateorders import candidate_orders, events_of, pending
from fsm.analysis.modelchecking.environment import Environment, environment_of
from fsm.analysis.modelchecking.equivalencekey import EquivalenceKey
from fsm.engine.answers import game_facts, latched_facts
from fsm.engine.controller import TurnController
from fsm.engine.requests import (
    Answer,
    Over,
    Perform,
    PlaceTriggers,
    Priority,
    Request,
    Resolve,
    Signal,
    Word,
    WouldBegin,
)
from fsm.errors import FsmError
from fsm.model import Model
from fsm.wording import BETWEEN_STEPS, blanks, position_words

Observed = tuple[object, ...]
NO_EFFECT = Answer()


@dataclass(frozen=True, slots=True)
class BehaviourDifference:
    """A difference between two games after the same answers: what each game does then, in words."""

    answers: tuple[Answer, ...]
    a: str
    b: str


@dataclass(frozen=True, slots=True)
class BehaviourComparison:
    """The result of a comparison: how many positions were explored, and the first difference, if there is one."""

    positions: int
    difference: BehaviourDifference | None


@dataclass(frozen=True, slots=True)
class _Pair:
    """Both games after the same answers, with `stack` objects on the stack. `answer` led here from `before`."""

    a: TurnController
    b: TurnController
    stack: int = 0
    before: _Pair | None = None
    answer: Answer | None = None

    @property
    def answers(self) -> tuple[Answer, ...]:
        found, here = list[Answer](), self
        while here.before is not None and here.answer is not None:
            found.append(here.answer)
            here = here.before
        return tuple(reversed(found))


def compare_behaviour(a: Model, b: Model, bounds: Bounds | None = None) -> BehaviourComparison:
    """Compare the models within the bounds. The default is one turn, a stack of one, and one effect at a time."""
    return _Lockstep(a, b, bounds or Bounds(turns=1, stack=1)).behaviour()


class _Lockstep:
    def __init__(self, a: Model, b: Model, bounds: Bounds) -> None:
        self.models, self.bounds = (within(a, bounds), within(b, bounds)), bounds
        self.facts = tuple(frozenset(game_facts(model)) for model in self.models)
        self.keys = tuple(map(EquivalenceKey, self.models))
        menus = [candidate_orders(model, bounds) for model in self.models]
        self.orders = [order for order in menus[0] if order in menus[1]]
        self.events = [event for event in events_of(a) if event in events_of(b)]
        self.latched = sorted(set[str]().union(*map(latched_facts, self.models)))
        self.environment = _environment(*self.models)

    def behaviour(self) -> BehaviourComparison:
        a, b = (TurnController(model, self.bounds.names) for model in self.models)
        start = _Pair(a, b)
        known, todo = {self._key(start)}, deque([start])
        if (found := _differ(start)) is not None:
            return BehaviourComparison(1, found)
        while todo:
            pair = todo.popleft()
            for answer, stack in self._answers(pair):
                came, difference = self._onward(pair, answer, stack)
                if difference is not None:
                    return BehaviourComparison(len(known), difference)
                if came is None or (key := self._key(came)) in known:
                    continue
                known.add(key)
                if came.a.request.at.turn <= self.bounds.turns and not isinstance(came.a.request, Over):
                    todo.append(came)
        return BehaviourComparison(len(known), None)

    def _onward(self, pair: _Pair, answer: Answer, stack: int) -> tuple[_Pair | None, BehaviourDifference | None]:
        """Return both games after this answer, or how they differ. It is (None, None) if both refuse the answer."""
        games, refused = [], []
        for game, facts in zip((pair.a, pair.b), self.facts, strict=True):
            fork = game.fork()
            own_facts = {name: value for name, value in answer.facts.items() if name in facts}
            try:
                fork.answer(Answer(answer.word, own_facts, answer.orders, answer.signal))
                refused.append("")
            except FsmError as error:
                refused.append(f"cannot go on: {error}")
            games.append(fork)
        came = _Pair(games[0], games[1], stack, pair, answer)
        if all(refused):
            return None, None
        if any(refused):
            a, b = (why or _described(game.request) for why, game in zip(refused, games, strict=True))
            return None, BehaviourDifference(came.answers, a, b)
        return came, _differ(came)

    def _key(self, pair: _Pair) -> Hashable:
        return pair.stack, *(
            (run.state, run.frame, run.holder, run.passed, run.latched, keys.key(run.agenda))
            for run, keys in zip((pair.a.run, pair.b.run), self.keys, strict=True)
        )

    # what can be answered ------------------------------------------------------------------------------

    def _answers(self, pair: _Pair) -> Iterator[tuple[Answer, int]]:
        """Yield every answer within the bounds, with the number of objects on the stack after it."""
        request, stack = pair.a.request, pair.stack
        asked = dict.fromkeys((*request.facts, *pair.b.request.facts))
        if isinstance(request, Priority):
            yield from self._with_every_value("passed", asked, stack)
            if stack < self.bounds.stack:
                yield from self._with_every_value("acted", asked, stack + 1)
        elif isinstance(request, Resolve):
            for effect in self._effects(pair):
                yield from self._with_every_value("done", asked, max(0, stack - 1), effect)
        elif isinstance(request, WouldBegin):
            yield from self._with_every_value("begin", asked, stack)
            yield from self._with_every_value("skip", asked, stack)
        else:
            yield from self._with_every_value("done", asked, self._after(request, stack))

    def _after(self, request: Request | Over, stack: int) -> int:
        if isinstance(request, Perform) and request.action in self.environment.clears:
            return 0
        puts = isinstance(request, PlaceTriggers) or (
            isinstance(request, Perform) and request.action in self.environment.pushes
        )
        return min(stack + puts, self.bounds.stack)

    def _effects(self, pair: _Pair) -> Iterator[Answer]:
        """Yield what a resolving object can do: nothing, one fact that stays true, one order, or one signal."""
        yield Answer()
        yield from (Answer(facts={name: True}) for name in self.latched)
        yield from (Answer(signal=Signal(event)) for event in self.events)
        if sum(pending(pair.a.agenda)) < self.bounds.together:
            yield from (Answer(orders=(order,)) for order in self.orders)

    def _with_every_value(
        self, word: Word, asked: Mapping[str, None], stack: int, effect: Answer = NO_EFFECT
    ) -> Iterator[tuple[Answer, int]]:
        """Yield the answer with every combination of values of the facts that are asked for."""
        choices = [self.environment.values(name, stack, self.bounds.stack) for name in asked]
        for values in product(*choices):
            facts = {**dict(zip(asked, values, strict=True)), **effect.facts}
            yield Answer(word, facts, effect.orders, effect.signal), stack


def _environment(*models: Model) -> Environment:
    return next((environment for environment in map(environment_of, models) if environment.empty), Environment())


# observations --------------------------------------------------------------------------------------------


def _differ(pair: _Pair) -> BehaviourDifference | None:
    a, b = pair.a.request, pair.b.request
    return None if _observed(a) == _observed(b) else BehaviourDifference(pair.answers, _described(a), _described(b))


def _observed(request: Request | Over) -> Observed:
    at = request.at
    where = (at.turn, at.active, at.controller, at.extra, at.phase, at.step, at.iteration)
    return type(request), where, getattr(request, "action", ""), getattr(request, "players", ())


def _described(request: Request | Over) -> str:
    """Describe a request, like "turn 1 of A, upkeep: A has priority"."""
    at = request.at
    where = position_words(at.turn, blanks(at.step or at.phase or BETWEEN_STEPS), player=at.active)
    if isinstance(request, Perform):
        return f"{where}: {blanks(request.action)}"
    if isinstance(request, Priority):
        return f"{where}: {' and '.join(request.players)} may act"
    if isinstance(request, WouldBegin):
        return f"{where}: {blanks(request.what)} would begin"
    words = {
        "TurnBegins": "the turn begins",
        "PhaseBegins": "the phase begins",
        "StepBegins": "the step begins",
        "TurnEnds": "the turn ends",
        "CheckState": "state-based actions are checked",
        "PlaceTriggers": "triggers are placed",
        "Resolve": "the top of the stack resolves",
        "Over": "the game is over",
    }
    return f"{where}: {words[type(request).__name__]}"
