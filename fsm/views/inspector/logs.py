"""The stories in a file: a trace is played again, and the steps of a client's log are followed
through the Model.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from fsm.conformance.following import Follower
from fsm.conformance.recordings.opening import open_recording, recorder_of
from fsm.engine.trace import Record, Trace
from fsm.errors import LogError, TraceError
from fsm.files import regular
from fsm.model import Model
from fsm.rulesets import load, names
from fsm.views.drawing.options import Now
from fsm.views.inspector.games import GameStory, rules_of
from fsm.views.inspector.stories import Row, Standing, Story, TurnStart, step_of
from fsm.wording import plain


class LogStory(Story):
    """One game of a log. It can be looked at after each step that began; what was possible then is
    not known.
    """

    unit = "step"

    def __init__(self, name: str, model: Model, records: Sequence[Record]) -> None:
        super().__init__(name, model)
        self._records = records
        turn = [
            (i, record)
            for i, record in enumerate(records)
            if record.machine == "turn" and record.step
        ]
        self._begins = [i for i, record in turn if model.state(record.target).role == "begin"]
        self._turns = [TurnStart(0, 0, "")]
        for at, place in enumerate(self._begins, 1):
            record = records[place]
            if record.turn != self._turns[-1].turn:
                self._turns.append(TurnStart(at, record.turn, plain(record.active)))

    @property
    def count(self) -> int:
        """How many steps began."""
        return len(self._begins)

    @property
    def turns(self) -> Sequence[TurnStart]:
        """The turns."""
        return self._turns[1:]

    def _at(self, at: int) -> Record:
        return self._records[self._begins[max(at, 1) - 1]]

    def place(self, at: int) -> tuple[str, str]:
        """Return the turn, the player and the step, and the state."""
        record = self._at(at)
        return (
            f"Turn {record.turn}, {plain(record.active)}: {step_of(self.model, record.target)}",
            record.target,
        )

    def standing(self, at: int) -> Standing:
        """Return the step."""
        record = self._at(at)
        line = f"Turn {record.turn}, {plain(record.active)}{', an extra turn' if record.extra else ''}."
        return Standing(step_of(self.model, record.target), line, Now(record.target))

    def rows(self, first: int, end: int) -> list[Row]:
        """Return the steps, with the rules by which they begin."""
        found, rules = list[Row](), rules_of(self.model)
        for number in range(first + 1, end + 1):
            record = self._at(number)
            step, rule = step_of(self.model, record.target), plain(rules.get(record.transition, ""))
            found.append(Row(number, plain(record.active), step, f"turn {record.turn}", rule))
        return found

    def records(self, first: int, end: int) -> Iterator[tuple[int, Sequence[Record]]]:
        """Yield what fired up to each step."""
        for number in range(first + 1, end + 1):
            before = self._begins[number - 2] + 1 if number > 1 else 0
            yield number, self._records[before : self._begins[number - 1] + 1]


def stories_of_file(path: str, ruleset: str = "") -> list[Story]:
    """Return what is recorded in a file: the game of a trace, or the games of a log.

    Parameters
    ----------
    path
        The file.
    ruleset
        The ruleset, as `fsm.load` takes it. Without it, a trace names its own, and a log is one of
        Magic.

    Raises
    ------
    FsmError
        If it is not a game of that ruleset.
    OSError
        If it cannot be read.
    """
    name = Path(path).name
    if recorder_of(path) != "trace":
        return list(_games(path, load(ruleset or "magic")))
    with open(path, encoding="utf-8", errors="replace", opener=regular) as lines:
        trace = Trace.read(lines)
    if not ruleset and trace.head.model not in names():  # a file must not have code imported
        raise TraceError(
            f"{path}: {plain(trace.head.model)!r} is not built in: name its ruleset with --ruleset"
        )
    return [GameStory.of_trace(name, trace, load(ruleset or trace.head.model))]


def _games(path: str, model: Model) -> Iterator[Story]:
    log = open_recording(path, model)
    follower, found = Follower(model), False
    groups = follower.by_game(log)
    for number, records in groups:
        story = LogStory(f"game {number}", model, list(records))
        if story.count:
            found = True
            yield story
    if not found:
        raise LogError(f"{path} holds no game that {model.name} can follow")
