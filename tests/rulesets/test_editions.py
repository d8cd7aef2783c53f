"""Editions of Magic's rulebook: the numbers follow the edition, and the turn only where its text
differs.
"""

from __future__ import annotations

import json
import re
from dataclasses import fields
from typing import Any

import pytest
from click.testing import CliRunner, Result

import fsm
from fsm import TurnController, stateless
from fsm.checks.citing import split
from fsm.cli import cli
from fsm.errors import RulesetError, SnapshotError
from fsm.model import Model
from fsm.model.elements import Parts
from fsm.rulesets.magic.editions import NUMBERS
from fsm.rulesets.magic.ruleset import table
from fsm.rulesets.stated_properties import properties_of
from fsm.scenarios import play
from support.amounts import amount
from support.playing import act, attack, quiet, started, through, to
from support.wanderer import Wanderer

EDITIONS = ("2025-04", "2026-01", "2026-04")
CURRENT, OLD, NEW = (
    fsm.load("magic"),
    fsm.load("magic?edition=2025-04"),
    fsm.load("magic?edition=2026-04"),
)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, arguments, prog_name="fsm")


def cited(model: Model) -> set[str]:
    parts = [
        part
        for machine in model.machines.values()
        for field in fields(Parts)
        if isinstance(value := getattr(machine, field.name), tuple)
        for part in value
    ]
    return {rule for part in parts for rule in split(getattr(part, "rule", ""))}


# what an edition cites ----------------------------------------------------------------------------


def test_editions_are_an_option_with_the_current_one_by_default() -> None:
    assert fsm.rulesets.options("magic")["edition"].values == ("2026-01", "2025-04", "2026-04")
    assert fsm.load("magic", edition="2026-01") is CURRENT
    assert fsm.load("magic", edition="2025-04") is OLD
    assert [model.edition for model in (OLD, CURRENT, NEW)] == [
        f"CR {edition}" for edition in EDITIONS
    ]
    assert [model.window.edition for model in (OLD, NEW) if model.window] == [
        "CR 2025-04",
        "CR 2026-04",
    ]


def test_an_unknown_edition_is_refused_with_those_that_are_there() -> None:
    with pytest.raises(
        RulesetError, match="is '2025-05', but must be '2026-01' or '2025-04' or '2026-04'"
    ):
        fsm.load("magic?edition=2025-05")


def test_an_older_edition_has_its_own_numbers() -> None:
    """Those of the fragments: ending turns 722, mana 500.4, what lasts until a step begins or ends
    500.5.
    """
    ends = {row.event: row.rule for row in OLD.transitions if row.source == "turn" and row.target}
    assert (ends["end_turn"], ends["end_phase"]) == ("722.1", "722.2")
    assert {state.rule for state in OLD.states if state.action == "empty_mana"} == {
        "500.4",
        "722.1d",
        "722.2d",
    }
    assert OLD.state("upkeep_begin").rule == "500.5, 500.6"
    assert OLD.transition("upkeep_window -> upkeep_end on closed").rule == "500.5"
    assert {d.rule for d in OLD.durations} == {"500.5", "514.2"}
    assert not any(rule.startswith(("723", "500.5a")) for rule in cited(OLD))


def test_a_newer_edition_cites_only_what_has_been_read() -> None:
    known = {*map(str, range(500, 515)), "724"}
    assert {rule.partition(".")[0] for rule in cited(NEW)} == known
    assert {rule for rule in cited(NEW) if rule.startswith("724")} == {
        rule.replace("723", "724") for rule in cited(CURRENT) if rule.startswith("723")
    }
    assert {rule for rule in cited(CURRENT) if rule.startswith("5")} == {
        r for r in cited(NEW) if r.startswith("5")
    }
    assert NEW.state("game_over").rule == ""


@pytest.mark.parametrize("model", [OLD, CURRENT, NEW], ids=EDITIONS)
def test_texts_name_rules_by_the_numbers_of_their_edition(model: Model) -> None:
    texts = json.dumps(
        [[part.doc for part in rows] for rows in (model.states, model.transitions, model.facts)]
    )
    ending = {"CR 2025-04": "722", "CR 2026-01": "723", "CR 2026-04": "724"}[model.edition]
    assert set(re.findall(r"\b(\d{3})\.\d", texts)) == {ending}


@pytest.mark.parametrize("edition", EDITIONS)
def test_properties_cite_the_rules_of_the_edition(edition: str) -> None:
    stated = {one.name: one.rule for one in properties_of("magic", f"CR {edition}")}
    ending = {"2025-04": "722", "2026-01": "723", "2026-04": "724"}[edition]
    assert stated["no_end_step_after_the_end"] == f"{ending}.1e"
    assert stated["mana_empties"] == ("500.4" if edition == "2025-04" else "500.5")
    assert stated["skipped_turn_never_was"] == ("" if edition == "2026-04" else "614.10, 614.10a")


def test_a_house_rule_keeps_the_edition() -> None:
    house = table(edition="2025-04").without_step("upkeep", name="house").build()
    assert house.state("end_turn_triggers").rule == "722.1a"
    assert fsm.load("magic?edition=2025-04").state("end_turn_triggers").rule == "722.1a"


def test_only_known_names_stand_in_the_table_of_numbers() -> None:
    """Each number that moves is one of CR 2026-01; no two names of one rule go to different places
    by accident.
    """
    for edition, numbers in NUMBERS.items():
        assert all(re.fullmatch(r"\d{3}(\.\d+[a-z]?( mana)?)?", old) for old in numbers.moved), (
            edition
        )
        assert numbers.cite("500.7, 500.8") == "500.7, 500.8"


# what an edition plays ----------------------------------------------------------------------------


def lasting_mana(edition: str, left: int) -> list[Any]:
    """Mana lasts "until end of combat". Does it empty as combat ends, or only as the next step
    does?
    """
    at = {"turn": 2, "step": "end_of_combat"}
    given = [{"when": at, "do": "add_mana", "persists": "until_end_of_combat"}]
    seen = {"mana_at": {"turn": 2, "step": "postcombat_main", "player": "B", "amount": left}}
    data = {
        "ruleset": "magic",
        "options": {"edition": edition},
        "given": given,
        "expect": [seen],
    }
    return list(play(fsm.scenarios.load(data, place="here")[0]).failures)


def test_mana_that_lasts_as_long_as_combat_tells_the_editions_apart() -> None:
    """2025-04 lists mana before effects; from 2025-11 on effects end first, so that this mana
    empties with the rest.
    """
    for edition in EDITIONS:
        kept = int(edition == "2025-04")
        assert lasting_mana(edition, kept) == []
        assert lasting_mana(edition, 1 - kept) != []


@pytest.mark.parametrize(
    "more",
    [
        "",
        "&stated_attacker_counts=true",
        "&extra_draw_on_first_turn=false",
    ],
)
def test_editions_that_only_renumber_are_equal_in_behaviour(more: str) -> None:
    here, there = (fsm.load(f"magic?edition={edition}{more}") for edition in ("2026-01", "2026-04"))
    assert here.behaviour_fingerprint == there.behaviour_fingerprint
    assert here.fingerprint != there.fingerprint


# games that go on with another edition ------------------------------------------------------------


def test_a_game_goes_on_with_an_edition_that_only_renumbers() -> None:
    """By its snapshot and by its token, at any point, and as if it had been of that edition from
    the start.
    """
    tried = []

    def look(game: TurnController) -> None:
        if len(game.trace.entries) % 61 == 0:
            saved: tuple[Any, ...] = (game.snapshot(), game.token())
            for data in saved:
                there = TurnController.restore(NEW, data)
                assert (there.request, there.agenda) == (game.request, game.agenda)
                assert (there.head.model, there.head.fingerprint) == ("magic", NEW.fingerprint)
                assert there.snapshot()["fingerprint"] == NEW.fingerprint
                assert TurnController.restore(CURRENT, there.snapshot()).snapshot() == saved[0]
            tried.append(game)

    list(Wanderer(CURRENT, 3, look).games(amount(1_000, 4_000)))
    assert len(tried) > 10


def test_a_stateless_game_changes_its_edition_and_back() -> None:
    waiting = stateless.start(CURRENT, ["Ann", "Ben"])
    there = stateless.answer(NEW, waiting.saved, waiting.request.quiet())  # type: ignore[union-attr]
    here = stateless.answer(CURRENT, waiting.saved, waiting.request.quiet())  # type: ignore[union-attr]
    assert there == here
    assert waiting.saved == stateless.start(NEW, ["Ann", "Ben"]).saved


def test_a_snapshot_with_its_keys_in_another_order_goes_on_too() -> None:
    data = dict(sorted(started(CURRENT).snapshot().items()))
    assert TurnController.restore(NEW, data).request == started(NEW).request


@pytest.mark.parametrize(
    ("a", "b"), [(CURRENT, OLD), (OLD, CURRENT), (NEW, OLD)], ids=["older", "newer", "two apart"]
)
def test_an_edition_that_plays_differently_refuses_and_names_both(a: Model, b: Model) -> None:
    game = through(started(a), 1)
    with pytest.raises(SnapshotError) as refused:
        TurnController.restore(b, game.snapshot())
    assert f"taken with magic {a.fingerprint}, not with magic {b.fingerprint}" in str(refused.value)
    with pytest.raises(SnapshotError) as refused:
        TurnController.restore(b, game.token())
    assert a.behaviour_fingerprint[:8] in str(refused.value)
    assert b.behaviour_fingerprint in str(refused.value)


def test_a_fight_is_asked_the_same_in_both(magic: Model) -> None:
    games = [started(model) for model in (magic, NEW)]
    for game in games:
        attack(game)
        to(game, "declare_blockers")
        act(game)
    for _ in range(40):
        a, b = (game.request for game in games)
        assert a == b
        for game in games:
            game.answer(quiet(game.request))


# on the command line ------------------------------------------------------------------------------


def test_the_difference_counts_what_is_renumbered_apart() -> None:
    renumbered = run("diff", "magic", "magic?edition=2026-04").output
    assert renumbered.startswith(
        "magic (CR 2026-01) -> magic?edition=2026-04 (CR 2026-04)\nThey play the same,"
    )
    assert (
        "only in words: 28 citations, 74 citations in only one of them, 1 documented meaning"
        in renumbered
    )
    assert (
        "0 came, 0 went, 0 changed, 0 renamed; in the window 0 came, 0 went, 0 changed"
        in renumbered
    )
    reworded = run("diff", "magic", "magic?edition=2025-04").output
    assert "They play the same" not in reworded
    assert "only in words: 65 citations" in reworded
    assert "Inside each window" not in reworded


@pytest.mark.parametrize("edition", EDITIONS)
def test_an_edition_is_checked_drawn_and_listed(edition: str, tmp_path: Any) -> None:
    spec = f"magic?edition={edition}"
    checked = run("check", spec)
    assert (checked.exit_code, "nothing is wrong" in checked.output) == (0, True)
    rules = run("check", spec, "--rules")
    assert (
        rules.exit_code,
        f"rules of CR {edition}" in rules.output,
        " 0 missing" in rules.output,
    ) == (0, True, True)
    assert ("\n500.4  cited\n" in rules.output, "\n722.1  cited\n" in rules.output)[
        edition == "2025-04"
    ]
    page = tmp_path / "turn.md"
    assert run("draw", spec, "-o", str(page)).exit_code == 0
    ending = {"2025-04": "722", "2026-01": "723", "2026-04": "724"}[edition]
    assert set(re.findall(r"\((72\d)\.\d[a-z]?\)", page.read_text("utf-8"))) == {ending}
    assert "edition" in run("rulesets", spec).output
