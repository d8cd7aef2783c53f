"""Of every game is counted what fires in it, in the turn and in its windows. Nothing that a game can
do is held impossible.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

import fsm
from fsm.coverage import collecting, context, covered, criteria, data_of
from fsm.rulesets import names
from fsm.testing import Path, games
from support.amounts import amount, sample, thorough
from support.court import COURT
from support.wanderer import Wanderer

MAGIC = fsm.load("magic")
SMALL = fsm.TurnController(COURT, ["Ann", "Ben"]).model


@pytest.fixture
def game() -> fsm.TurnController:
    return fsm.TurnController(MAGIC, ["Ann", "Ben"])


def wander(game: fsm.TurnController, seed: int, count: int = 200) -> None:
    """Give so many random answers, with orders among them, while the game is not over."""
    wanderer = Wanderer(game.model, seed)
    wanderer.players = game.players
    for _ in range(count):
        if game.over is None:
            wanderer.answer(game)


def to_priority() -> fsm.TurnController:
    """A game of the court in which somebody has priority."""
    game = fsm.TurnController(SMALL, ["Ann", "Ben"])
    for request in game:
        if isinstance(request, fsm.Priority):
            break
        game.answer(request.quiet())
    return game


# what is counted ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sample(names(), 2))
def test_what_is_counted_is_what_fired(name: str) -> None:
    game = fsm.TurnController(name, ["Ann", "Ben", "Cleo"])
    fired = Counter[tuple[str, str]]()
    with (
        collecting() as session,
        game.watch(
            lambda answered: fired.update((r.machine, r.transition) for r in answered.records)
        ),
    ):
        wander(game, 1)
    assert covered(game.model, "transitions", session.data).taken == fired
    assert {machine for machine, _ in fired} == {"turn", "window"}


def test_a_game_goes_as_it_does_unwatched() -> None:
    unwatched, watched = (fsm.TurnController(MAGIC, ["Ann", "Ben"]) for _ in range(2))
    wander(unwatched, 2)
    with collecting():
        wander(watched, 2)
    assert watched.snapshot() == unwatched.snapshot()


@pytest.mark.parametrize("criterion", ["transitions", "pairs", "literals"])
def test_a_recorded_game_is_counted_as_if_it_had_been_watched(criterion: str) -> None:
    with collecting() as session:
        game = fsm.TurnController(SMALL, ["Ann", "Ben"], trace=True)
        wander(game, 3)
    assert game.trace is not None
    recorded = covered(game.model, criterion, data_of(game.model, [game.trace]))
    assert recorded.taken == covered(game.model, criterion, session.data).taken != {}


def test_an_answer_that_fails_takes_nothing(game: fsm.TurnController) -> None:
    def refuse(_: object) -> None:
        raise ValueError("no")

    with collecting() as session:
        with game.watch(refuse), pytest.raises(ValueError, match="no"):
            game.answer(game.request.quiet())  # type: ignore[union-attr]
        assert session.data.firings == 0
        game.answer(game.request.quiet())  # type: ignore[union-attr]
    assert session.data.firings > 0


def test_a_fork_and_a_restored_game_are_followed_from_where_they_stand() -> None:
    game = to_priority()
    with collecting() as session:
        for each in (game, game.fork(), fsm.TurnController.restore(game.model, game.snapshot())):
            each.answer(fsm.Answer("passed", {"stack_empty": True}))
    taken = covered(game.model, "transitions", session.data).taken
    assert {count for (machine, _), count in taken.items() if machine == "window"} == {3}


def test_a_game_does_not_go_on_where_another_was() -> None:
    """Forks that are gone leave their id to others."""
    game = to_priority()
    with collecting() as session:
        for _ in range(20):
            fork = game.fork()
            fork.answer(fsm.Answer("acted"))
            del fork
    assert set(covered(game.model, "transitions", session.data).taken.values()) == {20}
    assert covered(game.model, "pairs", session.data).taken == {}


def test_games_that_take_turns_are_counted_each_in_the_test_it_is_in() -> None:
    random, counts = Random(3), dict.fromkeys(("one", "two"), 0)
    table = [fsm.TurnController(MAGIC, ["Ann", "Ben"]) for _ in range(3)]
    with collecting() as session:
        for _ in range(40):
            name, game = random.choice(("one", "two")), random.choice(table)
            records: list[object] = []
            with context(name), game.watch(lambda answered: records.extend(answered.records)):  # noqa: B023
                for _ in range(random.randint(1, 20)):
                    game.answer(game.request.quiet())  # type: ignore[union-attr]
            counts[name] += len(records)
    by = covered(MAGIC, "transitions", session.data).by.values()
    assert {name: sum(each.get(name, 0) for each in by) for name in counts} == counts


# what is held impossible --------------------------------------------------------------------------


def check_soundness(game: Path) -> None:
    """Nothing that this game takes is held impossible, and all of it counts."""
    with collecting() as session:
        played = game.run()
    for criterion in criteria():
        coverage = covered(played.model, criterion, session.data)
        assert coverage.of("refuted") == ()
        assert coverage.taken.keys() <= {target.key for target in coverage.targets}
        assert coverage.notes == () or not game.answers, "nothing has fired"


@settings(max_examples=amount(1, 200))
@given(st.deferred(lambda: games(SMALL)))
def test_nothing_that_a_game_takes_is_held_impossible(game: Path) -> None:
    check_soundness(game)


@thorough
@pytest.mark.parametrize("name", names())
def test_nothing_that_a_game_of_a_ruleset_takes_is_held_impossible(name: str) -> None:
    settings(max_examples=30)(given(games(name))(check_soundness))()


def test_much_is_proved_impossible_all_the_same() -> None:
    with collecting() as session:
        game = fsm.TurnController(SMALL, ["Ann", "Ben"])
    pairs = covered(game.model, "pairs", session.data)
    assert len(pairs.infeasible) > len(pairs.targets) / 3


# where walks begin --------------------------------------------------------------------------------


def pairs(data: Any) -> Counter[Any]:
    """What followed one another in a turn."""
    [seen] = data.seen.values()
    return Counter({key: n for key, n in seen.pairs.items() if key[0] == "turn"})


@pytest.mark.parametrize("start", [None, fsm.StartAt("upkeep", 2)])
def test_what_fires_before_the_first_request_counts_and_is_followed(start: Any) -> None:
    with collecting() as session:
        game = fsm.TurnController(MAGIC, ["Ann", "Ben"], start=start, trace=True)
        game.answer(game.request.quiet())  # type: ignore[union-attr]
    assert game.trace is not None
    turn = [record for record in game.trace.records if record.machine == "turn"]
    assert sum(pairs(session.data).values()) == len(turn) - 1 > 0


def test_who_goes_back_does_not_go_on_from_where_it_was(game: fsm.TurnController) -> None:
    with collecting() as session:
        before = game.standing
        once = list[Any]()
        for _ in range(3):
            game.answer(game.request.quiet())  # type: ignore[union-attr]
            once.append(pairs(session.data))
            game.standing = before
    assert once[2] == Counter({key: 3 * n for key, n in once[0].items()})


def test_a_game_on_a_machine_is_counted_once() -> None:
    taken = []
    for machine in (None, fsm.engine.Machine.from_model(SMALL)):
        with collecting() as session:
            game = fsm.TurnController(SMALL, ["Ann", "Ben"], machine=machine)
            wander(game, 4, 60)
        taken.append(covered(SMALL, "transitions", session.data).taken)
    assert taken[0] == taken[1]
