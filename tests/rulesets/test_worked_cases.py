"""The rulebook's worked cases, and scenarios that use every word of the format, played through the
public API.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest

from fsm import load, scenarios
from fsm.rulesets import options
from fsm.scenarios import Scenario, play
from fsm.scenarios.expectations import CHECKS
from fsm.scenarios.games.magic import PERSISTS
from fsm.scenarios.scenario import Item
from fsm.scenarios.verbparts import SCOPES
from fsm.scenarios.verbs import VERBS
from fsm.state.orders import DelayOn
from support.amounts import sample
from support.folders import SCENARIOS


@dataclass(frozen=True)
class Book:
    """The worked cases of one rulebook.

    `source`: how they are cited, with the case's number; `rule`: how rules are. `unverified`: cases
    that the rules leave open, with the option for them. `unchanged`: scenarios in which the turn
    goes on as it would
    anyway: that is the point, or the point is a named trigger or effect.
    """

    ruleset: str
    cases: int
    source: str
    unverified: Mapping[int, str]
    unchanged: frozenset[str] = frozenset()
    rule: str = r"\d{3}(\.\d+[a-z]?)?"

    @property
    def files(self) -> list[Path]:
        """The files of its scenarios, in the order of the cases."""
        return sorted((SCENARIOS / self.ruleset).glob("*.json"))

    @property
    def scenarios(self) -> list[dict[str, Any]]:
        """Its scenarios as plain values."""
        return [one for path in self.files for one in raw(path)]

    def number(self, one: dict[str, Any]) -> int:
        """The number of a worked case."""
        found = re.fullmatch(re.escape(self.source) + r" (\d+)", one["source"])
        assert found, one["source"]
        return int(found[1])

    def __str__(self) -> str:
        return self.ruleset


MAGIC = Book(
    "magic",
    80,
    "magic-current (e)",
    {
        6: "stated_attacker_counts",
        62: "extra_draw_on_first_turn",
        78: "first_main_counts_skipped",
    },
    frozenset(
        {
            "case-06-stated-attacker-false",
            "case-06-stated-attacker-default",
            "case-07-put-attacking-fails",
            "case-22-pump-ends-damage-goes-with-it",
            "case-46-end-step-trigger-enters-in-end-step",
            "case-60-first-turn-two-players",
            "case-62-extra-draw-on-first-turn-false",
            "case-65-no-life-after-untap-no-check-in-untap",
            "case-72-until-your-next-upkeep",
        }
    ),
)
TABLE_2010 = Book(
    "magic-2010",
    30,
    "magic-2010-table (e)",
    {26: "end_turn_repeats_cleanup"},
    frozenset({"case-03-put-attacking-none-declared-as-printed", "case-29-first-turn-draw"}),
)
CLASSIC = Book(
    "magic-classic",
    48,
    "magic-classic (e)",
    {21: "stopped_double_strike", 34: "two_cleanups_after_time_stop", 43: "secondary_player_draws"},
)
GRAND_ARCHIVE = Book(
    "grand-archive",
    30,
    "grand-archive (10)",
    {
        5: "pantheon_first_draw",
        7: "round_after_materialize",
        8: "edition",
        18: "silent_combat_teardown",
        19: "round_after_recheck",
        29: "next_player_acts_for_lost",
    },
    rule=r"[A-Z][A-Za-z -]+ (GR)?\d+(\.\d+)*",
)
BOOKS = (MAGIC, TABLE_2010, CLASSIC, GRAND_ARCHIVE)
WORDS = sorted(p for p in (SCENARIOS / "verbs").iterdir() if p.suffix in (".json", ".toml"))


def raw(path: Path) -> list[dict[str, Any]]:
    """The scenarios of a file as plain values."""
    text = path.read_text(encoding="utf-8")
    data = tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
    return data if isinstance(data, list) else [data]


@cache
def loaded(path: Path) -> dict[str, Scenario]:
    """The scenarios of a file by their ids."""
    return {scenario.id: scenario for scenario in scenarios.load(path)}


EVERYTHING = [(path, one) for book in BOOKS for path in book.files for one in raw(path)]
EVERYTHING += [(path, one) for path in WORDS for one in raw(path)]
every_book = pytest.mark.parametrize("book", BOOKS, ids=str)


def rows(table: str) -> set[int]:
    """The case numbers in the rows of a table."""
    return {int(found) for found in re.findall(r"^\| (\d+) \|", table, flags=re.M)}


def items(one: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What is given, with the lists inside `then`."""
    for item in one["given"]:
        yield item
        yield from item.get("then", ())


@pytest.mark.parametrize(
    ("path", "id"),
    [(p, one["id"]) for p, one in EVERYTHING],
    ids=lambda v: v.parent.name if isinstance(v, Path) else v,
)
def test_scenario_holds(path: Path, id: str) -> None:
    outcome = play(loaded(path)[id])
    assert list(outcome.failures) == []
    assert list(outcome.warnings) == []


@every_book
def test_every_worked_case_is_a_scenario_or_out_of_sight(book: Book) -> None:
    told = (SCENARIOS / book.ruleset / "OUT_OF_SIGHT.md").read_text(encoding="utf-8")
    unseen, in_part = map(rows, told.split("## Seen in part"))
    seen = set(map(book.number, book.scenarios))
    assert seen | unseen == set(range(1, book.cases + 1))
    assert not seen & unseen
    assert in_part <= seen


@every_book
def test_worked_cases_say_where_they_come_from(book: Book) -> None:
    for path, one in ((file, one) for file in book.files for one in raw(file)):
        assert path.stem.startswith(f"case-{book.number(one):02d}-")
        assert one["id"].startswith(path.stem)
        assert one.get("ruleset", "magic") in (book.ruleset, "magic"), (
            "a case may compare with the rules of today"
        )
        assert all(re.fullmatch(book.rule, rule) for rule in one["rule"])


UNVERIFIED = [(book, case, option) for book in BOOKS for case, option in book.unverified.items()]


@pytest.mark.parametrize(("book", "case", "option"), UNVERIFIED, ids=str)
def test_unverified_case_has_every_value_and_the_default(
    book: Book, case: int, option: str
) -> None:
    """Each value is played and they differ; and without the option the game goes as with its
    default.
    """
    default, *others = options(book.ruleset)[option].values
    expected: dict[object, list[object]] = {}
    for one in (one for one in book.scenarios if book.number(one) == case):
        expected.setdefault(one.get("options", {}).get(option), []).append(one["expect"])
    assert set(expected) == {default, *others, None}
    assert all(expected[default] != expected[other] for other in others)
    assert expected[default][0] in expected[None]


def named(entry: dict[str, Any]) -> str:
    """The effect, trigger or Saga that an expectation is about, or ""."""
    return str(entry.get("effect") or entry.get("trigger") or entry.get("lore") or "")


def words(items: Sequence[Item]) -> set[str]:
    """What these items make, by name: triggers, effects, creatures, objects on the stack."""
    found = {item.do for item in items} | {item.name for item in items if item.name}
    found |= {id for item in items for id in item.fields.get("triggers_during", ())}
    return found.union(*(words(item.then) for item in items))


def without(scenario: Scenario, index: int) -> Scenario:
    """The same scenario without one given item, and without expecting what only that item makes."""
    given = tuple(item for i, item in enumerate(scenario.given) if i != index)
    lost = words([scenario.given[index]]) - words(given)
    kept = tuple(one for one in scenario.expect if named(dict(one.entry)) not in lost)
    return replace(
        scenario,
        given=given,
        expect=tuple(replace(one, entry=less(one.entry, lost)) for one in kept),
    )


def less(entry: Mapping[str, Any], lost: set[str]) -> dict[str, Any]:
    """An expectation without these creatures and objects."""
    lists = {
        key: [word for word in entry[key] if word not in lost] for key in NAMING if key in entry
    }
    return {**entry, **lists}


NAMING = ("assigns", "dealt", "resolves")
GIVEN = [
    (book, path, one["id"])
    for book in BOOKS
    for path in book.files
    for one in raw(path)
    if one["given"]
]


@pytest.mark.parametrize(
    ("book", "path", "id"), sample(GIVEN, 24), ids=lambda v: getattr(v, "stem", str(v))
)
def test_expectations_have_teeth(book: Book, path: Path, id: str) -> None:
    """Without one of the things given, a worked case fails; unless its point is that they change
    nothing.
    """
    scenario = loaded(path)[id]
    bitten = [bool(play(without(scenario, index)).failures) for index in range(len(scenario.given))]
    assert any(bitten) != (id in book.unchanged), bitten


def test_every_verb_and_field_is_used() -> None:
    used = {
        (item["do"], name) for _, one in EVERYTHING for item in items(one) for name in (*item, "do")
    }
    assert {(verb.name, field.name) for verb in VERBS.values() for field in verb.fields} <= used
    assert set(VERBS) <= {verb for verb, _ in used}


def test_every_choice_of_a_field_is_used() -> None:
    given = [item for _, one in EVERYTHING for item in items(one)]
    scopes = {(item["do"], item["scope"]) for item in given if "scope" in item}
    wanted = {(verb, scope) for verb in ("skip_step", "skip_phase") for scope in SCOPES}
    assert scopes == wanted | {("skip_turn", "next"), ("skip_turn", "each")}
    assert {item["persists"] for item in given if "persists" in item} == set(PERSISTS)
    assert {item["on"] for item in given if "on" in item} == set(get_args(DelayOn))
    durations = {d.name for d in load("magic").durations}
    assert {item["until"] for item in given if "until" in item} >= durations
    assert {item.get("when", {}).get("at") for item in given} >= {None, "begin", "priority"}
    anchors = {json.dumps(item["after"]) for item in given if "after" in item}
    assert {
        '"current_step"',
        '"current_phase"',
        '"end_of_combat"',
        '{"phase": "combat", "nth": 2}',
    } <= anchors


def test_every_expectation_is_used() -> None:
    used = {key for _, one in EVERYTHING for entry in one["expect"] for key in entry}
    assert set(CHECKS) <= used


def test_every_key_of_the_object_is_used() -> None:
    keys = {key for _, one in EVERYTHING for key in one}
    assert keys >= {
        "id",
        "ruleset",
        "players",
        "turn_order",
        "options",
        "teams",
        "first_draw_skipped",
        "through_turn",
    }
    assert keys >= {"given", "expect", "needs", "source", "rule", "note"}
    assert any(path.suffix == ".toml" for path in WORDS)
