"""The callback front: a host that raises loses nothing, and facts are asked for when they are
needed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path

import pytest

from fsm.embedding import aio
from fsm.embedding.host import Host, ask, drive
from fsm.engine.controller import TurnController
from fsm.engine.requests import (
    Answer,
    CheckState,
    Over,
    Perform,
    PlaceTriggers,
    Priority,
    Request,
    Resolve,
)
from fsm.errors import AnswerError
from fsm.model import Model
from fsm.state.orders import AddPhase, DelayedTrigger, Effect, Order
from support.playing import asked, leaves, started

METHODS = ["perform", "priority", "check", "place", "resolve", "facts", "notice"]


class Player:
    """A game that does a little of everything in turn 1, and nothing later."""

    def __init__(self) -> None:
        self.stack = 0
        self.waiting = 1
        self.dying = 1
        self.begun: set[tuple[str, int]] = set()
        self.calls: list[str] = []
        self.asked: list[tuple[str, ...]] = []
        self.noticed: list[tuple[tuple[str, ...], tuple[str, ...]]] = []

    def perform(self, request: Perform) -> Answer:
        self.calls.append(f"perform {request.action}")
        return Answer()

    def priority(self, request: Priority) -> Answer:
        self.calls.append(f"priority {request.player}")
        if request.at.turn == 1 and request.at.step == "upkeep" and ("upkeep", 1) not in self.begun:
            self.begun.add(("upkeep", 1))
            self.stack, self.waiting = self.stack + 1, 1
            return Answer("acted")
        return Answer("passed")

    def check(self, request: CheckState) -> Answer:
        self.calls.append("check")
        died, self.dying = self.dying > 0, 0
        return Answer(facts={"sba_performed": died})

    def place(self, request: PlaceTriggers) -> Answer:
        self.calls.append(f"place {''.join(request.players)}")
        self.stack, self.waiting = self.stack + self.waiting, 0
        return Answer()

    def resolve(self, request: Resolve) -> Answer:
        self.calls.append("resolve")
        self.stack -= 1
        orders: tuple[Order, ...] = (
            Effect("e", "A"),
            DelayedTrigger("d", "end"),
            AddPhase(("combat",)),
        )
        return Answer(orders=orders if self.stack == 2 else ())

    def facts(self, names: tuple[str, ...]) -> Mapping[str, bool]:
        self.asked.append(names)
        values = {"stack_empty": self.stack == 0, "triggers_waiting": self.waiting > 0}
        return {name: values.get(name, False) for name in names}

    def notice(self, expired: tuple[str, ...], triggered: tuple[str, ...]) -> None:
        self.calls.append("notice")
        self.noticed.append((expired, triggered))


def second_turn(request: Request | Over) -> bool:
    return request.at.turn == 2


def test_it_plays_until_it_is_told_to_stop(magic: Model) -> None:
    game, host = started(magic), Player()
    request = drive(game, host, until=second_turn)
    assert request is game.request
    assert (request.at.turn, asked(request)) == (2, "phasing")
    assert host.calls[:4] == [
        "perform phasing",
        "perform day_night",
        "perform untap_permanents",
        "perform empty_mana",
    ]
    assert host.calls[4:9] == ["check", "check", "place AB", "check", "priority A"]
    assert "resolve" in host.calls


def test_until_is_asked_before_anything_is_answered(magic: Model) -> None:
    game, host = started(magic), Player()
    drive(game, host, until=lambda request: True)
    assert host.calls == []


def test_it_stops_when_the_game_is_over(magic: Model) -> None:
    class Conceding(Player):
        def priority(self, request: Priority) -> Answer:
            return Answer("acted", signal=leaves("B"))

    game = started(magic)
    assert isinstance(drive(game, Conceding()), Over)
    with pytest.raises(AnswerError, match="game is over"):
        ask(game, Player())


def test_only_facts_that_the_answer_leaves_out_are_asked_for(magic: Model) -> None:
    game, host = started(magic), Player()
    drive(game, host, until=second_turn)
    assert ("triggers_waiting",) in host.asked
    assert all("sba_performed" not in names for names in host.asked)
    assert all(names for names in host.asked)


def test_facts_are_asked_after_the_host_has_acted(magic: Model) -> None:
    """The stack is looked at as the answer leaves it: what was just placed counts."""
    game, host = started(magic), Player()
    drive(game, host, until=lambda r: isinstance(r, Priority))
    drive(game, host, until=lambda r: isinstance(r, Resolve))
    assert host.stack == 3


def test_notices_come_before_the_request_they_ride_on(magic: Model) -> None:
    game, host = started(magic), Player()
    drive(game, host, until=second_turn)
    assert host.noticed == [((), ("d",)), (("e",), ())]
    assert host.calls[host.calls.index("notice") + 1] == "check"
    last = len(host.calls) - host.calls[::-1].index("notice")
    assert host.calls[last] == "perform remove_damage_and_end_effects"


class Failing:
    """Another host whose `method` raises the `nth` time it is called, before doing anything."""

    def __init__(self, host: Host, method: str, nth: int) -> None:
        self.host, self.method, self.left = host, method, nth

    def __getattr__(self, name: str) -> object:
        if name == self.method:
            self.left -= 1
            if self.left == 0:
                raise ConnectionError("the game's server is away")
        return getattr(self.host, name)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("nth", [1, 2])
def test_a_host_that_raises_leaves_the_game_where_it_was_and_may_be_asked_again(
    magic: Model, method: str, nth: int
) -> None:
    whole, reference = started(magic), Player()
    drive(whole, reference, until=second_turn)
    game, host = started(magic), Player()
    failing = Failing(host, method, nth)
    before = None
    while True:
        try:
            while not second_turn(game.request):
                before = game.snapshot(), game.request, list(game.trace.entries)
                ask(game, failing)  # type: ignore[arg-type]
            break
        except ConnectionError:
            assert (game.snapshot(), game.request, game.trace.entries) == before
    assert failing.left <= 0, "it did raise"
    if method != "facts":  # by then this host has acted, and it cannot take that back
        assert game.snapshot() == whole.snapshot()
        assert game.trace == whole.trace


@pytest.mark.parametrize("bad", [Answer("finished"), Answer(facts={"rain": True}), "done"])  # type: ignore[arg-type]
def test_a_host_that_answers_wrongly_changes_nothing(magic: Model, bad: Answer) -> None:
    class Wrong(Player):
        def perform(self, request: Perform) -> Answer:
            return bad

    game = started(magic)
    before = game.snapshot()
    with pytest.raises(AnswerError, match=r"finished|rain|str"):
        ask(game, Wrong())
    assert game.snapshot() == before
    assert asked(ask(game, Player())) == "day_night"


def test_a_host_that_returns_no_answer_where_facts_are_asked_is_told_so(magic: Model) -> None:
    class Wrong(Player):
        def perform(self, request: Perform) -> Answer:
            return "done" if request.facts else Answer()  # type: ignore[return-value]

    game = started(magic)
    with pytest.raises(AnswerError, match="an answer must be an Answer, not a str"):
        drive(game, Wrong())
    assert game.request.facts
    with pytest.raises(AnswerError, match="an answer must be an Answer, not a str"):
        asyncio.run(aio.drive(game, Wrong()))


def test_what_an_answer_tells_counts_before_what_the_host_tells_of_all_facts(magic: Model) -> None:
    class Teller(Player):
        def check(self, request: CheckState) -> Answer:
            return Answer(facts={"sba_performed": False})

        def facts(self, names: tuple[str, ...]) -> dict[str, bool]:
            return {"sba_performed": True, "triggers_waiting": False, "stack_empty": True}

    game = started(magic)
    drive(game, Teller(), until=lambda request: isinstance(request, CheckState))
    assert isinstance(ask(game, Teller()), Priority), (
        "nothing was performed, so that nothing is checked again"
    )


def test_a_host_is_any_object_with_the_methods(magic: Model) -> None:
    host: Host = Player()
    assert isinstance(drive(started(magic), host, until=second_turn), Perform)


def test_a_restored_game_is_driven_on(magic: Model, tmp_path: Path) -> None:
    game, host = started(magic), Player()
    drive(game, host, until=lambda r: isinstance(r, Resolve))
    restored = TurnController.restore(magic, game.snapshot())
    drive(restored, host, until=second_turn)
    whole = started(magic)
    drive(whole, Player(), until=second_turn)
    assert restored.snapshot() == whole.snapshot()
