"""The bar of phases: one row of steps, for clients and streams."""

from __future__ import annotations

from collections.abc import Callable

from fsm.views.overlays import NONE, Overlay
from fsm.views.pictures import description
from fsm.views.reading import Phase, Step, Turn, walk
from fsm.views.svg import Box, Ink, Paint, Svg, Theme, width, wrap

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
