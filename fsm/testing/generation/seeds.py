"""The seeds of a search for one target: ordinary courses, paths made so far, and games in the
required phase.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from fsm.coverage.target import Key
from fsm.model import Fact
from fsm.state.primitives import holds
from fsm.testing.budget import Budget
from fsm.testing.generation.backbone import ordinary_courses
from fsm.testing.generation.bestfirst import BestFirstSearch
from fsm.testing.generation.candidate import Candidate, replayed
from fsm.testing.generation.path import Start
from fsm.testing.generation.searchgoal import SearchGoal, search_goal
from fsm.testing.generation.searchnode import AnswerStep, SearchNode

SearchSeed = tuple[Candidate, list[AnswerStep]]
"""A candidate path, and steps that continue it."""
TRIES = 800
"""At most this many answers are tried to reach a phase."""


class SeedFinder:
    """Finds seeds for the targets of a goal. The tries of the budget are answers. `starts` are the
    set-ups of games.
    """

    def __init__(
        self, goal: SearchGoal, starts: Mapping[Start, AnswerStep], budget: Budget
    ) -> None:
        self.goal, self.starts, self.budget = goal, starts, budget
        self._replayed: dict[tuple[Start, int, int], list[AnswerStep]] = {}
        self._into_phase: dict[tuple[Start, str], list[list[AnswerStep]]] = {}

    def of(self, key: Key, start: Start, candidates: Iterable[Candidate]) -> list[SearchSeed]:
        """Return the beginning of a game, and the nodes at which most facts are as the target
        requires.
        """
        fresh = Candidate(start, self.starts[start])
        phases = self._phases(key)
        ways = [*ordinary_courses(fresh.node)]
        replays = [self._replayed_with(start, candidate) for candidate in candidates]
        for steps in [*replays, *(way for phase in phases for way in self._into(phase, start))]:
            ways += [steps[:n] for n in range(1, len(steps) + 1)]
        scores = [_score(steps[-1].node, phases) for steps in ways]
        likely = [steps for steps, score in zip(ways, scores, strict=True) if score == max(scores)]
        return [(fresh, steps) for steps in ([], *likely)]

    def _phases(self, key: Key) -> list[Fact]:
        """Return the facts about the phase under way that the guards of a target require."""
        model = self.goal.abstract.graphs[key[0]].model
        terms = (t for arc in self.goal.arcs[key][:1] for t in arc.row.guard if t.value)
        return [
            fact for t in terms if (fact := model.fact(t.fact)).test[:1] == ("phase_under_way",)
        ]

    def _into(self, fact: Fact, start: Start) -> list[list[AnswerStep]]:
        """Return the steps into the phase of this fact, in a game with this set-up. Return [] if
        none are found.
        """
        if (start, fact.test[1]) not in self._into_phase:
            goal, node = self._beginning(fact.test[1]), self.starts[start].node
            seeds = [(node, []), *((steps[-1].node, steps) for steps in ordinary_courses(node))]
            found = BestFirstSearch(goal, seeds, self.budget.part(TRIES), seed_cost=0.0).run()
            self._into_phase[start, fact.test[1]] = [found.steps] if found is not None else []
        return self._into_phase[start, fact.test[1]]

    def _beginning(self, phase: str) -> SearchGoal:
        model = self.goal.abstract.model
        homes = [s.id for s in model.of_kind("phase") if phase in (s.name, s.family)]
        begins = {s.id for s in model.leaves if s.role == "begin" and s.parent in homes}
        states = search_goal(self.goal.abstract, "states")
        return states.only(key for key in states.targets if key[1] in begins)

    def _replayed_with(self, start: Start, candidate: Candidate) -> list[AnswerStep]:
        """Return the steps of a path, replayed as far as possible in a game with this set-up."""
        if candidate.start == start:
            return candidate.steps
        key = (start, id(candidate), len(candidate.steps))
        if key not in self._replayed:
            self._replayed[key] = list(replayed(self.starts[start].node, candidate.script))
            self.budget.spend(len(self._replayed[key]))
        return self._replayed[key]


def _score(node: SearchNode, required: Collection[Fact]) -> tuple[int, int]:
    """Count the required facts that hold. If there are any, nodes at which nobody has left are
    better.
    """
    left = len(node.run.agenda.left) if required else 0
    return sum(holds(node.run, fact) for fact in required), -left
