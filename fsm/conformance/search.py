"""Search for the internal steps between two observations: from the runs so far to what was seen next.

A turn or phase can begin unseen, since the step that follows shows it. A step can pass unseen in two cases: lines of
the record are damaged there, or the record shows only who may act and nobody may act in that step.
"""

from __future__ import annotations

from typing import TypeAlias

from fsm.conformance.recordings.client import Observation
from fsm.engine.internal_steps import Paths, Way, equivalence_key
from fsm.model import State
from fsm.state.run import Run

TURNS_IN_A_HOLE = 4
"""At most this many turns can pass unseen where lines are damaged."""

Begun: TypeAlias = tuple[State, int, str]
"""What begins (a turn or step), in which turn, and whose turn it is."""


class Search:
    """Searches for the ways from some runs to what was seen next.

    Attributes
    ----------
    expected
        What else could have come.
    """

    def __init__(self, paths: Paths, seen: Observation, *, jumps: bool = False) -> None:
        self.paths, self.seen, self.jumps = paths, seen, jumps
        self.hole = bool(seen.damaged) or seen.joined
        self.expected: dict[Begun, None] = {}

    def run(self, starts: list[Way]) -> list[Way]:
        """Return the ways that lead to what was seen, breadth first.

        A way is `quiet` if it passes a step unseen in which nobody may act.
        """
        found: dict[object, Way] = {}
        queue = [(way, False) for way in starts]
        known: set[object] = set()
        last = max(way.run.agenda.turn for way in starts) + TURNS_IN_A_HOLE
        for way, quiet in queue:
            for onward in self.paths.onward(way.run, jumps=self.jumps):
                here = Way(onward.run, (*way.records, *onward.records))
                begins = self.paths.begins(here.run)
                if begins is not None and self._matches(begins, here.run):
                    found.setdefault(equivalence_key(here.run), here)
                    continue
                passes = begins is None or self._passes(begins, here.run)
                silent = quiet if begins is None or begins.kind != "step" else not self.hole
                key = (equivalence_key(here.run), silent)
                if passes and not (quiet and onward.acted) and key not in known and here.run.agenda.turn <= last:
                    known.add(key)
                    queue.append((here, silent))
        return list(found.values())

    def _matches(self, begins: State, run: Run) -> bool:
        seen, agenda = self.seen, run.agenda
        if begins.kind != seen.level or seen.turn not in (0, agenda.turn):
            return False
        if seen.seat and agenda.active != f"seat {seen.seat}":
            return False
        return begins.name in {"turn": (begins.name,), "phase": (seen.phase,), "step": (seen.step,)}[seen.level]

    def _passes(self, begins: State, run: Run) -> bool:
        """Can this begin unseen? A turn or step is also noted as one that could have come."""
        if begins.kind == "phase" or (begins.kind == "turn" and self.seen.level != "turn"):
            return True
        self.expected.setdefault((begins, run.agenda.turn, run.agenda.active))
        return self.hole or (begins.kind == "step" and not self.seen.complete)


def describe(seen: Observation) -> str:
    """Return what was seen, in words."""
    word = seen.step or (f"the {seen.phase} phase" if seen.phase else repr(seen.word))
    return phrase("" if seen.level == "turn" else word, seen.turn, f"seat {seen.seat}" if seen.seat else "")


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
    return f"{step}{where}" if step else f"the beginning of{where.removeprefix(' in').removeprefix(' of') or ' a turn'}"


def place_in_words(place: Begun) -> str:
    """Return a place that could have come, in words."""
    begins, turn, active = place
    return phrase(begins.name if begins.kind == "step" else "", turn, active)
