"""The turn at a glance: phases as boxes, steps as cards, and only what is special between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from fsm.drawing.diagram import Box, Diagram, Line, Mark, Node, Note
from fsm.drawing.stations import NEXT, START, Stations, Way
from fsm.drawing.words import (
    blanks,
    cite,
    event_words,
    guard_words,
    is_else,
    label_of,
    lower_first,
    plain,
    row_tip,
    rules_of,
    tooltip,
    upper_first,
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


class _Glance:
    def __init__(self, model: Model, whole: bool) -> None:
        self.model = model
        self.whole = whole
        self.stations = Stations(model)
        self.hues = _hues(model)

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

    # nodes --------------------------------------------------------------------------------------

    def nodes(self, lines: Sequence[Line]) -> list[Node]:
        found: list[Node] = [self.start_node()]
        for state in self._in_order():
            if state.id in self.stations.cards:
                found.append(self.card(state))
            elif state.kind == "final":
                found.append(self.final(state))
            elif state.role == "hub":
                found += self.hub(state)
            else:
                found.append(self.diamond(state))
        ends = {line.target for line in lines}
        return found + ([self.next_node()] if NEXT in ends else [])

    def _in_order(self) -> list[State]:
        """What is drawn, in the model's order; a choice before a step stands before its card."""
        diamonds = {s.id for s in self.stations.diamonds}
        hubs = {s.id for s in self.model.states if s.role == "hub" and s.id != self.stations.start}
        early = {s.parent: s for s in self.stations.diamonds if s.role == "before"}
        found: list[State] = []
        for state in self.model.states:
            if state.id in self.stations.cards:
                found += [early[state.id]] if state.id in early else []
                found.append(state)
            elif state.kind == "final" or state.id in hubs or (state.id in diamonds and state not in found):
                found.append(state)
        return found

    def hue(self, state: str) -> int | None:
        box = self.stations.box_of(state)
        return self.hues.get(box) if box else None

    def card(self, state: State) -> Node:
        stages = self.stations.walk(state.id)
        opens = next((s.opens for s in stages if s.kind == "window"), "")
        mark: Mark = opens or ("natural" if any(s.kind == "window" for s in stages) else "")
        inside = [
            t
            for t in self.model.transitions
            if self.stations.body.get(t.source, t.source) == state.id or self._plumbing(t, state.id)
        ]
        return Node(
            state.id,
            "card",
            label_of(state),
            self.actions(state, stages),
            mark,
            plain(state.rule),
            tooltip(self.model, label_of(state), inside, rule=state.rule, doc=state.doc),
            self.hue(state.id),
            self.stations.box_of(state.id),
        )

    def _plumbing(self, row: Transition, holder: str) -> bool:
        source = self.model.state(row.source)
        return not source.composite and source.parent == holder

    def actions(self, card: State, stages: Sequence[State]) -> tuple[str, ...]:
        """One short line per turn-based action, with its guard; "then" once players have acted."""
        found, then = [], ""
        for stage in stages:
            if stage.kind == "window":
                then = "then "
            elif stage.kind in ("action", "stage") and stage.role in ("", "action"):
                found.append(then + self.action(card, stage))
        return tuple(found)

    def action(self, card: State, stage: State) -> str:
        name = label_of(stage)
        if name.casefold() == label_of(card).casefold() and stage.doc:
            name = plain(stage.doc)
        entries = [t for t in self.model.transitions if t.target == stage.id and not t.generic]
        condition = f" (if {guard_words(entries[0].guard)})" if entries and all(t.guard for t in entries) else ""
        return lower_first(name) + condition

    def diamond(self, state: State) -> Node:
        rows = self.stations.own.get(state.id, [])
        place = ""
        if self.model.state(state.parent).kind != "step" if state.parent else True:
            place = state.role if state.role in ("before", "after") else ""
        kind = "lookup" if self.stations.is_lookup(state.id) and state.id not in self.stations._choices else "choice"
        tip = tooltip(self.model, label_of(state), rows, rule=state.rule, doc=state.doc)
        return Node(
            state.id, kind, rule=plain(state.rule), tooltip=tip, box=self.stations.box_of(state.id), place=place
        )  # type: ignore[arg-type]

    def final(self, state: State) -> Node:
        tip = tooltip(self.model, label_of(state), (), rule=state.rule, doc=state.doc)
        return Node(state.id, "final", lower_first(label_of(state)), rule=plain(state.rule), tooltip=tip)

    def start_node(self) -> Node:
        rows = self.stations.own.get(self.stations.start, [])
        return Node(START, "start", tooltip=tooltip(self.model, "The turn begins", rows))

    def next_node(self) -> Node:
        """The end of the turn, with what comes next: extra turns, if the model has them."""
        hub = self.model.state(self.model.initial)
        rows = self.stations.own.get(hub.id, [])
        extra = [t for t in rows if t.layer == "extra"]
        lines = ("extra turns first",) if extra else ()
        tip = tooltip(self.model, "Next turn", rows, rule=hub.rule, doc=hub.doc)
        return Node(NEXT, "final", "next turn", lines, rule=rules_of(extra), tooltip=tip)

    def hub(self, state: State) -> list[Node]:
        """Where extras start: one card, and one diamond that stands for all the places they come from."""
        into = [t for t in self.model.transitions if t.target == state.id]
        rows = [t for t in self.model.transitions if state.id in (t.source, t.target) or self._resumes(t, into)]
        tip = tooltip(self.model, label_of(state), rows, rule=state.rule, doc=state.doc)
        sources = self.sources(into)
        sample = Node(
            f"{state.id}?", "lookup", sources, tooltip=tooltip(self.model, sources, into[:1], rule=rules_of(into))
        )
        card = Node(state.id, "hub", label_of(state), (plain(state.doc),) if state.doc else (), tooltip=tip)
        return [sample, card] if into else [card]

    def _hub_lines(self) -> list[Line]:
        """The way into each hub, once."""
        found = []
        for state in self.model.states:
            into = [t for t in self.model.transitions if t.target == state.id and t.generic]
            if state.role != "hub" or state.id == self.stations.start or not into:
                continue
            said = Counter(f"[{guard_words(t.guard)}]" for t in into if t.guard)
            words = tuple(w for w, n in said.items() if n > 1 or len(said) == 1)
            tip = tooltip(self.model, label_of(state), into[:1], rule=rules_of(into))
            steps = tuple(t.id for t in into)
            found.append(Line(f"to_{state.id}", f"{state.id}?", state.id, "extra", words, rules_of(into), tip, steps))
        return found

    def _resumes(self, row: Transition, into: Sequence[Transition]) -> bool:
        levels = {self._level(t.source) for t in into}
        ends = [row.source, row.target] if row.target else [row.source]
        resumes = any(self.model.state(e).role == "resume" for e in ends)
        return resumes and any(self._level(e) in levels for e in ends)

    def _level(self, state: str) -> str:
        parent = self.model.state(state).parent
        return self.model.state(parent).kind if parent else ""

    def sources(self, into: Sequence[Transition]) -> str:
        """ "after any phase", or the words for whichever the generic rows are."""
        said: dict[str, list[str]] = {}
        for role in ("before", "after"):
            rows = [t for t in into if self.model.state(t.source).role == role]
            holders = list(dict.fromkeys(self.model.state(t.source).parent for t in rows))
            if holders:
                said.setdefault(self.everyone(holders), []).append(role)
        return ", ".join(f"{' or '.join(roles)} {whom}" for whom, roles in said.items())

    def everyone(self, holders: Sequence[str]) -> str:
        """ "any phase", "any step or phase", "any step but Draw", or a list."""
        kinds = [k for k in ("turn", "phase", "step") if any(self.model.state(h).kind == k for h in holders)]
        missing = [s for s in self.model.states if s.kind in kinds and s.id not in holders]
        if len(missing) < len(holders):
            but = f" but {', '.join(label_of(s) for s in missing)}" if missing else ""
            return f"any {_listed(kinds)}{but}"
        return ", ".join(label_of(self.model.state(h)) for h in holders)

    # boxes and caption --------------------------------------------------------------------------

    def box(self, state: State) -> Box:
        rows = [t for t in self.model.transitions if self._plumbing(t, state.id)]
        tip = tooltip(self.model, label_of(state), rows, rule=state.rule, doc=state.doc)
        return Box(
            state.id,
            label_of(state).upper(),
            plain(state.rule),
            tip,
            self.hues.get(state.id, 0),
            tuple(self.notes(state.id)),
        )

    def notes(self, box: str) -> list[Note]:
        """Rules that leave out several steps alike, and signals that change nothing in this phase."""
        groups: dict[tuple[str, str], list[str]] = {}
        for t in self.stations.noted.get(box, []):
            step = label_of(self.model.state(self.model.state(t.source).parent))
            groups.setdefault((guard_words(t.guard), plain(t.rule)), []).append(step)
        found = [
            Note(f"[{guard}] leaves out {', '.join(map(lower_first, steps))} {rule}".strip(), "skip")
            for (guard, rule), steps in groups.items()
        ]
        stays = [t for t in self.model.transitions if t.target is None and self.stations.box_of(t.source) == box]
        return found + [Note(self._stays(t), t.layer) for t in stays]

    def _stays(self, row: Transition) -> str:
        otherwise = is_else(self.model, row) or self._shadowed(row)
        guard = f" [{guard_words(row.guard)}]" if row.guard else (" otherwise" if otherwise else "")
        rule = f" ({plain(row.rule)})" if row.rule else ""
        return f"{event_words(self.model, row) or 'done'}{guard}: {plain(row.doc) or 'nothing happens'}{rule}"

    def _shadowed(self, row: Transition) -> bool:
        return not row.guard and any(t.event == row.event and t is not row for t in self.model.transitions)

    def caption(self) -> tuple[str, ...]:
        edition = plain(self.model.edition)
        first = [f"{edition}." if edition else "", "Small numbers cite the rule."]
        lines = ([*first, *self._skip_words()], self._turn_notes(), self._holes())
        return tuple(said for line in lines if (said := " ".join(part for part in line if part)))

    def _skip_words(self) -> list[str]:
        groups: dict[str, list[str]] = {}
        for t in self.model.transitions:
            parent = self.model.state(t.source).parent
            if t.generic and t.layer == "skip" and parent:
                groups.setdefault(plain(t.rule), []).append(parent)
        by_holders: dict[frozenset[str], list[str]] = {}
        for rule, holders in sorted(groups.items(), key=lambda group: -len(set(group[1]))):
            held = next((whole for whole in by_holders if whole >= set(holders)), frozenset(holders))
            by_holders.setdefault(held, []).append(rule)
        found = []
        for whole, rules in by_holders.items():
            holders = [s.id for s in self.model.states if s.id in whole]
            cited = f" ({', '.join(r for r in rules if r)})" if any(rules) else ""
            found.append(f"{upper_first(self.everyone(holders))} can be skipped{cited}.")
        return found

    def _turn_notes(self) -> list[str]:
        return [
            f"{upper_first(self._stays(t))}."
            for t in self.model.transitions
            if t.target is None and self.model.state(t.source).kind == "turn"
        ]

    def _holes(self) -> list[str]:
        if not self.whole:
            return []
        holes = [label_of(s) for s in self.model.leaves if s.kind != "final" and is_hole(self.model, s)]
        return [f"NO WAY ON from: {', '.join(holes)}."] if holes else []

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

    def _card_exits(self, card: str, head: str) -> list[_Exit]:
        reached = {s.id for s in self.stations.walk(card)}
        first = [t for s in reached for t in self.stations.rows(s)]
        order = {t.id: i for i, t in enumerate(self.model.transitions)}
        return self._exits(card, self.stations.ways(sorted(first, key=lambda t: order[t.id]), card))

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


def either(texts: Sequence[str]) -> str:
    """ "[a]" and "[b]" as "[a or b]": one line with both labels."""
    if len(texts) > 1 and all(t.startswith("[") and t.endswith("]") for t in texts):
        return "[" + "\nor ".join(t[1:-1] for t in texts) + "]"
    return "\nor ".join(texts)


def _listed(words: Sequence[str]) -> str:
    """ "turn, phase or step"."""
    return " or ".join(part for part in (", ".join(words[:-1]), words[-1]) if part)


def is_hole(model: Model, state: State) -> bool:
    """Can a run stop here because no row holds? Rows of a one-of group leave nothing over."""
    rows = [model.rows(state.id, event.name) for event in model.events if event.completion]
    finishing = [found for found in rows if found]
    if finishing:
        return any(_leaves_over(model, found) for found in finishing)
    return not any(t.source == state.id for t in model.transitions)


def _leaves_over(model: Model, rows: Sequence[Transition]) -> bool:
    if not rows or not rows[-1].guard:
        return not rows
    single = [t.guard[0] for t in rows if len(t.guard) == 1]
    if any(a.fact == b.fact and a.value != b.value for a in single for b in single):
        return False
    groups = {model.fact(term.fact).group for term in single}
    return len(single) < len(rows) or len(groups) > 1 or groups == {""}


def _hues(model: Model) -> dict[str, int]:
    """One hue per kind of phase, in turn."""
    families: dict[str, int] = {}
    found: dict[str, int] = {}
    for state in model.states:
        if state.kind == "phase":
            found[state.id] = families.setdefault(state.family or state.id, len(families) % 4)
    return found


__all__ = ["blanks", "cite", "turn_diagram"]
