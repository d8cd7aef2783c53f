"""Reading scenarios: what is right is taken in with its defaults, what is wrong is named with its
place and a remedy.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from fsm import scenarios
from fsm.errors import ScenarioError
from fsm.scenarios import Scenario
from support.folders import DOCS, ROOT

SCHEMA = ROOT / "fsm" / "schemas" / "scenario.schema.json"


def read(text: str) -> Scenario:
    """The scenario that this JSON describes."""
    [scenario] = scenarios.load({"id": "it", **json.loads(text)}, place="cases.json")
    return scenario


# what is right ------------------------------------------------------------------------------------


def test_everything_has_a_default() -> None:
    [scenario] = scenarios.load({}, place="quiet.json")
    assert (scenario.id, scenario.model.name, scenario.players) == ("quiet", "magic", ("A", "B"))
    assert (scenario.through_turn, scenario.given, scenario.expect) == (1, (), ())


def test_players_take_letters_or_the_names_in_turn_order() -> None:
    assert read('{"players": 4}').players == ("A", "B", "C", "D")
    assert read('{"turn_order": ["Ann", "Bob", "Cid"]}').players == ("Ann", "Bob", "Cid")


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        ('{"given": [{"when": {"turn": 3, "step": "end"}, "do": "sba"}]}', 3),
        ('{"expect": [{"turn_order": ["A", "B", "A", "B"]}]}', 4),
        ('{"given": [{"do": "saga", "id": "S"}], "expect": [{"lore": "S", "on_turns": [6]}]}', 6),
        ('{"through_turn": 2, "expect": [{"turn": 9, "extra": false}]}', 2),
    ],
)
def test_a_game_goes_on_until_the_last_turn_mentioned(text: str, turns: int) -> None:
    assert read(text).through_turn == turns


@pytest.mark.parametrize(
    ("step", "verb", "at"),
    [
        ("upkeep", '"do": "sba"', "priority"),
        ("untap", '"do": "sba"', "begin"),
        ("cleanup", '"do": "sba"', "begin"),
        ("cleanup", '"do": "cast"', "priority"),
        ("declare_attackers", '"do": "attackers"', "declare_attackers_declare_attackers"),
        ("declare_blockers", '"do": "combatant", "id": "X", "side": "blocker"', "begin"),
        ("combat_damage", '"do": "combatant", "id": "X", "side": "attacker"', "priority"),
    ],
)
def test_where_in_a_step_it_happens_by_default(step: str, verb: str, at: str) -> None:
    when = f'"when": {{"turn": 1, "step": "{step}"}}'
    [item] = read(f'{{"given": [{{{when}, {verb}}}]}}').given
    assert item.when is not None
    assert (item.when.at, item.when.iteration) == (at, 1)


def test_json_and_toml_say_the_same(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('[{"id": "x", "given": [{"do": "add_turn", "count": 2}]}]')
    (tmp_path / "a.toml").write_text('id = "x"\n[[given]]\ndo = "add_turn"\ncount = 2\n')
    assert scenarios.load(tmp_path / "a.json") == scenarios.load(str(tmp_path / "a.toml"))


# what is wrong ------------------------------------------------------------------------------------

UPKEEP = '"when": {"turn": 1, "step": "upkeep"}'


def given(item: str) -> str:
    return f'{{"given": [{item}]}}'


def expect(entry: str) -> str:
    return f'{{"expect": [{entry}]}}'


WRONG_KEYS = [
    ('{"idd": "x"}', "", "'idd' is not known here; did you mean 'id'?"),
    ('{"ruleset": "magik"}', "ruleset", "'magik' is unknown; did you mean 'magic'?"),
    ('{"options": {"editoin": "x"}}', "options", "did you mean 'edition'?"),
    ('{"options": {"extra_draw_on_first_turn": "no"}}', "options", "must be true or false"),
    ('{"players": 0}', "players", "0 is not a whole number >= 1"),
    ('{"players": 27}', "players", "27 is not a whole number <= 26"),
    ('{"players": true}', "players", "true is not a whole number"),
    (
        '{"players": 3, "turn_order": ["A", "B"]}',
        "turn_order",
        "it names 2 players, but players is 3",
    ),
    ('{"turn_order": ["A", "A"]}', "turn_order", "one or more different names"),
    ('{"teams": [["A", "X"]]}', "teams", "player 'X' is not in this game"),
    ('{"teams": [["A"], ["B", "A"]]}', "teams", "groups of different players"),
    ('{"first_draw_skipped": 1}', "first_draw_skipped", "1 is not true or false"),
    (
        '{"settings": {"first_draw_skiped": true}}',
        "settings.first_draw_skiped",
        "did you mean 'first_draw_skipped'?",
    ),
    ('{"given": {}}', "given", "{} is not a list"),
]
WRONG_ITEMS = [
    ("{}", "", "this needs 'do'"),
    ('{"do": "sbaa"}', ".do", "verb 'sbaa' is unknown; did you mean 'sba'?"),
    ('{"do": "add_turn", "cuont": 2}', "", "did you mean 'count'?"),
    ('{"do": "add_turn", "count": -1}', ".count", "-1 is not a whole number >= 1"),
    ('{"do": "add_turn", "count": 1001}', ".count", "1001 is not a whole number <= 1000"),
    ('{"do": "add_turn", "player": "C"}', ".player", "player 'C' is not in this game; known: A, B"),
    ('{"do": "control_next_turn", "player": "A"}', "", "this needs 'by'"),
    ('{"do": "sba", "when": {"turn": 1}}', ".when", "this needs 'step'"),
    (
        '{"do": "sba", "when": {"turn": 1, "step": "upkep"}}',
        ".when.step",
        "step 'upkep' is not in magic; did you mean 'upkeep'?",
    ),
    (
        '{"do": "sba", "when": {"turn": 1, "step": "untap", "at": "untap_phasin"}}',
        ".when.at",
        "nor a stage of untap; did you mean 'untap_phasing'?",
    ),
    (
        '{"do": "end_turn", "when": {"turn": 1, "step": "upkeep", "at": "begin"}}',
        ".when.at",
        "end_turn needs a resolution",
    ),
    ('{"do": "player_leaves", "player": "A"}', "", "player_leaves needs 'when'"),
    (
        f'{{{UPKEEP}, "do": "attackers"}}',
        ".when.step",
        "belongs to a step with declare_attackers, not to upkeep",
    ),
    (f'{{{UPKEEP}, "do": "tell", "fact": "stack_emty"}}', ".fact", "did you mean 'stack_empty'?"),
    (
        f'{{{UPKEEP}, "do": "signal", "event": "player_left"}}',
        ".event",
        "event 'player_left' is not in",
    ),
    (f'{{{UPKEEP}, "do": "add_phase", "phases": []}}', ".phases", "a list of length >= 1"),
    (f'{{{UPKEEP}, "do": "add_phase", "phases": 3}}', ".phases", "3 is not a list"),
    (
        f'{{{UPKEEP}, "do": "add_phase", "phases": ["combt"]}}',
        ".phases",
        "phase 'combt' is not in magic; did you mean 'combat'?",
    ),
    ('{"do": "add_step", "step": "draw"}', "", "before turn 1 no step is under way"),
    ('{"do": "skip_step", "step": "draw", "in": "more"}', ".in", "nothing given has the id 'more'"),
    ('{"do": "skip_step", "step": "end", "scope": "once"}', ".scope", "'once' is unknown"),
    ('{"do": "effect", "id": "E", "until": "end_of_trun"}', ".until", "'end_of_turn'?"),
    ('{"do": "standing_trigger", "id": "T"}', "", "given[0]: this needs 'step'"),
    (
        '{"do": "standing_trigger", "id": "T", "step": "end", "then": [{"do": "attackers"}]}',
        ".then[0].do",
        "verb 'attackers' is unknown",
    ),
]
WRONG_EXPECTATIONS = [
    ('{"turn": 1}', "", "this entry checks nothing"),
    ('{"steps": []}', "", "'steps' needs 'turn' beside it"),
    ('{"turn": 1, "stepz": []}', "", "did you mean 'step'?"),
    ('{"turn": 1, "steps": ["untapp"]}', ".steps[0]", "did you mean 'untap'?"),
    ('{"turn": 1, "visits": {"upkeep": -1}}', ".visits.upkeep", "-1 is not a whole number >= 0"),
    ('{"turn": 1, "phases": ["main"]}', ".phases[0]", "phase 'main' is not in magic"),
    ('{"turn": 1, "stages": ["upkeep_windw"]}', ".stages[0]", "did you mean 'upkeep_window'?"),
    (
        '{"turn": 1, "step": "draw", "tba_order": ["untap"]}',
        ".tba_order[0]",
        "of a step 'untap' is not",
    ),
    ('{"turn": 1, "step": "draw", "resolves": ["X"]}', ".resolves[0]", "makes the object 'X'"),
    ('{"trigger": "T", "fires": []}', ".trigger", "nothing given has the id 'T'"),
    ('{"over": "yes"}', ".over", "'yes' is not true or false"),
]
WRONG = [
    *WRONG_KEYS,
    *((given(item), f"given[0]{where}", text) for item, where, text in WRONG_ITEMS),
    *((expect(entry), f"expect[0]{where}", text) for entry, where, text in WRONG_EXPECTATIONS),
]


@pytest.mark.parametrize(("text", "where", "message"), WRONG, ids=[row[2][:40] for row in WRONG])
def test_what_is_wrong_is_named_with_its_place(text: str, where: str, message: str) -> None:
    with pytest.raises(ScenarioError) as error:
        read(text)
    assert message in str(error.value)
    assert error.value.place == where
    assert str(error.value).startswith(f"cases.json: {where}: " if where else "cases.json: ")
    assert "\n" not in str(error.value)


LACKING = [
    ("magic-classic", '"do": "end_combat"', "it needs the event end_phase"),
    ("magic-2010", '"do": "day_night", "value": "day"', "it needs the action day_night"),
    (
        "magic-2010",
        '"do": "add_step", "step": "draw", "after": "current_phase"',
        "knows no steps added after",
    ),
    ("magic-classic", '"do": "add_phase", "phases": ["main"], "you_get": true', "what “you get”"),
    ("grand-archive", '"do": "skip_step", "step": "main"', "it needs skipped steps"),
    ("grand-archive", '"do": "add_mana"', "it needs the action empty_mana or"),
    ("magic", '"do": "attack"', "it needs the event attack"),
]


@pytest.mark.parametrize(("ruleset", "verb", "reason"), LACKING, ids=lambda value: str(value)[:30])
def test_what_a_rulebook_lacks_is_refused_with_the_reason(
    ruleset: str, verb: str, reason: str
) -> None:
    step = "main" if ruleset == "grand-archive" else "upkeep"
    when = f'"when": {{"turn": 1, "step": "{step}", "at": "priority"}}'
    with pytest.raises(ScenarioError) as error:
        read(f'{{"ruleset": "{ruleset}", "given": [{{{when}, {verb}}}]}}')
    assert reason in str(error.value)


def test_all_that_is_wrong_in_a_file_is_told() -> None:
    """The error tells the first problem, and `problems` has all of them."""
    wrong = [
        {"when": {"turn": 1, "step": "upkeep"}, "do": "add_turn", "count": -1, "player": "C"},
        {"when": {"turn": 1, "step": "upkep"}, "do": "add_turn", "player": "C"},
        {"do": "control_next_turn", "player": "X", "by": "Y"},
    ]
    expect = [{"turn": 1, "steps": ["upkeep", "drawn"]}, {"turn": 0, "stepz": []}]
    data = [{"id": "a", "given": wrong}, {"id": "b", "idd": 1}, {"id": "c", "expect": expect}]
    with pytest.raises(ScenarioError, match=r"\(and 7 more; `problems` has all\)$") as error:
        scenarios.load(data, place="cases.json")
    places = [problem.split(": ")[2] for problem in error.value.problems]
    assert places == [
        "given[0].count",
        "given[1].when.step",
        "given[1].player",
        "given[2].player",
        "given[2].by",
        "'idd' is not known here; did you mean 'id'?",
        "expect[0].steps[1]",
        "expect[1].turn",
    ]


def test_a_scenario_of_a_list_is_named() -> None:
    jumps = [{"id": "first"}, {"id": "second", "given": [{"do": "jump"}]}]
    with pytest.raises(ScenarioError, match=r"^cases.json: \[1\] second: given\[0\].do: verb"):
        scenarios.load(jumps, place="cases.json")
    with pytest.raises(ScenarioError, match=r"\[1\] same: id: 'same' is taken; ids are"):
        scenarios.load([{"id": "same"}, {"id": "same"}], place="cases.json")


# the documents ------------------------------------------------------------------------------------


def test_the_examples_of_the_document_hold() -> None:
    text = (DOCS / "scenarios.md").read_text("utf-8")
    examples = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", text, re.DOTALL)]
    assert examples
    for example in examples:
        [scenario] = scenarios.load(example, place="docs")
        assert scenarios.play(scenario, strict=True).failures == []


def test_the_published_schema_alone_refuses_and_accepts() -> None:
    validator = Draft202012Validator(json.loads(SCHEMA.read_text("utf-8")))
    assert validator.is_valid([{"id": "x", "given": [{"do": "add_turn"}]}, {"id": "y"}])
    assert not validator.is_valid({"id": "x", "given": [{"do": "add_turns"}]})
    assert not validator.is_valid([{"id": 1}])
