"""The scripted game: the host that a scenario drives. It answers a controller's requests."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct

from fsm.engine.controller import TurnController
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
from fsm.runs.where import BEFORE, Where
from fsm.scenarios import archive, magic, verbs
from fsm.scenarios.archive import Archive
from fsm.scenarios.magic import Magic
from fsm.scenarios.scenario import Item, Scenario
from fsm.scenarios.verbs import ByPlayer, Cast, Verb, VerbRow, named
from fsm.scenarios.words import Words, words_of
from fsm.state.orders import (
    DelayedTrigger,
    Effect,
    EndPhase,
    EndTurn,
    Leave,
    Order,
    Result,
    StandingTrigger,
    Withdraw,
)


class VisitLog(Struct):
    """What happened in one visit.

    Attributes
    ----------
    priority
        Who received priority, in order.
    made
        The effects that were made in it.
    on
        The effects while players had priority, or as it ended.
    resolved
        The names of what resolved.
    performed
        The turn-based actions, each with the players who were asked to perform it.
    """

    priority: list[str] = []
    made: set[str] = set()
    on: frozenset[str] | None = None
    resolved: list[str] = []
    performed: list[tuple[str, tuple[str, ...]]] = []


class TriggerEvent(NamedTuple):
    """An ability triggered ("fires"), or was put on the stack ("put_on_stack")."""

    kind: str
    id: str
    where: Where


class Waiting(NamedTuple):
    """A triggered ability that waits. `late` means that it triggered during an ending procedure,
    which it survives.
    """

    id: str
    player: str
    then: tuple[Item, ...]
    late: bool


class StackObject(NamedTuple):
    """An object on the stack: whose it is, and what happens as it resolves."""

    name: str
    player: str
    items: tuple[Item, ...]
    cast: Verb | None
    resolve: Callable[[], None] | None


class Unit(NamedTuple):
    """What happens with priority at once: one thing that a player does, or all other items of one
    `when`. `stage` is the only window for it, or "" for any.
    """

    items: Sequence[Item]
    stage: str

    @property
    def own(self) -> ByPlayer | None:
        """What a player does, if it is that."""
        what = self.items[0].what
        return what if isinstance(what, ByPlayer) else None


class Game:
    """A game in which only what the scenario gives happens. Otherwise everybody passes.

    Parameters
    ----------
    scenario
        The scenario.
    model
        The model with which it is played.
    undone
        The places of the rollbacks that happened already.

    Attributes
    ----------
    carried_out
        The places of the items that were carried out.
    rollback
        The place of a rollback that happens now, or "". Then the game is to be begun anew.
    item
        The item that is carried out.
    complaints
        What had no effect, one sentence each.
    visits, triggers, deciders
        What expectations ask: the visits, the events of triggers, and who decides in each turn.
    """

    magic: Magic
    archive: Archive
    stack: list[StackObject]
    item: Item
    visits: defaultdict[Where, VisitLog]

    words: Words
    undone: frozenset[str]
    players: tuple[str, ...]
    teams: dict[str, tuple[str, ...]]
    triggers: list[TriggerEvent]
    deciders: dict[int, str]
    carried_out: set[str]
    complaints: list[str]
    rollback: str
    turn: int
    where: Where
    phase: tuple[int, int]
    active: str
    decider: str
    team: tuple[str, ...]
    left: set[str]
    leaving: list[str]
    with_action: bool
    ending: bool
    waiting: list[Waiting]
    abilities: dict[str, tuple[str, tuple[Item, ...]]]
    effects: list[str]
    sba: bool
    sba_performed: bool
    orders: list[tuple[Order, Item]]
    told: dict[str, bool]
    report: set[str]
    told_by: dict[str, dict[str, bool]]
    timed: dict[tuple[Where, str], list[Item]]
    units: dict[Where, list[Unit]]
    pending: dict[Where, list[Unit]]
    opening: tuple[Order, ...]

    def __init__(self, scenario: Scenario, model: Model, undone: frozenset[str]) -> None:
        self.words, self.undone = words_of(model), undone
        self.players = scenario.players
        self.teams = {team[0]: team for team in scenario.teams}
        self.magic, self.archive = Magic.of(self.words), Archive()
        self.controller: TurnController | None = None
        self.visits = defaultdict(VisitLog)
        self.triggers = []
        self.deciders = {}
        self.carried_out, self.complaints, self.rollback = set(), [], ""
        # where the game stands
        self.turn, self.where, self.phase = 0, BEFORE, (0, 0)
        self.active, self.decider, self.team = "", "", ()
        self.left, self.leaving = set(), []
        self.with_action = self.ending = False
        # what is in the game
        self.stack = []
        self.waiting = []
        self.abilities = {}
        self.effects = []
        self.sba = self.sba_performed = False
        # what the next answers say
        self.orders = []
        self.told, self.report = {}, set()
        self.told_by = {}
        # what is still to come
        windows = {id for id, state in self.words.every_stage.items() if state.kind == "window"}
        self.timed, self.units = _sorted(scenario.given, windows | {"priority"})
        self.pending = {}
        self.do([item for item in scenario.given if item.when is None])
        self.opening = tuple(order for order, _ in self.orders)
        self.orders.clear()

    @property
    def player(self) -> str:
        """Who is meant if nobody is named: the active player, or before turn 1 the first."""
        return self.active or self.players[0]

    # answering -----------------------------------------------------------------------------------

    def answer(self, controller: TurnController) -> Answer:
        """Return the answer to a request, with its facts and orders."""
        request, self.controller = controller.request, controller
        self._come_to(request)
        word = self._respond(request)
        names = [*request.facts]
        if self.orders or self.leaving:  # which can lead to any guard
            names += controller.semantics.live
        facts = {name: self.fact(name) for name in names}
        facts |= dict.fromkeys(self._reported(request), True)
        player = self._one_of_several(request)
        facts |= self.told_by.get(player, {})
        orders = [order for order, _ in self.orders]
        if self.leaving:
            orders.append(Leave(*self.leaving))
        return Answer(word, facts, tuple(orders), player=player)

    def _one_of_several(self, request: Request | Over) -> str:
        """Return the player who answers for themselves, if one of those who are asked does."""
        if not isinstance(request, Perform) or self.told_by.keys().isdisjoint(request.by):
            return ""
        return request.waits_for[0]

    def _reported(self, request: Request | Over) -> set[str]:
        """Return what is told now without being asked. What an action decides is told with it."""
        waiting = self.report & self.words.decided - {*request.must_tell}
        told, self.report = self.report - waiting, waiting
        return {name for name in told if not self.words.lacks(f"the fact {name}")}

    def notice(self, records: Iterable[Record]) -> None:
        """Process what an answer made fire. What was told is told until the model has read it."""
        assert self.controller is not None
        self._warn_of_signals(self.controller.request.orders)
        self.orders.clear()
        self.leaving.clear()
        for record in records:
            for name, _ in record.guards:
                self.told.pop(name, None)
            phase = record.turn, record.phase_id
            if record.machine == "turn" and phase != self.phase:
                self.phase = phase
                self.magic.begin_phase()

    def _warn_of_signals(self, results: Sequence[Result]) -> None:
        """Warn of each of several signals of one moment of which nothing came."""
        ordered = zip(self.orders, results, strict=False)
        signals = [(item, result) for (_, item), result in ordered if item.do == "signal"]
        for item, result in signals:
            if len(signals) > 1 and result.state == "nothing":
                text = f"{item.place}: nothing came of the signal: {result.why}"
                self.complaints.append(text)

    def _respond(self, request: Request | Over) -> Word:
        if isinstance(request, Perform) and not request.answered:
            self.visits[self.where].performed.append((request.action, request.by))
            change = ACTIONS.get(request.action) or ACTIONS.get(f"{request.action.split('_')[0]}_*")
            if change is not None:
                change(self, request)
        elif isinstance(request, CheckState):
            self.sba, self.sba_performed = False, self.sba
        elif isinstance(request, PlaceTriggers):
            self._place(request.by)
        elif isinstance(request, Resolve) and self.stack:
            self._resolve(self.stack.pop())
        elif isinstance(request, Priority):
            return self._with_priority(request)
        return "done"

    def fact(self, name: str) -> bool:
        """Return what the game tells of a fact: what the scenario says, or what it works out."""
        if name in self.report:
            return True
        if name in self.told:
            return self.told[name]
        work_out = FACTS.get(name)
        return work_out is not None and work_out(self)

    # coming to a position ------------------------------------------------------------------------

    def _come_to(self, request: Request | Over) -> None:
        """Process the position and what the controller has noticed. Then carry out the items of
        this position.
        """
        at = request.at
        where = Where(at.turn, at.step, at.iteration) if at.step else self.where
        moved = where != self.where
        if moved:
            self.leave_visit()
        self._follow(at)
        self.where = where
        for id in request.expired:
            if id in self.effects:
                self.effects.remove(id)
        for id in request.triggered:
            self.trigger(id, *self.abilities[id])
        if moved:
            self._enter_visit()
        if request.state == at.stage:
            self._at(at.stage)

    def _follow(self, at: Position) -> None:
        if at.turn != self.turn:
            self.turn, self.pending = at.turn, {}
            self.deciders[at.turn] = at.controller
            self.magic.begin_turn()
            self.archive.begin_turn()
        self.magic.move(at)
        self.active, self.decider = at.active, at.controller
        self.team = self.teams.get(at.active, (at.active,))

    def _enter_visit(self) -> None:
        """Begin a visit, or go on with one that waited while another phase was inside it."""
        if self.where in self.pending:
            self.magic.resume_visit(self.where)
            return
        self.told, self.told_by = {}, {}
        self.magic.begin_visit()
        self.archive.entering = None
        self.pending[self.where] = list(self.units.get(self.where, ()))
        self._at("begin")

    def leave_visit(self) -> None:
        """Note what expectations ask of the visit that ends, or waits."""
        if self.where.turn:
            self._note_effects()
            self.magic.leave_visit(self.where)

    def _note_effects(self) -> None:
        visit = self.visits[self.where]
        if visit.on is None:
            visit.on = frozenset(self.effects)

    def _at(self, stage: str) -> None:
        """Carry out, once in a visit, the items that happen with an action or as a step begins."""
        items = self.timed.pop((self.where, stage), ())
        self.with_action = True
        self.do(items)
        self.with_action = False

    # priority and the stack ----------------------------------------------------------------------

    def _with_priority(self, request: Priority) -> Word:
        self.visits[self.where].priority.append(request.player)
        self._note_effects()
        unit = self._next_unit(request)
        if unit is None or self.archive.passes_first(unit.items[0]):
            return "passed"
        self.pending[self.where].remove(unit)
        self.carried_out.update(item.place for item in unit.items)
        if unit.own is not None and unit.own.declared:
            self.do(unit.items)
            return "acted"
        first = unit.items[0]
        items = first.then if isinstance(first.what, Cast) else tuple(unit.items)
        self.put(_object_name(unit.items), request.player, items, cast=unit.own)
        return "acted"

    def _next_unit(self, request: Priority) -> Unit | None:
        """Return what a player with priority puts on the stack, or declares, now."""
        waiting = self.pending.get(self.where, [])
        for unit in [unit for unit in waiting if self._fits(unit, request)]:
            own = unit.own
            responds = isinstance(own, Cast) and own.responds
            player = getattr(own, "player", "") or self.active if own is not None else ""
            if player in self.left or (responds and not self.stack):
                waiting.remove(unit)
            elif (self.stack and not responds) or (player and player not in request.by):
                return None
            else:
                return unit
        return None

    def _fits(self, unit: Unit, request: Priority) -> bool:
        """Say whether a unit fits this window. It is declared only where the model hears of it."""
        if unit.stage not in ("", request.at.stage):
            return False
        event = unit.own.declared if unit.own is not None else ""
        rows = self.words.model.rows(request.at.stage, event)
        return not event or any(row.target is not None for row in rows)

    def put(
        self,
        name: str,
        player: str,
        items: tuple[Item, ...] = (),
        *,
        cast: Verb | None = None,
        resolve: Callable[[], None] | None = None,
    ) -> None:
        """Put an object on the stack. Without a stack, it resolves at once."""
        thing = StackObject(name, player, items, cast, resolve)
        if self.words.has_stack:
            self.stack.append(thing)
        else:
            self._resolve(thing)

    def _resolve(self, thing: StackObject) -> None:
        self.visits[self.where].resolved.append(thing.name)
        if thing.resolve is not None:
            thing.resolve()
        self.do(thing.items)

    # carrying out --------------------------------------------------------------------------------

    def do(self, items: Iterable[Item]) -> None:
        """Carry out the items of one resolution, or those that happen with a step's actions."""
        for item in items:
            if item.place in self.undone:
                continue
            self.carried_out.add(item.place)
            self.item = item
            if isinstance(item.what, Verb):
                item.what.happen(self)
            else:
                self.give(item.what)
            if self.rollback:
                break
        self.ending = False

    def give(self, order: Order) -> None:
        """Give an order with the next answer, and do what the game itself has to do with it."""
        order = named(order, self.player)
        if isinstance(order, Leave):
            self._leave(order.players)
            return
        if isinstance(order, DelayedTrigger):
            self.abilities[order.id] = order.player, self.item.then
        elif isinstance(order, StandingTrigger):
            self.abilities[order.id] = "", self.item.then
        elif isinstance(order, Effect):
            self.effects.append(order.id)
            self.visits[self.where].made.add(order.id)
        elif isinstance(order, Withdraw):
            self.effects = [effect for effect in self.effects if effect != order.id]
        elif isinstance(order, EndTurn | EndPhase):
            assert self.controller is not None
            if not self.controller.why_not(type(order)):
                self.ending = True
                for id in self.item.during:
                    self.trigger(id)
        self.orders.append((order, self.item))

    def tell(self, fact: str, value: bool) -> None:
        """Tell a fact in this visit, until the model has read it."""
        self.told[fact] = value
        self.report_as(fact, value)

    def report_as(self, fact: str, value: bool) -> None:
        """Report a fact with the next answer, or no longer."""
        (self.report.add if value else self.report.discard)(fact)

    def complain(self, text: str) -> None:
        """Note that the item that is carried out has no effect."""
        self.complaints.append(f"{self.item.place}: {text}")

    # triggers and players ------------------------------------------------------------------------

    def trigger(self, id: str, player: str = "", then: tuple[Item, ...] = ()) -> None:
        """Let an ability trigger. It waits unless its controller has left."""
        self.triggers.append(TriggerEvent("fires", id, self.where))
        if player not in self.left:
            self.waiting.append(Waiting(id, player, then, self.ending))

    def cease_triggers(self) -> None:
        """Remove waiting triggers, except those of an ending procedure that keeps its own (CR
        723.1a).
        """
        late = [waiting for waiting in self.waiting if waiting.late]
        self.waiting = [waiting._replace(late=False) for waiting in late]

    def _place(self, players: Sequence[str]) -> None:
        """Put waiting triggers on the stack, the first player's lowest (CR 603.3b)."""

        def place(waiting: Waiting) -> int:
            return players.index(waiting.player) if waiting.player in players else 0

        placed, self.waiting = sorted(self.waiting, key=place), []
        for waiting in placed:
            self.triggers.append(TriggerEvent("put_on_stack", waiting.id, self.where))
            self.put(waiting.id, waiting.player, waiting.then)

    def _leave(self, players: Iterable[str]) -> None:
        """Remove players and everything that is theirs (CR 800.4a). Who leaves in one resolution
        leaves together.
        """
        for player in players:
            if player not in self.left:
                self.left.add(player)
                self.leaving.append(player)
                self.waiting = [waiting for waiting in self.waiting if waiting.player != player]
                self.stack = [thing for thing in self.stack if thing.player != player]
                self.magic.lose_player(self, player)


ACTIONS: Mapping[str, Callable[[Game, Perform], None]] = {
    "cease_triggers": lambda game, request: game.cease_triggers(),
    **dict.fromkeys(
        ("exile_stack", "banish_stack", "remove_stack"), lambda game, request: game.stack.clear()
    ),
    **magic.ACTIONS,
    **archive.ACTIONS,
}
"""What an action changes. Any other changes nothing in the scripted game."""
FACTS: Mapping[str, Callable[[Game], bool]] = {
    "sba_performed": lambda game: game.sba_performed,
    "triggers_waiting": lambda game: bool(game.waiting),
    "stack_empty": lambda game: not game.stack,
    **magic.FACTS,
    **archive.FACTS,
}
"""The facts that the game works out. Any other is false."""
VERBS: Mapping[str, VerbRow] = {**verbs.VERBS, **magic.VERBS, **archive.VERBS}
"""All verbs. Reading, the schema and the documentation use this table."""
_ABILITIES = ("trigger", "delayed_trigger", "standing_trigger")


def _object_name(items: Iterable[Item]) -> str:
    """Return the name of the object with these items: the first name, or the first verb."""
    items = tuple(items)
    names = [item.name for item in items if item.name and item.do not in _ABILITIES]
    return names[0] if names else items[0].do


def _sorted(
    given: Iterable[Item], windows: set[str]
) -> tuple[dict[tuple[Where, str], list[Item]], dict[Where, list[Unit]]]:
    """Return the items that happen with actions or as a step begins, by visit and stage, and those
    that happen with priority as units, by visit.

    Items with the same `when` are one unit, which stands where the first of them does.
    """
    timed, units = dict[tuple[Where, str], list[Item]](), dict[Where, list[Unit]]()
    for item in given:
        if item.when is None:
            continue
        where, at = item.when.where, item.when.at
        own = isinstance(item.what, ByPlayer)
        together = [] if own else timed.setdefault((where, at), [])
        together.append(item)
        if at in windows and together[0] is item:
            stage = "" if at == "priority" else at
            units.setdefault(where, []).append(Unit(together, stage))
    return timed, units
