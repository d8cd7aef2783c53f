"""What may be missing is listed with a reason; a list that is wrong, or has been overtaken, says
so.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fsm.cli.cover import cover
from fsm.coverage import Data, save, subject_of, targets
from fsm.coverage.reports import read_allowed, results_of, wrong
from fsm.coverage.reports.terminal import lines
from fsm.errors import CoverageError
from support.smallmodels import CARDS, DARK, LAMP, OFF, ON, SMASH, recorded

TAKEN = recorded(LAMP, [(ON, "off"), (OFF, "on")])


def listed(folder: Path, text: str) -> Path:
    path = folder / "allow.toml"
    path.write_text(text, "utf-8")
    return path


def entry(target: str, **more: str) -> str:
    told = {"criterion": "transitions", "target": target, "why": "nobody does that", **more}
    return "[[allow]]\n" + "".join(f"{name} = {value!r}\n" for name, value in told.items())


def measured(path: Path) -> tuple[str, tuple[str, ...]]:
    """The coverage in words, and what is wrong with the list."""
    allowed = read_allowed(path)
    results = results_of(TAKEN, [("lamp", LAMP)], ["transitions"], allowed)
    return str(results[0].coverages[0]), wrong(allowed, results)


def test_what_is_allowed_is_left_out_and_counted_apart(tmp_path: Path) -> None:
    assert measured(listed(tmp_path, "")) == ("transitions: 2 of 4 taken (50.0%)", ())
    one = listed(tmp_path, entry(SMASH))
    assert measured(one) == ("transitions: 2 of 3 taken (66.7%), 1 more may be missing", ())
    both = listed(
        tmp_path,
        f"[[allow]]\ncriterion = 'transitions'\ntarget = [{SMASH!r}, {DARK!r}]\nwhy = 'no'\n",
    )
    assert measured(both) == ("transitions: 2 of 2 taken (100.0%), 2 more may be missing", ())


def test_it_may_stand_in_the_project_file(tmp_path: Path) -> None:
    path = tmp_path / "pyproject.toml"
    told = entry(SMASH).replace("[[allow]]", "[[tool.fsm.coverage.allow]]")
    path.write_text(f"[project]\nname = 'x'\n{told}", "utf-8")
    assert [(one.criterion, one.target, one.why) for one in read_allowed(path)] == [
        ("transitions", SMASH, "nobody does that")
    ]
    path.write_text("[project]\nname = 'x'\n", "utf-8")
    assert read_allowed(path) == ()


def test_of_whom_and_of_which_machine(tmp_path: Path) -> None:
    path = listed(tmp_path, entry(SMASH, of="lamp") + entry(DARK, of="magic", criterion="rules"))
    assert measured(path) == ("transitions: 2 of 3 taken (66.7%), 1 more may be missing", ())
    path = listed(tmp_path, entry(SMASH, machine="window"))
    counted, (said,) = measured(path)
    assert counted == "transitions: 2 of 4 taken (50.0%)"
    assert "is not in lamp" in said
    path = listed(tmp_path, entry(SMASH, machine="lamp") + entry(SMASH, machine="window"))
    assert measured(path)[0] == "transitions: 2 of 3 taken (66.7%), 1 more may be missing"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (entry(ON), "is taken after all, of lamp: take it off the list"),
        (entry(SMASH.replace("on smash", "on smasch")), f"is not in lamp; did you mean {SMASH!r}?"),
        (entry(SMASH, of="magik"), "did you mean 'magic'?"),
    ],
)
def test_a_list_that_is_overtaken(tmp_path: Path, text: str, said: str) -> None:
    (found,) = measured(listed(tmp_path, text))[1]
    assert "allow.toml: entry 1" in found
    assert said in found


def test_what_is_proved_impossible_need_not_be_allowed(tmp_path: Path) -> None:
    target = next(t for t in targets(CARDS, "transitions") if t.infeasible)
    allowed = read_allowed(listed(tmp_path, entry(target.id)))
    data = Data()
    data.of(subject_of(CARDS)).starts.add(CARDS.initial)
    (said,) = wrong(allowed, results_of(data, [("cards", CARDS)], ["transitions"], allowed))
    assert "cannot be taken, which is proved of cards" in said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[[allow]\n", "allow.toml: "),
        ("allow = 3\n", "'allow' is a list; write [[allow]]"),
        ("allow = [3]\n", "entry 1 is no table"),
        ("[[allow]]\ntarget = 'x'\nwhy = 'y'\n", "entry 1 has no 'criterion'"),
        (entry(ON) + entry(ON, reason="x"), "entry 2: 'reason' is unknown"),
        (entry(ON, why="  "), "entry 1: 'why' must be a text that is not empty"),
        (
            entry(ON, criterion="transition"),
            "entry 1: criterion 'transition' is unknown; did you mean 'transitions'?",
        ),
        (
            "[[allow]]\ncriterion = 'pairs'\ntarget = []\nwhy = 'y'\n",
            "entry 1: 'target' must be a text",
        ),
    ],
)
def test_a_list_that_cannot_be_read(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(CoverageError) as caught:
        read_allowed(listed(tmp_path, text))
    assert said in str(caught.value)
    with pytest.raises(CoverageError, match=r"nothing\.toml"):
        read_allowed(tmp_path / "nothing.toml")


def test_the_terminal_says_that_something_is_left_out(tmp_path: Path) -> None:
    allowed = read_allowed(listed(tmp_path, entry(SMASH)))
    shown = list(lines(results_of(TAKEN, [("lamp", LAMP)], ["transitions"], allowed), missing=True))
    assert "lamp: allowed to be missing and left out: 1 transitions" in shown
    assert not any(SMASH in line for line in shown)


def report(folder: Path, *more: object) -> Result:
    data = Data()
    data.update(TAKEN)
    data.add_model(subject_of(LAMP), LAMP.to_json())
    save(data, folder / "taken.fsmcov")
    words = [
        "report",
        folder / "taken.fsmcov",
        "--criteria",
        "transitions",
        *more,
    ]
    return CliRunner().invoke(cover, [str(word) for word in words], prog_name="fsm cover")


def test_the_command_takes_a_list_and_fails_when_it_is_wrong(tmp_path: Path) -> None:
    fine = listed(tmp_path, entry(SMASH) + entry(DARK))
    done = report(tmp_path, "--allow", fine, "--fail-under", "100")
    assert done.exit_code == 0, done.output
    assert "2/2  100%" in done.output
    assert report(tmp_path, "--fail-under", "100").exit_code == 1
    done = report(tmp_path, "--allow", listed(tmp_path, entry(ON)))
    assert done.exit_code == 1
    assert "is taken after all" in done.output


def test_programs_and_readers_of_the_page_are_told(tmp_path: Path) -> None:
    allow = listed(tmp_path, entry(SMASH))
    done = report(
        tmp_path,
        "--allow",
        allow,
        "--report",
        f"json:{tmp_path / 'out.json'}",
        "--report",
        f"html:{tmp_path / 'out.html'}",
    )
    assert done.exit_code == 0
    data = (tmp_path / "out.json").read_text("utf-8")
    assert '"missing": 1, "allowed": 1' in data
    assert '"allowed": "nobody does that"' in data
    page = (tmp_path / "out.html").read_text("utf-8")
    assert '"allowed"' in page
    assert "nobody does that" in page
