"""The programs of the interface's design, as a user would write them."""

from __future__ import annotations

import asyncio
import json
import runpy
from pathlib import Path
from typing import Any, assert_never

import pytest

import fsm
from fsm.rulesets import names


@pytest.mark.parametrize("name", names())
def test_an_empty_game_is_a_loop_of_two_lines(name: str) -> None:
    game = fsm.TurnController(fsm.load(name), ["Ann", "Ben"])
    for request in game:
        assert game.answer(request.quiet()) is game.request
        if game.request.at.turn == 4:
            break
    assert game.position.active == "Ben"


def test_program_4_ends_the_turn(capsys: pytest.CaptureFixture[str]) -> None:
    """A loop with an exhaustive match."""
    game, stack = fsm.TurnController(fsm.load("magic"), ["Ann", "Ben"]), list[str]()
    for request in game:
        match request:
            case fsm.Priority() if request.at.step == "draw" and not stack:
                stack.append("Time Stop")
                answer = request.acted()
            case fsm.Resolve():
                print("in turn", request.at.turn, stack.pop(), "ends the turn")
                answer = request.done(fsm.EndTurn())
            case fsm.Perform() | fsm.Priority() | fsm.CheckState() | fsm.PlaceTriggers():
                answer = request.quiet(stack_empty=not stack)
            case _:
                assert_never(request)  # a type checker names the case that was forgotten
        if game.answer(answer).at.turn == 3:
            break
    assert capsys.readouterr().out == "in turn 2 Time Stop ends the turn\n"


MODEL, games = fsm.load("magic"), dict[str, str]()  # in earnest: a database row with a version


def put(name: str, body: str) -> tuple[int, str]:
    """Program 7: a stateless handler."""
    sent = json.loads(body)
    if sent["to"] != games[name]:
        return 409, "somebody has answered already"
    try:  # trusted: it comes from your rules engine, not from a player's browser
        now = fsm.stateless.answer(
            MODEL, sent["to"], fsm.Answer.from_json(sent["answer"], trusted=True)
        )
    except fsm.FsmError as error:
        return 422, str(error)
    games[name] = now.saved
    return 200, json.dumps({"to": now.saved, "waits_for": now.request.to_json()})


def test_program_7_serves_games_without_state() -> None:
    games["g1"] = fsm.stateless.start(MODEL, ["Ann", "Ben"]).saved
    body = json.dumps({"to": games["g1"], "answer": {"word": "done"}})
    assert [put("g1", body)[0], put("g1", body)[0]] == [200, 409]
    assert put("g1", json.dumps({"to": games["g1"], "answer": {"word": "passed"}}))[0] == 422


PROGRAMS = Path(__file__).parent / "programs"


def run(name: str) -> dict[str, Any]:
    """Run a program, and return its names."""
    return runpy.run_path(str(PROGRAMS / f"{name}.py"))


def test_the_smallest_host(capsys: pytest.CaptureFixture[str]) -> None:
    run("smallest_host")
    assert capsys.readouterr().out.splitlines() == ["turn 2: Ben draws", "turn 3: Ann draws"]


def test_bots_on_asyncio_go_on_from_their_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    main = run("asyncio_bots")["main"]
    file = tmp_path / "table.json"
    saved = json.loads(file.read_text(encoding="utf-8"))
    assert fsm.TurnController.restore("magic", saved["turn"]).position.turn == 2
    asyncio.run(main(file, turn=3))
    saved = json.loads(file.read_text(encoding="utf-8"))
    assert fsm.TurnController.restore("magic", saved["turn"]).position.turn == 3
    assert saved["table"].keys() == {"stack", "waiting"}


def test_an_extra_combat_with_a_trigger_that_belongs_to_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    run("extra_combat")
    assert capsys.readouterr().out.splitlines() == [
        "AddPhase waiting for the end of this phase",
        "DelayedTrigger waiting for the next beginning of combat",
        "AddPhase done ",
        "DelayedTrigger done ",
    ]


def test_a_panel_of_what_is_possible(capsys: pytest.CaptureFixture[str]) -> None:
    run("whats_possible")
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["+", "+", "+", "-", "+"]
    assert (
        lines[3]
        == "- an effect ends the combat phase it is no combat phase: nothing happens (723.2g)"
    )


def test_undo_to_a_persons_last_decision() -> None:
    run("undo")  # it asserts
