"""Magic with `detail=full`: the parts of untapping, declaring and assigning, and the way back from
what is illegal.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import cycle
from typing import Any
from xml.etree import ElementTree

import pytest

import fsm
from fsm.analysis.modelchecking.bounds import Bounds
from fsm.analysis.modelchecking.proof import prove
from fsm.coverage import Data, covered, data_of
from fsm.engine.codec import encode
from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer, Over, Perform, Request
from fsm.model import Model
from fsm.rulesets.stated_properties import properties_of
from fsm.scenarios import parse_scenarios, play
from fsm.state.orders import AddPhase, AddStep
from fsm.views.drawing import draw
from support.amounts import sample, thorough
from support.coveragegames import Game, answer_of, games_of
from support.folders import SCENARIOS
from support.playing import quiet, started, until

SPEC = "magic?detail=full"
FULL, SHORT = fsm.load(SPEC), fsm.load("magic")
SVG = "{http://www.w3.org/2000/svg}"
BOUND = 60
"""More answers than any declaration needs, with what is illegal in it."""
ILLEGAL = ("declaration_illegal", "assignment_illegal")


class Beside:
    """A game of the full model beside the same game of the short one, which asks for less.

    `illegal`: whether each declaration or assignment is illegal, one after the other; then two are
    legal, and so on.
    """

    def __init__(self, game: Game, illegal: tuple[bool, ...]) -> None:
        self.short, self.full = game.begun(SHORT), game.begun(FULL)
        self.illegal = cycle((*illegal, False, False))
        self.parts = 0
        self._meet()

    def answer(self, departure: dict[str, object]) -> None:
        """Give both the same answer, and go on in full to where the short game waits."""
        given = answer_of(self.short, departure)
        known = answer_of(self.full, {}).facts
        self.short.answer(given)
        told = {name: given.facts.get(name, value) for name, value in known.items()}
        self.full.answer(Answer(given.word, {**given.facts, **told}, given.orders, given.signal))
        self._meet()

    def _meet(self) -> None:
        noticed: Counter[object] = Counter()
        for _ in range(BOUND):
            request = self.full.request
            noticed.update(notices(request))
            if seen(request) == seen(self.short.request):
                assert noticed == Counter(notices(self.short.request))
                return
            assert isinstance(request, Perform), (
                f"{seen(request)} is no part of {seen(self.short.request)}"
            )
            assert request.at.stage not in IN_BOTH
            self.parts += 1
            self.full.answer(
                quiet(
                    request, {name: next(self.illegal) for name in request.facts if name in ILLEGAL}
                )
            )
        raise AssertionError(
            f"it does not come back from {seen(self.full.request)} to {seen(self.short.request)}"
        )


IN_BOTH = {s.id for s in SHORT.states} & {s.id for s in FULL.states}
"""Where both can wait; what the full model asks for in between is never one of these."""


def notices(request: Request | Over) -> tuple[object, ...]:
    """What has triggered and what is over since the request before."""
    return (*request.triggered, *request.expired)


def seen(request: Request | Over) -> tuple[object, ...]:
    """What both models say of a request. In full, assigning damage begins with that of the
    attackers.
    """
    if isinstance(request, Over):
        return ("over", request.state, request.winners)
    stage = request.at.stage.replace("assign_attackers", "assign_combat_damage")
    at = request.at
    told = (at.turn, at.active, at.controller, at.extra, at.phase, at.step, at.iteration, stage)
    return (*told, request.state if request.state != at.stage else "")


GAMES = games_of("magic")
WAYS: tuple[tuple[bool, ...], ...] = ((), (True,), (False, True), (False, False, True, True))


@pytest.mark.parametrize("illegal", WAYS, ids=str)
def test_a_game_in_full_is_the_short_one_with_parts_in_between(illegal: tuple[bool, ...]) -> None:
    """Turn, player, phase, step, window and triggers of every request, whatever is illegal
    meanwhile.
    """
    parts = 0
    for game in sample(GAMES, 60, seed=len(illegal)):
        both = Beside(game, illegal)
        for departure in game.departures:
            both.answer(departure)
        parts += both.parts
    assert parts > 100


def cases() -> Iterator[dict[str, Any]]:
    """The worked cases of Magic, as plain values."""
    for path in sorted((SCENARIOS / "magic").glob("*.json")):
        found = json.loads(path.read_text("utf-8"))
        yield from (
            one for one in (found if isinstance(found, list) else [found]) if "ruleset" not in one
        )


OF_PARTS = ("tba_order", "performs", "stages")
"""What a scenario expects of single actions, which differ."""


@pytest.mark.parametrize("case", sample(cases(), 20), ids=lambda case: case["id"])
def test_a_worked_case_holds_in_full_too(case: dict[str, Any]) -> None:
    """All that it expects, but for the single actions of a step."""
    expect = [
        {key: value for key, value in entry.items() if key not in OF_PARTS}
        for entry in case["expect"]
    ]
    given = {**case, "options": {**case.get("options", {}), "detail": "full"}}
    told = {
        **given,
        "expect": [
            entry for entry in expect if not entry.keys() <= {"turn", "step", "iteration", "note"}
        ],
    }
    outcome = play(parse_scenarios(told, case["id"])[0])
    assert (list(outcome.failures), list(outcome.warnings)) == ([], [])


def declare(game: TurnController, action: str, *illegal: str) -> list[str]:
    """The actions from here on to the next window; the first time that something asks for these
    facts, they hold.
    """
    asked, told = list[str](), list(illegal)
    until(game, lambda r: isinstance(r, Perform) and r.action == action)
    while isinstance(request := game.request, Perform):
        asked.append(request.action)
        facts = {name: True for name in request.facts if name in told}
        told = [name for name in told if name not in facts]
        game.answer(quiet(request, facts))
    return asked


CHOOSE, TAP = ["choose_attackers", "check_attackers"], ["tap_attackers", "pay_to_attack"]
ATTACK = [*CHOOSE, *TAP, "declare_attackers", "trigger_on_attackers"]


def test_a_legal_attack_asks_for_each_part_once() -> None:
    assert declare(started(FULL), "choose_attackers") == ATTACK


def test_an_illegal_attack_goes_back_to_before_it_and_then_is_declared() -> None:
    game = started(FULL)
    assert declare(game, "choose_attackers", "declaration_illegal") == [*CHOOSE, *ATTACK]
    assert game.position.stage == "declare_attackers_window"


def test_a_creature_attacks_only_once_the_whole_declaration_is_legal() -> None:
    """What makes an attack, `attackers_declared`, is asked of the last declaration only."""
    game = started(FULL)
    until(game, lambda r: isinstance(r, Perform) and "attackers_declared" in r.facts)
    assert [
        r.source for r in game.trace.records if r.target == "declare_attackers_declare_attackers"
    ] == ["declare_attackers_pay_to_attack"]


def test_a_turn_can_be_ended_in_the_middle_of_a_declaration() -> None:
    game = started(FULL)
    request = until(game, lambda r: isinstance(r, Perform) and r.action == "tap_attackers")
    game.answer(quiet(request, signal=fsm.Signal("end_turn")))
    until(game, lambda r: r.at.step == "cleanup")


def test_what_untaps_is_determined_first() -> None:
    game = started(FULL)
    asked = []
    while isinstance(request := game.request, Perform) and request.at.step == "untap":
        asked.append(request.action)
        game.answer(quiet(request))
    assert asked == ["phasing", "day_night", "determine_untap", "untap_permanents", "empty_mana"]


def test_the_option_is_named_only_if_it_is_full() -> None:
    assert fsm.load("magic?detail=short") is fsm.load("magic", detail="short")
    assert fsm.load("magic?detail=short") == SHORT
    assert dict(FULL.options)["detail"] == "full"
    assert "detail" not in dict(SHORT.options)


def test_the_states_of_the_short_model_are_all_there_but_those_that_have_parts() -> None:
    assert {s.id for s in SHORT.states} - {s.id for s in FULL.states} == {
        "first_strike_damage_assign_combat_damage",
        "combat_damage_assign_combat_damage",
    }


# pictures -----------------------------------------------------------------------------------------


def texts(model: Model, view: str) -> list[str]:
    """What is written in a picture, without what only a pointer shows."""
    return [
        "".join(e.itertext())
        for e in ElementTree.fromstring(draw(model, view=view)).iter(f"{SVG}text")
    ]


def test_the_turn_at_a_glance_has_the_same_cards() -> None:
    assert texts(FULL, "turn") == texts(SHORT, "turn")


def test_the_picture_of_a_step_shows_its_parts_and_the_way_back() -> None:
    told = " ".join(texts(FULL, "step:declare_attackers_step"))
    parts = [
        "Choose attackers",
        "Check requirements",
        "Attackers tap",
        "Pay costs",
        "Creatures become attackers",
    ]
    assert [part for part in (*parts, "Abilities trigger") if part not in told] == []
    assert told.count("[declaration illegal]") == 2


# coverage -----------------------------------------------------------------------------------------


EXTRAS = (
    AddStep("upkeep", before="declare_blockers"),
    AddStep("upkeep", before="first_strike_damage"),
    AddStep("upkeep", "postcombat_main"),
    AddPhase(("main",), "beginning"),
)
FIGHT = ("attackers_declared", "first_strike_in_combat")


def stored() -> Iterator[Beside]:
    """The stored games of Magic, told in full, with what is illegal here and there."""
    for number, game in enumerate(GAMES):
        both = Beside(game, WAYS[number % len(WAYS)])
        for departure in game.departures:
            both.answer(departure)
        yield both


def crowded() -> Beside:
    """A turn with an attack, first strike, and steps and phases in between that no stored game has."""
    both = Beside(Game(("A", "B"), (), (), ()), WAYS[1])
    both.answer({"orders": [encode(order) for order in EXTRAS]})
    while both.short.request.at.turn == 1:
        both.answer({"facts": [name for name in both.short.request.facts if name in FIGHT]})
    return both


@cache
def data() -> Data:
    return data_of(FULL, [both.full.trace for both in (*stored(), crowded())])


@pytest.mark.parametrize(
    "criterion", ["states", "transitions", "rules", pytest.param("literals", marks=thorough)]
)
def test_everything_is_taken(criterion: str) -> None:
    found = covered(FULL, criterion, data())
    assert [target.id for target in (*found.missing, *found.refuted)] == []


def test_nothing_is_wrong_with_the_full_model() -> None:
    assert fsm.check(SPEC) == []


@pytest.mark.parametrize(
    "pending", [pytest.param(0, id="nothing pending"), pytest.param(1, marks=thorough)]
)
def test_one_turn_is_proved(pending: int) -> None:
    proof = prove(FULL, Bounds(turns=1, stack=1, pending=1, together=pending), spec=SPEC)
    assert not proof.violated
    assert not proof.troubles


def test_a_declaration_that_is_never_legal_would_be_one_that_nothing_ends() -> None:
    """The proof supposes that players declare legally in the end, as `quiet` of the two facts says."""
    facts = tuple(replace(fact, quiet=None) for fact in FULL.facts)
    stated = [one for one in properties_of("magic") if one.name == "turn_ends"]
    proof = prove(
        replace(FULL, facts=facts),
        Bounds(turns=1, stack=0, together=0),
        properties=stated,
        spec=SPEC,
    )
    assert [one.name for one in proof.violated] == ["turn_ends"]
