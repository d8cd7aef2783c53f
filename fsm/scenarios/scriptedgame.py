"""The scripted game: the host that scenarios drive. It answers a TurnController's requests."""

from __future__ import annotations

from collections.abc import Iterable
from copy import deepcopy
from dataclasses import dataclass, field

from fsm.engine.records import Record
from fsm.engine.requests import (
    Answer,
    CheckState,
    Over,
    Perform,
    PlaceTriggers,
    Position,
    Priority,
    Request,
    Resolve,
    Word,
)
from fsm.model import Model
from fsm.runs.where import Where
from fsm.scenarios.actions import perform
from fsm.scenarios.facts import fact
from fsm.scenarios.games import GAMES
from fsm.scenarios.log import GameLog
from fsm.scenarios.modelwords import ModelWords
from fsm.scenarios.scenario import Item, Scenario
from fsm.scenarios.units import PriorityUnit, items_at, object_name, units
from fsm.scenarios.verbs import carry_out
from fsm.scenarios.world import StackObject, World
from fsm.state.orders import Leave, Order


@dataclass(slots=True)
class ItemHistory:
    """What a rollback does not undo: which items were carried out, and which rollbacks happened, by
    their places.
    """

    carried_out: set[str] = field(default_factory=set)
    rolled_back: set[str] = field(default_factory=set)


class ScriptedGame:
    """A game in which only what the scenario gives happens. Otherwise everybody passes.

    `orders` are in force before turn 1, so the controller gets them at the start. After `answer`,
    `back_to` is the turn to which a rollback leads, or 0. If there is one, restore that turn and do
    not give the answer.
    """

    def __init__(self, scenario: Scenario, model: Model | None = None) -> None:
        self.words = ModelWords(model or scenario.model)
        self.teams = {team[0]: team for team in scenario.teams}
        stages = self.words.every_stage.values()
        windows = [s.id for s in stages if s.kind == "window"]
        self.timed_items = items_at(
            scenario.given, ["begin", *(s.id for s in stages if s.kind == "action")]
        )
        self.units = units(scenario.given, windows)
        self.history = ItemHistory()
        log = GameLog(
            states={state: state.of(self.words) for game in GAMES for state in game.states}
        )
        self.world = World(scenario.players, log)
        self.pending: dict[Where, list[PriorityUnit]] = {}
        self._do(tuple(item for item in scenario.given if item.when is None))
        self.orders: tuple[Order, ...] = self._take_orders()

    def copy(self) -> ScriptedGame:
        """Return an independent copy of the game. Only `history` is shared."""
        twin = ScriptedGame.__new__(ScriptedGame)
        twin.__dict__.update(self.__dict__)
        twin.world = deepcopy(self.world)
        twin.pending = {where: list(waiting) for where, waiting in self.pending.items()}
        return twin

    @property
    def back_to(self) -> int:
        """The turn to restore, or 0 for none."""
        return self.world.back_to

    @property
    def log(self) -> GameLog:
        """The log of the game, which expectations read."""
        return self.world.log

    def answer(self, request: Request | Over) -> Answer:
        """Return the answer to a request, with its facts and orders."""
        self._process_position(request)
        word = self._respond(request)
        facts = self._facts(request) | dict.fromkeys(self._facts_to_report(request), True)
        return Answer(word, facts, self._take_orders())

    def notice(self, records: Iterable[Record]) -> None:
        """Process firings.

        Facts that the scenario reports are reported until the model has read them.
        """
        for record in records:
            for name, _ in record.guards:
                self.world.given_facts.pop(name, None)
            phase = record.turn, record.phase_id
            if record.machine == "turn" and phase != self.world.phase:
                self.world.phase = phase
                for state in self.world.states:
                    state.begin_phase(self.world)

    def close(self) -> None:
        """End the run, and complete the log of the current visit."""
        self._leave_visit()

    # position -------------------------------------------------------------------------------------

    def _process_position(self, request: Request | Over) -> None:
        """Process the position and what the controller has noticed, then carry out the items of
        this position.
        """
        at, world = request.at, self.world
        where = Where(at.turn, at.step, at.iteration) if at.step else world.where
        moved = where != world.where
        if moved:
            self._leave_visit()
        self._follow(at)
        world.where = where
        for id in request.expired:
            if id in world.effects:
                world.effects.remove(id)
        world.noticed(request.triggered)
        if moved:
            self._enter_visit()
        if request.state == at.stage:
            self._at(at.stage)

    def _enter_visit(self) -> None:
        """Begin a visit, or continue one that waited while another phase was inside it."""
        world, where = self.world, self.world.where
        if where in self.pending:
            for state in world.states:
                state.resume_visit(world)
            return
        world.begin_visit()
        self.pending[where] = list(self.units.get(where, ()))
        self._at("begin")

    def _at(self, stage: str) -> None:
        """Carry out, once in a visit, the items that happen with this action or as the step begins."""
        key = (self.world.where, stage)
        if key in self.timed_items and key not in self.world.done:
            self.world.done.add(key)
            self.world.with_action = True
            self._do(self.timed_items[key])
            self.world.with_action = False

    def _follow(self, at: Position) -> None:
        world = self.world
        if at.turn != world.turn:
            world.begin_turn(at.turn)
            self.pending = {}
            world.log.deciders[at.turn] = at.controller
        for state in world.states:
            state.move(world, at)
        world.endable = self.words.can_end(at.stage, at.phase)
        world.active, world.decider, world.team = (
            at.active,
            at.controller,
            self.teams.get(at.active, (at.active,)),
        )

    def _leave_visit(self) -> None:
        world = self.world
        if not world.where.turn:
            return
        seen = world.log.visit(world.where)
        if seen.on is None:
            seen.on = frozenset(world.effects)
        for state in world.states:
            state.leave_visit(world)

    # answering ------------------------------------------------------------------------------------

    def _respond(self, request: Request | Over) -> Word:
        world = self.world
        if isinstance(request, Perform):
            world.log.visit(world.where).performed.append((request.action, request.by))
            perform(world, request.action, request.by, request.manner)
        elif isinstance(request, CheckState):
            world.sba, world.sba_performed = False, world.sba
        elif isinstance(request, PlaceTriggers):
            world.place(request.by)
        elif isinstance(request, Resolve) and world.stack:
            self._resolve(world.stack.pop())
        elif isinstance(request, Priority):
            return self._with_priority(request)
        return "done"

    def _with_priority(self, request: Priority) -> Word:
        world = self.world
        seen = world.log.visit(world.where)
        seen.priority.append(request.player)
        if seen.on is None:
            seen.on = frozenset(world.effects)
        unit = self._ready(request)
        if unit is None or any(state.tries_to_pass(world, unit.items[0]) for state in world.states):
            return "passed"
        self.pending[world.where].remove(unit)
        self.history.carried_out.update(item.place for item in unit.items)
        if unit.declares:
            self._do(unit.items)
        else:
            name = object_name(unit.items)
            world.stack.append(
                StackObject(request.player, unit.resolving, name, unit.player_action)
            )
        return "acted"

    def _ready(self, request: Priority) -> PriorityUnit | None:
        """Return the next unit if a player with priority puts it on the stack, or declares it, now."""
        world, waiting = self.world, self.pending.get(self.world.where, [])
        holders = request.by
        for unit in [unit for unit in waiting if self._fits(unit, request.at.stage)]:
            alone = unit.player_action
            player = (alone.fields.get("player") or world.active) if alone else ""
            responds = alone is not None and bool(alone.fields.get("responds"))
            if player in world.left or (responds and not world.stack):
                waiting.remove(unit)
            elif (world.stack and not responds) or (player and player not in holders):
                return None
            else:
                return unit
        return None

    def _fits(self, unit: PriorityUnit, stage: str) -> bool:
        """Say whether the unit fits this window. It can only be declared where the model hears of
        it.
        """
        return unit.stage in ("", stage) and (
            not unit.declares or self.words.hears(stage, unit.event)
        )

    def _resolve(self, stack_object: StackObject) -> None:
        self.world.log.visit(self.world.where).resolved.append(stack_object.id)
        if stack_object.resolve is not None:
            stack_object.resolve(self.world)
        self._do(stack_object.items)

    def _do(self, items: tuple[Item, ...]) -> None:
        """Carry out the items of one resolution, or those that happen with a step's actions, in
        order.
        """
        for item in items:
            if item.place in self.history.rolled_back:
                continue
            self.history.carried_out.add(item.place)
            carry_out(self.world, item)
            if self.world.back_to:
                self.history.rolled_back.add(item.place)
                break
        self.world.ending = False

    def _facts(self, request: Request | Over) -> dict[str, bool]:
        """Return the facts that are asked for: decided for an action, reported by the scenario, or
        computed.
        """
        names = [*request.facts]
        if self.world.orders or self.world.departing:  # which can lead to any guard
            known = self.words.reported.values()
            names += [each.name for each in known if each.timing == "live"]
        facts = {name: fact(self.world, name) for name in names}
        if isinstance(request, Perform) and request.action in self.world.choices:
            tells = self.words.model.state(request.state).tells
            facts |= dict.fromkeys(tells, self.world.choices.pop(request.action))
        return facts

    def _facts_to_report(self, request: Request | Over) -> set[str]:
        """Return what is told now. What an action decides is told with that action."""
        decided = {fact.name for fact in self.words.model.facts if fact.last}
        facts = self.world.facts_to_report
        self.world.facts_to_report = facts & decided - {*request.must_tell}
        told = facts - self.world.facts_to_report
        return {name for name in told if self.words.knows(f"fact:{name}")}

    def _take_orders(self) -> tuple[Order, ...]:
        orders, self.world.orders = self.world.orders, []
        departing, self.world.departing = self.world.departing, []
        return (*orders, *([Leave(*departing)] if departing else []))
