"""A card: the title of a step with a few words, or with the numbered list of what happens in it."""

from __future__ import annotations

import math
from collections.abc import Iterable

from fsm.views.overlays import Overlay
from fsm.views.reading import Line, Phase, Step
from fsm.views.svg import Box, Ink, Paint, Point, Svg, Word, width, wrap

ROW = 14
TITLE_ROW = 16
"""The height of a line of small text, and of a title."""
SMALL = Ink("muted")
FINE = Ink("muted", 11)
CHIPS = {"never": "jump", "gone": "jump", "new": "ok", "changed": "extra"}
"""The colours of short texts that say what an overlay found."""
INKS = {"soft": "muted", "now": "onnow", "heat1": "ink", "heat2": "ink", "heat3": "paper"}
"""The colours of all that is written on a fill."""
RULE = 200
"""The most room for the citation of a line."""
TEXT = 13
"""How far texts stand from the rail."""
_GAP = 6
_LINE = 6


def draw_card(
    svg: Svg, step: Step, phase: Phase, overlay: Overlay, place: Box, rail: float | None
) -> Box:
    """Draw the card of a step, and return where it stands.

    Parameters
    ----------
    svg
        The picture.
    step, phase
        The step, and the phase around it.
    overlay
        What is shown on the card.
    place
        Where it begins, and how wide it is. Its height follows from what is in it.
    rail
        Where the rail is, on which the mark of a short card stands. A short card is also that of a
        phase with the same name. Without a rail, a card has the list of what happens.
    """
    hue = phase.hue
    chip = chip_word(overlay, step.id)
    ground = f"tint{hue}"
    if rail is None:
        title = Word(step.title, Ink(f"title{hue}", 13.5, bold=True))
        words = [title, Word(step.rule, FINE), chip]
    elif phase.single:
        words = heading(phase, chip)
    else:
        ground = "surface"
        words = [Word(step.title, Ink("ink", 13.5, bold=True)), chip]
    paint = paint_of(overlay, step, ground, hue, filled=rail is not None)
    inside = Svg(INKS.get(paint.fill, ""))
    left = place.x + 16 if rail is None or paint.dash else rail + TEXT
    room = place.right - left - 8
    foot = write(inside, (left, place.y + 3), words, room, TITLE_ROW)
    sign = Paint(paint.fill, f"edge{hue}")
    if rail is None:
        for line in step.lines:
            foot = _draw_line(inside, line, overlay, place, sign, foot + _LINE)
    else:
        if step.mark and not paint.dash:
            mark(inside, (rail, place.y + 14.5), step.mark, sign)
        foot = write(inside, (left, foot), [Word(step.words, SMALL)], room)
    box = place._replace(h=foot + 11 - place.y)
    with svg.group("step", f"{step.title} {step.rule}".strip(), id=step.id):
        svg.rect(box, paint)
        svg += inside
    return box


def _draw_line(svg: Svg, line: Line, overlay: Overlay, card: Box, sign: Paint, y: float) -> float:
    """Draw a line of the list on a card below y, and return where it ends. Its mark is painted like
    `sign`.
    """
    left = card.x + 16
    right = card.right - 14
    state = line.state if line.number else ""
    lit = overlay.fills.get(state) == "now"
    inside = Svg("onnow" if lit else "")
    first = y + ROW
    ink = SMALL
    if line.number:
        ink = Ink("ink", 12.5, bool(line.mark))
        inside.text((left + 10, first), f"{line.number}.", Ink("muted", 12.5), "end")
    if line.mark:
        mark(inside, (left + 23, first - 4.3), line.mark, sign)
    inside.text((right, first), line.rule, FINE, "end", RULE)
    words = [Word(line.text, ink), Word(line.detail, SMALL), chip_word(overlay, state)]
    start = left + (34 if line.mark or not line.number else 18)
    room = right - start - 16 - min(width(line.rule, FINE), RULE)
    bottom = write(inside, (start, y), words, room)
    if lit:
        svg.rect(Box(left - 8, y + 1, right - left + 14, bottom - y + 3), Paint("now", round=4))
    svg += inside
    return bottom


def paint_of(overlay: Overlay, step: Step, ground: str, hue: int, *, filled: bool = True) -> Paint:
    """Return how the box of a step is painted: as its phase, or as an overlay says. Without
    `filled`, it keeps its ground, but for a step that is gone.
    """
    fill = overlay.fills.get(step.id, ground)
    edge = overlay.edges.get(step.id, "")
    if fill == "gone":
        return Paint("surface", "jump", dash="5 4")
    return Paint(fill if filled else ground, edge or f"edge{hue}", 2.6 if edge else 1.4)


def heading(phase: Phase, chip: Word) -> list[Word]:
    """Return the title of a phase in capitals, its citation and what an overlay says."""
    colour = f"title{phase.hue}"
    title = Word(phase.title.upper(), Ink(colour, 12.5, bold=True))
    return [title, Word(phase.rule, Ink(colour, 11)), chip]


def chip_word(overlay: Overlay, what: object) -> Word:
    """Return the short text of an overlay at something."""
    text = overlay.chips.get(what, "")
    return Word(text, Ink(CHIPS.get(text, "ink"), 11, bold=True))


def mark(svg: Svg, at: Point, kind: str, paint: Paint) -> None:
    """Draw whether players may act: always, or only if something triggered."""
    svg.signs.add(kind)
    edge = svg.ink or paint.edge
    full = kind == "full"
    with svg.group(f"mark {kind}"):
        svg.dot(at, 3.4 if full else 2.9, Paint(edge if full else paint.fill, edge))


def write(svg: Svg, at: Point, words: Iterable[Word], room: float, row: float = ROW) -> float:
    """Write words below this point in rows that fit, several on a row where there is room, and
    return the base line of the last row.
    """
    left, y = at
    x = math.inf
    for word, ink in words:
        for text in wrap(word, room, ink):
            if x + width(text, ink) > left + room:
                x = left
                y += row
            x = svg.text((x, y), text, ink) + _GAP
    return y


def row_width(row: Iterable[Word]) -> float:
    """Return how wide a row is as `write` writes it."""
    return sum(width(*word) + _GAP for word in row) - _GAP
