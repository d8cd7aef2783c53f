"""Pictures, tables and the explorer of a Model, and the timeline of what was played."""

from __future__ import annotations

from fsm.lazily import names_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fsm.views.explorer import explore as explore
    from fsm.views.reader import read as read
    from fsm.views.tables import tabulate as tabulate

__dir__, __all__ = names_from(
    __name__,
    {
        "fsm.views.explorer": ("explore",),
        "fsm.views.reader": ("read",),
        "fsm.views.tables": ("tabulate",),
    },
)
