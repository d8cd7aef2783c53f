"""Registers primitives: what a test asks or an action does, and what analyses know of it.

A primitive is one function of a run and of words. Its registration is the one place that says more
about it. Fields are those of `fsm.state.run.Run`; "step.returns" is a field of a field.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from inspect import signature
from typing import Any

HERE = "here"
"""In place of the name of a phase or step: the one in which the test is read."""
Fields = frozenset[str]
Names = str | Callable[..., str]
"""Names of fields with spaces between them, or a function of the arguments that returns them.

LEVEL in a name stands for the first argument.
"""


@dataclass(frozen=True, slots=True)
class Opening:
    """What can make a test true, from which a search makes orders.

    Attributes
    ----------
    kind
        "skip" or "extra": a turn, phase or step that is skipped or added. "lone step": an added
        phase that holds only a step, other than this one. "other turn": a turn, or the control of
        one, out of order.
    level
        "turn", "phase" or "step". If it is "", a phase or a step.
    what
        Its name or family, or HERE. If it is "", anything.
    at
        The state at which it must begin, or "".
    before
        The step before which it must be added, or "".
    """

    kind: str
    level: str = ""
    what: str = ""
    at: str = ""
    before: str = ""


@dataclass(frozen=True, slots=True)
class Primitive:
    """A test or an action.

    Attributes
    ----------
    name, doc
        The name, and what it asks or does, in one sentence.
    run
        The function.
    wanted
        What its arguments are, in words.
    needs_model
        Whether the function takes the model, too.
    fields
        The fields that a test reads or an action changes.
    """

    name: str
    doc: str
    run: Callable[..., Any]
    wanted: tuple[str, ...]
    needs_model: bool
    fields: Names = field(repr=False)

    @property
    def args(self) -> str:
        """The arguments in words: "level, family"."""
        return ", ".join(self.wanted)

    def touches(self, args: tuple[str, ...]) -> Fields:
        """Return the fields that it reads, or changes, with these arguments."""
        words = self.fields if isinstance(self.fields, str) else self.fields(*args)
        level = args[0] if args else ""
        return frozenset(words.replace("LEVEL", level).split())


@dataclass(frozen=True, slots=True)
class Test(Primitive):
    """A test that guards can ask.

    Attributes
    ----------
    scheduled
        Whether it is false as long as nothing is scheduled, skipped or interrupted.
    false_at_start
        Whether it is false when a game begins, whatever orders were given before. That is not said
        of turns.
    opened_by
        The function of the arguments that returns what can make it true. If it is None, only the
        ordinary course of a game and its facts can.
    counts
        The field of those whose numbers it compares with its first argument, so that larger numbers
        are alike to it.
    """

    scheduled: bool = False
    false_at_start: bool = False
    opened_by: Callable[..., Opening] | None = None
    counts: str = ""
    __test__ = False

    def is_false_at_start(self, args: tuple[str, ...]) -> bool:
        """Say whether it is false with these arguments when a game begins."""
        return self.false_at_start and args[:1] != ("turn",)


TESTS: dict[str, Test] = {}
ACTIONS: dict[str, Primitive] = {}


def test(reads: Names, **more: Any) -> Callable[[Callable[..., bool]], Callable[..., bool]]:
    """Register a function as the test of its name. Its docstring is what the test asks. `Test` has
    the parameters.
    """

    def register(function: Callable[..., bool]) -> Callable[..., bool]:
        TESTS[function.__name__] = Test(**_described(function), fields=reads, **more)
        return function

    return register


def do(writes: Names) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Register a function as the action of its name. Its docstring is what it does."""

    def register(function: Callable[..., None]) -> Callable[..., None]:
        ACTIONS[function.__name__] = Primitive(**_described(function), fields=writes)
        return function

    return register


def opening_of(test: tuple[str, ...]) -> Opening | None:
    """Return what can make the test of a fact true, or None. The test has the name of a primitive
    and its arguments.
    """
    opened_by = TESTS[test[0]].opened_by if test else None
    return opened_by(*test[1:]) if opened_by is not None else None


def _described(function: Callable[..., Any]) -> dict[str, Any]:
    """Return what the definition of a primitive says of it."""
    _, *wanted = signature(function).parameters
    return {
        "name": function.__name__,
        "doc": " ".join((function.__doc__ or "").split()),
        "run": function,
        "wanted": tuple(word.replace("_", " ") for word in wanted if word != "model"),
        "needs_model": "model" in wanted,
    }
