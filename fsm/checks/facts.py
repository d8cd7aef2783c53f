"""Facts: which can hold at once, and what latched ones are while a run goes on.

Guards are conjunctions of facts. Of the facts of one group, exactly one holds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from fsm.model import Fact, Model, Term, Transition
from fsm.model.model import per_model

Known = Mapping[str, bool]
"""Facts whose values are known."""
Guard = Sequence[Term]

# which can hold at once ---------------------------------------------------------------------------


class Solver:
    """Solves guards over some facts."""

    def __init__(self, facts: Iterable[Fact] = ()) -> None:
        self._members = defaultdict[str, dict[str, None]](dict)
        self._groups = dict[str, str]()
        for fact in facts:
            if fact.group:
                self._members[fact.group][fact.name] = None
                self._groups[fact.name] = fact.group

    def beside(self, guard: Iterable[Term]) -> set[str]:
        """Return the facts that fail if this guard holds: the others of its facts' groups."""
        others = set[str]()
        asked = [term.fact for term in guard if term.value and term.fact in self._groups]
        for fact in asked:
            others.update(self._members[self._groups[fact]])
        return others.difference(asked)

    def solve(
        self, holds: Iterable[Term], fails: Sequence[Guard] = (), known: Known | None = None
    ) -> dict[str, bool] | None:
        """Return values of facts under which some terms hold and some guards fail, or None.

        `known` has the values that are given. Of each guard that fails, one term gets the other
        value.
        """
        values = dict(known or {})
        if not all(self._set(values, term) for term in holds):
            return None
        todo = [(values, 0)]
        while todo:
            values, number = todo.pop()
            while number < len(fails) and _is_false(fails[number], values):
                number += 1
            if number == len(fails):
                return values
            for term in reversed(fails[number]):
                tried = dict(values)
                if term.fact not in values and self._set(tried, _other(term)):
                    todo.append((tried, number + 1))
        return None

    def implied(
        self, known: Known, holds: Iterable[Term], fails: Sequence[Guard]
    ) -> dict[str, bool] | None:
        """Return what is known if these terms hold and these guards fail, or None if they cannot.

        A guard fails by a certain term if all its other terms are known to hold.
        """
        holds = tuple(holds)
        if self.solve(holds, fails, known) is None:
            return None
        values = dict(known)
        for term in holds:
            self._set(values, term)
        for guard in fails:
            unsure = [term for term in guard if values.get(term.fact) is not term.value]
            if len(unsure) == 1 and unsure[0].fact not in values:
                self._set(values, _other(unsure[0]))
        return values

    def _set(self, values: dict[str, bool], term: Term) -> bool:
        """Set the value of a term. Return False on a conflict, with it or in its group."""
        if term.fact in values:
            return values[term.fact] is term.value
        values[term.fact] = term.value
        if term.fact not in self._groups:
            return True
        members = self._members[self._groups[term.fact]]
        if term.value:
            return sum(values[name] for name in members.keys() & values.keys()) == 1
        return any(values.get(name, True) for name in reversed(members))  # the last are known last


def _other(term: Term) -> Term:
    return Term(term.fact, not term.value)


def _is_false(guard: Guard, values: Known) -> bool:
    return any(values.get(term.fact, term.value) is not term.value for term in guard)


@per_model
def solver_of(model: Model) -> Solver:
    """Return the solver for the guards of a model."""
    return Solver(model.facts)


# what stays true ----------------------------------------------------------------------------------


def lasting(model: Model) -> dict[str, str]:
    """Return the latched facts of a model, without those of its window, with their scopes."""
    return {fact.name: fact.scope for fact in model.facts if fact.timing == "latched"}


def changes(row: Transition, scopes: Mapping[str, str]) -> dict[str, bool]:
    """Return which of these latched facts a transition latches or clears."""
    changed = dict[str, bool]()
    for action in row.actions:
        if action.name == "latch":
            changed[action.args[0]] = True
        elif action.name == "clear":
            cleared = [fact for fact, scope in scopes.items() if scope == action.args[0]]
            changed.update(dict.fromkeys(cleared, False))
    return changed


def live_facts(model: Model) -> dict[tuple[str, str], frozenset[str]]:
    """Return, for every machine and state of it, the latched facts that a run may read before they
    are cleared.
    """
    live = dict[tuple[str, str], frozenset[str]]()
    scopes = dict[str, str]()
    for name, machine in model.machines.items():
        scopes |= lasting(machine)
        live |= {(name, leaf.id): frozenset() for leaf in machine.leaves}
    changed = True
    while changed:
        changed = False
        for place in reversed(live):
            read = live[place].union(_read_after(model, live, scopes, place))
            changed = changed or read != live[place]
            live[place] = read
    return live


def _read_after(
    model: Model,
    live: Mapping[tuple[str, str], frozenset[str]],
    scopes: Mapping[str, str],
    place: tuple[str, str],
) -> Iterator[str]:
    """Yield the latched facts that are read by a transition from this state, or live after it."""
    name, state = place
    machine = model.machines[name]
    for event in machine.events_at(state):
        for row in machine.rows(state, event):
            yield from (term.fact for term in row.guard if term.fact in scopes)
            changed = changes(row, scopes)
            after = live[name, row.target or state]
            yield from (fact for fact in after if changed.get(fact) is not False)
    if machine is model.window:
        for stage in model.of_kind("window"):
            yield from live["turn", stage.id]
    elif machine.state(state).kind == "window" and model.window is not None:
        yield from live["window", model.window.initial]
