"""What a signal sets going: from where it is possible, what is done stage by stage, and where the
turn goes on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from fsm.model import Event, Model, State, Transition
from fsm.model.reachability import reachable_from
from fsm.views.drawing.captions import caption_of, headline, holes_said
from fsm.views.drawing.cardlines import mark_of
from fsm.views.drawing.diagram import Diagram, Line, Node, NodeKind
from fsm.views.drawing.rowlabels import guard_label, instead
from fsm.views.drawing.shape import is_turn
from fsm.views.drawing.tooltips import tooltip
from fsm.views.drawing.turncards import hues_of
from fsm.wording import (
    NOTHING_HAPPENS,
    action_words,
    blanks,
    citation,
    doc_of,
    label_of,
    listed,
    plain,
    rules_of,
    upper_first,
)

PREFIX = "ending:"
_ON_THE_WAY = frozenset({"", "action", "window", "procedure"})


def ending_views(model: Model) -> tuple[str, ...]:
    """The views "ending:EVENT" of a turn: one for each signal that takes it out of its course.

    Such a signal has a transition on the layer "jump", or one that leaves all phases and steps. That
    a player leaves has no picture.
    """
    return tuple(PREFIX + event.name for event in model.events if _ends_something(model, event))


def _ends_something(model: Model, event: Event) -> bool:
    if (
        event.completion
        or event.name == model.leaving
        or not is_turn(model)
        or not model.of_kind("turn")
    ):
        return False
    rows = [t for t in model.transitions if t.event == event.name and t.target is not None]
    return any(t.layer == "jump" or _outside(model, t.target or "") for t in rows)


def _outside(model: Model, state: str) -> bool:
    return not any(s.kind in ("phase", "step") for s in model.path(state))


def ending_diagram(model: Model, event: str) -> Diagram:
    """What the view "ending:EVENT" shows."""
    return _Ending(model, event).diagram()


class _Ending:
    def __init__(self, model: Model, event: str) -> None:
        self.model = model
        self.event = event
        self.signals = [t for t in model.transitions if t.event == event]
        self.hues = hues_of(model)
        self.doc = plain(next(e.doc for e in model.events if e.name == event))

    def diagram(self) -> Diagram:
        lines = list(self.lines())
        holes = holes_said(self.model, map(self.model.state, self.stages))
        return Diagram(
            title=f"{plain(self.model.title) or plain(self.model.name)}: {blanks(self.event)}",
            caption=caption_of((self._headline(), self._stays(), [holes])),
            nodes=tuple(self.nodes()),
            lines=tuple(lines),
        )

    # what belongs to it ---------------------------------------------------------------------------

    @cached_property
    def stages(self) -> tuple[str, ...]:
        """The states of the procedure, in the model's order: outside all phases, up to where the
        turn goes on.
        """
        found = reachable_from(
            self._leads(self.signals), lambda state: self._leads(self._onward(state))
        )
        return tuple(s.id for s in self.model.states if s.id in found)

    def _leads(self, rows: Iterable[Transition]) -> Iterator[str]:
        """The states on the way to which these rows lead."""
        states = (self.model.state(row.target) for row in rows if row.target)
        ids = (s.id for s in states if s.kind != "final" and s.role in _ON_THE_WAY)
        return (id for id in ids if _outside(self.model, id))

    def _onward(self, state: str) -> list[Transition]:
        return [
            t
            for t in self.model.transitions
            if t.source == state and t.event not in self.model.signals
        ]

    @cached_property
    def rows(self) -> list[Transition]:
        """All that is drawn: the signal's own rows, then those of the procedure."""
        own = [t for state in self.stages for t in self._onward(state)]
        shown = [t for t in (*self.signals, *own) if t.target is not None]
        return list(dict.fromkeys(shown))

    # nodes ----------------------------------------------------------------------------------------

    def nodes(self) -> Iterator[Node]:
        sources = dict.fromkeys(t.source for t in self.signals if t.target is not None)
        goals = dict.fromkeys(t.target for t in self.rows if t.target)
        for id in sources:
            if id not in self.stages:
                yield self._source(self.model.state(id))
        for id in self.stages:
            yield self._stage(self.model.state(id))
        for id in goals:
            if id not in self.stages and id not in sources:
                yield self._goal(self.model.state(id))

    def _source(self, state: State) -> Node:
        rows = [t for t in self.signals if t.source == state.id]
        tip = tooltip(self.model, label_of(state), rows, rule=state.rule, doc=doc_of(state))
        if state.kind == "turn":
            return Node(state.id, "word", "from any step", tooltip=tip)
        where = ("from anywhere in it",) if state.composite else ()
        return Node(
            state.id,
            "card",
            label_of(state),
            where,
            tooltip=tip,
            rule=plain(state.rule),
            hue=self._hue(state),
        )

    def _hue(self, state: State) -> int | None:
        phase = self.model.enclosing(state.id, "phase")
        return self.hues.get(phase.id) if phase else None

    def _stage(self, state: State) -> Node:
        kinds: dict[str, NodeKind] = {"action": "action", "choice": "choice", "window": "window"}
        kind = kinds.get(state.kind, "stage")
        title = "" if kind == "choice" else label_of(state)
        lines: tuple[str, ...] = (
            (plain(doc_of(state)),) if doc_of(state) and kind != "choice" else ()
        )
        lines += tuple(
            f"{blanks(t.event)}: {plain(t.doc) or NOTHING_HAPPENS}" for t in self._ignored(state)
        )
        mark = mark_of(state) if kind == "window" else ""
        tip = tooltip(
            self.model, label_of(state), self._onward(state.id), rule=state.rule, doc=doc_of(state)
        )
        return Node(state.id, kind, title, lines, mark, plain(state.rule), tip)

    def _ignored(self, state: State) -> list[Transition]:
        return [t for t in self.signals if t.source == state.id and t.target is None]

    def _goal(self, state: State) -> Node:
        tip = tooltip(self.model, label_of(state), (), rule=state.rule, doc=doc_of(state))
        return Node(state.id, "final", label_of(state), rule=plain(state.rule), tooltip=tip)

    # lines ----------------------------------------------------------------------------------------

    def lines(self) -> Iterator[Line]:
        for i, row in enumerate(self.rows):
            signal = row.event == self.event
            words = tuple(self._words(row))
            name = " ".join(words) or f"to {label_of(self.model.state(row.target or ''))}"
            tip = tooltip(self.model, name, [row], rule=plain(row.rule))
            ring = signal and row.source not in self.stages
            yield Line(
                f"line{i}",
                row.source,
                row.target or "",
                row.layer,
                words,
                rules_of([row]),
                tip,
                (row.id,),
                ring,
            )

    def _words(self, row: Transition) -> Iterator[str]:
        first = " ".join(
            part for part in (self._number(row), guard_label(self.model, row, drawn=False)) if part
        )
        same = [t for t in self.model.transitions if (t.source, t.event) == (row.source, row.event)]
        earlier = same[: same.index(row)]
        if not row.guard and earlier and not any(t in self.rows for t in earlier):
            first = instead(earlier)
        if first:
            yield first
        if row.doc and plain(row.doc) != self.doc:
            yield f"/ {plain(row.doc)}"
        doing = action_words(row.actions)
        if doing:
            yield f"/ {'; '.join(doing)}"

    def _number(self, row: Transition) -> str:
        """The place in guard order."""
        same = [t for t in self.model.transitions if (t.source, t.event) == (row.source, row.event)]
        return str(same.index(row) + 1) if len(same) > 1 else ""

    # caption --------------------------------------------------------------------------------------

    def _headline(self) -> list[str]:
        edition, cited = headline(self.model)
        return [edition, f"{upper_first(self.doc)}." if self.doc else "", cited]

    def _stays(self) -> Iterator[str]:
        """The rows by which nothing happens, those of several states that say the same together."""
        found: dict[tuple[str, str], list[str]] = {}
        for row in self.signals:
            if row.target is None and row.source not in self.stages:
                holder = self.model.state(row.source)
                guards = (self._number(row), guard_label(self.model, row, drawn=False))
                said = (plain(row.doc) or NOTHING_HAPPENS) + citation(plain(row.rule))
                where = "" if holder.kind == "turn" else f'"{label_of(holder)}"'
                found.setdefault((" ".join(filter(None, guards)), said), []).append(where)
        for (guard, said), places in found.items():
            where = f"In {listed(places)}" if all(places) else "From any step"
            yield f"{where}{f', {guard}' if guard else ''}: {said}."
