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

from fsm.views.cards import FINE, TEXT, TITLE_ROW, Card, chip_word, heading, write
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
_NO_PHASE = Phase("", "")


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


class Column:
    """Draws phases and steps from top to bottom.

    `after` is the step to which the rail leads on below. `pen` is where the rail has come to, and
    `rail` where it stands. `diamonds` are still to be drawn on it.
    """

    def __init__(
        self, turn: Turn, parts: Sequence[Part], look: Look, overlay: Overlay, after: str = END
    ) -> None:
        self.turn = turn
        self.parts = parts
        self.look = look
        self.overlay = overlay
        self.order = {step.id: i for i, step in enumerate(steps_of(parts))}
        self.ways = [way for way in turn.ways if way.source in self.order]
        self.straight = straight(parts, self.ways, overlay, after)
        self.cards: dict[str, Box] = {}
        self.pen: list[Point] = []
        self.diamonds: list[tuple[Point, float, str]] = []
        self.waiting: list[tuple[Way, list[Point], str]] = []
        self.told: set[Way] = set()
        self.rail = 0.0
        self.svg = Svg()

    # levels ---------------------------------------------------------------------------------------

    def draw(self, svg: Svg, at: Point, pen: list[Point]) -> float:
        """Draw the column, and return where it ends. `pen` is where the rail comes from."""
        x, y = at
        self.svg = svg
        self.pen = pen
        self.rail = x + self.look.rail
        bottom = self._stack(self.parts, _Room(x, x + self.look.width, "paper", {}), y)
        self._draw_lanes()
        return bottom

    def _stack(self, parts: Sequence[Part], room: _Room, y: float) -> float:
        """Draw one level. What a step leads to stands below it, and below the phases beside it."""
        room = self._beside_lanes(parts, room)
        has_places = parts is self.parts and self.turn.extra and not self.look.detail
        for i, (part, *beside) in enumerate(along(parts)):
            if i and has_places:
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
        if isinstance(part, Phase) and part.single and not self.look.detail:
            return part.single
        return part

    def _beside_lanes(self, parts: Sequence[Part], room: _Room) -> _Room:
        """Put the lanes of a level at its right, and return the room that is left."""
        numbers = lanes_of(parts, self._ways_between(parts), self.order)
        if not numbers:
            return room
        right = room.right - LANE * (max(numbers.values()) + 1) - 4
        lanes = {thing: right + 8 + number * LANE for thing, number in numbers.items()}
        return room._replace(right=right, lanes=room.lanes | lanes)

    def _ways_between(self, parts: Sequence[Part]) -> list[Way]:
        """The ways from card to card of a level, but for the rail and what stays in one frame."""
        home: dict[str, str] = {}
        for part in parts:
            shown = self._shown(part)
            for step in steps_of([part]):
                home[step.id] = shown.id
        between = [way for way in self.ways if {way.source, way.target} <= home.keys()]
        away = [way for way in between if way not in self.straight.values()]
        return [way for way in away if not home[way.source] == home[way.target] != way.target]

    def _reached(self, part: Part, room: _Room, y: float) -> float:
        """Draw a part of a level, with the way around it if it may be left out."""
        if not part.left_out:
            return self._part(part, room, y)
        lane = room.lanes[part]
        fork = self._say(part.left_out, lane, y - 15) + 7
        self._diamond(fork)
        y = self._part(part, room, fork + GAP) + 13
        self.svg.open("way", "left out", out=part.id)
        end = self.rail + 1 if self.pen else self._goal_of(part, y)
        start = self.rail + _DIAMOND, fork
        self.svg.line([start, (lane, fork), (lane, y), (end, y)], "skip", room.ground)
        self.svg.close()
        return y

    def _goal_of(self, part: Part, y: float) -> float:
        """Write where it goes on after a part below which there is no rail, and return where the
        words end.
        """
        last = steps_of([part])[-1]
        goals = [way.target for way in self.ways if way.source == last.id and not way.words]
        words = f"to {self.turn.names[goals[0]]}" if goals else ""
        return self.svg.text((self.rail - 8, y + 4), words, Ink(bold=True)) + 6

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
                self.told.add(way)
                y = self._say([way], room.right, y - 5) + 4
        y = self._reached(phase, room._replace(left=left), y + GAP)
        self._stop()
        return y

    def _part(self, part: Part, room: _Room, y: float) -> float:
        """Draw a card, or a frame with all that is in it."""
        shown = self._shown(part)
        if isinstance(shown, Step):
            return self._card(shown, part, room, y)
        outside = self.svg
        self.svg = Svg()  # how high the frame is, is known only in the end
        bottom = self._inside(shown, room, y)
        frame = Box(room.left, y, room.right - room.left, bottom - y)
        edge = self.overlay.edges.get(part.id, f"edge{shown.hue}")
        outside.open("phase", part.title, id=part.id)
        outside.rect(frame, Paint(f"tint{shown.hue}", edge, round=12))
        outside.close()
        outside += self.svg
        self.svg = outside
        return bottom

    def _inside(self, phase: Phase, room: _Room, y: float) -> float:
        """Draw what is in a frame, and return where the frame ends."""
        words = heading(phase, chip_word(self.overlay, phase.id))
        x = self.rail + TEXT
        y = write(self.svg, (x, y + 2), words, room.right - x - PAD, TITLE_ROW) + PAD
        left = room.left + PAD
        room = room._replace(left=left, right=room.right - PAD, ground=f"tint{phase.hue}")
        for way in self._exits_of(phase):
            y = self._say([way], room.right, y - 4, before="in any step: ") + 12
            y = self._to_name(way, room, y) + PAD
        return self._stack(phase.parts, room, y) + PAD

    def _exits_of(self, phase: Phase) -> list[Way]:
        """Take out what leads from every step of a phase alike to another column."""
        steps = [step.id for step in phase.steps]
        inside = {*self.order, END, HOLE}
        exits = [way for way in self.ways if way.source in steps and way.target not in inside]
        times = Counter(alike(way) for way in exits if way.words)
        common = [way for way in exits if times[alike(way)] == len(steps) > 1]
        self.ways = [way for way in self.ways if way not in common]
        return [way for way in common if way.source == steps[0]]

    def _card(self, step: Step, part: Part, room: _Room, y: float) -> float:
        """Draw a card on the rail. One that is gone stands beside it."""
        gone = self.overlay.fills.get(step.id) == "gone"
        if gone:
            room = room._replace(left=self.rail + 8)
        else:
            self.rail_to((self.rail, y), way=self.straight.get(step.id))
        phase = part if isinstance(part, Phase) else self.turn.phase_of(step.id)
        place = Box(room.left, y, room.right - room.left, 0)
        card = Card(step, phase or _NO_PHASE, self.overlay, self.look.detail, place)
        box = card.draw(self.svg, self.rail)
        self.cards[step.id] = box
        if not gone:
            goes_on = any(way.source == step.id and way.target != HOLE for way in self.ways)
            self.pen = [(self.rail, box.bottom)] if goes_on else []
        return box.bottom

    # the rail -------------------------------------------------------------------------------------

    def rail_to(self, *points: Point, way: Way | None = None) -> None:
        """Draw the rail from where it was to a card or further, with the diamonds on it."""
        if self.pen:
            self._line(way, [*self.pen, *points])
        for at, r, edge in self.diamonds:
            self.svg.diamond(at, r, Paint("surface", edge))
        self.diamonds = []

    def _diamond(self, y: float, r: float = _DIAMOND, edge: str = "core") -> None:
        self.diamonds.append(((self.rail, y), r, edge))

    def _stop(self) -> None:
        """End the rail at the last diamond on it."""
        if self.diamonds and self.pen:
            last, *_ = self.diamonds[-1]
            self.svg.line([*self.pen, last], head=False)
        self.pen = []
        self.rail_to()

    # exits ----------------------------------------------------------------------------------------

    def _below(self, step: Step, room: _Room, y: float) -> float:
        """Draw the ways that leave the rail below a card, and the words of the one that stays."""
        ways = [way for way in self.ways if way.source == step.id]
        stays = [way for way in ways if way in self.straight.values()]
        away = [way for way in ways if way not in stays and way.target != END]
        for way in sorted(away, key=lambda way: way.kind == "next"):
            y = self._leave(way, room, y, alone=len(ways) == 1)
        if away and len(away) == len(ways):
            self._stop()
        for way in stays:
            if way not in self.told and (way.words or way in self.overlay.chips):
                y = self._say([way], room.right, y, known={way.rule for way in away}) + 2
        return y

    def _leave(self, way: Way, room: _Room, y: float, *, alone: bool) -> float:
        """Draw a way that leaves the rail below y: to a name, or in a lane, from the card if there
        is no other way.
        """
        lane = room.lanes.get(alike(way))
        y = self._say([way], lane or room.right, y)
        if way.target == HOLE:
            return y + 6
        if lane is None:
            self._diamond(y + 12)
            return self._to_name(way, room, y + 12)
        y += 7
        start = [(self.rail + _DIAMOND, y)]
        if alone:
            start = [*self.pen, (self.rail, y)]
        else:
            self._diamond(y)
        self.waiting.append((way, [*start, (lane, y)], room.ground))
        return y + 6

    def _to_name(self, way: Way, room: _Room, y: float) -> float:
        """Draw a way to another column: a short arrow to the name of its target."""
        end = self.rail + 36
        self._line(way, [(self.rail + _DIAMOND, y), (end, y)], room.ground)
        target = Word(f"to {self.turn.place(way.target)}", Ink(bold=True))
        return write(self.svg, (end + 5, y - 10), [target], room.right - end - PAD) + 2

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
            words.append(Word(before + way.words, Ink("ink" if kind == "next" else LINES[kind])))
            words.append(Word("" if way.rule in known else way.rule, FINE))
            words.append(chip_word(self.overlay, way))
            before = "or "
        left = self.rail + TEXT
        return write(self.svg, (left, y + 3), words, right - left - 7)

    def _draw_lanes(self) -> None:
        """Draw the ways in lanes. Those into the same card come in below each other."""
        entries = defaultdict[str, dict[object, int]](dict)
        for way, points, ground in self.waiting:
            card = self.cards[way.target]
            known = entries[way.target]
            lane, _ = points[-1]
            entry = known.setdefault((lane, way.kind), len(known))
            y = min(card.y + 14 + 12 * entry, card.bottom - 8)
            self._line(way, [*points, (lane, y), (card.right, y)], ground)

    def _line(self, way: Way | None, points: list[Point], ground: str = "paper") -> None:
        """Draw a line, in a group that says for which way of the reading it stands."""
        if way is None:
            self.svg.line(points)
            return
        number = {"way": str(self.turn.ways.index(way))}
        name = number if self.turn.word else {"via": "; ".join(way.tells)}
        self.svg.open("way", f"{way.words} {way.rule}".strip(), **name)
        self.svg.line(points, LINES[way.kind], ground)
        self.svg.close()
