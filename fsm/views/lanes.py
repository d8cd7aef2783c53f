"""Decides which way of a column goes where, before anything has a place: along the rail, in a lane
at the right, or to a name.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from fsm.views.reading import Part, Phase, Step, Way, steps_of


class Span(NamedTuple):
    """What runs in a lane: from where to where, in numbers of steps, and what it is."""

    low: float
    high: float
    what: tuple[Way | Part, ...]


def straight(
    parts: Sequence[Part], ways: Iterable[Way], gone: Collection[str], after: str
) -> set[Way]:
    """Return the ways that the rail takes: to the next step, into a phase beside it, and to what
    comes after all. Steps that are gone are no part of the rail.
    """
    nexts = {(way.source, way.target): way for way in ways if way.kind == "next"}
    pairs, last = _pairs(parts, "", gone)
    return {nexts[pair] for pair in [*pairs, (last, after)] if pair in nexts}


def _pairs(
    parts: Sequence[Part], before: str, gone: Collection[str]
) -> tuple[list[tuple[str, str]], str]:
    """The neighbours on the rail, and the last step."""
    found: list[tuple[str, str]] = []
    for part in parts:
        first = next(iter(steps_of([part])), None)
        if first is None or first.id in gone:
            continue
        found.append((before, first.id))
        if isinstance(part, Step):
            before = part.id
            continue
        inside, last = _pairs(part.parts, "", gone)
        found += inside
        before = before if is_aside(part, parts) else last
    return found, before


def spans(
    parts: Sequence[Part], ways: Iterable[Way], order: dict[str, int], *, shared: bool
) -> list[Span]:
    """Return what runs in the lanes of one level: its ways, and what goes around parts that may be
    left out.

    A way belongs to the innermost level that holds both its ends. If `shared`, ways with the same
    words to the same step have one lane.
    """
    groups: dict[object, list[Way]] = {}
    for way in ways:
        if way.target in order and _is_of(parts, {way.source, way.target}):
            key = (way.target, way.kind, way.words) if shared and way.words else way
            groups.setdefault(key, []).append(way)
    found = [_span_of(alike, order) for alike in groups.values()]
    for part in parts:
        if part.left_out:
            inside = [order[step.id] for step in steps_of([part])]
            found.append(Span(min(inside) - 0.5, max(inside) + 0.5, (part,)))
    return found


def _span_of(alike: Sequence[Way], order: dict[str, int]) -> Span:
    ends = [order[way.source] + 0.5 for way in alike] + [order[alike[0].target]]
    return Span(min(ends), max(ends), tuple(alike))


def allot(spans: Iterable[Span]) -> dict[Way | Part, int]:
    """Return the number of each lane, from the cards on. Short ones are inside, so they nest."""
    lanes: list[list[Span]] = []
    found: dict[Way | Part, int] = {}
    for span in sorted(spans, key=lambda span: (span.high - span.low, span.low)):
        number = next((i for i, lane in enumerate(lanes) if _is_free(lane, span)), len(lanes))
        if number == len(lanes):
            lanes.append([])
        lanes[number].append(span)
        found |= dict.fromkeys(span.what, number)
    return found


def _is_free(lane: Sequence[Span], span: Span) -> bool:
    return all(span.high <= other.low or other.high <= span.low for other in lane)


def levels(parts: Sequence[Part]) -> Iterator[Sequence[Part]]:
    """Yield these parts, and those of each phase inside."""
    yield parts
    for part in parts:
        if isinstance(part, Phase):
            yield from levels(part.parts)


def is_aside(part: Part, parts: Sequence[Part]) -> bool:
    """Return whether a part is a phase among steps. It stands beside the rail, since the step
    before it waits.
    """
    return isinstance(part, Phase) and any(isinstance(other, Step) for other in parts)


def _is_of(parts: Sequence[Part], ids: set[str]) -> bool:
    """Whether these parts hold all these steps, and none of the phases among them does."""
    if not _holds(parts, ids):
        return False
    inner = [part for part in parts if isinstance(part, Phase) and not part.single]
    return not any(_holds(phase.parts, ids) for phase in inner)


def _holds(parts: Sequence[Part], ids: set[str]) -> bool:
    return ids <= {step.id for step in steps_of(parts)}
