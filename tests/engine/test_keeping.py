"""Snapshots, forks, copies and pickles: each goes on as the game itself does. What was damaged or
taken elsewhere is refused.
"""

from __future__ import annotations

import copy
import json
import pickle
import sys
from collections.abc import Callable
from typing import Any
from zlib import crc32

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fsm
from fsm import (
    AddPhase,
    AddStep,
    AddTurn,
    Appoint,
    ControlNextTurn,
    DelayedTrigger,
    Effect,
    EndTurn,
    Leave,
    Over,
    ReverseTurnOrder,
    SkipPhase,
    SkipStep,
    SkipTurn,
    StandingTrigger,
    TurnController,
)
from fsm.errors import FsmError, SnapshotError
from fsm.model import Model
from fsm.rulesets import names
from support import processes
from support.amounts import amount
from support.court import COURT
from support.playing import attack, outcome, quiet, resolving, started, through, to
from support.wanderer import Wanderer

MODELS = [*(fsm.load(name) for name in names()), COURT.build()]
EVERY_ORDER = (
    AddTurn("C", 2, id="x"),
    AddTurn("B", after="x"),
    SkipTurn("B", extra=True),
    ControlNextTurn("B", "A", True, within="x"),
    AddPhase("combat", "main", count=2, player="A", you_get=True, id="y"),
    AddStep("upkeep", "current_phase", count=2),
    AddStep("upkeep", before="end"),
    SkipPhase("combat", "C", within="y"),
    SkipStep("draw", "B", "all_next_turn"),
    DelayedTrigger("d", "end", "B", "your_next_turn"),
    StandingTrigger("s", "upkeep", "B", True),
    Effect("e", "A", "end_of_combat_on_your_next_turn"),
    ReverseTurnOrder(),
)


def restored(game: TurnController) -> TurnController:
    return TurnController.restore(
        game.model, json.loads(json.dumps(game.snapshot(), sort_keys=True))
    )


def pickled(game: TurnController) -> TurnController:
    found: TurnController = pickle.loads(pickle.dumps(game))
    return found


TWINS: list[Callable[[TurnController], TurnController]] = [
    restored,
    pickled,
    copy.copy,
    copy.deepcopy,
    TurnController.fork,
]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
def test_a_twin_goes_on_as_its_game_at_every_request(model: Model) -> None:
    """In random games. What the twin refuses, the game refuses, too."""
    wanderer = Wanderer(model, 5)
    for _ in range(amount(3, 60)):
        game = wanderer.game()
        for number in range(80):
            if isinstance(game.request, Over):
                break
            twin = TWINS[number % len(TWINS)](game)
            assert (twin.request, twin.snapshot()) == (game.request, game.snapshot())
            for answer in wanderer.attempts(game):
                assert outcome(twin, answer) == outcome(game, answer)


def eventful(model: Model) -> TurnController:
    """A game of three with every order, that has gone on for a while."""
    game = started(model, "ABC", settings={"first_draw_skipped": True}, orders=[SkipStep("upkeep")])
    attack(game)
    resolving(game, "combat_damage", *EVERY_ORDER)
    return game


def test_all_orders_come_back(magic: Model) -> None:
    """Two turns later the game and its twins have done the same, and one that ends differs."""
    game = eventful(magic)
    twins = [make(game) for make in TWINS]
    for each in (game, *twins):
        to(each, "beginning_of_combat", iteration=2)
        each.order(Appoint("defending", "C"))
        through(each, 2)
        each.order(Leave("C"))
        through(each, 4)
    assert all(twin.snapshot() == game.snapshot() for twin in twins)
    twins[0].answer(quiet(twins[0].request, orders=[EndTurn()]))
    assert twins[0].snapshot() != game.snapshot()


def test_two_games_of_one_snapshot_share_nothing(magic: Model) -> None:
    data = eventful(magic).snapshot()
    text = json.dumps(data)
    one, other = (TurnController.restore(magic, data) for _ in range(2))
    one.order(AddTurn("A"))
    assert json.dumps(data) == text == json.dumps(other.snapshot()) != json.dumps(one.snapshot())
    assert len(json.dumps(started(magic).snapshot())) < 2048


PLAY_ON = """
import pickle, sys
games = pickle.load(sys.stdin.buffer)
for game in games:
    while game.request.at.turn < 4:
        game.answer(game.request.quiet())
print(pickle.dumps(games).hex())
"""


def test_games_go_on_in_another_process() -> None:
    there = [TurnController(model, ["Ann", "Ben"]) for model in (*MODELS[:2], MODELS[-1])]
    there.append(TurnController("magic", ["Ann", "Ben"], orders=[AddTurn("Ben")]))
    done = processes.run([sys.executable, "-c", PLAY_ON], given=pickle.dumps(there), check=True)
    for game, other in zip(there, pickle.loads(bytes.fromhex(done.stdout)), strict=True):
        through(game, 3)
        assert (other.request, other.snapshot()) == (game.request, game.snapshot())


def test_an_added_step_of_an_inner_phase_comes_back() -> None:
    """Such a step is in the phase that it was added to, and no phase is suspended for it."""
    game = TurnController(COURT, ["A", "B"])
    game.order(AddStep("salute", after="current_step"))
    fsm.drive(game, fsm.BaseHost(), until=lambda request: request.at.step == "salute")
    assert (game.position.phase, game.position.step) == ("morning", "salute")
    assert restored(game).request == game.request


# what is refused ----------------------------------------------------------------------------------


@pytest.mark.parametrize("data", [None, [], {}, {"format": "fsm-snapshot-0"}, "abc"])
def test_what_is_no_snapshot_is_refused(magic: Model, data: object) -> None:
    with pytest.raises(SnapshotError):
        TurnController.restore(magic, data)


def test_a_snapshot_of_another_model_is_refused(magic: Model) -> None:
    data = started(magic).snapshot()
    for other in (magic.without(magic.transitions[0].id), fsm.load("magic-2010")):
        with pytest.raises(SnapshotError, match=rf"{magic.fingerprint}.*{other.fingerprint}"):
            TurnController.restore(other, data)


def signed(data: Any) -> Any:
    """The data with the checksum that a forger would compute."""
    rest = {key: value for key, value in data.items() if key != "checksum"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    return {**rest, "checksum": f"{crc32(text.encode()):08x}"}


def edited(data: Any, path: str, value: object) -> Any:
    copied = json.loads(json.dumps(data))
    *outer, last = path.split(".")
    inner = copied
    for key in outer:
        inner = inner[key]
    inner[last] = value
    return copied


@pytest.mark.parametrize(
    ("path", "value"),
    [("run.agenda.turn", 9), ("head.players", ["A", "C"]), ("model", "magik"), ("extra", 1)],
)
def test_a_snapshot_that_was_edited_is_refused(magic: Model, path: str, value: object) -> None:
    data = edited(started(magic).snapshot(), path, value)
    with pytest.raises(SnapshotError, match="changed or cut since it was taken"):
        TurnController.restore(magic, data)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("run.state", "untap_begin"),
        ("run.agenda", {"is": "os.system"}),
        ("run.agenda.turn", -1),
        ("run.holder", "Z"),
        ("run.frame", "sba"),
        ("run.weather", "fine"),
        ("head.players", ["A", "A"]),
        ("run.agenda.turn", 10**4000),
    ],
)
def test_a_forged_snapshot_is_refused_in_one_sentence(
    magic: Model, path: str, value: object
) -> None:
    """The checksum finds accidents only."""
    data = started(magic).snapshot()
    assert signed(data) == data
    with pytest.raises(SnapshotError) as error:
        TurnController.restore(magic, signed(edited(data, path, value)))
    assert "\n" not in str(error.value) and len(str(error.value)) < 400


ODD: st.SearchStrategy[object] = st.sampled_from(
    [None, 0, -1, 10**30, "", "Z", [], {}, True, ["A"], "sba", "upkeep_window"]
)
RUN = "run.state run.frame run.holder run.passed run.agenda run.calendar run.latched"
AGENDA = "current_step current_phase begun turn extras turns active left decider skips"
FIELDS = st.sampled_from([*RUN.split(), *(f"run.agenda.{name}" for name in AGENDA.split())])


@settings(max_examples=amount(40, 2000))
@given(st.integers(1, 100), FIELDS, ODD)
def test_whatever_is_forged_is_refused_or_played(answers: int, path: str, odd: object) -> None:
    """An error of ours comes when the snapshot is restored, or else when it is played."""
    game = started(MODELS[0], "ABC", orders=[AddTurn("B"), SkipTurn("A"), Effect("l", "A")])
    for _ in range(answers):
        game.answer(quiet(game.request))
    try:
        through(TurnController.restore(game.model, signed(edited(game.snapshot(), path, odd))), 3)
    except FsmError as error:
        assert "\n" not in str(error)


def test_a_snapshot_of_an_older_model_is_restored_by_a_function_of_ones_own(magic: Model) -> None:
    """It gets a copy, and returns what this model would have written."""
    data = started(magic.without(magic.transitions[0].id)).snapshot()
    text = json.dumps(data)

    def migrate(old: dict[str, Any]) -> dict[str, Any]:
        old["run"]["agenda"]["turn"] = 7
        return old

    game = TurnController.restore(magic, data, migrate=migrate)
    assert (game.position.turn, json.dumps(data)) == (7, text)
