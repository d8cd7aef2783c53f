"""Follows the transitions of a Model from step to step, for its reading.

States that only connect steps are passed through, so a way has the words of every choice on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from msgspec.structs import replace

from fsm.model import Layer, Model, State, Transition
from fsm.views.reading import END, HOLE, Kind, Way
from fsm.wording import blanks, plain, plain_words, source_of

KINDS: dict[Layer, Kind] = {
    "core": "next",
    "skip": "left out",
    "extra": "again",
    "jump": "cut short",
}


@dataclass(frozen=True)
class Chart:
    """A model as ways see it.

    Attributes
    ----------
    model
        The model.
    home
        Returns the id of the place to which a state belongs, or "" for a state that is only passed
        through.
    told
        Says whether a transition is part of the ordinary reading.
    """

    model: Model
    home: Callable[[State], str]
    told: Callable[[Transition], bool]

    @cached_property
    def _rows(self) -> dict[str, list[Transition]]:
        found: dict[str, list[Transition]] = {}
        for row in self.model.transitions:
            found.setdefault(row.source, []).append(row)
        return found

    def all_rows(self, source: str) -> list[Transition]:
        """Return all transitions of a state, but none of what contains it."""
        return self._rows.get(source, [])

    def rows(self, source: str) -> list[Transition]:
        """Return the transitions of a state that are part of the ordinary reading."""
        return [row for row in self.all_rows(source) if row.target and self.told(row)]

    def home_of(self, id: str | None) -> str:
        """Return the place to which the state with this id belongs, or ""."""
        if id:
            return self.home(self.model.state(id))
        return ""

    # words ----------------------------------------------------------------------------------------

    def words(self, row: Transition) -> str:
        """Return why a transition is taken: the ruleset's words, or else what the model has. "" if
        it needs no reason.
        """
        if row.says:
            return plain(row.says)
        signal = row.event in self.model.signals
        if signal and not row.doc:
            return plain_words(self.model, row)
        if row.guard and all(self.model.fact(term.fact).says for term in row.guard):
            return plain_words(self.model, row)
        if row.guard or signal or self._decides(row):
            otherwise = "otherwise" if row.layer == "skip" else ""
            return plain(row.doc) or plain_words(self.model, row) or otherwise
        return ""

    def _decides(self, row: Transition) -> bool:
        """Whether the transition is one of several that leave a choice."""
        if self.model.state(row.source).kind != "choice":
            return False
        return sum(not other.generic for other in self.model.rows(row.source)) > 1

    # following ------------------------------------------------------------------------------------

    def ways(self) -> tuple[Way, ...]:
        """Return every way from one place to another, or back into the same."""
        return merged(self._all_ways())

    def _all_ways(self) -> Iterator[Way]:
        for state in self.model.states:
            here = self.home(state)
            if not here or here == END or state.kind == "final" or state.composite:
                continue
            if not self.all_rows(state.id):
                yield Way(here, HOLE, "cut short", "NO WAY ON from here")
            for row in self.rows(state.id):
                if not self.stays(row):
                    yield from self._follow((row,), here)

    def stays(self, row: Transition) -> bool:
        """Whether a transition leads on within a step, so that the step's lines tell it."""
        same = self.home_of(row.source) == self.home_of(row.target)
        return same and (row.layer == "core" or row.target == row.source)

    def _follow(self, path: tuple[Transition, ...], here: str) -> Iterator[Way]:
        last = path[-1].target or ""
        end = self.home_of(last)
        if end:
            yield self._way(path, here, end)
            return
        if last in {row.source for row in path}:
            return
        for onward in self.rows(last):
            yield from self._follow((*path, onward), here)

    def _way(self, path: tuple[Transition, ...], here: str, end: str) -> Way:
        worded = [row for row in path if self.words(row)]
        told = [r for r in worded if r.guard or r.says or r.doc or len(worded) == 1]
        words = ", ".join(dict.fromkeys(self.words(row) for row in told))
        layer = max((row.layer for row in path), key=list(KINDS).index)
        tells = tuple(row.id for row in told)
        paths = (tuple(row.id for row in path),)
        return Way(
            source=here,
            target=end,
            kind=KINDS[layer],
            words=words,
            rule=sources(told),
            tells=tells,
            paths=paths,
        )

    def end_of(self, row: Transition) -> tuple[str, tuple[str, ...]]:
        """Return the place to which a jump leads, "" if there is none, and the path to it.

        Where it depends, the last transition is taken.
        """
        path = [row]
        while not self.home_of(path[-1].target):
            target = path[-1].target or ""
            onward = self.rows(target)[-1:]
            if not onward or target in {passed.source for passed in path}:
                return "", ()
            path += onward
        return self.home_of(path[-1].target), tuple(passed.id for passed in path)

    def event_words(self, name: str) -> str:
        """Return what an event means, or its name."""
        docs = [event.doc for event in self.model.events if event.name == name]
        return plain("".join(docs[:1])) or blanks(name)


def merged(ways: Iterable[Way], *, anywhere: bool = False) -> tuple[Way, ...]:
    """Return the ways, those alike as one. A way without words goes if one with words is alike.

    With `anywhere`, ways from different sources can be alike. The first source is kept.
    """
    found: dict[tuple[str, ...], Way] = {}
    for way in ways:
        source = "" if anywhere else way.source
        key = (source, way.target, way.kind, way.words)
        old = found.get(key)
        found[key] = _joined(old, way) if old is not None else way
    worded = {(way.source, way.target, way.kind) for way in found.values() if way.words}
    return tuple(
        way
        for way in found.values()
        if way.words or way.kind == "next" or (way.source, way.target, way.kind) not in worded
    )


def _joined(old: Way, new: Way) -> Way:
    return replace(
        old,
        rule=joined(old.rule, new.rule),
        tells=tuple(dict.fromkeys((*old.tells, *new.tells))),
        paths=tuple(dict.fromkeys((*old.paths, *new.paths))),
    )


def joined(*rules: str) -> str:
    """Return citations as one, each once."""
    parts = dict[str, None]()
    for rule in rules:
        parts.update(dict.fromkeys(rule.split(", ")))
    return ", ".join(filter(None, parts))


def sources(rows: Iterable[Transition | State]) -> str:
    """Return what several parts of a model cite, each once."""
    return joined(*(source_of(row.rule) for row in rows))
