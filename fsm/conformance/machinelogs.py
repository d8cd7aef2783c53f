"""Follow the log of a machine of the `transitions` library: is each event possible, and does it
lead to the state that was recorded?

A log is JSON Lines. Each event of the machine has a row: an object with the `event` and the `state`
after it. A row may also have the values of `conditions` by name, and a key that tells one machine
from another. A row with a `state` and no event says that the machine was put into that state: it
was made there, or restored. Other objects are skipped.

Nothing of the user's is called. A condition that is not recorded may hold or fail.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msgspec import Struct

from fsm.adapters import is_machine
from fsm.adapters.building import TOGETHER
from fsm.adapters.reading import arrows, places
from fsm.conformance.rows import Mismatch
from fsm.coverage.data import Data, Seen, Step
from fsm.coverage.machines import ReadMachine
from fsm.coverage.subjects import subject_of
from fsm.errors import LogError, suggest
from fsm.files import file_lines, parse_json
from fsm.model import Transition
from fsm.model.solving import assign, ways_to_fail
from fsm.shapes import Shapes

MOST_EXPECTED = 8
"""A refusal names at most this many events."""


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


class MachineRow(Struct):
    """A row of a log. Without `event`, the machine was put into `state`."""

    event: str = ""
    state: str = ""
    conditions: dict[str, bool] = {}
    machine: str | int = ""
    line: int = 0


def read_rows(path: str | Path, key: str = "machine") -> Iterator[MachineRow]:
    """Yield the rows of a log, which may be compressed with gzip. A torn last line is left out.

    Raises LogError if the file cannot be read, or if a line is no JSON object, has wrong values, or
    has an event without a state.
    """
    for number, line in enumerate(file_lines(Path(path)), 1):
        place = f"{path}: line {number}"
        if line is None:
            raise LogError(f"{place}: this is too long")
        if line.isspace():
            continue
        try:
            data = parse_json(line.decode())
        except ValueError:
            if not line.endswith(b"\n"):
                return
            raise LogError(f"{place}: this is not JSON") from None
        row = _row(place, data, key)
        row.line = number
        if row.state:
            yield row


def _row(place: str, data: Any, key: str) -> MachineRow:
    if not isinstance(data, dict):
        raise LogError(f"{place}: this is not a JSON object")
    told = {name: data.get(name) for name in ("event", "state", "conditions")}
    told["machine"] = data.get(key)
    told = {name: value for name, value in told.items() if value is not None}
    shapes = Shapes(place, LogError)
    row: MachineRow = shapes.value(told, MachineRow, "")
    if shapes.problems:
        raise shapes.problems[0]
    if row.event and not row.state:
        example = f'{{"event": "{row.event}", "state": "..."}}'
        raise LogError(f"{place}: write the state after the event too, such as {example}")
    return row


class FollowedMachine:
    """A machine, or its Model, whose logs are followed. Raises LogError if it has parallel states.

    Attributes
    ----------
    model, subject
        Its Model, and what identifies it in coverage data.
    start
        The state in which it starts, or "" if a row has to say so.
    leaf
        Returns the Model's state for a recorded one.
    """

    def __init__(self, machine: Any) -> None:
        self._ignoring, self._jumps = set[str](), dict[str, str]()
        self.leaf: Callable[[str], str] = str
        if is_machine(machine):
            read = ReadMachine(machine)
            self.model, self.subject, self.leaf = read.model, read.subject, read.leaf
            self._read_settings(machine)
        else:
            self.model, self.subject = machine, subject_of(machine)
        if any(event.name == TOGETHER for event in self.model.events):
            raise LogError(f"{self.model.name}: logs of parallel states cannot be followed")
        no_initial = is_machine(machine) and machine.initial is None
        self.start = "" if no_initial else self.model.initial
        self._events = tuple(dict.fromkeys(event.name for event in self.model.events))
        self._states = tuple(state.id for state in self.model.leaves)

    def _read_settings(self, machine: Any) -> None:
        """Read what a Model does not say: triggers `to_STATE`, and where events are ignored."""
        for place in places(machine):
            own = getattr(place.state, "ignore_invalid_triggers", None)
            if own or (own is None and machine.ignore_invalid_triggers):
                self._ignoring.add(place.id)
        for name in machine.events.keys() - {arrow.event for arrow in arrows(machine)}:
            for rows in machine.events[name].transitions.values():
                self._jumps.update((name, row.dest) for row in rows if row.dest is not None)

    def explained(self, row: MachineRow, before: str) -> list[Transition | None]:
        """Return what can have happened to a machine in this state: the transition that fired, or
        None if none did.

        None fired if no guard held, the event was ignored, or the library itself moved the machine.
        """
        if row.state not in self._states:
            return []
        if not (row.event and before):
            return [None]
        choices = self.model.rows(before, row.event)
        if not choices:
            return [None] if self._without_rows(row, before) else []
        found = list[Transition | None]()
        for number, choice in enumerate(choices):
            values, leads = dict(row.conditions), row.state == (choice.target or before)
            holds = leads and all(assign(values, term) for term in choice.guard)
            if holds and _can_fail(values, choices[:number]):
                found.append(choice)
        if row.state == before and _can_fail(row.conditions, choices):
            found.append(None)
        return found

    def _without_rows(self, row: MachineRow, before: str) -> bool:
        """Say whether an event that no transition takes can lead to the state of the row."""
        if row.event in self._jumps:
            inside = [state.id for state in self.model.path(row.state)]
            return self._jumps[row.event] in inside
        return row.state == before and before in self._ignoring

    def refusal(self, row: MachineRow, before: str) -> Mismatch:
        """Return why a row does not fit a machine in this state."""
        seen = f"{row.event!r} to {row.state} in {before}" if row.event else repr(row.state)
        of = f" of machine {row.machine!r}" if row.machine != "" else ""
        return Mismatch(row.line, seen + of, self._possible(before), self._hint(row))

    def _possible(self, before: str) -> list[str]:
        """Return what could have come in this state, in words."""
        found = list[str]()
        for event in self._events:
            to = dict.fromkeys(row.target or before for row in self.model.rows(before, event))
            if to:
                found.append(f"{event} (to {' or '.join(to)})")
        if len(found) > MOST_EXPECTED:
            found[MOST_EXPECTED:] = [f"{len(found) - MOST_EXPECTED} events more"]
        return found or ["nothing: no event is possible there"]

    def _hint(self, row: MachineRow) -> str:
        name = self.model.name
        if row.event and row.event not in (*self._events, *self._jumps):
            return f"{row.event!r} is no event of {name}{suggest(row.event, self._events)}"
        if row.state not in self._states:
            return f"{row.state!r} is no state of {name}{suggest(row.state, self._states)}"
        return ""


def _can_fail(values: Mapping[str, bool], rows: tuple[Transition, ...]) -> bool:
    """Say whether all these guards can fail."""
    guards = [row.guard for row in rows]
    return next(ways_to_fail(dict(values), guards, assign), None) is not None


def conform_log(
    machine: Any,
    path: str | Path,
    *,
    key: str = "machine",
    write: Callable[[Data], None] | None = None,
) -> LogConformance:
    """Follow the log of a machine, up to the first row that does not fit.

    Memory use grows with the number of machines in the log, not with its length. `write` takes
    coverage of what the log certainly took, such as a
    `fsm.coverage.files.DataWriter`. `fsm.conform` says what the others are, and what is raised.
    """
    followed, result, log = FollowedMachine(machine), LogConformance(), Path(path)
    states, last, data = dict[str | int, str](), dict[str | int, Step](), Data()
    data.models[followed.subject] = followed.model
    seen, of = data.of(followed.subject), (followed.model.name, log.name)
    for row in read_rows(log, key):
        row.state = followed.leaf(row.state)
        before = states.get(row.machine, followed.start)
        ways = followed.explained(row, before)
        result.rows += 1
        if not ways:
            result.refusal = followed.refusal(row, before)
            break
        states[row.machine] = row.state
        [*uncertain, taken] = ways
        if taken is not None and not uncertain:
            known = last.get(row.machine)
            last[row.machine] = _count(seen, of, taken, before, known)
        else:
            last.pop(row.machine, None)
    if write is not None and data.firings:
        write(data)
    result.machines = len(states)
    if not result.rows:
        example = '{"event": "push", "state": "open"}'
        raise LogError(f"{path}: shows no event; write lines such as {example}")
    return result


def _count(seen: Seen, of: tuple[str, str], row: Transition, at: str, last: Step | None) -> Step:
    """Count a transition of a machine that certainly fired in a log, after this one if any."""
    seen.taken[(*of, row.id, at, "1" * len(row.guard))] += 1
    if last is None:
        seen.starts.add(at)
    else:
        seen.pairs[(*of, *last, row.id, at)] += 1
    return row.id, at
