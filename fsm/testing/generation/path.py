"""A path: how a game begins, and the answers that lead it. And a set of them, with what they take."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from fsm.coverage import Coverage, Data, Target, covered, data_of, subject_of
from fsm.coverage.target import Key
from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer
from fsm.engine.trace import Trace
from fsm.errors import AnswerError
from fsm.model import Model
from fsm.testing.generation.abstractgraph import ground_of


@dataclass(frozen=True, slots=True)
class Start:
    """How a game begins: players in seat order, teams, and settings that are not at their default."""

    players: tuple[str, ...] = ("A", "B")
    teams: tuple[tuple[str, ...], ...] = ()
    settings: tuple[tuple[str, bool], ...] = ()

    def controller(self, model: Model) -> TurnController:
        """A new game that begins so."""
        return TurnController(model, self.players, teams=self.teams, settings=dict(self.settings))


def starts(model: Model) -> tuple[Start, ...]:
    """The ways to begin a game that can make a difference: players, teams, and each setting the other way."""
    two = Start()
    others = [Start(("A", "B", "C")), Start(("A", "B", "C", "D"), (("A", "B"), ("C", "D")))]
    settings = [
        Start(start.players, start.teams, ((s.name, not s.standing(2, 2)),))
        for s in model.settings
        for start in (two, Start(("A", "B", "C")))
    ]
    return (two, *others, *settings)


def plainness(start: Start) -> tuple[bool, bool]:
    """To sort by: first the beginnings of games in which most can happen, three players, neither teams nor settings."""
    return len(start.players) != 3, bool(start.teams or start.settings)


@dataclass(frozen=True)
class Path:
    """One path. `takes`: what it is the first of its set to take, and after how many answers.

    `refused`: what is tried on the way, after how many answers, and must be refused.
    """

    model: Model
    start: Start
    answers: tuple[Answer, ...]
    takes: tuple[tuple[int, Target], ...] = ()
    refused: tuple[tuple[int, Answer], ...] = ()

    def run(self, model: Model | None = None) -> TurnController:
        """A new game, answered so. Raises FsmError when a changed `model` refuses it, or does not refuse."""
        controller = self.start.controller(model or self.model)
        self._try(controller, 0)
        for number, answer in enumerate(self.answers, 1):
            controller.answer(answer)
            self._try(controller, number)
        return controller

    def _try(self, controller: TurnController, number: int) -> None:
        for answer in (answer for after, answer in self.refused if after == number):
            try:
                controller.fork().answer(answer)
            except AnswerError:
                continue
            raise AnswerError(f"{answer.word!r} was to be refused in {controller.request.state!r}, and was taken")

    @cached_property
    def trace(self) -> Trace:
        """What happens on it: it is run for this."""
        return self.run().trace


@dataclass(frozen=True, slots=True)
class Bound:
    """No paths that take the same can have fewer answers, or fewer firings; 0 where none is known."""

    answers: int = 0
    firings: int = 0


@dataclass(frozen=True)
class PathSet:
    """The paths made for one criterion; `seconds`: it took so long. `only`: the targets that they were made for."""

    model: Model
    criterion: str
    paths: tuple[Path, ...]
    bound: Bound = Bound()
    seconds: float = 0.0
    tour: bool = False
    only: tuple[Target, ...] = ()

    def __iter__(self) -> Iterator[Path]:
        return iter(self.paths)

    def __len__(self) -> int:
        return len(self.paths)

    def measured(self, seconds: float, bound: Bound) -> PathSet:
        """The same, with what they took to make, and the bound that they are held against."""
        made = replace(self, seconds=seconds, bound=bound)
        made.__dict__["coverage"] = self.coverage
        return made

    @cached_property
    def coverage(self) -> Coverage:
        """What they take, measured on the games they were run in; `missing` is what remains open."""
        return covered(self.model, self.criterion, self._data())

    def _data(self) -> Data:
        data = data_of(self.model, [path.trace for path in self.paths])
        seen = data.of(subject_of(self.model))
        for path in self.paths:
            seen.refused.update(_refusals(path))
        return data

    @property
    def open(self) -> tuple[Target, ...]:
        """What is neither taken nor proved infeasible, of what they were made for."""
        keys = {t.key for t in self.only}
        return tuple(t for t in self.coverage.missing if not keys or t.key in keys)

    def why_open(self, target: Target) -> str:
        """Why an open target was not taken."""
        return self._far.get(target.key) or "no path to it was found within the effort"

    @cached_property
    def _far(self) -> dict[Key, str]:
        """Why targets lie too far off to be looked for; "" when they may not."""
        from fsm.testing.generation.wanted import wanted, why_far  # they know paths

        goal = wanted(ground_of(self.model), self.criterion)
        return {target.key: why_far(goal.ground, goal.chains[target.key]) for target in self.open}

    @property
    def answers(self) -> int:
        """How many answers all paths have together."""
        return sum(len(path.answers) for path in self.paths)

    @property
    def firings(self) -> int:
        """How many transitions fire on all paths together."""
        return sum(len(path.trace.records) for path in self.paths)

    @property
    def ratio(self) -> float:
        """Firings against the lower bound: as the Chinese postman counts, each transition taken is one."""
        return self.firings / self.bound.firings if self.bound.firings else 1.0

    def __str__(self) -> str:
        found, what = self.coverage, "tour" if self.tour else "set"
        counted = (("answers", self.answers, self.bound.answers), ("transitions", self.firings, self.bound.firings))
        return (
            f"{self.criterion} of {self.model.name}, {what}: {len(found.targets)} targets, "
            f"{len(found.covered)} taken, {len(found.infeasible)} infeasible, {len(found.missing)} open; "
            f"{len(self)} paths, {', '.join(_against(*each) for each in counted)}; {self.seconds:.1f} s"
        )


def _against(what: str, number: int, least: int) -> str:
    return f"{number} {what} (at least {least}: {number / least:.2f})" if least else f"{number} {what}"


def _refusals(path: Path) -> Iterator[tuple[str, str, tuple[str, str]]]:
    """What was tried on a path and refused, as data has it."""
    controller = path.start.controller(path.model)
    for number in range(len(path.answers) + 1):
        for answer in (answer for after, answer in path.refused if after == number):
            inside = controller.request.state != controller.request.at.stage
            event = answer.signal.event if answer.signal is not None else answer.word
            yield "window" if inside else "turn", "", (controller.request.state, event)
        if number < len(path.answers):
            controller.answer(path.answers[number])
