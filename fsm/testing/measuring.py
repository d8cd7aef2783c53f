"""Says which targets of a criterion a firing takes, as `fsm.coverage` measures them afterwards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from fsm.coverage.criteria import literal_id
from fsm.coverage.target import Key
from fsm.engine.semantics import Fired
from fsm.errors import CoverageError, suggest
from fsm.model import Model, State, Term, Transition

CRITERIA = ("states", "transitions", "literals", "rules")
"""The criteria that paths can be made for."""


class Measure:
    """The targets of one criterion that steps of games of a model take.

    Raises CoverageError if no paths can be made for the criterion.
    """

    def __init__(self, model: Model, criterion: str) -> None:
        if criterion not in CRITERIA:
            hint = suggest(criterion, CRITERIA)
            raise CoverageError(f"paths for {criterion!r} cannot be generated{hint}")
        self._model, self._criterion = model, criterion
        self._known: dict[object, frozenset[Key]] = {}

    def of(self, fired: Iterable[Fired]) -> frozenset[Key]:
        """Return what these firings take."""
        found = [self.firing(f.machine, f.event, f.row.id, f.source, f.guards) for f in fired]
        return frozenset[Key]().union(*found)

    def firing(
        self, machine: str, event: str, row: str, source: str, guards: tuple[tuple[str, bool], ...]
    ) -> frozenset[Key]:
        """Return what the firing of a transition takes that read these facts."""
        key = (machine, event, row, source, guards)
        if key not in self._known:
            model = self._model.machines[machine]
            above = model.rows(source, event)
            fires = model.transition(row)
            entered = [*_entered(model, fires, source)]
            decided = [*_decided(above, fires, dict(guards))]
            ids = self._ids(model, fires, entered, decided)
            self._known[key] = frozenset((machine, id) for id in ids)
        return self._known[key]

    def _ids(
        self,
        model: Model,
        row: Transition,
        entered: list[State],
        decided: list[tuple[str, Term, bool]],
    ) -> Iterable[str]:
        match self._criterion:
            case "states":
                return (state.id for state in entered)
            case "transitions":
                return (row.id,)
            case "literals":
                return (literal_id(id, str(term), held) for id, term, held in decided)
        return _cited(model, row, entered, [term for _, term, _ in decided])


def _entered(machine: Model, row: Transition, source: str) -> Iterator[State]:
    """Yield the states that are entered. That in which a run begins is entered before."""
    if source == machine.initial:
        yield from machine.path(machine.initial)
    within = {state.id for state in machine.path(source)}
    for state in machine.path(row.target) if row.target is not None else ():
        if state.id not in within or state.id == row.target:
            yield state


def _decided(
    rows: Iterable[Transition], fires: Transition, read: Mapping[str, bool]
) -> Iterator[tuple[str, Term, bool]]:
    """Yield the terms that decided: the first that failed in each row above, and all here."""
    for row in rows:
        if row.id == fires.id:
            yield from ((row.id, term, True) for term in row.guard)
            return
        failed = next(term for term in row.guard if read[term.fact] is not term.value)
        yield row.id, failed, False


def _cited(
    machine: Model, row: Transition, entered: Iterable[State], decided: Iterable[Term]
) -> Iterator[str]:
    """Yield the rules that are cited by what is entered, fires and is read."""
    cited = [row.rule]
    names = [term.fact for term in decided]
    names += [name for action in row.actions for name in action.args]
    for state in entered:
        cited.append(state.rule)
        names += state.tells
    known = {fact.name: fact.rule for fact in machine.facts}
    cited += [known[name] for name in names if name in known]
    for rules in cited:
        yield from filter(None, map(str.strip, rules.split(",")))
