"""A buffer of records, which are written as entries (`fsm.coverage.datawriter`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from threading import RLock

from fsm.coverage.data import Entry, FiringKey, Literal, OpenWalk, Refused, Subject
from fsm.coverage.datawriter import EntryWriter
from fsm.coverage.instrumentation.contexts import current
from fsm.coverage.instrumentation.models import written


@dataclass(slots=True)
class _UnwrittenPart:
    """The part of a walk that has not been written. `number` is set when an earlier part of it was written."""

    context: str
    steps: list[int] = field(default_factory=list)
    number: int = 0


class Buffer:
    """Collects records and passes them to `write` as entries, after a number of records and on `flush`."""

    def __init__(self, write: Callable[[list[Entry]], None], every: int = 0) -> None:
        self._write, self._every = write, every
        self.after_fork()

    def after_fork(self) -> None:
        """Begin anew in a forked child. No name has been written, and the parent writes what is pending."""
        self._lock = RLock()
        self._writer = EntryWriter(written)
        self._parts: dict[OpenWalk, _UnwrittenPart] = {}
        self._whole: Counter[tuple[int, str, int, tuple[int, ...]]] = Counter()
        self._literals: Counter[tuple[Subject, str, str, Literal]] = Counter()
        self._refused: Counter[tuple[Subject, str, str, Refused]] = Counter()
        self._starts: set[tuple[Subject, str]] = set()
        self._started: set[tuple[Subject, str]] = set()
        self._changed: set[Subject] = set()
        self._records = 0

    # recording -------------------------------------------------------------------------------------

    def fired(self, walk: OpenWalk, step: FiringKey, literals: Iterable[Literal] = ()) -> None:
        """Record that a transition fired and that these literals decided."""
        context = current()
        with self._lock:
            part = self._parts.get(walk)
            if part is None:
                part = self._parts[walk] = _UnwrittenPart(context)
                self.began(walk.subject, walk.start)
            elif part.context != context:
                self._write_part(walk, part)
                part.context = context
            part.steps.append(self._writer.step(step))
            self._decided(walk, literals, context)

    def began(self, subject: Subject, state: str) -> None:
        """Record that runs of this subject begin in this state. It is written if anything else is recorded."""
        with self._lock:
            self._starts.add((subject, state))

    def changed(self, subject: Subject) -> None:
        """Record that the Model of a subject has changed."""
        with self._lock:
            self._changed.add(subject)

    def decided(self, walk: OpenWalk, literals: Iterable[Literal]) -> None:
        """Record that literals decided and that nothing fired."""
        with self._lock:
            self.began(walk.subject, walk.start)
            self._decided(walk, literals, current())

    def _decided(self, walk: OpenWalk, literals: Iterable[Literal], context: str) -> None:
        for literal in literals:
            self._literals[walk.subject, walk.machine, context, literal] += 1
        self._count_record()

    def refused(self, walk: OpenWalk, refused: Refused) -> None:
        """Record that an event was tried where it is not possible."""
        with self._lock:
            self.began(walk.subject, walk.start)
            self._refused[walk.subject, walk.machine, current(), refused] += 1
            self._count_record()

    def ended(self, walk: OpenWalk) -> None:
        """End the walk."""
        with self._lock:
            part = self._parts.pop(walk, None)
            if part is not None and part.number:
                self._write_part(walk, part)
            elif part is not None and part.steps:
                subject, context = self._writer.subject(walk.subject), self._writer.context(part.context)
                self._whole[subject, walk.machine, context, tuple(part.steps)] += 1

    def _count_record(self) -> None:
        self._records += 1
        if self._records == self._every:
            self.flush()

    # writing -----------------------------------------------------------------------------------------

    def flush(self) -> None:
        """Write everything that is pending."""
        with self._lock:
            for walk, part in self._parts.items():
                self._write_part(walk, part)
            for (subject, machine, context, steps), count in self._whole.items():
                self._writer.put("walks", subject, machine, context, count, list(steps))
            self._writer.tables("literals", self._literals.items())
            self._writer.tables("refused", self._refused.items())
            self._write_starts()
            for changed in filter(self._writer.knows, self._changed):
                self._writer.model(changed)
            self._changed.clear()
            for counts in (self._whole, self._literals, self._refused):
                counts.clear()
            self._records = 0
            if entries := self._writer.taken():
                self._write(entries)

    def _write_part(self, walk: OpenWalk, part: _UnwrittenPart) -> None:
        if not part.steps:
            return
        part.number = part.number or self._writer.new_walk()
        subject, context = self._writer.subject(walk.subject), self._writer.context(part.context)
        self._writer.put("walk", part.number, subject, walk.machine, context, part.steps)
        part.steps = []

    def _write_starts(self) -> None:
        """Write the states in which runs begin, of each subject that has been written."""
        for subject, state in sorted(self._starts - self._started):
            if state and self._writer.knows(subject):
                self._writer.put("start", self._writer.subject(subject), state)
                self._started.add((subject, state))
