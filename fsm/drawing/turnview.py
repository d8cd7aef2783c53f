"""The turn at a glance: phases as boxes, steps as cards, and only what is special between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from fsm.drawing.diagram import Diagram, Line
from fsm.drawing.stations import NEXT, START, Way
from fsm.drawing.turncards import TurnCards
from fsm.drawing.words import (
    either,
    event_words,
    guard_words,
    is_else,
    label_of,
    plain,
    row_tip,
    rules_of,
    tooltip,
)
from fsm.model import Layer, Model, State, Transition


def turn_diagram(model: Model, layers: Sequence[Layer]) -> Diagram:
    """What the glance at a turn shows, of the layers asked for."""
    hidden = [t.id for t in model.transitions if t.layer not in layers]
    return _Glance(model.without(*hidden) if hidden else model, whole=not hidden).diagram()


@dataclass(slots=True)
class _Exit:
    """A way out of a station, before exits that belong together are made one line."""

    source: str
    target: str
    way: Way
    words: str
    rule: str
    layer: Layer
    event: str = ""


class _Glance(TurnCards):
    def diagram(self) -> Diagram:
        lines = self.lines()
        return Diagram(
            title=f"{plain(self.model.title) or plain(self.model.name)}: a turn at a glance",
            caption=self.caption(),
            nodes=tuple(self.nodes(lines)),
            lines=tuple(lines),
            boxes=tuple(
                self.box(s) for s in self.model.states if s.kind == "phase" and self.stations.box_of(s.id) == s.id
            ),
            comment=tuple(row_tip(self.model, t) for t in self.model.transitions),
        )

    # lines ------------------------------------------------------------------------------------------

    def lines(self) -> list[Line]:
        exits = [*self._start_exits()]
        for card, head in self.stations.heads.items():
            exits += self._card_exits(card, head)
        for state in self.stations.diamonds:
            for row in self.stations.rows(state.id):
                exits += self._exits(state.id, self.stations.ways([row]), [row])
        for state in self.model.states:
            if state.composite:
                exits += self._signals(state)
        return [*self._merge(exits), *self._hub_lines()]

    def _start_exits(self) -> list[_Exit]:
        if not self.stations.start:
            target = self.stations.station(self.model.initial)
            return [_Exit(START, target, Way(), "", "", "core")]
        rows = self.stations.rows(self.stations.start)
        core = [t for t in rows if t.layer == "core"] or rows
        return self._exits(START, self.stations.ways(core))

    @cached_property
    def order(self) -> dict[Transition, int]:
        """The place of each transition in the model."""
        return {t: i for i, t in enumerate(self.model.transitions)}

    def _card_exits(self, card: str, head: str) -> list[_Exit]:
        reached = {s.id for s in self.stations.walk(card)}
        first = [t for s in reached for t in self.stations.rows(s)]
        return self._exits(card, self.stations.ways(sorted(first, key=self.order.__getitem__), card))

    def _exits(self, source: str, ways: dict[str, Way], own: Sequence[Transition] = ()) -> list[_Exit]:
        found = []
        for target, way in ways.items():
            decided = [*own, *(r for r in way.decided if r not in own)]
            words = self._words(decided)
            shown = decided if words and (words != "else" or way.layer != "core") else []
            found.append(_Exit(source, target, way, words, rules_of(shown), way.layer))
        return found

    def _words(self, decided: Sequence[Transition]) -> str:
        by_source: dict[str, list[str]] = {}
        for row in decided:
            guard = f"[{guard_words(row.guard)}]" if row.guard else ("else" if is_else(self.model, row) else "")
            text = " ".join(part for part in (event_words(self.model, row), guard) if part)
            if text:
                by_source.setdefault(row.source, []).append(text)
        said = [either(texts) for texts in by_source.values()]
        telling = [text for text in said if text != "else"]
        return ", ".join(telling or said[:1])

    def _signals(self, holder: State) -> list[_Exit]:
        found = []
        for row in self.stations.own.get(holder.id, []):
            if row.target is None or row.generic:
                continue
            source = self._jump_source(holder)
            for target, way in self.stations.ways([row]).items():
                words = "\n".join(part for part in (event_words(self.model, row), self._only_if(row)) if part)
                found.append(_Exit(source, target, way, words, plain(row.rule), way.layer, row.event))
        return found

    def _jump_source(self, holder: State) -> str:
        if holder.id in self.stations.cards:
            return holder.id
        return self.stations.box_of(holder.id) or holder.id

    def _only_if(self, row: Transition) -> str:
        """The guard; for the last row of a signal, what the row above it leaves over."""
        if row.guard:
            return f"[{guard_words(row.guard)}]"
        above = [t for t in self.model.transitions if (t.source, t.event) == (row.source, row.event)]
        above = above[: above.index(row)]
        if len(above) == 1 and len(above[0].guard) == 1:
            term = above[0].guard[0]
            return f"[{guard_words([replace(term, value=not term.value)])}]"
        return "else" if above else ""

    def _merge(self, exits: Sequence[_Exit]) -> list[Line]:
        """Exits with the same ends and layer are one line with both labels."""
        groups: dict[tuple[str, str, Layer, str], list[_Exit]] = {}
        for e in self._innermost(exits):
            groups.setdefault((e.source, e.target, e.layer, e.event), []).append(e)
        return [self._line(f"line{i}", group) for i, group in enumerate(groups.values())]

    def _innermost(self, exits: Sequence[_Exit]) -> list[_Exit]:
        """A signal of the whole turn that a phase has too, to the same place, starts at the phase."""
        kept: list[_Exit] = []
        for e in exits:
            holder = e.source if e.event else ""
            inner = next(
                (
                    o
                    for o in exits
                    if o is not e
                    and o.event
                    and (o.event, o.target) == (e.event, e.target)
                    and holder in [s.id for s in self.model.path(o.source)][1:]
                    and o.words == e.words
                ),
                None,
            )
            if inner is None:
                kept.append(e)
            else:
                inner.way.rows.extend(r for r in e.way.rows if r not in inner.way.rows)
                inner.words += "\nor from any step"
        return kept

    def _line(self, id: str, group: Sequence[_Exit]) -> Line:
        first = group[0]
        texts = list(dict.fromkeys(e.words for e in group if e.words))
        rows = list(dict.fromkeys(r for e in group for r in e.way.rows))
        rule = ", ".join(dict.fromkeys(e.rule for e in group if e.rule))
        words = either(texts)
        name = words.replace("\n", " ") or f"to {self.name(first.target)}"
        tip = tooltip(self.model, name, rows, rule=rules_of(rows))
        ring = bool(first.event) or first.layer == "jump"
        return Line(
            id,
            first.source,
            first.target,
            first.layer,
            tuple(words.split("\n")) if words else (),
            rule,
            tip,
            tuple(r.id for r in rows),
            ring,
        )

    def name(self, station: str) -> str:
        return "the next turn" if station == NEXT else label_of(self.model.state(station))
