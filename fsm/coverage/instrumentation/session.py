"""Beginning and ending to collect: for a while, for a process, and for the processes it starts."""

from __future__ import annotations

import atexit
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from fsm.coverage.data import Data
from fsm.coverage.datareader import Reader
from fsm.coverage.extension import Instrument, extension
from fsm.coverage.files import Writer, combine
from fsm.coverage.instrumentation.buffer import Book
from fsm.coverage.instrumentation.contexts import CONTEXT, DIRECTORY, current, set_everywhere
from fsm.coverage.instrumentation.models import forget
from fsm.coverage.instrumentation.patching import Patches
from fsm.errors import CoverageError

EVERY = 256
"""A file is written to after so many notes, so that a run that is killed loses no more than these."""
_CHILD = Path(__file__).parent / "child"


class Session:
    """One collection under way, in memory or (`directory`) into a file of this process.

    Several may be under way at once; each gets everything.
    """

    def __init__(self, directory: str | Path | None = None, book: Book | None = None) -> None:
        self.directory = None if directory is None else Path(directory).absolute()
        self._reader = Reader()
        self._writer = None if directory is None else Writer(directory)
        self.told: tuple[str, str] | None = None
        self.inherited = False
        self.book = book or Book(self._writer or self._reader.take_all, EVERY if self._writer else 0)

    @property
    def data(self) -> Data:
        """What was collected so far; with a directory, what all files in it say."""
        self.book.flush()
        return self._reader.data if self.directory is None else combine([self.directory])

    @property
    def failed(self) -> str:
        """Why some of it could not be written; "" when all was."""
        return self._writer.failed if self._writer is not None else ""

    def reborn(self) -> None:
        """In a forked child: a file of its own, and nothing that is the parent's to write."""
        if self._writer is not None:
            self._writer.reborn()
        self.book.reborn()


class _Watching:
    """What is put in the way while anything is collected."""

    def __init__(self) -> None:
        self.sessions: list[Session] = []
        self.books: list[Book] = []
        self.patches = Patches()
        self.instruments: list[Instrument] = []
        self.forks = False

    def add(self, session: Session) -> None:
        self.sessions.append(session)
        self.books.append(session.book)
        if len(self.sessions) == 1:
            self._watch()

    def remove(self, session: Session) -> None:
        if session not in self.sessions:
            return
        if len(self.sessions) == 1:
            self._stop()
        session.book.flush()
        self.sessions.remove(session)
        self.books.remove(session.book)
        if not self.sessions:
            forget()

    def _watch(self) -> None:
        from fsm.coverage.instrumentation.machines import Library

        added = extension().instruments(self.books)
        self.instruments = [*added, Library(self.books, tuple(kind for each in added for kind in each.own))]
        for instrument in self.instruments:
            instrument.watch()
        self.patches.wrap(os, "_exit", self._flushing)
        if not self.forks and hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._forked)
            self.forks = True

    def _stop(self) -> None:
        self.patches.undo()
        for instrument in self.instruments:
            instrument.stop()
        self.instruments = []

    def _flushing(self, original: Callable[[int], None]) -> Callable[[int], None]:
        """Forked children of test runners and of multiprocessing end by os._exit, which runs no exit handlers."""

        def _exit(status: int) -> None:
            self.flush()
            original(status)

        return _exit

    def flush(self) -> None:
        for session in self.sessions:
            session.book.flush()

    def _forked(self) -> None:
        for session in self.sessions:
            session.reborn()


_watching = _Watching()
atexit.register(_watching.flush)


def start(directory: str | Path | None = None, *, children: bool = False) -> Session:
    """Begin to collect; `stop` ends it. See `collecting`. Raises CoverageError if the directory cannot be made."""
    session = Session(directory)
    before = _inherited(session.directory)
    _watching.add(session)
    if before is not None:
        stop(before)
    if children and session.directory is not None:
        told = os.environ.get(DIRECTORY, ""), os.environ.get(CONTEXT, "")
        session.told = told if before is None else ("", "")
        _tell_children(str(session.directory), current())
    return session


def _inherited(directory: Path | None) -> Session | None:
    """What this process has collected since it started because it was told to, for the same directory: taken over."""
    return next((s for s in _watching.sessions if s.inherited and s.directory == directory), None)


def listen(book: Book) -> Session:
    """Begin to take notes in a book of one's own; `stop` ends it."""
    session = Session(book=book)
    _watching.add(session)
    return session


def stop(session: Session) -> None:
    """End a collection; its `data` stay. Raises CoverageError if a part could not be written to its file."""
    _watching.remove(session)
    if session.told is not None and os.environ.get(DIRECTORY) == str(session.directory):
        _tell_children(*session.told)
    if session.failed:
        raise CoverageError(session.failed)


@contextmanager
def collecting(directory: str | Path | None = None, *, children: bool = False) -> Iterator[Session]:
    """Collect all that TurnControllers and machines of the `transitions` library do inside, in all threads and tasks.

        with collecting() as session:
            ...
        print(covered(model, "transitions", session.data))

    With a `directory` everything is written to a file in it as it comes. Then forked processes write files of their
    own, and with `children` so do processes that are started, if they are Python and find this package: they are told
    by the environment (FSM_COVERAGE, and a directory with a `sitecustomize` on PYTHONPATH, which hands on to any
    other `sitecustomize`). A process that sees neither can call `process_startup()` itself.
    """
    session = start(directory, children=children)
    try:
        yield session
    finally:
        stop(session)


def collecting_now() -> bool:
    """Is anything being collected?"""
    return bool(_watching.sessions)


def process_startup() -> Session | None:
    """Begin to collect if FSM_COVERAGE in the environment names a directory; to be called as a process starts."""
    directory = os.environ.get(DIRECTORY)
    if not directory or any(str(s.directory) == directory for s in _watching.sessions):
        return None
    set_everywhere(os.environ.get(CONTEXT, ""))
    session = start(directory)
    session.inherited = True
    return session


def _tell_children(directory: str, context: str) -> None:
    """Have processes that are started write to this directory; "" to none."""
    paths = [p for p in os.environ.get("PYTHONPATH", "").split(os.pathsep) if p and p != str(_CHILD)]
    if not directory:
        os.environ.pop(DIRECTORY, None)
        os.environ.pop(CONTEXT, None)
    else:
        os.environ.update({DIRECTORY: directory, CONTEXT: context})
        paths.insert(0, str(_CHILD))
    if paths:
        os.environ["PYTHONPATH"] = os.pathsep.join(paths)
    else:
        os.environ.pop("PYTHONPATH", None)
