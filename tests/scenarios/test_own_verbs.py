"""Verbs that a game registers from outside the package."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import fsm
from fsm.errors import ScenarioError
from fsm.orders import AddTurn
from fsm.scenarios import ScriptedTurn, play, verb
from fsm.scenarios.ownverbs import forget_verb
from fsm.scenarios.verbs import VERBS
from support.court import COURT

MODEL = COURT.build()


@pytest.fixture(autouse=True)
def only_here() -> Iterator[None]:
    before = set(VERBS)
    yield
    for name in set(VERBS) - before:
        forget_verb(name)


def test_a_verb_raises_an_event_and_tells_a_fact() -> None:
    @verb(event="insult")
    def insults(turn: ScriptedTurn, accepted: bool = True) -> None:
        """Somebody is insulted in the hall."""
        turn.signal("insult")
        turn.tell("accepted", accepted)

    for accepted, steps in (
        (True, ["levee", "hall", "salute", "sleep"]),
        (False, ["levee", "hall", "sleep"]),
    ):
        given = {"when": {"turn": 1, "step": "hall"}, "do": "insults", "accepted": accepted}
        [story] = fsm.scenarios.load(
            {"given": [given], "expect": [{"turn": 1, "steps": steps}]}, place="it", ruleset=MODEL
        )
        assert play(story).failures == []


def test_a_verb_gives_orders() -> None:
    @verb()
    def again(turn: ScriptedTurn, times: int = 1) -> None:
        """The active player takes more turns."""
        turn.order(*[AddTurn(turn.player)] * times)

    given = {"when": {"turn": 1, "step": "hall"}, "do": "again", "times": 2}
    [story] = fsm.scenarios.load(
        {"given": [given], "expect": [{"turn_order": ["A", "A", "A", "B"]}]},
        place="it",
        ruleset=MODEL,
    )
    assert play(story).failures == []


def test_a_ruleset_without_the_event_refuses_the_verb() -> None:
    @verb(event="insult")
    def insults(turn: ScriptedTurn) -> None:
        """Somebody is insulted."""

    with pytest.raises(ScenarioError, match="insult"):
        fsm.scenarios.load(
            {"given": [{"when": {"turn": 1, "step": "draw"}, "do": "insults"}]}, place="it"
        )


def test_a_name_that_is_taken_and_a_field_of_another_type_are_refused() -> None:
    def add_turn(turn: ScriptedTurn) -> None: ...

    def names(turn: ScriptedTurn, all: list[str]) -> None: ...

    with pytest.raises(ScenarioError, match="'add_turn' is there already"):
        verb()(add_turn)
    with pytest.raises(ScenarioError, match="field 'all' must have the type str, int or bool"):
        verb()(names)


def test_only_a_verb_that_was_registered_can_be_forgotten() -> None:
    with pytest.raises(ScenarioError, match="none that was registered"):
        forget_verb("add_turn")
