"""Proofs of a Model within bounds: positions, stuck or ambiguous positions, properties, and
witnesses.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field

from fsm.checks.modelchecking.bounds import Bounds
from fsm.checks.modelchecking.breaches import breach
from fsm.checks.modelchecking.exploration import BadPosition, Explorer
from fsm.checks.modelchecking.propertychecker import PropertyChecker, Verdict
from fsm.checks.modelchecking.witness import (
    answers_into_trouble,
    answers_of,
    path_to_breach,
    path_to_trouble,
    pending_cycle,
)
from fsm.checks.modelchecking.witnessfiles import WitnessFile, written, written_as_trace
from fsm.engine.requests import Answer
from fsm.model import Model
from fsm.model.likeness import ModelLike, as_model
from fsm.rulesets.properties import Property
from fsm.rulesets.stated_properties import properties_of
from fsm.state.orders import Order


@dataclass(frozen=True, slots=True)
class Witness:
    """A shortest game that shows one thing that is wrong.

    Attributes
    ----------
    name
        The short name of what is wrong.
    what
        What is wrong, in one sentence.
    answers
        The answers that lead there from the start of the game.
    file
        A file that plays these answers.
    loop
        How many of the last answers lead back to where the game stood before them, so that they can
        be repeated for ever. It is 0 unless something that must happen in the end never does.
    """

    name: str
    what: str
    answers: tuple[Answer, ...]
    file: WitnessFile
    loop: int = 0


@dataclass(slots=True)
class Proof:
    """The result of exploring every game within bounds.

    Attributes
    ----------
    ruleset
        The specification of the ruleset.
    bounds
        The bounds of the exploration.
    positions
        How many positions were reached.
    transitions
        How many transitions between positions were found.
    seconds
        The time spent on exploring and on judging.
    verdicts
        The verdict on each property.
    violated
        The properties that do not hold.
    troubles
        The positions that are stuck or ambiguous.
    witnesses
        One witness for each thing that is wrong.
    """

    ruleset: str
    bounds: Bounds
    positions: int
    transitions: int
    seconds: tuple[float, float]
    verdicts: list[Verdict]
    violated: list[Property] = field(default_factory=list)
    troubles: list[BadPosition] = field(default_factory=list)
    witnesses: list[Witness] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether no position is stuck or ambiguous and every property holds."""
        return not (self.violated or self.troubles)

    def as_dict(self) -> dict[str, object]:
        """Return the proof as plain JSON values, without the files of the witnesses."""
        return {
            "ruleset": self.ruleset,
            "bounds": asdict(self.bounds),
            "ok": self.ok,
            "positions": self.positions,
            "transitions": self.transitions,
            "seconds": [round(s, 1) for s in self.seconds],
            "stuck": [t.what for t in self.troubles if t.kind == "stuck"],
            "ambiguous": [t.what for t in self.troubles if t.kind == "ambiguous"],
            "properties": [
                {
                    "name": v.property.name,
                    "says": v.property.says,
                    "rule": v.property.rule,
                    "form": str(v.property.form),
                    "holds": v.holds,
                    "came_up": v.armed,
                }
                for v in self.verdicts
            ],
            "witnesses": [
                {
                    "name": w.name,
                    "what": w.what,
                    "answers": len(w.answers),
                    "loop": w.loop,
                    "kind": w.file.kind,
                }
                for w in self.witnesses
            ],
        }


def prove(
    model: ModelLike,
    bounds: Bounds | None = None,
    *,
    properties: Sequence[Property] | None = None,
    spec: str = "",
    orders: Sequence[Order] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Proof:
    """Explore every game within the bounds, and check the properties on all of them.

    Parameters
    ----------
    model
        The Model to explore.
    bounds
        The limits of the exploration. If None, the defaults of `Bounds` are used.
    properties
        The properties to check. If None, those that the ruleset states are checked.
    spec
        The specification of the ruleset, as scenarios name it. It is used in the files of the
        witnesses.
    orders
        The only orders that are given in the games. If None, all orders that the model takes are
        tried.
    progress
        A function that is called during the exploration with the number of nodes done and the
        number of nodes known.

    Returns
    -------
    Proof
        What was explored, the verdicts, and a witness for each thing that is wrong.

    Raises
    ------
    FsmError
        If the model has no turn that can be played.
    """
    model = as_model(model)
    began = time.monotonic()
    explorer = Explorer(model, bounds, orders).run(progress)
    explored = time.monotonic()
    checker = PropertyChecker(
        explorer, properties_of(model.name, model.edition) if properties is None else properties
    )
    verdicts = checker.verdicts()
    seconds = (explored - began, time.monotonic() - explored)
    positions, transitions = explorer.counted()
    proof = Proof(
        spec or model.name,
        explorer.bounds,
        positions,
        transitions,
        seconds,
        verdicts,
        checker.violated(),
        explorer.troubles,
    )
    proof.witnesses += _witnesses(model, spec, explorer, checker)
    return proof


def _witnesses(
    model: Model, spec: str, explorer: Explorer, checker: PropertyChecker
) -> Iterator[Witness]:
    players = explorer.bounds.names
    for number, trouble in enumerate(explorer.troubles, 1):
        there = path_to_trouble(explorer, trouble)
        if there is not None:
            answers = [*answers_of(explorer, there[0]), *answers_into_trouble(explorer, there[1])]
            name = f"{trouble.kind}-{number}"
            file = written(
                model, spec, name, trouble.what, players, answers, lambda given: given is None
            )
            yield Witness(name, trouble.what, tuple(answers), file)
    for property in checker.violated():
        path = path_to_breach(explorer, checker, property)
        if path is not None:
            yield _breach_of(model, spec, property, players, answers_of(explorer, path))
        paths = pending_cycle(explorer, checker, property)
        if paths is not None:
            yield _loop_of(
                model, property, players, *(answers_of(explorer, path) for path in paths)
            )


def _breach_of(
    model: Model, spec: str, property: Property, players: Sequence[str], answers: list[Answer]
) -> Witness:
    def shows(given: Sequence[Answer] | None) -> bool:
        return given is not None and breach(model, property, len(players), given) is not None

    what = f"{property.says} ({property.rule})"
    file = written(
        model, spec, property.name.replace("[", "-").rstrip("]"), what, players, answers, shows
    )
    return Witness(property.name, what, tuple(answers), file)


def _loop_of(
    model: Model,
    property: Property,
    players: Sequence[str],
    there: list[Answer],
    loop: list[Answer],
) -> Witness:
    """Return the witness as a trace, because no scenario can express an endless game."""
    what = f"{property.says} ({property.rule}); the last {len(loop)} answers can be given for ever"
    answers = (*there, *loop)
    return Witness(
        property.name, what, answers, written_as_trace(model, players, answers), len(loop)
    )
