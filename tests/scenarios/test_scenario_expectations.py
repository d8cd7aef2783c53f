"""Every kind of expectation holds when it should, and fails with a sentence when it should not."""

from __future__ import annotations

from typing import Any

import pytest

import fsm
from fsm.scenarios import play
from fsm.scenarios.expectations import CHECKS

FIGHT = [
    "untap",
    "upkeep",
    "draw",
    "precombat_main",
    "beginning_of_combat",
    "declare_attackers",
    "declare_blockers",
    "combat_damage",
    "end_of_combat",
    "postcombat_main",
    "end",
    "cleanup",
]

STORY: list[dict[str, Any]] = [
    {"do": "day_night", "value": "day"},
    {"do": "saga", "id": "Saga", "player": "B"},
    {"do": "standing_trigger", "id": "Upkeep", "step": "upkeep", "whose": "B"},
    {"do": "control_next_turn", "player": "B", "by": "A"},
    {"when": {"turn": 1, "step": "upkeep"}, "do": "add_mana", "player": "A", "amount": 3},
    {"when": {"turn": 1, "step": "end"}, "do": "add_turn", "player": "A"},
    {"when": {"turn": 1, "step": "end"}, "do": "effect", "id": "Pump"},
    {"when": {"turn": 1, "step": "cleanup"}, "do": "hand_size", "cards": 9},
    {
        "when": {"turn": 3, "step": "declare_attackers"},
        "do": "combatant",
        "id": "Bear",
        "side": "attacker",
    },
    {
        "when": {"turn": 3, "step": "declare_attackers"},
        "do": "combatant",
        "id": "Ox",
        "side": "attacker",
    },
]


def failures(*entries: dict[str, Any], **data: Any) -> list[str]:
    story = {"id": "story", "given": STORY, "expect": list(entries), "through_turn": 3, **data}
    [scenario] = fsm.scenarios.load(story, place="cases.json")
    return play(scenario).failures


CASES: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    ({"turn_order": ["A", "A", "B"]}, {"turn_order": ["A", "B"]}, "wanted [A, B], got [A, A]"),
    ({"turn": 3, "active": "B"}, {"turn": 3, "active": "A"}, "turn 3: wanted A, got B"),
    ({"turn": 2, "extra": True}, {"turn": 3, "extra": True}, "turn 3: wanted true, got false"),
    ({"turn": 3, "controller": "A"}, {"turn": 2, "controller": "B"}, "turn 2: wanted B, got A"),
    (
        {"turn": 3, "steps": FIGHT},
        {"turn": 3, "steps": FIGHT[1:]},
        f"wanted [{', '.join(FIGHT[1:])}], got [untap,",
    ),
    (
        {"turn": 1, "contains": ["upkeep", "precombat_main"]},
        {"turn": 3, "contains": ["upkeep", "precombat_main"]},
        "a run of steps in turn 3: wanted [upkeep, precombat_main], got [untap, upkeep, draw,",
    ),
    (
        {"turn": 1, "visits": {"draw": 0, "upkeep": 1}},
        {"turn": 1, "visits": {"draw": 1, "upkeep": 1}},
        "wanted {draw: 1, upkeep: 1}, got {draw: 0, upkeep: 1}",
    ),
    (
        {
            "turn": 1,
            "phases": ["beginning", "precombat_main", "combat", "postcombat_main", "ending"],
        },
        {"turn": 1, "phases": ["combat"]},
        "wanted [combat], got [beginning, precombat_main,",
    ),
    (
        {"turn": 1, "priority": {"step": "untap", "given": False}},
        {"turn": 1, "priority": {"step": "upkeep", "given": False}},
        "somebody gets priority in turn 1 upkeep: wanted false, got true",
    ),
    (
        {"turn": 1, "discards": {"count": 2}},
        {"turn": 1, "discards": {"iteration": 1, "count": 0}},
        "wanted 0, got 2",
    ),
    (
        {
            "effect": "Pump",
            "active_at": [
                {"turn": 1, "step": "end", "value": True},
                {"turn": 1, "step": "cleanup", "value": False},
            ],
        },
        {"effect": "Pump", "active_at": [{"turn": 1, "step": "cleanup", "value": True}]},
        "effect Pump on in turn 1 cleanup: wanted true, got false",
    ),
    (
        {"trigger": "Upkeep", "fires": [{"turn": 3, "step": "upkeep"}]},
        {"trigger": "Upkeep", "fires": []},
        "trigger Upkeep fires: wanted [], got [turn 3 upkeep]",
    ),
    (
        {"trigger": "Upkeep", "put_on_stack": [{"turn": 3, "step": "upkeep"}]},
        {"trigger": "Upkeep", "put_on_stack": [{"turn": 3, "step": "draw"}]},
        "wanted [turn 3 draw], got [turn 3 upkeep]",
    ),
    (
        {"turn": 2, "step": "untap", "designation": "night"},
        {"turn": 1, "step": "end", "designation": "night"},
        "day or night in turn 1 end: wanted night, got day",
    ),
    (
        {"lore": "Saga", "on_turns": [3]},
        {"lore": "Saga", "on_turns": [1, 3]},
        "wanted [1, 3], got [3]",
    ),
    (
        {"mana_at": {"turn": 1, "step": "upkeep", "player": "A", "amount": 3}},
        {"mana_at": {"turn": 1, "step": "precombat_main", "player": "A", "amount": 3}},
        "wanted 3, got 0",
    ),
    (
        {"turn": 2, "step": "untap", "tba_order": ["phasing", "day_night", "untap_permanents"]},
        {"turn": 2, "step": "draw", "tba_order": []},
        "turn-based actions of turn 2 draw: wanted [], got [draw_card]",
    ),
    (
        {"turn": 2, "step": "draw", "priority_order": ["A", "B"]},
        {"turn": 2, "step": "draw", "priority_order": ["B", "A"]},
        "who receives priority in turn 2 draw: wanted [B, A], got [A, B]",
    ),
    (
        {"turn": 1, "stages": ["upkeep_window", "upkeep_end", "precombat_main_set_scheme"]},
        {"turn": 1, "stages": ["upkeep_window", "precombat_main_set_scheme"]},
        "a run of stages in turn 1: wanted [upkeep_window, precombat_main_set_scheme], got [untap_phasing,",
    ),
    ({"turn": 3, "windows": 10}, {"turn": 3, "windows": 9}, "windows in turn 3: wanted 9, got 10"),
    ({"turn": 3, "passes": 22}, {"turn": 3, "passes": 21}, "passes in turn 3: wanted 21, got 22"),
    (
        {"turn": 1, "step": "end", "resolves": ["Pump"]},
        {"turn": 3, "step": "upkeep", "resolves": ["Pump"]},
        "what resolves in turn 3 upkeep: wanted [Pump], got [Upkeep]",
    ),
    (
        {"turn": 3, "step": "combat_damage", "assigns": ["Bear", "Ox"]},
        {"turn": 3, "step": "combat_damage", "assigns": ["Ox"]},
        "who assigns damage in turn 3 combat_damage: wanted [Ox], got [Bear, Ox]",
    ),
    (
        {"turn": 3, "step": "combat_damage", "dealt": ["Bear", "Ox"]},
        {"turn": 3, "step": "combat_damage", "dealt": []},
        "whose damage is dealt in turn 3 combat_damage: wanted [], got [Bear, Ox]",
    ),
    (
        {
            "turn": 3,
            "step": "declare_blockers",
            "performs": {"action": "declare_blockers", "players": ["A"]},
        },
        {
            "turn": 3,
            "step": "combat_damage",
            "performs": {"action": "assign_combat_damage", "players": ["A", "B"]},
        },
        "who performs assign_combat_damage in turn 3 combat_damage: wanted [A, B], got [B, A]",
    ),
    ({"over": False}, {"over": True}, "the game is over: wanted true, got false"),
]

BURNING: dict[str, Any] = {
    "ruleset": "magic-classic",
    "given": [
        {"when": {"turn": 1, "step": "upkeep"}, "do": "add_mana", "player": "A", "amount": 2}
    ],
}


def burns(**claim: Any) -> list[str]:
    return failures({"burn": {"turn": 1, "phase": "beginning", "player": "A", **claim}}, **BURNING)


def test_burn_holds_or_says_what_came() -> None:
    assert burns(amount=2) == []
    [failure] = burns(amount=0)
    assert (
        failure
        == "story: expect[0].burn: life that A loses by mana in turn 1 beginning: wanted 0, got 2"
    )
    [missing] = burns(amount=0, iteration=2)
    assert missing.endswith("in turn 1 beginning (visit 2): wanted 0, got no such phase")


def ending(entry: dict[str, Any], *players: str) -> list[str]:
    """With three players, when these leave at the same time."""
    leaves = {
        "when": {"turn": 1, "step": "upkeep"},
        "do": "player_leaves",
        "players": list(players),
    }
    return failures(entry, players=3, given=[leaves], through_turn=1)


def test_a_result_holds_or_says_what_came() -> None:
    """104.2a: who is left has won. 104.4a: if all the players who are left lose at the same time,
    it is a draw.
    """
    assert ending({"over": True, "result": "draw"}, "A", "B", "C") == []
    assert ending({"winner": ["A"]}, "B", "C") == []
    [failure] = ending({"over": True, "result": "draw"}, "B", "C")
    assert failure == "story: expect[0].result: how the game has ended: wanted draw, got A won"
    [failure] = ending({"winner": ["B"]}, "B", "C")
    assert failure == "story: expect[0].winner: who has won: wanted [B], got [A]"
    [failure] = ending({"winner": ["B"]}, "A", "B", "C")
    assert failure.endswith("wanted [B], got a draw")
    [failure] = ending({"winner": ["B"]}, "A")
    assert failure.endswith("wanted [B], got no end")
    [failure] = ending({"over": False, "result": "draw"}, "A")
    assert failure.endswith("wanted draw, got no end")


@pytest.mark.parametrize(
    ("right", "wrong", "message"), CASES, ids=[next(k for k in c[0] if k in CHECKS) for c in CASES]
)
def test_it_holds_or_says_what_came(
    right: dict[str, Any], wrong: dict[str, Any], message: str
) -> None:
    assert failures(right) == []
    [failure] = failures({"over": False}, wrong)
    assert failure.startswith("story: expect[1].")
    assert message in failure


def test_an_action_that_is_not_done_there_is_nobodys() -> None:
    [failure] = failures(
        {"turn": 2, "step": "draw", "performs": {"action": "declare_attackers", "players": ["A"]}}
    )
    assert failure.endswith(
        "who performs declare_attackers in turn 2 draw: wanted [A], got nobody was asked"
    )


def test_every_kind_is_tried_here() -> None:
    assert {name for right, _, _ in CASES for name in right if name in CHECKS} | {
        "burn",
        "result",
        "winner",
    } == set(CHECKS)


@pytest.mark.parametrize(
    "entry",
    [
        {"turn": 4, "active": "A"},
        {"turn": 4, "steps": []},
        {"turn": 4, "visits": {"draw": 0}},
        {"turn": 4, "contains": ["untap"]},
        {"turn": 1, "priority": {"step": "draw", "given": False}},
        {"turn": 1, "discards": {"iteration": 2, "count": 0}},
        {"turn": 1, "step": "draw", "tba_order": []},
        {"turn": 1, "step": "draw", "priority_order": []},
        {"turn": 1, "step": "draw", "performs": {"action": "draw_card", "players": ["A"]}},
        {"turn": 1, "step": "draw", "designation": "day"},
        {"effect": "Pump", "active_at": [{"turn": 1, "step": "draw", "value": False}]},
        {"mana_at": {"turn": 1, "step": "draw", "player": "A", "amount": 0}},
        {"turn": 4, "stages": ["untap_phasing"]},
        {"turn": 4, "windows": 0},
        {"turn": 4, "passes": 0},
        {"turn": 1, "step": "draw", "resolves": []},
        {"turn": 1, "step": "combat_damage", "assigns": []},
        {"turn": 1, "step": "combat_damage", "dealt": []},
        {"turn_order": ["A", "A", "B", "A"]},
    ],
)
def test_nothing_holds_of_what_did_not_take_place(entry: dict[str, Any]) -> None:
    [failure] = failures(entry)
    assert "got no such" in failure or "got [A, A, B]" in failure


def test_keys_of_one_entry_combine() -> None:
    both = failures({"turn": 3, "active": "A", "extra": True, "visits": {"draw": 1}})
    assert [f.split(": ")[1] for f in both] == ["expect[0].active", "expect[0].extra"]


def test_a_long_list_is_shown_in_part() -> None:
    again = {"do": "standing_trigger", "id": "Again", "step": "cleanup"}
    story = {"id": "story", "given": [again], "expect": [{"trigger": "Again", "fires": []}]}
    failure, stopped = play(
        fsm.scenarios.load(story, place="cases.json")[0], max_steps=100
    ).failures
    assert "stopped after 100 visited steps" in stopped
    assert failure.endswith(", ... (92 in all)]")
    assert failure.count("turn 1 cleanup") == 40
