"""Who performs each turn-based action, and in which order (CR 101.4, 509.1, 510.1, 805.10)."""

from __future__ import annotations

from dataclasses import replace

import pytest

import fsm
from fsm import (
    AddPhase,
    Appoint,
    BaseHost,
    Leave,
    Over,
    Perform,
    Priority,
    Signal,
    TurnController,
    drive,
)
from fsm.errors import ModelError, OrderError, RulesetError
from fsm.hosts import wire
from fsm.model import By, Model, State, Transition
from fsm.model.jsonform import dump
from fsm.rulesets import Act, During, Phase, Step, Table, Window
from fsm.scenarios import play
from support.playing import (
    attack,
    quiet,
    resolving,
    signal,
    started,
    to,
    to_action,
    unchanged,
    until,
)

TEAMS = {"teams": [["A", "B"], ["C", "D"]]}
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
    until(
        game,
        lambda r: r.at.turn == 5 and r.at.stage == "main_window" and "Priority" in type(r).__name__,
    )
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


# actions of a game of one's own -------------------------------------------------------------------


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
    ({"by": 3}, "State.by must be"),
    ({"by": "everyone", "asks": "check", "action": ""}, "who performs"),
])  # fmt: skip
def test_what_cannot_be_is_refused(magic: Model, changes: dict[str, object], words: str) -> None:
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


# one of several opponents -------------------------------------------------------------------------


def chosen(players: str = "ABCD", player: str = "C", **rest: object) -> TurnController:
    """A game of several opponents in which the first one attacks this player."""
    game = started(fsm.load("magic"), players, **rest)
    game.answer(quiet(to_action(game, "choose_defender"), orders=[Appoint("defending", player)]))
    attack(game)
    return game


def test_one_defending_player_can_be_appointed() -> None:
    """507.1: the active player chooses one opponent, who declares blockers and assigns their
    damage.
    """
    game = chosen()
    assert performers(game, "declare_blockers") == "C"
    assert performers(game, "assign_combat_damage") == "AC"


def test_the_appointment_is_over_with_the_combat_phase() -> None:
    game = chosen()
    attack(game, turn=2)
    assert performers(game, "declare_blockers") == "CDA"


@pytest.mark.parametrize("event", ["end_phase", "end_turn"])
def test_it_is_over_when_the_phase_or_turn_is_ended(event: str) -> None:
    """723.1, 723.2."""
    game = chosen()
    resolving(game, "declare_blockers", signal=signal(event))
    attack(game, turn=2)
    assert performers(game, "declare_blockers") == "CDA"


def test_it_holds_in_this_combat_only_and_not_in_an_added_one() -> None:
    """500.8: the player chooses again as the next combat begins."""
    game = chosen()
    resolving(game, "combat_damage", AddPhase(("combat",)))
    until(game, lambda r: r.at.step == "declare_attackers" and r.at.iteration == 2)
    attack(game)
    assert performers(game, "declare_blockers") == "BCD"


def test_it_is_over_when_that_player_leaves() -> None:
    game = chosen()
    game.order(Leave("C"))
    assert performers(game, "declare_blockers") == "BD"


def test_a_team_is_appointed_as_one() -> None:
    """805.10: while anybody of it is left."""
    game = chosen("ABCDEF", "D", teams=[["A", "B"], ["C", "D"], ["E", "F"]])
    assert performers(game, "declare_blockers") == "CD"
    game.order(Leave("D"))
    assert performers(game, "declare_blockers") == "C"
    game.order(Leave("C"))
    assert performers(game, "declare_blockers") == "EF"


def test_the_last_one_appointed_counts() -> None:
    game = chosen()
    game.order(Appoint("defending", "D"))
    assert performers(game, "declare_blockers") == "D"


def test_who_is_appointed_is_kept_in_snapshots_and_older_ones_are_read() -> None:
    game = chosen()
    again = TurnController.restore(game.model, game.snapshot())
    assert performers(again, "declare_blockers") == "C"
    plain = fight(game.model, "ABCD").snapshot()
    assert "appointed" not in str(plain)


@pytest.mark.parametrize(
    ("order", "words"),
    [
        (Appoint("defending", "Z"), ("'Z' is not in this game",)),
        (Appoint("defending", "A"), ("'A'", "opponent")),
        (Appoint("defendin", "B"), ("'defendin'", "did you mean 'defending'?")),
    ],
)
def test_an_appointment_that_cannot_be_is_refused(order: Appoint, words: tuple[str, ...]) -> None:
    game = started(fsm.load("magic"), "ABC")
    to_action(game, "choose_defender")
    unchanged(game, lambda: game.order(order), OrderError, *words)


def test_who_has_left_is_not_appointed() -> None:
    game = started(fsm.load("magic"), "ABC")
    to_action(game, "choose_defender")
    game.order(Leave("B"))
    unchanged(
        game, lambda: game.order(Appoint("defending", "B")), OrderError, "'B' has left the game"
    )


def test_a_game_without_such_a_role_refuses_it() -> None:
    game = started(fsm.load("grand-archive"), "ABC")
    to(game, "main")
    unchanged(
        game, lambda: game.order(Appoint("defending", "B")), OrderError, "nobody is appointed"
    )


def test_a_scenario_appoints() -> None:
    when = {"turn": 1, "step": "beginning_of_combat"}
    given = [
        {"when": when, "do": "appoint", "role": "defending", "player": "C"},
        {"when": {"turn": 1, "step": "declare_attackers"}, "do": "attackers", "count": 1},
    ]
    wanted = {
        "turn": 1,
        "step": "declare_blockers",
        "performs": {"action": "declare_blockers", "players": ["C"]},
    }
    [scenario] = fsm.scenarios.load(
        {"id": "one of three", "players": 3, "given": given, "expect": [wanted]}, place="x.json"
    )
    assert play(scenario).failures == []


# roles of a game's own ----------------------------------------------------------------------------

DUEL = Phase("duel", Step("bout", Act("strike", by="dared"), Window()))
DARES = Table(
    "dares",
    Phase(
        "day",
        Step("hall", Window(), during=During("dare", Act("answer_dare", by="opponents"), DUEL)),
    ),
    Phase("night", Step("sleep", Act("dream", by="dreamer"))),
)


def dared(*orders: Appoint) -> TurnController:
    """A game that waits for the strike of a duel, after these orders in the answer to the dare."""
    game = started(DARES.build(), "ABC")
    drive(game, BaseHost(), until=lambda r: isinstance(r, Priority))
    assert isinstance(game.request, Priority)
    game.answer(game.request.acted(Signal("dare"), stack_empty=True))
    game.answer(quiet(to_action(game, "answer_dare"), orders=list(orders)))
    return game


def test_a_game_has_roles_of_its_own() -> None:
    assert performers(dared(), "strike") == "BC"
    assert performers(dared(Appoint("dared", "C")), "strike") == "C"
    assert performers(dared(Appoint("dared", "A")), "strike") == "A", "anybody can have it"
    assert performers(dared(Appoint("dared", "C"), Appoint("dared", "B")), "strike") == "B"


def test_a_role_is_over_with_the_phase_and_kept_in_snapshots() -> None:
    game = dared(Appoint("dared", "C"))
    again = TurnController.restore(game.model, game.snapshot())
    assert performers(again, "strike") == "C"
    game.answer(quiet(to_action(game, "strike")))
    assert performers(game, "dream") == "BC"


def test_a_role_that_does_not_matter_in_this_phase_is_refused() -> None:
    game = dared()
    unchanged(
        game,
        lambda: game.order(Appoint("dreamer", "B")),
        OrderError,
        "no action of this phase is done by",
    )
    unchanged(game, lambda: game.order(Appoint("dard", "B")), OrderError, "did you mean 'dared'?")


def test_a_misspelt_performer_is_no_role() -> None:
    table = Table("dares", Phase("day", Step("hall", Act("strike", by="opponets"))))
    with pytest.raises(RulesetError, match="did you mean 'opponents'") as refused:
        table.build()
    assert refused.value.kind == "table"
    assert refused.value.place == "dares: phase 'day', step 'hall', part 1"


def test_a_picture_and_a_scenario_know_a_role() -> None:
    assert "by the dared" in fsm.draw(DARES, view="step:bout_step")
    given = [
        {"when": {"turn": 1, "step": "hall"}, "do": "signal", "event": "dare"},
        {"when": {"turn": 1, "step": "hall"}, "do": "appoint", "role": "dared", "player": "B"},
    ]
    [scenario] = fsm.scenarios.load(
        {"players": 3, "given": given, "expect": []}, place="roles", ruleset=DARES
    )
    assert play(scenario).ok
