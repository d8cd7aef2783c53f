"""The state of a scripted game: just enough of a card game to answer a turn controller."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Self, TypeVar

from fsm.engine.requests import Position
from fsm.runs.where import BEFORE, Where
from fsm.scenarios.log import GameLog, TriggerEvent
from fsm.scenarios.modelwords import ModelWords
from fsm.scenarios.scenario import Item
from fsm.state.orders import EndPhase, EndTurn, Order

_S = TypeVar("_S", bound="GameState")


@dataclass(slots=True)
class WaitingTrigger:
    """A triggered ability that waits. `late` means that it triggered during an ending procedure,
    which it survives.
    """

    id: str
    player: str = ""
    then: tuple[Item, ...] = ()
    late: bool = False


@dataclass(frozen=True, slots=True)
class StackObject:
    """An object on the stack, with the items that happen as it resolves.

    `cast` is the item of a player who put it there. `resolve` is what else happens as it resolves.
    """

    player: str
    items: tuple[Item, ...] = ()
    id: str = ""
    cast: Item | None = None
    resolve: Callable[[World], None] | None = None


@dataclass(slots=True)
class Ability:
    """An ability created in the game. The last three fields limit abilities that trigger on day or
    night.
    """

    id: str
    player: str
    then: tuple[Item, ...] = ()
    whose: str = "each"
    once_a_turn: bool = False
    last: int = 0


class GameState:
    """What the scripted game remembers of the things that only one rulebook has.
    `fsm.scenarios.games` has them.

    Each method is called when the thing happens that its name says.
    """

    @classmethod
    def of(cls, words: ModelWords) -> Self:
        """Return the state at the start of a game of this model."""
        return cls()

    def begin_turn(self, world: World) -> None:
        """A turn begins."""

    def begin_visit(self, world: World) -> None:
        """A visit of a step begins."""

    def resume_visit(self, world: World) -> None:
        """A visit goes on that waited while another phase was inside it."""

    def leave_visit(self, world: World) -> None:
        """A visit ends, or waits."""

    def move(self, world: World, at: Position) -> None:
        """The game is at this position."""

    def begin_phase(self, world: World) -> None:
        """Another phase is under way."""

    def lose_player(self, world: World, player: str) -> None:
        """A player leaves the game."""

    def tries_to_pass(self, world: World, item: Item) -> bool:
        """Say whether the player with priority passes before this item."""
        return False


@dataclass(slots=True)
class World:
    """The state of one scripted game. A deep copy of it can be restored.

    `phase` is the turn and the number of the phase under way. `with_action` says that items happen
    with an action or as a step begins, and not as an object resolves.
    """

    players: tuple[str, ...]
    log: GameLog = field(default_factory=GameLog)
    left: set[str] = field(default_factory=set)
    turn: int = 0
    active: str = ""
    decider: str = ""
    team: tuple[str, ...] = ()
    where: Where = BEFORE
    phase: tuple[int, int] = (0, 0)
    endable: bool = False
    with_action: bool = False
    waiting: list[WaitingTrigger] = field(default_factory=list)
    stack: list[StackObject] = field(default_factory=list)
    sba: bool = False
    sba_performed: bool = False
    effects: list[str] = field(default_factory=list)
    abilities: dict[str, Ability] = field(default_factory=dict)
    changes: list[Ability] = field(default_factory=list)
    orders: list[Order] = field(default_factory=list)
    departing: list[str] = field(default_factory=list)
    facts_to_report: set[str] = field(default_factory=set)
    given_facts: dict[str, bool] = field(default_factory=dict)
    choices: dict[str, bool] = field(default_factory=dict)
    done: set[tuple[Where, str]] = field(default_factory=set)
    ending: bool = False
    back_to: int = 0
    complaints: list[str] = field(default_factory=list)

    # turns ----------------------------------------------------------------------------------------

    def of(self, kind: type[_S]) -> _S:
        """Return what is remembered for one game."""
        return self.log.of(kind)

    @property
    def states(self) -> Iterable[GameState]:
        """What is remembered for each game."""
        return self.log.states.values()

    def begin_turn(self, turn: int) -> None:
        """Begin a turn."""
        self.turn = turn
        for state in self.states:
            state.begin_turn(self)

    def begin_visit(self) -> None:
        """Begin a visit of a step, and forget the decisions of the last one."""
        self.given_facts, self.choices = {}, {}
        for state in self.states:
            state.begin_visit(self)

    def player_of(self, player: str) -> str:
        """Return the player of an item. The default is the active player, or before turn 1 the
        first player.
        """
        return player or self.active or self.players[0]

    def tell(self, fact: str, value: bool) -> None:
        """Report a fact from now on, or no longer, until the model has read it."""
        (self.facts_to_report.add if value else self.facts_to_report.discard)(fact)

    def end(
        self, order: EndTurn | EndPhase, triggers_during: Iterable[str], *, happens: bool
    ) -> None:
        """Give the order. Triggers of the ending procedure only trigger if there is such a
        procedure.
        """
        self.orders.append(order)
        if happens:
            self.ending = True
            for id in triggers_during:
                self.trigger(id)

    # triggers -------------------------------------------------------------------------------------

    def trigger(self, id: str, player: str = "", then: tuple[Item, ...] = ()) -> None:
        """Let an ability trigger. It waits unless its controller has left."""
        self.log.triggers.append(TriggerEvent("fires", id, self.where))
        if player not in self.left:
            self.waiting.append(WaitingTrigger(id, player, then, self.ending))

    def noticed(self, ids: Iterable[str]) -> None:
        """Let the abilities trigger that the controller names."""
        for id in ids:
            ability = self.abilities[id]
            self.trigger(id, ability.player, ability.then)

    def remove_waiting_triggers(self) -> None:
        """Remove waiting triggers, except those of an ending procedure that keeps its own (CR
        723.1a).
        """
        self.waiting = [w for w in self.waiting if w.late]
        for waiting in self.waiting:
            waiting.late = False

    def place(self, players: Sequence[str]) -> None:
        """Put waiting triggers on the stack, the first player's lowest (CR 603.3b)."""
        for waiting in sorted(
            self.waiting, key=lambda w: players.index(w.player) if w.player in players else 0
        ):
            self.log.triggers.append(TriggerEvent("put_on_stack", waiting.id, self.where))
            self.stack.append(StackObject(waiting.player, waiting.then, waiting.id))
        self.waiting = []

    # players --------------------------------------------------------------------------------------

    def leave(self, player: str) -> None:
        """Remove a player and everything that is theirs (CR 800.4a). Who leaves in one resolution
        leaves together.
        """
        self.left.add(player)
        self.waiting = [w for w in self.waiting if w.player != player]
        self.stack = [t for t in self.stack if t.player != player]
        for state in self.states:
            state.lose_player(self, player)
        self.departing.append(player)
