"""Who is asked for priority, and when: stops, passing until something, holding; the turn itself
never changes.
"""

from __future__ import annotations

import asyncio
import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

import fsm
from fsm import Answer, PlaceTriggers, Priority, Request, Resolve, TurnController
from fsm.errors import AnswerError, SnapshotError
from fsm.hosts import AutoPass, Position, Stops, aio, ask
from fsm.model import Model
from fsm.rulesets import names


class Table(fsm.BaseHost):
    """Players who pass, unless `acts` says so of a request; `asked` is who was asked, where."""

    def __init__(self, acts: Callable[[Priority], bool] = lambda _: False) -> None:
        self.acts, self.stack = acts, 0
        self.asked: list[tuple[int, str, str]] = []

    def on_priority(self, request: Priority) -> Answer | None:
        self.asked.append((request.at.turn, request.at.step, request.player))
        if self.acts(request):
            self.stack += 1
            return request.acted()
        return None

    def on_resolve(self, request: Resolve) -> None:
        self.stack -= 1

    def stack_empty(self) -> bool:
        return not self.stack


def after(turn: int) -> Callable[[Request], bool]:
    return lambda request: request.at.turn > turn


def played(
    model: Model, table: Table, wish: Callable[[Stops], None], turns: int = 2
) -> TurnController:
    game, stops = TurnController(model, ["A", "B"]), Stops(model, ["A", "B"])
    wish(stops)
    fsm.drive(game, AutoPass(table, stops), until=after(turns))
    return game


@pytest.fixture
def magic() -> Model:
    return fsm.load("magic")


@pytest.mark.parametrize("name", names())
def test_the_course_of_the_turn_is_the_same(name: str) -> None:
    """Whoever sleeps passes, and that is all."""
    model = fsm.load(name)

    def sleeps(stops: Stops) -> None:
        for player in "AB":
            stops.sleep(player)

    asleep, awake = Table(), Table()
    one, other = played(model, asleep, sleeps), played(model, awake, lambda stops: None)
    assert one.trace.entries == other.trace.entries
    assert not asleep.asked and awake.asked


def test_without_wishes_everybody_is_asked_everywhere(magic: Model) -> None:
    table, plain = Table(), Table()
    played(magic, table, lambda stops: None)
    fsm.drive(TurnController(magic, ["A", "B"]), plain, until=after(2))
    assert table.asked == plain.asked


def test_stop_at_my_opponents_end_step(magic: Model) -> None:
    def wish(stops: Stops) -> None:
        for player in "AB":
            stops.sleep(player)
        stops.stop("B", "end", "others")

    table = Table()
    game = played(magic, table, wish, turns=4)
    assert table.asked == [(1, "end", "B"), (3, "end", "B")]
    stops = Stops(magic, ["A", "B"])
    wish(stops)
    stops.unstop("B", "end", "others")
    quiet = Table()
    fsm.drive(TurnController(magic, ["A", "B"]), AutoPass(quiet, stops), until=after(4))
    assert not quiet.asked and game.position.turn == 5


def test_a_sleeping_player_wakes_when_another_acts(magic: Model) -> None:
    """A casts a spell in the main phase: B is asked about it, and about what it does as it
    resolves.
    """
    once = iter([True])
    table = Table(
        lambda request: (
            request.player == "A" and request.at.step == "precombat_main" and next(once, False)
        )
    )
    played(magic, table, lambda stops: stops.sleep("B"), turns=1)
    assert [where for where in table.asked if where[2] == "B"] == [(1, "precombat_main", "B")] * 2


def test_pass_until_is_over_once_it_comes(magic: Model) -> None:
    def wish(stops: Stops) -> None:
        stops.sleep("B")
        stops.pass_until("A", "end")

    table = Table()
    played(magic, table, wish, turns=2)
    steps = [step for turn, step, player in table.asked if player == "A" and turn == 1]
    assert steps == ["end"]
    assert ("A", 2) in {(player, turn) for turn, _, player in table.asked}, (
        "awake again from then on"
    )


def test_pass_until_the_next_such_step_is_not_this_one(magic: Model) -> None:
    """Said in an upkeep, "until upkeep" is the next one."""
    model_stops = Stops(magic, ["A", "B"])

    class Saying(Table):
        def on_priority(self, request: Priority) -> Answer | None:
            if not self.asked:
                model_stops.pass_until("A", "upkeep")
            return super().on_priority(request)

    table = Saying()
    model_stops.sleep("B")
    fsm.drive(TurnController(magic, ["A", "B"]), AutoPass(table, model_stops), until=after(2))
    assert [where[:2] for where in table.asked][:2] == [(1, "upkeep"), (2, "upkeep")]


def test_deaf_means_whatever_happens(magic: Model) -> None:
    once = iter([True])
    table = Table(
        lambda request: request.player == "A" and request.at.step == "draw" and next(once, False)
    )
    played(magic, table, lambda stops: stops.pass_until("B", "upkeep", "own", deaf=True), turns=1)
    assert not [where for where in table.asked if where[2] == "B"]


@pytest.mark.parametrize(("holds", "times"), [(True, 2), (False, 1)])
def test_holding_priority(magic: Model, holds: bool, times: int) -> None:
    """After acting a player has priority again (117.3c), and keeps it only by wish where that is
    switched off.
    """
    once = iter([True])
    table = Table(
        lambda request: (
            request.player == "A" and request.at.step == "precombat_main" and next(once, False)
        )
    )
    played(magic, table, lambda stops: stops.hold("A", holds), turns=1)
    before_resolving = table.asked[: table.asked.index((1, "precombat_main", "B"))]
    assert before_resolving.count((1, "precombat_main", "A")) == times


def test_the_same_for_coroutines(magic: Model) -> None:
    class Waiting(Table):
        async def on_priority(self, request: Priority) -> Answer | None:  # type: ignore[override]
            await asyncio.sleep(0)
            return super().on_priority(request)

    stops, table = Stops(magic, ["A", "B"]), Waiting()
    for player in "AB":
        stops.sleep(player)
    stops.stop("A", "declare_attackers", "own")
    game = TurnController(magic, ["A", "B"])
    asyncio.run(aio.drive(game, aio.AutoPass(table, stops), until=after(2)))
    assert table.asked == [(1, "declare_attackers", "A")]


def test_wrong_wishes_are_refused(magic: Model) -> None:
    stops = Stops(magic, ["A", "B"])
    with pytest.raises(AnswerError, match="did you mean 'upkeep'"):
        stops.stop("A", "upkep")
    with pytest.raises(AnswerError, match="'own' or 'others', not 'mine'"):
        stops.stop("A", "upkeep", "mine")  # type: ignore[arg-type]
    with pytest.raises(AnswerError, match="player 'C' is not in this game"):
        stops.sleep("C")


# kept beside a snapshot ---------------------------------------------------------------------------


def wished(stops: Stops) -> None:
    """Something of everything."""
    stops.sleep("B")
    stops.stop("B", "end", "others")
    stops.stop("B", "upkeep")
    stops.hold("A", False)
    stops.pass_until("A", "declare_attackers", "own")


def test_stops_are_kept_as_json_at_every_point_of_a_game(magic: Model) -> None:
    """Written and read before each question, nobody is asked more or less."""
    kept = Stops(magic, ["A", "B"])
    wished(kept)

    def acts(request: Priority) -> bool:
        return request.player == "A" and request.at.step == "draw" and request.at.turn == 3

    def once(table: Table) -> Callable[[Priority], bool]:
        return lambda request: (
            acts(request) and not table.stack and table.asked.count((3, "draw", "A")) == 1
        )

    forgetful, plain = Table(), Table()
    forgetful.acts, plain.acts = once(forgetful), once(plain)
    passing = AutoPass(forgetful, kept)

    def forgets(request: Request) -> bool:
        passing.stops = Stops.load(magic, ["A", "B"], json.loads(json.dumps(passing.stops.dump())))
        return request.at.turn > 4

    fsm.drive(TurnController(magic, ["A", "B"]), passing, until=forgets)
    played(magic, plain, wished, turns=4)
    assert forgetful.asked == plain.asked and (
        "B" in {player for _, step, player in plain.asked if step == "draw"}
    )


DUMPED_WRONG: dict[str, tuple[Callable[[Any], Any], str]] = {
    "something else": (lambda data: [1], "'fsm-stops-1', not 'list'"),
    "another format": (lambda data: data.update(format="x"), "'fsm-stops-1', not 'x'"),
    "no wishes": (lambda data: data.pop("wishes") and None, "not whole: 'wishes' is missing"),
    "a player missing": (
        lambda data: data["wishes"].pop("B") and None,
        "not whole: 'B' is missing",
    ),
    "a player too many": (
        lambda data: data["wishes"].update(C={"is": "Wishes"}),
        "player 'C' is not in this game",
    ),
    "wishes of a kind": (
        lambda data: data["wishes"].update(A=[]),
        r"what A wishes must be an object, not \[\]",
    ),
    "an unknown step": (
        lambda data: data["wishes"]["B"]["stops"][0].update(step="ende"),
        "did you mean 'end'",
    ),
    "an unknown turn": (
        lambda data: data["wishes"]["B"]["stops"][0].update(turn="mine"),
        "not 'mine'",
    ),
    "an unknown word": (
        lambda data: data["wishes"]["A"].update(deeef=True),
        "Wishes has no field 'deeef'",
    ),
    "a wrong value": (
        lambda data: data["wishes"]["A"].update(asleep=3),
        "Wishes.asleep cannot be 3",
    ),
    "who acted": (lambda data: data.update(acted="Z"), "player 'Z' is not in this game"),
    "where": (lambda data: data.update(here=[1, 2]), "here cannot be"),
}


@pytest.mark.parametrize(("change", "says"), DUMPED_WRONG.values(), ids=DUMPED_WRONG.keys())
def test_stops_that_do_not_fit_are_refused(
    magic: Model, change: Callable[[Any], Any], says: str
) -> None:
    stops = Stops(magic, ["A", "B"])
    wished(stops)
    data: Any = copy.deepcopy(stops.dump())
    changed = change(data)
    with pytest.raises(SnapshotError, match=says):
        Stops.load(magic, ["A", "B"], data if changed is None else changed)


def test_stops_of_another_ruleset_are_refused(magic: Model) -> None:
    stops = Stops(magic, ["A", "B"])
    stops.stop("A", "upkeep")
    with pytest.raises(SnapshotError, match="a game of grand-archive: there is no step 'upkeep'"):
        Stops.load(fsm.load("grand-archive"), ["A", "B"], stops.dump())


# one decision at a time ---------------------------------------------------------------------------


def priority(*players: str, step: str = "upkeep", turn: int = 1) -> Priority:
    """These players have priority in this step of a turn of A's."""
    return Priority(at(step, turn), "priority", (), (), (), players[0], players)


def at(step: str, turn: int = 1) -> Position:
    return Position(turn, "A", "A", False, "", step, 1, f"{step}_window")


@pytest.fixture
def stops(magic: Model) -> Stops:
    return Stops(magic, ["A", "B"])


def test_until_a_step_is_not_until_the_same_visit_of_it(stops: Stops) -> None:
    assert stops.asks(priority("A"))
    stops.pass_until("A", "upkeep")
    assert not stops.asks(priority("A"))
    assert stops.asks(priority("A", turn=2))


def test_who_shares_priority_wakes_together(stops: Stops) -> None:
    for player in "AB":
        stops.pass_until(player, "draw")
    assert stops.asks(priority("A", "B", step="draw"))
    assert [stops.asks(priority(player, step="end")) for player in "AB"] == [True, True]


def test_who_acted_and_does_not_hold_is_asked_again_once_abilities_have_triggered(
    stops: Stops,
) -> None:
    stops.hold("A", False)
    stops.heard(priority("A"), Answer("acted"))
    assert not stops.asks(priority("A"))
    stops.heard(PlaceTriggers(at("upkeep"), "place", (), (), (), ("A", "B")), Answer())
    assert stops.asks(priority("A"))


def test_what_happened_before_a_player_slept_does_not_wake(stops: Stops) -> None:
    stops.heard(priority("B"), Answer("acted"))
    stops.sleep("A")
    assert not stops.asks(priority("A"))


def test_a_stop_for_other_turns_stays_when_the_one_for_own_turns_goes(stops: Stops) -> None:
    stops.sleep("B")
    stops.stop("B", "end", "own")
    stops.stop("B", "end", "others")
    stops.unstop("B", "end", "own")
    assert stops.asks(priority("B", step="end"))


@pytest.mark.parametrize("waits", [False, True], ids=["plain", "asyncio"])
def test_who_sleeps_is_woken_by_what_resolves(magic: Model, waits: bool) -> None:
    stops, table = Stops(magic, ["A", "B"]), Table()
    stops.sleep("A")
    stops.sleep("B")
    table.stack = 1
    game, host = TurnController(magic, ["A", "B"]), AutoPass(table, stops)
    if waits:
        asyncio.run(aio.drive(game, host, until=lambda request: isinstance(request, Resolve)))
    else:
        fsm.drive(game, host, until=lambda request: isinstance(request, Resolve))
    assert table.asked == []
    ask(game, host)
    assert stops.asks(priority("A"))
