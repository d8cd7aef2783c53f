"""The library's machine, compiled: triggers run straight code generated from the machine's definition."""

from fsm.compiling.events import CompiledEvent
from fsm.compiling.machine import CompiledMachine
from fsm.compiling.parts import CompiledCondition, CompiledState, CompiledTransition

__all__ = ["CompiledCondition", "CompiledEvent", "CompiledMachine", "CompiledState", "CompiledTransition"]
