"""Spreads work over processes, over the workers of a Dask cluster, or over any
`concurrent.futures.Executor`.

The results come in the order of the items, so they do not depend on who works on which item. Items,
results and the function that makes one of the other travel as pickles: trust a cluster as you trust
code that you run.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from contextlib import chdir, closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from importlib import import_module
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeVar

from fsm.errors import FsmError

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

AHEAD = 64
"""At most this many items are begun that come after the first without a result."""
TRIES = 3
"""So many processes work on an item. If each of them ends before the item is done, the item is to
blame.
"""
GRACE = 5.0
"""So many seconds a process has to end when it is told to. Then it is killed."""
PATIENCE = 10.0
"""So many seconds a cluster has to answer, and to have a worker."""

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


@contextmanager
def spread(
    work: Callable[[_Item], _Result],
    items: Iterable[_Item],
    *,
    jobs: int = 1,
    cluster: str = "",
    executor: Executor | None = None,
) -> Iterator[Iterator[_Result]]:
    """Give the results of the work on all items, in the order of the items.

    Whatever is still worked on when the `with` block is left is ended: by the end, an error or an
    interrupt. One job, or one item, needs no process of its own. If a process is lost, another one
    does its item again.

    Parameters
    ----------
    work
        A function of a module, or a `functools.partial` of one. It gets an item.
    items
        The items. They are taken as they are needed.
    jobs
        How many processes work at the same time.
    cluster
        The address of a Dask scheduler, whose workers are used instead of processes of our own.
    executor
        An executor that is used instead, and stays open.

    Yields
    ------
    Iterator
        The results. What the work raises on an item is raised in place of its result.

    Raises
    ------
    FsmError
        If no worker can be had, or if an item ends every process that works on it.
    """
    if jobs < 1:
        raise FsmError(f"jobs must be 1 or more, not {jobs!r}")
    if cluster and jobs > 1:
        raise FsmError(
            "jobs are processes on this machine, which are not used with a cluster; give one of the two"
        )
    if cluster:
        with (
            _cluster(cluster) as pool,
            closing(_by_executor(pool, work, items, cluster)) as results,
        ):
            yield results
    elif executor is not None:
        with closing(_by_executor(executor, work, items)) as results:
            yield results
    else:
        waiting = iter(items)
        first = list(islice(waiting, 2 if jobs > 1 else 0))
        if len(first) < 2:
            yield map(work, chain(first, waiting))
        else:
            with closing(_by_processes(jobs, work, chain(first, waiting))) as results:
                yield results


# processes of our own -----------------------------------------------------------------------------


@dataclass(slots=True)
class _Task(Generic[_Item]):
    """An item, its number, and how many processes were lost over it."""

    number: int
    item: _Item
    lost: int = 0


@dataclass(slots=True)
class _Worker(Generic[_Item]):
    """A process, the connection to it, and what it works on."""

    process: BaseProcess
    connection: Connection
    task: _Task[_Item] | None = None

    def stop(self) -> None:
        """Tell the process to end."""
        self.process.terminate()

    def join(self) -> None:
        """Wait until the process has ended, and kill it if that takes too long."""
        try:
            self.process.join(GRACE)
        finally:
            self.process.kill()
            self.process.join()
            self.connection.close()


@dataclass(slots=True)
class _Crew(Generic[_Item, _Result]):
    """The processes, what waits for one of them, and the results that came before their turn."""

    jobs: int
    work: Callable[[_Item], _Result]
    items: Iterator[_Task[_Item]]
    workers: list[_Worker[_Item]] = field(default_factory=list)
    again: deque[_Task[_Item]] = field(default_factory=deque)
    done: dict[int, tuple[bool, Any]] = field(default_factory=dict)
    next: int = 0

    def results(self) -> Generator[_Result, None, None]:
        """Yield the results in order. A worker has one item at a time: neither side can wait for
        the other to read.
        """
        try:
            while True:
                self._hand_out()
                busy = [worker for worker in self.workers if worker.task is not None]
                if self.next not in self.done and not busy:
                    return
                self._take_in(busy, wait=self.next not in self.done)
                if self.next not in self.done:
                    continue
                self._hand_out()
                good, result = self.done.pop(self.next)
                self.next += 1
                if not good:
                    raise result
                yield result
        finally:
            for worker in self.workers:
                worker.stop()
            for worker in self.workers:
                worker.join()

    def _hand_out(self) -> None:
        """Give an item to everyone who has none, and start processes while there are more items."""
        idle = [worker for worker in self.workers if worker.task is None]
        while idle or len(self.workers) < self.jobs:
            task = self._task()
            if task is None:
                return
            if not idle:
                idle.append(self._started())
            worker = idle.pop()
            worker.task = task
            try:
                worker.connection.send(task.item)
            except OSError:
                self._lost(worker)

    def _task(self) -> _Task[_Item] | None:
        if self.again:
            return self.again.popleft()
        begun = self.next + len(self.done) + sum(worker.task is not None for worker in self.workers)
        return next(self.items, None) if begun < self.next + AHEAD else None

    def _take_in(self, busy: list[_Worker[_Item]], *, wait: bool) -> None:
        """Take the results that are there. Wait for one if there is nothing else to do."""
        from multiprocessing.connection import wait as ready

        there = ready([worker.connection for worker in busy], None if wait else 0) if busy else []
        for worker in busy:
            if worker.connection in there and worker.task is not None:
                try:
                    outcome = worker.connection.recv()
                except (EOFError, OSError):
                    self._lost(worker)
                    continue
                self.done[worker.task.number] = outcome
                worker.task = None

    def _lost(self, worker: _Worker[_Item]) -> None:
        """Let another process do what a lost one was working on."""
        self.workers.remove(worker)
        worker.join()
        task = worker.task
        assert task is not None
        task.lost += 1
        if task.lost >= TRIES:
            code = worker.process.exitcode or 0
            how = f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
            raise FsmError(
                f"{TRIES} processes, one after the other, have ended in the middle of the same piece of work, and the "
                f"last {how}",
                kind="lost-worker",
                found=code,
                remedy="run it with one job to see why, or with fewer if there is not enough memory",
            )
        self.again.append(task)

    def _started(self) -> _Worker[_Item]:
        from multiprocessing import get_context

        context = get_context("spawn")
        here, there = context.Pipe()
        process = context.Process(target=_serve, args=(there, self.work), daemon=True)
        worker = _Worker[_Item](process, here)
        with _interrupts_put_off():
            process.start()
            self.workers.append(worker)
        there.close()
        return worker


def _by_processes(
    jobs: int, work: Callable[[_Item], _Result], items: Iterator[_Item]
) -> Generator[_Result, None, None]:
    tasks = (_Task(number, item) for number, item in enumerate(items))
    return _Crew(jobs, work, tasks).results()


@contextmanager
def _interrupts_put_off() -> Iterator[None]:
    """Put off interrupts. A process that is started meanwhile begins so: it has no time to be
    interrupted.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # else it is started meanwhile, and undoes this
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Told(BaseException):
    """This process was told to end."""


def _serve(connection: Connection, work: Callable[[Any], Any]) -> None:
    """Work on items until there are no more, or the process that sends them is gone."""
    _leave_interrupts_alone()
    with suppress(_Told, EOFError, OSError):
        while True:
            item = connection.recv()
            connection.send_bytes(_outcome(work, item))


def _leave_interrupts_alone() -> None:
    """Leave it to the process that started this one what an interrupt means, and end tidily when
    told to.

    They are not ignored, because programs that this process starts would inherit that.
    """

    def told(*_: object) -> NoReturn:
        raise _Told

    signal.signal(signal.SIGINT, lambda *_: None)
    signal.signal(signal.SIGTERM, told)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _outcome(work: Callable[[Any], Any], item: object) -> bytes:
    """Return the pickle of (True, the result) or (False, what was raised)."""
    try:
        return pickle.dumps((True, work(item)))
    except (Exception, SystemExit) as error:
        if not isinstance(error, FsmError | OSError | SystemExit):
            error.add_note("".join(["In a worker process:\n", *traceback.format_exception(error)]))
        with suppress(Exception):
            sent = pickle.dumps((False, error))
            pickle.loads(sent)  # an exception of the user's may not allow it
            return sent
        return pickle.dumps((False, RuntimeError("".join(traceback.format_exception(error)))))


# executors and clusters ---------------------------------------------------------------------------


def _by_executor(
    pool: Executor, work: Callable[[_Item], _Result], items: Iterable[_Item], cluster: str = ""
) -> Generator[_Result, None, None]:
    waiting: deque[Future[_Result]] = deque()
    call = _Elsewhere(work) if cluster else work
    try:
        for item in items:
            waiting.append(pool.submit(call, item))
            if len(waiting) >= AHEAD:
                yield _result(waiting.popleft(), cluster)
        while waiting:
            yield _result(waiting.popleft(), cluster)
    finally:
        for future in waiting:
            future.cancel()


def _result(future: Future[_Result], cluster: str) -> _Result:
    try:
        return future.result()
    except (BrokenExecutor, CancelledError) as error:
        who = f"the cluster at {cluster}" if cluster else "the executor"
        raise FsmError(
            f"{who} gave up the work: {str(error) or 'it was cancelled'}", kind="lost-worker"
        ) from error
    except Exception as error:
        if type(error).__name__ == "KilledWorker":
            raise FsmError(
                f"the cluster at {cluster} has lost a worker again and again over the same piece of work",
                kind="lost-worker",
                remedy="look at the logs of its workers; they may need more memory",
            ) from error
        raise


_ALONE = threading.Lock()


@dataclass(frozen=True, slots=True)
class _Elsewhere(Generic[_Item, _Result]):
    """The work as a worker of a cluster does it: as a process of our own would, with the same
    version of turn-fsm.

    It works in the same folder, if it has that. It does one item at a time: if it has several
    threads, they would only take turns, and would share what is computed from a Model.
    """

    work: Callable[[_Item], _Result]
    version: str = field(default_factory=lambda: _version())
    folder: str = field(default_factory=os.getcwd)

    def __call__(self, item: _Item) -> _Result:
        if _version() != self.version:
            raise FsmError(
                f"a worker of the cluster has turn-fsm {_version()}",
                kind="version",
                found=_version(),
                remedy=f"install turn-fsm {self.version} there, as it is here",
            )
        with _ALONE, chdir(self.folder) if os.path.isdir(self.folder) else nullcontext():
            if self.folder not in sys.path:
                sys.path.append(self.folder)  # as the program does for a module of the user's
            return self.work(item)


def _version() -> str:
    version: str = import_module("fsm").__version__
    return version


@contextmanager
def _cluster(address: str) -> Iterator[Executor]:
    """Yield an executor of the workers of a Dask scheduler."""
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise FsmError(
            "a cluster needs the extra 'cluster': run pip install 'turn-fsm[cluster]'"
        ) from None
    try:
        distributed.comm.resolve_address(
            address
        )  # a client for a host that does not exist takes long to give up
        client = distributed.Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise FsmError(
            f"no Dask scheduler answers at {address!r}",
            kind="cluster",
            found=address,
            remedy="start one with `dask scheduler`, and give the address that it prints, such as tcp://127.0.0.1:8786",
        ) from error
    try:
        try:
            client.wait_for_workers(1, PATIENCE)
        except OSError:
            raise FsmError(
                f"the Dask scheduler at {address} has no workers",
                kind="cluster",
                found=address,
                remedy=f"start some with `dask worker {address} --nthreads 1`",
            ) from None
        yield client.get_executor(pure=False)
    finally:
        client.close()
