"""`fsm rulebook` as its user meets it: text, JSON, picture, exit codes, errors."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fsm.cli import cli
from support.drawnsvg import read
from support.madeuprules import BARN, CHECK_TOML, GAME

COMBAT = """\
509. Blocks

509.1. The one who is attacked says what blocks.

509.2. All may act, first the one whose turn it is.

510. Damage

510.1. Say who is hit, and how hard.

510.2. Everybody is hit at the same moment.

511. The end of the fight

511.3. Everybody goes home (see rule 510.2).
"""
"""Made up, with numbers that Magic has."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "barn.json").write_text(json.dumps(GAME.to_json()), "utf-8")
    (tmp_path / "barn.check.toml").write_text(CHECK_TOML, "utf-8")
    (tmp_path / "rules.txt").write_text(BARN, "utf-8")
    (tmp_path / "combat.txt").write_text(COMBAT, "utf-8")
    return tmp_path


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["rulebook", *map(str, arguments)], prog_name="fsm")


def of_barn(*arguments: object) -> Result:
    return run(*arguments, "--ruleset", "barn.json")


def test_one_file() -> None:
    done = of_barn("rules.txt")
    assert done.exit_code == 1
    assert (
        done.stdout
        == """\
barn.json (Barn 2031) and rules.txt (17 numbered entries, effective March 3, 2031)

In the modelled sections, and neither cited nor explained
  200.3  The cock may crow.
  201.3  Eggs stay in the basket.
  201.3a  Feathers stay on the floor.

Likewise, but a rule above is cited or explained
  200.2a

6 cited rules: 6 in the file, 0 not; 3 rules of the modelled sections neither cited nor explained
"""
    )


def test_what_is_missing(folder: Path) -> None:
    without = BARN.replace("202.1a Whoever", "202.2. Whoever").replace(
        "\n201. Feeding\n202. Night\n", "\n202. Night\n"
    )
    start, _, rest = without.partition("201. Feeding")
    (folder / "rules.txt").write_text(start + rest[rest.index("202. Night") :], "utf-8")
    done = of_barn("rules.txt")
    assert done.exit_code == 1
    assert (
        "\nCited, but not in the file\n  202.1a\n          cited by transition feed -> wake\n"
        in done.stdout
    )
    assert "how many of their rules are cited\n  201 (1)\n" in done.stdout
    assert (
        "6 cited rules: 4 in the file, 1 not, 1 in sections that are not in the file; 2 rules"
        in done.stdout
    )


def test_a_file_of_another_edition_may_have_no_cited_rule(folder: Path) -> None:
    notes = CHECK_TOML.replace('"201.2"', '"205.2"')
    (folder / "other.toml").write_text(notes, "utf-8")
    (folder / "rules.txt").write_text("205.2. Hay is left.", "utf-8")
    said = of_barn("rules.txt", "--notes", "other.toml").stdout
    assert (
        "No cited rule is in the file: it may be of another edition than Barn 2031\n6 cited rules: 0 in"
        in said
    )


def test_a_file_with_which_all_is_well(folder: Path) -> None:
    notes = CHECK_TOML.replace('"200 to 202" = "the day"', '"202" = "the night"')
    (folder / "other.toml").write_text(notes, "utf-8")
    done = of_barn("rules.txt", "--notes", "other.toml")
    assert (done.exit_code, done.stdout.splitlines()[-1]) == (
        0,
        "6 cited rules: 6 in the file, 0 not; 0 rules of the modelled sections neither cited nor explained",
    )


def test_two_files(folder: Path) -> None:
    new = (
        BARN.replace("202", "203")
        .replace("takes an egg", "takes two eggs")
        .replace("200.3. The", "200.4. The")
    )
    (folder / "new.txt").write_text(
        new.replace("201.3a Feathers stay on the floor.", "201.5. Geese."), "utf-8"
    )
    done = of_barn("rules.txt", "new.txt")
    assert done.exit_code == 1
    assert (
        done.stdout
        == """\
barn.json (Barn 2031)
  from rules.txt (17 numbered entries, effective March 3, 2031)
  to   new.txt (17 numbered entries, effective March 3, 2031)

The same words under a new number
  200.3 -> 200.4
  202 -> 203
  202.1 -> 203.1  the lamp
          cited by transition feed -> wake [dark]; fact dark
  202.1a -> 203.1a
          cited by transition feed -> wake

Other words under the same number
  200.2
          - "an egg"  + "two eggs"
          cited by transition wake -> feed

Went
  201.3a

Came
  201.5

concerns the ruleset: 4 renumbered, 1 changed, 1 went, 1 came; 3 of these cited; 11 rules as before
"""
    )


def test_two_files_that_say_the_same(folder: Path) -> None:
    (folder / "new.txt").write_bytes(
        BARN.replace("’", "'").replace("two farmers", "three farmers").encode("utf-16")
    )
    done = of_barn("rules.txt", "new.txt")
    assert done.exit_code == 0
    assert done.stdout.endswith(
        "elsewhere: 1 changed (--json names them)\nconcerns the ruleset: nothing; 16 rules as before\n"
    )


def test_one_file_as_json() -> None:
    done = run("combat.txt", "--json")
    found = json.loads(done.stdout)
    assert (done.exit_code, found["ruleset"], found["edition"], found["good"]) == (
        1,
        "magic",
        "CR 2026-01",
        False,
    )
    assert found["file"] == {"name": "combat.txt", "effective": "", "rules": 8, "twice": []}
    missing = {entry["rule"]: entry for entry in found["missing"]}
    assert set(missing) == {"510.3", "510.4", "511.1"}
    assert "declare_blockers_after -> first_strike_damage_before" in " ".join(
        missing["510.4"]["transitions"]
    )
    assert "508" in found["missing_sections"]
    assert (found["uncited"], found["below_cited"]) == ([], [])


def test_two_files_as_json(folder: Path) -> None:
    (folder / "new.txt").write_text(
        COMBAT.replace("510", "515").replace("how hard", "how softly"), "utf-8"
    )
    done = run("combat.txt", "new.txt", "--json")
    found = {entry["old"]: entry for entry in json.loads(done.stdout)["concerned"]}
    assert {old: (entry["is"], entry["new"]) for old, entry in found.items()} == {
        "510": ("renumbered", "515"),
        "510.1": ("renumbered and changed", "515.1"),
        "510.2": ("renumbered", "515.2"),
    }
    assert found["510.1"]["words"] == [{"was": "hard.", "is": "softly."}]
    assert found["510.1"]["modelled"] is True
    assert all(entry["transitions"] for entry in found.values())


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_marked_picture(folder: Path, theme: str) -> None:
    new = COMBAT.replace("511.3. Every", "511.4. Every").replace("what blocks", "who blocks")
    (folder / "new.txt").write_text(
        new.replace("510.2. Everybody is hit at the same moment.", ""), "utf-8"
    )
    done = run("combat.txt", "new.txt", "-o", "marked.svg", "--theme", theme)
    assert done.stdout.endswith("written: marked.svg\n")
    svg = (folder / "marked.svg").read_text("utf-8")
    drawn = read(svg)
    for words in (
        "cites a rule that changed",
        "cites a rule with a new number",
        "cites a rule that is not there",
    ):
        assert drawn.says(words)
    assert drawn.says(
        "From combat.txt to new.txt. Not there: 510.2. Changed: 509.1. With a new number: 511.3."
    )
    tips = "\n".join(drawn.tooltips)
    assert "511.3: 511.4 in new.txt" in tips
    assert "510.2: not in new.txt" in tips
    assert "509.1: changed in new.txt" in tips


def test_a_picture_marks_what_one_file_lacks(folder: Path) -> None:
    run("combat.txt", "-o", "marked.svg", "--view", "phase:combat_phase")
    svg = (folder / "marked.svg").read_text("utf-8")
    assert "combat.txt has only a part of the cited sections: others are not marked." in svg
    assert "510.4: not in combat.txt" in svg
    assert "508.1: not in combat.txt" not in svg


def test_a_rule_of_nearly_every_step_is_told_and_not_marked(folder: Path) -> None:
    (folder / "old.txt").write_text(
        "500. Turns\n\n500.4. What waited is over.\n\n500.7. More turns.", "utf-8"
    )
    (folder / "new.txt").write_text(
        "500. Turns\n\n500.4. What waited goes on.\n\n500.7. No more turns.", "utf-8"
    )
    run("old.txt", "new.txt", "-o", "marked.svg")
    svg = (folder / "marked.svg").read_text("utf-8")
    assert "In nearly every step, and not marked: 500.4." in svg
    assert "500.4: changed" not in svg
    assert "500.7: changed in new.txt" in svg


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["absent.txt"],
            "absent.txt: cannot be read (No such file or directory); name the plain text of a rulebook",
        ),
        (
            ["rules.txt"],
            "rules.txt: magic knows none of its rules, 1 to 202.1a; name the ruleset of this rulebook",
        ),
        (["combat.txt", "empty.txt"], "empty.txt: no rule with a number was found"),
        (["combat.txt", "--ruleset", "magick"], "did you mean 'magic'?"),
        (["combat.txt", "-o", "x.bmp"], "'x.bmp' does not end in .svg, .png or .pdf"),
        (["combat.txt", "-o", "x.svg", "--view", "turns"], "did you mean 'turn'?"),
        (["combat.txt", "--notes", "absent.toml"], "absent.toml: there is no such file"),
        ([], "Missing argument 'FILE'"),
    ],
)
def test_wrong_use(arguments: list[str], said: str, folder: Path) -> None:
    (folder / "empty.txt").write_text("", "utf-8")
    done = run(*arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert said in done.stderr
    assert not list(folder.glob("x.*"))


def test_a_terminal_is_not_controlled_by_a_rulebook(folder: Path) -> None:
    (folder / "rules.txt").write_text(BARN.replace("The cock", "The \x1b[31mcock"), "utf-8")
    assert re.search(r"200\.3  The \\x1b\[31mcock", of_barn("rules.txt").stdout)
