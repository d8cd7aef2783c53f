"""With the option `moments` the host is asked as a turn, phase or step begins, and as a turn ends."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import pytest

import fsm
from fsm.embedding import AutoPass, Stops
from fsm.embedding.aio import AutoPass as AsyncAutoPass
from fsm.embedding.aio import TimeLimit
from fsm.embedding.aio import drive as async_drive
from fsm.engine.controller import TurnController
from fsm.engine.requests import (
    Answer,
    PhaseBegins,
    Request,
    StepBegins,
    TurnBegins,
    TurnEnds,
)
from fsm.errors import AnswerError
from fsm.rulesets import names
from fsm.state.orders import (
    AddStep,
    AddTurn,
    DelayedTrigger,
    Effect,
    Order,
    SkipPhase,
    SkipStep,
    SkipTurn,
)
from support.playing import leaves, quiet

MOMENTS = (TurnBegins, PhaseBegins, StepBegins, TurnEnds)


Given = Mapping[str, Sequence[Order]]


def asked(game: TurnController, given: Given | None = None, *, until: int = 2) -> Iterator[Request]:
    """Play quietly, up to a turn; orders are given once, where a state is asked for the first time."""
    orders = dict(given or {})
    while game.request.at.turn < until and not isinstance(game.request, fsm.Over):
        yield game.request
        game.answer(quiet(game.request, orders=orders.pop(game.request.state, ())))
    assert not orders


def steps(game: TurnController, given: Given | None = None, *, until: int = 2) -> list[str]:
    """The steps that begin, in their order."""
    return [
        request.at.step
        for request in asked(game, given, until=until)
        if isinstance(request, StepBegins)
    ]


@pytest.fixture
def game() -> TurnController:
    return TurnController(fsm.load("magic", {"moments": True}), ["Ann", "Ben"])


def moments(request: Request) -> bool:
    return isinstance(request, MOMENTS)


def test_a_turn_of_magic_asks_at_each_beginning_and_at_its_end(game: TurnController) -> None:
    """CR 500.1, 501 to 514: phases and their steps; the first draw step and a combat without
    attackers are skipped.
    """
    found = [(type(r).__name__, r.at.step or r.at.phase) for r in asked(game) if moments(r)]
    assert found == [
        ("TurnBegins", ""),
        ("PhaseBegins", "beginning"), ("StepBegins", "untap"), ("StepBegins", "upkeep"),
        ("PhaseBegins", "precombat_main"), ("StepBegins", "precombat_main"),
        ("PhaseBegins", "combat"), ("StepBegins", "beginning_of_combat"), ("StepBegins", "declare_attackers"),
        ("StepBegins", "end_of_combat"),
        ("PhaseBegins", "postcombat_main"), ("StepBegins", "postcombat_main"),
        ("PhaseBegins", "ending"), ("StepBegins", "end"), ("StepBegins", "cleanup"),
        ("TurnEnds", "cleanup"),
    ]  # fmt: skip


@pytest.mark.parametrize("name", names())
def test_only_the_moments_are_added(name: str) -> None:
    """Everything else is asked as before, at the same places."""
    usual = TurnController(fsm.load(name), ["Ann", "Ben"])
    more = TurnController(fsm.load(name, {"moments": True}), ["Ann", "Ben"])
    without = [
        (type(request), request.at) for request in asked(more, until=4) if not moments(request)
    ]
    assert without == [(type(request), request.at) for request in asked(usual, until=4)]


@pytest.mark.parametrize("name", names())
def test_without_the_option_the_model_is_the_same(name: str) -> None:
    assert fsm.load(name, {"moments": False}) == fsm.load(name)
    assert not [state for state in fsm.load(name).leaves if state.asks == "turn_begins"]
    assert ("moments", True) in fsm.load(name, {"moments": True}).options


def test_a_skip_ordered_as_the_turn_begins_counts_for_this_turn(game: TurnController) -> None:
    """CR 614.10: the untap step of this turn would begin after the turn has."""
    given = {"turn_begin": [SkipStep("untap", "Ann")]}
    assert steps(game, given)[:2] == ["upkeep", "precombat_main"]
    assert steps(game, until=4).count("untap") == 2


def test_a_skip_ordered_as_the_turn_ends_counts_for_the_next_one(game: TurnController) -> None:
    """CR 614.10a: the step that would begin next."""
    given = {"turn_end": [SkipStep("untap")]}
    assert "untap" in steps(game, given)
    assert steps(game, until=3)[0] == "upkeep"


def test_a_step_that_has_begun_cannot_be_skipped(game: TurnController) -> None:
    """CR 614.10a: a skip waits for the next such step."""
    assert steps(game, {"upkeep_begin": [SkipStep("upkeep", "Ann")]}).count("upkeep") == 1
    assert "upkeep" in steps(game, until=3)
    assert "upkeep" not in steps(game, until=4)


def test_a_phase_that_has_begun_cannot_be_skipped_but_its_steps_can(game: TurnController) -> None:
    given: Given = {
        "combat_phase_begin": [SkipPhase("combat", "Ann"), SkipStep("beginning_of_combat")]
    }
    found = steps(game, given)
    assert "declare_attackers" in found
    assert "beginning_of_combat" not in found


def test_an_extra_turn_ordered_as_the_turn_ends_comes_next(game: TurnController) -> None:
    """CR 500.7: directly after this turn."""
    list(asked(game, {"turn_end": [AddTurn("Ann")]}))
    assert (game.request.at.active, game.request.at.extra) == ("Ann", True)


def test_a_turn_is_skipped_that_is_ordered_so_as_the_turn_before_ends(game: TurnController) -> None:
    list(asked(game, {"turn_end": [SkipTurn("Ben")]}))
    assert game.request.at.active == "Ann"


def test_what_triggers_as_a_step_begins_is_told_there(game: TurnController) -> None:
    """CR 603.2b."""
    given = {"turn_begin": [DelayedTrigger("pact", "upkeep", "Ann")]}
    found = next(request for request in asked(game, given) if request.triggered)
    assert (type(found), found.state, found.triggered) == (StepBegins, "upkeep_begin", ("pact",))


def test_an_effect_that_ends_as_a_turn_begins_is_told_there(game: TurnController) -> None:
    given = {"upkeep_end": [Effect("guard", "Ann", "your_next_turn")]}
    found = next(request for request in asked(game, given, until=4) if request.expired)
    assert (type(found), found.at.turn) == (TurnBegins, 3)


def test_a_step_added_before_the_first_one(game: TurnController) -> None:
    """CR 500.9."""
    given = {"beginning_phase_begin": [AddStep("upkeep", before="untap")]}
    assert steps(game, given)[:3] == ["upkeep", "untap", "upkeep"]


def test_the_next_cleanup_step_is_asked_too(game: TurnController) -> None:
    """CR 514.3a."""
    for request in asked(game):
        if request.state == "cleanup_remove_damage_and_end_effects":
            break
    game.answer(quiet(game.request))
    game.answer(quiet(game.request, {"triggers_waiting": True}))
    again = [
        (request.at.step, request.at.iteration)
        for request in asked(game)
        if isinstance(request, StepBegins)
    ]
    assert again == [("cleanup", 2)]


@pytest.mark.parametrize(
    "state", ["turn_begin", "beginning_phase_begin", "untap_begin", "turn_end"]
)
def test_somebody_leaves_at_a_moment(state: str) -> None:
    """CR 800.4a, 800.4j: the game goes on as long as two are left."""
    game = TurnController(fsm.load("magic", {"moments": True}), ["Ann", "Ben", "Cleo"])
    next(request for request in asked(game) if request.state == state)
    while game.request.state != state:
        game.answer(quiet(game.request))
    game.order(fsm.Leave("Ann"))
    assert game.request.state == state
    game.answer(quiet(game.request, signal=leaves("Ben")))
    assert isinstance(game.request, fsm.Over)


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("alone", [False, True])
def test_the_active_player_leaves_as_the_turn_ends(name: str, alone: bool) -> None:
    """The turn is over: it does not end once more (CR 800.4j; Ending the Game GR8)."""
    game = TurnController(
        fsm.load(name, {"moments": True}), ["Ann", "Ben", "Cleo"][: 2 if alone else 3]
    )
    while not isinstance(game.request, TurnEnds):
        game.answer(quiet(game.request))
    between, after = game.fork(), game.fork()
    between.order(fsm.Leave("Ann"))
    if not alone:
        assert between.request == replace(game.request, players=())
        between.answer(quiet(between.request))
    after.answer(quiet(after.request, orders=[fsm.Leave("Ann")]))
    for one in (between, after):
        assert isinstance(one.request, fsm.Over if alone else TurnBegins)
        assert one.request.at.active == ("Ann" if alone else "Ben")


def test_nothing_resolves_at_a_moment_that_could_end_the_turn(game: TurnController) -> None:
    """CR 723.1: a resolving spell or ability ends the turn."""
    for request in asked(game):
        if moments(request):
            with pytest.raises(
                AnswerError, match=f"no signal 'end_turn' comes at '{request.state}'"
            ):
                game.answer(quiet(request, signal=fsm.Signal("end_turn")))


def test_a_snapshot_taken_at_a_moment_is_restored(game: TurnController) -> None:
    for request in asked(game):
        if moments(request):
            again = TurnController.restore(game.model, game.snapshot())
            assert again.request == request


class Host:
    """Answers quietly, and notes the moments that it is asked at."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def perform(self, request: Request) -> Answer:
        return Answer()

    check = place = resolve = perform

    def priority(self, request: Request) -> Answer:
        return Answer("passed")

    def facts(self, wanted: tuple[str, ...]) -> dict[str, bool]:
        return {name: name == "stack_empty" for name in wanted}

    def notice(self, expired: tuple[str, ...], triggered: tuple[str, ...]) -> None:
        pass


class Asked(Host):
    def turn_begins(self, request: TurnBegins) -> Answer:
        self.seen.append(request.state)
        return Answer(orders=(SkipStep("untap"),))

    def step_begins(self, request: StepBegins) -> Answer:
        self.seen.append(request.state)
        return Answer()


def second(request: Request) -> bool:
    return request.at.turn == 2


def test_a_host_may_have_methods_for_moments(game: TurnController) -> None:
    host = Asked()
    fsm.drive(game, host, until=second)
    assert host.seen[:2] == ["turn_begin", "upkeep_begin"]


def test_a_host_without_them_lets_the_turn_go_on(game: TurnController) -> None:
    assert fsm.drive(game, Host(), until=second).state == "turn_begin"


def test_hosts_around_a_host_ask_it_too(game: TurnController) -> None:
    around, plain = Asked(), Host()
    fsm.drive(game.fork(), AutoPass(around, Stops(game.model, ["Ann", "Ben"])), until=second)
    fsm.drive(game.fork(), AutoPass(plain, Stops(game.model, ["Ann", "Ben"])), until=second)
    assert around.seen[:2] == ["turn_begin", "upkeep_begin"]


def test_asynchronous_hosts_around_a_host_ask_it_too(game: TurnController) -> None:
    passing, limited = Asked(), Asked()
    stops = Stops(game.model, ["Ann", "Ben"])
    asyncio.run(async_drive(game.fork(), AsyncAutoPass(passing, stops), until=second))
    asyncio.run(
        async_drive(game.fork(), TimeLimit(limited, lambda request: 60, quiet), until=second)
    )
    asyncio.run(
        async_drive(game.fork(), TimeLimit(Host(), lambda request: 60, quiet), until=second)
    )
    assert passing.seen == limited.seen
    assert passing.seen[:2] == ["turn_begin", "upkeep_begin"]


def test_each_beginning_is_asked_between_the_choice_and_what_follows() -> None:
    """The moments are states of the model; the firings go through them one by one."""
    game = TurnController(fsm.load("grand-archive", {"moments": True}), ["Ann", "Ben"])
    states = [request.state for request in asked(game) if moments(request)]
    model = game.model
    assert all(model.state(one).role in ("begin", "end") for one in states)
    assert [a for a, b in pairwise(states) if a == b] == []
