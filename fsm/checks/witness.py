"""Finds a shortest game that shows what is wrong, and writes it as a file that can be played."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter

from fsm.checks.exploration import START, Explorer, Turn
from fsm.checks.judging import ARMED, BROKEN, IDLE, Judge
from fsm.checks.windows import Edge
from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer
from fsm.engine.trace import GameHeader, Trace
from fsm.errors import FsmError, StuckError
from fsm.model import Model

Position = tuple[int, int, int]
"""A node of the graph, a position inside its window (or -1), and the state of an automaton."""
Moves = Iterable[tuple[Edge, Position]]


# the shortest way ---------------------------------------------------------------------------------


class Search:
    """Searches the graph for a shortest game, along the automaton of a property, or of none."""

    def __init__(self, explorer: Explorer, judge: Judge, number: int = -1) -> None:
        self.explorer = explorer
        self.judge = judge
        self.number = number
        armed = number >= 0 and judge.first >> number & 1
        self.start: Position = (START, -1, ARMED if armed else IDLE)

    def to_breach(self) -> list[Answer]:
        """Return the answers of a shortest game that breaks a safety property."""
        path, _ = _shortest(self.start, self._onward, lambda position: position[2] == BROKEN)
        return answers_of(path)

    def to_loop(self) -> tuple[list[Answer], list[Answer]]:
        """Return the answers of a shortest game to where a response stays armed for ever, and those
        that lead round from there.
        """
        armed: dict[Position, list[tuple[Edge, Position]]] = {}

        def collect(position: Position) -> bool:
            if position[2] == ARMED:
                armed[position] = []
            return False

        _shortest(self.start, self._onward, collect)
        for position, quietly in armed.items():
            for edge, there in self._onward(position):
                if edge.quiet and there in armed:
                    quietly.append((edge, there))
        circle = _cycle(armed)
        path, there = _shortest(self.start, self._onward, circle.__contains__)
        loop, _ = _shortest(there, lambda here: armed.get(here, ()), there.__eq__)
        return answers_of(path), answers_of(loop)

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

        def place(position: Position) -> tuple[Turn, int]:
            return nodes[position[0]][0], position[1]

        path = list[Edge]()
        there = self.start
        if place(there) not in stuck:
            path, there = _shortest(there, self._onward, lambda here: place(here) in stuck)
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
        return self.judge.after(self.number, state, edge.label) if self.number >= 0 else state


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


def _cycle(onward: Mapping[Position, Moves]) -> frozenset[Position]:
    """Return the positions of a cycle, or none if there is no cycle."""
    targets = {here: {there for _, there in moves} for here, moves in onward.items()}
    try:
        TopologicalSorter(targets).prepare()
    except CycleError as error:
        return frozenset(error.args[1])
    return frozenset()


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


# files --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class WitnessFile:
    """A file: its kind, "scenario" or "trace", and its text."""

    kind: str
    text: str

    @property
    def ending(self) -> str:
        """The suffix of its name."""
        return ".json" if self.kind == "scenario" else ".jsonl"


def trace_file(model: Model, players: tuple[str, ...], answers: Sequence[Answer]) -> WitnessFile:
    """Return a game as a trace, as far as it goes. An answer that fails is its last line."""
    trace = Trace(GameHeader.of(model, players))
    with suppress(StuckError):  # the game may not even start
        game = TurnController(model, players, trace=True)
        trace = game.trace or trace
        for answer in answers:
            try:
                game.answer(answer)
            except FsmError:
                trace.entries.append(answer)
                break
    return WitnessFile("trace", "".join(f"{line}\n" for line in trace.lines()))


def scenario_text(
    game: TurnController, spec: str, name: str, note: str, answers: Sequence[Answer]
) -> str:
    """Return a game as the text of a scenario that takes the same transitions, or gets stuck, too.

    It is "" if scenarios cannot name the ruleset or what happens, or if the scenario goes another
    way. `game` is a new game with a trace, to which these answers are given.
    """
    from fsm.scenarios import load, play
    from fsm.scenarios.writing import scenario_of

    assert game.trace is not None
    written, is_whole = scenario_of(game, answers, game.trace.head, spec, name)
    if not spec or not is_whole:
        return ""
    written |= {"note": note} if note else {}
    taken = [record.transition for record in game.trace.records]
    gets_stuck = len(game.trace.answers) < len(answers)
    with suppress(FsmError):
        scenario = load(written, game.model, place="case")[0]
        try:
            again = [record.transition for record in play(scenario).trace.records]
            shows = not gets_stuck and again[: len(taken)] == taken
        except FsmError:
            shows = gets_stuck
        if shows:
            return json.dumps(written, indent=2, ensure_ascii=False) + "\n"
    return ""
