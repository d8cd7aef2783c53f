"""A buffer of records, which is written as entries.

An entry is a list of JSON values. Each name is written once and has a number from then on:

    ["subject", number, name, fingerprint]    ["step", number, transition, state]    ["context", number, name]
    ["model", subject, {...}]                                    a subject's Model, if it is no built-in ruleset
    ["start", subject, state]                                    a state in which runs of it begin
    ["walk", walk, subject, machine, context, [steps]]           more of a walk, which may go on
    ["walks", subject, machine, context, count, [steps]]         so many whole walks alike
    ["literals", subject, machine, context, [[transition, term, held, count], ...]]
    ["refused", subject, machine, context, [[state, event, count], ...]]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from threading import RLock
from typing import Any

from fsm.coverage.data import Entry, FiringKey, Literal, Refused, Subject
from fsm.coverage.instrumentation.contexts import current
from fsm.coverage.instrumentation.models import written


@dataclass(eq=False, slots=True)
class OpenWalk:
    """A walk that has not ended: the firings of one machine in one game or on one object.

    `of` has the id() of the game, or of the machine and of the object, for listeners. `start` is the initial state of
    the machine, or "" for a game.
    """

    subject: Subject
    machine: str
    of: tuple[int, ...] = ()
    start: str = ""


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
        self._names: dict[tuple[object, ...], int] = {}
        self._entries: list[Entry] = []
        self._parts: dict[OpenWalk, _UnwrittenPart] = {}
        self._whole: Counter[tuple[int, str, int, tuple[int, ...]]] = Counter()
        self._literals: Counter[tuple[Subject, str, str, Literal]] = Counter()
        self._refused: Counter[tuple[Subject, str, str, Refused]] = Counter()
        self._starts: set[tuple[Subject, str]] = set()
        self._started: set[tuple[Subject, str]] = set()
        self._walks = self._records = 0

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
            part.steps.append(self._number("step", *step))
            self._decided(walk, literals, context)

    def began(self, subject: Subject, state: str) -> None:
        """Record that runs of this subject begin in this state. It is written if anything else is recorded."""
        with self._lock:
            self._starts.add((subject, state))

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
            self._ended(walk)

    def _ended(self, walk: OpenWalk) -> None:
        part = self._parts.pop(walk, None)
        if part is None or not part.steps:
            return
        if part.number:
            self._write_part(walk, part)
            return
        subject, context = self._number("subject", *_names_of(walk.subject)), self._number("context", part.context)
        self._whole[subject, walk.machine, context, tuple(part.steps)] += 1

    def _count_record(self) -> None:
        self._records += 1
        if self._records == self._every:
            self.flush()

    # writing -----------------------------------------------------------------------------------------

    def flush(self) -> None:
        """Write everything that is pending."""
        with self._lock:
            self._flush()

    def _flush(self) -> None:
        for walk, part in self._parts.items():
            self._write_part(walk, part)
        for (subject, machine, context, steps), count in self._whole.items():
            self._entries.append(["walks", subject, machine, context, count, list(steps)])
        self._write_tables("literals", self._literals)
        self._write_tables("refused", self._refused)
        self._write_starts()
        entries, self._entries, self._records = self._entries, [], 0
        self._whole.clear()
        if entries:
            self._write(entries)

    def _write_part(self, walk: OpenWalk, part: _UnwrittenPart) -> None:
        if not part.steps:
            return
        if not part.number:
            self._walks += 1
            part.number = self._walks
        subject, context = self._number("subject", *_names_of(walk.subject)), self._number("context", part.context)
        self._entries.append(["walk", part.number, subject, walk.machine, context, part.steps])
        part.steps = []

    def _write_starts(self) -> None:
        """Write the states in which runs begin, of each subject that has been written."""
        for subject, state in sorted(self._starts - self._started, key=lambda start: (_names_of(start[0]), start[1])):
            if state and ("subject", *_names_of(subject)) in self._names:
                self._entries.append(["start", self._number("subject", *_names_of(subject)), state])
                self._started.add((subject, state))

    def _write_tables(self, kind: str, counts: Counter[tuple[Subject, str, str, Any]]) -> None:
        tables: dict[tuple[Subject, str, str], list[Entry]] = {}
        for (subject, machine, context, what), count in counts.items():
            tables.setdefault((subject, machine, context), []).append([*what, count])
        counts.clear()
        for (subject, machine, context), rows in tables.items():
            numbers = self._number("subject", *_names_of(subject)), self._number("context", context)
            self._entries.append([kind, numbers[0], machine, numbers[1], rows])

    def _number(self, kind: str, *names: str) -> int:
        """Return the number that stands for these names. It is written when it is first used."""
        key = (kind, *names)
        number = self._names.get(key)
        if number is None:
            number = self._names[key] = len(self._names)
            self._entries.append([kind, number, *names])
            model = written(Subject(*names)) if kind == "subject" else None
            self._entries += [["model", number, model]] if model is not None else []
        return number


def _names_of(subject: Subject) -> tuple[str, str]:
    return subject.name, subject.fingerprint
