"""The execution semantics: what it means that a run of a Model goes on. Python says it only here.

A microstep fires one transition. A macrostep fires transitions until something must be asked. The
terms are those of SCXML. Whoever calls provides the values of the facts that the game reports, and
is told what fired. So games, traces, model checking, conformance and the preview have the same
semantics.

The generated code (`fsm.engine.generated`) and the explorer's JavaScript state the same
independently. Tests compare them with this module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

from fsm.engine.answers import latched_facts, latches, take_facts
from fsm.engine.requesting import SILENT_LIMIT, endless
from fsm.engine.requests import Answer
from fsm.errors import StuckError
from fsm.model import Fact, Model, State, Transition
from fsm.model.model import per_model
from fsm.state.arguments import check_primitives
from fsm.state.entries import Occurrence
from fsm.state.orders import Interruption, Leave
from fsm.state.primitives import ACTIONS, TESTS
from fsm.state.run import Run
from fsm.state.scheduling import apply_all

_K = TypeVar("_K")
TURN, WINDOW = "turn", "window"
OPENED, CLOSED, DONE = "opened", "closed", "done"
"""The internal events. No transition belongs to `OPENED`: the window begins in its initial state."""

Read = Callable[[Run, Fact], bool]
"""Returns the value of a fact of the game, also of a latched one. `holds` is one: it reads what the
answer reported.
"""
Arguments = tuple[str, ...]
_Term = tuple[str, Fact, Callable[..., bool] | None, Arguments, bool]


class Row(NamedTuple):
    """A transition that is ready to fire: its number in its Model, and its guard and actions as
    functions.

    `written` has its actions as text.
    """

    transition: Transition
    number: int
    terms: tuple[_Term, ...]
    actions: tuple[tuple[Callable[..., None], Arguments], ...]
    written: tuple[str, ...]


class Fired(NamedTuple):
    """One firing.

    Attributes
    ----------
    machine
        "turn" or "window".
    event
        The name of the event.
    row
        The transition.
    source, target
        The ids of the states before and after.
    guards
        The facts that were read, with their values.
    phase, step
        The phase and the step that were current before the firing.
    """

    machine: str
    event: str
    row: Row
    source: str
    target: str
    guards: dict[str, bool]
    phase: Occurrence | None
    step: Occurrence | None


Note = Callable[[Fired], object]


class NothingFires(StuckError):
    """The run cannot go on: no guard of its transitions for this event holds. `fsm.engine.refusals`
    says why.
    """

    def __init__(self, machine: str, state: str, event: str) -> None:
        super().__init__(f"nothing can fire on {event!r} in {state!r}")
        self.machine, self.state, self.event = machine, state, event


class Semantics:
    """How the runs of one Model go on. All of them share it, so a run is an argument."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.latched = latched_facts(model)
        machines = model.machines
        for machine in machines.values():
            check_primitives(machine)
        numbers = {
            name: {id(t): n for n, t in enumerate(m.transitions)} for name, m in machines.items()
        }
        self.rows = {
            (name, state.id, event): tuple(_prepared(machine, numbers[name], rows))
            for name, machine in machines.items()
            for state, event, rows in machine.choices
        }
        self.kinds = {
            (name, leaf.id): leaf.kind
            for name, machine in machines.items()
            for leaf in machine.leaves
        }

    def pending(self, run: Run) -> tuple[str, str] | None:
        """Return the machine and the event with which a run goes on by itself, or None if something
        must be asked.
        """
        if run.frame:
            kind = self.kinds[WINDOW, run.frame]
            if kind == "action":
                return None
            return (TURN, CLOSED) if kind == "final" else (WINDOW, DONE)
        kind = self.kinds[TURN, run.state]
        if kind in ("action", "final"):
            return None
        return (WINDOW, OPENED) if kind == "window" else (TURN, DONE)

    def microstep(self, run: Run, machine: str, event: str, read: Read, note: Note) -> Fired | None:
        """Fire the first transition whose guard holds.

        Parameters
        ----------
        run
            The run. It is changed.
        machine
            "turn" or "window".
        event
            The name of the event.
        read
            Returns the value of a fact of the game, also of a latched one.
        note
            Called with the firing.

        Returns
        -------
        Fired or None
            The firing, or None if a window has opened.

        Raises
        ------
        NothingFires
            If no guard holds.
        """
        if event == OPENED:
            if self.model.window is None:
                raise NothingFires(WINDOW, run.state, OPENED)
            run.frame = self.model.window.initial
            return None
        if event == CLOSED:
            run.frame = ""
        source = run.state if machine == TURN else run.frame
        guards: dict[str, bool] = {}
        for row in self.rows.get((machine, source, event), ()):
            for name, fact, test, args, wanted in row.terms:
                value = guards.get(name)
                if value is None:
                    value = guards[name] = test(run, *args) if test is not None else read(run, fact)
                if value is not wanted:
                    break
            else:
                break
        else:
            raise NothingFires(machine, source, event)
        agenda, target = run.agenda, row.transition.target
        phase, step = agenda.current_phase, agenda.current_step
        fired = Fired(
            machine, event, row, source, source if target is None else target, guards, phase, step
        )
        self.carry_out(run, fired)
        note(fired)
        return fired

    def carry_out(self, run: Run, fired: Fired) -> None:
        """Perform the actions of a transition that fires, and go to its target."""
        for do, args in fired.row.actions:
            do(run, *args)
        if fired.machine == TURN:
            run.state = fired.target
        else:
            run.frame = fired.target

    def macrostep(
        self, run: Run, read: Read, note: Note, stop: Callable[[Run], bool] | None = None
    ) -> None:
        """Fire every transition that needs no answer, until something must be asked.

        Parameters
        ----------
        run, read, note
            As for `microstep`.
        stop
            Says whether the run is to stop where it is, before each microstep.

        Raises
        ------
        NothingFires
            If no guard holds.
        StuckError
            If more than `SILENT_LIMIT` transitions fire.
        """
        for _ in range(SILENT_LIMIT):
            if stop is not None and stop(run):
                return
            pending = self.pending(run)
            if pending is None:
                return
            self.microstep(run, *pending, read, note)
        raise endless()

    def answer(self, run: Run, answer: Answer, read: Read, note: Note) -> None:
        """Process an answer, as far as the next request.

        The order is: its facts, its orders, the transition of its word, the players who leave, what
        interrupts the turn, and what needs no answer. Of several interruptions, each comes where
        the one before has led. Parameters and errors are those of `macrostep`. AnswerError and
        OrderError may be raised too.
        """
        take_facts(run, answer.facts, latches(answer.facts, self.latched))
        if answer.orders:
            apply_all(answer.orders, run, "answer.orders")
        if answer.word:
            self.microstep(run, WINDOW if run.frame else TURN, answer.word, read, note)
        leaving = [
            player
            for order in answer.orders
            if isinstance(order, Leave)
            for player in order.players
        ]
        if leaving:
            self.leave(run, leaving, read, note)
        for interruption in answer.interruptions:
            self.signal(run, interruption, read, note)
        self.macrostep(run, read, note)

    def signal(self, run: Run, signal: Interruption, read: Read, note: Note) -> None:
        """Fire the transitions of a signal. If it is that of a player who leaves, the player
        leaves.
        """
        if signal.event == self.model.leaving:
            self.leave(run, [signal.player], read, note)
        else:
            self._interrupt(run, signal.event, read, note)

    def leave(self, run: Run, players: Sequence[str], read: Read, note: Note) -> None:
        """Let players leave the game at the same time, and fire the transitions of that."""
        run.agenda.leave(*players)
        self._interrupt(run, self.model.leaving, read, note)

    def _interrupt(self, run: Run, event: str, read: Read, note: Note) -> None:
        """Fire the transition of the turn, and that of the window if the turn stays where it is."""
        if (TURN, run.state, event) not in self.rows:
            return
        fired = self.microstep(run, TURN, event, read, note)
        if fired is not None and fired.row.transition.target is not None:
            run.frame = ""
        elif run.frame and (WINDOW, run.frame, event) in self.rows:
            self.microstep(run, WINDOW, event, read, note)


@per_model
def semantics_of(model: Model) -> Semantics:
    """Return the semantics that all runs of this model share."""
    return Semantics(model)


class Choices(dict[_K, bool]):
    """The values of facts that have been chosen so far. `choose` chooses one more, and leaves the
    others for later.
    """

    def __init__(self, chosen: Mapping[_K, bool], later: list[Choices[_K]]) -> None:
        super().__init__(chosen)
        self._later = later

    def choose(self, fact: _K, values: tuple[bool, ...] = (False, True)) -> bool:
        """Return the value that has been chosen for a fact. If none has, choose the first of these
        values.
        """
        if fact not in self:
            first, *others = values
            self._later += [Choices({**self, fact: other}, self._later) for other in others]
            self[fact] = first
        return self[fact]


def every_choice(chosen: Mapping[_K, bool]) -> Iterator[Choices[_K]]:
    """Yield choices for all combinations of values of the facts that are read, depth first.

    Whoever takes one attempts something with it, which reads the facts that matter. Facts that are
    not read make no difference, so they are not tried.
    """
    later: list[Choices[_K]] = []
    later.append(Choices(chosen, later))
    while later:
        yield later.pop()


def chosen_by(choices: Choices[str]) -> Read:
    """Return a `Read` that chooses the values of the facts of the game. A latched fact that is
    chosen true stays so.
    """

    def read(run: Run, fact: Fact) -> bool:
        if fact.timing != "latched":
            return choices.choose(fact.name)
        if fact.name not in run.latched and choices.choose(fact.name):
            run.latched |= {fact.name}
        return fact.name in run.latched

    return read


def waiting(run: Run) -> State:
    """Return the state that the run is in: that of the window if one is open, else that of the
    turn.
    """
    window = run.model.window
    return (
        window.state(run.frame) if run.frame and window is not None else run.model.state(run.state)
    )


def _prepared(
    model: Model, numbers: Mapping[int, int], rows: Iterable[Transition]
) -> Iterator[Row]:
    for transition in rows:
        terms = tuple(_term(model.fact(term.fact), term.value) for term in transition.guard)
        actions = tuple((ACTIONS[action.name].run, action.args) for action in transition.actions)
        yield Row(
            transition, numbers[id(transition)], terms, actions, tuple(map(str, transition.actions))
        )


def _term(fact: Fact, value: bool) -> _Term:
    if fact.owner == "game":
        return fact.name, fact, None, (), value
    if fact.timing == "latched":
        return fact.name, fact, _is_latched, (fact.name,), value
    return fact.name, fact, TESTS[fact.test[0]].run, fact.test[1:], value


def _is_latched(run: Run, name: str) -> bool:
    return name in run.latched
