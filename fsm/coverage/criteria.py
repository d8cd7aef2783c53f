"""The criteria: what each asks for, and how often what it asks for was taken.

Chow, "Testing software design modeled by finite-state machines" (1978); Ammann and Offutt,
"Introduction to Software Testing" (2nd ed. 2016), chapter 7.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from fsm.adapters.reading import itself
from fsm.coverage.data import Data, Seen, Subject, subject_of
from fsm.coverage.target import Coverage, Key, Target
from fsm.errors import CoverageError
from fsm.model import Model, State, Term, Transition
from fsm.model.graph import Arc, Graph, graphs_of
from fsm.model.model import per_model


class Evidence:
    """The recorded data of one machine, as far as its model knows it.

    Attributes
    ----------
    graph
        The machine.
    rows
        Its transitions by their ids.
    paths
        Each state with those around it. An object may be in a composite state by itself.
    taken
        How often a guard came out so: transition, state, vector, context.
    pairs
        How often two firings followed one another: transition and state, twice, and the context.
    starts
        The states into which objects were put.
    """

    def __init__(self, graph: Graph, seen: Seen) -> None:
        model = graph.model
        self.graph: Graph = graph
        self.starts: set[str] = seen.starts
        self.rows: dict[str, Transition] = {row.id: row for row in model.transitions}
        self.paths: dict[str, tuple[str, ...]] = _paths_of(model)
        self.taken: Counter[tuple[str, str, str, str]] = Counter()
        self.pairs: Counter[tuple[str, str, str, str, str]] = Counter()
        for (machine, context, id, at, vector), count in seen.taken.items():
            if self._knows(machine, id, at):
                self.taken[id, at, vector, context] += count
        for (machine, context, first, at, then, where), count in seen.pairs.items():
            known = self._knows(machine, first, at) and self._knows(machine, then, where)
            if known and (self.rows[first].target or at) == where:
                self.pairs[first, at, then, where, context] += count

    def _knows(self, machine: str, id: str, at: str) -> bool:
        """Whether this machine has the transition in this state. A plain machine is alone, whatever
        its objects are called.
        """
        row = self.rows.get(id) if not self.graph.played or machine == self.graph.name else None
        return row is not None and row.source in self.paths.get(at, ())

    @property
    def firings(self) -> Iterator[tuple[str, str, str, int]]:
        """Each transition that fired, the state, the context, and how often."""
        for (id, at, vector, context), count in self.taken.items():
            if "0" not in vector:
                yield id, at, context, count

    @property
    def tried(self) -> set[tuple[str, str]]:
        """The states in which a guard failed, with the contexts."""
        return {(at, context) for _, at, vector, context in self.taken if "0" in vector}

    @property
    def literals(self) -> Iterator[tuple[str, Term, bool, str, int]]:
        """Each transition with a term of its guard that decided, whether it held, the context, and
        how often. All terms decide that a transition fires, and one that it does not.
        """
        for (id, _, vector, context), count in self.taken.items():
            guard, failing = self.rows[id].guard, vector.find("0")
            for term in guard if failing < 0 else guard[failing : failing + 1]:
                yield id, term, failing < 0, context, count

    @cached_property
    def begun(self) -> Counter[tuple[str, str]]:
        """How many runs began in each state, by context: firings that follow no other one."""
        found = Counter[tuple[str, str]]()
        for _, at, context, count in self.firings:
            found[at, context] += count
        for (_, _, _, where, context), count in self.pairs.items():
            found[where, context] -= count
        return +found

    @property
    def put_into(self) -> frozenset[str]:
        """The states other than the initial one in which a plain machine was, however it got
        there.
        """
        if self.graph.played:
            return frozenset()
        seen = {at for _, at, _, _ in self.taken} | self.starts
        leaves = {state.id for state in self.graph.model.leaves}
        return frozenset(seen & leaves - {self.graph.model.initial})


@per_model
def _paths_of(model: Model) -> dict[str, tuple[str, ...]]:
    found = dict[str, tuple[str, ...]]()
    for state in model.states:
        path = tuple(outer.id for outer in model.path(state.id))
        found.setdefault(itself(state.id), path)
        found[state.id] = path
    return found


def evidence_of(model: Model, data: Data) -> tuple[list[Evidence], list[str]]:
    """Return the data of each machine of a model, and notes on it, for instance that the model has
    changed since.
    """
    own, subjects, seen = subject_of(model), subjects_for(model, data), Seen()
    for subject in subjects:
        seen.update(data.seen[subject])
    found, notes = [Evidence(graph, seen) for graph in graphs_of(model)], [*data.notes]
    known = set[str]().union(*(evidence.rows for evidence in found))
    lost = {id for _, _, id, _, vector in seen.taken if "0" not in vector} - known
    if lost:
        gone = f"{len(lost)} of the transitions taken are not in it any more"
        notes.append(f"{own.name} has changed since: {gone}")
    if not subjects:
        others = ", ".join(sorted({subject.name for subject in data.seen})) or "nothing at all"
        notes.append(f"nothing was recorded of {own.name}; recorded: {others}")
    return found, notes


def subjects_for(model: Model, data: Data) -> list[Subject]:
    """Return the subjects of the data that this model measures: those of its name.

    Plain machines of one name may have nothing to do with each other. So if some have the model's
    definition, it is these, whatever their name.
    """
    own = subject_of(model)
    if model.played:
        return [subject for subject in data.seen if subject.name == own.name]
    named, same = list[Subject](), list[Subject]()
    for subject in data.seen:
        stored = data.models.get(subject)
        if own.name == subject.name or (stored is not None and own.name == stored.name):
            named.append(subject)
        if own.fingerprint in _fingerprints(data, subject):
            same.append(subject)
    return [subject for subject in same if subject in named] or same or named


def _fingerprints(data: Data, subject: Subject) -> Iterator[str]:
    """Yield the fingerprint of a subject, and that of its Model as it grew."""
    yield subject.fingerprint
    if subject in data.models:
        yield subject_of(data.models[subject]).fingerprint


# criteria -----------------------------------------------------------------------------------------

if TYPE_CHECKING:
    from fsm.checks.feasible import Feasible

Takes = Iterator[tuple[str, str, int]]
"""What was taken: the id of a target, the context, and how often. A target may come again."""
MOST_PAIRS = 200_000
"""A machine with more pairs of transitions than this is refused."""


class Criterion(NamedTuple):
    """A coverage criterion: the targets it asks for, and how often each was taken."""

    targets: Callable[[Feasible], Iterator[Target]]
    taken: Callable[[Evidence], Takes]


# states and transitions ---------------------------------------------------------------------------


def _states(can: Feasible) -> Iterator[Target]:
    """Every state is entered, or a run begins in it: node coverage. A phase or step is entered from
    outside.

    For a machine of the `transitions` library, these are its own states, without those that the
    Model adds.
    """
    graph = can.graph
    filled = _around(graph.model, [leaf.id for leaf in graph.model.leaves])
    live = _around(graph.model, can.reached)
    for state in graph.states:
        why = ""
        if state.id not in live:
            why = can.why_state(state.id) if state.id in filled else "no state is inside it"
        yield Target(state.id, graph.name, _label(state), state.rule, why)


def _around(model: Model, leaves: Iterable[str]) -> set[str]:
    """Return these states and all that they are in."""
    return {state.id for state in chain.from_iterable(map(model.path, leaves))}


def _label(state: State) -> str:
    return state.label or state.name or state.id


def _states_taken(evidence: Evidence) -> Takes:
    entered = [*_entered(evidence)]
    yield from entered
    if not evidence.graph.played:  # a run may begin in a state in which nothing fires
        taken = {(id, context) for id, context, _ in entered}
        known = {id for id, _ in taken | evidence.tried}
        stood = evidence.tried | {(id, "") for id in evidence.starts - known}
        for at, context in stood:
            for id in evidence.paths.get(at, ()):
                if (id, context) not in taken:
                    taken.add((id, context))
                    yield id, context, 1


def _entered(evidence: Evidence) -> Takes:
    for (at, context), count in evidence.begun.items():
        for id in evidence.paths[at]:
            yield id, context, count
    for row, at, context, count in evidence.firings:
        to = evidence.rows[row].target
        for id in evidence.paths[to] if to is not None else ():
            if id == to or id not in evidence.paths[at]:
                yield id, context, count


def _transitions(can: Feasible) -> Iterator[Target]:
    """Every transition fires: edge coverage. One from a phase or step may fire in any state inside
    it.

    For a machine of the `transitions` library, these are its transitions as written, and for
    wildcards and lists one for each source.
    """
    for row in can.graph.rows:
        why = can.why_row(can.graph.of_row[row.id])
        text = row.doc or _way(can.graph.model, row)
        yield Target(row.id, can.graph.name, text, row.rule, why, (row.id,))


def _transitions_taken(evidence: Evidence) -> Takes:
    return ((id, context, count) for id, _, context, count in evidence.firings)


def _way(model: Model, row: Transition) -> str:
    goal = "the same state: nothing happens"
    if row.target is not None:
        goal = model.state(row.target).label or row.target
    when = f", when {' and '.join(row.guard)}" if row.guard else ""
    return f"from {model.state(row.source).label or row.source} to {goal}{when}"


# pairs --------------------------------------------------------------------------------------------


def _pairs(can: Feasible) -> Iterator[Target]:
    """Every two transitions that can follow one another do: edge-pair coverage.

    All pairs of the graph are targets, whatever their guards. The pairs of turn and window are
    separate. A window runs within one state of the turn, so for the turn, the firing that closes it
    follows the one that led to it. Each window that opens begins anew, because it does not depend
    on the one before. Raises CoverageError if there are too many.
    """
    graph = can.graph
    alone = {row.id: can.why_row(graph.of_row[row.id]) for row in graph.rows}
    for ids, pairs in _joined(graph).items():
        why = next(filter(None, (alone[id] for id in ids)), "") or can.why_pairs(pairs)
        rows = [arc.row for arc in pairs[0]]
        text = ", then ".join(row.doc or row.id for row in rows)
        yield Target(" ; ".join(ids), graph.name, text, rows[1].rule, why, ids)


def _joined(graph: Graph) -> dict[tuple[str, str], list[tuple[Arc, Arc]]]:
    """Return the pairs by the ids of their transitions, each with the arcs that form it."""
    counted = {row.id for row in graph.rows}
    found, count = defaultdict[tuple[str, str], list[tuple[Arc, Arc]]](list), 0
    for first in graph.arcs:
        for second in graph.leaving[first.to]:
            if first.row.id in counted and second.row.id in counted:
                count += 1
                found[first.row.id, second.row.id].append((first, second))
        if count > MOST_PAIRS:
            raise CoverageError(
                f"pairs of {graph.model.name}: more than {MOST_PAIRS} (stopped at {count}); "
                "use another criterion, such as transitions"
            )
    return found


def _pairs_taken(evidence: Evidence) -> Takes:
    for (first, _, then, _, context), count in evidence.pairs.items():
        yield f"{first} ; {then}", context, count


# guards -------------------------------------------------------------------------------------------


def _literals(can: Feasible) -> Iterator[Target]:
    """Every literal of every guard decides, once by holding and once by failing.

    A guard is a conjunction, read in order until a literal fails. A literal decides by failing if
    the rows above did not fire and the literals before it hold. Those after it are not read, so
    they are masked. It decides by holding if its row fires. This is modified condition/decision
    coverage (MC/DC) for a conjunction of short-circuited conditions, and a guard of n literals
    needs n + 1 cases. Chilenski and Miller, "Applicability of modified condition/decision coverage
    to software testing" (1994); masking: Chilenski, "An Investigation of Three Forms of the
    Modified Condition Decision Coverage (MCDC) Criterion" (DOT/FAA/AR-01/18, 2001); CAST-6 (2001).
    """
    graph = can.graph
    for row in graph.model.transitions:
        for number, term in enumerate(row.guard):
            rule = graph.model.fact(term.fact).rule or row.rule
            for held in (True, False):
                why = can.why_row(graph.of_row[row.id], None if held else number)
                said = "holds, and so it fires" if held else "fails, and so it does not fire"
                id, text = literal_id(row.id, term, held), f"{term}: {said}"
                yield Target(id, graph.name, text, rule, why, (row.id,), held)


def literal_id(row: str, term: str, held: bool) -> str:
    """Return the id of one outcome of a literal: "a -> b [x, not y] where not y fails"."""
    return f"{row} where {term} {'holds' if held else 'fails'}"


def _literals_taken(evidence: Evidence) -> Takes:
    for row, term, held, context, count in evidence.literals:
        yield literal_id(row, term, held), context, count


# rules --------------------------------------------------------------------------------------------


@per_model
def _citing(model: Model) -> dict[str, list[str]]:
    """Return the parts of a model that cite each rule: the ids of states and transitions, and the
    names of facts.
    """
    parts = [(state.id, state.rule) for state in model.states]
    parts += [(row.id, row.rule) for row in model.transitions]
    parts += [(fact.name, fact.rule) for fact in model.facts]
    found = defaultdict[str, list[str]](list)
    for id, rules in parts:
        for rule in filter(None, map(str.strip, rules.split(","))):
            found[rule].append(id)
    return found


def _rules(can: Feasible) -> Iterator[Target]:
    """Every rule is exercised: a state that cites it is entered, a transition is taken, or a fact
    is read.

    A citation of several rules ("500.4, 500.6") is several targets. This is requirements-based
    testing, as in ISO/IEC/IEEE 29119-4 (2021). The rules that the model cites are the requirements.
    """
    model, whys = can.graph.model, defaultdict[str, list[str]](list)
    for target in (*_states(can), *_transitions(can)):
        whys[target.id].append(target.infeasible)
        for id in target.rows:
            for term in model.transition(id).guard:
                whys[term.fact].append(target.infeasible)
    for rule, citing in _citing(model).items():
        reasons = [*chain.from_iterable(whys[id] for id in citing)]
        reasons = reasons or ["only a fact cites it that nothing reads"]
        why = reasons[0] if all(reasons) else ""
        yield Target(rule, can.graph.name, f"cited by {', '.join(citing)}", rule, why)


def _rules_taken(evidence: Evidence) -> Takes:
    rules = defaultdict[str, list[str]](list)
    for rule, citing in _citing(evidence.graph.model).items():
        for id in citing:
            rules[id].append(rule)
    read = ((term.fact, context, count) for _, term, _, context, count in evidence.literals)
    for id, context, count in chain(_states_taken(evidence), _transitions_taken(evidence), read):
        for rule in rules[id]:
            yield rule, context, count


def proofs_of(graph: Graph) -> Feasible:
    """Return what is proved of a machine, over the guards and what is known of the facts."""
    from fsm.checks.feasible import feasible_of

    return feasible_of(graph)


CRITERIA: dict[str, Criterion] = {
    "states": Criterion(_states, _states_taken),
    "transitions": Criterion(_transitions, _transitions_taken),
    "literals": Criterion(_literals, _literals_taken),
    "pairs": Criterion(_pairs, _pairs_taken),
    "rules": Criterion(_rules, _rules_taken),
}


# measuring ----------------------------------------------------------------------------------------


def criteria() -> tuple[str, ...]:
    """Return the names of the criteria.

    Returns
    -------
    tuple of str
        The names that `targets` and `covered` accept.
    """
    return tuple(CRITERIA)


def criterion_of(name: str) -> Criterion:
    """Return the criterion of this name. Raises CoverageError if there is none."""
    return CRITERIA[CoverageError.known_name("criterion", name, CRITERIA)]


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
    asked, found = criterion_of(criterion), list[Target]()
    for graph in graphs_of(model, starts):
        found += asked.targets(proofs_of(graph))
    return tuple(found)


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
        The targets and how often each was taken.

    Raises
    ------
    CoverageError
        If the criterion is unknown or has too many targets in this model.
    """
    found, notes = evidence_of(model, data)
    asked = targets(model, criterion, starts=found[0].put_into)
    known, by = {target.key for target in asked}, defaultdict[Key, Counter[str]](Counter)
    for evidence in found:
        for id, context, count in criterion_of(criterion).taken(evidence):
            key = evidence.graph.name, id
            if key in known:
                by[key][context] += count
    taken = {key: counts.total() for key, counts in by.items()}
    return Coverage(criterion, asked, taken, by, tuple(notes))
