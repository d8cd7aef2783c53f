"""Corners to curves: lines with rounded corners, as cubic parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fsm.views.drawing.placed import PlacedLine, Point

RADIUS = 9.0
HANDLE = 0.55
HEAD, RING = 7.5, 5.5
_PARTS = 16  # into which a part of a flattened curve is broken


@dataclass(frozen=True, slots=True)
class Curve:
    """A line as cubic parts; where its ring begins and where its head ends, if it has them."""

    points: tuple[Point, ...]
    ring: Point | None = None
    tip: Point | None = None


def curve_of(line: PlacedLine, *, head: bool) -> Curve:
    """The curve of a placed line, short of its head and ring: straight parts as thirds, corners as
    one cubic.
    """
    places, ring, tip = list(line.points), None, line.tip
    if len(places) < 2:
        return Curve(())
    if line.line.ring:
        ring, places[0] = places[0], _toward(places[0], places[1], RING)
    if line.spline:
        return Curve(tuple(places), ring, tip)
    if head:
        tip, places[-1] = places[-1], _toward(places[-1], places[-2], HEAD)
    return Curve(tuple(_rounded(places)), ring, tip)


def beside(points: Sequence[Point], by: float) -> tuple[Point, ...]:
    """A curve of cubic parts that runs so far beside another one, to the right of its direction."""
    found: list[Point] = []
    for i in range(1, len(points) - 2, 3):
        a, b, c, d = points[i - 1 : i + 3]
        start, end = (
            _shifted(a, _direction(a, b, c, d), by),
            _shifted(d, _direction(d, c, b, a), -by),
        )
        share = _distance(start, end) / (_distance(a, d) or 1.0)
        near = start[0] + (b[0] - a[0]) * share, start[1] + (b[1] - a[1]) * share
        far = end[0] + (c[0] - d[0]) * share, end[1] + (c[1] - d[1]) * share
        found += [near, far, end] if found else [start, near, far, end]
    return tuple(found)


def _direction(a: Point, *others: Point) -> Point:
    """The unit vector from a point to the first of the others that is elsewhere."""
    b = next((other for other in others if _distance(a, other) > 0.01), (a[0] + 1, a[1]))
    length = _distance(a, b)
    return (b[0] - a[0]) / length, (b[1] - a[1]) / length


def _shifted(point: Point, direction: Point, by: float) -> Point:
    return point[0] - direction[1] * by, point[1] + direction[0] * by


def _rounded(places: Sequence[Point]) -> list[Point]:
    found = [places[0]]
    here = places[0]
    for before, corner, after in zip(places, places[1:], places[2:], strict=False):
        radius = min(RADIUS, _distance(before, corner) / 2, _distance(corner, after) / 2)
        start, end = _toward(corner, before, radius), _toward(corner, after, radius)
        found += _thirds(here, start)
        found += [
            _toward(start, corner, radius * HANDLE),
            _toward(end, corner, radius * HANDLE),
            end,
        ]
        here = end
    return found + _thirds(here, places[-1])


def _thirds(a: Point, b: Point) -> list[Point]:
    return [_toward(a, b, _distance(a, b) / 3), _toward(a, b, _distance(a, b) * 2 / 3), b]


def _toward(a: Point, b: Point, length: float) -> Point:
    whole = _distance(a, b)
    if whole == 0:
        return a
    share = min(1.0, length / whole)
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def _distance(a: Point, b: Point) -> float:
    return float(((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5)


def flattened(points: Sequence[Point]) -> tuple[Point, ...]:
    """A curve of cubic parts as many short straight ones."""
    found = list(points[:1])
    for i in range(1, len(points) - 2, 3):
        a, b, c, d = points[i - 1 : i + 3]
        found += [_on_rounded(a, b, c, d, step / _PARTS) for step in range(1, _PARTS + 1)]
    return tuple(found)


def _on_rounded(a: Point, b: Point, c: Point, d: Point, share: float) -> Point:
    rest = 1 - share
    weights = rest**3, 3 * rest**2 * share, 3 * rest * share**2, share**3
    x = sum(w * p[0] for w, p in zip(weights, (a, b, c, d), strict=True))
    return x, sum(w * p[1] for w, p in zip(weights, (a, b, c, d), strict=True))
