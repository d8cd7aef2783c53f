"""Are the primitives that a model names there, and do their arguments name what the model has?

The Model itself cannot tell: it knows nobody. Asked when a machine is made of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import get_args

from fsm.errors import ModelError, suggest
from fsm.model import Model, Opens
from fsm.state.primitives import ACTIONS, TESTS
from fsm.state.registry import Primitive


def check_primitives(model: Model) -> None:
    """Raise ModelError at the first fact or transition that misuses a primitive."""
    for problem in misused_primitives(model):
        raise ModelError(f"model {model.name!r}: {problem}")


def misused_primitives(model: Model) -> Iterator[str]:
    """Yield for each fact and transition that misuses a primitive what is wrong, and what would be
    right.
    """
    known = _known(model)
    for fact in model.facts:
        if fact.owner != "game" and fact.timing != "latched":
            name, *args = fact.test or ("",)
            yield from _misuse(f"fact {fact.name!r}", "test", name, args, known)
    for row in model.transitions:
        for action in row.actions:
            where = f"transition {row.id!r}"
            yield from _misuse(where, "action", action.name, action.args, known)


def _misuse(
    where: str, kind: str, name: str, args: Sequence[str], names: Mapping[str, Collection[str]]
) -> Iterator[str]:
    registry: Mapping[str, Primitive] = TESTS if kind == "test" else ACTIONS
    primitive = registry.get(name)
    if primitive is None:
        text = f"{where} names the {kind} {name!r}, which does not exist"
        yield text + suggest(name, registry)
        return
    if len(args) != len(primitive.wanted):
        yield f"{where}: write {name}({primitive.args}), not {name}({', '.join(args)})"
        return
    for wanted, value in zip(primitive.wanted, args, strict=True):
        right = value in names.get(wanted, (value,))
        if wanted == "number":
            right = value.isascii() and value.isdigit()
        if not right:
            text = f"{where}: {name}: {wanted} {value!r} is unknown"
            yield text + suggest(value, names.get(wanted, ()))


def _known(model: Model) -> dict[str, Collection[str]]:
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
        "step": {s.name for s in model.of_kind("step")},
        "state": {s.id for s in model.leaves},
        "setting": {s.name for s in model.settings},
        "fact": {f.name for f in facts if f.timing == "latched"},
        "scope": {f.scope for f in facts},
        "kind": [opens for opens in get_args(Opens) if opens],
        "among": ("living", "seated"),
    }
