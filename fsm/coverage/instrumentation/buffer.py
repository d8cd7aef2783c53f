"""A buffer of records, which are written as entries (`fsm.coverage.datawriter`)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from threading import RLock
from time import monotonic

from fsm.coverage.data import Entry, Literal, OpenWalk, Passage, Refused, Subject
from fsm.coverage.datawriter import EntryWriter
from fsm.coverage.instrumentation.contexts import here
from fsm.coverage.instrumentation.models import written

SECONDS, MOST = 0.5, 65_536
"""A file is written after this many seconds, or this many records."""
NUMBERED = 4096
"""When the numbers of the steps of more passages are kept, all are looked up again."""


@dataclass(slots=True)
class _UnwrittenPart:
    """The part of a walk that has not been written. `number` is set when an earlier part of it was
    written.
    """

    context: str
    passages: list[Passage] = field(default_factory=list)
    number: int = 0


class Buffer:
    """Collects records and passes them to `write` as entries, on `flush`.

    With `every`, it looks after so many records whether to write. `settle` has the instruments pass
    on what is pending.
    """

    listening: bool = False

    def __init__(self, write: Callable[[list[Entry]], None], every: int = 0) -> None:
        self._write, self._every = write, every or math.inf
        self.settle: Callable[[], None] = _nothing_pending
        self.after_fork()

    def after_fork(self) -> None:
        """Begin anew in a forked child. No name has been written, and the parent writes what is
        pending.
        """
        self._lock = RLock()
        self._writer = EntryWriter(written)
        self._parts: dict[OpenWalk, _UnwrittenPart] = {}
        self._whole: dict[tuple[Subject, str, str], Counter[tuple[Passage, ...]]] = {}
        self._unwritten: list[tuple[OpenWalk, _UnwrittenPart]] = []
        self._numbers: dict[Passage, tuple[int, ...]] = {}
        self._literals: Counter[tuple[Subject, str, str, Literal]] = Counter()
        self._refused: Counter[tuple[Subject, str, str, Refused]] = Counter()
        self._starts: set[tuple[Subject, str]] = set()
        self._started: set[tuple[Subject, str]] = set()
        self._changed: set[Subject] = set()
        self._records, self._looking, self._written = 0, self._every, monotonic()

    # recording ------------------------------------------------------------------------------------

    def took(self, walk: OpenWalk, passages: Sequence[Passage], context: str | None = None) -> None:
        """Record what fired in a walk, in a context, or in the current one."""
        if context is None:
            context = here().name
        with self._lock:
            part = self._parts.get(walk)
            if part is None:
                part = self._parts[walk] = _UnwrittenPart(context)
                if walk.start:
                    self.began(walk.subject, walk.start)
            elif part.context != context:
                self._write_part(walk, part)
                part.context = context
            if not part.passages:
                self._unwritten.append((walk, part))
            part.passages += passages
            self._records += len(passages)
            if self._records >= self._looking:
                self._look()

    def walked(
        self, walk: OpenWalk, whole: Mapping[tuple[Passage, ...], int], context: str | None = None
    ) -> None:
        """Record whole walks like this one, and how many there were of each."""
        if context is None:
            context = here().name
        with self._lock:
            counts = self._whole.setdefault((walk.subject, walk.machine, context), Counter())
            for passages, count in whole.items():
                counts[passages] += count
            self._count(sum(whole.values()))

    def hear(self, of: tuple[int, ...], firings: Iterable[tuple[str, str, str]]) -> None:
        """A buffer needs no order between the walks of a game."""

    def began(self, subject: Subject, state: str) -> None:
        """Record that runs of this subject begin in this state. It is written if anything else is
        recorded.
        """
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
            for literal in literals:
                self._literals[walk.subject, walk.machine, here().name, literal] += 1
            self._count(1)

    def refused(self, walk: OpenWalk, refused: Refused) -> None:
        """Record that an event was tried where it is not possible."""
        with self._lock:
            self.began(walk.subject, walk.start)
            self._refused[walk.subject, walk.machine, here().name, refused] += 1
            self._count(1)

    def ended(self, walk: OpenWalk) -> None:
        """End the walk."""
        with self._lock:
            part = self._parts.pop(walk, None)
            if part is not None and part.number:
                self._write_part(walk, part)
            elif part is not None and part.passages:
                counts = self._whole.setdefault(
                    (walk.subject, walk.machine, part.context), Counter()
                )
                counts[tuple(part.passages)] += 1
                part.passages = []

    def _count(self, records: int) -> None:
        self._records += records
        if self._records >= self._looking:
            self._look()

    def _look(self) -> None:
        """Write what is pending if it is much, or if it is long since something was written."""
        if self._records >= MOST or monotonic() - self._written >= SECONDS:
            self._flush()
        self._looking = self._records + self._every

    # writing --------------------------------------------------------------------------------------

    def flush(self) -> None:
        """Write everything that is pending, also what instruments have not passed on."""
        self.settle()
        with self._lock:
            self._flush()

    def _flush(self) -> None:
        for walk, part in self._unwritten:
            self._write_part(walk, part)
        self._unwritten.clear()
        for (subject, machine, context), counts in self._whole.items():
            names = self._writer.subject(subject), machine, self._writer.context(context)
            for passages, count in counts.items():
                self._writer.put(
                    "walks",
                    *names,
                    count,
                    self._numbered(subject, machine, context, passages, count),
                )
        self._writer.tables("literals", self._literals.items())
        self._writer.tables("refused", self._refused.items())
        self._write_starts()
        for changed in filter(self._writer.knows, self._changed):
            self._writer.model(changed)
        self._changed.clear()
        for pending in (self._whole, self._literals, self._refused):
            pending.clear()
        self._records, self._looking, self._written = 0, self._every, monotonic()
        if entries := self._writer.taken():
            self._write(entries)

    def _write_part(self, walk: OpenWalk, part: _UnwrittenPart) -> None:
        if not part.passages:
            return
        part.number = part.number or self._writer.new_walk()
        subject, context = self._writer.subject(walk.subject), self._writer.context(part.context)
        steps = self._numbered(walk.subject, walk.machine, part.context, part.passages, 1)
        self._writer.put("walk", part.number, subject, walk.machine, context, steps)
        part.passages = []

    def _numbered(
        self, subject: Subject, machine: str, context: str, passages: Sequence[Passage], count: int
    ) -> list[int]:
        """Count the literals of passages that were taken so often. Return the numbers of their
        steps.
        """
        numbers = self._numbers
        if len(numbers) > NUMBERED:
            numbers.clear()
        for passage, times in Counter(passages).items():
            for literal in passage.literals:
                self._literals[subject, machine, context, literal] += times * count
            if passage not in numbers:
                numbers[passage] = tuple(map(self._writer.step, passage.steps))
        return list(chain.from_iterable(map(numbers.__getitem__, passages)))

    def _write_starts(self) -> None:
        """Write the states in which runs begin, of each subject that has been written."""
        for subject, state in sorted(self._starts - self._started):
            if state and self._writer.knows(subject):
                self._writer.put("start", self._writer.subject(subject), state)
                self._started.add((subject, state))


def _nothing_pending() -> None:
    """Without instruments, nothing is pending."""
