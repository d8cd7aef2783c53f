"""Scenarios of a game nobody wrote a verb for: its windows, facts and events, and a phase inside a
phase.
"""

from __future__ import annotations

from typing import Any

import pytest

import fsm
from fsm.errors import ScenarioError
from fsm.model import Event, Fact, Model
from fsm.rulesets import (
    Absent,
    Act,
    During,
    FrameRules,
    Phase,
    Step,
    Table,
    Then,
    Window,
    priority_window,
    row,
)
from fsm.scenarios import Outcome, play

DUEL = Phase(
    "duel",
    "Duel",
    "3",
    (
        Step(
            "salute",
            "Salute",
            "3.1",
            (
                Window("3.1a", "conditional", "boasts"),
                Window("3.1b"),
                Act("draw_swords", "Draw swords", "3.1c", decides=("swords_drawn",)),
            ),
            then=(Then("bout", "swords_drawn", "3.2"), Then("bow", "", "3.3", "skip")),
        ),
        Step("bout", "Bout", "3.2", (Window("3.2a"), Act("strike", "Strike", "3.2b"))),
        Step("bow", "Bow", "3.3", (Act("bow", "Bow", "3.3a"),)),
    ),
)
COURT = Table(
    name="court",
    title="The Court",
    edition="1",
    phases=(
        Phase(
            "morning",
            "Morning",
            "1",
            (Step("levee", "Levee", "1.1", (Act("dress", "Dress", "1.1a"),)),),
        ),
        Phase(
            "audience",
            "Audience",
            "2",
            (
                Step(
                    "hall",
                    "Hall",
                    "2.1",
                    (Window("2.1a"), Act("sweep", "Sweep", "2.1b"), Window("2.1c", name="late")),
                    during=(
                        During(
                            "challenge",
                            "2.2",
                            Act("throw_glove", "Throw the glove", "2.2a", decides=("accepted",)),
                            into="duel",
                            when="accepted",
                        ),
                    ),
                ),
                Step(
                    "garden",
                    "Garden",
                    "2.3",
                    (Window("2.3a"),),
                    absent=(Absent("raining", "2.3b"),),
                ),
            ),
            inside=(DUEL,),
        ),
    ),
    rules=FrameRules(
        skip="9.1",
        begin="1.2",
        end="1.3",
        extra_turn="9.2",
        extra_phase="",
        extra_step="",
        step_after_phase="",
        no_turn="9.6",
        turn="1.1",
        skip_step="",
    ),
    window=priority_window("court", edition="1"),
    facts=(
        Fact("swords_drawn", "the duel is on", "3.1c"),
        Fact("accepted", "the glove was taken up", "2.2a"),
        Fact("raining", "it rains", "2.3b"),
    ),
    events=(Event("challenge", "somebody is insulted"), Event("player_left", "somebody went home")),
    transitions=(row("turn", None, event="player_left", rule="9.7", layer="jump"),),
)


@pytest.fixture(scope="module")
def court() -> Model:
    return COURT.build()


def at(in_step: str, do: str, stage: str = "", turn: int = 1, **fields: Any) -> dict[str, Any]:
    when = {"turn": turn, "step": in_step, **({"at": stage} if stage else {})}
    return {"when": when, "do": do, **fields}


def told(
    court: Model, *given: dict[str, Any], expect: list[dict[str, Any]], **data: Any
) -> Outcome:
    scenario = {"id": "it", "given": list(given), "expect": expect, **data}
    outcome = play(fsm.scenarios.load(scenario, court, place="cases.json")[0])
    assert outcome.failures == []
    return outcome


CHALLENGE = at("hall", "signal", event="challenge")
ACCEPTED = at("hall", "tell", "hall_throw_glove", fact="accepted")
DRAWN = at("salute", "tell", "salute_draw_swords", fact="swords_drawn")


def test_nothing_happens_by_default(court: Model) -> None:
    quiet = {"turn": 1, "steps": ["levee", "hall", "garden"], "windows": 3, "passes": 6}
    told(
        court,
        expect=[
            quiet,
            {"turn": 1, "stages": ["levee_dress", "hall_window", "hall_sweep", "hall_late"]},
        ],
    )


def test_its_events_and_facts_need_no_verb(court: Model) -> None:
    told(
        court,
        CHALLENGE,
        ACCEPTED,
        DRAWN,
        at("garden", "tell", "begin", turn=2, fact="raining"),
        at("hall", "tell", "hall_sweep", turn=2, fact="raining", value=False),
        expect=[
            {"turn": 1, "steps": ["levee", "hall", "salute", "bout", "bow", "garden"]},
            {"turn": 1, "phases": ["morning", "audience", "duel"]},
            {"turn": 1, "step": "bout", "tba_order": ["strike"]},
            {"turn": 2, "visits": {"garden": 1}},
        ],
    )
    told(court, CHALLENGE, expect=[{"turn": 1, "visits": {"salute": 0}}])
    told(court, CHALLENGE, ACCEPTED, expect=[{"turn": 1, "contains": ["salute", "bow"]}])
    told(
        court,
        at("hall", "tell", "hall_late", fact="raining"),
        expect=[{"turn": 1, "visits": {"garden": 0}}],
    )


def test_what_is_told_last_counts(court: Model) -> None:
    told(
        court,
        CHALLENGE,
        ACCEPTED,
        {**ACCEPTED, "value": False},
        expect=[{"turn": 1, "visits": {"salute": 0}}],
    )


def test_what_waits_while_a_phase_is_inside_goes_on_and_does_not_begin_again(court: Model) -> None:
    told(
        court,
        at("hall", "trigger", "begin", id="Bell"),
        at("hall", "tell", "begin", fact="accepted"),
        CHALLENGE,
        at("hall", "cast", id="Toast", player="A"),
        at("hall", "cast", "hall_late", id="Encore", player="B"),
        expect=[
            {"turn": 1, "visits": {"hall": 1, "salute": 1}},
            {"turn": 1, "step": "hall", "resolves": ["Bell", "signal", "Toast", "Encore"]},
            {"trigger": "Bell", "fires": [{"turn": 1, "step": "hall"}]},
            {"turn": 1, "stages": ["hall_window", "hall_throw_glove", "salute_window"]},
            {"turn": 1, "stages": ["bow_bow", "hall_window", "hall_sweep", "hall_late"]},
        ],
    )


def test_a_window_of_its_own_waits_for_that_window(court: Model) -> None:
    told(
        court,
        at("salute", "cast", "salute_window", id="Second", player="A"),
        at("salute", "trigger", "begin", id="Boast"),
        at("salute", "cast", id="First", player="B", responds=True),
        CHALLENGE,
        ACCEPTED,
        expect=[
            {"turn": 1, "step": "salute", "resolves": ["First", "Boast", "Second"]},
            {"turn": 1, "stages": ["salute_boasts", "salute_window", "salute_draw_swords"]},
        ],
    )


def test_what_is_told_ends_with_the_visit(court: Model) -> None:
    told(
        court,
        at("levee", "tell", fact="accepted"),
        CHALLENGE,
        expect=[{"turn": 1, "visits": {"salute": 0}}],
    )


def test_what_is_told_is_told_until_it_was_read(court: Model) -> None:
    told(
        court,
        at("hall", "tell", "begin", fact="accepted"),
        CHALLENGE,
        at("hall", "cast", player="A", then=[{"do": "signal", "event": "challenge"}]),
        expect=[
            {
                "turn": 1,
                "visits": {"salute": 1},
                "stages": ["hall_throw_glove", "hall_window", "hall_sweep"],
            }
        ],
    )


def test_an_action_twice_in_a_visit_meets_its_items_once(court: Model) -> None:
    told(
        court,
        at("hall", "trigger", "hall_throw_glove", id="Gasp"),
        CHALLENGE,
        at("hall", "cast", player="A", then=[{"do": "signal", "event": "challenge"}]),
        expect=[
            {"trigger": "Gasp", "fires": [{"turn": 1, "step": "hall"}]},
            {
                "turn": 1,
                "stages": ["hall_window", "hall_throw_glove", "hall_window", "hall_throw_glove"],
            },
        ],
    )


def test_a_rollback_knows_what_was_still_to_come(court: Model) -> None:
    told(
        court,
        at("hall", "trigger", "hall_sweep", id="Broom"),
        at("hall", "cast", "hall_late", id="Toast", player="A"),
        at("garden", "rollback", to_turn=1),
        expect=[
            {"turn": 1, "step": "hall", "resolves": ["Broom", "Toast"]},
            {"trigger": "Broom", "fires": [{"turn": 1, "step": "hall"}]},
            {"turn": 1, "steps": ["levee", "hall", "garden"]},
        ],
    )


@pytest.mark.parametrize(
    ("item", "message"),
    [
        (at("hall", "signal", event="duel"), "event 'duel' is not in court; known: challenge"),
        (at("hall", "tell", fact="rainin"), "did you mean 'raining'?"),
        (at("hall", "sba", "salute_window"), "nor a stage of hall"),
        (
            {"do": "add_phase", "phases": ["duel"], "after": {"phase": "duel"}},
            "'add_phase' is not known in court",
        ),
        ({"do": "skip_step", "step": "hall"}, "'skip_step' is not known in court"),
        (at("hall", "combatant", id="X", side="attacker"), "'combatant' is not known in court"),
    ],
)
def test_what_it_does_not_know_is_an_error(
    court: Model, item: dict[str, Any], message: str
) -> None:
    with pytest.raises(ScenarioError) as error:
        fsm.scenarios.load({"given": [item]}, court, place="cases.json")
    assert message in str(error.value)


def test_signals_of_one_answer_are_all_given() -> None:
    hall = Step(
        "hall",
        Window(),
        during=(During("insult", Act("throw_glove")), During("toast", Act("drink"))),
    )
    story = {
        "given": [at("hall", "signal", event="insult"), at("hall", "signal", event="toast")],
        "expect": [{"turn": 1, "steps": ["hall"]}],
    }
    [scenario] = fsm.scenarios.load(story, place="two", ruleset=Table("court", Phase("day", hall)))
    [answer] = [answer for answer in play(scenario).trace.answers if answer.interruptions]
    assert [signal.event for signal in answer.interruptions] == ["insult", "toast"]
