"""`traversed`: which way a machine or a game took, asserted in the words of the one who writes the
test.
"""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
import transitions
from transitions.extensions import AsyncMachine, HierarchicalMachine

import fsm
from fsm import Answer, Priority
from fsm.coverage import collecting
from fsm.coverage.instrumentation import collecting_now
from fsm.errors import AnswerError, CoverageError
from fsm.testing import traversed
from support.amounts import sample
from support.foreignmachines import FLAT, lamp, order
from support.wanderer import Wanderer

pytest_plugins = ["pytester"]
ROWS = [["melt", "solid", "liquid"], ["freeze", "liquid", "solid"], ["boil", "liquid", "gas"]]


class Thing:
    """What a machine drives."""


def matter(cls: Any = transitions.Machine) -> Any:
    machine = cls(
        Thing(), states=["solid", "liquid", "gas"], transitions=ROWS, initial="solid", name="Matter"
    )
    return machine, machine.models[0]


def game() -> fsm.TurnController:
    return fsm.TurnController(fsm.load("magic"), ["A", "B"])


def test_the_firings_of_a_game_come_in_order() -> None:
    played = game()
    before = len(played.trace.records)
    with traversed(played) as seen:
        for _ in range(200):
            played.answer(played.request.quiet())  # type: ignore[union-attr]
            if played.number % 50 == 1:
                assert seen.transitions == [
                    record.transition for record in played.trace.records[before:]
                ]
    assert seen.transitions == [record.transition for record in played.trace.records[before:]]


def quiet(controller: fsm.TurnController, turns: int = 1, **facts: bool) -> None:
    """Nobody does anything but what these facts say."""
    while controller.request.at.turn <= turns:
        inside = controller.request.state != controller.request.at.stage
        window = controller.model.window if inside else None
        word: Any = window.state(controller.request.state).words[-1] if window else "done"
        told = {fact: facts.get(fact, fact == "stack_empty") for fact in controller.request.facts}
        controller.answer(Answer(word, told))


# machines -----------------------------------------------------------------------------------------


def test_what_was_taken_and_what_was_not() -> None:
    machine, thing = matter()
    with traversed(machine) as t:
        thing.melt()
        thing.freeze()
        thing.melt()
    assert t.took("solid -> liquid")
    assert t.took("solid -> liquid").times == 2
    assert not t.took("liquid -> gas")
    assert t.took("solid -> liquid -> solid -> liquid")
    assert not t.took("solid -> liquid -> gas")
    assert t.took("melt").times == 2
    assert t.took("liquid").times == 2
    assert not t.took("gas")
    assert t.path == ["solid", "liquid", "solid", "liquid"]


@pytest.mark.parametrize(
    "way",
    [
        "Solid -> LIQUID",
        "solid->liquid",
        "solid --> liquid",
        "solid → liquid",
        "solid => liquid on melt",
    ],
)
def test_names_and_arrows_as_people_write_them(way: str) -> None:
    machine, thing = matter()
    with traversed(machine) as t:
        thing.melt()
    assert t.took(way)


def test_an_event_and_a_guard_must_fit() -> None:
    machine = lamp(
        transitions.Machine,
        type("Paid", (), {"is_paid": lambda _: True, "has_bulb": lambda _: True})(),
    )
    with traversed(machine) as t:
        machine.models[0].press()
    assert t.took("off -> bright on press [has_bulb, is_paid]")
    assert t.took("off -> bright on press [is_paid, has_bulb]")
    assert not t.took("off -> bright on press [has_bulb]")
    assert not t.took("off -> bright on drop")
    assert t.took(t.transitions[0])


def test_a_name_that_means_nothing_is_refused_with_what_may_be_meant() -> None:
    machine, _ = matter()
    with traversed(machine) as t:
        pass
    with pytest.raises(
        CoverageError, match=r"'liqiud' is no state, .* of Matter; did you mean 'liquid'"
    ):
        t.took("solid -> liqiud")
    with pytest.raises(CoverageError, match=r"'melted' .* did you mean 'melt'"):
        t.took("solid -> liquid on melted")
    with pytest.raises(CoverageError, match="did you mean 'boil'"):
        t.refused("boyl")


def test_what_is_false_says_why() -> None:
    machine, thing = matter()
    with traversed(machine) as t:
        thing.melt()
    assert repr(t.took("liquid -> gas")) == (
        "'liquid -> gas' was not taken; nothing was taken from liquid, where there is "
        "liquid -> solid on freeze; liquid -> gas on boil"
    )
    assert "from solid it took solid -> liquid on melt" in repr(t.took("solid -> gas"))
    assert repr(t.took_all()) == (
        "transitions: 1 of 3 taken (33.3%); not taken: liquid -> solid on freeze; liquid -> gas on boil"
    )


def test_all_of_them() -> None:
    machine, thing = matter()
    with traversed(machine) as t:
        thing.melt()
        thing.freeze()
        assert not t.took_all()
        assert t.took_all("solid -> liquid", "freeze")
        assert repr(t.took_all("freeze", "liquid -> gas")) == "not taken: liquid -> gas"
        thing.melt()
        thing.boil()
    assert t.took_all()
    assert str(t.covered("pairs")) == "pairs: 3 of 3 taken (100.0%)"


@pytest.mark.no_fsm_cov
def test_only_while_it_is_asked_and_only_this_one() -> None:
    machine, thing = matter()
    _, other = matter()
    thing.melt()
    with traversed(machine) as t:
        other.melt()
        thing.freeze()
        assert collecting_now()
    thing.melt()
    assert t.path == ["liquid", "solid"]
    assert not collecting_now()


def test_one_of_several_objects_of_a_machine() -> None:
    machine, thing = matter()
    other = Thing()
    machine.add_model(other)
    with traversed(machine) as both, traversed(other) as one:
        thing.melt()
        other.melt()  # type: ignore[attr-defined]
        other.boil()  # type: ignore[attr-defined]
    assert one.path == ["solid", "liquid", "gas"]
    assert both.took("melt").times == 2
    with pytest.raises(CoverageError, match="several objects went through Matter"):
        both.path  # noqa: B018


def test_one_inside_another_and_inside_a_collection() -> None:
    machine, thing = matter()
    with collecting() as session, traversed(machine) as outer:
        thing.melt()
        with traversed(machine) as inner:
            thing.boil()
    assert outer.path == ["solid", "liquid", "gas"]
    assert inner.path == ["liquid", "gas"]
    assert session.data.firings == 2


def test_jumps_by_hand_show_in_the_path() -> None:
    machine, thing = matter()
    with traversed(machine) as t:
        thing.to_liquid()
        thing.freeze()
        thing.melt()
        machine.set_state("gas")
    assert t.path == ["solid", "liquid", "solid", "liquid", "gas"]


def test_what_was_refused() -> None:
    machine, thing = matter()
    with traversed(machine) as t:
        with pytest.raises(transitions.MachineError):
            thing.boil()
        thing.melt()
    assert t.refusals == ["boil in solid"]
    assert t.refused("boil") and t.refused("boil", "solid")
    assert not t.refused("boil", "liquid")
    assert repr(t.refused("freeze")) == "'freeze' was not refused; refused: boil in solid"


@pytest.mark.parametrize(
    "cls",
    sample([c for c in FLAT if not issubclass(c, AsyncMachine) and "Graph" not in c.__name__], 1),
)
def test_every_class_of_the_library(cls: Any) -> None:
    machine, thing = matter(cls)
    with traversed(machine) as t:
        thing.melt()
        thing.boil()
    assert t.path == ["solid", "liquid", "gas"]
    with traversed(thing) as t:
        machine.set_state("solid")
        thing.melt()
    assert t.took("solid -> liquid")


def test_nested_states_go_by_their_outer_names_too() -> None:
    machine = order(HierarchicalMachine)
    thing = machine.models[0]
    thing.is_covered = lambda: True
    with traversed(machine) as t:
        thing.pay()
        thing.ship()
        thing.print()
        thing.hand()
        thing.arrive()
    assert t.took("paid -> shipping")
    assert t.took("shipping -> delivered")
    assert t.took("packing -> label -> sent")
    assert t.took("shipping_packing -> shipping_label")
    assert not t.took("shipping -> paid")


def test_asynchronous_machines() -> None:
    machine, thing = matter(AsyncMachine)

    async def way() -> None:
        await thing.melt()
        await asyncio.gather(thing.boil())

    with traversed(machine) as t:
        asyncio.run(way())
    assert t.path == ["solid", "liquid", "gas"]


@pytest.mark.no_fsm_cov
def test_nothing_else_is_taken() -> None:
    with (
        pytest.raises(CoverageError, match=r"takes a machine .* or a TurnController, not a Thing"),
        traversed(Thing()),
    ):
        pass
    assert not collecting_now()


# games --------------------------------------------------------------------------------------------


def test_a_game_goes_from_step_to_step() -> None:
    controller = game()
    with traversed(controller) as t:
        quiet(controller)
    assert t.took("declare_attackers -> end_of_combat")
    assert t.took("Declare Attackers → End of Combat")
    assert not t.took("declare_attackers -> declare_blockers")
    assert t.took("untap -> upkeep -> precombat_main")
    assert t.path == [
        *(
            "untap",
            "upkeep",
            "precombat_main",
            "beginning_of_combat",
            "declare_attackers",
            "end_of_combat",
        ),
        *("postcombat_main", "end", "cleanup", "untap"),
    ]


def test_phases_and_windows_go_by_name_as_well() -> None:
    controller = game()
    with traversed(controller) as t:
        quiet(controller)
    assert t.took("beginning_phase_after -> precombat_main_phase_before")
    assert t.took("beginning phase -> precombat main phase")
    assert not t.took("ending phase -> combat phase")
    assert t.took("gate -> priority")  # of the window
    assert t.took("passed")
    assert not t.took("gate -> resolve_top")


def test_a_step_that_comes_again() -> None:
    model = fsm.load("magic")
    for controller in Wanderer(model, 5).games(1):
        fresh = fsm.TurnController(model, ["A", "B"])
        with traversed(fresh) as t:
            for entry in controller.trace.entries:
                if isinstance(entry, Answer):
                    fresh.answer(entry)
        assert (
            t.transitions
            == [record.transition for record in fresh.trace.records][-len(t.transitions) :]
        )


def test_each_game_alone_and_refusals_of_it() -> None:
    controller, other = game(), game()
    while not isinstance(controller.request, Priority):
        controller.answer(Answer("done", dict.fromkeys(controller.request.facts, False)))
    with traversed(controller) as t:
        quiet(other)
        with pytest.raises(AnswerError):
            controller.answer(Answer("done"))
    assert t.path == [controller.position.step]
    assert t.refused("done") and t.refusals == [f"done in {controller.request.state}"]
    assert not t.refused("passed")


# in pytest ----------------------------------------------------------------------------------------


def test_failing_assertions_read_well(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        from transitions import Machine
        from fsm.testing import traversed

        def go():
            machine = Machine(states=["solid", "liquid", "gas"], initial="solid", name="Matter", transitions=[
                ["melt", "solid", "liquid"], ["boil", "liquid", "gas"], ["cool", "gas", "liquid"]])
            with traversed(machine) as t:
                machine.melt()
                machine.boil()
            return t

        def test_path():
            assert go().path == ["solid", "gas"]

        def test_took():
            assert go().took("gas -> liquid")

        def test_all():
            assert go().took_all()
        """
    )
    result = pytester.runpytest_subprocess("-p", "pytest_turn_fsm")
    result.assert_outcomes(failed=3)
    result.stdout.fnmatch_lines(
        [
            "E *At index 1 diff: 'liquid' != 'gas'",
            "E *'gas -> liquid' was not taken; nothing was taken from gas, where there is gas -> liquid on cool",
            "E *transitions: 2 of 3 taken (66.7%); not taken: gas -> liquid on cool",
        ]
    )
