"""Bounded equivalence: decides whether two models behave alike by playing the same games with both.

The observable part of a game is its turn, the active player, who decides, the phase and step, and
the request. The names of states and rules are not observable. The games are explored breadth first,
so the first difference is found by a shortest game. If there is no difference, all games within the
bounds were explored.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import NamedTuple

from fsm.analysis.modelchecking.bounds import Bounds, within
from fsm.analysis.modelchecking.candidateorders import candidate_orders, events_of
from fsm.analysis.modelchecking.environment import Environment, environment_of
from fsm.analysis.modelchecking.steptable import Place, Position, StepTable, Told, tables_of
from fsm.engine.answers import latched_facts
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
from fsm.wording import BETWEEN_STEPS, blanks, position_words

Observed = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class BehaviourDifference:
    """A difference between two games after the same answers: what each game does then, in words."""

    answers: tuple[Answer, ...]
    a: str
    b: str


@dataclass(frozen=True, slots=True)
class BehaviourComparison:
    """The result of a comparison: how many positions were explored, and the first difference, if
    there is one.
    """

    positions: int
    difference: BehaviourDifference | None


def compare_behaviour(
    a: Model, b: Model, bounds: Bounds | None = None, *, orders: Sequence[Order] | None = None
) -> BehaviourComparison:
    """Compare the models within the bounds. The default is one turn, a stack of one, and one effect
    at a time.

    `orders` are the only orders that are given. If it is None, all are tried that both models take.
    """
    bounds = bounds or Bounds(turns=1, stack=1)
    if orders is None:
        there = candidate_orders(within(b, bounds), bounds)
        orders = [order for order in candidate_orders(within(a, bounds), bounds) if order in there]
    return _Lockstep(a, b, bounds, tuple(orders)).behaviour()


class _Effect(NamedTuple):
    """What comes with an answer as an object resolves: facts that stay true, an order by its
    number, or a signal.
    """

    facts: Told = ()
    order: int = -1
    event: str = ""


class _Reply(NamedTuple):
    """An answer that can be given to both games: what each is told, and the number of objects on
    the stack after it.
    """

    word: Word
    facts: Told
    told: tuple[Told, Told]
    effect: _Effect
    stack: int


@dataclass(slots=True, eq=False)
class _Places:
    """The places of both games.

    `base` tells them apart as far as the games can go on in different ways. `ends` says that they
    are not explored. `moves` are those from each inside of windows. Places whose windows are the
    same inside share them.
    """

    a: Place
    b: Place
    base: int
    ends: bool
    moves: dict[int, list[_Move]] | None


class _Inside(NamedTuple):
    """What is inside the places of both games, with `stack` objects on the stack."""

    a: int
    b: int
    stack: int


class _Move(NamedTuple):
    """A reply, and the number of the inside to which it leads if both games stay in their places,
    or -1.
    """

    reply: _Reply
    inside: int


Names = tuple[str, ...]
_Found = tuple["_Places", int]
"""Where both games stand: their places, and the number of what is inside."""
_NOTHING = _Effect()
REFUSED, DIFFERENT = "refused", "different"


class _Lockstep:
    """Plays both games in step. What a step needs of a game comes from its table, and is computed
    once.
    """

    def __init__(self, a: Model, b: Model, bounds: Bounds, orders: tuple[Order, ...]) -> None:
        self.models, self.bounds, self.orders = (
            (within(a, bounds), within(b, bounds)),
            bounds,
            orders,
        )
        self.a, self.b = tables_of(*self.models, self.orders)
        self.latched = sorted(set[str]().union(*map(latched_facts, self.models)))
        self.environment = _environment(*self.models)
        events = [event for event in events_of(a) if event in events_of(b)]
        self.effects = (
            _NOTHING,
            *(_Effect(facts=((name, True),)) for name in self.latched),
            *(_Effect(event=event) for event in events),
        )
        self.order_effects = tuple(_Effect(order=number) for number in range(len(self.orders)))
        self._places: dict[tuple[int, int], _Places] = {}
        self._bases: dict[tuple[int, int], int] = {}
        self._moves: dict[Hashable, dict[int, list[_Move]]] = {}
        self._numbers: dict[_Inside, int] = {}
        self._insides: list[_Inside] = []
        self._found_moves: dict[Hashable, tuple[_Move, ...]] = {}

    def behaviour(self) -> BehaviourComparison:
        """Explore the games, breadth first."""
        a, b = (TurnController(model, self.bounds.names) for model in self.models)
        if observed(a.request) != observed(b.request):
            return BehaviourComparison(
                1, BehaviourDifference((), described(a.request), described(b.request))
            )
        places, inside = self._met(self.a.position(a.run), self.b.position(b.run), 0)
        todo, insides, parents, replies = (
            [places],
            [inside],
            [0],
            list[_Reply](),
        )  # lists of few kinds: quicker to keep
        known = {places.base + inside}
        for number, places in enumerate(todo):  # it grows meanwhile
            inside = insides[number]
            for reply, stays in self._moves_from(places, inside):
                if stays >= 0:
                    to, there = places, stays
                else:
                    led = self._led(places, self._insides[inside], reply)
                    if led is REFUSED:
                        continue
                    if isinstance(led, str):
                        way = [*_way(number, parents, replies), reply]
                        return BehaviourComparison(len(known), self._difference(way))
                    to, there = led
                key = to.base + there
                if key not in known:
                    known.add(key)
                    if not to.ends:
                        todo.append(to)
                        insides.append(there)
                        parents.append(number)
                        replies.append(reply)
        return BehaviourComparison(len(known), None)

    # how both games go on -------------------------------------------------------------------------

    def _met(self, a: Position, b: Position, stack: int) -> _Found:
        """Return where both games stand."""
        pair = a.place, b.place
        key = a.place.number, b.place.number
        places = self._places.get(key)
        if places is None:
            alike = a.place.alike, b.place.alike
            base = self._bases.setdefault(alike, len(self._bases) << 32)
            ends = a.place.turn > self.bounds.turns or a.asked.kind is Over
            moves = None
            if self.a.shares_windows(a.inside) and self.b.shares_windows(b.inside):
                moves = self._moves.setdefault(
                    (self._has_room(a.place), *map(_seen_inside, pair)), {}
                )
            places = self._places[key] = _Places(*pair, base, ends, moves)
        return places, self._inside(a.inside, b.inside, stack)

    def _moves_from(self, places: _Places, number: int) -> Sequence[_Move]:
        """Return the moves from there. Of those that lead to the same inside a window, the first is
        enough.
        """
        if places.moves is None:
            return self._moves_for(places, self._insides[number])
        found = places.moves.get(number)
        if found is None:
            inside, firsts = self._insides[number], dict[object, _Move]()
            for move in self._moves_for(places, inside):
                stays = self._stays(places, inside, move.reply)
                firsts.setdefault(stays if stays >= 0 else move.reply, _Move(move.reply, stays))
            found = places.moves[number] = list(firsts.values())
        return found

    def _stays(self, places: _Places, inside: _Inside, reply: _Reply) -> int:
        """Return the inside after a reply if the windows alone decide it: they stay open, and
        nothing differs.

        Otherwise it is -1.
        """
        if reply.effect.event or reply.effect.order >= 0:
            return -1
        a = self.a.in_window(places.a, inside.a, reply.word, reply.told[0])
        b = self.b.in_window(places.b, inside.b, reply.word, reply.told[1])
        if a is None or b is None or a.asked is None or a.asked != b.asked:
            return -1
        return self._inside(a.number, b.number, reply.stack)

    def _inside(self, a: int, b: int, stack: int) -> int:
        inside = _Inside(a, b, stack)
        number = self._numbers.setdefault(inside, len(self._insides))
        if number == len(self._insides):
            self._insides.append(inside)
        return number

    def _led(self, places: _Places, inside: _Inside, reply: _Reply) -> _Found | str:
        """Return where a reply leads, or that the games differ, or that both refuse it."""
        a = _after(self.a, places.a, inside.a, reply, reply.told[0])
        b = _after(self.b, places.b, inside.b, reply, reply.told[1])
        if a is None or b is None:
            return REFUSED if a is b else DIFFERENT
        if a.place.where != b.place.where or a.asked != b.asked:
            return DIFFERENT
        return self._met(a, b, reply.stack)

    def _difference(self, replies: list[_Reply]) -> BehaviourDifference:
        """Play both games, and return how they differ after the last of these replies."""
        games = [TurnController(model, self.bounds.names) for model in self.models]
        answers = tuple([self._answer(reply, reply.facts) for reply in replies])
        said = list[str]()
        for side, game in enumerate(games):
            for reply in replies[:-1]:
                game.answer(self._answer(reply, reply.told[side]))
            try:
                said.append(
                    described(game.answer(self._answer(replies[-1], replies[-1].told[side])))
                )
            except FsmError as error:
                said.append(f"cannot go on: {error}")
        return BehaviourDifference(answers, *said)

    def _answer(self, reply: _Reply, facts: Told) -> Answer:
        order, event = reply.effect.order, reply.effect.event
        orders = (self.orders[order],) if order >= 0 else ()
        return Answer(reply.word, dict(facts), orders, Signal(event) if event else None)

    # what can be answered -------------------------------------------------------------------------

    def _moves_for(self, places: _Places, inside: _Inside) -> tuple[_Move, ...]:
        """Return a move for every answer within the bounds."""
        asked, stack = self.a.asked(places.a, inside.a), inside.stack
        facts = self.a.facts_asked(places.a, inside.a), self.b.facts_asked(places.b, inside.b)
        key = (
            asked.kind,
            asked.action,
            facts,
            stack,
            asked.kind is Resolve and self._has_room(places.a),
        )
        moves = self._found_moves.get(key)
        if moves is None:
            moves = self._found_moves[key] = tuple(
                _Move(reply, -1) for reply in self._replies(*key)
            )
        return moves

    def _replies(
        self,
        kind: type[Request | Over],
        action: str,
        facts: tuple[Names, Names],
        stack: int,
        room: bool,
    ) -> Iterator[_Reply]:
        each = partial(self._with_every_value, tuple(dict.fromkeys((*facts[0], *facts[1]))))
        if kind is Priority:
            yield from each("passed", stack)
            if stack < self.bounds.stack:
                yield from each("acted", stack + 1)
        elif kind is Resolve:
            for effect in (*self.effects, *(self.order_effects if room else ())):
                yield from each("done", max(0, stack - 1), effect)
        elif kind is WouldBegin:
            yield from each("begin", stack)
            yield from each("skip", stack)
        elif kind is Perform and action in self.environment.clears:
            yield from each("done", 0)
        else:
            puts = kind is PlaceTriggers or (kind is Perform and action in self.environment.pushes)
            yield from each("done", min(stack + puts, self.bounds.stack))

    def _has_room(self, place: Place) -> bool:
        return place.scheduled < self.bounds.together

    def _with_every_value(
        self, asked: tuple[str, ...], word: Word, stack: int, effect: _Effect = _NOTHING
    ) -> Iterator[_Reply]:
        """Yield the answer with every combination of values of the facts that are asked for."""
        choices = [self.environment.values(name, stack, self.bounds.stack) for name in asked]
        for values in product(*choices):
            facts = tuple({**dict(zip(asked, values, strict=True)), **dict(effect.facts)}.items())
            told = tuple(
                tuple([one for one in facts if one[0] in table.facts]) for table in (self.a, self.b)
            )
            yield _Reply(word, facts, (told[0], told[1]), effect, stack)


def _after(
    table: StepTable, place: Place, inside: int, reply: _Reply, told: Told
) -> Position | None:
    """Return where a reply leads in one game, or None if the game refuses it or cannot go on."""
    effect = reply.effect
    if effect.event:
        return table.signalled(place, inside, reply.word, told, effect.event)
    if effect.order >= 0:
        ordered = table.ordered(place, effect.order)
        return None if ordered is None else table.plain(ordered, inside, reply.word, told)
    return table.plain(place, inside, reply.word, told)


def _way(number: int, parents: list[int], replies: list[_Reply]) -> list[_Reply]:
    """Return the replies that led to a position."""
    found = list[_Reply]()
    while number:
        found.append(replies[number - 1])
        number = parents[number]
    return found[::-1]


def _seen_inside(place: Place) -> Hashable:
    """Return what moves inside a window depend on."""
    return place.window, place.run.state, place.busy


def _environment(*models: Model) -> Environment:
    return next(
        (environment for environment in map(environment_of, models) if environment.empty),
        Environment(),
    )


# observations -------------------------------------------------------------------------------------


def observed(request: Request | Over) -> Observed:
    at = request.at
    where = (at.turn, at.active, at.controller, at.extra, at.phase, at.step, at.iteration)
    return type(request), where, getattr(request, "action", ""), getattr(request, "players", ())


def described(request: Request | Over) -> str:
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
