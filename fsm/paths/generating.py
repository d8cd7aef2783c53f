"""Paths for a criterion: busy games at random, then a search for what they missed, and all of it made short."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from time import perf_counter

from fsm.coverage import Target, targets
from fsm.coverage.target import Key
from fsm.model import Fact, Model
from fsm.paths.backbone import courses
from fsm.paths.bound import lower_bound
from fsm.paths.draft import Draft, again
from fsm.paths.gleaning import Gleaner
from fsm.paths.ground import Ground, ground_of
from fsm.paths.here import Here, Step, begun
from fsm.paths.joining import Joiner
from fsm.paths.measuring import waits_in, words_refused
from fsm.paths.path import Path, PathSet, Start, starts
from fsm.paths.pruning import Pruner, fewest
from fsm.paths.renewing import Renewer
from fsm.paths.seeking import Seeking
from fsm.paths.walking import Walker
from fsm.paths.wanted import wanted
from fsm.primitives import holds
from fsm.requests import Answer, Signal

EFFORT, MANY = 150_000, 300
"""So many answers are tried at most for so many targets, and as many more as there are more targets."""
GAMES, FRUITLESS, TOLL = 30, 12, 6
"""So many games at random are compared at a time; they are given up after so many times without anything new."""
FIRST, SECOND = 300, 2_500
"""How many answers are tried to find the nearest; then, once more, from every way to begin a game."""
EACH = 12
"""How many answers are tried for each place that a search may go on from, if that is more."""
WALKS, SEARCHES, PRUNED = 0.35, 0.6, 0.8
"""Up to these shares of the effort games are played at random, searches made, paths pruned; then they are renewed."""
JOINED = 0.4
"""This share of the effort for a tour makes paths that it goes along."""
IN_VAIN, NEAR = 400, 600
"""Gleaning is over after so many games without anything new; so many answers are then tried for each target left."""

Root = tuple[Draft, list[Step]]
"""Where a search may begin: a draft, and steps that lead on from its end."""


def paths(
    model: Model,
    criterion: str = "transitions",
    *,
    tour: bool = False,
    effort: int = 0,
    seconds: float | None = None,
    seed: int = 1,
) -> PathSet:
    """Paths that take all of a criterion that could be reached; `open` of the result tells what could not.

    `tour`: as few games as possible, one after the other only where a game is over or cannot take what is left. Every
    path is run in a new game before it is handed out. `effort`: so many answers are tried at most, EFFORT if 0, twice
    that for a tour; `seconds`: no longer than that, about. Equal for equal arguments, unless time runs out.
    Raises CoverageError when the criterion is unknown, or paths cannot be made for it.
    """
    since = perf_counter()
    known = {target.key: target for target in targets(model, criterion)}
    made = Generator(model, criterion, tour=tour, effort=effort, seconds=seconds, seed=seed)
    drafts = made.run()
    found = PathSet(model, criterion, tuple(finished(model, criterion, drafts, known)), tour=tour)
    return found.measured(perf_counter() - since, lower_bound(criterion, found))


def finished(model: Model, criterion: str, drafts: Iterable[Draft], known: Mapping[Key, Target]) -> Iterator[Path]:
    """The paths that drafts have become, each run in a new game. What is not among the known targets is not told."""
    seen: set[Key] = set()
    goal = wanted(ground_of(model), criterion)
    for draft in drafts:
        takes: list[tuple[int, Target]] = []
        for number, keys in enumerate(draft.met(goal)):
            takes += [(number, known[key]) for key in sorted(keys - seen) if key in known]
            seen |= keys
        refused = tuple(_refused(draft, takes)) if criterion == "refusals" else ()
        yield Path(model, draft.start, tuple(step.answer for step in draft.steps), tuple(takes), refused)


def _refused(draft: Draft, takes: Iterable[tuple[int, Target]]) -> Iterator[tuple[int, Answer]]:
    """What is to be tried on a path for the targets that are taken by that."""
    for number, target in takes:
        here, (event, _, state) = draft.at(number), target.id.rpartition(" in ")
        if (target.machine, state) == waits_in(here.ground, here) and event in words_refused(here.ground, here):
            signal = Signal(event) if event in here.ground.signals else None
            yield number, Answer("done" if signal else event, signal=signal)  # type: ignore[arg-type]


class Generator:
    """Makes the paths of one criterion."""

    def __init__(
        self, model: Model, criterion: str, *, tour: bool, effort: int, seconds: float | None, seed: int
    ) -> None:
        self.ground: Ground = ground_of(model)
        self.goal = wanted(self.ground, criterion)
        self.tour = tour
        self.effort = self.left = effort or EFFORT * (1 + tour) * max(len(self.goal.open), MANY) // MANY
        self.until = perf_counter() + seconds if seconds is not None else float("inf")
        self.seed, self.random, self.alive = seed, Random(seed), False
        self.drafts: list[Draft] = []
        self.replayed: dict[tuple[Start, int, int], list[Step]] = {}
        self.starts = {start: begun(self.ground, start.controller(model)) for start in starts(model)}

    def run(self) -> list[Draft]:
        """All paths; what could not be reached is left in `goal.open`."""
        if self.tour:
            self._tour(self._set())
            return Pruner(self.goal, [d for d in self.drafts if d.steps], self._spare(1)).run()
        if self.goal.length > 1:
            self._glean()
        else:
            self._walk_and_sweep()
        share = 1 if self.goal.length > 1 else PRUNED
        drafts = Pruner(self.goal, [d for d in self.drafts if d.steps], self._spare(share)).run()
        fresh = [Draft(start, step) for start, step in self.starts.items()]
        return Renewer(self.goal, drafts, fresh, self.random).run(self._spare(1))

    def _glean(self) -> None:
        """For targets that are many firings in a row: whatever games take, then a search for each that is left."""
        gleaner, vain = Gleaner(self.goal, self.starts, self.random), 0
        while self.goal.open and vain < IN_VAIN and self._spare(WALKS) > 0:
            before = gleaner.tried
            draft = gleaner.game()
            self.left -= gleaner.tried - before
            vain = 0 if draft is not None else vain + 1
            self.drafts += [draft] if draft is not None else []
        for key in list(self.goal.open):
            if key in self.goal.open and self._spare(SEARCHES) > 0:
                self._seek(key, gleaner.near(key))
        self.drafts = fewest(self.goal, self.drafts)

    def _seek(self, key: Key, near: list[Root]) -> None:
        roots = [(steps[-1].here if steps else draft.here, steps) for draft, steps in near]
        seeking = Seeking(self.goal.only([key]), roots, NEAR, leave=0.0)
        found = seeking.run()
        self.left -= seeking.tried
        if found is not None:
            self._go_on(near[found.root][0], found.steps)

    def _walk_and_sweep(self) -> None:
        """For targets of one firing each: the best of many games at random, and searches for what they missed."""
        self._walk(WALKS, FRUITLESS)
        self._sweep(next(iter(self.starts)), FIRST)
        self._walk(WALKS, 3 * FRUITLESS, anywhere=True)
        first, *others = self.starts
        for start in (*others, first):
            self.goal.aside.clear()
            self._sweep(start, SECOND)

    def _set(self) -> list[Draft]:
        """Single paths, which a tour goes along."""
        made = Generator(self.ground.model, self.goal.criterion, tour=False, effort=int(JOINED * self.effort),
                         seconds=self.until - perf_counter(), seed=self.seed)
        paths = made.run()
        self.left -= made.effort - made.left
        return paths

    def _tour(self, paths: list[Draft]) -> None:
        """One game for as long as it takes anything new, then the next; what ends a game comes last."""
        starts = sorted(self.starts, key=lambda start: (len(start.players) != 3, bool(start.teams or start.settings)))
        for number, start in enumerate(starts):
            share = JOINED + (0.9 - JOINED) * number / len(starts)
            draft = Draft(start, self.starts[start])
            for self.alive in (True, False):
                self.goal.aside.clear()
                draft = self._walk(share, FRUITLESS, draft) or draft
                self._sweep(start, FIRST, draft, share)
                joiner = Joiner(self.goal, paths, alive=self.alive)
                for steps in joiner.run(draft.here):
                    draft = self._go_on(draft, steps)
                self.left -= joiner.tried

    def _spare(self, share: float) -> int:
        """How many answers may still be tried, up to this share of all."""
        return int(self.left - (1 - share) * self.effort) if perf_counter() < self.until else 0

    # games at random --------------------------------------------------------------------------------------

    def _walk(self, share: float, most: int, draft: Draft | None = None, *, anywhere: bool = False) -> Draft | None:
        walker, fruitless = Walker(self.goal, self.random, alive=self.alive), 0
        while self.goal.open and fruitless < most and self._spare(share) > 0:
            roots = self._roots(draft) + (self._places() if anywhere else [])
            before = walker.tried
            best = walker.best([here for here, _ in roots], GAMES, TOLL)
            self.left -= walker.tried - before
            fruitless = 0 if best else fruitless + 1
            if best is not None:
                draft = self._go_on(roots[best.root][1], best.steps)
        return draft

    def _roots(self, draft: Draft | None) -> list[tuple[Here, Draft]]:
        """Where to go on from: the draft's end, and new games."""
        first, *others = (Draft(start, step) for start, step in self.starts.items())
        if self.tour and draft is not None:
            return [(draft.here, draft)]
        some = [first, *([draft] if draft is not None else []), *([self.random.choice(others)] if others else [])]
        return [(d.here, d) for d in some]

    def _places(self) -> list[tuple[Here, Draft]]:
        """Some places on the paths made so far, each with the beginning of that path."""
        made = [d for d in self.drafts if d.steps]
        some = [(d, self.random.randrange(len(d.steps)) + 1) for d in self.random.choices(made, k=4 * bool(made))]
        return [(d.at(n), Draft(d.start, d.first, list(d.steps[:n]))) for d, n in some]

    def _go_on(self, draft: Draft, steps: Sequence[Step]) -> Draft:
        if draft not in self.drafts:
            self.drafts.append(draft)
            self.goal.done(self.goal.met(draft.first))
        for step in steps:
            draft.steps.append(step)
            self.goal.done(self.goal.taken(step))
        return draft

    # searches ---------------------------------------------------------------------------------------------

    def _sweep(self, start: Start, tries: int, draft: Draft | None = None, share: float = SEARCHES) -> None:
        """Go on while anything is found; what a search heads for in vain is set aside."""
        while self._spare(share) > 0 and any(key not in self.goal.aside for key in self.goal.open):
            near: list[Root] = [(Draft(start, self.starts[start]), [])] if draft is None or not self.tour else []
            near += [(draft, [])] if draft is not None else []
            found = self._search(near, tries, last=False)
            if found is None:
                found = self._search(near + self._far(draft, start), tries, last=True)
            if found is not None:
                draft = self._go_on(*found)

    def _far(self, draft: Draft | None, start: Start) -> list[Root]:
        """Other places to go on from: on an ordinary course, and, but for a tour, on the paths made so far."""
        if draft is not None and self.tour:
            return [(draft, steps) for steps in courses(draft.here)]
        fresh = Draft(start, self.starts[start])
        ordinary: list[Root] = [(fresh, steps) for steps in courses(fresh.here)]
        made = [self._begun_so(start, d) for d in self.drafts]
        return self._likely(ordinary + [(fresh, steps[:n]) for steps in made for n in range(1, len(steps) + 1)])

    def _likely(self, places: list[Root]) -> list[Root]:
        """Those where most of what is scheduled and under way is as some target that is headed for needs it."""
        needed = [self._needed(key) for key in self.goal.open if key not in self.goal.aside]
        scores = [max((sum(holds(steps[-1].here.controller._run, f) for f in facts) for facts in needed), default=0)
                  for _, steps in places]
        best = max(scores, default=0)
        return [place for place, score in zip(places, scores, strict=True) if score == best]

    def _needed(self, key: Key) -> list[Fact]:
        """The facts about what is under way that the guards of a target ask for."""
        model = self.ground.graphs[key[0]].model
        terms = (t for chain in self.goal.chains[key][:1] for arc in chain for t in arc.row.guard if t.value)
        return [fact for t in terms if (fact := model.fact(t.fact)).test[:1] == ("phase_under_way",)]

    def _begun_so(self, start: Start, draft: Draft) -> list[Step]:
        """The steps of a path, in a game that begins so: as nearly the same as can be."""
        if draft.start == start:
            return draft.steps
        key = (start, id(draft), len(draft.steps))
        if key not in self.replayed:
            self.replayed[key] = list(again(self.starts[start].here, draft.script))
            self.left -= len(self.replayed[key])
        return self.replayed[key]

    def _search(self, roots: Sequence[Root], tries: int, *, last: bool) -> Root | None:
        """The draft to go on with and the steps. When it is the last try, what was headed for in vain is set aside."""
        places = [(steps[-1].here if steps else d.here, steps) for d, steps in roots]
        seeking = Seeking(self.goal, places, max(tries, EACH * len(roots)), leave=0.0 if last else 1.0,
                          alive=self.alive)
        found = seeking.run()
        self.left -= seeking.tried
        if found is None and last:
            vain = [key for key, _ in seeking.pointed.most_common(1)]
            self.goal.aside.update(vain or self.goal.open)
        return (roots[found.root][0], found.steps) if found is not None else None
