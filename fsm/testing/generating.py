"""Makes paths for a criterion: the games that are needed of those that a search has found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from time import perf_counter

from fsm.coverage.measuring import targets
from fsm.coverage.target import Key, Target
from fsm.engine.records import Record
from fsm.engine.requests import Answer
from fsm.engine.watching import Answered
from fsm.errors import CoverageError, FsmError, ModelError, suggest
from fsm.model import Model
from fsm.model.likeness import ModelLike, as_model
from fsm.model.model import per_model
from fsm.state.orders import Signal
from fsm.testing.budget import Budget, Progress
from fsm.testing.measuring import Measure
from fsm.testing.path import Path, PathSet, Start, starts, too_often
from fsm.testing.searching import Node, Search, Walker, beginnings

EFFORT = 150_000
"""At most so many answers are tried."""
FOR_WAYS = 40_000
"""And so many for the ways to everything that a report misses."""
NEAR = 3_000
"""And so many for the ways that a short report shows."""
LONG = 200
"""After so many answers, the ordinary course of two turns has ended."""


def paths(
    model: ModelLike,
    criterion: str = "transitions",
    *,
    effort: int = 0,
    seconds: float | None = None,
    progress: Progress | None = None,
) -> PathSet:
    """Generate paths that take all targets of a criterion that could be reached.

    Every path is played in a new game before it is returned. Equal arguments give equal paths,
    unless time runs out.

    Parameters
    ----------
    model
        The Model to cover, or what names or makes one.
    criterion
        The name of a criterion: "states", "transitions", "literals", "rules" or "refusals".
    effort
        How many answers are tried at most. With 0, there is a default.
    seconds
        About how long the search may take. If None, time is not limited. The proofs of what no run
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
    made, since = as_model(model), perf_counter()
    known = {target.key: target for target in targets(made, criterion)}
    budget = Budget(effort or EFFORT, seconds, progress=progress)
    walker = Walker(made, Measure(made, criterion), budget)
    wanted = [
        key
        for key, target in known.items()
        if not target.infeasible and too_often(made, target) is None
    ]
    best = Search(walker, wanted).run(beginnings(made))
    games = Chooser(walker).needed(best, wanted)
    found = tuple(_paths(made, criterion, walker.measure, games, known))
    return PathSet(made, criterion, found, seconds=perf_counter() - since)


def path_to(model: Model, state: str) -> PathSet:
    """Return the shortest path found from the beginning of a game to a state of turn or window.

    The set has no path if none was found. Raises ModelError if there is no such state.
    """
    asked, since = [t for t in targets(model, "states") if t.id == state], perf_counter()
    if not asked:
        known = [each.id for machine in model.machines.values() for each in machine.states]
        raise ModelError(f"state {state!r} is not in {model.name}{suggest(state, known)}")
    walker = Walker(model, Measure(model, "states"), Budget(EFFORT))
    wanted = {target.key: target for target in asked}
    best = Search(walker, wanted, ordinary=LONG).run(starts(model))
    nearest = sorted(best.keys() & wanted.keys(), key=lambda key: best[key].depth)[:1]
    games = Chooser(walker).needed(best, nearest)
    found = tuple(_paths(model, "states", walker.measure, games, wanted))
    return PathSet(model, "states", found, seconds=perf_counter() - since, only=tuple(asked))


def ways_to(
    model: Model, asked: Mapping[str, Sequence[Target]], *, effort: int = FOR_WAYS
) -> Mapping[str, Mapping[Key, Path]]:
    """Return a path to each target that was found, by criterion and key.

    The last answer of a path takes the target. `asked` has the targets by criterion. Those of the
    first criterion are looked for first. A machine that no game plays has no paths.
    """
    if not model.played:
        return {}
    budget, ways = Budget(effort), dict[str, Mapping[Key, Path]]()
    for criterion, wanted in asked.items():
        try:
            walker = Walker(model, Measure(model, criterion), budget)
        except CoverageError:
            ways[criterion] = {}
            continue
        keys = [target.key for target in wanted]
        best = Search(walker, keys, ordinary=LONG).run(starts(model))
        ways[criterion] = {key: _way(model, best[key]) for key in keys if key in best}
    return ways


def _way(model: Model, node: Node) -> Path:
    return Path(model, node.start, node.answers)


def walk_to(model: Model, criterion: str, target: Target) -> list[Record]:
    """Return the firings of one machine on a way to a target, or [] if a short search finds none.

    Those of a window begin where it opens.
    """
    path, walk = _near(model, criterion).get(target.key), list[Record]()
    if path is None:
        return walk
    measure = Measure(model, criterion)
    for record in path.trace.records:
        if record.machine == target.machine:
            walk.append(record)
            told = (record.machine, record.event, record.transition, record.source, record.guards)
            if target.key in measure.firing(*told):
                return walk
        elif record.source != record.target and target.machine != "turn":
            walk.clear()
    return walk


@per_model
def _near(model: Model, criterion: str) -> Mapping[Key, Path]:
    asked = {criterion: targets(model, criterion)}
    return ways_to(model, asked, effort=NEAR).get(criterion, {})


@dataclass(frozen=True, slots=True)
class Game:
    """A game that was played, and what its beginning and each of its answers took."""

    start: Start
    answers: tuple[Answer, ...]
    took: tuple[frozenset[Key], ...]

    @property
    def takes(self) -> frozenset[Key]:
        """All that it takes."""
        return frozenset[Key]().union(*self.took)

    def cut(self, wanted: frozenset[Key]) -> Game:
        """Leave out the answers after the last one that takes something of this first."""
        seen, last = set[Key](), 0
        for number, took in enumerate(self.took):
            if took & wanted - seen:
                last = number
            seen |= took
        return Game(self.start, self.answers[:last], self.took[: last + 1])


class Chooser:
    """Chooses the games that are needed to take all that a search has found."""

    def __init__(self, walker: Walker) -> None:
        self.walker = walker

    def needed(self, best: Mapping[Key, Node], wanted: Iterable[Key]) -> list[Game]:
        """Return few and short games that together take what is wanted, as far as it was found."""
        missing, games = frozenset(wanted) & best.keys(), list[Game]()
        ends = list(dict.fromkeys(best[key] for key in wanted if key in best))
        left = {node: node.takes & missing for node in ends}
        while missing and left:
            node = max(left, key=lambda node: (len(left[node] & missing), -node.depth))
            fresh = left.pop(node) & missing
            game = self._plain(node, fresh) if fresh else None
            if game is not None:
                games.append(game)
                missing -= game.takes
        return _cut(_without_spare(games, frozenset(wanted)), frozenset(wanted))

    def _plain(self, node: Node, fresh: frozenset[Key]) -> Game | None:
        """Return a game that takes this, with no order that it can do without.

        None is returned if the game cannot be played, or takes something else.
        """
        game = self.played(node.start, node.answers)
        if game is None or not fresh <= game.takes:
            return None
        game = game.cut(fresh)
        for number in range(len(game.answers)):
            for order in game.answers[number].orders:
                answer = game.answers[number]
                kept = tuple(other for other in answer.orders if other is not order)
                fewer = _with(game.answers, number, Answer(answer.word, answer.facts, kept))
                tried = self.played(game.start, fewer)
                if tried is not None and fresh <= tried.takes:
                    game = tried
        return game

    def played(self, start: Start, answers: Iterable[Answer]) -> Game | None:
        """Play a game for real. Return None if an answer is refused."""
        model, measure, given = self.walker.model, self.walker.measure, tuple(answers)
        first, game = self.walker.begin(start), start.controller(model)
        took = [first.took] if first is not None else []

        def note(answered: Answered) -> None:
            took.append(measure.of(answered.answer, answered.fired, game.run))

        try:
            with game.watch(note):
                for answer in given:
                    game.answer(answer)
        except FsmError:
            return None
        return Game(start, given, tuple(took))


def _with(answers: tuple[Answer, ...], number: int, answer: Answer) -> tuple[Answer, ...]:
    """Return the answers with another one in this place."""
    return (*answers[:number], answer, *answers[number + 1 :])


def _without_spare(games: list[Game], wanted: frozenset[Key]) -> list[Game]:
    """Leave out the games without which the others take the same."""
    kept = list(games)
    for game in games:
        others = [other.takes for other in kept if other is not game]
        if game.takes & wanted <= frozenset[Key]().union(*others):
            kept.remove(game)
    return kept


def _cut(games: Iterable[Game], wanted: frozenset[Key]) -> list[Game]:
    """End each game with the last answer that takes something which no game before it takes."""
    cut, missing = list[Game](), wanted
    for game in games:
        cut.append(game.cut(missing))
        missing -= game.takes
    return cut


def _paths(
    model: Model,
    criterion: str,
    measure: Measure,
    games: Iterable[Game],
    known: Mapping[Key, Target],
) -> Iterator[Path]:
    """Yield the paths of games, each with what it is the first to take."""
    missing = {*known}
    for game in games:
        takes: list[tuple[int, Target]] = []
        for number, took in enumerate(game.took):
            keys = [key for key in known if key in took & missing]
            takes += [(number, known[key]) for key in keys]
            missing.difference_update(keys)
        path = Path(model, game.start, game.answers, tuple(takes))
        if criterion == "refusals":
            path = replace(path, refused=tuple(_refused(path, measure)))
        yield path


def _refused(path: Path, measure: Measure) -> Iterator[tuple[int, Answer]]:
    """Yield the answers that must be tried, and refused, for the targets that a path takes."""
    game = path.start.controller(path.model)
    for number in range(len(path.answers) + 1):
        if number:
            game.answer(path.answers[number - 1])
        asked = {target.key for after, target in path.takes if after == number}
        for machine, word, state in measure.refused(game.run):
            if (machine, f"{word} in {state}") in asked:
                signal = word in path.model.signals
                yield number, Answer("done", {}, (Signal(word),)) if signal else Answer(word)  # type: ignore[arg-type]
