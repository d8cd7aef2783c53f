"""Proofs of a Model within bounds: every position of every game, the properties, and the shortest
games that show what is wrong.
"""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from graphlib import CycleError, TopologicalSorter
from typing import Any

from fsm.checks.exploration import START, Explorer, Turn
from fsm.checks.judging import ARMED, BROKEN, IDLE, Judge, Verdict
from fsm.checks.stepping import Edge
from fsm.checks.surroundings import Bounds
from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer
from fsm.engine.trace import GameHeader, Trace
from fsm.errors import FsmError, StuckError
from fsm.model import Model
from fsm.model.graph import reachable_from
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
    kind, text
        A file that plays these answers: a "scenario" or a "trace", and its text.
    loop
        How many of the last answers lead back to where the game stood before them, so that they can
        be repeated for ever. It is 0 unless something that must happen in the end never does.
    """

    name: str
    what: str
    answers: tuple[Answer, ...]
    kind: str = ""
    text: str = ""
    loop: int = 0

    @property
    def file(self) -> str:
        """The name of its file."""
        return f"{self.name}.json" if self.kind == "scenario" else f"{self.name}.jsonl"


@dataclass(frozen=True, slots=True)
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
        The time that it took.
    verdicts
        The verdict on each property.
    stuck
        Where games get stuck, in words.
    witnesses
        One witness for each thing that is wrong.
    """

    ruleset: str
    bounds: Bounds
    positions: int
    seconds: float
    verdicts: list[Verdict]
    stuck: list[str]
    witnesses: list[Witness]

    @property
    def violated(self) -> list[Property]:
        """The properties that do not hold."""
        return [verdict.property for verdict in self.verdicts if not verdict.holds]

    @property
    def ok(self) -> bool:
        """Whether no game gets stuck and every property holds."""
        return not (self.violated or self.stuck)

    def as_dict(self) -> dict[str, object]:
        """Return the proof as plain JSON values, without the files of the witnesses."""
        properties = []
        for verdict in self.verdicts:
            one = verdict.property
            words = {"name": one.name, "says": one.says, "rule": one.rule}
            properties.append({**words, "holds": verdict.holds, "came_up": verdict.armed})
        witnesses = []
        for shown in self.witnesses:
            words = {"name": shown.name, "what": shown.what, "kind": shown.kind}
            witnesses.append({**words, "answers": len(shown.answers), "loop": shown.loop})
        return {
            "ruleset": self.ruleset,
            "bounds": asdict(self.bounds),
            "ok": self.ok,
            "positions": self.positions,
            "seconds": round(self.seconds, 1),
            "stuck": self.stuck,
            "properties": properties,
            "witnesses": witnesses,
        }


def prove(
    model: ModelLike,
    bounds: Bounds | None = None,
    *,
    spec: str = "",
    orders: Sequence[Order] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Proof:
    """Explore every game within the bounds, and check the properties that the ruleset states.

    Parameters
    ----------
    model
        The Model to explore.
    bounds
        The limits of the exploration. If None, the defaults of `Bounds` are used.
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
    judge = Judge(explorer, properties_of(model.name, model.edition))
    verdicts = judge.verdicts()
    seconds = time.monotonic() - began
    players = explorer.bounds.names
    witnesses = [_written(model, spec, players, one) for one in _witnesses(judge, verdicts)]
    name = spec or model.name
    stuck = [*explorer.problems]
    return Proof(name, explorer.bounds, explorer.positions, seconds, verdicts, stuck, witnesses)


# the shortest game --------------------------------------------------------------------------------

Position = tuple[int, int, int]
"""A node of the graph, a position inside its window (or -1), and the state of an automaton."""
Moves = Iterable[tuple[Edge, Position]]


def _witnesses(judge: Judge, verdicts: Iterable[Verdict]) -> Iterator[Witness]:
    """Yield the shortest games that show what is stuck, and which properties are broken. Their
    files are not written yet.
    """
    for number, problem in enumerate(judge.explorer.problems, 1):
        yield Witness(f"stuck-{number}", problem, Search(judge).to_problem(problem))
    for number, verdict in enumerate(verdicts):
        stated = verdict.property
        what = f"{stated.says} ({stated.rule})"
        search = Search(judge, number)
        if not verdict.holds and stated.form.no:
            yield Witness(stated.name, what, search.to_breach())
        elif not verdict.holds:
            there, loop = search.to_loop()
            if loop:
                what += f"; the last {len(loop)} answers can be given for ever"
                yield Witness(stated.name, what, (*there, *loop), loop=len(loop))


class Search:
    """Searches the graph for a shortest game, along the automaton of a property, or of none."""

    def __init__(self, judge: Judge, number: int = -1) -> None:
        self.explorer = judge.explorer
        self.judge = judge
        self.number = number
        armed = number >= 0 and judge.first >> number & 1
        self.start: Position = (START, -1, ARMED if armed else IDLE)

    def to_breach(self) -> tuple[Answer, ...]:
        """Return the answers of a shortest game that breaks a safety property."""
        path, _ = _shortest(self.start, self._onward, lambda position: position[2] == BROKEN)
        return answers_of(path)

    def to_loop(self) -> tuple[tuple[Answer, ...], tuple[Answer, ...]]:
        """Return the answers of a shortest game to where a response stays armed for ever, and those
        that lead round from there.
        """
        every = reachable_from([self.start], lambda here: [to for _, to in self._onward(here)])
        quietly = {here: dict[Position, Edge]() for here in every if here[2] == ARMED}
        for here, moves in quietly.items():
            for edge, there in self._onward(here):
                if edge.quiet and there in quietly:
                    moves[there] = edge
        circle = list[Position]()
        try:
            TopologicalSorter(quietly).prepare()
        except CycleError as error:
            circle = error.args[1]
        path, there = _shortest(self.start, self._onward, circle.__contains__)

        def onward(here: Position) -> Moves:
            return ((edge, to) for to, edge in quietly.get(here, {}).items())

        loop, _ = _shortest(there, onward, there.__eq__)
        return answers_of(path), answers_of(loop)

    def to_problem(self, problem: str) -> tuple[Answer, ...]:
        """Return the answers of a shortest game that gets stuck in this way."""
        nodes = self.explorer.nodes
        stuck = self.explorer.problems[problem]

        def place(position: Position) -> tuple[Turn, int]:
            return nodes[position[0]][0], position[1]

        path = list[Edge]()
        there = self.start
        if place(there) not in stuck:
            path, there = _shortest(self.start, self._onward, lambda here: place(here) in stuck)
        return answers_of((*path, stuck[place(there)]))

    def _onward(self, here: Position) -> Iterator[tuple[Edge, Position]]:
        node, at, state = here
        if state == BROKEN:
            return
        turn, entry = self.explorer.nodes[node]
        exits: Mapping[int, Sequence[int]] = {}
        if turn.window is not None:
            exits = turn.window.ways_out(entry)
            for edge in turn.window.inner[at]:
                yield edge, (node, edge.to, self._after(state, edge))
        for edge in self.explorer.edges[node]:
            if edge.exit < 0 or at in exits[edge.exit]:
                yield edge, (edge.to, self.explorer.nodes[edge.to][1], self._after(state, edge))

    def _after(self, state: int, edge: Edge) -> int:
        return self.judge.state_after(self.number, state, edge.label) if self.number >= 0 else state


def _shortest(
    start: Position, onward: Callable[[Position], Moves], found: Callable[[Position], bool]
) -> tuple[list[Edge], Position]:
    """Return a shortest path of at least one move to a position, and the position. If there is
    none, the path is empty.
    """
    came: dict[Position, tuple[Edge, Position]] = {}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        for edge, there in onward(here):
            if there in came:
                continue
            came[there] = edge, here
            if found(there):
                path = [edge]
                back = here
                while back != start:
                    edge, back = came[back]
                    path.insert(0, edge)
                return path, there
            queue.append(there)
    return [], start


def answers_of(path: Iterable[Edge]) -> tuple[Answer, ...]:
    """Return the answers that lead a game along this path, with the forced ones."""
    answers = list[Answer]()
    for edge in path:
        facts: list[dict[str, bool]] = [{} for _ in range(edge.forced + 1)]
        for (number, name), value in edge.values:
            facts[number][name] = value
        if edge.word:
            orders = (edge.order,) if edge.order is not None else ()
            answers.append(Answer(edge.word, facts[0], orders))  # type: ignore[arg-type]
        answers += [Answer("done", values) for values in facts[1:]]
    return tuple(answers)


# files --------------------------------------------------------------------------------------------


def _written(model: Model, spec: str, players: tuple[str, ...], witness: Witness) -> Witness:
    """Return a witness with its game as a scenario, or as a trace, if scenarios cannot name its
    ruleset or what happens in it. An answer that fails is the last line of a trace.
    """
    from fsm.scenarios.writing import scenario_of

    trace = Trace(GameHeader.of(model, players))
    answers = witness.answers
    with suppress(StuckError):  # the game may not even start
        game = TurnController(model, players, trace=True)
        trace = game.trace or trace
        written, is_whole = scenario_of(game, answers, trace.head, spec, witness.name)
        written["note"] = witness.what
        stuck = len(trace.answers) < len(answers)
        if spec and is_whole and not witness.loop and _shows(written, model, trace, stuck=stuck):
            text = json.dumps(written, indent=2, ensure_ascii=False) + "\n"
            return replace(witness, kind="scenario", text=text)
    trace.entries += answers[len(trace.answers) :][:1]
    text = "".join(f"{line}\n" for line in trace.lines())
    return replace(witness, kind="trace", text=text)


def _shows(written: dict[str, Any], model: Model, trace: Trace, *, stuck: bool) -> bool:
    """Say whether a scenario takes the transitions of a game, or gets stuck like it."""
    from fsm.scenarios import load, play

    try:
        outcome = play(load(written, model, place="case")[0])
    except StuckError:
        return stuck
    except FsmError:
        return False
    taken = [record.transition for record in trace.records]
    again = [record.transition for record in outcome.trace.records]
    return not stuck and again[: len(taken)] == taken
