"""The body of the pytest plugin. Its options are in `turn_fsm.coverageoptions`."""

from fsm.coverage.plugin.collecting import begin

__all__ = ["begin"]
