"""The extension that turn-fsm adds to coverage: games, proofs, rulesets by name, and pages.

Modules are imported only when they are needed. Collecting loads no drawing code, and drawing loads
no search.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard

import fsm
from fsm.coverage.extension import Extension, Format, Game, Instrument, Recorder, Recording
from fsm.coverage.feasibility import Feasibility
from fsm.coverage.growing import is_ordered
from fsm.errors import FsmError, suggest

if TYPE_CHECKING:
    from fsm.coverage import Data, Target
    from fsm.coverage.reports import Result
    from fsm.coverage.target import Key
    from fsm.model import Model
    from fsm.model.graph import Arc, Graph
    from fsm.views.explorer.links import Link


class GamesExtension(Extension):
    """Adds games of a TurnController, and everything else that an extension can add."""

    game_class = "TurnController"

    def is_game(self, watched: object) -> TypeGuard[Game]:
        """Say whether an object is a TurnController."""
        from fsm.engine.controller import TurnController

        return isinstance(watched, TurnController)

    @property
    def version(self) -> str:
        """The version of the package and of the source files that the proofs depend on."""
        return _version()

    def instruments(self, buffers: Sequence[Recorder]) -> Sequence[Instrument]:
        """Return the instruments for TurnControllers and for compiled machines."""
        from fsm.testing.instruments.compiled import CompiledInstrument
        from fsm.testing.instruments.controllers import ControllerInstrument

        return (ControllerInstrument(buffers), CompiledInstrument())

    def data_of(self, model: Model, game: Recording, context: str) -> Data:
        """Return the data of a Trace."""
        from fsm.testing.instruments.games import RecordedGame

        return RecordedGame.of_trace(model, game, context)

    def feasibility(self, graph: Graph) -> Feasibility:
        """Return the proofs over the guards and what is known of the facts.

        Nothing is proved of a machine whose transitions changed, because the proofs rely on their
        order.
        """
        from fsm.analysis.feasibility.proofs import Proofs

        return Proofs(graph) if is_ordered(graph.whole) else Feasibility(graph)

    def way_to(self, model: Model, criterion: str, target: Target) -> tuple[Arc, ...]:
        """Return the firings of a run that takes a target, or () if a short search finds none."""
        from fsm.testing.generation.routes import walk_to

        return walk_to(model, criterion, target)

    def built_in(self, name: str) -> Model | None:
        """Return the model of a built-in ruleset, or None if there is none or it does not have
        these options.
        """
        from fsm.rulesets import load, names

        if name.partition("?")[0] not in names():
            return None
        try:
            return load(name)
        except FsmError:
            return None

    def check(self, spec: str) -> None:
        """Load a ruleset. Modules and files are not read."""
        from fsm.rulesets import load, names

        if ":" in spec or spec.endswith(".json"):
            return
        if spec.partition("?")[0] not in names():
            known = suggest(spec, [*names(), "all"])
            raise FsmError(
                f"{spec!r} is no ruleset{known} (or name module:machine, or a model's .json file)"
            )
        load(spec)

    def machine(self, spec: str) -> Any:
        """Return the machine that `module:machine` names, or the Model of a ruleset or file."""
        from fsm.rulesets import load, machine_of

        machine = machine_of(spec)
        return machine if machine is not None else load(spec, machines=True)

    def named(self, spec: str) -> Model:
        """Load a model as on the command line. Raises FsmError if it cannot be loaded."""
        from fsm.rulesets import load

        return load(spec, machines=True)

    def formats(self) -> Mapping[str, Format]:
        """Return the format of pages."""
        return {"html": Format("fsm-coverage.html", _page)}


@cache
def _version() -> str:
    found = sha256(fsm.__version__.encode())
    root = Path(fsm.__file__).parent
    for folder in ("analysis", "coverage", "model", "state"):
        for path in sorted((root / folder).rglob("*.py")):
            found.update(path.read_bytes())
    return found.hexdigest()


def _page(results: Sequence[Result], file: str) -> Mapping[str, str]:
    from fsm.views.coverage.page import pages

    return pages(results, file, _links_of)


def _links_of(result: Result) -> Mapping[str, Mapping[Key, Link]]:
    """Return links to games that take the targets that are missing."""
    from fsm.testing.generation.leading import ways_to
    from fsm.views.explorer.links import link_of

    missing = {
        coverage.criterion: coverage.missing for coverage in result.coverages if coverage.missing
    }
    first = {name: missing.pop(name) for name in ("transitions",) if name in missing}
    return {
        criterion: {
            key: link_of(path.start.controller(result.model), path.answers)
            for key, path in ways.items()
        }
        for criterion, ways in ways_to(result.model, first | missing).items()
    }
