"""The TurnController: requests, answers, signals and orders; what does not fit changes nothing."""

from __future__ import annotations

from typing import Any

import pytest

import fsm
from fsm import (
    AddPhase,
    AddStep,
    AddTurn,
    Answer,
    ControlNextTurn,
    DelayedTrigger,
    Effect,
    Over,
    Perform,
    Priority,
    Resolve,
    Signal,
    SkipPhase,
    SkipStep,
    SkipTurn,
    StandingTrigger,
    TurnController,
)
from fsm.engine import Answered, Record
from fsm.engine.requesting import SILENT_LIMIT
from fsm.errors import AnswerError, FsmError, OrderError, StaleAnswerError, StuckError
from fsm.hosts import Position
from fsm.model import Model
from fsm.orders import Order
from support.playing import (
    act,
    asked,
    attack,
    leaves,
    quiet,
    resolving,
    signal,
    started,
    steps,
    through,
    to,
    to_action,
    turns,
    unchanged,
    until,
)

BEGINNING = ["untap", "upkeep", "draw", "precombat_main"]
IDLE_COMBAT = ["beginning_of_combat", "declare_attackers", "end_of_combat"]
ENDING = ["postcombat_main", "end", "cleanup"]
FIGHT = [
    "beginning_of_combat",
    "declare_attackers",
    "declare_blockers",
    "combat_damage",
    "end_of_combat",
]
QUIET = [*BEGINNING, *IDLE_COMBAT, *ENDING]


# starting -----------------------------------------------------------------------------------------


def test_a_game_starts_with_the_first_turn_under_way(magic: Model) -> None:
    game = started(magic)
    assert game.position == Position(1, "A", "A", False, "beginning", "untap", 1, "untap_phasing")
    assert game.request == Perform(game.position, "untap_phasing", action="phasing", players=("A",))


def test_what_waits_is_the_state_of_the_turn_or_of_its_window(magic: Model) -> None:
    assert magic.window is not None
    game = started(magic)
    assert game.waiting == magic.state("untap_phasing")
    to(game, "upkeep")
    assert game.waiting == magic.window.state("priority")
    assert (game.run.state, game.run.frame, game.run.holder) == ("upkeep_window", "priority", "A")


WRONG_GAMES: list[tuple[str, Any, dict[str, Any], str]] = [
    ("nobody", [], {}, "players must be one or more different names"),
    ("twice", ["A", "A"], {}, "players must be one or more different names"),
    ("a word", "AB", {}, "players must be one or more different names"),
    ("numbers from 0", [0, 1], {}, "each a string that is not empty, not [0, 1]"),
    ("numbers from 1", [1, 2], {}, "each a string that is not empty, not [1, 2]"),
    ("an empty name", ["A", ""], {}, "each a string that is not empty, not ['A', '']"),
    ("no sequence", 2, {}, "players must be one or more different names"),
    (
        "teams of no names",
        ["A", "B"],
        {"teams": [["A", 1]]},
        "teams must be groups of players' names, not [['A', 1]]",
    ),
    (
        "teams of no groups",
        ["A", "B"],
        {"teams": [1]},
        "teams must be groups of players' names, not [1]",
    ),
    (
        "teams of names",
        ["A", "B"],
        {"teams": ["A", "B"]},
        "not ['A', 'B']; write [['A', 'B'], ['C', 'D']]",
    ),
    ("one name", "Ann", {}, "not 'Ann': write ['Ann', ...]"),
    (
        "one team too few brackets",
        ["A", "B"],
        {"teams": 5},
        "teams must be groups of players' names, not 5",
    ),
    (
        "stranger in a team",
        ["A", "B"],
        {"teams": [["A", "X"]]},
        "team member 'X' is no player; known: A, B",
    ),
    (
        "in two teams",
        ["A", "B", "C"],
        {"teams": [["A", "B"], ["B", "C"]]},
        "teams must be groups of different players",
    ),
    ("empty team", ["A", "B"], {"teams": [[]]}, "teams must be groups of different players"),
    (
        "unknown setting",
        ["A", "B"],
        {"settings": {"first_draw_skiped": True}},
        "did you mean 'first_draw_skipped'?",
    ),
    (
        "setting no truth",
        ["A", "B"],
        {"settings": {"first_draw_skipped": 1}},
        "must be true or false, not 1",
    ),
    (
        "wrong order",
        ["A", "B"],
        {"orders": [AddTurn("X")]},
        "player 'X' is not in this game; known: A, B",
    ),
]


@pytest.mark.parametrize(
    ("players", "rest", "message"), [w[1:] for w in WRONG_GAMES], ids=[w[0] for w in WRONG_GAMES]
)
def test_a_game_that_cannot_be_is_refused(
    magic: Model, players: Any, rest: dict[str, Any], message: str
) -> None:
    with pytest.raises(FsmError) as refused:
        TurnController(magic, players, **rest)
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("players", "rest", "drawn"),
    [
        ("AB", {}, False),
        ("ABC", {}, True),
        ("AB", {"settings": {"first_draw_skipped": False}}, True),
        ("ABC", {"settings": {"first_draw_skipped": True}}, False),
        ("ABCD", {"teams": [list("AB"), list("CD")]}, False),
        ("ABCD", {}, True),
        ("ABCD", {"teams": [list("BCD")]}, True),
        ("ABCD", {"teams": [list("ABC")]}, True),
        ("ABC", {"teams": [list("BC")]}, True),
        ("ABCDE", {"teams": [list("AB"), list("CDE")]}, True),
        ("ABCDEF", {"teams": [list("AB"), list("CD"), list("EF")]}, True),
        ("ABCD", {"teams": [list("BCD")], "settings": {"first_draw_skipped": True}}, False),
    ],
)
@pytest.mark.parametrize("spec", ["magic", "magic-2010", "magic-classic?edition=2007-05"])
def test_the_first_draw_is_skipped_between_two_players_or_two_teams(
    spec: str, players: str, rest: Any, drawn: bool
) -> None:
    """103.8a-c, worked cases 60 and 61: two players, or two teams of Two-Headed Giant; never one
    against many (800.7).

    The second turn always draws.
    """
    game = through(started(fsm.load(spec), players, **rest), 2)
    assert ("draw" in steps(game, 1)) is drawn
    assert "draw" in steps(game, 2)


def test_orders_given_at_the_start_are_in_force_from_turn_one(magic: Model) -> None:
    game = started(magic, orders=[SkipStep("upkeep", "A")])
    assert steps(through(game, 3), 1)[:2] == ["untap", "precombat_main"]
    assert "upkeep" in steps(game, 3)


def test_turns_go_round(magic: Model) -> None:
    assert turns(through(started(magic, "ABC"), 5))[:5] == ["A", "B", "C", "A", "B"]


def test_a_quiet_turn_and_a_fight(magic: Model) -> None:
    """Worked cases 1 and 2 (500.1, 506.1, 508.8)."""
    game = through(started(magic), 2)
    attack(game, turn=3)
    through(game, 3)
    assert steps(game, 2) == QUIET
    assert steps(game, 3) == [*BEGINNING, *FIGHT, *ENDING]


def test_first_strike_is_read_once_before_damage(magic: Model) -> None:
    """510.4, worked cases 8 and 18: only its value as the damage step comes counts."""
    game = through(started(magic), 1)
    attack(game)
    to(game, "declare_blockers")
    while game.position.step == "declare_blockers":
        game.answer(quiet(game.request, {"first_strike_in_combat": True}))
    through(game, 2)
    assert steps(game, 2)[6:10] == [
        "declare_blockers",
        "first_strike_damage",
        "combat_damage",
        "end_of_combat",
    ]


@pytest.mark.parametrize("step", ["beginning_of_combat", "declare_attackers"])
def test_a_creature_put_in_attacking_makes_a_fight(magic: Model, step: str) -> None:
    """508.8, worked cases 4 and 5."""
    game = started(magic, "ABC")
    to(game, step)
    game.answer(quiet(game.request, {"put_in_attacking": True}))
    assert steps(through(game, 1), 1) == [*BEGINNING, *FIGHT, *ENDING]


def test_what_was_declared_in_one_combat_is_forgotten_in_the_next(magic: Model) -> None:
    game = started(magic, "ABC")
    attack(game)
    resolving(game, "combat_damage", AddPhase(("combat",)))
    assert steps(through(game, 1), 1) == [*BEGINNING, *FIGHT, *IDLE_COMBAT, *ENDING]


# answers that were not asked for ------------------------------------------------------------------

WRONG_ANSWERS: list[tuple[str, Any, tuple[str, ...]]] = [
    ("word", Answer("passed"), ("'untap_phasing' was asked for", "'done'", "not 'passed'")),
    ("unknown word", Answer("finished"), ("'done'", "not 'finished'")),  # type: ignore[arg-type]
    (
        "unknown fact",
        Answer(facts={"stack_emptty": True}),
        ("'stack_emptty'", "did you mean 'stack_empty'?"),
    ),
    (
        "a fact of the agenda",
        Answer(facts={"skip_turn": True}),
        ("fact 'skip_turn' is not one the game tells",),
    ),
    (
        "fact no truth",
        Answer(facts={"stack_empty": 1}),  # type: ignore[dict-item]
        ("fact 'stack_empty' must be true or false, not 1",),
    ),
    (
        "unknown signal",
        Answer(signal=Signal("end_trun")),
        ("'end_trun'", "did you mean 'end_turn'?"),
    ),
    ("completion as a signal", Answer(signal=Signal("done")), ("knows no signal 'done'",)),
    ("nobody left", Answer(signal=Signal("player_left")), ("player '' is not in this game",)),
    ("stranger left", Answer(signal=leaves("Bo")), ("player 'Bo' is not in this game",)),
    ("no answer", "done", ("Answer", "str")),
    ("nothing", None, ("Answer", "NoneType")),
    ("facts no mapping", Answer(facts=["stack_empty"]), ("facts",)),  # type: ignore[arg-type]
    ("signal no signal", Answer(signal="end_turn"), ("signal",)),  # type: ignore[arg-type]
    ("one order, not several", Answer(orders=AddTurn("A")), ("orders",)),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(
    ("answer", "words"), [w[1:] for w in WRONG_ANSWERS], ids=[w[0] for w in WRONG_ANSWERS]
)
def test_an_answer_that_was_not_asked_for_changes_nothing(
    magic: Model, answer: Any, words: tuple[str, ...]
) -> None:
    game = started(magic)
    unchanged(game, lambda: game.answer(answer), AnswerError, *words)
    assert asked(game.answer(Answer())) == "day_night", "and the right answer still works"


def test_priority_is_answered_with_acted_or_passed(magic: Model) -> None:
    game = started(magic)
    to(game, "upkeep")
    unchanged(
        game, lambda: game.answer(Answer("done")), AnswerError, "'acted' or 'passed', not 'done'"
    )


def test_a_missing_fact_is_named_with_its_meaning(magic: Model) -> None:
    game = started(magic)
    to_action(game, "declare_attackers")
    assert game.request.facts == ("attackers_declared",)
    words = ("must tell the fact 'attackers_declared'", "a creature was declared as an attacker")
    unchanged(game, lambda: game.answer(Answer()), AnswerError, *words)


def test_a_fact_that_is_read_now_must_be_told(magic: Model) -> None:
    game = started(magic)
    to(game, "upkeep")
    game.answer(Answer("passed"))
    to(game, "upkeep")
    assert game.request.facts == ("stack_empty",)
    unchanged(
        game,
        lambda: game.answer(Answer("passed")),
        AnswerError,
        "does not tell the fact 'stack_empty'",
    )


def test_who_has_left_cannot_leave_again(magic: Model) -> None:
    game = started(magic, "ABC")
    game.answer(Answer(signal=leaves("B")))
    unchanged(
        game,
        lambda: game.answer(Answer(signal=leaves("B"))),
        AnswerError,
        "player 'B' has left the game already",
    )


def test_when_it_is_over_nothing_can_be_answered(magic: Model) -> None:
    game = started(magic)
    assert isinstance(game.answer(Answer(signal=leaves("B"))), Over)
    unchanged(game, lambda: game.answer(Answer()), AnswerError, "the game is over")


def test_first_strike_is_asked_for_where_it_matters_only(magic: Model) -> None:
    """As the declare blockers step ends (510.4)."""
    game, found = started(magic), set()
    while game.request.at.turn < 3:
        if "first_strike_in_combat" in game.request.facts:
            found.add(game.request.state)
        game.answer(
            quiet(game.request, {"attackers_declared": "attackers_declared" in game.request.facts})
        )
    assert found == {"declare_blockers_end"}


def test_a_fact_is_asked_for_earlier_if_a_skip_brings_it_there(magic: Model) -> None:
    game = started(magic, orders=[SkipStep("declare_blockers")])
    attack(game)
    until(game, lambda r: "first_strike_in_combat" in r.facts)
    assert game.request.state == "declare_attackers_end"


def test_more_facts_than_asked_for_are_welcome(magic: Model) -> None:
    game = started(magic)
    game.answer(Answer(facts={"stack_empty": True, "sba_performed": False}))
    assert asked(game.request) == "day_night"


# orders that name what is not there ---------------------------------------------------------------

WRONG_ORDERS: list[tuple[Any, tuple[str, ...]]] = [
    (AddTurn("C"), ("player 'C' is not in this game; known: A, B",)),
    (AddTurn("A", 0), ("a count must be from 1 to 1000, not 0",)),
    (AddTurn("A", 10**9), ("a count must be from 1 to 1000, not 1000000000",)),
    (AddTurn("A", -1), ("a count must be from 1 to 1000, not -1",)),
    (AddTurn("A", True), ("AddTurn.count must be a whole number, not True",)),
    (AddTurn("A", "2"), ("AddTurn.count must be a whole number, not '2'",)),  # type: ignore[arg-type]
    (SkipTurn("C"), ("player 'C'",)),
    (SkipTurn(players=("A", "C")), ("player 'C'",)),
    (SkipTurn(players=["A"]), ("SkipTurn.players must be",)),  # type: ignore[arg-type]
    (AddTurn("A", after=1), ("AddTurn.after must be a string, not 1",)),  # type: ignore[arg-type]
    (SkipTurn("A", 0), ("a count must be from 1 to 1000, not 0",)),
    (ControlNextTurn("C", "A"), ("player 'C'",)),
    (ControlNextTurn("A", "C"), ("player 'C'",)),
    (AddPhase(("combt",)), ("phase 'combt' is not in magic; did you mean 'combat'?",)),
    (AddPhase(("upkeep",)), ("phase 'upkeep' is not in magic",)),
    (
        AddPhase(("combat",), after="combatt"),
        ("phase 'combatt' is not in magic; did you mean 'combat'?",),
    ),
    (AddPhase(("combat",), after="combat", nth=0), ("a count must be from 1 to 1000, not 0",)),
    (AddPhase(("combat",), count=0), ("a count must be from 1 to 1000, not 0",)),
    (AddPhase(("combat",), player="C"), ("player 'C'",)),
    (AddPhase(("combat",), you_get=True), ("player ''",)),
    (AddStep("upkep"), ("step 'upkep' is not in magic; did you mean 'upkeep'?",)),
    (AddStep("combat"), ("step 'combat' is not in magic",)),
    (AddStep("upkeep", after="drew"), ("step 'drew' is not in magic; did you mean 'draw'?",)),
    (AddStep("upkeep", before="drew"), ("step 'drew' is not in magic; did you mean 'draw'?",)),
    (AddStep("upkeep", count=0), ("a count must be from 1 to 1000, not 0",)),
    (AddStep("upkeep", player="C"), ("player 'C'",)),
    (SkipStep("upkep"), ("step 'upkep' is not in magic; did you mean 'upkeep'?",)),
    (SkipPhase("upkeep"), ("phase 'upkeep' is not in magic",)),
    (SkipStep("upkeep", "C"), ("player 'C'",)),
    (
        SkipStep("upkeep", "A", "allways"),  # type: ignore[arg-type]
        ("SkipStep.scope must be 'next' or 'each' or", "not 'allways'"),
    ),
    (DelayedTrigger("x", "upkep"), ("step 'upkep' is not in magic; did you mean 'upkeep'?",)),
    (DelayedTrigger("x", "upkeep", "C"), ("player 'C'",)),
    (
        DelayedTrigger("x", "upkeep", on="my_next"),  # type: ignore[arg-type]
        ("DelayedTrigger.on must be 'next' or 'your_next' or", "not 'my_next'"),
    ),
    (StandingTrigger("x", "upkep"), ("step 'upkep' is not in magic; did you mean 'upkeep'?",)),
    (StandingTrigger("x", "upkeep", "C"), ("player 'C'",)),
    (
        Effect("x", "A", "end_of_trun"),
        ("duration 'end_of_trun' is not in magic; did you mean 'end_of_turn'?",),
    ),
    (Effect("x", "C"), ("player 'C'",)),
    ("AddTurn", ("'AddTurn' is not an order",)),
]


@pytest.mark.parametrize(("order", "words"), WRONG_ORDERS, ids=[repr(w[0]) for w in WRONG_ORDERS])
def test_an_order_that_names_what_is_not_there_changes_nothing(
    magic: Model, order: Any, words: tuple[str, ...]
) -> None:
    game = started(magic)
    fine: Order = AddTurn("A")
    unchanged(game, lambda: game.answer(Answer(orders=(fine, order))), OrderError, *words)


# signals in every phase ---------------------------------------------------------------------------

EVERYWHERE = [*QUIET[1:5], *FIGHT, *ENDING[:2]]


def fought_to(model: Model, step: str, players: str = "ABC") -> TurnController:
    """A game at the first priority in this step of turn 1, with an attack."""
    game = started(model, players)
    if step in (*FIGHT[1:], *ENDING):
        attack(game)
    to(game, step)
    return game


def procedure(game: TurnController) -> list[str]:
    """What the procedure asks until the next step begins."""
    heard, before = [], len([r for r in game.trace.records if r.target.endswith("_begin")])
    while len([r for r in game.trace.records if r.target.endswith("_begin")]) == before:
        heard.append(asked(game.request))
        game.answer(quiet(game.request))
    return heard


@pytest.mark.parametrize("step", ["untap", *EVERYWHERE])
def test_the_turn_can_be_ended_in_every_step(magic: Model, step: str) -> None:
    """723.1a-f, worked cases 24, 25, 29 and 31: the procedure's actions in order, then straight to
    cleanup.
    """
    game = started(magic, "ABC") if step == "untap" else fought_to(magic, step)
    seen = steps(game, 1)
    game.answer(quiet(game.request, signal=signal("end_turn")))
    combat = ["remove_from_combat"] if step in FIGHT else []
    assert procedure(game) == ["cease_triggers", "exile_stack", "check", *combat, "empty_mana"]
    assert asked(game.request) == "discard_to_hand_size"
    through(game, 1)
    assert steps(game, 1) == [*seen, "cleanup"]


def test_nobody_receives_priority_in_the_cleanup_of_an_ended_turn(magic: Model) -> None:
    game = fought_to(magic, "precombat_main")
    game.answer(quiet(game.request, signal=signal("end_turn")))
    while game.position.turn == 1:
        assert not isinstance(game.request, Priority)
        game.answer(quiet(game.request))


def test_ending_the_turn_checks_until_quiet_and_places_no_triggers(magic: Model) -> None:
    """723.1c: no priority, no triggers; those of the procedure wait for cleanup (723.1f, worked
    case 26).
    """
    game = fought_to(magic, "precombat_main")
    game.answer(quiet(game.request, signal=signal("end_turn")))
    heard = []
    for facts in ({}, {}, {"sba_performed": True}, {}):
        heard.append(asked(game.request))
        game.answer(quiet(game.request, {**facts, "triggers_waiting": True}))
    assert heard == ["cease_triggers", "exile_stack", "check", "check"]
    assert asked(game.request) == "empty_mana"
    to_check = until(game, lambda r: asked(r) == "check")
    assert to_check.at.step == "cleanup"
    assert asked(game.answer(quiet(game.request, {"triggers_waiting": True}))).startswith("place")
    assert steps(through(game, 1), 1)[-2:] == ["cleanup", "cleanup"]


def test_ending_the_turn_in_cleanup_begins_a_new_one(magic: Model) -> None:
    """723.1d, worked case 28."""
    game = started(magic)
    to_action(game, "discard_to_hand_size")
    game.answer(quiet(game.request, signal=signal("end_turn")))
    assert procedure(game) == ["cease_triggers", "exile_stack", "check", "empty_mana"]
    assert steps(through(game, 1), 1)[-2:] == ["cleanup", "cleanup"]


@pytest.mark.parametrize("step", ["upkeep", "combat_damage", "end"])
def test_a_phase_added_in_the_cleanup_of_an_ended_turn_comes(magic: Model, step: str) -> None:
    """500.8: after the ending phase, however it came to its cleanup."""
    game = fought_to(magic, step)
    game.answer(quiet(game.request, signal=signal("end_turn")))
    to_action(game, "discard_to_hand_size")
    game.answer(quiet(game.request, orders=[AddPhase(("combat",))]))
    assert steps(through(game, 1), 1)[-4:] == ["cleanup", *IDLE_COMBAT]


def test_extra_turns_survive_the_end_of_a_turn_and_extra_phases_do_not(magic: Model) -> None:
    """723.1d, 500.7."""
    game = started(magic)
    orders = (
        AddTurn("A"),
        AddPhase(("combat", "main")),
        AddStep("upkeep", "current_phase"),
        AddStep("end", before="end"),
    )
    resolving(game, "upkeep", *orders, signal=signal("end_turn"))
    through(game, 3)
    assert turns(game)[:3] == ["A", "A", "B"]
    assert steps(game, 1) == ["untap", "upkeep", "cleanup"]
    assert steps(game, 2) == QUIET
    assert game.agenda.extras == ()


@pytest.mark.parametrize("step", FIGHT)
def test_combat_can_be_ended_in_each_of_its_steps(magic: Model, step: str) -> None:
    """723.2a-e, worked case 32: the next phase follows; "at end of combat" does not trigger."""
    game = fought_to(magic, step)
    seen = steps(game, 1)
    game.answer(
        quiet(
            game.request,
            orders=[StandingTrigger("eoc", "end_of_combat")],
            signal=signal("end_phase"),
        )
    )
    assert procedure(game) == [
        "cease_triggers",
        "exile_stack",
        "check",
        "remove_from_combat",
        "empty_mana",
    ]
    through(game, 1)
    assert steps(game, 1) == [*seen, *ENDING]


@pytest.mark.parametrize("step", [s for s in EVERYWHERE if s not in FIGHT])
def test_ending_combat_elsewhere_does_nothing(magic: Model, step: str) -> None:
    """723.2g, worked case 33."""
    game, plain = fought_to(magic, step), fought_to(magic, step)
    game.answer(quiet(game.request, signal=signal("end_phase")))
    plain.answer(quiet(plain.request))
    assert game.request == plain.request
    assert steps(through(game, 1), 1) == steps(through(plain, 1), 1)


def test_ending_the_first_of_two_combats_leads_to_the_second(magic: Model) -> None:
    """723.2d, worked case 34."""
    game = started(magic, "ABC")
    resolving(game, "beginning_of_combat", AddPhase(("combat",)), signal=signal("end_phase"))
    assert steps(through(game, 1), 1) == [*BEGINNING, "beginning_of_combat", *IDLE_COMBAT, *ENDING]


def test_ending_combat_from_an_extra_step_in_it(magic: Model) -> None:
    """723.2: the game is in combat, whatever the step's kind."""
    game = started(magic, "ABC")
    resolving(game, "beginning_of_combat", AddStep("upkeep"))
    to(game, "upkeep", iteration=2)
    game.answer(quiet(game.request, signal=signal("end_phase")))
    through(game, 1)
    assert steps(game, 1) == [*BEGINNING, "beginning_of_combat", "upkeep", *ENDING]


@pytest.mark.parametrize("step", ["untap", *EVERYWHERE, "cleanup"])
@pytest.mark.parametrize("player", ["A", "B"])
def test_a_player_can_leave_in_every_step(magic: Model, step: str, player: str) -> None:
    """800.4: the turn goes on; the one who left takes no further turn (800.4k)."""
    game = started(magic, "ABC")
    until(
        game,
        lambda r: r.at.step == step or (step in FIGHT[2:4] and asked(r) == "declare_attackers"),
    )
    if game.position.step != step:
        attack(game)
        until(game, lambda r: r.at.step == step)
    game.answer(quiet(game.request, signal=leaves(player)))
    through(game, 4)
    fought = step in FIGHT[2:4]
    assert steps(game, 1) == [*BEGINNING, *(FIGHT if fought else IDLE_COMBAT), *ENDING]
    assert turns(game)[1:3] == (["B", "C"] if player == "A" else ["C", "A"])
    assert player not in turns(game)[1:]


@pytest.mark.parametrize("event", ["end_turn", "end_phase"])
def test_a_player_can_leave_in_the_middle_of_a_procedure(magic: Model, event: Any) -> None:
    game = fought_to(magic, "declare_blockers")
    game.answer(quiet(game.request, signal=signal(event)))
    first = asked(game.request)
    game.answer(quiet(game.request, signal=leaves("A")))
    assert [first, *procedure(game)] == [
        "cease_triggers",
        "exile_stack",
        "check",
        "remove_from_combat",
        "empty_mana",
    ]


def test_the_turn_can_be_ended_while_combat_is_being_ended(magic: Model) -> None:
    game = fought_to(magic, "declare_blockers")
    game.answer(quiet(game.request, signal=signal("end_phase")))
    game.answer(quiet(game.request, signal=signal("end_turn")))
    assert procedure(game) == [
        "cease_triggers",
        "exile_stack",
        "check",
        "remove_from_combat",
        "empty_mana",
    ]
    assert game.position.step == "cleanup"


def test_an_extra_turn_of_who_left_does_not_begin(magic: Model) -> None:
    """800.4k, worked case 69."""
    game = started(magic, "ABC")
    resolving(game, "upkeep", AddTurn("B"), signal=leaves("B"))
    assert turns(through(game, 3))[:3] == ["A", "C", "A"]


def test_what_resolved_is_carried_out_before_the_signal(magic: Model) -> None:
    """608.2m, 723.1b: orders beside a signal are kept, here an extra turn."""
    game = started(magic)
    request = resolving(game, "precombat_main", AddTurn("A"), signal=signal("end_turn"))
    assert asked(request) == "cease_triggers"
    assert game.agenda.turns[0].side == "A"


# extras and skips that the digest settles ---------------------------------------------------------


@pytest.mark.parametrize(
    "step", ["precombat_main", "beginning_of_combat", "postcombat_main", "end", "upkeep"]
)
def test_an_extra_step_from_anywhere_comes_back(magic: Model, step: str) -> None:
    """500.9: directly after the current step, then on as before."""
    game = started(magic, "ABC")
    resolving(game, step, AddStep("draw"))
    found = steps(through(game, 1), 1)
    at = QUIET.index(step) + 1
    assert found == [*QUIET[:at], "draw", *QUIET[at:]]


@pytest.mark.parametrize(
    "step", ["upkeep", "precombat_main", "end_of_combat", "postcombat_main", "end"]
)
def test_an_extra_phase_from_anywhere_comes_after_the_whole_phase(magic: Model, step: str) -> None:
    """500.8, worked cases 36-39 and 43."""
    game = started(magic, "ABC")
    resolving(game, step, AddPhase(("combat",)))
    ends = {"upkeep": "draw", "end": "cleanup"}.get(step, step)
    at = QUIET.index(ends) + 1
    assert steps(through(game, 1), 1) == [*QUIET[:at], *IDLE_COMBAT, *QUIET[at:]]


def test_n_steps_after_a_phase_are_n_phases_of_one_step_each(magic: Model) -> None:
    """500.10, worked case 40."""
    game = started(magic, "ABC")
    resolving(
        game,
        "beginning_of_combat",
        AddStep("upkeep", "current_phase", count=2, player="A", you_get=True),
    )
    found = steps(through(game, 1), 1)
    assert found == [*BEGINNING, *IDLE_COMBAT, "upkeep", "upkeep", *ENDING]
    begun = {r.phase_id for r in game.trace.records if r.turn == 1 and r.target == "upkeep_begin"}
    assert len(begun) == 3


def test_you_get_adds_nothing_to_the_turn_of_another(magic: Model) -> None:
    """500.10a, worked case 41."""
    game = started(magic, "ABC")
    resolving(game, "upkeep", AddStep("upkeep", "current_phase", player="B", you_get=True))
    assert steps(through(game, 1), 1) == QUIET


def test_what_is_skipped_too_late_is_skipped_next_time(magic: Model) -> None:
    """614.10, worked case 50."""
    game = started(magic, "ABC")
    resolving(game, "beginning_of_combat", SkipPhase("combat", "A"), AddPhase(("combat",)))
    assert steps(through(game, 1), 1) == QUIET, "the extra combat was the next one"
    assert steps(through(game, 4), 4) == QUIET


def test_skips_for_everyone_are_used_up_by_each_for_themselves(magic: Model) -> None:
    game = started(magic, "ABC", orders=[SkipStep("upkeep")])
    through(game, 4)
    assert ["upkeep" in steps(game, turn) for turn in (1, 2, 3, 4)] == [False, False, False, True]


@pytest.mark.parametrize(
    ("scope", "missing"),
    [("next", [2]), ("each", [2, 4, 6]), ("this_turn", []), ("all_next_turn", [2])],
)
def test_skips_last_as_long_as_their_scope(magic: Model, scope: Any, missing: list[int]) -> None:
    game = started(magic)
    resolving(game, "precombat_main", SkipStep("upkeep", "B", scope))
    through(game, 6)
    assert [turn for turn in range(1, 7) if "upkeep" not in steps(game, turn)] == missing


def test_skipped_and_extra_turns(magic: Model) -> None:
    """Worked cases 52 and 56 (500.7, 614.10a)."""
    game = started(magic)
    resolving(game, "upkeep", AddTurn("A"), AddTurn("B"), SkipTurn("A"))
    assert turns(through(game, 4))[:4] == ["A", "B", "B", "A"]


def test_control_of_the_next_turn_really_taken(magic: Model) -> None:
    """722.1, 722.1b: a skipped turn does not count."""
    game = started(magic)
    resolving(game, "upkeep", ControlNextTurn("B", "A"), SkipTurn("B"))
    until(game, lambda r: r.at.turn == 3)
    assert (game.position.active, game.position.controller) == ("B", "A")
    until(game, lambda r: r.at.turn == 5)
    assert (game.position.active, game.position.controller) == ("B", "B")


def test_who_has_left_controls_nobody(magic: Model) -> None:
    """800.4a: control ends with the game of who has it, in the turn controlled as before it."""
    game = started(magic, "ABC")
    resolving(game, "upkeep", ControlNextTurn("B", "C"))
    until(game, lambda r: r.at.turn == 2)
    assert (game.position.active, game.position.controller) == ("B", "C")
    game.answer(quiet(game.request, signal=leaves("C")))
    until(game, lambda r: r.at.step == "upkeep")
    assert (game.position.active, game.position.controller) == ("B", "B")
    other = started(magic, "ABC")
    resolving(other, "upkeep", ControlNextTurn("B", "C", extra_turn_after=True))
    other.answer(quiet(other.request, signal=leaves("C")))
    until(other, lambda r: r.at.turn == 2)
    assert (other.position.active, other.position.controller) == ("B", "B")
    assert turns(through(other, 3))[1:3] == ["B", "B"], "the turn after it comes all the same"


def test_who_has_left_cannot_order_to_control_anybody(magic: Model) -> None:
    """800.4a: and so what was ordered before stays."""
    game = started(magic, "ABC")
    resolving(game, "upkeep", ControlNextTurn("B", "A"), signal=leaves("C"))
    words = ("player 'C' has left the game, and decides for nobody any more",)
    order = ControlNextTurn("B", "C")
    unchanged(game, lambda: game.answer(quiet(game.request, orders=(order,))), OrderError, *words)
    until(game, lambda r: r.at.turn == 2)
    assert (game.position.active, game.position.controller) == ("B", "A")


# it never hangs -----------------------------------------------------------------------------------


def test_when_everything_is_skipped_for_ever_it_says_so(magic: Model) -> None:
    names = {s.family for s in magic.of_kind("phase")}
    game = started(magic)
    orders = tuple(SkipPhase(name, scope="each") for name in sorted(names))
    to_action(game, "remove_damage_and_end_effects")
    while game.position.step != "cleanup" or asked(game.request) != "empty_mana":
        game.answer(quiet(game.request))
    unchanged(
        game, lambda: game.answer(Answer(orders=orders)), StuckError, str(SILENT_LIMIT), "skipped"
    )
    assert asked(game.answer(Answer())) == "phasing"


def test_when_every_step_is_skipped_mana_still_empties_as_combat_ends(magic: Model) -> None:
    """500.5: phases without steps end as well."""
    game = started(magic, orders=[SkipStep(s.name, scope="each") for s in magic.of_kind("step")])
    heard = [(game.position.turn, game.position.phase, asked(game.request))]
    while len(heard) < 3:
        game.answer(Answer())
        heard.append((game.position.turn, game.position.phase, asked(game.request)))
    assert heard == [(turn, "combat", "empty_mana") for turn in (1, 2, 3)]


def test_many_skipped_turns_are_no_reason_to_stop(magic: Model) -> None:
    game = started(magic, orders=[SkipTurn("B", 50)])
    assert set(turns(through(game, 20))[:20]) == {"A"}


# watching -----------------------------------------------------------------------------------------


def test_watchers_hear_every_record_once_its_answer_is_taken(magic: Model) -> None:
    game, heard = started(magic), list[Record]()
    before = len(game.trace.records)
    game.watch(heard.append)
    with pytest.raises(AnswerError):
        game.answer(Answer("passed"))
    assert heard == []
    through(game, 1)
    assert heard == game.trace.records[before:]


def test_watchers_of_answers_are_called_in_order_and_once_each(magic: Model) -> None:
    game, heard = started(magic), list[tuple[str, Answered]]()
    with (
        game.watch_answers(lambda answered: heard.append(("first", answered))),
        game.watch_answers(lambda answered: heard.append(("second", answered))),
    ):
        for answer in (Answer("", orders=(AddTurn("B"),)), Answer(), Answer()):
            request, before = game.request, len(game.trace.entries)
            game.answer(answer)
            (first, answered), (second, again) = heard
            assert (first, second) == ("first", "second")
            assert answered.request is request and answered is again
            assert [answered.answer, *answered.records] == game.trace.entries[before:]
            heard.clear()
    game.answer(Answer())
    assert heard == []


def test_a_watcher_that_raises_leaves_everything_as_it_was(magic: Model) -> None:
    def fail(record: Record) -> None:
        if record.step == "upkeep":
            raise RuntimeError("no ink")

    game, plain = started(magic), started(magic)
    game.watch(fail)
    until(game, lambda r: asked(r) == "empty_mana")
    before = game.snapshot(), game.request, list(game.trace.entries)
    for _ in range(2):
        with pytest.raises(RuntimeError, match="no ink"):
            game.answer(Answer())
        assert (game.snapshot(), game.request, game.trace.entries) == before
    until(plain, lambda r: asked(r) == "empty_mana")
    assert (plain.snapshot(), plain.request, plain.trace.entries) == before


def test_an_answer_that_a_watcher_refused_is_not_in_the_trace_although_it_read_it(
    magic: Model,
) -> None:
    def fail(record: Record) -> None:
        assert game.trace.answers[-1].orders == (AddTurn("A"),)
        raise RuntimeError("no ink")

    game, plain = started(magic), started(magic)
    stop = game.watch(fail)
    with pytest.raises(RuntimeError, match="no ink"):
        game.answer(Answer(orders=(AddTurn("A"),)))
    stop()
    for each in (game, plain):
        each.answer(Answer(orders=(AddTurn("B"),)))
    assert game.trace.entries == plain.trace.entries


def test_priority_in_a_window_is_asked_with_the_players_who_have_it(magic: Model) -> None:
    game = started(magic)
    request = to(game, "upkeep")
    assert isinstance(request, Priority)
    assert (request.player, request.players, request.at.stage) == ("A", ("A",), "upkeep_window")


def test_acting_and_resolving(magic: Model) -> None:
    game = started(magic)
    to(game, "upkeep")
    act(game)
    until(game, lambda r: isinstance(r, Priority))
    game.answer(Answer("passed", {"stack_empty": False}))
    until(game, lambda r: isinstance(r, Priority))
    assert isinstance(game.answer(Answer("passed", {"stack_empty": False})), Resolve)


def test_a_model_without_a_window_model_says_so_when_it_needs_one(magic: Model) -> None:
    from dataclasses import replace

    with pytest.raises(
        StuckError, match="'upkeep_window' is a window, and magic has no window model"
    ):
        to(started(replace(magic, window=None)), "upkeep")


def test_the_package_front_door_has_the_same_things() -> None:
    assert fsm.TurnController is TurnController
    assert fsm.Answer is Answer


def test_an_answer_to_an_earlier_request_is_refused() -> None:
    """A click that comes twice does not pass twice."""
    game = TurnController(fsm.load("magic"), ["A", "B"])
    request = to(game, "upkeep", Priority)
    number = game.number
    game.answer(quiet(request), to=number)
    assert game.number == number + 1
    unchanged(
        game,
        lambda: game.answer(quiet(request), to=number),
        StaleAnswerError,
        str(number),
        str(number + 1),
    )
    assert issubclass(StaleAnswerError, AnswerError)
    fork = game.fork()
    fork.answer(quiet(fork.request), to=fork.number)
    assert fork.number == game.number + 1


def test_the_end_of_the_game_is_at_hand() -> None:
    game = TurnController(fsm.load("magic"), ["A", "B"])
    before = game.over
    game.order(fsm.Leave("A"))
    assert (before, game.over) == (None, game.request)
    assert game.over is not None
    assert game.over.winners == ("B",)
