"""What of a model is where on a picture: the node that shows a state, and how each line's
transitions lead along it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from fsm.model import Model, Transition
from fsm.views.drawing.collapsed import NEXT, CollapsedTurn
from fsm.views.drawing.diagram import Line
from fsm.views.drawing.placed import Placed


@dataclass(frozen=True, slots=True)
class Ways:
    """The ways along a line: its transitions, those that begin one, and those that end one."""

    line: Line
    rows: tuple[Transition, ...]
    starts: frozenset[str]
    ends: frozenset[str]

    def taken(self, counts: Mapping[str, int]) -> int:
        """How often the line was taken, if its transitions were taken that often: what can flow
        along it.

        A transition that other lines share was taken more often than this line.
        """
        left = {row.id: counts.get(row.id, 0) for row in self.rows}
        total = 0
        while way := self.path({id for id, count in left.items() if count > 0}):
            most = min(left[row.id] for row in way)
            total += most
            for row in way:
                left[row.id] -= most
        return total

    def path(self, usable: Collection[str]) -> Sequence[Transition]:
        """The shortest way along the line over usable transitions only; () for none."""
        return self._search(usable, self.ends)

    def as_far_as(self, usable: Collection[str], last: Collection[str]) -> Sequence[Transition]:
        """The shortest way along the line over usable transitions to one of the last; () for none."""
        return self._search({*usable, *last}, last)

    def _search(self, usable: Collection[str], last: Collection[str]) -> Sequence[Transition]:
        queue: list[tuple[Transition, ...]] = [
            (row,) for row in self.rows if row.id in self.starts and row.id in usable
        ]
        seen = {row.id for way in queue for row in way}
        for way in queue:
            if way[-1].id in last:
                return way
            if way[-1].id not in self.ends:
                onward = [
                    r
                    for r in self.rows
                    if r.source == way[-1].target and r.id not in seen and r.id in usable
                ]
                seen.update(row.id for row in onward)
                queue += [(*way, row) for row in onward]
        return ()


class PictureIndex:
    """A placed picture of a model, by the model's states and transitions."""

    def __init__(self, placed: Placed, model: Model) -> None:
        self.placed = placed
        self.model = model
        self.rows = {t.id: t for t in model.transitions}
        self.nodes = frozenset(n.node.id for n in placed.nodes)
        self.boxes = tuple(b.box.id for b in placed.boxes)

    @cached_property
    def _collapsed(self) -> CollapsedTurn | None:
        """How states are collapsed, on a picture where they are."""
        cards = {s.id for s in self.model.states if s.composite} | {NEXT}
        return CollapsedTurn(self.model) if cards & self.nodes else None

    def node_of(self, state: str) -> str:
        """The id of the node that shows this state; "" when it is only passed on the way, or not on
        this picture.
        """
        if state in self.nodes or self._collapsed is None:
            return state if state in self.nodes else ""
        if state == self._collapsed.start and NEXT in self.nodes:
            return NEXT
        if state in {hub.id for hub in self._collapsed.hubs}:
            return self._collapsed.hubs[0].id
        card = self._collapsed.body.get(state, "")
        return card if card in self.nodes else ""

    def holder_of(self, state: str) -> str:
        """The node that this state is to be found in: the one that shows it, else a card of all
        that is around it.
        """
        cards = {n.node.id for n in self.placed.nodes if n.node.kind == "card"}
        return self.node_of(state) or next(
            (s.id for s in self.model.path(state) if s.id in cards), ""
        )

    def box_of(self, state: str) -> str:
        """The innermost box around a state, "" for none."""
        return next((s.id for s in self.model.path(state) if s.id in self.boxes), "")

    def head(self, card: str) -> str:
        """The state that a card begins with, "" for what is no card."""
        return self._collapsed.heads.get(card, "") if self._collapsed is not None else ""

    def inside(self, row: Transition) -> bool:
        """Does it stay within the card it starts in, so that no line shows it?"""
        there = self.node_of(row.target or row.source)
        if (
            self._collapsed is None
            or not there
            or self.node_of(row.source) != there
            or there == row.source
        ):
            return False
        return (
            bool(self.head(there))
            and row.target != self.head(there)
            and row.id not in self._collapsed.drawn_backs
        )

    def arrives(self, row: Transition) -> str:
        """The node that it reaches, "" while it is inside one or on the way."""
        return "" if row.target is None or self.inside(row) else self.node_of(row.target)

    def states_of(self, node: str) -> frozenset[str]:
        """The states that this node shows."""
        return self._shown.get(node, frozenset())

    @cached_property
    def _shown(self) -> Mapping[str, frozenset[str]]:
        found: dict[str, set[str]] = {}
        for state in self.model.leaves:
            found.setdefault(self.node_of(state.id), set()).add(state.id)
        return {node: frozenset(states) for node, states in found.items() if node}

    @property
    def drawn(self) -> frozenset[str]:
        """The transitions that lines stand for, by id."""
        return frozenset(row.id for ways in self.ways.values() for row in ways.rows)

    @cached_property
    def ways(self) -> Mapping[str, Ways]:
        """The ways along each line that stands for transitions, by the line's id."""
        lines = [p.line for p in self.placed.lines]
        return {line.id: found for line in lines if (found := self._ways(line)).rows}

    def _ways(self, line: Line) -> Ways:
        rows = tuple(
            self.rows[id]
            for id in line.steps
            if id in self.rows and self.rows[id].target is not None
        )
        passed = {row.target for row in rows} - {row.target for row in rows if self.arrives(row)}
        sources = {row.source for row in rows}
        starts = {
            r.id for r in rows if self.node_of(r.source) == line.source or r.source not in passed
        }
        ends = {r.id for r in rows if self.arrives(r) == line.target or r.target not in sources}
        return Ways(line, rows, frozenset(starts), frozenset(ends))
