"""Tokens: a game as short text goes on as the game itself does, in any process; what is no token is
refused.
"""

from __future__ import annotations

import base64
import sys
import zlib
from collections.abc import Iterator
from random import Random

import pytest

import fsm
from fsm import Answer, Over, Request, TurnController
from fsm.engine.positions import positions_of
from fsm.errors import FsmError, SnapshotError
from fsm.model import Model
from fsm.rulesets import names
from support import processes
from support.amounts import amount, sample
from support.court import COURT
from support.playing import quiet, to
from support.wanderer import Wanderer

MAGIC = fsm.load("magic")
SHORT = 120
"""A token of a quiet game of two players with short names has at most so many characters."""


class Unremembering(TurnController):
    """A game of which nothing is remembered: each token is read anew."""

    __slots__ = ()
    remembered = 0


def lively(model: Model, seed: int, answers: int) -> Iterator[TurnController]:
    """A game without orders at every request, in which now and then something else happens than
    usually.
    """
    random = Random(seed)
    game = TurnController(model, random.choice((["Ann", "Ben"], ["Ann", "Ben", "Cy"])))
    for _ in range(answers):
        yield game
        request = game.request
        if isinstance(request, Over):
            return
        facts = {
            name: value ^ (random.random() < 0.1) for name, value in request.quiet().facts.items()
        }
        try:
            game.answer(Answer(request.quiet_word, facts))
        except FsmError:
            game.answer(request.quiet())


def wild(model: Model, seed: int, answers: int) -> list[TurnController]:
    """Games with orders, teams and signals, at every request."""
    found = list[TurnController]()
    list(Wanderer(model, seed, lambda game: found.append(game.fork())).games(answers))
    return found


def same(game: TurnController, other: TurnController) -> None:
    """The two stand at the same request, remember the same, and go on alike; the trace of each
    begins there.
    """
    assert other.request == game.request
    assert other.snapshot() == game.snapshot()
    one, two = TurnController.restore(game.model, game.snapshot()), other.fork()
    assert (other.head, other.results, other.number) == (one.head, one.results, one.number)
    for each in (one, two):
        for _ in range(3):
            if not isinstance(each.request, Over):
                each.answer(each.request.quiet())
    assert one.request == two.request
    assert one.trace.entries == two.trace.entries
    assert one.trace.complete == two.trace.complete
    assert one.snapshot() == two.snapshot()


@pytest.mark.parametrize("name", names())
def test_any_game_goes_on_from_its_token(name: str) -> None:
    model = fsm.load(name)
    quiet, loud = 0, 0
    for seed in range(amount(1, 2)):
        for game in (
            *lively(model, seed, amount(30, 300)),
            *wild(model, seed, amount(200, 1200))[::5],
        ):
            token = game.token()
            assert token.replace("-", "").replace("_", "").isalnum()
            assert token == TurnController.restore(model, game.snapshot()).token()
            for kind in (TurnController, Unremembering):
                other = kind.restore(model, token)
                same(game, other)
                assert other.token() == token
            quiet, loud = quiet + (token[0] == "2"), loud + (token[0] != "2")
            if len(game.head.players) == 2 and token[0] == "2":
                assert len(token) <= SHORT
    assert quiet > 20 and loud


def test_a_quiet_game_has_a_short_token_at_every_request() -> None:
    game = TurnController(MAGIC, ["Ann", "Ben"])
    while game.position.turn < amount(4, 300):
        assert len(game.token()) <= SHORT
        game.answer(quiet(game.request))


def test_a_game_is_quiet_again_after_what_was_scheduled() -> None:
    game = TurnController(MAGIC, ["Ann", "Ben"])
    game.answer(quiet(game.request, orders=[fsm.AddTurn("Ann"), fsm.AddPhase("combat", "main")]))
    assert len(game.token()) > SHORT
    to(game, "upkeep", turn=2)
    assert game.run.agenda.current_turn and game.run.agenda.current_turn.extra
    assert len(game.token()) <= SHORT
    same(game, TurnController.restore(MAGIC, game.token()))


def test_a_token_needs_nothing_that_is_remembered() -> None:
    games = [game.fork() for game in lively(COURT.build(), 1, 80)]
    tokens = [game.token() for game in games]
    positions_of(games[0].model).clear()
    for game, token in zip(games, tokens, strict=True):
        same(game, TurnController.restore(games[0].model, token))
    anew = COURT.build()
    for game, token in zip(games, tokens, strict=True):
        assert TurnController.restore(anew, token).request == game.request
    assert positions_of(anew).named


def test_another_process_goes_on_from_a_token() -> None:
    game = TurnController(MAGIC, ["Ann", "Ben"])
    to(game, "precombat_main", turn=3)
    program = (
        "import fsm, sys; game = fsm.TurnController.restore('magic', sys.argv[1]);"
        "request = game.answer(game.request.quiet()); print(game.token(), request)"
    )
    told = processes.run([sys.executable, "-c", program, game.token()], check=True)
    request = game.answer(quiet(game.request))
    assert told.stdout.strip() == f"{game.token()} {request}"


def test_games_of_others_at_the_same_position_share_it() -> None:
    """What a token finds remembered is the position, apart from the players and the number of the
    turn.
    """
    model = COURT.build()
    for turn in (3, 9):
        for players in (["Ann", "Ben"], ["Zoë", "\ud800 odd"]):
            game = TurnController(model, players)
            to(game, "hall", turn=turn)
            other = TurnController.restore(model, game.token())
            assert (other.head.players, other.position) == (tuple(players), game.position)
            same(game, other)


def test_a_game_that_is_set_up_in_another_way_keeps_how() -> None:
    for game in (
        TurnController(MAGIC, ["Ann", "Ben"], orders=[fsm.AddTurn("Ben")]),
        TurnController(MAGIC, ["Ann", "Ben"], start=fsm.StartAt("upkeep", turn=4)),
        TurnController(MAGIC, ["Ann", "Ben", "Cy", "Di"], teams=[["Ann", "Ben"], ["Cy", "Di"]]),
        TurnController(MAGIC, ["Ann\0", "Ben"]),
        TurnController(MAGIC, ["Ann", "Ben" * 1000]),
        TurnController(MAGIC, [f"player {number}" for number in range(120)]),
        TurnController(MAGIC, ["Ann", "Ben"], settings={s.name: True for s in MAGIC.settings}),
    ):
        other = TurnController.restore(MAGIC, game.token())
        assert other.head == TurnController.restore(MAGIC, game.snapshot()).head
        assert other.snapshot() == game.snapshot()


# what is refused ----------------------------------------------------------------------------------


def refused(model: Model, token: str, *words: str) -> None:
    with pytest.raises(SnapshotError) as error:
        TurnController.restore(model, token)
    assert "\n" not in str(error.value)
    for word in words:
        assert word in str(error.value)


def test_a_token_of_another_model_is_refused_with_what_to_do() -> None:
    other = fsm.load("magic?extra_draw_on_first_turn=false")
    token = TurnController(MAGIC, ["Ann", "Ben"]).token()
    refused(
        other,
        token,
        f"taken with a model {MAGIC.behaviour_fingerprint[:8]}, not with magic {other.behaviour_fingerprint}",
    )
    refused(other, token, "migrate", "one that behaves the same")
    with pytest.raises(SnapshotError, match="take a snapshot"):
        TurnController.restore(other, token, migrate=dict)
    snapshot = TurnController.restore(MAGIC, token).snapshot()
    assert TurnController.restore(other, snapshot, migrate=dict).position.step == "untap"


def test_any_wrong_character_is_noticed() -> None:
    game = TurnController(MAGIC, ["Ann", "Ben"])
    to(game, "end", turn=4)
    token, random = game.token(), Random(1)
    for place in range(1, len(token)):
        for other in {random.choice("AZaz09-_"), "é", "\n", ""} - {token[place]}:
            refused(MAGIC, token[:place] + other + token[place + 1 :], "no token of a game")
    for end in range(1, len(token)):
        refused(MAGIC, token[:end], "no token of a game")


def signed(body: str) -> str:
    """A token with a checksum that fits, as a forger would make it."""
    return (
        body + base64.urlsafe_b64encode(zlib.crc32(body.encode()).to_bytes(4, "big"))[:6].decode()
    )


def forged(token: str, random: Random) -> str:
    """A token with bits and bytes of one of its three parts changed, and a checksum that fits."""
    end = 11 + int(token[9:11], 16)
    onward = end + 2 + int(token[end : end + 2], 16)
    texts = token[11:end], token[end + 2 : onward], token[onward:-6]
    parts = [bytearray(base64.urlsafe_b64decode(text + "==")) for text in texts]
    part = parts[random.choice((0, 0, 0, 1, 2))]
    for _ in range(random.choice((1, 1, 2, 4))):
        place, how = random.randrange(len(part) or 1), random.randrange(4)
        if how == 0 or not part:
            part.insert(place, random.choice((0, 1, 2, 127, 128, 255)))
        elif how == 1:
            del part[place]
        elif how == 2:
            part[place] = random.randrange(40)
        else:
            part[place] ^= 1 << random.randrange(8)
    position, progress, players = (
        base64.urlsafe_b64encode(part).decode().rstrip("=") for part in parts
    )
    return signed(
        f"{token[:9]}{len(position) & 255:02x}{position}{len(progress) & 255:02x}{progress}{players}"
    )


def test_a_position_that_does_not_fit_together_is_refused() -> None:
    """Each byte of a position is replaced by others: what is read stands in the step that its state
    is in.
    """
    game = TurnController(MAGIC, ["Ann", "Ben"])
    to(game, "beginning_of_combat", turn=2)
    token = game.token()
    end, found = 11 + int(token[9:11], 16), 0
    position = base64.urlsafe_b64decode(token[11:end] + "==")
    for place in range(len(position)):
        for byte in sample(range(128), 20, seed=place):
            changed = base64.urlsafe_b64encode(
                position[:place] + bytes((byte,)) + position[place + 1 :]
            )
            try:
                other = Unremembering.restore(
                    MAGIC, signed(token[:11] + changed.decode().rstrip("=") + token[end:-6])
                )
            except SnapshotError:
                continue
            step = MAGIC.enclosing(other.run.state, "step")
            assert step is None or other.position.step == step.name
            assert not other.run.frame or other.run.holder
            found += 1
    assert found > len(position)


@pytest.mark.parametrize("name", names())
def test_a_forged_token_is_refused_or_is_a_game(name: str) -> None:
    """Whatever it says, nothing but an FsmError comes of it, and a game that comes of it can be
    saved and played.
    """
    model, random = fsm.load(name), Random(3)
    games = [game.token() for seed in range(amount(1, 10)) for game in lively(model, seed, 150)]
    tokens = [token for token in games if token[0] == "2"]
    tries, found = amount(150, 8_000), 0
    for _ in range(tries):
        kind = random.choice((TurnController, Unremembering))
        try:
            game = kind.restore(model, forged(random.choice(tokens), random))
        except SnapshotError as error:
            assert "no token of a game" in str(error)
            continue
        found += 1
        assert TurnController.restore(model, game.snapshot()).request == game.request
        assert TurnController.restore(model, game.token()).snapshot() == game.snapshot()
        if random.random() < 0.2:
            _play(game, random)
    assert 0 < found < tries


def _play(game: TurnController, random: Random) -> None:
    """Play on, whatever the game is; orders may be refused, and the game may be stuck."""
    repr(game.request), repr(game), game.possible()
    for _ in range(random.choice((3, 40))):
        request = game.request
        if isinstance(request, Over):
            return
        try:
            game.answer(_answer(game, request, random))
        except FsmError:
            return
    TurnController.restore(game.model, game.snapshot())
    assert game.trace.records


def _answer(game: TurnController, request: Request, random: Random) -> Answer:
    orders = (fsm.AddTurn(random.choice(game.head.players)),) if random.random() < 0.05 else ()
    return Answer(request.quiet_word, request.quiet().facts, orders)


def test_the_forgers_checksum_is_the_right_one() -> None:
    token = TurnController(MAGIC, ["Ann", "Ben"]).token()
    assert signed(token[:-6]) == token


def test_a_position_goes_with_its_own_counts_only() -> None:
    """The memo finds a position by its text and the counts that the model tells apart: not by the
    text alone.
    """
    early, late = TurnController(MAGIC, ["Ann", "Ben"]), TurnController(MAGIC, ["Ann", "Ben"])
    for game, turn in ((early, 1), (late, 9)):
        to(game, "upkeep", turn=turn)
    first, other = early.token(), late.token()
    end, cut = 11 + int(first[9:11], 16), 11 + int(other[9:11], 16)
    token = signed(first[:end] + other[cut:-6])
    game = TurnController.restore(MAGIC, token)
    assert game.position.turn == 9
    for saved, known in ((game.token(), late), (first, early), (other, late)):
        again = TurnController.restore(MAGIC, saved)
        for each in (again, known := known.fork()):
            to(
                each, "precombat_main"
            )  # after the draw step, in which nobody draws in the first turn
        assert again.trace.entries == known.trace.entries[-len(again.trace.entries) :]
        assert again.snapshot() == known.snapshot()
