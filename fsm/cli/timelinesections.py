"""Makes the sections of a timeline from scenarios that were played."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fsm.cli.report import note, records_of
from fsm.runs.turns import read_turns

if TYPE_CHECKING:
    from fsm.scenarios import Outcome
    from fsm.views.drawing.timeline import Section


def section_of(outcome: Outcome, *, heading: str) -> Section:
    """Return the turns of a scenario, with its notes, other players' decisions, and the players of teams."""
    from fsm.views.drawing.timeline import Section

    turns = list(read_turns(records_of(outcome), outcome.model))
    decided = {taken.turn: taken.controller for taken in outcome.turns if taken.controller != taken.active}
    for turn in turns:
        turn.note = note(outcome.scenario.data, turn)
        if not turn.note and turn.number in decided:
            turn.note = f"{decided[turn.number]} decides"
    names = {team[0]: ", ".join(team) for team in outcome.scenario.teams if team}
    return Section(turns, heading, names)
