"""The interpreter runs a game firing by firing, through the library's machine, and makes a record of each firing.

`fsm.engine.generated` is the fast way. It fires the same transitions and makes no records.
"""

from __future__ import annotations

from collections.abc import Callable

from fsm.engine.answers import latched_facts, latches, take_facts
from fsm.engine.machine import Machine, machine_of
from fsm.engine.records import record_of
from fsm.engine.refusals import no_window, stuck
from fsm.engine.requesting import SILENT_LIMIT, endless
from fsm.engine.requests import Answer, Signal
from fsm.engine.trace import Record
from fsm.model import Model, State, Transition
from fsm.state.run import Run
from fsm.state.scheduling import apply

Note = Callable[[Record], None]


class Interpreter:
    """Fires the transitions of one Model, one at a time. All games of the model share it, so a run is an argument."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.turn = machine_of(model, "state")
        self.latched = latched_facts(model)
        self.window = machine_of(model.window, "frame") if model.window is not None else None

    def answered(self, run: Run, answer: Answer, note: Note) -> None:
        """Process an answer, as far as the next request.

        Raises
        ------
        AnswerError, OrderError, Stuck
            As `TurnController.answer` does. The run is then half-way.
        """
        self._take(run, answer)
        self._fire(run, self.machine(run), answer.word, note)
        if answer.signal is not None:
            self._signal(run, answer.signal, note)
        self.onward(run, note)

    def onward(self, run: Run, note: Note) -> None:
        """Fire every transition that needs no answer."""
        for _ in range(SILENT_LIMIT):
            state = waiting(run)
            if state.kind == "action" or (state.kind == "final" and not run.frame):
                return
            if state.kind == "final":
                run.frame = ""
                self._fire(run, self.turn, "closed", note)
            elif state.kind == "window":
                self._open(run)
            else:
                self._fire(run, self.machine(run), "done", note)
        raise endless()

    def machine(self, run: Run) -> Machine:
        """Return the machine that the run is in."""
        return self.window if run.frame and self.window is not None else self.turn

    def _take(self, run: Run, answer: Answer) -> None:
        """Apply the facts and orders of an answer, before a transition fires."""
        take_facts(run, answer.facts, latches(answer.facts, self.latched))
        for order in answer.orders:
            apply(order, run)

    def _signal(self, run: Run, signal: Signal, note: Note) -> None:
        window = self.model.window
        if signal.event == "player_left":
            run.agenda.leave(signal.player)
        if not self.model.rows(run.state, signal.event):
            return
        if self._fire(run, self.turn, signal.event, note).target is not None:
            run.frame = ""
        elif window is not None and self.window and run.frame and window.rows(run.frame, signal.event):
            self._fire(run, self.window, signal.event, note)

    def _open(self, run: Run) -> None:
        if self.model.window is None:
            raise no_window(run)
        run.frame = self.model.window.initial

    def _fire(self, run: Run, machine: Machine, event: str, note: Note) -> Transition:
        source: str = getattr(run, machine.model_attribute)
        firing = machine.fire(run, event)
        if firing is None or firing.transition is None:
            raise stuck(machine.explain(run, event))
        ends, which = (source, getattr(run, machine.model_attribute)), "turn" if machine is self.turn else "window"
        note(record_of(run, which, ends, event, firing.transition, firing.guards))
        return firing.transition


def interpreter_of(model: Model) -> Interpreter:
    """Return the interpreter that all games of this model share."""
    return model.kept("stepwise", lambda: Interpreter(model))


def waiting(run: Run) -> State:
    """Return the state that the run is in: that of the window if one is open, else that of the turn."""
    window = run.model.window
    return window.state(run.frame) if run.frame and window is not None else run.model.state(run.state)
