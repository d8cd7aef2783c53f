"""Computes the orders that may open a guard from the tests of the guard's facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from fsm.model import Model
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

MOST_PAIRED = 8
"""At most this many orders are tried two at a time."""


def relevant(model: Model, players: tuple[str, ...], tests: Iterable[Test]) -> list[Order]:
    """Return the orders that may make these tests hold."""
    wanted = frozenset(tests)
    return list(
        dict.fromkeys(
            order for test in sorted(wanted) for order in _for(model, players, test, wanted)
        )
    )


def paired(orders: Sequence[Order]) -> Iterator[tuple[Order, ...]]:
    """Yield pairs of the first orders, each in both sequences, because the order given last takes
    effect first.
    """
    for a, b in combinations(orders[:MOST_PAIRED], 2):
        yield from ((a, b), (b, a))


def _for(
    model: Model, players: tuple[str, ...], test: Test, wanted: frozenset[Test]
) -> Iterator[Order]:
    match opening_of(test):
        case Skip("turn"):
            yield from map(SkipTurn, players)
        case Skip(level, what):
            yield SKIPS[level](what)
        case OtherTurn():
            yield from map(AddTurn, players)
            yield from (ControlNextTurn(a, b) for a in players for b in players if a != b)
        case LoneStep(step):
            yield from (AddStep(other, "current_phase") for other in _near(model, step))
        case Extra() as extra if not extra.earlier:
            yield from _adding(model, players, extra, wanted)


def _adding(
    model: Model, players: tuple[str, ...], extra: Extra, wanted: frozenset[Test]
) -> Iterator[Order]:
    if extra.level == "turn":
        yield from map(AddTurn, players)
    elif extra.before:
        words = _named("step", wanted) or _some(_steps(model))
        yield from (
            AddStep(step, before=extra.before) for step in dict.fromkeys((*words, extra.before))
        )
    elif extra.what not in ("", HERE):
        yield from _added(extra.level, extra.what)
    else:
        for level in [extra.level] if extra.level else ["phase", "step"]:
            if not _named(level, wanted):
                for what in _some(_families(model) if level == "phase" else _steps(model)):
                    yield from _added(level, what)


def _added(level: str, what: str) -> Iterator[Order]:
    if level == "phase":
        yield AddPhase((what,))
    else:
        yield AddStep(what)
        yield AddStep(what, "current_phase")


def _named(level: str, tests: Iterable[Test]) -> list[str]:
    """Return the phases or steps that the tests name as extras."""
    extras = (opening for test in tests if isinstance(opening := opening_of(test), Extra))
    return sorted(
        extra.what
        for extra in extras
        if extra == Extra(level, extra.what) and extra.what not in ("", HERE)
    )


def _steps(model: Model) -> list[str]:
    return [step.name for step in model.of_kind("step")]


def _families(model: Model) -> list[str]:
    return list(dict.fromkeys(phase.family or phase.name for phase in model.of_kind("phase")))


def _near(model: Model, step: str) -> list[str]:
    """Return the other steps of the phase."""
    homes = {s.parent for s in model.of_kind("step") if s.name == step}
    return [s.name for s in model.of_kind("step") if s.parent in homes and s.name != step]


def _some(names: list[str]) -> list[str]:
    """Choose a few names, for a test that any of them fulfils."""
    return list(dict.fromkeys((*names[1:3], *names[-1:])))
