"""In which context (test) something is taken: known by thread and task, so that tests may run side by side."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

DIRECTORY = "FSM_COVERAGE"
CONTEXT = "FSM_COVERAGE_CONTEXT"
"""By these, processes that are started are told where to write, and in which context they begin."""
_own: ContextVar[str | None] = ContextVar("fsm_coverage_context", default=None)


class _Latest:
    """The context set last, anywhere in the process: that of threads that were started without one."""

    name = ""


def current() -> str:
    """The name of the context we are in; "" when there is none."""
    own = _own.get()
    return _Latest.name if own is None else own


def switch(name: str) -> None:
    """From now on, what is taken in this thread or task (and in those it starts) is taken in this context."""
    _own.set(name)
    set_everywhere(name)


@contextmanager
def context(name: str) -> Iterator[None]:
    """What is taken inside is taken in this context."""
    token, latest = _own.set(name), _Latest.name
    set_everywhere(name)
    try:
        yield
    finally:
        _own.reset(token)
        set_everywhere(latest)


@contextmanager
def everywhere(name: str) -> Iterator[None]:
    """What is taken meanwhile is taken in this context, in all threads and tasks that have none of their own.

    For one who runs one test after the other: a task may be older than the test.
    """
    before = _Latest.name
    set_everywhere(name)
    try:
        yield
    finally:
        set_everywhere(before)


def set_everywhere(name: str) -> None:
    """From now on, what is taken by threads and tasks that have no context of their own is taken in this one."""
    _Latest.name = name
    if DIRECTORY in os.environ:
        os.environ[CONTEXT] = name
