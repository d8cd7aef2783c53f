"""Random games: the same by seed whoever plays them, and every invariant notices what it is there
for.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from lanterns import LANTERNS

import fsm
from fsm import scenarios
from fsm.cli import cli
from fsm.cli.fuzz import fuzz as command
from fsm.engine.requests import Answer, Over, Signal
from fsm.engine.trace import Trace
from fsm.errors import FsmError, TraceError
from fsm.model import Model
from fsm.rulesets import names
from fsm.scenarios import parse_scenarios, play
from fsm.state.orders import AddTurn, ControlNextTurn, Leave, ReverseTurnOrder, SkipTurn, Withdraw
from fsm.testing.fuzzing import Plan, Report, Wanderer, Weights, fuzz, wanderings_of
from fsm.testing.fuzzing.checkedgame import OTHER_INVARIANTS
from fsm.testing.fuzzing.invariantparameters import INVARIANT_PARAMETERS
from fsm.testing.fuzzing.invariants import ALL
from fsm.testing.fuzzing.playing import play_all
from fsm.testing.fuzzing.smallestcase import broken_by
from fsm.testing.fuzzing.turnorder import ExpectedTurn, TurnOrder
from support.amounts import amount, sample
from support.plantedbugs import DOUBLES, MODELS, changed

EVERY_POINT = Plan(1, turns=6, snapshot_share=1, trace_share=1)


@pytest.mark.parametrize("name", sample(names(), 2))
def test_every_invariant_holds_at_every_point(name: str) -> None:
    games = amount(3, 40)
    report = fuzz(name, games, plan=EVERY_POINT)
    assert report.found is None
    assert (
        report.looks.turns > 3 * games
        and report.looks.twins > 100 * games
        and report.looks.traces == games
    )


def test_a_game_of_ones_own_is_played_as_well() -> None:
    weights = Weights(order=0.2, signal=0.05, leaving=1, latched=0.1)
    report = fuzz(
        LANTERNS.build(), 20, plan=Plan(3, snapshot_share=0.2, trace_share=1, weights=weights)
    )
    assert report.found is None and report.looks.turns > 50


def test_what_is_broken_is_cited_by_the_rulebook_of_its_own_ruleset() -> None:
    """Without mana being emptied: in each edition another rule is broken, and in a game of one's
    own none is cited.
    """
    for name, rule in {"magic": "500.5", "magic-2010": "500.4"}.items():
        model = MODELS["mana_is_emptied"](fsm.load(name))
        assert _first_broken(model) == ("mana_is_emptied", rule)
    classic = changed(
        fsm.load("magic-classic"),
        "draw_after -> beginning_phase_end",
        target="beginning_phase_after",
    )
    assert _first_broken(classic) == ("mana_is_emptied", "300.3")
    assert _first_broken(replace(model, name="a game of one's own")) == ("mana_is_emptied", "")
    names = {invariant.name for group in ALL for invariant in group} | set(OTHER_INVARIANTS)
    assert all(names >= parameters.rules.keys() for parameters in INVARIANT_PARAMETERS.values())


def _first_broken(model: Model) -> tuple[str, str]:
    found = fuzz(model, 20, shrink=False).found
    assert found is not None
    return found.broken.name, found.broken.rule


# by seed, whoever plays ---------------------------------------------------------------------------


def test_jobs_find_the_same() -> None:
    assert fuzz("magic-classic", 6, 4, jobs=2) == fuzz("magic-classic", 6, 4)


def test_games_follow_from_seed_and_number_alone(magic: Model) -> None:
    def answers(seed: int, number: int) -> list[Answer]:
        game = Wanderer(wanderings_of(magic, Weights()), seed, number)
        turn = fsm.TurnController(
            magic, game.head.players, teams=game.head.teams, settings=game.head.settings
        )
        given = []
        for _ in range(200):
            given.append(game.answer(turn))
            if isinstance(turn.answer(given[-1]), Over):
                break
        return given

    assert answers(1, 5) == answers(1, 5)
    assert answers(1, 5) != answers(1, 6) and answers(1, 5) != answers(2, 5)


@pytest.mark.parametrize("name", names())
def test_random_games_come_to_every_step(name: str) -> None:
    """Also to those into which only an event of the game leads, such as an attack."""
    model = fsm.load(name)
    came: set[str] = set()
    for number in range(15):
        game = Wanderer(wanderings_of(model, Weights(signal=0)), 1, number)
        turn = fsm.TurnController(
            model, game.head.players, teams=game.head.teams, settings=game.head.settings
        )
        while not isinstance(turn.request, Over) and turn.position.turn <= 8:
            came.add(turn.position.step)
            turn.answer(game.answer(turn))
    assert came >= {step.name for step in model.of_kind("step")}


def test_tables_in_turn_are_the_same_games(magic: Model) -> None:
    plan, games = Plan(5, turns=1), amount(75, 300)
    alone, together = (
        {p.number: p for p in play_all(magic, plan, range(games), n)} for n in (1, 2 * games // 5)
    )
    assert sorted(together) == list(range(games))
    assert alone == together


# every invariant notices --------------------------------------------------------------------------


def test_every_invariant_has_a_bug_planted() -> None:
    invariants = [invariant for group in ALL for invariant in group]
    assert {i.name for i in invariants} | set(OTHER_INVARIANTS) == {*MODELS, *DOUBLES}
    assert len(invariants) + len(OTHER_INVARIANTS) == 18 and all(
        i.broken.__doc__ for i in invariants
    )


def _reproduces(model: Model, report: Report) -> bool:
    """Does the file that was written break the same invariant?"""
    found = report.found
    assert found is not None
    if found.kind == "trace":
        trace = Trace.read(found.case.splitlines())
        head, answers = trace.head, tuple(trace.answers)
    else:
        outcome = play(parse_scenarios(json.loads(found.case), "case")[0], model=model)
        head, answers = outcome.trace.head, tuple(outcome.trace.answers)
    broken = broken_by(model, head, answers)
    return broken is not None and broken.name == found.broken.name


@pytest.mark.parametrize("name", sample(MODELS, 2, seed=5))
def test_a_broken_model_is_noticed_and_made_small(name: str, magic: Model) -> None:
    model = MODELS[name](magic)
    report = fuzz(model, 400, plan=Plan(2, trace_share=1))
    assert report.found is not None and report.found.broken.name == name, report.found
    assert report.found.departures <= 8
    assert _reproduces(model, report)


@pytest.mark.parametrize("name", sample(DOUBLES, 2))
def test_a_broken_engine_is_noticed_and_made_small(
    name: str, magic: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = replace(magic, edition=f"with {name}")
    DOUBLES[name](monkeypatch)
    report = fuzz(model, 400, plan=Plan(1, snapshot_share=0.2, trace_share=1))
    assert report.found is not None and report.found.broken.name == name, report.found
    assert report.found.departures <= 4
    assert _reproduces(model, report)


def test_what_scenarios_can_say_becomes_a_scenario(tmp_path: Path, magic: Model) -> None:
    path = tmp_path / "broken.json"
    path.write_text(json.dumps(MODELS["turn_order_is_right"](magic).to_json()), encoding="utf-8")
    report = fuzz(str(path), 400, plan=Plan(2, trace_share=1))
    assert report.found is not None and report.found.kind == "scenario"
    given = {item["do"] for item in json.loads(report.found.case)["given"]}
    assert given & {"add_turn", "control_next_turn", "skip_turn", "player_leaves"}


def test_a_trace_of_what_was_stuck_cannot_be_replayed(magic: Model) -> None:
    model = MODELS["never_stuck"](magic)
    found = fuzz(model, 50, plan=Plan(1)).found
    assert found is not None and found.kind == "trace"
    with pytest.raises(TraceError, match="nothing can fire"):
        Trace.read(found.case.splitlines()).replay(model)


# the oracle of turns, by hand ---------------------------------------------------------------------

TESTS = (("extra_due", "turn"), ("skip_due", "turn", "turn"), ("candidate_left",))


def test_turn_order_by_hand() -> None:
    order = TurnOrder((("A", "B"), ("C",), ("D",)), TESTS)
    assert order.begin() == ExpectedTurn("A", False, "A")
    order.note_answer(
        Answer(orders=(AddTurn("C"), AddTurn("D"), SkipTurn("C"), ControlNextTurn("D", "B", True)))
    )
    assert order.begin() == ExpectedTurn("D", True, "B")
    order.note_answer(Answer(signal=Signal("player_left", "A")))
    assert order.begin() == ExpectedTurn("D", True, "D")
    assert order.begin() == ExpectedTurn("C", False, "C")
    order.note_answer(Answer(signal=Signal("player_left", "D")))
    assert order.begin() == ExpectedTurn("A", False, "A")
    order.note_answer(Answer(orders=(Leave("B"),)))
    order.note_answer(Answer(signal=Signal("player_left", "C")))
    assert order.begin() is None


def test_turn_order_with_labels_by_hand() -> None:
    """What 500.7, 614.10a, 805.8 and 103.1 say of several turns, worked out on paper."""
    order = TurnOrder((("A", "B"), ("C",), ("D",)), TESTS)
    assert order.begin() == ExpectedTurn("A", False, "A")
    order.note_orders(
        (
            AddTurn("C", id="x"),
            AddTurn("D", after="x"),
            AddTurn(players=("B", "A")),
            AddTurn("C", id="y"),
        )
    )
    order.note_orders(
        (
            AddTurn("C", id="y"),
            Withdraw("y"),
            ControlNextTurn("C", "A", within="x"),
            ReverseTurnOrder(),
        )
    )
    assert order.begin() == ExpectedTurn("A", True, "A")  # once for the team
    assert order.begin() == ExpectedTurn("C", True, "A")
    order.note_orders(
        (SkipTurn(extra=True, scope="each", id="Stranglehold"), SkipTurn(players=("A", "B")))
    )
    assert order.begin() == ExpectedTurn(
        "D", False, "D"
    )  # the extra turn is skipped; D follows the team backwards
    order.note_orders(
        (Withdraw("Stranglehold"), AddTurn("D", after="gone"), AddTurn("D", id="now"))
    )
    assert order.begin() == ExpectedTurn("D", True, "D")
    order.note_orders((AddTurn("C", after="now"), ReverseTurnOrder()))
    assert order.begin() == ExpectedTurn("C", True, "C")
    assert order.begin() == ExpectedTurn("C", False, "C")  # the team skips its turn
    assert order.begin() == ExpectedTurn("D", False, "D")
    assert order.begin() == ExpectedTurn("A", False, "A")


# wrong input, and the command ---------------------------------------------------------------------


def test_wrong_plans_are_refused() -> None:
    for wrong in (
        lambda: Plan(turns=0),
        lambda: Plan(snapshot_share=2),
        lambda: Weights(order=-1),
        lambda: Weights(facts={"x": 3}),
        lambda: fuzz("magic", 0),
        lambda: fuzz("magics", 1),
    ):
        with pytest.raises(FsmError):
            wrong()


def test_the_command_is_quiet_and_says_what_held() -> None:
    result = CliRunner().invoke(command, ["magic", "--games", "3", "--turns", "2", "--json"])
    assert result.exit_code == 0 and result.stderr == ""
    report = json.loads(result.stdout)
    assert report["ok"] and report["games"] == 3 and report["found"] is None


def test_the_command_writes_what_was_broken(tmp_path: Path, magic: Model) -> None:
    model, out = tmp_path / "broken.json", tmp_path / "case.json"
    broken = changed(magic, "end_after -> cleanup_before", target="ending_phase_end")
    model.write_text(json.dumps(broken.to_json()), encoding="utf-8")
    result = CliRunner().invoke(command, [str(model), "--out", str(out)])
    assert result.exit_code == 1 and "last_step_ends_the_turn" in result.stdout
    scenario = scenarios.load(out, str(model))[0]
    found = broken_by(broken, play(scenario).trace.head, tuple(play(scenario).trace.answers))
    assert found is not None and found.name == "last_step_ends_the_turn"


# found cases, played again ------------------------------------------------------------------------

BROKEN = ("turn_order_is_right", "never_stuck", "who_left_is_not_asked")


@pytest.mark.parametrize("seed", ["1", "7"][: amount(1, 2)])
@pytest.mark.parametrize("name", BROKEN[: amount(2, 3)])
def test_a_found_case_is_played_again(name: str, seed: str, tmp_path: Path, magic: Model) -> None:
    """It breaks the model it was found in, and no longer breaks one that is mended."""
    model = tmp_path / "broken.json"
    model.write_text(json.dumps(MODELS[name](magic).to_json()), encoding="utf-8")
    case = str(tmp_path / "case")
    found = CliRunner().invoke(
        command, [str(model), "--games", "400", "--seed", seed, "--out", case]
    )
    assert found.exit_code == 1
    kind = "scenario" if "(a scenario" in found.stdout else "trace"
    still = CliRunner().invoke(command, [str(model), "--case", case])
    assert still.exit_code == 1 and f" breaks {name}" in still.stdout
    mended = CliRunner().invoke(command, ["magic", "--case", case, "--json"])
    told = json.loads(mended.stdout)
    assert (
        mended.exit_code == 0 and told["ok"] and (told["kind"], told["turns"] > 0) == (kind, True)
    )
    assert (magic.fingerprint not in told["other"]) and bool(told["other"]) == (kind == "trace")


def test_a_player_who_leaves_by_an_order_takes_no_turn(tmp_path: Path) -> None:
    """Scenarios let players leave by `Leave`, not by the signal."""
    case = tmp_path / "case.json"
    when = {"turn": 1, "step": "upkeep"}
    case.write_text(
        json.dumps(
            {
                "players": 3,
                "through_turn": 4,
                "given": [{"when": when, "do": "player_leaves", "player": "C"}],
            }
        ),
        encoding="utf-8",
    )
    assert CliRunner().invoke(command, ["magic", "--case", str(case)]).exit_code == 0


CASES_WRONG = {
    "nothing there": (None, "there is no such file"),
    "no text": (b"\xff\xfe\x00{", "not text in UTF-8"),
    "cut off": (b'{"id": "x", "given": [', "cannot be read as JSON"),
    "half a head": (
        b'{"is": "GameHeader", "model": "magic"}\n',
        "missing 2 required positional arguments",
    ),
    "a part of a run": (
        b'{"is":"GameHeader","model":"magic","fingerprint":"x","players":["A","B"],"complete":false}\n',
        "a part of a run",
    ),
    "players who are one": (
        b'{"is":"GameHeader","model":"magic","fingerprint":"x","players":["A","A"]}\n',
        "different names",
    ),
}


@pytest.mark.parametrize(("content", "says"), CASES_WRONG.values(), ids=CASES_WRONG.keys())
def test_a_case_that_is_none_is_refused(content: bytes | None, says: str, tmp_path: Path) -> None:
    path = tmp_path / "case.json"
    if content is not None:
        path.write_bytes(content)
    done = CliRunner().invoke(cli, ["fuzz", "magic", "--case", str(path)], prog_name="fsm")
    assert done.exit_code == 2 and done.stdout == ""
    assert says in done.stderr and str(path) in done.stderr and len(done.stderr.splitlines()) == 1
