"""Games that run on a machine of the `transitions` library, so that its callbacks are called.

The Model decides which transition fires, as in every game. The machine carries it out.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from fsm.engine.interpreter import Interpreter, Note
from fsm.engine.requests import Answer
from fsm.engine.semantics import TURN, Fired, Semantics, semantics_of
from fsm.errors import FsmError, shown
from fsm.model import Model
from fsm.state.run import Run

if TYPE_CHECKING:
    from fsm.engine.machine import Machine


class MachineInterpreter(Interpreter):
    """Fires the transitions of one Model through its machine.

    Everything is done on a copy of the run, which replaces it at the end. So until then, the game
    stands where it stood, whoever asks.

    Parameters
    ----------
    model
        The model of the game.
    machine
        What `fsm.engine.Machine.from_model` made from it.

    Raises
    ------
    FsmError
        If the machine was not made from this model.
    """

    def __init__(self, model: Model, machine: Machine) -> None:
        definition = getattr(machine, "definition", None)
        if not isinstance(definition, Model):
            raise FsmError(
                f"machine must be made from a Model, by fsm.engine.Machine.from_model(model), and is {shown(machine)}"
            )
        if definition.fingerprint != model.fingerprint:
            raise FsmError(
                f"the machine was made from another model ({definition.name} {definition.fingerprint}) than the game's "
                f"({model.name} {model.fingerprint}): make it by fsm.engine.Machine.from_model(model)"
            )
        if machine.by_name:
            raise FsmError(
                f"the machine reads the facts of {model.name} from its object: make it with "
                f"fsm.engine.Machine.from_model(model, subject, send_event=True)"
            )
        super().__init__(definition)
        self.machine, self.semantics = machine, _OnMachine(definition, machine)

    def answered(self, run: Run, answer: Answer, note: Note) -> None:
        """Process an answer, as far as the next request."""
        self._on_copy(
            run, lambda copy: super(MachineInterpreter, self).answered(copy, answer, note)
        )

    def onward(self, run: Run, note: Note) -> None:
        """Fire every transition that needs no answer."""
        self._on_copy(run, lambda copy: super(MachineInterpreter, self).onward(copy, note))

    def show(self, run: Run) -> None:
        """Put the machine's objects where the run stands. No callback is called."""
        self.machine.show(run, run.state)
        window = _window_of(self.machine)
        if window is not None:
            window.show(run, run.frame or str(window.initial))

    def _on_copy(self, run: Run, fire: Callable[[Run], None]) -> None:
        copy = run.copy()
        try:
            fire(copy)
            run.restore(copy.save())
        finally:
            self.show(run)


class _OnMachine(Semantics):
    """The semantics of a Model whose transitions a machine carries out."""

    def __init__(self, model: Model, machine: Machine) -> None:
        vars(self).update(vars(semantics_of(model)))  # what was computed from the Model is shared
        self.machine = machine

    def carry_out(self, run: Run, fired: Fired) -> None:
        """Have the machine fire the transition. A window whose machine nobody has asked for needs
        none.
        """
        machine = self.machine if fired.machine == TURN else _window_of(self.machine)
        perform = partial(super().carry_out, run, fired)
        if machine is None:
            perform()
        else:
            machine.carry_out(run, fired, perform)


def _window_of(machine: Machine) -> Machine | None:
    """Return the machine of the window, if somebody has asked for it."""
    window: Machine | None = vars(machine).get("window")
    return window
