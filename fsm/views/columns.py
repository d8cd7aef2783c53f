"""The one layout: steps as cards in a column, with a rail from card to card at their left and lanes
at their right.

The turn at a glance has short cards in up to three columns. A phase has one wide column of cards
with lists. Each way has its place by what it is: a way to the next card is the rail, one further
down or up takes a lane, one to another column is a short arrow to the name of its target.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from fsm.views.cards import FINE, ROW, TITLE_ROW, Card, Place, chip_ink, label, write
from fsm.views.lanes import allot, is_aside, levels, spans, straight
from fsm.views.overlays import Overlay
from fsm.views.reading import END, HOLE, Kind, Part, Phase, Step, Turn, Way, steps_of
from fsm.views.svg import Box, Ink, Paint, Point, Svg, Word

LINES: dict[Kind, str] = {
    "next": "core",
    "left out": "skip",
    "again": "extra",
    "cut short": "jump",
}
"""How ways of each kind are drawn."""
LANE, PAD, GAP = 11, 10, 16
"""The distance of lanes, the margin inside frames, and the distance of cards."""
_TEXT = 13
"""How far texts stand from the rail."""


@dataclass(frozen=True, slots=True)
class Look:
    """The measures of a column: its width, where its rail stands, and the room for words at its
    side. With `detail`, cards have lists, and ways leave them at the side.
    """

    width: float
    detail: bool = False
    rail: float = 18
    side: float = 0


GLANCE = Look(242)
DETAIL = Look(798, detail=True, rail=40, side=150)


@dataclass(frozen=True, slots=True)
class _Room:
    """The room of one level: its left edge and width, and the colour of the paper."""

    x: float
    w: float
    ground: str
    outer: bool = False

    @property
    def right(self) -> float:
        return self.x + self.w


class Column:
    """Draws phases and steps from top to bottom.

    `after` is the step to which the rail leads on below. `pen` is where the rail has come to, and
    `rail` where it stands.
    """

    def __init__(
        self,
        turn: Turn,
        parts: Sequence[Part],
        look: Look,
        overlay: Overlay,
        *,
        ways: Iterable[Way] | None = None,
        after: str = END,
    ) -> None:
        self.turn, self.parts, self.look, self.overlay = turn, parts, look, overlay
        self.order = {step.id: i for i, step in enumerate(steps_of(parts))}
        known = turn.ways if ways is None else ways
        self.ways = [way for way in known if way.source in self.order]
        self.numbers = {way: i for i, way in enumerate(turn.ways)}
        gone = [id for id, fill in overlay.fills.items() if fill == "gone"]
        self.straight = straight(parts, self.ways, gone, after)
        away = [way for way in self.ways if way not in self.straight]
        self.lanes = {
            id(level): allot(spans(level, away, self.order, shared=look.detail))
            for level in levels(parts)
        }
        self.lane: dict[Way | Part, float] = {}
        self.cards: dict[str, Box] = {}
        self.pen: list[Point] = []
        self.diamonds: list[tuple[Point, float, str]] = []
        self.waiting: list[tuple[Way, list[Point], str]] = []
        self.rail = 0.0
        self.svg = Svg()

    # levels ---------------------------------------------------------------------------------------

    def draw(self, svg: Svg, at: Point, pen: list[Point]) -> float:
        """Draw the column, and return where it ends. `pen` is where the rail comes from."""
        self.svg, self.pen = svg, pen
        self.rail = at[0] + self.look.rail + (0 if self.look.detail else PAD)
        room = _Room(at[0], self.look.width, "paper", outer=True)
        y = self._stack(self.parts, room, at[1])
        self._draw_lanes()
        return y

    def _stack(self, parts: Sequence[Part], room: _Room, y: float) -> float:
        """Draw one level."""
        inner = self._beside_lanes(self.lanes[id(parts)], room)
        for i, part in enumerate(parts):
            y = self._placed(parts, i, inner, y)
            if room.outer and not self.look.detail and self.turn.extra and part is not parts[-1]:
                self.diamonds.append(((self.rail, y + 9), 6, "extra"))
                y += 12
        return y

    def _beside_lanes(self, lanes: dict[Way | Part, int], room: _Room) -> _Room:
        """Put the lanes of a level at its right, and return the room that is left."""
        count = max(lanes.values(), default=-1) + 1
        worded = room.outer or any(isinstance(what, Way) for what in lanes)
        side = self.look.side if worded else 0
        w = room.w - count * LANE - side - (4 if count else 0)
        for what, number in lanes.items():
            self.lane[what] = room.x + w + side + 8 + number * LANE
        return _Room(room.x, w, room.ground, room.outer)

    def _placed(self, parts: Sequence[Part], i: int, room: _Room, y: float) -> float:
        """Draw a part of a level, with what stands above and below it."""
        part = parts[i]
        pen, rail = self.pen, self.rail
        aside = is_aside(part, parts)
        if aside and isinstance(part, Phase):
            y = self._step_aside(part, room, y)
            shift = self.look.rail + 8
            room = _Room(room.x + shift, room.w - shift, room.ground)
        if part.left_out:
            y = self._around(part, room, y)
        else:
            y = self._part(part, room, y + (GAP if i else 0))
        step = part.single if isinstance(part, Phase) and not self.look.detail else part
        if aside:
            self._flush()
            self.pen, self.rail = pen, rail
            step = parts[i - 1] if not self.look.detail else None
        if isinstance(step, Step) and not self._waits(parts, i):
            y = self._below(step, y, room)
        return y

    def _waits(self, parts: Sequence[Part], i: int) -> bool:
        """Whether a phase runs beside the rail after this part, so that its exits stand below."""
        return not self.look.detail and i + 1 < len(parts) and is_aside(parts[i + 1], parts)

    def _step_aside(self, phase: Phase, room: _Room, y: float) -> float:
        """Move the rail to where a phase among steps stands."""
        start = self.pen[-1][1] if len(self.pen) == 1 else y - 4
        self.rail += self.look.rail + 14
        self.pen = [(self.rail, start)]
        first = phase.steps[0].id
        for way in self.straight:
            if way.target == first:
                words = label(self._words(way), room.right - self.rail - 26)
                return self._write(self.rail + 10, y - 2, words) + 4
        return y

    def _part(self, part: Part, room: _Room, y: float) -> float:
        """Draw a card, or a frame with all that is in it."""
        if isinstance(part, Step):
            return self._card(part, None, room, y)
        if part.single and not self.look.detail:
            return self._card(part.single, part, room, y)
        below, self.svg = self.svg, Svg()  # how high the frame is, is known only in the end
        rail = self.rail
        title = self._frame_title(part, room.right - rail - _TEXT - 10)
        head = PAD + GAP + 2 + TITLE_ROW * (len(title) - 1)
        inside = _Room(room.x + PAD, room.w - 2 * PAD, f"tint{part.hue}")
        bottom = self._stack(part.parts, inside, y + head) + PAD
        above, self.svg = self.svg, below
        self._frame(part, Box(room.x, y, room.w, bottom - y), rail, title)
        self.svg += above
        return bottom

    def _frame_title(self, phase: Phase, room: float) -> list[list[Word]]:
        colour = f"title{phase.hue}"
        title = Word(phase.title.upper(), Ink(colour, 12.5, bold=True))
        chip = self.overlay.chips.get(phase.id, "")
        return label([title, Word(phase.rule, Ink(colour, 11)), Word(chip, chip_ink(chip))], room)

    def _frame(self, phase: Phase, box: Box, rail: float, title: list[list[Word]]) -> None:
        edge = self.overlay.edges.get(phase.id, f"edge{phase.hue}")
        self.svg.open("phase", phase.title, id=phase.id)
        self.svg.rect(box, Paint(f"tint{phase.hue}", edge, round=12))
        write(self.svg, (rail + _TEXT, box.y + 18), title)
        self.svg.close()

    def _card(self, step: Step, whole: Phase | None, room: _Room, y: float) -> float:
        """Draw a card on the rail. One that is gone stands beside it."""
        detail, gone = self.look.detail, self.overlay.fills.get(step.id) == "gone"
        phase = self.turn.phase_of(step.id)
        shift = self.look.rail + 8 if gone else 0
        left = room.x + shift + 16 if detail or gone else self.rail + _TEXT
        place = Place(room.x + shift, room.w - shift, left)
        hue = phase.hue if phase else 0
        card = Card(step, place, hue, self.overlay, detail=detail, whole=whole)
        high = max(card.height, self._side_height(step) if detail else 0)
        if not gone:
            into = [way for way in self.straight if way.target == step.id]
            self.rail_to((self.rail, y), way=next(iter(into), None))
        self.cards[step.id] = card.draw(self.svg, y, high, self.rail)
        if not gone:
            self.pen = [(self.rail, y + high)] if self._goes_on(step) else []
        return y + high

    def _ends(self, step: Step) -> bool:
        """Whether the turn can end with a step."""
        return any(way.source == step.id and way.target == END for way in self.ways)

    def _goes_on(self, step: Step) -> bool:
        """Whether the rail leads on below a card."""
        own = [way for way in self.ways if way.source == step.id and way.target != HOLE]
        on = any(way in self.straight or way.target == END for way in own)
        return on or (bool(own) and not self.look.detail)

    # the rail -------------------------------------------------------------------------------------

    def rail_to(self, *points: Point, way: Way | None = None) -> None:
        """Draw the rail from where it was to a card or further, with the diamonds on it."""
        if self.pen:
            self._line(way, [*self.pen, *points])
        for at, r, edge in self.diamonds:
            self.svg.diamond(at, r, Paint("surface", edge))
        self.diamonds = []

    def _flush(self) -> None:
        """Draw what the rail beside a step has, if it does not lead on."""
        if self.diamonds and self.pen:
            self.svg.line([*self.pen, self.diamonds[-1][0]], head=False)
        self.pen = []
        self.rail_to()

    def _around(self, part: Part, room: _Room, y: float) -> float:
        """Draw a part that may be left out, with the way around it."""
        lane = self.lane[part]
        words = label(self._reasons(part), lane - self.rail - 20)
        fork = self._write(self.rail + _TEXT, y + 4, words) + 7
        self.diamonds.append(((self.rail, fork), 7, "core"))
        y = self._part(part, room, fork + GAP) + 13
        self.svg.open("way", "left out", out=part.id)
        start = (self.rail + 7, fork)
        end = self.rail + 1 if self.pen else self._goal_of(part, y) + 6
        self.svg.line([start, (lane, fork), (lane, y), (end, y)], "skip", room.ground)
        self.svg.close()
        return y

    def _goal_of(self, part: Part, y: float) -> float:
        """Write where it goes on after a part below which there is no rail, and return where the
        words end.
        """
        last = steps_of([part])[-1]
        goals = [way.target for way in self.ways if way.source == last.id and not way.words]
        said = f"to {self.turn.names[goals[0]]}" if goals else ""
        return self.svg.text((self.rail - 8, y + 4), said, Ink(bold=True))

    # exits ----------------------------------------------------------------------------------------

    def _away(self, step: Step) -> list[Way]:
        """The ways from a step that leave the rail."""
        own = [way for way in self.ways if way.source == step.id and way.target != END]
        found = [way for way in own if way not in self.straight]
        if self.look.detail:
            here = self.order[step.id]
            return sorted(found, key=lambda way: self.order.get(way.target, here + 1) <= here)
        return sorted(found, key=lambda way: way.kind == "next")

    def _below(self, step: Step, y: float, room: _Room) -> float:
        """Draw the ways that leave the rail below a card, and the words of the one that stays."""
        away = self._away(step)
        stays = [way for way in self.ways if way.source == step.id and way in self.straight]
        if self.look.detail:
            self._side_exits(away, room.right, y - 14)
            wide, gap = self.look.width - self.look.side, 6
        else:
            for way in away:
                y = self._exit(way, y, room, alone=len(away) == 1 and not stays)
            if away and not stays and not self._ends(step):
                self._flush()
            wide, gap = room.right - self.rail - 10, 3
        known = {way.rule for way in away}
        for way in stays:
            words = label(self._words(way, known), wide)
            if words and not self._leads_aside(way):
                y = self._write(self.rail + _TEXT, y + gap, words) + 2
        return y

    def _exit(self, way: Way, y: float, room: _Room, *, alone: bool) -> float:
        """Draw one way that leaves the rail; where it ends."""
        lane = self.lane.get(way)
        right = room.right - 1 if lane is None else lane - 7
        words = label(self._words(way), right - self.rail - _TEXT)
        y = self._write(self.rail + _TEXT, y + 3, words)
        if way.target == HOLE:
            return y + 6
        if lane is None:
            y += 12
            self._line(way, [(self.rail + 7, y), (self.rail + 36, y)], room.ground)
            self.diamonds.append(((self.rail, y), 7, "core"))
            target = Word(f"to {self.turn.place(way.target)}", Ink(bold=True))
            rows = label([target], room.right - self.rail - 46)
            return self._write(self.rail + 41, y + 4 - ROW, rows) + 2
        if alone:
            y += 7
            self.waiting.append((way, [*self.pen, (self.rail, y), (lane, y)], room.ground))
            return y + 6
        y += 7
        self.waiting.append((way, [(self.rail + 7, y), (lane, y)], room.ground))
        self.diamonds.append(((self.rail, y), 7, "core"))
        return y + 6

    def _leads_aside(self, way: Way) -> bool:
        """Whether a way leads into a phase beside the rail, which has its words."""
        source, target = self.turn.phase_of(way.source), self.turn.phase_of(way.target)
        return source is not None and target is not None and target in source.parts

    def _side_height(self, step: Step) -> float:
        """The room that the ways in and out at the side of a card need."""
        away = self._away(step)
        if not away:
            return 0
        into = [way for way in self.ways if way.target == step.id and way not in self.straight]
        lanes = {(way.kind, way.words) for way in into}
        return sum(self._side_room(way) for way in away) + 20 + 12 * len(lanes)

    def _side_words(self, way: Way) -> list[list[Word]]:
        return [[word] for line in label(self._words(way), self.look.side - 16) for word in line]

    def _side_room(self, way: Way) -> float:
        return ROW * len(self._side_words(way)) + 12

    def _side_exits(self, away: Sequence[Way], right: float, y: float) -> None:
        """Draw the ways that leave a card at its side, from the lowest up."""
        for way in away:
            lane = self.lane.get(way)
            rows = self._side_words(way)
            foot = y - (11 if lane is None else 6.5) - ROW * (len(rows) - 1)
            for i, row in enumerate(rows):
                self.svg.words((right + 10, foot + ROW * i), row)
            if lane is None:
                self._line(way, [(right, y), (right + 26, y)])
                if way.target != HOLE:
                    target = f"to {self.turn.place(way.target)}"
                    most = self.look.side - 34
                    self.svg.text((right + 30, y + 4), target, Ink(bold=True), most=most)
            else:
                self.waiting.append((way, [(right, y), (lane, y)], "paper"))
            y -= self._side_room(way)

    # words and lines ------------------------------------------------------------------------------

    def _words(self, way: Way, known: Iterable[str] = ()) -> Iterator[Word]:
        """What is written on a way: its words, its rule if not known, and what an overlay says."""
        yield Word(way.words, Ink("ink" if way.kind == "next" else LINES[way.kind]))
        yield Word("" if way.rule in known else way.rule, FINE)
        chip = self.overlay.chips.get(way, "")
        yield Word(chip, chip_ink(chip))

    def _reasons(self, part: Part) -> Iterator[Word]:
        """What is written above a part that may be left out."""
        for i, reason in enumerate(part.left_out):
            yield Word(f"or {reason.words}" if i else reason.words, Ink("skip"))
            yield Word(reason.rule, FINE)
            chip = self.overlay.chips.get(reason, "")
            yield Word(chip, chip_ink(chip))

    def _write(self, x: float, y: float, lines: Sequence[Sequence[Word]]) -> float:
        """Write lines below y, and return the foot of the last one."""
        for line in lines:
            y += ROW
            self.svg.words((x, y), line)
        return y

    def _draw_lanes(self) -> None:
        """Draw the ways in lanes. Those into the same card come in below each other."""
        entries: dict[str, list[tuple[float, Kind]]] = {}
        for way, points, ground in self.waiting:
            card = self.cards[way.target]
            lane = points[-1][0]
            known = entries.setdefault(way.target, [])
            if (lane, way.kind) not in known:
                known.append((lane, way.kind))
            y = min(card.y + 14 + 12 * known.index((lane, way.kind)), card.bottom - 8)
            self._line(way, [*points, (lane, y), (card.right, y)], ground)

    def _line(self, way: Way | None, points: list[Point], ground: str = "paper") -> None:
        """Draw a line, in a group that says for which way of the reading it stands."""
        if way is None:
            self.svg.line(points)
            return
        number = str(self.numbers.get(way, ""))
        self.svg.open("way", f"{way.words} {way.rule}".strip(), way=number)
        self.svg.line(points, LINES[way.kind], ground)
        self.svg.close()
