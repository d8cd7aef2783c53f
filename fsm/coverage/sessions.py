"""Starts and stops the collection of coverage: for a block, for a process, and for its child
processes. Nothing is patched, and nothing costs time, before a collection starts.
"""

from __future__ import annotations

import atexit
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fsm.coverage.contexts import CONTEXT, DIRECTORY, ROOT, begin_everywhere, here, set_root
from fsm.coverage.contexts import root as root_now
from fsm.coverage.data import Data
from fsm.coverage.files import DataWriter, combine
from fsm.coverage.patching import Patches
from fsm.coverage.recording import EVERY, Buffer
from fsm.errors import CoverageError

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
        self._data = Data()
        self._writer = None if directory is None else DataWriter(directory)
        self.environment_before: dict[str, str | None] = {}
        if buffer is None:
            writer = self._writer
            buffer = Buffer(writer, EVERY) if writer is not None else Buffer(self._data.update)
        self.buffer: Buffer = buffer

    @property
    def data(self) -> Data:
        """What was collected so far. With a directory, this is the data of all files in it."""
        self.buffer.flush()
        if self.directory is not None:
            return combine([self.directory])
        data = Data()
        data.update(self._data)
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


class _Collection:
    """The active sessions, and what watches while there are any."""

    def __init__(self) -> None:
        self.sessions = list[Session]()
        self.buffers = list[Buffer]()
        self.patches = Patches()
        self.watches = list[Any]()
        self.forks = False
        self.inherited: Session | None = None  # the environment started it

    def add(self, session: Session) -> None:
        self.sessions.append(session)
        self.buffers.append(session.buffer)
        if len(self.sessions) == 1:
            self._watch()

    def remove(self, session: Session) -> None:
        if session not in self.sessions:
            return
        if len(self.sessions) == 1:
            self.patches.undo()
            while self.watches:
                self.watches.pop().stop()
        session.buffer.flush()
        self.sessions.remove(session)
        self.buffers.remove(session.buffer)
        if not self.sessions:
            set_root("")

    def _watch(self) -> None:
        from fsm.coverage.games import GameWatch
        from fsm.coverage.hooks import LibraryWatch

        self.watches = [GameWatch(self.buffers), LibraryWatch(self.buffers)]
        for watch in self.watches:
            watch.watch()
        self.patches.wrap(os, "_exit", self._flushing)
        if not self.forks and hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._forked)
            self.forks = True

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


_collection = _Collection()
atexit.register(_collection.flush)


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
    if root is not None or not _collection.sessions:
        set_root(str(Path(root or root_now()).absolute()))
    _collection.add(session)
    inherited = _collection.inherited
    if inherited is not None and inherited.directory == session.directory:
        _collection.inherited = None
        stop(inherited)
        session.environment_before = dict.fromkeys((DIRECTORY, CONTEXT, ROOT))
    if children and session.directory is not None:
        _tell_children(session)
    return session


def listen(buffer: Buffer) -> Session:
    """Start to record into a given buffer. `stop` ends it."""
    session = Session(buffer=buffer)
    _collection.add(session)
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
    _collection.remove(session)
    _forget_environment(session)
    if session.failed:
        raise CoverageError(session.failed)


@contextmanager
def pausing(session: Session) -> Iterator[None]:
    """Record nothing into this session inside a `with` block, here and in new child processes.

    The library is watched all the same, so that it stays known where machines are made.
    """
    _collection.buffers.remove(session.buffer)
    _forget_environment(session)
    try:
        yield
    finally:
        _collection.buffers.append(session.buffer)
        if session.environment_before:
            _tell_children(session)


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
    if not directory or any(str(s.directory) == directory for s in _collection.sessions):
        return None
    begin_everywhere(os.environ.get(CONTEXT, ""))
    _collection.inherited = start(directory)
    return _collection.inherited


def _forget_environment(session: Session) -> None:
    """Put the environment back as it was before this session."""
    for name, value in session.environment_before.items():
        os.environ.pop(name, None)
        if value is not None:
            os.environ[name] = value


def _tell_children(session: Session) -> None:
    """Set the environment so that child processes write to the directory of this session."""
    told = {DIRECTORY: str(session.directory), CONTEXT: here().name, ROOT: root_now()}
    paths = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    if str(_CHILD) not in paths:
        told["PYTHONPATH"] = os.pathsep.join([str(_CHILD), *paths])
    for name, value in told.items():
        session.environment_before.setdefault(name, os.environ.get(name))
        os.environ[name] = value
