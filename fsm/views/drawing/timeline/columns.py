"""Where steps stand across: one column each, in the model's order, under the bands of their phases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from fsm.model import Model, State
from fsm.model.stepcodes import step_codes
from fsm.views.drawing.metrics import clip, text_width, wrap
from fsm.views.drawing.turncards import hues_of
from fsm.wording import blanks, label_of, plain

MOST = 810.0
LEFT, GUTTER, RIGHT = 14.0, 86.0, 14.0
CELL, AIR, BETWEEN = 48.0, 9.0, 4.0
NARROWEST, WIDEST = 50.0, 76.0
TITLES, NAME = (9.0, 8.2, 7.5), 8.0


@dataclass(frozen=True, slots=True)
class Column:
    """A step's column: its cell from `left` to `right`, what stands above it, and the number of its
    hue.
    """

    step: State
    code: str
    left: float
    right: float
    name: tuple[str, ...]
    hue: int | None

    @property
    def middle(self) -> float:
        """Halfway between left and right."""
        return (self.left + self.right) / 2


@dataclass(frozen=True, slots=True)
class Band:
    """The tinted band of a phase, inside `depth` others; `size` is that of its title."""

    title: str
    size: float
    left: float
    right: float
    depth: int
    hue: int


class Columns:
    """The columns and bands of one Model."""

    def __init__(self, model: Model) -> None:
        self.model, self.hues = model, hues_of(model)
        steps = model.of_kind("step")
        self.phases = {step.id: _phases(model, step) for step in steps}
        groups = [list(group) for _, group in groupby(steps, lambda s: self.phases[s.id][:1])]
        room = MOST - LEFT - GUTTER - RIGHT - BETWEEN * max(0, len(groups) - 1)
        self.pitch = min(WIDEST, max(NARROWEST, room / max(1, len(steps))))
        self.cell = min(CELL, self.pitch - AIR)
        self.of = {c.step.id: c for c in self._columns(groups)}
        self.bands = list(self._bands([list(group) for group in groups], 0))
        self.depth = max((len(found) for found in self.phases.values()), default=0)
        last = max((c.right for c in self.of.values()), default=LEFT + GUTTER)
        self.end = last + (self.pitch - self.cell) / 2

    def _columns(self, groups: Sequence[Sequence[State]]) -> Iterator[Column]:
        codes, x = step_codes(self.model), LEFT + GUTTER
        for group in groups:
            for step in group:
                left = x + (self.pitch - self.cell) / 2
                name = wrap(label_of(step), self.pitch - 3, NAME, 2)
                hue = self.hues.get(self.phases[step.id][-1].id) if self.phases[step.id] else None
                yield Column(step, plain(codes[step.id], 6), left, left + self.cell, name, hue)
                x += self.pitch
            x += BETWEEN

    def _bands(self, groups: Sequence[Sequence[State]], depth: int) -> Iterator[Band]:
        """The bands of one depth, then those inside them."""
        for group in groups:
            phases = self.phases[group[0].id]
            if len(phases) <= depth:
                continue
            left, right = self._around(group, depth)
            title = _title(phases[depth], right - left - 4)
            yield Band(*title, left, right, depth, self.hues.get(phases[depth].id, 0))
            inner = groupby(group, lambda s: self.phases[s.id][depth + 1 : depth + 2])
            yield from self._bands([list(part) for _, part in inner], depth + 1)

    def _around(self, group: Sequence[State], depth: int) -> tuple[float, float]:
        air = (self.pitch - self.cell) / 2 - 1.5 * depth
        return self.of[group[0].id].left - air, self.of[group[-1].id].right + air


def _phases(model: Model, step: State) -> tuple[State, ...]:
    """The phases around a step, outermost first."""
    return tuple(s for s in reversed(model.path(step.id)) if s.kind == "phase")


def _title(phase: State, room: float) -> tuple[str, float]:
    """A phase's name in capitals and its size; smaller, or the name of its kind, where that alone
    fits.
    """
    names = [name for name in (label_of(phase).upper(), blanks(phase.family).upper()) if name]
    for size in TITLES:
        for name in names:
            if text_width(name, size, True) <= room:
                return name, size
    return clip(names[0], room, TITLES[-1], True), TITLES[-1]
