"""The execution semantics: what it means that a run of a Model goes on. Python says it only here.

A microstep fires one transition; a macrostep fires transitions until something must be asked (the
terms are those of SCXML). Whoever calls provides the values of facts: a `Told` reads them from an
answer, a `Choices` tries both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple, TypeVar

from fsm.engine.requests import Answer
from fsm.errors import AnswerError, ModelError, OrderError, StuckError
from fsm.model import Fact, Model, State, Transition
from fsm.model.model import per_model
from fsm.state.calendar import NO_ENTRIES, Calendar
from fsm.state.orders import Interruption, Leave, Order, Result
from fsm.state.primitives import ACTIONS, TESTS, Primitive, misused_primitives
from fsm.state.run import Heard, Occurrence, Players, Run
from fsm.state.scheduling import Names, Scheduler
from fsm.wording import citation

TURN = "turn"
WINDOW = "window"
SILENT_LIMIT = 10_000
MOST_TRIED = 512
"""At most this many combinations of facts are tried for one answer."""


class Told(dict[str, bool]):
    """The facts that an answer tells."""

    def __missing__(self, name: str) -> bool:
        raise AnswerError(
            f"the answer does not tell the fact {name!r}; the model reads it now: add it to the "
            "answer, or as the game begins to its start=StartAt(STEP, facts=...)",
            found=name,
        )

    def latched(self, run: Run, name: str) -> bool:
        """Return the value of a latched fact."""
        return name in run.latched


class Choices(Told):
    """Values of facts that are chosen when they are read. `later` gets what was not chosen."""

    def __init__(self, chosen: Mapping[str, bool], later: list[Choices]) -> None:
        super().__init__(chosen)
        self.later = later

    def __missing__(self, name: str) -> bool:
        self.later.append(Choices({**self, name: True}, self.later))
        self[name] = False
        return False

    def latched(self, run: Run, name: str) -> bool:
        """A latched fact that is chosen true stays so."""
        if name not in run.latched and self[name]:
            run.latched |= {name}
        return name in run.latched


def every_choice(known: Mapping[str, bool] | None = None) -> Iterator[Choices]:
    """Yield choices for all combinations of values of the facts that are read, depth first. Those
    that are `known` have one value.
    """
    later: list[Choices] = []
    later.append(Choices(known or {}, later))
    while later:
        yield later.pop()


_T = TypeVar("_T")
Term = tuple[str, Callable[[Run, Told], bool], bool]


class Row(NamedTuple):
    """A transition that is ready to fire: its guard and actions as functions.

    What records say of it, its `id` and its actions as they are `written`, is at hand.
    """

    transition: Transition
    id: str
    written: tuple[str, ...]
    terms: tuple[Term, ...]
    actions: tuple[Callable[[Run], None], ...]


class Fired(NamedTuple):
    """One firing.

    Attributes
    ----------
    machine, event, row
        The machine that fired, the event, and the transition.
    source, target
        The ids of the states before and after it.
    guards
        The facts that were read, with their values.
    turns
        How many turns had begun since the request that was answered.
    active
        The seat of the active player after it, or NOBODY.
    current, phase, step
        The turn, phase and step that are current after it.
    """

    machine: str
    event: str
    row: Row
    source: str
    target: str
    guards: tuple[tuple[str, bool], ...]
    turns: int
    active: int
    current: Occurrence | None
    phase: Occurrence | None
    step: Occurrence | None


class NothingFires(StuckError):
    """No guard of the transitions for this event holds. `what` says so, `why` has the reasons with
    their rules, and `rule` is that of the last one.
    """

    def __init__(self, state: str, event: str, why: str, rule: str) -> None:
        self.what = f"nothing can fire on {event!r} in {state!r}"
        super().__init__(f"{self.what}: {why}", rule=rule)
        self.why = why


class Semantics:
    """How the runs of one Model go on."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.rows: dict[tuple[str, str, str], tuple[Row, ...]] = {}
        self.states: dict[tuple[bool, str], State] = {}
        self.facts: dict[str, Fact] = {}
        for name, machine in model.machines.items():
            for problem in misused_primitives(machine):
                raise ModelError(f"model {machine.name!r}: {problem}")
            for state, event, rows in machine.choices:
                self.rows[name, state.id, event] = tuple([self._row(machine, row) for row in rows])
            self.states |= {(machine is not model, state.id): state for state in machine.states}
            self.facts |= {fact.name: fact for fact in machine.facts if fact.owner == "game"}
        latched = {name: fact for name, fact in self.facts.items() if fact.timing == "latched"}
        self.latching: set[str] = {name for name, fact in latched.items() if not fact.last}
        self.names: Names = Names(model)
        self.quiet: dict[str, bool] = {n: fact.is_quietly for n, fact in self.facts.items()}
        # what guards read from the answer at hand
        self.live: list[str] = [name for name in self.facts if name not in latched]

    def _row(self, model: Model, transition: Transition) -> Row:
        terms = [(t.fact, self.reader(model.fact(t.fact)), t.value) for t in transition.guard]
        actions = [self._bound(ACTIONS[act.name], act.args) for act in transition.actions]
        written = tuple(map(str, transition.actions))
        return Row(transition, transition.id, written, tuple(terms), tuple(actions))

    def reader(self, fact: Fact) -> Callable[[Run, Told], bool]:
        """Return the function that reads a fact."""
        name = fact.name
        if fact.timing == "latched":
            if fact.owner == "game" and not fact.last:
                return lambda run, told: told.latched(run, name)
            return lambda run, told: name in run.latched
        if fact.owner == "game":
            return lambda run, told: told[name]
        test = self._bound(TESTS[fact.test[0]], fact.test[1:])
        return lambda run, told: bool(test(run))

    def _bound(self, primitive: Primitive, args: tuple[str, ...]) -> Callable[[Run], Any]:
        """Return a primitive with its arguments."""
        function = primitive.run
        given: tuple[Any, ...] = (*args, self.model) if primitive.needs_model else args
        return lambda run: function(run, *given)

    def waiting(self, run: Run) -> State:
        """Return the state that waits: that of the window if one is open, else that of the turn."""
        return self.states[bool(run.frame), run.frame or run.state]

    def microstep(
        self, run: Run, machine: str, event: str, told: Told, fired: list[Fired]
    ) -> Fired:
        """Fire the first transition whose guard holds, and go to its target.

        Raises NothingFires if no guard holds.
        """
        source = run.state if machine == TURN else run.frame
        if machine == TURN and event == "done":
            for name in self.states[False, source].tells:
                if self.facts[name].last:
                    run.latched = run.latched | {name} if told[name] else run.latched - {name}
        row, read = self.first(run, machine, source, event, told)
        for do in row.actions:
            do(run)
        target = row.transition.target or source
        if machine == TURN:
            run.state = target
            if row.transition.target is not None:
                run.heard = ()
        else:
            run.frame = target
        active = run.head(run.active)
        now = run.turns_begun, active, run.turn.current, run.phase.current, run.step.current
        fired.append(Fired(machine, event, row, source, target, tuple(read.items()), *now))
        return fired[-1]

    def first(
        self, run: Run, machine: str, source: str, event: str, told: Told
    ) -> tuple[Row, dict[str, bool]]:
        """Return the first transition whose guard holds, and the facts that were read."""
        read: dict[str, bool] = {}
        rows = self.rows.get((machine, source, event), ())
        for row in rows:
            for name, value, wanted in row.terms:
                if name not in read:
                    read[name] = value(run, told)
                if read[name] is not wanted:
                    break
            else:
                return row, read
        rule = ""
        reasons = list[str]()
        for row in rows:
            fact = next(name for name, _, wanted in row.terms if read[name] is not wanted)
            rule = self.model.machines[machine].fact(fact).rule or row.transition.rule
            reasons.append(f"{fact} is {str(read[fact]).lower()}{citation(rule)}")
        why = "; ".join(reasons) or "no transition is there for it"
        raise NothingFires(source, event, why, rule)

    def onward(self, run: Run) -> tuple[str, str] | None:
        """Return the machine and the event with which a run goes on by itself.

        If something must be asked, it is None. A window that the run has come to opens, or closes.
        """
        state = self.waiting(run)
        if state.kind == "window":
            if self.model.window is None:
                where = f"{run.state!r} is a window, and {self.model.name} has no window model"
                raise StuckError(f"nothing can fire here: {where}")
            run.frame = self.model.window.initial
            state = self.waiting(run)
        if state.kind == "final" and run.frame:
            run.frame = ""
            return TURN, "closed"
        if state.kind == "final":
            return None
        if state.kind == "action" and (
            self.model.role(state.by) is None or self.performers(run, state)
        ):  # of a role that nobody has, nothing is asked
            return None
        return WINDOW if run.frame else TURN, "done"

    def macrostep(self, run: Run, told: Told, fired: list[Fired]) -> None:
        """Fire every transition that needs no answer, until something must be asked."""
        for _ in range(SILENT_LIMIT):
            event = self.onward(run)
            if event is None:
                return
            for name in self.waiting(run).tells:  # of an action that nobody performs
                told[name] = False
            self.microstep(run, *event, told, fired)
        text = f"{SILENT_LIMIT} transitions fired and nothing was asked"
        raise StuckError(f"{text}; everything seems to be skipped")

    def quietly(self, run: Run, told: Told) -> Fired | None:
        """Fire the next transition while nobody does anything but what is told, if one can fire."""
        event = self.onward(run)
        if event is None:
            event = WINDOW if run.frame else TURN, "".join(self.waiting(run).words[-1:])
        run.moments = run.results = ()
        with suppress(NothingFires):
            return self.microstep(run, *event, told, [])
        return None

    def answer(
        self,
        run: Run,
        answer: Answer,
        told: Told,
        players: Players,
        calendar: Calendar = NO_ENTRIES,
    ) -> tuple[list[Fired], Calendar]:
        """Process an answer, as far as the next request. If it raises, the run is half-way.

        The order is: its facts, its orders, the transition of its word, the players who leave, what
        interrupts the turn, and what needs no answer.

        Returns
        -------
        tuple of list of Fired and Calendar
            What fired, and the calendar with the answer's orders. It is still to be told the
            moments of the run.
        """
        process = _Process(self, run, told, players, calendar)
        if answer.player or run.heard:
            process.of_several(answer)
        else:
            process.carry_out(answer)
        self.macrostep(run, told, process.fired)
        return process.fired, process.calendar

    def facts_ahead(self, run: Run) -> list[str]:
        """Return the facts that an answer without orders must tell, or may have to."""
        state = self.waiting(run)
        machine = WINDOW if run.frame else TURN
        found = dict.fromkeys(state.tells)
        for word in state.words:
            for choices in islice(every_choice(), MOST_TRIED):
                twin = copy(run)
                with suppress(StuckError):
                    self.microstep(twin, machine, word, choices, [])
                    self.macrostep(twin, choices, [])
                found.update((name, None) for name in choices if name in self.live)
        return [*found]

    def performers(self, run: Run, state: State) -> tuple[int, ...]:
        """Return the seats of those who perform the action of a state."""
        return run.performers(state.by, self.model.role(state.by))

    def interrupt(self, run: Run, event: str, told: Told, fired: list[Fired]) -> Transition | None:
        """Fire the transition of the turn for an event that interrupts it, and return it.

        If the turn stays where it is, that of an open window fires, too.
        """
        if (TURN, run.state, event) not in self.rows:
            return None
        row = self.microstep(run, TURN, event, told, fired).row.transition
        if row.target is not None:
            run.frame = ""
        elif run.frame and (WINDOW, run.frame, event) in self.rows:
            self.microstep(run, WINDOW, event, told, fired)
        return row


@dataclass(slots=True)
class _Process:
    """What an answer does to a run, but for what fires by itself after it."""

    semantics: Semantics
    run: Run
    told: Told
    players: Players
    calendar: Calendar
    fired: list[Fired] = field(default_factory=list)

    def carry_out(self, answer: Answer) -> None:
        """Process the answer of all who are asked."""
        run = self.run
        semantics = self.semantics
        told = {name for name, value in answer.facts.items() if value}
        run.latched |= told & semantics.latching
        if answer.orders:
            self.calendar = self._give(run, answer.orders)
        if answer.word:
            machine = WINDOW if run.frame else TURN
            semantics.microstep(run, machine, answer.word, self.told, self.fired)
        leaving = list[str]()
        for order in answer.orders:
            leaving += order.players if isinstance(order, Leave) else ()
        if leaving:
            self._leave(*leaving)
        for order in answer.orders:
            if isinstance(order, Interruption):
                self._interrupt(order)

    def _give(self, run: Run, orders: Sequence[Order]) -> Calendar:
        """Carry out orders in a run. Return the calendar with them."""
        scheduler = Scheduler(self.semantics.names, run, self.calendar, self.players)
        scheduler.give(orders)
        return scheduler.calendar

    # who leaves, and what interrupts the turn ----------------------------------------------------

    def _interrupt(self, order: Interruption) -> None:
        """Interrupt the turn where the interruption before has led."""
        row = self.semantics.interrupt(self.run, order.event, self.told, self.fired)
        if row is None:
            result = Result(order, "nothing", "nothing that it could interrupt was under way")
        elif row.target is None and not row.actions:
            result = Result(order, "nothing", row.doc or "a rule says so", row.rule)
        else:
            result = Result(order, "done")
        self.run.results += (result,)

    def _leave(self, *players: str) -> None:
        """Let players leave at the same time. They decide for nobody any more (CR 800.4a)."""
        run = self.run
        run.left += tuple(map(self.players.index, players))
        if self.semantics.names.token and not run.members(run.active):
            run.active = run.following(run.active)
        if run.decider in run.left:
            run.decider = run.head(run.active)
        self.semantics.interrupt(run, self.semantics.model.leaving, self.told, self.fired)

    # players who answer one by one ---------------------------------------------------------------

    def of_several(self, answer: Answer) -> None:
        """Process an answer where several players answer one by one: nothing happens until the last
        of them has answered, or has left.
        """
        rest = answer
        if answer.player:
            self._hear(answer)
            rest = Answer()
        elif not answer.word:
            self.carry_out(answer)
            rest = Answer()
        if self.run.heard and (rest is answer or not self._awaited()):
            whole = self._whole(rest)
            self.told.update(whole.facts)
            self.carry_out(whole)

    def _performers(self) -> tuple[int, ...]:
        return self.semantics.performers(self.run, self.semantics.waiting(self.run))

    def _awaited(self) -> list[str]:
        """Return those who have still to answer."""
        answered = [heard.seat for heard in self.run.heard]
        return [self.players[seat] for seat in self._performers() if seat not in answered]

    def _hear(self, answer: Answer) -> None:
        """Note the answer of one of several players. What it orders is tried, but not done yet."""
        state = self.semantics.waiting(self.run)
        awaited = self._awaited() if state.asks == "perform" else ()
        where = f"those who have still to answer {state.id!r}"
        AnswerError.known_name("player", answer.player, awaited, where, "answer.player")
        self._give(copy(self.run), answer.orders)
        told = tuple(fact for fact, value in answer.facts.items() if value)
        heard = Heard(self.players.index(answer.player), told, answer.orders)
        self.run.heard = (*self.run.heard, heard)

    def _whole(self, rest: Answer) -> Answer:
        """Return the answer of all: what has been heard of some, in their order, and of the rest.

        What one has ordered comes to nothing if the orders of others have made it impossible.
        """
        heard = {one.seat: one for one in self.run.heard}
        self.run.heard = ()
        facts = dict.fromkeys(self.semantics.waiting(self.run).tells, False) | dict(rest.facts)
        orders = list[Order]()
        for seat in filter(heard.__contains__, self._performers()):
            facts |= dict.fromkeys(heard[seat].facts, True)
            for given in heard[seat].orders:
                with suppress(OrderError):
                    self._give(copy(self.run), (*orders, given))
                    orders.append(given)
        return Answer("done", facts, (*orders, *rest.orders))


@per_model
def semantics_of(model: Model) -> Semantics:
    """Return the semantics that all runs of this model share."""
    return Semantics(model)
