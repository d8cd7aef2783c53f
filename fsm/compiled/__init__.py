"""The library's machine, compiled: triggers run straight code generated from the machine's definition.

The machine is loaded when it is first used: who only wants what writing code has in common does without the library.
"""

from __future__ import annotations

from fsm.lazily import names_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fsm.compiled.events import CompiledEvent as CompiledEvent
    from fsm.compiled.machine import CompiledMachine as CompiledMachine
    from fsm.compiled.parts import CompiledCondition as CompiledCondition
    from fsm.compiled.parts import CompiledState as CompiledState
    from fsm.compiled.parts import CompiledTransition as CompiledTransition

__dir__, __all__ = names_from(
    __name__,
    {
        "fsm.compiled.events": ("CompiledEvent",),
        "fsm.compiled.machine": ("CompiledMachine",),
        "fsm.compiled.parts": ("CompiledCondition", "CompiledState", "CompiledTransition"),
    },
)
