"""Computes the orders that may open a guard from the tests of the guard's facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from fsm.model import Model
from fsm.state.orders import SKIPS, AddPhase, AddStep, AddTurn, ControlNextTurn, Order, SkipTurn
from fsm.testing.generation.abstractgraph import Test

_ADDED = frozenset(("extra_due", "extra_before", "inside_extra", "inside_any_extra", "returns_to", "candidate_is"))
MOST_PAIRED = 8
"""At most this many orders are tried two at a time."""


def relevant(model: Model, players: tuple[str, ...], tests: Iterable[Test]) -> list[Order]:
    """Return the orders that may make these tests hold."""
    wanted = frozenset(tests)
    return list(dict.fromkeys(order for test in sorted(wanted) for order in _for(model, players, test, wanted)))


def paired(orders: Sequence[Order]) -> Iterator[tuple[Order, ...]]:
    """Yield pairs of the first orders, each in both sequences, because the order given last takes effect first."""
    for a, b in combinations(orders[:MOST_PAIRED], 2):
        yield from ((a, b), (b, a))


def _for(model: Model, players: tuple[str, ...], test: Test, wanted: frozenset[Test]) -> Iterator[Order]:
    name, *args = test
    if name == "skip_due":
        level, what = args
        yield from (map(SkipTurn, players) if level == "turn" else _skips(level, what))
    elif name == "extra_due" and args == ["turn"]:
        yield from map(AddTurn, players)
    elif name == "candidate_is":
        yield from _added(model, args[0], args[1])
    elif name == "extra_before":
        words = _named("step", wanted) or _some(_steps(model))
        yield from (AddStep(step, before=args[0]) for step in dict.fromkeys((*words, args[0])))
    elif name == "only_another":
        yield from (AddStep(step, "current_phase") for step in _near(model, args[0]))
    elif name in _ADDED:
        levels = args[:1] if args and args[0] in ("phase", "step") else ["phase", "step"]
        for level in levels:
            if not _named(level, wanted):
                for what in _some(_families(model) if level == "phase" else _steps(model)):
                    yield from _added(model, level, what)
    elif name == "own_turn_is":
        yield from map(AddTurn, players)
        yield from (ControlNextTurn(a, b) for a in players for b in players if a != b)


def _skips(level: str, what: str) -> Iterator[Order]:
    if level in ("phase", "step"):
        yield SKIPS[level](what)


def _added(model: Model, level: str, what: str) -> Iterator[Order]:
    if level == "phase":
        yield AddPhase((what,))
    elif level == "step":
        yield AddStep(what)
        yield AddStep(what, "current_phase")


def _named(level: str, tests: Iterable[Test]) -> list[str]:
    """Return the phases or steps that the tests name as extras."""
    return sorted(test[2] for test in tests if test[:2] == ("candidate_is", level))


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
