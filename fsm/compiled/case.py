"""What a function is generated for, what comes of it, and what it calls by names of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from transitions import core

from fsm.compiled.parts import CompiledCondition, CompiledState, CompiledTransition


class NotCompiled(Exception):
    """Why an event in a state is left to the library; the argument is a sentence's end."""


@dataclass(frozen=True)
class Written:
    """Source of one function, its name, and the objects its names stand for."""

    name: str
    source: str
    names: dict[str, Any]


@dataclass(frozen=True)
class Case:
    """What a function is written for: an event in a state, for models of a class, with arguments or
    without.
    """

    machine: core.Machine
    event: core.Event
    state: core.State
    model_class: type
    arguments: bool


def named(name: str, model: object) -> Any:
    """The callable that the library finds for a name: the model's, or one to import."""
    return core.Machine.resolve_callable(name, _Subject(model))  # type: ignore[arg-type]


def finalize_failed(machine: core.Machine, error: BaseException) -> None:
    """Log what a finalize_event callback raised, in the library's words."""
    told = "%sWhile executing finalize callbacks a %s occurred: %s."
    core._LOGGER.error(told, machine.name, type(error).__name__, str(error))


class _Subject:
    """The part of EventData by which the library finds a callable."""

    __slots__ = ("model",)

    def __init__(self, model: object) -> None:
        self.model = model


def written_out(part: object) -> bool:
    """Is it a part whose callbacks are written out, not one whose class is foreign or overrides its
    working?
    """
    kind: Any = type(part)
    if isinstance(part, CompiledTransition):
        parts = ("_eval_conditions", "_change_state", "execute")
        return all(getattr(kind, name) is getattr(core.Transition, name) for name in parts)
    if isinstance(part, CompiledState):
        return kind.enter is core.State.enter and kind.exit is core.State.exit
    return isinstance(part, CompiledCondition) and kind.check is core.Condition.check


def overridden(owner: object, kind: type, method: str) -> bool:
    """Is this method of the library's class replaced, on the object or in its class?"""
    return method in vars(owner) or getattr(type(owner), method) is not getattr(kind, method)
