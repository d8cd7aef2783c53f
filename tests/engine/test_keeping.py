"""Snapshots, forks, copies and pickles: each goes on as the game itself does. What was damaged or
taken elsewhere is refused.
"""

from __future__ import annotations

import copy
import json
import pickle
from base64 import urlsafe_b64encode
from collections.abc import Callable
from contextlib import suppress
from itertools import chain, islice
from random import Random
from string import ascii_letters, digits
from typing import Any
from zlib import compress, crc32

import pytest

import fsm
from fsm import (
    AddTurn,
    Leave,
    Over,
    TurnController,
)
from fsm.errors import AnswerError, FsmError, OrderError, SnapshotError
from fsm.model import Model
from fsm.rulesets import names
from support.amounts import amount
from support.court import COURT
from support.damaged import damage
from support.playing import outcome, started, to
from support.wanderer import Wanderer

MODELS = [*(fsm.load(name) for name in names()), COURT.build()]


def restored(game: TurnController) -> TurnController:
    return TurnController.restore(
        game.model, json.loads(json.dumps(game.snapshot(), sort_keys=True))
    )


def unpacked(game: TurnController) -> TurnController:
    """What comes back from a token, which is short and can stand in an address."""
    token = game.token()
    assert len(token) < len(json.dumps(game.snapshot())) * 0.7
    assert set(token) <= {*ascii_letters, *digits, *"-_"}
    return TurnController.restore(game.model, token)


def pickled(game: TurnController) -> TurnController:
    found: TurnController = pickle.loads(pickle.dumps(game))
    return found


TWINS: list[Callable[[TurnController], TurnController]] = [
    restored,
    unpacked,
    pickled,
    copy.copy,
    copy.deepcopy,
    TurnController.fork,
]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
def test_a_twin_goes_on_as_its_game_at_every_request(model: Model) -> None:
    """In random games. What the twin refuses, the game refuses, too."""
    wanderer = Wanderer(model, 5)
    for _ in range(amount(1, 20)):
        game = wanderer.game()
        for number in range(80):
            if isinstance(game.request, Over):
                break
            twin = TWINS[number % len(TWINS)](game)
            assert (twin.request, twin.token()) == (game.request, game.token())
            for answer in wanderer.attempts(game):
                assert outcome(twin, answer) == outcome(game, answer)


def test_one_position_has_one_text(magic: Model) -> None:
    """Whichever way games have come there, and whatever was played before in this process."""
    texts = set[str]()
    for _ in range(3):
        model = fsm.load("magic").without() if texts else magic
        game = started(model)
        fork = game.fork()
        fork.order(AddTurn("A", id="x"))
        fork.order(fsm.Withdraw("x"))
        for each in (game, fork):
            to(each, "end", turn=2)
        texts.add(game.token())
        snapshot = fork.snapshot() | {"number": game.number}
        texts.add(fsm.engine.snapshot.packed(signed(snapshot)))
    assert len(texts) == 1


def test_a_game_that_is_over_comes_back(magic: Model) -> None:
    game = started(magic, "ABC")
    game.order(Leave("A", "C"))
    for twin in (restored(game), pickled(game), game.fork()):
        over = twin.over
        assert isinstance(over, Over) and (over.by, over.winners) == ((), ("B",))
        assert over == twin.request == game.request


# what is refused ----------------------------------------------------------------------------------


@pytest.mark.parametrize("data", [None, [], {}, {"format": "fsm-snapshot-0"}, "abc"])
def test_what_is_no_snapshot_is_refused(magic: Model, data: object) -> None:
    with pytest.raises(SnapshotError):
        TurnController.restore(magic, data)


def test_what_is_no_token_is_refused(magic: Model) -> None:
    """In one short sentence, and at once: also what would fill the memory."""
    token = started(magic).token()
    bomb = urlsafe_b64encode(compress(b"0" * 30_000_000)).decode()
    deep = urlsafe_b64encode(compress(b"[" * 1_000_000)).decode()
    wrong = [token[:-5], token + "AAAA", token.swapcase(), f" {token}", "ä" * 40, "\ud800"]
    for text in (*wrong, "a" * 10_000_000, bomb, deep, json.dumps(started(magic).snapshot())):
        with pytest.raises(SnapshotError, match="this is no token of a game") as refused:
            TurnController.restore(magic, text)
        assert "\n" not in str(refused.value) and len(str(refused.value)) < 200


def test_a_snapshot_of_another_model_is_refused(magic: Model) -> None:
    data = started(magic).snapshot()
    for other in (magic.without(magic.transitions[0].id), fsm.load("magic-2010")):
        with pytest.raises(SnapshotError, match=rf"{magic.fingerprint}.*{other.fingerprint}"):
            TurnController.restore(other, data)


def signed(data: Any) -> Any:
    """The data with the checksum that a forger would compute."""
    rest = {key: value for key, value in data.items() if key != "checksum"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return {**rest, "checksum": f"{crc32(text.encode(errors='surrogatepass')):08x}"}


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
    [("turn", 9), ("players", ["A", "C"]), ("model", "magik"), ("extra", 1)],
)
def test_a_snapshot_that_was_edited_is_refused(magic: Model, path: str, value: object) -> None:
    data = edited(started(magic).snapshot(), path, value)
    with pytest.raises(SnapshotError, match="changed or cut since it was taken"):
        TurnController.restore(magic, data)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("run.state", "untap_begin"),
        ("run.turn", {"is": "os.system"}),
        ("turn", -1),
        ("run.holder", "Z"),
        ("run.frame", "sba"),
        ("run.frame", "nowhere"),
        ("run.weather", "fine"),
        ("run.active", 2),
        ("run.active", True),
        ("run.sides", [[0], [1], []]),
        ("run.holder", -1),
        ("players", ["A", "A"]),
        ("players", ["A", "\ud800"]),
        ("turn", 10**4000),
        ("turn", 2**60),
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


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
def test_whatever_is_forged_is_refused_or_played(model: Model) -> None:
    """An error of ours comes when the snapshot is restored, or else when the game is played."""
    random, wanderer, accepted = Random(1), Wanderer(model, 9), 0
    for game in wanderer.games(amount(200, 8_000)):
        for _ in range(amount(20, 100)):
            data = json.loads(json.dumps(game.snapshot()))
            for _ in range(random.choice((1, 1, 2))):
                damage(data, random)
            with suppress(FsmError):
                forged = TurnController.restore(model, signed(data))
                again = {name: data[name] for name in ("model", "fingerprint")}
                assert signed(data) == signed(forged.snapshot() | again)
                accepted += 1
                for answer in islice(
                    chain.from_iterable(wanderer.attempts(forged) for _ in range(30)), 45
                ):
                    with suppress(AnswerError, OrderError):
                        forged.answer(answer)
    assert accepted


def test_a_snapshot_of_an_older_model_is_restored_by_a_function_of_ones_own(magic: Model) -> None:
    """It gets a copy, and returns what this model would have written."""
    data = started(magic.without(magic.transitions[0].id)).snapshot()
    text = json.dumps(data)

    def migrate(old: dict[str, Any]) -> dict[str, Any]:
        old["turn"] = 7
        return old

    game = TurnController.restore(magic, data, migrate=migrate)
    assert (game.position.turn, json.dumps(data)) == (7, text)
