"""Coverage of a log: the firings that it determines, as entries of a data file."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fsm.coverage.data import (
    Data,
    Entry,
    FiringKey,
    Literal,
    OpenWalk,
    Passage,
    Refused,
    Subject,
    subject_of,
)
from fsm.coverage.datareader import DataReader
from fsm.coverage.instrumentation.buffer import Buffer
from fsm.coverage.instrumentation.contexts import context
from fsm.coverage.instrumentation.identifying import ReadMachine
from fsm.coverage.instrumentation.models import remember
from fsm.coverage.logs.bare import (
    FIRED,
    IGNORED,
    REFUSED,
    BareMachine,
    Config,
    Facts,
    Move,
    of_machine,
    of_model,
)
from fsm.coverage.logs.following import Listener, LogConformance, LogFollower
from fsm.coverage.logs.records import LogKeys, MachineLog
from fsm.coverage.logs.steps import Edge
from fsm.model import Model, Transition
from fsm.model.graph import graphs_of

PENDING = 100_000
"""At least this many records are kept before some are written."""


@dataclass(slots=True)
class LogCoverage:
    """What became coverage data.

    Attributes
    ----------
    firings
        How many firings the logs determine. They are in the data.
    certain, ambiguous
        How many records have one explanation, and how many have several or none.
    results
        The result of following each log.
    """

    firings: int = 0
    certain: int = 0
    ambiguous: int = 0
    results: list[LogConformance] = field(default_factory=list)


def cover_logs(
    machine: Any,
    paths: Iterable[str | Path],
    write: Callable[[list[Entry]], None],
    *,
    keys: LogKeys | None = None,
    continued: bool = False,
    unseen: Iterable[str] = (),
    only: Iterable[str] = (),
    starts: Iterable[str] = (),
) -> LogCoverage:
    """Write the coverage data of logs. Memory use does not grow with the length of the logs.

    Only firings that are certain count. Where a record has several explanations, the walk of its
    object is broken.

    Parameters
    ----------
    machine
        A machine of the `transitions` library, or a Model.
    paths
        The logs.
    write
        Takes entries of a data file (`fsm.coverage.datawriter`).
    keys
        The keys of the logs.
    continued
        Whether the logs continue one another. Otherwise each is followed by itself.
    unseen, only, starts
        What the logs do not record, and where runs may start: see
        `fsm.coverage.logs.following.LogFollower`.

    Returns
    -------
    LogCoverage
        How much of the logs is certain.

    Raises
    ------
    LogError
        If a log cannot be read or shows no event, or if an event or state is unknown.
    """
    followed, found = Followed.of(machine), LogCoverage()
    recording = _Recording(followed, write, found)
    followers: list[LogFollower] = []
    names = {"unseen": tuple(unseen), "only": tuple(only), "starts": tuple(starts)}
    for path in paths:
        if not followers or not continued:
            recording.end(followers[-1] if followers else None)
            followers.append(LogFollower(followed.bare, refusals=0, listener=recording, **names))
        with context(Path(path).name):
            followers[-1].follow(MachineLog.open(path, keys))
    recording.end(followers[-1] if followers else None)
    found.results = [follower.result for follower in followers]
    return found


def data_of_logs(machine: Any, *paths: str | Path, **options: Any) -> Data:
    """Return the coverage data of logs. The options are those of `cover_logs`, which raises the
    same errors.
    """
    reader = DataReader()
    cover_logs(machine, paths, reader.take_all, **options)
    return reader.data


class Followed:
    """A machine or Model whose logs are followed, with the Model and the subject of its data."""

    def __init__(
        self, bare: BareMachine, model: Model, subject: Subject, read: ReadMachine | None
    ) -> None:
        self.bare, self.model, self.subject, self._read = bare, model, subject, read
        self.name = graphs_of(model)[0].name

    @classmethod
    def of(cls, machine: Any) -> Followed:
        """Return what is needed of a machine or Model. Raises ModelError or LogError."""
        if isinstance(machine, Model):
            remember(subject_of(machine), machine)
            return cls(of_model(machine), machine, subject_of(machine), None)
        read = ReadMachine(machine)
        remember(read.subject, read.model)
        return cls(of_machine(machine, read.row), read.model, read.subject, read)

    def leaf(self, config: Config, within: str = "") -> str:
        """Return the Model's state for a configuration; of several, the one inside the state
        `within`.
        """
        value = list(config) if len(config) > 1 else config[0]
        return self._read.leaf(value, within) if self._read is not None else config[0]

    def at_once(self, row: Transition) -> tuple[Transition, ...]:
        """Return the Model's transitions that follow at once."""
        return self._read.at_once(row) if self._read is not None else ()


@dataclass(frozen=True, slots=True)
class _Records:
    """What is recorded of one explanation. `put` is the state after a transition that the Model
    does not have.
    """

    fired: Passage | None = None
    decided: tuple[Literal, ...] = ()
    refused: Refused | None = None
    put: str = ""


class _Recording(Listener):
    """Records what is certain."""

    def __init__(
        self, followed: Followed, write: Callable[[list[Entry]], None], found: LogCoverage
    ) -> None:
        self.followed, self.found, self.buffer = followed, found, Buffer(write)
        self._walks: dict[str | int, OpenWalk] = {}
        self._known: dict[tuple[Config, Move, str, Facts], _Records] = {}
        self._pending = 0

    def began(self, machine: str | int, config: Config | None) -> None:
        """End the walk of the object, and begin one in this configuration."""
        self._break(machine)
        if config is not None:
            followed = self.followed
            self._walks[machine] = OpenWalk(
                followed.subject, followed.name, (), followed.leaf(config)
            )

    def settled(self, machine: str | int, edge: Edge | None) -> None:
        """Record the next firings of the object."""
        if edge is None:
            self.found.ambiguous += 1
            self._break(machine)
            return
        self.found.certain += 1
        if edge.gap:
            self._break(machine)
        if edge.move is not None:
            key = (edge.at, edge.move, edge.sight.event, edge.sight.conditions)
            records = self._known.get(key)
            if records is None:
                records = self._known[key] = self._made(
                    edge.at, edge.move, edge.sight.event, edge.sight.conditions
                )
            self._record(machine, records)

    def _record(self, machine: str | int, records: _Records) -> None:
        walk, buffer = self._walks.get(machine), self.buffer
        if walk is None:
            walk = self._walks[machine] = OpenWalk(self.followed.subject, self.followed.name)
        if records.fired is not None:
            buffer.took(walk, (records.fired,))
            self.found.firings += len(records.fired.steps)
        if records.decided:
            buffer.decided(walk, records.decided)
        if records.refused is not None:
            buffer.refused(walk, records.refused)
        if records.put:
            self._break(machine)
            buffer.began(self.followed.subject, records.put)
        self._pending += 1
        if self._pending > max(PENDING, 2 * len(self._walks)):
            self._pending = 0
            buffer.flush()

    def _made(self, at: Config, move: Move, event: str, facts: Facts) -> _Records:
        followed, rows = self.followed, self.followed.bare.rows
        if move.kind in (IGNORED, REFUSED):
            return _Records(refused=(followed.leaf(at), event))
        held: dict[int, tuple[Literal, ...]] = {}
        failed: list[Literal] = []
        for number, term, value in followed.bare.decided(move, facts):
            row = rows[number]
            if row is not None and value and any(number == taken for taken, _ in move.taken):
                held[number] = (*held.get(number, ()), (row.id, str(term), True))
            elif row is not None:
                failed.append((row.id, str(term), value))
        steps, deciding = list[FiringKey](), list[Literal]()
        for number, there in move.taken:
            row = rows[number]
            if row is not None:
                steps.append((row.id, followed.leaf(there, row.source)))
                steps += [(inner.id, inner.source) for inner in followed.at_once(row)]
                deciding += held.get(number, ())
        automatic = move.kind == FIRED and not move.taken
        fired = Passage(steps, deciding) if steps else None
        return _Records(fired, tuple(failed), put=followed.leaf(move.to) if automatic else "")

    def _break(self, machine: str | int) -> None:
        walk = self._walks.pop(machine, None)
        if walk is not None:
            self.buffer.ended(walk)

    def end(self, follower: LogFollower | None) -> None:
        """End all walks of the objects that a follower has followed."""
        if follower is not None:
            follower.finish()
        for machine in list(self._walks):
            self._break(machine)
        self.buffer.flush()
