"""The current context (test), by thread and task, so that tests may run side by side."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import ClassVar

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

    context = _Context()
    names: ClassVar = [""]
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


def begin_everywhere(name: str) -> None:
    """Set the context with which a process begins."""
    _Latest.names[0] = name
    _tell()


def _tell() -> None:
    _Latest.context.name = _Latest.names[-1]
    if DIRECTORY in os.environ:
        os.environ[CONTEXT] = _Latest.names[-1]
