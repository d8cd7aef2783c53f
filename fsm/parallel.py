"""Spreads work over processes of this machine or the workers of a Dask scheduler.

Work and results travel as pickles: trust a cluster as you trust code that you run.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from multiprocessing import active_children, get_context
from typing import Any, TypeVar, cast

from fsm.errors import FsmError

GRACE = 5
"""Seconds that a process has to end when it is told to. Then it is killed."""
PATIENCE = 10
"""Seconds that a Dask scheduler has to answer, and to have a worker."""

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


@contextmanager
def spread(
    work: Callable[[_Item], _Result], items: Iterable[_Item], *, jobs: int = 1, cluster: str = ""
) -> Iterator[Iterator[_Result]]:
    """Give the results of the work on all items, in the order of the items.

    If an error or an interrupt leaves the `with` block, it ends what is still worked on.

    Parameters
    ----------
    work
        A function of a module, or a `functools.partial` of one. It gets an item.
    items
        The items.
    jobs
        How many processes work at the same time. One job, or one item, needs no other process.
    cluster
        The address of a Dask scheduler, whose workers are used instead.

    Yields
    ------
    Iterator
        The results. What the work raises on an item is raised in place of its result.

    Raises
    ------
    FsmError
        If no worker can be had, or if one is lost.
    """
    tasks = list(items)
    if cluster and jobs > 1:
        raise FsmError("jobs are not used with a cluster; give one of the two")
    if cluster:
        with _cluster(cluster) as executor:
            yield executor.map(work, tasks)
    elif jobs > 1 and len(tasks) > 1:
        with _pool(min(jobs, len(tasks))) as executor:
            # An interrupt would end a process that is only starting with a traceback.
            before = signal.signal(signal.SIGINT, signal.SIG_IGN)
            results = executor.map(partial(_in_worker, work), tasks)
            signal.signal(signal.SIGINT, before)
            yield cast("Iterator[_Result]", results)
    else:
        yield map(work, tasks)


@contextmanager
def _pool(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Yield a pool of processes."""
    with ProcessPoolExecutor(jobs, get_context("spawn"), _start_worker) as executor:
        try:
            yield executor
        except BaseException as error:
            executor.shutdown(wait=False, cancel_futures=True)
            children = active_children()
            for child in children:
                child.terminate()
            for child in children:
                child.join(GRACE)
                child.kill()
                child.join()
            if isinstance(error, BrokenExecutor):
                raise FsmError(
                    "a worker process has ended in the middle of its work",
                    kind="lost-worker",
                    remedy="see why with one job, or give fewer if there is not enough memory",
                ) from error
            raise


@contextmanager
def _cluster(address: str) -> Iterator[Any]:
    """Yield an executor of the workers of a Dask scheduler."""
    try:
        dask = import_module("distributed")
    except ImportError:
        remedy = "run pip install 'turn-fsm[cluster]'"
        raise FsmError("a cluster needs the extra 'cluster'", remedy=remedy) from None
    try:
        dask.comm.resolve_address(address)  # a client tries long to reach an unknown host
        client = dask.Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        remedy = "start one with `dask scheduler`, and give the address that it prints"
        raise FsmError(f"no Dask scheduler answers at {address!r}", remedy=remedy) from error
    with client:
        try:
            client.wait_for_workers(1, PATIENCE)
            yield client.get_executor(pure=False)
        except (TimeoutError, CancelledError, dask.KilledWorker) as error:
            remedy = f"start some with `dask worker {address} --nthreads 1`, and see their logs"
            raise FsmError(
                f"the Dask scheduler at {address} has no workers", remedy=remedy
            ) from error


# in a worker process ------------------------------------------------------------------------------

_is_working = _is_ended = False


class _EndedError(BaseException):
    """The command has ended this process."""


def _start_worker() -> None:
    """Leave interrupts to the command. It ends this process by SIGTERM."""
    # SIGINT is not ignored, because the programs that the work starts would inherit that.
    signal.signal(signal.SIGINT, lambda *_: None)
    signal.signal(signal.SIGTERM, _end_worker)


def _end_worker(*_: object) -> None:
    """End the work, so that it ends what it has started. A result is still sent whole."""
    global _is_ended
    _is_ended = True
    if _is_working:
        raise _EndedError


def _in_worker(work: Callable[[_Item], _Result], item: _Item) -> _Result | None:
    """Work on an item, unless the command has ended this process."""
    global _is_working
    try:
        _is_working = True
        return None if _is_ended else work(item)
    except _EndedError:
        return None
    finally:
        _is_working = False
