"""Static checks of a Model: states where a run stops, transitions that never fire, and unused
elements.

    findings = check(model)

Guards are conjunctions of facts. The checks solve over the facts involved and do not sample. `fsm
check` prints the findings; `docs/checking.md` explains each kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from fsm.checks.consolidating import consolidated
from fsm.checks.finding import Allowance, Finding, Report, divided
from fsm.errors import RulesetError
from fsm.model import Model, Term
from fsm.model.model import ModelLike, as_model
from fsm.state.arguments import misused_primitives

if TYPE_CHECKING:
    import transitions

    from fsm.model.graph import Graph


def check(model: ModelLike, allow: Iterable[Allowance] | None = None) -> list[Finding]:
    """Check a model and its window.

    Parameters
    ----------
    model
        What to check: a Model or a Table, or the specification of one, such as a name.
    allow
        Findings that are intended. If None, the allowances that are shipped with a built-in ruleset
        are used.

    Returns
    -------
    list of Finding
        The findings that are not allowed. The list is empty if nothing is wrong. An allowance that
        matches no finding is a finding itself. A table that cannot be built has a finding for each
        problem.

    Raises
    ------
    FsmError
        If there is no such ruleset, or if the allowances cannot be read.
    """
    from fsm.checks.notes import notes_of

    try:
        built = as_model(model)
    except RulesetError as error:
        if not error.problems:
            raise
        return list(map(cannot_start, error.problems))
    if allow is None and isinstance(model, str):
        allow = notes_of(model).allowances(built)
    return list(report(built, allow).findings)


def cannot_start(problem: str) -> Finding:
    """Return the finding for a problem, in words, with which no machine can be built."""
    return Finding("cannot start", problem.split(";")[0], problem)


def report(
    model: Model,
    allow: Iterable[Allowance] | None = None,
    *,
    machine: transitions.Machine | None = None,
) -> Report:
    """Check a model and its window, and also return the findings that are allowed.

    Parameters
    ----------
    model
        The Model to check.
    allow
        Findings that are intended. If None, the allowances that are shipped with a built-in ruleset
        are used.
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
    from fsm.checks.notes import shipped_notes
    from fsm.model.graph import graphs_of

    problems = tuple(misused_primitives(model)) if model.played else ()
    if problems:
        return Report(tuple(map(cannot_start, problems)))
    graphs = {graph.name: graph for graph in graphs_of(model)}
    found = [
        replace(finding, machine=name)
        for name, graph in graphs.items()
        for finding in _findings(graph, machine)
    ]
    allow = shipped_notes(model).allowances(model) if allow is None else allow
    every = divided(found, allow)
    findings = list[Finding]()
    following = 0
    for name, graph in graphs.items():
        here = [finding for finding in every.findings if finding.machine == name]
        meant = [finding for finding, _ in every.allowed if finding.machine == name]
        group, left_out = consolidated(graph, here, meant)
        findings += [_with_path(graph, finding) for finding in group]
        following += left_out
    findings += [finding for finding in every.findings if finding.kind == "idle allowance"]
    allowed = [
        (_with_path(graphs[finding.machine], finding), why) for finding, why in every.allowed
    ]
    return Report(tuple(findings), tuple(allowed), following)


def _with_path(graph: Graph, finding: Finding) -> Finding:
    """Return the finding with a way to its state. It is unchanged if it names no state, or if no
    run comes there. Of a phase or step it is the first state in it.
    """
    from fsm.checks.feasible import Tried, feasible_of

    feasible = feasible_of(graph)
    model = graph.model
    inside = [s.id for s in model.leaves if finding.state in [p.id for p in model.path(s.id)]]
    if model.initial in inside:
        return replace(finding, proved=True)
    arcs = feasible.way_to(inside)
    if not arcs:
        return finding
    sequence = [*map(feasible.fires, arcs)]
    shows = tuple(Term(*fact) for fact in finding.witness.items())
    for arc in graph.leaving[arcs[-1].to] if shows else ():
        if arc.row.event == finding.event and graph.heard(finding.event, arc.at, arcs[-1]):
            sequence.append(Tried(arc, shows))
            break
    path = tuple(arc.row.id for arc in arcs)
    return replace(finding, path=path, proved=feasible.follow(sequence, {}))


def _findings(graph: Graph, machine: Any) -> Iterator[Finding]:
    from fsm.checks import guards, plain, states, uses
    from fsm.checks.feasible import feasible_of

    if not graph.played:
        yield from plain.plain(graph, machine)
        return
    yield from states.unreachable(graph, feasible_of(graph).reached)
    yield from states.dead_ends(graph)
    yield from states.no_way_out(graph, graph.model)
    for find in (
        *(states.never_over, states.deaf, states.disconnected),
        *(guards.undecided, guards.broken_groups, guards.never_taken),
        *(uses.irregular, uses.unused, uses.citations),
    ):
        yield from find(graph)
