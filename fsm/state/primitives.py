"""The closed set of primitives: all that a guard may test and a transition's action may do.

A Model's facts (owner agenda or controller) name a test, its transitions name actions; both are
looked up here and nowhere else. Every test reads the `Run`, every action changes it. This is the
list an interpreter in another language has to implement; `docs/reference/api/primitives.md` prints
it as a table. A Model itself knows none of them: `misused_primitives` says what is wrong in it.

A primitive is one function of a run and of words.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from inspect import signature
from typing import Any, TypeVar, get_args

from fsm.errors import suggest
from fsm.model import Model, Opens


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
    counts
        The field of the run whose numbers a test compares with its first argument, so that larger
        numbers are alike to it.
    """

    name: str
    doc: str
    run: Callable[..., Any]
    wanted: tuple[str, ...]
    needs_model: bool
    counts: str = ""

    @property
    def args(self) -> str:
        """The arguments in words: "level, family"."""
        return ", ".join(self.wanted)


TESTS: dict[str, Primitive] = {}
ACTIONS: dict[str, Primitive] = {}
_F = TypeVar("_F", bound=Callable[..., Any])


def _registers(registry: dict[str, Primitive], counts: str = "") -> Callable[[_F], _F]:
    """Register a function as the primitive of its name. Its docstring says what it asks or does.
    `Primitive` has the parameters.
    """

    def register(function: _F) -> _F:
        _, *wanted = signature(function).parameters
        words = tuple(word.replace("_", " ") for word in wanted if word != "model")
        name = function.__name__
        doc = " ".join((function.__doc__ or "").split())
        takes = "model" in wanted
        registry[name] = Primitive(name, doc, function, words, takes, counts)
        return function

    return register


test = _registers(TESTS)
counting = partial(_registers, TESTS)
do = _registers(ACTIONS)

# what is wrong in a model -------------------------------------------------------------------------

_CHOICES: Mapping[str, Collection[str]] = {
    "level": ("phase", "step"),
    "any level": ("turn", "phase", "step"),
    "phase or turn": ("phase", "turn"),
    "kind": get_args(Opens),
    "among": ("living", "seated"),
    "side": ("active", "holder", "next_side"),
}
"""What arguments may be, by what they are called. Others are numbers, new words, or names of the
model.
"""
_NEW = ("tally", "moment")


def misused_primitives(model: Model) -> Iterator[str]:
    """Yield for each fact and transition that misuses a primitive what is wrong, and what would be
    right.
    """
    names = _names(model)
    for fact in model.facts:
        if fact.owner != "game" and fact.timing != "latched":
            for wrong in _misuse("test", TESTS, fact.test or ("",), names):
                yield f"fact {fact.name!r}: {wrong}"
    for row in model.transitions:
        for action in row.actions:
            for wrong in _misuse("action", ACTIONS, (action.name, *action.args), names):
                yield f"transition {row.id!r}: {wrong}"


def _misuse(
    kind: str, registry: Mapping[str, Primitive], call: Sequence[str], names: Collection[str]
) -> Iterator[str]:
    name, *args = call
    primitive = registry.get(name)
    if primitive is None:
        yield f"there is no {kind} {name!r}{suggest(name, registry)}"
        return
    if len(args) != len(primitive.wanted):
        yield f"write {name}({primitive.args}), not {name}({', '.join(args)})"
        return
    for wanted, value in zip(primitive.wanted, args, strict=True):
        right = _CHOICES.get(wanted, names)
        fits = value.isdecimal() if wanted == "number" else wanted in _NEW or value in right
        if not fits:
            yield f"{name}: {wanted} {value!r} is unknown{suggest(value, right)}"


def _names(model: Model) -> set[str]:
    """Return the names of all states, facts, scopes and settings."""
    names = {"turn", *(setting.name for setting in model.settings)}
    for machine in model.machines.values():
        for state in machine.states:
            names |= {state.id, state.name, state.family}
        for fact in machine.facts:
            names |= {fact.name, fact.scope}
    return names
