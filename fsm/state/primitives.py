"""The closed set of primitives: all that a guard may test and a transition's action may do.

A Model's facts (owner agenda or controller) name a test, its transitions name actions; both are
looked up here and nowhere else. Every test reads the `Run`, every action changes it. This is the
list an interpreter in another language has to implement; `docs/reference/api/primitives.md` prints
it as a table. A Model itself knows none of them: `misused_primitives` says what is wrong in it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import get_args

from fsm.errors import suggest
from fsm.model import Model, Opens
from fsm.state import actions, guardtests
from fsm.state.registry import ACTIONS, TESTS, Primitive

__all__ = ["ACTIONS", "TESTS", "actions", "guardtests", "misused_primitives"]


def misused_primitives(model: Model) -> Iterator[str]:
    """Yield for each fact and transition that misuses a primitive what is wrong, and what would be
    right.
    """
    known = _known(model)
    for fact in model.facts:
        if fact.owner != "game" and fact.timing != "latched":
            for wrong in _misuse("test", TESTS, fact.test or ("",), known):
                yield f"fact {fact.name!r}: {wrong}"
    for row in model.transitions:
        for action in row.actions:
            for wrong in _misuse("action", ACTIONS, (action.name, *action.args), known):
                yield f"transition {row.id!r}: {wrong}"


def _misuse(
    kind: str,
    registry: Mapping[str, Primitive],
    call: Sequence[str],
    known: Mapping[str, Collection[str]],
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
        right = known.get(wanted, ())
        fits = value.isdecimal() if wanted == "number" else not right or value in right
        if not fits:
            yield f"{name}: {wanted} {value!r} is unknown{suggest(value, right)}"


def _known(model: Model) -> dict[str, Collection[str]]:
    """Return what arguments may be, by what they are called."""
    names = set[str]()
    for state in model.states:
        if state.composite:
            names |= {state.name, state.family}
    facts = list(model.facts)
    if model.window is not None:
        facts += model.window.facts
    return {
        "level": ("phase", "step"),
        "any level": ("turn", "phase", "step"),
        "phase or turn": ("phase", "turn"),
        "name": names,
        "family": {*names, "turn"},
        "step": {step.name for step in model.of_kind("step")},
        "state": {state.id for state in model.leaves},
        "setting": {setting.name for setting in model.settings},
        "fact": {fact.name for fact in facts if fact.timing == "latched"},
        "scope": {fact.scope for fact in facts},
        "kind": [opens for opens in get_args(Opens) if opens],
        "among": ("living", "seated"),
    }
