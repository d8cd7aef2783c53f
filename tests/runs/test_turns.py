"""What is read off a run: the cells of its turns."""

from __future__ import annotations

import fsm
from fsm import Priority
from fsm.model import Model
from fsm.runs.turns import Cell, read_turns
from support.playing import attack, quiet, signal, started, through, to, until


def cell_of(game: fsm.TurnController, turn: int, step: str) -> Cell:
    """The first cell of this step in a turn."""
    turns = {found.number: found for found in read_turns(game.trace.records, game.model)}
    return next(cell for cell in turns[turn].cells if cell.step == step)


def test_a_step_is_cut_by_the_first_jump_out_of_it(magic: Model) -> None:
    """The turn is ended while combat is being ended already."""
    game = started(magic)
    attack(game)
    to(game, "declare_blockers")
    game.answer(quiet(game.request, signal=signal("end_phase")))
    jump = game.trace.records[-1].transition
    game.answer(quiet(game.request, signal=signal("end_turn")))
    cell = cell_of(through(game, 1), 1, "declare_blockers_step")
    assert cell.cut
    assert cell.cut_by == jump


def test_a_pass_that_was_refused_does_not_count() -> None:
    """Grand Archive: who must attack cannot pass."""
    game = started(fsm.load("grand-archive"))
    until(
        game, lambda r: r.at.turn == 2 and isinstance(r, Priority) and r.at.stage == "main_window"
    )
    request = game.request
    assert game.answer(quiet(request, {"attack_required": True})) == request
    assert cell_of(through(game, 2), 2, "main_step").passed == 2, "then both passed once"
