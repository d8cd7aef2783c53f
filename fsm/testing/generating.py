"""Makes paths for a criterion: the games that are needed of those that a search has found. A path
is the start of a game and the answers that follow.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from math import inf

from fsm.coverage.criteria import targets
from fsm.coverage.target import Coverage, Key, Target
from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer
from fsm.engine.trace import Trace
from fsm.errors import ModelError
from fsm.model import Fact, Model
from fsm.model.model import ModelLike, as_model
from fsm.state.orders import Order
from fsm.testing.searching import Measure, Node, Progress, Search, Start, Walker, beginnings, starts
from fsm.wording import many

FAR = 50
"""What must happen more often than this within a turn is not searched for."""


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
        The targets that this path is the first of its set to take.
    """

    model: Model = field(repr=False)
    start: Start
    answers: tuple[Answer, ...]
    takes: tuple[Target, ...] = ()

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
        return Coverage(self.criterion, self.targets, {target.key: 1 for target in takes})

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


# making -------------------------------------------------------------------------------------------

EFFORT = 150_000
"""At most so many answers are tried."""
LONG = 200
"""After so many answers, the ordinary course of two turns has ended."""


def paths(
    model: ModelLike,
    criterion: str = "transitions",
    *,
    taken: Collection[Key] = (),
    effort: int = EFFORT,
    seconds: float = inf,
    progress: Progress | None = None,
) -> PathSet:
    """Generate paths that take all targets of a criterion that could be reached.

    Equal arguments give equal paths, unless time runs out.

    Parameters
    ----------
    model
        The Model to cover, or what names or makes one.
    criterion
        The name of a criterion: "states", "transitions", "literals" or "rules".
    taken
        The keys of targets that need no path, for instance those that tests take already.
    effort
        How many answers are tried at most.
    seconds
        About how long the search may take. The proofs of what no run
        can take come before the search; they are not limited.
    progress
        Called now and then with how many answers were tried, and how many are tried at most.

    Returns
    -------
    PathSet
        The paths. Its `open` has the targets that were not reached.

    Raises
    ------
    CoverageError
        If the criterion is unknown, or if no paths can be made for it.
    """
    made = as_model(model)
    walker = Walker(made, Measure(made, criterion), effort, seconds, progress)
    asked = tuple(target for target in targets(made, criterion) if target.key not in taken)
    return _path_set(walker, criterion, asked, beginnings(made))


def path_to(model: Model, state: str) -> PathSet:
    """Return the shortest path found from the beginning of a game to a state of turn or window.

    The set has no path if none was found. Raises ModelError if there is no such state.
    """
    every = targets(model, "states")
    ModelError.known_name("state", state, [target.id for target in every], model.name)
    asked = tuple(target for target in every if target.id == state)
    walker = Walker(model, Measure(model, "states"), EFFORT)
    return _path_set(walker, "states", asked[:1], starts(model), LONG)


def _path_set(
    walker: Walker, criterion: str, asked: Sequence[Target], begin: Iterable[Start], *longest: int
) -> PathSet:
    """Search paths that take these targets, and choose those that are needed."""
    model = walker.model
    wanted = {t.key: t for t in asked if not t.infeasible and too_often(model, t) is None}
    best = Search(walker, wanted).run(begin, *longest)
    ends = [best[key] for key in wanted if key in best]
    return PathSet(model, criterion, tuple(asked), tuple(_needed(model, ends, wanted)))


def _needed(model: Model, ends: Iterable[Node], wanted: Mapping[Key, Target]) -> Iterator[Path]:
    """Yield few and short games that together take what is wanted.

    Each ends with the last answer that takes something which no game before it takes.
    """
    missing = frozenset(wanted)
    takes = {end: end.takes & missing for end in ends}
    while takes:
        end = max(takes, key=lambda end: (len(takes[end] & missing), -end.depth))
        new = takes.pop(end) & missing
        if not new:
            break
        end = _cut(end, new)
        found = [target for key, target in wanted.items() if key in new]
        yield Path(model, end.start, end.answers, tuple(found))
        missing -= new


def _cut(end: Node, wanted: frozenset[Key]) -> Node:
    """Return where a game has first taken all of these."""
    for node in end.path():
        wanted -= node.took
        if not wanted:
            return node
    return end
