"""Computes the candidate orders of a random game from the guards of the missing targets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from fsm.coverage.target import Key
from fsm.model import Kind, Model, State
from fsm.state.orders import (
    SKIPS,
    AddPhase,
    AddStep,
    AddTurn,
    ControlNextTurn,
    Order,
    SkipTurn,
)
from fsm.state.primitives import opening_of
from fsm.state.primitives.openings import HERE, Extra, LoneStep, OtherTurn, Skip
from fsm.testing.generation.abstractgraph import Test
from fsm.testing.generation.history import depends_on_leaving
from fsm.testing.generation.searchgoal import SearchGoal

MOST_TARGETS = 40
"""At most this many missing targets are considered for one list of candidate orders."""
ReadTest = tuple[Test, str]
"""A test that must hold, and the state in which it is read."""


@dataclass(frozen=True, slots=True)
class CandidateOrders:
    """Orders and signals to choose from. `skips` are orders to skip phases and steps without a
    missing target.
    """

    orders: tuple[Order, ...] = ()
    signals: tuple[str, ...] = ()
    skips: tuple[Order, ...] = ()


@dataclass
class CandidateOrderFinder:
    """Finds the candidate orders for the missing targets of a goal."""

    goal: SearchGoal
    random: Random
    _known: dict[Key, tuple[tuple[ReadTest, ...], frozenset[str], frozenset[str]]] = field(
        default_factory=dict
    )

    def find(self, players: tuple[str, ...]) -> CandidateOrders:
        """Return the candidate orders for some of the missing targets."""
        open = list(self.goal.open)
        some = self.random.sample(open, MOST_TARGETS) if len(open) > MOST_TARGETS else open
        known = [self._of(key) for key in some]
        needs = dict.fromkeys(need for found, _, _ in known for need in found)
        orders = tuple(order for test, at in needs for order in self._for(test, at, players))
        signals = sorted({event for _, events, _ in known for event in events})
        return CandidateOrders(
            orders, tuple(signals), self._skips({home for _, _, homes in known for home in homes})
        )

    def _of(self, key: Key) -> tuple[tuple[ReadTest, ...], frozenset[str], frozenset[str]]:
        if key not in self._known:
            abstract = self.goal.abstract
            arcs = self.goal.arcs[key][:4]
            model = abstract.graphs[key[0]].model
            tests = (
                (model.fact(t.fact).test, arc.at) for arc in arcs for t in arc.row.guard if t.value
            )
            homes = {
                s.name for arc in arcs for s in model.path(arc.at) if s.kind in ("phase", "step")
            }
            events = frozenset(arc.row.event for arc in arcs) & abstract.signals
            events |= {key[1].split(" in ")[0]} & abstract.signals
            if depends_on_leaving(abstract, arcs):
                events |= {abstract.model.leaving} & abstract.signals
            self._known[key] = (
                tuple((test, at) for test, at in tests if test),
                events,
                frozenset(homes),
            )
        return self._known[key]

    def _skips(self, homes: set[str]) -> tuple[Order, ...]:
        openings = {opening_of(fact.test) for fact in self.model.facts}
        return tuple(
            SKIPS[s.kind](s.name)
            for s in (*self.model.of_kind("phase"), *self.model.of_kind("step"))
            if s.name not in homes
            and Skip(s.kind, s.family if s.kind == "phase" else s.name) in openings
        )

    # orders for a test ----------------------------------------------------------------------------

    @property
    def model(self) -> Model:
        """The Model of the turn."""
        return self.goal.abstract.model

    def _for(self, test: Test, at: str, players: tuple[str, ...]) -> Iterator[Order]:
        match opening_of(test):
            case Skip("turn"):
                yield from map(SkipTurn, players)
            case Skip(level, what):
                yield SKIPS[level](what)
            case OtherTurn():
                yield from (ControlNextTurn(a, b) for a in players for b in players if a != b)
                yield from map(AddTurn, players)
            case LoneStep():
                yield AddStep(self._step(), "current_phase")
            case Extra("turn"):
                yield from map(AddTurn, players)
            case Extra() as extra:
                if extra.level != "phase":
                    yield from self._added_steps(extra, at)
                if extra.level != "step":
                    yield self._added_phase(extra, at)

    def _added_steps(self, extra: Extra, at: str) -> Iterator[Order]:
        if extra.before:
            yield AddStep(self._step(), before=extra.before)
        elif extra.at:
            yield AddStep(self._step(), self._step_of(extra.at))
            yield AddStep(self._step(), before=self._step_of(extra.at))
        elif extra.what == HERE:
            yield AddStep(self._step_of(at), self._step())
        elif not extra.what:
            yield AddStep(self._step(), self._step_of(at))
        else:
            yield AddStep(extra.what, self._step())
            if not extra.earlier:
                yield AddStep(extra.what)
                yield AddStep(extra.what, before=self._step())
                if any(isinstance(opening_of(fact.test), LoneStep) for fact in self.model.facts):
                    yield AddStep(self._step(), "current_phase")

    def _added_phase(self, extra: Extra, at: str) -> Order:
        if extra.at:
            return AddPhase((self._family(),), self._phase_of(extra.at))
        if extra.what == HERE:
            return AddPhase((self._phase_of(at) or self._family(),))
        if not extra.what:
            return AddPhase((self._family(),), self.random.choice(("", self._phase_of(at))))
        return AddPhase(
            (extra.what,), self.random.choice(("", self._family())) if extra.earlier else ""
        )

    # names of the model ---------------------------------------------------------------------------

    def _step(self) -> str:
        return self.random.choice([s.name for s in self.model.of_kind("step")] or [""])

    def _family(self) -> str:
        return self.random.choice([s.family or s.name for s in self.model.of_kind("phase")] or [""])

    def _step_of(self, state: str) -> str:
        home = self._home(state, "step")
        return home.name if home is not None else self._step()

    def _phase_of(self, state: str) -> str:
        home = self._home(state, "phase")
        return home.name if home is not None else ""

    def _home(self, state: str, kind: Kind) -> State | None:
        turn = self.goal.abstract.graphs[self.goal.abstract.turn]
        return self.model.enclosing(state, kind) if state in turn.leaving else None
