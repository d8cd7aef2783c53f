"""The state of a scripted game: just enough of a card game to answer a turn controller."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from fsm.engine.requests import Signal
from fsm.runs.where import BEFORE, Where
from fsm.scenarios.combat import Combat
from fsm.scenarios.log import GameLog, ManaBurn, TriggerEvent
from fsm.scenarios.scenario import Item
from fsm.state.orders import Order


@dataclass(slots=True)
class WaitingTrigger:
    """A triggered ability that waits. `late` means that it triggered during an ending procedure, which it survives."""

    id: str
    player: str = ""
    then: tuple[Item, ...] = ()
    late: bool = False


@dataclass(frozen=True, slots=True)
class StackObject:
    """An object on the stack, with the items that happen as it resolves.

    `damage` has the creatures whose combat damage it is. With `interdiction`, nobody may act before it has resolved.
    """

    player: str
    items: tuple[Item, ...] = ()
    id: str = ""
    damage: tuple[str, ...] = ()
    interdiction: bool = False


@dataclass(slots=True)
class Ability:
    """An ability created in the game. The last three fields limit abilities that trigger on day or night."""

    id: str
    player: str
    then: tuple[Item, ...] = ()
    whose: str = "each"
    once_a_turn: bool = False
    last: int = 0


@dataclass(slots=True)
class Pool:
    """A player's mana. `kept` mana stays until the end of the turn."""

    loose: int = 0
    kept: int = 0


@dataclass(slots=True)
class World:
    """The state of one scripted game. A deep copy of it can be restored."""

    players: tuple[str, ...]
    leaving: str
    log: GameLog = field(default_factory=GameLog)
    left: set[str] = field(default_factory=set)
    turn: int = 0
    active: str = ""
    decider: str = ""
    team: tuple[str, ...] = ()
    where: Where = BEFORE
    phase_id: int = 0
    in_combat: bool = False
    combat: Combat = field(default_factory=Combat)
    endable: bool = False
    waiting: list[WaitingTrigger] = field(default_factory=list)
    stack: list[StackObject] = field(default_factory=list)
    sba: bool = False
    sba_performed: bool = False
    attackers: int = 0
    declared: int = 0
    declaring: bool = False
    first_strike: bool = False
    hand: tuple[int, int] | None = None
    effects: list[str] = field(default_factory=list)
    abilities: dict[str, Ability] = field(default_factory=dict)
    changes: list[Ability] = field(default_factory=list)
    designation: str = "neither"
    spells: int | None = None
    spells_before: int | None = None
    sagas: list[tuple[str, str]] = field(default_factory=list)
    mana: dict[str, Pool] = field(default_factory=dict)
    orders: list[Order] = field(default_factory=list)
    signals: list[Signal] = field(default_factory=list)
    facts_to_report: set[str] = field(default_factory=set)
    given_facts: dict[str, bool] = field(default_factory=dict)
    choices: dict[str, bool] = field(default_factory=dict)
    entering: StackObject | None = None
    must_attack: bool = False
    refused: bool = False
    retaliators: int = 0
    distorted: bool = False
    done: set[tuple[Where, str]] = field(default_factory=set)
    ending: bool = False
    back_to: int = 0
    complaints: list[str] = field(default_factory=list)

    # turns -----------------------------------------------------------------------------------------

    def begin_turn(self, turn: int) -> None:
        """Begin a turn. Day and night depend on the spells of the turn before."""
        self.turn = turn
        self.spells_before, self.spells = self.spells, 0
        self.must_attack = self.refused = False

    def begin_visit(self) -> None:
        """Begin a visit of a step, and forget the decisions of the last one."""
        self.declared, self.hand, self.entering = 0, None, None
        self.given_facts, self.choices = {}, {}
        self.combat.take()

    def leave_combat(self) -> None:
        """Remove everything from combat."""
        self.attackers, self.declared, self.first_strike = 0, 0, False
        self.combat = Combat()

    # triggers --------------------------------------------------------------------------------------

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
        """Remove waiting triggers, except those of an ending procedure that keeps its own (CR 723.1a)."""
        self.waiting = [w for w in self.waiting if w.late]
        for waiting in self.waiting:
            waiting.late = False

    def place(self, players: Sequence[str]) -> None:
        """Put waiting triggers on the stack, the first player's lowest (CR 603.3b)."""
        for waiting in sorted(self.waiting, key=lambda w: players.index(w.player) if w.player in players else 0):
            self.log.triggers.append(TriggerEvent("put_on_stack", waiting.id, self.where))
            self.stack.append(StackObject(waiting.player, waiting.then, waiting.id))
        self.waiting = []

    # day and night ---------------------------------------------------------------------------------

    def designate(self, value: str) -> None:
        """Set day or night. Abilities trigger when day becomes night or night becomes day."""
        changed = {self.designation, value} == {"day", "night"}
        self.designation = value
        for ability in self.changes if changed else ():
            mine = ability.whose in ("each", *self.team)
            if mine and not (ability.once_a_turn and ability.last == self.turn):
                ability.last = self.turn
                self.trigger(ability.id, ability.player, ability.then)

    def check_day_night(self) -> None:
        """Perform the turn-based action, which depends on the spells of the turn before (CR 730.2)."""
        if self.spells_before is None:
            return
        if self.designation == "day" and self.spells_before == 0:
            self.designate("night")
        elif self.designation == "night" and self.spells_before >= 2:
            self.designate("day")

    # mana and players --------------------------------------------------------------------------------

    def pool(self, player: str) -> Pool:
        """Return the mana of a player."""
        return self.mana.setdefault(player, Pool())

    def empty_mana(self) -> None:
        """Log unspent mana and remove it."""
        seen = self.log.visit(self.where)
        if seen.mana is None:
            seen.mana = {player: pool.loose + pool.kept for player, pool in self.mana.items()}
        for pool in self.mana.values():
            pool.loose = 0

    def burn_mana(self) -> None:
        """Remove unspent mana, with a loss of one life for each. Players controlled by others lose no life (507.4)."""
        controlled = self.team if self.decider != self.active else ()
        lost = {player: pool.loose for player, pool in self.mana.items() if player not in controlled}
        self.log.burns += [ManaBurn(self.phase_id, player, amount) for player, amount in lost.items() if amount]
        self.empty_mana()

    def loosen_mana(self) -> None:
        """Turn mana that was kept until end of turn into ordinary mana."""
        for pool in self.mana.values():
            pool.loose, pool.kept = pool.loose + pool.kept, 0

    def leave(self, player: str) -> None:
        """Remove a player and everything that is theirs (CR 800.4a)."""
        self.left.add(player)
        self.waiting = [w for w in self.waiting if w.player != player]
        self.stack = [t for t in self.stack if t.player != player]
        self.sagas = [(id, owner) for id, owner in self.sagas if owner != player]
        self.mana.pop(player, None)
        if self.team and all(p in self.left for p in self.team):
            self.attackers, self.first_strike = 0, False
            self.combat.leave("attacker")
        self.signals.append(Signal(self.leaving, player))
