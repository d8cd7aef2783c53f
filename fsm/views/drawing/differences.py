"""A difference on a picture of both models: which lines, cards and boxes came, went or changed, and
the words.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from fsm.model import Transition
from fsm.model.reachability import reachable_from
from fsm.views.diff import Change
from fsm.views.difftext import entry_of
from fsm.views.drawing.collapsed import START
from fsm.views.drawing.combining import CombinedModels, Sign
from fsm.views.drawing.placed import Placed, PlacedLine
from fsm.wording import plain

Shape = Literal["e", "n", "b"]


@dataclass(frozen=True, slots=True)
class Mark:
    """A sign on a line ("e"), node ("n") or box ("b") of a placed diagram, by its number there, and
    what it says.
    """

    shape: Shape
    index: int
    sign: Sign
    said: tuple[str, ...]


def marks(placed: Placed, union: CombinedModels, told: Collection[Change] = ()) -> list[Mark]:
    """All marks of a picture of both models, but for what is `told` elsewhere and what the frame
    made.
    """
    return list(_Marker(placed, union, told).marks())


class _Marker:
    def __init__(self, placed: Placed, union: CombinedModels, told: Collection[Change]) -> None:
        self.placed = placed
        self.union = union
        self.rows = {id: found for id, found in union.rows.items() if found[1] not in told}
        self.states = {id: change for id, change in union.states.items() if change not in told}
        self.model = union.model
        self.by_id: Mapping[str, Transition] = {t.id: t for t in union.model.transitions}
        self.nodes = {n.node.id: i for i, n in enumerate(placed.nodes)}
        self.boxes = {b.box.id: i for i, b in enumerate(placed.boxes)}
        self.signs: dict[tuple[Shape, int], list[Sign]] = {}
        self.said: dict[tuple[Shape, int], list[str]] = {}

    def marks(self) -> Iterator[Mark]:
        on_lines = {id for i, line in enumerate(self.placed.lines) for id in self._line(i, line)}
        for id, change in self.states.items():
            self._state(id, change)
        for id in self.rows:
            if id not in on_lines and not self.by_id[id].generic:
                self._row(id)
        for (shape, index), said in self.said.items():
            yield Mark(
                shape,
                index,
                _joint(self.signs[shape, index]),
                tuple(dict.fromkeys(map(plain, said))),
            )

    def _line(self, index: int, line: PlacedLine) -> Sequence[str]:
        """Mark a line, and tell which rows it speaks for."""
        rows = [self.by_id[id] for id in line.line.steps if id in self.by_id]
        if line.line.source != line.line.target:
            rows = [t for t in rows if not self._inside(t)]
        differing = [t for t in rows if t.id in self.rows and not t.generic]
        sign = self._sign(rows) if differing else None
        if sign is None:
            return ()
        self.signs["e", index] = [sign]
        self.said["e", index] = [said for t in differing for said in self._words(t.id)]
        return [t.id for t in differing]

    def _inside(self, row: Transition) -> bool:
        """Does it stay within one node?"""
        place = self._place(row.source)
        return (
            place is not None
            and place[0] == "n"
            and bool(row.target)
            and self._place(row.target or "") == place
        )

    def _sign(self, rows: Sequence[Transition]) -> Sign:
        """A line came if no way along it is left without what came, and went likewise."""
        signs = {t.id: self.rows[t.id][0] for t in rows if t.id in self.rows}
        before = _leads([t for t in rows if signs.get(t.id) != "+"], rows)
        after = _leads([t for t in rows if signs.get(t.id) != "-"], rows)
        if before == after:
            return "~"
        return "+" if after else "-"

    def _words(self, id: str) -> list[str]:
        sign, change = self.rows[id]
        if sign != change.sign:
            return [f"{sign} {id}"]
        more = entry_of(change, self.union.difference).more if sign == "~" else ()
        return [f"{sign} {id}", *(f"   {text}" for text in more)]

    def _state(self, id: str, change: Change) -> None:
        """A state is told of by what it is drawn in, unless all of that came or went."""
        place = self._place(id)
        if place is None:
            return
        drawn = self._stands_for(place)
        holder = self.union.states.get(drawn)
        if id == drawn or holder is None or holder.sign == "~":
            told = entry_of(change, self.union.difference)
            self.signs.setdefault(place, []).append(change.sign if id == drawn else "~")
            self.said.setdefault(place, []).extend(
                (f"{change.sign} {told.text}", *(f"   {text}" for text in told.more))
            )

    def _row(self, id: str) -> None:
        place = self._place(self.by_id[id].source)
        if place is None and self.by_id[id].layer == "core":
            place = "n", self.nodes.get(START, 0)
        if place is None:
            return
        self.signs.setdefault(place, []).append("~")
        self.said.setdefault(place, []).extend(self._words(id))

    def _stands_for(self, place: tuple[Shape, int]) -> str:
        shape, index = place
        return self.placed.nodes[index].node.id if shape == "n" else self.placed.boxes[index].box.id

    def _place(self, state: str) -> tuple[Shape, int] | None:
        """The innermost node or box that is drawn for a state."""
        for holder in self.model.path(state):
            if holder.id in self.nodes:
                return "n", self.nodes[holder.id]
            if holder.id in self.boxes:
                return "b", self.boxes[holder.id]
        return None


def _leads(rows: Sequence[Transition], along: Sequence[Transition]) -> bool:
    """Do these rows lead all the way from where the line starts to where it ends?"""
    sources, targets = {t.source for t in along}, {t.target for t in along}
    first, last = sources - targets or sources, targets - sources or targets
    reached = reachable_from(
        first, lambda at: [t.target for t in rows if t.source == at and t.target]
    )
    return any(t.target in last and t.source in reached for t in rows)


def _joint(signs: Sequence[Sign]) -> Sign:
    """Did the whole come or go, or does something in it differ?"""
    return next((sign for sign in signs if sign != "~"), "~")
