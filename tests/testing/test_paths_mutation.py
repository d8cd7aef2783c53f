"""A mutation run: what a game notices it notices when played on the mutant, what is proved the same
no game notices.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path as File

import pytest

import fsm
from benchmarks.mutation import Judge, Mutant, Outcome, mutants, notices, run, why_equivalent
from benchmarks.mutation.__main__ import main
from benchmarks.mutation.report import as_markdown, as_text
from fsm.model import Model, Term, Transition
from fsm.rulesets import names
from fsm.testing.generation import paths
from support.amounts import sample
from support.folders import DOCS
from support.smallmodels import FIGHTING

SAMPLE, SEED = 18, 1


def with_rows(*guards_and_targets: tuple[str, str]) -> Model:
    """The same, but for the choice whether to fight: these guards, and where they lead."""
    choice = tuple(
        Transition("fights", to, guard=tuple(Term.parse(t) for t in guard.split(", ") if t))
        for guard, to in guards_and_targets
    )
    others = tuple(row for row in FIGHTING.transitions if row.source != "fights")
    return replace(FIGHTING, transitions=(*others, *choice))


def of_kind(of: Model, kind: str, source: str) -> Mutant:
    """The one mutant of this kind with a row out of this state."""
    [found] = [m for m in mutants(of) if m.kind == kind and m.what[0].startswith(f"{source} -> ")]
    return found


# mutants and what notices them --------------------------------------------------------------------


def test_each_row_is_removed_each_literal_flipped_and_all_neighbours_swapped() -> None:
    every = [str(mutant) for mutant in mutants(FIGHTING)]
    assert [each for each in every if not each.startswith("removed")] == [
        "flipped in turn: fights -> fight [angry, not tired] / angry",
        "flipped in turn: fights -> fight [angry, not tired] / not tired",
        "swapped in turn: fights -> fight [angry, not tired] / fights -> draw",
    ]
    assert len(every) == len(FIGHTING.transitions) + 3


@pytest.mark.parametrize("criterion", ["transitions", "literals"])
def test_a_mutant_is_noticed_by_the_very_answer_at_which_it_is_when_it_is_played(
    criterion: str,
) -> None:
    judge, found = Judge(FIGHTING, mutants(FIGHTING)), 0
    for path in paths(FIGHTING, criterion):
        for mutant, number in judge.noticed(path).items():
            found += 1
            assert notices(replace(path, answers=path.answers[:number]), mutant), str(mutant)
            assert number == 0 or not notices(
                replace(path, answers=path.answers[: number - 1]), mutant
            ), str(mutant)
        assert not any(notices(path, mutant) for mutant in judge.left if mutant.kind != "swapped")
    assert found > 4


def test_no_path_notices_the_model_itself() -> None:
    same = replace(of_kind(FIGHTING, "swapped", "fights"), transitions=FIGHTING.transitions)
    judge = Judge(FIGHTING, [same])
    for path in paths(FIGHTING, "pairs"):
        assert not notices(path, same)
        assert judge.noticed(path) == {}


# what is the same ---------------------------------------------------------------------------------


def test_rows_that_never_hold_at_once_may_change_places() -> None:
    of = with_rows(("angry", "fight"), ("not angry", "draw"))
    assert "contradict each other" in str(why_equivalent(of, of_kind(of, "swapped", "fights")))


def test_rows_that_do_the_same_may_change_places() -> None:
    of = with_rows(("angry", "draw"), ("", "draw"))
    assert (
        str(why_equivalent(of, of_kind(of, "swapped", "fights")))
        == "whatever fires there does the same"
    )


def test_a_row_may_go_that_one_above_always_takes() -> None:
    of = with_rows(("", "draw"), ("angry", "fight"))
    row = next(m for m in mutants(of) if m.kind == "removed" and m.what[0].endswith("[angry]"))
    assert str(why_equivalent(of, row)) == "whatever fires there does the same"


def test_what_a_game_may_notice_is_not_proved_the_same() -> None:
    assert [str(mutant) for mutant in mutants(FIGHTING) if why_equivalent(FIGHTING, mutant)] == []


# whole runs ---------------------------------------------------------------------------------------


def test_a_run_finds_games_for_what_the_paths_leave() -> None:
    """Paths made for states need not take every transition; the games made for mutants do."""
    outcome = run(FIGHTING, ["states"], effort=2_000)
    assert outcome.explained
    assert len(outcome.noticed) == len(outcome.tried) == 8
    assert {m.kind for m in outcome.by_games} == {"removed"}
    assert all(notices(path, mutant) for mutant, path in outcome.noticed.items())


def test_what_is_neither_noticed_nor_proved_is_left_and_told(tmp_path: File) -> None:
    """Nothing is searched for here, and so something stays open."""
    outcome = run(FIGHTING, ["states"], effort=2_000, search=0)
    assert not outcome.explained
    assert as_text(outcome).count("NOT EXPLAINED") == len(outcome.left) > 0
    assert as_markdown([outcome], ["states"]).count("**not explained**") == len(outcome.left)


def test_the_command_writes_a_page_and_fails_when_something_is_open(
    tmp_path: File, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "small.json"
    file.write_text(json.dumps(FIGHTING.to_json()), "utf-8")
    page = tmp_path / "page.md"
    assert main([str(file), "--markdown", "-o", str(page)]) == 0
    assert "| fighting | swapped | 1 | " in page.read_text("utf-8")
    assert main([str(file), "--criteria", "states", "--search", "0"]) == 1
    assert "NOT EXPLAINED" in capsys.readouterr().out


@pytest.mark.parametrize("name", sample(names(), 1, seed=5))
def test_a_sample_of_the_mutants_of_a_ruleset_is_noticed_or_explained(name: str) -> None:
    """All of them: `python -m benchmarks.mutation`. Here with paths made with little effort."""
    outcome = run(
        fsm.load(name), ["transitions"], effort=800, search=12_000, sample=SAMPLE, seed=SEED
    )
    assert {m.kind for m in outcome.tried} == {"removed", "flipped", "swapped"}
    assert [str(mutant) for mutant in (*outcome.left, *outcome.refuted)] == []
    assert outcome.by_paths and len(outcome.noticed) > SAMPLE * 0.6


def test_the_page_lists_every_shipped_ruleset() -> None:
    page = (DOCS / "mutation.md").read_text("utf-8")
    assert all(f"| {name} | removed |" in page for name in names())
    assert "not explained" not in page


def test_an_outcome_counts_by_kind() -> None:
    outcome: Outcome = run(FIGHTING, ["transitions"], effort=2_000)
    assert outcome.of_kind("removed")[0] == 5 and sum(outcome.of_kind("removed")[1:]) == 5
