"""Corners to curves: a line with rounded corners, as Graphviz writes splines."""

from __future__ import annotations

from collections.abc import Sequence

from fsm.drawing.placed import Point

RADIUS = 9.0
HANDLE = 0.55
HEAD, RING = 7.5, 5.5


def bezier(points: Sequence[Point], height: float, *, ring: bool = False, head: bool = True) -> str:
    """A `pos` attribute: straight parts as thirds, corners as one cubic, short of head and ring."""
    places = list(points)
    if len(places) < 2:
        return ""
    marks = []
    if ring:
        marks.append(f"s,{_at(places[0], height)}")
        places[0] = _toward(places[0], places[1], RING)
    if head:
        marks.append(f"e,{_at(places[-1], height)}")
        places[-1] = _toward(places[-1], places[-2], HEAD)
    return " ".join([*marks, *(_at(p, height) for p in _curve(places))])


def given(points: Sequence[Point], tip: Point | None, height: float, *, ring: bool = False) -> str:
    """A `pos` attribute from the points of a curve."""
    places, marks = list(points), []
    if ring and len(places) > 1:
        marks.append(f"s,{_at(places[0], height)}")
        places[0] = _toward(places[0], places[1], RING)
    if tip:
        marks.append(f"e,{_at(tip, height)}")
    return " ".join([*marks, *(_at(p, height) for p in places)])


def _curve(places: Sequence[Point]) -> list[Point]:
    found = [places[0]]
    here = places[0]
    for before, corner, after in zip(places, places[1:], places[2:], strict=False):
        radius = min(RADIUS, _distance(before, corner) / 2, _distance(corner, after) / 2)
        start, end = _toward(corner, before, radius), _toward(corner, after, radius)
        found += _thirds(here, start)
        found += [_toward(start, corner, radius * HANDLE), _toward(end, corner, radius * HANDLE), end]
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


def _at(point: Point, height: float) -> str:
    return f"{point[0]:.2f},{height - point[1]:.2f}"


def flattened(points: Sequence[Point], parts: int = 16) -> tuple[Point, ...]:
    """A curve of cubic parts as many short straight ones."""
    found = list(points[:1])
    for i in range(1, len(points) - 2, 3):
        a, b, c, d = points[i - 1 : i + 3]
        found += [_on_curve(a, b, c, d, step / parts) for step in range(1, parts + 1)]
    return tuple(found)


def _on_curve(a: Point, b: Point, c: Point, d: Point, share: float) -> Point:
    rest = 1 - share
    weights = rest**3, 3 * rest**2 * share, 3 * rest * share**2, share**3
    x = sum(w * p[0] for w, p in zip(weights, (a, b, c, d), strict=True))
    return x, sum(w * p[1] for w, p in zip(weights, (a, b, c, d), strict=True))
