"""The coverage criteria by name, and the measurement of a model's coverage."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from fsm.coverage.data import Data
from fsm.coverage.evidence import Evidence, evidence_of
from fsm.coverage.feasibility import unproved
from fsm.coverage.simple import (
    Literals,
    ModifiedConditions,
    Pairs,
    Refusals,
    Rules,
    States,
    Takes,
    Transitions,
)
from fsm.coverage.target import Coverage, Key, Target
from fsm.errors import CoverageError, suggest
from fsm.model import Model
from fsm.model.graph import Graph, graphs_of
from fsm.model.model import per_model
from fsm.wording import few


class Criterion(Protocol):
    """A coverage criterion: the targets it asks for, and how often each was taken."""

    def targets(self, graph: Graph) -> Iterator[Target]:
        """Yield the targets in one machine."""

    def taken(self, evidence: Evidence) -> Takes:
        """Return how often each target was taken, by its id and the context."""


_NAMED: dict[str, Criterion] = {
    "states": States(),
    "transitions": Transitions(),
    "literals": Literals(),
    "mcdc": ModifiedConditions(),
    "pairs": Pairs(),
    "rules": Rules(),
    "refusals": Refusals(),
}


UNPROVED = "nothing was recorded, so it was not proved what no run can take: that counts as missing"


def criteria() -> tuple[str, ...]:
    """Return the names of the criteria.

    Returns
    -------
    tuple of str
        The names that `targets` and `covered` accept.
    """
    return tuple(_NAMED)


def criterion(name: str) -> Criterion:
    """Return the criterion of this name. Raises CoverageError if there is none."""
    if name not in _NAMED:
        raise CoverageError(f"criterion {name!r} is unknown{suggest(name, _NAMED)}")
    return _NAMED[name]


def targets(
    model: Model, criterion: str, *, starts: frozenset[str] = frozenset()
) -> tuple[Target, ...]:
    """Return all targets of a criterion in a model.

    Parameters
    ----------
    model
        The Model, with its window.
    criterion
        The name of a criterion. See `criteria`.
    starts
        States in which runs begin besides the initial one, for instance states into which objects
        of a plain machine are restored. What can be reached from them is feasible.

    Returns
    -------
    tuple of Target
        The targets in the order of the model. Targets that no run can take are marked as
        infeasible.

    Raises
    ------
    CoverageError
        If the criterion is unknown or has too many targets in this model.
    """
    return _proved(model, criterion, starts)


def _unproved(model: Model, criterion: str) -> tuple[Target, ...]:
    """Return all targets without asking which of them no run can take."""
    with unproved():
        return _made(model, criterion, frozenset())


def covered(model: Model, criterion: str, data: Data, context: str | None = None) -> Coverage:
    """Measure the coverage of a model by recorded data.

    Parameters
    ----------
    model
        The Model to measure.
    criterion
        The name of a criterion. See `criteria`.
    data
        The recorded data.
    context
        The only context (test) to count. If None, all contexts count.

    Returns
    -------
    Coverage
        The targets and how often each was taken. If nothing was recorded, nothing is proved: no
        target is infeasible.

    Raises
    ------
    CoverageError
        If the criterion is unknown or has too many targets in this model.
    """
    found, notes = evidence_of(model, data)
    if not any(evidence.recorded for evidence in found):
        return Coverage(criterion, _unproved(model, criterion), {}, {}, (*notes, UNPROVED))
    starts = found[0].graph.starts
    asked = targets(model, criterion, starts=starts)
    known = {target.key for target in asked}
    if starts and sum(bool(t.infeasible) for t in targets(model, criterion)) > sum(
        bool(t.infeasible) for t in asked
    ):
        notes = (
            *notes,
            f"runs began in {few(sorted(starts))}, too: so what can be reached from there is possible",
        )
    taken: dict[Key, int] = {}
    by: dict[Key, dict[str, int]] = {}
    for evidence in found:
        for (id, where), count in _criterion(criterion).taken(evidence).items():
            key = (evidence.graph.name, id)
            if key in known and context in (None, where):
                taken[key] = taken.get(key, 0) + count
                by.setdefault(key, {})[where] = count
    return Coverage(criterion, asked, taken, by, notes)


_criterion = criterion


def _made(model: Model, name: str, starts: frozenset[str]) -> tuple[Target, ...]:
    found = criterion(name)
    return tuple(t for graph in graphs_of(model, starts=starts) for t in found.targets(graph))


_proved = per_model(_made)
