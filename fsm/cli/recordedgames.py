"""Follows several recorded games, and counts the transitions that they take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from fsm.conformance.following import Conformance, Follower
from fsm.conformance.recordings.client import ArenaLog
from fsm.conformance.recordings.opening import RecordedLog, open_recording
from fsm.conformance.recordings.rownames import RowNames
from fsm.conformance.recordings.rows import RowLog
from fsm.conformance.recordings.traces import Replayer, TraceLog
from fsm.engine.trace import Record
from fsm.model import Model
from fsm.runs.taken import Taken
from fsm.runs.turns import Turn, keeping_turns


@dataclass(frozen=True, slots=True)
class FollowedRecording:
    """A recording that is followed. Iterate `games` for the firings of each game; then `result` is complete."""

    log: RecordedLog
    games: Iterator[tuple[int, Iterator[Record]]]
    follower: Follower | Replayer

    @property
    def name(self) -> str:
        """The name of the recording."""
        return self.log.name

    @property
    def players(self) -> list[str]:
        """The players of the last game so far, in seat order."""
        return [] if isinstance(self.log, ArenaLog) else self.log.players

    @property
    def assumed(self) -> bool:
        """Whether two players are assumed, because the recording does not list the players."""
        return isinstance(self.log, RowLog) and not self.log.named

    @property
    def result(self) -> Conformance:
        """The result so far."""
        return self.follower.result


class RecordedGames:
    """The games of several recordings. With `kept`, their turns are kept for a picture.

    Only transitions of the turn are counted, because recordings seldom show what happens inside a window.
    """

    def __init__(
        self, model: Model, allow: tuple[str, ...] = (), names: RowNames | None = None, *, kept: bool = False
    ) -> None:
        self.model, self.allow, self.names, self.kept = model, allow, names, kept
        self.times = Counter[str]()
        self.turns: dict[tuple[str, int], list[Turn]] = {}
        self.followed: list[FollowedRecording] = []

    def follow(self, path: str | Path) -> FollowedRecording:
        """Return the recording in this file, to be iterated. Raises LogError, also during iteration."""
        log = open_recording(path, self.model, self.names)
        follower: Follower | Replayer
        if isinstance(log, TraceLog) and log.is_of(self.model):
            follower, games = (replayer := Replayer(self.model)), replayer.by_game(log)
        else:
            follower, games = (seeker := Follower(self.model, allow=self.allow)), seeker.by_game(log)
        followed = FollowedRecording(log, self._counted(log.name, games), follower)
        self.followed.append(followed)
        return followed

    def _counted(
        self, name: str, games: Iterator[tuple[int, Iterator[Record]]]
    ) -> Iterator[tuple[int, Iterator[Record]]]:
        for number, records in games:
            counted = self._counting(records)
            turns = self.turns.setdefault((name, number), []) if self.kept else None
            yield number, counted if turns is None else keeping_turns(counted, self.model, turns)

    def _counting(self, records: Iterator[Record]) -> Iterator[Record]:
        for record in records:
            if record.machine == "turn":
                self.times[record.transition] += 1
            yield record

    @property
    def ok(self) -> bool:
        """Whether all games so far are runs of the model."""
        return all(followed.result.ok for followed in self.followed)

    @property
    def taken(self) -> Taken:
        """The transitions of the turn that the games have taken, with counts."""
        ids = [t.id for t in self.model.transitions]
        took, missed = (tuple(i for i in ids if (i in self.times) == there) for there in (True, False))
        return Taken(took, missed, (), (), self.times, {}, self.model)

    def taken_sentence(self) -> str:
        """Return in one sentence how much of the model was taken, with the steps that no game visited."""
        taken, model = self.taken, self.model
        begun = {t.target for t in model.transitions if t.id in self.times}
        steps = {s.parent: s.id in begun for s in model.leaves if s.role == "begin" and s.parent}
        unseen = [s.name for s in model.of_kind("step") if not steps.get(s.id, True)]
        never = f"; no game came to {', '.join(dict.fromkeys(unseen))}" if unseen else ""
        return f"{len(taken.turn)} of {len(model.transitions)} transitions of the turn were taken{never}"

    def timeline(self, theme: str, *, title: str) -> str:
        """Return a picture of the games so far. It needs `kept`."""
        from fsm.views.drawing.timeline import Section, timelines

        several = len({name for name, _ in self.turns}) > 1
        heads = [f"{name}, game {game}" if several else f"game {game}" for name, game in self.turns]
        alone = len(heads) == 1
        sections = [Section(t, "" if alone else head) for head, t in zip(heads, self.turns.values(), strict=True)]
        return timelines(self.model, sections, theme=theme, title=title)

    def heat(self, theme: str, form: str = "svg") -> str | bytes:
        """Return a picture of the turn with the number of times that each transition was taken."""
        from fsm.model import LAYERS
        from fsm.views.drawing import drawn, paper
        from fsm.views.drawing.options import Counts, DrawOptions

        return drawn(self.model, DrawOptions("turn", paper(theme), LAYERS, Counts(self.times)), form, {})
