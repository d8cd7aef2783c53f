"""Plain machines of the `transitions` library as Models, to be drawn, tabulated, checked and covered.

    from fsm.adapters import model_of
    model = model_of(machine)

Flat and nested, asynchronous, locked and graph machines alike. Nothing of the machine is called or changed.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeGuard

from fsm.model import Model, Transition

if TYPE_CHECKING:
    from collections.abc import Mapping

    import transitions

__all__ = ["Reading", "is_machine", "model_of", "read"]


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read of a machine: its Model, and the Model's row for each of its transitions, by the transition's id().

    The triggers `to_STATE`, which the library adds by itself, have no row.
    """

    model: Model
    rows: Mapping[int, Transition]


def is_machine(value: object) -> TypeGuard[transitions.Machine]:
    """Is this a machine of the `transitions` library, of any of its classes or of one derived from them?"""
    library: Any = sys.modules.get("transitions")
    return library is not None and isinstance(value, library.Machine)


def model_of(machine: transitions.Machine) -> Model:
    """The Model of a machine; of one made by `fsm.Machine.from_model`, the Model it was made from.

    States, nested ones as boxes; transitions as they were written, with their conditions as guards, in the order in
    which they are tried; callbacks as words. A wildcard or a list of sources is one transition for each source;
    pictures and tables show what every state has alike once, as "from any state". Transitions from or to a state that
    has been deleted are left out: nothing can take them. Raises ModelError when the machine cannot be one.
    """
    return read(machine).model


def read(machine: transitions.Machine) -> Reading:
    """The Model of a machine, and what it calls the machine's transitions. Raises ModelError as `model_of`."""
    from fsm.adapters.building import Building

    definition: object = getattr(machine, "definition", None)
    if isinstance(definition, Model):
        return Reading(definition, {})  # its transitions know their rows
    building = Building(machine)
    return Reading(building.model(), building.rows)
