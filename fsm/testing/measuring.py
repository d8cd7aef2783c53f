"""Says which targets of a criterion a firing takes, as `fsm.coverage` measures them afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from fsm.coverage.criteria import literal_id
from fsm.coverage.target import Key
from fsm.engine.requests import Answer
from fsm.engine.semantics import Fired, semantics_of
from fsm.errors import CoverageError, suggest
from fsm.model import Model, State, Term, Transition
from fsm.state.orders import EndPhase, EndTurn, Signal
from fsm.state.run import Run

Ids = Iterator[str]
"""The ids of targets. One may occur twice."""


class Measure:
    """The targets of one criterion that steps of games of a model take.

    Raises CoverageError if no paths can be made for the criterion.
    """

    def __init__(self, model: Model, criterion: str) -> None:
        known: dict[str, Callable[[_Firing], Ids]] = {
            "states": _states,
            "transitions": _transitions,
            "literals": _literals,
            "rules": _rules,
            "refusals": lambda firing: iter(()),
        }
        if criterion not in known:
            hint = suggest(criterion, known)
            raise CoverageError(f"paths for {criterion!r} cannot be generated{hint}")
        self._taken, self._refusals = known[criterion], criterion == "refusals"
        self._model, self._semantics = model, semantics_of(model)
        self._known: dict[tuple[object, ...], frozenset[Key]] = {}
        self._rows = {
            (name, row.id): row
            for name, machine in model.machines.items()
            for row in machine.transitions
        }

    def of(self, answer: Answer | None, fired: Iterable[Fired], run: Run) -> frozenset[Key]:
        """Return what an answer takes that makes this fire and leads to this run.

        The answer is None for what fires as a game begins.
        """
        taken = frozenset[Key]().union(
            *(self.firing(f.machine, f.event, f.row.id, f.source, f.guards) for f in fired)
        )
        if self._refusals:
            taken |= {(machine, f"{word} in {at}") for machine, word, at in self.refused(run)}
            if answer is not None:
                taken = taken.union(self._ignored(answer, tuple(fired)))
        return taken

    def firing(
        self, machine: str, event: str, row: str, source: str, guards: tuple[tuple[str, bool], ...]
    ) -> frozenset[Key]:
        """Return what the firing of a transition takes that read these facts."""
        key = (machine, event, row, source, guards)
        if key not in self._known:
            model = self._model.machines[machine]
            firing = _Firing(model, event, self._rows[machine, row], source, dict(guards))
            self._known[key] = frozenset((machine, id) for id in self._taken(firing))
        return self._known[key]

    def refused(self, run: Run) -> Iterator[tuple[str, str, str]]:
        """Yield what is refused where a run waits: the machine, the word, and the state.

        These are the words of other requests, and every signal when the game is over.
        """
        state = self._semantics.waiting(run)
        name = "window" if run.frame else "turn"
        machine = self._model.machines[name]
        events = {event.name for event in machine.events}
        words = {word for state in self._semantics.states.values() for word in _words(state)}
        tried = words | {*self._model.signals} if state.kind == "final" else words
        for word in sorted(tried & events):
            if not machine.rows(state.id, word):
                yield name, word, state.id

    def _ignored(self, answer: Answer, fired: tuple[Fired, ...]) -> Iterable[Key]:
        """Yield the event of an answer's order that interrupts nothing where the answer leads."""
        events = {o.event for o in answer.orders if isinstance(o, Signal | EndTurn | EndPhase)}
        if not fired or len(events) != 1:
            return
        [event], first = events, fired[0]
        turns = [one for one in fired if one.machine == "turn"]
        stage = first.target if first in turns else turns[0].source if turns else ""
        if stage and not self._model.rows(stage, event):
            yield "turn", f"{event} in {stage}"


def _words(state: State) -> tuple[str, ...]:
    return state.words if state.kind == "action" else ()


class _Firing(NamedTuple):
    """A firing of a machine: its row, where, and the values of the facts that were read."""

    machine: Model
    event: str
    row: Transition
    source: str
    read: dict[str, bool]

    def entered(self) -> Iterator[State]:
        """Yield the states that are entered. That in which a run begins is entered before."""
        machine, target = self.machine, self.row.target
        if self.source == machine.initial:
            yield from machine.path(machine.initial)
        within = {state.id for state in machine.path(self.source)}
        for state in machine.path(target) if target is not None else ():
            if state.id not in within or state.id == target:
                yield state

    def decided(self) -> Iterator[tuple[str, Term, bool]]:
        """Yield the terms that decided: the first that failed in each row above, and all here."""
        for row in self.machine.rows(self.source, self.event):
            if row.id == self.row.id:
                yield from ((row.id, term, True) for term in row.guard)
                return
            failed = (term for term in row.guard if self.read[term.fact] is not term.value)
            yield from ((row.id, term, False) for term in islice(failed, 1))


def _transitions(firing: _Firing) -> Ids:
    yield firing.row.id


def _states(firing: _Firing) -> Ids:
    return (state.id for state in firing.entered())


def _literals(firing: _Firing) -> Ids:
    return (literal_id(row, str(term), held) for row, term, held in firing.decided())


def _rules(firing: _Firing) -> Ids:
    """Yield the rules that are cited by what is entered, fires and is read."""
    row, cited = firing.row, [firing.row.rule]
    names = [term.fact for _, term, _ in firing.decided()]
    names += [name for action in row.actions for name in action.args]
    for state in firing.entered():
        cited.append(state.rule)
        names += state.tells
    known = {fact.name: fact.rule for fact in firing.machine.facts}
    cited += [known[name] for name in names if name in known]
    for rules in cited:
        yield from filter(None, map(str.strip, rules.split(",")))
