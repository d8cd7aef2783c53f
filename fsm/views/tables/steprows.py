"""Writes the rows of one step, or of the beginning or end of a phase or turn, in the order in which
they happen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from fsm.model import Model, State, Transition
from fsm.views.tables.destinations import destination, is_ordinary, leaves
from fsm.views.tables.expiry import expiries
from fsm.views.tables.stateorder import StateOrder, outgoing, state_order, stops
from fsm.views.tables.turntable import Row
from fsm.views.tables.windows import window_rows
from fsm.views.tables.wording import (
    action_sentence,
    condition,
    either,
    ending_sentence,
    event_words,
    no_transition,
    sentence,
    state_words,
)
from fsm.wording import Condition, label_of, lower_first, rules_of

_MOMENTS = {"begin": ("begin", "end"), "end": ("end",), "after": ("end",)}


@dataclass
class StepRowsWriter:
    """Writes the rows of some states of `home`, which is a step, phase or turn."""

    model: Model
    home: State
    members: Sequence[State]
    state_order: StateOrder = field(init=False)

    def __post_init__(self) -> None:
        self.state_order = state_order(self.model, self.members)

    def rows(self) -> tuple[Row, ...]:
        """Return all rows in order."""
        return (*self._before(), *self._during())

    # before it begins -----------------------------------------------------------------------------

    def _before(self) -> Iterator[Row]:
        for state in self._ordered():
            if state.role == "before":
                for row in outgoing(self.model)[state.id]:
                    if not row.generic and row.target is not None:
                        yield from self._instead(row)
                yield from self._hole(state)

    def _instead(self, row: Transition) -> Iterator[Row]:
        """Yield what happens instead of its beginning."""
        when = condition(self.model, row)
        target = self.model.state(row.target or row.source)
        if leaves(self.model, self.home, row) and self.home.kind != "turn":
            if not is_ordinary(self.model, self.home, row):
                text = sentence(when, f"{state_words(self.model, target.id)} comes instead")
                yield Row("absent", text, self._rule(row.rule), state=row.source)
        elif target.role in ("after", "hub"):
            yield Row(
                "absent",
                sentence("", f"left out {when}".strip()),
                self._rule(row.rule),
                state=row.source,
            )

    # what happens in it ---------------------------------------------------------------------------

    def _during(self) -> Iterator[Row]:
        windows = acts = 0
        for state in self._ordered():
            if state.role == "before":
                continue
            if state.kind == "window":
                yield from window_rows(
                    self.model, state, self._when(state.id), first=not windows, acted=bool(acts)
                )
            else:
                yield from self._state(state)
            windows += state.kind == "window"
            acts += state.role == "action"
            yield from self._onward(state)
            yield from self._hole(state)

    def _ordered(self) -> list[State]:
        return [self.model.state(id) for id in self.state_order.order]

    def _state(self, state: State) -> Iterator[Row]:
        entering = [
            row for row in self.model.transitions if row.target == state.id and row.layer != "jump"
        ]
        for moment in _MOMENTS.get(state.role, ()):
            yield from expiries(self.model, entering, moment, self.home.kind, self.home)
        marks = expiries(self.model, entering, "mark", self.home.kind, self.home)
        if self._has_own_row(state):
            done = self._done(state)
            yield replace(done, text=" ".join([done.text, *(row.text for row in marks)]))
        yield from marks

    def _hole(self, state: State) -> Iterator[Row]:
        if stops(self.model, state):
            text = f"no way on from: {label_of(state)}"
            yield Row("hole", sentence("", text), self._rule(state.rule), state=state.id)

    def _has_own_row(self, state: State) -> bool:
        """Say whether this state has a row of its own."""
        return state.kind in ("action", "window") or bool(
            state.doc and state.role in ("", "action", "begin")
        )

    def _done(self, state: State) -> Row:
        """Return the row of an action."""
        when, again = self._when(state.id), self._resumed(state)
        text = ending_sentence(state, when) if state.role == "end" else action_sentence(state, when)
        text = f"{text.removesuffix('.')}; then {again} again." if again else text
        return Row(
            "end" if state.role == "end" else "action", text, self._rule(state.rule), state=state.id
        )

    def _resumed(self, state: State) -> str:
        """Return the window that continues after the procedure of an event that interrupted it.

        It is "" if the window continues only under a condition, which has a row of its own.
        """
        back = [
            row.target or ""
            for row in self.state_order.back
            if row.source == state.id and not row.guard
        ]
        windows = [target for target in back if self._is_window(target)]
        return (
            lower_first(label_of(self.model.state(windows[0])))
            if windows and self._meanwhile(state.id)
            else ""
        )

    def _is_window(self, id: str | None) -> bool:
        return id is not None and self.model.state(id).kind == "window"

    def _meanwhile(self, id: str) -> bool:
        """Say whether this happens only because of an event while a window is open."""
        rows = self.state_order.into(id)
        return bool(rows) and all(
            row.event in self.model.signals or self._meanwhile(row.source) for row in rows
        )

    # under which condition ------------------------------------------------------------------------

    def _when(self, id: str) -> Condition | str:
        """Return the condition under which the step reaches this state, or "" if it always does."""
        rows = [
            row
            for row in self.state_order.into(id)
            if self.model.state(row.source).role != "before"
        ]
        if rows and all(row.event in self.model.signals for row in rows):
            return self._while(rows, id)
        own = either(self._condition(row, id) for row in rows)
        return self._inherited(self.model.state(rows[0].source), own) if len(rows) == 1 else own

    def _inherited(self, source: State, own: Condition) -> Condition | str:
        """Combine a condition with that of the state before.

        If that state has a row of its own, it is "in that case", or "otherwise" after a row that
        leads back from it.
        """
        before = self._when(source.id)
        if own and isinstance(before, Condition) and not self._has_own_row(source):
            return replace(
                own, holds=(*before.holds, *own.holds), fails=(*before.fails, *own.fails)
            )
        if own or not before or not self._has_own_row(source):
            return own or before
        return (
            "otherwise"
            if any(row.source == source.id and row.guard for row in self.state_order.back)
            else "in that case"
        )

    def _while(self, rows: Sequence[Transition], goal: str) -> str:
        found = [
            self._condition(row, goal).when(event_words(self.model, row.event)) for row in rows
        ]
        ways = either(found)
        otherwise = "otherwise, " if ways.otherwise else ""
        meanwhile = "while in this step" if self.home.kind == "step" else "meanwhile"
        return f"{otherwise}{meanwhile}, {replace(ways, otherwise=False)}"

    def _condition(self, row: Transition, goal: str = "") -> Condition:
        """Return the condition of a transition, ignoring other transitions to `goal`."""
        return condition(
            self.model,
            row,
            self.state_order.leading(goal) if goal else no_transition,
            self._has_row,
        )

    def _has_row(self, row: Transition) -> bool:
        """Say whether this transition has a row of its own."""
        return not (leaves(self.model, self.home, row) and is_ordinary(self.model, self.home, row))

    # where it goes on -----------------------------------------------------------------------------

    def _onward(self, state: State) -> Iterator[Row]:
        ways: dict[tuple[str, str | None], list[Transition]] = {}
        for row in outgoing(self.model)[state.id]:
            if not row.generic:
                alike = row.id if row.event in self.model.signals else row.event
                ways.setdefault((alike, row.target), []).append(row)
        for rows in ways.values():
            first = rows[0]
            if first in self.state_order.back:
                yield from self._again(state, rows)
            elif first.event in self.model.signals:
                yield from self._meanwhile_elsewhere(rows)
            elif first.target is not None and leaves(self.model, self.home, first):
                yield from self._leaving(state, rows)

    def _again(self, state: State, rows: Sequence[Transition]) -> Iterator[Row]:
        target = self.model.state(rows[0].target or "")
        if self._resumed(state) and self._is_window(target.id):
            return
        anew = target.role in ("before", "begin")
        what = (
            f"another {label_of(self.home)} begins" if anew else f"again from: {label_of(target)}"
        )
        yield self._row("again", sentence(self._condition_of(state, rows), what), rows)

    def _meanwhile_elsewhere(self, rows: Sequence[Transition]) -> Iterator[Row]:
        if rows[0].target is None or leaves(self.model, self.home, rows[0]):
            here = rows[0].target is None
            what = "nothing happens" if here else destination(self.model, self.home, rows[0])
            yield self._row("event", sentence(self._while(rows, ""), what), rows)

    def _leaving(self, state: State, rows: Sequence[Transition]) -> Iterator[Row]:
        if not is_ordinary(self.model, self.home, rows[0]):
            what = destination(self.model, self.home, rows[0])
            yield self._row("then", sentence(self._condition_of(state, rows), what), rows)
        if self.home.kind == "turn":
            yield from expiries(self.model, rows, "mark", "turn", self.home)

    def _condition_of(self, state: State, rows: Sequence[Transition]) -> Condition | str:
        """Return the condition of these transitions, or that of the state that they leave."""
        return self._inherited(state, either(map(self._condition, rows)))

    def _row(
        self, kind: Literal["again", "event", "then"], text: str, rows: Sequence[Transition]
    ) -> Row:
        return Row(kind, text, self._rule(rules_of(rows)), state=rows[0].source)

    def _rule(self, rule: str) -> str:
        return rule or self.home.rule
