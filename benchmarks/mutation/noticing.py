"""Finds the mutants that a game notices. The game is played once, and each of its firings is
compared with all mutants.

A mutant is noticed at the first firing where the mutant would take a transition with another target
or other actions, or none. Until then, both games are the same. So one game judges all mutants at
once, as in weak mutation testing (Howden, "Weak mutation testing and completeness of test sets",
1982). The result is not weaker here, because a test of the game compares what fires. `notices`
plays the game on the mutant itself.
"""

from __future__ import annotations

from collections.abc import Container, Iterable

from benchmarks.mutation.mutants import Mutant, own
from fsm.engine.answers import quiet_facts
from fsm.engine.requests import Answer
from fsm.engine.semantics import TURN, Fired, Note, Read, Semantics
from fsm.engine.trace import Record
from fsm.errors import AnswerError
from fsm.model import Action, Model, Transition
from fsm.state.primitives import holds
from fsm.state.run import Run
from fsm.state.setup import run_of
from fsm.testing.generation.path import Path

FiringSummary = tuple[str, str, str, tuple[str, ...]]
Effect = tuple[str | None, tuple[Action, ...]]
"""The effect of a transition, wherever it fires: its target and actions."""


def notices(path: Path, mutant: Mutant) -> bool:
    """Whether this path runs differently on the mutant. The ids of transitions are not compared."""
    try:
        fired = [_firing(r) for r in path.run(mutant.model).trace.records]
    except Exception:  # a test of the path fails, whatever error the changed model raises
        return True
    return fired != [_firing(r) for r in path.trace.records]


def _firing(record: Record) -> FiringSummary:
    return record.machine, record.source, record.target, record.actions


def effect(row: Transition | None) -> Effect | None:
    """Return the effect of a row, or None if there is no row and the run is stuck."""
    return (row.target, row.actions) if row is not None else None


class Judge(Semantics):
    """Plays games of a model and compares each firing with its mutants. `left` are the mutants not
    yet noticed.
    """

    def __init__(self, model: Model, tried: Iterable[Mutant]) -> None:
        super().__init__(model)
        self.left = dict.fromkeys(tried)
        self.quiet = frozenset(quiet_facts(model))
        self._differing: list[Mutant] = []
        self.rows_at: dict[tuple[str, str, str], dict[Mutant, tuple[Transition, ...]]] = {}
        for mutant in self.left:
            for at, event, rows in mutant.firing_points():
                self.rows_at.setdefault((mutant.machine, at, event), {})[mutant] = rows

    def noticed(self, path: Path) -> dict[Mutant, int]:
        """Return the mutants that this path notices, each with the number of answers after which it
        does.
        """
        run = run_of(self.model, path.run().head)
        found = dict.fromkeys(self.beginning(run), 0)
        for number, answer in enumerate(path.answers, 1):
            found |= dict.fromkeys(self.answering(run, answer), number)
        return found

    def beginning(self, run: Run) -> list[Mutant]:
        """Let a new run go on to its first wait point. Return the mutants that differ on the way."""
        self._differing = []
        self.macrostep(run, holds, _ignore)
        return self._take_differing()

    def answering(self, run: Run, answer: Answer) -> list[Mutant]:
        """Give an answer to a run. Return the mutants that differ. If it raises FsmError, do not
        use the run again.
        """
        self._differing = []
        self.answer(run, answer, holds, _ignore)
        return self._take_differing()

    def _take_differing(self) -> list[Mutant]:
        """Return the mutants that differed, and drop them."""
        found = list(dict.fromkeys(self._differing))
        for mutant in found:
            self.drop(mutant)
        return found

    def drop(self, mutant: Mutant) -> None:
        """Do not compare with this mutant any more."""
        del self.left[mutant]
        for at, event, _ in mutant.firing_points():
            del self.rows_at[mutant.machine, at, event][mutant]

    def microstep(self, run: Run, machine: str, event: str, read: Read, note: Note) -> Fired | None:
        """Fire a transition, and compare it with those of the mutants."""
        asked = self.rows_at.get((machine, run.state if machine == TURN else run.frame, event))
        if not asked:
            return super().microstep(run, machine, event, read, note)
        values = Values(run, own(self.model, machine), self.quiet)
        others = [(mutant, effect(values.first(rows))) for mutant, rows in asked.items()]
        fired = super().microstep(run, machine, event, read, note)
        here = effect(fired.row.transition if fired is not None else None)
        self._differing += [mutant for mutant, other in others if other != here]
        return fired


class Values:
    """The values of facts at one moment. A fact that the game was not asked for has its quiet
    value.
    """

    def __init__(self, run: Run, machine: Model, quiet: Container[str]) -> None:
        self.run, self.machine, self.quiet = run, machine, quiet
        self.known: dict[str, bool] = {}

    def first(self, rows: Iterable[Transition]) -> Transition | None:
        """Return the first of these rows whose guard holds, or None."""
        return next((row for row in rows if all(self[t.fact] == t.value for t in row.guard)), None)

    def __getitem__(self, name: str) -> bool:
        if name not in self.known:
            try:
                self.known[name] = holds(self.run, self.machine.fact(name))
            except AnswerError:
                self.known[name] = name in self.quiet
        return self.known[name]


def _ignore(fired: Fired) -> None:
    """Ignore a firing."""
