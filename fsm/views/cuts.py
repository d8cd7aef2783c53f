"""What cuts a turn short, gathered by its words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from fsm.views.reading import HOLE, Turn, Way
from fsm.views.ways import joined


@dataclass(frozen=True, slots=True)
class Goal:
    """Where a turn goes on: the name of the place, from where if not from everywhere, and the ways
    that lead there.
    """

    title: str
    where: str = ""
    ways: tuple[Way, ...] = ()


@dataclass(frozen=True, slots=True)
class Cut:
    """What cuts a turn short, where it leads, and its citation."""

    words: str
    goals: tuple[Goal, ...]
    rule: str


def cuts_of(turn: Turn, ways: Iterable[Way]) -> list[Cut]:
    """Return what cuts a turn short in these ways."""
    followers = {a.id: b.steps[0].id for a, b in pairwise(turn.phases)}
    steps = {step.id for step in turn.steps}
    by_words: dict[str, list[Way]] = {}
    for way in ways:
        if way.kind == "cut short" and way.target != HOLE and way.source not in steps:
            by_words.setdefault(way.words, []).append(way)
    found = []
    for words, alike in by_words.items():
        onward = [way for way in alike if followers.get(way.source) == way.target]
        several = len(onward) > 1
        goals = [Goal("what follows it", "", tuple(onward))] if several else []
        goals += [_goal(turn, way) for way in alike if not several or way not in onward]
        found.append(Cut(words, tuple(goals), joined(*(way.rule for way in alike))))
    return found


def _goal(turn: Turn, way: Way) -> Goal:
    where = f"in {turn.names[way.source]}" if way.source else ""
    return Goal(turn.place(way.target), where, (way,))
