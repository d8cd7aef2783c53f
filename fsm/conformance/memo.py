"""A memo of what logs have shown: where candidate runs have stood, and where each observation has
led from there.

Most observations come where a game has stood before. A `Standing` is such a position of all
candidate runs, apart from how far the game has come. A `Way` leads from it to the next one, for an
observation that came there once. A game that stands there needs no runs of its own: they are made
when nothing is known of an observation.

As in `fsm.engine.positions`, a standing is shared only if no guard and no action of the Model can
tell the runs apart. So if something is scheduled, it is not shared.
"""

from __future__ import annotations

from collections.abc import Sequence

from fsm.conformance.observations import Observation
from fsm.conformance.search import Candidate
from fsm.engine.positions import (
    GameMoment,
    Progress,
    come_as_far,
    difference,
    nothing_scheduled,
    position_key,
    progress,
    told_apart,
    total,
)
from fsm.engine.records import Record, shared, told
from fsm.model import Model
from fsm.model.model import per_model
from fsm.state.run import Run

MOST = 4096
"""How many ways are known at most."""


class Standing:
    """One position of all candidate runs.

    Attributes
    ----------
    runs
        The candidate runs of a game that has stood here, with the `progress` of the first one.
    shared
        Whether other games can stand here too.
    ways
        Where observations lead, by what is seen.
    """

    __slots__ = ("progress", "runs", "shared", "ways")

    def __init__(self, runs: Sequence[Run], shared: bool) -> None:
        self.runs, self.shared, self.progress = tuple(runs), shared, progress(runs[0])
        self.ways: dict[object, Way] = {}

    def runs_at(self, now: Progress) -> list[Run]:
        """Return the candidate runs of a game that has come so far."""
        more, made = difference(now, self.progress), [run.copy() for run in self.runs]
        for run in made if more is not None else ():
            before = progress(run)
            come_as_far(run, total(before, more), before)
        return made


class Way:
    """Where an observation leads.

    Attributes
    ----------
    standing
        The next position.
    later
        What is added to the progress of the game, or None.
    origins
        For each candidate run there, the number of the one here that it goes on from.
    """

    __slots__ = ("_active", "_fired", "later", "origins", "standing")

    def __init__(self, standing: Standing, found: Sequence[Candidate], since: Progress) -> None:
        self.standing, self.later = standing, difference(progress(found[0].run), since)
        self.origins = tuple(candidate.origin for candidate in found)
        self._active = tuple(
            {record.active: None for candidate in found for record in candidate.records}
        )
        self._fired = [
            shared(candidate.records, self._active, since.turn, since.base) for candidate in found
        ]

    def records(self, candidate: int, now: Progress) -> Sequence[Record]:
        """Return what fires on the way to a candidate run, in a game that has come so far."""
        return told(self._fired[candidate], GameMoment(self._active, now))


class Memo:
    """The standings of one Model."""

    def __init__(self, model: Model) -> None:
        self._told_apart = told_apart(model)
        self._found: dict[object, Standing] = {}
        self._ways = 0

    def standing(self, runs: Sequence[Run]) -> Standing:
        """Return where these runs stand."""
        if self._told_apart is None or not all(map(nothing_scheduled, runs)):
            return Standing(runs, shared=False)
        key = self._key(runs, *self._told_apart)
        return self._found.get(key) or self._found.setdefault(
            key, Standing([run.copy() for run in runs], shared=True)
        )

    def learn(self, before: Standing, key: object, way: Way) -> None:
        """Remember where an observation has led."""
        if before.shared and way.standing.shared:
            if self._ways >= MOST:
                self._clear()
            self._ways += 1
            before.ways[key] = way

    def _clear(self) -> None:
        for standing in tuple(self._found.values()):
            standing.ways.clear()
        self._found.clear()
        self._ways = 0

    def _key(self, runs: Sequence[Run], turn: bool, taken: int | None, own: int | None) -> object:
        first = progress(runs[0])
        return tuple(
            (
                position_key(run, turn, taken, own),
                run.agenda.players,
                run.agenda.turn > 0,
                _apart(run, first),
            )
            for run in runs
        )


def what_is_seen(seen: Observation, turn: int) -> object:
    """Return what two observations that lead to the same have in common, in games that have come to
    this turn.
    """
    later = seen.turn - turn if seen.turn else None
    lost = bool(seen.damaged) or seen.joined
    return seen.level, seen.step, seen.phase, seen.seat, later, seen.complete, lost


def _apart(run: Run, first: Progress) -> object:
    more = difference(progress(run), first)
    return None if more is None else (more.turn, more.base, more.turns_taken, more.own_turns)


@per_model
def memo_of(model: Model) -> Memo:
    """Return the memo that all logs followed through this model share."""
    return Memo(model)
