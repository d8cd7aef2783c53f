"""`fsm check --rules`: each rule of the rulebook is cited, within another, left out with a reason,
or missing.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from msgspec.structs import replace

from fsm import rulesets
from fsm.model import Event, Fact, Model, State, Term, Transition
from support.amounts import sample
from support.commandline import command

# Cites 1, 1.1, 2 and 3.
GAME = Model(
    name="game",
    initial="ask",
    states=(
        State("ask", "action", asks="perform", action="ask", rule="1"),
        State("answer", "choice", rule="2, 3"),
    ),
    transitions=(
        Transition("ask", "answer", rule="1.1"),
        Transition("answer", "ask", guard=(Term("known"),), rule="2"),
        Transition("answer", "ask", rule="2"),
    ),
    events=(Event("done", completion=True),),
    facts=(Fact("known", "", "2"),),
    options={"long": True},
)
BOOK = '[rules]\n1 = "a"\n"1.1" = "b"\n2 = "c"\n3 = "d"\n'


def rules_of(model: Model, folder: Path, notes: str, *words: str) -> Result:
    """Check the model's citations against the notes in a file beside it."""
    file = folder / "game.json"
    file.write_text(json.dumps(model.to_json()), "utf-8")
    file.with_suffix(".check.toml").write_text(notes, "utf-8")
    return command("check", file, "--rules", *words)


def compared(model: Model, folder: Path, notes: str) -> dict[str, Any]:
    result = rules_of(model, folder, notes, "--json")
    values: dict[str, Any] = json.loads(result.output)
    assert result.exit_code == int(bool(values["findings"]))
    return values


def problems(values: dict[str, Any]) -> list[tuple[str, str]]:
    return [(finding["finding"], finding["at"]) for finding in values["findings"]]


def test_rules_that_are_all_cited_are_told_with_what_cites_them(tmp_path: Path) -> None:
    values = compared(GAME, tmp_path, BOOK)
    assert problems(values) == []
    assert [rule["status"] for rule in values["rules"]] == ["cited"] * 4
    assert values["rules"][2]["by"] == [
        "state answer",
        "transition answer -> ask [known]",
        "transition answer -> ask",
        "fact known",
    ]


@pytest.mark.parametrize(
    ("rule", "status"),
    [
        ('4 = {says = "peace", why = "nobody wants it"}', "explained"),
        ('"2.1" = {says = "part", by = "2"}', "within"),
    ],
)
def test_a_rule_that_nothing_cites_may_be_explained(tmp_path: Path, rule: str, status: str) -> None:
    values = compared(GAME, tmp_path, BOOK + rule)
    assert problems(values) == []
    assert values["rules"][-1]["status"] == status


WRONG = {
    "missing": ('4 = "peace"', "rule missing", "4", "nothing cites rule 4 (peace)"),
    "within an unmodelled rule": (
        '4 = {says = "peace", why = "no"}\n"2.1" = {says = "part", by = "4"}',
        "rule missing",
        "2.1",
        "",
    ),
    "within no rule": (
        '4 = {says = "peace", by = "2.9"}',
        "rule missing",
        "4",
        "rule 4 is said to be modelled within '2.9', which nothing cites",
    ),
    "of the edition": ('4 = {says = "peace", only = "long=true"}', "rule missing", "4", ""),
    "explained in another edition": (
        '4 = {says = "peace", why = "no", when = "long=false"}',
        "rule missing",
        "4",
        "",
    ),
    "allowed in vain": ('[beyond]\nhouse = "as we play"', "idle allowance", "house", ""),
}


@pytest.mark.parametrize(("more", "kind", "subject", "words"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_with_the_list(
    tmp_path: Path, more: str, kind: str, subject: str, words: str
) -> None:
    values = compared(GAME, tmp_path, BOOK + more)
    assert problems(values) == [(kind, subject)]
    assert words in values["findings"][0]["message"]


def test_a_rule_of_another_edition_is_not_missed(tmp_path: Path) -> None:
    later = '4 = {says = "peace", only = "long=false"}'
    assert problems(compared(GAME, tmp_path, BOOK + later)) == []


def test_a_citation_must_be_on_the_list_or_beyond_it(tmp_path: Path) -> None:
    house = replace(GAME, facts=(replace(GAME.facts[0], rule="house"),))
    values = compared(house, tmp_path, BOOK)
    assert problems(values) == [("no such rule", "house")]
    assert "fact known cites 'house'" in values["findings"][0]["message"]
    assert problems(compared(house, tmp_path, BOOK + '[beyond]\nhouse = "as we play"')) == []


@pytest.mark.parametrize(
    ("notes", "words"),
    [
        ("rules = 3", "rules: 3 is not an object"),
        ('[rules]\n1 = {why = "x"}', "rules.1: this needs 'says'"),
        ('[rules]\n1 = {says = "x", whi = "y"}', "rules.1: 'whi' is not known here"),
        (
            '[rules]\n1 = {says = "x", only = "always"}',
            "rules.1: 'always' is no option with its values",
        ),
        ('[[allow]]\nfinding = "gab"\nat = "x"\nwhy = "x"', "allow[0].finding: 'gab' is unknown"),
        ('[[allow]]\nfinding = "gap"\nat = "x"', "allow[0]: this needs 'why'"),
        ("[rules", "cannot be read as TOML"),
    ],
)
def test_a_wrong_file_is_refused_with_its_place(tmp_path: Path, notes: str, words: str) -> None:
    result = rules_of(GAME, tmp_path, notes)
    assert result.exit_code == 2
    assert "game.check.toml" in result.output
    assert words in " ".join(result.output.split())


# the rulesets -------------------------------------------------------------------------------------

OTHER_EDITIONS = [
    f"{name}?{option}={str(value).lower() if isinstance(value, bool) else value}"
    for name in rulesets.names()
    for option, known in rulesets.options(name).items()
    for value in known.values
    if value != known.default
]


@pytest.mark.parametrize("spec", [*rulesets.names(), *sample(OTHER_EDITIONS, 2)])
def test_every_rule_of_a_ruleset_is_cited_or_explained(spec: str) -> None:
    result = command("check", spec, "--rules", "--json")
    assert result.exit_code == 0, result.output
    rules = json.loads(result.output)["rules"]
    assert len(rules) > 90
    assert {rule["status"] for rule in rules} <= {"cited", "within", "explained"}
