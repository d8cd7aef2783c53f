"""Follows recorded games, each log by itself, and puts together what all of them took."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fsm.conformance.clientlogs import ArenaLog
from fsm.conformance.following import Conformance, Follower
from fsm.conformance.recorders import open_recording
from fsm.conformance.rows import RowLog, RowNames
from fsm.conformance.traces import Replayer, TraceLog
from fsm.engine.records import Record
from fsm.model import Model
from fsm.runs.timeline import Marks, Span, Timeline
from fsm.runs.turns import Turn, keeping_turns, read_turns
from fsm.runs.visits import visits_of


@dataclass(frozen=True, slots=True)
class Following:
    """How logs are followed, and how their games are told: as lines of spans, or as JSON.

    With `kept`, the turns are kept for a picture. `marks` and `room` are those of the terminal.
    """

    model: Model
    allow: tuple[str, ...] = ()
    names: RowNames | None = None
    output: str = "text"
    kept: bool = False
    several: bool = False
    marks: Marks | None = None
    room: int | None = None


@dataclass(frozen=True, slots=True)
class LogEnd:
    """The end of a log that was followed.

    `players` are those of its last game, in seat order. With `assumed`, the log does not list them:
    two are assumed. `taken` are the transitions of the turn that were taken, because logs seldom
    show what happens in a window.
    """

    name: str
    players: list[str]
    assumed: bool
    result: Conformance
    taken: set[str]
    turns: dict[tuple[str, int], list[Turn]]


Told = str | Sequence[Span] | LogEnd
"""A line of JSON, a line of text, or what comes last."""


def follow(how: Following, path: str) -> Iterator[Told]:
    """Follow one log. Yield what is told of it as soon as it is certain. Raises LogError."""
    model = how.model
    log = open_recording(path, model, how.names)
    follower: Follower | Replayer
    if isinstance(log, TraceLog) and log.is_of(model):
        follower, games = (replayer := Replayer(model)), replayer.by_game(log)
    else:
        follower, games = (seeker := Follower(model, allow=how.allow)), seeker.by_game(log)
    taken, turns = set[str](), dict[tuple[str, int], list[Turn]]()
    layout = Timeline(model, how.marks, room=how.room)
    for number, fired in games:
        records = _noting(fired, taken)
        if how.kept:
            records = keeping_turns(records, model, turns.setdefault((log.name, number), []))
        if how.output == "json":
            yield from (
                json.dumps({"game": number, **visit.as_dict()})
                for visit in visits_of(records, model)
            )
            continue
        yield []
        yield [(f"{log.name}, game {number}" if how.several else f"game {number}", "head")]
        yield from layout.header()
        for turn in read_turns(records, model):
            yield from layout.turn(turn)
    if how.output != "json":
        yield from ([], *layout.legend(), [])
    players = [] if isinstance(log, ArenaLog) else log.players
    yield LogEnd(
        log.name, players, isinstance(log, RowLog) and not log.named, follower.result, taken, turns
    )


def _noting(records: Iterator[Record], taken: set[str]) -> Iterator[Record]:
    for record in records:
        if record.machine == "turn":
            taken.add(record.transition)
        yield record


class RecordedGames:
    """What the games of all logs took."""

    def __init__(self, model: Model) -> None:
        self.model, self.ok = model, True
        self.taken: set[str] = set()
        self.turns: dict[tuple[str, int], list[Turn]] = {}

    def add(self, end: LogEnd) -> None:
        """Add what one log took."""
        self.ok = self.ok and end.result.ok
        self.taken |= end.taken
        for game, turns in end.turns.items():
            self.turns.setdefault(game, []).extend(turns)

    def taken_sentence(self) -> str:
        """Return in one sentence how much of the model was taken, with the steps that no game
        visited.
        """
        model = self.model
        begun = {t.target for t in model.transitions if t.id in self.taken}
        steps = {s.parent: s.id in begun for s in model.leaves if s.role == "begin" and s.parent}
        unseen = [s.name for s in model.of_kind("step") if not steps.get(s.id, True)]
        never = f"; no game came to {', '.join(dict.fromkeys(unseen))}" if unseen else ""
        return f"{len(self.taken)} of {len(model.transitions)} transitions of the turn were taken{never}"

    def timeline(self, title: str) -> str:
        """Return a picture of the games so far. They must have been kept."""
        from fsm.views.timelines import Section, timelines

        several = len({name for name, _ in self.turns}) > 1
        heads = [f"{name}, game {game}" if several else f"game {game}" for name, game in self.turns]
        alone = len(heads) == 1
        sections = [
            Section(t, "" if alone else head)
            for head, t in zip(heads, self.turns.values(), strict=True)
        ]
        return timelines(self.model, sections, title=title)
