"""The pictures with numbered lists: a phase, the window, and the endings of a turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from fsm.views.cards import FINE
from fsm.views.columns import DETAIL, Column, Look
from fsm.views.cuts import Cut, cuts_of
from fsm.views.overlays import NONE, Overlay
from fsm.views.pictures import caption, legend
from fsm.views.reading import END, Part, Phase, Step, Turn, Way, steps_of
from fsm.views.sheet import MARGIN, WIDE, Sheet, disc
from fsm.views.svg import Ink, Point, Theme, Word


@dataclass(frozen=True, slots=True)
class _Listing:
    """What is drawn: title and caption, parts and ways, from where and to where it leads."""

    title: str
    caption: str
    parts: Sequence[Part]
    ways: Sequence[Way] = ()
    origin: str = ""
    goal: str = ""
    after: str = END
    cuts: Sequence[Cut] = ()
    bare: bool = False


def phase(turn: Turn, id: str, theme: Theme = "auto", overlay: Overlay = NONE) -> str:
    """Draw a phase as a column of cards, each a numbered list.

    Parameters
    ----------
    turn
        The reading of the turn.
    id
        The id of a phase.
    theme
        The colours.
    overlay
        What is shown on it.

    Returns
    -------
    str
        The picture, as SVG.
    """
    whole = next(p for p in turn.parts if isinstance(p, Phase) and p.id == id)
    inside = {step.id for step in whole.steps}
    nexts = [way for way in turn.ways if way.kind == "next"]
    first = whole.steps[0].id
    came = [way.source for way in nexts if way.target == first and way.source not in inside]
    left = [way.target for way in nexts if way.source in inside and way.target not in inside]
    listing = _Listing(
        title=overlay.title or f"{turn.title}: {whole.title}",
        caption=caption(turn),
        parts=_parts(whole),
        ways=[way for way in turn.ways if way.source in inside],
        origin=f"from {turn.place(came[0])}" if came else f"your {turn.word} begins",
        goal=turn.place(left[-1]) if left else "",
        after=[END, *left][-1],
        cuts=cuts_of(turn, _anywhere(turn, whole)),
    )
    return _drawn(turn, listing, theme, overlay)


def _parts(whole: Phase) -> Sequence[Part]:
    """What is drawn of a phase: what is in it, and its frame if all of it may be left out."""
    if not whole.left_out:
        return whole.parts
    if len(whole.parts) > 1:
        return [whole]
    return [replace(whole.parts[0], left_out=(*whole.left_out, *whole.parts[0].left_out))]


def _anywhere(turn: Turn, whole: Phase) -> Sequence[Way]:
    """What cuts a phase short, as ways from anywhere in the picture."""
    cuts = [way for way in turn.ways if way.kind == "cut short"]
    return [replace(way, source="") for way in cuts if way.source in ("", whole.id)]


def window(
    turn: Turn,
    number: int = 0,
    theme: Theme = "auto",
    overlay: Overlay = NONE,
    *,
    bare: bool = False,
) -> str:
    """Draw what happens, in order, each time that players may act. The parameters are those of
    `glance`; `number` is the place of the window in the reading.
    """
    step = turn.windows[number]
    title = f"{turn.title}: {step.title[:1].lower()}{step.title[1:]}"
    shown = _list(turn, title, [replace(step, title="In this order")], bare=bare)
    return _drawn(turn, shown, theme, overlay)


def endings(
    turn: Turn, theme: Theme = "auto", overlay: Overlay = NONE, *, bare: bool = False
) -> str:
    """Draw what happens when a turn is cut short. The parameters are those of `glance`."""
    title = f"{turn.title}: when a {turn.word} is cut short"
    return _drawn(turn, _list(turn, title, turn.endings, bare=bare), theme, overlay)


def _list(turn: Turn, title: str, parts: Sequence[Step], *, bare: bool) -> _Listing:
    return _Listing(title, f"{turn.edition}." if turn.edition else "", parts, bare=bare)


def _drawn(turn: Turn, shown: _Listing, theme: Theme, overlay: Overlay) -> str:
    sheet = Sheet(shown.title, overlay.caption or shown.caption, WIDE, bare=shown.bare)
    svg, y, rail = sheet.svg, sheet.y + 24, MARGIN + DETAIL.rail
    pen: list[Point] = []
    if shown.origin:
        disc(svg, (rail, y))
        svg.text((rail + 14, y + 4), shown.origin)
        pen, y = [(rail, y + 6)], y + 26
    away = [way for way in shown.ways if way.words or way.kind != "next"]
    look = DETAIL if away else Look(DETAIL.width, detail=True, rail=DETAIL.rail)
    column = Column(turn, shown.parts, look, overlay, ways=shown.ways, after=shown.after)
    y = column.draw(svg, (MARGIN, y), pen)
    if shown.goal:
        column.rail_to((rail, y + 26))
        disc(svg, (rail, y + 35), final=True)
        svg.text((rail + 16, y + 39), shown.goal, Ink(bold=True))
        y += 44
    y = _cuts(sheet, shown.cuts, y)
    for sentence in () if shown.bare else overlay.told:
        y = sheet.say(sentence, y + 3, 17, Ink(size=12))
    steps = steps_of(shown.parts)
    keys = legend(turn, steps, _told(turn, shown)) if shown.ways else []
    keys += [key for key in overlay.keys if not key[0].startswith("heat")]  # no card is so filled
    doc = "; ".join(step.title for step in steps)
    return sheet.finish(y + 22, keys, doc, theme)


def _told(turn: Turn, shown: _Listing) -> Sequence[Way]:
    """The ways that the legend is about."""
    cuts = [way for way in turn.ways if way.kind == "cut short"] if shown.cuts else []
    return [*shown.ways, *cuts]


def _cuts(sheet: Sheet, cuts: Sequence[Cut], y: float) -> float:
    """Say below a phase what cuts it short."""
    for cut in cuts:
        y += 22
        sheet.svg.line([(MARGIN + 3, y - 4), (MARGIN + 34, y - 4)], "jump")
        goals = ", ".join(f"{goal.title} {goal.where}".strip() for goal in cut.goals)
        words = [
            Word(f"from any step: {cut.words}:", Ink("jump")),
            Word(goals, Ink(bold=True)),
            Word(cut.rule, FINE),
        ]
        sheet.svg.words((MARGIN + 42, y), words)
    return y
