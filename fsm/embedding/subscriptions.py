"""Subscriptions: call a function as the turn enters a phase, a step or a stage.

    stop = entering(controller, "upkeep", announce)

They see what was really entered from then on: what is skipped is not, nor how the game began. Those of one controller
are called in the order in which they were made, for each record in turn, once the answer that caused it is taken in.
If one raises, the answer is taken back, as for any watcher (`TurnController.watch`).
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import asdict

from fsm.engine.controller import TurnController
from fsm.engine.trace import Record
from fsm.errors import AnswerError, suggest
from fsm.model import Model, State

LOG = logging.getLogger("fsm")
LOG.addHandler(logging.NullHandler())


def entering(controller: TurnController, place: str, call: Callable[[Record], object]) -> Callable[[], None]:
    """Call the function with the record by which `place` is entered, each time; returns what ends that.

    `place` is "turn", the name or id of a phase or step, or the id of a state of the turn or its window. Raises
    AnswerError when the model has no such place.
    """
    machines = [("turn", controller.model), ("window", controller.model.window)]
    targets = frozenset((name, id) for name, model in machines if model for id in _targets(model, place))
    if not targets:
        known = {word for _, model in machines if model for s in model.states for word in (s.id, s.name) if word}
        raise AnswerError(f"{controller.model.name} has no place {place!r} to be entered{suggest(place, known)}")
    stays = {t.id for _, model in machines if model for t in model.transitions if t.target is None}

    def watcher(record: Record) -> None:
        if (record.machine, record.target) in targets and record.transition not in stays:
            call(record)

    return controller.watch(watcher)


def _targets(model: Model, place: str) -> list[str]:
    """The states that begin this place: its first, or itself. A step goes before a phase of the same name."""
    found = [s for s in model.states if s.id == place]
    for kind in ("step", "phase", "turn"):
        found = found or [s for s in model.states if s.kind == kind and s.name == place]
    return [first for state in found for first in _beginning(model, state)]


def _beginning(model: Model, state: State) -> list[str]:
    """Where a phase or step begins, past the point at which it can be skipped."""
    if not state.composite:
        return [state.id]
    inside = [s for s in model.leaves if s.parent == state.id]
    return [s.id for s in inside if s.role == "begin"] or [s.id for s in inside][:1]


def logged(controller: TurnController, logger: logging.Logger = LOG, level: int = logging.DEBUG) -> Callable[[], None]:
    """Log every record: where, what fired and which guards were read, the whole record as `extra["record"]`.

    Nothing is printed unless the program has set up logging. Returns what ends it.
    """

    def watcher(record: Record) -> None:
        if logger.isEnabledFor(level):
            where = f"turn {record.turn} of {record.active or 'nobody'}, {record.step or record.phase or 'between'}"
            read = ", ".join(f"{name}={str(value).lower()}" for name, value in record.guards)
            said = f"{where}: {record.transition}" + (f" [{read}]" if read else "")
            logger.log(level, "%s", said, extra={"record": asdict(record)})

    return controller.watch(watcher)
