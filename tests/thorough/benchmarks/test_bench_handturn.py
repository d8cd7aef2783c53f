"""The hand-written turn that the whole turn bar is measured against asks what the controller asks,
in its order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from random import Random

import pytest

from benchmarks.handturn import HandTurn
from benchmarks.hosts import NullHost
from fsm.embedding.host import BaseHost, drive
from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer, Request
from fsm.model import Model

Asked = list[Request | str]


class Noting(NullHost):
    """Notes every request and every fact asked for; tells nothing before it is asked."""

    def __init__(self, attacks: bool, strikes: bool) -> None:
        self.asked: Asked = []
        self.values = {
            "attackers_declared": attacks,
            "first_strike_in_combat": strikes,
            "stack_empty": True,
        }

    def note(self, request: Request) -> Answer:
        self.asked.append(request)
        return Answer()

    on_perform = on_check_state = on_place_triggers = on_resolve = note

    def on_priority(self, request: Request) -> Answer:
        self.asked.append(request)
        return Answer("passed")

    def fact(self, name: str) -> bool:
        self.asked.append(name)
        return self.values.get(name, False)


class Busy(Noting):
    """By seed: players act, triggers wait, creatures attack and strike first; some facts ride on
    answers.
    """

    def __init__(self, seed: int) -> None:
        super().__init__(attacks=False, strikes=False)
        self.random = Random(seed)
        self.stack = 0

    def note(self, request: Request) -> Answer:
        self.asked.append(request)
        told = [name for name in request.facts if self.random.random() < 0.3]
        return Answer("done", self._values(told))

    on_perform = on_check_state = note

    def on_place_triggers(self, request: Request) -> Answer:
        self.stack += 1
        return self.note(request)

    def on_resolve(self, request: Request) -> Answer:
        self.stack -= 1
        return self.note(request)

    def on_priority(self, request: Request) -> Answer:
        self.asked.append(request)
        acts = self.random.random() < 0.1
        self.stack += acts
        return Answer("acted" if acts else "passed")

    def fact(self, name: str) -> bool:
        self.asked.append(name)
        return self._values([name])[name]

    def _values(self, names: Sequence[str]) -> dict[str, bool]:
        often = {"attackers_declared": 0.6, "first_strike_in_combat": 0.4}
        values = {name: self.random.random() < often.get(name, 0.08) for name in names}
        return {**values, "stack_empty": not self.stack} if "stack_empty" in values else values


def by_controller(model: Model, players: Sequence[str], host: BaseHost, turns: int) -> None:
    drive(TurnController(model, players), host, until=lambda request: request.at.turn > turns)


def by_hand(players: Sequence[str], host: NullHost, turns: int) -> None:
    HandTurn(players, host).play(turns)


def both(
    model: Model, make: Callable[[], Noting], players: Sequence[str] = ("Alice", "Bob")
) -> tuple[Asked, Asked]:
    ours, theirs = make(), make()
    by_controller(model, players, ours, 8)
    by_hand(players, theirs, 8)
    return ours.asked, theirs.asked


@pytest.mark.parametrize("strikes", [False, True])
@pytest.mark.parametrize("attacks", [False, True])
def test_quiet_turns_ask_the_same_requests_in_the_same_order(
    magic: Model, attacks: bool, strikes: bool
) -> None:
    ours, theirs = both(magic, lambda: Noting(attacks, strikes))
    assert theirs == ours
    steps = {asked.at.step for asked in ours if isinstance(asked, Request)}
    assert ("combat_damage" in steps) is attacks
    assert ("first_strike_damage" in steps) is (attacks and strikes)


@pytest.mark.parametrize("seed", range(10))
def test_busy_turns_do_too(magic: Model, seed: int) -> None:
    ours, theirs = both(magic, partial(Busy, seed))
    assert theirs == ours


def test_busy_turns_see_every_kind_of_request_and_a_second_cleanup(magic: Model) -> None:
    asked = [
        a
        for seed in range(10)
        for a in both(magic, partial(Busy, seed))[0]
        if isinstance(a, Request)
    ]
    assert {type(a).__name__ for a in asked} == {
        "Perform",
        "CheckState",
        "PlaceTriggers",
        "Priority",
        "Resolve",
    }
    assert any(a.at.iteration == 2 for a in asked)


@pytest.mark.parametrize("seed", range(5))
def test_three_players_too(magic: Model, seed: int) -> None:
    ours, theirs = both(magic, partial(Busy, seed), ("Alice", "Bob", "Carol"))
    assert theirs == ours


def test_the_null_host_tells_every_fact_that_is_asked_in_a_quiet_turn(magic: Model) -> None:
    class Telling(NullHost):
        def fact(self, name: str) -> bool:
            raise AssertionError(f"{name} was left out")

    by_controller(magic, ("Alice", "Bob"), Telling(), 3)
    by_hand(("Alice", "Bob"), Telling(), 3)
