"""The verbs of `given` that every game has: orders to the turn, and what happens in any card game.

What a verb is called, which order it gives, and where it may stand is said by one table, VERBS. The
fields of a verb are those of its order, or of its class here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from msgspec.structs import replace

from fsm import shapes
from fsm.scenarios.scenario import Count, First, Name, Names, Shape, SomeNames
from fsm.shapes import Field
from fsm.state import orders
from fsm.state.orders import Order

if TYPE_CHECKING:
    from fsm.scenarios.game import Game

CHANGE = "day_night_change"
OWN = (orders.AddTurn, orders.AddPhase, orders.AddStep, orders.DelayedTrigger, orders.Effect)
"""The orders that are about the active player if they name nobody."""


class Verb(Shape):
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


# what happens in any card game --------------------------------------------------------------------


class Trigger(Verb):
    """An ability triggers now and waits."""

    id: Name

    def happen(self, game: Game) -> None:
        game.trigger(self.id)


class StateBasedAction(Verb):
    """A state-based action applies now."""

    def happen(self, game: Game) -> None:
        game.sba = True


class Rollback(Verb):
    """Restore the start of that turn and play it again. This happens once, the rest again."""

    to_turn: First

    def happen(self, game: Game) -> None:
        if self.to_turn <= game.turn:
            game.rollback = game.item.place
        else:
            text = f"turn {self.to_turn} has not begun in {game.where}, so there is no way back"
            game.complain(f"{text} to it")


class Cast(ByPlayer):
    """That player puts an object on the stack when they have priority with an empty stack
    (`responds`: while the previous object of this visit is on the stack); as it resolves, `then` is
    carried out (`interdiction`: nobody may act before it has resolved).
    """

    player: Name = ""
    responds: bool = False
    interdiction: bool = False


class Tell(Verb):
    """In this visit the game tells this fact so, until the model has read it: any fact that the
    game tells. `player` is the one of several players who tells it with an answer of their own.
    """

    fact: Name
    value: bool = True
    player: Name = ""

    def happen(self, game: Game) -> None:
        if self.player:
            game.told_by[self.player] = {**game.told_by.get(self.player, {}), self.fact: self.value}
        else:
            game.tell(self.fact, self.value)


# how orders are written ---------------------------------------------------------------------------


class Containing(Shape):
    """What contains other items."""

    then: tuple[dict[str, Any], ...] = ()


class Ending(Shape):
    """A procedure that ends the turn or a phase."""

    triggers_during: Names = ()


class Nth(Shape):
    """The phase of this name or family that is the `nth` in this turn."""

    phase: Name
    nth: Count = 1


class PhaseAnchor(Shape, kw_only=True):
    """What an added phase comes after."""

    phases: SomeNames
    after: Literal["current_phase"] | Nth = "current_phase"


class Standing(Containing):
    """When a standing trigger triggers."""

    step: Name = ""
    day_night_change: bool = False
    limit: Literal["", "first_each_turn"] = ""


class Leavers(Shape):
    """Who leaves."""

    player: Name = ""
    players: Names = ()


class AnyPlayer(Shape):
    """A player who need not be named."""

    player: Name = ""


class StepAnchor(Shape):
    """What an added step comes after."""

    after: Name = ""


class Defending(Shape):
    """The role that is meant if none is named."""

    role: Name = "defending"


@dataclass(frozen=True)
class VerbRow:
    """A verb of `given`.

    Attributes
    ----------
    kind
        The class of its order, or of the change that it makes.
    written
        The fields that are written in another way than in the order.
    hides
        The fields of the order that are not written.
    needs
        What the verb needs of a model. See `Words.lacks`.
    at
        Where in a step it happens: "begin", "priority", or "" for either.
    opening
        Whether it can happen before turn 1.
    nested
        Whether it can stand in a `then` list.
    home
        The turn-based action to whose steps it belongs, or "".
    """

    kind: type[Any]
    written: type[Shape] = Shape
    hides: tuple[str, ...] = ()
    needs: str = ""
    at: str = ""
    opening: bool = True
    nested: bool = True
    home: str = ""

    @property
    def fields(self) -> Mapping[str, Field]:
        """The fields in a file, without those that every item has."""
        kinds: tuple[Any, ...] = (self.kind, self.written)
        return fields_of(*kinds, hides=self.hides)


ORDERS: Mapping[str, VerbRow] = {
    "add_turn": VerbRow(orders.AddTurn, needs="extra turns"),
    "skip_turn": VerbRow(orders.SkipTurn, needs="skipped turns"),
    "control_next_turn": VerbRow(orders.ControlNextTurn),
    "appoint": VerbRow(orders.Appoint, Defending, opening=False),
    "add_phase": VerbRow(orders.AddPhase, PhaseAnchor, ("nth",)),
    "add_step": VerbRow(orders.AddStep, StepAnchor),
    "skip_step": VerbRow(orders.SkipStep),
    "skip_phase": VerbRow(orders.SkipPhase),
    "reverse_turn_order": VerbRow(orders.ReverseTurnOrder),
    "withdraw": VerbRow(orders.Withdraw),
    "end_turn": VerbRow(orders.EndTurn, Ending, at="priority", opening=False),
    "end_phase": VerbRow(orders.EndPhase, Ending, at="priority", opening=False),
    "delayed_trigger": VerbRow(orders.DelayedTrigger, Containing),
    "standing_trigger": VerbRow(orders.StandingTrigger, Standing, ("first_each_turn",)),
    "effect": VerbRow(orders.Effect, AnyPlayer),
    "player_leaves": VerbRow(orders.Leave, Leavers, opening=False),
    "signal": VerbRow(orders.Signal, hides=("player",), at="priority", opening=False),
}
"""The verbs that give an order."""
VERBS: Mapping[str, VerbRow] = {
    **ORDERS,
    "trigger": VerbRow(Trigger),
    "sba": VerbRow(StateBasedAction),
    "rollback": VerbRow(Rollback, opening=False),
    "cast": VerbRow(
        Cast,
        Containing,
        at="priority",
        opening=False,
        nested=False,
    ),
    "tell": VerbRow(Tell, opening=False),
}
"""The verbs of every game."""


@cache
def fields_of(*kinds: Any, hides: tuple[str, ...] = ()) -> Mapping[str, Field]:
    """Return the fields of these classes, by their names in a file. A later one counts."""
    found = dict[str, Field]()
    for kind in kinds:
        for name, field in shapes.fields_of(kind).items():
            strict = field.kind if issubclass(kind, Shape) else _STRICT.get(field.kind, field.kind)
            if name not in hides:
                found["in" if name == "within" else name] = field._replace(kind=strict)
    return found


_STRICT: Mapping[object, Any] = {str: Name, int: Count, tuple[str, ...]: Names}
"""What fields of orders have in a file."""


def named(order: Order, player: str) -> Order:
    """Return an order that is about this player, if it names nobody and must."""
    if isinstance(order, OWN) and not (order.player or getattr(order, "players", None)):
        return replace(order, player=player)
    return order


def order_of(kind: type[Any], values: dict[str, Any]) -> Order:
    """Return the order of this class, with the fields as they are written."""
    values = {name: value for name, value in values.items() if name not in _OF_ITEMS}
    if kind is orders.AddPhase:
        anchor = values.pop("after", "current_phase")
        if isinstance(anchor, Nth):
            values |= {"after": anchor.phase, "nth": anchor.nth}
    elif kind is orders.StandingTrigger:
        values["first_each_turn"] = bool(values.pop("limit", ""))
    elif kind is orders.Leave:
        player = values.pop("player", "")
        values = {"players": (player,) if player else values.get("players", ())}
    elif kind is orders.Appoint:
        values.setdefault("role", "defending")
    elif kind is orders.Effect:
        values.setdefault("player", "")
    order: Order = kind(**values)
    return order


_OF_ITEMS = frozenset(("then", "triggers_during", CHANGE))
"""The fields that are not the order's."""
