"""`fsm run`: scenarios are played, and what they expect holds or does not."""

from __future__ import annotations

import json

import fsm
from support.commandline import command, read, refused, says, written


def scenario(**changes: object) -> str:
    """A file with a scenario in which a creature attacks."""
    attack = {"when": {"turn": 1, "step": "declare_attackers"}, "do": "attackers", "count": 1}
    expected = [{"turn": 1, "contains": ["declare_blockers", "combat_damage"]}]
    data = {"id": "mine", "through_turn": 1, "given": [attack], "expect": expected, **changes}
    return written(f"{data['id']}.json", data)


def test_a_scenario_that_holds_ends_with_0() -> None:
    assert "ok   mine (1 expectation)" in says("run", scenario())


def test_a_scenario_that_fails_ends_with_1_and_says_what_came_instead() -> None:
    told = says("run", scenario(expect=[{"turn": 1, "visits": {"draw": 1}}]), code=1)
    assert "FAIL mine" in told and "draw" in told


def test_all_that_is_wrong_in_a_file_is_told_in_a_line_each() -> None:
    given = [{"do": "add_turn", "player": player} for player in "XYZ"]
    done = command("run", scenario(given=given))
    lines = done.stderr.splitlines()
    assert (done.exit_code, done.stdout, len(lines)) == (2, "", 3)
    assert all(f"given[{i}].player" in line for i, line in enumerate(lines))


def test_several_files_are_summed_up() -> None:
    wrong = scenario(id="other", expect=[{"turn": 1, "active": "B"}])
    assert "1 of 2 scenarios hold" in says("run", scenario(), wrong, code=1)


def test_json_is_one_line_a_visited_step_and_the_verdict_is_elsewhere() -> None:
    done = command("run --json", scenario())
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
        "actions": [],
        "phase_id": 1,
        "acted": 0,
        "passes": 2,
    }
    assert "ok   mine" in done.stderr


def test_a_moment_that_never_comes_is_a_warning_and_with_strict_a_failure() -> None:
    never = {"when": {"turn": 1, "step": "first_strike_damage"}, "do": "sba"}
    name = scenario(given=[never], expect=[])
    assert "warning" in says("run", name)
    assert says("run --strict", name, code=1)


def test_the_trace_replays_and_the_pictures_are_drawn() -> None:
    says("run --trace run.jsonl --timeline game.svg --svg turn.svg", scenario())
    trace = fsm.Trace.read(read("run.jsonl").splitlines())
    assert trace.replay("magic").position.turn == 2
    assert read("game.svg").startswith("<svg")
    assert read("turn.svg") != fsm.draw("magic")


def test_a_ruleset_of_ones_own_is_named_with_the_command() -> None:
    lanterns = scenario(given=[], expect=[{"turn": 1, "contains": ["kindle", "market"]}])
    says("run --ruleset lanterns:LANTERNS", lanterns)
    model = written("house.json", fsm.load("lanterns:LANTERNS").to_json())
    says("run --ruleset", model, lanterns)
    kindle = scenario(given=[], expect=[{"turn": 1, "contains": ["kindle"]}])
    assert "'kindle'" in refused("run --ruleset magic", kindle)
    assert "ok   quiet turns of Lanterns" in says("run --ruleset lanterns:LANTERNS")
