"""Makes compiled machines use the library's code during a collection, where it is instrumented."""

from __future__ import annotations

from typing import Any

from fsm.compiled import CompiledMachine
from fsm.compiled.tables import forget_code
from fsm.coverage.instrumentation.instrument import Instrument
from fsm.coverage.instrumentation.patching import Patches


class CompiledInstrument(Instrument):
    """Turns the compiled code off while it watches. The instrument of the library records."""

    def __init__(self) -> None:
        self.patches = Patches()

    def watch(self) -> None:
        """Turn the compiled code off."""
        original: Any = CompiledMachine.compiled
        self.patches.put(
            CompiledMachine, "compiled", property(lambda machine: False, original.fset)
        )
        forget_code()

    def stop(self) -> None:
        """Turn the compiled code on again."""
        self.patches.undo()
        forget_code()
