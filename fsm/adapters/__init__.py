"""Read machines of the `transitions` library as Models, which can be drawn, tabulated, checked and
measured.

    from fsm.adapters import model_of
    model = model_of(machine)

Flat, nested, asynchronous, locked and graph machines are all supported. Reading calls no callback
of the machine and changes nothing in it.
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
    """The result of reading a machine.

    Attributes
    ----------
    model
        The Model of the machine.
    rows
        The Model's transition for each transition of the machine, by the `id()` of the latter. The
        triggers `to_STATE`, which the library adds by itself, are not included.
    """

    model: Model
    rows: Mapping[int, Transition]


def is_machine(value: object) -> TypeGuard[transitions.Machine]:
    """Say whether a value is a machine of the `transitions` library.

    Parameters
    ----------
    value
        Any object. The library is not imported to answer the question.

    Returns
    -------
    bool
        True for every machine class of the library and for classes derived from one.
    """
    library: Any = sys.modules.get("transitions")
    return library is not None and isinstance(value, library.Machine)


def model_of(machine: transitions.Machine) -> Model:
    """Return the Model of a machine of the `transitions` library.

    Nested states become boxes, conditions become guards, and callbacks become words. Transitions
    keep the order in which the machine tries them. A wildcard or a list of sources becomes one
    transition for each source; pictures and tables show once, as "from any state", what all states
    have in common. Transitions from or to a deleted state are left out, because they can never
    fire.

    Parameters
    ----------
    machine
        A machine of any class of the library.

    Returns
    -------
    Model
        The Model that was read. For a machine made by `fsm.engine.Machine.from_model`, this is the
        Model that it was made from.

    Raises
    ------
    ModelError
        If the machine cannot be a Model, for instance because it has no states.
    """
    return read(machine).model


def read(machine: transitions.Machine) -> Reading:
    """Return the Model of a machine together with the mapping from the machine's transitions to
    those of the Model.

    Parameters
    ----------
    machine
        A machine of any class of the `transitions` library.

    Returns
    -------
    Reading
        The Model and the mapping.

    Raises
    ------
    ModelError
        If the machine cannot be a Model. See `model_of`.
    """
    from fsm.adapters.building import Building

    definition: object = getattr(machine, "definition", None)
    if isinstance(definition, Model):
        return Reading(definition, machine.rows)
    building = Building(machine)
    return Reading(building.model(), building.rows)
