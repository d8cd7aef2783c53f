"""Counts what games and machines take while they run, and in which context (test).

A walk is one game, or one object on one machine. Walks that stand alike share a Place, and what
fires there is a Passage, worked out once and counted by its identity until it is written.
"""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from threading import RLock
from time import monotonic
from typing import Any, ClassVar, NamedTuple

from fsm.coverage.data import Data, Seen, Step, Subject, subject_of
from fsm.model import Model, Transition
from fsm.model.model import per_model

SECONDS, MOST = 0.5, 65_536
"""A file is written after this many seconds, or this many records."""
EVERY = 256
"""After this many records, it is looked whether a file is due. A killed run loses these, or half a
second.
"""
MOST_PASSAGES = 16_384
"""When this many passages of a subject are kept, all are forgotten. They are worked out again."""

Wrap = Callable[[Any, str, Callable[[Any], Any]], None]
"""Replaces an attribute of an owner by its wrapped value, until the last collection ends."""
Tried = tuple[str, str, str]
"""A transition that was tried: its id, the state, and the vector of its guard."""


def tried(row: Transition, at: str, failing: int = -1) -> Tried:
    """Return a transition whose guard held, or whose term of this number failed."""
    return row.id, at, "1" * len(row.guard) if failing < 0 else "1" * failing + "0"


class Firing(NamedTuple):
    """One firing, or what was tried in vain.

    Attributes
    ----------
    machine
        The name of the machine.
    tried
        The transitions that were tried. Only the last one may have fired.
    ends
        The name of a machine whose next firing follows no other one, or "".
    """

    machine: str
    tried: tuple[Tried, ...]
    ends: str = ""


class Watched:
    """A subject that is watched, with its Model as it is now, and where its walks have stood."""

    def __init__(self, subject: Subject, model: Model) -> None:
        self.subject = subject
        self.model = model
        self._places = dict[object, Place]()
        self._passages = 0
        self.start: Place = self.place({})

    def place(self, last: dict[str, Step]) -> Place:
        """Return the place of walks in which this fired last, by machine. It is made once."""
        return self._places.setdefault(tuple(sorted(last.items())), Place(self, last))

    def passage(self, before: Place, fired: object, firings: Iterable[Firing]) -> Passage:
        """Return what firings are at a place. It is found again by the identity of `fired`."""
        last, added = dict(before.last), list[tuple[str, ...]]()
        for machine, tries, ends in firings:
            added.extend(("taken", machine, *one) for one in tries)
            row, at, vector = tries[-1]
            if "0" not in vector:
                if machine in last:
                    added.append(("pairs", machine, *last[machine], row, at))
                last[machine] = row, at
                last.pop(ends, None)
        self._passages += 1
        if self._passages > MOST_PASSAGES:
            self._passages = 0
            for place in self._places.values():
                place.passages.clear()
        found = Passage(before, self.place(last), fired, tuple(added))
        before.passages[id(fired)] = found
        return found


@per_model
def watched_model(model: Model) -> Watched:
    """Return what is watched when games of a model are."""
    return Watched(subject_of(model), model)


@dataclass(slots=True, eq=False)
class Place:
    """Where walks stand: what fired last, by machine.

    `passages` finds what begins here by the identity of what fired.
    """

    watched: Watched
    last: dict[str, Step]
    passages: dict[int, Passage] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Passage:
    """What fired together in a walk: where from, where to, and what it adds to which count.

    `fired` keeps alive what it is found by.
    """

    before: Place
    after: Place
    fired: object
    added: tuple[tuple[str, ...], ...]


class Walk:
    """One game, or one object on one machine, and where it stands.

    `of` has the id() of the game, or of the machine and of the object, for listeners.
    """

    __slots__ = ("of", "place")

    def __init__(self, place: Place, of: tuple[int, ...] = ()) -> None:
        self.place: Place = place
        self.of: tuple[int, ...] = of


class Buffer:
    """Counts records and passes them to `write`, on `flush`.

    With `every`, it looks after so many records whether to write.
    """

    def __init__(self, write: Callable[[Data], None], every: int = 0) -> None:
        self._write = write
        self._every = every or math.inf
        self.after_fork()

    def after_fork(self) -> None:
        """Begin anew in a forked child. The parent writes what is pending."""
        self._lock = RLock()
        self._passed = Counter[tuple[Passage, str]]()
        self._data = Data()
        self._watched = dict[Subject, Watched]()
        self._models = dict[Subject, Model]()
        self._records = 0
        self._looking = self._every
        self._written = monotonic()

    def took(self, walk: Walk, passage: Passage) -> None:
        """Record what fired in a walk, or was tried, in the current context."""
        with self._lock:
            self._passed[passage, here().name] += 1
            self._records += 1
            if self._records >= self._looking:
                self._look()

    def began(self, watched: Watched, state: str) -> None:
        """Record that runs begin in this state."""
        with self._lock:
            self._seen(watched).starts.add(state)

    def noted(self, note: str) -> None:
        """Record a problem."""
        with self._lock:
            if note not in self._data.notes:
                self._data.notes.append(note)

    def _seen(self, watched: Watched) -> Seen:
        self._watched[watched.subject] = watched
        return self._data.of(watched.subject)

    def _look(self) -> None:
        """Write if a file is due."""
        if self._records >= MOST or monotonic() - self._written >= SECONDS:
            self.flush()
        self._looking = self._records + self._every

    def flush(self) -> None:
        """Write everything that is pending, and each Model that has changed."""
        with self._lock:
            for (passage, context), count in self._passed.items():
                seen = self._seen(passage.before.watched)
                for table, machine, *what in passage.added:
                    getattr(seen, table)[machine, context, *what] += count
            data = self._data
            for subject, watched in self._watched.items():
                if self._models.get(subject) is not watched.model:
                    data.of(subject)
                    data.models[subject] = self._models[subject] = watched.model
            self._passed.clear()
            self._data = Data()
            self._records = 0
            self._looking = self._every
            self._written = monotonic()
            if data.seen or data.notes:
                self._write(data)


# contexts -----------------------------------------------------------------------------------------

DIRECTORY = "FSM_COVERAGE"
CONTEXT = "FSM_COVERAGE_CONTEXT"
ROOT = "FSM_COVERAGE_ROOT"
"""These variables tell child processes where to write, in which context they begin, and from where
paths are shown.
"""


@dataclass(slots=True)
class _Context:
    """A context, with its name."""

    name: str = ""


class _Latest:
    """What was set last anywhere in the process, of all that is set still. Its context applies to
    threads that were started without one.
    """

    names: ClassVar = [os.environ.get(CONTEXT, "")]
    context = _Context(names[0])
    root = ""


_own: ContextVar[_Context] = ContextVar("fsm_coverage_context", default=_Latest.context)
here = _own.get
"""Returns the current context."""


def root() -> str:
    """Return the directory from which the paths of the user's files are shown."""
    return _Latest.root or os.environ.get(ROOT, "") or os.getcwd()


def set_root(directory: str) -> None:
    """Set the directory from which paths are shown. With "", it is that of the environment, or the
    current one.
    """
    _Latest.root = directory


@contextmanager
def context(name: str) -> Iterator[None]:
    """Set the context inside a `with` block. Afterwards the context is what it was before.

    Parameters
    ----------
    name
        The name of the context, usually of a test.
    """
    token = _own.set(_Context(name))
    try:
        with everywhere(name):
            yield
    finally:
        _own.reset(token)


@contextmanager
def everywhere(name: str) -> Iterator[None]:
    """Set the context inside a `with` block for all threads and tasks that have no context of their
    own.

    A runner that runs one test after another needs this, because a task may be older than the test.
    """
    _Latest.names.append(name)
    _tell()
    try:
        yield
    finally:
        _Latest.names.remove(name)
        _tell()


def _tell() -> None:
    _Latest.context.name = _Latest.names[-1]
    if DIRECTORY in os.environ:
        os.environ[CONTEXT] = _Latest.names[-1]
