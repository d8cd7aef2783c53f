"""Plain machines of the `transitions` library as Models, to be drawn and tabulated.

    from fsm.foreign import model_of
    model = model_of(machine)

Flat and nested, asynchronous, locked and graph machines alike. Nothing of the machine is called or changed.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, TypeGuard

from fsm.model import Model

if TYPE_CHECKING:
    from collections.abc import Mapping

    import transitions

    from fsm.drawing.asked import Now
    from fsm.model import Transition


def is_machine(value: object) -> TypeGuard[transitions.Machine]:
    """Is this a machine of the `transitions` library, of any of its classes or of one derived from them?"""
    library: Any = sys.modules.get("transitions")
    return library is not None and isinstance(value, library.Machine)


def model_of(machine: transitions.Machine) -> Model:
    """The Model of a machine; of one made by `fsm.Machine.from_model`, the Model it was made from.

    States, nested ones as boxes; transitions with their conditions as guards, in the order in which they are
    tried; callbacks as words. A transition that every state has is one "from anywhere". Transitions from or to a
    state that has been deleted are left out: nothing can take them. Raises ModelError when the machine cannot be one.
    """
    from fsm.foreign.building import build

    definition: object = getattr(machine, "definition", None)
    return definition if isinstance(definition, Model) else build(machine)


def rows_of(machine: transitions.Machine) -> Mapping[int, Transition]:
    """The row of the machine's Model for each of its transitions, by the transition's id().

    One row may stand for several, which every state has alike. The triggers `to_STATE`, which the library adds by
    itself, have none. Raises ModelError when the machine cannot be a Model.
    """
    from fsm.foreign.rows import rows

    return rows(machine)


def now_of(machine: transitions.Machine, number: int = 0) -> Now:
    """Where the machine's model of this number stands, to be laid over its picture.

    All transitions of that state count as open: the conditions, which are code, are not asked.
    Raises ModelError when the machine has no such model.
    """
    from fsm.foreign.standing import standing

    return standing(machine, model_of(machine), number)
