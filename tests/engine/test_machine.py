"""The Machine is a machine of the transitions library, for a user's own object too; refusals are
data.
"""

from __future__ import annotations

from typing import Any

import pytest
import transitions

import fsm
from fsm import Priority
from fsm.engine import Machine
from fsm.engine.refusals import Tried
from fsm.errors import ModelError
from fsm.hosts import Refusal
from fsm.model import Action, Event, Fact, Model, State, Term, Transition
from support.playing import act, attack, quiet, started, steps, through, to

DOOR = Model(
    name="door",
    initial="closed",
    events=(
        Event("done", completion=True),
        Event("push"),
        Event("lock"),
        Event("knock"),
        Event("burn"),
    ),
    facts=(
        Fact("locked", "the key was turned", "D.1"),
        Fact("strong", "whoever pushes is strong", "D.2"),
    ),
    states=(
        State("house", "phase"),
        State("closed", "stage", parent="house"),
        State("open", "stage", parent="house"),
        State("broken", "final"),
    ),
    transitions=(
        Transition(
            "closed", "open", "push", (Term("locked", False),), (Action("note_pass"),), rule="D.3"
        ),
        Transition("closed", "broken", "push", (Term("locked"), Term("strong")), rule="D.4"),
        Transition("open", "closed", "push", rule="D.5"),
        Transition("house", None, "knock", rule="D.6"),
        Transition("house", "broken", "burn", rule="D.7"),
    ),
)


class Door:
    """A user's own object: its attributes and methods are the facts, its methods the actions."""

    def __init__(self, locked: bool = False) -> None:
        self.locked = locked
        self.seen: list[str] = []

    def strong(self) -> bool:
        return False

    def note_pass(self) -> None:
        self.seen.append("note_pass")

    def on_enter_open(self, event: Any) -> None:
        self.seen.append(f"enter {event.transition.dest}")

    def on_exit_closed(self, event: Any) -> None:
        self.seen.append(f"exit {event.transition.source}")


def door(**rest: bool) -> tuple[Any, Machine]:
    subject = Door(**rest)
    return subject, Machine.from_model(DOOR, subject)


def test_it_is_a_machine_of_the_library() -> None:
    subject, machine = door()
    assert isinstance(machine, transitions.Machine)
    assert set(machine.states) == {"closed", "open", "broken"}, "flat: composites are data"
    assert subject.state == "closed"
    assert machine.get_triggers("open") == ["push", "knock", "burn"]
    assert machine.states["broken"].final


def test_triggers_guards_actions_and_callbacks_work_on_a_users_object() -> None:
    subject, _ = door()
    assert subject.push() is True
    assert subject.state == "open"
    assert subject.is_open()
    assert subject.seen == ["note_pass", "exit closed", "enter open"]


def test_may_asks_without_moving() -> None:
    subject, _ = door(locked=True)
    assert subject.may_push() is False
    assert subject.may_knock() is True
    subject.locked = False
    assert subject.may_push() is True
    assert (subject.state, subject.seen) == ("closed", [])


def test_a_closed_guard_answers_false_and_an_event_without_a_row_raises() -> None:
    subject, _ = door(locked=True)
    assert subject.push() is False
    subject.to_be = subject.state = "broken"
    with pytest.raises(
        transitions.MachineError, match="Can't trigger event push from state broken"
    ):
        subject.push()


def test_rows_are_tried_in_order_and_facts_may_be_methods() -> None:
    subject, _ = door(locked=True)
    subject.strong = lambda: True
    subject.push()
    assert subject.state == "broken"


def test_a_composite_source_counts_for_every_state_inside_and_internal_ones_stay() -> None:
    subject, _ = door()
    subject.knock()
    assert (subject.state, subject.seen) == ("closed", [])
    subject.push()
    subject.burn()
    assert subject.state == "broken"


def test_the_librarys_own_constructor_still_makes_a_machine_that_can_be_changed() -> None:
    class Thing:
        state: str

    thing: Any = Thing()
    machine = Machine(thing, states=["a", "b"], transitions=[["go", "a", "b"]], initial="a")
    machine.add_transition("back", "b", "a")
    thing.go()
    thing.back()
    assert thing.state == "a"
    assert machine.definition is None


def test_the_whole_model_is_on_the_machine(magic: Model) -> None:
    machine = Machine.from_model(magic)
    assert set(machine.states) == {state.id for state in magic.leaves}
    assert machine.models == []
    for leaf in magic.leaves:
        for event in magic.events:
            made: Any = (
                machine.events[event.name].transitions.get(leaf.id, [])
                if event.name in machine.events
                else []
            )
            assert [t.row for t in made] == list(magic.rows(leaf.id, event.name))


def test_games_of_a_model_share_nothing_that_changes(magic: Model) -> None:
    first, second = started(magic), started(magic, "CD")
    attack(first)
    assert steps(through(second, 1), 1) == steps(through(started(magic, "CD"), 1), 1)
    assert first.position.step == "declare_attackers"


def test_a_model_that_names_no_primitive_is_refused() -> None:
    with pytest.raises(
        ModelError,
        match=r"transition .* names the action 'note_pas', .* did you mean 'note_pass'\?",
    ):
        Machine.from_model(
            DOOR.with_(
                transitions=[Transition("open", "broken", "lock", (), (Action("note_pas"),))]
            )
        )
    wrong = Fact("odd", "", owner="agenda", test=("starters_turn_si", "1"))
    asked = r"fact 'odd' names the test 'starters_turn_si', .* did you mean 'starters_turn_is'\?"
    with pytest.raises(ModelError, match=asked):
        Machine.from_model(DOOR.with_(facts=[wrong]))


# refusals -----------------------------------------------------------------------------------------


def test_what_can_fire_is_not_refused(magic: Model) -> None:
    game = started(magic)
    assert game.why_not("done") is None
    assert game.why_not("end_turn") is None


def test_an_event_without_a_row_is_refused_with_what_is_possible(magic: Model) -> None:
    game = started(magic)
    assert game.why_not("passed") == Refusal(
        "untap_phasing", "passed", (), ("done", "end_turn", "player_left")
    )
    assert str(game.why_not("passed")) == (
        "'passed' cannot fire in 'untap_phasing': no transition is there for it; "
        "possible here: done, end_turn, player_left"
    )


def test_inside_a_window_the_windows_own_rows_answer(magic: Model) -> None:
    game = started(magic)
    to(game, "upkeep")
    assert game.why_not("passed") is None
    refusal = game.why_not("done")
    assert refusal is not None
    assert (refusal.state, refusal.tried) == ("priority", ())
    assert refusal.possible == ("acted", "passed", "end_turn", "player_left")


def test_a_closed_guard_is_named_with_its_value_and_its_rule() -> None:
    model = Model(
        name="pair",
        initial="wait",
        facts=(
            Fact("rain", "it rains", "W.1", "controller", test=("starters_turn_is", "7")),
            Fact("sun", "the sun shines", "W.2"),
            Fact("dry", "nothing is wet", "W.3", "controller", test=("everyone_passed",)),
        ),
        states=(State("wait", "action", asks="perform", action="wait"), State("gone", "final")),
        transitions=(
            Transition("wait", "gone", "done", (Term("rain"),), rule="W.4"),
            Transition("wait", "gone", "done", (Term("rain", False), Term("sun")), rule="W.5"),
            Transition("wait", None, "done", (Term("rain", False), Term("dry")), rule="W.6"),
            Transition(
                "wait",
                None,
                "done",
                (Term("dry", False), Term("rain", False), Term("sun", False)),
                rule="W.7",
            ),
        ),
    )
    refusal = Machine.from_model(model).explain(started(model).run, "done")
    assert refusal is not None
    assert refusal.tried == (
        Tried("wait -> gone [rain]", "rain", False, "it rains", "W.1"),
        Tried("wait -> gone [not rain, sun]", "sun", None, "the sun shines", "W.2"),
        Tried("wait -> (stays) [not rain, dry]", "dry", False, "nothing is wet", "W.3"),
        Tried("wait -> (stays) [not dry, not rain, not sun]", "sun", None, "the sun shines", "W.2"),
    )
    assert str(refusal) == (
        "'done' cannot fire in 'wait': rain is false (W.1); sun is unknown (W.2); dry is false (W.3); "
        "sun is unknown (W.2); possible here: nothing"
    )


def test_a_negated_fact_that_holds_is_named_as_it_stands() -> None:
    model = Model(
        name="one",
        initial="wait",
        facts=(Fact("rain", "it rains", "W.1", "controller", test=("more_sides_than", "1")),),
        states=(State("wait", "action", asks="perform", action="wait"),),
        transitions=(Transition("wait", None, "done", (Term("rain", False),)),),
    )
    refusal = started(model).why_not("done")
    assert (
        str(refusal) == "'done' cannot fire in 'wait': rain is true (W.1); possible here: nothing"
    )


def test_no_reason_is_given_after_the_row_by_which_nothing_happens() -> None:
    model = Model(
        name="one",
        initial="wait",
        facts=(
            Fact("rain", "it rains", "W.1", "controller", test=("more_sides_than", "1")),
            Fact("sun", "the sun shines", "W.2"),
        ),
        states=(State("wait", "action", asks="perform", action="wait"), State("gone", "final")),
        transitions=(
            Transition("wait", None, "done", (Term("rain"),), rule="W.3"),
            Transition("wait", "gone", "done", (Term("sun"),), rule="W.4"),
            Transition("wait", "gone", "done", rule="W.5"),
        ),
    )
    refusal = Machine.from_model(model).explain(started(model).run, "done")
    assert refusal is not None
    assert refusal.tried == (Tried("wait -> (stays) [rain]", "rain", True, "it rains", "W.3"),)


def test_a_hole_in_the_model_stops_the_run_with_the_same_words(magic: Model) -> None:
    row = magic.transition("upkeep_end -> upkeep_after")
    game = started(magic.without(row.id))
    with pytest.raises(
        fsm.FsmError,
        match="nothing can fire here: 'done' cannot fire in 'upkeep_end': no transition",
    ):
        through(game, 1)


def test_a_hole_in_the_window_stops_the_run_where_it_is_met(magic: Model, window: Model) -> None:
    from dataclasses import replace

    game = started(replace(magic, window=window.without("priority -> sba on acted")))
    assert isinstance(to(game, "upkeep"), Priority)
    with pytest.raises(
        fsm.FsmError, match="nothing can fire here: 'acted' cannot fire in 'priority'"
    ):
        act(game)
    game.answer(quiet(game.request))
    assert game.position.step == "upkeep", "passing still works"


def test_a_subject_s_guards_may_be_attributes_or_methods() -> None:
    """Both ways: by name, where the model has no actions, and with the library's EventData, where
    it has.
    """

    class Lamp:
        dark = True
        lit: tuple[str, ...] = ()

        def broken(self) -> bool:
            return not self.dark

        def tally(self, what: str) -> None:
            self.lit = (*self.lit, what)

    facts = (Fact("dark", "it is dark"), Fact("broken", "the lamp is broken"))
    states = (State("off", "stage"), State("on", "stage"))
    guard = (Term("dark"), Term("broken", False))
    for actions in ((), (Action("tally", ("on",)),)):
        rows = (Transition("off", "on", "press", guard, actions), Transition("on", "off", "press"))
        lamp: Any = Lamp()
        Machine.from_model(Model("lamp", "off", states, rows, (Event("press"),), facts), lamp)
        lamp.dark = False
        assert not lamp.press()
        lamp.dark = True
        assert lamp.press()
        assert lamp.state == "on"
        assert lamp.lit == (("on",) if actions else ())
