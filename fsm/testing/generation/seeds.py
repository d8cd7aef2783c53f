"""The seeds of a search for one target: ordinary courses, paths made so far, and games in the phase it asks for."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from fsm.coverage.target import Key
from fsm.model import Fact
from fsm.state.primitives import holds
from fsm.testing.generation.backbone import ordinary_courses
from fsm.testing.generation.bestfirst import BestFirstSearch
from fsm.testing.generation.candidate import Candidate, replayed
from fsm.testing.generation.path import Start
from fsm.testing.generation.searchgoal import SearchGoal, search_goal
from fsm.testing.generation.searchnode import AnswerStep, SearchNode

SearchSeed = tuple[Candidate, list[AnswerStep]]
"""A candidate path, and steps that continue it."""
TRIES = 800
"""At most this many answers are tried to come into a phase."""


class SearchSeeds:
    """Finds them for the targets of a goal. `tried` counts the answers. `starts`: the ways to begin a game."""

    def __init__(self, goal: SearchGoal, starts: Mapping[Start, AnswerStep]) -> None:
        self.goal, self.starts, self.tried = goal, starts, 0
        self._replayed: dict[tuple[Start, int, int], list[AnswerStep]] = {}
        self._begun: dict[tuple[Start, str], list[list[AnswerStep]]] = {}

    def of(self, key: Key, start: Start, candidates: Iterable[Candidate]) -> list[SearchSeed]:
        """The beginning, and those places where most is as the target asks."""
        fresh = Candidate(start, self.starts[start])
        phases = self._phases(key)
        ways = [*ordinary_courses(fresh.node)]
        for steps in [
            *(self._begun_so(start, d) for d in candidates),
            *(w for p in phases for w in self._into(p, start)),
        ]:
            ways += [steps[:n] for n in range(1, len(steps) + 1)]
        scores = [_score(steps[-1].node, phases) for steps in ways]
        likely = [steps for steps, score in zip(ways, scores, strict=True) if score == max(scores)]
        return [(fresh, steps) for steps in ([], *likely)]

    def _phases(self, key: Key) -> list[Fact]:
        """The facts about the phase under way that the guards of a target ask for."""
        model = self.goal.abstract.graphs[key[0]].model
        terms = (t for chain in self.goal.chains[key][:1] for arc in chain for t in arc.row.guard if t.value)
        return [fact for t in terms if (fact := model.fact(t.fact)).test[:1] == ("phase_under_way",)]

    def _into(self, fact: Fact, start: Start) -> list[list[AnswerStep]]:
        """A way into the phase that this fact names, in a game that begins so; none when none is found."""
        if (start, fact.test[1]) not in self._begun:
            goal, place = self._beginning(fact.test[1]), self.starts[start].node
            search = BestFirstSearch(
                goal, [(place, []), *((s[-1].node, s) for s in ordinary_courses(place))], TRIES, seed_cost=0.0
            )
            found = search.run()
            self.tried += search.tried
            self._begun[start, fact.test[1]] = [found.steps] if found is not None else []
        return self._begun[start, fact.test[1]]

    def _beginning(self, phase: str) -> SearchGoal:
        model = self.goal.abstract.model
        homes = [s.id for s in model.of_kind("phase") if phase in (s.name, s.family)]
        begins = {s.id for s in model.leaves if s.role == "begin" and s.parent in homes}
        states = search_goal(self.goal.abstract, "states")
        return states.only(key for key in states.targets if key[1] in begins)

    def _begun_so(self, start: Start, candidate: Candidate) -> list[AnswerStep]:
        """The steps of a path, in a game that begins so: as nearly the same as can be."""
        if candidate.start == start:
            return candidate.steps
        key = (start, id(candidate), len(candidate.steps))
        if key not in self._replayed:
            self._replayed[key] = list(replayed(self.starts[start].node, candidate.script))
            self.tried += len(self._replayed[key])
        return self._replayed[key]


def _score(node: SearchNode, asked: Collection[Fact]) -> tuple[int, int]:
    """How much of this holds; where something is asked it is better that nobody has left."""
    return sum(holds(node.controller.run, fact) for fact in asked), -len(node.controller.agenda.left) * bool(asked)
