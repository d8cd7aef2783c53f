"""The scripted game: the host that scenarios drive. It answers a TurnController's requests."""

from __future__ import annotations

from collections.abc import Iterable
from copy import deepcopy
from dataclasses import dataclass, field

from fsm.model import Model, Transition
from fsm.orders import Order
from fsm.requests import Answer, Check, Perform, Place, Position, Priority, Request, Resolve, Signal, Word
from fsm.scenario import Item, Scenario
from fsm.scenarios.actions import perform
from fsm.scenarios.log import Log, Where
from fsm.scenarios.verbs import carry_out
from fsm.scenarios.words import Words
from fsm.scenarios.world import Thing, World
from fsm.trace import Record


@dataclass(slots=True)
class Notes:
    """What outlives a rollback: the places of items that came up, and rollbacks that happened."""

    came_up: set[str] = field(default_factory=set)
    rolled_back: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True, eq=False)
class Unit:
    """What somebody puts on the stack in a visit: one `cast`, or all other items of one `when`."""

    items: tuple[Item, ...]

    @property
    def cast(self) -> Item | None:
        """The item, if this is a `cast`."""
        return self.items[0] if self.items[0].do == "cast" else None


class ScriptedGame:
    """A game in which exactly what a scenario gives happens; else everybody passes and nothing happens.

    `orders` are in force before turn 1: give them to the controller as it starts. After `answer`,
    `back_to` is the turn to which a rollback leads, 0 if there was none: then copy back, do not answer.
    """

    def __init__(self, scenario: Scenario, model: Model | None = None) -> None:
        self.words = Words(model or scenario.model)
        self.combat_phases = self.words.phases_with("declare_attackers")
        self.teams = {team[0]: team for team in scenario.teams}
        self.begin_items = _grouped(scenario, "begin")
        self.priority_items = _grouped(scenario, "priority")
        self.notes = Notes()
        self.world = World(scenario.players)
        self.pending: list[Unit] = []
        self._do(tuple(item for item in scenario.given if item.when is None))
        self.orders: tuple[Order, ...] = self._take_orders()

    def copy(self) -> ScriptedGame:
        """An independent copy of the game as it stands; only the notes of what came up are shared."""
        twin = ScriptedGame.__new__(ScriptedGame)
        twin.__dict__.update(self.__dict__)
        twin.world, twin.pending = deepcopy(self.world), list(self.pending)
        return twin

    @property
    def back_to(self) -> int:
        """The turn to restore, 0 for none."""
        return self.world.back_to

    @property
    def log(self) -> Log:
        """What was noted, for expectations."""
        return self.world.log

    def answer(self, request: Request) -> Answer:
        """The answer to what the controller asks, with its facts, orders and at most one signal."""
        self._arrive(request)
        word = self._respond(request)
        facts = {name: self._fact(name) for name in request.facts} | dict.fromkeys(self._told(), True)
        return Answer(word, facts, self._take_orders(), self._take_signal())

    def notice(self, records: Iterable[Record]) -> None:
        """Take in what fired: another phase begins, so what was in combat is in combat no longer."""
        for record in records:
            if record.machine == "turn" and record.phase_id != self.world.phase_id:
                self.world.phase_id = record.phase_id
                if self.world.combat:
                    self.world.leave_combat()

    def close(self) -> None:
        """The run is over: note the end of the visit under way."""
        self._leave_visit()

    # where we are -----------------------------------------------------------------------------------

    def _arrive(self, request: Request) -> None:
        """Take in where the controller stands and what it has noticed, then do the `begin` items of a new visit."""
        at, world = request.at, self.world
        where = Where(at.turn, at.step, at.iteration) if at.step else world.where
        new = where != world.where
        if new:
            self._leave_visit()
        self._follow(at)
        world.where = where
        for id in request.expired:
            if id in world.effects:
                world.effects.remove(id)
        world.noticed(request.triggered)
        if new:
            world.declared, world.hand = 0, None
            self.pending = _units(self.priority_items.get(where, ()))
            world.log.seen(where)
            self._do(self.begin_items.get(where, ()))

    def _follow(self, at: Position) -> None:
        world = self.world
        if at.turn != world.turn:
            world.begin_turn(at.turn)
            world.log.deciders[at.turn] = at.controller
        if world.combat and at.phase not in self.combat_phases:
            world.leave_combat()
        world.combat = at.phase in self.combat_phases
        world.endable = self._endable(at)
        world.active, world.team = at.active, self.teams.get(at.active, (at.active,))

    def _leave_visit(self) -> None:
        world = self.world
        if not world.where.turn:
            return
        seen = world.log.seen(world.where)
        seen.designation = world.designation
        if seen.on is None:
            seen.on = frozenset(world.effects)
        if seen.mana is None:
            seen.mana = {player: pool.loose + pool.kept for player, pool in world.mana.items()}

    def _endable(self, at: Position) -> bool:
        """Has the model a procedure that ends the phase from here?"""
        rows = self.words.model.rows(at.stage, "end_phase")
        first = next((row for row in rows if self._may_fire(row, at)), None)
        return first is not None and first.target is not None

    def _may_fire(self, row: Transition, at: Position) -> bool:
        """As far as the phase decides it."""
        phase = next((s for s in self.words.model.of_kind("phase") if s.name == at.phase), None)
        tests = [(self.words.model.fact(term.fact).test, term.value) for term in row.guard]
        return all(
            (phase is not None and phase.family == test[1]) == value
            for test, value in tests
            if test[:1] == ("phase_under_way",)
        )

    # answering --------------------------------------------------------------------------------------

    def _respond(self, request: Request) -> Word:
        world = self.world
        if isinstance(request, Perform):
            perform(world, request.action, request.players)
        elif isinstance(request, Check):
            world.sba, world.sba_performed = False, world.sba
        elif isinstance(request, Place):
            world.place(request.players)
        elif isinstance(request, Resolve) and world.stack:
            self._do(world.stack.pop().items)
        elif isinstance(request, Priority):
            return self._with_priority(request)
        return "done"

    def _with_priority(self, request: Priority) -> Word:
        world = self.world
        seen = world.log.seen(world.where)
        seen.priority.append(request.player)
        if seen.on is None:
            seen.on = frozenset(world.effects)
        unit = self._ready(request.players or (request.player,))
        if unit is None:
            return "passed"
        self.pending.remove(unit)
        self.notes.came_up.update(item.place for item in unit.items)
        world.stack.append(Thing(request.player, () if unit.cast else unit.items))
        return "acted"

    def _ready(self, holders: tuple[str, ...]) -> Unit | None:
        """The next unit, if one of those with priority puts it on the stack now."""
        world = self.world
        while self.pending:
            unit = self.pending[0]
            cast = unit.cast
            player = (cast["player"] or world.active) if cast else ""
            responds = cast is not None and cast["responds"]
            if player in world.left or (responds and not world.stack):
                self.pending.pop(0)
            elif (world.stack and not responds) or (cast and player not in holders):
                return None
            else:
                return unit
        return None

    def _do(self, items: tuple[Item, ...]) -> None:
        """One resolution (or what happens together with a step's actions): the items in their order."""
        for item in items:
            if item.place in self.notes.rolled_back:
                continue
            self.notes.came_up.add(item.place)
            carry_out(self.world, item)
            if self.world.back_to:
                self.notes.rolled_back.add(item.place)
                break
        self.world.ending = False

    def _fact(self, name: str) -> bool:
        world = self.world
        if name in world.told:
            return True
        match name:
            case "sba_performed":
                return world.sba_performed
            case "triggers_waiting":
                return bool(world.waiting)
            case "stack_empty":
                return not world.stack
            case "attackers_declared":
                return world.declared > 0
            case "first_strike_in_combat":
                return world.first_strike
        return False

    def _told(self) -> set[str]:
        told, self.world.told = self.world.told, set()
        return {name for name in told if self.words.knows(f"fact:{name}")}

    def _take_orders(self) -> tuple[Order, ...]:
        orders, self.world.orders = self.world.orders, []
        return tuple(orders)

    def _take_signal(self) -> Signal | None:
        """At most one: who leaves goes first, ending the turn goes before ending a phase."""
        waiting = self.world.signals
        signal = next(
            (s for event in ("player_left", "end_turn", "end_phase") for s in waiting if s.event == event), None
        )
        self.world.signals = [s for s in waiting if s is not signal] if signal and signal.event == "player_left" else []
        return signal


def _grouped(scenario: Scenario, at: str) -> dict[Where, tuple[Item, ...]]:
    """The items of each visit, in the scenario's order."""
    found: dict[Where, tuple[Item, ...]] = {}
    for item in scenario.given:
        if item.when is not None and item.when.at == at:
            where = Where(item.when.turn, item.when.step, item.when.iteration)
            found[where] = (*found.get(where, ()), item)
    return found


def _units(items: tuple[Item, ...]) -> list[Unit]:
    """Each `cast` alone, all other items together in the place of the first of them."""
    others = tuple(item for item in items if item.do != "cast")
    together = Unit(others)
    return [
        Unit((item,)) if item.do == "cast" else together for item in items if item.do == "cast" or item is others[0]
    ]
