"""Follow the log of a machine of the `transitions` library: is each event possible, and what does
it take?

A log is JSON Lines. Each event of the machine has a row: an object with the key `event`. A row may
also have the `state` after the event, the values of `conditions` by name, and a key that tells one
machine from another. A row with a `state` and no event says that the machine was put into that
state: it was made there, or restored. Other objects are skipped.

Nothing of the user's is called. A condition that is not recorded may hold or fail, and both are
followed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from fsm.adapters import is_machine
from fsm.adapters.building import TOGETHER
from fsm.adapters.reading import arrows, places
from fsm.conformance.observations import Mismatch
from fsm.coverage.data import Entry, Literal, subject_of
from fsm.coverage.instrumentation.buffer import Buffer
from fsm.coverage.instrumentation.contexts import context
from fsm.coverage.instrumentation.identifying import ReadMachine
from fsm.coverage.instrumentation.passages import Firing, Places, Walk
from fsm.coverage.recorded import remember
from fsm.errors import LogError, shown, suggest
from fsm.files import file_lines
from fsm.model import Model, Transition
from fsm.model.graph import graphs_of
from fsm.model.solving import assign, ways_to_fail

MOST_EXPECTED = 8
"""A refusal names at most this many events."""
RECORDS = 4096
"""After so many records, it is looked whether coverage should be written."""


@dataclass(slots=True)
class LogConformance:
    """The result of following the log of a machine.

    Attributes
    ----------
    rows, machines
        How many rows were followed, and of how many machines.
    refusal
        The first row that does not fit, or None.
    """

    rows: int = 0
    machines: int = 0
    refusal: Mismatch | None = None

    @property
    def ok(self) -> bool:
        """Whether every row fits."""
        return self.refusal is None


class Row(NamedTuple):
    """A row of a log. `event` is "" if the machine was put into `state`."""

    line: int
    machine: str | int
    event: str
    state: str
    conditions: Mapping[str, bool]


class Way(NamedTuple):
    """One explanation of a row. `taken` fired, and the guards of `passed` failed before it.

    `before` is "" if the machine was put into a state.
    """

    before: str
    after: str
    taken: Transition | None = None
    passed: tuple[Transition, ...] = ()

    def failed(self, conditions: Mapping[str, bool]) -> Iterator[Literal]:
        """Yield the terms that certainly made guards fail, if these conditions were recorded."""
        known = dict(conditions)
        if self.taken is not None:
            known |= {term.fact: term.value for term in self.taken.guard}
        for row in self.passed:
            unsure = [term for term in row.guard if known.get(term.fact) is not term.value]
            if len(unsure) == 1 or unsure[0].fact in known:
                yield row.id, str(unsure[0]), False


# reading ------------------------------------------------------------------------------------------


def read_rows(path: str | Path, key: str = "machine") -> Iterator[Row]:
    """Yield the rows of a log, which may be compressed with gzip. A torn last line is left out.

    Raises LogError if the file cannot be read, or if a line is no JSON object or has wrong values.
    """
    for number, line in enumerate(file_lines(Path(path)), 1):
        place = f"{path}: line {number}"
        if line is None:
            raise LogError(f"{place}: this is too long")
        if line.isspace():
            continue
        try:
            data = json.loads(line)
        except (ValueError, RecursionError):
            if not line.endswith(b"\n"):
                return
            raise LogError(f"{place}: this is not JSON") from None
        row = _row(place, number, data, key)
        if row.event or row.state:
            yield row


def _row(place: str, number: int, data: Any, key: str) -> Row:
    if not isinstance(data, dict):
        raise LogError(f"{place}: this is not a JSON object")

    def value(name: str, kind: Any, what: str, usual: Any) -> Any:
        found = data.get(name)
        if found is not None and not isinstance(found, kind):
            raise LogError(f"{place}: {name} must be {what}, not {shown(found)}")
        return usual if found is None else found

    event, state = value("event", str, "a word", ""), value("state", str, "a word", "")
    conditions = value("conditions", dict, "names with true or false", {})
    if not all(isinstance(said, bool) for said in conditions.values()):
        told = shown(conditions)
        raise LogError(f"{place}: conditions must be names with true or false, not {told}")
    return Row(number, value(key, str | int, "a word or a number", ""), event, state, conditions)


# following ----------------------------------------------------------------------------------------


class FollowedMachine:
    """A machine, or its Model, whose logs are followed.

    Raises LogError if it has parallel states.

    Attributes
    ----------
    model, subject
        Its Model, and what identifies it in coverage data.
    starts
        The states in which it may start.
    """

    def __init__(self, machine: Any) -> None:
        if is_machine(machine):
            read = ReadMachine(machine)
            self.model, self.subject = read.model, read.subject
        else:
            self.model, self.subject = machine, subject_of(machine)
        model: Model = self.model
        if any(event.name == TOGETHER for event in model.events):
            raise LogError(f"{model.name}: logs of parallel states cannot be followed")
        self.events = tuple(dict.fromkeys(event.name for event in model.events))
        self.leaves = tuple(state.id for state in model.leaves)
        self.starts: tuple[str, ...] = (model.initial,)
        self._ignoring: set[str] = set()
        self._jumps: dict[str, str] = {}
        if is_machine(machine):
            self._read_settings(machine)

    def _read_settings(self, machine: Any) -> None:
        """Read what a Model does not say: triggers `to_STATE`, ignored events, no initial state."""
        if machine.initial is None:
            self.starts = self.leaves
        for place in places(machine):
            own = getattr(place.state, "ignore_invalid_triggers", None)
            if own or (own is None and machine.ignore_invalid_triggers):
                self._ignoring.add(place.id)
        known = {arrow.event for arrow in arrows(machine)}
        for name in machine.events.keys() - known:
            rows = chain.from_iterable(machine.events[name].transitions.values())
            self._jumps[name] = next((row.dest for row in rows if row.dest is not None), "")

    def explained(self, row: Row, before: tuple[str, ...]) -> list[Way]:
        """Return the explanations of a row of a machine in one of these states."""
        named = self.inside(row.state)
        if not row.event:
            return [Way("", state) for state in named]
        ways: list[Way] = []
        for state in before:
            ways += self._ways(state, row.event, row.conditions)
        return [way for way in ways if way.after in named] if row.state else ways

    def inside(self, name: str) -> tuple[str, ...]:
        """Return the innermost states that a name means: the state itself, or those inside it."""
        if name in self.leaves:
            return (name,)
        found = []
        for leaf in self.leaves:
            if any(state.id == name for state in self.model.path(leaf)):
                found.append(leaf)
        return tuple(found)

    def _ways(self, state: str, event: str, known: Mapping[str, bool]) -> Iterator[Way]:
        """Yield each way to process an event in a state, if these conditions were recorded."""
        rows = self.model.rows(state, event)
        for number, row in enumerate(rows):
            values, passed = dict(known), rows[:number]
            if all(assign(values, term) for term in row.guard) and _can_fail(values, passed):
                yield Way(state, row.target or state, row, passed)
        if rows and _can_fail(dict(known), rows):
            yield Way(state, state, None, rows)
        if not rows:
            yield from self._ways_without_rows(state, event)

    def _ways_without_rows(self, state: str, event: str) -> Iterator[Way]:
        if event in self._jumps:
            for target in self.inside(self._jumps[event]):
                yield Way(state, target)
        elif state in self._ignoring:
            yield Way(state, state)

    def refusal(self, row: Row, before: tuple[str, ...]) -> Mismatch:
        """Return why a row does not fit a machine in one of these states."""
        seen = f"{row.event!r} to {row.state}" if row.state else repr(row.event)
        seen = f"{seen} in {' or '.join(before)}" if row.event else repr(row.state)
        of = f" of machine {row.machine!r}" if row.machine != "" else ""
        return Mismatch(row.line, seen + of, self._possible(before), self._hint(row))

    def _possible(self, states: tuple[str, ...]) -> list[str]:
        """Return what could have come in these states, in words."""
        targets: dict[str, dict[str, None]] = {}
        for state in states:
            for event in self.events:
                for row in self.model.rows(state, event):
                    targets.setdefault(event, {})[row.target or state] = None
        found = [f"{event} (to {' or '.join(to)})" for event, to in targets.items()]
        if len(found) > MOST_EXPECTED:
            found[MOST_EXPECTED:] = [f"{len(found) - MOST_EXPECTED} events more"]
        return found or ["nothing: no event is possible there"]

    def _hint(self, row: Row) -> str:
        name = self.model.name
        if row.event and row.event not in (*self.events, *self._jumps):
            return f"{row.event!r} is no event of {name}{suggest(row.event, self.events)}"
        if row.state and not self.inside(row.state):
            return f"{row.state!r} is no state of {name}{suggest(row.state, self.leaves)}"
        return ""


def _can_fail(values: dict[str, bool], rows: tuple[Transition, ...]) -> bool:
    """Say whether all these guards can fail."""
    return next(ways_to_fail(values, [row.guard for row in rows], assign), None) is not None


def conform_log(
    machine: Any,
    path: str | Path,
    *,
    key: str = "machine",
    write: Callable[[list[Entry]], None] | None = None,
) -> LogConformance:
    """Follow the log of a machine, up to the first row that does not fit.

    Memory use grows with the number of machines in the log, not with its length.

    Parameters
    ----------
    machine
        A machine of the `transitions` library, or a Model.
    path
        The log.
    key
        The key of a row that tells one machine from another.
    write
        Takes coverage of what the log certainly took, as entries of a data file
        (`fsm.coverage.files.DataWriter`).

    Returns
    -------
    LogConformance
        The result.

    Raises
    ------
    LogError
        If the log cannot be read or has no row, or if the machine has parallel states.
    """
    followed, result = FollowedMachine(machine), LogConformance()
    recording = _Recording(followed, write) if write is not None else None
    at: dict[str | int, tuple[str, ...]] = {}
    with context(Path(path).name):
        for row in read_rows(path, key):
            before = at.get(row.machine, followed.starts)
            ways = followed.explained(row, before)
            result.rows += 1
            if not ways:
                result.refusal = followed.refusal(row, before)
                break
            at[row.machine] = tuple(dict.fromkeys(way.after for way in ways))
            if recording is not None:
                recording.took(row, ways)
        if recording is not None:
            recording.end()
    result.machines = len(at)
    if not result.rows:
        example = '{"event": "push", "state": "open"}'
        raise LogError(f"{path}: shows no event; write lines such as {example}")
    return result


# coverage -----------------------------------------------------------------------------------------


class _Recording:
    """Records what rows with one explanation took. Another row ends the walk of its machine."""

    def __init__(self, followed: FollowedMachine, write: Callable[[list[Entry]], None]) -> None:
        self._subject, self._name = followed.subject, graphs_of(followed.model)[0].name
        self._buffer = Buffer(write, RECORDS)
        self._places, self._walks = Places(), dict[str | int, Walk]()
        remember(followed.subject, followed.model)

    def took(self, row: Row, ways: list[Way]) -> None:
        """Record a row that can be explained in these ways."""
        way, buffer = ways[0], self._buffer
        jumped = way.taken is None and way.before != way.after
        if jumped or len(ways) > 1:
            self._walks.pop(row.machine, None)
            return
        walk = self._walks.get(row.machine)
        if walk is None:
            walk = Walk(self._places.of(self._subject, way.before))
            self._walks[row.machine] = walk
        if way.taken is not None:
            held = tuple((way.taken.id, str(term), True) for term in way.taken.guard)
            firing = Firing(self._name, (way.taken.id, way.before), held)
            passage = self._places.passage(walk.place, firing, (firing,))
            walk.place = passage.after
            buffer.took(walk, passage)
        elif not way.passed:
            buffer.refused(walk, self._name, (way.before, row.event))
        buffer.decided(walk, self._name, way.failed(row.conditions))

    def end(self) -> None:
        """Write everything."""
        self._buffer.flush()
