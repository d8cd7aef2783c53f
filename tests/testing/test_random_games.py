"""Random games hold what is true of every game. A fault that is planted is found and made small."""

from __future__ import annotations

import json
import re
import sys
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import find, given, settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test
from msgspec import structs

import fsm
from fsm import Over, Trace, TurnController
from fsm.model import Model
from fsm.rulesets import Act, Phase, Step, Table, Window
from fsm.testing import Path as Game, answers, broken, games, paths
from support.amounts import amount, sample
from support.commandline import command

FEW = settings(max_examples=amount(2, 30), stateful_step_count=12)
COUNT = amount(2, 40)


@pytest.mark.parametrize("name", sample(fsm.rulesets.names(), 2))
def test_nothing_is_wrong_with_random_games_of_a_ruleset(name: str) -> None:
    done = command("check", name, "--play", COUNT)
    assert done.exit_code == 0
    assert done.output == f"{name}, {COUNT} random games: nothing is wrong\n"


@given(st.deferred(lambda: games("grand-archive", most=40)))
@FEW
def test_a_random_game_can_be_played_and_replayed(game: Game) -> None:
    trace = game.trace
    assert trace.answers == list(game.answers)
    assert Trace.read(trace.lines()).replay(game.model).request == game.run().request


def test_an_answer_is_drawn_for_any_request() -> None:
    class Turn(RuleBasedStateMachine):
        def __init__(self) -> None:
            super().__init__()
            self.game = TurnController("magic-classic", ["A", "B"])

        @rule(data=st.data())
        def answer(self, data: st.DataObject) -> None:
            if not isinstance(self.game.request, Over):
                self.game.answer(data.draw(answers(self.game)))

    run_state_machine_as_test(Turn, settings=settings(FEW, max_examples=amount(1, 30)))


DAY = Table("day", Phase("light", Step("dawn", Act("draw")), Step("noon", Window()))).build()


def changed(id: str, **parts: Any) -> Model:
    """The day with one row changed."""
    rows = tuple(structs.replace(row, **parts) if row.id == id else row for row in DAY.transitions)
    return structs.replace(DAY, transitions=rows)


PLANTED = {
    "a step is not begun": (
        changed("dawn_after -> noon_before", target="noon_window"),
        "belongs to 'noon', but 'dawn' is under way",
    ),
    "nothing follows": (DAY.without("noon_end -> noon_after"), "nothing can fire"),
}


@pytest.mark.parametrize("name", [*PLANTED][: amount(1, 2)])
def test_a_planted_fault_is_found_and_made_small(name: str, tmp_path: Path) -> None:
    model, what = PLANTED[name]
    file = tmp_path / "broken.json"
    file.write_text(json.dumps(model.to_json()), "utf-8")
    done = command("check", file, "--play", 60)
    assert done.exit_code == 1
    said, _, script = done.output.partition("\n")
    assert what in said
    [after] = re.findall(r"after (\d+) answers", said)
    assert int(after) < 25
    goes_on = what != "nothing can fire"
    with nullcontext() if goes_on else pytest.raises(fsm.FsmError, match=what):
        exec(script, {})


@pytest.mark.parametrize("name", PLANTED)
def test_what_is_wrong_with_a_game_is_said(name: str) -> None:
    model, what = PLANTED[name]
    found = paths(DAY, "states", effort=500)
    assert {broken(game) for game in found} == {""}
    assert any(what in broken(replace(game, model=model)) for game in found)


def no_noon(game: TurnController) -> str:
    return "there is a noon" if game.position.step == "noon" else ""


def test_an_invariant_of_your_own_is_held() -> None:
    game = find(games(DAY), lambda game: bool(broken(game, [no_noon])))
    assert broken(game, [no_noon]).startswith("there is a noon; after ")
    assert len(game.answers) <= 1
    assert broken(game) == ""


def test_equal_seeds_give_equal_games(tmp_path: Path) -> None:
    file = tmp_path / "broken.json"
    file.write_text(json.dumps(PLANTED["a step is not begun"][0].to_json()), "utf-8")
    once, again = (command("check", file, "--play", 60).output for _ in range(2))
    assert once == again


# the command --------------------------------------------------------------------------------------


def test_the_command_tells_several_rulesets_as_json_and_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = command("check", "magic-classic", "lanterns:LANTERNS", "--play", 1, "--json")
    told = [(one["ruleset"], one["wrong"]) for one in json.loads(done.output)]
    assert told == [("magic-classic", ""), ("lanterns:LANTERNS", "")]
    assert list(tmp_path.iterdir()) == []


def test_a_wrong_number_and_a_wrong_ruleset_are_refused() -> None:
    assert command("check", "magic", "--play", 0).exit_code == 2
    assert command("check", "magik", "--play", 1).exit_code == 2


def test_without_hypothesis_one_sentence_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delitem(sys.modules, "fsm.testing.randomgames")
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    done = command("check", "magic", "--play", 1)
    assert (done.exit_code, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert "run pip install 'turn-fsm[test]'" in done.stderr
