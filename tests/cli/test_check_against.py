"""`fsm check --against FILE`: the numbers that a ruleset cites, and those in a rulebook."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import fsm
from fsm.checks.citing import cited
from fsm.cli import cli

CITED = sorted(cited(fsm.load("magic")))
BOOK = "".join(f"{number}. These are our own words.\n\n" for number in CITED)
LACKING = BOOK.replace("514.3a.", "514.3b.")


def against(file: object, *more: str, ruleset: str = "magic") -> Result:
    arguments = ["check", ruleset, "--against", str(file), *more]
    return CliRunner().invoke(cli, arguments, prog_name="fsm")


@pytest.fixture
def book(tmp_path: Path) -> Callable[[str | bytes], Path]:
    def write(text: str | bytes) -> Path:
        path = tmp_path / "rules.txt"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


Write = Callable[[str | bytes], Path]


def test_a_rulebook_with_every_cited_number(book: Write) -> None:
    done = against(book(BOOK))
    assert done.exit_code == 0
    assert f"{len(CITED)} of {len(CITED)} cited rule numbers" in done.output
    assert "not there" not in done.output


def test_a_number_that_is_missing_is_told_with_the_one_most_like_it(book: Write) -> None:
    done = against(book(LACKING))
    assert done.exit_code == 1
    assert "not there: 514.3a; did you mean 514.3b?" in done.output


def test_numbers_of_the_modelled_sections_that_nobody_knows(book: Write) -> None:
    done = against(book(BOOK + "514.9. The table is wiped.\n999.1. Elsewhere.\n"))
    assert done.exit_code == 0
    assert "list of rules:\n  514.9\n" in done.output


def test_the_same_as_json(book: Write) -> None:
    done = against(book(LACKING), "--json")
    values = json.loads(done.output)
    assert (values["cited"], values["missing"]) == (len(CITED), {"514.3a": "514.3b"})
    assert values["uncited"] == ["514.3b"]


VARIANTS: dict[str, Callable[[str], bytes]] = {
    "with a byte order mark": lambda text: text.encode("utf-8-sig"),
    "UTF-16": lambda text: text.encode("utf-16"),
    "Windows-1252": lambda text: text.replace("our", "our—").encode("cp1252"),
    "CR": lambda text: text.replace("\n", "\r").encode(),
    "Markdown": lambda text: "".join(f"**{line}\n" for line in text.splitlines()).encode(),
}


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_files_of_any_making(variant: Callable[[str], bytes], book: Write) -> None:
    assert against(book(variant(BOOK))).exit_code == 0
    assert against(book(variant(LACKING))).exit_code == 1


def test_numbers_inside_a_sentence_do_not_count(book: Write) -> None:
    done = against(book(LACKING.replace("our own", "our 514.3a. own") + "12 cards are drawn.\n"))
    assert done.exit_code == 1


@pytest.mark.parametrize(
    ("ruleset", "text", "said"),
    [
        ("magic", "1. A book of something else.\n", "has none of the 84 rule numbers"),
        ("magic", b"%PDF\x00\xff", "name the rulebook as plain text"),
        ("grand-archive", BOOK, "cites no rule by a number, so it cannot be compared"),
    ],
)
def test_what_cannot_be_compared_is_one_sentence(
    ruleset: str, text: str | bytes, said: str, book: Write
) -> None:
    done = against(book(text), ruleset=ruleset)
    assert (done.exit_code, done.stdout) == (2, "")
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    done = against(tmp_path / "rules.txt")
    assert done.exit_code == 2
    assert "No such file" in done.stderr
