"""Forks: each stands where its parent does, goes its own way, and knows the whole way that led
there.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import fsm
from fsm import AddPhase, AddTurn, Answer, DelayedTrigger, Effect, Over, Priority, TurnController
from fsm.engine import Record
from fsm.errors import AnswerError
from fsm.model import Model
from fsm.orders import Order
from fsm.rulesets import names
from support.amounts import sample
from support.playing import act, attack, leaves, quiet, resolving, signal, started, through, to
from support.wanderer import Wanderer

MODELS = {name: fsm.load(name) for name in names()}
each_ruleset = pytest.mark.parametrize("name", sample(names(), 1, seed=4))


class Player(Wanderer):
    """Goes on with any game, at random."""

    def answers(self, game: TurnController, count: int) -> list[Answer]:
        """Up to so many answers given to this game, the last when it is over."""
        before = len(game.trace.answers)
        for _ in range(count):
            if isinstance(game.request, Over):
                break
            self._answer(game)
        return game.trace.answers[before:]


def seen(game: TurnController) -> dict[str, Any]:
    """All that can be seen of a game, as values that nothing changes."""
    return {
        "snapshot": json.dumps(game.snapshot()),
        "request": game.request,
        "facts": game.facts,
        "agenda": repr(game.agenda),
        "calendar": repr(game.calendar),
        "entries": tuple(game.trace.entries),
        "complete": game.trace.complete,
    }


def met(name: str, seed: int, answers: int, every: int) -> Iterator[TurnController]:
    """Forks of random games, one of every so many points."""
    found: list[TurnController] = []
    count = 0

    def look(game: TurnController) -> None:
        nonlocal count
        count += 1
        if count % every == 0:
            found.append(game.fork())

    list(Wanderer(MODELS[name], seed, look).games(answers))
    assert len(found) == answers // every
    return iter(found)


# at every point of random games -------------------------------------------------------------------


@each_ruleset
def test_at_every_point_a_fork_is_what_its_parent_is(name: str) -> None:
    points = []

    def look(game: TurnController) -> None:
        fork = game.fork()
        points.append(fork.request == game.request and fork.snapshot() == game.snapshot())

    list(Wanderer(MODELS[name], 5, look).games(1_500))
    assert len(points) == 1_500
    assert all(points)


@each_ruleset
def test_a_game_whose_forks_go_astray_at_every_point_is_played_as_without_them(name: str) -> None:
    """The games go on while their forks do anything: afterwards each is what its answers alone make
    of it.
    """
    astray = Player(MODELS[name], 7)
    for game in Wanderer(MODELS[name], 5, lambda game: astray.answers(game.fork(), 2)).games(200):
        assert seen(game.trace.replay(MODELS[name])) == seen(game)


@each_ruleset
def test_a_fork_stays_where_it_is_while_its_parent_goes_on(name: str) -> None:
    for number, game in enumerate(met(name, 11, 1_500, 50)):
        fork, before = game.fork(), seen(game)
        assert Player(MODELS[name], number).answers(game, 30) or isinstance(game.request, Over)
        assert seen(fork) == before


@each_ruleset
def test_the_same_answers_lead_both_to_the_same(name: str) -> None:
    for number, game in enumerate(met(name, 13, 1_500, 50)):
        fork = game.fork()
        for answer in Player(MODELS[name], number).answers(game, 30):
            fork.answer(answer)
        assert seen(fork) == seen(game)


@each_ruleset
def test_each_trace_tells_its_own_whole_way(name: str) -> None:
    """Parent, fork and the fork's fork begin alike, end differently, and every trace can be
    replayed.
    """
    for number, game in enumerate(met(name, 17, 1_500, 150)):
        common = tuple(game.trace.entries)
        fork = game.fork()
        Player(MODELS[name], number).answers(fork, 9)
        grandchild, so_far = fork.fork(), tuple(fork.trace.entries)
        for one, seed in ((game, 100), (fork, 200), (grandchild, 300)):
            Player(MODELS[name], seed + number).answers(one, 20)
            assert seen(one.trace.replay(MODELS[name])) == seen(one)
        assert (
            tuple(game.trace.entries)[: len(common)]
            == tuple(fork.trace.entries)[: len(common)]
            == common
        )
        assert (
            tuple(fork.trace.entries)[: len(so_far)]
            == tuple(grandchild.trace.entries)[: len(so_far)]
            == so_far
        )


@each_ruleset
def test_a_fork_of_a_restored_game_has_its_trace_too(name: str) -> None:
    """Whether its trace has been asked for before, in the middle or not at all."""
    for number, game in enumerate(met(name, 19, 1_500, 100)):
        restored = TurnController.restore(MODELS[name], json.loads(json.dumps(game.snapshot())))
        before = len(game.trace.entries)
        forks = [restored.fork()]
        for answer in Player(MODELS[name], number).answers(game, 20):
            restored.answer(answer)
            forks[0].answer(answer)
            if number % 2:
                assert not restored.trace.complete
        forks += [restored.fork(), forks[0].fork()]
        for one in (restored, *forks):
            assert one.snapshot() == game.snapshot()
            assert (one.trace.entries, one.trace.complete) == (game.trace.entries[before:], False)


# one at a time ------------------------------------------------------------------------------------

MAGIC = MODELS["magic"]
Change = Callable[[TurnController], object]


def ordering(*orders: Order) -> Change:
    return lambda game: game.answer(quiet(game.request, orders=orders))


CHANGES: dict[str, Change] = {
    "an extra turn": ordering(AddTurn("A")),
    "an extra phase": ordering(AddPhase(("combat",))),
    "a delayed trigger": ordering(DelayedTrigger("d", "end")),
    "a duration": ordering(Effect("l", "A")),
    "a latched fact": lambda game: game.answer(quiet(game.request, {"attackers_declared": True})),
    "somebody acts in the window": act,
    "somebody passes in the window": lambda game: game.answer(quiet(game.request)),
    "somebody leaves": lambda game: game.answer(quiet(game.request, signal=leaves("B"))),
    "the turn is ended": lambda game: resolving(game, "precombat_main", signal=signal("end_turn")),
    "another turn": lambda game: through(game, 2),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_happens_to_one_does_not_happen_to_the_other(change: Change) -> None:
    game = started(MAGIC, "ABC")
    attack(game)
    to(game, "precombat_main", turn=2)
    for one, other in ((game.fork(), game), (game, game.fork())):
        before = seen(other)
        change(one)
        assert seen(one) != before
        assert seen(other) == before


def test_a_fork_of_a_game_that_is_over_is_over() -> None:
    game = started(MAGIC)
    game.answer(quiet(game.request, signal=leaves("A")))
    assert isinstance(game.request, Over)
    assert seen(game.fork()) == seen(game)
    with pytest.raises(AnswerError, match="the game is over"):
        game.fork().answer(Answer())


def test_an_answer_that_one_refuses_changes_neither() -> None:
    game = started(MAGIC)
    fork, before = game.fork(), seen(game)
    with pytest.raises(AnswerError):
        fork.answer(Answer("passed", {"rain": True}))
    assert seen(fork) == seen(game) == before


def test_who_watches_the_parent_does_not_watch_the_fork() -> None:
    game, records, others = started(MAGIC), list[Record](), list[Record]()
    game.watch(records.append)
    fork = game.fork()
    fork.watch(others.append)
    fork.answer(quiet(fork.request))
    assert not records
    assert others
    noticed = tuple(others)
    game.answer(quiet(game.request))
    assert tuple(records) == tuple(others) == noticed


def test_a_watcher_can_keep_forks_to_go_back_to() -> None:
    """It sees the game with the answer taken in: so do the forks, and their traces."""
    game, kept = started(MAGIC), list[TurnController]()
    game.watch(lambda _: kept.append(game.fork()))
    for _ in range(40):
        game.answer(quiet(game.request))
        assert seen(kept[-1]) == seen(game)
    for fork in kept[::7]:
        assert seen(fork.trace.replay(MAGIC)) == seen(fork)


@pytest.mark.parametrize("orders", [(), (AddTurn("A"),)], ids=["plain", "with orders"])
def test_a_watcher_that_asks_for_the_trace_and_then_raises_changes_nothing(
    orders: tuple[Order, ...],
) -> None:
    game = started(MAGIC)
    game.answer(quiet(game.request, orders=[AddTurn("B")]))
    before, lengths = seen(game), list[int]()

    def watcher(_: Record) -> None:
        lengths.append(len(game.trace.entries))
        if len(lengths) == 1:
            raise ValueError("no")

    game.watch(watcher)
    with pytest.raises(ValueError, match="no"):
        game.answer(quiet(game.request, orders=orders))
    assert lengths[0] > len(before["entries"])
    assert seen(game) == before
    game.answer(quiet(game.request, orders=[AddTurn("B"), AddTurn("A")]))
    assert game.trace.replay(MAGIC).snapshot() == game.snapshot()


def test_a_fork_is_of_its_parent_s_class() -> None:
    class Own(TurnController):
        pass

    model: Model = MAGIC
    fork = Own(model, ["A", "B"]).fork()
    assert type(fork) is Own
    assert isinstance(fork.request, Priority) == isinstance(started(model).request, Priority)
