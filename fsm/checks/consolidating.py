"""Puts findings with one cause together, and proposes the row that is missing.

An error such as a missing row leaves states that nothing leads to. Such findings are left out as
long as there is the error: they go with it, or show again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from fsm.checks.finding import Finding, Kind
from fsm.checks.states import reachable, targets
from fsm.model import Model
from fsm.model.elements import values_text
from fsm.model.graph import Graph, reachable_from

CAUSES: frozenset[Kind] = frozenset({"dead end", "gap"})
CONSEQUENCES: frozenset[Kind] = frozenset(
    {"unreachable", "disconnected", "never fires", "irregular", "no way out", "never over"}
)


def consolidated(
    graph: Graph, findings: Iterable[Finding], allowed: Iterable[Finding] = ()
) -> tuple[list[Finding], int]:
    """Return the findings that are left, and how many are left out because they may follow from
    these.

    What may follow from a finding that is allowed is left out, too.
    """
    found = [*_joined(graph.model, findings)]
    regions = [*_regions(graph.model, found)]
    causes = [finding for finding in (*found, *allowed) if finding.kind in CAUSES]
    if not causes or not graph.played:
        return regions, 0
    unclear = {(cause.state, cause.event) for cause in causes}
    kept = []
    for finding in found:
        follows = finding.kind in CONSEQUENCES or finding.subject.startswith("fact ")
        if finding.kind == "overlap":
            follows = (finding.state, finding.event) in unclear
        if not follows:
            kept.append(finding)
    linked = reachable(graph.model)
    lost = [f.state for f in regions if f.kind == "unreachable" and f.state not in linked]
    if len(causes) == len(lost) == 1:
        kept = [_with_row(one, lost[0]) if one in causes else one for one in kept]
    return kept, len(found) - len(kept)


def _with_row(cause: Finding, target: str) -> Finding:
    """Add to the only cause the row that leads to the only states to which nothing leads."""
    if "add row" in cause.message:
        return cause
    event = "" if cause.event == "done" else f", event={cause.event!r}"
    row = f"row({cause.state!r}, {target!r}{event})"
    return replace(cause, message=f"{cause.message}, and nothing leads to {target!r}; add {row}")


def _joined(model: Model, findings: Iterable[Finding]) -> Iterator[Finding]:
    """Join gaps for a signal that many states have for one reason."""
    ordinary = {word for state in model.states for word in state.words}
    groups: dict[object, list[Finding]] = {}
    for finding in findings:
        reason: object = id(finding)
        if finding.kind == "gap" and finding.event not in ordinary:
            reason = (finding.event, *finding.witness.items())
        groups.setdefault(reason, []).append(finding)
    for first, *more in groups.values():
        yield _as_one(model, first, more) if more else first


def _as_one(model: Model, first: Finding, more: list[Finding]) -> Finding:
    """Say it of all of them, and propose a row in the state that contains them all."""
    around = [holder for holder in model.path(first.state) if holder.composite]
    for finding in more:
        around = [holder for holder in around if holder in model.path(finding.state)]
    place = around[-1].id if around else first.state
    states = f"{first.state!r} and {len(more)} more states have no row for {first.event!r}"
    case = ", which others have"
    if first.witness:
        case = f" when {values_text(first.witness.items())}"
    row = f"row({place!r}, None, event={first.event!r})"
    return replace(first, message=f"{states}{case}; add {row} if nothing happens there")


def _regions(model: Model, findings: list[Finding]) -> Iterator[Finding]:
    """Name of states to which nothing leads only the first, with how many come after it."""
    linked = reachable(model)
    lost = {f.state for f in findings if f.kind == "unreachable" and f.state not in linked}
    leads = {id: lost.intersection(targets(model, id)) for id in lost}
    after = set().union(*leads.values())
    for finding in findings:
        if finding.kind != "unreachable" or finding.state not in lost:
            yield finding
        elif finding.state not in after or after >= lost:
            more = len(reachable_from([finding.state], leads.__getitem__)) - 1
            states = "state" if more == 1 else f"{more} states"
            words = f", nor to the {states} after it" if more else ""
            yield replace(finding, message=finding.message + words)
