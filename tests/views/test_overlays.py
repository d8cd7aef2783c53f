"""What is laid over a picture: the way of a run, how often, where a game stands. Nothing moves."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

import fsm
from fsm.errors import DrawError
from support.drawings import drawn, loaded, made, picture, run
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
    done = run("run", folder / "fight.json", "--trace", folder / "game.jsonl")
    assert done.exit_code == 0
    return folder / "game.jsonl"


@cache
def overlaid(*options: object, ending: str = "svg") -> str:
    """What `fsm draw magic` draws with these options."""
    return made("draw", "magic", *options, ending=ending)


def tip(shown: Picture, start: str) -> str:
    """The last line of what pointing at something tells."""
    [line] = {tip.split("\n")[-1] for tip in shown.tooltips if tip.startswith(start)}
    return line


def under(shown: Picture, label: str) -> str:
    """The text that is painted after a card's title."""
    return shown.words[shown.words.index(label) + 1]


# the way a run took -------------------------------------------------------------------------------


def test_the_lines_that_a_run_took_have_their_order(game: Path) -> None:
    shown = read(overlaid("--trace", game))
    taken = [t.removeprefix("taken: ") for t in shown.tooltips if t.startswith("taken: ")]
    numbers = sorted(int(n) for numbers in taken for n in numbers.split(", "))
    assert numbers == list(range(1, 29))
    assert shown.says(f"106 of {len(loaded('magic').transitions)} transitions taken.")
    assert shown.says("the order in which lines were taken")


def test_the_window_counts_its_own(game: Path) -> None:
    shown = read(overlaid("--trace", game, "--view", "window"))
    assert shown.says("of 19 transitions taken.")


# how often ----------------------------------------------------------------------------------------


def test_each_step_says_how_often_it_began(game: Path) -> None:
    shown = read(overlaid("--coverage", game))
    steps = {"Untap": "3×", "Upkeep": "2×", "Cleanup": "3×", "Draw": "never"}
    assert {step: under(shown, step) for step in steps} == steps


def test_each_way_says_how_often_it_was_taken(game: Path) -> None:
    shown = read(overlaid("--coverage", game))
    assert tip(shown, "A creature attacks\n") == "taken: 1×"
    assert tip(shown, "Nobody attacks\n") == "taken: never"
    assert tip(shown, "To Upkeep\n") == "taken: 2×"


def test_the_sum_and_what_is_missing_are_said_with_their_rules(game: Path) -> None:
    shown = read(overlaid("--coverage", game))
    total = len(loaded("magic").transitions)
    assert shown.says(f"3 turns. States 104 of 122, transitions 106 of {total}.")
    assert shown.says("Never: draw (504), extra phase or step (500.8)")


# where a game stands ------------------------------------------------------------------------------


def test_the_place_of_a_game_is_said() -> None:
    shown = read(overlaid("--at", "declare_attackers_declare_attackers"))
    assert shown.says("Now: Combat › Declare attackers.")
    assert "now here" in shown.words


def test_the_place_in_a_window_is_said_with_what_can_happen() -> None:
    shown = read(overlaid("--at", "upkeep_window/priority", "--view", "window"))
    assert shown.says("Now: Beginning › Upkeep › Priority (A player has priority).")
    assert tip(shown, "passed\n") == "can be taken now"
    assert tip(shown, "player left  [holder left]") == "can be taken now, if [holder left]"


def test_only_the_card_of_the_place_is_lit() -> None:
    lit = "#FFD33D"
    here = overlaid("--at", "declare_attackers_declare_attackers").split("<g ")
    assert [p for p in here if lit in p and ">Declare attackers<" in p and "class=" in p]
    assert not [p for p in here if lit in p and ">Upkeep<" in p]
    assert lit not in drawn("magic")


# what all have in common --------------------------------------------------------------------------


@pytest.mark.parametrize("view", ["turn", "window"])
@pytest.mark.parametrize("kind", ["--trace", "--coverage", "--at", "--against"])
def test_nothing_moves_and_nothing_is_drawn_badly(kind: str, view: str, game: Path) -> None:
    value = {"--at": "upkeep_window/priority", "--against": "magic-2010"}.get(kind, game)
    over = overlaid(kind, value, "--view", view)
    assert faults(over) == []
    if kind != "--against":
        assert len(read(over).lines) == len(picture("magic", view).lines)
        assert place(read(over)) == pytest.approx(place(picture("magic", view)), abs=0.3)


def place(shown: Picture) -> list[float]:
    """Where the cards stand from left to right; what is said above the turn may need a row more."""
    return sorted(card.area[0] for card in shown.cards if len(card.points) == 5)[:12]


def test_only_one_thing_lies_over_a_picture(game: Path, tmp_path: Path) -> None:
    with pytest.raises(DrawError, match="not both; leave one out"):
        fsm.draw("magic", trace=[], against="magic-2010")
    done = run("draw", "magic", "-o", tmp_path / "x.svg", "--at", "upkeep_window", "--trace", game)
    assert done.exit_code == 2
    assert len(done.stderr.splitlines()) == 1


def test_a_run_of_another_model_is_refused(game: Path, tmp_path: Path) -> None:
    done = run("draw", "magic-2010", "-o", tmp_path / "x.svg", "--trace", game)
    assert done.exit_code == 2
    assert "magic" in done.stderr
    assert list(tmp_path.iterdir()) == []
