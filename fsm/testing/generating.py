"""Makes paths for a criterion: the games that are needed of those that a search has found."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from math import inf

from fsm.coverage.criteria import targets
from fsm.coverage.target import Key, Target
from fsm.errors import ModelError
from fsm.model import Model
from fsm.model.model import ModelLike, as_model
from fsm.testing.path import Path, PathSet, Start, starts, too_often
from fsm.testing.searching import Measure, Node, Progress, Search, Walker, beginnings

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
    ends = _needed([best[key] for key in wanted if key in best], frozenset(wanted))
    found = tuple(_paths(model, ends, dict(wanted)))
    return PathSet(model, criterion, tuple(asked), found)


def _needed(ends: Iterable[Node], wanted: frozenset[Key]) -> Iterator[Node]:
    """Yield the ends of few and short games that together take what is wanted.

    Each ends with the last answer that takes something which no game before it takes.
    """
    takes, missing = {end: end.takes & wanted for end in ends}, wanted
    while takes:
        end = max(takes, key=lambda end: (len(takes[end] & missing), -end.depth))
        if not takes.pop(end) & missing:
            break
        yield _cut(end, missing)
        missing -= end.takes


def _cut(end: Node, missing: frozenset[Key]) -> Node:
    """Return where a game has first taken all that it takes of what is missing."""
    last, seen = end, set[Key]()
    for node in end.path():
        if node.took & missing - seen:
            last = node
        seen |= node.took
    return last


def _paths(model: Model, ends: Iterable[Node], missing: dict[Key, Target]) -> Iterator[Path]:
    """Yield the paths of games, each with what it is the first to take."""
    for end in ends:
        takes = list[tuple[int, Target]]()
        for number, node in enumerate(end.path()):
            keys = [key for key in missing if key in node.took]
            takes += [(number, missing.pop(key)) for key in keys]
        yield Path(model, end.start, end.answers, tuple(takes))
