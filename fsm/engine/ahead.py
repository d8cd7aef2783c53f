"""Which facts of the game may be read before the next request if no order comes with the answer:
those that an answer may have to tell.
"""

from __future__ import annotations

from typing import NamedTuple

from fsm.engine.requests import Answer, Word, answer_of
from fsm.engine.semantics import semantics_of
from fsm.model import Model, State, Term, Transition
from fsm.model.model import per_model
from fsm.state.primitives import TESTS
from fsm.state.run import Run

MOST_SKIPS = 2
"""If more is skipped, anything may be: what is known of each set of skips is kept."""

OUT_OF_ORDER = frozenset(
    ("skips", "extras", "phase.returns", "step.returns", "phase.candidate", "step.candidate")
)
"""Fields of a run that are empty if nothing comes out of order in the turn. What reads them is
false then.
"""


class _Scheduled(NamedTuple):
    """What may come out of order: extras, and the levels and names of what is skipped, or None for
    anything. `opens`: the kind of the window at this stage.
    """

    extras: bool
    skips: frozenset[tuple[str, str]] | None
    opens: str


def quiet_answer(model: Model, run: Run, waits: State) -> Answer:
    """Return the answer when nothing happens, with all facts that it must or may have to tell."""
    extras = bool(run.extras or run.phase.returns or run.step.returns)
    skips = frozenset((skip.level, skip.what) for skip in run.skips if skip.level != "turn")
    known = skips if len(skips) <= MOST_SKIPS else None
    scheduled = _Scheduled(extras, known, model.state(run.state).opens)
    return _quiet_answer(model, run.state, waits, bool(run.frame), scheduled)


@per_model
def _quiet_answer(
    model: Model, state: str, waits: State, inside: bool, scheduled: _Scheduled
) -> Answer:
    """As `quiet_answer`, for all runs in a state of the turn where this state waits, which is one
    of the window if they are inside it.
    """
    turn = window = _ahead(model, scheduled)
    if inside and model.window is not None:
        window = _ahead(model.window, scheduled)
    found = dict.fromkeys(waits.tells)
    for word in waits.words:
        if window.read(waits.id, word, found):
            turn.read(state, "closed", found)
    quiet = semantics_of(model).quiet
    usual: Word = "passed" if "passed" in waits.words else "done"
    return answer_of(usual, (), {name: quiet[name] for name in found}, automatic=True)


class _Ahead:
    """What may be read in each place.

    Transitions are left out whose guards contradict what is known: of latched facts, and of tests
    of what is scheduled.
    """

    def __init__(self, model: Model, scheduled: _Scheduled) -> None:
        self.model = model
        self.told = set[str]()
        self.latched = set[str]()
        known = set[Term]()
        for fact in model.facts:
            if fact.timing == "latched":
                self.latched.add(fact.name)
            elif fact.owner == "game":
                self.told.add(fact.name)
            value = _value_of(fact.test, scheduled)
            if value is not None:
                known.add(Term(fact.name, value))
        self.known = frozenset(known)

    def read(self, state: str, event: str, found: dict[str, None]) -> bool:
        """Add the facts that may be read after an event. Say whether a window may close."""
        closes = False
        todo = [(state, event, self.known)]
        seen = {*todo}
        for state, event, known in todo:
            for row in self.model.rows(state, event):
                if any(Term(term.fact, not term.value) in known for term in row.guard):
                    continue
                found.update((term.fact, None) for term in row.guard if term.fact in self.told)
                target = self.model.state(row.target or state)
                closes = closes or target.kind == "final"
                there = target.id, "done", self._known_after(row, known)
                if self._is_silent(target) and there not in seen:
                    seen.add(there)
                    todo.append(there)
        return closes

    def _is_silent(self, state: State) -> bool:
        """Whether the turn may go on from here without an answer."""
        return state.kind in ("choice", "stage") or self.model.role(state.by) is not None

    def _known_after(self, row: Transition, known: frozenset[Term]) -> frozenset[Term]:
        if any(action.name in ("latch", "clear") for action in row.actions):
            return self.known
        return known.union(term for term in row.guard if term.fact in self.latched)


@per_model
def _ahead(model: Model, scheduled: _Scheduled) -> _Ahead:
    return _Ahead(model, scheduled)


def _value_of(test: tuple[str, ...], scheduled: _Scheduled) -> bool | None:
    """Return the value of a test at this stage, if it is known. It is false if what would make it
    true is not scheduled in the turn.
    """
    if not test or test[1:2] == ("turn",):
        return None
    if test[0] == "window_opens":
        return test[1] == scheduled.opens
    read = TESTS[test[0]].touches(test[1:])
    if read.isdisjoint(OUT_OF_ORDER):
        return None
    possible = scheduled.extras
    if "skips" in read:
        possible = scheduled.skips is None or test[1:] in scheduled.skips
    return None if possible else False
