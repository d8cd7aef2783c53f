"""Logs of machines of the `transitions` library: is each event possible, and does it lead to the
state that was recorded?

A log is JSON Lines. Each event of the machine has a row: an object with the `event` and the `state`
after it. A row may also have the values of `conditions` by name, and a key that tells one machine
from another. A row with a `state` and no event says that the machine was put into that state: it
was made there, or restored. Other objects are skipped.

Nothing of the user's is called. A condition that is not recorded may hold or fail.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from fsm.adapters import is_machine
from fsm.adapters.reading import TOGETHER, itself, places
from fsm.conformance.rows import MOST_EXPECTED, Conformance, Log, Mismatch, values_in
from fsm.coverage.data import Data, subject_of
from fsm.coverage.machines import ReadMachine
from fsm.engine.semantics import TURN, Fired, NothingFires, every_choice, semantics_of
from fsm.errors import LogError
from fsm.model import Transition
from fsm.state.run import Run


class _Row(Struct):
    """A row of a log. Without `event`, the machine was put into `state`."""

    event: str = ""
    state: str = ""
    conditions: dict[str, bool] = {}
    machine: str | int = ""


def follow_machine(
    machine: Any,
    path: str | Path,
    *,
    key: str = "machine",
    write: Callable[[Data], None] | None = None,
) -> Conformance:
    """Follow the log of a machine, up to the first row that does not fit.

    Memory use grows with the number of machines in the log, not with its length. `write` takes
    coverage of what the log certainly took, such as a
    `fsm.coverage.data.DataWriter`. `fsm.conform` says what the others are, and what is raised.
    """
    followed = _Followed(machine)
    result = Conformance()
    log = Log(path, strict=True)
    states = dict[str | int, str]()
    data = Data()
    data.models[followed.subject] = followed.model
    seen = data.of(followed.subject)
    for row in _rows(log, key):
        row.state = followed.leaf(row.state)
        before = states.get(row.machine, followed.start)
        result.rows += 1
        ways = followed.explained(row, before)
        if not ways:
            result.refusal = followed.refusal(log.read, row, before)
            break
        if row.machine not in states:
            seen.starts.add(before or row.state)
        states[row.machine] = row.state
        certain = ways.pop()
        if certain is not None and not ways:
            vector = "1" * len(certain.guard)
            seen.taken[followed.model.name, log.path.name, certain.id, before, vector] += 1
    if write is not None and seen.taken:
        write(data)
    result.machines = len(states)
    return result


def _rows(log: Log, key: str) -> Iterator[_Row]:
    """Yield the rows of a log.

    Raises LogError if the file cannot be read or has no row, or if a line is no JSON object, has
    wrong values, or has an event without a state.
    """
    paths = {"event": "event", "state": "state", "conditions": "conditions", "machine": key}
    for row in log.parsed(lambda line: values_in(line, _Row, paths)):
        if row.state:
            log.shown = True
            yield row
        elif row.event:
            raise LogError(
                f"{log.path}: line {log.read}: write the state after the event {row.event!r} too"
            )
    log.end('lines such as {"event": "push", "state": "open"}')


class _Followed:
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
        self._ignoring = set[str]()
        self._jumps = dict[str, str]()
        self.leaf: Callable[[str], str] = str
        if is_machine(machine):
            read = ReadMachine(machine)
            self.model, self.subject, self.leaf = read.model, read.subject, read.leaf
            self._read_settings(machine)
        else:
            self.model, self.subject = machine, subject_of(machine)
        if any(event.name == TOGETHER for event in self.model.events):
            raise LogError(f"{self.model.name}: logs of parallel states cannot be followed")
        self.start = self.model.initial if self.model.initial != itself("") else ""
        self._states = [state.id for state in self.model.leaves]
        rows = [replace(row, actions=()) for row in self.model.transitions]  # the user's callbacks
        self._semantics = semantics_of(replace(self.model, transitions=tuple(rows)))

    def _read_settings(self, machine: Any) -> None:
        """Read what a Model does not say: triggers `to_STATE`, and where events are ignored."""
        for place in places(machine):
            own = place.state.ignore_invalid_triggers
            if machine.ignore_invalid_triggers if own is None else own:
                self._ignoring.add(place.id)
        for name in machine.events.keys() - {event.name for event in self.model.events}:
            [to_state, *_] = chain.from_iterable(machine.events[name].transitions.values())
            self._jumps[name] = to_state.dest

    def explained(self, row: _Row, before: str) -> set[Transition | None]:
        """Return what can have happened to a machine in this state: the transition that fired, or
        None if none did.

        None fired if no guard held, the event was ignored, or the library itself moved the machine.
        """
        if row.state not in self._states:
            return set()
        if not (row.event and before):
            return {None}
        if row.event in self._jumps:
            inside = {state.id for state in self.model.path(row.state)}
            return {None} if self._jumps[row.event] in inside else set()
        if not self.model.rows(before, row.event):
            return {None} if row.state == before and before in self._ignoring else set()
        return self._fired(row, before)

    def _fired(self, row: _Row, before: str) -> set[Transition | None]:
        """Return what leads to the state of the row, for any values of the conditions."""
        found = set[Transition | None]()
        for choices in every_choice(row.conditions):
            run = Run(state=before)
            fired = list[Fired]()
            with suppress(NothingFires):
                self._semantics.microstep(run, TURN, row.event, choices, fired)
            if run.state == row.state:
                found.add(fired[0].row.transition if fired else None)
        return found

    def refusal(self, line: int, row: _Row, before: str) -> Mismatch:
        """Return why a row does not fit a machine in this state."""
        seen = f"{row.event!r} to {row.state} in {before}" if row.event else repr(row.state)
        of = f" of machine {row.machine!r}" if row.machine != "" else ""
        could = list[str]()
        for event in self.model.events_at(before):
            to = dict.fromkeys(one.target or before for one in self.model.rows(before, event))
            could.append(f"{event} (to {' or '.join(to)})")
        return Mismatch(line, seen + of, could[:MOST_EXPECTED])
