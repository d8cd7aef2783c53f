"""Models, games, runs and traces travel to other processes as pickles, and go on there."""

from __future__ import annotations

import copy
import gc
import pickle
import sys
import weakref
from dataclasses import replace
from typing import Any

import pytest

import fsm
from fsm import Over, TurnController
from fsm.engine import Machine
from fsm.errors import ModelError
from fsm.model import Model
from fsm.rulesets import names
from support import processes
from support.amounts import amount
from support.court import COURT
from support.playing import quiet, through, to
from support.wanderer import Wanderer

MAGIC = fsm.load("magic")
SPECIFICATIONS = (
    *names(),
    "grand-archive?round_after_materialize=true",
    "magic-classic?edition=2003-07",
)


def there_and_back(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


@pytest.mark.parametrize("specification", SPECIFICATIONS)
def test_a_built_in_model_travels_by_its_name(specification: str) -> None:
    """Also after games have been played with it; and it is the one model that this process has of
    it.
    """
    model = fsm.load(specification)
    through(TurnController(model, ["Ann", "Ben"]), 1)
    assert len(pickle.dumps(model)) < 300
    assert there_and_back(model) is model


def test_a_model_of_ones_own_travels_by_value() -> None:
    model = COURT.build()
    through(TurnController(model, ["Ann", "Ben"]), 1)
    data = pickle.dumps(model)
    assert pickle.loads(data) is model
    fingerprint = model.fingerprint
    del model
    found = pickle.loads(data)
    assert (found, found.fingerprint) == (COURT.build(), fingerprint)
    assert pickle.loads(data) is found


def test_a_model_that_comes_again_is_not_made_again() -> None:
    sent = pickle.dumps(replace(COURT.build(), edition="sent twice"))
    gc.collect()
    made = weakref.ref(pickle.loads(sent))
    gc.collect()
    assert made() is not None
    assert pickle.loads(sent) is made()


def test_a_changed_model_is_not_taken_for_the_built_in_one_of_its_name() -> None:
    changed = MAGIC.without(MAGIC.transitions[0].id)
    strange = replace(MAGIC, options=(("no such option", True),))
    for model in (
        changed,
        strange,
        replace(changed, name="no/such/file.json"),
        replace(changed, name="os:getcwd"),
    ):
        assert there_and_back(model) == model != MAGIC


@pytest.mark.parametrize("name", names())
def test_any_game_travels(name: str) -> None:
    model = fsm.load(name)

    def travels(game: TurnController) -> None:
        data = pickle.dumps(game)
        other = pickle.loads(data)
        assert (other.model, other.head) == (
            game.model,
            TurnController.restore(model, game.snapshot()).head,
        )
        assert (other.request, other.snapshot(), other.number) == (game.request, game.snapshot(), 0)
        if game.agenda.pending + len(game.calendar.lasting) < 4:
            assert len(data) < 1024
        assert there_and_back(game.run) == game.run
        if not isinstance(game.request, Over):
            answer = game.request.quiet()
            assert other.answer(answer) == game.fork().answer(answer)

    list(Wanderer(model, 2, travels).games(amount(40, 500)))


def test_a_trace_travels_and_is_replayed() -> None:
    game = through(TurnController(MAGIC, ["Ann", "Ben"]), 2)
    trace = there_and_back(game.trace)
    assert (trace, trace.model) == (game.trace, MAGIC)
    assert trace.replay(MAGIC).snapshot() == game.snapshot()
    assert there_and_back(trace.replay(MAGIC)).snapshot() == game.snapshot()


def test_a_history_travels_with_its_past() -> None:
    past = fsm.History(TurnController(MAGIC, ["Ann", "Ben"]))
    past.answer(quiet(past.request))
    other = there_and_back(past)
    assert (other.request, other.snapshot()) == (past.request, past.snapshot())
    assert other.undo() == past.undo()


def test_watchers_and_machines_stay_behind() -> None:
    heard, model = list[Any](), COURT.build()
    game = TurnController(model, ["Ann", "Ben"], machine=Machine.from_model(model))
    game.watch(heard.append)
    other = there_and_back(game)
    request = other.answer(quiet(other.request))
    assert heard == []
    assert request == game.answer(quiet(game.request))
    assert heard


def test_a_copy_is_a_fork() -> None:
    game = TurnController(MAGIC, ["Ann", "Ben"])
    to(game, "upkeep")
    for copied in (copy.copy(game), copy.deepcopy(game)):
        assert (copied.number, copied.model) == (game.number, game.model)
        assert copied.trace.entries == game.trace.entries
    assert copy.copy(MAGIC) is copy.deepcopy(MAGIC) is MAGIC
    run = copy.copy(game.run)
    assert (run, run.agenda) == (game.run, game.agenda)


PLAY_ON = """
import pickle, sys
games = pickle.load(sys.stdin.buffer)
for game in games:
    while game.request.at.turn < 4:
        game.answer(game.request.quiet())
print(pickle.dumps(games).hex())
"""


def test_games_go_on_in_another_process() -> None:
    """As workers exchange them: with its own import of the package, and models that it has never
    seen.
    """
    games = [
        TurnController(model, ["Ann", "Ben"])
        for model in (MAGIC, fsm.load("grand-archive"), COURT.build())
    ]
    games.append(TurnController(MAGIC, ["Ann", "Ben"], orders=[fsm.AddTurn("Ben")]))
    done = processes.run([sys.executable, "-c", PLAY_ON], given=pickle.dumps(games), check=True)
    for game, other in zip(games, pickle.loads(bytes.fromhex(done.stdout)), strict=True):
        while game.position.turn < 4:
            game.answer(quiet(game.request))
        assert (other.model, other.request, other.snapshot()) == (
            game.model,
            game.request,
            game.snapshot(),
        )


@pytest.mark.parametrize("model", [MAGIC, COURT.build()], ids=lambda model: model.name)
def test_a_receiver_with_another_model_says_so(model: Model) -> None:
    """As when the versions of two processes differ: the same name and options, and another
    fingerprint.
    """
    data = pickle.dumps(TurnController(model, ["Ann", "Ben"]))
    other = data.replace(model.fingerprint.encode(), b"0123456789abcdef")
    with pytest.raises(
        ModelError, match=f"{model.name}.*0123456789abcdef, and here it is {model.fingerprint}"
    ) as error:
        pickle.loads(other)
    assert error.value.kind == "other-fingerprint"


def test_a_receiver_without_the_ruleset_says_so() -> None:
    data = pickle.dumps(MAGIC).replace(b"magic", b"cigam")
    with pytest.raises(
        ModelError, match=r"'cigam' has the fingerprint .* here there is none of this name"
    ):
        pickle.loads(data)
