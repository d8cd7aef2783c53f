"""Random games: they hold what is true of every game, and planted bugs are noticed and made small."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test

import fsm
from fsm import Answer, Over, Trace, TurnController
from fsm.cli import cli
from fsm.model import Model
from fsm.rulesets import names
from fsm.testing import Path as Game
from fsm.testing import answers, broken, games
from fsm.testing.randomgames import play
from support import processes
from support.amounts import amount, sample
from support.plantedbugs import DOUBLES, MODELS

FEW = settings(max_examples=amount(5, 100), stateful_step_count=20)


@pytest.mark.parametrize("name", names())
def test_random_games_hold(name: str) -> None:
    assert play(name, amount(10, 100)) is None


@given(games("grand-archive", most=40))
@FEW
def test_a_game_drawn_can_be_played_and_replayed(game: Game) -> None:
    trace = game.run().trace
    assert trace.answers == list(game.answers)
    assert Trace.read(trace.lines()).replay(game.model).request == game.run().request


def test_answers_are_drawn_for_a_state_machine_of_ones_own() -> None:
    class Turn(RuleBasedStateMachine):
        def __init__(self) -> None:
            super().__init__()
            self.game = fsm.TurnController("magic", ["A", "B"])

        @rule(data=st.data())
        def answer(self, data: st.DataObject) -> None:
            if not isinstance(self.game.request, Over):
                self.game.answer(data.draw(answers(self.game)))

    run_state_machine_as_test(Turn, settings=FEW)


def test_a_seed_gives_the_same_games() -> None:
    def drawn(seed: int) -> list[list[Answer]]:
        seen = list[list[Answer]]()

        def note(game: TurnController) -> str:
            seen.append(game.trace.answers)
            return ""

        play("magic-classic", 3, seed=seed, most=10, invariants=[note])
        return seen

    assert drawn(1) == drawn(1) != drawn(2)


FOUND = {
    "state_stands_in_its_step": "belongs to 'draw', but 'upkeep' is under way",
    "who_left_is_not_asked": "priority is given to nobody",
    "never_stuck": "nothing can fire",
    "every_begun_phase_ends": "has not ended",
}


@pytest.mark.parametrize("name", [*FOUND][: amount(1, 4)])
def test_a_broken_model_is_noticed_and_made_small(name: str, magic: Model) -> None:
    failure = play(MODELS[name](magic), 400, most=60)
    assert failure is not None
    assert FOUND[name] in failure.what
    assert len(failure.game.answers) < 50
    assert broken(failure.game) == failure.what


BROKEN_ENGINE = {
    "exactly_one_state": "it waits in 'gate'",
    "nothing_is_left_of_the_turn_before": "left over from an earlier turn",
    "facts_are_enough": "",
    "orders_are_taken": "no orders today",
    "nothing_crashes": "KeyError",
    "snapshot_is_restored": "restored from its snapshot",
    "fork_is_parent": "is another game",
    "fork_leaves_its_parent": "has changed its fork",
    "trace_replays": "the replay of its trace",
}


@pytest.mark.parametrize("name", sample(BROKEN_ENGINE, 2))
def test_a_broken_engine_is_noticed(
    name: str, magic: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    DOUBLES[name](monkeypatch)
    failure = play(replace(magic, edition=f"with {name}"), 100, most=60)
    assert failure is not None
    assert BROKEN_ENGINE[name] in failure.what


def no_upkeep(game: TurnController) -> str:
    return "there is an upkeep" if game.position.step == "upkeep" else ""


def test_an_invariant_of_ones_own() -> None:
    failure = play("magic", 20, invariants=[no_upkeep])
    assert failure is not None
    assert failure.what.startswith("there is an upkeep; after ")
    assert broken(failure.game) == ""


# the command ---------------------------------------------------------------------------------------


def command(*words: object) -> Result:
    return CliRunner().invoke(cli, ["check", *map(str, words)], prog_name="fsm")


@pytest.fixture
def broken_file(tmp_path: Path, magic: Model) -> Callable[[str], Path]:
    def write(name: str) -> Path:
        path = tmp_path / "broken.json"
        path.write_text(json.dumps(MODELS[name](magic).to_json()), "utf-8")
        return path

    return write


def test_the_command_says_that_nothing_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = command("magic-classic", "magic-2010", "--play", 3, "--json")
    assert done.exit_code == 0
    assert [(one["ruleset"], one["wrong"]) for one in json.loads(done.output)] == [
        ("magic-classic", ""),
        ("magic-2010", ""),
    ]
    assert list(tmp_path.iterdir()) == []


def test_the_command_prints_a_scenario(broken_file: Callable[[str], Path], tmp_path: Path) -> None:
    path = broken_file("every_begun_phase_ends")
    done = command(path, "--play", 50)
    assert done.exit_code == 1
    said, _, text = done.output.partition("\n")
    assert "the turn ends, but " in said and "has not ended" in said
    case = tmp_path / "case.json"
    case.write_text(text, "utf-8")
    assert json.loads(text)["id"] == "random-game"
    assert CliRunner().invoke(cli, ["run", str(case), "--ruleset", str(path)]).exit_code == 0


def test_a_game_that_no_scenario_tells_is_a_script() -> None:
    from fsm.cli.play import game_text

    failure = play("magic", 20, invariants=[no_upkeep])
    assert failure is not None
    script = game_text(failure, "magic")  # without the invariant, no scenario breaks anything
    done = processes.run([sys.executable, "-c", script])
    assert done.returncode == 0
    assert script.endswith(f"# {failure.what}")


def test_without_hypothesis_one_sentence_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delitem(sys.modules, "fsm.testing.randomgames")
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    done = command("magic", "--play", 1)
    assert (done.exit_code, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert "run pip install 'turn-fsm[test]'" in done.stderr


def test_a_wrong_number_and_a_wrong_ruleset_are_refused() -> None:
    assert command("magic", "--play", 0).exit_code == 2
    assert command("magik", "--play", 1).exit_code == 2
