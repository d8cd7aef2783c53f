"""What is seen of a turn, apart from its lines: cards, diamonds, discs, hubs, boxes and the
caption.
"""

from __future__ import annotations

from collections.abc import Sequence

from fsm.model import Model, State, Transition
from fsm.views.drawing.captions import box_rule, caption_of, holes_said
from fsm.views.drawing.cardlines import CardLines
from fsm.views.drawing.collapsed import NEXT, START, CollapsedTurn
from fsm.views.drawing.diagram import Box, Line, Node, NodeKind, Note, RowPlacement
from fsm.views.drawing.tooltips import tip
from fsm.wording import (
    blanks,
    citation,
    condition_of,
    few,
    label_of,
    listed,
    lower_first,
    plain,
    plain_words,
    rules_of,
    source_of,
    upper_first,
)

_IF_ADDED = "if an effect has added one"


class TurnCards:
    """The nodes, boxes and captions of one turn."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.collapsed = CollapsedTurn(model)
        self.said = CardLines(model, self.collapsed)
        self.hues = hues_of(model)
        self.jumps_are_listed = False

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
        found = [node for node in found if node.kind != "final" or node.id in ends]
        return found + ([self.next_node()] if NEXT in ends else [])

    def _in_order(self) -> list[State]:
        """What is drawn, in the model's order; the choices of a step stand before and after its
        card.
        """
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
            elif state.kind == "final" or state.id in loose or state in self.collapsed.hubs[:1]:
                found.append(state)
        return found

    def hue(self, state: str) -> int | None:
        box = self.collapsed.box_of(state)
        return self.hues.get(box) if box else None

    def card(self, state: State) -> Node:
        stages, fills = self.collapsed.walk(state.id), self.fills(state)
        name = label_of(state)
        return Node(
            state.id,
            "card",
            name,
            self.said.lines(state, stages),
            self.said.mark(stages),
            plain(state.rule),
            tip(self.model, name, *self.said.tips(stages), doc=state.doc, rule=state.rule),
            self.hue(state.id),
            self.collapsed.box_of(state.id),
            fills=fills,
        )

    def fills(self, card: State) -> bool:
        """Is it the whole of its phase, with the same name? Then both are one box."""
        box = self.collapsed.box_of(card.id)
        if not box or box == card.id:
            return False
        phase = self.model.state(box)
        inside = [
            s for s in self.model.children(box) if s.id in self.collapsed.cards or s.kind == "phase"
        ]
        return inside == [card] and label_of(phase).casefold() == label_of(card).casefold()

    def diamond(self, state: State) -> Node:
        """A choice: beside its card; before or after its box, but within the box around that, if
        there is one.
        """
        rows = self.collapsed.own.get(state.id, [])
        holder = self.model.state(state.parent) if state.parent else None
        place: RowPlacement = ""
        box, around = self.collapsed.box_of(state.id), self.outer_box(holder) if holder else ""
        if holder is None or holder.kind != "step":
            place = "before" if state.role == "before" else "after" if state.role == "after" else ""
        if around and holder and holder.kind == "phase":
            box, place = around, ""
        kind: NodeKind = "choice" if state.id in self.collapsed.choices else "lookup"
        said = dict.fromkeys(
            filter(None, (plain_words(self.model, row) for row in rows if not row.generic))
        )
        title = label_of(holder) if holder and state.role == "before" else ""
        told = tip(
            self.model,
            label_of(state),
            few(list(said)),
            rule=rules_of(r for r in rows if not r.generic),
        )
        return Node(
            state.id, kind, title, rule=plain(state.rule), tooltip=told, box=box, place=place
        )

    def outer_box(self, phase: State) -> str:
        """The box around that of a phase, or ""."""
        return self.collapsed.box_of(phase.parent) if phase.parent else ""

    def final(self, state: State) -> Node:
        told = tip(self.model, label_of(state), doc=state.doc, rule=state.rule)
        return Node(
            state.id,
            "final",
            lower_first(label_of(state)),
            rule=source_of(state.rule),
            tooltip=told,
        )

    def start_node(self) -> Node:
        """Where a turn begins."""
        return Node(
            START,
            "start",
            "the turn begins",
            tooltip=tip(self.model, "The turn begins", *self._once_said()),
        )

    def _once(self) -> list[State]:
        """What is done once, before the first turn."""
        return [s for s in self.collapsed.opening[:-1] if s.kind == "action"]

    def _once_said(self) -> list[str]:
        """The sentence about that, for the caption."""
        acts = self._once()
        said = listed([plain_words(self.model, s) for s in acts])
        cited = citation(source_of(rules_of(acts)))
        return [f"Before the first turn of the game, {said}{cited}."] if said else []

    def next_node(self) -> Node:
        """The end of the turn, with what comes next: extra turns, if the model has them."""
        hub = self.collapsed.opening[-1]
        extra = [t for t in self.collapsed.own.get(hub.id, []) if t.layer == "extra"]
        lines, rule = ("extra turns first",) if extra else (), rules_of(extra)
        before = [
            t
            for t in self.model.transitions
            if t.target == hub.id and t.source in self.collapsed.own
        ]
        passed = [f"passed over {condition_of(self.model, t.guard)}" for t in before if t.guard]
        told = tip(self.model, "Next turn", *passed, doc=hub.doc, rule=rule or hub.rule)
        return Node(NEXT, "final", "next turn", lines, rule=source_of(rule), tooltip=told)

    def hub(self, state: State) -> list[Node]:
        """Where extras start: one card, and one diamond that stands for all the places they come
        from.
        """
        hubs, into = self.collapsed.hubs, self._into_hubs()
        name, sources = self._hub_name(), self.sources(into)
        told = tip(self.model, upper_first(sources), rule=rules_of(into))
        sample = Node(f"{state.id}?", "lookup", sources, (_IF_ADDED,), tooltip=told)
        lines = tuple(dict.fromkeys(plain(hub.doc) for hub in hubs if hub.doc))
        told = tip(self.model, name, *lines, *self._hub_ways(), rule=rules_of(hubs))
        card = Node(state.id, "hub", name, lines[:1], tooltip=told)
        return [sample, card] if into else [card]

    def _hub_ways(self) -> list[str]:
        """What can be added, and at how many places the turn goes on afterwards."""
        hubs = {hub.id for hub in self.collapsed.hubs}
        targets = [t.target for t in self.model.transitions if t.source in hubs and t.target]
        added = [self.model.state(self.model.state(target).parent or target) for target in targets]
        back = [t for t in self.model.transitions if self.model.state(t.source).role == "resume"]
        return [
            listed([label_of(state) for state in added], "or"),
            f"goes on at one of {len(back)} places",
        ]

    def _hub_name(self) -> str:
        """ "Extra phase or step"."""
        names = [label_of(hub) for hub in self.collapsed.hubs]
        first = names[0].partition(" ")[0] + " "
        alike = all(name.startswith(first) for name in names)
        return (
            first + listed([name[len(first) :] for name in names], "or")
            if alike
            else listed(names, "or")
        )

    def _into_hubs(self) -> list[Transition]:
        return [
            t
            for hub in self.collapsed.hubs
            for t in self.collapsed.into.get(hub.id, ())
            if t.generic
        ]

    def _hub_lines(self) -> list[Line]:
        """The way into the hubs, once."""
        into = self._into_hubs()
        if not into:
            return []
        hub, rule = self.collapsed.hubs[0].id, rules_of(into)
        told = tip(self.model, upper_first(_IF_ADDED), rule=rule)
        return [
            Line(
                f"to_{hub}", f"{hub}?", hub, "extra", tooltip=told, steps=tuple(t.id for t in into)
            )
        ]

    def sources(self, into: Sequence[Transition]) -> str:
        """ "after any phase or step", or the words for whichever the generic rows are."""
        for role in ("after", "before"):
            rows = [t for t in into if self.model.state(t.source).role == role]
            holders = list(dict.fromkeys(self.model.state(t.source).parent for t in rows))
            if holders:
                return f"{role} {self.everyone(holders)}"
        return ""

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
        return listed(
            [f"any {listed(most, 'or')}" + (f" but {listed(but, 'or')}" if but else ""), *named],
            "or",
        )

    # boxes and caption --------------------------------------------------------------------------

    def box(self, state: State) -> Box:
        return Box(
            state.id,
            label_of(state).upper(),
            box_rule(self.model, state),
            tip(self.model, label_of(state), doc=state.doc, rule=state.rule),
            self.hues.get(state.id, 0),
            tuple(self.notes(state.id)),
            self.outer_box(state),
        )

    def notes(self, box: str) -> list[Note]:
        """Rules that leave out several steps alike, unless a line already shows that."""
        groups: dict[tuple[str, str], list[State]] = {}
        for t in self.collapsed.noted.get(box, []):
            step = self.model.state(self.model.state(t.source).parent)
            groups.setdefault((plain_words(self.model, t), plain(t.rule)), []).append(step)
        return [
            Note(
                f"{why}: no {', '.join(lower_first(label_of(step)) for step in steps)} {source_of(rule)}".strip(),
                "skip",
            )
            for (why, rule), steps in groups.items()
            if not self._shown_as_skipped(box, steps)
        ]

    def _shown_as_skipped(self, box: str, steps: Sequence[State]) -> bool:
        """Does a transition of the phase lead past all of these steps?"""
        places = {s.id: i for i, s in enumerate(self.model.states)}
        first, last = min(places[s.id] for s in steps), max(places[s.id] for s in steps)
        inside = [
            t for t in self.model.transitions if t.target and not t.generic and t.layer == "skip"
        ]
        inside = [
            t
            for t in inside
            if self.collapsed.box_of(t.source) == self.collapsed.box_of(t.target or "") == box
        ]
        return any(places[t.source] < first and places[t.target or ""] > last for t in inside)

    def caption(self) -> tuple[str, ...]:
        rules = {
            plain(rule)
            for rule in (
                *(s.rule for s in self.model.states),
                *(t.rule for t in self.model.transitions),
            )
        }
        rules -= {""}
        cites = "small words name the section" if rules else ""
        if any(rule[:1].isdigit() for rule in rules):
            cites = (
                "small numbers cite them" if self.model.rulebook else "small numbers cite the rule"
            )
        said = "; ".join(
            filter(None, (plain(self.model.rulebook) or plain(self.model.edition), cites))
        )
        first = [f"{upper_first(said)}."] if said else []
        rest = [
            *self._skip_words(),
            *self._ends(),
            *self._once_said(),
            *self._over_words(),
        ]
        return caption_of(([*first, *rest], [holes_said(self.model, self.model.leaves)]))

    def _skip_words(self) -> list[str]:
        """An effect can skip any turn, phase or step: with the rule that says so."""
        groups: dict[str, list[str]] = {}
        for t in self.model.transitions:
            parent = self.model.state(t.source).parent
            if t.generic and t.layer == "skip" and parent:
                groups.setdefault(source_of(t.rule), []).append(parent)
        by_holders: dict[frozenset[str], str] = {}
        for rule, holders in sorted(groups.items(), key=lambda group: -len(set(group[1]))):
            if not any(whole >= set(holders) for whole in by_holders):
                by_holders[frozenset(holders)] = rule
        found = []
        for whole, rule in by_holders.items():
            holders = [s.id for s in self.model.states if s.id in whole]
            found.append(f"An effect can skip {self.everyone(holders)}{citation(rule)}.")
        return found

    def _ends(self) -> list[str]:
        """What is done as every step or phase ends."""
        groups: dict[tuple[str, str], list[str]] = {}
        for s in self.model.states:
            if s.kind == "action" and s.role == "end" and s.parent:
                said = plain(s.says) or lower_first(plain(s.doc)) or blanks(s.action)
                groups.setdefault((said, source_of(s.rule)), []).append(s.parent)
        return [
            f"{upper_first(said)} as {self._each(list(dict.fromkeys(holders)))} ends{citation(rule)}."
            for (said, rule), holders in groups.items()
        ]

    def _each(self, holders: Sequence[str]) -> str:
        """ "each step", "each phase", or which."""
        steps = [s.id for s in self.model.of_kind("step")]
        if set(steps) <= set(holders):  # a phase whose last step ends with it is said by that
            return "each step"
        return self.everyone(holders).replace("any ", "each ")

    def game_over(self) -> list[Transition]:
        """The jumps from anywhere in the turn to the end of the game, if the ruleset has plain
        words for them.
        """
        rows = [
            t
            for t in self.model.transitions
            if t.says and t.target and self.model.state(t.source).kind == "turn"
        ]
        return [
            t
            for t in rows
            if t.layer == "jump" and self.model.state(t.target or "").kind == "final"
        ]

    def _over_words(self) -> list[str]:
        if self.jumps_are_listed:
            return []
        return [
            f"The game ends as soon as {plain(t.says)}{citation(source_of(t.rule))}."
            for t in self.game_over()
            if not t.generic
        ]


def hues_of(model: Model) -> dict[str, int]:
    """One hue per kind of phase, in turn."""
    families: dict[str, int] = {}
    found: dict[str, int] = {}
    for state in model.states:
        if state.kind == "phase":
            found[state.id] = families.setdefault(state.family or state.id, len(families) % 4)
    return found
