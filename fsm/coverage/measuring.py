"""Measures the coverage of a model by recorded data."""

from __future__ import annotations

from fsm.coverage.criteria import criterion as criterion_called
from fsm.coverage.data import Data
from fsm.coverage.evidence import evidence_of
from fsm.coverage.feasibility import Feasibility, feasibility_of
from fsm.coverage.target import Coverage, Key, Target
from fsm.model import Model
from fsm.model.graph import graphs_of
from fsm.model.model import per_model

UNPROVED = "nothing was recorded, so it was not proved what no run can take: that counts as missing"


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


@per_model
def _proved(model: Model, criterion: str, starts: frozenset[str]) -> tuple[Target, ...]:
    found = criterion_called(criterion)
    graphs = graphs_of(model, starts=starts)
    return tuple(target for graph in graphs for target in found.targets(feasibility_of(graph)))


def covered(model: Model, criterion: str, data: Data) -> Coverage:
    """Measure the coverage of a model by recorded data.

    Parameters
    ----------
    model
        The Model to measure.
    criterion
        The name of a criterion. See `criteria`.
    data
        The recorded data.

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
    named = criterion_called(criterion)
    if not any(evidence.taken or evidence.starts for evidence in found):
        unproved = [Feasibility(graph) for graph in graphs_of(model)]
        asked = tuple(target for can in unproved for target in named.targets(can))
        return Coverage(criterion, asked, {}, {}, (*notes, UNPROVED))
    asked = targets(model, criterion, starts=found[0].graph.starts)
    by: dict[Key, dict[str, int]] = {target.key: {} for target in asked}
    for evidence in found:
        for (id, where), count in named.taken(evidence).items():
            counts = by.get((evidence.graph.name, id))
            if counts is not None:
                counts[where] = count
    by = {key: counts for key, counts in by.items() if counts}
    taken = {key: sum(counts.values()) for key, counts in by.items()}
    return Coverage(criterion, asked, taken, by, tuple(notes))
