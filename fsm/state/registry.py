"""Registers primitives: what a test asks or an action does, and what analyses know of it.

A primitive is one function of a run and of words. Its registration is the one place that says more
about it. Fields are those of `fsm.state.run.Run`; "step.returns" is a field of a field.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from inspect import signature
from typing import Any, TypeVar


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
        The names of the fields that a test may read or an action may change, with spaces between
        them. LEVEL in a name stands for the first argument.
    counts
        The field of those whose numbers a test compares with its first argument, so that larger
        numbers are alike to it.
    """

    name: str
    doc: str
    run: Callable[..., Any]
    wanted: tuple[str, ...]
    needs_model: bool
    fields: str = field(repr=False)
    counts: str = ""

    @property
    def args(self) -> str:
        """The arguments in words: "level, family"."""
        return ", ".join(self.wanted)

    def touches(self, args: tuple[str, ...]) -> frozenset[str]:
        """Return the fields that it may read, or change, with these arguments."""
        return frozenset(self.fields.replace("LEVEL", "".join(args[:1])).split())


TESTS: dict[str, Primitive] = {}
ACTIONS: dict[str, Primitive] = {}
_F = TypeVar("_F", bound=Callable[..., Any])


def _registers(
    registry: dict[str, Primitive], fields: str, *, counts: str = ""
) -> Callable[[_F], _F]:
    """Register a function as the primitive of its name. Its docstring says what it asks or does.
    `Primitive` has the parameters.
    """

    def register(function: _F) -> _F:
        _, *wanted = signature(function).parameters
        words = tuple(word.replace("_", " ") for word in wanted if word != "model")
        name = function.__name__
        doc = " ".join((function.__doc__ or "").split())
        takes = "model" in wanted
        registry[name] = Primitive(name, doc, function, words, takes, fields, counts)
        return function

    return register


test = partial(_registers, TESTS)
do = partial(_registers, ACTIONS)
