"""The turn at a glance: phases as boxes, steps as cards, and only what is special between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from fsm.model import LAYERS, Layer, Model, State, Transition
from fsm.views.drawing.collapsed import NEXT, START, Way
from fsm.views.drawing.diagram import Diagram, Line
from fsm.views.drawing.layering import with_layers
from fsm.views.drawing.rowlabels import either, event_words, guard_label
from fsm.views.drawing.tooltips import row_tip, tooltip
from fsm.views.drawing.turncards import TurnCards
from fsm.wording import guard_in_brackets, label_of, plain, rules_of


def turn_diagram(model: Model, layers: Sequence[Layer]) -> Diagram:
    """What the glance at a turn shows, of the layers asked for."""
    diagram = _TurnDiagram(model, layers).diagram()
    return diagram if set(layers) >= set(LAYERS) else with_layers(diagram, layers)


@dataclass(slots=True)
class _Exit:
    """A way out of something drawn, before exits that belong together are made one line."""

    source: str
    target: str
    way: Way
    words: str
    rule: str
    layer: Layer
    event: str = ""


class _TurnDiagram(TurnCards):
    def diagram(self) -> Diagram:
        lines = self.lines()
        return Diagram(
            title=f"{plain(self.model.title) or plain(self.model.name)}: a turn at a glance",
            caption=self.caption(),
            nodes=tuple(self.nodes(lines)),
            lines=tuple(lines),
            boxes=tuple(self.box(s) for s in self.model.states if s.kind == "phase"),
            comment=tuple(row_tip(self.model, t) for t in self.model.transitions),
        )

    # lines ------------------------------------------------------------------------------------------

    def lines(self) -> list[Line]:
        exits = [*self._start_exits()]
        for card in self.collapsed.heads:
            exits += self._card_exits(card)
        for state in self.collapsed.diamonds:
            for row in self.collapsed.rows(state.id):
                exits += self._exits(state.id, self.collapsed.ways([row]), [row])
        for state in self.model.states:
            exits += self._signals(state)
        alike = self._alike(exits)
        kept = [e for e in exits if e not in [e for found in alike.values() for e in found]]
        return [*self._merge(kept), *self._hub_lines(), *(self._everywhere(key, found) for key, found in alike.items())]

    def _start_exits(self) -> list[_Exit]:
        if not self.collapsed.start:
            target = self.collapsed.shown_as(self.collapsed.opening[-1].id)
            return [_Exit(START, target, Way(), "", "", "core")]
        rows = self.collapsed.rows(self.collapsed.start)
        core = [t for t in rows if t.layer == "core"] or rows
        return self._exits(START, self.collapsed.ways(core))

    @cached_property
    def order(self) -> dict[Transition, int]:
        """The place of each transition in the model."""
        return {t: i for i, t in enumerate(self.model.transitions)}

    def _card_exits(self, card: str) -> list[_Exit]:
        reached = {s.id for s in self.collapsed.walk(card)}
        first = [t for s in reached for t in self.collapsed.rows(s)]
        return self._exits(card, self.collapsed.ways(sorted(first, key=self.order.__getitem__), card))

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
            text = " ".join(part for part in (event_words(self.model, row), guard_label(self.model, row)) if part)
            if text:
                by_source.setdefault(row.source, []).append(text)
        said = list(dict.fromkeys(either(texts) for texts in by_source.values()))
        telling = [text for text in said if text != "else"]
        return " ".join(telling or said[:1])

    def _signals(self, holder: State) -> list[_Exit]:
        found = []
        for row in self.collapsed.signals(holder):
            source = self._jump_source(holder)
            for target, way in self.collapsed.ways([row]).items():
                words = "\n".join(part for part in (event_words(self.model, row), self._only_if(row)) if part)
                found.append(_Exit(source, target, way, words, plain(row.rule), way.layer, row.event))
        return found

    def _alike(self, exits: Sequence[_Exit]) -> dict[tuple[str, str], list[_Exit]]:
        """A signal that ends whichever phase it comes in, and goes on after it: said once, not drawn each time."""
        groups: dict[tuple[str, str], list[_Exit]] = {}
        for e in exits:
            phase = self.model.state(e.source) if e.event else None
            if phase is not None and phase.kind == "phase" and self._leaves_through_after(e.way, phase):
                groups.setdefault((e.event, e.words), []).append(e)
        return {key: found for key, found in groups.items() if len({e.source for e in found}) > 1}

    def _leaves_through_after(self, way: Way, holder: State) -> bool:
        ends = [self.model.state(row.target) for row in way.rows if row.target]
        return any(s.role == "after" and s.parent == holder.id for s in ends)

    def _everywhere(self, key: tuple[str, str], exits: Sequence[_Exit]) -> Line:
        """One line for the same signal in several phases."""
        holders = list(dict.fromkeys(e.source for e in exits))
        line = self._line(f"<any> {key[0]}", exits)
        whom = self.everyone(holders)
        return replace(line, source=line.id, target=f"{line.id}>", origin=f"from {whom}", goal="what follows it")

    def _jump_source(self, holder: State) -> str:
        if holder.id in self.collapsed.cards:
            return holder.id
        return self.collapsed.box_of(holder.id) or holder.id

    def _only_if(self, row: Transition) -> str:
        """The guard; for the last row of a signal, what the row above it leaves over."""
        if row.guard:
            return guard_in_brackets(row.guard)
        above = [t for t in self.model.transitions if (t.source, t.event) == (row.source, row.event)]
        above = above[: above.index(row)]
        if len(above) == 1 and len(above[0].guard) == 1:
            term = above[0].guard[0]
            return guard_in_brackets([replace(term, value=not term.value)])
        return "else" if above else ""

    def _merge(self, exits: Sequence[_Exit]) -> list[Line]:
        """Exits with the same ends and layer are one line with both labels."""
        groups: dict[tuple[str, str, Layer, str], list[_Exit]] = {}
        for e in self._innermost(exits):
            groups.setdefault((e.source, e.target, e.layer, e.event), []).append(e)
        return [self._line(f"line{i}", group) for i, group in enumerate(groups.values())]

    def _innermost(self, exits: Sequence[_Exit]) -> list[_Exit]:
        """A signal of the whole turn that a phase has too, to the same place, starts at the phase.

        But one that a step has too, and that leads back to the same step, starts at the phase only.
        """
        kept: list[_Exit] = []
        for e in exits:
            outer = self._same_from_around(e, exits)
            if outer is not None:
                outer.way.rows.extend(r for r in e.way.rows if r not in outer.way.rows)
                continue
            holder = e.source if e.event else ""
            inner = next(
                (
                    o
                    for o in exits
                    if o is not e
                    and o.event
                    and o.source != o.target
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

    def _same_from_around(self, inner: _Exit, exits: Sequence[_Exit]) -> _Exit | None:
        if not inner.event or inner.source != inner.target:
            return None
        around = [s.id for s in self.model.path(inner.source)[1:] if s.kind == "phase"]
        same = (inner.event, inner.target, inner.words)
        return next((o for o in exits if o.source in around and (o.event, o.target, o.words) == same), None)

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

    def name(self, shown_as: str) -> str:
        return "the next turn" if shown_as == NEXT else label_of(self.model.state(shown_as))
