"""The extension that turn-fsm adds to coverage: games, proofs, rulesets by name, pages and pictures.

Modules are imported only when they are needed. Collecting loads no drawing code, and drawing loads no search.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from fsm.coverage.extension import Extension, Format, Instrument, Recorder, Recording
from fsm.errors import FsmError

if TYPE_CHECKING:
    from fsm.analysis.feasibility.proofs import Proofs
    from fsm.coverage import Data, Target
    from fsm.coverage.reports import Result
    from fsm.model import Model
    from fsm.model.graph import Arc, Graph


class GamesExtension(Extension):
    """Adds games of a TurnController, and everything else that an extension can add."""

    def instruments(self, buffers: Sequence[Recorder]) -> Sequence[Instrument]:
        """Return the instrument for TurnControllers."""
        from fsm.testing.instruments.controllers import ControllerInstrument

        return (ControllerInstrument(buffers),)

    def data_of(self, model: Model, game: Recording, context: str) -> Data:
        """Return the data of a Trace."""
        from fsm.testing.instruments.games import RecordedGame

        return RecordedGame.of_trace(model, game, context)

    def feasibility(self, graph: Graph) -> Proofs:
        """Return the proofs over the guards and what is known of the facts."""
        from fsm.analysis.feasibility.proofs import Proofs

        return Proofs(graph)

    def way_to(self, model: Model, criterion: str, target: Target) -> tuple[Arc, ...]:
        """Return the firings of a run that takes a target, or () if a short search finds none."""
        from fsm.testing.generation.routes import walk_to

        return walk_to(model, criterion, target)

    def built_in(self, name: str) -> Model | None:
        """Return the model of a built-in ruleset, or None if there is none or it does not have these options."""
        from fsm.rulesets import load, names

        if name.partition("?")[0] not in names():
            return None
        try:
            return load(name)
        except FsmError:
            return None

    def named(self, spec: str) -> Model:
        """Load a model as on the command line. Raises FsmError if it cannot be loaded."""
        from fsm.rulesets import load

        return load(spec, machines=True)

    def formats(self) -> Mapping[str, Format]:
        """Return the formats of pages and pictures."""
        return {"html": Format("fsm-coverage.html", _page), "svg": Format("fsm-coverage.svg", _pictures)}


def _page(results: Sequence[Result], file: str) -> Mapping[str, str]:
    from fsm.views.coverage.page import page

    return {file: page(results)}


def _pictures(results: Sequence[Result], file: str) -> Mapping[str, str]:
    from fsm.views.coverage.heat import heat_maps

    return heat_maps(results, file)
