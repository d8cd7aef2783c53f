"""`fsm.engine.Machine`: a Model as an ordinary machine of the transitions library, on which a game can
run with the library's callbacks.
"""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest
import transitions

import fsm
from fsm import TurnController
from fsm.engine import Machine, Record
from fsm.errors import AnswerError, FsmError
from fsm.model import Action, Event, Fact, Model, State, Term, Transition
from fsm.rulesets import names
from support.amounts import amount
from support.playing import outcome, quiet, started, to
from support.wanderer import Wanderer

# without a game -----------------------------------------------------------------------------------

HOUSE = Model(
    name="door",
    initial="closed",
    events=(Event("push"), Event("knock"), Event("burn")),
    facts=(Fact("locked", "the key was turned"), Fact("strong", "whoever pushes is strong")),
    states=(
        State("house", "phase"),
        State("closed", "stage", parent="house"),
        State("open", "stage", parent="house"),
        State("broken", "final"),
    ),
    transitions=(
        Transition("closed", "open", "push", (Term("locked", False),), (Action("note_pass"),)),
        Transition("closed", "broken", "push", (Term("locked"), Term("strong"))),
        Transition("open", "closed", "push"),
        Transition("house", None, "knock"),
        Transition("house", "broken", "burn"),
    ),
)


class Door:
    """A user's own object: attributes and methods are the facts, methods the actions."""

    state: str

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


def test_a_users_object_has_triggers_guards_actions_and_callbacks() -> None:
    door: Any = Door()
    machine = Machine.from_model(HOUSE, door)
    assert set(machine.states) == {"closed", "open", "broken"}
    assert door.push() and door.is_open()
    assert door.seen == ["note_pass", "exit closed", "enter open"]
    assert door.knock() and door.state == "open"
    assert door.burn() and door.state == "broken"
    with pytest.raises(
        transitions.MachineError, match="Can't trigger event push from state broken"
    ):
        door.push()


def copied(machine: Any) -> list[Any]:
    return [copy.deepcopy(machine), pickle.loads(pickle.dumps(machine))]


def test_a_machine_can_be_copied_and_pickled_with_its_object() -> None:
    machine: Any = Machine.from_model(HOUSE, Door())
    for twin in copied(machine):
        assert twin.model.push() and twin.model.seen[0] == "note_pass"
    assert (machine.model.state, machine.model.seen) == ("closed", [])


# with a game --------------------------------------------------------------------------------------


class Board:
    """A game of a user: the machine calls its methods by their names."""

    state: str

    def __init__(self) -> None:
        self.seen: list[str] = []

    def on_enter_upkeep_begin(self, event: transitions.EventData) -> None:
        self.seen.append(f"upkeep of {event.machine.record.active}")

    def on_enter_untap_after(self, event: transitions.EventData) -> None:
        assert event.transition is not None
        self.seen.append(f"{event.transition.source} -> {self.state}")


ONCE = "untap_end -> untap_after"


def on(model: Model, board: object = None, **options: Any) -> tuple[TurnController, Any]:
    """A game on a machine of its own."""
    machine = Machine.from_model(model, board, **options)
    return started(model, machine=machine), machine


@pytest.mark.parametrize("ruleset", names())
def test_a_random_game_is_the_same_on_a_machine_and_without(ruleset: str) -> None:
    """The library fires each transition: it and the controller's own way agree."""
    model = fsm.load(ruleset)
    machine: Any = Machine.from_model(model)
    wanderer = Wanderer(model, 12)
    for _ in range(amount(1, 20)):
        game = wanderer.game()
        twin = TurnController.restore(model, game.snapshot(), machine=machine)
        records: tuple[list[Record], list[Record]] = ([], [])
        game.watch(lambda answered, seen=records[0]: seen.extend(answered.records))  # type: ignore[misc]
        twin.watch(lambda answered, seen=records[1]: seen.extend(answered.records))  # type: ignore[misc]
        for _ in range(150):
            if isinstance(game.request, fsm.Over):
                break
            for answer in wanderer.attempts(game):
                assert outcome(game, answer) == outcome(twin, answer)
                assert machine.model.state == game.request.at.stage
        assert records[0] == records[1] != []


def test_methods_of_the_object_are_called_as_states_are_entered(magic: Model) -> None:
    board = Board()
    game, machine = on(magic, board)
    machine.on_enter_turn_begin(lambda event: board.seen.append(f"turn of {machine.record.active}"))
    game.order(fsm.SkipStep("upkeep", "A"))
    to(game, "upkeep", turn=2)
    assert board.seen == [ONCE, "turn of B", ONCE, "upkeep of B"]
    assert board.state == "upkeep_window"
    with pytest.raises(ValueError, match="upkep"):
        machine.on_enter_upkep(print)


def test_the_window_has_a_machine_too(magic: Model) -> None:
    game, machine = on(magic)
    seen = list[str]()
    machine.window.on_enter_priority(lambda _: seen.append(machine.window.record.step))
    to(game, "upkeep")
    assert machine.window.model.state == "priority"
    game.answer(quiet(game.request, word="acted"))
    assert (machine.window.model.state, seen) == ("sba", ["upkeep"])


def stays(game: TurnController, machine: Any, error: type[Exception], match: str = ".*") -> None:
    """The answer is refused. The game and the machine's object stand where they stood."""
    before = game.request, game.snapshot(), machine.model.state
    with pytest.raises(error, match=match):
        game.answer(quiet(game.request))
    assert (game.request, game.snapshot(), machine.model.state) == before


@pytest.mark.parametrize("moment", ["prepare", "before", "after"])
def test_what_a_callback_raises_reaches_the_host_and_changes_nothing(
    magic: Model, moment: str
) -> None:
    def fails(_: object) -> None:
        raise ZeroDivisionError

    game, machine = on(magic, Board())
    [row] = machine.events["done"].transitions["untap_phasing"]
    row.add_callback(moment, fails)
    stays(game, machine, ZeroDivisionError)
    stays(game, machine, ZeroDivisionError)


@pytest.mark.parametrize("first", [False, True])
def test_a_condition_of_a_user_refuses_the_answer_and_leads_nowhere_else(
    magic: Model, first: bool
) -> None:
    game, machine = on(magic)

    def is_ready(_: object) -> bool:
        return False

    found = machine.events["done"].transitions["untap_end"]
    for row in found:
        row.conditions.insert(0 if first else len(row.conditions), row.condition_cls(is_ready))
        break
    while game.request.state != "untap_end":
        game.answer(quiet(game.request))
    stays(game, machine, AnswerError, "does not fire 'untap_end -> .* can refuse an answer")
    row.conditions.pop(0 if first else -1)
    assert game.answer(quiet(game.request)).at.stage == machine.model.state


def test_events_of_ones_own_can_be_fired_by_hand_and_lead_out_of_no_answer(magic: Model) -> None:
    board: Any = Board()
    game, machine = on(magic, board)
    machine.add_transition("jump", "*", "cleanup_end")
    machine.on_enter_untap_day_night(lambda event: event.model.jump())
    stays(game, machine, AnswerError, "it cannot lead elsewhere")
    board.jump()
    assert board.state == "cleanup_end"
    game.order(fsm.SkipStep("upkeep", "A"))
    assert board.state == game.request.state


@pytest.mark.parametrize("make", [TurnController.fork, copy.deepcopy])
def test_a_fork_calls_nothing(
    magic: Model, make: Callable[[TurnController], TurnController]
) -> None:
    board = Board()
    game, _ = on(magic, board)
    to(make(game), "draw", turn=2)
    game.possible()
    assert (board.seen, board.state) == ([], "untap_phasing")


def test_undo_puts_the_object_back_and_redo_calls_again(magic: Model) -> None:
    board = Board()
    game, _ = on(magic, board)
    before = game.standing
    for _ in range(2):
        to(game, "upkeep")
        assert board.state == "upkeep_window"
        game.standing = before
        assert board.state == "untap_phasing"
    assert board.seen == [ONCE, "upkeep of A"] * 2


def test_a_restored_game_calls_nothing_for_the_past(magic: Model) -> None:
    board, start = Board(), fsm.StartAt("upkeep", 2)
    machine = Machine.from_model(magic, board)
    game = started(magic, start=start, machine=machine)
    assert board.seen == ["upkeep of B"]
    game = TurnController.restore(magic, game.snapshot(), machine=machine)
    to(game, "upkeep", turn=3)
    assert board.seen == ["upkeep of B", ONCE, "upkeep of A"]


def test_a_machine_that_cannot_run_the_game_is_refused(magic: Model) -> None:
    other: Any = Machine.from_model(fsm.load("magic-2010"))
    plain: Any = transitions.Machine(states=["a"], initial="a")
    for machine, says in (
        (other, "not from <Model magic-2010"),
        (plain, "made from <Model magic.*not from <"),
    ):
        with pytest.raises(FsmError, match=says):
            started(magic, machine=machine)
