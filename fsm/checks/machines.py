"""The machine of the `transitions` library that a specification names: its Model does not tell everything of it."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from fsm.foreign import is_machine


def machine_of(spec: str) -> Any:
    """The machine of "module:attribute", once `fsm.rulesets.load` has loaded it; None when it names something else."""
    module, colon, attribute = spec.partition("?")[0].partition(":")
    if not colon or module.endswith(".json") or "/" in module:
        return None
    found = getattr(import_module(module), attribute, None)
    if callable(found) and not is_machine(found):
        found = found()
    return found if is_machine(found) else None
