"""The edition of 2024 beside that of 2026: what each has otherwise."""

from __future__ import annotations

from typing import Any

import pytest

import fsm
from fsm import Effect, Perform, Priority, load
from fsm.errors import ScenarioError
from fsm.scenarios import Outcome, play
from support.archivetable import item
from support.playing import quiet, started, until

Items = tuple[dict[str, Any], ...]
FULL = ["wake_up", "materialize", "recollection", "draw", "main", "end"]
COMBAT = ["retaliation", "damage", "end_of_combat"]
SERIES = [f"end_{name}" for name in ("remove_damage", "end_effects", "discard_to_limits")]
"""The clean-up of 2024: a series of actions."""
CHECKS = [f"end_of_combat_{name}" for name in ("place_triggers", "check", "place_new_triggers")]
ROLES, INTENT = "end_of_combat_remove_roles", "end_of_combat_discard_intent"
ATTACK = item("attack", 3, "main")
BLESSING = item("effect", 3, "main", id="blessing", until="end_of_turn")


def play_in(edition: str, given: Items, expect: Items, **rest: Any) -> Outcome:
    """Play a game in this edition, expecting this."""
    options = {"edition": edition, **rest.pop("options", {})}
    data = {"ruleset": "grand-archive", "given": list(given), "expect": list(expect), **rest}
    return play(fsm.scenarios.load({**data, "options": options}, place="here")[0])


def holds_in(edition: str, given: Items, expect: Items) -> bool:
    """Does it go like this in this edition? Not if its model does not even have the words."""
    try:
        return not play_in(edition, given, expect).failures
    except ScenarioError as error:
        assert "expect[" in str(error)
        return False


def steps(turn: int, *names: str) -> dict[str, Any]:
    return {"turn": turn, "steps": list(names)}


def stages(turn: int, *ids: str) -> dict[str, Any]:
    return {"turn": turn, "stages": list(ids)}


def actions(turn: int, step: str, *names: str) -> dict[str, Any]:
    return {"turn": turn, "step": step, "tba_order": list(names)}


def order(turn: int, step: str, players: str) -> dict[str, Any]:
    return {"turn": turn, "step": step, "priority_order": list(players)}


def on(effect: str, turn: int, step: str, value: bool) -> dict[str, Any]:
    return {"effect": effect, "active_at": [{"turn": turn, "step": step, "value": value}]}


def coming(step: str) -> dict[str, Any]:
    """A trigger at the beginning of this step of turn 3."""
    return item(
        "delayed_trigger", 2, "main", id=f"at-{step}", step=step, player="A", on="your_next_turn"
    )


EDITIONS: dict[str, tuple[Items, dict[str, Items]]] = {
    "end clean-up": (
        (),
        {
            "CUR": (stages(3, "end_window", "end_clean_up"), order(3, "end", "AB")),
            "OLD": (stages(3, "end_window", *SERIES), order(3, "end", "AB")),
        },
    ),
    "triggers caused by recollecting": (
        (item("trigger", 3, "recollection", "recollection_recollect", id="recollected"),),
        {
            "CUR": ({"turn": 3, "step": "recollection", "resolves": ["recollected"]},),
            "OLD": (
                {"turn": 3, "step": "draw", "resolves": ["recollected"]},
                {"trigger": "recollected", "put_on_stack": [{"turn": 3, "step": "recollection"}]},
            ),
        },
    ),
    "main begins": (
        (coming("main"),),
        {
            "CUR": (stages(3, "draw_draw_card", "main_triggers", "main_window"),),
            "OLD": (
                stages(3, "draw_draw_card", "main_window", "end_window"),
                order(3, "main", "ABAB"),
            ),
        },
    ),
    "level-0 champion": (
        (),
        {
            "CUR": (actions(2, "draw", "draw_card"), actions(1, "main")),
            "OLD": (
                actions(2, "draw", "place_champion", "draw_card"),
                actions(1, "main", "place_champion"),
            ),
        },
    ),
    "first-turn attack": (
        (item("attack", 1, "main"),),
        {"CUR": (steps(1, "main", "end"),), "OLD": (steps(1, "main", *COMBAT, "end"),)},
    ),
    "end of combat": (
        (ATTACK,),
        {
            "CUR": (stages(3, "damage_deal_combat_damage", *CHECKS, ROLES, INTENT, "main_window"),),
            "OLD": (stages(3, "damage_deal_combat_damage", INTENT, ROLES, *CHECKS, "main_window"),),
        },
    ),
    "an attack card over another item": (
        (
            item("cast", 3, "main", player="A", id="below"),
            item(
                "cast",
                3,
                "main",
                player="A",
                id="card",
                responds=True,
                then=[{"do": "signal", "event": "attack"}],
            ),
            item("tell", 3, "main", "main_declare_attack", fact="attack_declared"),
        ),
        {
            "CUR": (steps(3, *FULL), {"turn": 3, "step": "main", "resolves": ["card", "below"]}),
            "OLD": (
                steps(3, *FULL[:5], *COMBAT, "end"),
                {"turn": 3, "step": "main", "resolves": ["card"]},
                {"turn": 3, "step": "retaliation", "resolves": ["below"]},
            ),
        },
    ),
}
"""The rows of the rulebook's table of editions that move the turn."""


@pytest.mark.parametrize("topic", EDITIONS)
@pytest.mark.parametrize("edition", ["CUR", "OLD"])
def test_what_an_edition_says(topic: str, edition: str) -> None:
    given, wanted = EDITIONS[topic]
    outcome = play_in(edition, given, wanted[edition])
    assert outcome.failures == []
    assert [w for w in outcome.warnings if "tell" not in w] == []


@pytest.mark.parametrize("topic", EDITIONS)
def test_editions_differ(topic: str) -> None:
    given, wanted = EDITIONS[topic]
    assert not holds_in("OLD", given, wanted["CUR"])


def test_editions_are_named_in_model_and_window() -> None:
    for edition, name in (("CUR", "GA CR 2026-08"), ("OLD", "GA CR 2024")):
        model = load("grand-archive", {"edition": edition})
        assert model.window is not None
        assert (model.edition, model.window.edition) == (name, name)


@pytest.mark.parametrize(
    ("edition", "expired_at", "discards_after"),
    [("CUR", "clean_up", False), ("OLD", "end_effects", True)],
)
def test_a_hand_limit_of_this_turn_is_over_before_the_discard_of_2024(
    edition: str, expired_at: str, discards_after: bool
) -> None:
    """End Phase GR3: in 2024 "this turn" ends before the turn player discards; today both happen at
    once.
    """
    controller = started(load("grand-archive", {"edition": edition}))
    until(controller, lambda r: r.at.stage == "end_window" and isinstance(r, Priority))
    controller.answer(quiet(controller.request, orders=[Effect("hand limit", "A", "end_of_turn")]))
    asked = {}
    while controller.request.at.turn == 1:
        if isinstance(controller.request, Perform):
            asked[controller.request.action] = controller.request.expired
        controller.answer(quiet(controller.request))
    assert asked[expired_at] == ("hand limit",)
    assert (
        "discard_to_limits" in list(asked)[list(asked).index(expired_at) + 1 :]
    ) == discards_after


@pytest.mark.parametrize("ender", [item("end_turn", 3, "main"), item("end_turn", 3, "end")])
def test_a_turn_that_is_ended_has_the_whole_series_of_2024(ender: dict[str, Any]) -> None:
    wanted = (
        stages(3, "end_turn_stack", *SERIES),
        on("blessing", 3, "main", True),
        on("blessing", 4, "recollection", False),
    )
    assert play_in("OLD", (BLESSING, ender), wanted).failures == []


@pytest.mark.parametrize("acts", [False, True])
def test_a_lost_turn_player_has_the_series_of_2024(acts: bool) -> None:
    given = (item("player_leaves", 4, "main", player="A"),)
    wanted = (stages(4, "main_window", *["end_window"] * acts, *SERIES),)
    options = {"next_player_acts_for_lost": acts}
    assert play_in("OLD", given, wanted, options=options, players=3).failures == []
