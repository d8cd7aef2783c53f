"""A path is the start of a game and the answers that follow. A path set is a number of paths and
what they take.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain

from fsm.coverage.target import Coverage, Target
from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer
from fsm.engine.trace import Trace
from fsm.model import Fact, Model
from fsm.state.orders import Order
from fsm.state.run import StartAt
from fsm.wording import many

FAR = 50
"""What must happen more often than this within a turn is not searched for."""


@dataclass(frozen=True, slots=True)
class Start:
    """The set-up of a game.

    Parameters
    ----------
    players
        The names of the players in seat order.
    teams
        Groups of players who share turns.
    settings
        The settings that are not at their default, by name.
    at
        Where the game starts, or None for its beginning.
    """

    players: tuple[str, ...] = ("A", "B")
    teams: tuple[tuple[str, ...], ...] = ()
    settings: tuple[tuple[str, bool], ...] = ()
    at: StartAt | None = None

    def controller(self, model: Model, *, trace: bool = False) -> TurnController:
        """Return a new game with this set-up.

        Parameters
        ----------
        model
            The Model to play.
        trace
            Whether the game is recorded.

        Returns
        -------
        TurnController
            The game, at its first request.
        """
        settings = dict(self.settings)
        return TurnController(
            model, self.players, teams=self.teams, settings=settings, start=self.at, trace=trace
        )


def starts(model: Model) -> tuple[Start, ...]:
    """Return the set-ups that can make a difference: numbers of players, teams, and each setting
    not at its default.
    """
    plain = Start(), Start(("A", "B", "C")), Start(("A", "B", "C", "D"), (("A", "B"), ("C", "D")))
    found = list(plain)
    for setting in model.settings:
        for start in plain:
            sides = (2, 2) if start.teams else (1, 1)
            if setting.default == "two_sides" or not start.teams:
                value = not setting.standing(sides)
                found.append(Start(start.players, start.teams, ((setting.name, value),)))
    return tuple(found)


@dataclass(frozen=True)
class Path:
    """One path: the set-up of a game and its answers.

    Attributes
    ----------
    model
        The Model that the path was made for.
    start
        The set-up of the game.
    answers
        The answers, in order.
    takes
        The targets that this path is the first of its set to take, each after a number of answers.
    """

    model: Model = field(repr=False)
    start: Start
    answers: tuple[Answer, ...]
    takes: tuple[tuple[int, Target], ...] = ()

    def run(self, model: Model | None = None) -> TurnController:
        """Play the path in a new game, and record it.

        Parameters
        ----------
        model
            The Model to play, for instance a changed one. If None, the Model of the path is played.

        Returns
        -------
        TurnController
            The game at the end of the path.

        Raises
        ------
        FsmError
            If the model refuses an answer.
        """
        controller = self.start.controller(model or self.model, trace=True)
        for answer in self.answers:
            controller.answer(answer)
        return controller

    @property
    def orders(self) -> tuple[Order, ...]:
        """The orders of all answers."""
        return tuple(chain.from_iterable(answer.orders for answer in self.answers))

    @cached_property
    def trace(self) -> Trace:
        """The trace of the path. The path is run to make it."""
        trace = self.run().trace
        assert trace is not None, "a path is recorded as it is played"
        return trace


@dataclass(frozen=True)
class PathSet:
    """The paths made for one criterion. You can iterate over it.

    Attributes
    ----------
    model
        The Model that the paths were made for.
    criterion
        The name of the criterion.
    targets
        The targets that they were made for.
    paths
        The paths.
    """

    model: Model
    criterion: str
    targets: tuple[Target, ...]
    paths: tuple[Path, ...]

    def __iter__(self) -> Iterator[Path]:
        return iter(self.paths)

    def __len__(self) -> int:
        return len(self.paths)

    @cached_property
    def coverage(self) -> Coverage:
        """The coverage of the paths: which targets any of them takes."""
        takes = chain.from_iterable(path.takes for path in self.paths)
        return Coverage(self.criterion, self.targets, {target.key: 1 for _, target in takes})

    @property
    def open(self) -> tuple[Target, ...]:
        """The targets that are neither taken nor proved infeasible."""
        return self.coverage.missing

    def why_open(self, target: Target) -> str:
        """Say why an open target was not taken.

        Parameters
        ----------
        target
            A target of `open`.

        Returns
        -------
        str
            The reason, in words.
        """
        fact = too_often(self.model, target)
        if fact is not None:
            often = f"it takes {fact.test[-1]} times the same ({fact.doc})"
            return f"{often}, more than is looked for"
        return "no path to it was found within the effort"

    def __str__(self) -> str:
        found, answers = self.coverage, sum(len(path.answers) for path in self.paths)
        return (
            f"{self.criterion} of {self.model.name}: {many(len(found.targets), 'target')}, "
            f"{len(found.covered)} taken, {len(found.infeasible)} infeasible, "
            f"{len(self.open)} open; {many(len(self), 'path')}, {many(answers, 'answer')}"
        )


def too_often(model: Model, target: Target) -> Fact | None:
    """Return the fact for which something must have happened too often to be looked for."""
    row, _, decided = target.id.partition(" where ")
    machine = model.machines.get(target.machine, model)
    for one in machine.transitions:
        for term in one.guard if one.id == row and not decided.endswith("fails") else ():
            fact = machine.fact(term.fact)
            if term.value and fact.test[:1] == ("tallied",) and int(fact.test[-1]) > FAR:
                return fact
    return None
