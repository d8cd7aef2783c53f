"""Two models played in step with controllers, one answer after the other: slow, and without tables.

`compare_behaviour` finds the same in a fraction of the time. Tests compare the two.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from fsm.analysis.modelchecking.boundedequivalence import (
    BehaviourComparison,
    BehaviourDifference,
    described,
    observed,
)
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
from fsm.state.orders import Order

NO_EFFECT = Answer()


@dataclass(frozen=True, slots=True)
class _Pair:
    """Both games after the same answers, with `stack` objects on the stack. `answer` led here from
    `before`.
    """

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


def compare_slowly(
    a: Model, b: Model, bounds: Bounds, orders: Sequence[Order] | None = None
) -> BehaviourComparison:
    """Compare the models within the bounds, as `compare_behaviour` does."""
    return _Lockstep(a, b, bounds, orders).behaviour()


class _Lockstep:
    def __init__(self, a: Model, b: Model, bounds: Bounds, orders: Sequence[Order] | None) -> None:
        self.models, self.bounds = (within(a, bounds), within(b, bounds)), bounds
        self.facts = tuple(frozenset(game_facts(model)) for model in self.models)
        self.keys = tuple(map(EquivalenceKey, self.models))
        menus = [candidate_orders(model, bounds) for model in self.models]
        self.orders = (
            [order for order in menus[0] if order in menus[1]] if orders is None else orders
        )
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
                if came.a.request.at.turn <= self.bounds.turns and not isinstance(
                    came.a.request, Over
                ):
                    todo.append(came)
        return BehaviourComparison(len(known), None)

    def _onward(
        self, pair: _Pair, answer: Answer, stack: int
    ) -> tuple[_Pair | None, BehaviourDifference | None]:
        """Return both games after this answer, or how they differ. It is (None, None) if both
        refuse the answer.
        """
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
            a, b = (
                why or described(game.request) for why, game in zip(refused, games, strict=True)
            )
            return None, BehaviourDifference(came.answers, a, b)
        return came, _differ(came)

    def _key(self, pair: _Pair) -> Hashable:
        return pair.stack, *(
            (run.state, run.frame, run.holder, run.passed, run.latched, keys.key(run.agenda))
            for run, keys in zip((pair.a.run, pair.b.run), self.keys, strict=True)
        )

    # what can be answered -------------------------------------------------------------------------

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
        """Yield what a resolving object can do: nothing, one fact that stays true, one order, or
        one signal.
        """
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
    return next(
        (environment for environment in map(environment_of, models) if environment.empty),
        Environment(),
    )


def _differ(pair: _Pair) -> BehaviourDifference | None:
    a, b = pair.a.request, pair.b.request
    return (
        None
        if observed(a) == observed(b)
        else BehaviourDifference(pair.answers, described(a), described(b))
    )
