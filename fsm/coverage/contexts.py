"""The current context (test), by thread and task, so that tests may run side by side."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

DIRECTORY = "FSM_COVERAGE"
CONTEXT = "FSM_COVERAGE_CONTEXT"
ROOT = "FSM_COVERAGE_ROOT"
"""These variables tell child processes where to write, in which context they begin, and from where
paths are shown.
"""


class _Context:
    """A context, with its name."""

    __slots__ = ("name",)

    def __init__(self, name: str = "") -> None:
        self.name = name


class _Latest:
    """What was set last anywhere in the process. Its context applies to threads that were started
    without one.
    """

    context = _Context()
    root = ""


_own: ContextVar[_Context] = ContextVar("fsm_coverage_context", default=_Latest.context)
here = _own.get
"""Returns the current context."""


def current() -> str:
    """Return the name of the current context, or "" if there is none."""
    return here().name


def root() -> str:
    """Return the directory from which the paths of the user's files are shown."""
    return _Latest.root or os.environ.get(ROOT, "") or os.getcwd()


def set_root(directory: str) -> None:
    """Set the directory from which paths are shown. With "", it is that of the environment, or the
    current one.
    """
    _Latest.root = directory


def switch(name: str) -> None:
    """Set the context from now on, in this thread or task and in those that it starts.

    Parameters
    ----------
    name
        The name of the context, usually of a test.
    """
    _own.set(_Context(name))
    set_everywhere(name)


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
    before = _Latest.context.name
    set_everywhere(name)
    try:
        yield
    finally:
        set_everywhere(before)


def set_everywhere(name: str) -> None:
    """Set the context from now on for all threads and tasks that have no context of their own."""
    _Latest.context.name = name
    if DIRECTORY in os.environ:
        os.environ[CONTEXT] = name
