"""What is read off a run: the visits of steps."""

from __future__ import annotations

from fsm.model import Model
from fsm.runs.visits import visits_of
from support.playing import started, through


def test_a_visit_says_whether_anybody_received_priority(magic: Model) -> None:
    game = through(started(magic), 1)
    found = {
        visit.step: visit.priority
        for visit in visits_of(game.trace.records, magic)
        if visit.turn == 1
    }
    assert [step for step, priority in found.items() if not priority] == ["untap", "cleanup"]
    assert len(found) == 9
