"""Where a test gets a fresh machine: what `module:name` is, and how it is made or copied."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from fsm import rulesets
from fsm.adapters import importable, is_machine, machine_behind
from fsm.coverage.data import Subject
from fsm.coverage.machines import ReadMachine
from fsm.errors import ModelError


@dataclass(frozen=True, slots=True)
class MachineSource:
    """What `module:name` is.

    `made` says whether it is a function (or class) that is called; otherwise it is copied. `driven`
    says whether the result is an object that a machine drives, and not the machine itself.
    """

    spec: str
    made: bool
    driven: bool

    @property
    def module(self) -> str:
        """The name of the module."""
        return self.spec.partition(":")[0]

    @property
    def name(self) -> str:
        """The name in the module."""
        return self.spec.partition(":")[2]

    def fresh(self) -> Any:
        """Return a fresh machine. Raises ModelError if it cannot be copied."""
        found: Any = getattr(import_module(self.module), self.name)
        return machine_behind(found() if self.made else copied(found, self.spec))

    @property
    def subject(self) -> Subject:
        """Under which name and definition coverage records such a machine."""
        return ReadMachine(self.fresh()).subject


def source_of(spec: str) -> MachineSource:
    """Return what `module:name` is. Raises FsmError if it neither is nor makes a machine of
    `transitions`.
    """
    spec = importable(spec, "machine", ModelError)
    machine = rulesets.machine_of(spec)
    if machine is None:
        raise ModelError(f"{spec!r} is no machine of the transitions library, and makes none")
    found: Any = getattr(import_module(spec.partition(":")[0]), spec.partition(":")[2])
    made = callable(found) and not is_machine(found)
    return MachineSource(spec, made, driven=not is_machine(found() if made else found))


def copied(found: Any, name: str) -> Any:
    """Return a copy of a machine, or of an object that has one. Raises ModelError if there can be
    none.
    """
    try:
        return copy.deepcopy(found)
    except Exception as error:
        raise ModelError(
            f"{name!r} cannot be copied ({type(error).__name__}: {error}); "
            "name a function that makes one: module:function"
        ) from None
