"""Analysis of a Model before it is played: checks, feasibility and model checking."""

from __future__ import annotations

from fsm.lazily import names_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fsm.analysis import checks as checks
    from fsm.analysis import modelchecking as modelchecking

__dir__, __all__ = names_from(__name__, {}, folders=("checks", "modelchecking"))
