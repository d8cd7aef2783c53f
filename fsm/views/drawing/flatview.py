"""A flat model, such as the window: its states as they are, nothing collapsed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from fsm.model import Layer, Model, State, Transition
from fsm.views.drawing.captions import caption_of, headline, holes_said, nothing_changes
from fsm.views.drawing.cardlines import mark_of
from fsm.views.drawing.collapsed import START
from fsm.views.drawing.diagram import ANYWHERE, Box, Diagram, Line, Node, NodeKind, Note
from fsm.views.drawing.everywhere import Folded, folded
from fsm.views.drawing.rowlabels import either, event_words, guard_label
from fsm.views.drawing.tooltips import tooltip
from fsm.wording import doc_of, label_of, plain, rules_of, upper_first

PLAIN = {
    "begin": "initial state",
    "end": "final state",
    "core": "transition",
    "jump": "transition from a state",
    "jump out of everything": "from any state inside",
    "now here": "current state",
    "can go there": "can happen now",
    "not now: a guard is closed": "not now: a condition is false",
}
"""What the legend says of a machine that is no game."""
_MOST_NOTES = 1  # in a card, of what changes nothing


def flat_diagram(model: Model, title: str) -> Diagram:
    """Every state and every transition; what every state has alike once, from any state."""
    return _Flat(folded(model), title).diagram()


class _Flat:
    def __init__(self, folded: Folded, title: str) -> None:
        self.folded = folded
        self.model = folded.model
        self.title = title
        self.start = self._start()

    def _start(self) -> str:
        """The initial state, when it is only where things begin: then it is drawn as the disc."""
        state = self.model.state(self.model.initial)
        entered = any(t.target == state.id for t in self.model.transitions)
        return (
            state.id
            if state.role in ("begin", "hub") and state.kind in ("stage", "choice") and not entered
            else ""
        )

    def diagram(self) -> Diagram:
        cited = any(s.rule for s in self.model.states) or any(
            t.rule for t in self.model.transitions
        )
        holes = holes_said(self.model, self.model.leaves)
        return Diagram(
            title=self.title or plain(self.model.title) or plain(self.model.name),
            caption=caption_of(
                (headline(self.model, cited=cited), *([said] for said in self._unseen()), [holes])
            ),
            nodes=tuple(self.nodes()),
            lines=tuple(self.lines()),
            boxes=tuple(self._box(self.model.state(id), i) for i, id in enumerate(self.boxes)),
            legend={} if self.model.played else PLAIN,
        )

    # nodes ---------------------------------------------------------------------------------------

    def nodes(self) -> list[Node]:
        tip = tooltip(self.model, "Begin", self._own(self.start)) if self.start else "Begin"
        return [
            Node(START, "start", tooltip=tip),
            *(self._node(s) for s in self.model.leaves if s.id != self.start),
        ]

    def _own(self, state: str) -> list[Transition]:
        return [t for t in self.model.transitions if t.source == state]

    def _node(self, state: State) -> Node:
        window = state.kind == "window" or state.asks == "priority" or state.role == "window"
        kinds: dict[str, NodeKind] = {
            "action": "action",
            "stage": "stage",
            "choice": "choice",
            "final": "final",
        }
        kind: NodeKind = "window" if window else kinds.get(state.kind, "stage")
        mark = mark_of(state) if window else ""
        lines: tuple[str, ...] = (
            (plain(doc_of(state)),) if doc_of(state) and kind not in ("choice", "final") else ()
        )
        if state.id not in self.crowded:
            lines += tuple(
                nothing_changes(self.model, t) for t in self._own(state.id) if t.target is None
            )
        title = "" if kind == "choice" else label_of(state)
        tip = tooltip(
            self.model, label_of(state), self._own(state.id), rule=state.rule, doc=doc_of(state)
        )
        return Node(
            state.id,
            kind,
            title,
            lines,
            mark,
            plain(state.rule),
            tip,
            self._hue(state),
            self._box_of(state),
        )

    def _hue(self, state: State) -> int | None:
        """The hue of the box around it; outside, one for players acting, and one for the rest."""
        if state.kind in ("choice", "final"):
            return None
        if self._box_of(state):
            return self.boxes.index(self._box_of(state))
        return 1 if state.kind == "window" or state.asks == "priority" else 2

    def _box_of(self, state: State) -> str:
        return next(iter(self._holders(state.id)), "")

    @cached_property
    def boxes(self) -> tuple[str, ...]:
        """The phases and steps around what is drawn, in the model's order."""
        leaves = [s.id for s in self.model.leaves if s.id != self.start]
        used = {holder for id in leaves for holder in self._holders(id)}
        return tuple(s.id for s in self.model.states if s.id in used)

    def _holders(self, id: str) -> list[str]:
        """The phases and steps around a state, innermost first."""
        return [s.id for s in self.model.path(id)[1:] if s.kind in ("phase", "step")]

    def _box(self, state: State, index: int) -> Box:
        tip = tooltip(
            self.model, label_of(state), self._own(state.id), rule=state.rule, doc=doc_of(state)
        )
        notes = tuple(
            Note(nothing_changes(self.model, t), t.layer)
            for t in self._own(state.id)
            if t.target is None
        )
        title = label_of(state).upper() if self.model.played else label_of(state)
        return Box(state.id, title, plain(state.rule), tip, index, notes, self._box_of(state))

    # captions ------------------------------------------------------------------------------------

    def _unseen(self) -> list[str]:
        """What changes nothing in a state that has no room for words."""
        rows = [t for t in self.model.transitions if t.target is None]
        small = [t for t in rows if self.model.state(t.source).kind in ("choice", "final", "turn")]
        places = {t: label_of(self.model.state(t.source)).lower().rstrip("?") for t in small}
        said = [
            f"{upper_first(nothing_changes(self.model, t))}, at: {place}."
            for t, place in places.items()
        ]
        for id in self.crowded:
            own = "; ".join(nothing_changes(self.model, t) for t in rows if t.source == id)
            said.append(f"{label_of(self.model.state(id))}: {own}.")
        return said

    @cached_property
    def crowded(self) -> tuple[str, ...]:
        """The states with so much that changes nothing that it is said in the caption."""
        rows = Counter(t.source for t in self.model.transitions if t.target is None)
        states = (s for s in self.model.leaves if s.kind not in ("choice", "final", "turn"))
        return tuple(s.id for s in states if rows[s.id] > _MOST_NOTES)

    # lines ----------------------------------------------------------------------------------------

    def lines(self) -> list[Line]:
        first = [] if self.start else [Line("begin", START, self.model.initial, "core")]
        groups: dict[tuple[str, str, Layer, str], list[Transition]] = {}
        for t in self.model.transitions:
            if t.target is not None:
                groups.setdefault((t.source, t.target, t.layer, t.event), []).append(t)
        return first + [
            self._line(f"line{i}", key, rows) for i, (key, rows) in enumerate(groups.items())
        ]

    def _line(self, id: str, key: tuple[str, str, Layer, str], rows: Sequence[Transition]) -> Line:
        source, target, layer, _ = key
        holder = self.model.state(source)
        tail = START if source == self.start else source
        if holder.composite:
            tail = source if source in self.boxes else ANYWHERE.id
        words = ((ANYWHERE.title,) if tail == ANYWHERE.id else ()) + self._words(rows)
        name = " ".join(words) or f"to {label_of(self.model.state(target))}"
        rule = rules_of(rows) if (words and words != ("else",)) or layer != "core" else ""
        tip = tooltip(self.model, name, rows, rule=rules_of(rows))
        return Line(
            id,
            tail,
            START if target == self.start else target,
            layer,
            words,
            rule,
            tip,
            tuple(id for t in rows for id in self.folded.of(t)),
            holder.composite or layer == "jump",
        )

    def _words(self, rows: Sequence[Transition]) -> tuple[str, ...]:
        said = [guard_label(self.model, t) for t in rows]
        event = event_words(self.model, rows[0])
        number = ", ".join(filter(None, dict.fromkeys(map(self._number, rows))))
        guard = either([w for w in dict.fromkeys(said) if w])
        first = "  ".join(part for part in (number, event, guard) if part)
        doing = tuple(f"/ {plain(d)}" for d in dict.fromkeys(t.doc for t in rows) if d)
        return (*first.split("\n"), *doing) if first else doing

    def _number(self, row: Transition) -> str:
        """The place in guard order, out of a choice or of any state with several ways on for one
        event.
        """
        same = [t for t in self.model.transitions if (t.source, t.event) == (row.source, row.event)]
        guarded = any(t.guard for t in same) and len([t for t in same if t.target]) > 1
        choice = self.model.state(row.source).kind == "choice"
        return str(same.index(row) + 1) if len(same) > 1 and (choice or guarded) else ""
