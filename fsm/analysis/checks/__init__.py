"""Static checks of a Model: states where a run stops, transitions that never fire, and unused elements.

    findings = check(model)

Guards are conjunctions of facts. The checks solve over the facts involved and do not sample. `fsm check` prints the
findings; `docs/checking.md` explains each kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fsm.analysis.checks.allowing import Allowance, Report, divided
from fsm.analysis.checks.finding import MEANING, SEVERITY, Finding, Kind, Severity
from fsm.analysis.checks.reaching import reachable
from fsm.analysis.checks.solving import solve
from fsm.model import Model
from fsm.model.likeness import ModelLike, as_model

if TYPE_CHECKING:
    import transitions

    from fsm.model.graph import Graph

__all__ = [
    "MEANING",
    "SEVERITY",
    "Allowance",
    "Finding",
    "Kind",
    "Report",
    "Severity",
    "check",
    "reachable",
    "report",
    "solve",
]


def check(model: ModelLike, allow: Iterable[Allowance] | None = None) -> list[Finding]:
    """Check a model and its window.

    Parameters
    ----------
    model
        The Model to check.
    allow
        Findings that are intended. If None, the allowances that are shipped with a built-in ruleset are used.

    Returns
    -------
    list of Finding
        The findings that are not allowed. The list is empty if nothing is wrong. An allowance that matches no finding
        is a finding itself.

    Raises
    ------
    FsmError
        If the shipped allowances cannot be read.
    """
    return list(report(as_model(model), allow).findings)


def report(
    model: Model, allow: Iterable[Allowance] | None = None, *, machine: transitions.Machine | None = None
) -> Report:
    """Check a model and its window, and also return the findings that are allowed.

    Parameters
    ----------
    model
        The Model to check.
    allow
        Findings that are intended. If None, the allowances that are shipped with a built-in ruleset are used.
    machine
        The machine of the `transitions` library from which the Model was made, if there is one.

    Returns
    -------
    Report
        The findings, and the allowed findings with the reason for each.

    Raises
    ------
    FsmError
        If the shipped allowances cannot be read.
    """
    from fsm.analysis.checks.findingpaths import with_path
    from fsm.analysis.checks.notes import shipped_notes
    from fsm.model.graph import graphs_of

    graphs = graphs_of(model)
    found = [(g, finding) for g in graphs for part in _checks(g, machine) for finding in part(g)]
    allow = shipped_notes(model).allowances(model) if allow is None else allow
    return divided((with_path(g, replace(finding, machine=g.name)) for g, finding in found), allow)


def _checks(graph: Graph, machine: Any) -> Iterator[Callable[[Graph], Iterable[Finding]]]:
    from fsm.analysis.checks import citing, equivalence, groups, guards, layers, plain, states, uses

    if not graph.played:
        yield lambda graph: plain.plain(graph, machine)
        return
    yield from (states.unreachable, states.dead_ends, states.no_way_out, states.deaf)
    yield from (guards.gaps, guards.overlaps, groups.broken_groups, guards.never_taken)
    yield from (layers.disconnected, equivalence.irregular, uses.unused, citing.citations)
