"""Stops: who is asked for priority, and when. The turn itself never changes."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

import fsm
from fsm import Answer, Over, Priority, Request, TurnController
from fsm.errors import AnswerError, SnapshotError
from fsm.hosts import StackHost, Stops
from fsm.model import Model


class Table(StackHost):
    """Notes who is asked where. The active player casts one spell in the step named `casts`."""

    def __init__(self, casts: str = "") -> None:
        super().__init__()
        self.casts, self.asked = casts, list[tuple[int, str, str]]()

    def on_priority(self, request: Priority) -> Answer | None:
        self.asked.append((request.at.turn, request.at.step, request.player))
        if request.at.step != self.casts or request.player != request.at.active:
            return None
        self.casts = ""
        self.stack.append("spell")
        return request.acted()

    def asked_of(self, player: str) -> list[tuple[int, str]]:
        return [(turn, step) for turn, step, who in self.asked if who == player]


@pytest.fixture
def stops(magic: Model) -> Stops:
    return Stops(magic, ["Ann", "Ben"])


@pytest.fixture
def upkeep(game: TurnController) -> Priority:
    """Ann has priority in her first upkeep."""
    found = fsm.drive(game.fork(), fsm.BaseHost(), until=lambda r: isinstance(r, Priority))
    assert isinstance(found, Priority)
    return found


def played(game: TurnController, table: Table, stops: Stops, turns: int) -> Table:
    stops.host = table
    fsm.drive(game, stops, until=lambda request: request.at.turn > turns)
    return table


@pytest.mark.parametrize("name", ["magic", "grand-archive"])
def test_who_sleeps_is_not_asked_and_the_turn_is_the_same(
    name: str, drive: Callable[..., Request | Over]
) -> None:
    asleep, awake = (TurnController(name, ["Ann", "Ben"]) for _ in range(2))
    stops, table = Stops(asleep.model, ["Ann", "Ben"]), Table()
    for player in ("Ann", "Ben"):
        stops.sleep(player)
    past = fsm.History(asleep)
    stops.host = table
    drive(past, stops, until=lambda request: request.at.turn == 3)
    drive(awake, fsm.BaseHost(), until=lambda request: request.at.turn == 3)
    assert table.asked == []
    assert past.decisions == ()
    assert past.fork().snapshot() == awake.snapshot()


@pytest.mark.parametrize(
    ("whose", "turns"), [("own", [2, 4]), ("others", [1, 3]), ("any", [1, 2, 3, 4])]
)
def test_a_stop_is_where_a_sleeping_player_is_asked(
    whose: Any, turns: list[int], game: TurnController, stops: Stops
) -> None:
    for player in ("Ann", "Ben"):
        stops.sleep(player)
    stops.stop("Ben", "end", whose)
    stops.stop("Ben", "draw")
    stops.of("Ben").stops.pop()
    assert played(game, Table(), stops, 4).asked == [(turn, "end", "Ben") for turn in turns]


def test_who_sleeps_is_woken_by_a_spell_and_by_its_effect(
    game: TurnController, stops: Stops
) -> None:
    stops.sleep("Ben")
    table = played(game, Table("precombat_main"), stops, 1)
    assert table.asked_of("Ben") == [(1, "precombat_main")] * 2


def test_who_is_woken_by_hand_is_asked(stops: Stops, upkeep: Priority) -> None:
    stops.sleep("Ann")
    assert not stops.asks(upkeep)
    stops.sleep("Ann", False)
    assert stops.asks(upkeep)


def test_until_a_step_is_not_until_the_same_visit_of_it(
    game: TurnController, stops: Stops, upkeep: Priority
) -> None:
    stops.asks(upkeep)
    stops.pass_until("Ann", "upkeep")
    assert played(game, Table(), stops, 2).asked_of("Ann")[0] == (2, "upkeep")


@pytest.mark.parametrize("step", ["end", "declare_blockers"], ids=["it comes", "it does not"])
def test_passing_until_a_step_ends_there_or_with_that_turn(
    step: str, game: TurnController, stops: Stops
) -> None:
    """Nobody attacks, so that nobody blocks: Ann is asked in the end step."""
    stops.pass_until("Ann", step, "own")
    stops.sleep("Ben")
    heard = played(game, Table(), stops, 2).asked_of("Ann")
    assert heard[0] == (1, "end") and (2, "upkeep") in heard


def test_passing_until_a_step_that_is_past_is_until_that_of_the_next_turn(
    game: TurnController, stops: Stops
) -> None:
    main = fsm.drive(game, fsm.BaseHost(), until=lambda r: r.at.step == "postcombat_main")
    main = fsm.drive(game, fsm.BaseHost(), until=lambda r: isinstance(r, Priority))
    assert stops.asks(main)  # type: ignore[arg-type]
    stops.pass_until("Ann", "precombat_main")
    assert played(game, Table(), stops, 2).asked_of("Ann")[0] == (2, "precombat_main")


def test_a_step_in_which_nobody_gets_priority_cannot_be_stopped_at(stops: Stops) -> None:
    assert "untap" not in stops.steps
    with pytest.raises(AnswerError, match=r"nobody gets priority in 'untap'.*known: .*upkeep"):
        stops.pass_until("Ann", "untap")


def test_any_request_may_be_asked_for(game: TurnController, stops: Stops) -> None:
    stops.sleep("Ann")
    for request in game:
        assert stops.asks(request) is not (request.player == "Ann" and request.kind == "priority")
        if request.at.step == "draw":
            break
        game.answer(request.quiet())


def test_stops_go_back_with_the_history(game: TurnController, stops: Stops) -> None:
    """So does the file of a game, and the host."""
    table = Table("precombat_main")
    host = stops
    stops.host = table
    past = fsm.History(game, state=host)
    fsm.drive(past, host, until=lambda request: request.at.step == "precombat_main")
    before, there = stops.save(), len(past.past)
    stops.sleep("Ben")
    fsm.drive(past, host, until=lambda request: request.at.turn == 2)
    asked = table.asked_of("Ben")
    past.undo(len(past.past) - there - 1)
    past.undo()
    assert stops.save() == before
    assert (table.casts, table.stack) == ("precombat_main", [])

    stops.sleep("Ben")
    fsm.drive(past, host, until=lambda request: request.at.turn == 2)
    assert table.asked_of("Ben") == asked


def test_who_has_acted_in_vain_is_asked_again(game: TurnController, stops: Stops) -> None:
    """The answer is refused, so that nobody has acted."""

    class Hasty(Table):
        def on_priority(self, request: Priority) -> Answer:
            super().on_priority(request)
            return request.acted(fsm.AddTurn("Cleo"))

    stops.host = host = Hasty()
    for _ in range(2):
        with pytest.raises(fsm.FsmError, match="Cleo"):
            fsm.drive(game, stops)
    assert host.asked == [(1, "upkeep", "Ann")] * 2


def test_players_who_share_priority_wake_together(magic: Model) -> None:
    """Rule 805.5: a team has priority together."""
    game = TurnController(magic, ["Ann", "Ben", "Cleo"], teams=[["Ann", "Ben"], ["Cleo"]])
    stops = Stops(magic, ["Ann", "Ben", "Cleo"])
    stops.pass_until("Ann", "upkeep")
    stops.sleep("Ben")
    request = fsm.drive(game, fsm.BaseHost(), until=lambda r: isinstance(r, Priority))
    assert isinstance(request, Priority)
    assert request.by == ("Ann", "Ben")
    assert stops.asks(request)


@pytest.mark.parametrize(
    ("player", "step", "turn", "words"),
    [
        ("Ann", "upkep", "any", "'upkep'.* did you mean 'upkeep'"),
        ("Ann", "upkeep", "mine", "'own' or 'others', not 'mine'"),
        ("Cleo", "upkeep", "any", "player 'Cleo' is not in this game"),
    ],
)
def test_wrong_stops_are_refused(
    player: str, step: str, turn: Any, words: str, stops: Stops
) -> None:
    with pytest.raises(AnswerError, match=words):
        stops.stop(player, step, turn)


# kept beside a snapshot ---------------------------------------------------------------------------


def loaded(saved: Any) -> Stops:
    stops = Stops(fsm.load("magic"), ["Ann", "Ben"])
    stops.load(saved)
    return stops


def wished(stops: Stops) -> Any:
    """Wish something of everything, and write it."""
    stops.sleep("Ben")
    stops.stop("Ben", "end", "others")
    stops.pass_until("Ann", "declare_attackers", "own")
    return json.loads(json.dumps(stops.save()))


def test_stops_are_kept_as_json_at_every_request(game: TurnController, stops: Stops) -> None:
    host = loaded(wished(stops))
    host.host = forgetful = Table("draw")

    def forget(request: Request) -> bool:
        host.load(json.loads(json.dumps(host.save())))
        return request.at.turn > 3

    kept = played(game.fork(), Table("draw"), stops, 3)
    fsm.drive(game, host, until=forget)
    assert forgetful.asked == kept.asked
    assert (2, "draw") in kept.asked_of("Ann")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda data: data["wishes"].update(Cleo={}), "player 'Cleo' is not"),
        (lambda data: data["wishes"]["Ben"]["stops"][0].update(step="ende"), "did you mean 'end'"),
        (lambda data: data["wishes"]["Ann"].update(deaf=True), "`deaf`"),
        (lambda data: data["wishes"]["Ann"]["until"].update(since=[1, "x", 1]), "in 'x'"),
    ],
    ids=["player", "step", "word", "visit"],
)
def test_stops_that_do_not_fit_are_refused(
    change: Callable[[Any], object], words: str, stops: Stops
) -> None:
    data = wished(stops)
    change(data)
    with pytest.raises(SnapshotError, match=words):
        loaded(data)
