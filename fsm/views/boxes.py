"""The boxes beside the columns of a picture, and its legend."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from fsm.views.cards import FINE, ROW, SMALL, chip_word, label, write
from fsm.views.overlays import Overlay
from fsm.views.reading import HOLE, Step, Turn, Way, steps_of
from fsm.views.svg import Box, Ink, Paint, Point, Svg, Word
from fsm.views.ways import joined
from fsm.wording import citation

WIDE = 242.0
"""How wide a box is."""
RED = Ink("jump")


class Goal(NamedTuple):
    """Where a turn goes on when it is cut short: the name of the place, from where if not from
    everywhere, and the ways that lead there.
    """

    title: str
    where: str
    ways: Sequence[Way]


def extra_box(svg: Svg, turn: Turn, at: Point) -> float:
    """Draw where extra phases and steps come in, and return where the box ends."""
    x, y = at
    if turn.extra is None:
        return y
    rule = citation(turn.extra.rule)
    said = f"if an effect has added one: newest first, then the {turn.word} goes on{rule}"
    rows = label([Word(said, SMALL)], WIDE - 56)
    box = Box(x, y, WIDE, 34 + ROW * len(rows))
    svg.rect(box, Paint("paper", "extra", round=11))
    svg.rect(box.inset(3.5), Paint("surface", "extra", 1, round=8))
    svg.diamond((x + 28, y + 18), 6, Paint("surface", "extra"))
    x += 41
    svg.text((x, y + 22), turn.extra.text.upper(), Ink("extra", bold=True))
    write(svg, (x, y + 38), rows, ROW)
    return box.bottom


def cut_box(svg: Svg, turn: Turn, ways: Iterable[Way], overlay: Overlay, at: Point) -> float:
    """Draw what cuts a turn short and where it then goes on, and return where the box ends."""
    x, y = at
    cuts = _by_words(turn, ways)
    if not cuts:
        return y
    inside = Svg()
    foot = y + 21
    inside.text((x + 16, foot), "FROM ANY STEP", RED._replace(bold=True))
    for words, alike in cuts.items():
        rows = label([Word(words, RED)], WIDE - 28)
        foot = write(inside, (x + 16, foot + 8 + ROW), rows, ROW)
        rule = joined(*(way.rule for way in alike))
        for goal in _goals(turn, alike):
            foot += 18
            inside.line([(x + 20, foot - 4), (x + 50, foot - 4)], "jump")
            told = [Word(goal.title, Ink(bold=True)), Word(goal.where, FINE), Word(rule, FINE)]
            told.append(chip_word(overlay.chips.get(goal.ways[0], "")))
            rows = label(told, WIDE - 68)
            foot = write(inside, (x + 56, foot), rows, ROW)
    box = Box(x, y, WIDE, foot + 12 - y)
    svg.rect(box, Paint("paper", "jump", round=11))
    svg += inside
    return box.bottom


def _by_words(turn: Turn, ways: Iterable[Way]) -> dict[str, list[Way]]:
    """The ways that cut a turn short from a whole phase or turn, by their words."""
    steps = {step.id for step in turn.steps}
    found = defaultdict[str, list[Way]](list)
    for way in ways:
        if way.kind == "cut short" and way.target != HOLE and way.source not in steps:
            found[way.words].append(way)
    return found


def _goals(turn: Turn, alike: Sequence[Way]) -> Iterator[Goal]:
    """Where ways lead. What leads from several phases to the next one is said once."""
    followers = {a.id: b.steps[0].id for a, b in pairwise(turn.phases)}
    onward = [way for way in alike if followers.get(way.source) == way.target]
    if len(onward) > 1:
        yield Goal("what follows it", "", onward)
    for way in alike:
        if way not in onward or len(onward) == 1:
            where = f"in {turn.names[way.source]}" if way.source else ""
            yield Goal(turn.place(way.target), where, [way])


def legend(
    turn: Turn, steps: Sequence[Step], ways: Sequence[Way], overlay: Overlay
) -> Iterator[tuple[str, str]]:
    """Explain what occurs in a picture of these steps and ways."""
    kinds = {way.kind for way in ways if way.target != HOLE}
    marks = set[str]()
    for step in steps:
        marks.update(line.mark for line in step.lines)
    left_out = "left out" in kinds or _may_be_left_out(turn, steps)
    forks = any(way.words and way.kind != "cut short" for way in ways)
    whole = steps == turn.steps
    keys = (
        ("full", turn.acting, "full" in marks),
        ("hollow", "only if something triggered", "hollow" in marks),
        ("choice", "one of the ways applies", left_out or forks),
        ("place", "place for extra phases and steps", whole and turn.extra is not None),
        ("core", "normal course", bool(ways)),
        ("skip", "left out", left_out),
        ("extra", "again", "again" in kinds),
        ("jump", "cut short", "cut short" in kinds),
    )
    for kind, words, occurs in keys:
        if occurs:
            yield kind, words
    yield from overlay.keys


def _may_be_left_out(turn: Turn, steps: Sequence[Step]) -> bool:
    """Whether a phase or step of a picture may be left out."""
    shown = {*steps}
    return any(part.left_out and shown.issuperset(steps_of([part])) for part in turn.parts)
