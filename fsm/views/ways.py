"""Follows the transitions of a Model from place to place, for its reading.

States that only connect places are passed through, so a way has the words of every choice on it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import chain
from typing import TypeVar

from msgspec.structs import replace

from fsm.model import LAYERS, Layer, Model, State, Transition
from fsm.model.elements import LEAVING
from fsm.model.graph import reachable_from
from fsm.views.reading import END, HOLE, Kind, Way
from fsm.wording import blanks, plain, plain_words, source_of

_Key = TypeVar("_Key", bound=Hashable)
_Value = TypeVar("_Value")
STAGES = ("action", "window", "final")
"""The kinds of states that a list has lines for."""
_PASSED_THROUGH = frozenset({"before", "after", "hub", "resume", "procedure"})

KINDS: dict[Layer, Kind] = {
    "core": "next",
    "skip": "left out",
    "extra": "again",
    "jump": "cut short",
}


class Chart:
    """A model as ways see it: its places, and what leads from one to another.

    A place is a step, a final state, or the next turn. `within` a step or a window, each stage is a
    place of its own.
    """

    def __init__(self, model: Model, *, within: bool = False) -> None:
        self.model = model
        self.within = within
        self.top = "".join(state.id for state in model.of_kind("turn")[:1])
        hubs = [state.id for state in model.states if state.role == "hub"]
        self.hub, *self.inner_hubs = hubs or [""]
        # of each state its own, and none of what contains it
        self.all_rows = grouped(model.transitions, lambda row: row.source)

    def rows(self, source: str) -> list[Transition]:
        """Return the transitions of a state that every turn may take. Effects, omissions and what
        is rare are not among them.
        """
        interrupts = self.model.state(source).kind == "choice"
        return [
            row
            for row in self.all_rows[source]
            if row.target
            and not row.generic
            and row.event != LEAVING
            and not (interrupts and row.event in self.model.signals)
            and not any(action.name == "push_return" for action in row.actions)
            and not row.rule.startswith("no rule")
            and not self.omits(row)
        ]

    def omits(self, row: Transition) -> bool:
        """Return whether a transition leaves out a step or phase, for a reason of its own."""
        roles = [self.model.state(id).role for id in (row.source, row.target) if id]
        return roles == ["before", "after"] and row.layer == "skip" and not row.generic

    def place_of(self, id: str) -> str:
        """Return the place of a state, or "" if it is only passed through."""
        state = self.model.state(id)
        if state.kind == "final" or (self.within and state.kind in STAGES):
            return id
        if id == self.hub:
            return END
        step = self.model.enclosing(id, "step")
        passed = state.role != "begin" if self.within else state.role in _PASSED_THROUGH
        return "" if step is None or passed or state.composite else step.id

    # words ----------------------------------------------------------------------------------------

    def words(self, row: Transition) -> str:
        """Return why a transition is taken: the ruleset's words, or else what the model has. "" if
        it needs no reason.
        """
        reason = plain_words(self.model, row)
        if row.says or (row.guard and all(self.model.fact(term.fact).says for term in row.guard)):
            return reason
        choice = self.model.state(row.source).kind == "choice" and len(self.rows(row.source)) > 1
        if reason or choice:
            return plain(row.doc) or reason or ("otherwise" if row.layer == "skip" else "")
        return ""

    # following ------------------------------------------------------------------------------------

    def stages(self, start: str, among: Sequence[State]) -> list[State]:
        """Return the stages among these states that can come after one of them, or all, in the
        model's order.
        """
        known = {state.id for state in among}

        def onward(id: str) -> list[str]:
            return [row.target for row in self.rows(id) if row.target in known]

        reached = reachable_from([start] if start else known, onward)
        return [state for state in among if state.id in reached and state.kind in STAGES]

    def ways(self) -> list[Way]:
        """Return every way from one place to another, or back into the same.

        Those alike are one. A way without words goes if one with words is alike.
        """
        ways = as_one(self._ways(), lambda way: (way.source, way.target, way.kind, way.words))
        if self.within:
            return ways
        worded = {(way.source, way.target, way.kind) for way in ways if way.words}
        return [
            way
            for way in ways
            if way.words or way.kind == "next" or (way.source, way.target, way.kind) not in worded
        ]

    def _ways(self) -> Iterator[Way]:
        for state in self.model.states:
            place = self.place_of(state.id)
            if place in ("", END) or state.kind == "final":
                continue
            if not self.all_rows[state.id]:
                yield Way(place, HOLE, "cut short", "NO WAY ON from here")
            for row in self.rows(state.id):
                stays = row.layer == "core" and place == self.place_of(row.target or "")
                if self.within or not stays:
                    yield from self.ways_along(place, row)

    def ways_along(self, source: str, *path: Transition) -> Iterator[Way]:
        """Yield each way from a source that begins with a path, to the next place."""
        last = path[-1].target or ""
        if self.place_of(last):
            yield self._way(source, path)
        elif last not in {row.source for row in path}:
            for onward in self.rows(last):
                yield from self.ways_along(source, *path, onward)

    def _way(self, source: str, path: Sequence[Transition]) -> Way:
        worded = [row for row in path if self.words(row)]
        stated = [r for r in worded if r.guard or r.says or r.doc or len(worded) == 1]
        layer = max((row.layer for row in path), key=LAYERS.index)
        return Way(
            source=source,
            target=self.place_of(path[-1].target or ""),
            kind=KINDS[layer],
            words=", ".join(dict.fromkeys(map(self.words, stated))),
            rule=sources(stated),
            tells=ids(stated),
            paths=(ids(path),),
        )

    def cuts(self) -> Iterator[Way]:
        """Yield the ways out of a whole phase or turn, each to where it leads in the end.

        Where it depends, that is the last way; where nothing leads on, `HOLE`. Each tells the
        transition with which it begins.
        """
        docs = {event.name: event.doc for event in self.model.events if not event.completion}
        for row in self.model.transitions:
            source = self.model.state(row.source)
            if source.composite and row.target and row.event in docs:
                where = "" if source.kind == "turn" else source.id
                words = plain(row.says) or plain(docs[row.event]) or blanks(row.event)
                rule = source_of(row.rule)
                way = [Way(where, HOLE), *self.ways_along(where, row)][-1]
                yield replace(way, kind="cut short", words=words, rule=rule, tells=(row.id,))


def grouped(
    values: Iterable[_Value], key: Callable[[_Value], _Key]
) -> defaultdict[_Key, list[_Value]]:
    """Return values by a key, in their order. For any other key there are none."""
    groups = defaultdict[_Key, list[_Value]](list)
    for value in values:
        groups[key(value)].append(value)
    return groups


def as_one(ways: Iterable[Way], key: Callable[[Way], Hashable]) -> list[Way]:
    """Return ways, those with the same key as one that has the rules and paths of all."""
    return [
        replace(
            alike[0],
            rule=joined(*(way.rule for way in alike)),
            tells=tuple(dict.fromkeys(chain.from_iterable(way.tells for way in alike))),
            paths=tuple(dict.fromkeys(chain.from_iterable(way.paths for way in alike))),
        )
        for alike in grouped(ways, key).values()
    ]


def joined(*rules: str) -> str:
    """Return citations as one, each once."""
    return ", ".join(filter(None, dict.fromkeys(", ".join(rules).split(", "))))


def sources(parts: Iterable[Transition | State]) -> str:
    """Return what parts of a model cite, each once."""
    return joined(*(source_of(part.rule) for part in parts))


def ids(rows: Iterable[Transition]) -> tuple[str, ...]:
    """Return the ids of transitions."""
    return tuple(row.id for row in rows)
