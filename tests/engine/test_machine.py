"""`fsm.engine.Machine`: an ordinary machine of the transitions library, which can run a game with the
library's callbacks.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
import transitions
from transitions.extensions import AsyncMachine, HierarchicalMachine

import fsm
from fsm import TurnController
from fsm.engine import Machine
from fsm.errors import AnswerError, FsmError, ModelError
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


def test_a_closed_guard_answers_false_and_the_next_transition_is_tried() -> None:
    door: Any = Door(locked=True)
    Machine.from_model(HOUSE, door)
    assert (door.may_push(), door.push(), door.state, door.seen) == (False, False, "closed", [])
    door.strong = lambda: True
    assert door.may_push() and door.push() and door.state == "broken"


def test_a_model_that_names_no_action_is_refused() -> None:
    wrong = HOUSE.with_(
        transitions=[Transition("open", "broken", "push", (), (Action("note_pas"),))]
    )
    with pytest.raises(ModelError, match=r"'note_pas', .* did you mean 'note_pass'\?"):
        Machine.from_model(wrong)


def played_by(kind: type[transitions.Machine], **options: Any) -> list[object]:
    """What happens to a machine with callbacks of every kind, and is heard."""
    heard = list[object]()

    class Lamp:
        def allowed(self, *args: object) -> bool:
            return "no" not in args

        def fails(self, *_: object) -> None:
            raise ZeroDivisionError

        def __getattr__(self, name: str) -> Callable[..., object]:
            if not name.startswith("say_"):
                raise AttributeError(name)
            return lambda *args: heard.append((name, self.state, len(args)))

    lamp: Any = Lamp()
    states: list[Any] = [
        {"name": "off", "on_exit": "say_exit"},
        {"name": "on", "on_enter": ["say_in", "say_2"]},
    ]
    machine = kind(
        lamp,
        initial="off",
        states=[*states, {"name": "end", "final": True}],
        transitions=[
            {"trigger": "push", "source": "off", "dest": "on", "conditions": "allowed",
             "prepare": "say_prepare", "before": "say_before", "after": "say_after"},
            {"trigger": "push", "source": "off", "dest": None, "after": "say_stay"},
            {"trigger": "push", "source": "on", "dest": "=", "unless": "allowed"},
            {"trigger": "pull", "source": "*", "dest": "off", "before": "say_before"},
            {"trigger": "crash", "source": "*", "dest": "end", "after": "fails"},
        ],
        prepare_event="say_first", before_state_change="say_any", after_state_change="say_all",
        on_final="say_final", **options,
    )  # fmt: skip
    machine.add_transition("quit", ["on", "off"], "end", conditions=["allowed"])
    events = "push no,push,push,push no,pull,crash,pull,quit no,quit,push,to_on,nothing"
    for event, *args in (line.split() for line in events.split(",")):
        try:
            heard.append((event, getattr(lamp, event)(*args), lamp.state))
        except (transitions.MachineError, AttributeError, ZeroDivisionError) as error:
            heard.append((str(error), lamp.state))
    return heard


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"send_event": True, "finalize_event": "say_last"},
        {"queued": True, "finalize_event": "say_last"},
        {"ignore_invalid_triggers": True, "auto_transitions": False},
        {"on_exception": "say_error", "send_event": True},
    ],
    ids=str,
)
def test_the_librarys_constructor_makes_a_machine_that_does_what_the_librarys_does(
    options: dict[str, Any],
) -> None:
    expected = played_by(transitions.Machine, **options)
    assert played_by(Machine, **options) == expected
    assert len(expected) > 30


# with a game --------------------------------------------------------------------------------------


class Board:
    """A game of a user: the machine calls its methods by their names."""

    state: str

    def __init__(self) -> None:
        self.seen: list[str] = []

    def on_enter_upkeep(self, event: transitions.EventData) -> None:
        self.seen.append(f"upkeep of turn {event.machine.position.turn}")

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
    machine, wanderer = Machine.from_model(model), Wanderer(model, 12)
    for _ in range(amount(2, 60)):
        game = wanderer.game()
        twin = TurnController.restore(model, game.snapshot(), machine=machine)
        for _ in range(150):
            if isinstance(game.request, fsm.Over):
                break
            for answer in wanderer.attempts(game):
                assert outcome(game, answer) == outcome(twin, answer)
                assert machine.subject().state == game.request.at.stage


def test_methods_of_the_object_are_called_as_places_are_entered(magic: Model) -> None:
    board = Board()
    game, machine = on(magic, board)
    machine.on_enter_turn(
        lambda event: board.seen.append(f"turn of {event.machine.position.active}")
    )
    game.order(fsm.SkipStep("upkeep", "A"))
    to(game, "upkeep", turn=2)
    assert board.seen == [ONCE, "turn of B", ONCE, "upkeep of turn 2"]
    assert board.state == "upkeep_window"
    with pytest.raises(ValueError, match="upkep"):
        machine.on_enter_upkep(print)


def test_the_window_has_a_machine_too(magic: Model) -> None:
    game, machine = on(magic, send_event=False)
    seen = list[str]()
    machine.window.on_enter_priority(lambda: seen.append(machine.position.step))
    to(game, "upkeep")
    assert machine.window.subject().state == "priority"
    game.answer(quiet(game.request, word="acted"))
    assert (machine.window.subject().state, seen) == ("sba", ["upkeep"])


def stays(game: TurnController, machine: Any, error: type[Exception], match: str = ".*") -> None:
    """The answer is refused. The game and the machine's object stand where they stood."""
    before = game.request, game.snapshot(), machine.subject().state
    with pytest.raises(error, match=match):
        game.answer(quiet(game.request))
    assert (game.request, game.snapshot(), machine.subject().state) == before


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


def test_a_condition_of_a_user_refuses_the_answer_and_leads_nowhere_else(magic: Model) -> None:
    game, machine = on(magic)

    def is_ready(_: object) -> bool:
        return False

    [row] = machine.events["done"].transitions["untap_phasing"]
    row.conditions.append(row.condition_cls(is_ready))
    stays(game, machine, AnswerError, r"does not fire 'untap_phasing -> .* were added: is_ready\)")
    row.conditions.pop()
    assert game.answer(quiet(game.request)).state == machine.subject().state


def test_events_of_the_rules_cannot_be_fired_by_hand_and_ones_own_can(magic: Model) -> None:
    board: Any = Board()
    game, machine = on(magic, board)
    with pytest.raises(
        FsmError, match="'done' cannot be fired by hand: answer the controller's req"
    ):
        board.done()
    machine.add_transition("cheer", "*", None, before=lambda event: board.seen.append("hooray"))
    machine.add_transition("jump", "*", "cleanup_end")
    board.cheer()
    assert (board.seen, board.state) == (["hooray"], game.request.state)
    machine.on_enter_untap_day_night(lambda event: event.model.jump())
    stays(game, machine, AnswerError, "it cannot lead elsewhere")


@pytest.mark.parametrize("make", [TurnController.fork, copy.deepcopy])
def test_a_fork_calls_nothing(
    magic: Model, make: Callable[[TurnController], TurnController]
) -> None:
    board = Board()
    game, _ = on(magic, board)
    to(make(game), "draw", turn=2)
    assert (board.seen, board.state) == ([], "untap_phasing")


def test_a_restored_game_calls_nothing_for_the_past(magic: Model) -> None:
    board, start = Board(), fsm.StartAt("upkeep", 2)
    machine = Machine.from_model(magic, board)
    game = started(magic, start=start, machine=machine)
    assert board.seen == ["upkeep of turn 2"]
    game = TurnController.restore(magic, game.snapshot(), machine=machine)
    to(game, "upkeep", turn=3)
    assert board.seen == ["upkeep of turn 2", ONCE, "upkeep of turn 3"]


def test_a_machine_that_cannot_run_the_game_is_refused(magic: Model) -> None:
    other: Any = Machine.from_model(fsm.load("magic-2010"))
    plain: Any = transitions.Machine(states=["a"], initial="a")
    for machine, says in ((other, "made from another model"), (plain, "must be made from a Model")):
        with pytest.raises(FsmError, match=says):
            started(magic, machine=machine)
    for base, says in ((HierarchicalMachine, "hierarchical"), (AsyncMachine, "asynchronous")):
        kind: Any = type("Mine", (base, Machine), {})
        with pytest.raises(FsmError, match=f"Mine is {says}"):
            kind.from_model(magic)
    with pytest.raises(FsmError, match="no game runs on this machine"):
        _ = Machine.from_model(magic).position
