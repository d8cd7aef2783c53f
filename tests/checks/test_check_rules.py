"""Rulebook coverage: cited, within another, left out on purpose, missing; and the files beside the
rulesets.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import fsm
from fsm import rulesets
from fsm.checks.citing import cited, split
from fsm.checks.notes import CheckError, Rule, RulebookNotes, notes_of, read_notes
from fsm.checks.rulebook import RuleCoverage, rule_coverage
from fsm.coverage import targets
from fsm.model import Event, Fact, Model, State, Term, Transition
from fsm.rulesets.stated_properties import properties_of

# Cites 1, 1.1, 2 (twice) and 3.
GAME = Model(
    name="game",
    initial="ask",
    states=(
        State("ask", "action", asks="perform", rule="1"),
        State("answer", "choice", rule="2, 3"),
    ),
    transitions=(
        Transition("ask", "answer", rule="1.1"),
        Transition("answer", "ask", guard=(Term("known"),), rule="2"),
        Transition("answer", "ask", rule="2"),
    ),
    events=(Event("done", completion=True),),
    facts=(Fact("known", "", "2"),),
    options=(("long", True),),
)
BOOK = tuple(Rule(number, "...") for number in ("1", "1.1", "2", "3"))


def coverage(
    *more: Rule, beyond: tuple[Rule, ...] = (), model: Model = GAME, rules: tuple[Rule, ...] = BOOK
) -> RuleCoverage:
    return rule_coverage(model, RulebookNotes("first", (), (*rules, *more), beyond))


def problems(found: RuleCoverage) -> list[tuple[str, str]]:
    return [(f.kind, f.subject) for f in found.findings]


def status(found: RuleCoverage, number: str) -> str:
    return next(entry.status for entry in found.entries if entry.rule.number == number)


def test_rules_that_are_all_cited() -> None:
    found = coverage()
    assert (problems(found), found.count("cited")) == ([], 4)
    rows = "transition answer -> ask [known]", "transition answer -> ask"
    assert found.entries[2].by == ("state answer", *rows, "fact known")


def test_a_rule_that_nothing_cites_is_a_gap() -> None:
    found = coverage(Rule("4", "peace"))
    assert (problems(found), status(found, "4")) == ([("rule missing", "4")], "missing")
    assert "(peace)" in found.findings[0].message


def test_a_rule_that_is_left_out_with_a_reason() -> None:
    found = coverage(Rule("4", "peace", why="nobody wants it"))
    assert (problems(found), status(found, "4")) == ([], "explained")


def test_a_rule_that_is_modelled_within_another() -> None:
    assert status(coverage(Rule("2.1", "part", by="2")), "2.1") == "within"
    assert problems(coverage(Rule("2.1", "part", by="2"))) == []
    idle = Rule("4", "peace", why="nobody wants it")
    assert problems(coverage(idle, Rule("2.1", "part", by="4"))) == [("rule missing", "2.1")]


@pytest.mark.parametrize(("by", "known"), [("house", "house"), ("2.9", "2"), ("Two", "2")])
def test_an_explanation_names_a_rule_on_the_list(by: str, known: str) -> None:
    """A heading or a citation beyond the rules explains nothing, even if something cites it."""
    model = replace(GAME, facts=(replace(GAME.facts[0], rule=by),))
    found = coverage(Rule("4", "peace", by=by), beyond=(Rule(by, "as we play"),), model=model)
    assert problems(found) == [("no such rule", by)]
    assert found.findings[0].message.startswith(
        f"rule 4 is explained by '{by}', which is not on the list of rules"
    )


def test_a_heading_is_no_rule() -> None:
    """Where the sentences under a heading are listed by their numbers, the heading itself says
    nothing.
    """
    pages = (
        Rule("Dawn GR1", "everybody wakes"),
        Rule("Dawn", "how it begins"),
        Rule("Dawn GR1.1", "or sleeps on"),
    )
    rules = tuple(Rule(number, "...", why="no need") for number in ("1", "1.1", "2", "3"))
    model = Model(
        name="game",
        initial="wake",
        states=(State("wake", "action", asks="perform", rule="Dawn"),),
        transitions=(Transition("wake", "wake", rule="Dawn GR1, Dawn GR1.1"),),
        events=GAME.events,
    )
    found = coverage(*pages, model=model, rules=rules)
    assert problems(found) == [("no such rule", "Dawn")]
    assert "'Dawn' is a heading" in found.findings[0].message


@pytest.mark.parametrize("more", [{"why": "no need"}, {"by": "2"}])
def test_an_explained_rule_that_is_cited_after_all(more: dict[str, str]) -> None:
    found = coverage(rules=(*BOOK[:-1], Rule("3", "...", **more)))
    assert problems(found) == [("rule cited after all", "3")]
    assert "but state answer does" in found.findings[0].message


def test_a_citation_that_names_no_rule() -> None:
    found = coverage(rules=tuple(r for r in BOOK if r.number != "1.1"))
    assert problems(found) == [("no such rule", "1.1")]
    assert found.findings[0].message.startswith(
        "transition ask -> answer cites '1.1', which is not on the list"
    )


def test_a_citation_beyond_the_rules() -> None:
    house = replace(GAME, facts=(replace(GAME.facts[0], rule="house"),))
    assert problems(coverage(model=house)) == [("no such rule", "house")]
    assert problems(coverage(model=house, beyond=(Rule("house", "as we play"),))) == []
    assert problems(coverage(beyond=(Rule("house", "as we play"),))) == [
        ("idle allowance", "house")
    ]


def test_a_rule_of_some_editions_only() -> None:
    later = Rule("4", "...", only="long=false")
    assert problems(coverage(later)) == []
    assert problems(coverage(replace(later, only="long=false, true"))) == [("rule missing", "4")]
    assert problems(coverage(replace(later, only="", why="...", when="long=false"))) == [
        ("rule missing", "4")
    ]


def test_a_property_cites_like_a_state() -> None:
    notes = RulebookNotes("", (), (*BOOK, Rule("4", "peace")))
    found = rule_coverage(GAME, notes, [("4, 3", "property nobody fights")])
    assert (problems(found), found.entries[-1].by) == ([], ("property nobody fights",))


def test_a_citation_may_name_several_rules() -> None:
    assert split("500.4, 500.6,") == ("500.4", "500.6")


# the rulesets -------------------------------------------------------------------------------------

VALUES = [
    (name, option, of.values)
    for name in rulesets.names()
    for option, of in rulesets.options(name).items()
]
MODELS: list[tuple[str, dict[str, object]]] = [
    *((name, {}) for name in rulesets.names()),
    *((name, {option: value}) for name, option, values in VALUES for value in values),
]


@pytest.mark.parametrize(("name", "options"), MODELS, ids=str)
def test_the_rules_of_every_edition_are_cited_or_explained(
    name: str, options: dict[str, object]
) -> None:
    found = rule_coverage(rulesets.load(name, options), notes_of(name))
    assert found.findings == ()
    assert len(found.entries) > 90


@pytest.mark.parametrize("name", rulesets.names())
def test_the_properties_of_a_ruleset_cite_rules_on_the_list(name: str) -> None:
    also = [(stated.rule, f"property {stated.name}") for stated in properties_of(name)]
    found = rule_coverage(rulesets.load(name), notes_of(name), also)
    assert [f.message for f in found.findings if f.kind == "no such rule"] == []


@pytest.mark.parametrize("name", rulesets.names())
def test_the_coverage_criterion_means_the_same_by_a_rule(name: str) -> None:
    """But for durations and settings, which no run takes."""
    model = rulesets.load(name)
    bare = replace(model, durations=(), settings=())
    assert set(cited(bare)) == {target.rule for target in targets(bare, "rules")}


@pytest.mark.parametrize("name", rulesets.names())
def test_every_rule_says_what_it_is_about_in_a_few_words(name: str) -> None:
    for rule in notes_of(name).rules:
        assert 3 <= len(rule.says) <= 80, rule.number
        assert not (rule.why and rule.by), rule.number


def test_a_rule_that_loses_its_citation_is_missed() -> None:
    magic = fsm.load("magic")
    states = tuple(replace(s, rule="502") if s.rule == "502.2" else s for s in magic.states)
    rows = tuple(replace(t, rule="502") if t.rule == "502.2" else t for t in magic.transitions)
    assert problems(
        rule_coverage(replace(magic, states=states, transitions=rows), notes_of("magic"))
    ) == [
        ("rule missing", "502.2"),
        ("rule missing", "703.4b"),
        ("rule missing", "730.2"),
    ]


# files --------------------------------------------------------------------------------------------

WRONG = [
    ("rules = 3", "rules must be a table"),
    ("[rules]\n1 = 3", "rules.'1' must be a table"),
    ('[rules]\n1 = {say = "x"}', "rules.'1' has no key 'say'; did you mean 'says'?"),
    (
        '[rules]\n1 = {says = "x", only = "always"}',
        "rules.'1' 'always' is no option with its values",
    ),
    ("[rules]\n1 = {says = 2}", "rules.'1'.says must be text, not 2"),
    ('rule = "x"', "the file has no key 'rule'; did you mean 'rules'?"),
    ("allow = 2", "allow must be a list of tables"),
    (
        '[[allow]]\nfinding = "gab"\nwhy = "x"',
        "allow[0] finding 'gab' is unknown; did you mean 'gap'?",
    ),
    ('[[allow]]\nfinding = "gap"\nat = "x"', "allow[0] says no why"),
    ("[rules", "cannot be read as TOML"),
]


@pytest.mark.parametrize(("text", "words"), WRONG, ids=[words for _, words in WRONG])
def test_a_wrong_file_is_refused_with_its_place(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "mine.check.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(CheckError) as refused:
        read_notes(path)
    assert str(refused.value).startswith(f"{path}: ")
    assert words in str(refused.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(CheckError, match="there is no such file"):
        read_notes(tmp_path / "none.check.toml")


def test_the_file_stands_beside_the_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.check.toml").write_text('[rules]\n7 = "luck"', "utf-8")
    (tmp_path / "mine.py").write_text("", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    for spec in (f"{tmp_path}/mine.json", "mine:TABLE", "mine:TABLE?x=1"):
        assert [rule.says for rule in notes_of(spec).rules] == ["luck"]
    assert notes_of("no.such:thing") == notes_of(f"{tmp_path}/other.json") == RulebookNotes()
