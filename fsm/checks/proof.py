"""Proofs of a Model within bounds: every position of every game, the properties, and the shortest
games that show what is wrong.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field

from fsm.checks.exploration import Explorer
from fsm.checks.judging import Judge, Verdict
from fsm.checks.surroundings import Bounds
from fsm.checks.witness import (
    Search,
    WitnessFile,
    scenario_text,
    trace_file,
)
from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer
from fsm.errors import StuckError
from fsm.model import Model
from fsm.model.model import ModelLike, as_model
from fsm.rulesets.properties import Property, properties_of
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
    seconds
        The time spent on exploring and on judging.
    verdicts
        The verdict on each property.
    violated
        The properties that do not hold. A property of all steps is there for each step that breaks
        it.
    stuck
        Where games get stuck, in words.
    witnesses
        One witness for each thing that is wrong.
    """

    ruleset: str
    bounds: Bounds
    positions: int
    seconds: tuple[float, float]
    verdicts: list[Verdict]
    violated: list[Property] = field(default_factory=list)
    stuck: list[str] = field(default_factory=list)
    witnesses: list[Witness] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether no game gets stuck and every property holds."""
        return not (self.violated or self.stuck)

    def as_dict(self) -> dict[str, object]:
        """Return the proof as plain JSON values, without the files of the witnesses."""
        properties = list[dict[str, object]]()
        witnesses = list[dict[str, object]]()
        for verdict in self.verdicts:
            stated = verdict.property
            words = {"name": stated.name, "says": stated.says, "rule": stated.rule}
            properties.append({**words, "holds": verdict.holds, "came_up": verdict.armed})
        for one in self.witnesses:
            numbers = {"answers": len(one.answers), "loop": one.loop}
            witnesses.append({"name": one.name, "what": one.what, **numbers, "kind": one.file.kind})
        return {
            "ruleset": self.ruleset,
            "bounds": asdict(self.bounds),
            "ok": self.ok,
            "positions": self.positions,
            "seconds": [round(s, 1) for s in self.seconds],
            "stuck": self.stuck,
            "properties": properties,
            "witnesses": witnesses,
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
    stated = properties_of(model.name, model.edition) if properties is None else properties
    judge = Judge(explorer, stated)
    verdicts = judge.verdicts()
    return Proof(
        spec or model.name,
        explorer.bounds,
        explorer.positions,
        (explored - began, time.monotonic() - explored),
        verdicts,
        [judge.properties[number] for number in judge.violated()],
        [*explorer.problems],
        [*_witnesses(model, spec, explorer, judge)],
    )


def _witnesses(model: Model, spec: str, explorer: Explorer, judge: Judge) -> Iterator[Witness]:
    """Yield the shortest games that show what is stuck, and which properties are broken."""
    players = explorer.bounds.names

    def witness(name: str, what: str, answers: Sequence[Answer], loop: int = 0) -> Witness:
        text = ""
        with suppress(StuckError):  # the game may not even start
            game = TurnController(model, players, trace=True)
            if not loop:  # no scenario can express an endless game
                text = scenario_text(game, spec, name, what, answers)
        file = WitnessFile("scenario", text) if text else trace_file(model, players, answers)
        return Witness(name, what, tuple(answers), file, loop)

    for number, problem in enumerate(explorer.problems, 1):
        yield witness(f"stuck-{number}", problem, Search(explorer, judge).to_problem(problem))
    for number in judge.violated():
        property = judge.properties[number]
        search = Search(explorer, judge, number)
        name = property.name
        what = f"{property.says} ({property.rule})"
        if property.form.no:
            yield witness(name, what, search.to_breach())
            continue
        there, loop = search.to_loop()
        if loop:
            what = f"{what}; the last {len(loop)} answers can be given for ever"
            yield witness(name, what, [*there, *loop], len(loop))
