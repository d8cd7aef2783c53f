"""What a player would say of a part: written in the table, carried in the Model, said through one
function.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

import fsm
from fsm.model import Fact, Model, State, Term, Transition
from fsm.rulesets import Absent, Act, Again, Back, During, Phase, Step, Table, Then, Window, names
from fsm.wording import plain_words

LONGEST = 60
"""Two lines of thirty letters."""
TABLE = Table(
    "duels",
    Phase(
        "day",
        Step("dare", Act("challenge", "Challenge somebody", decides="dared", says="the active player dares somebody"),
             then=(Then("duel", "dared", says="somebody is dared"), Then("rest", layer="skip", says="nobody is"))),
        Step("duel", Act("roll", decides="tied"), Back("roll", "tied", says="a tie: roll again"),
             absent=Absent("not dared", says="nobody is dared"), says="both roll the dice"),
        Step("rest", Window(opens="conditional"), Again("window_opened", says="one more rest"),
             during=During("shout", Act("answer"), says="somebody shouts")),
    ),
    facts=Fact("dared", "somebody was challenged", timing="latched", scope="day", says="a duel is on",
               denies="all is quiet"),
    rulebook="The little book of duels",
)  # fmt: skip


def said(model: Model, source: str, target: str) -> list[str]:
    ends = source, target
    return [
        plain_words(model, t)
        for t in model.transitions
        if (t.source, t.target) == ends and not t.generic
    ]


def test_a_table_s_plain_words_are_in_its_model() -> None:
    model = TABLE.build()
    assert model.rulebook == "The little book of duels"
    assert plain_words(model, model.state("dare_challenge")) == "the active player dares somebody"
    assert plain_words(model, model.state("duel_step")) == "both roll the dice"
    assert said(model, "dare_after", "duel_before") == ["somebody is dared"]
    assert said(model, "dare_after", "rest_before") == ["nobody is"]
    assert said(model, "duel_roll", "duel_roll") == ["a tie: roll again"]
    assert said(model, "duel_before", "duel_after") == ["nobody is dared"]
    assert said(model, "rest_window", "rest_again_end") == ["one more rest"]
    assert said(model, "rest_window", "rest_answer") == ["somebody shouts"]
    assert plain_words(model, Term("dared")) == "a duel is on"
    assert plain_words(model, Term("dared", False)) == "all is quiet"


def test_what_has_no_plain_words_is_called_by_its_names() -> None:
    model = TABLE.build()
    bare = replace(
        model,
        states=tuple(replace(s, says="") for s in model.states),
        transitions=tuple(replace(t, says="") for t in model.transitions),
    )
    assert plain_words(bare, bare.state("dare_challenge")) == "challenge somebody"
    assert said(bare, "dare_after", "duel_before") == ["a duel is on"], "those of the fact"
    assert said(bare, "dare_after", "rest_before") == [""]
    assert said(bare, "rest_window", "rest_answer") == ["shout"]
    assert plain_words(bare, Term("window_opened", False)) == "not window opened"


def test_plain_words_survive_a_file_and_change_the_fingerprint() -> None:
    model = TABLE.build()
    again = Model.from_json(model.to_json())
    assert again == model
    assert again.fingerprint == model.fingerprint
    others = [
        replace(model, rulebook=""),
        replace(model, states=tuple(replace(s, says="") for s in model.states)),
        replace(model, transitions=tuple(replace(t, says="") for t in model.transitions)),
        replace(model, facts=tuple(replace(f, says="", denies="") for f in model.facts)),
    ]
    assert len({m.fingerprint for m in (model, *others)}) == len(others) + 1


def test_plain_words_change_no_id() -> None:
    row = Transition("a", "b", says="on we go")
    assert row.id == Transition("a", "b").id


@pytest.mark.parametrize("name", names())
def test_plain_words_of_a_ruleset_are_short_and_no_program_names(name: str) -> None:
    model = fsm.load(name)
    parts: list[State | Transition] = [*model.states, *model.transitions]
    words = [part.says for part in parts if part.says]
    words += [text for fact in model.facts for text in (fact.says, fact.denies) if text]
    assert len(words) > 20
    assert [
        text
        for text in words
        if len(text) > LONGEST or "_" in text or "[" in text or text.endswith(".")
    ] == []


@pytest.mark.parametrize("name", [*names(), "magic?stated_attacker_counts=true"])
def test_what_a_game_tells_has_plain_words_if_it_is_so_and_if_it_is_not(name: str) -> None:
    model = fsm.load(name)
    told = [
        fact
        for part in (model, model.window)
        if part
        for fact in part.facts
        if fact.owner == "game"
    ]
    assert [fact.name for fact in told if not (fact.says and fact.denies)] == []
