"""Search for the internal steps between two observations: from the runs so far to what was seen
next.

A turn or phase can begin unseen, since the step that follows shows it. A step can pass unseen in
two cases: lines of the record are damaged there, or the record shows only who may act and nobody
may act in that step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from fsm.conformance.observations import Observation
from fsm.engine.internal_steps import InternalSteps, equivalence_key
from fsm.engine.trace import Record
from fsm.model import State
from fsm.state.run import Run

TURNS_IN_LOST_LINES = 4
"""At most this many turns can pass without an observation where lines are damaged."""

Beginning: TypeAlias = tuple[State, int, str]
"""A turn or step that begins, the number of its turn, and the active player."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A run of the Model that agrees with what was seen so far.

    Attributes
    ----------
    run
        The run.
    origin
        The number of the candidate that it goes on from: one of those before the last observation.
    records
        What has fired since.
    """

    run: Run
    origin: int
    records: tuple[Record, ...] = ()


class Search:
    """Searches for continuations of some runs that reach the next observation.

    Attributes
    ----------
    starts, seen
        The runs, and the observation.
    expected
        What else could have come.
    """

    def __init__(
        self, paths: InternalSteps, starts: Sequence[Run], seen: Observation, *, jumps: bool = False
    ) -> None:
        self.paths, self.starts, self.seen, self.jumps = paths, starts, seen, jumps
        self.lines_lost = bool(seen.damaged) or seen.joined
        self.expected: dict[Beginning, None] = {}

    def run(self) -> list[Candidate]:
        """Return the continuations that reach the observation, breadth first.

        A continuation is `quiet` if it passes a step without an observation, because nobody may act
        in that step.
        """
        found: dict[object, Candidate] = {}
        queue = [(Candidate(run, origin), False) for origin, run in enumerate(self.starts)]
        known: set[object] = set()
        last = max(run.agenda.turn for run in self.starts) + TURNS_IN_LOST_LINES
        for candidate, quiet in queue:
            for onward in self.paths.onward(candidate.run, jumps=self.jumps):
                further = Candidate(
                    onward.run, candidate.origin, (*candidate.records, *onward.records)
                )
                begins = self.paths.begins(further.run)
                if begins is not None and self._matches(begins, further.run):
                    found.setdefault(equivalence_key(further.run), further)
                    continue
                passes = begins is None or self._passes(begins, further.run)
                now_quiet = (
                    quiet if begins is None or begins.kind != "step" else not self.lines_lost
                )
                key = (equivalence_key(further.run), now_quiet)
                if (
                    passes
                    and not (quiet and onward.acted)
                    and key not in known
                    and further.run.agenda.turn <= last
                ):
                    known.add(key)
                    queue.append((further, now_quiet))
        return list(found.values())

    def _matches(self, begins: State, run: Run) -> bool:
        seen, agenda = self.seen, run.agenda
        if begins.kind != seen.level or seen.turn not in (0, agenda.turn):
            return False
        if seen.seat and agenda.active != f"seat {seen.seat}":
            return False
        return (
            begins.name
            in {"turn": (begins.name,), "phase": (seen.phase,), "step": (seen.step,)}[seen.level]
        )

    def _passes(self, begins: State, run: Run) -> bool:
        """Say whether this can begin without an observation. A turn or step is also noted in
        `expected`.
        """
        if begins.kind == "phase" or (begins.kind == "turn" and self.seen.level != "turn"):
            return True
        self.expected.setdefault((begins, run.agenda.turn, run.agenda.active))
        return self.lines_lost or (begins.kind == "step" and not self.seen.complete)


def describe(seen: Observation) -> str:
    """Return an observation in words."""
    word = seen.step or (f"the {seen.phase} phase" if seen.phase else repr(seen.word))
    return phrase(
        "" if seen.level == "turn" else word, seen.turn, f"seat {seen.seat}" if seen.seat else ""
    )


def phrase(step: str, turn: int, active: str) -> str:
    """Return a step, or the beginning of a turn, in words.

    Parameters
    ----------
    step
        The name of the step, or "" for the beginning of the turn.
    turn
        The number of the turn, or 0 if it is not known.
    active
        The player whose turn it is, or "" if it is not known.
    """
    where = (f" in turn {turn}" if turn else "") + (f" of {active}" if active else "")
    return (
        f"{step}{where}"
        if step
        else f"the beginning of{where.removeprefix(' in').removeprefix(' of') or ' a turn'}"
    )


def describe_beginning(beginning: Beginning) -> str:
    """Return something that could have come, in words."""
    begins, turn, active = beginning
    return phrase(begins.name if begins.kind == "step" else "", turn, active)
