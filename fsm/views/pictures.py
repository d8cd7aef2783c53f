"""The pictures of a turn: at a glance, a phase, the window, the endings."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Sequence
from itertools import combinations, pairwise
from typing import NamedTuple

from msgspec.structs import replace

from fsm.views.cards import FINE, INKS, paint_of, write
from fsm.views.columns import DETAIL, GLANCE, Column, Diamond
from fsm.views.overlays import NONE, Overlay
from fsm.views.reading import END, Part, Phase, Step, Turn, steps_of
from fsm.views.sheet import (
    BOLD,
    MARGIN,
    SIGNS,
    Aside,
    Sheet,
    cut_box,
    draw_aside,
    extra_box,
)
from fsm.views.svg import Box, Ink, Paint, Point, Svg, Theme, Word, width, wrap
from fsm.wording import citation, lower_first

GUTTER = 36
"""The distance of columns."""
HEIGHTS = (460, 720)
"""The heights up to which phases stand in one column, and in two."""
LEAST = 420
"""The least width of a picture."""


class Plan(NamedTuple):
    """What is drawn: title and caption, the columns, from where and to where they lead, and the
    boxes beside them.
    """

    title: str
    caption: str
    columns: Sequence[Column]
    origin: str = ""
    goal: Sequence[Word] = ()
    boxes: Sequence[Aside] = ()


def picture(
    turn: Turn,
    view: str,
    theme: Theme = "auto",
    overlay: Overlay = NONE,
    *,
    bare: bool = False,
) -> str:
    """Draw one view of a turn as SVG.

    Parameters
    ----------
    turn
        The reading of the turn.
    view
        "turn", "phase:ID", "endings", "window" or "bar".
    theme
        The colours.
    overlay
        What is shown on it.
    bare
        Whether title and legend are left out, for a page that has its own.
    """
    kind, _, id = view.partition(":")
    if kind == "bar":
        return _bar(turn, theme, overlay)
    if kind == "turn":
        plan = _glance(turn, overlay)
    elif kind == "phase":
        plan = _phase(turn, id, overlay)
    else:
        plan = _lists(turn, kind, overlay)
    return drawn(plan, theme, bare=bare)


def caption(turn: Turn) -> str:
    """Return what is said below the title."""
    cites = any(each.rule for each in (*turn.parts, *turn.ways))
    said = [turn.edition + ("; small numbers cite them" if cites else "")] if turn.edition else []
    said += [note.text + citation(note.rule) for note in turn.notes]
    return " ".join(f"{text}." for text in said)


def description(parts: Iterable[Part]) -> str:
    """Return the steps in their order, for those who do not see the picture."""
    said = []
    for part in parts:
        names = ", ".join(step.title for step in steps_of([part]))
        alone = isinstance(part, Step) or part.single
        said.append(names if alone else f"{part.title}: {names}")
    return "; ".join(said) + "."


# the views ----------------------------------------------------------------------------------------


def _glance(turn: Turn, overlay: Overlay) -> Plan:
    boxes = [*extra_box(turn, overlay), *cut_box(turn, turn.phases, overlay)]
    return Plan(
        title=overlay.title or f"{turn.title}: a {turn.word} at a glance",
        caption=caption(turn),
        columns=_columns(turn, overlay, boxes),
        origin=_beginning(turn),
        goal=[Word(turn.after.text), Word(turn.after.rule, FINE)],
        boxes=boxes,
    )


def _beginning(turn: Turn) -> str:
    """How a picture begins. A round is that of all players."""
    return "your turn begins" if turn.word == "turn" else f"the {turn.word} begins"


def _phase(turn: Turn, id: str, overlay: Overlay) -> Plan:
    [whole] = [phase for phase in turn.all_phases if phase.id == id]
    inside = {step.id for step in whole.steps}
    parts = [whole] if whole.left_out else whole.parts
    first = whole.steps[0].id
    nexts = [way for way in turn.ways if way.kind == "next"]
    before = [way.source for way in nexts if way.target == first and way.source not in inside]
    after = [way.target for way in nexts if way.source in inside and way.target not in inside]
    return Plan(
        title=overlay.title or f"{turn.title}: {whole.title}",
        caption=caption(turn),
        columns=[Column(turn, parts, DETAIL, overlay, [END, *after][-1])],
        origin=f"from {turn.place(before[0])}" if before else _beginning(turn),
        goal=[Word(turn.place(target), BOLD) for target in after[-1:]],
        boxes=[*cut_box(turn, [whole], overlay)],
    )


def _lists(turn: Turn, kind: str, overlay: Overlay) -> Plan:
    steps, title = turn.windows, "in each window"
    if kind == "endings":
        steps, title = turn.endings, f"when a {turn.word} is cut short"
    elif len(steps) == 1:
        title = lower_first(steps[0].title)
        steps = (replace(steps[0], title="In this order"),)
    said = f"{turn.edition}." if turn.edition else ""
    return Plan(f"{turn.title}: {title}", said, [Column(turn, steps, DETAIL, overlay)])


def _columns(turn: Turn, overlay: Overlay, boxes: Sequence[Aside]) -> list[Column]:
    """The phases in columns: one or two if they are short, and as even as their order allows."""
    phases = turn.phases

    def column(low: int, high: int) -> Column:
        later = [
            step.id for step in steps_of(phases[high:]) if overlay.fills.get(step.id) != "gone"
        ]
        return Column(turn, phases[low:high], GLANCE, overlay, [*later, END][0])

    heights = [column(i, i + 1).draw(Svg(), (0, 0), [], []) + 30 for i in range(len(phases))]
    heights[-1] += 60 + sum(draw_aside(Svg(), box, (0, 0)) for box in boxes)
    cuts = _even_cuts(heights, min(1 + bisect(HEIGHTS, sum(heights)), len(heights)))
    return [column(low, high) for low, high in pairwise(cuts)]


def _even_cuts(heights: Sequence[float], count: int) -> tuple[int, ...]:
    """Where to cut a list into so many parts that the highest is as low as can be."""

    def cost(cuts: tuple[int, ...]) -> float:
        # in a high power, the highest part outweighs all others
        return sum(sum(heights[low:high]) ** 8 for low, high in pairwise(cuts))

    inner = combinations(range(1, len(heights)), count - 1)
    return min(((0, *cuts, len(heights)) for cuts in inner), key=cost)


# drawing ------------------------------------------------------------------------------------------


def drawn(plan: Plan, theme: Theme, *, bare: bool = False) -> str:
    """Draw what is planned, and return it as SVG."""
    last = plan.columns[-1]
    overlay = last.overlay
    pitch = last.look.width + GUTTER
    wide = max(2 * MARGIN + len(plan.columns) * pitch - GUTTER, LEAST)
    sheet = Sheet(plan.title, overlay.caption or plan.caption, wide, bare=bare)
    feet = _draw_columns(sheet, plan, pitch)
    if plan.goal:
        y = feet[-1] + 10
        last.rail_to((last.rail, y))
        sheet.dot((last.rail, y + 9), 8.5, Paint("paper", "core"))
        sheet.dot((last.rail, y + 9), 5, Paint("core"))
        feet[-1] = write(sheet, (last.rail + 16, y - 1), plan.goal, last.look.width - 48) + 25
    for box in plan.boxes:
        y = min(feet)
        shortest = feet.index(y)
        feet[shortest] = draw_aside(sheet, box, (MARGIN + shortest * pitch, y)) + 16
    y = max(feet)
    for sentence in overlay.told:
        y = sheet.say(sentence, y, 17, Ink(size=12))
    signs = {"full": last.turn.acting} | SIGNS if last.turn.word else {}
    doc = description(part for column in plan.columns for part in column.parts)
    return sheet.finish(y + (24 if overlay.told else 6), signs | overlay.legend, doc, theme)


def _draw_columns(sheet: Sheet, plan: Plan, pitch: float) -> list[float]:
    """Draw the columns with the rail from each to the next, and return the foot of each."""
    left = float(MARGIN)
    top = sheet.y + 24
    pen: list[Point] = []
    diamonds: list[Diamond] = []
    if plan.origin:
        x = left + plan.columns[0].look.rail
        sheet.dot((x, top - 2), 6.5, Paint("core"))
        sheet.text((x + 14, top + 2), plan.origin)
        pen = [(x, top + 4)]
        top += 20
    feet = []
    for column in plan.columns:
        bottom = column.draw(sheet, (left, top), pen, diamonds)
        feet.append(bottom + 24)
        left += pitch
        gutter = left - GUTTER / 2
        head = top - 14
        pen = [*column.pen]
        diamonds = [*column.diamonds]
        if pen:
            low = bottom + 14
            pen += [(column.rail, low), (gutter, low), (gutter, head), (column.rail + pitch, head)]
            if column.turn.extra:
                diamonds.append(((gutter, (low + top) / 2), 6, "extra"))
    return feet


# the bar of phases, for clients and streams -------------------------------------------------------


WIDE = 1280.0
HIGH = 80.0
_GAP = 3.0
_AIR = 7.0
"""The distance of steps, and how much further apart phases are."""


def _bar(turn: Turn, theme: Theme, overlay: Overlay) -> str:
    """Draw one row of steps on a transparent ground, and return it as SVG."""
    svg = Svg()
    x = _GAP + _AIR
    pitch = (WIDE - x - _AIR * len(turn.phases)) / len(turn.steps)
    for phase in turn.phases:
        room = len(phase.steps) * pitch + 2
        ink = Ink(f"title{phase.hue}", bold=True)
        svg.text((x + 2, 16), short_title(phase, room), ink, most=room)
        for step in phase.steps:
            hue = turn.hue_of(step.id)
            paint = paint_of(overlay, step, f"tint{hue}", hue)._replace(round=8)
            ink = Ink(INKS.get(paint.fill, "ink"), 12, paint.fill == "now")
            box = Box(x, 23, pitch - _GAP, 44)
            with svg.group("step", step.title, id=step.id):
                svg.rect(box, paint)
                svg.centred(box, wrap(step.title, box.w - 8, ink)[:2], ink)
            x += pitch
        x += _AIR
    title = f"{turn.title}: the phases of a {turn.word}"
    return svg.svg((WIDE, HIGH), title, description(turn.phases), theme, clear=True)


def short_title(phase: Phase, room: float) -> str:
    """Return the title of a phase in capitals, or the name of its family if there is no room."""
    title = phase.title.upper()
    if width(title, BOLD) > room:
        return phase.family.replace("_", " ").upper()
    return title
