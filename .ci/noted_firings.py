"""A pytest plugin that notes outcomes, and the transitions that the `transitions` library takes.

`.ci/real_projects.py` compares what it notes with the coverage report, so it shares no code with
the package.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Awaitable, Callable
from inspect import currentframe, isawaitable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from transitions import core
from transitions.extensions import asyncio, nesting

if TYPE_CHECKING:
    from pytest import TestReport

FOLDER = "FSM_NOTED_FIRINGS"
"""The environment variable with the folder in which each process leaves what it noted."""

_outcomes: dict[str, str] = {}
_fired: Counter[str] = Counter()
_definitions: set[str] = set()


def _wrap(kind: type, name: str, note: Callable[[Any, Any, object], None]) -> None:
    """Call `note(transition, event_data, result)` after a method of a class of transitions."""
    original = vars(kind)[name]

    async def later(changing: Awaitable[object], transition: Any, event_data: Any) -> object:
        result = await changing
        note(transition, event_data, result)
        return result

    def noting(transition: Any, event_data: Any) -> Any:
        result = original(transition, event_data)  # the plugin under test may have wrapped it
        if isawaitable(result):
            return later(result, transition, event_data)
        note(transition, event_data, result)
        return result

    setattr(kind, name, noting)


def _state_changed(transition: Any, event_data: Any, result: object) -> None:
    """Note a firing once, though a method of a subclass calls that of its base."""
    machine, event = event_data.machine, event_data.event.name
    if getattr(event_data, "noted_for", None) is transition or event.startswith("to_"):
        return
    event_data.noted_for = transition
    scope = getattr(machine, "prefix_path", None) or []
    source = getattr(machine.state_cls, "separator", "_").join([*scope, transition.source])
    target = (
        "(stays)" if transition.dest is None else getattr(event_data.model, machine.model_attribute)
    )
    _fired[f"{source} -> {target} on {event}"] += 1
    if not hasattr(machine, "noted_definition"):
        machine.noted_definition = True
        _definitions.add(f"{machine.noted_place} {_definition(machine)}")


def _executed(transition: Any, event_data: Any, result: object) -> None:
    """Note an internal transition, which changes no state."""
    if result and transition.dest is None:
        _state_changed(transition, event_data, result)


def _wrap_making(kind: type) -> None:
    """Note the line that makes a machine, when it gets its first states.

    `__init__` stays as it is: a frame around it would be the line that the plugin under test finds.
    """
    original: Any = vars(kind)["add_states"]

    def add_states(machine: Any, *arguments: Any, **options: Any) -> None:
        if not hasattr(machine, "noted_place"):
            machine.noted_place = _place()
        original(machine, *arguments, **options)

    setattr(kind, "add_states", add_states)  # noqa: B010


def _place() -> str:
    """Return the first line outside the library, this file and the plugin under test."""
    frame = currentframe()
    while frame is not None and frame.f_globals["__name__"].partition(".")[0] in (
        "transitions",
        "fsm",
        __name__,
    ):
        frame = frame.f_back
    return "" if frame is None else f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno}"


def _definition(machine: Any) -> tuple[Any, ...]:
    """Return the states and transitions of a machine without its callbacks."""
    if not hasattr(machine, "prefix_path"):
        return _parts(machine.states, machine.events)
    with machine():  # while a transition is executed, these are of the state that it belongs to
        return _parts(machine.states, machine.events)


def _parts(states: Any, events: Any) -> tuple[Any, ...]:
    inner = (
        (str(name), _parts(getattr(s, "states", {}), getattr(s, "events", {})))
        for name, s in states.items()
    )
    rows = (
        (str(t.source), str(t.dest), name)
        for name, event in events.items()
        if not name.startswith("to_")
        for found in event.transitions.values()
        for t in found
    )
    return tuple(sorted(inner)), tuple(sorted(rows))


for machines in (core.Machine, nesting.HierarchicalMachine):
    _wrap_making(machines)
for each in (
    core.Transition,
    nesting.NestedTransition,
    asyncio.AsyncTransition,
    asyncio.NestedAsyncTransition,
):
    if "_change_state" in vars(each):
        _wrap(each, "_change_state", _state_changed)
for each in (core.Transition, asyncio.AsyncTransition):
    _wrap(each, "execute", _executed)


def pytest_runtest_logreport(report: TestReport) -> None:
    """Note what became of each test; a failed set-up or tear-down counts as its failure."""
    if report.when == "call" or report.outcome != "passed":
        _outcomes[report.nodeid] = report.outcome


def pytest_unconfigure() -> None:
    """Leave what was noted where the other process reads it."""
    noted = {"outcomes": _outcomes, "fired": _fired, "definitions": sorted(_definitions)}
    Path(os.environ[FOLDER], f"{os.getpid()}.json").write_text(json.dumps(noted), encoding="utf-8")
