"""A coverage-guided random search for one missing target at a time. Every game that takes something
new is kept.

Half of the games begin anew: they give the orders that the guards of the target ask for, and send
its signals where they are possible. The others continue from a wait point where the target has
begun or may begin. Random walks from known positions are used as in coverage-guided fuzzing: Böhme,
Pham and Roychoudhury, "Coverage-based greybox fuzzing as Markov chain" (2016).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from random import Random

from fsm.coverage.target import Key
from fsm.engine.requests import Answer, Signal
from fsm.model.graph import Arc
from fsm.testing.budget import Budget
from fsm.testing.generation.candidate import Candidate, trimmed
from fsm.testing.generation.candidateorders import CandidateOrders
from fsm.testing.generation.measuring import Chain
from fsm.testing.generation.path import Start
from fsm.testing.generation.searchgoal import SearchGoal
from fsm.testing.generation.searchnode import AnswerStep, SearchNode, last_firings, try_answer
from fsm.testing.generation.targetedwalker import TargetedAnswers
from fsm.testing.generation.waitinggame import WaitingGame

LONGEST, TAIL = 120, 12
"""The largest number of answers in a new game, and in one that continues from a wait point."""
KEPT = 12
"""How many wait points with short paths are kept for each last firing and each waiting state."""
NEXT, LEADS, RARE = 0.6, 0.2, 0.02
"""The probability of a signal where it may be next for the target, where it leads to the start of
the target, and elsewhere."""
ACTIVE = 0.6
"""The probability that the player who leaves is the active player or has priority."""
MORE = 0.8
"""The probability of more than the fewest players in a game in which a player must leave."""
QUIET = 0.4
"""The probability that an answer passes and reports the facts that hold when nothing happens."""


class GuidedSearch:
    """Plays guided games. The tries of the budget are answers. `starts` has each game set-up with
    its first step.

    `waiting` has the games from which others continue, by their last firing or state and the number
    of players.
    """

    def __init__(
        self, goal: SearchGoal, starts: Mapping[Start, AnswerStep], random: Random, budget: Budget
    ) -> None:
        self.goal, self.starts, self.random, self.budget = goal, starts, random, budget
        self.many = sorted({len(start.players) for start in starts})
        self.answers = TargetedAnswers(goal, random)
        self.waiting: dict[Hashable, list[WaitingGame]] = {}
        self._open = list[Key]()
        self._known: dict[int, tuple[Arc, ...]] = {}

    def play(self) -> Candidate | None:
        """Play one game. Return it up to its last new target, or None if it took nothing new.

        The targets that it took are no longer open.
        """
        key = self._target()
        chain = self.random.choice(self.goal.chains[key]) if self.goal.chains[key] else ()
        begun = self._begun(chain) if self.random.random() < 0.5 else None
        game = begun or self._new(chain)
        most = self.random.randrange(1, TAIL) if begun else LONGEST
        found: WaitingGame | None = None
        for step in self._steps(game, key, chain, most):
            self.budget.spend()
            game = self.after(game, step)
            fresh = self.goal.newly_taken_by(step)
            if fresh:
                self.goal.mark_taken(fresh)
                found = game
        if found is None:
            return None
        self.goal.mark_taken(self.goal.taken_by(self.starts[found.start]))
        return Candidate(found.start, self.starts[found.start], found.steps)

    def _target(self) -> Key:
        if len(self._open) != len(self.goal.open):
            self._open = list(self.goal.open)
        return self.random.choice(self._open)

    def near(self, key: Key) -> list[tuple[Candidate, list[AnswerStep]]]:
        """Return the kept wait points at which a target has begun or may begin, as seeds of a
        search.
        """
        arcs = dict.fromkeys(arc for chain in self.goal.chains[key] for arc in chain)
        names = product((*map(id, arcs), *(arc.at for arc in arcs)), self.many)
        games = {id(game): game for name in names for game in self.waiting.get(name, ())}
        return [(Candidate(p.start, self.starts[p.start]), p.steps) for p in games.values()]

    # wait points ----------------------------------------------------------------------------------

    def _new(self, chain: Chain) -> WaitingGame:
        many = self._players(chain)
        start = self.random.choice([start for start in self.starts if len(start.players) in many])
        return WaitingGame(start, self.starts[start].node)

    def _begun(self, chain: Chain) -> WaitingGame | None:
        """Return a wait point at which the chain has begun or may begin."""
        arc, many = self.random.choice(chain) if chain else None, self._players(chain)
        names = product((id(arc), arc.at) if arc else (), many)
        known = [held for name in names if (held := self.waiting.get(name))] or list(
            self.waiting.values()
        )
        return self.random.choice(self.random.choice(known)) if known else None

    def _players(self, chain: Chain) -> Sequence[int]:
        """Return the possible numbers of players. If one leaves and the game goes on, there are
        more than two.
        """
        leaving = any(arc.row.event == self.goal.abstract.model.leaving for arc in chain)
        return self.many[1:] if leaving and self.random.random() < MORE else self.many

    def after(self, game: WaitingGame, step: AnswerStep) -> WaitingGame:
        """Return the game after a step, and keep it so that others can continue from it."""
        step = trimmed(step, game.node)
        after = game.after(step)
        if not step.node.over:
            ends = [walk[0] for walk in (step.node.turn, step.node.window) if walk is not None]
            for name in dict.fromkeys(
                (*map(id, ends), step.node.graph_node.state, step.node.graph_node.frame)
            ):
                self._put(self.waiting.setdefault((name, len(game.start.players)), []), after)
        return after

    def _put(self, held: list[WaitingGame], game: WaitingGame) -> None:
        if len(held) < KEPT:
            held.append(game)
        elif self.random.random() < 0.2:
            held[self.random.randrange(KEPT)] = game
        else:
            longest = max(range(KEPT), key=lambda number: held[number].length)
            held[longest] = min(held[longest], game, key=lambda each: each.length)

    # answers --------------------------------------------------------------------------------------

    def _steps(self, game: WaitingGame, key: Key, chain: Chain, most: int) -> Iterator[AnswerStep]:
        node = game.node
        choices = self.answers.order_finder.find_for(key, node.remaining)
        first = self.random.randrange(LONGEST // 4) if game.before is None else 0
        for number in range(most):
            if node.over:
                return
            answer = self._answer(node, choices, chain, first=number == first)
            step = try_answer(node, answer) or try_answer(
                node, replace(answer, orders=(), signal=None)
            )
            if step is None:
                return
            yield step
            node = step.node

    def _answer(
        self, node: SearchNode, choices: CandidateOrders, chain: Chain, *, first: bool
    ) -> Answer:
        answer = self.answers.answer(node, choices, first=first)
        if self.random.random() < QUIET and not answer.orders:
            quiet = {name: name in node.abstract.quiet for name in answer.facts}
            answer = Answer(node.waiting.words[-1], quiet, (), answer.signal)  # type: ignore[arg-type]
        event = self._event(node, chain)
        return replace(answer, signal=self._signal(node, event)) if event else answer

    def _event(self, node: SearchNode, chain: Chain) -> str:
        """Return a signal of the chain that may come now, or "". It fires after the first firing of
        its answer.
        """
        for number, arc in enumerate(chain):
            if arc.row.event in node.abstract.signals:
                chance = NEXT if self._due(node, chain[:number], arc) else 0.0 if number else RARE
                if self.random.random() < chance:
                    return arc.row.event
        leading = [arc for arc in self._leading(chain) if arc.at == node.graph_node.state]
        return (
            self.random.choice(leading).row.event
            if leading and self.random.random() < LEADS
            else ""
        )

    def _due(self, node: SearchNode, before: Chain, arc: Arc) -> bool:
        """Whether this firing may come next: at this wait point, or with the answer that takes the
        firing before it.
        """
        if arc.at in node.graph_node and _taken(node, before):
            return True
        if before:
            return before[-1].at in node.graph_node and _taken(node, before[:-1])
        graph = self.goal.abstract.graph_of(arc)
        return any(
            next.to == arc.at for at in node.graph_node[:2] for next in graph.leaving.get(at, ())
        )

    def _leading(self, chain: Chain) -> tuple[Arc, ...]:
        """Return the firings by a signal that lead to the start of a chain."""
        if chain and id(chain[0]) not in self._known:
            abstract, at = self.goal.abstract, chain[0].at
            arcs = (arc for arc in abstract.graph_of(chain[0]).arriving[at] if arc.at != at)
            self._known[id(chain[0])] = tuple(
                arc for arc in arcs if arc.row.event in abstract.signals
            )
        return self._known[id(chain[0])] if chain else ()

    def _signal(self, node: SearchNode, event: str) -> Signal | None:
        if event != node.abstract.model.leaving:
            return Signal(event)
        there, run = node.may_leave, node.run
        if not there:
            return None
        known = [p for p in (run.agenda.active, run.holder) if p in there]
        return Signal(
            event, self.random.choice(known if known and self.random.random() < ACTIVE else there)
        )


def _taken(node: SearchNode, arcs: Chain) -> bool:
    """Whether these firings are the last ones of one machine."""
    return not arcs or any(
        last_firings(walk, len(arcs)) == arcs for walk in (node.turn, node.window)
    )
