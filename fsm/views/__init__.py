"""Pictures, tables and the explorer of a Model, and the reading of a turn that they are made from.

The reading is plain frozen values, so that a client can draw its own turn:

    from fsm.views import read
    turn = read("magic")
    print([step.title for step in turn.steps])
"""

from __future__ import annotations

from fsm.lazily import names_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fsm.runs.timeline import timeline as timeline
    from fsm.views.explorer import explore as explore
    from fsm.views.overlays import Counts as Counts, Now as Now
    from fsm.views.reader import read as read
    from fsm.views.reading import (
        END as END,
        HOLE as HOLE,
        Line as Line,
        Note as Note,
        Phase as Phase,
        Reason as Reason,
        Step as Step,
        Turn as Turn,
        Way as Way,
    )
    from fsm.views.tables import tabulate as tabulate

__dir__, __all__ = names_from(
    __name__,
    {
        "fsm.runs.timeline": "timeline",
        "fsm.views.explorer": "explore",
        "fsm.views.overlays": "Counts Now",
        "fsm.views.reader": "read",
        "fsm.views.reading": "END HOLE Line Note Phase Reason Step Turn Way",
        "fsm.views.tables": "tabulate",
    },
)
