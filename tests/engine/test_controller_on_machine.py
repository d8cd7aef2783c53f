"""A game on a machine of the transitions library: the same game, with the library's own callbacks."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
import transitions
from transitions.extensions import (
    AsyncMachine,
    GraphMachine,
    HierarchicalMachine,
    LockedGraphMachine,
)

import fsm
from fsm import Answer, Perform, StartAt
from fsm.errors import AnswerError, FsmError
from fsm.model import Event, Model, State, Transition
from fsm.rulesets import names
from support.amounts import amount
from support.playing import quiet, to
from support.wanderer import Wanderer


class Table:
    """A game of a user: the machine calls its methods by their names."""

    state: str

    def __init__(self) -> None:
        self.seen: list[str] = []

    def on_enter_upkeep(self, event: transitions.EventData) -> None:
        self.seen.append(f"upkeep of turn {event.machine.position.turn}")

    def on_enter_untap_after(self, event: transitions.EventData) -> None:
        assert event.transition is not None
        self.seen.append(f"{event.transition.source} -> {self.state}")


class Board(GraphMachine, fsm.engine.Machine):
    """A machine that draws itself, with the library's class first."""


class Board2(fsm.engine.Machine, GraphMachine):
    """The same with the classes in the other order."""


LockedBoard: Any = type("LockedBoard", (LockedGraphMachine, fsm.engine.Machine), {})


class Refused(Exception):
    """What a callback of a user raises."""


def on(
    model: Model, subject: object = None, **settings: Any
) -> tuple[fsm.TurnController, fsm.engine.Machine]:
    """A game of two on a machine of its own."""
    machine = fsm.engine.Machine.from_model(model, subject, **settings)
    return fsm.TurnController(model, ["Ann", "Ben"], machine=machine), machine


def row_of(machine: fsm.engine.Machine, event: str, source: str) -> Any:
    """The library's transition of a state that has just this one for the event."""
    (found,) = machine.events[event].transitions[source]
    return found


def everything(game: fsm.TurnController) -> tuple[object, ...]:
    return game.request, game.snapshot(), game.trace.entries, game.facts


def stays(
    game: fsm.TurnController,
    machine: fsm.engine.Machine,
    expected: type[Exception],
    match: str | None = None,
) -> None:
    """The answer is refused; the game and the machine's object stand where they stood."""
    before, object_before = copy.deepcopy(everything(game)), machine.subject().state
    with pytest.raises(expected, match=match):
        game.answer(quiet(game.request))
    assert everything(game) == before
    assert machine.subject().state == object_before == game.run.state


# the same game ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", names())
def test_random_games_are_the_same_with_a_machine_and_without(name: str) -> None:
    model = fsm.load(name)
    machine, twins, compared = (
        fsm.engine.Machine.from_model(model),
        dict[int, fsm.TurnController](),
        list[object](),
    )
    assert machine.window is not None

    def look(game: fsm.TurnController) -> None:
        if id(game) not in twins:
            twins.clear()
            head = game.trace.head
            twins[id(game)] = fsm.TurnController(
                model, head.players, teams=head.teams, settings=head.settings, machine=machine
            )
        twin = twins[id(game)]
        twin.answer(
            next(entry for entry in reversed(game.trace.entries) if isinstance(entry, Answer))
        )
        assert twin.request == game.request
        assert twin.snapshot() == game.snapshot()
        assert machine.subject().state == twin.run.state
        compared.append(twin.request)

    for game in Wanderer(model, 12, look).games(amount(500, 20_000)):
        if id(game) in twins:
            assert twins[id(game)].trace == game.trace
    assert len(compared) == amount(500, 20_000)


def test_every_firing_goes_through_the_machine(magic: Model) -> None:
    fired: list[str] = []
    game, machine = on(
        magic, after_state_change=lambda event: fired.append(event.transition.row.id)
    )
    window = machine.window
    assert window is not None
    window.after_state_change = lambda event: fired.append(event.transition.row.id)
    fired += [record.transition for record in game.trace.records if not fired]
    to(game, "upkeep", turn=2)
    assert fired == [record.transition for record in game.trace.records]


# callbacks ----------------------------------------------------------------------------------------


def test_methods_of_the_object_are_called_by_states_and_by_steps(magic: Model) -> None:
    table = Table()
    game, _ = on(magic, table)
    to(game, "upkeep", turn=2)
    once = ["untap_end -> untap_after"]
    assert table.seen == [*once, "upkeep of turn 1", *once, "upkeep of turn 2"]
    assert table.state == "upkeep_window"


@pytest.mark.parametrize("place", ["upkeep", "upkeep_step", "upkeep_begin", "beginning", "turn"])
def test_callbacks_are_added_to_the_machine_by_the_names_of_places(
    magic: Model, place: str
) -> None:
    seen: list[int] = []
    machine = fsm.engine.Machine.from_model(magic)
    getattr(machine, f"on_enter_{place}")(lambda event: seen.append(event.machine.position.turn))
    to(fsm.TurnController(magic, ["Ann", "Ben"], machine=machine), "upkeep", turn=3)
    assert seen == [1, 2, 3]


def test_a_place_that_the_model_does_not_have_is_refused_as_in_the_library(magic: Model) -> None:
    with pytest.raises(ValueError, match="upkep"):
        fsm.engine.Machine.from_model(magic).on_enter_upkep(print)


def test_a_skipped_step_is_not_entered(magic: Model) -> None:
    table = Table()
    game, _ = on(magic, table)
    game.order(fsm.SkipStep("upkeep", "Ann"))
    to(game, "precombat_main")
    assert table.seen == ["untap_end -> untap_after"]


def test_all_callbacks_of_a_firing_come_in_the_order_of_the_library(magic: Model) -> None:
    seen: list[str] = []

    def noted(name: str) -> Callable[[object], bool]:
        def callback(_: object) -> bool:
            seen.append(name)
            return True

        return callback

    settings = ("prepare_event", "before_state_change", "after_state_change", "finalize_event")
    game, machine = on(magic, **{name: noted(name) for name in settings})
    row = row_of(machine, "done", "untap_day_night")
    for moment in ("prepare", "before", "after"):
        row.add_callback(moment, noted(moment))
    row.conditions.append(row.condition_cls(noted("condition")))
    machine.on_exit_untap_day_night(noted("exit"))
    machine.on_enter_untap_untap_permanents(noted("enter"))
    game.answer(quiet(game.request))
    seen.clear()
    game.answer(quiet(game.request))
    first, last = (
        ["prepare_event", "prepare", "condition", "before_state_change", "before"],
        ["exit", "enter", "after"],
    )
    assert seen == [*first, *last, "after_state_change", "finalize_event"]


@pytest.mark.parametrize("queued", [False, True])
def test_callbacks_get_nothing_if_the_machine_does_not_send_events(
    magic: Model, queued: bool
) -> None:
    seen: list[str] = []
    game, machine = on(magic, send_event=False, queued=queued)
    machine.on_enter_upkeep(lambda: seen.append(machine.position.step))
    to(game, "draw", turn=2)
    assert seen == ["upkeep", "upkeep"]


def test_in_a_callback_the_machine_is_ahead_and_the_controller_is_not(magic: Model) -> None:
    seen: list[object] = []
    game, machine = on(magic)
    to(game, "end")
    before = game.snapshot()
    machine.on_enter_turn(
        lambda event: seen.append((machine.position.active, game.position.active))
    )
    machine.on_enter_turn(
        lambda event: seen.append(game.snapshot() == before or game.position.step)
    )
    to(game, "upkeep", turn=2)
    assert seen == [("Ben", "Ann"), "cleanup"]


def test_the_window_has_a_machine_too(magic: Model) -> None:
    seen: list[str] = []
    game, machine = on(magic)
    assert machine.window is not None
    machine.window.on_enter_priority(lambda event: seen.append(event.machine.run.holder))
    to(game, "upkeep")
    assert machine.window.subject().state == "priority"
    game.answer(quiet(game.request, word="acted"))
    assert machine.window.subject().state == "sba"
    to(game, "upkeep")
    assert seen == ["Ann", "Ann"]
    to(game, "upkeep", Perform)
    assert machine.window.subject().state == machine.window.initial


def test_watchers_and_a_machine_go_together(magic: Model) -> None:
    table, records = Table(), list[object]()
    game, _ = on(magic, table)
    unwatch = game.watch(records.append)
    game.answer(quiet(game.request))
    unwatch()
    count = len(records)
    to(game, "upkeep")
    assert count == len(records) > 0
    assert table.seen[-1] == "upkeep of turn 1"


def test_a_watcher_that_raises_puts_the_object_back(magic: Model) -> None:
    game, machine = on(magic, Table())
    game.watch(_raise)
    stays(game, machine, Refused)


def _raise(*_: object) -> Any:
    raise Refused


# what users refuse --------------------------------------------------------------------------------


def is_ready(event: object) -> bool:
    return False


def test_a_condition_of_a_user_refuses_the_answer(magic: Model) -> None:
    table = Table()
    game, machine = on(magic, table)
    row = row_of(machine, "done", "upkeep_begin")
    row.conditions.append(row.condition_cls(is_ready))
    while game.request.state != "untap_end":
        game.answer(quiet(game.request))
    stays(
        game,
        machine,
        AnswerError,
        r"does not fire 'upkeep_begin -> upkeep_window', .* were added: is_ready\)",
    )
    row.conditions.pop()
    to(game, "upkeep")
    assert table.state == game.run.state


def test_a_condition_of_a_user_does_not_lead_elsewhere(magic: Model) -> None:
    """The library would go on with the next transition; its callbacks are not called either."""
    seen: list[str] = []
    game, machine = on(magic)
    to(game, "upkeep")
    game.order(fsm.SkipStep("draw"))
    rows: list[Any] = machine.events["done"].transitions["draw_before"]
    due = next(row for row in rows if row.row.target == "draw_begin")
    skipped = next(row for row in rows if "skip_draw" in row.row.id)
    skipped.conditions.append(skipped.condition_cls(is_ready))
    due.add_callback("before", lambda event: seen.append("before"))
    machine.on_enter_draw(lambda event: seen.append("draw"))
    with pytest.raises(AnswerError, match="it cannot lead elsewhere"):
        to(game, "draw")
    assert seen == []
    assert game.position.step == "upkeep"


@pytest.mark.parametrize("moment", ["prepare", "before", "after", "enter", "exit", "condition"])
def test_what_a_callback_raises_reaches_the_host_and_changes_nothing(
    magic: Model, moment: str
) -> None:
    game, machine = on(magic, Table())
    while game.request.state != "untap_end":
        game.answer(quiet(game.request))
    row = row_of(machine, "done", "upkeep_begin")
    if moment == "condition":
        row.conditions.append(row.condition_cls(_raise))
    elif moment in ("enter", "exit"):
        machine.states["upkeep_window" if moment == "enter" else "upkeep_begin"].add_callback(
            moment, _raise
        )
    else:
        row.add_callback(moment, _raise)
    stays(game, machine, Refused)
    stays(game, machine, Refused)


def test_what_a_callback_raises_at_the_start_leaves_no_game(magic: Model) -> None:
    machine = fsm.engine.Machine.from_model(magic)
    machine.on_enter_turn(_raise)
    with pytest.raises(Refused):
        fsm.TurnController(magic, ["Ann", "Ben"], machine=machine)
    assert machine.subject().state == magic.initial


def test_on_exception_takes_the_errors_of_a_transition_that_has_fired(magic: Model) -> None:
    caught: list[object] = []
    game, machine = on(magic, on_exception=lambda event: caught.append(type(event.error)))
    machine.on_enter_upkeep_window(_raise)
    to(game, "precombat_main")
    assert caught == [Refused]
    row_of(machine, "done", "precombat_main_end").add_callback("prepare", _raise)
    while game.request.state != "precombat_main_end":
        game.answer(quiet(game.request))
    stays(game, machine, AnswerError, "does not fire 'precombat_main_end -> ")


# what users change --------------------------------------------------------------------------------


def test_events_of_the_rules_cannot_be_fired_by_hand(magic: Model) -> None:
    table: Any = Table()
    game, _ = on(magic, table)
    before = game.snapshot()
    with pytest.raises(
        FsmError, match="'done' cannot be fired by hand: answer the controller's request"
    ):
        table.done()
    assert table.may_done()
    assert (game.snapshot(), table.state) == (before, "untap_phasing")


@pytest.mark.parametrize("queued", [False, True])
def test_a_callback_cannot_fire_an_event_of_the_rules(magic: Model, queued: bool) -> None:
    game, machine = on(magic, Table(), queued=queued)
    machine.on_enter_untap_day_night(lambda event: event.model.done())
    stays(game, machine, FsmError, "cannot be fired by hand")


def test_a_user_s_own_events_work_and_do_not_move_the_game(magic: Model) -> None:
    table: Any = Table()
    machine = fsm.engine.Machine.from_model(magic, table)
    machine.add_transition("cheer", "*", None, before=lambda event: table.seen.append("hooray"))
    machine.add_transition("jump", "*", "cleanup_end")
    game = fsm.TurnController(magic, ["Ann", "Ben"], machine=machine)
    table.cheer()
    table.jump()
    machine.on_enter_untap_day_night(lambda event: event.model.cheer())
    game.answer(quiet(game.request))
    assert (table.seen, table.state) == (["hooray", "hooray"], "untap_day_night")
    machine.on_enter_untap_untap_permanents(lambda event: event.model.jump())
    stays(
        game, machine, AnswerError, "a machine can refuse an answer, but it cannot lead elsewhere"
    )


def test_a_transition_that_a_user_removed_is_missed_where_it_would_fire(magic: Model) -> None:
    game, machine = on(magic)
    machine.remove_transition("done", "untap_phasing")
    stays(game, machine, transitions.MachineError)


def test_a_hole_in_the_model_is_met_as_without_a_machine(magic: Model) -> None:
    hole = magic.without("upkeep_end -> upkeep_after")
    with pytest.raises(FsmError) as plain:
        to(fsm.TurnController(hole, ["Ann", "Ben"]), "draw")
    with pytest.raises(FsmError) as on_machine:
        to(on(hole)[0], "draw")
    assert str(plain.value) == str(on_machine.value)


# forks, undo, saving ------------------------------------------------------------------------------


@pytest.mark.parametrize("copied", [fsm.TurnController.fork, copy.copy, copy.deepcopy])
def test_a_fork_calls_nothing(
    magic: Model, copied: Callable[[fsm.TurnController], fsm.TurnController]
) -> None:
    table = Table()
    game, _ = on(magic, table)
    fork = copied(game)
    to(fork, "draw", turn=3)
    assert (table.seen, table.state) == ([], "untap_phasing")
    to(game, "draw", turn=3)
    assert table.seen.count("upkeep of turn 3") == 1
    assert everything(game) == everything(fork)


def test_undo_moves_the_object_back_without_a_callback_and_redo_calls_them(magic: Model) -> None:
    table = Table()
    game, _ = on(magic, table)
    history = fsm.History(game)
    while game.position.step == "untap":
        history.answer(quiet(game.request))
    history.undo(2)
    assert table.state == game.run.state == "untap_untap_permanents"
    assert table.seen.count("upkeep of turn 1") == 1
    history.redo(2)
    assert table.seen.count("upkeep of turn 1") == 2
    assert table.state == "upkeep_window"


def test_a_restored_game_goes_on_on_a_machine_and_calls_nothing_for_the_past(magic: Model) -> None:
    game, _ = on(magic)
    to(game, "upkeep", turn=2)
    table = Table()
    machine = fsm.engine.Machine.from_model(magic, table)
    restored = fsm.TurnController.restore(magic, game.snapshot(), machine=machine)
    assert (table.seen, table.state, machine.position) == ([], "upkeep_window", restored.position)
    to(restored, "upkeep", turn=3)
    to(game, "upkeep", turn=3)
    assert table.seen == ["untap_end -> untap_after", "upkeep of turn 3"]
    assert restored.snapshot() == game.snapshot()


def test_a_game_that_starts_in_the_middle_calls_nothing_for_the_past(magic: Model) -> None:
    table = Table()
    machine = fsm.engine.Machine.from_model(magic, table)
    start = StartAt("draw", 3)
    game = fsm.TurnController(magic, ["Ann", "Ben"], start=start, machine=machine)
    assert everything(game) == everything(fsm.TurnController(magic, ["Ann", "Ben"], start=start))
    assert (table.seen, table.state) == ([], game.run.state)


def test_a_trace_replays_without_a_machine(magic: Model) -> None:
    table = Table()
    game, _ = on(magic, table)
    to(game, "draw", turn=2)
    seen = list(table.seen)
    assert game.trace.replay(magic).snapshot() == game.snapshot()
    assert table.seen == seen


def test_the_first_of_several_objects_is_driven(magic: Model) -> None:
    table, other = Table(), Table()
    machine = fsm.engine.Machine.from_model(magic, table)
    machine.add_model(other)
    to(fsm.TurnController(magic, ["Ann", "Ben"], machine=machine), "upkeep")
    assert table.seen == ["untap_end -> untap_after", "upkeep of turn 1"]
    assert (other.seen, other.state) == ([], magic.initial)


def test_a_copy_of_a_machine_runs_no_game_until_it_is_given_one(magic: Model) -> None:
    game, machine = on(magic)
    copied = copy.deepcopy(machine)
    with pytest.raises(FsmError, match="no game runs on this machine"):
        _ = copied.position
    to(fsm.TurnController.restore(magic, game.snapshot(), machine=copied), "upkeep")
    assert (machine.subject().state, copied.subject().state) == ("untap_phasing", "upkeep_window")


def test_two_games_take_turns_on_one_machine(magic: Model) -> None:
    first, machine = on(magic)
    second = fsm.TurnController(magic, ["Cleo", "Dan"], machine=machine)
    to(first, "draw", turn=2)
    to(second, "upkeep")
    assert machine.subject().state == second.run.state == "upkeep_window"
    to(first, "draw", turn=3)
    assert machine.subject().state == first.run.state == "draw_window"


# pictures -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [Board, Board2, LockedBoard])
def test_a_graph_machine_shows_the_current_state(
    magic: Model, kind: type[fsm.engine.Machine]
) -> None:
    table: Any = Table()
    machine = kind.from_model(magic, table, graph_engine="graphviz")

    def active() -> list[str]:
        lines = table.get_graph().source.splitlines()
        return [line.split()[0] for line in lines if "darksalmon" in line]

    game = fsm.TurnController(magic, ["Ann", "Ben"], machine=machine)
    assert active() == ["untap_phasing"]
    saved = game.snapshot()
    to(game, "upkeep")
    assert active() == ["upkeep_window"]
    game.become(fsm.TurnController.restore(magic, saved))
    assert active() == ["untap_phasing"]


# machines that cannot run the game ----------------------------------------------------------------


def test_a_machine_of_another_model_is_refused(magic: Model) -> None:
    other = fsm.engine.Machine.from_model(fsm.load("magic-2010"))
    with pytest.raises(
        FsmError,
        match=r"made from another model \(magic-2010 .*\) than the game's \(magic .*\): make",
    ):
        fsm.TurnController(magic, ["Ann", "Ben"], machine=other)
    plain: Any = transitions.Machine(states=["a"], initial="a")
    with pytest.raises(
        FsmError, match=r"machine must be made from a Model, by fsm\.engine\.Machine\.from_model"
    ):
        fsm.TurnController(magic, ["Ann", "Ben"], machine=plain)
    equal = fsm.engine.Machine.from_model(magic.with_())
    assert fsm.TurnController(magic, ["Ann", "Ben"], machine=equal).request == on(magic)[0].request


def test_a_machine_that_reads_its_facts_by_name_is_refused() -> None:
    states = (State("wait", "action", asks="perform", action="wait"), State("gone", "final"))
    model = Model("one", "wait", states, (Transition("wait", "gone", "done"),), (Event("done"),))
    with pytest.raises(
        FsmError, match=r"reads the facts of one from its object: .*send_event=True"
    ):
        on(model, Table())
    game, machine = on(model, Table(), send_event=True)
    game.answer(Answer())
    assert machine.subject().state == "gone"


@pytest.mark.parametrize("base", [HierarchicalMachine, AsyncMachine])
def test_hierarchical_and_asynchronous_machines_are_refused(magic: Model, base: Any) -> None:
    kind: Any = type("Mine", (base, fsm.engine.Machine), {})
    with pytest.raises(FsmError, match=r"Mine is (hierarchical|asynchronous)"):
        kind.from_model(magic)


def test_outside_of_a_game_the_machine_says_what_it_lacks(magic: Model) -> None:
    machine = fsm.engine.Machine.from_model(magic, Table(), send_event=False)
    with pytest.raises(FsmError, match="no game runs on this machine"):
        _ = machine.position
    with pytest.raises(FsmError, match="works only in a game: give it to a TurnController"):
        machine.events["done"].trigger(machine.models[0])
