"""`fsm check`: findings, allowances, rulebooks, random games and proofs, and how it ends."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import fsm
from support.commandline import DOOR, LUNCH, refused, says, written


@pytest.fixture
def hole() -> str:
    """A file with the model of a game, less a transition."""
    model = fsm.load("lanterns:LANTERNS").without("forage_window -> forage_end on closed")
    return written("hole.json", model.to_json())


# findings -----------------------------------------------------------------------------------------


def test_a_ruleset_without_findings_ends_with_0() -> None:
    assert "nothing is wrong" in says("check magic")


def test_a_finding_ends_with_1_and_says_how_to_allow_it(hole: str) -> None:
    told = says("check", hole, code=1)
    assert "error 'forage_window' has no transition for 'closed': a run stops there" in told
    assert '    [[allow]]\n    finding = "dead end"\n    at = "forage_window on closed"' in told


def test_what_the_file_beside_a_model_allows_is_fine_and_no_more(hole: str) -> None:
    found = json.loads(says("check --json", hole, code=1))["findings"]
    assert ("dead end", "forage_window on closed") in [(one["finding"], one["at"]) for one in found]
    entry = '[[allow]]\nfinding = "{finding}"\nat = \'{at}\'\nwhy = "a trial"\n'
    notes = "".join(entry.format(**one) for one in found)
    written("hole.check.toml", notes)
    assert "allowed dead end: forage_window on closed\n    because a trial" in says("check", hole)
    more = written("more.toml", notes + entry.format(finding="gap", at="draw"))
    told = says("check", hole, "--notes", more, code=1)
    assert "'gap' at 'draw' is allowed, and there is no such finding" in told


def test_a_plain_machine_that_cannot_go_on_has_a_note() -> None:
    ends = 'door.add_states("broken")\ndoor.add_transition("kick", "shut", "broken")\n'
    written("shop.py", DOOR + ends)
    assert "note nothing leads on from 'broken'" in says("check shop:door")


def test_several_targets_are_checked_one_after_the_other(hole: str) -> None:
    written("shop.py", DOOR)
    listed = json.loads(says("check shop:door --json", hole, code=1))
    found = [(one["ruleset"], bool(one["findings"])) for one in listed]
    assert found == [("shop:door", False), (hole, True)]


# the rulebook -------------------------------------------------------------------------------------


def test_the_rules_of_an_edition_are_a_table() -> None:
    told = says("check magic --rules")
    assert "\n500.10   cited; " in told and " 0 missing" in told


def test_a_rule_that_nothing_cites_ends_with_1() -> None:
    written("notes.toml", 'edition = "mine"\n[rules]\n"999" = "peace"\n')
    told = says("check magic --rules --notes notes.toml", code=1)
    assert "nothing cites rule 999 (peace)" in told


@pytest.fixture(scope="module")
def book() -> str:
    """A rulebook with every number that Magic's ruleset cites, in other words."""
    rules = json.loads(says("check magic --rules --json"))["rules"]
    numbers = [rule["rule"] for rule in rules if rule["status"] == "cited"]
    return "".join(f"{number}. These are our own words.\n\n" for number in numbers)


def test_a_rulebook_with_every_cited_number_ends_with_0(book: str) -> None:
    written("rules.txt", f"{book}514.9. The table is wiped.\n999.1. Elsewhere.\n")
    told = says("check magic --against rules.txt")
    assert "not there" not in told and "on the list of rules: 514.9\n" in told


def test_a_cited_number_that_the_rulebook_lacks_ends_with_1(book: str) -> None:
    written("rules.txt", book.replace("514.3a.", "514.3b. See 514.3a."))
    told = says("check magic --against rules.txt", code=1)
    assert "not there: 514.3a\n" in told
    found = json.loads(says("check magic --against rules.txt --json", code=1))
    assert (found["missing"], found["uncited"]) == (["514.3a"], ["514.3b"])


@pytest.mark.parametrize(
    "encoded",
    [
        lambda text: text.encode("utf-8-sig"),
        lambda text: text.encode("utf-16"),
        lambda text: text.replace("our", "our—").encode("cp1252"),
        lambda text: text.replace("\n", "\r").encode(),
        lambda text: re.sub("^(?=.)", "**", text, flags=re.M).encode(),
    ],
    ids=["UTF-8 with a mark", "UTF-16", "Windows-1252", "CR", "Markdown"],
)
def test_a_rulebook_may_come_from_any_program(encoded: Callable[[str], bytes], book: str) -> None:
    Path("rules.txt").write_bytes(encoded(book))
    says("check magic --against rules.txt")
    Path("rules.txt").write_bytes(encoded(book.replace("514.3a.", "514.3b.")))
    says("check magic --against rules.txt", code=1)


@pytest.mark.parametrize(
    ("ruleset", "text", "said"),
    [
        ("magic", "1. A book of something else.\n", "has none of the"),
        ("magic", "%PDF\0", "name the rulebook as plain text"),
        ("grand-archive", "1. One.\n", "cites no rule by a number"),
    ],
)
def test_a_book_that_cannot_be_compared_is_refused(ruleset: str, text: str, said: str) -> None:
    assert said in refused(f"check {ruleset} --against", written("rules.txt", text))


# games --------------------------------------------------------------------------------------------


def test_a_proof_for_people_and_for_programs() -> None:
    written("lunch.py", LUNCH)
    told = says("check lunch:SNACK --prove")
    assert "positions" in told and "1 of 1 properties hold; no game gets stuck" in told
    data = json.loads(says("check lunch:SNACK --prove --json"))
    assert data["ok"] and data["positions"] > 500
    assert all(one["rule"] for one in data["properties"])


def test_a_property_that_is_broken_ends_with_1_and_the_way_there_is_written() -> None:
    written("lunch.py", LUNCH)
    told = says("check lunch:LUNCH --prove --turns 1 --witnesses out", code=1)
    assert "broken: quiet: nobody acts at lunch (2)" in told
    assert [path.name for path in Path("out").iterdir()] == ["proof-lunch-LUNCH-quiet.json"]
    says("run --ruleset lunch:LUNCH out/proof-lunch-LUNCH-quiet.json")
