"""The one layout: steps as cards in a column, with a rail from card to card at their left and lanes
at their right.

The turn at a glance has short cards in up to three columns. A phase has one wide column of cards
with lists. Each way has its place by what it is: a way to the next card is the rail, one further
down or up takes a lane, one to another column is a short arrow to the name of its target.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from copy import copy
from typing import NamedTuple

from fsm.views.cards import FINE, TEXT, TITLE_ROW, chip_word, draw_card, heading, write
from fsm.views.lanes import alike, along, lanes_of, straight
from fsm.views.overlays import Overlay
from fsm.views.reading import END, HOLE, Kind, Part, Phase, Reason, Step, Turn, Way, steps_of
from fsm.views.svg import Box, Ink, Paint, Point, Svg, Word

LINES: dict[Kind, str] = {
    "next": "core",
    "left out": "skip",
    "again": "extra",
    "cut short": "jump",
}
"""How ways of each kind are drawn."""
LANE = 11
PAD = 10
GAP = 16
"""The distance of lanes, the margin inside frames, and the distance of cards."""
_DIAMOND = 7


class Look(NamedTuple):
    """The measures of a column: its width, and where its rail stands. With `detail`, cards have
    lists.
    """

    width: float
    rail: float
    detail: bool = False


GLANCE = Look(242, 28)
DETAIL = Look(798, 40, detail=True)
FLAT = Look(388, 28, detail=True)


class _Room(NamedTuple):
    """The room of one level: its edges, the colour of the paper, and the lanes at the right of it
    and of the levels around.
    """

    left: float
    right: float
    ground: str
    lanes: dict[object, float]


Diamond = tuple[Point, float, str]
"""A sign on the rail: its middle, its size and its colour."""


class Column:
    """Draws phases and steps from top to bottom.

    `after` is the step to which the rail leads on below. `ways` are still to be told. While it is
    drawn, `rail` is where the rail stands, and `pen` where it has come to.
    """

    def __init__(
        self, turn: Turn, parts: Sequence[Part], look: Look, overlay: Overlay, after: str = END
    ) -> None:
        self.turn = turn
        self.parts = parts
        self.look = look
        self.overlay = overlay
        self.places = {step.id: 2 * i for i, step in enumerate(steps_of(parts))}
        self.ways = [way for way in turn.ways if way.source in self.places]
        self.straight = straight(parts, self.ways, overlay, after)
        self.cards: dict[str, Box] = {}
        self.waiting: list[tuple[Way, list[Point], str]] = []

    # levels ---------------------------------------------------------------------------------------

    def draw(self, svg: Svg, at: Point, pen: list[Point], diamonds: list[Diamond]) -> float:
        """Draw the column, and return where it ends. `pen` is where the rail comes from, and
        `diamonds` are still to be drawn on it.
        """
        x, y = at
        self.svg = svg
        self.pen = pen
        self.diamonds = diamonds
        self.rail = x + self.look.rail
        bottom = self._stack(self.parts, _Room(x, x + self.look.width, "paper", {}), y)
        entries = defaultdict[str, dict[object, int]](dict)  # below each other, into each card
        for way, points, ground in self.waiting:
            card = self.cards[way.target]
            known = entries[way.target]
            lane, _ = points[-1]
            entry = known.setdefault((lane, way.kind), len(known))
            y = min(card.y + 14 + 12 * entry, card.bottom - 8)
            self._line(way, [*points, (lane, y), (card.right, y)], ground)
        return bottom

    def _stack(self, parts: Sequence[Part], room: _Room, y: float) -> float:
        """Draw one level. What a step leads to stands below it, and below the phases beside it."""
        room = self._beside_lanes(parts, room)
        for i, (part, *beside) in enumerate(along(parts)):
            if i and parts is self.parts and self.turn.extra and not self.look.detail:
                self._diamond(y + 9, 6, "extra")
                y += 12
            if i or part.left_out:
                y += GAP
            y = self._reached(part, room, y)
            for phase in beside:
                y = copy(self).beside_rail(phase, room, self.cards[part.id].bottom, y)
            step = self._shown(part)
            if isinstance(step, Step):
                y = self._below(step, room, y)
        return y

    def _shown(self, part: Part) -> Part:
        """What is drawn of a part: the only step of a phase if both are one card."""
        if isinstance(part, Phase) and part.single:
            return part.single
        return part

    def _beside_lanes(self, parts: Sequence[Part], room: _Room) -> _Room:
        """Put the lanes of a level at its right, and return the room that is left. They are for the
        ways from card to card, but for the rail and what stays in one frame.
        """
        home = {step.id: self._shown(part).id for part in parts for step in steps_of([part])}
        ways = [
            way
            for way in self.ways
            if way.source in home
            and way.target in home
            and way not in self.straight.values()
            and not home[way.source] == home[way.target] != way.target
        ]
        numbers = lanes_of(parts, ways, self.places)
        if not numbers:
            return room
        right = room.right - LANE * (max(numbers.values()) + 1) - 4
        lanes = {thing: right + 8 + number * LANE for thing, number in numbers.items()}
        return room._replace(right=right, lanes=room.lanes | lanes)

    def _reached(self, part: Part, room: _Room, y: float) -> float:
        """Draw a part of a level, with the way around it if it may be left out. Where the rail does
        not lead on below it, a name says where that goes.
        """
        if not part.left_out:
            return self._part(part, room, y)
        around = self._fork(part.left_out, room.lanes[part], y - 15)
        lane, fork = around[-1]
        y = self._part(part, room, fork + GAP) + 13
        with self.svg.group("way", "left out", out=part.id):
            self.svg.line([*around, (lane, y), (self.rail + 1, y)], "skip", room.ground)
        return y

    def _fork(
        self, ways: Iterable[Way | Reason], lane: float, y: float, *, alone: bool = False
    ) -> list[Point]:
        """Draw where something leaves the rail below y, or the card if nothing else does, and
        return its line as far as its lane.
        """
        y = self._say(ways, lane, y) + 7
        if alone:
            return [*self.pen, (self.rail, y), (lane, y)]
        self._diamond(y)
        return [(self.rail + _DIAMOND, y), (lane, y)]

    def beside_rail(self, phase: Part, room: _Room, start: float, y: float) -> float:
        """Draw a phase beside the rail, to which its first words lead. A copy of the column does
        it, with a rail of its own that begins at `start`.
        """
        left = self.rail + 8
        self.rail += left - room.left + 6
        self.pen = [(self.rail, start)]
        self.diamonds = []
        inside = {step.id for step in steps_of([phase])}
        for way in self.straight.values():
            if way.target in inside and way.source not in inside:
                self.ways.remove(way)
                y = self._say([way], room.right, y - 5) + 4
        y = self._reached(phase, room._replace(left=left), y + GAP)
        self._stop()
        return y

    def _part(self, part: Part, room: _Room, y: float) -> float:
        """Draw a card, or a frame with all that is in it, and return where it ends."""
        phase = self._shown(part)
        if isinstance(phase, Step):
            return self._card(phase, part, room, y)
        tint = f"tint{phase.hue}"
        outside = self.svg
        self.svg = Svg()  # how high the frame is, is known only in the end
        x = self.rail + TEXT
        words = heading(phase, chip_word(self.overlay, phase.id))
        foot = write(self.svg, (x, y + 2), words, room.right - x - PAD, TITLE_ROW) + PAD
        inner = room._replace(left=room.left + PAD, right=room.right - PAD, ground=tint)
        for way in self._exits_of(phase):
            foot = self._say([way], inner.right, foot - 4, before="in any step: ") + 12
            foot = self._to_name(way, inner, foot) + PAD
        foot = self._stack(phase.parts, inner, foot) + PAD
        edge = self.overlay.edges.get(phase.id, f"edge{phase.hue}")
        frame = Box(room.left, y, room.right - room.left, foot - y)
        with outside.group("phase", phase.title, id=phase.id):
            outside.rect(frame, Paint(tint, edge, round=12))
        outside += self.svg
        self.svg = outside
        return foot

    def _exits_of(self, phase: Phase) -> list[Way]:
        """Take out what leads from every step of a phase alike to another column."""
        steps = [step.id for step in phase.steps]
        inside = {*self.places, END, HOLE}
        exits = [way for way in self.ways if way.source in steps and way.target not in inside]
        times = Counter(map(alike, exits))
        common = [way for way in exits if times[alike(way)] == len(steps) > 1]
        for way in common:
            self.ways.remove(way)
        return [way for way in common if way.source == steps[0]]

    def _card(self, step: Step, part: Part, room: _Room, y: float) -> float:
        """Draw a card on the rail. One that is gone stands beside it."""
        if self.overlay.fills.get(step.id) == "gone":
            room = room._replace(left=self.rail + 8)
        else:
            self.rail_to((self.rail, y), way=self.straight.get(step.id))
        phase = part if isinstance(part, Phase) else self.turn.phase_of(step.id)
        place = Box(room.left, y, room.right - room.left, 0)
        rail = None if self.look.detail else self.rail
        box = draw_card(self.svg, step, phase or Phase("", ""), self.overlay, place, rail)
        self.cards[step.id] = box
        if any(way.source == step.id and way.target != HOLE for way in self.ways):
            self.pen = [(self.rail, box.bottom)]
        return box.bottom

    # the rail -------------------------------------------------------------------------------------

    def rail_to(self, *points: Point, way: Way | None = None, head: bool = True) -> None:
        """Draw the rail from where it was to a card or further, with the diamonds on it."""
        line = [*self.pen, *points]
        if self.pen and way:
            self._line(way, line)
        elif self.pen and points:
            self.svg.line(line, head=head)
        for at, r, edge in self.diamonds:
            self.svg.diamond(at, r, Paint("surface", edge))
        self.pen = []
        self.diamonds = []

    def _diamond(self, y: float, r: float = _DIAMOND, edge: str = "core") -> None:
        self.diamonds.append(((self.rail, y), r, edge))

    def _stop(self) -> None:
        """End the rail at the last diamond on it."""
        self.rail_to(*[at for at, *_ in self.diamonds[-1:]], head=False)

    # exits ----------------------------------------------------------------------------------------

    def _below(self, step: Step, room: _Room, y: float) -> float:
        """Draw the ways that leave the rail below a card, and the words of the one that stays."""
        ways = [way for way in self.ways if way.source == step.id]
        rail = self.straight.values()
        away = [way for way in ways if way not in rail and way.target != END]
        for way in sorted(away, key=lambda way: way.kind == "next"):
            y = self._leave(way, room, y, alone=len(ways) == 1)
        if away and away == ways:
            self._stop()
        for way in ways:
            if way in rail and (way.words or way in self.overlay.chips):
                y = self._say([way], room.right, y, known={way.rule for way in away}) + 2
        return y

    def _leave(self, way: Way, room: _Room, y: float, *, alone: bool) -> float:
        """Draw a way that leaves the rail below y: to a name, or in a lane, from the card if there
        is no other way.
        """
        lane = room.lanes.get(alike(way))
        if lane:
            points = self._fork([way], lane, y, alone=alone)
            self.waiting.append((way, points, room.ground))
            return points[-1][1] + 6
        y = self._say([way], room.right, y) + 12
        if way.target == HOLE:
            return y - 6
        self._diamond(y)
        return self._to_name(way, room, y)

    def _to_name(self, way: Way, room: _Room, y: float) -> float:
        """Draw a way to another column: a short arrow to the name of its target."""
        end = self.rail + 36
        self._line(way, [(self.rail + _DIAMOND, y), (end, y)], room.ground)
        words = [Word(f"to {self.turn.place(way.target)}", Ink(bold=True))]
        return write(self.svg, (end + 5, y - 10), words, room.right - end - PAD) + 2

    # words and lines ------------------------------------------------------------------------------

    def _say(
        self,
        ways: Iterable[Way | Reason],
        right: float,
        y: float,
        before: str = "",
        known: Collection[str] = (),
    ) -> float:
        """Write when ways are taken, with their rules if not known, beside the rail below y, and
        return the foot of the last row.
        """
        words = []
        for way in ways:
            kind = "left out" if isinstance(way, Reason) else way.kind
            words += [
                Word(before + way.words, Ink("ink" if kind == "next" else LINES[kind])),
                Word("" if way.rule in known else way.rule, FINE),
                chip_word(self.overlay, way),
            ]
            before = "or "
        left = self.rail + TEXT
        return write(self.svg, (left, y + 3), words, right - left - 7)

    def _line(self, way: Way, points: list[Point], ground: str = "paper") -> None:
        """Draw a line, in a group that says for which way of the reading it stands."""
        name = {"via": "; ".join(way.tells)}
        if self.turn.word:
            name = {"way": str(self.turn.ways.index(way))}
        with self.svg.group("way", f"{way.words} {way.rule}".strip(), **name):
            self.svg.line(points, LINES[way.kind], ground)
