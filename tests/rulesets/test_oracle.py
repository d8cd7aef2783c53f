"""Random games: the machine against an independent account of the turn, visit by visit.

A run plays FSM_FUZZ_GAMES games (by default 60, in the thorough tests 600) from the seed
FSM_FUZZ_SEED (by default 0). A long one:

    FSM_FUZZ_GAMES=20000 FSM_FUZZ_SEED=1 python -m pytest -n auto tests/rulesets/test_oracle.py
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from fsm import (
    AddPhase,
    AddStep,
    AddTurn,
    ControlNextTurn,
    ReverseTurnOrder,
    Signal,
    SkipPhase,
    SkipStep,
    SkipTurn,
    Withdraw,
)
from fsm.errors import FsmError
from fsm.model import Model, Term
from fsm.orders import Order
from fsm.state.agenda import Agenda
from fsm.state.entries import PendingExtra, PendingTurn
from support.amounts import amount, sample, thorough
from support.driver import Driver
from support.oracle import STEPS, Happening, Oracle, Place, Resolution, Script, Visit

GAMES = int(os.environ.get("FSM_FUZZ_GAMES", amount(40, 600)))
SEED = int(os.environ.get("FSM_FUZZ_SEED", "0"))
PARTS = 4
VISITS = (12, 12, 25, 40)  # a turn, two, and a few
SABOTAGED_GAMES = 1000

FAMILIES = tuple(STEPS)
LABELS = (*FAMILIES, "precombat_main", "postcombat_main")
NAMES = tuple(step for steps in STEPS.values() for step in steps if step != "main")
# what may be skipped each time for ever: never all of a turn, or the game would go round in silence
EACH_PHASE = ("beginning", "combat")
EACH_STEP = ("untap", "upkeep", "draw", "declare_attackers", "combat_damage")

TABLES = (
    (("A",), ("B",)),
    (("A",), ("B",), ("C",)),
    (("A",), ("B",), ("C",), ("D",)),
    (("A", "B"), ("C", "D")),
    (("A",), ("B", "C", "D")),
    (("A", "B"), ("C",)),
)

label = st.sampled_from(("", "", "", "x", "y"))
few = st.sampled_from((1, 1, 1, 2))
yes_or_no = st.booleans()


def turns(player: st.SearchStrategy[str]) -> st.SearchStrategy[Order]:
    none, several = st.just(""), st.lists(player, min_size=1, max_size=3).map(tuple)
    scope = st.sampled_from(("next", "next", "each"))
    return st.one_of(
        st.builds(AddTurn, player, few, label, st.one_of(none, label)),
        st.builds(AddTurn, none, few, label, st.one_of(none, label), several),
        st.builds(SkipTurn, player, few, st.just(False), st.just("next"), label),
        st.builds(SkipTurn, player, few, st.just(True), scope, label),
        st.builds(
            SkipTurn, none, few, st.just(True), scope, label, st.one_of(st.just(()), several)
        ),
        st.builds(SkipTurn, none, few, st.just(False), st.just("next"), label, several),
        controls(player),
        st.builds(Withdraw, st.sampled_from(("x", "y"))),
        st.just(ReverseTurnOrder()),
    )


def controls(player: st.SearchStrategy[str]) -> st.SearchStrategy[Order]:
    return st.builds(ControlNextTurn, player, player, yes_or_no, label, label)


def skips(player: st.SearchStrategy[str]) -> st.SearchStrategy[Order]:
    whose = st.one_of(st.just(""), player)
    scope = st.sampled_from(("next", "next", "this_turn", "all_next_turn"))
    steps = st.sampled_from((*NAMES, "first_strike_damage"))
    return st.one_of(
        st.builds(SkipPhase, st.sampled_from(FAMILIES), whose, scope, label, label),
        st.builds(SkipStep, steps, whose, scope, label, label),
        st.builds(SkipPhase, st.sampled_from(EACH_PHASE), whose, st.just("each"), label, label),
        st.builds(SkipStep, st.sampled_from(EACH_STEP), whose, st.just("each"), label, label),
    )


def extras(player: st.SearchStrategy[str]) -> st.SearchStrategy[Order]:
    phases = st.lists(st.sampled_from(FAMILIES), min_size=1, max_size=2).map(tuple)
    step, after = st.sampled_from(NAMES), st.sampled_from(("current_step", "current_phase", *NAMES))
    nth, you = st.sampled_from((1, 1, 2, 3)), st.sampled_from((False, False, True))
    return st.one_of(
        st.builds(AddPhase, phases, st.just(""), st.just(1), few, player, you, label),
        st.builds(AddPhase, phases, st.sampled_from(LABELS), nth, few, player, you, label),
        st.builds(AddStep, step, after, st.just(""), few, player, you, label),
        st.builds(AddStep, step, st.just("current_step"), st.just(""), few, player, you, label),
        st.builds(AddStep, step, st.just(""), st.sampled_from(NAMES), few, player, you, label),
    )


def seldom(player: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(st.just(""), st.just(""), st.just(""), st.just(""), player)


@st.composite
def games(draw: st.DrawFn) -> tuple[Script, int]:
    """A game with things happening in some visits of steps, and how many visits to play."""
    visits = draw(st.sampled_from(VISITS))
    sides = draw(st.sampled_from(TABLES))
    player = st.sampled_from([player for side in sides for player in side])
    order = st.one_of(extras(player), extras(player), skips(player), turns(player))
    signal = st.one_of(
        st.none(),
        st.sampled_from((Signal("end_turn"), Signal("end_phase"), Signal("end_phase"))),
        st.builds(Signal, st.just("player_left"), player),
    )
    orders = st.lists(order, max_size=3).map(tuple)
    cause = st.sampled_from(("", "sba", "trigger"))
    happening = st.builds(
        Happening,
        orders,
        seldom(player),
        cause,
        st.lists(st.builds(Resolution, orders, yes_or_no, signal, cause), max_size=2).map(tuple),
        seldom(player),
        yes_or_no,
        seldom(player),
    )
    busy = st.tuples(st.integers(0, visits - 2), st.lists(happening, min_size=1, max_size=6))
    happenings: dict[int | Place, Happening] = {
        start + number: each
        for start, some in draw(st.lists(busy, max_size=3))
        for number, each in enumerate(some)
    }
    script = Script(
        sides,
        draw(st.lists(st.one_of(skips(player), turns(player)), max_size=2).map(tuple)),
        happenings,
        draw(st.lists(st.sampled_from((True, True, False)), min_size=1, max_size=3).map(tuple)),
        draw(st.lists(yes_or_no, min_size=1, max_size=3).map(tuple)),
    )
    return script, visits


def agree(script: Script, model: Model, visits: int) -> None:
    """The machine and the oracle visit the same steps."""
    wanted = Oracle(script).play(visits)
    got = Driver(script, model).play(visits)
    assert list(map(words, got)) == list(map(words, wanted))


def words(visit: Visit) -> str:
    """One line a visit, so that a difference can be read."""
    turn = f"turn {visit.turn} {visit.active}{'+' if visit.extra else ''} by {visit.controller}"
    return f"{turn}: {visit.phase}/{visit.step} {visit.iteration}"


def play(model: Model, number: int, count: int, phases: tuple[Phase, ...] = tuple(Phase)) -> None:
    """Let Hypothesis make games; the shortest on which machine and oracle differ is what it raises."""

    @seed(number)
    @settings(
        max_examples=count,
        phases=phases,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    @given(games())
    def all_agree(game: tuple[Script, int]) -> None:
        script, visits = game
        agree(script, model, visits)

    all_agree()


@pytest.mark.parametrize("part", range(PARTS))
def test_machine_and_oracle_agree(part: int, magic: Model) -> None:
    """Any game at all: turn, active player, controller, phase, step and iteration of every visit."""
    play(magic, SEED * PARTS + part, max(1, GAMES // PARTS))


def resolves(*orders: Order, signal: Signal | None = None) -> Happening:
    return Happening(resolutions=(Resolution(orders, signal=signal),))


FOUND: dict[str, Script] = {
    "a step added to a phase that holds only another": Script(
        TABLES[0],
        happenings={
            (1, "upkeep", 1): resolves(AddStep("upkeep", "current_phase")),
            (1, "upkeep", 2): resolves(AddStep("draw")),
        },
    ),
    "a step before a step added to a phase that holds only another": Script(
        TABLES[0],
        happenings={
            (1, "upkeep", 1): resolves(AddStep("upkeep", "current_phase")),
            (1, "upkeep", 2): resolves(AddStep("untap", before="draw"), AddStep("draw")),
        },
    ),
    "a phase added in the cleanup step of a turn ended in its end step": Script(
        TABLES[0],
        happenings={
            (1, "end", 1): resolves(signal=Signal("end_turn")),
            (1, "cleanup", 1): Happening((AddPhase(("beginning",)),)),
        },
    ),
    "a draw step added before the first one, which is left out": Script(
        TABLES[0],
        happenings={
            (1, "untap", 1): Happening((AddStep("draw"),)),
            (1, "draw", 1): resolves(AddPhase(("main",))),
        },
    ),
    "two players control the same turn, and an extra turn follows": Script(
        TABLES[0], (ControlNextTurn("A", "B", extra_turn_after=True), ControlNextTurn("A", "A"))
    ),
    "the player who controls the turn leaves in the middle of a step": Script(
        TABLES[1],
        (ControlNextTurn("A", "B"),),
        {
            (1, "declare_attackers", 1): Happening(resigns="B"),
            (2, "upkeep", 1): Happening(leaves="C"),
        },
    ),
}


@pytest.mark.parametrize("what", FOUND)
def test_what_random_games_have_found(what: str, magic: Model) -> None:
    """Games on which the two once differed."""
    agree(FOUND[what], magic, 25)


# what is broken on purpose must be noticed --------------------------------------------------------


def change(model: Model, transition: str, **parts: object) -> Model:
    """The model with one transition changed."""
    old = model.transition(transition)
    new = replace(old, **parts)  # type: ignore[arg-type]
    return replace(model, transitions=tuple(new if t is old else t for t in model.transitions))


def without_action(model: Model, name: str) -> Model:
    """The model in which no transition does this."""
    kept = (
        replace(t, actions=tuple(a for a in t.actions if a.name != name)) for t in model.transitions
    )
    return replace(model, transitions=tuple(kept))


SABOTAGE: dict[str, Callable[[Model], Model]] = {
    "skips are never used up": lambda m: without_action(m, "consume_skip"),
    "what hung in an ended turn leaks": lambda m: without_action(m, "drop"),
    "the turn can be ended only once": lambda m: change(
        m, "end_turn_leave -> cleanup_begin [ending_under_way]", target="turn_end"
    ),
    "extra turns only after the first turn": lambda m: change(
        m,
        "turn_hub -> turn_before [extra_turn_due]",
        guard=(Term("extra_turn_due"), Term("first_turn")),
    ),
}


@pytest.mark.parametrize("what", sample(SABOTAGE, 1, seed=2))  # the others take long to be noticed
def test_a_broken_model_is_noticed(what: str, magic: Model) -> None:
    with pytest.raises((AssertionError, FsmError)):
        play(SABOTAGE[what](magic), 1, SABOTAGED_GAMES, (Phase.generate,))


def oldest_first(agenda: Agenda, level: str) -> PendingExtra | None:
    """Extra phases and steps oldest first, against 500.8 and 500.9."""
    return EXTRA_DUE(replace(agenda, extras=agenda.extras[::-1]), level)


def at_once(agenda: Agenda) -> PendingTurn | None:
    """Extra turns without waiting for the turn that they come after, against 500.7."""
    return agenda.turns[0] if agenda.turns else None


def never_withdrawn(agenda: Agenda, label: str) -> None:
    """Nothing is withdrawn, against 614.10a."""


def never_reversed(agenda: Agenda) -> None:
    """Turns always come in seat order, against 103.1."""
    order, agenda.reversed = agenda.reversed, False
    NEXT_PLAYER(agenda)
    agenda.reversed = order


EXTRA_DUE, NEXT_PLAYER = Agenda.extra_due, Agenda.next_player
BROKEN = {
    "extra_due": oldest_first,
    "turn_due": at_once,
    "withdraw": never_withdrawn,
    "next_player": never_reversed,
}


@thorough
@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_agenda_is_noticed(
    name: str, monkeypatch: pytest.MonkeyPatch, magic: Model
) -> None:
    monkeypatch.setattr(Agenda, name, BROKEN[name])
    with pytest.raises((AssertionError, FsmError)):
        play(magic, 1, SABOTAGED_GAMES, (Phase.generate,))
