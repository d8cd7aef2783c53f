"""Are the primitives that a model names there, and do their arguments name what the model has?

The Model itself cannot tell: it knows nobody. Asked when a machine is made of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import get_args

from fsm.errors import ModelError, suggest
from fsm.model import Model, Opens
from fsm.state.primitives import ACTIONS, TESTS, Do, Test


def check_primitives(model: Model) -> None:
    """Raise ModelError at the first fact or transition that misuses a primitive."""
    for problem in misused_primitives(model):
        raise ModelError(f"model {model.name!r}: {problem}")


def misused_primitives(model: Model) -> Iterator[str]:
    """Yield for each fact and transition that misuses a primitive what is wrong, and what would be
    right.
    """
    known = _known(model)
    for where, kind, name, args, registry in _uses(model):
        if name in registry:
            yield from _misuse(where, registry[name], args, known)
        else:
            yield f"{where} names the {kind} {name!r}, which does not exist{suggest(name, registry)}"


def _uses(
    model: Model,
) -> Iterator[tuple[str, str, str, tuple[str, ...], Mapping[str, Test] | Mapping[str, Do]]]:
    for fact in model.facts:
        if fact.owner != "game" and fact.timing != "latched":
            name, *args = fact.test or ("",)
            yield f"fact {fact.name!r}", "test", name, tuple(args), TESTS
    for row in model.transitions:
        for action in row.actions:
            yield f"transition {row.id!r}", "action", action.name, action.args, ACTIONS


def _misuse(
    where: str, primitive: Test | Do, args: tuple[str, ...], known: Mapping[str, Collection[str]]
) -> Iterator[str]:
    wanted = [w.strip() for w in primitive.args.split(",") if w.strip()]
    if len(args) != len(wanted):
        yield f"{where}: write {primitive.name}({primitive.args}), not {primitive.name}({', '.join(args)})"
        return
    for kind, value in zip(wanted, args, strict=True):
        wrong = (
            not (value.isascii() and value.isdigit())
            if kind == "number"
            else value not in known.get(kind, (value,))
        )
        if wrong:
            yield f"{where}: {primitive.name}: {kind} {value!r} is unknown{suggest(value, known.get(kind, ()))}"


def _known(model: Model) -> dict[str, Collection[str]]:
    names = {w for s in model.states if s.composite for w in (s.name, s.family)}
    facts = [f for m in model.machines.values() for f in m.facts]
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
