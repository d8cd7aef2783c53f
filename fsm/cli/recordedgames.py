"""A set of recorded games, followed one after another: what they took of the model, and pictures of that."""

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
class Followed:
    """A recording as it is followed: iterate `games` for the firings of each, then `result` is complete."""

    log: RecordedLog
    games: Iterator[tuple[int, Iterator[Record]]]
    follower: Follower | Replayer

    @property
    def name(self) -> str:
        """What the recording is called."""
        return self.log.name

    @property
    def players(self) -> list[str]:
        """The players of the last game so far, by their seats."""
        return [] if isinstance(self.log, ArenaLog) else self.log.players

    @property
    def assumed(self) -> bool:
        """Does the recording not say who plays, so that two players are assumed?"""
        return isinstance(self.log, RowLog) and not self.log.named

    @property
    def result(self) -> Conformance:
        """What following it came to so far."""
        return self.follower.result


class Games:
    """The games of several recordings, as they are followed; with `kept`, their turns are kept for a picture.

    Counted are the transitions of the turn: what happens inside a window is seldom recorded.
    """

    def __init__(
        self, model: Model, allow: tuple[str, ...] = (), names: RowNames | None = None, *, kept: bool = False
    ) -> None:
        self.model, self.allow, self.names, self.kept = model, allow, names, kept
        self.times = Counter[str]()
        self.turns: dict[tuple[str, int], list[Turn]] = {}
        self.followed: list[Followed] = []

    def follow(self, path: str | Path) -> Followed:
        """The recording in this file, to be iterated. Raises LogError, now or then."""
        log = open_recording(path, self.model, self.names)
        follower: Follower | Replayer
        if isinstance(log, TraceLog) and log.is_of(self.model):
            follower, games = (replayer := Replayer(self.model)), replayer.by_game(log)
        else:
            follower, games = (seeker := Follower(self.model, allow=self.allow)), seeker.by_game(log)
        followed = Followed(log, self._counted(log.name, games), follower)
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
        """Are all games followed so far runs of the model?"""
        return all(followed.result.ok for followed in self.followed)

    @property
    def taken(self) -> Taken:
        """Which transitions of the turn the games have taken, and how often."""
        ids = [t.id for t in self.model.transitions]
        took, missed = (tuple(i for i in ids if (i in self.times) == there) for there in (True, False))
        return Taken(took, missed, (), (), self.times, {}, self.model)

    def told(self) -> str:
        """How much of the model they took, in one sentence, with the steps that none of them visited."""
        taken, model = self.taken, self.model
        begun = {t.target for t in model.transitions if t.id in self.times}
        steps = {s.parent: s.id in begun for s in model.leaves if s.role == "begin" and s.parent}
        unseen = [s.name for s in model.of_kind("step") if not steps.get(s.id, True)]
        never = f"; no game came to {', '.join(dict.fromkeys(unseen))}" if unseen else ""
        return f"{len(taken.turn)} of {len(model.transitions)} transitions of the turn were taken{never}"

    def timeline(self, theme: str, *, title: str) -> str:
        """The picture of the games followed so far, with `kept`."""
        from fsm.views.drawing.timeline import Section, timelines

        several = len({name for name, _ in self.turns}) > 1
        heads = [f"{name}, game {game}" if several else f"game {game}" for name, game in self.turns]
        alone = len(heads) == 1
        sections = [Section(t, "" if alone else head) for head, t in zip(heads, self.turns.values(), strict=True)]
        return timelines(self.model, sections, theme=theme, title=title)

    def heat(self, theme: str, form: str = "svg") -> str | bytes:
        """The turn at a glance, with how often each way through it was taken, and what never was."""
        from fsm.model import LAYERS
        from fsm.views.drawing import drawn, paper
        from fsm.views.drawing.options import Asked, Counts

        return drawn(self.model, Asked("turn", paper(theme), LAYERS, Counts(self.times)), form, {})
