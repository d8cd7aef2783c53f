"""Playing scenarios: what the scripted game does, verb by verb, and what a run tells of itself."""

from __future__ import annotations

from typing import Any

import pytest

import fsm
from fsm import Priority, TurnController
from fsm.errors import ScenarioError, StuckError
from fsm.model import Model
from fsm.runs.visits import visits_of
from fsm.scenarios import Outcome, Scenario, play
from fsm.scenarios.scriptedgame import ScriptedGame


def scenario(
    *given: dict[str, Any], expect: list[dict[str, Any]] | None = None, **data: Any
) -> Scenario:
    [made] = fsm.scenarios.load(
        {"id": "it", "given": list(given), "expect": expect or [], **data}, place="cases.json"
    )
    return made


def holds(*given: dict[str, Any], expect: list[dict[str, Any]], **data: Any) -> Outcome:
    outcome = play(scenario(*given, expect=expect, **data))
    assert outcome.failures == []
    return outcome


def at(
    turn: int, in_step: str, do: str, /, iteration: int = 1, at: str = "", **fields: Any
) -> dict[str, Any]:
    when: dict[str, Any] = {"turn": turn, "step": in_step, "iteration": iteration}
    return {"when": {**when, "at": at} if at else when, "do": do, **fields}


def where(turn: int, step: str, **more: Any) -> dict[str, Any]:
    return {"turn": turn, "step": step, **more}


# what a run tells ---------------------------------------------------------------


def test_visits_are_dictionaries_for_programs() -> None:
    outcome = play(scenario(through_turn=2))
    assert outcome.visits[0].as_dict() == {
        "turn": 1,
        "active": "A",
        "extra": False,
        "phase": "beginning",
        "step": "untap",
        "iteration": 1,
        "priority": False,
    }
    assert [v.step for v in outcome.visits if v.turn == 2][:4] == [
        "untap",
        "upkeep",
        "draw",
        "precombat_main",
    ]
    assert {v.turn for v in outcome.visits} == {1, 2}


def test_records_end_with_the_last_turn_and_the_trace_replays(magic: Model) -> None:
    outcome = play(
        scenario({"do": "skip_step", "step": "untap"}, at(1, "upkeep", "add_turn"), through_turn=2)
    )
    assert {r.turn for r in outcome.records} == {0, 1, 2}
    assert outcome.trace.replay(magic).position.turn == 3
    assert [v.where for v in visits_of(outcome.records, magic)] == [v.where for v in outcome.visits]


def test_what_never_comes_up_is_a_warning_or_a_failure() -> None:
    never = scenario(
        at(1, "draw", "sba"), at(1, "untap", "sba", at="priority"), at(1, "upkeep", "sba")
    )
    outcome = play(never)
    assert outcome.failures == []
    assert outcome.warnings == [
        "given[0]: sba never came up (turn 1 draw, at priority)",
        "given[1]: sba never came up (turn 1 untap, at priority)",
    ]
    assert play(never, strict=True).failures == [f"it: {warning}" for warning in outcome.warnings]


def test_an_endless_cleanup_is_stopped_and_says_so() -> None:
    outcome = play(scenario({"do": "standing_trigger", "id": "T", "step": "cleanup"}), max_steps=30)
    why = (
        "this turn visited cleanup 23 times; name fewer turns by through_turn, or allow more steps"
    )
    assert outcome.bounded == f"stopped after 30 visited steps, in turn 1 cleanup: {why}"
    assert outcome.failures == [f"it: {outcome.bounded}"]
    assert len(outcome.visits) == 30
    assert outcome.visits[-1].iteration == 30 - 8


def test_exactly_as_many_steps_as_allowed_is_no_stop() -> None:
    assert play(scenario(), max_steps=9).bounded is None
    assert play(scenario(), max_steps=8).bounded is not None


def test_an_endless_loop_within_one_step_is_stopped_and_says_so() -> None:
    flips = [
        {
            "do": "standing_trigger",
            "id": v,
            "day_night_change": True,
            "then": [{"do": "day_night", "value": v}],
        }
        for v in ("day", "night")
    ]
    outcome = play(scenario({"do": "day_night", "value": "day"}, *flips, through_turn=2))
    where = "stopped after 10000 requests in one step, in turn 2 upkeep"
    assert outcome.bounded == f"{where}: what is given never lets it end"


def test_a_hole_in_the_model_stops_the_run(magic: Model) -> None:
    holed = magic.without("draw_before -> draw_begin")
    with pytest.raises(StuckError):
        play(scenario(through_turn=2), model=holed)


def test_a_scripted_game_can_be_driven_by_hand(magic: Model) -> None:
    made = scenario(at(1, "upkeep", "effect", id="E"))
    game = ScriptedGame(made)
    controller = TurnController(magic, made.players, orders=game.orders)
    while controller.request.at.step != "precombat_main":
        controller.answer(game.answer(controller.request))
    twin = game.copy()
    while controller.request.at.turn == 1:
        controller.answer(game.answer(controller.request))
    assert (game.world.effects, twin.world.effects) == ([], ["E"])


def test_a_copy_of_a_scripted_game_has_its_own_future(magic: Model) -> None:
    made = scenario(at(1, "upkeep", "cast", id="Spell"))
    game = ScriptedGame(made)
    controller = TurnController(magic, made.players)
    while not isinstance(controller.request, Priority):
        controller.answer(game.answer(controller.request))
    twin = game.copy()
    assert game.answer(controller.request).word == "acted"
    assert twin.answer(controller.request).word == "acted"
    assert game.answer(controller.request).word == "passed"


# before turn 1, and in one resolution -------------------------------------------------------------


def test_what_has_no_when_is_in_force_before_turn_1() -> None:
    holds(
        {"do": "skip_step", "step": "untap", "player": "A"},
        {"do": "add_turn", "player": "B"},
        {"do": "skip_turn", "player": "A"},
        {"do": "standing_trigger", "id": "T", "step": "untap"},
        expect=[
            {"turn_order": ["B", "B", "A"]},
            {"turn": 1, "extra": True, "contains": ["untap", "upkeep"]},
            {"turn": 3, "visits": {"untap": 0}},
            {"trigger": "T", "fires": [where(1, "untap"), where(2, "untap")]},
            {"trigger": "T", "put_on_stack": [where(1, "upkeep"), where(2, "upkeep")]},
        ],
    )


def test_items_of_one_when_are_one_resolution() -> None:
    holds(
        at(2, "upkeep", "trigger", id="T"),
        at(2, "upkeep", "sba"),
        at(2, "upkeep", "add_step", step="upkeep"),
        expect=[
            where(2, "upkeep", priority_order=["B", "B", "A", "B", "A", "B", "A"]),
            {"turn": 2, "visits": {"upkeep": 2}},
        ],
    )


def test_at_the_beginning_comes_before_triggers_are_placed() -> None:
    holds(
        {
            "do": "standing_trigger",
            "id": "S",
            "step": "upkeep",
            "then": [{"do": "skip_step", "step": "draw"}],
        },
        at(2, "upkeep", "trigger", at="begin", id="T"),
        at(2, "upkeep", "skip_step", step="end_of_combat", scope="this_turn"),
        expect=[
            {"trigger": "T", "put_on_stack": [where(2, "upkeep")]},
            {"turn": 2, "visits": {"draw": 0, "end_of_combat": 0}},
            where(2, "upkeep", priority_order=["B", "A", "B", "A", "B", "B", "A", "B", "A"]),
        ],
    )


def test_priority_in_cleanup_needs_a_cause() -> None:
    outcome = holds(
        at(1, "cleanup", "effect", at="priority", id="E"),
        at(2, "cleanup", "sba"),
        at(2, "cleanup", "effect", at="priority", id="F"),
        expect=[
            {"turn": 1, "visits": {"cleanup": 1}},
            {"turn": 2, "visits": {"cleanup": 2}},
            {
                "effect": "F",
                "active_at": [
                    where(2, "cleanup", value=True),
                    where(2, "cleanup", iteration=2, value=False),
                ],
            },
        ],
    )
    assert outcome.warnings == ["given[0]: effect never came up (turn 1 cleanup, at priority)"]


# endings ---------------------------------------------------------------


def test_what_triggers_after_end_turn_survives_it_and_what_triggered_before_does_not() -> None:
    holds(
        at(1, "upkeep", "trigger", id="Before"),
        at(1, "upkeep", "end_turn", triggers_during=["During"]),
        at(1, "upkeep", "trigger", id="After"),
        at(1, "upkeep", "add_turn", player="A"),
        expect=[
            {"turn": 1, "steps": ["untap", "upkeep", "cleanup", "cleanup"]},
            {"trigger": "Before", "fires": [where(1, "upkeep")], "put_on_stack": []},
            {
                "trigger": "During",
                "fires": [where(1, "upkeep")],
                "put_on_stack": [where(1, "cleanup")],
            },
            {"trigger": "After", "put_on_stack": [where(1, "cleanup")]},
            {"turn_order": ["A", "A"]},
        ],
    )


def test_a_trigger_of_cleanup_does_not_survive_a_later_ending() -> None:
    """What survived one ending has no claim to survive the next."""
    holds(
        {"do": "standing_trigger", "id": "S", "step": "cleanup", "limit": "first_each_turn"},
        at(1, "upkeep", "end_turn", triggers_during=["D"]),
        at(1, "cleanup", "trigger", at="priority", id="Lost"),
        at(1, "cleanup", "end_turn", at="priority"),
        expect=[
            {"trigger": "S", "put_on_stack": [where(1, "cleanup", iteration=1)]},
            {"trigger": "Lost", "put_on_stack": []},
            {"turn": 1, "visits": {"cleanup": 2}},
        ],
    )


def test_end_combat_works_in_combat_only() -> None:
    steps = [
        "untap",
        "upkeep",
        "precombat_main",
        "beginning_of_combat",
        "postcombat_main",
        "end",
        "cleanup",
    ]
    holds(
        at(1, "upkeep", "end_combat", triggers_during=["Not"]),
        at(1, "upkeep", "trigger", id="Kept"),
        at(1, "beginning_of_combat", "end_combat", triggers_during=["During"]),
        expect=[
            {"turn": 1, "steps": steps},
            {"trigger": "Not", "fires": []},
            {"trigger": "Kept", "put_on_stack": [where(1, "upkeep")]},
            {"trigger": "During", "put_on_stack": [where(1, "postcombat_main")]},
        ],
    )


def test_ending_the_turn_goes_before_ending_a_phase() -> None:
    holds(
        at(1, "declare_attackers", "end_combat"),
        at(1, "declare_attackers", "end_turn"),
        expect=[{"turn": 1, "contains": ["declare_attackers", "cleanup"]}],
    )


def test_several_leave_in_one_resolution_and_the_turn_ends() -> None:
    holds(
        at(1, "upkeep", "end_turn"),
        at(1, "upkeep", "player_leaves", player="A"),
        at(1, "upkeep", "player_leaves", player="C"),
        players=4,
        expect=[
            {"turn": 1, "steps": ["untap", "upkeep", "cleanup"]},
            {"turn_order": ["A", "B", "D", "B"]},
            {"over": False},
        ],
    )


def test_the_game_is_over_when_one_player_is_left() -> None:
    outcome = holds(
        at(1, "draw", "player_leaves", player="A"),
        at(2, "draw", "player_leaves", player="B"),
        players=3,
        through_turn=5,
        expect=[
            {"over": True},
            {"turn": 2, "steps": ["untap", "upkeep", "draw"]},
            where(2, "upkeep", priority_order=["B", "C"]),
        ],
    )
    assert [t.active for t in outcome.turns] == ["A", "B"]


# combat ---------------------------------------------------------------


def test_first_strike_is_forgotten_after_each_combat() -> None:
    for skipped in ([], [{"do": "skip_step", "step": "end_of_combat"}]):
        holds(
            *skipped,
            at(1, "declare_attackers", "attackers", first_strike=True),
            at(1, "declare_attackers", "add_phase", phases=["combat"]),
            at(1, "declare_attackers", "attackers", iteration=2),
            expect=[
                {
                    "turn": 1,
                    "visits": {"declare_blockers": 2, "first_strike_damage": 1, "combat_damage": 2},
                }
            ],
        )


def test_first_strike_goes_with_the_attackers_unless_a_blocker_has_it() -> None:
    attack = at(1, "declare_attackers", "attackers", first_strike=True)
    gone = at(1, "declare_blockers", "remove_attackers")
    blocker = at(1, "declare_blockers", "first_strike", value=True)
    holds(
        attack, gone, expect=[{"turn": 1, "visits": {"first_strike_damage": 0, "combat_damage": 1}}]
    )
    holds(attack, gone, blocker, expect=[{"turn": 1, "visits": {"first_strike_damage": 1}}])
    holds(attack, blocker, gone, expect=[{"turn": 1, "visits": {"first_strike_damage": 0}}])


@pytest.mark.parametrize("step", ["upkeep", "precombat_main", "postcombat_main", "end", "cleanup"])
@pytest.mark.parametrize("value", [True, False])
def test_first_strike_outside_combat_has_no_effect_and_is_a_warning(step: str, value: bool) -> None:
    """It speaks of the combat under way; the combat of this turn and that of the next know nothing
    of it.
    """
    outcome = holds(
        at(1, step, "first_strike", at="begin", value=value),
        at(1, "declare_attackers", "attackers"),
        at(2, "declare_attackers", "attackers"),
        expect=[
            {"turn": turn, "visits": {"first_strike_damage": 0, "combat_damage": 1}}
            for turn in (1, 2)
        ],
    )
    assert outcome.warnings == [
        f"given[0]: first_strike has no effect: turn 1 {step} is in no combat"
    ]


def test_first_strike_as_a_trigger_resolves_after_combat_has_no_effect() -> None:
    late = {"do": "delayed_trigger", "id": "late", "step": "end", "then": [{"do": "first_strike"}]}
    holds(
        late,
        at(2, "declare_attackers", "attackers"),
        expect=[{"turn": 2, "visits": {"first_strike_damage": 0, "combat_damage": 1}}],
    )


def test_first_strike_is_forgotten_when_nobody_attacks() -> None:
    for step in ("beginning_of_combat", "declare_attackers", "end_of_combat"):
        holds(
            at(1, step, "first_strike"),
            at(1, "end_of_combat", "add_phase", phases=["combat"]),
            at(1, "declare_attackers", "attackers", iteration=2),
            expect=[{"turn": 1, "visits": {"first_strike_damage": 0, "combat_damage": 1}}],
        )


def test_first_strike_of_attackers_that_nobody_declares_is_not_that_of_others() -> None:
    holds(
        at(1, "upkeep", "player_leaves", player="A"),
        at(1, "declare_attackers", "attackers", first_strike=True),
        at(1, "declare_attackers", "put_attacking", at="priority"),
        players=3,
        expect=[
            {
                "turn": 1,
                "visits": {"declare_blockers": 1, "first_strike_damage": 0, "combat_damage": 1},
            }
        ],
    )


def test_first_strike_before_turn_1_is_refused() -> None:
    with pytest.raises(ScenarioError, match=r"given\[0\].*'when'"):
        scenario({"do": "first_strike"})


def test_put_attacking_counts_in_combat_only() -> None:
    for step, visits in (
        ("precombat_main", 0),
        ("beginning_of_combat", 1),
        ("declare_attackers", 1),
    ):
        holds(
            at(1, step, "put_attacking"),
            expect=[{"turn": 1, "visits": {"declare_blockers": visits}}],
        )
    holds(
        at(1, "declare_attackers", "put_attacking", count=0),
        expect=[{"turn": 1, "visits": {"declare_blockers": 0}}],
    )


@pytest.mark.parametrize("counts", [True, False])
def test_state_attacking_counts_where_the_option_says_so(counts: bool) -> None:
    holds(
        at(1, "declare_attackers", "state_attacking"),
        options={"stated_attacker_counts": counts},
        expect=[{"turn": 1, "visits": {"declare_blockers": int(counts)}}],
    )


def test_nobody_attacks_for_a_player_who_left() -> None:
    holds(
        at(1, "upkeep", "player_leaves", player="A"),
        at(1, "declare_attackers", "attackers", count=2),
        at(1, "cleanup", "hand_size", cards=12),
        players=3,
        expect=[{"turn": 1, "visits": {"declare_blockers": 0}, "discards": {"count": 0}}],
    )


def test_creatures_take_the_place_of_counted_attackers() -> None:
    bear = at(1, "declare_attackers", "combatant", id="Bear", side="attacker", first_strike=True)
    damage = {
        "turn": 1,
        "visits": {"declare_blockers": 1, "first_strike_damage": 1, "combat_damage": 1},
    }
    holds(bear, expect=[damage])
    holds(
        at(1, "declare_attackers", "combatant", at="priority", id="Bear", side="attacker"),
        expect=[
            {"turn": 1, "visits": {"declare_blockers": 1, "first_strike_damage": 0}},
            where(1, "combat_damage", assigns=["Bear"]),
        ],
    )
    holds(
        bear,
        at(1, "declare_blockers", "remove_attackers"),
        expect=[
            {"turn": 1, "visits": {"first_strike_damage": 0}},
            where(1, "combat_damage", assigns=[]),
        ],
    )


def test_creatures_that_are_in_no_combat_are_a_warning() -> None:
    outcome = play(
        scenario(
            at(1, "upkeep", "combatant", id="Bear", side="attacker"),
            at(1, "declare_attackers", "change_combatant", id="Bear", power=2),
            at(1, "declare_attackers", "remove_combatant", id="Bear"),
        )
    )
    assert outcome.warnings == [
        "given[0]: Bear is in no combat: turn 1 upkeep is not in one",
        "given[1]: Bear is not in combat in turn 1 declare_attackers",
        "given[2]: Bear is not in combat in turn 1 declare_attackers",
    ]


def test_a_blocked_attacker_without_blockers_and_a_blocker_without_attacker_assign_nothing() -> (
    None
):
    attackers = [
        at(1, "declare_attackers", "combatant", id=id, side="attacker") for id in ("Bear", "Ox")
    ]
    blockers = [
        at(1, "declare_blockers", "combatant", id=f"{id}'s", side="blocker", blocks=id)
        for id in ("Bear", "Ox")
    ]
    gone = [at(1, "declare_blockers", "remove_combatant", id=id) for id in ("Bear's", "Ox")]
    holds(
        *attackers,
        *blockers,
        expect=[where(1, "combat_damage", assigns=["Bear", "Ox", "Bear's", "Ox's"])],
    )
    holds(*attackers, *blockers, *gone, expect=[where(1, "combat_damage", assigns=[])])


def test_objects_have_names() -> None:
    holds(
        at(1, "upkeep", "sba", id="Ritual"),
        at(1, "upkeep", "effect", id="Pump"),
        at(1, "upkeep", "cast"),
        at(1, "draw", "trigger", id="T"),
        at(2, "draw", "trigger", id="T"),
        at(2, "end", "end_turn", triggers_during=["Late"]),
        expect=[
            where(1, "upkeep", resolves=["Ritual", "cast"]),
            where(2, "draw", resolves=["trigger", "T"]),
            where(2, "end", resolves=["end_turn"]),
            where(2, "cleanup", resolves=["Late"]),
        ],
    )


def test_what_is_cast_does_something_as_it_resolves() -> None:
    outcome = holds(
        at(2, "upkeep", "cast", player="B", id="Below"),
        at(2, "upkeep", "cast", player="A", id="Above", responds=True, then=[{"do": "end_turn"}]),
        expect=[
            where(2, "upkeep", resolves=["Above"]),
            {"turn": 2, "contains": ["upkeep", "cleanup"]},
        ],
    )
    assert outcome.warnings == []


# the rest of a game ---------------------------------------------------------------


def test_cast_and_response_and_who_receives_priority() -> None:
    holds(
        at(1, "upkeep", "cast", player="B", id="spell"),
        at(1, "upkeep", "cast", player="A", id="answer", responds=True),
        expect=[
            where(1, "upkeep", priority_order=["A", "B", "B", "A", "A", "B", "A", "B", "A", "B"])
        ],
    )


def test_a_response_to_nothing_never_comes_up() -> None:
    outcome = play(
        scenario(at(1, "upkeep", "cast", player="A", responds=True), at(1, "upkeep", "sba"))
    )
    assert outcome.warnings == ["given[0]: cast never came up (turn 1 upkeep, at priority)"]


def test_mana_empties_step_by_step_unless_it_is_kept() -> None:
    def mana(step: str, amount: int, iteration: int = 1) -> dict[str, Any]:
        return {
            "mana_at": {
                "turn": 1,
                "step": step,
                "iteration": iteration,
                "player": "A",
                "amount": amount,
            }
        }

    outcome = holds(
        at(1, "upkeep", "add_mana", player="A", amount=2),
        at(1, "upkeep", "add_mana", player="A", amount=3, persists="until_end_of_turn"),
        at(1, "precombat_main", "add_mana", amount=1),
        at(1, "precombat_main", "spend_mana", amount=2),
        at(1, "cleanup", "sba"),
        expect=[
            mana("upkeep", 5),
            mana("precombat_main", 2),
            mana("end", 2),
            mana("cleanup", 2),
            mana("cleanup", 0, 2),
        ],
    )
    assert outcome.warnings == []
    short = play(scenario(at(1, "upkeep", "spend_mana", amount=2)))
    assert short.warnings == ["given[0]: A has only 0 mana to spend in turn 1 upkeep, not 2"]


def test_mana_of_a_step_that_was_cut_short() -> None:
    holds(
        at(1, "upkeep", "add_mana", player="B"),
        at(1, "upkeep", "end_turn"),
        expect=[
            {"mana_at": {**where(1, "upkeep"), "player": "B", "amount": 1}},
            {"mana_at": {**where(1, "cleanup"), "player": "B", "amount": 0}},
        ],
    )


def test_day_and_night_look_at_the_turn_before() -> None:
    holds(
        at(1, "end", "day_night", value="day"),
        at(1, "end", "spells_cast", count=1),
        at(3, "precombat_main", "spells_cast", count=2),
        {"do": "standing_trigger", "id": "Change", "day_night_change": True},
        {
            "do": "standing_trigger",
            "id": "First",
            "step": "day_night_change",
            "limit": "first_each_turn",
            "whose": "A",
        },
        expect=[
            where(1, "upkeep", designation="neither"),
            where(2, "untap", designation="day"),
            where(3, "untap", designation="night"),
            where(4, "untap", designation="day"),
            {"trigger": "Change", "fires": [where(3, "untap"), where(4, "untap")]},
            {"trigger": "Change", "put_on_stack": [where(3, "upkeep"), where(4, "upkeep")]},
            {"trigger": "First", "fires": [where(3, "untap")]},
        ],
    )


def test_sagas_of_the_active_player_get_a_counter() -> None:
    holds(
        at(1, "upkeep", "saga", id="Mine"),
        at(1, "precombat_main", "saga", id="Late"),
        {"do": "saga", "id": "Theirs", "player": "B"},
        through_turn=4,
        expect=[
            {"lore": "Mine", "on_turns": [1, 3]},
            {"lore": "Late", "on_turns": [3]},
            {"lore": "Theirs", "on_turns": [2, 4]},
        ],
    )
    holds(
        {"do": "saga", "id": "Gone", "player": "A"},
        at(4, "untap", "player_leaves", player="A"),
        players=3,
        expect=[{"lore": "Gone", "on_turns": [1]}],
    )


def test_effects_are_seen_while_players_have_priority_or_as_the_step_ends() -> None:
    holds(
        at(1, "draw", "effect", id="Never"),
        at(1, "end", "effect", id="E"),
        at(1, "cleanup", "effect", id="Here"),
        expect=[
            {
                "effect": "E",
                "active_at": [
                    where(1, "postcombat_main", value=False),
                    where(1, "end", value=True),
                    where(1, "cleanup", value=False),
                ],
            },
            {
                "effect": "Here",
                "active_at": [where(1, "cleanup", value=True), where(2, "untap", value=False)],
            },
        ],
    )


def test_control_of_the_next_turn() -> None:
    holds(
        {"do": "control_next_turn", "player": "B", "by": "A", "extra_turn_after": True},
        expect=[
            {"turn": 2, "active": "B", "controller": "A"},
            {"turn": 3, "active": "B", "controller": "B", "extra": True},
        ],
    )


def test_teams_share_turns_and_priority() -> None:
    holds(
        at(1, "upkeep", "add_turn", player="B"),
        {"do": "saga", "id": "S", "player": "D"},
        players=4,
        teams=[["A", "B"], ["C", "D"]],
        expect=[
            {"turn_order": ["A", "A", "C"]},
            {"turn": 1, "visits": {"draw": 0}},
            where(2, "upkeep", priority_order=["A", "C"]),
            {"lore": "S", "on_turns": [3]},
        ],
    )


# rollback ---------------------------------------------------------------


def test_rollback_plays_a_turn_again_and_history_forgets_the_first_time() -> None:
    outcome = holds(
        at(2, "upkeep", "trigger", id="T"),
        at(2, "draw", "add_turn", player="A"),
        at(2, "draw", "effect", id="E", player="B", until="your_next_turn"),
        at(3, "draw", "rollback", to_turn=2),
        at(3, "draw", "trigger", id="After"),
        through_turn=4,
        expect=[
            {"turn_order": ["A", "B", "A", "A"]},
            {"turn": 3, "extra": True, "visits": {"draw": 1}},
            {"trigger": "T", "fires": [where(2, "upkeep")], "put_on_stack": [where(2, "upkeep")]},
            {"trigger": "After", "put_on_stack": [where(3, "draw")]},
            {
                "effect": "E",
                "active_at": [where(2, "upkeep", value=False), where(4, "end", value=True)],
            },
        ],
    )
    assert outcome.warnings == []
    assert [r.turn for r in outcome.records] == sorted(r.turn for r in outcome.records)


def test_what_was_rolled_back_can_be_replayed(magic: Model) -> None:
    outcome = play(
        scenario(at(2, "end", "rollback", to_turn=1), at(1, "upkeep", "add_turn"), through_turn=3)
    )
    assert outcome.trace.replay(magic).trace.records == outcome.trace.records


def test_several_rollbacks_each_happen_once() -> None:
    holds(
        at(1, "end", "rollback", to_turn=1),
        at(2, "end", "rollback", to_turn=1),
        at(2, "cleanup", "rollback", to_turn=2),
        at(1, "upkeep", "trigger", id="T"),
        expect=[{"turn_order": ["A", "B"]}, {"trigger": "T", "fires": [where(1, "upkeep")]}],
    )


def test_a_trigger_can_roll_back() -> None:
    holds(
        {
            "do": "standing_trigger",
            "id": "T",
            "step": "end",
            "whose": "B",
            "then": [{"do": "rollback", "to_turn": 1}],
        },
        through_turn=2,
        expect=[{"trigger": "T", "fires": [where(2, "end")]}, {"turn_order": ["A", "B"]}],
    )
