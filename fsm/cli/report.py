"""The output of `fsm run`: timelines as text, or one JSON object for each visited step."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from fsm.cli.show import layout_of, say, say_written, show
from fsm.engine.records import Record
from fsm.runs.timeline import Timeline
from fsm.runs.turns import Turn, read_turns
from fsm.scenarios import Outcome

if TYPE_CHECKING:
    from fsm.views.timelines import Section


class RunReport(Protocol):
    """Gets each outcome when it is ready, and all of them at the end."""

    def add(self, outcome: Outcome) -> None: ...

    def close(self, outcomes: Sequence[Outcome], *, written: Sequence[str]) -> None: ...


class JsonReport:
    """Prints visits to standard output and verdicts to standard error."""

    def add(self, outcome: Outcome) -> None:
        for visit in outcome.visits:
            say(json.dumps({"scenario": outcome.scenario.id, **visit.as_dict()}))
        for line in verdict(outcome):
            say(line, err=True)

    def close(self, outcomes: Sequence[Outcome], *, written: Sequence[str]) -> None:
        say(summary(outcomes), err=True)


class TextReport:
    """Prints a timeline for each turn, the verdicts, and which transitions were taken."""

    def __init__(self, *, verbose: bool) -> None:
        self.verbose = verbose
        self.layouts: dict[str, Timeline] = {}

    def add(self, outcome: Outcome) -> None:
        model = outcome.model
        if model.fingerprint not in self.layouts:
            self.layouts[model.fingerprint] = layout_of(model)
            show(
                ([], *self.layouts[model.fingerprint].header()),
                self.layouts[model.fingerprint].families,
            )
        layout = self.layouts[model.fingerprint]
        for turn in read_turns(records_of(outcome), model):
            turn.note = note(outcome.scenario.data, turn)
            show(layout.turn(turn), layout.families)
        for line in verdict(outcome):
            show([[(line, "good" if not outcome.failures else "bad")]])

    def close(self, outcomes: Sequence[Outcome], *, written: Sequence[str]) -> None:
        for layout in self.layouts.values():
            show(([], *layout.legend(), []))
        for fingerprint, layout in self.layouts.items():
            records = [
                r for o in outcomes if o.model.fingerprint == fingerprint for r in records_of(o)
            ]
            taken = {(record.machine, record.transition) for record in records}
            machines = layout.model.machines.items()
            known = [(name, row.id) for name, machine in machines for row in machine.transitions]
            say(f"{len(taken)} of {len(known)} transitions of the model taken")
            if self.verbose:
                for name, id in known:
                    if (name, id) not in taken:
                        say(f"  not taken: {id}")
        if len(outcomes) > 1:
            say(summary(outcomes))
        for path in written:
            say_written(path)


def records_of(outcome: Outcome) -> list[Record]:
    """Return the firings of the turns that were to be played, without the beginning of the next
    turn.
    """
    return [r for r in outcome.records if r.turn <= outcome.scenario.through_turn]


def note(scenario: Mapping[str, Any], turn: Turn) -> str:
    """Return the scenario's `note` for this turn, if `note` is an object with turn numbers as keys."""
    notes = scenario.get("note")
    words = notes.get(str(turn.number), "") if isinstance(notes, dict) else ""
    return words if isinstance(words, str) else ""


def verdict(outcome: Outcome) -> list[str]:
    """Return the verdict in one line, then one line for each failure and warning."""
    id, expected = outcome.scenario.id, len(outcome.scenario.expect)
    holds = (
        f"{expected} expectation{'s hold' if expected != 1 else ' holds'}"
        if expected
        else "nothing was expected"
    )
    head = f"FAIL {id}" if outcome.failures else f"ok   {id}: {holds}"
    notes = [*outcome.failures, *(f"warning: {warning}" for warning in outcome.warnings)]
    return [head, *(f"     {text}" for text in notes)]


def summary(outcomes: Sequence[Outcome]) -> str:
    """Return in one line how many scenarios hold."""
    good = sum(not outcome.failures for outcome in outcomes)
    return f"{good} of {len(outcomes)} scenarios hold"


def section_of(outcome: Outcome, *, heading: str) -> Section:
    """Return the turns of a scenario, with its notes, other players' decisions, and the players of
    teams.
    """
    from fsm.views.timelines import Section

    turns = list(read_turns(records_of(outcome), outcome.model))
    decided = {
        taken.turn: taken.controller for taken in outcome.turns if taken.controller != taken.active
    }
    for turn in turns:
        turn.note = note(outcome.scenario.data, turn)
        if not turn.note and turn.number in decided:
            turn.note = f"{decided[turn.number]} decides"
    names = {team[0]: ", ".join(team) for team in outcome.scenario.teams if team}
    return Section(turns, heading, names)
