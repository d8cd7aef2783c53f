"""The turn at a glance, and the bar of its phases."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain, combinations

from fsm.views.cards import FINE, ROW, SMALL, chip_ink, label
from fsm.views.columns import GLANCE, Column
from fsm.views.cuts import cuts_of
from fsm.views.overlays import NONE, Overlay
from fsm.views.reading import END, HOLE, Phase, Step, Turn, Way, steps_of, walk
from fsm.views.sheet import MARGIN, Sheet, disc
from fsm.views.svg import Box, Ink, Paint, Point, Svg, Theme, Word, width, wrap

GUTTER = 36
"""The distance of columns."""
SHORT, MIDDLE = 460, 720
"""The heights up to which phases stand in one column, and in two."""
LEAST = 420
"""The least width of a picture."""


def glance(
    turn: Turn, theme: Theme = "auto", overlay: Overlay = NONE, *, bare: bool = False
) -> str:
    """Draw the turn at a glance: its phases in up to three columns.

    Parameters
    ----------
    turn
        The reading of the turn.
    theme
        The colours.
    overlay
        What is shown on it.
    bare
        Whether title and legend are left out, for a page that has its own.

    Returns
    -------
    str
        The picture, as SVG.
    """
    columns = _columns(turn, overlay)
    wide = max(2 * MARGIN + len(columns) * (GLANCE.width + GUTTER) - GUTTER, LEAST)
    title = overlay.title or f"{turn.title}: a {turn.word} at a glance"
    sheet = Sheet(title, overlay.caption or caption(turn), wide, bare=bare)
    bottoms = _draw_columns(sheet, turn, columns)
    for draw in (_extra_box, _cut_box):
        column = min(range(len(bottoms)), key=bottoms.__getitem__)
        x = MARGIN + column * (GLANCE.width + GUTTER)
        bottom = draw(sheet.svg, turn, overlay, (x, bottoms[column]))
        if bottom > bottoms[column]:
            bottoms[column] = bottom + 16
    y = max(bottoms)
    for sentence in () if bare else overlay.told:
        y = sheet.say(sentence, y, 17, Ink(size=12))
    keys = legend(turn, turn.steps, turn.ways, overlay)
    return sheet.finish(y + (24 if overlay.told else 6), keys, description(turn), theme)


def caption(turn: Turn) -> str:
    """Return what is said below the title."""
    said = [f"{turn.edition}; small numbers cite them"] if turn.edition else []
    said += [f"{note.text} ({note.rule})" if note.rule else note.text for note in turn.notes]
    return " ".join(f"{text}." for text in said)


def description(turn: Turn) -> str:
    """Return the steps in their order, for those who do not see the picture."""
    said = []
    for phase in turn.phases:
        names = ", ".join(step.title for step in phase.steps)
        said.append(names if phase.single else f"{phase.title}: {names}")
    return "; ".join(said) + "."


def _columns(turn: Turn, overlay: Overlay) -> list[Column]:
    """The phases in columns: one or two if they are short, and as even as their order allows."""
    heights = []
    for phase in turn.phases:
        column = Column(turn, [phase], GLANCE, overlay, after=_follower(turn, phase))
        heights.append(column.draw(Svg(), (0, 0), []) + 30)
    boxes = sum(draw(Svg(), turn, overlay, (0, 0)) for draw in (_extra_box, _cut_box))
    heights[-1] += 60 + boxes
    count = 1 if sum(heights) < SHORT else 2 if sum(heights) < MIDDLE else 3
    cuts = _even_cuts(heights, min(count, len(heights)))
    found = []
    for low, high in zip((0, *cuts), (*cuts, len(heights)), strict=True):
        after = _follower(turn, turn.phases[high - 1])
        found.append(Column(turn, turn.phases[low:high], GLANCE, overlay, after=after))
    return found


def _follower(turn: Turn, phase: Phase) -> str:
    """The step that follows a phase, in the order of the turn."""
    later = turn.phases[turn.phases.index(phase) + 1 :]
    return later[0].steps[0].id if later else END


def _even_cuts(heights: Sequence[float], count: int) -> tuple[int, ...]:
    """Where to cut a list into so many parts that the highest is as low as can be."""

    def cost(cuts: tuple[int, ...]) -> tuple[float, float]:
        bounds = zip((0, *cuts), (*cuts, len(heights)), strict=True)
        sums = [sum(heights[low:high]) for low, high in bounds]
        return max(sums) // 50, sum(part * part for part in sums)

    return min(combinations(range(1, len(heights)), count - 1), key=cost)


def _draw_columns(sheet: Sheet, turn: Turn, columns: Sequence[Column]) -> list[float]:
    """Draw the columns with the rail from each to the next, and return where each ends."""
    svg, top, step = sheet.svg, sheet.y + 44, GLANCE.width + GUTTER
    start = columns[0].look.rail + MARGIN + 10, top - 22
    disc(svg, start)
    svg.text((start[0] + 14, top - 18), f"your {turn.word} begins")
    pen: list[Point] = [(start[0], top - 16)]
    diamonds: list[tuple[Point, float, str]] = []
    bottoms: list[float] = []
    for i, column in enumerate(columns):
        column.diamonds = diamonds
        bottom = column.draw(svg, (MARGIN + i * step, top), pen)
        rail, foot, gutter = column.rail, bottom + 14, MARGIN + (i + 1) * step - GUTTER / 2
        on: list[Point] = [
            (rail, foot),
            (gutter, foot),
            (gutter, top - 14),
            (rail + step, top - 14),
        ]
        pen = [*column.pen, *on] if column.pen else []
        diamonds = column.diamonds
        if turn.extra and pen:
            diamonds = [*diamonds, ((gutter, (foot + top) / 2), 6, "extra")]
        bottoms.append(bottom + 24)
    last = columns[-1]
    end = bottoms[-1] + 10
    last.rail_to((last.rail, end))
    disc(svg, (last.rail, end + 9), final=True)
    after = label([Word(turn.after.text), Word(turn.after.rule, FINE)], GLANCE.width - 48)
    for i, row in enumerate(after):
        svg.words((last.rail + 16, end + 13 + ROW * i), row)
    bottoms[-1] += 24 + ROW * len(after)
    return bottoms


# the boxes ----------------------------------------------------------------------------------------


def _extra_box(svg: Svg, turn: Turn, _: Overlay, at: Point) -> float:
    """Draw where extra phases and steps come in, and return where the box ends."""
    x, y = at
    if not turn.extra:
        return y
    rule = f" ({turn.extra.rule})" if turn.extra.rule else ""
    said = f"if an effect has added one: newest first, then the {turn.word} goes on{rule}"
    lines = wrap(said, GLANCE.width - 56)
    box = Box(x, y, GLANCE.width, 34 + ROW * len(lines))
    svg.rect(box, Paint("paper", "extra", round=11))
    svg.rect(box.inset(3.5), Paint("surface", "extra", 1, round=8))
    svg.diamond((x + 28, y + 18), 6, Paint("surface", "extra"))
    svg.text((x + 41, y + 22), turn.extra.text.upper(), Ink("extra", bold=True))
    for i, line in enumerate(lines):
        svg.text((x + 41, y + 38 + ROW * i), line, SMALL)
    return box.bottom


def _cut_box(svg: Svg, turn: Turn, overlay: Overlay, at: Point) -> float:
    """Draw what cuts a turn short and where it then goes on, and return where the box ends."""
    x, y = at
    cuts = cuts_of(turn, turn.ways)
    if not cuts:
        return y
    inside = Svg()
    foot = y + 21
    inside.text((x + 16, foot), "FROM ANY STEP", Ink("jump", bold=True))
    for cut in cuts:
        foot += 8
        for line in wrap(cut.words, GLANCE.width - 28):
            foot += ROW
            inside.text((x + 16, foot), line, Ink("jump"))
        for goal in cut.goals:
            foot += 18
            inside.line([(x + 20, foot - 4), (x + 50, foot - 4)], "jump")
            chip = next((overlay.chips[way] for way in goal.ways if way in overlay.chips), "")
            words = [Word(goal.title, Ink(bold=True)), Word(goal.where, FINE)]
            words += [Word(cut.rule, FINE), Word(chip, chip_ink(chip))]
            rows = label(words, GLANCE.width - 68)
            for i, row in enumerate(rows):
                inside.words((x + 56, foot + ROW * i), row, 6)
            foot += ROW * (len(rows) - 1)
    svg.rect(Box(x, y, GLANCE.width, foot + 12 - y), Paint("paper", "jump", round=11))
    svg += inside
    return foot + 12


# the legend ---------------------------------------------------------------------------------------


def legend(
    turn: Turn, steps: Sequence[Step], ways: Sequence[Way], overlay: Overlay = NONE
) -> list[tuple[str, str]]:
    """Return what the legend of a picture of these steps and ways explains: only what occurs."""
    whole = steps == turn.steps
    kinds = {way.kind for way in ways if way.target != HOLE}
    marks = {line.mark for line in chain.from_iterable(step.lines for step in steps)}
    left = "left out" in kinds or _may_be_left_out(turn, steps)
    forks = left or any(way.words for way in ways)
    keys = [
        ("full", turn.acting, "full" in marks),
        ("hollow", "only if something triggered", "hollow" in marks),
        ("choice", "one of the ways applies", whole and forks),
        ("place", "place for extra phases and steps", whole and turn.extra is not None),
        ("core", "normal course", True),
        ("skip", "left out", left),
        ("extra", "again", "again" in kinds),
        ("jump", "cut short", "cut short" in kinds),
    ]
    return [(kind, words) for kind, words, occurs in keys if occurs] + list(overlay.keys)


def _may_be_left_out(turn: Turn, steps: Sequence[Step]) -> bool:
    """Whether a phase or step of a picture may be left out."""
    shown = {step.id for step in steps}
    parts = [steps_of([part]) for part in turn.parts if part.left_out]
    return any(shown.issuperset(step.id for step in inside) for inside in parts)


# the bar of phases --------------------------------------------------------------------------------


def bar(turn: Turn, theme: Theme = "auto", overlay: Overlay = NONE) -> str:
    """Draw one row of steps on a transparent ground, for clients and streams.

    The parameters are those of `glance`.
    """
    svg, wide, gap, air = Svg(), 1280.0, 3.0, 10.0
    inner = wide - air * (len(turn.phases) + 1) - gap * (len(turn.steps) - len(turn.phases))
    each = inner / len(turn.steps)
    titles = short_titles(turn, lambda phase: len(phase.steps) * (each + gap) + 2)
    x = air
    for phase in turn.phases:
        most = len(phase.steps) * (each + gap) + 2
        svg.text((x + 2, 16), titles[phase.id], Ink(f"title{phase.hue}", bold=True), most=most)
        for step in phase.steps:
            _chip(svg, Box(x, 23, each, 44), step, turn.phase_of(step.id) or phase, overlay)
            x += each + gap
        x += air - gap
    title = f"{turn.title}: the phases of a {turn.word}"
    return svg.clear((wide, 80), title, description(turn), theme)


def _chip(svg: Svg, box: Box, step: Step, phase: Phase, overlay: Overlay) -> None:
    fill = overlay.fills.get(step.id, "")
    now, pale = fill == "now", fill == "soft"
    edge = "ink" if now else overlay.edges.get(step.id, f"edge{phase.hue}")
    svg.open("step", step.title, id=step.id)
    svg.rect(box, Paint(fill or f"tint{phase.hue}", edge, 2.4 if now else 1.4, round=8))
    ink = Ink("onnow" if now else "muted" if pale else "ink", 12, bold=now)
    lines = wrap(step.title, box.w - 8, ink)[:2]
    for i, text in enumerate(lines):
        y = 49 + 15 * (i - (len(lines) - 1) / 2)
        svg.text((box.x + box.w / 2, y), text, ink, "middle", box.w - 6)
    svg.close()


def short_titles(turn: Turn, room: Callable[[Phase], float]) -> dict[str, str]:
    """Return the titles of phases in capitals. Where one does not fit, all of its family have the
    name of the family.
    """
    phases = [part for part in walk(turn.phases) if isinstance(part, Phase)]
    ink = Ink(bold=True)
    wide = {p.family for p in phases if width(p.title.upper(), ink) > room(p)}
    names = {p.id: p.family.replace("_", " ") if p.family in wide else p.title for p in phases}
    return {id: name.upper() for id, name in names.items()}
