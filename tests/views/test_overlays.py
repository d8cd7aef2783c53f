"""What is laid over a picture: the way of a turn, how often, where a game stands, what differs."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pytest
from msgspec.structs import replace

import fsm
from fsm.errors import DrawError
from fsm.rulesets import Act, Phase, Step, Table
from fsm.views import Counts, read as reading
from support.commandline import command
from support.drawings import drawn, made
from support.drawnsvg import Picture, faults, read

FIGHT = {
    "id": "fight",
    "through_turn": 2,
    "given": [
        {
            "when": {"turn": 1, "step": "declare_attackers"},
            "do": "attackers",
            "count": 1,
            "first_strike": True,
        },
        {"when": {"turn": 1, "step": "cleanup"}, "do": "trigger", "id": "t"},
        {"when": {"turn": 2, "step": "upkeep"}, "do": "end_turn"},
    ],
}


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The trace of two turns: somebody attacks with first strike, then a turn is ended early."""
    folder = tmp_path_factory.mktemp("game")
    (folder / "fight.json").write_text(json.dumps(FIGHT), encoding="utf-8")
    done = command("run", folder / "fight.json", "--trace", folder / "game.jsonl")
    assert done.exit_code == 0
    return folder / "game.jsonl"


@cache
def overlaid(*options: object, ending: str = "svg") -> str:
    """What `fsm draw magic` draws with these options."""
    return made("draw", "magic", *options, ending=ending)


def under(shown: Picture, label: str) -> str:
    """The text that is painted after a card's title."""
    return shown.words[shown.words.index(label) + 1]


# the way of a turn --------------------------------------------------------------------------------


def test_the_steps_of_the_last_turn_have_their_order(game: Path) -> None:
    shown = read(overlaid("--trace", game))
    assert shown.says("Turn 2 of B: the numbers are the order.")
    assert {step: under(shown, step) for step in ("Untap", "Upkeep")} == {
        "Untap": "1",
        "Upkeep": "2",
    }
    assert under(shown, "Draw") == "draw a card"


# how often ----------------------------------------------------------------------------------------


def test_each_step_says_how_often_it_began(game: Path) -> None:
    shown = read(overlaid("--coverage", game))
    steps = {"Untap": "3×", "Upkeep": "2×", "Cleanup": "3×", "Draw": "never"}
    assert {step: under(shown, step) for step in steps} == steps


def test_each_way_says_how_often_it_was_taken(game: Path) -> None:
    shown = read(overlaid("--coverage", game))
    assert shown.says("a creature attacks 1×") and shown.says("nobody attacks 508.8 never")
    assert shown.says("starting player's first turn 103.8b, 103.8a 1×")


def test_so_does_the_box_of_what_effects_add(game: Path) -> None:
    assert read(overlaid("--coverage", game)).says("AFTER ANY PHASE OR STEP never")


def test_each_box_says_how_often_it_was_so() -> None:
    model = Table("trip", Phase("day", Step("go", Act("walk")))).build()
    turn = reading(model)
    [over] = [way for way in turn.ways if way.kind == "cut short"]
    assert turn.extra
    counts = Counts({over.tells[0]: 4, turn.extra.tells[0]: 5})
    shown = read(fsm.draw(model, counts=counts))
    assert shown.says("Game over 4×") and shown.says("AFTER ANY PHASE OR STEP 5×")


def test_the_sum_and_what_is_missing_are_said(game: Path) -> None:
    shown = read(overlaid("--coverage", game))
    assert shown.says("steps and") and shown.says("Never: ") and shown.says("nobody attacks")
    assert read(overlaid("--coverage", game, "--view", "window")).says("×")


# where a game stands ------------------------------------------------------------------------------


def test_the_place_of_a_game_is_said_and_only_its_card_is_lit() -> None:
    svg = overlaid("--at", "declare_attackers_declare_attackers")
    assert read(svg).says("Now: Combat, Declare attackers, the active player attacks.")
    assert svg.count('class="f-now') == 2  # the card, and the key of the legend
    assert "f-now" not in drawn("magic")


def test_the_line_of_a_list_is_lit() -> None:
    assert "f-now" in overlaid("--at", "upkeep_window/priority", "--view", "window")
    assert "f-now" in overlaid("--at", "upkeep_window", "--view", "phase:beginning_phase")


def test_a_game_is_drawn_where_it_stands_with_what_may_come_next() -> None:
    game = fsm.TurnController("magic", ["Ann", "Ben"])
    svg = fsm.draw(game)
    assert read(svg).says("Now: Beginning, Untap, phasing.")
    assert "s-go" in svg and read(svg).says("may come next")


def extended() -> fsm.TurnController:
    """A game with a trace: the first turn, with a second upkeep, at the end of combat."""
    game = fsm.TurnController("magic", ["Ann", "Ben"], trace=True)
    while game.request.at.step != "upkeep":
        game.answer(game.request.quietly)
    game.answer(replace(game.request.quietly, orders=(fsm.AddStep("upkeep"),)))
    while game.request.at.step != "end_of_combat":
        game.answer(game.request.quietly)
    return game


@pytest.mark.parametrize("view", ["bar", "turn"])
def test_what_a_turn_left_out_so_far_is_pale_and_what_it_had_more_is_gold(view: str) -> None:
    game = extended()
    looks = {step: look(fsm.draw(game, view=view), step) for step in ("draw", "upkeep", "end")}
    assert looks["draw"] == {"f-soft", "s-rule"}
    assert "s-extra" in looks["upkeep"]
    assert looks["end"].isdisjoint({"f-soft", "s-rule", "s-extra"})
    assert game.trace is not None
    traced = fsm.draw("magic", view=view, trace=game.trace.records)
    assert "s-extra" in look(traced, "upkeep") and "s-rule" in look(traced, "draw")


def look(svg: str, step: str) -> set[str]:
    """The classes with which the box of a step is painted."""
    found = re.search(rf'data-id="{step}_step"[^>]*>(?:<title>[^<]*</title>)?<rect([^>]*)', svg)
    assert found
    return {*re.findall(r"[fs]-\w+", found[1])}


def test_before_the_first_turn_what_comes_next_is_lit() -> None:
    game = fsm.TurnController("grand-archive", ["Ann", "Ben"])
    svg = fsm.draw(game)
    assert read(svg).says("Now: before the first turn.")
    assert "s-go" in svg and "f-now" not in svg


# what all have in common --------------------------------------------------------------------------


@pytest.mark.parametrize("view", ["turn", "window", "phase:combat_phase"])
@pytest.mark.parametrize("kind", ["--trace", "--coverage", "--at", "--against"])
def test_nothing_is_drawn_badly(kind: str, view: str, game: Path) -> None:
    value = {"--at": "upkeep_window/priority", "--against": "magic-2010"}.get(kind, game)
    assert faults(overlaid(kind, value, "--view", view)) == []


def test_only_one_thing_lies_over_a_picture(game: Path, tmp_path: Path) -> None:
    with pytest.raises(DrawError, match="not both; leave one out"):
        fsm.draw("magic", trace=[], against="magic-2010")
    done = command(
        "draw", "magic", "-o", tmp_path / "x.svg", "--at", "upkeep_window", "--trace", game
    )
    assert done.exit_code == 2
    assert len(done.stderr.splitlines()) == 1


def test_a_run_of_another_model_is_refused(game: Path, tmp_path: Path) -> None:
    done = command("draw", "magic-2010", "-o", tmp_path / "x.svg", "--trace", game)
    assert done.exit_code == 2
    assert "magic" in done.stderr
    assert list(tmp_path.iterdir()) == []
