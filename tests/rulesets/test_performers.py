"""Who performs each turn-based action, and in which order (CR 101.4, 509.1, 510.1, 805.10)."""

from __future__ import annotations

from dataclasses import replace

import pytest

import fsm
from fsm.embedding import wire
from fsm.engine.controller import TurnController
from fsm.engine.requests import Over, Perform
from fsm.errors import ModelError
from fsm.model import By, Model, State, Transition
from fsm.model.jsonform import dump
from fsm.rulesets.frame.parts import Act
from fsm.state.orders import Leave
from support.playing import attack, quiet, signal, started, to, to_action, until

TEAMS = {"teams": [["A", "B"], ["C", "D"]]}
MADE_BY_OTHERS = {
    "magic": {"declare_blockers": "defending", "assign_combat_damage": "active_and_defending"},
    "magic-2010": {
        "declare_blockers": "defending",
        "order_attackers": "defending",
        "assign_blockers": "defending",
        "place_in_both_orders": "active_and_defending",
    },
    "magic-classic": {"declare_blockers": "defending", "assign_combat_damage": "active_and_defending"},
    "grand-archive": {"declare_retaliation": "everyone", "place_champions": "everyone"},
}


def performers(game: TurnController, action: str) -> str:
    return "".join(to_action(game, action).players)


def fight(model: Model, players: str, turn: int = 1, **rest: object) -> TurnController:
    """A game in which somebody attacks in this turn."""
    game = started(model, players, **rest)
    attack(game, turn)
    return game


@pytest.mark.parametrize("ruleset", MADE_BY_OTHERS)
def test_who_performs_what_in_each_rulebook(ruleset: str) -> None:
    """All else is done by the active player, or by the game itself."""
    made = {state.action: state.by for state in fsm.load(ruleset).states if state.by != "active"}
    assert made == MADE_BY_OTHERS[ruleset]


@pytest.mark.parametrize("ruleset", ["magic", "magic-2010", "magic-classic"])
def test_the_defending_player_declares_blockers(ruleset: str) -> None:
    """509.1; the row of the 2010 table; 309.1."""
    game = fight(fsm.load(ruleset), "AB", turn=2)
    assert performers(game, "declare_blockers") == "A"


@pytest.mark.parametrize("ruleset", ["magic", "magic-classic"])
def test_the_active_player_assigns_damage_and_then_the_defending_one(ruleset: str) -> None:
    """510.1, 310.1."""
    game = fight(fsm.load(ruleset), "AB", turn=2)
    assert performers(game, "assign_combat_damage") == "BA"


@pytest.mark.parametrize(
    ("action", "players"),
    [
        ("declare_attackers", "B"),
        ("declare_blockers", "A"),
        ("order_blockers", "B"),
        ("order_attackers", "A"),
        ("assign_attackers", "B"),
        ("assign_unblocked", "B"),
        ("assign_blockers", "A"),
    ],
)
def test_each_row_of_the_2010_table_names_who_does_it(action: str, players: str) -> None:
    """The table's rows of declare blockers and combat damage."""
    game = started(fsm.load("magic-2010"), "AB")
    if action != "declare_attackers":
        attack(game, 2)
    assert "".join(to_action(game, action, turn=2).players) == players


@pytest.mark.parametrize(("event", "action", "players"), [
    ("made_to_block", "place_in_both_orders", "BA"),
    ("put_in_blocking", "place_in_attackers_order", "B"),
])  # fmt: skip
def test_who_places_a_late_blocker_in_the_orders(event: str, action: str, players: str) -> None:
    """509.6, 509.7 of the 2010 edition."""
    game = fight(fsm.load("magic-2010"), "AB", turn=2)
    game.answer(quiet(to(game, "declare_blockers"), signal=signal(event)))
    assert performers(game, action) == players


def test_several_defending_players_are_listed_from_the_active_player_in_turn_order() -> None:
    """101.4, 802.4: in turn 2 of four players, C comes first, then D, then A."""
    game = fight(fsm.load("magic"), "ABCD", turn=2)
    assert performers(game, "declare_blockers") == "CDA"
    assert performers(game, "assign_combat_damage") == "BCDA"


def test_on_a_team_each_member_performs() -> None:
    """805.10b, d, f: one combined declaration; each member for their own creatures."""
    game = started(fsm.load("magic"), "ABCD", **TEAMS)
    assert performers(game, "declare_attackers") == "AB"
    attack(game)
    assert performers(game, "declare_blockers") == "CD"
    assert performers(game, "assign_combat_damage") == "ABCD"


def test_who_has_left_performs_nothing() -> None:
    """800.4a: neither a defending player nor, any more, the active one."""
    game = fight(fsm.load("magic"), "ABCD")
    to_action(game, "declare_blockers")
    game.order(Leave("C"))
    assert performers(game, "declare_blockers") == "BD"
    game.order(Leave("A"))
    assert performers(game, "assign_combat_damage") == "BD"


def test_retaliation_is_chosen_by_the_turn_player_first_and_then_in_turn_order() -> None:
    """Simultaneous Selections GR1."""
    game = started(fsm.load("grand-archive"), "ABC")
    until(game, lambda r: r.at.turn == 5 and r.at.stage == "main_window" and "Priority" in type(r).__name__)
    game.answer(quiet(game.request, word="acted", signal=signal("attack")))
    game.answer(quiet(to_action(game, "declare_attack"), {"attack_declared": True}))
    assert performers(game, "declare_retaliation") == "BCA"


def test_champions_are_placed_in_turn_order_before_the_game() -> None:
    """Starting the Game 6."""
    assert performers(started(fsm.load("grand-archive"), "ABC"), "place_champions") == "ABC"


def test_the_request_that_is_sent_names_them() -> None:
    game = fight(fsm.load("magic"), "ABC")
    sent = wire.dump(to_action(game, "declare_blockers"))
    assert sent["players"] == ["B", "C"]
    assert wire.request_of(sent) == game.request


# actions of a game of one's own ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("by", "players"),
    [("active", "B"), ("opponents", "CA"), ("defending", "CA"), ("active_and_defending", "BCA"), ("everyone", "BCA")],
)
def test_a_ruleset_says_who_performs(magic: Model, by: By, players: str) -> None:
    states = tuple(replace(s, by=by) if s.action == "draw_card" else s for s in magic.states)
    game = started(replace(magic, states=states), "ABC")
    assert "".join(to_action(game, "draw_card", turn=2).players) == players


def test_the_model_file_says_it_only_where_it_is_not_the_active_player(magic: Model) -> None:
    written = {s["id"]: s for s in dump(magic)["states"]}  # type: ignore[attr-defined]
    assert written["declare_blockers_declare_blockers"]["by"] == "defending"
    assert "by" not in written["draw_draw_card"]
    again = Model.from_json(magic.to_json())
    assert again == magic and again.fingerprint == magic.fingerprint


def test_a_model_whose_actions_are_all_the_active_players_keeps_its_fingerprint() -> None:
    """The sixteen digits are those of the version before actions said who performs them."""
    wind = State("wind", "action", asks="perform", action="wind", by="active")
    strike = State("strike", "action", asks="perform", action="strike", manner="loudly")
    ways = (Transition("wind", "strike"), Transition("strike", "wind"))
    assert Model("small", "wind", (wind, strike), ways).fingerprint == "99d32f9cf67e8d58"


@pytest.mark.parametrize(("changes", "words"), [
    ({"by": "nobody"}, "State.by must be"),
    ({"by": "everyone", "asks": "check", "action": ""}, "who performs"),
])  # fmt: skip
def test_what_cannot_be_is_refused(magic: Model, changes: dict[str, str], words: str) -> None:
    states = tuple(replace(s, **changes) if s.action == "draw_card" else s for s in magic.states)  # type: ignore[arg-type]
    with pytest.raises(ModelError, match=words):
        replace(magic, states=states)


def test_an_action_of_a_table_is_the_active_players_by_default() -> None:
    assert Act("draw", "Draw", "1").by == "active"


def test_every_other_action_is_asked_of_the_active_player(magic: Model) -> None:
    game = fight(magic, "ABC")
    while not isinstance(game.request, Over) and game.request.at.turn == 1:
        request = game.request
        if isinstance(request, Perform) and magic.state(request.state).by == "active":
            assert request.players == ("A",)
        game.answer(quiet(request))
