"""What a scenario consists of: what happens in a game, by verbs, and what must come of it; and the
words of a Model that it can name.

The verbs here are those of every game: orders to the turn, and what happens in any card game. A row
says what a verb is called, which order it gives and when it may happen. The fields of a verb are
those of its order, or of its class here. `fsm.scenarios.reading` makes scenarios from files.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from msgspec import NODEFAULT, Meta, Struct, defstruct
from msgspec.structs import FieldInfo, fields, replace

from fsm.engine.requests import Where
from fsm.engine.semantics import semantics_of
from fsm.model import Fact, Model, State
from fsm.model.model import per_model
from fsm.state import orders
from fsm.state.orders import Order
from fsm.state.run import StartAt
from fsm.wording import lower_first

if TYPE_CHECKING:
    from fsm.scenarios.playing import Game

Name: TypeAlias = Annotated[str, Meta(min_length=1)]
First: TypeAlias = Annotated[int, Meta(ge=1)]
Number: TypeAlias = Annotated[int, Meta(ge=0, le=orders.MOST)]
Names: TypeAlias = tuple[Name, ...]
SomeNames: TypeAlias = Annotated[tuple[Name, ...], Meta(min_length=1)]
Then: TypeAlias = tuple[dict[str, Any], ...]
"""Items that happen with another one, as they are in a file."""


class Shape(Struct, forbid_unknown_fields=True):
    """An object in a file."""


class At(Shape):
    """A visit of a step.

    Attributes
    ----------
    turn
        The number of the turn, of those that really begin, counted from 1.
    step
        The name of the step.
    iteration
        Which visit to that step this is in the turn, counted from 1.
    """

    turn: First
    step: Name
    iteration: First = 1

    @property
    def where(self) -> Where:
        """The visit."""
        return Where(self.turn, self.step, self.iteration)


class When(At):
    """A moment in a game.

    Attributes
    ----------
    at
        "begin", "priority", or the id of an action or window of that step.
    """

    at: Name = ""

    def __str__(self) -> str:
        return f"{self.where}, at {self.at}"


@dataclass(frozen=True)
class Item:
    """One thing that happens.

    Attributes
    ----------
    place
        What messages call the item: where it is in the file.
    do
        The name of the verb.
    what
        What the verb does: an order to the turn, or a change of the scripted game.
    when
        The moment at which it happens, or None for a part of another item or before turn 1.
    then
        The items that it contains.
    name
        The `id` in the file. It is also the name of the object on the stack that does it.
    during
        The abilities that trigger during the procedure that it begins.
    """

    place: str
    do: str
    what: Order | Verb
    when: When | None = None
    then: tuple[Item, ...] = ()
    name: str = ""
    during: tuple[str, ...] = ()


@dataclass(frozen=True)
class Scenario:
    """One scenario, checked against the model with which it is played.

    Attributes
    ----------
    id
        The id of the scenario.
    players
        The names of the players in seat order.
    through_turn
        The number of the last turn that is played.
    given
        What happens in the game.
    expect
        What must result: entries, of which all keys must hold together.
    teams
        Groups of players who share turns.
    settings
        Values for the model's settings, by name.
    start
        Where the game starts in the middle, or None.
    data
        The scenario as it is in the file.
    model
        The model with which the scenario is played.
    """

    id: str
    players: tuple[str, ...]
    through_turn: int
    given: tuple[Item, ...]
    expect: tuple[Mapping[str, Any], ...]
    teams: tuple[tuple[str, ...], ...]
    settings: Mapping[str, bool]
    start: StartAt | None
    data: Mapping[str, Any] = field(repr=False)
    model: Model = field(repr=False)


# what happens in any card game --------------------------------------------------------------------


class Given(Shape, kw_only=True):
    """What every item of `given` may have."""

    id: Name = ""
    when: When | None = None
    note: Any = None


class Verb(Given):
    """A change of the scripted game."""

    def happen(self, game: Game) -> None:
        """Change the game, or give it orders."""
        raise NotImplementedError


class ByPlayer(Verb):
    """What a player does with priority. All else happens as an object resolves."""


class Trigger(Verb, kw_only=True):
    """An ability triggers now and waits."""

    id: Name

    def happen(self, game: Game) -> None:
        game.trigger(self.id)


class StateBasedAction(Verb):
    """A state-based action applies now."""

    def happen(self, game: Game) -> None:
        game.sba = True


class Rollback(Verb, kw_only=True):
    """Restore the start of that turn and play it again. This happens once, the rest again."""

    to_turn: First

    def happen(self, game: Game) -> None:
        game.rollback = game.item.place


class Cast(ByPlayer, kw_only=True):
    """That player puts an object on the stack when they have priority with an empty stack
    (`responds`: while the previous object of this visit is on the stack); as it resolves, `then` is
    carried out (`interdiction`: nobody may act before it has resolved).
    """

    player: Name = ""
    responds: bool = False
    interdiction: bool = False
    then: Then = ()


class PassForGood(ByPlayer, kw_only=True):
    """That player passes for the rest of the window when they have priority; with the pass, `then`
    is carried out.
    """

    player: Name
    then: Then = ()


class Tell(Verb, kw_only=True):
    """In this visit the game tells this fact so, until the model has read it: any fact that the
    game tells. `player` is the one of several players who tells it with an answer of their own.
    """

    fact: Name
    value: bool = True
    player: Name = ""

    def happen(self, game: Game) -> None:
        game.told[self.player][self.fact] = self.value


# rows ---------------------------------------------------------------------------------------------

NOW, RESOLVING = "now", "priority"
Written: TypeAlias = tuple[Any, Any] | None
"""The type and the default of a field, or None if it is not written."""


@dataclass(frozen=True)
class VerbRow:
    """A verb of `given`.

    Attributes
    ----------
    name
        The name of the verb.
    kind
        The class of its order, or of the change that it makes.
    written
        The fields that are written in another way than in the order.
    needs
        What the verb needs of a model. See `Words.lacks`.
    at
        When it happens: at a moment ("now"), as something resolves ("priority"), or "" if it can
        happen before turn 1 too.
    home
        The turn-based action with which it happens, or "".
    """

    name: str
    kind: type[Any]
    written: Mapping[str, Written] = field(default_factory=dict)
    needs: str = ""
    at: str = ""
    home: str = ""

    @property
    def nested(self) -> bool:
        """Whether it can stand in a `then` list."""
        return not self.home and self.kind not in (Cast, PassForGood)

    @cached_property
    def shape(self) -> Any:
        """The class of its items in a file, a `Given`."""
        literal: Any = Literal
        is_verb = issubclass(self.kind, Verb)
        rows: dict[str, Written] = {"do": (literal[self.name], NODEFAULT)}
        for one in () if is_verb else fields(self.kind):
            rows[one.name] = one.type, NODEFAULT if one.required else one.default
        rows |= self.written
        return defstruct(
            self.name,
            [(name, *row) for name, row in rows.items() if row is not None],
            bases=(self.kind if is_verb else Given,),
            kw_only=True,
            rename={"within": "in"},
        )

    @property
    def meaning(self) -> str:
        """What it does, as a clause: the beginning of the documentation of its class."""
        text = (self.kind.__doc__ or "").partition("\n\n")[0]
        return lower_first(" ".join(text.split())).removesuffix(".")

    @property
    def own_fields(self) -> list[FieldInfo]:
        """The fields in a file, without those that every item has."""
        common = {"do", *Given.__struct_fields__} - set(getattr(self.kind, "__annotations__", ()))
        return [field for field in fields(self.shape) if field.name not in common]


class Nth(Shape):
    """The phase of this name or family that is the `nth` in this turn."""

    phase: Name
    nth: orders.Count = 1


CHANGE = "day_night_change"
"""What a standing trigger waits for instead of a step."""
_AFTER: Written = (Literal["current_phase"] | Nth, "current_phase")
_LIMIT: Written = (Literal["", "first_each_turn"], "")
_NOBODY: Written = (str, "")
_THEN: Mapping[str, Written] = {"then": (Then, ())}
ENDING: Mapping[str, Written] = {"triggers_during": (Names, ())}
ORDERS = (
    VerbRow("add_turn", orders.AddTurn, needs="extra turns"),
    VerbRow("skip_turn", orders.SkipTurn, needs="skipped turns"),
    VerbRow("control_next_turn", orders.ControlNextTurn),
    VerbRow("appoint", orders.Appoint, {}, "a role", NOW),
    VerbRow(
        "add_phase",
        orders.AddPhase,
        {"phases": (SomeNames, NODEFAULT), "after": _AFTER, "nth": None},
        "extra phases",
    ),
    VerbRow("add_step", orders.AddStep, needs="extra steps"),
    VerbRow("skip_step", orders.SkipStep, needs="skipped steps"),
    VerbRow("skip_phase", orders.SkipPhase, needs="skipped phases"),
    VerbRow("reverse_turn_order", orders.ReverseTurnOrder),
    VerbRow("withdraw", orders.Withdraw),
    VerbRow("end_turn", orders.EndTurn, ENDING, "the event end_turn", RESOLVING),
    VerbRow("end_phase", orders.EndPhase, ENDING, "the event end_phase", RESOLVING),
    VerbRow("delayed_trigger", orders.DelayedTrigger, _THEN),
    VerbRow(
        "standing_trigger",
        orders.StandingTrigger,
        {"first_each_turn": None, "limit": _LIMIT, **_THEN},
    ),
    VerbRow("effect", orders.Effect, {"player": _NOBODY}),
    VerbRow(
        "player_leaves",
        orders.Leave,
        {"player": _NOBODY, "players": (Names, ())},
        "the event player_left",
        NOW,
    ),
    VerbRow("signal", orders.Signal, {}, "an event", RESOLVING),
)
"""The verbs that give an order."""
ROWS = (
    *ORDERS,
    VerbRow("trigger", Trigger),
    VerbRow("sba", StateBasedAction),
    VerbRow("rollback", Rollback, at=NOW),
    VerbRow("cast", Cast, at=RESOLVING),
    VerbRow("pass_for_good", PassForGood, needs="the event out", at=RESOLVING),
    VerbRow("tell", Tell, at=NOW),
)
"""The verbs of every game."""
_ACTIVE = (orders.AddTurn, orders.AddPhase, orders.AddStep, orders.DelayedTrigger, orders.Effect)
"""The orders that are about the active player if they name nobody."""


def named(order: Order, player: str) -> Order:
    """Return an order that is about this player, if it names nobody and must."""
    if isinstance(order, _ACTIVE) and not (order.player or getattr(order, "players", None)):
        return replace(order, player=player)
    return order


def order_of(kind: type[Any], item: Any) -> Order:
    """Return the order of this class that an item gives."""
    names = kind.__struct_fields__
    values = {name: getattr(item, name) for name in names if hasattr(item, name)}
    if kind is orders.StandingTrigger:
        values["first_each_turn"] = bool(item.limit)
    elif kind is orders.Leave and item.player:
        values["players"] = (item.player, *item.players)
    elif kind is orders.AddPhase:
        after = item.after if isinstance(item.after, Nth) else Nth("")
        values |= {"after": after.phase, "nth": after.nth}
    order: Order = kind(**values)
    return order


# what scenarios can name --------------------------------------------------------------------------

DUE = {"extra_due": "extra", "skip_due": "skipped"}
"""The tests that say which orders a model knows."""


class Words:
    """The names in one Model that scenarios may use.

    Attributes
    ----------
    model
        The Model.
    steps
        The ids of the steps by name, in the model's order.
    every_stage
        Every action and window of the turn by its id, also outside steps.
    stages
        Those of each step, by its name, in the model's order. `when` may name them.
    actions
        The turn-based actions.
    facts
        The facts that the game tells, of the model and its window.
    roles
        The roles that players can be appointed to.
    has_stack
        Whether objects are put on a stack, from which they resolve.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self.steps: Mapping[str, str] = {step.name: step.id for step in model.of_kind("step")}
        self.every_stage = {
            state.id: state for state in model.leaves if state.asks or state.kind == "window"
        }
        self.stages: dict[str, dict[str, State]] = {name: {} for name in self.steps}
        for id, state in self.every_stage.items():
            step = model.enclosing(id, "step")
            if step is not None:
                self.stages[step.name][id] = state
        self.actions = {state.action for state in model.leaves if state.action}
        self.facts: Mapping[str, Fact] = semantics_of(model).facts
        self.roles = semantics_of(model).names.roles
        states = chain.from_iterable(machine.states for machine in model.machines.values())
        self.has_stack = any(state.asks == "resolve" for state in states)
        self._things = frozenset(self._every_thing())

    def _every_thing(self) -> Iterator[str]:
        """Yield what verbs may need."""
        yield from (f"the action {action}" for action in self.actions)
        for machine in self.model.machines.values():
            yield from (f"the event {event.name}" for event in machine.events)
        yield from (f"the fact {fact}" for fact in self.facts)
        for test in semantics_of(self.model).names.tests:
            if len(test) == 2 and test[0] in DUE:
                yield f"{DUE[test[0]]} {test[1]}s"
        if self.roles:
            yield "a role"
        if {*self.model.signals} - {self.model.leaving}:
            yield "an event"

    def lacks(self, need: str) -> str:
        """Return why the Model refuses what has this need, or "" if it has what is needed.

        A need is "the action NAME", "the event NAME", "the fact NAME", or several with " or " or
        " and " between them.
        """
        for one in need.split(" and ") if need else ():
            if self._things.isdisjoint(one.split(" or ")):
                return f"it needs {one}"
        return ""

    def usually_at(self, step: str) -> str:
        """Return where in a step something happens by default: "priority" if players always get it
        there, else "begin".
        """
        inside = self.model.window
        if inside is None:
            return "begin"
        acting = {state.id for state in inside.states if state.asks == "priority"}
        for _ in inside.states:  # in some windows nobody gets there
            acting.update(row.source for row in inside.transitions if row.target in acting)
        windows = [state for state in self.stages[step].values() if state.opens == "natural"]
        entered = {window.enters or inside.initial for window in windows}
        return "begin" if acting.isdisjoint(entered) else "priority"


words_of = per_model(Words)
"""Returns the names in a Model that scenarios may use."""
