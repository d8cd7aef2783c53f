"""Measures the coverage of a model by recorded data."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import replace

from fsm.coverage.criteria import criterion as criterion_called
from fsm.coverage.criteria import proofs_of
from fsm.coverage.data import Data
from fsm.coverage.evidence import evidence_of
from fsm.coverage.target import Coverage, Key, Target
from fsm.model import Model
from fsm.model.graph import graphs_of
from fsm.model.model import per_model

UNPROVED = "nothing was recorded, so what no run can take counts as missing, too"


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
    asked, found = criterion_called(criterion), list[Target]()
    for graph in graphs_of(model, starts=starts):
        found += asked.targets(proofs_of(graph))
    return tuple(found)


def _unproved(asked: Iterable[Target]) -> tuple[Target, ...]:
    return tuple(replace(target, infeasible="") for target in asked)


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
    asked = targets(model, criterion, starts=found[0].put_into)
    if not any(evidence.taken or evidence.starts for evidence in found):
        return Coverage(criterion, _unproved(asked), {}, notes=(*notes, UNPROVED))
    known, by = {target.key for target in asked}, defaultdict[Key, Counter[str]](Counter)
    for evidence in found:
        for id, context, count in criterion_called(criterion).taken(evidence):
            key = evidence.graph.name, id
            if key in known:
                by[key][context] += count
    taken = {key: counts.total() for key, counts in by.items()}
    return Coverage(criterion, asked, taken, by, tuple(notes))
