"""What Grand Archive needs of the scripted game: attacks, retaliation, materializing, time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from fsm.scenarios.scenario import Number
from fsm.scenarios.verbs import NOW, RESOLVING, ByPlayer, StackObject, Verb, VerbRow
from fsm.state.orders import Signal

if TYPE_CHECKING:
    from fsm.scenarios.game import Game


class Attack(ByPlayer, kw_only=True):
    """The active player declares an attack with priority and an empty stack, or (`card`) as an
    object put on the stack resolves; not `legal`: the declaration is undone.
    """

    card: bool = False
    legal: bool = True

    @property
    def declared(self) -> str:
        return "" if self.card else "attack"

    def happen(self, game: Game) -> None:
        game.give(Signal("attack"))
        game.told[""]["attack_declared"] = self.legal
        game.must_attack = ""  # whatever comes of it, nothing is required any more


class MustAttack(Verb):
    """The active player may not go on without having tried to attack: they pass once and are
    refused, then the `attack` that is given comes.
    """

    def happen(self, game: Game) -> None:
        game.must_attack = "will pass"


class Retaliators(Verb, kw_only=True):
    """So many retaliate as that is declared."""

    count: Number = 1

    def happen(self, game: Game) -> None:
        game.standing["several_retaliators"] = self.count > 1


class Materialize(Verb, kw_only=True):
    """The turn player does materialize as that is asked: an object goes on the stack; as it
    resolves, `then` is carried out.
    """

    then: tuple[dict[str, Any], ...] = ()

    def happen(self, game: Game) -> None:
        if not game.is_deserted:
            item = game.item
            game.put(StackObject(item.name or item.do, game.player, item.then))


class TimeDistorted(Verb, kw_only=True):
    """From now on time is distorted, or no longer."""

    value: bool = True

    def happen(self, game: Game) -> None:
        game.standing["time_distorted"] = self.value


ROWS = (
    VerbRow("attack", Attack, needs="the event attack", at=RESOLVING),
    VerbRow("must_attack", MustAttack, needs="the fact attack_required", at=NOW),
    VerbRow(
        "retaliators",
        Retaliators,
        needs="the action order_retaliators or the fact several_retaliators",
        home="declare_retaliation",
    ),
    VerbRow("materialize", Materialize, home="materialize"),
    VerbRow("time_distorted", TimeDistorted, needs="the fact time_distorted"),
)


FACTS: Mapping[str, Callable[[Game], bool]] = {
    "interdiction_on_stack": lambda game: any(thing.forbids for thing in game.stack),
    "attack_required": lambda game: bool(game.must_attack) and not game.stack,
}
"""The facts that the game works out. Any other is false."""
