"""A buffer of records, which are written as entries (`fsm.coverage.entries`)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable
from threading import RLock
from time import monotonic

from fsm.coverage.data import Entry, Literal, Refused, Seen, Subject
from fsm.coverage.entries import EntryWriter
from fsm.coverage.instrumentation.contexts import here
from fsm.coverage.instrumentation.passages import Passage, Walk
from fsm.coverage.recorded import written

SECONDS, MOST = 0.5, 65_536
"""A file is written after this many seconds, or this many records."""


class Buffer:
    """Collects records and passes them to `write` as entries, on `flush`.

    With `every`, it looks after so many records whether to write.
    """

    def __init__(self, write: Callable[[list[Entry]], None], every: int = 0) -> None:
        self._write, self._every = write, every or math.inf
        self.after_fork()

    def after_fork(self) -> None:
        """Begin anew in a forked child. No name has been written, and the parent writes what is
        pending.
        """
        self._lock = RLock()
        self._writer = EntryWriter(written)
        self._passed: Counter[tuple[Passage, str]] = Counter()
        self._seen: dict[Subject, Seen] = {}
        self._changed: set[Subject] = set()
        self._started: set[tuple[Subject, str]] = set()
        self._records, self._looking, self._written = 0, self._every, monotonic()

    # recording ------------------------------------------------------------------------------------

    def took(self, walk: Walk, passage: Passage, context: str | None = None) -> None:
        """Record what fired in a walk, in a context, or in the current one."""
        if context is None:
            context = here().name
        key = passage, context
        with self._lock:
            self._passed[key] = self._passed.get(key, 0) + 1
            self._records += len(passage.steps)
            if self._records >= self._looking:
                self._count(0)

    def began(self, subject: Subject, state: str) -> None:
        """Record that runs of this subject begin in this state. It is written if anything else is
        recorded.
        """
        with self._lock:
            self._of(subject, state)

    def changed(self, subject: Subject) -> None:
        """Record that the Model of a subject has changed."""
        with self._lock:
            self._changed.add(subject)

    def decided(self, walk: Walk, machine: str, literals: Iterable[Literal]) -> None:
        """Record that literals decided and that nothing fired."""
        with self._lock:
            counter = self._of(walk.place.subject, walk.place.start).literals
            for literal in literals:
                counter[machine, here().name, literal] += 1
            self._count(1)

    def refused(self, walk: Walk, machine: str, refused: Refused) -> None:
        """Record that an event was tried where it is not possible."""
        with self._lock:
            counter = self._of(walk.place.subject, walk.place.start).refused
            counter[machine, here().name, refused] += 1
            self._count(1)

    def _of(self, subject: Subject, start: str = "") -> Seen:
        """Return the record of a subject, whose runs begin in this state, too."""
        if subject not in self._seen:
            self._seen[subject] = Seen()
        if start:
            self._seen[subject].starts.add(start)
        return self._seen[subject]

    def _count(self, records: int) -> None:
        self._records += records
        if self._records >= self._looking:
            if self._records >= MOST or monotonic() - self._written >= SECONDS:
                self.flush()
            self._looking = self._records + self._every

    # writing --------------------------------------------------------------------------------------

    def flush(self) -> None:
        """Write everything that is pending."""
        with self._lock:
            self._add_passed()
            for subject, seen in self._seen.items():
                for name, counter in seen.counters.items():
                    self._writer.table(name, subject, counter)
                    counter.clear()
            self._write_starts()
            for changed in filter(self._writer.knows, self._changed):
                self._writer.model(changed)
            self._changed.clear()
            self._records, self._looking, self._written = 0, self._every, monotonic()
            if entries := self._writer.taken():
                self._write(entries)

    def _add_passed(self) -> None:
        """Add what the passages add, each as often as it was taken."""
        for (passage, context), count in self._passed.items():
            counters = self._of(passage.before.subject, passage.before.start).counters
            for name, machine, what in passage.added:
                counters[name][machine, context, what] += count
        self._passed.clear()

    def _write_starts(self) -> None:
        """Write the states in which runs begin, of each subject that has been written."""
        for subject, seen in self._seen.items():
            for state in sorted(seen.starts) if self._writer.knows(subject) else ():
                if (subject, state) not in self._started:
                    self._writer.put("start", self._writer.subject(subject), state)
                    self._started.add((subject, state))
