"""Follows recorded games, each log by itself, and puts together what all of them took."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fsm.conformance.following import Conformance, Follower
from fsm.conformance.recordings.client import ArenaLog
from fsm.conformance.recordings.opening import open_recording
from fsm.conformance.recordings.rownames import RowNames
from fsm.conformance.recordings.rows import RowLog
from fsm.conformance.recordings.traces import Replayer, TraceLog
from fsm.engine.trace import Record
from fsm.errors import FsmError
from fsm.model import Model
from fsm.runs.taken import Taken
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
    two are assumed. `times` says how often each transition of the turn was taken, because logs
    seldom show what happens in a window.
    """

    name: str
    players: list[str]
    assumed: bool
    result: Conformance
    times: Counter[str]
    turns: dict[tuple[str, int], list[Turn]]


Told = str | Sequence[Span] | LogEnd | Exception
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
    times, turns = Counter[str](), dict[tuple[str, int], list[Turn]]()
    layout = Timeline(model, how.marks, room=how.room)
    for number, counted in ((number, _counting(records, times)) for number, records in games):
        records = counted
        if how.kept:
            records = keeping_turns(counted, model, turns.setdefault((log.name, number), []))
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
        log.name, players, isinstance(log, RowLog) and not log.named, follower.result, times, turns
    )


def follow_whole(how: Following, path: str) -> list[Told]:
    """Follow one log to its end. An error is the last of what is told."""
    told: list[Told] = []
    try:
        told.extend(follow(how, path))
    except (FsmError, OSError) as error:
        told.append(error)
    return told


def _counting(records: Iterator[Record], times: Counter[str]) -> Iterator[Record]:
    for record in records:
        if record.machine == "turn":
            times[record.transition] += 1
        yield record


class RecordedGames:
    """What the games of all logs took."""

    def __init__(self, model: Model) -> None:
        self.model, self.ok = model, True
        self.times = Counter[str]()
        self.turns: dict[tuple[str, int], list[Turn]] = {}

    def add(self, end: LogEnd) -> None:
        """Add what one log took."""
        self.ok = self.ok and end.result.ok
        self.times += end.times
        for game, turns in end.turns.items():
            self.turns.setdefault(game, []).extend(turns)

    @property
    def taken(self) -> Taken:
        """The transitions of the turn that the games have taken, with counts."""
        ids = [t.id for t in self.model.transitions]
        took, missed = (
            tuple(i for i in ids if (i in self.times) == there) for there in (True, False)
        )
        return Taken(took, missed, (), (), self.times, {}, self.model)

    def taken_sentence(self) -> str:
        """Return in one sentence how much of the model was taken, with the steps that no game
        visited.
        """
        taken, model = self.taken, self.model
        begun = {t.target for t in model.transitions if t.id in self.times}
        steps = {s.parent: s.id in begun for s in model.leaves if s.role == "begin" and s.parent}
        unseen = [s.name for s in model.of_kind("step") if not steps.get(s.id, True)]
        never = f"; no game came to {', '.join(dict.fromkeys(unseen))}" if unseen else ""
        return f"{len(taken.turn)} of {len(model.transitions)} transitions of the turn were taken{never}"

    def timeline(self, theme: str, *, title: str) -> str:
        """Return a picture of the games so far. They must have been kept."""
        from fsm.views.drawing.timeline import Section, timelines

        several = len({name for name, _ in self.turns}) > 1
        heads = [f"{name}, game {game}" if several else f"game {game}" for name, game in self.turns]
        alone = len(heads) == 1
        sections = [
            Section(t, "" if alone else head)
            for head, t in zip(heads, self.turns.values(), strict=True)
        ]
        return timelines(self.model, sections, theme=theme, title=title)

    def heat(self, theme: str, form: str = "svg") -> str | bytes:
        """Return a picture of the turn with the number of times that each transition was taken."""
        from fsm.model import LAYERS
        from fsm.views.drawing import drawn, paper
        from fsm.views.drawing.options import Counts, DrawOptions

        return drawn(
            self.model, DrawOptions("turn", paper(theme), LAYERS, Counts(self.times)), form, {}
        )
