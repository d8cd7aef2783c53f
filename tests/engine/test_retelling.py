"""A game that is told again from its answers, also while it goes on in another thread."""

from __future__ import annotations

import random
from threading import Event, Thread

import fsm
from fsm import History, TurnController
from fsm.engine import Record
from fsm.engine.retelling import EVERY, Retelling
from fsm.orders import AddPhase, AddTurn, Order
from support.amounts import amount
from support.playing import quiet

PLAYERS = ("Alice", "Bob")


def play(game: TurnController | History, answers: int, chance: random.Random | None = None) -> None:
    """Give answers; with a chance, some with facts that are unusual, and some with orders."""
    for _ in range(answers):
        request = game.request
        if chance is None:
            game.answer(quiet(request))
            continue
        orders: list[Order] = [
            one for one in (AddPhase("combat"), AddTurn("Bob")) if chance.random() < 0.01
        ]
        facts = {name: True for name in request.facts if chance.random() < 0.05}
        game.answer(quiet(request, facts, orders=orders))


def same(retelling: Retelling, game: TurnController, at: int) -> bool:
    return retelling.at(at).snapshot() == game.snapshot()


def test_every_moment_is_as_it_was() -> None:
    game, chance = TurnController(fsm.load("magic"), PLAYERS), random.Random(4)
    retelling, kept = Retelling(game.beginning()), [game.fork()]
    for _ in range(3 * EVERY // 50):
        play(game, 50, chance)
        kept.append(game.fork())
    retelling.take(game.answers_given())
    assert all(same(retelling, fork, fork.number) for fork in kept)
    assert [a.answer for a in retelling.told(0, game.number)] == game.trace.answers


def test_it_tells_the_records_of_the_trace() -> None:
    game = TurnController(fsm.load("magic"), PLAYERS)
    play(game, 300, random.Random(5))
    retelling = Retelling(game.beginning())
    retelling.take(game.answers_given())
    started = [e for e in game.beginning().trace.entries if isinstance(e, Record)]
    assert [*started, *(r for a in retelling.told(0, 300) for r in a.records)] == game.trace.records


def test_it_knows_when_each_turn_began() -> None:
    game = TurnController(fsm.load("magic"), PLAYERS)
    play(game, 200)
    retelling = Retelling(game.beginning())
    retelling.take(game.answers_given())
    assert [turn for _, turn, _ in retelling.turns] == [1, 2, 3, 4]
    for at, turn, player in retelling.turns:
        assert (retelling.at(at).position.turn, retelling.at(at).position.active) == (turn, player)
        assert at == 0 or retelling.at(at - 1).position.turn == turn - 1


def test_what_is_undone_is_taken_back() -> None:
    game, chance = History(TurnController(fsm.load("magic"), PLAYERS)), random.Random(6)
    retelling = Retelling(game.controller.beginning())
    for _ in range(amount(60, 1000)):
        play(game, chance.randrange(30), chance)
        if game.number:
            game.undo(chance.randrange(1, min(12, game.number) + 1))
        play(game, chance.randrange(4), chance)
        retelling.take(game.controller.answers_given())
        assert retelling.count == game.number
        assert same(retelling, game.controller, game.number)


def test_a_restored_game_begins_where_it_was_restored() -> None:
    first = TurnController(fsm.load("magic"), PLAYERS)
    play(first, 77, random.Random(7))
    game = TurnController.restore(first.model, first.snapshot())
    play(game, 30)
    retelling = Retelling(game.beginning())
    retelling.take(game.answers_given())
    assert same(retelling, first, 0)
    assert same(retelling, game, 30)


def test_a_game_that_started_in_the_middle_begins_there() -> None:
    game = TurnController(
        fsm.load("magic"), PLAYERS, start=fsm.StartAt(turn=3, step="declare_attackers")
    )
    play(game, 20)
    assert game.beginning().position.turn == 3
    retelling = Retelling(game.beginning())
    retelling.take(game.answers_given())
    assert same(retelling, game, 20)


def test_it_can_stop_and_go_on() -> None:
    game = TurnController(fsm.load("magic"), PLAYERS)
    play(game, 2000)
    retelling, log = Retelling(game.beginning()), game.answers_given()
    retelling.take(log, seconds=0)
    assert 0 < retelling.count < 2000
    while retelling.count < 2000:
        retelling.take(log, seconds=0)
    assert same(retelling, game, 2000)


def test_the_log_is_the_beginning_of_the_game_whenever_another_thread_asks() -> None:
    """With an undo now and then, and a watcher that fails: what was read is always a game that was
    played.
    """
    game = History(TurnController(fsm.load("magic"), PLAYERS))
    retelling, stop, wrong = Retelling(game.controller.beginning()), Event(), list[BaseException]()

    def read() -> None:
        try:
            while not stop.is_set():
                retelling.take(game.controller.answers_given(), seconds=0.01)
                retelling.at(retelling.count)
        except BaseException as error:
            wrong.append(error)

    reader, chance = Thread(target=read), random.Random(8)
    reader.start()
    for _ in range(amount(40, 2000)):
        play(game, chance.randrange(200))
        assert game.trace is not None  # which moves answers within the log
        if chance.random() < 0.3:
            game.undo(chance.randrange(1, 20))
    stop.set()
    reader.join()
    assert wrong == []
    retelling.take(game.controller.answers_given())
    assert same(retelling, game.controller, game.number)
