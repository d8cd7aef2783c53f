"""Grand Archive with `detail=full`: the parts of declaring an attack, and the way back when one of
them fails.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from itertools import cycle
from typing import Any

import pytest

import fsm
from fsm.coverage import Data, covered, data_of
from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer, Over, Perform, Priority, Request, Signal
from fsm.rulesets import Act, Back, During, Phase, Step, Table, Window
from fsm.scenarios import parse_scenarios, play
from support.amounts import sample
from support.coveragegames import Game, answer_of, games_of
from support.folders import SCENARIOS
from support.playing import quiet, started, until

SPEC = "grand-archive?detail=full"
FULL, SHORT = fsm.load(SPEC), fsm.load("grand-archive")
PARTS = ("choose_attacker", "choose_weapons", "choose_target", "pay_costs", "declare_attack")
STAGES = tuple(f"main_{part}" for part in PARTS)


def declaring(card: bool = False) -> TurnController:
    """A game that waits at the first part: the player acts in main, or a card resolves as main
    begins.
    """
    game = started(FULL)
    stage = "main_triggers" if card else "main_window"
    if card:
        until(game, lambda r: (r.at.turn, r.at.stage) == (2, stage))
        game.answer(quiet(game.request, {"triggers_waiting": True}))
        while game.request.state != "resolve_top":
            game.answer(quiet(game.request, {"stack_empty": False}))
    else:
        until(game, lambda r: isinstance(r, Priority) and (r.at.turn, r.at.stage) == (2, stage))
    game.answer(quiet(game.request, word=None if card else "acted", signal=Signal("attack")))
    return game


def failing(game: TurnController, part: int) -> Request | Over:
    """Answer the parts, and this one fails; with -1 none does."""
    for number, stage in enumerate(STAGES):
        assert game.request.at.stage == stage
        last = number == len(STAGES) - 1
        fact = (
            {"attack_declared": number != part} if last else {"declaration_illegal": number == part}
        )
        game.answer(quiet(game.request, fact))
        if number == part:
            break
    return game.request


@pytest.mark.parametrize("card", [False, True])
def test_a_legal_attack_asks_for_each_part_once(card: bool) -> None:
    assert failing(declaring(card), -1).at.stage == "retaliation_triggers"


@pytest.mark.parametrize("card", [False, True])
@pytest.mark.parametrize("part", range(len(PARTS)), ids=PARTS)
def test_what_fails_undoes_the_whole_attempt(part: int, card: bool) -> None:
    game = declaring(card)
    request = failing(game, part)
    assert (request.at.stage, game.agenda.suspended) == ("main_window", ())
    until(game, lambda r: isinstance(r, Priority) and r.at.stage == "main_window")
    game.answer(quiet(game.request, word="acted", signal=Signal("attack")))
    assert failing(game, -1).at.step == "retaliation"


@pytest.mark.parametrize("part", range(len(PARTS)), ids=PARTS)
def test_nobody_receives_opportunity_between_the_parts(part: int) -> None:
    game = declaring()
    until(game, lambda r: r.at.stage == STAGES[part])
    refusal = game.why_not("acted")
    assert refusal is not None
    assert isinstance(game.request, Perform)


@pytest.mark.parametrize(("event", "then"), [("end_phase", "end"), ("end_turn", "end")])
def test_the_turn_goes_on_when_an_effect_ends_it_in_the_middle_of_a_declaration(
    event: str, then: str
) -> None:
    game = declaring()
    until(game, lambda r: r.at.stage == "main_choose_target")
    game.answer(quiet(game.request, signal=Signal(event)))
    assert until(game, lambda r: r.at.step != "main").at.step == then


# as the short model -------------------------------------------------------------------------------


class Beside:
    """A game of the full model beside the same game of the short one. An attack that fails does so
    part by part.
    """

    def __init__(self, game: Game, failing: Iterator[int]) -> None:
        self.short, self.full = game.begun(SHORT), game.begun(FULL)
        self.failing = failing
        self.attacks = 0

    def answer(self, departure: dict[str, Any]) -> None:
        """Give both the same answer; what comes with that of a declaration comes with its last
        part.
        """
        given = answer_of(self.short, departure)
        facts = dict(given.facts)
        if (
            self.short.request.at.stage == STAGES[-1] and given.word
        ):  # without a word it is an order in between
            self.attacks += 1
            part = -1 if given.facts["attack_declared"] else next(self.failing)
            for _ in PARTS[:part]:
                self.full.answer(quiet(self.full.request))
            if self.full.request.at.stage != STAGES[-1]:
                del facts["attack_declared"]
                facts["declaration_illegal"] = True
        self.short.answer(given)
        self.full.answer(Answer(given.word, facts, given.orders, given.signal))
        assert seen(self.full.request) == seen(self.short.request)


def seen(request: Request | Over) -> tuple[object, ...]:
    """What both models say of a request. In full, a declaration begins with its first part."""
    if isinstance(request, Over):
        return ("over", request.state, request.winners)
    at = request.at
    stage, state = (word.replace(STAGES[0], STAGES[-1]) for word in (at.stage, request.state))
    told = (at.turn, at.active, at.controller, at.extra, at.phase, at.step, at.iteration)
    return (*told, stage, state, request.triggered, request.expired)


GAMES = games_of("grand-archive")


def told(games: list[Game]) -> list[Beside]:
    """These games, told in both models."""
    found, failing = list[Beside](), cycle(range(len(PARTS)))
    for game in games:
        found.append(Beside(game, failing))
        for departure in game.departures:
            found[-1].answer(departure)
    return found


def test_a_game_in_full_is_the_short_one_with_parts_in_between() -> None:
    assert sum(both.attacks for both in told(sample(GAMES, 60))) > 30


CASES = [
    path
    for path in sorted((SCENARIOS / "grand-archive").glob("*.json"))
    if "attack" in path.read_text("utf-8")
]


def in_parts(value: Any) -> Any:
    """The same expectation with the parts of a declaration in place of the one action."""
    if isinstance(value, dict):
        return {key: in_parts(one) for key, one in value.items()}
    if not isinstance(value, list):
        return value
    parts = {"main_declare_attack": STAGES, "declare_attack": PARTS}
    return [
        each
        for one in value
        for each in (parts.get(one) if isinstance(one, str) else None) or (in_parts(one),)
    ]


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_the_worked_cases_hold_in_full(path: Any) -> None:
    data = json.loads(path.read_text(encoding="utf-8"))
    for one in data if isinstance(data, list) else [data]:
        expect = [in_parts(entry) for entry in one["expect"]]
        options = {**one.get("options", {}), "detail": "full"}
        [scenario] = parse_scenarios({**one, "expect": expect, "options": options}, path.stem)
        assert play(scenario).failures == []


def test_the_option_is_named_only_if_it_is_full() -> None:
    assert fsm.load("grand-archive?detail=short") is fsm.load("grand-archive", detail="short")
    assert fsm.load("grand-archive?detail=short") == SHORT
    assert dict(FULL.options)["detail"] == "full"
    assert "detail" not in dict(SHORT.options)
    assert {s.id for s in FULL.states} - {s.id for s in SHORT.states} == set(STAGES[:-1])


# coverage -----------------------------------------------------------------------------------------


@cache
def data() -> Data:
    early = started(FULL)  # no stored game has a signal before the first turn
    early.answer(quiet(early.request, signal=Signal("end_turn")))
    return data_of(FULL, [early.trace, *(both.full.trace for both in told(GAMES))])


@pytest.mark.parametrize("criterion", ["states", "transitions", "rules"])
def test_everything_is_taken(criterion: Any) -> None:
    found = covered(FULL, criterion, data())
    missing = [target.id for target in (*found.missing, *found.refuted)]
    assert [id for id in missing if "clean_up_loop" not in id and "U-24" not in id] == [], (
        "that takes 1000 clean-ups"
    )


def test_nothing_is_wrong_with_the_full_model() -> None:
    assert fsm.check(SPEC) == []
    assert fsm.check("grand-archive?detail=full&edition=OLD") == []


# the table language -------------------------------------------------------------------------------


def test_a_detour_of_any_table_has_several_actions_and_ways_back() -> None:
    insult = During(
        "insult",
        Act("draw_glove", decides="clumsy"),
        Back("window", "clumsy"),
        Act("throw_glove", decides="accepted"),
        Phase("duel", Step("bout", Act("fight"))),
        when="accepted",
    )
    model = Table("court", Phase("day", Step("levee", Window(), during=insult))).build()
    rows = {(r.source, r.target, str(r.guard[0]) if r.guard else "") for r in model.transitions}
    assert {
        ("levee_window", "levee_draw_glove", ""),
        ("levee_draw_glove", "levee_window", "clumsy"),
        ("levee_draw_glove", "levee_throw_glove", ""),
        ("levee_throw_glove", "duel_phase_before", "accepted"),
        ("levee_throw_glove", "levee_window", ""),
    } <= rows
    assert {
        (model.fact(name).timing, model.fact(name).scope) for name in ("clumsy", "accepted")
    } == {("once", "")}
    assert fsm.check(model) == []
