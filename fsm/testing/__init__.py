"""Assertions for tests about the path that a machine or a game took.

from fsm.testing import traversed
with traversed(machine) as t:
    machine.melt()
assert t.took("solid -> liquid")
"""

from __future__ import annotations

from fsm.lazily import names_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fsm.coverage.traversal import Traversal as Traversal
    from fsm.coverage.traversal import traversed as traversed
    from fsm.testing import fuzzing as fuzzing
    from fsm.testing import generation as generation
    from fsm.testing.fuzzing import fuzz as fuzz
    from fsm.testing.generation import paths as paths

__dir__, __all__ = names_from(
    __name__,
    {
        "fsm.testing.fuzzing": ("fuzz",),
        "fsm.testing.generation": ("paths",),
        "fsm.coverage.traversal": ("Traversal", "traversed"),
    },
    folders=("fuzzing", "generation"),
)
