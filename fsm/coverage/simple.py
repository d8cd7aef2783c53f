"""The criteria: states, transitions, pairs of transitions, the conditions of guards, rules and
refusals.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from fsm.adapters.building import TOGETHER, itself
from fsm.coverage.evidence import Evidence
from fsm.coverage.feasibility import feasibility_of
from fsm.coverage.target import Target
from fsm.errors import CoverageError
from fsm.model import State, Term, Transition
from fsm.model.elements import guard_text
from fsm.model.graph import Arc, Graph

Takes = Counter[tuple[str, str]]
"""How often each target was taken, by its id and the context."""
MOST_PAIRS = 200_000
"""A machine with more pairs of transitions than this is refused."""


class States:
    """Every state is entered, or a run begins in it. A phase or step is entered from outside.

    All states of the model are targets, including phases and steps. For a machine of the
    `transitions` library, these are its own states, without those that the Model adds. Ammann and
    Offutt, "Introduction to Software Testing" (2nd ed. 2016), criterion 7.1, node coverage.
    """

    def targets(self, graph: Graph) -> Iterator[Target]:
        """Yield one target for each state."""
        feasible = feasibility_of(graph)
        for state in graph.states:
            inside = [leaf.id for leaf in graph.model.leaves if state in graph.model.path(leaf.id)]
            live = any(leaf in feasible.reached for leaf in inside)
            why = (
                "" if live else feasible.why_state(state.id) if inside else "no state is inside it"
            )
            yield Target(
                state.id, graph.name, state.label or state.name or state.id, state.rule, why
            )

    def taken(self, evidence: Evidence) -> Takes:
        """Count how often each state was entered."""
        takes = Takes()
        model = evidence.graph.model
        paths = {s.id: tuple(x.id for x in model.path(s.id)) for s in model.states}
        paths = {itself(id): path for id, path in paths.items()} | paths
        for (id, context), count in evidence.begun.items():
            for each in paths[id]:
                takes[each, context] += count
        for (arc, context), count in evidence.firings.items():
            for each in paths[arc.to] if arc.row.target is not None else ():
                if each not in paths[arc.at] or each == arc.to:
                    takes[each, context] += count
        if not evidence.graph.played:
            for id, context in _visited(evidence, takes):
                for each in paths.get(id, ()):
                    takes[each, context] = takes[each, context] or 1
        return takes


def _visited(evidence: Evidence, takes: Takes) -> set[tuple[str, str]]:
    """Return the states in which an object stood though no firing shows it: a run began there, and
    nothing fired.

    The context of a start is known only by what was refused there or failed.
    """
    sources = {row.id: row.source for row in evidence.graph.model.transitions}
    tried = {(at, context) for context, (at, _) in evidence.refused}
    failed = {
        (sources.get(row, ""), context) for context, (row, _, held) in evidence.literals if not held
    }
    known = {id for id, _ in (*takes, *tried, *failed)}
    return tried | failed | {(id, "") for id in evidence.starts if id not in known}


class Transitions:
    """Every transition fires. One from a phase or step may fire in any state inside it.

    All transitions of the model are targets. For a machine of the `transitions` library, these are
    its transitions as written, and for wildcards and lists one for each source. Chow, "Testing
    software design modeled by finite-state machines" (1978), 0-switch coverage; Ammann and Offutt
    (2016), criterion 7.2, edge coverage.
    """

    def targets(self, graph: Graph) -> Iterator[Target]:
        """Yield one target for each transition."""
        feasible = feasibility_of(graph)
        for row in graph.rows:
            why = feasible.why_row(graph.of_row[row.id])
            yield Target(row.id, graph.name, row.doc or _way(graph, row), row.rule, why)

    def taken(self, evidence: Evidence) -> Takes:
        """Count how often each transition fired."""
        takes = Takes()
        for (arc, context), count in evidence.firings.items():
            takes[arc.row.id, context] += count
        return takes


class Pairs:
    """Every two transitions that can follow one another do.

    All pairs of the graph are targets, whatever their guards. The pairs of turn and window are
    separate. A window runs within one state of the turn, so for the turn, the firing that closes it
    follows the one that led to it. Each window that opens begins anew, because it does not depend
    on the one before. Chow, "Testing software design modeled by finite-state machines" (1978),
    1-switch coverage; Ammann and Offutt (2016), criterion 7.3, edge-pair coverage.
    """

    def targets(self, graph: Graph) -> Iterator[Target]:
        """Yield one target for each pair. Raises CoverageError if there are too many."""
        feasible = feasibility_of(graph)
        alone = {row.id: feasible.why_row(graph.of_row[row.id]) for row in graph.rows}
        for (first, second), pairs in self._pairs(graph).items():
            why = alone[first] or alone[second] or feasible.why_pairs(pairs)
            rows = [arc.row for arc in pairs[0]]
            text = ", then ".join(row.doc or row.id for row in rows)
            yield Target(f"{first} ; {second}", graph.name, text, rows[1].rule, why)

    def _pairs(self, graph: Graph) -> dict[tuple[str, str], list[tuple[Arc, Arc]]]:
        """Return the pairs by the ids of their transitions, each with the arcs that form it, in the
        order of the model.
        """
        order = {row.id: number for number, row in enumerate(graph.model.transitions)}
        counted = {row.id for row in graph.rows}
        arcs = [arc for arc in graph.arcs if arc.row.id in counted]
        found: dict[tuple[str, str], list[tuple[Arc, Arc]]] = {}
        count = 0
        for first in arcs:
            for second in graph.leaving[first.to]:
                if second.row.id in counted:
                    count += 1
                    found.setdefault((first.row.id, second.row.id), []).append((first, second))
            if count > MOST_PAIRS:
                raise CoverageError(
                    f"pairs of {graph.model.name}: more than {MOST_PAIRS} (stopped at {count}); "
                    "use another criterion, such as transitions"
                )
        return dict(sorted(found.items(), key=lambda each: [order[id] for id in each[0]]))

    def taken(self, evidence: Evidence) -> Takes:
        """Count how often each pair was taken, in the context of its second transition."""
        takes = Takes()
        for (first, second, context), count in evidence.pairs.items():
            takes[f"{first.row.id} ; {second.row.id}", context] += count
        return takes


class Literals:
    """Every literal of every guard decides, once by holding and once by failing.

    A guard is a conjunction, read in order until a literal fails. A literal decides by failing if
    the rows above did not fire and the literals before it hold. Those after it are not read, so
    they are masked. It decides by holding if its row fires. This is MC/DC for a conjunction of
    short-circuited conditions: Chilenski and Miller, "Applicability of modified condition/decision
    coverage to software testing" (1994); masking: CAST-6 (2001).
    """

    def targets(self, graph: Graph) -> Iterator[Target]:
        """Yield two targets for each literal."""
        feasible = feasibility_of(graph)
        for row in graph.model.transitions:
            for number, term in enumerate(row.guard):
                for held in (True, False):
                    why = feasible.why_literal(graph.of_row[row.id], number, held=held)
                    word = "holds" if held else "fails"
                    text = f"{term}: {word}, and so {'it fires' if held else 'it does not fire'}"
                    rule = graph.model.fact(term.fact).rule or row.rule
                    yield Target(literal_id(row.id, str(term), held), graph.name, text, rule, why)

    def taken(self, evidence: Evidence) -> Takes:
        """Count how often each literal decided."""
        return Takes(
            {(literal_id(*literal), c): n for (c, literal), n in evidence.literals.items()}
        )


def literal_id(row: str, term: str, held: bool) -> str:
    """Return the id of one outcome of a literal: "a -> b [x, not y] where not y fails"."""
    return f"{row} where {term} {'holds' if held else 'fails'}"


class ModifiedConditions:
    """Each condition of a guard is shown to decide the outcome by itself: modified
    condition/decision coverage, MC/DC.

    The targets are the cases of the truth table that show it. A guard is a conjunction that is
    evaluated in order up to the first condition that fails. So a condition decides when it fails
    and all before it hold, compared with the case in which all hold and the transition fires. A
    guard of n conditions has n + 1 cases, the fewest possible. The conditions after the one that
    fails are not evaluated. They are masked and may have any value, so this is masking MC/DC:
    Chilenski, "An Investigation of Three Forms of the Modified Condition Decision Coverage (MCDC)
    Criterion" (DOT/FAA/AR-01/18, 2001); CAST-6 (2001). A guard of one condition has two cases,
    which is decision coverage.
    """

    def targets(self, graph: Graph) -> Iterator[Target]:
        """Yield one target for each case of each guard."""
        feasible = feasibility_of(graph)
        for row in graph.model.transitions:
            arcs = graph.of_row[row.id]
            rules = [graph.model.fact(term.fact).rule or row.rule for term in row.guard]
            for number in range(len(row.guard)):
                why = feasible.why_literal(arcs, number, held=False)
                yield Target(
                    _case(row, number), graph.name, _needs(row, number), rules[number], why
                )
            if row.guard:
                why = feasible.why_literal(arcs, 0, held=True)
                yield Target(_case(row), graph.name, _needs(row), row.rule, why)

    def taken(self, evidence: Evidence) -> Takes:
        """Count how often each case was evaluated."""
        takes = Takes()
        for row in evidence.graph.model.transitions:
            cases = {
                (str(term), False): _case(row, number)
                for number, term in reversed([*enumerate(row.guard)])
            }
            if row.guard:
                cases[str(row.guard[-1]), True] = _case(row)
            for context in evidence.contexts(row.id):
                for (term, held), case in cases.items():
                    if count := evidence.literals[context, (row.id, term, held)]:
                        takes[case, context] += count
        return takes


def _case(row: Transition, failing: int | None = None) -> str:
    """Return the id of a case: "a -> b [x, not y] needs: x true, y true; the transition does not
    fire".
    """
    return f"{row.id} {_needs(row, failing)}"


def _needs(row: Transition, failing: int | None = None) -> str:
    """Return the values of the facts in the case in which all conditions hold, or one fails and all
    before it hold.
    """
    terms = row.guard if failing is None else row.guard[: failing + 1]
    values = (
        f"{t.fact} {'true' if t.value != (n == failing) else 'false'}" for n, t in enumerate(terms)
    )
    return f"needs: {', '.join(values)}; the transition {'fires' if failing is None else 'does not fire'}"


class Rules:
    """Every rule is exercised: a state that cites it is entered, a transition is taken, or a fact
    is read.

    A citation of several rules ("500.4, 500.6") is several targets. This is requirements-based
    testing, as in ISO/IEC/IEEE 29119-4 (2021). The rules that the model cites are the requirements.
    """

    def targets(self, graph: Graph) -> Iterator[Target]:
        """Yield one target for each cited rule."""
        states = {t.id: t.infeasible for t in States().targets(graph)}
        rows = {t.id: t.infeasible for t in Transitions().targets(graph)}
        for rule, (of_states, of_rows, of_facts) in cited(graph).items():
            reading = [
                row.id
                for row in graph.model.transitions
                if any(_uses(row, fact) for fact in of_facts)
            ]
            told = [s.id for s in graph.model.states if of_facts.keys() & set(s.tells)]
            whys = [states[i] for i in (*of_states, *told)] + [
                rows[i] for i in (*of_rows, *reading)
            ]
            why = (
                ""
                if not all(whys)
                else whys[0]
                if whys
                else "only a fact cites it that nothing reads"
            )
            citing = ", ".join((*of_states, *of_rows, *sorted(of_facts)))
            yield Target(rule, graph.name, f"cited by {citing}", rule, why)

    def taken(self, evidence: Evidence) -> Takes:
        """Count how often something that cites each rule was exercised."""
        takes = Takes()
        states, rows = States().taken(evidence), Transitions().taken(evidence)
        graph = evidence.graph
        guards = {row.id: row for row in graph.model.transitions}
        for rule, (of_states, of_rows, of_facts) in cited(graph).items():
            told = {s.id for s in graph.model.states if of_facts.keys() & set(s.tells)}
            for (id, context), count in states.items():
                takes[rule, context] += count * ((id in of_states) + (id in told))
            for (id, context), count in rows.items():
                acts = any(
                    fact in action.args for action in guards[id].actions for fact in of_facts
                )
                takes[rule, context] += count * ((id in of_rows) + acts)
            for (context, (_, term, _)), count in evidence.literals.items():
                takes[rule, context] += count * (Term(term).fact in of_facts)
        return +takes


_Cited = dict[str, tuple[dict[str, None], dict[str, None], dict[str, None]]]


def cited(graph: Graph) -> _Cited:
    """Return the cited rules, each with the states, transitions and facts that cite it, in the
    order of the model.
    """
    found: _Cited = {}
    kinds = (
        ((s.rule, 0, s.id) for s in graph.model.states),
        ((t.rule, 1, t.id) for t in graph.model.transitions),
    )
    for rules, kind, id in (
        *(x for each in kinds for x in each),
        *((f.rule, 2, f.name) for f in graph.model.facts),
    ):
        for rule in filter(None, map(str.strip, rules.split(","))):
            found.setdefault(rule, ({}, {}, {}))[kind][id] = None
    return found


def _uses(row: Transition, fact: str) -> bool:
    return any(term.fact == fact for term in row.guard) or any(
        fact in action.args for action in row.actions
    )


class Refusals:
    """Every event is tried in every state where no transition takes it.

    Every such pair of state and event is a target. These are the tests for "sneak paths" of Binder,
    "Testing Object-Oriented Systems" (2000), chapter 7.
    """

    def targets(self, graph: Graph) -> Iterator[Target]:
        """Yield one target for each state and each event without a row there."""
        tried = {row.event for row in graph.rows}
        events = [
            event for event in graph.model.events if event.name in tried or event.name != TOGETHER
        ]
        for state in (state for state in graph.states if not state.composite):
            for event in events:
                if not graph.model.rows(state.id, event.name):
                    text = f"{event.name!r} is tried in {state.label or state.id}, and refused"
                    id = f"{event.name} in {state.id}"
                    yield Target(
                        id, graph.name, text, state.rule, _untried(graph, state, event.name)
                    )

    def taken(self, evidence: Evidence) -> Takes:
        """Count how often each event was tried."""
        return Takes(
            {(f"{event} in {at}", c): n for (c, (at, event)), n in evidence.refused.items()}
        )


def _untried(graph: Graph, state: State, event: str) -> str:
    """Return the reason why this event cannot be tried in a state, or ""."""
    feasible = feasibility_of(graph)
    if state.id not in feasible.reached:
        return feasible.why_state(state.id)
    if not graph.played:
        return ""
    if (
        state.kind == "final"
        and graph.model is graph.whole
        and (event in graph.signals or event in _words(graph))
    ):
        return ""
    if event in graph.signals and event not in _words(graph):
        led = any(graph.answered(arc) for arc in graph.arriving[state.id] if arc in feasible.live)
        return (
            ""
            if led or state.kind == "window"
            else "no answer leads there, and a signal comes with an answer"
        )
    if event not in _words(graph):
        return f"{event!r} is not an answer: it comes from the window, where it closes"
    if state.kind == "window":
        return "answers go to what the window waits for"
    return "" if state.kind == "action" else "a run does not wait there, so that nobody can answer"


def _words(graph: Graph) -> frozenset[str]:
    """Return the words that can be answered in either machine."""
    machines = (graph.whole, graph.whole.window)
    return frozenset(
        w for m in machines if m for s in m.leaves if s.kind == "action" for w in s.words
    )


def _way(graph: Graph, row: Transition) -> str:
    source = graph.model.state(row.source)
    to = (
        graph.model.state(row.target).label or row.target
        if row.target
        else "the same state: nothing happens"
    )
    when = f", when {guard_text(row.guard, ' and ')}" if row.guard else ""
    return f"from {source.label or source.id} to {to}{when}"
