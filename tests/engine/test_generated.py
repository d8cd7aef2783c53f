"""The generated code does what the execution semantics say, firing by firing. Its text is safe and
readable.
"""

from __future__ import annotations

import traceback

import pytest

import fsm
from fsm import Answer, TurnController
from fsm.engine.generated import generated_code_of, write
from fsm.errors import AnswerError, StuckError
from fsm.model import Event, Model, State, Transition
from fsm.rulesets import names
from support.amounts import sample
from support.playing import quiet
from support.wanderer import Wanderer


def both_ways(model: Model, seed: int, answers: int) -> int:
    """Play random games twice, by generated code and firing by firing; how many answers were
    compared.
    """
    twins: dict[int, TurnController] = {}
    compared = []

    def look(chained: TurnController) -> None:
        """Watched, the twin fires one by one."""
        if id(chained) not in twins:
            twins.clear()
            head = chained.trace.head
            twin = twins[id(chained)] = TurnController(
                model, head.players, teams=head.teams, settings=head.settings
            )
            twin.watch(lambda record: None)
        twin = twins[id(chained)]
        twin.answer(
            next(entry for entry in reversed(chained.trace.entries) if isinstance(entry, Answer))
        )
        assert twin.request == chained.request
        assert (twin.agenda, twin.calendar, twin.facts) == (
            chained.agenda,
            chained.calendar,
            chained.facts,
        )
        compared.append(chained.request)

    list(Wanderer(model, seed, look).games(answers))
    return len(compared)


@pytest.mark.parametrize("name", names())
def test_generated_code_and_single_firings_agree(name: str) -> None:
    assert both_ways(fsm.load(name), seed=21, answers=2_500) == 2_500


@pytest.mark.parametrize("name", sample(names(), 1, seed=2))
def test_a_hole_is_met_alike(name: str) -> None:
    """Without a transition, both ways stop at the same place and say the same."""
    model = fsm.load(name)
    for row in model.transitions[:: len(model.transitions) // 12]:
        hole = model.without(row.id)
        messages = []
        for watched in (False, True):
            try:
                game = TurnController(hole, ["A", "B"])
                if watched:
                    game.watch(lambda record: None)
                for _ in range(400):
                    game.answer(quiet(game.request))
                messages.append("")
            except StuckError as stuck:
                messages.append(str(stuck))
        assert messages[0] == messages[1]


@pytest.mark.parametrize("name", names())
def test_the_text_is_the_same_each_time(name: str) -> None:
    model = fsm.load(name)
    again = Model.from_json(model.to_json())
    assert write(model) == write(again) == generated_code_of(model).sources[0]
    assert write(model, idle=True) == generated_code_of(again).sources[1]
    assert len(write(model, idle=True)) < len(write(model))


def test_the_text_names_states_and_rules() -> None:
    text = write(fsm.load("magic"), idle=True)
    assert "def turn_cleanup_window_closed(run):" in text
    assert "if 'window_opened' in run.latched:  # 514.3a" in text


@pytest.mark.no_fsm_cov
def test_tracebacks_show_the_generated_lines() -> None:
    game = TurnController(fsm.load("magic").without("upkeep_before -> upkeep_begin"), ["A", "B"])
    with pytest.raises(StuckError) as stuck:
        for _ in range(30):
            game.answer(Answer("done"))
    shown = "".join(traceback.format_exception(stuck.value))
    assert "transition code of magic" in shown
    assert "return nothing(run, 'state', 'done')" in shown


HOSTILE = ['\'\\n"""; import os #', "x\ny", "del", "ß", "a b", "a-b", "a_b", "\x00", "'", "\\"]


def test_words_from_outside_stay_words() -> None:
    """States, facts and rules with any characters at all: nothing of them becomes code."""
    ids = HOSTILE
    states = tuple(
        State(id, "action", asks="perform", action=id, rule=f"{id}\n    raise SystemExit")
        for id in ids
    )
    rows = tuple(
        Transition(here, there, rule=f"{here}\r raise SystemExit")
        for here, there in zip(ids, [*ids[1:], ids[0]], strict=True)
    )
    model = Model("evil\nraise SystemExit", ids[0], states, rows, edition="\u2028raise SystemExit")
    game = TurnController(model, ["A"])
    assert [game.answer(Answer()).state for _ in ids] == [*ids[1:], ids[0]]


def test_a_fact_that_is_not_told_changes_nothing() -> None:
    game = TurnController(fsm.load("magic"), ["A", "B"])
    while "sba_performed" not in game.request.facts:
        game.answer(Answer())
    before = game.snapshot()
    with pytest.raises(AnswerError, match="does not tell the fact 'triggers_waiting'"):
        game.answer(Answer("done", {"sba_performed": False}))
    assert game.snapshot() == before


def test_a_chain_that_never_ends_is_stuck() -> None:
    states = (
        State("here", "action", asks="perform", action="act"),
        State("round", "stage"),
        State("about", "stage"),
    )
    rows = (Transition("here", "round"), Transition("round", "about"), Transition("about", "round"))
    model = Model("endless", "here", states, rows, events=(Event("done", completion=True),))
    assert not generated_code_of(model).sure
    game = TurnController(model, ["A"])
    with pytest.raises(StuckError, match="nothing was asked"):
        game.answer(Answer())
    assert game.request.state == "here"
