"""Starts and stops the collection of coverage: for a block, for a process, and for its child
processes.
"""

from __future__ import annotations

import atexit
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fsm.coverage.data import Data
from fsm.coverage.entries import DataReader
from fsm.coverage.files import DataWriter, combine
from fsm.coverage.instrumentation.buffer import Buffer
from fsm.coverage.instrumentation.contexts import (
    CONTEXT,
    DIRECTORY,
    ROOT,
    current,
    set_everywhere,
    set_root,
)
from fsm.coverage.instrumentation.contexts import root as root_now
from fsm.coverage.instrumentation.patching import Patches
from fsm.coverage.recorded import forget
from fsm.errors import CoverageError

EVERY = 256
"""After this many records, the file is written if it is due. A killed run loses these, or half a
second.
"""
_CHILD = Path(__file__).parent / "child"


class Session:
    """One collection of coverage.

    Several sessions may be active at the same time. Each of them gets all the data. Use
    `collecting` or `start` to begin one.

    Parameters
    ----------
    directory
        The directory of the data file, or None to keep the data in memory.
    buffer
        The buffer to record into. If None, the session makes its own.

    Attributes
    ----------
    data
        What was collected so far.
    directory
        The directory of the data file, or None if the data is kept in memory.
    failed
        Why a part of the data could not be written, or "".
    """

    def __init__(self, directory: str | Path | None = None, buffer: Buffer | None = None) -> None:
        self.directory: Path | None = None if directory is None else Path(directory).absolute()
        self._reader = DataReader()
        self._writer = None if directory is None else DataWriter(directory)
        self.environment_before: tuple[str, str] | None = None
        self.inherited = False
        self.buffer: Buffer = buffer or Buffer(
            self._writer or self._reader.take_all, EVERY if self._writer else 0
        )

    @property
    def data(self) -> Data:
        """What was collected so far. With a directory, this is the data of all files in it."""
        self.buffer.flush()
        if self.directory is not None:
            return combine([self.directory])
        data = Data()
        data.update(self._reader.data)
        return data

    @property
    def failed(self) -> str:
        """Why a part of the data could not be written, or "" if everything was written."""
        return self._writer.failed if self._writer is not None else ""

    def after_fork(self) -> None:
        """Begin anew in a forked child: with a file of its own, and without the unwritten data of
        the parent.
        """
        if self._writer is not None:
            self._writer.after_fork()
        self.buffer.after_fork()


class _Instrumentation:
    """The active sessions, and the instruments while there are any."""

    def __init__(self) -> None:
        self.sessions: list[Session] = []
        self.buffers: list[Buffer] = []
        self.patches = Patches()
        self.instruments: list[Any] = []
        self.forks = False

    def add(self, session: Session) -> None:
        self.sessions.append(session)
        self.buffers.append(session.buffer)
        if len(self.sessions) == 1:
            self._watch()

    def remove(self, session: Session) -> None:
        if session not in self.sessions:
            return
        if len(self.sessions) == 1:
            self._stop()
        session.buffer.flush()
        self.sessions.remove(session)
        self.buffers.remove(session.buffer)
        if not self.sessions:
            forget()
            set_root("")

    def _watch(self) -> None:
        from fsm.coverage.instrumentation.controllers import ControllerInstrument
        from fsm.coverage.instrumentation.machines import LibraryInstrument

        self.instruments = [ControllerInstrument(self.buffers), LibraryInstrument(self.buffers)]
        for instrument in self.instruments:
            instrument.watch()
        self.patches.wrap(os, "_exit", self._flushing)
        if not self.forks and hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._forked)
            self.forks = True

    def _stop(self) -> None:
        self.patches.undo()
        for instrument in reversed(self.instruments):
            instrument.stop()
        self.instruments = []

    def _flushing(self, original: Callable[[int], None]) -> Callable[[int], None]:
        """Wrap os._exit, which runs no exit handlers. Forked children of test runners and
        multiprocessing use it.
        """

        def _exit(status: int) -> None:
            self.flush()
            original(status)

        return _exit

    def flush(self) -> None:
        for session in self.sessions:
            session.buffer.flush()

    def _forked(self) -> None:
        for session in self.sessions:
            session.after_fork()


_instrumentation = _Instrumentation()
atexit.register(_instrumentation.flush)


def start(
    directory: str | Path | None = None, *, children: bool = False, root: str | Path | None = None
) -> Session:
    """Start to collect coverage. `stop` ends the collection.

    Parameters
    ----------
    directory
        The directory for the data file. If None, the data is kept in memory.
    children
        Whether child processes collect too. See `collecting`.
    root
        The directory of the project. The places where machines are made are shown from there. If
        None, it is the current directory.

    Returns
    -------
    Session
        The collection.

    Raises
    ------
    CoverageError
        If the directory cannot be made.
    """
    session = Session(directory)
    if root is not None or not _instrumentation.sessions:
        set_root(str(Path(root or root_now()).absolute()))
    before = _inherited(session.directory)
    _instrumentation.add(session)
    if before is not None:
        stop(before)
    if children and session.directory is not None:
        environment_before = os.environ.get(DIRECTORY, ""), os.environ.get(CONTEXT, "")
        session.environment_before = environment_before if before is None else ("", "")
        _set_environment(str(session.directory), current())
    return session


def _inherited(directory: Path | None) -> Session | None:
    """Return the active session for this directory that the environment started, which a new
    session replaces.
    """
    return next(
        (s for s in _instrumentation.sessions if s.inherited and s.directory == directory), None
    )


def listen(buffer: Buffer) -> Session:
    """Start to record into a given buffer. `stop` ends it."""
    session = Session(buffer=buffer)
    _instrumentation.add(session)
    return session


def stop(session: Session) -> None:
    """End a collection. Its `data` stays available.

    Parameters
    ----------
    session
        The collection, as `start` returned it.

    Raises
    ------
    CoverageError
        If a part of the data could not be written to its file.
    """
    _instrumentation.remove(session)
    if session.environment_before is not None and os.environ.get(DIRECTORY) == str(
        session.directory
    ):
        _set_environment(*session.environment_before)
    if session.failed:
        raise CoverageError(session.failed)


@contextmanager
def collecting(directory: str | Path | None = None, *, children: bool = False) -> Iterator[Session]:
    """Collect coverage inside a `with` block::

        with collecting() as session:
            ...
        print(covered(model, "transitions", session.data))

    The session gets what every TurnController and every machine of the `transitions` library does
    in the block, in all threads and tasks.

    Parameters
    ----------
    directory
        The directory for the data file, which is written during the run. A forked process writes a
        file of its own. If None, the data is kept in memory.
    children
        Whether Python processes started in the block collect too. It needs a `directory`, and this
        package must be importable in them. They are told by the environment: FSM_COVERAGE, and a
        directory on PYTHONPATH whose `sitecustomize` also runs any other `sitecustomize`. In a
        process that gets neither, call `process_startup()`.

    Yields
    ------
    Session
        The collection.

    Raises
    ------
    CoverageError
        If the directory cannot be made, or if a part of the data could not be written.
    """
    session = start(directory, children=children)
    try:
        yield session
    finally:
        stop(session)


def collecting_now() -> bool:
    """Say whether any collection is active."""
    return bool(_instrumentation.sessions)


def process_startup() -> Session | None:
    """Start to collect if FSM_COVERAGE in the environment names a directory. Call it when a process
    starts.

    Returns
    -------
    Session or None
        The collection, or None if no directory is named or a collection into this directory is
        already active.

    Raises
    ------
    CoverageError
        If the directory cannot be made.
    """
    directory = os.environ.get(DIRECTORY)
    if not directory or any(str(s.directory) == directory for s in _instrumentation.sessions):
        return None
    set_everywhere(os.environ.get(CONTEXT, ""))
    session = start(directory)
    session.inherited = True
    return session


def _set_environment(directory: str, context: str) -> None:
    """Set the environment so that child processes write to this directory. With "", they do not
    collect.
    """
    paths = [
        p for p in os.environ.get("PYTHONPATH", "").split(os.pathsep) if p and p != str(_CHILD)
    ]
    if not directory:
        os.environ.pop(DIRECTORY, None)
        os.environ.pop(CONTEXT, None)
        os.environ.pop(ROOT, None)
    else:
        os.environ.update({DIRECTORY: directory, CONTEXT: context, ROOT: root_now()})
        paths.insert(0, str(_CHILD))
    if paths:
        os.environ["PYTHONPATH"] = os.pathsep.join(paths)
    else:
        os.environ.pop("PYTHONPATH", None)
