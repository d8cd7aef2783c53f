"""Every value of an order is checked as it is given: what is accepted can be saved, and restored."""

from __future__ import annotations

import copy
import json
from dataclasses import fields
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fsm
from fsm import (
    AddPhase,
    AddStep,
    AddTurn,
    Answer,
    ControlNextTurn,
    DelayedTrigger,
    Effect,
    Model,
    Signal,
    SkipPhase,
    SkipStep,
    SkipTurn,
    StandingTrigger,
    Trace,
    TurnController,
)
from fsm.errors import AnswerError, FsmError, OrderError
from fsm.orders import Order
from fsm.state.orders import MOST, MOST_WAITING
from support.playing import quiet, started, through, to, unchanged

MAGIC = fsm.load("magic")
ORDERS: tuple[type, ...] = get_args(Order)


def refused(game: TurnController, answer: Answer, *words: str) -> None:
    """The answer raises one sentence with these words, and nothing has changed."""
    unchanged(game, lambda: game.answer(answer), (AnswerError, OrderError), *words)


# types --------------------------------------------------------------------------------------------


class MyTurn(AddTurn):
    """An order of somebody's own."""


WRONG_TYPES: list[tuple[Any, str]] = [
    (Effect(3, "A"), "Effect.id must be a string, not 3"),  # type: ignore[arg-type]
    (DelayedTrigger(None, "upkeep"), "DelayedTrigger.id must be a string, not None"),  # type: ignore[arg-type]
    (
        StandingTrigger("x", "upkeep", first_each_turn=1),  # type: ignore[arg-type]
        "StandingTrigger.first_each_turn must be true or false, not 1",
    ),
    (AddStep([]), "AddStep.step must be a string, not []"),  # type: ignore[arg-type]
    (AddPhase(([],)), "AddPhase.phases must be a tuple of strings, not ([],)"),  # type: ignore[arg-type]
    (AddPhase(["combat"]), "AddPhase.phases must be a tuple of strings, not ['combat']"),  # type: ignore[arg-type]
    (AddPhase(("combat",), after=["x"]), "AddPhase.after must be a string, not ['x']"),  # type: ignore[arg-type]
    (AddPhase(("combat",), you_get=None), "AddPhase.you_get must be true or false, not None"),  # type: ignore[arg-type]
    (AddTurn({"A"}), "AddTurn.player must be a string"),  # type: ignore[arg-type]
    (SkipTurn("A", 10**5000), "a count must be from 1 to 1000, not a value of type int"),
    (ControlNextTurn("A", "B", "yes"), "ControlNextTurn.extra_turn_after must be true or false"),  # type: ignore[arg-type]
    (SkipPhase([]), "SkipPhase.phase must be a string, not []"),  # type: ignore[arg-type]
    (AddStep("beginning", after="current_phase"), "step 'beginning'"),
    (MyTurn("A"), "is not an order"),
    (AddTurn, "is not an order"),
    (None, "None is not an order"),
]


@pytest.mark.parametrize(("order", "words"), WRONG_TYPES, ids=[words for _, words in WRONG_TYPES])
def test_a_value_of_another_type_is_refused(magic: Model, order: Any, words: str) -> None:
    game = started(magic)
    refused(game, quiet(game.request, orders=[order]), words)
    with pytest.raises(OrderError):
        TurnController(magic, ["A", "B"], orders=[order])


def test_what_else_an_answer_holds_is_checked_as_well(magic: Model) -> None:
    game = started(magic)
    refused(game, Answer([]), "answer 'done', not []")  # type: ignore[arg-type]
    refused(game, Answer(facts={3: True}), "fact 3 is not one")  # type: ignore[dict-item]
    refused(game, Answer(facts={10**5000: True}), "fact a value of type int is not one")  # type: ignore[dict-item]
    refused(game, Answer(signal=Signal("end_turn", 3)), "Signal.player must be a string, not 3")  # type: ignore[arg-type]
    refused(game, Answer(signal=Signal(["end_turn"])), "Signal.event must be a string")  # type: ignore[arg-type]


def test_a_controller_keeps_a_copy_of_what_it_was_given(magic: Model) -> None:
    game = started(magic)
    to(game, "upkeep")
    facts, orders = dict(quiet(game.request).facts), [AddTurn("A")]
    game.answer(Answer("passed", facts, orders))  # type: ignore[arg-type]
    told = dict(facts)
    facts.clear()
    orders.clear()
    assert game.trace.answers[-1] == Answer("passed", told, (AddTurn("A"),))


# limits -------------------------------------------------------------------------------------------

TOO_MUCH: list[tuple[tuple[Order, ...], str]] = [
    (
        (AddTurn("A", MOST), AddTurn("A")),
        "the agenda holds at most 1000 entries, and with AddTurn(",
    ),
    ((SkipTurn("A", 600), SkipStep("upkeep", "A"), AddTurn("B", 400)), "would hold 1001"),
    ((AddPhase(("combat",) * MOST, count=MOST),), "the agenda holds at most 1000 entries"),
    ((AddPhase(("combat",) * (MOST + 1)),), "the agenda holds at most 1000 entries"),
    ((AddTurn("A", MOST), ControlNextTurn("A", "B")), "would hold 1001"),
    (
        (Effect("x", "A"),) * (MOST_WAITING + 1),
        f"an answer carries at most 100000 orders, not {MOST_WAITING + 1}",
    ),
    (
        (AddTurn("A"),) * 100_000,
        "an answer carries at most 1000 orders besides effects and triggers, not 100000",
    ),
]


@pytest.mark.parametrize(("orders", "words"), TOO_MUCH, ids=[words for _, words in TOO_MUCH])
def test_no_way_to_spell_a_count_evades_the_limit(
    magic: Model, orders: tuple[Order, ...], words: str
) -> None:
    game = started(magic)
    refused(game, quiet(game.request, orders=orders), words)


def test_a_calendar_holds_so_much(magic: Model) -> None:
    game, kinds = (
        started(magic),
        (Effect("x", "A"), DelayedTrigger("x", "upkeep"), StandingTrigger("x", "upkeep")),
    )
    game.answer(quiet(game.request, orders=[*kinds * (MOST_WAITING // 3), Effect("y", "A")]))
    for order in kinds:
        with pytest.raises(OrderError, match=r"at most 100000 entries.*would hold 100001"):
            game.answer(quiet(game.request, orders=[order]))
        assert game.calendar.pending == MOST_WAITING


def test_what_a_game_starts_with_is_limited_as_well(magic: Model) -> None:
    with pytest.raises(OrderError, match="the agenda holds at most 1000 entries"):
        TurnController(magic, ["A", "B"], orders=[AddTurn("A", 600), AddTurn("B", 600)])


def test_there_is_room_again_once_something_has_come_to_pass(magic: Model) -> None:
    game = started(magic)
    game.answer(quiet(game.request, orders=[AddTurn("A", MOST)]))
    through(game, 1)
    game.answer(quiet(game.request, orders=[AddTurn("A")]))
    assert game.agenda.pending == MOST


# whatever is accepted -----------------------------------------------------------------------------

NAMES, PHASES, STEPS = (
    st.sampled_from(["A", "B"]),
    st.just("main"),
    st.sampled_from(["draw", "end"]),
)
RIGHT: dict[str, st.SearchStrategy[object]] = {
    "player": NAMES,
    "by": NAMES,
    "whose": st.one_of(NAMES, st.just("each")),
    "phases": st.lists(PHASES, max_size=2).map(tuple),
    "step": STEPS,
    "what": STEPS,
    "level": st.just("step"),
    "after": st.sampled_from(["", "current_phase"]),
    "before": st.just(""),
    "scope": st.sampled_from(["next", "each", "this_turn", "all_next_turn"]),
    "on": st.sampled_from(["next", "your_next_turn"]),
    "until": st.just("end_of_turn"),
    "id": st.text(),
    "count": st.integers(1, 3),
    "nth": st.integers(1, 3),
}
ANYTHING: st.SearchStrategy[object] = st.one_of(
    st.text(),
    st.booleans(),
    st.integers(),
    st.sampled_from(
        [
            None,
            0.5,
            b"A",
            10**5000,
            object(),
            ["A"],
            ("A",),
            ("main", 3),
            ([],),
            "main",
            "combat",
            "each",
        ]
    ),
)


@st.composite
def orders(draw: st.DrawFn) -> object:
    """An order of any kind with values of any kind, most of them right."""
    kind = draw(st.sampled_from(ORDERS))
    odd = draw(st.sampled_from(["", *(field.name for field in fields(kind))]))
    values = {
        f.name: ANYTHING if f.name == odd else RIGHT.get(f.name, st.booleans())
        for f in fields(kind)
    }
    return kind(**draw(st.fixed_dictionaries(values)))


@pytest.mark.parametrize("ruleset", ["magic", "grand-archive"])
@given(told=st.lists(orders(), min_size=1, max_size=4))
def test_a_game_that_accepted_an_answer_is_restored_as_it_is(ruleset: str, told: list[Any]) -> None:
    game = started(fsm.load(ruleset))
    for order in told:
        answer = quiet(game.request, orders=[order])
        try:
            game.answer(answer)
        except FsmError as error:
            assert "\n" not in str(error)
    data = game.snapshot()
    restored = TurnController.restore(game.model, json.loads(json.dumps(data)))
    assert (restored.request, restored.snapshot()) == (game.request, data)
    assert Trace.read(game.trace.lines()).entries == game.trace.entries


# copies -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_a_copy_of_a_controller_is_a_fork(magic: Model, copied: Any) -> None:
    game = started(magic)
    request, data = game.request, game.snapshot()
    twin = copied(game)
    through(twin, 1)
    assert (game.request, game.snapshot()) == (request, data)
    assert twin.position.turn == 2
