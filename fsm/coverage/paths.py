"""Criteria about consecutive transitions: pairs, n-switch and round trips."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from fsm.coverage.evidence import Evidence, Path
from fsm.coverage.extension import feasibility_of
from fsm.coverage.simple import Takes
from fsm.coverage.target import Target
from fsm.errors import CoverageError
from fsm.model.graph import Arc, Graph
from fsm.model.reachability import reachable_from

LIMIT = 200_000
"""A criterion with more targets than this is refused."""


@dataclass(frozen=True)
class Switches:
    """Every sequence of n + 1 consecutive transitions is taken: n-switch coverage. Pairs are n = 1.

    All sequences of the graph are targets, whatever their guards. The sequences of turn and window
    are separate. A window runs within one state of the turn, so for the turn, the firing that
    closes it follows the one that led to it. Each window that opens begins a new sequence, because
    it does not depend on the one before. Chow, "Testing software design modeled by finite-state
    machines" (1978); pairs are also Ammann and Offutt (2016), criterion 7.3, edge-pair coverage.
    """

    n: int

    def targets(self, graph: Graph) -> Iterator[Target]:
        """Yield one target for each sequence. Raises CoverageError if there are too many."""
        feasible, ways = feasibility_of(graph), self._ways(graph)
        alone = {row.id: feasible.why_row(graph.of_row[row.id]) for row in graph.rows}
        for ids, chains in ways.items():
            why = next(filter(None, map(alone.__getitem__, ids)), "") or feasible.why_chains(chains)
            rows = [chains[0][i].row for i in range(self.n + 1)]
            text = ", then ".join(row.doc or row.id for row in rows)
            yield Target(_joined(ids), graph.name, text, rows[-1].rule, why)

    def _ways(self, graph: Graph) -> dict[tuple[str, ...], list[tuple[Arc, ...]]]:
        """Return the sequences by the ids of their transitions, each with the arcs that form it."""
        order = {row.id: number for number, row in enumerate(graph.model.transitions)}
        counted = {row.id for row in graph.rows}
        chains: list[tuple[Arc, ...]] = [(arc,) for arc in graph.arcs if arc.row.id in counted]
        for _ in range(self.n):
            pairs = ((chain, arc) for chain in chains for arc in graph.leaving[chain[-1].to])
            longer = ((*chain, arc) for chain, arc in pairs if arc.row.id in counted)
            chains = list(islice(longer, LIMIT + 1))
            if len(chains) > LIMIT:
                many = f"more than {LIMIT} sequences (stopped at {len(chains)})"
                raise CoverageError(
                    f"{self.n}-switch of {graph.model.name} has {many}; use a smaller n"
                )
        found: dict[tuple[str, ...], list[tuple[Arc, ...]]] = {}
        for chain in sorted(chains, key=lambda chain: [order[arc.row.id] for arc in chain]):
            found.setdefault(tuple(arc.row.id for arc in chain), []).append(chain)
        return found

    def taken(self, evidence: Evidence) -> Takes:
        """Count how often each sequence was taken, in the context of its last transition."""
        takes = Takes()
        for path, count in evidence.paths.items():
            ids = [arc.row.id for arc, _ in path]
            for end in range(self.n, len(ids)):
                takes[_joined(ids[end - self.n : end + 1]), path[end][1]] += count
        return takes


def chains_of(graph: Graph, ids: Iterable[str]) -> list[tuple[Arc, ...]]:
    """Return the sequences of arcs that have these transitions in a row. There are none for an
    unknown id.
    """
    first, *more = ids
    chains: list[tuple[Arc, ...]] = [(arc,) for arc in graph.of_row.get(first, ())]
    for row in more:
        chains = [
            (*chain, arc)
            for chain in chains
            for arc in graph.leaving[chain[-1].to]
            if arc.row.id == row
        ]
    return chains


def _joined(ids: list[str] | tuple[str, ...]) -> str:
    return " ; ".join(ids)


class RoundTrips:
    """After every transition, the run returns to where it began and visits no other state twice.

    All transitions are targets. Ammann and Offutt (2016), criterion 7.5, simple round trip
    coverage, asks for one round trip from each state that has any. This asks for one through each
    transition, which includes that. All round trips would be as many as prime paths. Binder,
    "Testing Object-Oriented Systems" (2000), chapter 7, tests by round trips.
    """

    def targets(self, graph: Graph) -> Iterator[Target]:
        """Yield one target for each transition."""
        feasible = feasibility_of(graph)

        def following(at: str) -> Iterator[str]:
            return (arc.to for arc in graph.leaving[at] if arc in feasible.live)

        back = {s.id: reachable_from([s.id], following) for s in graph.model.leaves}
        for row in graph.rows:
            arcs = graph.of_row[row.id]
            why = feasible.why_row(arcs)
            if not why and not any(arc in feasible.live and arc.at in back[arc.to] for arc in arcs):
                why = f"no way leads back to {row.source}"
            yield Target(row.id, graph.name, f"{row.id}, and back", row.rule, why)

    def taken(self, evidence: Evidence) -> Takes:
        """Count how often each round trip was made, in the context of its last transition."""
        takes = Takes()
        for path, count in evidence.paths.items():
            for start, end in _trips(path):
                takes[path[start][0].row.id, path[end][1]] += count
        return takes


def _trips(path: Path) -> Iterator[tuple[int, int]]:
    """Yield the first and last step of each round trip. It returns to a state and visits no other
    state twice.
    """
    visited, repeated = {path[0][0].at: 0}, -1
    for number, (arc, _) in enumerate(path, 1):
        before = visited.get(arc.to, -1)
        if before >= 0 and repeated <= before:
            yield before, number - 1
        repeated = max(repeated, before)
        visited[arc.to] = number
