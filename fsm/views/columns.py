"""The one layout: steps as cards in a column, with a rail from card to card at their left and lanes
at their right.

The turn at a glance has short cards in up to three columns. A phase has one wide column of cards
with lists. Each way has its place by what it is: a way to the next card is the rail, one further
down or up takes a lane, one to another column is a short arrow to the name of its target.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from fsm.views.cards import FINE, ROW, Card, chip_word, label, write
from fsm.views.lanes import is_aside, lanes_of, levels, straight
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
LANE = 11
PAD = 10
GAP = 16
"""The distance of lanes, the margin inside frames, and the distance of cards."""
_TEXT = 13
"""How far texts stand from the rail."""
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
    """The room of one level: its left edge and width, and the colour of the paper."""

    x: float
    w: float
    ground: str = "paper"
    outer: bool = False

    @property
    def right(self) -> float:
        return self.x + self.w


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
        self.numbers = {way: i for i, way in enumerate(turn.ways)}
        self.ways = [way for way in turn.ways if way.source in self.order]
        gone = [id for id, fill in overlay.fills.items() if fill == "gone"]
        self.straight = straight(parts, self.ways, gone, after)
        self.common = self._exits_of_frames()
        away = [way for way in self.ways if way not in self.straight]
        self.lanes = {id(level): lanes_of(level, away, self.order) for level in levels(parts)}
        self.lane: dict[Way | Part, float] = {}
        self.cards: dict[str, Box] = {}
        self.pen: list[Point] = []
        self.diamonds: list[tuple[Point, float, str]] = []
        self.waiting: list[tuple[Way, list[Point], str]] = []
        self.rail = 0.0
        self.svg = Svg()

    def _exits_of_frames(self) -> dict[str, list[Way]]:
        """Take out what leads from every step of a phase alike to another column."""
        found = defaultdict[str, list[Way]](list)
        alike = defaultdict[object, list[Way]](list)
        for way in self.ways:
            if way.words and way.target not in self.order and way.target not in (END, HOLE):
                phase = self.turn.phase_of(way.source)
                alike[phase and phase.id, way.target, way.kind, way.words].append(way)
        for same in alike.values():
            phase = self.turn.phase_of(same[0].source)
            if phase is not None and len(same) == len(phase.steps) > 1:
                found[phase.id].append(same[0])
                self.ways = [way for way in self.ways if way not in same]
        return found

    # levels ---------------------------------------------------------------------------------------

    def draw(self, svg: Svg, at: Point, pen: list[Point]) -> float:
        """Draw the column, and return where it ends. `pen` is where the rail comes from."""
        x, y = at
        self.svg = svg
        self.pen = pen
        self.rail = x + self.look.rail
        room = _Room(x, self.look.width, outer=True)
        bottom = self._stack(self.parts, room, y)
        self._draw_lanes()
        return bottom

    def _stack(self, parts: Sequence[Part], room: _Room, y: float) -> float:
        """Draw one level. What a step leads to stands below it, and below a phase beside it."""
        inner = self._beside_lanes(self.lanes[id(parts)], room)
        has_places = room.outer and self.turn.extra and not self.look.detail
        ended: Step | None = None
        for part, following in zip(parts, [*parts[1:], None], strict=True):
            if is_aside(part, parts):
                y = self._aside(part, inner, y)
            else:
                first = part is parts[0] and not part.left_out
                y = self._reached(part, inner, y if first else y + GAP)
                ended = part if isinstance(part, Step) else self._card_of(part)
            waits = following is not None and is_aside(following, parts)
            if ended is not None and not waits:
                y = self._below(ended, y, inner)
                ended = None
            if following is not None and has_places:
                self._diamond(y + 9, 6, "extra")
                y += 12
        return y

    def _card_of(self, phase: Phase) -> Step | None:
        """The step of a phase that is drawn as one card."""
        if self.look.detail:
            return None
        return phase.single

    def _beside_lanes(self, lanes: dict[Way | Part, int], room: _Room) -> _Room:
        """Put the lanes of a level at its right, and return the room that is left."""
        if not lanes:
            return room
        taken = LANE * (max(lanes.values()) + 1) + 4
        room = room._replace(w=room.w - taken)
        for what, number in lanes.items():
            self.lane[what] = room.right + 8 + number * LANE
        return room

    def _reached(self, part: Part, room: _Room, y: float) -> float:
        """Draw a part of a level, with the way around it if it may be left out."""
        if not part.left_out:
            return self._part(part, room, y)
        lane = self.lane[part]
        fork = self._say(y - 12, self._reasons(part), lane) + 7
        self._diamond(fork)
        y = self._part(part, room, fork + GAP) + 13
        self.svg.open("way", "left out", out=part.id)
        end = self.rail + 1 if self.pen else self._goal_of(part, y) + 6
        start = self.rail + _DIAMOND, fork
        self.svg.line([start, (lane, fork), (lane, y), (end, y)], "skip", room.ground)
        self.svg.close()
        return y

    def _goal_of(self, part: Part, y: float) -> float:
        """Write where it goes on after a part below which there is no rail, and return where the
        words end.
        """
        last = steps_of([part])[-1]
        for way in self.ways:
            if way.source == last.id and not way.words:
                goal = f"to {self.turn.names[way.target]}"
                return self.svg.text((self.rail - 8, y + 4), goal, Ink(bold=True))
        return self.rail - 8

    def _aside(self, part: Part, room: _Room, y: float) -> float:
        """Draw a phase beside the rail, to which its first words lead."""
        pen = self.pen
        rail = self.rail
        left = room.x
        start = pen[-1][1] if len(pen) == 1 else y - 4
        room = self._beside_rail(room)
        self.rail = room.x + rail - left + 6
        self.pen = [(self.rail, start)]
        way = self._way_into(steps_of([part])[0])
        if way is not None:
            y = self._say(y - 2, self._words(way), room.right) + 4
        y = self._reached(part, room, y + GAP)
        self._stop()
        self.pen = pen
        self.rail = rail
        return y

    def _way_into(self, step: Step) -> Way | None:
        """The way along the rail to a step."""
        for way in self.straight:
            if way.target == step.id:
                return way
        return None

    def _beside_rail(self, room: _Room) -> _Room:
        left = self.rail + 8
        return _Room(left, room.right - left, room.ground)

    def _part(self, part: Part, room: _Room, y: float) -> float:
        """Draw a card, or a frame with all that is in it."""
        if isinstance(part, Step):
            return self._card(part, None, room, y)
        only = self._card_of(part)
        if only is not None:
            return self._card(only, part, room, y)
        below, self.svg = self.svg, Svg()  # how high the frame is, is known only in the end
        bottom = self._inside(part, room, y)
        above = self.svg
        self.svg = below
        frame = Box(room.x, y, room.w, bottom - y)
        edge = self.overlay.edges.get(part.id, f"edge{part.hue}")
        self.svg.open("phase", part.title, id=part.id)
        self.svg.rect(frame, Paint(f"tint{part.hue}", edge, round=12))
        self.svg.close()
        self.svg += above
        return bottom

    def _inside(self, phase: Phase, room: _Room, y: float) -> float:
        """Draw what is in a frame, and return where the frame ends."""
        ink = Ink(f"title{phase.hue}", 12.5, bold=True)
        words = [
            Word(phase.title.upper(), ink),
            Word(phase.rule, ink._replace(size=11, bold=False)),
            chip_word(self.overlay.chips.get(phase.id, "")),
        ]
        left = self.rail + _TEXT
        title = label(words, room.right - left - PAD)
        y = write(self.svg, (left, y + 18), title) + PAD
        inner = _Room(room.x + PAD, room.w - 2 * PAD, f"tint{phase.hue}")
        for way in self.common[phase.id]:
            y = self._to_name(way, "in any step: ", inner, y - 4) + PAD
        return self._stack(phase.parts, inner, y) + PAD

    def _card(self, step: Step, whole: Phase | None, room: _Room, y: float) -> float:
        """Draw a card on the rail. One that is gone stands beside it."""
        gone = self.overlay.fills.get(step.id) == "gone"
        if gone:
            room = self._beside_rail(room)
        else:
            self.rail_to((self.rail, y), way=self._way_into(step))
        phase = self.turn.phase_of(step.id)
        detail = self.look.detail
        card = Card(
            step,
            place=Box(room.x, y, room.w, 0),
            left=room.x + 16 if detail or gone else self.rail + _TEXT,
            hue=phase.hue if phase else 0,
            overlay=self.overlay,
            detail=detail,
            whole=whole,
        )
        box = card.draw(self.svg, self.rail)
        self.cards[step.id] = box
        if not gone:
            self.pen = [(self.rail, box.bottom)] if self._goes_on(step) else []
        return box.bottom

    def _goes_on(self, step: Step) -> bool:
        """Whether the rail leads on below a card."""
        return any(way.source == step.id and way.target != HOLE for way in self.ways)

    # the rail -------------------------------------------------------------------------------------

    def rail_to(self, *points: Point, way: Way | None = None) -> None:
        """Draw the rail from where it was to a card or further, with the diamonds on it."""
        if self.pen:
            self._line(way, [*self.pen, *points])
        self._draw_diamonds()

    def _draw_diamonds(self) -> None:
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
        self._draw_diamonds()

    # exits ----------------------------------------------------------------------------------------

    def _below(self, step: Step, y: float, room: _Room) -> float:
        """Draw the ways that leave the rail below a card, and the words of the one that stays."""
        stays, away, ends = self._ways_of(step)
        for way in away:
            if way.target == HOLE:
                y = self._say(y + 3, self._words(way), room.right) + 6
            elif way in self.lane:
                y = self._to_lane(way, y, room, alone=len(away) == 1 and not stays)
            else:
                y = self._to_name(way, "", room, y)
                self._diamond(y - 6)
        if away and not stays and not ends:
            self._stop()
        known = {way.rule for way in away}
        for way in stays:
            words = [word for word in self._words(way, known) if word.text]
            if words and not self._leads_aside(way):
                y = self._say(y + 3, words, room.right) + 2
        return y

    def _ways_of(self, step: Step) -> tuple[list[Way], list[Way], bool]:
        """The ways that go on along the rail, those that leave it, and whether the turn can end."""
        stays = []
        away = []
        ends = False
        for way in self.ways:
            if way.source == step.id:
                ends = ends or way.target == END
                if way in self.straight:
                    stays.append(way)
                elif way.target != END:
                    away.append(way)
        away.sort(key=lambda way: way.kind == "next")
        return stays, away, ends

    def _to_lane(self, way: Way, y: float, room: _Room, *, alone: bool) -> float:
        """Draw a way that takes a lane, from a fork, or from the card if there is no other way."""
        lane = self.lane[way]
        y = self._say(y + 3, self._words(way), lane) + 7
        corners: list[Point] = [(self.rail + _DIAMOND, y)]
        if alone:
            corners = [*self.pen, (self.rail, y)]
        else:
            self._diamond(y)
        self.waiting.append((way, [*corners, (lane, y)], room.ground))
        return y + 6

    def _to_name(self, way: Way, where: str, room: _Room, y: float) -> float:
        """Draw a way to another column: a short arrow to the name of its target."""
        first, *others = self._words(way)
        words = [first._replace(text=where + first.text), *others]
        y = self._say(y + 3, words, room.right) + 12
        start = self.rail + _DIAMOND
        end = self.rail + 36
        self._line(way, [(start, y), (end, y)], room.ground)
        target = Word(f"to {self.turn.place(way.target)}", Ink(bold=True))
        rows = label([target], room.right - end - PAD)
        return write(self.svg, (end + 5, y + 4), rows, ROW) + 2

    def _leads_aside(self, way: Way) -> bool:
        """Whether a way leads into a phase beside the rail, which has its words."""
        source = self.turn.phase_of(way.source)
        target = self.turn.phase_of(way.target)
        return source is not None and target is not None and target in source.parts

    # words and lines ------------------------------------------------------------------------------

    def _words(self, way: Way, known: Iterable[str] = ()) -> Iterator[Word]:
        """What is written on a way: its words, its rule if not known, and what an overlay says."""
        colour = "ink" if way.kind == "next" else LINES[way.kind]
        yield Word(way.words, Ink(colour))
        yield Word("" if way.rule in known else way.rule, FINE)
        yield chip_word(self.overlay.chips.get(way, ""))

    def _reasons(self, part: Part) -> Iterator[Word]:
        """What is written above a part that may be left out."""
        before = ""
        for reason in part.left_out:
            yield Word(before + reason.words, Ink("skip"))
            yield Word(reason.rule, FINE)
            yield chip_word(self.overlay.chips.get(reason, ""))
            before = "or "

    def _say(self, y: float, words: Iterable[Word], right: float) -> float:
        """Write words beside the rail below y, and return the foot of the last row."""
        left = self.rail + _TEXT
        rows = label(words, right - left - 7)
        if rows:
            return write(self.svg, (left, y + ROW), rows, ROW)
        return y

    def _draw_lanes(self) -> None:
        """Draw the ways in lanes. Those into the same card come in below each other."""
        entries = defaultdict[str, list[object]](list)
        for way, points, ground in self.waiting:
            card = self.cards[way.target]
            known = entries[way.target]
            lane, _ = points[-1]
            entry = lane, way.kind
            if entry not in known:
                known.append(entry)
            y = card.y + 14 + 12 * known.index(entry)
            y = min(y, card.bottom - 8)
            self._line(way, [*points, (lane, y), (card.right, y)], ground)

    def _line(self, way: Way | None, points: list[Point], ground: str = "paper") -> None:
        """Draw a line, in a group that says for which way of the reading it stands."""
        if way is None:
            self.svg.line(points)
            return
        tip = f"{way.words} {way.rule}"
        via = "; ".join(way.tells) if not self.turn.word else ""
        number = "" if via else str(self.numbers.get(way, ""))
        self.svg.open("way", tip.strip(), way=number, via=via)
        self.svg.line(points, LINES[way.kind], ground)
        self.svg.close()
