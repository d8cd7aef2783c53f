"""Starts and stops the collection of coverage: for a block, for a process, and for its child
processes. Nothing is patched, and nothing costs time, before a collection starts.
"""

from __future__ import annotations

import atexit
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import update_wrapper
from pathlib import Path
from typing import Any

from fsm.coverage.data import Data, DataWriter, combine
from fsm.coverage.recording import (
    CONTEXT,
    DIRECTORY,
    EVERY,
    ROOT,
    Buffer,
    here,
    root as root_now,
    set_root,
)
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

    Attributes
    ----------
    data
        What was collected so far.
    directory
        The directory of the data file, or None if the data is kept in memory.
    failed
        Why a part of the data could not be written, or "".
    """

    def __init__(self, directory: str | Path | None = None) -> None:
        self.directory: Path | None = None
        self.environment_before: dict[str, str | None] = {}
        self._data, self._writer = Data(), None
        self.buffer: Buffer = Buffer(self._data.update)
        if directory is not None:
            self.directory = Path(directory).absolute()
            self._writer = DataWriter(directory)
            self.buffer = Buffer(self._writer, EVERY)

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
        return self._writer.failed if self._writer else ""


class _Collection:
    """All buffers of the process, and what watches while there are any: it records into those that
    are `active`.
    """

    def __init__(self) -> None:
        self.buffers = list[Buffer]()
        self.active = list[Buffer]()
        self.patches = ExitStack()
        self.forks = False
        self.directories = list[Path | None]()
        self.inherited: Session | None = None  # the environment started it

    def add(self, buffer: Buffer) -> None:
        self.buffers.append(buffer)
        self.active.append(buffer)
        if len(self.buffers) == 1:
            self._watch()

    def remove(self, buffer: Buffer) -> None:
        if buffer in self.buffers:
            if len(self.buffers) == 1:
                self.patches.close()
                set_root("")
            buffer.flush()
            self.buffers.remove(buffer)
            self.active.remove(buffer)

    def _watch(self) -> None:
        from fsm.coverage.games import GameWatch
        from fsm.coverage.machines import LibraryWatch
        from fsm.engine import machine

        self.patches.callback(setattr, machine, "by_library", machine.by_library)
        machine.by_library = True
        for watch in (GameWatch, LibraryWatch):
            watch(self.active).watch(self._wrap)
        self._wrap(os, "_exit", self._flushing)
        if not self.forks and hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._forked)
            self.forks = True

    def _wrap(self, owner: Any, name: str, wrapper: Callable[[Any], Any]) -> None:
        """Replace an attribute by its wrapped value, until nothing watches any more."""
        original = getattr(owner, name)
        self.patches.callback(setattr, owner, name, original)
        setattr(owner, name, update_wrapper(wrapper(original), original))

    def _flushing(self, original: Callable[[int], None]) -> Callable[[int], None]:
        """Wrap os._exit, which runs no exit handlers. Forked children of test runners and
        multiprocessing use it.
        """

        def _exit(status: int) -> None:
            self.flush()
            original(status)

        return _exit

    def flush(self) -> None:
        for buffer in self.buffers:
            buffer.flush()

    def _forked(self) -> None:
        for buffer in self.buffers:
            buffer.after_fork()


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
    if root is not None or not _collection.buffers:
        set_root(str(Path(root or root_now()).absolute()))
    _collection.add(session.buffer)
    _collection.directories.append(session.directory)
    inherited = _collection.inherited
    if inherited and inherited.directory == session.directory:
        _collection.inherited = None
        stop(inherited)
        session.environment_before = dict.fromkeys((DIRECTORY, CONTEXT, ROOT))
    if children and session.directory:
        _tell_children(session)
    return session


@contextmanager
def listening(buffer: Buffer) -> Iterator[None]:
    """Record into this buffer inside a `with` block."""
    _collection.add(buffer)
    try:
        yield
    finally:
        _collection.remove(buffer)


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
    if session.buffer in _collection.buffers:
        _collection.directories.remove(session.directory)
    _collection.remove(session.buffer)
    _forget_environment(session)
    if session.failed:
        raise CoverageError(session.failed)


@contextmanager
def pausing(session: Session) -> Iterator[None]:
    """Record nothing into this session inside a `with` block, here and in new child processes.

    The library is watched all the same, so that it stays known where machines are made.
    """
    _collection.active.remove(session.buffer)
    _forget_environment(session)
    try:
        yield
    finally:
        _collection.active.append(session.buffer)
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
    if not directory or Path(directory) in _collection.directories:
        return None
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
