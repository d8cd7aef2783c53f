"""Undo and redo are exact; branches part; requests can be iterated over; a snapshot migrates into a
changed model.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

import fsm
from fsm import Answer, History, Over, Priority, Request, TurnController
from fsm.engine.requests import Word
from fsm.errors import AnswerError, SnapshotError
from fsm.hosts.history import EVERY
from fsm.model import Model, Setting
from fsm.rulesets import names
from support.wanderer import Wanderer


def quiet(request: Request | Over, **facts: bool) -> Answer:
    word: Word = "passed" if isinstance(request, Priority) else "done"
    return Answer(word, {name: facts.get(name, name == "stack_empty") for name in request.facts})


def busy(request: Request | Over) -> Answer:
    """Whoever has priority acts."""
    return (
        replace(quiet(request), word="acted") if isinstance(request, Priority) else quiet(request)
    )


def to_priority(history: History) -> None:
    """Answer quietly until a player has priority."""
    while not isinstance(history.controller.request, Priority):
        history.answer(quiet(history.controller.request))


def standing(game: TurnController) -> tuple[Any, ...]:
    return game.request, game.agenda, game.calendar, game.facts, game.snapshot()


def copied(game: TurnController) -> tuple[Any, ...]:
    """How a game stands, never changed by what it does afterwards."""
    return standing(game.fork())


@pytest.mark.parametrize("name", names())
def test_every_point_can_be_gone_back_to_and_forth(name: str) -> None:
    """Random games with orders and signals, given through a history; then undone and redone at
    random.
    """
    model, random = fsm.load(name), Random(7)
    for game in Wanderer(model, 3).games(300):
        answers = game.trace.answers
        head = game.trace.head
        twin = TurnController(model, head.players, teams=head.teams, settings=head.settings)
        history = History(twin)
        points = [copied(twin)]
        for answer in answers:
            history.answer(answer)
            points.append(copied(twin))
        for _ in range(12):
            there = len(history.answers)
            target = random.randint(0, len(answers))
            if target < there:
                history.undo(there - target)
            else:
                history.redo(target - there)
            assert standing(twin) == points[target]
            assert history.controller is twin
        history.redo(len(history.undone))
        assert twin.trace.entries == game.trace.entries


def test_to_the_start_of_a_turn() -> None:
    game = TurnController(fsm.load("magic"), ["A", "B"])
    history, starts = History(game), {1: copied(game)}
    while game.position.turn < 5:
        turn = game.position.turn
        history.answer(quiet(game.request))
        if game.position.turn != turn:
            starts[game.position.turn] = copied(game)
    for turn in (4, 2, 1):
        history.to_turn(turn)
        assert standing(game) == starts[turn]
    history.redo(len(history.undone))
    assert standing(game) == starts[5]
    with pytest.raises(AnswerError, match="turn 9 did not begin in this history"):
        history.to_turn(9)


def test_an_endless_turn_is_undone_too() -> None:
    """Between two turns there may be many more answers than a fork is kept for."""
    game = TurnController(fsm.load("magic"), ["A", "B"])
    history = History(game)
    to_priority(history)
    start, count = copied(game), 0
    while count < 3 * EVERY:
        history.answer(busy(game.request))
        count += 1
    history.undo(count)
    assert standing(game) == start


def test_a_new_answer_forgets_what_was_undone() -> None:
    game = TurnController(fsm.load("magic"), ["A", "B"])
    history = History(game)
    for _ in range(4):
        history.answer(quiet(game.request))
    history.undo(2)
    history.answer(quiet(game.request))
    assert not history.undone
    with pytest.raises(AnswerError, match="1 answers cannot be given again: 0 were undone"):
        history.redo()
    with pytest.raises(AnswerError, match="9 answers cannot be undone: there are 3"):
        history.undo(9)
    with pytest.raises(AnswerError):
        history.undo(-1)


def test_a_refused_answer_is_not_in_the_history() -> None:
    game = TurnController(fsm.load("magic"), ["A", "B"])
    history = History(game)
    history.answer(quiet(game.request))
    history.undo()
    with pytest.raises(AnswerError):
        history.answer(Answer("passed"))
    assert (len(history.answers), len(history.undone)) == (0, 1), (
        "what was undone can still be given again"
    )


def test_branches_share_their_past_and_nothing_else() -> None:
    game = TurnController(fsm.load("magic"), ["A", "B"])
    history = History(game)
    for _ in range(20):
        history.answer(quiet(game.request))
    before = copied(game)
    branch = history.branch()
    for _ in range(30):
        branch.answer(quiet(branch.controller.request))
    assert standing(game) == before
    branch.undo(50)
    assert len(history.answers) == 20
    history.undo(20)
    assert standing(branch.controller) == standing(game)


def test_a_branch_leaves_what_was_undone_to_its_parent() -> None:
    game = TurnController(fsm.load("magic"), ["A", "B"])
    history = History(game)
    for _ in range(4):
        history.answer(quiet(game.request))
    end = copied(game)
    history.undo(2)
    branch = history.branch()
    branch.answer(quiet(branch.controller.request))
    with pytest.raises(AnswerError, match="0 were undone"):
        branch.redo()
    history.redo(2)
    assert standing(game) == end


def test_what_a_branch_plays_does_not_lead_its_parent_astray() -> None:
    """The branch goes on to other turns, while its parent takes as many answers in one step."""
    game = TurnController(fsm.load("magic"), ["A", "B"])
    history = History(game)
    to_priority(history)
    branch = history.branch()
    while branch.controller.position.turn < 3:
        branch.answer(quiet(branch.controller.request))
    while len(history.answers) < len(branch.answers):
        before = copied(game)
        history.answer(busy(game.request))
    history.undo()
    assert standing(game) == before


def test_who_watches_goes_on_watching_after_an_undo() -> None:
    game, seen = TurnController(fsm.load("magic"), ["A", "B"]), list[str]()
    stop = game.watch(lambda record: seen.append(record.transition))
    history = History(game)
    history.answer(quiet(game.request))
    first = list(seen)
    history.undo()
    history.answer(quiet(game.request))
    assert first and seen == first * 2
    stop()
    history.answer(quiet(game.request))
    assert seen == first * 2


def test_a_game_of_another_model_cannot_be_become() -> None:
    one, other = (TurnController(fsm.load(name), ["A", "B"]) for name in ("magic", "magic-2010"))
    with pytest.raises(AnswerError, match="a game of magic cannot become one of magic-2010"):
        one.become(other)


# the iterator -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", names())
def test_requests_can_be_iterated_over(name: str) -> None:
    """The same game as answered by hand, and the loop ends with it."""
    model = fsm.load(name)
    looped, byhand = (TurnController(model, ["A", "B"]) for _ in "ab")
    for request in looped:
        assert request == byhand.request
        leaves = request.at.turn == 3
        answer = replace(quiet(request), signal=fsm.Signal("player_left", "B") if leaves else None)
        looped.answer(answer)
        byhand.answer(answer)
    assert isinstance(looped.request, Over)
    assert looped.trace.entries == byhand.trace.entries


def test_a_loop_that_does_not_answer_is_told_so() -> None:
    with pytest.raises(AnswerError, match="went on without an answer"):
        for _ in TurnController(fsm.load("magic"), ["A", "B"]):
            pass


# into a changed model -----------------------------------------------------------------------------


def renamed(model: Model, old: str, new: str) -> Model:
    """The same turn, but one state is called otherwise."""

    def name(id: str | None) -> Any:
        return new if id == old else id

    states = tuple(replace(s, id=name(s.id)) for s in model.states)
    rows = tuple(
        replace(t, source=name(t.source), target=name(t.target)) for t in model.transitions
    )
    return replace(model, states=states, transitions=rows)


def at(model: Model, state: str) -> TurnController:
    game = TurnController(model, ["A", "B"])
    while game.position.stage != state:
        game.answer(quiet(game.request))
    return game


def renaming(old: str, new: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    def migrate(data: dict[str, Any]) -> dict[str, Any]:
        if data["run"]["state"] == old:
            data["run"]["state"] = new
        return data

    return migrate


def test_a_snapshot_of_a_changed_model_is_refused_with_what_changed() -> None:
    game = at(fsm.load("magic"), "draw_draw_card")
    model = renamed(game.model, "draw_draw_card", "draw_draw_two")
    with pytest.raises(
        SnapshotError, match=r"\(states, transitions differ\).*give a function that migrates it"
    ):
        TurnController.restore(model, game.snapshot())
    another = replace(game.model, title="Another")
    assert TurnController.restore(another, game.snapshot()).request == game.request
    earlier = {key: value for key, value in game.snapshot().items() if key != "behaviour"}
    with pytest.raises(SnapshotError, match="only its name, title or options differ"):
        TurnController.restore(another, earlier)


def test_a_function_migrates_it() -> None:
    game = at(fsm.load("magic"), "draw_draw_card")
    model = renamed(game.model, "draw_draw_card", "draw_draw_two")
    moved = TurnController.restore(
        model, game.snapshot(), migrate=renaming("draw_draw_card", "draw_draw_two")
    )
    assert moved.request.state == "draw_draw_two"
    assert TurnController.restore(model, moved.snapshot()).request == moved.request
    moved.answer(quiet(moved.request))
    assert moved.position.step == "draw"


def test_a_setting_that_an_older_snapshot_lacks_has_its_default() -> None:
    game = at(fsm.load("magic"), "draw_draw_card")
    model = replace(
        game.model,
        settings=(*game.model.settings, Setting("alone", sides=2), Setting("crowded", sides=9)),
    )
    moved = TurnController.restore(model, game.snapshot(), migrate=lambda data: data)
    assert moved.trace.head.settings == {
        **game.trace.head.settings,
        "alone": True,
        "crowded": False,
    }


def test_what_a_migration_returns_is_checked_as_any_snapshot() -> None:
    game = at(fsm.load("magic"), "draw_draw_card")
    model = renamed(game.model, "draw_draw_card", "draw_draw_two")
    with pytest.raises(SnapshotError, match="draw_draw_card"):
        TurnController.restore(model, game.snapshot(), migrate=lambda data: data)
    with pytest.raises(SnapshotError, match="must return the snapshot, not NoneType"):
        TurnController.restore(model, game.snapshot(), migrate=lambda data: None)  # type: ignore[arg-type,return-value]
    damaged = {**game.snapshot(), "run": {}}
    with pytest.raises(SnapshotError, match="changed or cut"):
        TurnController.restore(model, damaged, migrate=renaming("draw_draw_card", "draw_draw_two"))
