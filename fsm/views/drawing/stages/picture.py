"""A stage view as a diagram: its stages, choices, discs and boxes, and the ways between them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from fsm.model import Model, State, Transition
from fsm.views.drawing.captions import box_rule
from fsm.views.drawing.cardlines import mark_of
from fsm.views.drawing.diagram import Box, Diagram, Line, Node, NodeKind
from fsm.views.drawing.rowlabels import instead
from fsm.views.drawing.stages.exits import AFTER, BEFORE, Exit, Exits
from fsm.views.drawing.stages.extent import Extent
from fsm.views.drawing.stages.sentences import Sentences
from fsm.views.drawing.tooltips import tooltip
from fsm.views.drawing.turncards import hues_of
from fsm.wording import doc_of, label_of, lower_first, plain, rules_of


def stage_diagram(model: Model, root: State) -> Diagram:
    """What the view of one phase or step shows."""
    return _Picture(Extent(model, root)).diagram()


class _Picture:
    def __init__(self, extent: Extent) -> None:
        self.extent = extent
        self.model, self.root = extent.model, extent.root
        self.exits = Exits(extent)
        self.hues = hues_of(extent.model)
        self.said = Sentences(extent)

    def diagram(self) -> Diagram:
        lines = list(self.lines())
        return Diagram(
            title=self._title(),
            caption=self.said.caption(),
            nodes=tuple(self._nodes(lines)),
            lines=tuple(lines),
            boxes=tuple(
                self._box(holder)
                for holder in self.extent.holders
                if holder.id in self.extent.boxed
            ),
        )

    def _title(self) -> str:
        name, label = plain(self.model.title) or plain(self.model.name), label_of(self.root)
        kind = "" if label.casefold().split()[-1:] == [self.root.kind] else f" {self.root.kind}"
        called = lower_first(label) if label[1:] == label[1:].lower() else label
        return f"{name}: the {called}{kind}"

    # lines ----------------------------------------------------------------------------------------

    @cached_property
    def ways(self) -> list[Exit]:
        """The ways that are drawn."""
        ways = list(self.exits.all())
        return [self._by_itself(way, ways) for way in ways]

    def _by_itself(self, way: Exit, ways: Sequence[Exit]) -> Exit:
        """A way from outside says its guard instead of "2 else" if what is tried before is not in
        the picture.
        """
        if (
            not way.source.startswith(BEFORE)
            or sum(other.source == way.source for other in ways) > 1
        ):
            return way
        words = list(way.words)
        for row in way.rows:
            earlier = self.exits.tried_before(row)
            label = self.exits.label(row)
            if (
                earlier
                and label in words
                and not row.guard
                and not any(self.exits.label(r) in words for r in earlier)
            ):
                words[words.index(label)] = instead(earlier)
        return replace(way, words=tuple(words))

    def lines(self) -> Iterator[Line]:
        for i, way in enumerate(self.ways):
            name = " ".join(way.words) or f"to {self._name(way.target)}"
            tip = tooltip(self.model, name, way.rows, rule=rules_of(way.rows))
            ids = tuple(r.id for r in way.rows)
            rule = ", ".join(dict.fromkeys(map(plain, way.rules)))
            ring = way.ring or (
                way.layer == "jump" and (way.source in self.extent.ids or self._signalled(way))
            )
            yield Line(
                f"line{i}", way.source, way.target, way.layer, way.words, rule, tip, ids, ring
            )

    def _signalled(self, way: Exit) -> bool:
        """Does it come from outside because of a signal, wherever the game was?"""
        return way.source.startswith(f"{BEFORE}on ")

    def _name(self, target: str) -> str:
        return self.exits.place(self.model.state(target.removeprefix(AFTER)))

    # nodes ----------------------------------------------------------------------------------------

    def _nodes(self, lines: Collection[Line]) -> Iterator[Node]:
        ends = {end for line in lines for end in (line.source, line.target)}
        for source in dict.fromkeys(w.source for w in self.ways if w.source.startswith(BEFORE)):
            yield self._entry(source)
        for state in self.extent.nodes():
            if self.extent.is_stage(state) or state.id in ends:
                yield self._node(state)
        for target in dict.fromkeys(w.target for w in self.ways if w.target.startswith(AFTER)):
            yield self._final(self.model.state(target.removeprefix(AFTER)))

    def _entry(self, source: str) -> Node:
        name = source.removeprefix(BEFORE)
        rows = [r for w in self.ways if w.source == source for r in w.rows]
        tip = tooltip(
            self.model, name, [*rows, *self._edges("before", "begin")], rule=rules_of(rows)
        )
        return Node(source, "start", name, tooltip=tip)

    def _final(self, state: State) -> Node:
        rows = [r for w in self.ways if w.target == AFTER + state.id for r in w.rows]
        name = self.exits.place(state)
        tip = tooltip(
            self.model, f"next: {name}", [*rows, *self._edges("end", "after")], rule=rules_of(rows)
        )
        said = (
            name
            if state.kind == "final" or state.role in ("hub", "end", "after")
            else f"next: {name}"
        )
        return Node(AFTER + state.id, "final", said, tooltip=tip)

    def _edges(self, *roles: str) -> list[Transition]:
        """The transitions at the border of the phase or step, which no box or diamond tells."""
        holder = self.root.id if self.root.id not in self.extent.boxed else ""
        states = [s for s in self.extent.leaves if s.parent == holder and s.role in roles]
        return [t for s in states for t in self.extent.own.get(s.id, ())]

    def _node(self, state: State) -> Node:
        own = self.extent.own.get(state.id, [])
        rule = state.rule or rules_of(own)
        tip = tooltip(self.model, label_of(state), own, rule=rule, doc=doc_of(state))
        kind: NodeKind = "choice"
        if self.extent.is_stage(state):
            kinds: dict[str, NodeKind] = {
                "window": "window",
                "final": "final",
                "stage": "stage",
                "choice": "stage",
            }
            kind = kinds.get(state.kind, "action")
        box = self._box_of(state)
        if kind in ("choice", "final"):
            title = "" if kind == "choice" else label_of(state)
            return Node(state.id, kind, title, tooltip=tip, box=box)
        mark = mark_of(state) if kind == "window" else ""
        doc = (plain(doc_of(state)),) if doc_of(state) else ()
        return Node(
            state.id,
            kind,
            label_of(state),
            doc,
            mark,
            plain(state.rule),
            tip,
            self._hue(state),
            box,
        )

    def _hue(self, state: State) -> int | None:
        phase = self.model.enclosing(state.id, "phase")
        return self.hues.get(phase.id) if phase else 0

    # boxes ----------------------------------------------------------------------------------------

    def _box_of(self, state: State) -> str:
        return state.parent if state.parent in self.extent.boxed else ""

    def _box(self, holder: State) -> Box:
        inside = [s for s in self.extent.leaves if s.parent == holder.id]
        plumbing = [
            t
            for s in inside
            if s.id not in self.extent.drawn
            for t in self.extent.own.get(s.id, ())
        ]
        own = self.extent.own.get(holder.id, [])
        rule = holder.rule or rules_of(plumbing)
        tip = tooltip(self.model, label_of(holder), [*own, *plumbing], rule=rule, doc=holder.doc)
        notes = tuple(self.said.notes([holder, *inside]))
        outer = holder.parent if holder.parent in self.extent.boxed else ""
        cited, hue = box_rule(self.model, holder), self._hue(holder) or 0
        return Box(holder.id, label_of(holder).upper(), cited, tip, hue, notes, outer)
