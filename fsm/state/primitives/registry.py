"""Registers primitives: what a test asks or an action does, and everything that analyses know of
it.

A primitive is one function, and its registration is the one place that says more about it. Names of
fields are those of `fsm.state.run.Run` and of its agenda.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fsm.state.primitives.openings import Opening

Fields = frozenset[str]
Names = str | Callable[..., str]
"""Names of fields with spaces between them, or a function of the arguments that returns them.

LEVEL in a name stands for the first argument.
"""


@dataclass(frozen=True, slots=True)
class Test:
    """A test that guards can ask.

    Attributes
    ----------
    name, args, doc
        The name, the arguments in words, and what it asks.
    run
        The function that answers it.
    reads
        The fields that it reads, or None if they are not known. It may compare names of players
        with one another, and ids of occurrences; which they are makes no difference to it.
    counts
        The field of those whose numbers it compares with its first argument, so that larger numbers
        are alike to it.
    scheduled
        Whether it is false as long as nothing is scheduled, skipped or interrupted, and nobody has
        left.
    false_at_start
        Whether it is false when a game begins, whatever orders were given before: for every
        argument, or for these first arguments.
    opened_by
        What can make it true, or a function of the arguments that returns it. If it is None, only
        the ordinary course of a game and its facts can.
    """

    name: str
    args: str
    doc: str
    run: Callable[..., bool]
    reads: Names | None = None
    scheduled: bool = False
    false_at_start: bool | tuple[str, ...] = False
    opened_by: Opening | Callable[..., Opening] | None = None
    counts: str = ""
    __test__ = False

    def fields_read(self, args: tuple[str, ...]) -> Fields | None:
        """Return the fields that it may read with these arguments, or None if they are not known."""
        return _fields(self.reads, args)

    def is_false_at_start(self, args: tuple[str, ...]) -> bool:
        """Say whether it is false with these arguments when a game begins."""
        first = self.false_at_start
        return first if isinstance(first, bool) else args[0] in first

    def opening(self, args: tuple[str, ...]) -> Opening | None:
        """Return what can make it true with these arguments, or None."""
        return self.opened_by(*args) if callable(self.opened_by) else self.opened_by


@dataclass(frozen=True, slots=True)
class Do:
    """An action that transitions can do.

    Attributes
    ----------
    name, args, doc
        The name, the arguments in words, and what it does.
    run
        The function that does it.
    writes
        The fields that it may change, or None if they are not known. What it does with the number
        of the turn, with counts of turns and with ids of occurrences is to add to them; which they
        are makes no difference to it.
    """

    name: str
    args: str
    doc: str
    run: Callable[..., None]
    writes: Names | None = None

    def fields_written(self, args: tuple[str, ...]) -> Fields | None:
        """Return the fields that it may change with these arguments, or None if they are not known."""
        return _fields(self.writes, args)


TESTS: dict[str, Test] = {}
ACTIONS: dict[str, Do] = {}


def test(
    args: str = "",
    *,
    reads: Names | None = None,
    scheduled: bool = False,
    false_at_start: bool | tuple[str, ...] = False,
    opened_by: Opening | Callable[..., Opening] | None = None,
    counts: str = "",
) -> Callable[[Callable[..., bool]], Callable[..., bool]]:
    """Register a function as the test of its name. Its docstring is what the test asks. `Test` has
    the parameters.
    """

    def register(function: Callable[..., bool]) -> Callable[..., bool]:
        name, doc = function.__name__, _sentence(function)
        TESTS[name] = Test(
            name, args, doc, function, reads, scheduled, false_at_start, opened_by, counts
        )
        return function

    return register


def do(
    args: str = "", *, writes: Names | None = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Register a function as the action of its name. Its docstring is what it does. `Do` has the
    parameters.
    """

    def register(function: Callable[..., None]) -> Callable[..., None]:
        name = function.__name__
        ACTIONS[name] = Do(name, args, _sentence(function), function, writes)
        return function

    return register


def opening_of(test: tuple[str, ...]) -> Opening | None:
    """Return what can make the test of a fact true, or None. The test has the name of a primitive
    and its arguments.
    """
    known = TESTS.get(test[0]) if test else None
    return known.opening(test[1:]) if known is not None else None


def _fields(names: Names | None, args: tuple[str, ...]) -> Fields | None:
    if names is None:
        return None
    words = names if isinstance(names, str) else names(*args)
    return frozenset(word.replace("LEVEL", args[0]) if args else word for word in words.split())


def _sentence(function: Callable[..., object]) -> str:
    """Return the docstring of a primitive on one line."""
    return " ".join((function.__doc__ or "").split())
