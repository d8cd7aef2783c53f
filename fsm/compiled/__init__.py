"""The library's machine, compiled: triggers run straight code generated from the machine's definition.

The machine is loaded when it is first used: who only wants what writing code has in common does without the library.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fsm.compiled.events import CompiledEvent as CompiledEvent
    from fsm.compiled.machine import CompiledMachine as CompiledMachine
    from fsm.compiled.parts import CompiledCondition as CompiledCondition
    from fsm.compiled.parts import CompiledState as CompiledState
    from fsm.compiled.parts import CompiledTransition as CompiledTransition

_HOME = {
    "CompiledCondition": "fsm.compiled.parts",
    "CompiledEvent": "fsm.compiled.events",
    "CompiledMachine": "fsm.compiled.machine",
    "CompiledState": "fsm.compiled.parts",
    "CompiledTransition": "fsm.compiled.parts",
}
__all__ = sorted(_HOME)


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'fsm.compiled' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)
