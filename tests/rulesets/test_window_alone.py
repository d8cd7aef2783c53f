"""The window of a ruleset can be had alone: priority without a turn (CR 117, Opportunity)."""

from __future__ import annotations

from random import Random

import pytest

import fsm
from fsm import CheckState, Leave, Over, Priority, StartAt, TurnController
from fsm.checks import prove
from fsm.errors import RulesetError
from fsm.model import Opens
from fsm.rulesets import names, window_alone
from fsm.testing import traversed


def alone(name: str = "magic", players: str = "AB", opens: Opens = "natural") -> TurnController:
    return TurnController(window_alone(fsm.load(name), opens), list(players))


def heard(game: TurnController, *words: str) -> list[str]:
    """Who gets priority while these words are said, "acted" with an object on the stack."""
    given, found, stack = [*words], list[str](), 0
    for request in game:
        if isinstance(request, Priority):
            found.append(request.player)
            if given and given.pop(0) == "acted":
                stack += 1
                game.answer(request.acted(stack_empty=False))
                continue
        stack -= isinstance(request, fsm.Resolve)
        told = {"stack_empty": not stack} if "stack_empty" in request.facts else {}
        game.answer(request.quiet(**told))
    return found


@pytest.mark.parametrize(
    ("name", "players", "words", "wanted"),
    [
        ("magic", "AB", [], "AB"),
        ("magic", "AB", ["acted", "passed", "passed"], "AABAB"),
        ("magic", "AB", ["passed", "acted", "passed", "passed"], "ABBAAB"),
        ("grand-archive", "ABC", [], "ABC"),
    ],
    ids=["nobody acts", "117.3c, 117.3b", "the other acts", "Opportunity 4"],
)
def test_priority_goes_round_until_all_pass(
    name: str, players: str, words: list[str], wanted: str
) -> None:
    """117.3b: after a resolution, the active player gets it. 117.3c: who acts keeps it. 117.4."""
    game = alone(name, players)
    assert "".join(heard(game, *words)) == wanted
    assert isinstance(game.request, Over) and game.request.state == "window_closed"


@pytest.mark.parametrize(("performed", "wanted"), [(False, ""), (True, "AB")])
def test_a_conditional_window_opens_only_if_something_happened(
    performed: bool, wanted: str
) -> None:
    """514.3a"""
    game = alone(opens="conditional")
    assert isinstance(game.request, CheckState)
    game.answer(game.request.done(sba_performed=performed, triggers_waiting=False))
    assert "".join(heard(game)) == wanted


def test_who_leaves_receives_priority_no_more() -> None:
    """800.4a. 104.2a: when one is left, the game is over."""
    game = alone(players="ABC")
    game.answer(game.request.quiet())  # type: ignore[union-attr]
    game.order(Leave("A"))
    assert heard(game.fork()) == ["B", "C"]
    over = game.order(Leave("C"))
    assert isinstance(over, Over)
    assert (over.state, over.winners) == ("game_over", ("B",))


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("seed", [1, 2])
def test_it_asks_what_the_window_in_a_turn_asks(name: str, seed: int) -> None:
    step = "recollection" if name == "grand-archive" else "upkeep"
    turn = TurnController(fsm.load(name), ["A", "B", "C"], start=StartAt(step, 4, "A"))
    while turn.model.state(turn.position.stage).opens != "natural":
        turn.answer(turn.request.quiet())  # type: ignore[union-attr]
    game, random = alone(name, "ABC"), Random(seed)
    for _ in range(60):
        request, other = game.request, turn.request
        if isinstance(request, Over) or isinstance(other, Over):
            assert turn.model.state(turn.position.stage).opens != "natural"
            return
        assert (request.state, request.by) == (other.state, other.by)
        facts = {fact: random.random() < 0.7 for fact in sorted({*request.facts, *other.facts})}
        facts["sba_performed"] = facts["triggers_waiting"] = random.random() < 0.1
        word = random.choice(["acted", "passed"]) if isinstance(request, Priority) else "done"
        for one in (game, turn):
            read = {fact: facts[fact] for fact in one.request.facts}
            one.answer(fsm.Answer(word, read))  # type: ignore[arg-type]


@pytest.mark.parametrize("name", names())
def test_checks_proofs_pictures_and_coverage_work_on_it(name: str) -> None:
    model = window_alone(fsm.load(name))
    assert fsm.check(model) == []
    assert prove(model).ok
    assert "window" in str(fsm.draw(model, format="dot"))
    game = TurnController(model, ["A", "B"])
    with traversed(game) as way:
        heard(game)
    assert way.took("window -> window_closed on closed")


def test_a_model_without_such_a_window_is_refused(window: fsm.Model, magic: fsm.Model) -> None:
    with pytest.raises(RulesetError, match="magic-window has no window"):
        window_alone(window)
    with pytest.raises(RulesetError, match="no window of magic opens 'conditional_round'; there"):
        window_alone(magic, "conditional_round")
