"""The stories of the objects that a machine of the `transitions` library drives: their events, and
what came of each.

The program's threads only write lines into a queue. No condition and no callback of the machine is
called.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Sequence
from itertools import islice
from threading import RLock
from time import localtime, strftime, time
from typing import Any, NamedTuple, cast

from fsm.adapters import model_of
from fsm.views.drawing.options import Now
from fsm.views.inspector.recorder import log
from fsm.views.inspector.stories import Possible, Refused, Row, Standing, Story
from fsm.views.machinestanding import known_state, state_of
from fsm.wording import guard_words, label_of, plain

KEPT = 200
"""So many events of an object are kept."""
QUEUED = 20_000
"""So many events of a machine wait at most, until a page reads them."""


class _Event(NamedTuple):
    """An event of an object: when, its name, what came of it, and the state after it."""

    time: str
    name: str
    came: str
    state: str


class _Lines:
    """What the log of a machine is written to."""

    def __init__(self) -> None:
        self.written = deque[tuple[float, str]](maxlen=QUEUED)

    def write(self, line: str) -> None:
        """Keep a line with its time."""
        self.written.append((time(), line))

    def flush(self) -> None:
        """Do nothing: a line is there at once."""


class MachineWatch:
    """Hears the events of one machine until it is closed, and tells them to the stories of its
    objects.
    """

    def __init__(self, machine: Any, names: Sequence[str]) -> None:
        self._lines, self.lock = _Lines(), RLock()
        self.stories = [MachineStory(name, machine, i, self) for i, name in enumerate(names)]
        numbers = {id(one): i for i, one in enumerate(machine.models)}
        self._recorder = log(
            machine, cast(Any, self._lines), name=lambda one: numbers.get(id(one), -1)
        )

    def read(self) -> None:
        """Tell what was heard since."""
        with self.lock:
            while self._lines.written:
                when, line = self._lines.written.popleft()
                record = json.loads(line)
                if 0 <= record["machine"] < len(self.stories):
                    self.stories[record["machine"]].hear(when, record)

    def close(self) -> None:
        """Give the machine its own methods back."""
        self._recorder.close()


class MachineStory(Story):
    """An object of a running machine."""

    live, unit = True, "event"

    def __init__(self, name: str, machine: Any, number: int, watch: MachineWatch) -> None:
        super().__init__(name, model_of(machine))
        self.watch, self.lock = (
            watch,
            watch.lock,
        )  # one for all objects, since each reads the events of all
        self._first = state_of(machine, self.model, number)
        self._events = deque[_Event]()
        self._dropped = 0

    @property
    def count(self) -> int:
        """How many events there were."""
        return self._dropped + len(self._events)

    def update(self, seconds: float | None = None) -> None:
        """Hear what has happened since."""
        self.watch.read()

    def close(self) -> None:
        """Hear nothing more."""
        self.watch.close()

    def hear(self, when: float, record: dict[str, Any]) -> None:
        """Take in a record of the log."""
        state = known_state(self.model, record["state"])
        if "event" not in record and "failed" not in record:
            if self.count == 0:
                self._first = state
            if state == self._state(self.count):
                return
        before = self._state(self.count)
        name, came = self._said(record, before, state)
        self._events.append(_Event(strftime("%H:%M:%S", localtime(when)), name, came, state))
        if len(self._events) > KEPT:
            self._first, self._dropped = self._events.popleft().state, self._dropped + 1

    def _said(self, record: dict[str, Any], before: str, state: str) -> tuple[str, str]:
        """Return the event, and what came of it."""
        if "failed" in record:
            return f"{plain(record['failed'])}()", f"failed: {plain(record['error'])}"
        if "event" not in record:
            return "", f"set to {self._label(state)}"
        name = f"{plain(record['event'])}()"
        if not record["fired"]:
            return name, f"refused in {self._label(before)}"
        if before == state:
            return name, f"stays in {self._label(state)}"
        return name, f"{self._label(before)} to {self._label(state)}"

    def _label(self, state: str) -> str:
        return label_of(self.model.state(state))

    @property
    def tag(self) -> tuple[str, str]:
        """Whether its state is final."""
        return (
            ("over", "final")
            if self.model.state(self._state(self.count)).kind == "final"
            else ("", "")
        )

    def _state(self, at: int) -> str:
        return self._events[at - self._dropped - 1].state if at > self._dropped else self._first

    def place(self, at: int) -> tuple[str, str]:
        """Return the state."""
        state = self._state(at)
        return self._label(state), state

    def standing(self, at: int) -> Standing:
        """Return the state, and the events by whether there is a transition for them."""
        state, model = self._state(at), self.model
        here = model.events_at(state)
        rows = [row for event in here for row in model.rows(state, event)]
        found = Standing(
            self._label(state), plain(self.name), Now(state, open=tuple(row.id for row in rows))
        )
        for row in rows:
            condition = f", if {guard_words(row.guard)}" if row.guard else ", without conditions"
            to = f"to {self._label(row.target)}" if row.target else "stays"
            found.possible.append(Possible(f"{plain(row.event)}()", plain(to + condition)))
        for event in model.events:
            sources = [
                self._label(row.source) for row in model.transitions if row.event == event.name
            ]
            if event.name not in here and sources:
                why = plain(f"only from {', '.join(dict.fromkeys(sources))}")
                found.refused.append(Refused(f"{plain(event.name)}()", why))
        seen = {self._first, *(event.state for event in self._events)}
        never = [self._label(one.id) for one in model.leaves if one.id not in seen]
        found.agenda = [("states seen", f"{len(model.leaves) - len(never)} of {len(model.leaves)}")]
        return found

    def rows(self, first: int, end: int) -> list[Row]:
        """Return the events, with their times."""
        start = max(first, self._dropped)
        events = islice(self._events, start - self._dropped, max(end - self._dropped, 0))
        return [
            Row(number, one.time, one.name, one.came)
            for number, one in enumerate(events, start + 1)
        ]

    def way(self, at: int) -> list[str]:
        """Return the states up to this moment."""
        states = [
            self._first,
            *(event.state for event in islice(self._events, max(at - self._dropped, 0))),
        ]
        return [
            self._label(state) for i, state in enumerate(states) if not i or states[i - 1] != state
        ]


def machine_stories(machine: Any, name: str, number: int) -> list[MachineStory]:
    """Return a story for each object that a machine drives."""
    objects = list(machine.models)
    names = [name or f"{type(one).__name__} {number + i}" for i, one in enumerate(objects)]
    if name and len(objects) > 1:
        names = [f"{name} {i}" for i in range(1, len(objects) + 1)]
    return MachineWatch(machine, names).stories
