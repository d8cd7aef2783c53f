"""Says which targets of a criterion a firing takes, as `fsm.coverage` measures them afterwards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from copy import copy

from fsm.coverage.criteria import criterion_of
from fsm.coverage.data import Seen
from fsm.coverage.evidence import Evidence
from fsm.coverage.games import firing_of
from fsm.coverage.target import Key
from fsm.engine.semantics import Fired
from fsm.errors import CoverageError, suggest
from fsm.model import Model
from fsm.model.graph import graphs_of

CRITERIA = ("states", "transitions", "literals", "rules")
"""The criteria that paths can be made for: those that ask for single firings."""


class Measure:
    """The targets of one criterion that firings in games of a model take.

    Raises CoverageError if no paths can be made for the criterion.
    """

    def __init__(self, model: Model, criterion: str) -> None:
        if criterion not in CRITERIA:
            hint = suggest(criterion, CRITERIA)
            raise CoverageError(f"paths for {criterion!r} cannot be generated{hint}")
        self._model, self._criterion = model, criterion_of(criterion)
        self._nothing = {graph.name: Evidence(graph, Seen()) for graph in graphs_of(model)}
        self._known = dict[object, frozenset[Key]]()

    def of(self, fired: Iterable[Fired]) -> frozenset[Key]:
        """Return what these firings take."""
        found = set[Key]()
        for one in fired:
            key = one.machine, one.event, one.row.id, one.source, one.guards
            if key not in self._known:
                self._known[key] = self._takes(one)
            found |= self._known[key]
        return frozenset(found)

    def _takes(self, fired: Fired) -> frozenset[Key]:
        evidence = copy(self._nothing[fired.machine])
        evidence.taken = Counter((*one, "") for one in firing_of(self._model, fired).tried)
        taken = self._criterion.taken(evidence)
        return frozenset((fired.machine, id) for id, _, _ in taken)
