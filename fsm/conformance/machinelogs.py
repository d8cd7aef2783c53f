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
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from fsm.adapters import is_machine
from fsm.adapters.building import TOGETHER
from fsm.adapters.reading import arrows, places
from fsm.conformance.observations import Mismatch
from fsm.coverage.data import Entry, OpenWalk, Passage, Subject, subject_of
from fsm.coverage.instrumentation.buffer import Buffer
from fsm.coverage.instrumentation.contexts import context
from fsm.coverage.instrumentation.identifying import ReadMachine
from fsm.coverage.instrumentation.models import remember
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
    """One way to explain a row. `taken` fired, and the guards of `passed` failed before it."""

    before: str
    after: str
    taken: Transition | None = None
    passed: tuple[Transition, ...] = ()


def read_rows(path: str | Path, key: str = "machine") -> Iterator[Row]:
    """Yield the rows of a log, which may be compressed with gzip. A torn last line is left out.

    Raises LogError if the file cannot be read, or if a line is no JSON object or has wrong values.
    """
    for number, line in enumerate(file_lines(Path(path)), 1):
        if line is not None and not line.strip():
            continue
        try:
            data = json.loads(line or b"")
        except (ValueError, RecursionError):
            if line is not None and not line.endswith(b"\n"):
                return
            raise LogError(f"{path}: line {number}: this is not JSON") from None
        if not isinstance(data, dict):
            raise LogError(f"{path}: line {number}: this is not a JSON object")
        if data.get("event") is not None or data.get("state") is not None:
            yield _row(f"{path}: line {number}", number, data, key)


def _row(place: str, number: int, data: dict[str, Any], key: str) -> Row:
    given = {name: value for name, value in data.items() if value is not None}
    event, state = given.get("event", ""), given.get("state", "")
    row = Row(number, given.get(key, ""), event, state, given.get("conditions", {}))
    for name, value in (("event", event), ("state", state)):
        if not isinstance(value, str):
            raise LogError(f"{place}: {name} must be a word, not {shown(value)}")
    if not isinstance(row.machine, str | int):
        raise LogError(f"{place}: {key} must be a word or a number, not {shown(row.machine)}")
    values = row.conditions.values() if isinstance(row.conditions, dict) else [None]
    if not all(isinstance(value, bool) for value in values):
        raise LogError(
            f"{place}: conditions must be names with true or false, not {shown(row.conditions)}"
        )
    return row


class FollowedMachine:
    """A machine, or its Model, whose logs are followed.

    Raises LogError if it has parallel states.
    """

    def __init__(self, machine: Any) -> None:
        self.read = ReadMachine(machine) if is_machine(machine) else None
        self.model: Model = self.read.model if self.read is not None else machine
        if any(event.name == TOGETHER for event in self.model.events):
            raise LogError(f"{self.model.name}: logs of parallel states cannot be followed")
        self.leaves = tuple(state.id for state in self.model.leaves)
        self.ignoring: frozenset[str] = frozenset()
        self.jumps: dict[str, str] = {}
        self.starts: tuple[str, ...] = (self.model.initial,)
        if self.read is not None:
            self._read_settings(machine)

    def _read_settings(self, machine: Any) -> None:
        """Read what a Model does not say."""
        default = machine.ignore_invalid_triggers
        own = {p.id: getattr(p.state, "ignore_invalid_triggers", None) for p in places(machine)}
        self.ignoring = frozenset(
            id for id, ignores in own.items() if (default if ignores is None else ignores)
        )
        events = {arrow.event for arrow in arrows(machine)}
        for name in machine.events.keys() - events:  # the triggers to_STATE
            rows = chain.from_iterable(machine.events[name].transitions.values())
            self.jumps[name] = next((row.dest for row in rows if row.dest is not None), "")
        if machine.initial is None:
            self.starts = self.leaves

    @cached_property
    def subject(self) -> Subject:
        """The subject of the coverage data."""
        subject = self.read.subject if self.read is not None else subject_of(self.model)
        remember(subject, self.model)
        return subject

    def inside(self, name: str) -> tuple[str, ...]:
        """Return the innermost states that a name means: the state itself, or those inside it."""
        if name in self.leaves:
            return (name,)
        return tuple(id for id in self.leaves if name in (s.id for s in self.model.path(id)))

    def ways(self, state: str, event: str, known: Mapping[str, bool]) -> Iterator[Way]:
        """Yield each way to process an event in a state, if these conditions were recorded."""
        rows = self.model.rows(state, event)
        for number, row in enumerate(rows):
            values, passed = dict(known), rows[:number]
            if all(assign(values, term) for term in row.guard) and _all_fail(values, passed):
                yield Way(state, row.target or state, row, passed)
        if rows and _all_fail(dict(known), rows):
            yield Way(state, state, None, rows)
        elif not rows and event in self.jumps:
            yield from (Way(state, to) for to in self.inside(self.jumps[event]))
        elif not rows and state in self.ignoring:
            yield Way(state, state)

    def refusal(self, row: Row, before: tuple[str, ...]) -> Mismatch:
        """Return why a row does not fit a machine in one of these states."""
        model = self.model
        names = list(dict.fromkeys(event.name for event in model.events))
        hint = ""
        if row.event and row.event not in (*names, *self.jumps):
            hint = f"{row.event!r} is no event of {model.name}{suggest(row.event, names)}"
        elif row.state and not self.inside(row.state):
            hint = f"{row.state!r} is no state of {model.name}{suggest(row.state, self.leaves)}"
        possible: dict[str, dict[str, None]] = {}
        for state in before:
            for event in names:
                for taken in model.rows(state, event):
                    possible.setdefault(event, {})[taken.target or state] = None
        expected = [f"{event} (to {' or '.join(to)})" for event, to in possible.items()]
        if len(expected) > MOST_EXPECTED:
            expected[MOST_EXPECTED:] = [f"{len(expected) - MOST_EXPECTED} events more"]
        to = f" to {row.state}" if row.state else ""
        of = f" of machine {row.machine!r}" if row.machine != "" else ""
        seen = (
            f"{row.event!r}{to} in {' or '.join(before)}{of}" if row.event else f"{row.state}{of}"
        )
        return Mismatch(row.line, seen, expected or ["nothing: no event is possible there"], hint)


def _all_fail(values: dict[str, bool], rows: tuple[Transition, ...]) -> bool:
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
            wanted = followed.inside(row.state)
            ways = [
                way
                for state in before
                for way in followed.ways(state, row.event, row.conditions)
                if not row.state or way.after in wanted
            ]
            after = tuple(dict.fromkeys(way.after for way in ways)) if row.event else wanted
            result.rows += 1
            if not after:
                result.refusal = followed.refusal(row, before)
                break
            at[row.machine] = after
            if recording is not None:
                recording.took(row, ways, after)
        if recording is not None:
            recording.end()
    result.machines = len(at)
    if not result.rows:
        example = '{"event": "push", "state": "open"}'
        raise LogError(f"{path}: shows no event; write lines such as {example}")
    return result


class _Recording:
    """Records what rows with one explanation took. Another row ends the walk of its machine."""

    def __init__(self, followed: FollowedMachine, write: Callable[[list[Entry]], None]) -> None:
        self.followed, self.buffer = followed, Buffer(write, RECORDS)
        self.name = graphs_of(followed.model)[0].name
        self._walks: dict[str | int, OpenWalk] = {}

    def took(self, row: Row, ways: list[Way], after: tuple[str, ...]) -> None:
        """Record a row that can be explained in these ways."""
        way = ways[0] if len(ways) == 1 else None
        if way is None or (way.taken is None and way.before != way.after):
            self._end(row.machine)
            if len(after) == 1:
                self._begin(row.machine, after[0])
            return
        walk = self._walks.get(row.machine) or self._begin(row.machine, way.before)
        known = dict(row.conditions)
        if way.taken is not None:
            known |= {term.fact: term.value for term in way.taken.guard}
            held = ((way.taken.id, str(term), True) for term in way.taken.guard)
            self.buffer.took(walk, (Passage([(way.taken.id, way.before)], held),))
        elif not way.passed:
            self.buffer.refused(walk, (way.before, row.event))
        self.buffer.decided(walk, [found for one in way.passed for found in _failed(one, known)])

    def _begin(self, machine: str | int, state: str) -> OpenWalk:
        walk = OpenWalk(self.followed.subject, self.name, (), state)
        self._walks[machine] = walk
        return walk

    def _end(self, machine: str | int) -> None:
        walk = self._walks.pop(machine, None)
        if walk is not None:
            self.buffer.ended(walk)

    def end(self) -> None:
        """End all walks and write them."""
        for machine in list(self._walks):
            self._end(machine)
        self.buffer.flush()


def _failed(row: Transition, known: Mapping[str, bool]) -> Iterator[tuple[str, str, bool]]:
    """Yield the term that certainly made a guard fail."""
    unsure = [term for term in row.guard if known.get(term.fact) is not term.value]
    if len(unsure) == 1 or unsure[0].fact in known:
        yield row.id, str(unsure[0]), False
