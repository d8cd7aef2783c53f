"""The criterion of prime paths: the longest paths in a part of a machine that visit no state twice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from fsm.coverage.evidence import Evidence, Path
from fsm.coverage.extension import feasibility_of
from fsm.coverage.feasibility import Feasibility
from fsm.coverage.simple import Takes
from fsm.coverage.target import Target
from fsm.errors import CoverageError, suggest
from fsm.model.graph import Arc, Graph
from fsm.model.permodel import per_model

LIMIT = 20_000
"""A part with more simple paths than this is refused."""
_BETWEEN = ("before", "after", "hub", "resume", "procedure")
Nodes = tuple[str, ...]


@dataclass(frozen=True)
class PrimePaths:
    """Every prime path is taken. A prime path visits no state twice, except that it may end where
    it began, and it is not part of a longer such path.

    `part` is the id of a phase or step, "glance", "window", or "" for all machines. At a glance,
    the nodes are steps, and a run goes from one to the next past all choices. Extra steps and
    phases, jumps and skips by effects are left out. A path ends where a run leaves the part. A part
    with too many paths is refused, because their number multiplies with each choice. Ammann and
    Offutt (2016), criterion 7.4, prime path coverage.
    """

    part: str

    def targets(self, graph: Graph) -> Iterator[Target]:
        """Yield one target for each prime path. Raises CoverageError if the part is unknown or has
        too many.
        """
        part = part_named(graph, self.part)
        if part is None:
            return
        for path in _primes(part, f"{self.part or graph.name} of {graph.model.name}"):
            yield Target(
                _id(path), graph.name, f"through {', '.join(path)}", "", _why(graph, part, path)
            )

    def taken(self, evidence: Evidence) -> Takes:
        """Count how often each path was taken, in the context of its end."""
        part, takes = part_named(evidence.graph, self.part), Takes()
        if part is None:
            return takes
        primes = set(_primes(part, self.part))
        lengths = sorted({len(path) for path in primes})
        for path, count in evidence.paths.items():
            for walked in _walked(part, path):
                nodes = tuple(node for node, _ in walked)
                for end in range(len(nodes)):
                    for length in lengths:
                        if length <= end + 1 and nodes[end + 1 - length : end + 1] in primes:
                            takes[_id(nodes[end + 1 - length : end + 1]), walked[end][1]] += count
        return takes


@dataclass(frozen=True)
class Part:
    """A part of a machine: the node that each state belongs to, and the nodes that follow each
    node.

    A state in `between` belongs to no node and does not end a path. Any other state without a node
    ends it.
    """

    nodes: Mapping[str, str]
    between: frozenset[str]
    leads: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    plain: bool = True


def parts_of(graph: Graph) -> tuple[str, ...]:
    """Return the names of the parts of this machine."""
    model = graph.model
    own = ("window",) if graph.name == "window" else ("glance",) if model.of_kind("step") else ()
    return (*own, *(s.id for s in model.states if s.kind in ("phase", "step")))


def check_part(graphs: Iterable[Graph], part: str) -> None:
    """Raise CoverageError if no machine has this part."""
    known = [name for graph in graphs for name in parts_of(graph)]
    if part and part not in known:
        raise CoverageError(
            f"prime paths of {part!r}: no such phase, step or view{suggest(part, known)}"
        )


@per_model
def part_named(graph: Graph, name: str) -> Part | None:
    if name and name not in parts_of(graph):
        return None
    return _glance(graph) if name == "glance" else _inside(graph, name)


def _inside(graph: Graph, name: str) -> Part:
    """Return the part whose nodes are the states of a phase or step, or all states."""
    model = graph.model
    whole = name in ("", "window")
    nodes = {
        s.id: s.id for s in model.leaves if whole or any(x.id == name for x in model.path(s.id))
    }
    live = feasibility_of(graph).live
    arcs = [
        a
        for a in graph.arcs
        if a in live and a.at in nodes and a.to in nodes and a.row.target is not None
    ]
    return Part(
        nodes,
        frozenset(),
        {n: tuple(dict.fromkeys(a.to for a in arcs if a.at == n)) for n in nodes},
    )


def _glance(graph: Graph) -> Part:
    """Return the part whose nodes are steps. They follow each other by core transitions and by
    skips of the rules.
    """
    model = graph.model
    nodes = {
        s.id: step.id
        for s in model.leaves
        if s.role not in _BETWEEN and (step := model.enclosing(s.id, "step"))
    }
    between = frozenset(s.id for s in model.leaves if s.id not in nodes)
    live = feasibility_of(graph).live
    arcs = [a for a in graph.arcs if a in live and _ordinary(a)]
    leads = {node: tuple(_next(node, nodes, arcs)) for node in dict.fromkeys(nodes.values())}
    return Part(nodes, between, leads, plain=False)


def _ordinary(arc: Arc) -> bool:
    return arc.row.layer == "core" or (arc.row.layer == "skip" and not arc.row.generic)


def _next(node: str, nodes: Mapping[str, str], arcs: list[Arc]) -> Iterator[str]:
    """Yield the nodes that follow this one, past the states between them."""
    todo, seen, found = [leaf for leaf, n in nodes.items() if n == node], set[str](), set[str]()
    while todo:
        here = todo.pop()
        for to in (arc.to for arc in arcs if arc.at == here and arc.to not in seen):
            then = nodes.get(to)
            if then is None:
                seen.add(to)
                todo.append(to)
            elif then != node and then not in found:
                found.add(then)
                yield then


def _primes(part: Part, where: str) -> tuple[Nodes, ...]:
    """Find the prime paths of a part by extending simple paths until they cannot be extended."""
    into: dict[str, set[str]] = {node: set() for node in part.leads}
    for node, ends in part.leads.items():
        for end in ends:
            into.setdefault(end, set()).add(node)
    primes: list[Nodes] = []
    paths: list[Nodes] = [(node,) for node in part.leads]
    count = len(paths)
    while paths:
        path = paths.pop()
        onward = _extended(part, path)
        count += len(onward)
        if count > LIMIT:
            raise CoverageError(
                f"prime paths of {where}: more than {LIMIT} simple paths (stopped at {count}); "
                f"ask for a smaller part, such as one phase, or for another criterion, such as pairs"
            )
        paths += onward
        if not onward and _cannot_begin_earlier(path, into):
            primes.append(path)
    return tuple(sorted(primes, key=lambda p: (list(part.leads).index(p[0]), p)))


def _extended(part: Part, path: Nodes) -> list[Nodes]:
    if len(path) > 1 and path[0] == path[-1]:
        return []
    return [(*path, node) for node in part.leads[path[-1]] if node not in path or node == path[0]]


def _cannot_begin_earlier(path: Nodes, into: Mapping[str, set[str]]) -> bool:
    return (len(path) > 1 and path[0] == path[-1]) or all(
        node in path[:-1] for node in into[path[0]]
    )


def _walked(part: Part, path: Path) -> Iterator[list[tuple[str, str]]]:
    """Yield the nodes with contexts that a run visited in the part, once for each time that it
    entered the part.
    """
    first, context = path[0]
    found = [(part.nodes[first.at], context)] if first.at in part.nodes else []
    for arc, context in path:
        node = part.nodes.get(arc.to)
        if node is None and arc.to not in part.between:
            if found:
                yield found
            found = []
        elif (
            node is not None
            and arc.row.target is not None
            and (part.plain or [n for n, _ in found[-1:]] != [node])
        ):
            found.append((node, context))
    if found:
        yield found


def _id(path: Nodes) -> str:
    return " > ".join(path)


def _why(graph: Graph, part: Part, path: Nodes) -> str:
    """Return the reason why no run takes this path, or "". Guards are not considered at a glance."""
    if not part.plain or _walkable(feasibility_of(graph), path, ()):
        return ""
    return "no choice of guards lets these follow one another"


def _walkable(feasible: Feasibility, path: Nodes, arcs: tuple[Arc, ...]) -> bool:
    """Whether a run may take this path, beginning with these arcs."""
    if len(arcs) == len(path) - 1:
        return not arcs or feasible.follow(arcs)
    here, to = path[len(arcs)], path[len(arcs) + 1]
    leaving = feasible.graph.leaving[here]
    found = (a for a in leaving if a.to == to and a.row.target is not None and a in feasible.live)
    longer = ((*arcs, arc) for arc in found)
    return any(feasible.fits(each) and _walkable(feasible, path, each) for each in longer)
