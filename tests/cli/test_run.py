"""`fsm run`: scenarios are played, and what they expect holds or does not."""

from __future__ import annotations

import json
import re
from pathlib import Path

import fsm
from support.commandline import command, refused, written

ATTACK = {
    "id": "mine",
    "players": 2,
    "through_turn": 1,
    "given": [{"when": {"turn": 1, "step": "declare_attackers"}, "do": "attackers", "count": 1}],
    "expect": [{"turn": 1, "contains": ["declare_blockers", "combat_damage"]}],
}


def test_a_scenario_that_holds_ends_with_0() -> None:
    done = command("run", written("mine.json", ATTACK))
    assert (done.exit_code, done.stderr) == (0, "")
    assert "ok   mine: 1 expectation holds" in done.output


def test_a_scenario_that_fails_ends_with_1_and_says_what_came_instead() -> None:
    wrong = {**ATTACK, "expect": [{"turn": 1, "visits": {"draw": 1}}]}
    done = command("run", written("mine.json", wrong))
    assert done.exit_code == 1
    assert "FAIL mine" in done.output and "draw" in done.output


def test_several_files_are_summed_up() -> None:
    wrong = {**ATTACK, "id": "other", "expect": [{"turn": 1, "active": "B"}]}
    done = command("run", written("mine.json", ATTACK), written("other.json", wrong))
    assert done.exit_code == 1
    assert "1 of 2 scenarios hold" in done.output


def test_json_is_one_line_a_visited_step_and_the_verdict_is_elsewhere() -> None:
    done = command("run --json", written("mine.json", ATTACK))
    visits = [json.loads(line) for line in done.stdout.splitlines()]
    assert [visit["step"] for visit in visits[:3]] == ["untap", "upkeep", "precombat_main"]
    assert visits[1] == {
        "scenario": "mine",
        "turn": 1,
        "active": "A",
        "extra": False,
        "phase": "beginning",
        "step": "upkeep",
        "iteration": 1,
        "priority": True,
    }
    assert "ok   mine" in done.stderr


def test_a_moment_that_never_comes_is_a_warning_and_with_strict_a_failure() -> None:
    never = [{"when": {"turn": 1, "step": "first_strike_damage"}, "do": "sba"}]
    name = written("mine.json", {**ATTACK, "given": never, "expect": []})
    lenient, strict = command("run", name), command("run --strict", name)
    assert (lenient.exit_code, strict.exit_code) == (0, 1)
    assert "warning" in lenient.output


def test_a_game_without_end_stops_at_the_bound_and_says_so() -> None:
    endless = [{"do": "standing_trigger", "id": "again", "step": "cleanup"}]
    name = written("mine.json", {**ATTACK, "given": endless, "expect": []})
    done = command("run --max-steps 50", name)
    assert "50" in done.output and "↻CL" in done.output


def test_verbose_names_the_transitions_that_were_not_taken() -> None:
    done = command("run --verbose", written("mine.json", ATTACK))
    taken, total = re.findall(r"^(\d+) of (\d+) transitions of the model taken", done.output, re.M)[
        0
    ]
    missed = re.findall(r"^  not taken: (.+)$", done.output, re.M)
    assert len(missed) == int(total) - int(taken)
    assert "turn -> end_turn_triggers on end_turn" in missed


def test_the_trace_replays_and_the_pictures_are_drawn() -> None:
    words = "run --trace run.jsonl --timeline game.svg --svg turn.svg"
    assert command(words, written("mine.json", ATTACK)).exit_code == 0
    trace = fsm.Trace.read(Path("run.jsonl").read_text("utf-8").splitlines())
    assert trace.replay("magic").position.turn == 2
    assert Path("game.svg").read_text("utf-8").startswith("<svg")
    assert Path("turn.svg").read_text("utf-8") != fsm.draw("magic")


def test_a_ruleset_of_ones_own_is_named_with_the_command() -> None:
    lanterns = {**ATTACK, "given": [], "expect": [{"turn": 1, "contains": ["kindle", "market"]}]}
    assert command("run --ruleset lanterns:LANTERNS", written("a.json", lanterns)).exit_code == 0
    written("house.json", fsm.load("lanterns:LANTERNS").to_json())
    assert command("run --ruleset house.json a.json").exit_code == 0
    assert "'kindle'" in refused("run --ruleset magic a.json")
