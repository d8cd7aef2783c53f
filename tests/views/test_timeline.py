"""The timeline, drawn and as text, says what was played: visits, skips, extras, jumps and turns."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from support import arenalogs
from support.commandline import command
from support.drawings import BUILT_IN, GAMES, LANTERNS, made
from support.drawnsvg import Picture, activity, collisions, leaving, read


def at(turn: int, step: str, do: str, **fields: object) -> dict[str, object]:
    return {"when": {"turn": turn, "step": step}, "do": do, **fields}


@cache
def drawn(case: str, theme: str = "light") -> str:
    """What `fsm run --timeline` draws of a scenario, given as JSON; it is drawn well."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "game.json"
        path.write_text(case, encoding="utf-8")
        svg = made("run", path, "--theme", theme, option="--timeline")
    picture = read(svg)
    assert [*activity(svg), *leaving(picture), *collisions(picture)] == []
    return svg


def game(*given: dict[str, object], turns: int = 1, **more: object) -> Picture:
    case = {"id": "game", "players": 2, "through_turn": turns, "given": given, **more}
    return read(drawn(json.dumps(case)))


# what was played is what is drawn -----------------------------------------------------------------


def test_a_quiet_first_turn_is_told_step_by_step() -> None:
    """Rules 103.8a and 508.8."""
    shown = game()
    assert shown.description == (
        "Turn 1, A: Untap, Upkeep, (left out: Draw), Precombat main, Beginning of combat, "
        "Declare attackers, (left out: Declare blockers, First-strike damage, Combat damage), "
        "End of combat, Postcombat main, End step, Cleanup."
    )
    codes = [
        "Untap",
        "UP",
        "103.8a",
        "M1",
        "BC",
        "DA",
        "nobody attacks 508.8",
        "EC",
        "M2",
        "EN",
        "CL",
    ]
    start = shown.words.index("A") + 1
    assert shown.words[start : start + len(codes)] == codes


@pytest.mark.parametrize(
    ("given", "turns", "told"),
    [
        pytest.param([at(1, "upkeep", "end_turn")], 1, "cut short", id="the legend of a jump"),
        pytest.param([at(1, "upkeep", "end_turn")], 1, "end turn", id="what ended the turn"),
        pytest.param([at(1, "upkeep", "add_turn", player="A")], 2, "extra turn", id="extra turn"),
        pytest.param(
            [at(1, "upkeep", "skip_turn", player="B")],
            *(2, "a turn skipped 614.10"),
            id="a skipped turn",
        ),
        pytest.param(
            [at(1, "upkeep", "control_next_turn", player="B", by="A")],
            *(2, "A decides"),
            id="who decides for another player",
        ),
    ],
)
def test_what_happened_to_a_turn_is_noted(
    given: list[dict[str, object]], turns: int, told: str
) -> None:
    assert game(*given, turns=turns).says(told)


def test_the_legend_explains_only_what_occurs() -> None:
    quiet = game()
    assert quiet.says("players get priority") and quiet.says("left out, with the rule")
    assert not quiet.says("extra") and not quiet.says("cut short")


@pytest.mark.parametrize("ruleset", [*BUILT_IN, LANTERNS, *GAMES])
def test_it_can_be_read_on_a_page(ruleset: str) -> None:
    svg = made("run", "--ruleset", ruleset, option="--timeline")
    shown = read(svg)
    assert [*activity(svg), *leaving(shown), *collisions(shown)] == []
    assert shown.area[2] <= 830 and min(text.size for text in shown.texts) >= 11
    assert shown.says("with the rule") or ruleset not in BUILT_IN


def test_who_leaves_and_who_plays_together_is_told() -> None:
    left = game(at(2, "upkeep", "player_leaves", player="B"), turns=3, players=3)
    assert left.says("player left")
    teams = game(turns=2, players=4, teams=[["A", "B"], ["C", "D"]])
    assert teams.says("A, B")
    assert "Turn 2, C, D:" in teams.description


def test_pointing_at_a_step_tells_what_was_done_in_it() -> None:
    trigger = [at(1, "upkeep", "trigger", id=name) for name in "ab"]
    tips = "\n\n".join(game(*trigger, turns=2).tooltips)
    assert "done: draw a card" in tips
    assert "acted 1 time, passed 8 times, 3 resolved" in tips


def test_a_phase_inside_another_and_back() -> None:
    shown = game(at(2, "main", "attack"), turns=2, ruleset="grand-archive")
    assert "Main, Retaliation, Damage, End of combat, Main, End." in shown.description
    assert any("back where it waited" in tip for tip in shown.tooltips)


def test_hostile_names_of_players_stay_text() -> None:
    order = ["<script>alert(1)</script>", '"&]]>\u202e']
    assert game(turns=2, turn_order=order).says("<script>")


def test_recorded_real_games_are_drawn_below_each_other(tmp_path: Path) -> None:
    steps = arenalogs.in_turn(arenalogs.FIRST, arenalogs.ATTACK)
    paths = [tmp_path / "a.log", tmp_path / "b.log"]
    for path in paths:
        path.write_text("".join(arenalogs.log(steps)), encoding="utf-8")
    assert command("conform", *paths, "--timeline", tmp_path / "t.svg").exit_code == 0
    shown = read((tmp_path / "t.svg").read_text("utf-8"))
    assert shown.title == "a.log, b.log"
    assert "Declare blockers, Combat damage, End of combat" in shown.description
    assert shown.says("a.log, game 1") and shown.says("b.log, game 1")
