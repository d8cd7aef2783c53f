"""Plays a case again from the scenario or trace that was written of it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from fsm.engine.requests import Answer
from fsm.engine.trace import Trace
from fsm.errors import FsmError, TraceError
from fsm.inputfiles import regular
from fsm.model import Model
from fsm.scenarios.scenario import Scenario, load_scenarios
from fsm.state.setup import Head, settings_of, sides_of
from fsm.testing.fuzzing.instrumentation import Broken, Thorough, Watch, raised


@dataclass(frozen=True, slots=True)
class Again:
    """What came of a case: so many answers and turns, and the first invariant that they break, if they do.

    `name`: the scenario's id, or the file's name. `other`: the model that a trace was recorded with, if it is not this.
    """

    name: str
    kind: str
    answers: int
    turns: int
    broken: Broken | None
    other: str = ""

    @property
    def sentence(self) -> str:
        """What came of it, in one sentence."""
        other = f" (the trace was recorded with {self.other}: its answers may mean something else here)"
        note = other if self.other else ""
        if self.broken is None:
            return f"{self.name}: every invariant held, {self.answers} answers, {self.turns} turns{note}"
        rule = f" ({self.broken.rule})" if self.broken.rule else ""
        return f"{self.name} breaks {self.broken.name}{rule}: {self.broken.what}{note}"

    def as_dict(self) -> dict[str, object]:
        """The same as plain JSON values."""
        return {"ok": self.broken is None, **asdict(self), "sentence": self.sentence}


def again(model: Model, path: str | Path) -> Iterator[Again]:
    """Play the cases of a file by this model, with a snapshot, a fork and a replay compared wherever there can be one.

    A scenario file may have several. Raises TraceError or ScenarioError for a file that is neither.
    """
    place = Path(path)
    if _is_trace(place):
        yield _of_trace(model, place)
        return
    for scenario in load_scenarios(place, model):
        yield _of_scenario(model, scenario)


def watched(model: Model, head: Head, answers: Sequence[Answer]) -> Watch:
    """A game of these answers, looked at as closely as can be, as far as it goes."""
    watch = Watch(model, head, Thorough())
    for answer in answers:
        if not watch.goes_on:
            break
        watch.answer(answer)
    watch.close()
    return watch


def _is_trace(path: Path) -> bool:
    """Does the file begin with the head of a trace, on a line of its own?"""
    try:
        with open(path, encoding="utf-8-sig", errors="replace", opener=regular) as file:
            first = next((line for line in file if line.strip()), "")
        head = json.loads(first)
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(head, dict) and "is" in head


def _of_trace(model: Model, path: Path) -> Again:
    try:
        with open(path, encoding="utf-8-sig", opener=regular) as file:
            trace = Trace.read(file)
        head = trace.head
        settings_of(model, sides_of(head.players, head.teams), head.settings)
    except (FsmError, UnicodeDecodeError) as error:
        raise TraceError(f"{path}: {error}") from None
    if not trace.complete:
        raise TraceError(f"{path}: this trace is a part of a run; only one that starts with its game can be played")
    other = f"{head.model} {head.fingerprint}" if head.fingerprint != model.fingerprint else ""
    return _told(path.name, "trace", watched(model, head, trace.answers), other)


def _of_scenario(model: Model, scenario: Scenario) -> Again:
    from fsm.scenarios.player import play

    try:
        trace = play(scenario).trace
    except Exception as error:  # a hole in the model, or a crash: that is what may have been found
        return Again(scenario.id, "scenario", 0, 0, raised(error, 0))
    return _told(scenario.id, "scenario", watched(model, trace.head, trace.answers))


def _told(name: str, kind: str, watch: Watch, other: str = "") -> Again:
    return Again(name, kind, watch.looks.answers, watch.looks.turns, watch.broken, other)
