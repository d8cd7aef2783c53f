"""Finds a shortest game that shows what is wrong, and writes it as a file that can be played."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from typing import Any

from fsm.checks.exploration import BEYOND, Explorer, Turn
from fsm.checks.judging import ARMED, BROKEN, IDLE, Judge
from fsm.checks.observing import Seen, means, observed, observed_order
from fsm.checks.stepping import Guarded
from fsm.checks.surroundings import Bounds, start_of
from fsm.checks.windows import Edge
from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer
from fsm.engine.semantics import Fired, Told
from fsm.engine.trace import Trace
from fsm.errors import FsmError, StuckError
from fsm.model import Model
from fsm.rulesets.properties import Events, Property

Position = tuple[int, int, int]
"""A node of the graph, a position inside its window (or -1), and the state of an automaton."""
Path = tuple[Edge, ...]
Onward = Mapping[Position, Mapping[Position, Edge]]


# the shortest way ---------------------------------------------------------------------------------


class Search:
    """Searches the graph for a shortest game, along the automaton of a property, or of none."""

    def __init__(self, explorer: Explorer, judge: Judge, number: int = -1) -> None:
        self.explorer, self.judge, self.number = explorer, judge, number

    def to_breach(self) -> list[Answer]:
        """Return the answers of a shortest game that breaks a safety property."""
        path, _ = self._path(lambda position: position[2] == BROKEN)
        return answers_of(path)

    def to_loop(self) -> tuple[list[Answer], list[Answer]]:
        """Return the answers of a shortest game to where a response stays armed for ever, and those
        that lead round from there.
        """
        armed: dict[Position, None] = {}

        def collect(position: Position) -> bool:
            if position[2] == ARMED and position[0] != BEYOND:
                armed[position] = None
            return False

        self._path(collect)
        onward = {
            position: {
                to: edge for edge, to in self._onward(position) if to in armed and edge.quiet
            }
            for position in armed
        }
        circle = _cycle(onward)
        path, there = self._path(lambda position: position in circle)
        return answers_of(path), answers_of(_round(there, onward))

    def to_problem(self, problem: str) -> list[Answer]:
        """Return the answers of a shortest game that gets stuck in this way."""
        nodes = self.explorer.nodes
        stuck: dict[tuple[Turn, int], Edge] = {}
        for node, at, edge in self.explorer.problems[problem]:
            turn, entry = nodes[node]
            positions = [at]
            if edge.exit >= 0 and turn.window is not None:
                positions = turn.window.ways_out(entry)[edge.exit]
            for position in positions:
                stuck.setdefault((turn, position), edge)
        path, there = self._path(lambda position: (nodes[position[0]][0], position[1]) in stuck)
        return answers_of((*path, stuck[nodes[there[0]][0], there[1]]))

    def _path(self, found: Callable[[Position], bool]) -> tuple[Path, Position]:
        """Return a shortest path to a position, and the position: BEYOND, if there is no other."""
        form = self.judge.properties[self.number].form if self.number >= 0 else None
        start = (BEYOND, -1, ARMED if form is not None and form.start else IDLE)
        came: dict[Position, tuple[Position, Edge] | None] = {start: None}
        queue, starts = deque([start]), self.explorer.starts
        while queue:
            here = queue.popleft()
            if found(here):
                return _back(came, here), here
            ways = self._onward(here)
            if here is start:
                ways = ((edge, self._at(edge, here)) for edge in starts)
            elif here[0] == BEYOND or here[2] == BROKEN:
                continue
            for edge, there in ways:
                if there not in came:
                    came[there] = here, edge
                    queue.append(there)
        return (), start

    def _onward(self, here: Position) -> Iterator[tuple[Edge, Position]]:
        node, at, state = here
        turn, entry = self.explorer.nodes[node]
        exits: Mapping[int, Sequence[int]] = {}
        if turn.window is not None:
            exits = turn.window.ways_out(entry)
            for edge in turn.window.inner[at]:
                yield edge, (node, edge.to, self._after(state, edge))
        for edge in self.explorer.edges[node]:
            if edge.exit < 0 or at in exits[edge.exit]:
                yield edge, self._at(edge, here)

    def _at(self, edge: Edge, before: Position) -> Position:
        return edge.to, self.explorer.nodes[edge.to][1], self._after(before[2], edge)

    def _after(self, state: int, edge: Edge) -> int:
        return self.judge.after(self.number, state, edge.label) if self.number >= 0 else state


def _back(came: Mapping[Position, tuple[Position, Edge] | None], position: Position) -> Path:
    path = []
    step = came[position]
    while step is not None:
        position, edge = step
        path.append(edge)
        step = came[position]
    return tuple(reversed(path))


def _cycle(onward: Onward) -> frozenset[Position]:
    """Return the positions of a cycle, or none if there is no cycle."""
    try:
        tuple(TopologicalSorter(onward).static_order())
    except CycleError as error:
        return frozenset(error.args[1])
    return frozenset()


def _round(position: Position, onward: Onward) -> Path:
    """Return the shortest cycle through this position, if there is one."""
    came: dict[Position, Path] = {position: ()}
    queue = deque([position])
    while queue:
        here = queue.popleft()
        for there, edge in onward.get(here, {}).items():
            if there == position:
                return (*came[here], edge)
            if there not in came:
                came[there] = (*came[here], edge)
                queue.append(there)
    return ()


def answers_of(path: Iterable[Edge]) -> list[Answer]:
    """Return the answers that lead a game along this path, with the forced ones."""
    answers = []
    for edge in path:
        facts: list[dict[str, bool]] = [{} for _ in range(edge.forced + 1)]
        for (number, name), value in edge.values:
            facts[number][name] = value
        if edge.word:
            orders = (edge.order,) if edge.order is not None else ()
            answers.append(Answer(edge.word, facts[0], orders))  # type: ignore[arg-type]
        answers += [Answer("done", values) for values in facts[1:]]
    return answers


# playing it again ---------------------------------------------------------------------------------


def is_broken(model: Model, property: Property, players: int, answers: Sequence[Answer]) -> bool:
    """Say whether a game with these answers breaks a safety property."""
    form = property.form
    armed = form.start

    def happens(events: Events, seen: Seen) -> bool:
        return any(means(model, event, seen) for event in events)

    for seen in _observations(model, Bounds(players=players), answers):
        armed = armed or happens(form.arm, seen)
        if armed and happens(form.until, seen):
            armed = False
        elif armed and happens(form.no, seen):
            return True
    return False


def _observations(model: Model, bounds: Bounds, answers: Iterable[Answer]) -> Iterator[Seen]:
    """Yield what is observed in a game with these answers, up to the first one that gets stuck."""
    semantics, run, fired = Guarded(model), start_of(model, bounds), list[Fired]()
    before = copy(run)
    with suppress(StuckError):
        semantics.macrostep(run, Told(), fired)
        yield from observed(before, fired)
        for answer in answers:
            before = copy(run)
            yield from (observed_order(order, before) for order in answer.orders)
            fired, _ = semantics.answer(run, answer, Told(answer.facts), bounds.names)
            yield from observed(before, fired)


# files --------------------------------------------------------------------------------------------

Shows = Callable[[Sequence[Answer] | None], bool]
"""Says whether a game with these answers shows the problem. None is a game that got stuck."""


@dataclass(frozen=True, slots=True)
class WitnessFile:
    """A file: its kind, "scenario" or "trace", and its text."""

    kind: str
    text: str

    @property
    def ending(self) -> str:
        """The suffix of its name."""
        return ".json" if self.kind == "scenario" else ".jsonl"


def scenario_file(
    game: TurnController,
    spec: str,
    name: str,
    note: str,
    answers: Sequence[Answer],
    shows: Shows,
) -> WitnessFile:
    """Return a new game with a trace, and these answers, as a scenario. If scenarios cannot name
    its ruleset, or what happens in it, it becomes a trace.
    """
    model, players = game.model, game.players
    text = scenario_text(game, spec, name, note, answers, shows)
    return WitnessFile("scenario", text) if text else trace_file(model, players, answers)


def trace_file(model: Model, players: Sequence[str], answers: Sequence[Answer]) -> WitnessFile:
    """Return a game as a trace, as far as it goes. An answer that fails is its last line."""
    trace = _trace(model, players, answers)
    return WitnessFile("trace", "".join(f"{line}\n" for line in trace.lines()))


def _trace(model: Model, players: Sequence[str], answers: Sequence[Answer]) -> Trace:
    game = TurnController(model, players, trace=True)
    trace = game.trace
    assert trace is not None
    for answer in answers:
        try:
            game.answer(answer)
        except FsmError:
            trace.entries.append(answer)
            break
    return trace


def scenario_text(
    game: TurnController,
    spec: str,
    name: str,
    note: str,
    answers: Sequence[Answer],
    shows: Shows,
) -> str:
    """Return the text of a scenario that shows the problem, or "" if none does.

    `game` is a new game with a trace, to which these answers are given.
    """
    scenario = _scenario(game, spec, name, note, answers)
    if scenario is None or not _is_shown(game.model, scenario, shows):
        return ""
    return json.dumps(scenario, indent=2, ensure_ascii=False) + "\n"


def _scenario(
    game: TurnController, spec: str, name: str, note: str, answers: Sequence[Answer]
) -> dict[str, Any] | None:
    """Return a game as a scenario, or None if scenarios cannot name the ruleset or what happens."""
    from fsm.scenarios.writing import Departure, departures_of, scenario_of

    assert game.trace is not None
    acts = list[list[Departure]]()
    with suppress(FsmError):  # the last answer may be the one that fails
        acts.extend(departures_of(game, answers))
    if not spec or not all(departure.request.at.step for act in acts for departure in act):
        return None
    head, through = game.trace.head, game.request.at.turn
    return scenario_of(game.model, spec, name, head, acts, through=through, note=note)


def _is_shown(model: Model, data: dict[str, Any], shows: Shows) -> bool:
    from fsm.scenarios import load, play

    with suppress(FsmError):
        scenario = load(data, model, place="case")[0]
        try:
            return shows(play(scenario).trace.answers)
        except FsmError:
            return shows(None)
    return False
