"""The body of the pytest plugin. `pytest_turn_fsm` has its options."""

from fsm.coverage.plugin.collecting import begin

__all__ = ["begin"]
