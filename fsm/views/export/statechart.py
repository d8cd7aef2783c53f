"""Turn and window as one statechart: every window state holds the window's states, begun afresh each time.

What SCXML and XState have in common is decided here: ids, events, and which row stands where. Rows stay
where the model has them, for innermost source first is the rule of statecharts, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from fsm.model import Model, State, Transition
from fsm.views.export.tokens import token, tokens


class Ids:
    """The ids of states and events in an export, of a model and its window.

    A window's state is "STATE.WINDOW_STATE". Events are "turn.EVENT" and "window.EVENT", for one signal
    can be for both; and "done" alone would be taken for SCXML's own "done.state.ID".
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self.window = model.window
        self.machine = token(model.name)
        self._turn = tokens((s.id for s in model.states), [self.machine])
        self._inner = tokens(s.id for s in self.window.states) if self.window else {}
        self._events = {"turn": tokens(e.name for e in model.events)}
        self._events["window"] = tokens(e.name for e in self.window.events) if self.window else {}

    def state(self, id: str) -> str:
        """A state of the turn."""
        return self._turn[id]

    def turn(self) -> tuple[str, ...]:
        """All ids but those of states inside windows, which alone have a dot."""
        return self.machine, *self._turn.values()

    def inner(self, id: str) -> str:
        """A state of the window, apart from where it stands."""
        return self._inner[id]

    def framed(self, holder: str, id: str) -> str:
        """A state of the window, inside a window state of the turn."""
        return f"{self._turn[holder]}.{self._inner[id]}"

    def event(self, machine: str, name: str) -> str:
        """An event of the "turn" or the "window" machine."""
        return f"{machine}.{self._events[machine][name]}"

    def leaf(self, state: str, frame: str) -> str:
        """Where a run stands: in a state of the turn and, unless `frame` is "", of the window in it."""
        return self.framed(state, frame) if frame else self.state(state)


@dataclass(frozen=True, slots=True)
class Row:
    """A transition as an export has it: `target` is the id there, "" for none."""

    row: Transition
    event: str
    target: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A state as an export has it. `key` is its id without the holder's; `initial` is the leaf it begins in."""

    id: str
    key: str
    state: State
    rows: tuple[Row, ...]
    inside: tuple[Chart, ...] = ()
    initial: str = ""

    @property
    def final(self) -> bool:
        """Is it an end, which nothing leads out of?"""
        return self.state.kind == "final" and not self.rows and not self.inside

    def leaves(self) -> Iterator[str]:
        """The ids of the states without others inside."""
        for chart in self.inside:
            yield from chart.leaves()
        if not self.inside:
            yield self.id


def charts(model: Model, ids: Ids) -> tuple[Chart, ...]:
    """The outermost states, with everything inside."""
    return tuple(_turn_chart(model, ids, s) for s in model.states if not s.parent)


def _turn_chart(model: Model, ids: Ids, state: State) -> Chart:
    id = ids.state(state.id)
    rows = _rows(model, ids, state, "turn", ids.state)
    window = model.window
    if state.kind == "window" and window is not None:
        inside = tuple(_framed(window, ids, state.id, s) for s in window.states if not s.parent)
        return Chart(id, id, state, rows, inside, ids.framed(state.id, window.initial))
    inside = tuple(_turn_chart(model, ids, child) for child in model.children(state.id))
    return Chart(id, id, state, rows, inside, _first(inside, ids.state(model.initial)))


def _framed(window: Model, ids: Ids, holder: str, state: State) -> Chart:
    inside = tuple(_framed(window, ids, holder, child) for child in window.children(state.id))
    first = _first(inside, ids.framed(holder, window.initial))
    rows = _rows(window, ids, state, "window", lambda id: ids.framed(holder, id))
    return Chart(ids.framed(holder, state.id), ids.inner(state.id), state, rows, inside, first)


def _rows(model: Model, ids: Ids, state: State, machine: str, at: Callable[[str], str]) -> tuple[Row, ...]:
    own = [t for t in model.transitions if t.source == state.id]
    return tuple(Row(t, ids.event(machine, t.event), at(t.target) if t.target else "") for t in own)


def _first(inside: Sequence[Chart], initial: str) -> str:
    """Where a state with others inside begins, when nothing says where: nothing does but for the initial state."""
    leaves = [leaf for chart in inside for leaf in chart.leaves()]
    return initial if initial in leaves else next(iter(leaves), "")
