"""The proof of a Model within bounds: positions, what is stuck or ambiguous, which properties hold; with witnesses."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field

from fsm.analysis.modelchecking.bounds import Bounds
from fsm.analysis.modelchecking.exploration import Explorer, Trouble
from fsm.analysis.modelchecking.following import breach
from fsm.analysis.modelchecking.judging import Judge, Verdict
from fsm.analysis.modelchecking.witness import answers_of, last_answers, way_round, way_to_breach, way_to_trouble
from fsm.analysis.modelchecking.witnessfiles import Told, told, told_as_trace
from fsm.engine.requests import Answer
from fsm.model import Model
from fsm.rulesets.properties import Property, properties_of
from fsm.state.orders import Order


@dataclass(frozen=True, slots=True)
class Witness:
    """What is wrong (`name`, one sentence), and the shortest way there: answers, and a file that plays them.

    `loop`: so many of the answers, the last ones, lead back to where the game stood before them, and could be given
    for ever; 0 except where what should come in the end never does.
    """

    name: str
    what: str
    answers: tuple[Answer, ...]
    file: Told
    loop: int = 0


@dataclass(slots=True)
class Proof:
    """What was proved. `seconds`: for exploring, and for judging. `witnesses`: one for each thing that is wrong."""

    ruleset: str
    bounds: Bounds
    positions: int
    transitions: int
    seconds: tuple[float, float]
    verdicts: list[Verdict]
    violated: list[Property] = field(default_factory=list)
    troubles: list[Trouble] = field(default_factory=list)
    witnesses: list[Witness] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Is no position stuck or ambiguous, and does every property hold?"""
        return not (self.violated or self.troubles)

    def as_dict(self) -> dict[str, object]:
        """All of it as plain JSON values, without the files."""
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
                {"name": w.name, "what": w.what, "answers": len(w.answers), "loop": w.loop, "kind": w.file.kind}
                for w in self.witnesses
            ],
        }


def prove(
    model: Model,
    bounds: Bounds | None = None,
    *,
    properties: Sequence[Property] | None = None,
    spec: str = "",
    orders: Sequence[Order] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Proof:
    """Explore everything within the bounds, and hold it to the properties (those that its ruleset states).

    `spec`: what a scenario calls the ruleset; `orders`: only these are given. Raises FsmError for a model
    without a turn to be played.
    """
    began = time.monotonic()
    explorer = Explorer(model, bounds, orders).run(progress)
    explored = time.monotonic()
    judge = Judge(explorer, properties_of(model.name) if properties is None else properties)
    verdicts = judge.verdicts()
    seconds = (explored - began, time.monotonic() - explored)
    positions, transitions = explorer.counted()
    proof = Proof(
        spec or model.name,
        explorer.bounds,
        positions,
        transitions,
        seconds,
        verdicts,
        judge.violated(),
        explorer.troubles,
    )
    proof.witnesses += _witnesses(model, spec, explorer, judge)
    return proof


def _witnesses(model: Model, spec: str, explorer: Explorer, judge: Judge) -> Iterator[Witness]:
    players = explorer.bounds.names
    for number, trouble in enumerate(explorer.troubles, 1):
        there = way_to_trouble(explorer, trouble)
        if there is not None:
            answers = [*answers_of(explorer, there[0]), *last_answers(explorer, there[1])]
            name = f"{trouble.kind}-{number}"
            file = told(model, spec, name, trouble.what, players, answers, lambda given: given is None)
            yield Witness(name, trouble.what, tuple(answers), file)
    for property in judge.violated():
        way = way_to_breach(explorer, judge, property)
        if way is not None:
            yield _breach_of(model, spec, property, players, answers_of(explorer, way))
        ways = way_round(explorer, judge, property)
        if ways is not None:
            yield _loop_of(model, property, players, *(answers_of(explorer, way) for way in ways))


def _breach_of(model: Model, spec: str, property: Property, players: Sequence[str], answers: list[Answer]) -> Witness:
    def shows(given: Sequence[Answer] | None) -> bool:
        return given is not None and breach(model, property, len(players), given) is not None

    what = f"{property.says} ({property.rule})"
    file = told(model, spec, property.name.replace("[", "-").rstrip("]"), what, players, answers, shows)
    return Witness(property.name, what, tuple(answers), file)


def _loop_of(
    model: Model, property: Property, players: Sequence[str], there: list[Answer], loop: list[Answer]
) -> Witness:
    """A trace: no scenario can say that a game goes on for ever."""
    what = f"{property.says} ({property.rule}); the last {len(loop)} answers can be given for ever"
    answers = (*there, *loop)
    return Witness(property.name, what, answers, told_as_trace(model, players, answers), len(loop))
