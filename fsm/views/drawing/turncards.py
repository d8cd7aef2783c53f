"""What is seen of a turn, apart from its lines: cards, diamonds, discs, hubs, boxes and the caption."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from fsm.model import Layer, Model, State, Transition
from fsm.views.drawing.captions import box_rule, caption_of, headline, holes_said, nothing_changes
from fsm.views.drawing.cardlines import CardLines
from fsm.views.drawing.collapsed import NEXT, START, CollapsedTurn
from fsm.views.drawing.diagram import Box, Line, Node, NodeKind, Note, RowPlacement
from fsm.views.drawing.tooltips import tooltip
from fsm.wording import blanks, citation, guard_in_brackets, label_of, listed, lower_first, plain, rules_of, upper_first


class TurnCards:
    """The nodes, boxes and captions of one turn."""

    def __init__(self, model: Model, layers: Sequence[Layer]) -> None:
        self.model = model
        self.layers = layers
        self.collapsed = CollapsedTurn(model)
        self.said = CardLines(model, self.collapsed)
        self.hues = hues_of(model)

    # nodes --------------------------------------------------------------------------------------

    def nodes(self, lines: Sequence[Line]) -> list[Node]:
        found: list[Node] = [self.start_node()]
        for state in self._in_order():
            if state.id in self.collapsed.cards:
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
        """What is drawn, in the model's order; the choices of a step stand before and after its card."""
        beside: dict[str, list[State]] = {}
        for s in self.collapsed.diamonds:
            beside.setdefault(s.parent if s.parent in self.collapsed.cards else "", []).append(s)
        loose = {s.id for s in beside.get("", ())}
        found: list[State] = []
        for state in self.model.states:
            if state.id in self.collapsed.cards:
                own = beside.get(state.id, [])
                before = [s for s in own if s.role == "before"]
                found += [*before, state, *(s for s in own if s not in before)]
            elif (
                state.kind == "final" or state.id in loose or (state.role == "hub" and state.id != self.collapsed.start)
            ):
                found.append(state)
        return found

    def hue(self, state: str) -> int | None:
        box = self.collapsed.box_of(state)
        return self.hues.get(box) if box else None

    def card(self, state: State) -> Node:
        stages = self.collapsed.walk(state.id)
        inside = [*self.collapsed.own.get(state.id, ()), *self._plumbing(state.id)]
        return Node(
            state.id,
            "card",
            label_of(state),
            self.said.lines(state, stages),
            self.said.mark(stages),
            plain(state.rule),
            tooltip(self.model, label_of(state), inside, rule=state.rule, doc=state.doc, parts=self.said.tips(stages)),
            self.hue(state.id),
            self.collapsed.box_of(state.id),
        )

    def _plumbing(self, holder: str) -> list[Transition]:
        """The transitions of the states directly in this one."""
        return [t for child in self.collapsed.leaves.get(holder, ()) for t in self.collapsed.own.get(child, ())]

    def diamond(self, state: State) -> Node:
        """A choice: beside its card; before or after its box, but within the box around that, if there is one."""
        rows = self.collapsed.own.get(state.id, [])
        holder = self.model.state(state.parent) if state.parent else None
        place: RowPlacement = ""
        box, around = self.collapsed.box_of(state.id), self.outer_box(holder) if holder else ""
        if holder is None or holder.kind != "step":
            place = "before" if state.role == "before" else "after" if state.role == "after" else ""
        if around and holder and holder.kind == "phase":
            box, place = around, ""
        kind: NodeKind = "choice" if state.id in self.collapsed.choices else "lookup"
        tip = tooltip(self.model, label_of(state), rows, rule=state.rule, doc=state.doc)
        title = label_of(holder) if holder and state.role == "before" else ""
        return Node(state.id, kind, title, rule=plain(state.rule), tooltip=tip, box=box, place=place)

    def outer_box(self, phase: State) -> str:
        """The box around that of a phase, or ""."""
        return self.collapsed.box_of(phase.parent) if phase.parent else ""

    def final(self, state: State) -> Node:
        tip = tooltip(self.model, label_of(state), (), rule=state.rule, doc=state.doc)
        return Node(state.id, "final", lower_first(label_of(state)), rule=plain(state.rule), tooltip=tip)

    def start_node(self) -> Node:
        """Where a turn begins, with what comes before the first one."""
        once = self.collapsed.opening[:-1]
        acts = [s for s in once if s.kind == "action"]
        rows = [t for s in (*once, self.collapsed.opening[-1]) for t in self.collapsed.own.get(s.id, ())]
        tip = tooltip(self.model, "The turn begins", rows, parts=self.said.tips(acts))
        lines, rule = tuple(lower_first(label_of(s)) for s in acts), ", ".join(plain(s.rule) for s in acts if s.rule)
        return Node(START, "start", "before the first turn" if acts else "", lines, rule=rule, tooltip=tip)

    def next_node(self) -> Node:
        """The end of the turn, with what comes next: extra turns, if the model has them."""
        hub = self.collapsed.opening[-1]
        rows = self.collapsed.own.get(hub.id, [])
        extra = [t for t in rows if t.layer == "extra"]
        lines = ("extra turns first",) if extra else ()
        tip = tooltip(self.model, "Next turn", rows, rule=hub.rule, doc=hub.doc)
        return Node(NEXT, "final", "next turn", lines, rule=rules_of(extra), tooltip=tip)

    def hub(self, state: State) -> list[Node]:
        """Where extras start: one card, and one diamond that stands for all the places they come from."""
        into = self.collapsed.into.get(state.id, [])
        rows = [*into, *self.collapsed.own.get(state.id, ()), *self._resumes(into)]
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
            into = [t for t in self.collapsed.into.get(state.id, ()) if t.generic]
            if state.role != "hub" or state.id == self.collapsed.start or not into:
                continue
            said = Counter(guard_in_brackets(t.guard) for t in into if t.guard)
            words = tuple(w for w, n in said.items() if n > 1 or len(said) == 1)
            tip = tooltip(self.model, label_of(state), into[:1], rule=rules_of(into))
            steps = tuple(t.id for t in into)
            found.append(Line(f"to_{state.id}", f"{state.id}?", state.id, "extra", words, rules_of(into), tip, steps))
        return found

    def _resumes(self, into: Sequence[Transition]) -> list[Transition]:
        """The ways back from the extras of this hub: to and from the resume of the same level."""
        levels = {self._level(t.source) for t in into}
        resumes = [s.id for s in self.model.states if s.role == "resume"]
        rows = [t for r in resumes for t in (*self.collapsed.into.get(r, ()), *self.collapsed.own.get(r, ()))]
        return [t for t in rows if levels & {self._level(t.source), self._level(t.target or "")}]

    def _level(self, state: str) -> str:
        parent = self.model.state(state).parent if state else ""
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
        """ "any phase", "any step or phase", "any step but Draw", "any step or Combat", or a list."""
        there = [s for s in self.model.states if s.id in holders]
        of_kind = {k: [s for s in there if s.kind == k] for k in ("turn", "phase", "step")}
        missing = [s for s in self.model.states if of_kind.get(s.kind) and s not in there]
        most = [k for k, found in of_kind.items() if len(found) > sum(s.kind == k for s in missing)]
        named = [label_of(s) for s in there if s.kind not in most]
        but = [label_of(s) for s in missing if s.kind in most]
        if not most:
            return ", ".join(named)
        return listed([f"any {listed(most, 'or')}" + (f" but {listed(but, 'or')}" if but else ""), *named], "or")

    # boxes and caption --------------------------------------------------------------------------

    def box(self, state: State) -> Box:
        rows = self._plumbing(state.id)
        tip = tooltip(self.model, label_of(state), rows, rule=state.rule, doc=state.doc)
        return Box(
            state.id,
            label_of(state).upper(),
            box_rule(self.model, state),
            tip,
            self.hues.get(state.id, 0),
            tuple(self.notes(state.id)),
            self.outer_box(state),
        )

    def notes(self, box: str) -> list[Note]:
        """Rules that leave out several steps alike, and signals that change nothing in this phase."""
        groups: dict[tuple[str, str], list[str]] = {}
        for t in self.collapsed.noted.get(box, []):
            step = label_of(self.model.state(self.model.state(t.source).parent))
            groups.setdefault((guard_in_brackets(t.guard), plain(t.rule)), []).append(step)
        found = [
            Note(f"{guard} leaves out {', '.join(map(lower_first, steps))} {rule}".strip(), "skip")
            for (guard, rule), steps in groups.items()
        ]
        stays = [t for t in self.model.transitions if t.target is None and self.collapsed.box_of(t.source) == box]
        return [*found, *dict.fromkeys(Note(self._stays(t), t.layer) for t in stays)]

    def _stays(self, row: Transition) -> str:
        return nothing_changes(self.model, row, otherwise=self._shadowed(row))

    def _shadowed(self, row: Transition) -> bool:
        return not row.guard and any(t.event == row.event and t is not row for t in self.model.transitions)

    def caption(self) -> tuple[str, ...]:
        skips = self._skip_words() if "skip" in self.layers else []
        first = [*headline(self.model), *skips, *self._ends()]
        return caption_of((first, self._turn_notes(), [holes_said(self.model, self.model.leaves)]))

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
            cited = citation(", ".join(rule for rule in rules if rule))
            found.append(f"{upper_first(self.everyone(holders))} can be skipped{cited}.")
        return found

    def _ends(self) -> list[str]:
        """What is done as every step or phase ends."""
        groups: dict[tuple[str, str], list[str]] = {}
        for s in self.model.states:
            if s.kind == "action" and s.role == "end" and s.parent and not s.moment:
                groups.setdefault((lower_first(plain(s.doc)) or blanks(s.action), plain(s.rule)), []).append(s.parent)
        return [
            f"As {self.everyone(list(dict.fromkeys(holders)))} ends, {name}{citation(rule)}."
            for (name, rule), holders in groups.items()
        ]

    def _turn_notes(self) -> list[str]:
        return [
            f"{upper_first(self._stays(t))}."
            for t in self.model.transitions
            if t.target is None and self.model.state(t.source).kind == "turn" and t.layer in self.layers
        ]


def hues_of(model: Model) -> dict[str, int]:
    """One hue per kind of phase, in turn."""
    families: dict[str, int] = {}
    found: dict[str, int] = {}
    for state in model.states:
        if state.kind == "phase":
            found[state.id] = families.setdefault(state.family or state.id, len(families) % 4)
    return found
