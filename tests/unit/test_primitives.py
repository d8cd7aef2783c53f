"""What the registration of a primitive says that it touches is what its function reads or changes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from typing import Any

import pytest

import fsm
from fsm import TurnController
from fsm.model import Model
from fsm.state.primitives import ACTIONS, TESTS, Primitive
from fsm.state.run import Candidate, Entry, Progress, Run
from support.amounts import amount
from support.wanderer import Wanderer

ANSWERS = amount(300, 4_000)
ANNOUNCED = {"turns_begun", "moments", "results", "parts"}
"""What no test reads: it is for the host and the calendar."""
LEVELS = ("turn", "phase", "step")
Touched = dict[tuple[str, tuple[str, ...]], set[str]]


def changes(before: Run, after: Run) -> set[str]:
    """The fields in which two runs differ. Those of a level are fields of a field."""
    found = set[str]()
    for name in set(Run.__struct_fields__) - ANNOUNCED:
        one, other = getattr(before, name), getattr(after, name)
        if name in LEVELS:
            found |= {
                f"{name}.{part}"
                for part in Progress.__struct_fields__
                if getattr(one, part) != getattr(other, part)
            }
        elif one != other:
            found.add(name)
    return found


class _Read:
    """A value whose fields are noted as they are read."""

    def __init__(self, value: Any, read: set[str], prefix: str = "") -> None:
        self._value, self._read, self._prefix = value, read, prefix

    def __getattr__(self, name: str) -> Any:
        kind = type(self._value)
        held: Any = getattr(kind, name, None)
        if isinstance(held, property):
            assert held.fget is not None
            return held.fget(self)
        if callable(held):
            return lambda *args: held(self, *args)
        value = getattr(self._value, name)
        if name in LEVELS and isinstance(value, Progress):
            return _Read(value, self._read, f"{name}.")
        self._read.add(self._prefix + name)
        return value


def noting_changes(primitive: Primitive, touched: Touched) -> Callable[..., Any]:
    def run(run: Run, *args: Any) -> Any:
        before = copy(run)
        primitive.run(run, *args)
        key = primitive.name, args[: len(primitive.wanted)]
        touched[key] |= changes(before, run)

    return run


def noting_reads(primitive: Primitive, touched: Touched) -> Callable[..., Any]:
    def run(run: Run, *args: Any) -> Any:
        read = set[str]()
        said = primitive.run(_Read(run, read), *args)
        assert said == primitive.run(run, *args)
        touched[primitive.name, args[: len(primitive.wanted)]] |= read
        return said

    return run


@pytest.fixture(params=["magic", "magic-classic", "grand-archive"])
def model(request: pytest.FixtureRequest) -> Model:
    """A model that no other test has used, so that its functions are bound anew."""
    return fsm.load(request.param).without()


@pytest.mark.parametrize(("registry", "noting"), [(ACTIONS, noting_changes), (TESTS, noting_reads)])
def test_primitives_touch_what_they_say(
    model: Model,
    registry: dict[str, Primitive],
    noting: Callable[[Primitive, Touched], Callable[..., Any]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Actions change no field that is not said, and tests read none, in random games."""
    touched: Touched = defaultdict(set)
    for name, primitive in list(registry.items()):
        monkeypatch.setitem(registry, name, replace(primitive, run=noting(primitive, touched)))
    for _ in Wanderer(model, 1).games(ANSWERS):
        pass
    assert touched
    wrong = {
        f"{name}({', '.join(args)})": sorted(fields - registry[name].touches(args))
        for (name, args), fields in touched.items()
        if not fields <= registry[name].touches(args)
    }
    assert wrong == {}


def waiting_for(run: Run) -> Counter[object]:
    """How many things each order still has to come, or to be lost."""
    levels = [run.turn, run.phase, run.step]
    for pair in run.suspended:
        levels += pair
    candidates = [level.candidate for level in levels]
    for level in levels:
        candidates += [there.candidate for there in level.returns]
    skips = [skip for skip in run.skips if skip.waits]
    entries: list[Entry | Candidate] = [*run.turns, *run.controls, *skips, *run.extras, *candidates]
    return Counter(entry.order for entry in entries if entry.order is not None)


@pytest.mark.parametrize("name", ["magic", "magic-2010", "grand-archive"])
def test_what_is_said_of_an_order_of_several_things_is_never_lost(name: str) -> None:
    """As long as its result is not told, something of it waits."""

    def check(game: TurnController) -> None:
        left = Counter[object]()
        for parts in game.run.parts:
            left[parts.order] += parts.count - parts.came - len(parts.lost)
        assert left <= waiting_for(game.run)

    for _ in Wanderer(fsm.load(name), 3, check).games(ANSWERS):
        pass
