"""What can be known of a Model before it runs: where a run stops, what never happens, what is there for nothing.

    findings = check(model)

Guards are conjunctions of facts, so the questions are decided by solving over the facts involved, not by sampling.
`fsm check` prints what is found; `docs/checking.md` explains each kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fsm.analysis.checks.allowing import Allowance, Report, sorted_out
from fsm.analysis.checks.finding import MEANING, SEVERITY, Finding, Kind, Severity
from fsm.analysis.checks.reaching import reachable
from fsm.analysis.checks.solving import solve
from fsm.model import Model

if TYPE_CHECKING:
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


def check(model: Model, allow: Iterable[Allowance] | None = None) -> list[Finding]:
    """Everything found in the model and its window that is not allowed; an empty list: nothing is wrong."""
    return list(report(model, allow).findings)


def report(model: Model, allow: Iterable[Allowance] | None = None, *, machine: Any = None) -> Report:
    """The same, with what was found and is allowed.

    `allow`: findings that are meant; if None, those of a ruleset that comes with the program are read from beside it.
    `machine`: the machine of the `transitions` library of which the model was made, if it was.
    """
    from fsm.analysis.checks.notes import shipped_notes
    from fsm.analysis.checks.ways import with_way
    from fsm.model.graph import graphs_of

    graphs = graphs_of(model)
    found = [(g, finding) for g in graphs for part in _parts(g, machine) for finding in part(g)]
    allow = shipped_notes(model).allowances(model) if allow is None else allow
    return sorted_out((with_way(g, replace(finding, machine=g.name)) for g, finding in found), allow)


def _parts(graph: Graph, machine: Any) -> Iterator[Callable[[Graph], Iterable[Finding]]]:
    from fsm.analysis.checks import citing, equivalence, groups, guards, layers, plain, states, uses

    if not graph.played:
        yield lambda graph: plain.plain(graph, machine)
        return
    yield from (states.unreachable, states.dead_ends, states.no_way_out, states.deaf)
    yield from (guards.gaps, guards.overlaps, groups.broken_groups, guards.never_taken)
    yield from (layers.disconnected, equivalence.irregular, uses.unused, citing.citations)
