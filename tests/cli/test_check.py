"""`fsm check`: findings, allowances, rulebooks, random games and proofs, and how it ends."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import fsm
from support.commandline import DOOR, command, refused, written

HOLE = "upkeep_window -> upkeep_end on closed"
PROVE = "--prove --turns 1 --stack 1 --together 0"


@pytest.fixture
def hole() -> str:
    """A file with Magic's model, less a transition."""
    return written("hole.json", fsm.load("magic").without(HOLE).to_json())


# findings -----------------------------------------------------------------------------------------


def test_a_ruleset_without_findings_ends_with_0() -> None:
    done = command("check magic")
    assert done.exit_code == 0
    assert "nothing is wrong" in done.output


def test_a_finding_ends_with_1_and_says_how_a_game_gets_there(hole: str) -> None:
    done = command("check", hole)
    assert done.exit_code == 1
    assert "error 'upkeep_window' has no transition for 'closed': a run stops there" in done.output
    assert "upkeep_begin -> upkeep_window" in done.output
    assert (
        '    [[allow]]\n    finding = "dead end"\n    at = "upkeep_window on closed"' in done.output
    )


def test_findings_for_programs(hole: str) -> None:
    found = json.loads(command("check --json", hole).output)["findings"]
    dead = next(one for one in found if one["finding"] == "dead end")
    assert (dead["severity"], dead["at"]) == ("error", "upkeep_window on closed")
    assert (dead["state"], dead["event"], dead["machine"]) == ("upkeep_window", "closed", "turn")
    assert dead["path"][-1] == "upkeep_begin -> upkeep_window"


def test_what_the_file_beside_a_model_allows_is_fine_and_no_more(hole: str) -> None:
    found = json.loads(command("check --json", hole).output)["findings"]
    entry = '[[allow]]\nfinding = "{}"\nat = {}\nwhy = "a trial"\n'
    notes = "".join(entry.format(one["finding"], json.dumps(one["at"])) for one in found)
    written("hole.check.toml", notes)
    done = command("check", hole)
    assert done.exit_code == 0
    assert "allowed dead end: upkeep_window on closed\n    because a trial" in done.output
    written("more.toml", notes + entry.format("gap", '"draw"'))
    done = command("check --notes more.toml", hole)
    assert done.exit_code == 1
    assert "'gap' at 'draw' is allowed, and there is no such finding" in done.output


def test_a_plain_machine_that_cannot_go_on_has_a_note() -> None:
    ends = 'door.add_states("broken")\ndoor.add_transition("kick", "shut", "broken")\n'
    written("shop.py", DOOR + ends)
    done = command("check shop:door")
    assert done.exit_code == 0
    assert "note nothing leads on from 'broken'" in done.output


def test_several_targets_are_checked_one_after_the_other(hole: str) -> None:
    written("shop.py", DOOR)
    done = command("check shop:door", hole)
    assert done.exit_code == 1
    assert re.findall(r"^(\S+).*: \d+ states", done.output, re.M) == ["shop:door", hole]
    listed = json.loads(command("check shop:door --json", hole).output)
    assert [(one["ruleset"], bool(one["findings"])) for one in listed] == [
        ("shop:door", False),
        (hole, True),
    ]


# the rulebook -------------------------------------------------------------------------------------


def test_the_rules_of_an_edition_are_a_table() -> None:
    done = command("check magic --rules")
    assert done.exit_code == 0
    assert "\n500.10  cited\n" in done.output and " 0 missing" in done.output


def test_a_rule_that_nothing_cites_ends_with_1() -> None:
    written("notes.toml", 'edition = "mine"\n[rules]\n"999" = "peace"\n')
    done = command("check magic --rules --notes notes.toml")
    assert done.exit_code == 1
    assert "nothing cites rule 999 (peace)" in done.output


def book(*left_out: str) -> str:
    """A rulebook with every number that Magic's ruleset cites, in other words, less these."""
    rules = json.loads(command("check magic --rules --json").output)["rules"]
    numbers = [rule["rule"] for rule in rules if rule["status"] == "cited"]
    return "".join(f"{n}. These are our own words.\n\n" for n in numbers if n not in left_out)


def test_a_rulebook_with_every_cited_number_ends_with_0() -> None:
    written("rules.txt", book() + "514.9. The table is wiped.\n999.1. Elsewhere.\n")
    done = command("check magic --against rules.txt")
    assert done.exit_code == 0
    assert "not there" not in done.output
    assert "list of rules:\n  514.9\n" in done.output


def test_a_cited_number_that_the_rulebook_lacks_ends_with_1() -> None:
    written("rules.txt", book("514.3a") + "514.3b. Another.\n\nSee 514.3a. in a sentence.\n")
    done = command("check magic --against rules.txt")
    assert done.exit_code == 1
    assert "not there: 514.3a; did you mean 514.3b?" in done.output
    found = json.loads(command("check magic --against rules.txt --json").output)
    assert (found["missing"], found["uncited"]) == ({"514.3a": "514.3b"}, ["514.3b"])


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
def test_a_rulebook_may_come_from_any_program(encoded: Callable[[str], bytes]) -> None:
    text = book()
    for content, code in ((text, 0), (text.replace("514.3a.", "514.3b."), 1)):
        Path("rules.txt").write_bytes(encoded(content))
        assert command("check magic --against rules.txt").exit_code == code


@pytest.mark.parametrize(
    ("ruleset", "text", "said"),
    [
        ("magic", "1. A book of something else.\n", "has none of the"),
        ("magic", "%PDF\0", "name the rulebook as plain text"),
        ("grand-archive", "1. One.\n", "cites no rule by a number"),
    ],
)
def test_a_book_that_cannot_be_compared_is_refused(ruleset: str, text: str, said: str) -> None:
    written("rules.txt", text)
    assert said in refused(f"check {ruleset} --against rules.txt")


# games --------------------------------------------------------------------------------------------


def test_random_games_are_played() -> None:
    done = command("check magic-classic --play 1 --seed 7")
    assert done.output == "magic-classic, 1 random games, seed 7: nothing is wrong\n"


def test_a_proof_for_people_and_for_programs() -> None:
    done = command(f"check magic-classic {PROVE}")
    assert done.exit_code == 0
    assert "positions" in done.stdout and "properties hold" in done.stdout
    data = json.loads(command(f"check magic-classic {PROVE} --json").stdout)
    assert data["ok"] and data["positions"] > 500
    assert all(one["rule"] for one in data["properties"])


def test_a_property_that_is_broken_ends_with_1_and_the_way_there_is_written() -> None:
    model = fsm.load("magic-classic")
    skipped = "draw_before -> draw_after [first_turn, first_draw_skipped, not extra_draw]"
    written("broken.json", model.without(skipped).to_json())
    done = command(f"check broken.json {PROVE} --witnesses out")
    assert done.exit_code == 1
    assert "broken: first_draw_skipped" in done.stdout
    assert [path.name for path in Path("out").iterdir()] == ["proof-first_draw_skipped.json"]
