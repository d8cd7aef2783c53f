"""With the option `would_begin` the host can ask to be asked before a turn, phase or step begins,
and skip it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest

import fsm
from fsm.embedding import wire
from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer, Over, Request, Word, WouldBegin
from fsm.errors import AnswerError, OrderError
from fsm.rulesets import names
from fsm.rulesets.frame.parts import FrameRules, Phase, Step, Window
from fsm.rulesets.frame.table import Table
from fsm.rulesets.frame.windows import priority_window
from fsm.state.orders import (
    AddPhase,
    AddStep,
    AddTurn,
    AskBefore,
    DelayedTrigger,
    Effect,
    Leave,
    Order,
    SkipPhase,
    SkipStep,
    SkipTurn,
    Withdraw,
)
from support.playing import leaves, quiet

Reply = Callable[[WouldBegin], Answer]


def skip(*orders: Order) -> Reply:
    return lambda request: quiet(request, word="skip", orders=orders)


def begin(*orders: Order) -> Reply:
    return lambda request: quiet(request, orders=orders)


def started(*orders: Order, players: str = "AB", ruleset: str = "magic") -> TurnController:
    return TurnController(fsm.load(ruleset, {"would_begin": True}), list(players), orders=orders)


def played(
    game: TurnController,
    reply: Reply = quiet,
    *,
    until: int = 2,
    given: dict[str, Order] | None = None,
) -> Iterator[Request | Over]:
    """Play quietly up to a turn; what would begin gets its reply. An order is given once, with a
    state's answer.
    """
    orders = dict(given or {})
    while not isinstance(game.request, Over) and (
        game.request.at.turn < until or isinstance(game.request, WouldBegin)
    ):
        request = game.request
        yield request
        if isinstance(request, WouldBegin):
            game.answer(reply(request))
        else:
            found = orders.pop(request.state, None)
            game.answer(quiet(request, orders=[found] if found else []))
    assert not orders


def asked(game: TurnController, reply: Reply = quiet, *, until: int = 2) -> list[WouldBegin]:
    return [
        request for request in played(game, reply, until=until) if isinstance(request, WouldBegin)
    ]


def steps(
    game: TurnController,
    reply: Reply = quiet,
    *,
    until: int = 2,
    given: dict[str, Order] | None = None,
) -> list[str]:
    """Each step that begins, with its iteration if it is not the first."""
    seen = dict.fromkeys(
        (request.at.turn, request.at.step, request.at.iteration)
        for request in played(game, reply, until=until, given=given)
        if request.at.step and not isinstance(request, WouldBegin)
    )
    return [step if iteration == 1 else f"{step} {iteration}" for _, step, iteration in seen]


def turns(game: TurnController, reply: Reply = quiet, *, until: int = 5) -> list[str]:
    """Who takes which turn; those of extra turns are written small."""
    seen = dict.fromkeys(
        (r.at.turn, r.at.active, r.at.extra) for r in played(game, reply, until=until) if r.at.step
    )
    return [active.lower() if extra else active for _, active, extra in seen]


# what is asked ------------------------------------------------------------------------------------


def test_nothing_is_asked_that_nobody_wants_to_be_asked_before() -> None:
    assert asked(started(), until=4) == []


@pytest.mark.parametrize("name", names())
def test_without_the_option_the_model_is_the_same(name: str) -> None:
    assert fsm.load(name, {"would_begin": False}) == fsm.load(name)
    assert not [state for state in fsm.load(name).leaves if state.asks == "would_begin"]


@pytest.mark.parametrize("name", names())
def test_whoever_says_begin_changes_nothing(name: str) -> None:
    usual = TurnController(fsm.load(name), ["A", "B"])
    words = {"turn", *(s.family for s in usual.model.of_kind("phase"))}
    game = started(*map(AskBefore, sorted(words)), ruleset=name)
    without = [(type(r), r.at) for r in played(game, until=4) if not isinstance(r, WouldBegin)]
    assert without == [(type(r), r.at) for r in played(usual, until=4)]


def test_a_request_says_what_would_begin() -> None:
    game = started(
        AskBefore("draw", id="ward"),
        AskBefore("draw", "A", id="mine"),
        AskBefore("draw", "B", id="theirs"),
    )
    [first, second] = asked(game, until=4)
    assert (first.level, first.what, first.player, first.players) == ("step", "draw", "B", ("B",))
    assert (first.extra, first.asked, first.at.turn, first.state) == (
        False,
        ("ward", "theirs"),
        2,
        "draw_would_begin",
    )
    assert (second.asked, second.at.turn) == (("ward", "mine"), 3)


def test_a_family_of_phases_is_asked_by_either_name() -> None:
    """CR 505.1: both are main phases."""
    for word in ("main", "precombat_main"):
        assert [request.what for request in asked(started(AskBefore(word)))] == ["main", "main"]


def test_a_word_of_a_phase_and_a_step_means_the_phase() -> None:
    [request] = asked(started(AskBefore("materialize"), ruleset="grand-archive"), until=4)[:1]
    assert request.level == "phase"
    [request] = asked(started(AskBefore("precombat_main", level="step")))
    assert (request.level, request.what) == ("step", "precombat_main")


def test_only_extra_ones() -> None:
    game = started(AskBefore("upkeep", extra=True), AddStep("upkeep", after="upkeep", id="again"))
    [request] = asked(game.fork())
    assert (request.extra, request.id) == (True, "again")
    assert steps(game, skip())[:3] == ["untap", "upkeep", "precombat_main"]


def test_each_cleanup_step_is_asked() -> None:
    """CR 514.3a: another cleanup step begins."""
    game = started(AskBefore("cleanup"))
    for request in played(game):
        if request.state == "cleanup_remove_damage_and_end_effects":
            break
    game.answer(quiet(game.request))
    game.answer(quiet(game.request, {"triggers_waiting": True}))
    [again] = asked(game)
    assert (again.what, again.at.turn) == ("cleanup", 1)
    assert again.at.iteration == 1


# what skipping does -------------------------------------------------------------------------------


def test_stranglehold() -> None:
    """CR 614.1b, 614.10: who would begin an extra turn skips it instead."""
    game = started(AddTurn("A", 2), AskBefore("turn", extra=True, id="Stranglehold"))
    assert turns(game, skip()) == ["A", "B", "A", "B"]


def test_without_stranglehold() -> None:
    game = started(
        AddTurn("A", 2), AskBefore("turn", extra=True, id="Stranglehold"), Withdraw("Stranglehold")
    )
    assert turns(game, skip()) == ["a", "a", "A", "B"]


def test_time_vault() -> None:
    """CR 614.10: its player may skip a turn. Another player's turns are not asked for."""
    vault = started(AskBefore("turn", "A", id="Time Vault"))
    words: Iterator[Word] = iter(("skip", "begin"))
    found = asked(vault, lambda request: quiet(request, word=next(words)), until=3)
    assert [(request.player, request.at.turn) for request in found] == [("A", 0), ("A", 1)]
    assert vault.request.at.active == "B"


def test_a_turn_that_is_skipped_is_not_counted() -> None:
    game = started(AskBefore("turn", "A"))
    assert turns(game, skip(), until=4) == ["B", "B", "B"]


def test_a_step_that_is_skipped_has_never_begun() -> None:
    """CR 614.10a, 603.2b: nothing triggers, nothing ends with it, nothing comes after it."""
    game = started(
        AskBefore("upkeep"),
        DelayedTrigger("pact", "upkeep", "A"),
        AddStep("end", after="upkeep"),
        Effect("ward", "A", "end_of_turn"),
    )
    found = list(played(game, skip()))
    assert not any(request.triggered for request in found)
    assert [r.at.step for r in found if r.at.step == "end"].count("end") == [
        r.at.step for r in found
    ].count("end")
    assert "upkeep" not in [r.at.step for r in found]


@pytest.mark.parametrize(
    ("ask", "extra", "state"),
    [
        (AskBefore("upkeep", extra=True), AddStep("upkeep", after="untap"), "upkeep_end"),
        (
            AskBefore("combat", extra=True),
            AddPhase(("combat",), after="beginning"),
            "precombat_main_end",
        ),
    ],
)
def test_what_comes_after_a_skipped_extra_is_not_extra(
    ask: Order, extra: Order, state: str
) -> None:
    """CR 614.10: what is skipped never existed."""
    game = started(ask, extra)
    assert next(
        request for request in played(game, skip()) if isinstance(request, WouldBegin)
    ).extra
    game.answer(quiet(game.request, word="skip"))
    next(request for request in played(game, skip()) if request.state == state)
    phase, step = game.agenda.current_phase, game.agenda.current_step
    assert phase is not None
    assert step is not None
    assert (phase.extra, step.extra) == (False, False)


def test_a_phase_that_is_skipped_has_no_steps() -> None:
    assert "declare_attackers" not in steps(started(AskBefore("combat")), skip())


def test_what_is_skipped_anyway_is_not_asked() -> None:
    """CR 614.10a: it has been replaced already. The skip is used up."""
    game = started(
        AskBefore("upkeep"), SkipStep("upkeep", "A"), AskBefore("combat"), SkipPhase("combat", "A")
    )
    assert asked(game) == []
    game = started(AskBefore("turn"), SkipTurn("A"))
    assert [request.player for request in asked(game, until=1)] == ["B"]


def test_a_skip_is_not_used_up_by_another_one() -> None:
    """CR 614.10a: the skip waits for the next occurrence that can be skipped."""
    game = started(AskBefore("upkeep", "A", id="once"))
    list(played(game, skip(SkipStep("upkeep", "A"), Withdraw("once"))))
    assert "upkeep" in steps(game, until=3)
    assert "upkeep" not in steps(game, until=4)
    assert "upkeep" in steps(game, until=6)


def test_skip_it_then_do_something() -> None:
    """CR 614.10b: what follows happens at once, in no step of its own."""
    game = started(AskBefore("combat", id="ask"))
    given = skip(AddPhase(("main",)), AddTurn("A"), Effect("done", "A", "end_of_turn"))
    found = list(played(game, given))
    [at] = [number for number, request in enumerate(found) if isinstance(request, WouldBegin)]
    assert found[at + 1].at.step == "postcombat_main"
    assert (game.request.at.active, game.request.at.extra) == ("A", True)


def test_an_order_with_begin_finds_the_step_beginning() -> None:
    """CR 614.10a: what is about to begin cannot be skipped by it any more; a trigger waits for it."""
    game = started(AskBefore("upkeep"))
    found = list(played(game, begin(SkipStep("upkeep", "A"), DelayedTrigger("now", "upkeep", "A"))))
    assert next(request for request in found if request.triggered).at.step == "upkeep"


def test_an_extra_step_before_one_that_would_begin() -> None:
    """CR 500.9: the extra step comes first, then the other one would begin."""
    game = started(AskBefore("upkeep"), AddStep("end", before="upkeep"))
    order = [
        type(r).__name__ if isinstance(r, WouldBegin) else r.at.step for r in played(game, skip())
    ]
    assert order.index("end") < order.index("WouldBegin") < order.index("precombat_main")


def test_a_swapped_main_phase() -> None:
    """CR 505.1a: only the first main phase is precombat; a skipped one does not count."""
    game = started(AskBefore("main", id="once"))
    assert "precombat_main" in steps(game, skip(Withdraw("once")))
    assert asked(started(AskBefore("main")), skip())[1].at.turn == 1


def test_a_skipped_first_main_phase_counts_if_the_option_says_so() -> None:
    """CR 505.1a against 614.10a."""
    model = fsm.load("magic", {"would_begin": True, "first_main_counts_skipped": True})
    game = TurnController(model, ["A", "B"], orders=[AskBefore("main", id="once")])
    found = steps(game, skip(Withdraw("once")))
    assert "precombat_main" not in found
    assert "postcombat_main" in found


def test_no_turn_is_this_turn_between_two_turns() -> None:
    game = started(AskBefore("turn", "A", id="x"))
    assert "upkeep" in steps(game, skip(SkipStep("upkeep", scope="this_turn"), Withdraw("x")))


def test_a_phase_added_between_two_turns_waits_for_the_next_turn() -> None:
    """CR 500.8: after the combat phase that comes next."""
    game = started(AskBefore("turn", "A", id="x"))
    assert (
        steps(game, skip(AddPhase(("main",), after="combat"), Withdraw("x"))).count(
            "postcombat_main"
        )
        == 1
    )
    assert game.agenda.extras == ()


def test_an_added_turn_that_is_skipped_came_to_nothing() -> None:
    game = started(AskBefore("turn", extra=True), AddTurn("A"))
    assert isinstance(game.request, WouldBegin)
    game.answer(skip()(game.request))
    assert [(r.order, r.state, r.why) for r in game.results] == [
        (AddTurn("A"), "nothing", "it was skipped")
    ]


def test_an_added_step_that_is_skipped_came_to_nothing() -> None:
    extra = AddStep("upkeep", after="upkeep")
    game = started(AskBefore("upkeep", extra=True), extra)
    for request in played(game, skip()):
        if isinstance(request, WouldBegin):
            break
    game.answer(quiet(game.request, word="skip"))
    assert [(r.order, r.state, r.why) for r in game.results] == [
        (extra, "nothing", "it was skipped")
    ]


def test_what_is_withdrawn_is_said() -> None:
    game = started(AskBefore("upkeep", id="x"))
    game.order(Withdraw("x"))
    assert [result.state for result in game.results] == ["done"]
    game.order(Withdraw("x"))
    assert [result.state for result in game.results] == ["nothing"]


def test_between_two_turns_no_skip_is_for_this_turn() -> None:
    game = started(AskBefore("turn"))
    game.answer(quiet(game.request, orders=[SkipStep("upkeep", scope="this_turn")]))
    assert [(result.state, result.why) for result in game.results] == [
        ("nothing", "no turn is under way")
    ]


# who is asked, who leaves -------------------------------------------------------------------------


def test_a_team_is_asked_once() -> None:
    """CR 805.8."""
    model = fsm.load("magic", {"would_begin": True})
    game = TurnController(
        model, list("ABCD"), teams=[["A", "B"], ["C", "D"]], orders=[AskBefore("turn", "D")]
    )
    [request] = asked(game)
    assert (request.player, request.players) == ("C", ("C", "D"))


@pytest.mark.parametrize("name", names())
def test_whose_turn_it_would_be_leaves(name: str) -> None:
    """CR 800.4k: that turn does not begin, and no turn that is over ends once more."""
    game = started(AskBefore("turn"), players="ABC", ruleset=name)
    for request in played(game):
        if isinstance(request, WouldBegin) and request.player == "B":
            break
    request = game.order(Leave("B"))
    assert isinstance(request, WouldBegin)
    assert request.player == "C"
    assert isinstance(game.answer(quiet(request, signal=leaves("A"))), Over)


@pytest.mark.parametrize("name", names())
def test_the_player_of_the_turn_before_leaves(name: str) -> None:
    game = started(AskBefore("turn"), players="ABC", ruleset=name)
    for request in played(game):
        if isinstance(request, WouldBegin) and request.player == "B":
            break
    before = game.request
    game.order(Leave("A"))
    assert game.request == before
    game.answer(quiet(game.request, word="skip", signal=leaves("C")))
    assert isinstance(game.request, Over)
    assert game.request.winners == ("B",)


def test_who_has_left_begins_nothing() -> None:
    game = started(AskBefore("upkeep", "B"), players="ABC")
    game.order(Leave("B"))
    assert asked(game, until=4) == []


# mistakes -----------------------------------------------------------------------------------------


def test_a_model_without_the_option_names_it() -> None:
    with pytest.raises(
        OrderError,
        match="magic does not ask before anything begins: load it with the option would_begin",
    ):
        TurnController(fsm.load("magic"), ["A", "B"], orders=[AskBefore("turn")])


@pytest.mark.parametrize(
    ("ruleset", "order", "message"),
    [
        (
            "magic",
            AskBefore("upkep"),
            "'upkep' is no turn, phase or step of magic; did you mean 'upkeep'?",
        ),
        ("magic", AskBefore("upkeep", level="phase"), "'upkeep' is no phase of magic"),
        ("magic", AskBefore("turn", "Z"), "player 'Z' is not in this game"),
        ("grand-archive", AskBefore("beginning_of_combat"), "is no turn|its rules skip no step"),
    ],
)
def test_an_order_that_does_not_fit(ruleset: str, order: Order, message: str) -> None:
    with pytest.raises(OrderError, match=message.replace("?", r"\?")):
        started(order, ruleset=ruleset)


def test_steps_are_not_asked_for_where_no_rule_skips_them() -> None:
    steps = {state.name for state in fsm.load("grand-archive").of_kind("step")}
    phases = {
        word for s in fsm.load("grand-archive").of_kind("phase") for word in (s.name, s.family)
    }
    for step in steps - phases:
        with pytest.raises(
            OrderError, match=f"does not ask before '{step}': its rules skip no step"
        ):
            started(AskBefore(step), ruleset="grand-archive")


def test_done_is_no_answer() -> None:
    game = started(AskBefore("turn"))
    with pytest.raises(AnswerError, match="answer 'skip' or 'begin', not 'done'"):
        game.answer(Answer())


def test_no_signal_is_heard_there() -> None:
    game = started(AskBefore("turn"))
    with pytest.raises(AnswerError, match="no signal 'end_turn' comes at 'turn_would_begin'"):
        game.answer(Answer("begin", signal=fsm.Signal("end_turn")))


def test_as_many_as_the_agenda_holds() -> None:
    with pytest.raises(OrderError, match="at most 1000 entries"):
        started(*[AskBefore("turn")] * 1001)


# saving, sending, hosts ---------------------------------------------------------------------------


def test_a_snapshot_keeps_who_is_to_be_asked() -> None:
    game = started(
        AskBefore("turn", "B", extra=True, id="x"), AskBefore("upkeep", id="y"), AddTurn("B")
    )
    for request in played(game):
        again = TurnController.restore(game.model, json.loads(json.dumps(game.snapshot())))
        assert (again.request, again.agenda) == (request, game.agenda)


def test_it_goes_through_the_wire() -> None:
    game = started(AskBefore("turn", "A", id="vault"))
    sent = json.loads(json.dumps(wire.dump(game.request)))
    assert wire.request_of(sent) == game.request
    answer = Answer("skip", orders=(AskBefore("upkeep", "B", extra=True, id="x"),))
    assert wire.answer_of(json.loads(json.dumps(wire.dump(answer)))) == answer


class Host:
    def perform(self, request: Request | Over) -> Answer:
        return Answer()

    check = place = resolve = perform

    def priority(self, request: Request | Over) -> Answer:
        return Answer("passed")

    def facts(self, wanted: tuple[str, ...]) -> dict[str, bool]:
        return {name: name == "stack_empty" for name in wanted}

    def notice(self, expired: tuple[str, ...], triggered: tuple[str, ...]) -> None:
        pass


class Vault(Host):
    def would_begin(self, request: WouldBegin) -> Answer:
        return Answer("skip")


def test_a_host_may_answer_what_would_begin() -> None:
    first = lambda request: bool(request.at.step)  # noqa: E731
    assert fsm.drive(started(AskBefore("turn", "A")), Vault(), until=first).at.active == "B"
    assert fsm.drive(started(AskBefore("turn", "A")), Host(), until=first).at.active == "A"


def test_a_table_of_ones_own_can_ask() -> None:
    """`FrameRules` has the option, for turns, phases and steps that effects can skip."""
    rules = FrameRules(turn="1", begin="2", end="3", skip="4", would_begin=True)
    step = Step("main", "Main", "5", (Window("6"),))
    table = Table(
        "mine",
        "Mine",
        "1",
        (Phase("all", "All", "5", (step,)),),
        rules,
        priority_window("mine", edition="1"),
    )
    game = TurnController(
        table.build(), ["A", "B"], orders=[AskBefore("main"), AskBefore("all"), AskBefore("turn")]
    )
    asked = [r.at.stage for r in played(game) if isinstance(r, WouldBegin)]
    assert asked[:4] == [
        "turn_would_begin",
        "all_phase_would_begin",
        "main_would_begin",
        "turn_would_begin",
    ]


def test_old_snapshots_are_read() -> None:
    """They know nothing of subscriptions."""
    game = started()
    data = json.loads(json.dumps(game.snapshot()))
    assert "subscriptions" not in json.dumps(data)
    assert TurnController.restore(game.model, data).agenda.subscriptions == ()
