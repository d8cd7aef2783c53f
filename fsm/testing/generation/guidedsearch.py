"""A coverage-guided random search for one missing target at a time. Every game that takes something new is kept.

Half of the games begin anew: they give the orders that the guards of the target ask for, and send its signals where
they are possible. The others continue from a wait point where the target has begun or may begin. Random walks from
known positions are used as in coverage-guided fuzzing: Böhme, Pham and Roychoudhury, "Coverage-based greybox fuzzing as
Markov chain" (2016).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from random import Random

from fsm.coverage.target import Key
from fsm.engine.requests import Answer, Over, Signal
from fsm.model.graph import Arc
from fsm.testing.generation.busygames import Walker
from fsm.testing.generation.candidate import Draft, trimmed
from fsm.testing.generation.candidateorders import Menu
from fsm.testing.generation.measuring import Chain
from fsm.testing.generation.path import Start
from fsm.testing.generation.place import WaitingGame
from fsm.testing.generation.replies import players_of
from fsm.testing.generation.searchnode import AnswerStep, Here, last, tried
from fsm.testing.generation.wanted import Wanted

LONG, TAIL = 120, 12
"""The largest number of answers in a new game, and in one that continues from a known wait point."""
KEPT = 12
"""How many wait points with short paths are kept for each last firing and each waiting state."""
NEXT, LEADS, RARE = 0.6, 0.2, 0.02
"""The probability of a signal where it may be next for the target, where it leads to the start of the target, and
elsewhere."""
ACTIVE = 0.6
"""The probability that the player who leaves is the active player or has priority."""
MORE = 0.8
"""The probability of more than the fewest players in a game in which a player must leave."""
QUIET = 0.4
"""The probability that an answer passes and reports the facts that hold when nothing happens."""


class GuidedSearch:
    """Plays such games; `tried` counts the answers. `starts`: the ways to begin a game, with what fires then."""

    def __init__(self, goal: Wanted, starts: Mapping[Start, AnswerStep], random: Random) -> None:
        self.goal, self.starts, self.random = goal, starts, random
        self.many = sorted({len(start.players) for start in starts})
        self.walker = Walker(goal, random)
        self.places: dict[Hashable, list[WaitingGame]] = {}
        self.tried, self._open = 0, list[Key]()
        self._known: dict[int, tuple[Arc, ...]] = {}

    def game(self) -> Draft | None:
        """One game, as far as it took anything that was open; that is open no more. None when it took nothing."""
        key = self._target()
        chain = self.random.choice(self.goal.chains[key]) if self.goal.chains[key] else ()
        begun = self._begun(chain) if self.random.random() < 0.5 else None
        place = begun or self._new(chain)
        most = self.random.randrange(1, TAIL) if begun else LONG
        found: WaitingGame | None = None
        for step in self._steps(place, key, chain, most):
            self.tried += 1
            place = self.after(place, step)
            fresh = self.goal.taken(step)
            if fresh:
                self.goal.done(fresh)
                found = place
        if found is None:
            return None
        self.goal.done(self.goal.met(self.starts[found.start]))
        return Draft(found.start, self.starts[found.start], found.steps)

    def _target(self) -> Key:
        if len(self._open) != len(self.goal.open):
            self._open = list(self.goal.open)
        return self.random.choice(self._open)

    def near(self, key: Key) -> list[tuple[Draft, list[AnswerStep]]]:
        """The places known where a target has begun, or may: how each game begins, and the steps that lead there."""
        arcs = {arc for chain in self.goal.chains[key] for arc in chain}
        names = product((*map(id, arcs), *(arc.at for arc in arcs)), self.many)
        places = {id(place): place for name in names for place in self.places.get(name, ())}
        return [(Draft(p.start, self.starts[p.start]), p.steps) for p in places.values()]

    # places ---------------------------------------------------------------------------------------------

    def _new(self, chain: Chain) -> WaitingGame:
        many = self._players(chain)
        start = self.random.choice([start for start in self.starts if len(start.players) in many])
        return WaitingGame(start, self.starts[start].here)

    def _begun(self, chain: Chain) -> WaitingGame | None:
        """A place where the chain has begun, or may."""
        arc, many = self.random.choice(chain) if chain else None, self._players(chain)
        names = product((id(arc), arc.at) if arc else (), many)
        known = [held for name in names if (held := self.places.get(name))] or list(self.places.values())
        return self.random.choice(self.random.choice(known)) if known else None

    def _players(self, chain: Chain) -> Sequence[int]:
        """How many players there may be: where some leave, and the game is not over, it is more than two."""
        leaving = any(arc.row.event == "player_left" for arc in chain)
        return self.many[1:] if leaving and self.random.random() < MORE else self.many

    def after(self, place: WaitingGame, step: AnswerStep) -> WaitingGame:
        """The place to which a step led; games may go on from there."""
        step = trimmed(step, place.here)
        after = place.after(step)
        if not isinstance(step.here.controller.request, Over):
            ends = [walk[0] for walk in (step.here.turn, step.here.window) if walk is not None]
            for name in dict.fromkeys((*map(id, ends), step.here.spot.state, step.here.spot.frame)):
                self._put(self.places.setdefault((name, len(place.start.players)), []), after)
        return after

    def _put(self, held: list[WaitingGame], place: WaitingGame) -> None:
        if len(held) < KEPT:
            held.append(place)
        elif self.random.random() < 0.2:
            held[self.random.randrange(KEPT)] = place
        else:
            longest = max(range(KEPT), key=lambda number: held[number].length)
            held[longest] = min(held[longest], place, key=lambda each: each.length)

    # answers --------------------------------------------------------------------------------------------

    def _steps(self, place: WaitingGame, key: Key, chain: Chain, most: int) -> Iterator[AnswerStep]:
        here = place.here
        menu = self.walker.kitchen.menu_of(key, players_of(here))
        first = self.random.randrange(LONG // 4) if place.before is None else 0
        for number in range(most):
            if isinstance(here.controller.request, Over):
                return
            answer = self._answer(here, menu, chain, first=number == first)
            step = tried(here, answer) or tried(here, replace(answer, orders=(), signal=None))
            if step is None:
                return
            yield step
            here = step.here

    def _answer(self, here: Here, menu: Menu, chain: Chain, *, first: bool) -> Answer:
        answer = self.walker.answer(here, menu, first=first)
        if self.random.random() < QUIET and not answer.orders:
            quiet = {name: name in here.ground.quiet for name in answer.facts}
            answer = Answer(here.controller.waiting.words[-1], quiet, (), answer.signal)  # type: ignore[arg-type]
        event = self._event(here, chain)
        return replace(answer, signal=self._signal(here, event)) if event else answer

    def _event(self, here: Here, chain: Chain) -> str:
        """The chain's signal that may come now; "" for none. It comes after the first firing of the answer."""
        for number, arc in enumerate(chain):
            if arc.row.event in here.ground.signals:
                chance = NEXT if self._due(here, chain[:number], arc) else 0.0 if number else RARE
                if self.random.random() < chance:
                    return arc.row.event
        leading = [arc for arc in self._leading(chain) if arc.at == here.spot.state]
        return self.random.choice(leading).row.event if leading and self.random.random() < LEADS else ""

    def _due(self, here: Here, before: Chain, arc: Arc) -> bool:
        """May this come next: where it waits, or with the answer that takes the firing before it?"""
        if arc.at in here.spot and _taken(here, before):
            return True
        if before:
            return before[-1].at in here.spot and _taken(here, before[:-1])
        graph = self.goal.ground.graph_of(arc)
        return any(next.to == arc.at for at in here.spot[:2] for next in graph.leaving.get(at, ()))

    def _leading(self, chain: Chain) -> tuple[Arc, ...]:
        """The firings by a signal that lead to where a chain begins."""
        if chain and id(chain[0]) not in self._known:
            ground, at = self.goal.ground, chain[0].at
            arcs = (arc for arc in ground.graph_of(chain[0]).arriving[at] if arc.at != at)
            self._known[id(chain[0])] = tuple(arc for arc in arcs if arc.row.event in ground.signals)
        return self._known[id(chain[0])] if chain else ()

    def _signal(self, here: Here, event: str) -> Signal:
        if event != "player_left":
            return Signal(event)
        there, controller = players_of(here), here.controller
        known = [p for p in (controller.position.active, controller.run.holder) if p in there]
        return Signal(event, self.random.choice(known if known and self.random.random() < ACTIVE else there))


def _taken(here: Here, arcs: Chain) -> bool:
    """Were these firings the last of one machine?"""
    return not arcs or any(last(walk, len(arcs)) == arcs for walk in (here.turn, here.window))
