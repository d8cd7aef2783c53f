"""`traversed`: which way a machine or a game took, asserted in the words of the one who writes the
test.
"""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from transitions import Machine
from transitions.extensions import AsyncMachine, HierarchicalMachine, LockedMachine

import fsm
from fsm.coverage import collecting
from fsm.errors import CoverageError
from fsm.testing import Traversal, traversed

pytest_plugins = ["pytester"]


class Matter:
    """What a machine drives: solid, liquid, gas."""

    def __init__(self, kind: Any = Machine) -> None:
        rows = [
            ["melt", "solid", "liquid"],
            ["freeze", "liquid", "solid"],
            {
                "trigger": "boil",
                "source": "liquid",
                "dest": "gas",
                "conditions": ["is_hot", "is_open"],
            },
        ]
        states = ["solid", "liquid", "gas"]
        self.machine = kind(self, states, initial="solid", transitions=rows, name="Matter")

    def is_hot(self) -> bool:
        return True

    def is_open(self) -> bool:
        return True


def way(*events: str) -> Traversal:
    """The way that matter takes."""
    matter: Any = Matter()
    with traversed(matter) as seen:
        for event in events:
            matter.trigger(event)
    return seen


# machines -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "times"),
    [
        ("solid -> liquid", 2),
        ("liquid -> gas", 0),
        ("solid -> liquid -> solid -> liquid", 1),
        ("solid -> liquid -> gas", 0),
        ("melt", 2),
        ("liquid", 2),
        ("gas", 0),
    ],
)
def test_a_way_an_event_or_a_state_was_taken_so_many_times(asked: str, times: int) -> None:
    verdict = way("melt", "freeze", "melt").took(asked)
    assert (bool(verdict), verdict.times) == (times > 0, times)


def test_the_path_has_every_state_in_order() -> None:
    seen = way("melt", "freeze", "melt")
    assert seen.path == ["solid", "liquid", "solid", "liquid"]
    melt, freeze = "solid -> liquid on melt", "liquid -> solid on freeze"
    assert seen.transitions == [melt, freeze, melt]


@pytest.mark.parametrize(
    "asked",
    [
        "Solid -> LIQUID",
        "solid->liquid",
        "solid --> liquid",
        "solid -> liquid on melt",
    ],
)
def test_names_and_arrows_may_be_written_as_people_do(asked: str) -> None:
    assert way("melt").took(asked)


def test_a_transition_may_be_named_with_or_without_its_guard() -> None:
    seen = way("melt", "boil")
    assert seen.took("liquid -> gas on boil [is_hot, is_open]") and seen.took(
        "liquid -> gas on boil"
    )
    assert not seen.took("liquid -> solid on freeze")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("solid -> liqiud", "'liqiud' is no state, .* of Matter; did you mean 'liquid'"),
    ],
)
def test_a_name_that_means_nothing_is_an_error_with_a_suggestion(asked: str, said: str) -> None:
    with pytest.raises(CoverageError, match=said):
        way().took(asked)


def test_what_was_not_taken_says_what_was_taken_instead() -> None:
    seen = way("melt")
    said = "'liquid -> gas' was not taken; it took solid; liquid"
    assert repr(seen.took("liquid -> gas")) == said
    assert "from solid it took solid -> liquid on melt" in repr(seen.took("solid -> gas"))


def test_all_transitions_were_taken() -> None:
    seen = way("melt", "freeze")
    assert repr(seen.took_all()) == (
        "transitions: 2 of 3 taken (66.7%); not taken: liquid -> gas on boil [is_hot, is_open]"
    )
    assert way("melt", "freeze", "melt", "boil").took_all()


def test_only_this_one_counts_and_only_inside_the_block() -> None:
    matter: Any = Matter()
    other: Any = Matter()
    matter.melt()
    with traversed(matter.machine) as seen:
        other.melt()
        matter.freeze()
    matter.melt()
    assert seen.path == ["liquid", "solid"]


def test_of_several_objects_of_a_machine_each_has_its_own_way() -> None:
    one: Any = Matter()
    other: Any = type("Other", (), {"is_hot": True, "is_open": True})()
    one.machine.add_model(other)
    with traversed(one.machine) as both, traversed(other) as alone:
        one.melt()
        other.melt()
        other.boil()
    assert alone.path == ["solid", "liquid", "gas"]
    assert both.took("melt").times == 2
    with pytest.raises(CoverageError, match="several objects went through Matter"):
        both.path  # noqa: B018


def test_one_may_be_inside_another_and_inside_a_measurement() -> None:
    matter: Any = Matter()
    with collecting() as session, traversed(matter) as outer:
        matter.melt()
        with traversed(matter) as inner:
            matter.boil()
    assert (outer.path, inner.path) == (["solid", "liquid", "gas"], ["liquid", "gas"])
    assert session.data.firings == 2


def test_a_jump_shows_in_the_path() -> None:
    matter: Any = Matter()
    with traversed(matter) as seen:
        matter.to_liquid()
        matter.freeze()
        matter.machine.set_state("gas")
    assert seen.path == ["solid", "liquid", "solid", "gas"]


@pytest.mark.parametrize(
    "kind", [LockedMachine, HierarchicalMachine, fsm.engine.Machine, AsyncMachine]
)
def test_every_class_of_machine_can_be_followed(kind: Any) -> None:
    matter: Any = Matter(kind)

    async def melted_and_boiled() -> None:
        await matter.melt()
        await asyncio.gather(matter.boil())

    with traversed(matter) as seen:
        if kind is AsyncMachine:
            asyncio.run(melted_and_boiled())
        else:
            matter.melt()
            matter.boil()
    assert seen.path == ["solid", "liquid", "gas"]


def test_a_state_inside_another_goes_by_both_names() -> None:
    inside = {"name": "shipping", "initial": "packing", "children": ["packing", "sent"]}
    rows = [
        ["ship", "paid", "shipping"],
        ["hand", "shipping_packing", "shipping_sent"],
        ["arrive", "shipping_sent", "there"],
    ]
    order: Any = HierarchicalMachine(
        states=["paid", inside, "there"], transitions=rows, initial="paid"
    )
    with traversed(order) as seen:
        order.ship()
        order.hand()
        order.arrive()
    assert seen.took("paid -> shipping") and seen.took("shipping -> there")
    assert seen.took("packing -> sent") and seen.took("shipping_packing -> shipping_sent")
    assert not seen.took("shipping -> paid")


def test_something_else_cannot_be_followed() -> None:
    with (
        pytest.raises(CoverageError, match=r"takes a machine .* or a TurnController, not a int"),
        traversed(3),
    ):
        pass


# games --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def turn() -> Traversal:
    """A quiet first turn of Magic."""
    game = fsm.TurnController("magic", ["Ann", "Ben"])
    with traversed(game) as seen:
        fsm.drive(game, fsm.BaseHost(), until=lambda request: request.at.turn > 1)
    return seen


def test_a_game_goes_from_step_to_step(turn: Traversal) -> None:
    steps = "untap upkeep precombat_main beginning_of_combat declare_attackers end_of_combat"
    assert turn.path == [*steps.split(), "postcombat_main", "end", "cleanup", "untap"]


def test_the_firings_of_a_game_come_in_order() -> None:
    game = fsm.TurnController("magic", ["Ann", "Ben"])
    records: list[fsm.engine.Record] = []
    with traversed(game) as seen, game.watch(lambda answered: records.extend(answered.records)):
        fsm.drive(game, fsm.BaseHost(), until=lambda request: request.at.turn > 2)
    assert seen.transitions == [record.transition for record in records]


@pytest.mark.parametrize(
    ("asked", "is_taken"),
    [
        ("declare_attackers -> end_of_combat", True),
        ("Declare Attackers -> End of Combat", True),
        ("untap -> upkeep -> precombat_main", True),
        ("declare_attackers -> declare_blockers", False),
        ("beginning phase -> precombat main phase", True),
        ("ending phase -> combat phase", False),
        ("gate -> priority", True),
        ("gate -> resolve_top", False),
    ],
)
def test_steps_phases_and_windows_go_by_name(turn: Traversal, asked: str, is_taken: bool) -> None:
    assert bool(turn.took(asked)) == is_taken


def test_another_game_does_not_count() -> None:
    game, other = (fsm.TurnController("magic", ["Ann", "Ben"]) for _ in range(2))
    fsm.drive(game, fsm.BaseHost(), until=lambda request: isinstance(request, fsm.Priority))
    with traversed(game) as seen:
        fsm.drive(other, fsm.BaseHost(), until=lambda request: request.at.turn > 1)
    assert seen.path == [game.position.step]


# in pytest ----------------------------------------------------------------------------------------


def test_a_failing_assertion_says_why(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        from transitions import Machine
        from fsm.testing import traversed

        def go():
            machine = Machine(states=["solid", "liquid", "gas"], initial="solid", transitions=[
                ["melt", "solid", "liquid"], ["boil", "liquid", "gas"], ["cool", "gas", "liquid"]])
            with traversed(machine) as seen:
                machine.melt()
            return seen

        def test_path():
            assert go().path == ["solid", "gas"]

        def test_took():
            assert go().took("gas -> liquid")

        def test_all():
            assert go().took_all()
        """
    )
    result = pytester.runpytest_inprocess("-p", "pytest_turn_fsm", "-p", "no:cacheprovider")
    result.assert_outcomes(failed=3)
    result.stdout.fnmatch_lines(
        [
            "E *At index 1 diff: 'liquid' != 'gas'",
            "E *'gas -> liquid' was not taken; it took solid; liquid",
            "E *transitions: 1 of 3 taken (33.3%); not taken: liquid -> gas on boil; gas -> *",
        ]
    )
