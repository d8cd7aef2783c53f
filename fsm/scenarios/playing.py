"""Plays a scenario: a TurnController runs the turns, a scripted game answers it, and the outcome is
checked.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from fsm.engine.controller import TurnController
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
    Where,
    Word,
)
from fsm.engine.trace import Record, Trace
from fsm.model import Model
from fsm.runs.turns import Turn, Visit, read_turns
from fsm.scenarios import rulebooks
from fsm.scenarios.expect import failures_of
from fsm.scenarios.rulebooks import Attack, Combat, Memory
from fsm.scenarios.scenario import (
    CHANGE,
    ByPlayer,
    Cast,
    Item,
    PassForGood,
    Scenario,
    Verb,
    named,
    words_of,
)
from fsm.state.orders import (
    DelayedTrigger,
    Effect,
    EndPhase,
    EndTurn,
    Leave,
    Order,
    Signal,
    StandingTrigger,
    Withdraw,
)

MOST = 10_000
"""A run is stopped as endless after so many answers."""


class VisitLog(Struct):
    """What happened in one visit.

    Attributes
    ----------
    priority
        Who received priority, in order.
    effects
        The effects that were made in it, and those while players had priority, or as it ended.
    fires, put_on_stack
        The abilities that triggered, and those that were put on the stack.
    resolved
        The names of what resolved.
    performed
        The turn-based actions, each with the players who were asked to perform it.
    assigned, dealt
        The creatures that assigned damage, and whose damage was dealt.
    discards
        How many cards were discarded.
    lore
        The Sagas that got a lore counter.
    designation
        Day or night as it ended.
    mana, burned
        The mana of each player before it emptied, and the life lost by it.
    """

    priority: list[str] = []
    effects: set[str] = set()
    fires: list[str] = []
    put_on_stack: list[str] = []
    resolved: list[str] = []
    performed: list[tuple[str, tuple[str, ...]]] = []
    assigned: list[str] = []
    dealt: list[str] = []
    discards: int = 0
    lore: list[str] = []
    designation: str = ""
    mana: Counter[str] | None = None
    burned: Counter[str] = msgspec.field(default_factory=Counter)


@dataclass
class Outcome:
    """The result of a scenario.

    Attributes
    ----------
    scenario
        The scenario that was played.
    trace
        The whole run. It can be replayed.
    records
        The firings of the turns that were to be played.
    turns
        The turns that began, as for `records`.
    visits
        The steps that were visited, as for `records`.
    deciders
        Who decides in each turn, by its number.
    logs
        What the scripted game noted in each visit of a step.
    over
        Whether the game is over.
    winners
        Who has won. It is empty if nobody has, or if the game is not over.
    bounded
        Why the run was stopped, or "" if it came to its end.
    warnings
        One sentence for each given item that never came up, and each signal that had no effect.
    failures
        One sentence for each expectation that does not hold.
    """

    scenario: Scenario
    trace: Trace
    records: list[Record]
    turns: list[Turn]
    visits: list[Visit]
    deciders: Mapping[int, str]
    logs: Mapping[Where, VisitLog]
    over: bool
    winners: tuple[str, ...]
    bounded: str
    warnings: list[str]
    failures: list[str] = field(default_factory=list)

    @property
    def model(self) -> Model:
        """The model with which it was played."""
        return self.scenario.model

    @property
    def ok(self) -> bool:
        """Whether all expectations hold."""
        return not self.failures


def play(scenario: Scenario, *, max_answers: int = MOST, strict: bool = False) -> Outcome:
    """Play a scenario and check its expectations.

    The run stops after `through_turn` turns, when the game is over, or after `max_answers`. After a
    rollback, the game is played anew, and only what was not taken back is in the outcome.

    Parameters
    ----------
    scenario
        The scenario.
    max_answers
        How many answers are given. The rules allow a cleanup that never ends.
    strict
        Whether warnings count as failures.

    Returns
    -------
    Outcome
        The result, with the expectations that do not hold.

    Raises
    ------
    FsmError
        If the run comes to a hole in the model, or if the model refuses what the scenario orders.
    """
    undone, carried_out = frozenset[str](), set[str]()
    while True:
        game = Game(scenario, undone)
        bounded = game.play(max_answers)
        carried_out |= game.carried_out
        if not game.rollback:
            break
        undone |= {game.rollback}
    outcome = _outcome(scenario, game, bounded)
    never = [item for item in scenario.given if item.place not in carried_out]
    outcome.warnings[:0] = [f"{one.place}: {one.do} never came up ({one.when})" for one in never]
    outcome.failures += failures_of(outcome)
    if bounded:
        outcome.failures.append(f"{scenario.id}: {bounded}")
    if strict:
        outcome.failures += [f"{scenario.id}: {text}" for text in outcome.warnings]
    return outcome


def _outcome(scenario: Scenario, game: Game, bounded: str) -> Outcome:
    """Return what came of a scenario. Its expectations are still to be checked."""
    trace, end = game.controller.trace, game.controller.request
    assert trace is not None
    records = [r for r in trace.records if r.turn <= scenario.through_turn]
    turns = [turn for turn in read_turns(records, scenario.model) if turn.number]
    return Outcome(
        scenario=scenario,
        trace=trace,
        records=records,
        turns=turns,
        visits=[*chain.from_iterable(turn.visits for turn in turns)],
        deciders=game.deciders,
        logs=game.visits,
        over=isinstance(end, Over),
        winners=end.winners if isinstance(end, Over) else (),
        bounded=bounded,
        warnings=game.complaints,
    )


# the scripted game --------------------------------------------------------------------------------


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
    deals
        The creatures whose damage it deals.
    late
        Whether it triggered during an ending procedure, which it survives.
    """

    name: str
    player: str
    items: Sequence[Item] = ()
    forbids: bool = False
    deals: Sequence[str] = ()
    late: bool = False


_ABILITIES = ("trigger", "delayed_trigger", "standing_trigger")
"""The verbs whose `id` names no object that does it."""


class Game:
    """A game in which only what the scenario gives happens. Otherwise everybody passes.

    Parameters
    ----------
    scenario
        The scenario.
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
        The signals of which nothing came, one sentence each.
    visits, deciders
        What expectations ask: the visits, and who decides in each turn.
    at, where
        The position, or None before turn 1; and the last visit to a step.
    memory
        What it remembers for its rulebook.
    told
        The facts that are told in this visit until the model has read them: by the one of several
        players who tells them, or by "" for all.
    """

    item: Item
    memory: Memory
    stack: list[StackObject]

    def __init__(self, scenario: Scenario, undone: frozenset[str]) -> None:
        self.scenario, self.undone = scenario, undone
        self.words = words_of(scenario.model)
        self.memory = Memory()
        self.teams = {team[0]: team for team in scenario.teams}
        self.where, self.phase = Where(0, ""), (0, 0)
        self.visits = {self.where: VisitLog()}
        self.deciders = dict[int, str]()
        self.carried_out, self.complaints, self.rollback = set[str](), list[str](), ""
        # where the game stands
        self.at: Position | None = None
        self.left = set[str]()
        self.ending = False
        # what is in the game
        self.stack = []
        self.waiting = list[StackObject]()
        self.abilities = dict[str, tuple[str, tuple[Item, ...]]]()
        self.effects = list[str]()
        self.sba = self.sba_performed = False
        # what the next answers say
        self.orders = list[tuple[Order, Item]]()
        self.told = defaultdict[str, dict[str, bool]](dict)
        # what is still to come
        self.items = defaultdict[tuple[Where, str], list[Item]](list)
        for item in scenario.given:
            if item.when is not None:
                self.items[item.when.where, item.when.at].append(item)
        self.do([item for item in scenario.given if item.when is None])
        opening = [order for order, _ in self.orders]
        self.orders.clear()
        self.controller = TurnController(
            scenario.model,
            scenario.players,
            teams=scenario.teams,
            settings=scenario.settings,
            orders=opening,
            start=scenario.start,
            trace=True,
        )

    def play(self, max_answers: int) -> str:
        """Play until the run ends, or a rollback. Return why it was stopped, if it was."""
        controller = self.controller
        assert controller.trace is not None
        entries = controller.trace.entries
        for _ in range(max_answers):
            request = controller.request
            if isinstance(request, Over) or request.at.turn > self.scenario.through_turn:
                break
            answer = self.answer(request)
            if self.rollback:
                break
            fresh = len(entries)
            controller.answer(answer)
            self.notice(entry for entry in entries[fresh:] if isinstance(entry, Record))
        else:
            remedy = "name fewer turns by through_turn, or allow more answers"
            return f"stopped after {max_answers} answers, in {self.where}; {remedy}"
        self.leave_visit()
        return ""

    @property
    def player(self) -> str:
        """Who is meant if nobody is named: the active player, or before turn 1 the first."""
        return self.at.active if self.at is not None else self.scenario.players[0]

    @property
    def team(self) -> tuple[str, ...]:
        """The players whose turn it is."""
        return self.teams.get(self.player, (self.player,))

    @property
    def is_deserted(self) -> bool:
        """Whether all players have left whose turn it is."""
        return self.left.issuperset(self.team)

    @property
    def visit(self) -> VisitLog:
        """The visit under way."""
        return self.visits[self.where]

    # answering -----------------------------------------------------------------------------------

    def answer(self, request: Request) -> Answer:
        """Return the answer to a request, with its facts and orders."""
        self._come_to(request)
        word = self._respond(request)
        facts, player = self._facts(request), ""
        if isinstance(request, Perform) and not self.told.keys().isdisjoint(request.by):
            player = request.waits_for[0]  # each answers for themselves
            facts |= self.told[player]
        return Answer(word, facts, tuple(order for order, _ in self.orders), player=player)

    def _facts(self, request: Request) -> dict[str, bool]:
        """Return the facts that an answer tells."""
        names = [*request.facts]
        if self.orders:  # which can lead to any guard
            names += self.controller.semantics.live
        facts = {name: self.fact(name) for name in names}
        for name, value in self.told[""].items():
            fact = self.words.facts.get(name)
            # what an action decides is told with it, anything else also without being asked
            if value and fact and (not fact.last or name in request.must_tell):
                facts[name] = True
        return facts

    def notice(self, records: Iterable[Record]) -> None:
        """Process what an answer made fire. What was told is told until the model has read it."""
        signals = {order: item for order, item in self.orders if isinstance(order, Signal)}
        for result in self.controller.request.orders if len(self.orders) > 1 else ():
            if result.order in signals and result.state == "nothing":
                why = f"nothing came of the signal: {result.why}"
                self.complaints.append(f"{signals[result.order].place}: {why}")
        self.orders.clear()
        for record in records:
            for name, _ in record.guards:
                self.told[""].pop(name, None)
            phase = record.turn, record.phase_id
            if record.machine == "turn" and phase != self.phase:
                self.phase, self.memory.combat = phase, Combat()

    def _respond(self, request: Request) -> Word:
        if isinstance(request, Perform) and not request.answered:
            self.visit.performed.append((request.action, request.by))
            if request.action in ACTIONS:
                ACTIONS[request.action](self, request)
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
        told = self.told[""]
        return told[name] if name in told else name in FACTS and FACTS[name](self)

    # coming to a position ------------------------------------------------------------------------

    def _come_to(self, request: Request) -> None:
        """Process the position and what the controller has noticed. Then carry out the items of
        this position.
        """
        at = request.at
        where = Where(at.turn, at.step, at.iteration) if at.step else self.where
        if where != self.where:
            self.leave_visit()
        if at.turn and at.turn not in self.deciders:
            self.deciders[at.turn] = at.controller
            self.memory.begin_turn()
        self.at, self.where = at, where
        begins = where not in self.visits  # else it goes on, perhaps after a phase inside it
        self.visits.setdefault(where, VisitLog())
        for id in request.expired:
            if id in self.effects:
                self.effects.remove(id)
        for id in request.triggered:
            self.trigger(id, *self.abilities[id])
        if begins:
            self.told.clear()
            self.memory.begin_visit()
            self._at("begin")
        if request.state == at.stage:
            self._at(at.stage)

    def leave_visit(self) -> None:
        """Note what expectations ask of the visit that ends, or waits."""
        if self.where.turn:
            if not self.visit.priority:
                self.visit.effects.update(self.effects)
            self.memory.note(self.visit)

    def _at(self, moment: str) -> None:
        """Carry out, once in a visit, the items that happen with an action or as a step begins."""
        self.do(self.items.pop((self.where, moment), ()))

    # priority and the stack ----------------------------------------------------------------------

    def _with_priority(self, request: Priority) -> Word:
        if not self.visit.priority:
            self.visit.effects.update(self.effects)
        self.visit.priority.append(request.player)
        here = self.items[self.where, "priority"]
        here += self.items.pop((self.where, request.at.stage), ())
        now = self._next(request, here)
        if not now:
            return "passed"
        if self.memory.must_attack == "will pass" and isinstance(now[0].what, Attack):
            self.memory.must_attack = "passed"
            return "passed"
        for item in now:
            here.remove(item)
            self.carried_out.add(item.place)
        return self._act(now, request.player)

    def _next(self, request: Priority, here: list[Item]) -> list[Item]:
        """Return what a player with priority does now: one thing of a player's own, or all else."""
        for item in [*here]:
            own = _own(item)
            if own is None:
                return [] if self.stack else _joint(item, here)
            player = getattr(own, "player", "") or self.player
            responds = getattr(own, "responds", False)
            if player in self.left or (responds and not self.stack):
                here.remove(item)
            else:
                fits = responds == bool(self.stack) and player in request.by
                return [item] if fits else []
        return []

    def _act(self, items: list[Item], player: str) -> Word:
        """Let a player do what is given. Say what that is."""
        first, own = items[0], items[0].what
        if isinstance(own, PassForGood):
            self.do(first.then)
            return "out"
        if isinstance(own, Attack) and not own.card:
            self.do(items)
        else:
            names = [item.name for item in items if item.name and item.do not in _ABILITIES]
            forbids = isinstance(own, Cast) and own.interdiction
            inside = first.then if isinstance(own, Cast) else items
            self.put([*names, first.do][0], player, inside, forbids=forbids)
        return "acted"

    def put(self, name: str, player: str = "", items: Sequence[Item] = (), **more: Any) -> None:
        """Put an object on the stack. Without a stack, it resolves at once."""
        thing = StackObject(name, player, items, **more)
        if self.words.has_stack:
            self.stack.append(thing)
        else:
            self._resolve(thing)

    def _resolve(self, thing: StackObject) -> None:
        self.visit.resolved.append(thing.name)
        self.visit.dealt += thing.deals
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
        order, item = named(order, self.player), self.item
        match order:
            case Leave():
                self._leave(order.players)
                return
            case StandingTrigger() if order.step == CHANGE:
                self.memory.changes.append((order, item))
                return
            case DelayedTrigger() | StandingTrigger():
                self.abilities[order.id] = getattr(order, "player", ""), item.then
            case Effect():
                self.effects.append(order.id)
                self.visit.effects.add(order.id)
            case Withdraw():
                self.effects = [effect for effect in self.effects if effect != order.id]
                self.memory.changes = [one for one in self.memory.changes if one[0].id != order.id]
            case EndTurn() | EndPhase() if not self.controller.why_not(type(order)):
                self.ending = True
                for id in item.during:
                    self.trigger(id)
        self.orders.append((order, item))

    # triggers and players ------------------------------------------------------------------------

    def trigger(self, id: str, player: str = "", then: tuple[Item, ...] = ()) -> None:
        """Let an ability trigger. It waits unless its controller has left."""
        self.visit.fires.append(id)
        if player not in self.left:
            self.waiting.append(StackObject(id, player, then, late=self.ending))

    def cease_triggers(self) -> None:
        """Remove waiting triggers, except those of an ending procedure that keeps its own (CR
        723.1a).
        """
        late = [waiting for waiting in self.waiting if waiting.late]
        self.waiting = [waiting._replace(late=False) for waiting in late]

    def _place(self, players: Sequence[str]) -> None:
        """Put waiting triggers on the stack, the first player's lowest (CR 603.3b)."""
        places = {player: place for place, player in enumerate(players)}
        placed, self.waiting = self.waiting, []
        for waiting in sorted(placed, key=lambda waiting: places.get(waiting.player, 0)):
            self.visit.put_on_stack.append(waiting.name)
            self.put(waiting.name, waiting.player, waiting.items)

    def _leave(self, players: Sequence[str]) -> None:
        """Remove players and everything that is theirs (CR 800.4a)."""
        leaving = [player for player in players if player not in self.left]
        self.left.update(leaving)
        self.waiting = [waiting for waiting in self.waiting if waiting.player not in self.left]
        self.stack = [thing for thing in self.stack if thing.player not in self.left]
        self.memory.lose_players(self)
        if leaving:
            self.orders.append((Leave(*leaving), self.item))


ACTIONS: Mapping[str, Callable[[Game, Perform], None]] = {
    "cease_triggers": lambda game, request: game.cease_triggers(),
    **dict.fromkeys(
        ("exile_stack", "banish_stack", "remove_stack"), lambda game, request: game.stack.clear()
    ),
    **rulebooks.ACTIONS,
}
"""What an action changes. Any other changes nothing in the scripted game."""
FACTS: Mapping[str, Callable[[Game], bool]] = {
    "sba_performed": lambda game: game.sba_performed,
    "triggers_waiting": lambda game: bool(game.waiting),
    "stack_empty": lambda game: not game.stack,
    **rulebooks.FACTS,
}
"""The facts that the game works out. Any other is false."""


def _own(item: Item) -> ByPlayer | None:
    """Return what a player does with priority, if an item is that."""
    return item.what if isinstance(item.what, ByPlayer) else None


def _joint(item: Item, here: Iterable[Item]) -> list[Item]:
    """Return the items that happen together with one: those of its `when`."""
    return [one for one in here if one.when == item.when and _own(one) is None]
