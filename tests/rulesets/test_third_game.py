"""A game with phases Magic does not have: engine, pictures and checks take it as it is. And house
rules.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import fsm
from fsm import (
    AddPhase,
    AddStep,
    AddTurn,
    Answer,
    CheckState,
    Over,
    Perform,
    Priority,
    Request,
    SkipPhase,
    SkipStep,
    TurnController,
    draw,
    drive,
    load,
)
from fsm.checks import check
from fsm.model import Event, Fact, Model
from fsm.rulesets import (
    Absent,
    Act,
    Again,
    FrameRules,
    Phase,
    Step,
    Table,
    Then,
    Window,
    priority_window,
    row,
)
from fsm.rulesets.magic import ruleset as magic
from fsm.runs.taken import taken
from fsm.scenarios import play
from support.playing import quiet, started, steps, through, to, to_action, turns

# the game: a year of an orchard, with a raid on the neighbours ------------------------------------

ORCHARD = Table(
    name="orchard",
    title="Orchard and Raid",
    edition="First printing",
    phases=(
        Phase(
            "dawn",
            "Dawn",
            "2",
            (
                Step("wake", "Wake", "2.1", (Act("straighten_cards", "Straighten cards", "2.1a"),)),
                Step(
                    "harvest",
                    "Harvest",
                    "2.2",
                    (Act("pick_fruit", "Pick fruit", "2.2a"), Window("2.2b")),
                ),
            ),
        ),
        Phase("market", "Market", "3", (Step("haggle", "Haggle", "3.1", (Window("3.1a"),)),)),
        Phase(
            "raid",
            "Raid",
            "4",
            (
                Step(
                    "muster",
                    "Muster",
                    "4.1",
                    (
                        Act("send_raiders", "Send raiders", "4.1a", decides=("raiders_sent",)),
                        Window("4.1b"),
                    ),
                    then=(
                        Then("clash", "raiders_sent", "4.2"),
                        Then("homecoming", "", "4.4", "skip"),
                    ),
                ),
                Step(
                    "clash",
                    "Clash",
                    "4.2",
                    (Act("roll_dice", "Roll the dice", "4.2a"), Window("4.2b")),
                    absent=(Absent("not raiders_sent", "4.2c", "nobody went"),),
                ),
                Step(
                    "homecoming",
                    "Homecoming",
                    "4.4",
                    (Act("bring_spoils", "Bring the spoils", "4.4a"),),
                ),
            ),
            clears="raid",
        ),
        Phase(
            "night",
            "Night",
            "5",
            (
                Step(
                    "feast",
                    "Feast",
                    "5.1",
                    (
                        Act("eat", "Eat", "5.1a", ends="feast"),
                        Window("5.1b", "conditional"),
                        Again("window_opened", "5.1c", "a feast disturbed is held again"),
                    ),
                ),
            ),
        ),
    ),
    rules=FrameRules(
        turn="1.1",
        begin="1.2",
        end="1.3",
        skip="9.1",
        extra_turn="9.2",
        extra_phase="9.3",
        extra_step="9.4",
        step_after_phase="9.5",
        no_turn="9.6",
    ),
    window=priority_window("orchard", edition="First printing"),
    window_label="Talk",
    facts=(
        Fact("raiders_sent", "somebody was sent to raid", "4.1a", "game", "latched", "raid"),
        Fact(
            "window_opened",
            "somebody could act in this window",
            "5.1c",
            "controller",
            "latched",
            "window",
        ),
    ),
    events=(Event("end_turn", "a storm ends the turn"), Event("player_left", "somebody went home")),
    transitions=(
        row(
            "turn",
            "feast_begin",
            do=["drop(turn)", "begin(phase, night, night)", "begin(step, feast, feast)"],
            event="end_turn",
            rule="6.1",
            layer="jump",
            doc="a storm: everybody runs to the feast",
        ),
    ),
)

QUIET_YEAR = ["wake", "harvest", "haggle", "muster", "homecoming", "feast"]
RAID_YEAR = ["wake", "harvest", "haggle", "muster", "clash", "homecoming", "feast"]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The game's own model file, and nothing of its Python."""
    path = tmp_path / "orchard.json"
    path.write_text(json.dumps(ORCHARD.build().to_json()), encoding="utf-8")
    return path


@pytest.fixture
def orchard(file: Path) -> Model:
    return load(str(file))


def test_the_file_is_the_model(orchard: Model) -> None:
    assert orchard == ORCHARD.build()
    assert orchard.fingerprint == ORCHARD.build().fingerprint


def test_it_validates(orchard: Model) -> None:
    assert check(orchard) == []


def test_it_runs(orchard: Model) -> None:
    game = through(started(orchard, "ABC"), 3)
    assert turns(game)[:3] == ["A", "B", "C"]
    assert [steps(game, turn) for turn in (1, 2, 3)] == [QUIET_YEAR] * 3


def test_its_own_fact_decides_its_own_skip(orchard: Model) -> None:
    game = started(orchard)
    game.answer(quiet(to_action(game, "send_raiders"), {"raiders_sent": True}))
    through(game, 2)
    assert [steps(game, 1), steps(game, 2)] == [RAID_YEAR, QUIET_YEAR]


def test_extras_and_skips_are_the_frames(orchard: Model) -> None:
    game = started(orchard)
    orders = (
        AddTurn("A"),
        AddStep("harvest"),
        AddStep("wake", "current_phase"),
        AddPhase(("raid",), "night"),
    )
    game.answer(quiet(to(game, "harvest"), orders=(*orders, SkipPhase("market", "A"))))
    through(game, 2)
    raid = ["muster", "homecoming"]
    assert steps(game, 1) == ["wake", "harvest", "harvest", "wake", *raid, "feast", *raid]
    assert turns(game)[:3] == ["A", "A", "B"]


def test_a_feast_disturbed_is_held_again(orchard: Model) -> None:
    game = started(orchard)
    game.answer(quiet(to(game, "feast", CheckState), {"sba_performed": True}))
    assert steps(through(game, 1), 1) == [*QUIET_YEAR, "feast"]


def test_its_storm_ends_the_turn(orchard: Model) -> None:
    game = started(orchard)
    to(game, "haggle", Priority)
    game.answer(quiet(game.request, signal=fsm.Signal("end_turn")))
    assert steps(through(game, 1), 1) == ["wake", "harvest", "haggle", "feast"]


class Villagers(fsm.BaseHost):
    """A host of this game: everybody raids, nobody talks."""

    def on_send_raiders(self, request: Perform) -> Answer:
        return request.done(raiders_sent=True)


def test_a_host_of_its_own_plays_it(orchard: Model) -> None:
    game = TurnController(orchard, ["Ann", "Bob"])
    last: Request | Over = drive(game, Villagers(), until=lambda request: request.at.turn > 2)
    assert last.at.active == "Ann"
    assert steps(game, 2) == RAID_YEAR


def test_the_scripted_game_plays_it(file: Path) -> None:
    """A scenario with this game's words, played and judged by what ships with the package."""
    scenario = {
        "id": "two-feasts",
        "ruleset": file.name,
        "players": 2,
        "through_turn": 2,
        "given": [
            {"when": {"turn": 1, "step": "haggle"}, "do": "add_phase", "phases": ["night"]},
            {
                "when": {"turn": 1, "step": "haggle"},
                "do": "skip_step",
                "step": "harvest",
                "player": "B",
            },
        ],
        "expect": [
            {
                "turn": 1,
                "steps": ["wake", "harvest", "haggle", "feast", "muster", "homecoming", "feast"],
            },
            {
                "turn": 2,
                "active": "B",
                "steps": ["wake", "haggle", "muster", "homecoming", "feast"],
            },
        ],
    }
    outcome = play(fsm.scenarios.load([scenario], place=str(file.with_name("here.json")))[0])
    assert outcome.ok


def test_it_draws(orchard: Model) -> None:
    labels = [state.label for state in orchard.states if state.kind in ("phase", "step")]
    for format in ("svg", "dot", "mermaid"):
        pictures = [draw(orchard, view=view, format=format) for view in ("turn", "window")]
        assert [label for label in labels if label.lower() not in "".join(pictures).lower()] == []


def test_it_says_what_was_taken(orchard: Model) -> None:
    found = taken(orchard, through(started(orchard), 1).trace.records)
    assert "muster_after -> homecoming_before" in found.turn
    assert "muster_after -> clash_before [raiders_sent]" in found.turn_missed


# house rules --------------------------------------------------------------------------------------


def test_one_step_more_in_magic() -> None:
    """About five lines."""
    planning = Step("planning", "Planning", "house", (Window("house"),))
    model = magic.table().with_step(planning, after="draw", name="magic-with-planning").build()
    game = started(model)
    game.answer(
        quiet(to(game, "planning"), orders=(AddStep("planning"), SkipStep("planning", "B")))
    )
    through(game, 2)

    assert steps(game, 1)[:5] == ["untap", "upkeep", "planning", "planning", "precombat_main"]
    assert steps(game, 2)[:4] == ["untap", "upkeep", "draw", "precombat_main"]
    assert check(model) == []
    assert "Planning" in draw(model, format="dot")
    assert model.fingerprint != load("magic").fingerprint


def test_one_guard_less_in_magic() -> None:
    """Who begins draws as well; nothing else changes."""
    model = (
        magic.table()
        .changed("draw", lambda step: replace(step, absent=()), name="magic-all-draw")
        .build()
    )
    assert steps(through(started(model), 1), 1)[:3] == ["untap", "upkeep", "draw"]
    assert steps(through(started(load("magic")), 1), 1)[:3] == ["untap", "upkeep", "precombat_main"]
    gone = {t.id for t in load("magic").transitions} - {t.id for t in model.transitions}
    assert {id.partition(" [")[0] for id in gone} == {"draw_before -> draw_after"}
