"""Follows a log through a machine: is every record part of a run, and if not, which is the first
that is not?
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from fsm.coverage.logs.bare import BareMachine, Config, config_of
from fsm.coverage.logs.certain import OpenRecords
from fsm.coverage.logs.mismatch import Mismatch
from fsm.coverage.logs.records import MachineLog, Record, Sight
from fsm.coverage.logs.steps import Configs, Edge, Sequences, Steps, events_named
from fsm.coverage.logs.words import in_words, refusal_of

ANY = "any"
"""The word for every state, where states are named in which runs may start."""
MOST_JUMPS = 1000
"""At most this many different jumps are kept. All are counted."""
MOST_REFUSALS = 100
"""At most this many refusals are kept if everything is read. All are counted."""


@dataclass(slots=True)
class Jump:
    """What happened unseen before a record.

    Attributes
    ----------
    line
        The line of the first record like this.
    before
        Where the object was, in words.
    seen
        What was recorded, in words.
    ways
        The shortest sequences of events that explain it.
    times
        How many records are like this.
    """

    line: int
    before: str
    seen: str
    ways: Sequences
    times: int = 1

    def __str__(self) -> str:
        times = f" ({self.times} times)" if self.times > 1 else ""
        ways = ", or ".join(" then ".join(way) for way in self.ways)
        return f"line {self.line}: {self.seen} in {self.before} after {ways}{times}"


@dataclass(slots=True)
class LogConformance:
    """The result of following a log of a machine.

    Attributes
    ----------
    records, machines
        How many records were followed, and of how many objects.
    read
        How many lines were read.
    skipped_lines
        How many of them were damaged and skipped.
    other_lines
        How many are not about the machine.
    problem
        A sentence about the first line that is damaged or no JSON object, or "".
    unseen
        Before how many records something must have happened unseen.
    jumps
        What happened unseen, each kind once.
    refused
        How many records no run explains.
    refusals
        The first of them, in the order of the log. There are at most as many as were asked for.
    """

    records: int = 0
    machines: int = 0
    read: int = 0
    skipped_lines: int = 0
    other_lines: int = 0
    problem: str = ""
    unseen: int = 0
    jumps: list[Jump] = field(default_factory=list)
    refused: int = 0
    refusals: list[Mismatch] = field(default_factory=list)

    @property
    def refusal(self) -> Mismatch | None:
        """The first record that no run explains, or None."""
        return self.refusals[0] if self.refusals else None

    @property
    def ok(self) -> bool:
        """Whether every record is part of a run of the machine."""
        return not self.refused


class Listener:
    """Is told what a log shows of each object. This class does nothing."""

    def began(self, machine: str | int, config: Config | None) -> None:
        """A run begins, in this configuration if it is certain."""

    def settled(self, machine: str | int, edge: Edge | None) -> None:
        """The next record has this explanation, or none that is certain."""


class _Object:
    """One object in the log. `at` is empty if nothing is known of it any more. `lost` counts
    damaged lines.
    """

    __slots__ = ("at", "fresh", "lost", "open")

    def __init__(self, at: Configs, lost: int) -> None:
        self.at, self.lost, self.fresh = at, lost, True
        self.open: OpenRecords | None = None


class LogFollower:
    """Follows logs. Logs that are followed one after another by one follower continue one another.

    Parameters
    ----------
    bare
        The machine.
    unseen
        The events that may happen without a record. "*" stands for all events of the machine.
    only
        The events that are recorded, if all others may be unseen.
    starts
        The states in which runs may start; "any" for all. By default a run starts where the log
        says, or in the initial state.
    refusals
        After this many refusals nothing more is read. The objects they are about are followed again
        once the log says where they are. 0 means that everything is read.
    listener
        Is told of every record.

    Raises
    ------
    LogError
        If there is no such event or state.
    """

    def __init__(
        self,
        bare: BareMachine,
        *,
        unseen: Iterable[str] = (),
        only: Iterable[str] = (),
        starts: Iterable[str] = (),
        refusals: int = 1,
        listener: Listener | None = None,
    ) -> None:
        hidden, recorded = events_named(bare, unseen), events_named(bare, only)
        if recorded:
            hidden = tuple(event for event in bare.events if event not in recorded)
        self.bare, self.steps, self.listener = bare, Steps(bare, hidden), listener
        self.result = LogConformance()
        self._most = refusals
        self._objects: dict[str | int, _Object] = {}
        self._jumps: dict[tuple[Configs, Sight], Jump] = {}
        self._starts: Configs = ()
        for name in starts:
            self._starts += self.steps.anywhere() if name == ANY else (config_of(bare, (name,)),)
        self._lost = 0

    def follow(self, log: MachineLog) -> LogConformance:
        """Follow a log up to the last refusal that is wanted, and return the result. Raises
        LogError.
        """
        result, objects, record, before = self.result, self._objects, self._record, self._lost
        read, others = result.read, result.other_lines
        try:
            for line, record_ in log:
                self._lost = before + log.skipped_lines
                result.records += 1
                record(line, record_)
                if self._most and result.refused >= self._most:
                    break
        finally:
            self._lost = result.skipped_lines = before + log.skipped_lines
            result.read, result.other_lines = read + log.read, others + log.other_lines
            result.problem = result.problem or log.problem
            result.machines, result.jumps = len(objects), list(self._jumps.values())
        return result

    def finish(self) -> None:
        """Tell the listener of the records that were waiting for later ones. No more logs are
        followed then.
        """
        for name, one in self._objects.items():
            self._settle(name, one)

    # one record -----------------------------------------------------------------------------------

    def _record(self, line: int, record: Record) -> None:
        sight = record.sight
        one = self._objects.get(record.machine)
        if one is None or record.start:
            if one is not None:
                self._settle(record.machine, one)
            one = self._begun(line, record)
            if not one.at or (record.start and not sight.event):
                return
        elif not one.at and not self._found_again(one, record):
            return
        step = self.steps.step(one.at, sight, one.lost != self._lost)
        if not step.to:
            self._refuse(line, record, one)
            return
        if step.unseen:
            self._count_jump(line, one.at, sight, step.unseen)
        if self.listener is not None:
            if one.open is not None or step.only is None:
                one.open = one.open or OpenRecords()
                for edge in one.open.add(step):
                    self.listener.settled(record.machine, edge)
            else:
                self.listener.settled(record.machine, step.only)
        one.at, one.lost, one.fresh = step.to, self._lost, False

    def _begun(self, line: int, record: Record) -> _Object:
        """Return the object of a record that is the first of a run."""
        sight = record.sight
        named = sight.source or (() if sight.event else sight.state)
        said = self._named(named)
        at: Configs
        if self._starts:
            at = tuple(config for config in self._starts if not said or config == said)
        elif said:
            at = (said,)
        else:
            at = (self.bare.initial,) if self.bare.initial else self.steps.anywhere()
        assumed = not said and not record.start
        one = self._objects[record.machine] = _Object(at, 0 if assumed else self._lost)
        if (named and not said) or not at:
            one.at = self._starts
            self._refuse(line, record, one)
            one.at = ()
        elif self.listener is not None:
            self.listener.began(record.machine, at[0] if len(at) == 1 else None)
        return one

    def _named(self, names: tuple[str, ...]) -> Config:
        """Return the configuration that a record names, or () if a name is unknown."""
        ids = [self.bare.state_named(name) for name in names]
        return tuple(id for id in ids if id is not None) if None not in ids else ()

    def _found_again(self, one: _Object, record: Record) -> bool:
        """Say whether a record shows where an object is that was lost before."""
        source = self._named(record.sight.source)
        found = source or self._named(record.sight.state)
        one.at = (found,) if found else ()
        if found and self.listener is not None:
            self.listener.began(record.machine, found)
        return bool(source)

    def _refuse(self, line: int, record: Record, one: _Object) -> None:
        """Note a refusal, and go on where the record says the object is."""
        lost = self._lost if one.lost != self._lost else 0
        first = one.fresh and not self._starts
        self.result.refused += 1
        if self.result.refused <= (self._most or MOST_REFUSALS):
            self.result.refusals.append(
                refusal_of(self.steps, line, record, one.at, first=first, lost=lost)
            )
        self._settle(record.machine, one)
        after = self._named(record.sight.state)
        one.at, one.lost, one.fresh = (after,) if after else (), self._lost, False
        if self.listener is not None:
            self.listener.settled(record.machine, None)
            if after:
                self.listener.began(record.machine, after)

    def _settle(self, name: str | int, one: _Object) -> None:
        if one.open is not None and self.listener is not None:
            for edge in one.open.settle(one.at):
                self.listener.settled(name, edge)

    def _count_jump(self, line: int, at: Configs, sight: Sight, ways: Sequences) -> None:
        self.result.unseen += 1
        jump = self._jumps.get((at, sight))
        if jump is not None:
            jump.times += 1
        elif len(self._jumps) < MOST_JUMPS:
            before, seen = in_words(at, sight)
            self._jumps[at, sight] = Jump(line, before, seen, ways)
