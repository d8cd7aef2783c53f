"""Who performs each turn-based action, and in which order (CR 101.4, 509.1, 510.1, 805.10). What is
done in which game stands in `performers.json`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import fsm
from fsm import Appoint
from fsm.errors import OrderError
from fsm.model import By
from fsm.rulesets import Act, During, Phase, Role, Step, Table, Window
from fsm.scenarios import Scenario, play

CASES = fsm.scenarios.load(Path(__file__).with_name("performers.json"))
MADE_BY_OTHERS = {
    "magic": {"declare_blockers": "defending", "assign_combat_damage": "active_and_defending"},
    "magic-2010": {
        "declare_blockers": "defending",
        "order_attackers": "defending",
        "assign_blockers": "defending",
        "place_in_both_orders": "active_and_defending",
    },
    "magic-classic": {
        "declare_blockers": "defending",
        "assign_combat_damage": "active_and_defending",
    },
    "grand-archive": {"declare_retaliation": "everyone", "place_champions": "everyone"},
}


@pytest.mark.parametrize("ruleset", MADE_BY_OTHERS)
def test_who_performs_what_in_each_rulebook(ruleset: str) -> None:
    """All else is done by the active player, or by the game itself."""
    made = {state.action: state.by for state in fsm.load(ruleset).states if state.by != "active"}
    assert made == MADE_BY_OTHERS[ruleset]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_players_of_the_rulebook_are_asked_in_its_order(case: Scenario) -> None:
    outcome = play(case)
    assert (outcome.failures, outcome.warnings) == ([], [])


@pytest.mark.parametrize(
    ("by", "players"),
    [
        ("active", "B"),
        ("opponents", "CA"),
        ("defending", "CA"),
        ("active_and_defending", "BCA"),
        ("everyone", "BCA"),
    ],
)
def test_a_table_says_who_performs(by: By, players: str) -> None:
    table = Table("game", Phase("day", Step("hall", Act("bow", by=by))))
    game = fsm.TurnController(table, ["A", "B", "C"])
    while game.position.turn == 1:
        assert isinstance(game.request, fsm.Perform)
        game.answer(game.request.done())
    assert "".join(game.request.by) == players


def at_choice(players: str = "ABC") -> fsm.TurnController:
    """A game of Magic in which a defending player is chosen."""
    game = fsm.TurnController("magic", list(players))
    for request in game:
        if isinstance(request, fsm.Perform) and request.action == "choose_defender":
            return game
        game.answer(request.quiet())
    raise AssertionError("nobody was asked")


@pytest.mark.parametrize(
    ("order", "says"),
    [
        (Appoint("defending", "Z"), "'Z' is not in this game"),
        (Appoint("defending", "A"), "opponent"),
        (Appoint("defending", "C"), "'C' has left the game"),
        (Appoint("defendin", "B"), "did you mean 'defending'?"),
    ],
    ids=["nobody", "the active player", "who has left", "no role"],
)
def test_an_appointment_that_cannot_be_is_refused(order: Appoint, says: str) -> None:
    game = at_choice()
    game.order(fsm.Leave("C"))
    before = game.snapshot()
    with pytest.raises(OrderError, match=says):
        game.order(order)
    assert game.snapshot() == before


def test_a_game_without_such_a_role_refuses_it() -> None:
    with pytest.raises(OrderError, match="role 'defending' is not in grand-archive"):
        fsm.TurnController("grand-archive", ["A", "B"]).order(Appoint("defending", "B"))


# roles of a game's own ----------------------------------------------------------------------------

DUEL = Phase("duel", Step("bout", Act("strike", by="dared"), Window()))
DARE = During("dare", Act("answer_dare", by="opponents"), DUEL)
DARES = Table("dares", Phase("day", Step("hall", Window(during=DARE))), Phase("night", Step("sleep", Act("dream", by="dreamer"))), roles=(Role("dared"), Role("dreamer")))  # fmt: skip


@pytest.mark.parametrize(
    ("orders", "players"), [([], ("B", "C")), ([Appoint("dared", "C")], ("C",))], ids=["all", "one"]
)
def test_a_game_has_roles_of_its_own(orders: list[Appoint], players: tuple[str, ...]) -> None:
    game = fsm.TurnController(DARES, ["A", "B", "C"])
    for request in game:
        if isinstance(request, fsm.Priority):
            game.answer(request.acted(fsm.Signal("dare"), stack_empty=True))
        elif isinstance(request, fsm.Perform) and request.action == "answer_dare":
            game.answer(request.done(*orders))
        elif isinstance(request, fsm.Perform):
            assert (request.action, request.by) == ("strike", players)
            return
        else:
            game.answer(request.quiet())


def test_a_picture_and_a_scenario_know_a_role() -> None:
    assert "by the dared" in fsm.draw(DARES, view="phase:day_phase")
    when = {"turn": 1, "step": "hall"}
    given = [
        {"when": when, "do": "signal", "event": "dare"},
        {"when": when, "do": "appoint", "role": "dared", "player": "B"},
    ]
    data = {"players": 3, "given": given, "expect": []}
    [scenario] = fsm.scenarios.load(data, place="roles", ruleset=DARES)
    assert play(scenario).ok
