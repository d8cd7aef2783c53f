"""A path: how a game begins, and the answers that lead it. And a set of them, with what they take."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from fsm.controller import TurnController
from fsm.coverage import Coverage, Target, covered, data_of
from fsm.model import Model
from fsm.requests import Answer
from fsm.trace import Trace


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


@dataclass(frozen=True)
class Path:
    """One path. `takes`: what it is the first of its set to take, and after how many answers."""

    model: Model
    start: Start
    answers: tuple[Answer, ...]
    takes: tuple[tuple[int, Target], ...] = ()

    def run(self, model: Model | None = None) -> TurnController:
        """A new game, answered so. Raises FsmError when a changed `model` refuses it."""
        controller = self.start.controller(model or self.model)
        for answer in self.answers:
            controller.answer(answer)
        return controller

    @cached_property
    def trace(self) -> Trace:
        """What happens on it: it is run for this."""
        return self.run().trace


@dataclass(frozen=True)
class PathSet:
    """The paths made for one criterion. `bound`: none can have fewer answers; `seconds`: it took so long."""

    model: Model
    criterion: str
    paths: tuple[Path, ...]
    bound: int = 0
    seconds: float = 0.0
    tour: bool = False

    def __iter__(self) -> Iterator[Path]:
        return iter(self.paths)

    def __len__(self) -> int:
        return len(self.paths)

    @cached_property
    def coverage(self) -> Coverage:
        """What they take, measured on the games they were run in; `missing` is what remains open."""
        return covered(self.model, self.criterion, data_of(self.model, [path.trace for path in self.paths]))

    @property
    def open(self) -> tuple[Target, ...]:
        """What is neither taken nor proved infeasible."""
        return self.coverage.missing

    @property
    def answers(self) -> int:
        """How many answers all paths have together."""
        return sum(len(path.answers) for path in self.paths)

    @property
    def ratio(self) -> float:
        """Answers against the lower bound."""
        return self.answers / self.bound if self.bound else 1.0

    def __str__(self) -> str:
        found, what = self.coverage, "tour" if self.tour else "set"
        return (
            f"{self.criterion} of {self.model.name}, {what}: {len(found.targets)} targets, "
            f"{len(found.covered)} taken, {len(found.infeasible)} infeasible, {len(found.missing)} open; "
            f"{len(self)} paths, {self.answers} answers, at least {self.bound} ({self.ratio:.2f}); {self.seconds:.1f} s"
        )
