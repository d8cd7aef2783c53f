"""Turn and window as one statechart: every window state contains the window's states, and begins
anew each time.

SCXML and XState share this module for ids, events and the place of transitions. Transitions keep
the place that they have in the model, because statecharts also try the innermost source first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from fsm.model import Model, State, Transition
from fsm.views.export.tokens import token, tokens


class ChartIds:
    """The ids of states and events in an export, of a model and its window.

    A window's state is "STATE.WINDOW_STATE". Events are "turn.EVENT" and "window.EVENT", because
    one signal can be for both, and because SCXML has events of its own called "done.state.ID".
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
        """Return the id of a state of the turn."""
        return self._turn[id]

    def turn(self) -> tuple[str, ...]:
        """All ids except those of states inside windows, which are the only ones with a dot."""
        return self.machine, *self._turn.values()

    def inner(self, id: str) -> str:
        """Return the id of a state of the window without its parent."""
        return self._inner[id]

    def framed(self, holder: str, id: str) -> str:
        """Return the id of a state of the window inside a window state of the turn."""
        return f"{self._turn[holder]}.{self._inner[id]}"

    def event(self, machine: str, name: str) -> str:
        """Return the id of an event of the "turn" or the "window" machine."""
        return f"{machine}.{self._events[machine][name]}"

    def leaf(self, state: str, frame: str) -> str:
        """Return the id of the leaf where a run is: in a state of the turn, or of its window if
        `frame` is not "".
        """
        return self.framed(state, frame) if frame else self.state(state)


@dataclass(frozen=True, slots=True)
class ChartTransition:
    """A transition of an export. `target` is an id of the export, or "" for none."""

    row: Transition
    event: str
    target: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A state of an export. `key` is its id without the parent's, and `initial` is the leaf in
    which it begins.
    """

    id: str
    key: str
    state: State
    rows: tuple[ChartTransition, ...]
    inside: tuple[Chart, ...] = ()
    initial: str = ""

    @property
    def final(self) -> bool:
        """Whether it is final, with no transition out of it."""
        return self.state.kind == "final" and not self.rows and not self.inside

    def leaves(self) -> Iterator[str]:
        """Yield the ids of the leaves."""
        for chart in self.inside:
            yield from chart.leaves()
        if not self.inside:
            yield self.id


def charts(model: Model, ids: ChartIds) -> tuple[Chart, ...]:
    """Return the outermost states with all that is inside."""
    return tuple(_turn_chart(model, ids, s) for s in model.states if not s.parent)


def _turn_chart(model: Model, ids: ChartIds, state: State) -> Chart:
    id = ids.state(state.id)
    rows = _rows(model, ids, state, "turn", ids.state)
    window = model.window
    if state.kind == "window" and window is not None:
        inside = tuple(_framed(window, ids, state.id, s) for s in window.states if not s.parent)
        return Chart(id, id, state, rows, inside, ids.framed(state.id, window.initial))
    inside = tuple(_turn_chart(model, ids, child) for child in model.children(state.id))
    return Chart(id, id, state, rows, inside, _first(inside, ids.state(model.initial)))


def _framed(window: Model, ids: ChartIds, holder: str, state: State) -> Chart:
    inside = tuple(_framed(window, ids, holder, child) for child in window.children(state.id))
    first = _first(inside, ids.framed(holder, window.initial))
    rows = _rows(window, ids, state, "window", lambda id: ids.framed(holder, id))
    return Chart(ids.framed(holder, state.id), ids.inner(state.id), state, rows, inside, first)


def _rows(
    model: Model, ids: ChartIds, state: State, machine: str, at: Callable[[str], str]
) -> tuple[ChartTransition, ...]:
    own = [t for t in model.transitions if t.source == state.id]
    return tuple(
        ChartTransition(t, ids.event(machine, t.event), at(t.target) if t.target else "")
        for t in own
    )


def _first(inside: Sequence[Chart], initial: str) -> str:
    """Return the leaf where a composite state begins: the model's initial state if inside, or the
    first leaf.
    """
    leaves = [leaf for chart in inside for leaf in chart.leaves()]
    return initial if initial in leaves else next(iter(leaves), "")


def performed_by(state: State) -> str:
    """Return who performs an action, or "" if it is the active player."""
    return "" if state.by == "active" else state.by
