"""The library's machine, compiled: triggers run straight code generated from the machine's definition.

The machine is loaded when it is first used: who only wants what writing code has in common does without the library.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fsm.compiling.events import CompiledEvent as CompiledEvent
    from fsm.compiling.machine import CompiledMachine as CompiledMachine
    from fsm.compiling.parts import CompiledCondition as CompiledCondition
    from fsm.compiling.parts import CompiledState as CompiledState
    from fsm.compiling.parts import CompiledTransition as CompiledTransition

_HOME = {
    "CompiledCondition": "fsm.compiling.parts",
    "CompiledEvent": "fsm.compiling.events",
    "CompiledMachine": "fsm.compiling.machine",
    "CompiledState": "fsm.compiling.parts",
    "CompiledTransition": "fsm.compiling.parts",
}
__all__ = sorted(_HOME)


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'fsm.compiling' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)
