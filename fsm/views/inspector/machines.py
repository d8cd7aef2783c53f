"""The story of an object that a machine of the `transitions` library drives: the states in which it was seen."""

from __future__ import annotations

from collections import deque
from itertools import islice
from time import localtime, monotonic, strftime
from typing import Any

from fsm.adapters import model_of
from fsm.views.drawing.options import Now
from fsm.views.inspector.stories import Possible, Refused, Row, Standing, Story
from fsm.views.machinestanding import state_of
from fsm.wording import guard_words, label_of, plain

KEPT = 200
"""The page keeps so many states of an object."""


class MachineStory(Story):
    """An object of a running machine. Its state is read; no condition is called."""

    live, unit = True, "state"

    def __init__(self, name: str, machine: Any, number: int) -> None:
        super().__init__(name, model_of(machine))
        self.machine, self.number = machine, number
        self._seen = deque[tuple[str, str, float]](maxlen=KEPT)
        self._dropped = 0
        self.update()

    @property
    def count(self) -> int:
        """How many changes were seen."""
        return self._dropped + len(self._seen) - 1

    def update(self, seconds: float | None = None) -> None:
        """Look at the state."""
        state = state_of(self.machine, self.model, self.number)
        if not self._seen or self._seen[-1][0] != state:
            self._dropped += len(self._seen) == KEPT
            self._seen.append((state, strftime("%H:%M:%S", localtime()), monotonic()))

    @property
    def tag(self) -> tuple[str, str]:
        """Whether its state is final."""
        return ("over", "final") if self.model.state(self._seen[-1][0]).kind == "final" else ("", "")

    def _state(self, at: int) -> str:
        return self._seen[max(0, at - self._dropped)][0]

    def place(self, at: int) -> tuple[str, str]:
        """Return the state."""
        state = self._state(at)
        return label_of(self.model.state(state)), state

    def standing(self, at: int) -> Standing:
        """Return the state, and the events by whether a transition for them is there."""
        state, model = self._state(at), self.model
        here = model.events_at(state)
        rows = [row for event in here for row in model.rows(state, event)]
        found = Standing(label_of(model.state(state)), plain(self.name), Now(state, open=tuple(row.id for row in rows)))
        for row in rows:
            to = label_of(model.state(row.target)) if row.target else "stays"
            condition = f", if {guard_words(row.guard)}" if row.guard else ", without conditions"
            found.possible.append(Possible(f"{plain(row.event)}()", plain(f"to {to}{condition}")))
        for event in model.events:
            sources = [label_of(model.state(row.source)) for row in model.transitions if row.event == event.name]
            if event.name not in here and sources:
                found.refused.append(Refused(f"{plain(event.name)}()", plain(f"only from {', '.join(dict.fromkeys(sources))}")))
        return found

    def rows(self, first: int, end: int) -> list[Row]:
        """Return the changes of state, with their times."""
        start = max(first, self._dropped)
        seen = list(islice(self._seen, start - self._dropped, end - self._dropped + 1))
        return [
            Row(start + number, time, f"from {plain(before)}", f"to {plain(state)}")
            for number, ((before, _, _), (state, time, _)) in enumerate(zip(seen, seen[1:], strict=False), 1)
        ]


def machine_stories(machine: Any, name: str, number: int) -> list[MachineStory]:
    """Return a story for each object that a machine drives."""
    objects = list(machine.models)
    names = [name or f"{type(one).__name__} {number + i}" for i, one in enumerate(objects)]
    if name and len(objects) > 1:
        names = [f"{name} {i}" for i in range(1, len(objects) + 1)]
    return [MachineStory(called, machine, i) for i, called in enumerate(names)]
