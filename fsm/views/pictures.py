"""The pictures of a turn: at a glance, a phase, the window, the endings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, pairwise
from typing import NamedTuple

from msgspec.structs import replace

from fsm.views.cards import FINE, ROW, label, write
from fsm.views.columns import DETAIL, GLANCE, Column
from fsm.views.overlays import NONE, Overlay
from fsm.views.reading import END, Part, Phase, Step, Turn, Way, steps_of, walk
from fsm.views.sheet import MARGIN, Sheet, cut_box, disc, extra_box, legend
from fsm.views.svg import Box, Ink, Paint, Point, Svg, Theme, Word, width, wrap
from fsm.wording import citation

GUTTER = 36
"""The distance of columns."""
SHORT = 460
MIDDLE = 720
"""The heights up to which phases stand in one column, and in two."""
LEAST = 420
"""The least width of a picture."""


class Plan(NamedTuple):
    """What is drawn: title and caption, the columns, from where and to where they lead, the ways
    that the legend is about or that cut them short, and what those hear who do not see it.
    """

    title: str
    caption: str
    columns: Sequence[Column]
    origin: str = ""
    goal: Sequence[Word] = ()
    ways: Sequence[Way] = ()
    doc: str = ""


def picture(
    turn: Turn,
    view: str,
    theme: Theme = "auto",
    overlay: Overlay = NONE,
    *,
    bare: bool = False,
) -> str:
    """Draw one view of a turn as SVG, but for the bar.

    Parameters
    ----------
    turn
        The reading of the turn.
    view
        "turn", "phase:ID", "endings" or "window".
    theme
        The colours.
    overlay
        What is shown on it.
    bare
        Whether title and legend are left out, for a page that has its own.
    """
    kind, _, id = view.partition(":")
    if kind == "turn":
        plan = _glance(turn, overlay)
    elif kind == "phase":
        plan = _phase(turn, id, overlay)
    elif kind == "endings":
        title = f"when a {turn.word} is cut short"
        plan = _list(turn, title, turn.endings, overlay)
    else:
        [window] = turn.windows
        title = f"{window.title[:1].lower()}{window.title[1:]}"
        plan = _list(turn, title, [replace(window, title="In this order")], overlay)
    return drawn(turn, plan, theme, overlay, bare=bare)


def caption(turn: Turn) -> str:
    """Return what is said below the title."""
    said = [f"{turn.edition}; small numbers cite them"] if turn.edition else []
    said += [note.text + citation(note.rule) for note in turn.notes]
    return " ".join(f"{text}." for text in said)


def description(turn: Turn) -> str:
    """Return the steps in their order, for those who do not see the picture."""
    said = []
    for phase in turn.phases:
        names = ", ".join(step.title for step in phase.steps)
        said.append(names if phase.single else f"{phase.title}: {names}")
    return "; ".join(said) + "."


# the views ----------------------------------------------------------------------------------------


def _glance(turn: Turn, overlay: Overlay) -> Plan:
    return Plan(
        title=overlay.title or f"{turn.title}: a {turn.word} at a glance",
        caption=overlay.caption or caption(turn),
        columns=_columns(turn, overlay),
        origin=f"your {turn.word} begins",
        goal=[Word(turn.after.text), Word(turn.after.rule, FINE)],
        ways=turn.ways,
        doc=description(turn),
    )


def _phase(turn: Turn, id: str, overlay: Overlay) -> Plan:
    [whole] = [part for part in turn.parts if isinstance(part, Phase) and part.id == id]
    inside = {step.id for step in whole.steps}
    origins = list[str]()
    goals = [END]
    ways = []
    for way in turn.ways:
        leaves = way.source in inside
        enters = way.target in inside
        if leaves:
            ways.append(way)
        elif way.kind == "cut short" and way.source in ("", id):
            ways.append(replace(way, source=""))
        if way.kind == "next" and leaves and not enters:
            goals.append(way.target)
        elif way.kind == "next" and way.target == whole.steps[0].id and not leaves:
            origins.append(f"from {turn.place(way.source)}")
    return Plan(
        title=overlay.title or f"{turn.title}: {whole.title}",
        caption=overlay.caption or caption(turn),
        columns=[
            Column(
                turn=turn,
                parts=_parts(whole),
                look=DETAIL,
                overlay=overlay,
                after=goals[-1],
            )
        ],
        origin=[*origins, f"your {turn.word} begins"][0],
        goal=[Word(turn.place(goal), Ink(bold=True)) for goal in goals[1:][-1:]],
        ways=ways,
    )


def _parts(whole: Phase) -> Sequence[Part]:
    """What is drawn of a phase: what is in it, and its frame if all of it may be left out."""
    if not whole.left_out:
        return whole.parts
    if len(whole.parts) > 1:
        return [whole]
    return [replace(whole.parts[0], left_out=(*whole.left_out, *whole.parts[0].left_out))]


def _list(turn: Turn, title: str, steps: Sequence[Step], overlay: Overlay) -> Plan:
    said = overlay.caption or (f"{turn.edition}." if turn.edition else "")
    return Plan(f"{turn.title}: {title}", said, [Column(turn, steps, DETAIL, overlay)])


def _columns(turn: Turn, overlay: Overlay) -> list[Column]:
    """The phases in columns: one or two if they are short, and as even as their order allows."""
    followers = [phase.steps[0].id for phase in turn.phases[1:]] + [END]
    heights = []
    for phase, after in zip(turn.phases, followers, strict=True):
        column = Column(
            turn=turn,
            parts=[phase],
            look=GLANCE,
            overlay=overlay,
            after=after,
        )
        heights.append(column.draw(Svg(), (0, 0), []) + 30)
    heights[-1] += 60 + extra_box(Svg(), turn, (0, 0))
    heights[-1] += cut_box(Svg(), turn, turn.ways, overlay, (0, 0))
    most = [SHORT, MIDDLE]
    count = 1 + sum(sum(heights) >= each for each in most)
    found = []
    for low, high in pairwise(_even_cuts(heights, min(count, len(heights)))):
        after = followers[high - 1]
        found.append(
            Column(
                turn=turn,
                parts=turn.phases[low:high],
                look=GLANCE,
                overlay=overlay,
                after=after,
            )
        )
    return found


def _even_cuts(heights: Sequence[float], count: int) -> tuple[int, ...]:
    """Where to cut a list into so many parts that the highest is as low as can be."""

    def cost(cuts: tuple[int, ...]) -> tuple[float, float]:
        sums = [sum(heights[low:high]) for low, high in pairwise(cuts)]
        return max(sums) // 50, sum(part * part for part in sums)

    inner = combinations(range(1, len(heights)), count - 1)
    return min(((0, *cuts, len(heights)) for cuts in inner), key=cost)


# drawing ------------------------------------------------------------------------------------------


def drawn(turn: Turn, plan: Plan, theme: Theme, overlay: Overlay, *, bare: bool = False) -> str:
    """Draw what is planned, and return it as SVG."""
    look = plan.columns[0].look
    columns = plan.columns
    pitch = look.width + GUTTER
    wide = max(2 * MARGIN + len(columns) * pitch - GUTTER, LEAST)
    sheet = Sheet(plan.title, plan.caption, wide, bare=bare)
    bottoms = _draw_columns(sheet, turn, plan)
    y = _draw_boxes(sheet.svg, turn, plan, overlay, bottoms)
    for sentence in () if bare else overlay.told:
        y = sheet.say(sentence, y, 17, Ink(size=12))
    steps: list[Step] = []
    for each in columns:
        steps += steps_of(each.parts)
    keys = []
    for key, words in legend(turn, tuple(steps), plan.ways, overlay):
        if not (look.detail and key.startswith("heat")):
            keys.append((key, words))
    doc = plan.doc or "; ".join(step.title for step in steps)
    return sheet.finish(y + (24 if overlay.told else 6), keys, doc, theme)


def _draw_boxes(svg: Svg, turn: Turn, plan: Plan, overlay: Overlay, bottoms: list[float]) -> float:
    """Draw what holds everywhere, each box below the shortest column, and return where all ends."""
    look = plan.columns[0].look
    for is_extra in (True, False):
        y = min(bottoms)
        column = bottoms.index(y)
        at = MARGIN + column * (look.width + GUTTER), y
        bottom = y
        if not is_extra:
            bottom = cut_box(svg, turn, plan.ways, overlay, at)
        elif not look.detail:
            bottom = extra_box(svg, turn, at)
        if bottom > y:
            bottoms[column] = bottom + 16
    return max(bottoms)


def _draw_columns(sheet: Sheet, turn: Turn, plan: Plan) -> list[float]:
    """Draw the columns with the rail from each to the next, and return where each ends."""
    svg = sheet.svg
    top = sheet.y + (44 if plan.origin else 24)
    look = plan.columns[0].look
    pitch = look.width + GUTTER
    pen: list[Point] = []
    if plan.origin:
        x = MARGIN + look.rail
        y = top - 22
        disc(svg, (x, y))
        svg.text((x + 14, y + 4), plan.origin)
        pen = [(x, y + 6)]
    diamonds: list[tuple[Point, float, str]] = []
    bottoms: list[float] = []
    left = float(MARGIN)
    for column in plan.columns:
        column.diamonds = diamonds
        bottom = column.draw(svg, (left, top), pen)
        left += pitch
        gutter = left - GUTTER / 2
        foot = bottom + 14
        head = top - 14
        pen = column.pen
        diamonds = column.diamonds
        if pen:
            pen = [*pen, (column.rail, foot), (gutter, foot), (gutter, head)]
            pen.append((column.rail + pitch, head))
        if pen and turn.extra:
            diamonds = [*diamonds, ((gutter, (foot + top) / 2), 6, "extra")]
        bottoms.append(bottom + 24)
    if plan.goal:
        bottoms[-1] = _draw_goal(svg, plan.columns[-1], plan.goal, bottoms[-1] + 10)
    return bottoms


def _draw_goal(svg: Svg, column: Column, goal: Sequence[Word], y: float) -> float:
    """Draw where the last column leads, and return where that ends."""
    x = column.rail
    column.rail_to((x, y))
    disc(svg, (x, y + 9), final=True)
    rows = label(goal, column.look.width - 48)
    return write(svg, (x + 16, y + 13), rows, ROW) + 25


# the bar of phases, for clients and streams -------------------------------------------------------


WIDE = 1280.0
HIGH = 80.0
_GAP = 3.0
_AIR = 10.0
"""The distance of steps, and that of phases."""
_HEAD = Ink(bold=True)


def bar(turn: Turn, theme: Theme = "auto", overlay: Overlay = NONE) -> str:
    """Draw one row of steps on a transparent ground, and return it as SVG.

    Parameters
    ----------
    turn
        The reading of the turn.
    theme
        The colours.
    overlay
        What is shown on it.
    """
    svg = Svg()
    phases = turn.phases
    steps = turn.steps
    room = WIDE - _AIR * (len(phases) + 1) - _GAP * (len(steps) - len(phases))
    pitch = room / len(steps) + _GAP
    titles = short_titles(turn, lambda phase: len(phase.steps) * pitch + 2)
    x = _AIR
    for phase in phases:
        ink = _HEAD._replace(colour=f"title{phase.hue}")
        svg.text((x + 2, 16), titles[phase.id], ink, most=len(phase.steps) * pitch + 2)
        for step in phase.steps:
            hue = (turn.phase_of(step.id) or phase).hue
            _chip(svg, Box(x, 23, pitch - _GAP, 44), step, hue, overlay)
            x += pitch
        x += _AIR - _GAP
    title = f"{turn.title}: the phases of a {turn.word}"
    return svg.svg((WIDE, HIGH), title, description(turn), theme, clear=True)


def _chip(svg: Svg, box: Box, step: Step, hue: int, overlay: Overlay) -> None:
    paint = Paint(f"tint{hue}", overlay.edges.get(step.id, f"edge{hue}"), round=8)
    ink = Ink(size=12)
    fill = overlay.fills.get(step.id, "")
    if fill:
        paint = paint._replace(fill=fill)
    if fill == "now":
        paint = paint._replace(edge="ink", line=2.4)
        ink = Ink("onnow", 12, bold=True)
    elif fill == "soft":
        ink = Ink("muted", 12)
    svg.open("step", step.title, id=step.id)
    svg.rect(box, paint)
    lines = wrap(step.title, box.w - 8, ink)[:2]
    x = box.x + box.w / 2
    y = 49 - 7.5 * (len(lines) - 1)
    for text in lines:
        svg.text((x, y), text, ink, "middle", box.w - 6)
        y += 15
    svg.close()


def short_titles(turn: Turn, room: Callable[[Phase], float]) -> dict[str, str]:
    """Return the titles of phases in capitals. Where one does not fit, all of its family have the
    name of the family.
    """
    phases = [part for part in walk(turn.phases) if isinstance(part, Phase)]
    wide = {p.family for p in phases if width(p.title.upper(), _HEAD) > room(p)}
    found = {}
    for phase in phases:
        name = phase.family.replace("_", " ") if phase.family in wide else phase.title
        found[phase.id] = name.upper()
    return found
