"""Random games: the machine against independent accounts of the turn.

A run plays FSM_FUZZ_GAMES games of each ruleset (by default 8, in the thorough tests 300) from
the seed FSM_FUZZ_SEED. The thorough tests also show the shortest game that differs. A long run:

    FSM_FUZZ_GAMES=20000 FSM_FUZZ_SEED=1 python -m pytest tests/rulesets/test_oracle.py
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from itertools import chain

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings, strategies as st

import fsm
from fsm import (
    AddPhase,
    AddStep,
    AddTurn,
    ControlNextTurn,
    Effect,
    Order,
    ReverseTurnOrder,
    SkipPhase,
    SkipStep,
    SkipTurn,
    Withdraw,
)
from support.amounts import THOROUGH, amount
from support.archiveoracle import PHASES, ArchiveOracle
from support.magicoracle import STEPS, MagicOracle
from support.oraclegame import Deed, Sides, Story, Table, watching

GAMES = int(os.environ.get("FSM_FUZZ_GAMES", amount(3, 300)))
SEED = int(os.environ.get("FSM_FUZZ_SEED", "0"))
SEARCH = (Phase.generate, Phase.shrink) if THOROUGH else (Phase.generate,)

FAMILIES = tuple(STEPS)
NAMES = tuple(step for steps in STEPS.values() for step in steps if step != "main")
TABLES: tuple[Sides, ...] = (
    (("A",), ("B",)),
    (("A",), ("B",), ("C",)),
    (("A",), ("B",), ("C",), ("D",)),
    (("A", "B"), ("C", "D")),
    (("A",), ("B", "C", "D")),
    (("A", "B"), ("C",)),
)

label = st.sampled_from(("", "", "x", "x", "y"))
few = st.sampled_from((1, 1, 1, 2))
booleans = st.lists(st.booleans(), min_size=1, max_size=3).map(tuple)
Players = st.SearchStrategy[str]
Orders = st.SearchStrategy[Order]


def turns(player: Players) -> Orders:
    several = st.lists(player, min_size=1, max_size=3).map(tuple)
    named = st.fixed_dictionaries({"players": several}) | st.fixed_dictionaries({"player": player})
    scope = st.sampled_from(("next", "each"))
    return st.one_of(
        st.builds(
            lambda who, **rest: AddTurn(**who, **rest), named, count=few, id=label, after=label
        ),
        st.builds(lambda who, **rest: SkipTurn(**who, **rest), named, count=few, id=label),
        st.builds(SkipTurn, player | st.just(""), extra=st.just(True), scope=scope, id=label),
        st.builds(ControlNextTurn, player, player, st.booleans(), label, label),
        st.builds(Withdraw, st.sampled_from(("x", "y"))),
        st.just(ReverseTurnOrder()),
    )


def skips(player: Players) -> Orders:
    """Never all of a turn for ever, or the game would go round in silence."""
    rest = {"player": player | st.just(""), "id": label, "within": label}
    scope = st.sampled_from(("next", "next", "this_turn", "all_next_turn"))
    often = st.sampled_from(("untap", "upkeep", "draw", "declare_attackers", "combat_damage"))
    return st.one_of(
        st.builds(SkipPhase, st.sampled_from(FAMILIES), scope=scope, **rest),
        st.builds(SkipStep, st.sampled_from((*NAMES, "first_strike_damage")), scope=scope, **rest),
        st.builds(
            SkipPhase, st.sampled_from(("beginning", "combat")), scope=st.just("each"), **rest
        ),
        st.builds(SkipStep, often, scope=st.just("each"), **rest),
    )


def extras(player: Players, *, now: bool) -> Orders:
    """`now`: as today's rules have them, with "you get" and steps that follow a phase."""
    step, nth = st.sampled_from(NAMES), st.sampled_from((1, 1, 2, 3))
    several = st.lists(st.sampled_from(FAMILIES), min_size=1, max_size=2).map(tuple)
    anchor = st.sampled_from((*FAMILIES, "precombat_main", "postcombat_main"))
    after = st.sampled_from(("current_step", "current_phase" if now else "current_step", *NAMES))
    you_get = st.sampled_from((False, False, now))
    rest = {"count": few, "player": player, "you_get": you_get, "id": label}
    return st.one_of(
        st.builds(AddPhase, phases=several, **rest),
        st.builds(AddPhase, phases=several, after=anchor, nth=nth, **rest),
        st.builds(AddStep, step, after, **rest),
        st.builds(AddStep, step, before=step, **rest),
    )


@cache
def story_of(sides: Sides, now: bool) -> st.SearchStrategy[Story]:
    """A game of Magic at this table, with things happening now and then."""
    player = st.sampled_from([player for side in sides for player in side])
    order = st.one_of(
        extras(player, now=now), extras(player, now=now), skips(player), turns(player)
    )
    deed = st.builds(
        Deed,
        after=st.sampled_from((0, 0, 1, 2, 3, 5, 10, 30)),
        orders=st.lists(order, min_size=1, max_size=3).map(tuple),
        ends=st.sampled_from(("", "", "", "turn", "phase" if now else "")),
        leaves=st.sampled_from(("", "", "", "", "", "", "", "", *chain(*sides))),
        attacks=st.booleans(),
        cause=st.sampled_from(("", "", "sba", "trigger")),
        choice=st.sampled_from((*[""] * 15, "concede")),
    )
    return st.builds(
        Story,
        st.just(sides),
        st.lists(skips(player) | turns(player), max_size=3).map(tuple),
        st.lists(deed, min_size=3, max_size=12).map(tuple),
        st.sampled_from((60, 150, 300)),
        booleans,
        booleans,
    )


def played(number: int, story: st.SearchStrategy[Story], check: Callable[[Story], None]) -> None:
    """Let Hypothesis make games, until machine and oracle differ."""

    @seed(number)
    @settings(
        max_examples=GAMES,
        phases=SEARCH,
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
    )
    @given(story)
    def all_agree(one: Story) -> None:
        check(one)

    all_agree()


@pytest.mark.parametrize("name", ["magic", "magic-2010"])
def test_machine_and_list_agree(name: str) -> None:
    """Every visit of a step: turn, active player, controller, phase, step and iteration."""

    def agree(story: Story) -> None:
        table = Table(fsm.load(name), story)
        oracle = MagicOracle(story.sides, story.orders, table.play())
        oracle.follow()
        assert not oracle.moments
        assert oracle.over == (table.game.over is not None)

    played(
        SEED, st.sampled_from(TABLES).flatmap(lambda sides: story_of(sides, name == "magic")), agree
    )


WATCHED = ("wake_up", "recollection", "main", "retaliation", "end_of_combat", "end")
SEATS = ("AB", "ABC", "ABCD")


@cache
def archive_story_of(seats: str) -> st.SearchStrategy[Story]:
    """A game of Grand Archive with these players."""
    player, phase = st.sampled_from(seats), st.sampled_from(PHASES)
    until = st.sampled_from(("end_of_turn", *(f"end_of_{phase}" for phase in PHASES)))
    order: Orders = st.one_of(
        st.builds(Effect, st.sampled_from(("e", "f", "g")), player, until),
        st.builds(SkipPhase, phase, player),
        st.builds(AddTurn, player),
        st.builds(SkipTurn, player),
    )
    choices = ("", "", "", "attack", "attack", "interdiction", "refused")
    deed = st.builds(
        Deed,
        after=st.sampled_from((0, 0, 1, 2, 3, 5, 10)),
        orders=st.lists(order, min_size=1, max_size=3).map(tuple),
        ends=st.sampled_from(("", "", "attack", "turn", "phase")),
        leaves=st.sampled_from((*[""] * 12, *seats)),
        cause=st.sampled_from(("", "", "sba", "trigger")),
        choice=st.sampled_from((*choices, *choices, "concede")),
    )
    return st.builds(
        Story,
        st.just(tuple((seat,) for seat in seats)),
        st.just(watching(*WATCHED)),
        st.lists(deed, min_size=3, max_size=20).map(tuple),
        st.sampled_from((60, 150, 300)),
        booleans,
        st.tuples(st.booleans()),
        booleans,
    )


def test_machine_and_script_agree() -> None:
    """Every question of a game of Grand Archive."""
    model = fsm.load("grand-archive")

    def agree(story: Story) -> None:
        table = Table(model, story)
        seats = [seat for (seat,) in story.sides]
        oracle = ArchiveOracle(seats, WATCHED, table.play())
        oracle.follow()
        assert not oracle.moments
        assert oracle.over == (table.game.over is not None)

    played(SEED, st.sampled_from(SEATS).flatmap(archive_story_of), agree)
