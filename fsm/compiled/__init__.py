"""The library's machine, compiled: triggers run straight code generated from the machine's
definition.

The machine is loaded when it is first used: who only wants what writing code has in common does
without the library.
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

__all__ = [
    "CompiledCondition",
    "CompiledEvent",
    "CompiledMachine",
    "CompiledState",
    "CompiledTransition",
]


def _import(name: str) -> object:  # not with `fsm.lazily`: nothing here imports another part of fsm
    home = {"CompiledEvent": "events", "CompiledMachine": "machine"}.get(name, "parts")
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


vars()["__getattr__"] = (
    _import  # type checkers do not see it: with it, they would let any name pass
)
