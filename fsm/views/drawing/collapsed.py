"""Collapsing a turn: which states are drawn as what, by role, layer and generic, never by name.

The stages of a step become its card. A choice whose rows lead to different places becomes a
diamond; the choice after a phase, where extra phases are looked up, becomes one too. All else is a
passage between these. A way back to an earlier stage of the same card is not followed: only those
that do not lie on the core layer are drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from fsm.model import Layer, Model, State, Transition
from fsm.views.drawing.captions import special
from fsm.views.drawing.following import Ends, by_ends, ends_of, followed
from fsm.wording import NO_RULE

START = "<start>"
NEXT = "<next>"
_OUTSIDE = frozenset({"before", "after", "hub", "resume", "procedure"})


@dataclass(slots=True)
class Way:
    """A way from one thing drawn to another: its transitions, and those that decided for it."""

    rows: list[Transition] = field(default_factory=list)
    decided: list[Transition] = field(default_factory=list)

    @property
    def layer(self) -> Layer:
        """The most special layer on the way."""
        return special(self.rows)


class CollapsedTurn:
    """What the states of a turn are drawn as, and the ways between these things."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.own, self.into = by_ends(model)
        self.signal_names = frozenset(model.signals)
        self.leaves: dict[str, list[str]] = {}
        for s in model.leaves:
            self.leaves.setdefault(s.parent, []).append(s.id)
        self.body = {s.id: card for s in model.states if (card := self._card_of(s))}
        self.noted = self._noted()
        self._noted_ids = frozenset(t.id for rows in self.noted.values() for t in rows)
        self.choices = {
            s.id
            for s in model.states
            if s.kind == "choice"
            and s.id not in self.body
            and s.role not in ("hub", "resume", "procedure")
        }
        self._demote()

    # what a state is drawn as ---------------------------------------------------------------

    def _card_of(self, state: State) -> str:
        if state.composite or state.kind == "final" or state.role in _OUTSIDE or not state.parent:
            return ""
        holder = self.model.state(state.parent)
        if holder.kind == "step":
            return holder.id
        stage = state.kind in ("action", "window", "stage") and state.role in (
            "",
            "action",
            "window",
        )
        return holder.id if stage and holder.kind == "phase" else ""

    @cached_property
    def cards(self) -> dict[str, list[State]]:
        """The states of each card, in the model's order; a step without stages has none."""
        found: dict[str, list[State]] = {s.id: [] for s in self.model.states if s.kind == "step"}
        for state in self.model.states:
            if state.id in self.body:
                found.setdefault(self.body[state.id], []).append(state)
        return found

    @cached_property
    def heads(self) -> dict[str, str]:
        """Where each card begins."""
        return {
            card: next((s.id for s in states if s.role == "begin"), states[0].id)
            for card, states in self.cards.items()
            if states
        }

    @cached_property
    def opening(self) -> list[State]:
        """What comes once, before the first turn: the procedure that a run starts with, and where
        it leads.
        """
        found = [self.model.state(self.model.initial)]
        while found[-1].role == "procedure" and len(rows := self.rows(found[-1].id)) == 1:
            following = self.model.state(rows[0].target or "")
            if following in found:
                break
            found.append(following)
        return found

    @cached_property
    def start(self) -> str:
        """The state a turn starts in, when it is none of a card's stages."""
        first = self.opening[-1].id
        return "" if first in self.body else first

    def box_of(self, state: str) -> str:
        """The innermost phase around a state, or ""."""
        return next((s.id for s in self.model.path(state) if s.kind == "phase"), "")

    @cached_property
    def backs(self) -> frozenset[Transition]:
        """The transitions that lead back to an earlier stage of the same card."""
        return frozenset(row for card in self.heads for row in self._backs(card))

    def _backs(self, card: str) -> Iterator[Transition]:
        """Those that close a circle, when the card is gone through from where it begins, then from
        elsewhere.
        """
        seen: set[str] = set()
        for first in (self.heads[card], *(s.id for s in self.cards[card])):
            way = [] if first in seen else [(first, iter(self.rows(first)))]
            seen.add(first)
            while way:
                row = next(way[-1][1], None)
                if row is None:
                    way.pop()
                elif row.target in [state for state, _ in way]:
                    yield row
                elif row.target and self.body.get(row.target) == card and row.target not in seen:
                    seen.add(row.target)
                    way.append((row.target, iter(self.rows(row.target))))

    def is_lookup(self, state: str) -> bool:
        """Is this where extra phases are looked up: the choice after a phase, with generic extra
        rows?
        """
        s = self.model.state(state)
        extra = any(t.generic and t.layer == "extra" for t in self.own.get(state, ()))
        return (
            s.role == "after"
            and extra
            and bool(s.parent)
            and self.model.state(s.parent).kind == "phase"
        )

    def shown_as(self, state: str) -> str:
        """The id of what this state is drawn as (or as part of), or "" for a passage."""
        if state == self.start:
            return NEXT
        if state in self.body:
            return self.body[state]
        s = self.model.state(state)
        if s.role == "hub":
            return self.hubs[0].id
        return state if s.kind == "final" or state in self.choices or self.is_lookup(state) else ""

    @cached_property
    def hubs(self) -> list[State]:
        """Where extra phases and steps start: the first one stands for all of them."""
        return [s for s in self.model.states if s.role == "hub" and s.id != self.start]

    @property
    def diamonds(self) -> list[State]:
        """The choices and look-ups, in the model's order."""
        return [
            s
            for s in self.model.states
            if s.id != self.start and (s.id in self.choices or self.is_lookup(s.id))
        ]

    def _noted(self) -> dict[str, list[Transition]]:
        """Rules that leave out several steps of a phase alike: said once in its box, not drawn each
        time.
        """
        groups: dict[tuple[object, ...], list[Transition]] = {}
        for t in self.model.transitions:
            if t.layer != "skip" or t.generic or t.target is None:
                continue
            source, target = self.model.state(t.source), self.model.state(t.target)
            if (source.role, target.role) == ("before", "after") and source.parent == target.parent:
                groups.setdefault((self.box_of(t.source), t.guard, t.rule), []).append(t)
        found: dict[str, list[Transition]] = {}
        for (box, *_), rows in groups.items():
            if box and len(rows) > 1:
                found.setdefault(str(box), []).extend(rows)
        return found

    def rows(self, state: str) -> list[Transition]:
        """The transitions of a state that are drawn as lines; a choice has none for a signal: see
        `signals`.
        """
        choice = self.model.state(state).kind == "choice"
        return [
            t
            for t in self.own.get(state, ())
            if not t.generic and t.target is not None and t.id not in self._noted_ids
            if not (choice and self.is_signal(t)) and not self.is_rare(t)
        ]

    def is_rare(self, row: Transition) -> bool:
        """Is it left to the views of stages, as it comes once in a hundred games, or by no rule?

        A phase that takes the place of another and goes back, a turn that does not begin, an end
        without a rule.
        """
        if row.generic or row.target is None:
            return False
        target = self.model.state(row.target)
        instead = any(action.name == "push_return" for action in row.actions)
        no_turn = target.role == "hub" and self.model.state(row.source).role == "before"
        return instead or no_turn or (target.kind == "final" and row.rule.startswith(NO_RULE))

    def is_signal(self, row: Transition) -> bool:
        """Does it fire on something other than that its state is finished?"""
        return row.event in self.signal_names

    def signals(self, state: State) -> list[Transition]:
        """The transitions that take the turn out of a whole turn, phase or step, or out of a choice
        on the way.
        """
        rows = [t for t in self.own.get(state.id, ()) if not t.generic and t.target is not None]
        return (
            rows
            if state.composite
            else [t for t in rows if state.kind == "choice" and self.is_signal(t)]
        )

    def _demote(self) -> None:
        """A choice whose rows all lead to the same place is a passage."""
        changed = True
        while changed:
            changed = False
            for choice in sorted(self.choices):
                reached = [frozenset(self.ways([row])) for row in self.rows(choice)]
                if len(set(reached)) < 2:
                    self.choices.discard(choice)
                    changed = True

    # ways ---------------------------------------------------------------------------------------

    def ways(self, first: Iterable[Transition], card: str = "") -> dict[str, Way]:
        """Everything drawn that these transitions lead to through passages, and how.

        With `card`, the stages of that card are passages too; its head, reached again, is an end,
        and so is the card itself for a way back inside it.
        """
        rows = followed(first, lambda state: () if self._stops(state, card) else self.rows(state))
        reach = ends_of(rows, lambda row, reach: self._ends(row, reach, card))
        found: dict[str, Way] = {}
        for row in rows:
            there = self._ends(row, reach, card)
            here = reach[row.source]
            for end in sorted(there):
                way = found.setdefault(end, Way())
                way.rows.append(row)
                if there != here and (row.guard or there != here - {""}):
                    way.decided.append(row)
        found.pop("", None)
        return found

    def _stops(self, state: str, card: str) -> bool:
        if card and self.body.get(state) == card:
            return state == self.heads[card]
        return bool(self.shown_as(state))

    def _ends(self, row: Transition, reach: Ends, card: str) -> frozenset[str]:
        target = row.target or ""
        if card and self.inside_again(row):
            return frozenset({card if row.layer != "core" else ""})
        if self._stops(target, card):
            return frozenset({self.shown_as(target)})
        return reach.get(target, frozenset())

    @cached_property
    def drawn_backs(self) -> frozenset[str]:
        """The ids of the ways back inside a card that have a line of their own."""
        return frozenset(row.id for row in self.backs if row.layer != "core")

    def inside_again(self, row: Transition) -> bool:
        """Does it lead back to a stage of its card, other than where the card begins?"""
        return row in self.backs and row.target != self.heads[self.body[row.source]]

    def walk(self, card: str) -> list[State]:
        """The stages of a card that can be reached, in the order of its table."""
        if card not in self.heads:
            return []
        entered = [
            t.target
            for s in self.cards[card]
            for t in self.into.get(s.id, ())
            if self.body.get(t.source) != card
        ]
        seen, queue = {self.heads[card]}, [self.heads[card], *(e for e in entered if e)]
        while queue:
            for row in self.rows(queue.pop(0)):
                if row.target and self.body.get(row.target) == card and row.target not in seen:
                    seen.add(row.target)
                    queue.append(row.target)
        return [s for s in self.cards[card] if s.id in seen]
