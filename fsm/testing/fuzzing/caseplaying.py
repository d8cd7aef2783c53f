"""Plays a case again from the scenario or trace that was written of it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from fsm import scenarios
from fsm.engine.requests import Answer
from fsm.engine.trace import Trace
from fsm.errors import FsmError, TraceError
from fsm.files import regular
from fsm.model import Model
from fsm.scenarios import Scenario
from fsm.state.setup import GameHeader, settings_of, sides_of
from fsm.testing.fuzzing.checkedgame import Broken, CheckedGame, Thoroughness, raised
from fsm.wording import citation


@dataclass(frozen=True, slots=True)
class CaseResult:
    """The result of a case: how many answers and turns were played, and the first broken invariant,
    if there is one.

    `name` is the id of the scenario or the name of the file. `other` is the model that a trace was
    recorded with, if it is another one.
    """

    name: str
    kind: str
    answers: int
    turns: int
    broken: Broken | None
    other: str = ""

    @property
    def sentence(self) -> str:
        """The result in one sentence."""
        other = (
            f" (the trace was recorded with {self.other}: its answers may mean something else here)"
        )
        note = other if self.other else ""
        if self.broken is None:
            return f"{self.name}: every invariant held, {self.answers} answers, {self.turns} turns{note}"
        return f"{self.name} breaks {self.broken.name}{citation(self.broken.rule)}: {self.broken.what}{note}"

    def as_dict(self) -> dict[str, object]:
        """Return the result as plain JSON values."""
        return {"ok": self.broken is None, **asdict(self), "sentence": self.sentence}


def play_case(model: Model, path: str | Path) -> Iterator[CaseResult]:
    """Play the cases of a file with all checks: snapshots and forks at every wait point, and a
    replay of the trace.

    A scenario file may have several cases. Raises TraceError or ScenarioError if the file is
    neither kind.
    """
    file_path = Path(path)
    if _is_trace(file_path):
        yield _of_trace(model, file_path)
        return
    for scenario in scenarios.load(file_path, model):
        yield _of_scenario(model, scenario)


def checked_game(model: Model, head: GameHeader, answers: Sequence[Answer]) -> CheckedGame:
    """Play a game of these answers, as far as it goes, with all checks."""
    game = CheckedGame(model, head, Thoroughness())
    for answer in answers:
        if not game.goes_on:
            break
        game.answer(answer)
    game.close()
    return game


def _is_trace(path: Path) -> bool:
    """Whether the file begins with a line that has the head of a trace."""
    try:
        with open(path, encoding="utf-8-sig", errors="replace", opener=regular) as file:
            first = next((line for line in file if line.strip()), "")
        head = json.loads(first)
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(head, dict) and "is" in head


def _of_trace(model: Model, path: Path) -> CaseResult:
    try:
        with open(path, encoding="utf-8-sig", opener=regular) as file:
            trace = Trace.read(file)
        head = trace.head
        settings_of(model, sides_of(head.players, head.teams), head.settings)
    except (FsmError, UnicodeDecodeError) as error:
        raise TraceError(f"{path}: {error}") from None
    if not trace.complete:
        raise TraceError(
            f"{path}: this trace is a part of a run; only one that starts with its game can be played"
        )
    other = f"{head.model} {head.fingerprint}" if head.fingerprint != model.fingerprint else ""
    return _result(path.name, "trace", checked_game(model, head, trace.answers), other)


def _of_scenario(model: Model, scenario: Scenario) -> CaseResult:
    from fsm.scenarios import play

    try:
        trace = play(scenario).trace
    except (
        Exception
    ) as error:  # a gap in the model or a crash may be the very defect that the case shows
        return CaseResult(scenario.id, "scenario", 0, 0, raised(error, 0))
    return _result(scenario.id, "scenario", checked_game(model, trace.head, trace.answers))


def _result(name: str, kind: str, game: CheckedGame, other: str = "") -> CaseResult:
    return CaseResult(name, kind, game.counts.answers, game.counts.turns, game.broken, other)
