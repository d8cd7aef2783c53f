"""Modules by the names that they had before 0.1.0 was released: they import with a
DeprecationWarning, until 1.0.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec

TYPE_CHECKING = False  # as in typing, whose import would cost more than this module
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

MOVED = {
    "fsm.agenda": "fsm.state.agenda",
    "fsm.answers": "fsm.engine.answers",
    "fsm.arguments": "fsm.state.arguments",
    "fsm.asking": "fsm.engine.requesting",
    "fsm.calendar": "fsm.state.calendar",
    "fsm.chains": "fsm.engine.generated",
    "fsm.checks": "fsm.analysis.checks",
    "fsm.checks.ways": "fsm.analysis.checks.findingpaths",
    "fsm.cli.played": "fsm.cli.report",
    "fsm.codec": "fsm.engine.codec",
    "fsm.compiling": "fsm.compiled",
    "fsm.conform": "fsm.conformance.following",
    "fsm.controller": "fsm.engine.controller",
    "fsm.decoding": "fsm.engine.decoding",
    "fsm.diffing": "fsm.views.diff",
    "fsm.diffing.places": "fsm.views.diff.headings",
    "fsm.diffing.union": "fsm.views.diff.combining",
    "fsm.drawing": "fsm.views.drawing",
    "fsm.expectations": "fsm.scenarios.expectations",
    "fsm.explaining": "fsm.conformance.explanations",
    "fsm.exploring": "fsm.views.explorer",
    "fsm.fieldtypes": "fsm.model.fieldtypes",
    "fsm.foreign": "fsm.adapters",
    "fsm.fuzzing": "fsm.testing.fuzzing",
    "fsm.fuzzing.again": "fsm.testing.fuzzing.caseplaying",
    "fsm.fuzzing.known": "fsm.testing.fuzzing.modelparameters",
    "fsm.fuzzing.point": "fsm.testing.fuzzing.observedpoint",
    "fsm.fuzzing.recorded": "fsm.testing.fuzzing.traceinvariants",
    "fsm.fuzzing.twins": "fsm.testing.fuzzing.gamecopies",
    "fsm.fuzzing.words": "fsm.testing.fuzzing.gameelements",
    "fsm.given": "fsm.engine.answer_log",
    "fsm.history": "fsm.embedding.history",
    "fsm.host": "fsm.embedding.host",
    "fsm.machine": "fsm.engine.machine",
    "fsm.modelfile": "fsm.model.jsonform",
    "fsm.notebook": "fsm.views.notebook",
    "fsm.parts": "fsm.model.elements",
    "fsm.passing": "fsm.embedding.autopass",
    "fsm.paths": "fsm.testing.generation",
    "fsm.paths.place": "fsm.testing.generation.waitinggame",
    "fsm.paths.wanted": "fsm.testing.generation.searchgoal",
    "fsm.places": "fsm.engine.wait_points",
    "fsm.play": "fsm.scenarios",
    "fsm.preview": "fsm.embedding.preview",
    "fsm.primitives": "fsm.state.primitives",
    "fsm.proving": "fsm.analysis.modelchecking",
    "fsm.proving.following": "fsm.analysis.modelchecking.breaches",
    "fsm.proving.judging": "fsm.analysis.modelchecking.propertychecker",
    "fsm.proving.reading": "fsm.analysis.modelchecking.eventmatching",
    "fsm.recorder": "fsm.engine.recorder",
    "fsm.recording": "fsm.engine.records",
    "fsm.recordings": "fsm.conformance.recordings",
    "fsm.reference": "fsm.views.reference",
    "fsm.replaying": "fsm.engine.replay",
    "fsm.requests": "fsm.engine.requests",
    "fsm.rulesets.rows": "fsm.rulesets.frame.rows",
    "fsm.rulesets.table": "fsm.rulesets",
    "fsm.rulesets.windows": "fsm.rulesets.frame.windows",
    "fsm.run": "fsm.state.run",
    "fsm.saving": "fsm.embedding.autosave",
    "fsm.scenario": "fsm.scenarios",
    "fsm.scenarios.claims": "fsm.scenarios.expectationchecks",
    "fsm.scenarios.findings": "fsm.scenarios.discrepancies",
    "fsm.scenarios.known": "fsm.scenarios.modelvocabulary",
    "fsm.scenarios.wording": "fsm.scenarios.wordchecks",
    "fsm.scenarios.wordkinds": "fsm.scenarios.verbparts",
    "fsm.scenarios.words": "fsm.scenarios.modelwords",
    "fsm.scheduling": "fsm.state.scheduling",
    "fsm.scripted": "fsm.scenarios.scriptedgame",
    "fsm.seating": "fsm.state.setup",
    "fsm.seeking": "fsm.conformance.search",
    "fsm.showing": "fsm.views.standing",
    "fsm.silent": "fsm.engine.internal_steps",
    "fsm.snapshot": "fsm.engine.snapshot",
    "fsm.stepcodes": "fsm.model.stepcodes",
    "fsm.stepwise": "fsm.engine.interpreter",
    "fsm.stops": "fsm.embedding.stops",
    "fsm.subscriptions": "fsm.embedding.subscriptions",
    "fsm.tabling": "fsm.views.tables",
    "fsm.tabling.following": "fsm.views.tables.stateorder",
    "fsm.tabling.lines": "fsm.views.tables.steprows",
    "fsm.tabling.places": "fsm.views.tables.destinations",
    "fsm.taken": "fsm.runs.taken",
    "fsm.timeline": "fsm.runs.timeline",
    "fsm.trace": "fsm.engine.trace",
    "fsm.turns": "fsm.runs.turns",
    "fsm.visits": "fsm.runs.visits",
    "fsm.wellformed": "fsm.model.wellformed",
    "fsm.wire": "fsm.embedding.wire",
}
"""The new name of each module, or of all in a folder."""


class OldNames:
    """Finds a module by its old name, for `sys.meta_path`."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: object = None
    ) -> ModuleSpec | None:
        """How to import it; None for any other module."""
        return ModuleSpec(name, self) if name.startswith("fsm.") and new_name(name) else None  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> None:
        """Python makes an empty module, which `exec_module` replaces."""

    def exec_module(self, module: ModuleType) -> None:
        """Put the module of the new name in its place, so that there is only one."""
        import warnings

        old = module.__name__
        new = new_name(old)
        warnings.warn(
            f"{old} is now {new}; the old name goes with version 1.0",
            DeprecationWarning,
            stacklevel=2,
        )
        sys.modules[old] = import_module(new)


def new_name(old: str) -> str:
    """What this module is called now; "" when it was not moved."""
    folder = old
    while "." in folder:
        if folder in MOVED:
            return MOVED[folder] + old[len(folder) :]
        folder = folder.rpartition(".")[0]
    return ""
