"""Views of a Model: pictures, tables, differences, exports, the explorer, and notebooks."""

from __future__ import annotations

from fsm.lazily import names_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fsm.runs.timeline import timeline as timeline
    from fsm.views import inspector as inspector
    from fsm.views.drawing import draw as draw
    from fsm.views.explorer import explore as explore
    from fsm.views.tables import tabulate as tabulate


__dir__, __all__ = names_from(
    __name__,
    {
        "fsm.runs.timeline": ("timeline",),
        "fsm.views.drawing": ("draw",),
        "fsm.views.explorer": ("explore",),
        "fsm.views.tables": ("tabulate",),
    },
    folders=("inspector",),
)
