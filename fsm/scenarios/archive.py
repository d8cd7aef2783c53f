"""What Grand Archive needs of the scripted game: attacks, retaliation, materializing, time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from fsm.engine.requests import Perform
from fsm.scenarios.scenario import Item, Number
from fsm.scenarios.verbs import ByPlayer, Cast, Containing, Verb, VerbRow
from fsm.state.orders import Signal

if TYPE_CHECKING:
    from fsm.scenarios.game import Game


class Archive(Struct):
    """What only Grand Archive remembers of a game.

    Attributes
    ----------
    entering
        The item with what is materialized in this visit, or None.
    must_attack, refused
        Whether the active player must attack first, and whether their pass was refused.
    retaliators
        How many units retaliate.
    distorted
        Whether time is distorted.
    """

    entering: Item | None = None
    must_attack: bool = False
    refused: bool = False
    retaliators: int = 0
    distorted: bool = False

    def begin_turn(self) -> None:
        """Require nothing of the next player."""
        self.must_attack = self.refused = False

    def passes_first(self, item: Item) -> bool:
        """Say whether the player passes before this item. Who must attack is refused once."""
        tries = self.must_attack and not self.refused and isinstance(item.what, Attack)
        self.refused = self.refused or tries
        return tries


class Attack(ByPlayer):
    """The active player declares an attack with priority and an empty stack, or (`card`) as an
    object put on the stack resolves; not `legal`: the declaration is undone.
    """

    card: bool = False
    legal: bool = True

    @property
    def declared(self) -> str:
        return "" if self.card else "attack"

    def happen(self, game: Game) -> None:
        # whatever comes of it, nothing is required any more
        game.give(Signal("attack"))
        game.told["attack_declared"] = self.legal
        game.archive.must_attack = False


class MustAttack(Verb):
    """The active player may not go on without having tried to attack: they pass once and are
    refused, then the `attack` that is given comes.
    """

    def happen(self, game: Game) -> None:
        game.archive.must_attack, game.archive.refused = True, False


class Retaliators(Verb):
    """So many retaliate as that is declared."""

    count: Number = 1

    def happen(self, game: Game) -> None:
        game.archive.retaliators = self.count


class Materialize(Verb):
    """The turn player does materialize as that is asked: an object goes on the stack; as it
    resolves, `then` is carried out.
    """

    def happen(self, game: Game) -> None:
        game.archive.entering = game.item


class TimeDistorted(Verb):
    """From now on time is distorted, or no longer."""

    value: bool = True

    def happen(self, game: Game) -> None:
        game.archive.distorted = self.value
        game.report_as("time_distorted", self.value)


_ATTACK = "the event attack"
VERBS: Mapping[str, VerbRow] = {
    "attack": VerbRow(Attack, needs=_ATTACK, at="priority", opening=False),
    "must_attack": VerbRow(MustAttack, needs="the fact attack_required", opening=False),
    "retaliators": VerbRow(
        Retaliators,
        needs="the action order_retaliators or the fact several_retaliators",
        at="begin",
        opening=False,
        nested=False,
        home="declare_retaliation",
    ),
    "materialize": VerbRow(
        Materialize,
        Containing,
        needs="the action materialize",
        at="begin",
        opening=False,
        nested=False,
        home="materialize",
    ),
    "time_distorted": VerbRow(TimeDistorted, needs="the fact time_distorted"),
}


def _materialize(game: Game, request: Perform) -> None:
    item, game.archive.entering = game.archive.entering, None
    if item is not None and request.by:
        game.put(item.name or item.do, game.active, item.then)


ACTIONS: Mapping[str, Callable[[Game, Perform], None]] = {"materialize": _materialize}


def _forbids(game: Game) -> bool:
    """Say whether an object on the stack forbids everything else."""
    casts = [thing.cast for thing in game.stack]
    return any(isinstance(cast, Cast) and cast.interdiction for cast in casts)


FACTS: Mapping[str, Callable[[Game], bool]] = {
    "interdiction_on_stack": _forbids,
    "attack_required": lambda game: game.archive.must_attack and not game.stack,
    "several_retaliators": lambda game: game.archive.retaliators > 1,
    "time_distorted": lambda game: game.archive.distorted,
}
