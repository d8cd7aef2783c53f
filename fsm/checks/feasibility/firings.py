"""Transitions that are tried in a state, with the guards that must hold and those that must not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from fsm.adapters.building import TOGETHER
from fsm.checks.feasibility.factchanges import FactChanges
from fsm.model import Model, Term, Transition
from fsm.model.graph import Arc, Graph


@dataclass(frozen=True, slots=True, eq=False)
class TriedTransition:
    """A transition that is tried in a state: `holds` is true, and none of the guards `fails` is."""

    arc: Arc
    holds: tuple[Term, ...]
    fails: tuple[tuple[Term, ...], ...]


class RowsTried:
    """The transitions for one event in one state. Those that ask for different facts of one group
    exclude each other.

    Only the group that most of them ask for is looked at.
    """

    def __init__(self, model: Model, rows: Sequence[Transition]) -> None:
        self.rows = rows
        self._numbers = {id(row): number for number, row in enumerate(rows)}
        asked = [
            {
                group: term.fact
                for term in row.guard
                if term.value and (group := model.fact(term.fact).group)
            }
            for row in rows
        ]
        common = Counter(group for facts in asked for group in facts).most_common(1)
        self._asked = [facts.get(common[0][0], "") if common else "" for facts in asked]
        self._asking: dict[str, list[int]] = {"": []}
        for number, fact in enumerate(self._asked):
            self._asking.setdefault(fact, []).append(number)

    def above(self, row: Transition) -> list[Transition]:
        """Return the transitions that are tried before this one and do not exclude it."""
        number = self._numbers[id(row)]
        return [self.rows[other] for other in self._beside(number) if other < number]

    def pairs(self) -> Iterator[tuple[Transition, Transition]]:
        """Yield each two transitions that do not exclude each other, in their order."""
        for number, row in enumerate(self.rows):
            yield from ((row, self.rows[other]) for other in self._beside(number) if other > number)

    def _beside(self, number: int) -> Iterable[int]:
        """Return the numbers of the transitions that do not exclude the one with this number."""
        fact = self._asked[number]
        return sorted((*self._asking[fact], *self._asking[""])) if fact else range(len(self.rows))


@dataclass
class Firings:
    """What must hold for each transition of one machine to fire, and what each of them changes."""

    graph: Graph
    _fires: dict[Arc, TriedTransition] = field(default_factory=dict)
    _rows: dict[tuple[str, str], RowsTried] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.changes = FactChanges(self.graph)

    def fires(self, arc: Arc) -> TriedTransition:
        """Return the conditions for this transition to fire: its guard holds, and no guard of a row
        above it.
        """
        if arc not in self._fires:
            self._fires[arc] = TriedTransition(arc, arc.row.guard, self._not_excluded(arc))
        return self._fires[arc]

    def _not_excluded(self, arc: Arc) -> tuple[tuple[Term, ...], ...]:
        """Return the guards above this one, without those that ask for another fact of a group, and
        so fail anyway.
        """
        if arc.row.event == TOGETHER and not self.graph.played:
            return ()
        return tuple(row.guard for row in self._tried((arc.at, arc.row.event)).above(arc.row))

    def _tried(self, where: tuple[str, str]) -> RowsTried:
        if where not in self._rows:
            self._rows[where] = RowsTried(self.graph.model, self.graph.model.rows(*where))
        return self._rows[where]

    def above(self, arc: Arc) -> tuple[tuple[Term, ...], ...]:
        """Return the guards of the rows that are tried before this one."""
        if arc.row.event == TOGETHER and not self.graph.played:
            return ()  # all of these fire, not just the first one that can
        return tuple(row.guard for row in self.graph.model.above(arc.row, arc.at))

    def opens(self, arc: Arc) -> bool:
        """Say whether it can be the first transition of a run."""
        graph, event, at = self.graph, arc.row.event, self.graph.state(arc.at)
        signal = graph.played and event in graph.signals and event not in at.words
        return not signal or graph.leaves_between(event, at) or at.kind == "window"
