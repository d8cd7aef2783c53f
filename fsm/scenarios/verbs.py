"""The verbs of `given` that every game has: orders to the turn, and what happens in any card game.

A row says what a verb is called, which order it gives and when it may happen. The fields of a verb
are those of its order, or of its class here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from msgspec import NODEFAULT, defstruct
from msgspec.structs import FieldInfo, fields, replace

from fsm.scenarios.scenario import Count, First, Item, Name, Names, Shape, SomeNames, When
from fsm.state import orders
from fsm.state.orders import Order

if TYPE_CHECKING:
    from fsm.scenarios.game import Game

CHANGE = "day_night_change"
"""What a standing trigger waits for instead of a step."""
OWN = (orders.AddTurn, orders.AddPhase, orders.AddStep, orders.DelayedTrigger, orders.Effect)
"""The orders that are about the active player if they name nobody."""
NOW, RESOLVING = "now", "priority"


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

    @property
    def declared(self) -> str:
        """The event that declares it, or "" if it is put on the stack."""
        return ""


class StackObject(NamedTuple):
    """An object that is on the stack, or waits to be put there.

    Attributes
    ----------
    name, player
        What it is called, and whose it is.
    items
        What happens as it resolves.
    forbids
        Whether it forbids everything else until it has resolved.
    resolve
        What happens besides as it resolves, or None.
    late
        Whether it triggered during an ending procedure, which it survives.
    """

    name: str
    player: str
    items: Sequence[Item] = ()
    forbids: bool = False
    resolve: Callable[[], None] | None = None
    late: bool = False


# what happens in any card game --------------------------------------------------------------------


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
    then: tuple[dict[str, Any], ...] = ()


class PassForGood(ByPlayer, kw_only=True):
    """That player passes for the rest of the window when they have priority; with the pass, `then`
    is carried out.
    """

    player: Name
    then: tuple[dict[str, Any], ...] = ()


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
        The fields that are written in another way than in the order: type and default, or None if
        it is not written.
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
    written: Mapping[str, tuple[Any, Any] | None] = field(default_factory=dict)
    needs: str = ""
    at: str = ""
    home: str = ""

    @property
    def need(self) -> str:
        """What it needs of a model, if only the action with which it happens."""
        return self.needs or (f"the action {self.home}" if self.home else "")

    @property
    def nested(self) -> bool:
        """Whether it can stand in a `then` list."""
        return not self.home and self.kind not in (Cast, PassForGood)

    @cached_property
    def shape(self) -> type[Given]:
        """The class of its items in a file."""
        literal: Any = Literal
        is_verb = issubclass(self.kind, Verb)
        rows: dict[str, tuple[Any, Any] | None] = {"do": (literal[self.name], NODEFAULT)}
        for one in () if is_verb else fields(self.kind):
            default = NODEFAULT if one.required else one.default
            rows[one.name] = _STRICT.get(one.type, one.type), default
        rows |= self.written
        made: Any = defstruct(
            self.name,
            [(name, *row) for name, row in rows.items() if row is not None],
            bases=(self.kind if is_verb else Given,),
            kw_only=True,
            rename={"within": "in"},
        )
        shape: type[Given] = made
        return shape

    @property
    def own_fields(self) -> list[FieldInfo]:
        """The fields in a file, without those that every item has."""
        common = {"do", *Given.__struct_fields__} - set(getattr(self.kind, "__annotations__", ()))
        return [field for field in fields(self.shape) if field.name not in common]


_STRICT: Mapping[object, Any] = {str: Name, int: Count, tuple[str, ...]: Names}
"""What fields of orders have in a file."""


class Nth(Shape):
    """The phase of this name or family that is the `nth` in this turn."""

    phase: Name
    nth: Count = 1


_THEN: tuple[Any, Any] = (tuple[dict[str, Any], ...], ())
ENDING: Mapping[str, tuple[Any, Any]] = {"triggers_during": (Names, ())}
ORDERS = (
    VerbRow("add_turn", orders.AddTurn, needs="extra turns"),
    VerbRow("skip_turn", orders.SkipTurn, needs="skipped turns"),
    VerbRow("control_next_turn", orders.ControlNextTurn),
    VerbRow("appoint", orders.Appoint, {"role": (Name, "defending")}, "a role", NOW),
    VerbRow(
        "add_phase",
        orders.AddPhase,
        {
            "phases": (SomeNames, NODEFAULT),
            "after": (Literal["current_phase"] | Nth, "current_phase"),
            "nth": None,
        },
        "extra phases",
    ),
    VerbRow("add_step", orders.AddStep, needs="extra steps"),
    VerbRow("skip_step", orders.SkipStep, needs="skipped steps"),
    VerbRow("skip_phase", orders.SkipPhase, needs="skipped phases"),
    VerbRow("reverse_turn_order", orders.ReverseTurnOrder),
    VerbRow("withdraw", orders.Withdraw),
    VerbRow("end_turn", orders.EndTurn, ENDING, "the event end_turn", RESOLVING),
    VerbRow("end_phase", orders.EndPhase, ENDING, "the event end_phase", RESOLVING),
    VerbRow("delayed_trigger", orders.DelayedTrigger, {"then": _THEN}),
    VerbRow(
        "standing_trigger",
        orders.StandingTrigger,
        {
            "step": (Name, ""),
            CHANGE: (bool, False),
            "first_each_turn": None,
            "limit": (Literal["", "first_each_turn"], ""),
            "then": _THEN,
        },
    ),
    VerbRow("effect", orders.Effect, {"player": (Name, "")}),
    VerbRow(
        "player_leaves",
        orders.Leave,
        {"player": (Name, ""), "players": (Names, ())},
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


def named(order: Order, player: str) -> Order:
    """Return an order that is about this player, if it names nobody and must."""
    if isinstance(order, OWN) and not (order.player or getattr(order, "players", None)):
        return replace(order, player=player)
    return order


def order_of(kind: type[Any], item: Any) -> Order:
    """Return the order of this class that an item gives."""
    names = kind.__struct_fields__
    values = {name: getattr(item, name) for name in names if hasattr(item, name)}
    if kind is orders.AddPhase and isinstance(item.after, Nth):
        values |= {"after": item.after.phase, "nth": item.after.nth}
    elif kind is orders.AddPhase:
        values["after"] = ""
    elif kind is orders.StandingTrigger:
        values |= {"step": item.step or CHANGE, "first_each_turn": bool(item.limit)}
    elif kind is orders.Leave and item.player:
        values["players"] = (item.player,)
    order: Order = kind(**values)
    return order
