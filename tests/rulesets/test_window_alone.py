"""A window of a ruleset alone: an engine can have our priority without our turn (CR 117,
Opportunity).
"""

from __future__ import annotations

import json
from random import Random

import pytest

import fsm
from fsm import Answer, CheckState, Leave, Over, Priority, Request, StartAt, TurnController
from fsm.checks import prove
from fsm.engine.requests import Word
from fsm.errors import RulesetError
from fsm.rulesets import names, window_alone
from fsm.testing import traversed
from support.playing import asked, log_of, quiet, until

NOTHING = Answer("done", {"sba_performed": False, "triggers_waiting": False})
EMPTY, FULL = Answer("passed", {"stack_empty": True}), Answer("passed", {"stack_empty": False})


def alone(name: str = "magic", players: str = "AB") -> TurnController:
    return TurnController(window_alone(fsm.load(name)), tuple(players))


def test_a_window_closes_when_all_pass_on_an_empty_stack() -> None:
    """117.4; 117.3a: the active player, who is the first, receives priority first; 704.3: a check
    comes before.
    """
    game = alone()
    assert (game.position.turn, game.position.active, game.position.step) == (1, "A", "window")
    assert log_of(game, [NOTHING, EMPTY, NOTHING, EMPTY]) == [
        "check",
        "priority A",
        "check",
        "priority B",
        "over",
    ]
    assert game.request == Over(game.position, "window_closed")


def test_what_is_on_the_stack_resolves_first() -> None:
    """117.3c: who acts receives priority again; 117.3b: after a resolution the active player does."""
    log = log_of(
        alone(), [NOTHING, Answer("acted"), NOTHING, FULL, NOTHING, FULL, Answer(), NOTHING]
    )
    assert log == [
        "check",
        "priority A",
        "check",
        "priority A",
        "check",
        "priority B",
        "resolve",
        "check",
        "priority A",
    ]


def test_opportunity_goes_round_in_grand_archive() -> None:
    """Opportunity 8.1: who acts keeps it. Opportunity 4: all must pass on an empty Effects Stack."""
    calm = dict.fromkeys(
        ("sba_performed", "triggers_waiting", "interdiction_on_stack", "attack_required"), False
    )
    game, heard = alone("grand-archive", "ABC"), list[str]()
    for word in ("acted", "passed", "passed", "passed"):
        until(game, lambda r: isinstance(r, Priority))
        heard.append(asked(game.request))
        game.answer(Answer(word, {**calm, "stack_empty": True}))
    assert heard == ["priority A", "priority A", "priority B", "priority C"]
    assert isinstance(game.request, Over)


def test_a_conditional_window_opens_only_if_something_happened() -> None:
    """514.3a"""
    model = window_alone(fsm.load("magic"), "conditional")
    assert isinstance(TurnController(model, ("A", "B")).answer(NOTHING), Over)
    game = TurnController(model, ("A", "B"))
    game.answer(Answer("done", {"sba_performed": True, "triggers_waiting": False}))
    assert isinstance(game.answer(NOTHING), Priority)


def test_who_leaves_receives_priority_no_more() -> None:
    """800.4a; 104.2a: when one is left, the game is over."""
    game = alone(players="ABC")
    game.answer(NOTHING)
    assert asked(game.order(Leave("A"))) == "check"
    assert asked(until(game, lambda r: isinstance(r, Priority))) == "priority B"
    over = game.order(Leave("C"))
    assert isinstance(over, Over)
    assert (over.state, over.winners) == ("game_over", ("B",))


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("seed", range(5))
def test_it_asks_what_the_window_in_a_turn_asks(name: str, seed: int) -> None:
    """As long as the window in the turn is open, both ask the same of the same players."""
    model = fsm.load(name)
    start = StartAt("recollection" if name == "grand-archive" else "upkeep", 4, "A")
    turn = TurnController(model, ("A", "B", "C"), start=start)
    window = until(
        turn, lambda r: isinstance(r, CheckState) and model.state(r.at.stage).opens == "natural"
    ).at.stage
    game, random = alone(name, "ABC"), Random(seed)
    for _ in range(60):
        if isinstance(game.request, Over):
            assert turn.position.stage != window
            return
        assert key(game.request) == key(turn.request)
        facts = {
            fact: random.random() < 0.6
            for fact in sorted({*game.request.facts, *turn.request.facts})
        }
        facts["sba_performed"] = facts["triggers_waiting"] = random.random() < 0.1
        words: tuple[Word, ...] = (
            ("acted", "passed") if isinstance(game.request, Priority) else ("done",)
        )
        word = random.choice(words)
        game.answer(Answer(word, {fact: facts[fact] for fact in game.request.facts}))
        turn.answer(Answer(word, facts))


def key(request: Request | Over) -> object:
    return request.state, getattr(request, "players", ()), getattr(request, "manner", "")


@pytest.mark.parametrize("name", names())
def test_checks_proofs_pictures_and_coverage_work_on_it(name: str) -> None:
    model = window_alone(fsm.load(name))
    assert fsm.check(model) == []
    assert prove(model).ok
    assert "window" in str(fsm.draw(model))
    game = TurnController(model, ("A", "B"))
    with traversed(game) as t:
        while not isinstance(game.request, Over):
            game.answer(quiet(game.request))
    assert t.took("window -> window_closed on closed")


def test_it_is_saved_and_replayed_like_any_game() -> None:
    game = alone()
    game.answer(NOTHING)
    again = TurnController.restore(game.model, json.loads(json.dumps(game.snapshot())))
    assert again.request == game.request
    assert game.trace.replay(game.model).request == game.request


def test_a_model_without_such_a_window_is_refused() -> None:
    magic = fsm.load("magic")
    assert magic.window is not None
    with pytest.raises(RulesetError, match="magic-window has no window"):
        window_alone(magic.window)
    with pytest.raises(
        RulesetError, match="no window of magic opens 'conditional_round'; there is"
    ):
        window_alone(magic, "conditional_round")
