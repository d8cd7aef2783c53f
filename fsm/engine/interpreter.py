"""The interpreter runs a game firing by firing, and makes a record of each firing.

`fsm.engine.generated` is the fast way. It fires the same transitions and makes no records.
"""

from __future__ import annotations

from collections.abc import Callable

from fsm.engine.records import Record, record_of
from fsm.engine.refusals import no_window, refusal_of, stuck
from fsm.engine.requests import Answer
from fsm.engine.semantics import OPENED, WINDOW, Fired, NothingFires, Semantics, semantics_of
from fsm.errors import StuckError
from fsm.model import Model
from fsm.state.primitives import holds
from fsm.state.run import Run

Note = Callable[[Record], None]


class Interpreter:
    """Fires the transitions of one Model, one at a time. A run is an argument."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.semantics: Semantics = semantics_of(model)

    def show(self, run: Run) -> None:
        """Show where the run stands now. The interpreter of a game that runs on a machine does."""

    def answered(self, run: Run, answer: Answer, note: Note) -> None:
        """Process an answer, as far as the next request. What it tells is forgotten then.

        Raises
        ------
        AnswerError, OrderError, StuckError
            As `TurnController.answer` does. The run is then half-way.
        """
        try:
            self.semantics.answer(run, answer, holds, _recording(run, note))
        except NothingFires as hole:
            raise self._stuck(run, hole) from None
        run.told = {}

    def onward(self, run: Run, note: Note) -> None:
        """Fire every transition that needs no answer."""
        try:
            self.semantics.macrostep(run, holds, _recording(run, note))
        except NothingFires as hole:
            raise self._stuck(run, hole) from None

    def _stuck(self, run: Run, hole: NothingFires) -> StuckError:
        model = self.model.window if hole.machine == WINDOW else self.model
        if hole.event == OPENED or model is None:
            return no_window(run)
        return stuck(refusal_of(model, run, hole.state, hole.event))


def _recording(run: Run, note: Note) -> Callable[[Fired], None]:
    return lambda fired: note(record_of(run, fired))
