"""The turn at a glance: phases as boxes, steps as cards, and only what is special between them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from fsm.model import Layer, Model, State, Transition
from fsm.views.drawing.collapsed import NEXT, START, Way
from fsm.views.drawing.diagram import FRAME, Diagram, Line
from fsm.views.drawing.rowlabels import either
from fsm.views.drawing.tooltips import tip
from fsm.views.drawing.turncards import TurnCards
from fsm.wording import (
    few,
    label_of,
    lower_first,
    plain,
    plain_words,
    rules_of,
    source_of,
    upper_first,
)

_LISTED = 3
"""With so many jumps from any step they are listed in a box of their own."""


def turn_diagram(model: Model) -> Diagram:
    """What the glance at a turn shows."""
    return _TurnDiagram(model).diagram()


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
            nodes=(*self.nodes(lines), *([FRAME] if self.jumps_are_listed else [])),
            lines=tuple(lines),
            boxes=tuple(self.box(s) for s in self.model.states if s.kind == "phase"),
            summary=self.summary(lines),
            legend=self.window_words(),
            plain=True,
        )

    def window_words(self) -> dict[str, str]:
        """What the legend says of windows: what players get there, if the rulebook has one word for
        it.
        """
        labels = [label_of(s).partition(" ")[0] for s in self.model.of_kind("window")]
        word = max(labels, key=labels.count, default="")
        known = word and 2 * labels.count(word) >= len(labels) and self.model.rulebook
        written = any(
            f" {word}" in s.doc for model in self.model.machines.values() for s in model.states
        )
        return (
            {"players may act": f"players get {word if written else lower_first(word)}"}
            if known
            else {}
        )

    def summary(self, lines: Sequence[Line]) -> str:
        """What leads to which step, in sentences."""
        steps = {s.id: label_of(s) for s in self.model.of_kind("step")}
        found = [
            f"{upper_first(' '.join(o.words))}: {steps[o.target]}."
            for o in lines
            if o.words and o.target in steps
        ]
        return " ".join(dict.fromkeys(found))

    # lines ----------------------------------------------------------------------------------------

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
        kept = self._innermost(self._cited_once(kept))
        anywhere = [e for e in kept if e.event and self.model.state(e.source).kind == "turn"]
        self.jumps_are_listed = (
            len({(e.event, e.target) for e in anywhere} | alike.keys()) >= _LISTED
        )
        if self.jumps_are_listed:
            events = {e.event for e in anywhere} | {event for event, _ in alike}
            listed = [e for e in kept if e.event in events]
            kept = [e for e in kept if e not in listed]
            jumps = [
                *(self._everywhere(key, found) for key, found in alike.items()),
                *self._anywhere(listed),
            ]
        else:
            over = {t.id for t in self.game_over()}
            kept = [e for e in kept if not {row.id for row in e.way.rows} & over]
            jumps = [self._everywhere(key, found) for key, found in alike.items()]
        return [*self._merge(kept), *self._hub_lines(), *jumps]

    def _anywhere(self, exits: Sequence[_Exit]) -> Iterator[Line]:
        """The jumps that are listed: those from any step to one place as one, those of a phase
        under its name.
        """
        groups: dict[tuple[str, str], list[_Exit]] = {}
        for e in sorted(exits, key=lambda e: self.model.state(e.source).kind == "turn"):
            holder = self.model.state(e.source)
            if holder.kind == "turn" or label_of(holder) != self.name(e.target):
                groups.setdefault(
                    ("" if holder.kind == "turn" else holder.id, e.target), []
                ).append(e)
        for i, ((phase, _), found) in enumerate(groups.items()):
            line = self._line(f"jump{i}", found)
            yield replace(
                line,
                source=line.id,
                origin=f"in {label_of(self.model.state(phase))}" if phase else "",
            )

    def _cited_once(self, exits: list[_Exit]) -> list[_Exit]:
        """Exits of one choice cite a rule once, at the ordinary one."""
        seen: dict[tuple[str, str], str] = {}
        for e in sorted(
            (e for e in exits if e.words and not e.event), key=lambda e: e.layer != "core"
        ):
            if seen.setdefault((e.source, e.rule), e.target) != e.target:
                e.rule = ""
        return exits

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
        return self._exits(
            card, self.collapsed.ways(sorted(first, key=self.order.__getitem__), card)
        )

    def _exits(
        self, source: str, ways: dict[str, Way], own: Sequence[Transition] = ()
    ) -> list[_Exit]:
        found = []
        for target, way in ways.items():
            decided = [*own, *(r for r in way.decided if r not in own)]
            words = self._words(decided)
            rule = (
                source_of(rules_of(r for r in decided if plain_words(self.model, r)))
                if words
                else ""
            )
            found.append(_Exit(source, target, way, words, rule, way.layer))
        return found

    def _words(self, decided: Sequence[Transition]) -> str:
        """Why a way is taken, in plain words; nothing for the way that is left over."""
        by_source: dict[str, list[str]] = {}
        for row in decided:
            if text := plain_words(self.model, row):
                by_source.setdefault(row.source, []).append(text)
        return ", ".join(
            dict.fromkeys(either(list(dict.fromkeys(texts))) for texts in by_source.values())
        )

    def _signals(self, holder: State) -> list[_Exit]:
        found = []
        for row in self.collapsed.signals(holder):
            source = self._jump_source(holder)
            for target, way in self.collapsed.ways([row]).items():
                words = plain_words(self.model, row)
                found.append(
                    _Exit(source, target, way, words, source_of(row.rule), way.layer, row.event)
                )
        return found

    def _alike(self, exits: Sequence[_Exit]) -> dict[tuple[str, str], list[_Exit]]:
        """A signal that ends whichever phase it comes in, and goes on after it: said once, not
        drawn each time.
        """
        groups: dict[tuple[str, str], list[_Exit]] = {}
        for e in exits:
            phase = self.model.state(e.source) if e.event else None
            if (
                phase is not None
                and phase.kind == "phase"
                and self._leaves_through_after(e.way, phase)
            ):
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
        return replace(
            line,
            source=line.id,
            target=f"{line.id}>",
            origin=f"from {whom}",
            goal="what follows it",
        )

    def _jump_source(self, holder: State) -> str:
        if holder.id in self.collapsed.cards:
            return holder.id
        return self.collapsed.box_of(holder.id) or holder.id

    def _merge(self, exits: Sequence[_Exit]) -> list[Line]:
        """Exits with the same ends and layer are one line with both labels."""
        groups: dict[tuple[str, str, Layer, str], list[_Exit]] = {}
        for e in exits:
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
        return kept

    def _same_from_around(self, inner: _Exit, exits: Sequence[_Exit]) -> _Exit | None:
        if not inner.event or inner.source != inner.target:
            return None
        around = [s.id for s in self.model.path(inner.source)[1:] if s.kind == "phase"]
        same = (inner.event, inner.target, inner.words)
        return next(
            (o for o in exits if o.source in around and (o.event, o.target, o.words) == same), None
        )

    def _line(self, id: str, group: Sequence[_Exit]) -> Line:
        first = group[0]
        texts = list(dict.fromkeys(e.words for e in group if e.words))
        rows = list(dict.fromkeys(r for e in group for r in e.way.rows))
        rule = ", ".join(dict.fromkeys(e.rule for e in group if e.rule))
        words = either(texts)
        name = words.replace("\n", " ") or f"to {self.name(first.target)}"
        docs = dict.fromkeys(
            plain(r.doc) for r in rows if r.doc and not r.generic and r.doc != name
        )
        told = tip(self.model, upper_first(name), few(list(docs), 2, "; "), rule=rules_of(rows))
        ring = bool(first.event) or first.layer == "jump"
        return Line(
            id,
            first.source,
            first.target,
            first.layer,
            tuple(words.replace(": ", ":\n").split("\n")) if words else (),
            rule,
            told,
            tuple(r.id for r in rows),
            ring,
        )

    def name(self, shown_as: str) -> str:
        return "the next turn" if shown_as == NEXT else label_of(self.model.state(shown_as))
