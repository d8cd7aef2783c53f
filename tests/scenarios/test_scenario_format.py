"""Reading scenario files: what is right is taken in with its defaults, what is wrong is named."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import fsm
from fsm import load, scenarios
from fsm.errors import ScenarioError
from fsm.model import Model, State
from fsm.rulesets import names
from fsm.scenarios import Scenario
from fsm.scenarios.expectations import CHECKS
from fsm.scenarios.modelvocabulary import vocabulary_of
from fsm.scenarios.modelwords import ModelWords
from fsm.scenarios.parsing import ScenarioParser
from fsm.scenarios.verbs import VERBS

UPKEEP = {"turn": 1, "step": "upkeep"}
CLEANUP = {"turn": 1, "step": "cleanup"}


def one(**data: Any) -> Scenario:
    [scenario] = fsm.scenarios.load({"id": "it", **data}, place="cases.json")
    return scenario


def given(*items: dict[str, Any]) -> dict[str, Any]:
    return {"given": list(items)}


def expect(*entries: dict[str, Any]) -> dict[str, Any]:
    return {"expect": list(entries)}


def test_everything_has_a_default() -> None:
    [scenario] = fsm.scenarios.load({}, place="quiet.json")
    assert scenario == Scenario("quiet", "magic", ("A", "B"), 1, model=load("magic"))


def test_players_take_letters_or_the_names_in_turn_order() -> None:
    assert one(players=4).players == ("A", "B", "C", "D")
    assert one(turn_order=["Ann", "Bob", "Cid"]).players == ("Ann", "Bob", "Cid")
    assert one(players=28).players[25:] == ("Z", "AA", "AB")


@pytest.mark.parametrize(
    ("data", "turns"),
    [
        (given({"when": {"turn": 3, "step": "end"}, "do": "sba"}), 3),
        (expect({"turn_order": ["A", "B", "A", "B"]}), 4),
        (expect({"mana_at": {"turn": 5, "step": "end", "player": "A", "amount": 0}}), 5),
        ({**given({"do": "saga", "id": "S"}), **expect({"lore": "S", "on_turns": [1, 6]})}, 6),
        (
            {
                **given({"do": "standing_trigger", "id": "T", "step": "end"}),
                **expect({"trigger": "T", "fires": [{"turn": 7, "step": "end"}]}),
            },
            7,
        ),
        ({"through_turn": 2, **expect({"turn": 9, "extra": False})}, 2),
    ],
)
def test_through_turn_is_the_last_turn_mentioned(data: dict[str, Any], turns: int) -> None:
    assert one(**data).through_turn == turns


@pytest.mark.parametrize(
    ("step", "verb", "at"),
    [
        ("upkeep", {"do": "sba"}, "priority"),
        ("untap", {"do": "sba"}, "begin"),
        ("cleanup", {"do": "sba"}, "begin"),
        ("declare_attackers", {"do": "attackers"}, "begin"),
        ("cleanup", {"do": "hand_size", "cards": 9}, "begin"),
        ("cleanup", {"do": "cast"}, "priority"),
    ],
)
def test_where_it_happens_by_default(step: str, verb: dict[str, Any], at: str) -> None:
    [item] = one(**given({"when": {"turn": 1, "step": step}, **verb})).given
    assert item.when is not None
    assert (item.when.at, item.when.iteration) == (at, 1)


def test_attackers_and_hands_always_belong_to_the_beginning() -> None:
    when = {"turn": 1, "step": "declare_attackers", "at": "priority"}
    [item] = one(**given({"when": when, "do": "attackers", "count": 2})).given
    assert item.when is not None
    assert item.when.at == "begin"


def test_items_have_every_field_of_their_verb() -> None:
    [item] = one(**given({"when": UPKEEP, "do": "add_step", "step": "draw", "before": "end"})).given
    assert dict(item.fields) == {
        "step": "draw",
        "after": "",
        "before": "end",
        "count": 1,
        "player": "",
        "you_get": False,
        "id": "",
    }


def test_then_lists_are_items(tmp_path: Path) -> None:
    then = [{"do": "add_turn", "player": "A"}, {"do": "effect", "id": "E"}]
    [item] = one(
        **given({"do": "standing_trigger", "id": "T", "step": "upkeep", "then": then})
    ).given
    assert [(i.place, i.do) for i in item.then] == [
        ("given[0].then[0]", "add_turn"),
        ("given[0].then[1]", "effect"),
    ]


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"idd": "x"}, "cases.json: 'idd' is not known here; did you mean 'id'?"),
    (
        {"ruleset": "magik"},
        "cases.json: ruleset: ruleset 'magik' is unknown; did you mean 'magic'?",
    ),
    ({"options": {"extra_draw_on_firstturn": True}}, "did you mean 'extra_draw_on_first_turn'?"),
    ({"options": {"extra_draw_on_first_turn": "no"}}, "must be true or false"),
    ({"players": 0}, "cases.json: players: 0 is too small; at least 1"),
    ({"players": "two"}, "cases.json: players: 'two' is not a whole number"),
    ({"players": True}, "cases.json: players: true is not a whole number"),
    ({"players": 3, "turn_order": ["A", "B"]}, "turn_order: it names 2 players, but players is 3"),
    ({"turn_order": ["A", "A"]}, "a name is there twice"),
    ({"teams": [["A", "X"]]}, "cases.json: teams[0][1]: player 'X' does not play"),
    ({"teams": [["A"], ["B", "A"]]}, "cases.json: teams[0][0]: player 'A' is in two teams"),
    ({"through_turn": 0}, "cases.json: through_turn: 0 is too small"),
    ({"first_draw_skipped": 1}, "first_draw_skipped: 1 is not true or false"),
    ({"given": {}}, "cases.json: given: {} is not a list"),
    (given({}), "cases.json: given[0]: this needs 'do'"),
    (given({"do": "sbaa"}), "given[0].do: verb 'sbaa' is unknown; did you mean 'sba'?"),
    (
        given({"do": "add_turn", "cuont": 2}),
        "'cuont' is not a field of add_turn; did you mean 'count'?",
    ),
    (given({"do": "add_turn", "count": -1}), "given[0].count: -1 is too small; at least 1"),
    (
        given({"do": "add_turn", "count": 1_000_000}),
        "given[0].count: 1000000 is too large; at most 1000",
    ),
    (
        given({"do": "add_turn", "player": "C"}),
        "given[0].player: player 'C' does not play; known: A, B",
    ),
    (given({"do": "control_next_turn", "player": "A"}), "control_next_turn needs 'by'"),
    (
        given({"when": {"turn": 1, "step": "upkep"}, "do": "sba"}),
        "cases.json: given[0].when.step: step 'upkep' is not in magic; did you mean 'upkeep'?",
    ),
    (given({"when": {"turn": 1}, "do": "sba"}), "given[0].when: this needs 'step'"),
    (given({"when": {**UPKEEP, "turn": 0}, "do": "sba"}), "given[0].when.turn: 0 is too small"),
    (given({"when": {**UPKEEP, "at": "beginning"}, "do": "sba"}), "did you mean 'begin'?"),
    (
        given({"when": {"turn": 1, "step": "untap", "at": "untap_phasin"}, "do": "sba"}),
        "given[0].when.at: 'untap_phasin' is neither 'begin', 'priority' nor a stage of untap; "
        "did you mean 'untap_phasing'? (stages of untap: untap_phasing, untap_day_night, untap_untap_permanents, ",
    ),
    (
        given({"when": {**UPKEEP, "at": "draw_draw_card"}, "do": "sba"}),
        "'draw_draw_card' is neither 'begin', 'priority' nor a stage of upkeep (stages of upkeep: upkeep_window,",
    ),
    (
        given({"when": {"turn": 1, "step": "draw", "at": "draw_draw_card"}, "do": "end_turn"}),
        "end_turn needs a resolution",
    ),
    (
        given({"when": {"turn": 1, "step": "draw", "at": "draw_draw_card"}, "do": "cast"}),
        "cast needs a resolution",
    ),
    (
        given({"when": UPKEEP, "do": "tell", "fact": "stack_emty"}),
        "given[0].fact: fact 'stack_emty' is not one the game tells in magic; did you mean 'stack_empty'?",
    ),
    (
        given({"when": UPKEEP, "do": "signal", "event": "end_trun"}),
        "event 'end_trun' is not in magic; did you mean",
    ),
    (
        given({"when": UPKEEP, "do": "signal", "event": "player_left"}),
        "write player_leaves, which says who leaves",
    ),
    (
        given({"when": UPKEEP, "do": "combatant", "id": "X", "side": "both"}),
        "given[0].side: 'both' is unknown",
    ),
    (
        {"settings": {"first_draw_skiped": True}},
        "settings.first_draw_skiped: setting 'first_draw_skiped' is not known",
    ),
    ({"settings": {"first_draw_skiped": True}}, "did you mean 'first_draw_skipped'?"),
    ({"settings": {"first_draw_skipped": "yes"}}, "'yes' is not true or false"),
    (
        {"settings": {"first_draw_skipped": True}, "first_draw_skipped": False},
        "'settings' says the opposite; keep one",
    ),
    (
        {"ruleset": "grand-archive", **given({"when": {"turn": 3, "step": "end"}, "do": "attack"})},
        "given[0].when.step: attack belongs to main, not to end",
    ),
    (
        {
            "ruleset": "grand-archive",
            **given({"when": {"turn": 3, "step": "main"}, "do": "materialize"}),
        },
        "materialize belongs to materialize, not to main",
    ),
    (
        {
            "ruleset": "grand-archive",
            **given({"do": "effect", "id": "E", "until": "end_of_upkeep"}),
        },
        "given[0].until: duration 'end_of_upkeep' is not in grand-archive",
    ),
    (given({"when": {**UPKEEP, "itertion": 2}, "do": "sba"}), "did you mean 'iteration'?"),
    (given({"when": {**UPKEEP, "at": "begin"}, "do": "end_turn"}), "end_turn needs a resolution"),
    (given({"when": CLEANUP, "do": "end_turn"}), "end_turn needs a resolution"),
    (
        given({"when": {**UPKEEP, "at": "begin"}, "do": "end_combat"}),
        "end_combat needs a resolution",
    ),
    (given({"do": "end_turn"}), "end_turn needs 'when'"),
    (given({"do": "player_leaves", "player": "A"}), "player_leaves needs 'when'"),
    (
        given({"when": UPKEEP, "do": "attackers"}),
        "attackers belongs to declare_attackers, not to upkeep",
    ),
    (
        given({"when": UPKEEP, "do": "hand_size", "cards": 8}),
        "hand_size belongs to cleanup, not to upkeep",
    ),
    (given({"when": UPKEEP, "do": "rollback", "to_turn": 2}), "turn 2 is still to come in turn 1"),
    (
        given({"when": UPKEEP, "do": "add_phase", "phases": ["combt"]}),
        "given[0].phases[0]: phase 'combt' is not in magic; did you mean 'combat'?",
    ),
    (
        given({"when": UPKEEP, "do": "add_phase", "phases": []}),
        "given[0].phases: the list is empty",
    ),
    (
        given({"when": UPKEEP, "do": "add_phase", "phases": ["main"], "after": "combat"}),
        'write "current_phase"',
    ),
    (
        given({"when": UPKEEP, "do": "add_phase", "phases": ["main"], "after": {"phase": "fight"}}),
        "given[0].after.phase: phase 'fight' is not in magic",
    ),
    (given({"do": "add_phase", "phases": ["main"]}), "before turn 1 no phase is current"),
    (
        given({"do": "add_turn", "id": "more"}, {"do": "skip_step", "step": "draw", "in": "mroe"}),
        "given[1].in: nothing is added with the id 'mroe'; did you mean 'more'?",
    ),
    (
        given({"when": UPKEEP, "do": "add_step", "step": "draw", "after": "current"}),
        "did you mean 'current_step'?",
    ),
    (
        given({"when": UPKEEP, "do": "add_step", "step": "draw", "after": "end", "before": "end"}),
        "one is right",
    ),
    (given({"do": "add_step", "step": "draw"}), "before turn 1 no step is current"),
    (given({"do": "skip_step", "step": "main"}), "given[0].step: step 'main' is not in magic"),
    (
        given({"do": "skip_step", "step": "end", "scope": "once"}),
        "given[0].scope: 'once' is unknown",
    ),
    (given({"do": "effect", "id": "E", "until": "end_of_trun"}), "did you mean 'end_of_turn'?"),
    (given({"do": "standing_trigger", "id": "T"}), "needs either 'step' or 'day_night_change'"),
    (
        given({"do": "standing_trigger", "id": "T", "step": "end", "whose": "X"}),
        "neither 'each' nor a player",
    ),
    (
        given(
            {
                "do": "standing_trigger",
                "id": "T",
                "step": "end",
                "then": [{"do": "sba", "when": UPKEEP}],
            }
        ),
        "given[0].then[0]: 'when' is not a field of sba",
    ),
    (
        given(
            {
                "do": "standing_trigger",
                "id": "T",
                "step": "end",
                "then": [{"do": "add_turn", "player": "X"}],
            }
        ),
        "given[0].then[0].player: player 'X' does not play",
    ),
    (
        given({"do": "standing_trigger", "id": "T", "step": "end", "then": [{"do": "attackers"}]}),
        "given[0].then[0].do: verb 'attackers' is unknown",
    ),
    (
        given({"do": "day_night", "value": "dusk"}),
        "given[0].value: 'dusk' is unknown; known: day, neither, night",
    ),
    (expect({"turn": 1}), "expect[0]: this entry checks nothing"),
    (expect({"steps": []}), "expect[0]: 'steps' needs 'turn' beside it"),
    (
        expect({"turn": 1, "stepz": []}),
        "expect[0]: 'stepz' is not known here; did you mean 'step'?",
    ),
    (expect({"turn": 1, "steps": ["untapp"]}), "expect[0].steps[0]: step 'untapp' is not in magic"),
    (
        expect({"turn": 1, "visits": {"upkep": 1}}),
        "step 'upkep' is not in magic; did you mean 'upkeep'?",
    ),
    (expect({"turn": 1, "visits": {"upkeep": -1}}), "expect[0].visits.upkeep: -1 is too small"),
    (expect({"turn": 1, "phases": ["main"]}), "expect[0].phases[0]: phase 'main' is not in magic"),
    (
        expect({"turn": 1, "step": "untap", "tba_order": ["untap"]}),
        "expect[0].tba_order[0]: action 'untap' is not in",
    ),
    (
        expect({"turn": 1, "step": "draw", "performs": {"action": "draw_cards", "players": ["A"]}}),
        "expect[0].performs.action: action 'draw_cards' is not in magic; did you mean 'draw_card'?",
    ),
    (
        expect(
            {"turn": 1, "step": "draw", "performs": {"action": "draw_card", "players": ["A", "Z"]}}
        ),
        "expect[0].performs.players[1]: player 'Z' does not play",
    ),
    (expect({"turn": 1, "step": "draw", "active": "A"}), "'step' says nothing beside active"),
    (expect({"turn": 1, "active": "Z"}), "expect[0].active: player 'Z' does not play"),
    (
        expect({"turn": 1, "priority": {"step": "drow", "given": True}}),
        "step 'drow' is not in magic",
    ),
    (
        expect({"effect": "E", "active_at": [{"turn": 1, "step": "end", "value": True}]}),
        "nothing given makes the effect",
    ),
    (
        expect({"trigger": "T", "fires": []}),
        "expect[0].trigger: nothing given makes the trigger 'T'",
    ),
    (
        expect({"turn": 1, "stages": ["upkeep_windw"]}),
        "stage 'upkeep_windw' is not in magic; did you mean",
    ),
    (
        expect({"turn": 1, "step": "end_of_combat", "tba_order": ["remove_from_combat"]}),
        "action 'remove_from_combat' is in no step, or ends its phase; use 'stages'",
    ),
    (
        expect({"turn": 1, "step": "draw", "resolves": ["X"]}),
        "expect[0].resolves[0]: nothing given makes the object 'X'",
    ),
    (
        expect({"turn": 1, "step": "combat_damage", "assigns": ["X"]}),
        "nothing given makes the creature 'X'",
    ),
    (
        {
            "ruleset": "magic-classic",
            **expect({"burn": {"turn": 1, "phase": "begining", "player": "A", "amount": 1}}),
        },
        "expect[0].burn.phase: phase 'begining' is not in magic-classic; did you mean 'beginning'?",
    ),
    (expect({"over": "yes"}), "expect[0].over: 'yes' is not true or false"),
]


@pytest.mark.parametrize(("data", "message"), WRONG, ids=[message[:60] for _, message in WRONG])
def test_what_is_wrong_is_named_with_its_place(data: dict[str, Any], message: str) -> None:
    with pytest.raises(ScenarioError) as error:
        fsm.scenarios.load(data, place="cases.json")
    assert str(error.value).startswith("cases.json: ")
    assert message in str(error.value)
    assert "\n" not in str(error.value)
    where = error.value.where
    assert str(error.value).startswith(f"cases.json: {where}: " if where else "cases.json: ")


def test_an_error_carries_its_place() -> None:
    wrong: dict[str, dict[str, Any]] = {
        "given[1].player": {"given": [{"do": "sba"}, {"do": "add_turn", "player": "Z"}]},
        "options": {"options": {"no": 1}},
        "ruleset": {"ruleset": "option"},
    }
    for where, data in wrong.items():
        with pytest.raises(ScenarioError) as error:
            fsm.scenarios.load(data, place="cases.json")
        assert error.value.where == where


def test_every_scenario_of_a_list_is_named() -> None:
    with pytest.raises(
        ScenarioError, match=r"^cases.json: \[1\] second: given\[0\].do: verb 'jump' is unknown"
    ):
        fsm.scenarios.load(
            [{"id": "first"}, {"id": "second", "given": [{"do": "jump"}]}], place="cases.json"
        )
    with pytest.raises(ScenarioError, match=r"\[1\].id: 'same' is taken by \[0\]; ids are unique"):
        fsm.scenarios.load([{"id": "same"}, {"id": "same"}], place="cases.json")
    with pytest.raises(ScenarioError, match=r"^cases.json: \[0\]: 3 is not an object"):
        fsm.scenarios.load([3], place="cases.json")


def test_a_ruleset_without_the_means_refuses_the_verb() -> None:
    states = [
        {"id": "turn", "kind": "turn"},
        {"id": "p", "kind": "phase", "name": "play", "parent": "turn"},
        {"id": "s", "kind": "step", "name": "move", "parent": "p"},
        {"id": "b", "kind": "stage", "role": "begin", "parent": "s"},
    ]
    bare = Model("bare", "b", tuple(State(**s) for s in states), ())  # type: ignore[arg-type]
    for do in (
        {"do": "end_combat"},
        {"do": "hand_size", "cards": 1},
        {"do": "saga", "id": "S"},
        {"do": "add_turn"},
    ):
        when = {"turn": 1, "step": "move", "at": "priority"}
        with pytest.raises(ScenarioError, match="is not known in bare"):
            fsm.scenarios.load(given({"when": when, **do}), bare, place="cases.json")
    with pytest.raises(
        ScenarioError, match="setting 'first_draw_skipped' is not known in bare; leave it out"
    ):
        fsm.scenarios.load({"first_draw_skipped": True}, bare, place="cases.json")


REFUSED: list[tuple[str, dict[str, Any], str]] = [
    (
        "magic-classic",
        {"do": "end_combat"},
        "is not known in magic-classic (it needs the event end_phase)",
    ),
    (
        "magic-2010",
        {"do": "day_night", "value": "day"},
        "'day_night' is not known in magic-2010 (it needs the action",
    ),
    (
        "magic-2010",
        {"do": "add_step", "step": "draw", "after": "current_phase"},
        "a step after a phase is not known",
    ),
    (
        "magic-classic",
        {"do": "add_phase", "phases": ["main"], "you_get": True},
        "'you_get' is not known",
    ),
    (
        "grand-archive",
        {"do": "add_phase", "phases": ["main"]},
        "grand-archive (it needs extra phases); leave it out",
    ),
    ("grand-archive", {"do": "skip_step", "step": "main"}, "it needs effects that skip a step"),
    ("grand-archive", {"do": "add_mana"}, "it needs the action empty_mana or the action lose_mana"),
    (
        "magic",
        {"do": "attack"},
        "'attack' is not known in magic (it needs the event attack); leave it out",
    ),
    (
        "magic",
        {"do": "retaliators"},
        "it needs the action order_retaliators or the fact several_retaliators",
    ),
    (
        "magic",
        {"do": "cast", "interdiction": True},
        "'interdiction' is not known in magic; leave it out",
    ),
    (
        "grand-archive",
        {"do": "combatant", "id": "X", "side": "attacker"},
        "it needs the action declare_attackers",
    ),
]


@pytest.mark.parametrize(
    ("ruleset", "verb", "message"), REFUSED, ids=[f"{r}-{v['do']}" for r, v, _ in REFUSED]
)
def test_what_an_edition_lacks_is_refused_with_the_reason(
    ruleset: str, verb: dict[str, Any], message: str
) -> None:
    step = "main" if ruleset == "grand-archive" else "upkeep"
    with pytest.raises(ScenarioError) as error:
        one(ruleset=ruleset, **given({"when": {"turn": 1, "step": step, "at": "priority"}, **verb}))
    assert message in str(error.value)


def test_an_effect_without_a_duration_needs_that_of_the_ruleset(magic: Model) -> None:
    bare = replace(
        magic, name="bare", durations=tuple(d for d in magic.durations if d.name != "end_of_turn")
    )
    reader = ScenarioParser("cases.json", ModelWords(bare), ("A", "B"))
    with pytest.raises(
        ScenarioError, match=r"given\[0\].until: duration 'end_of_turn' is not in bare"
    ):
        reader.item({"do": "effect", "id": "E"}, "given[0]")
    assert (
        reader.item({"do": "effect", "id": "E", "until": "end_of_combat"}, "given[0]")["until"]
        == "end_of_combat"
    )


@pytest.mark.parametrize("ruleset", names())
def test_the_vocabulary_of_a_ruleset_is_what_it_accepts(ruleset: str) -> None:
    words = vocabulary_of(load(ruleset))
    assert {*words.verbs, *words.expectations, *words.refused} == {*VERBS, *CHECKS}
    assert not {*words.verbs, *words.expectations} & set(words.refused)
    assert all(
        why.startswith("it needs ")
        for why in (*words.refused.values(), *words.refused_parts.values())
    )
    assert [step.name for step in words.steps] == list(words.stages)
    for step, stages in words.stages.items():
        for stage in stages:
            when = {"turn": 1, "step": step, "at": stage.id}
            [item] = one(ruleset=ruleset, **given({"when": when, "do": "sba"})).given
            assert item.when is not None
            assert item.when.at == stage.id


def test_where_a_creature_enters_combat_by_default() -> None:
    def at(step: str, side: str) -> str:
        [item] = one(
            **given({"when": {"turn": 2, "step": step}, "do": "combatant", "id": "X", "side": side})
        ).given
        assert item.when is not None
        return item.when.at

    assert at("declare_attackers", "attacker") == "begin"
    assert at("declare_blockers", "blocker") == "begin"
    assert at("declare_attackers", "blocker") == "priority"
    assert at("combat_damage", "attacker") == "priority"


# files --------------------------------------------------------------------------------------------


def test_json_and_toml_say_the_same(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(
        json.dumps([{"id": "x", "players": 3, "given": [{"do": "add_turn", "player": "C"}]}])
    )
    (tmp_path / "a.toml").write_text(
        'id = "x"\nplayers = 3\n[[given]]\ndo = "add_turn"\nplayer = "C"\n'
    )
    assert scenarios.load(tmp_path / "a.json") == scenarios.load(str(tmp_path / "a.toml"))


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.json", b'{"id": "x",', "as JSON: line 1, column 12"),
        ("a.json", b'{"id": "x", "id": "y"}', "the key 'id' is there twice"),
        ("a.json", b"\xff\xfe{}", "this is not text in UTF-8"),
        ("a.json", b"[" * 200_000, "nested more than 100 deep"),
        ("a.toml", b"id = ", "cannot be read as TOML"),
        ("a.txt", b"no scenario at all", "cannot be read as TOML"),
        ("a.json", b'"text"', "'text' is not an object"),
    ],
)
def test_a_file_that_is_no_scenario(
    tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(ScenarioError) as error:
        scenarios.load(path)
    assert str(error.value).startswith(f"{path}: ")
    assert message in str(error.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match="there is no such file"):
        scenarios.load(tmp_path / "none.json")
    with pytest.raises(ScenarioError, match="this is a folder"):
        scenarios.load(tmp_path)


def add_phases(phases: object) -> dict[str, Any]:
    return given({"when": UPKEEP, "do": "add_phase", "phases": phases})


@pytest.mark.parametrize(
    ("short", "long"),
    [
        (add_phases("combat"), add_phases(["combat"])),
        (given({"do": "add_turn", "players": "A"}), given({"do": "add_turn", "players": ["A"]})),
        (expect({"turn_order": "A"}), expect({"turn_order": ["A"]})),
        (expect({"turn": 1, "contains": "upkeep"}), expect({"turn": 1, "contains": ["upkeep"]})),
    ],
)
def test_one_name_stands_for_a_list_of_it(short: dict[str, Any], long: dict[str, Any]) -> None:
    assert repr(fsm.scenarios.load(short, place="one")) == repr(
        fsm.scenarios.load(long, place="one")
    )


def test_neither_a_name_nor_a_list_is_refused() -> None:
    with pytest.raises(ScenarioError, match=r"given\[0\].phases: 3 is not a list or ") as refused:
        fsm.scenarios.load(add_phases(3), place="one")
    assert refused.value.place == "given[0].phases"
