"""Says what a target of coverage is in the words of the rulebook, and where in the turn it belongs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from fsm.coverage.simple import cited
from fsm.coverage.target import Target
from fsm.model import Model, State, Transition
from fsm.model.graph import Graph
from fsm.wording import (
    few,
    guard_words,
    label_of,
    line,
    lower_first,
    plain,
    plain_words,
    upper_first,
)

NAMED = {
    "transitions": "Transitions taken",
    "states": "States entered",
    "rules": "Rules exercised",
    "literals": "Guard outcomes",
    "mcdc": "Cases of guards",
    "pairs": "Pairs of transitions",
    "refusals": "Events refused",
}
BETWEEN, ANYWHERE, TURN = "After any phase or step", "From any step", "Turn"


def criterion_words(name: str) -> str:
    """Return what a criterion counts: "Transitions taken"."""
    return NAMED.get(name) or upper_first(plain(name))


class TargetWords:
    """The words for the targets in one machine of a model. They are "" where only the names of a
    program say it.
    """

    def __init__(self, graph: Graph) -> None:
        self.model: Model = graph.model
        self.graph = graph
        self.rows = {row.id: row for row in self.model.transitions}
        self.states = {state.id: state for state in self.model.states}

    # where it belongs -----------------------------------------------------------------------------

    @cached_property
    def groups(self) -> Sequence[str]:
        """All groups in the order of the rulebook. There is one, called "", for a machine without
        phases.
        """
        if self.graph.model is not self.graph.whole:
            return [self._window]
        phases = list(dict.fromkeys(map(label_of, self.model.of_kind("phase"))))
        return [TURN, *phases, BETWEEN, ANYWHERE] if phases else [""]

    @property
    def _window(self) -> str:
        return line(self.model.title) or label_of(self.model.states[0])

    def group_of_state(self, id: str) -> str:
        """Return the group to which a state belongs: its phase, if it has one."""
        if len(self.groups) == 1:
            return self.groups[0]
        state = self.states.get(id)
        phase = (
            next((s for s in self.model.path(id) if s.kind == "phase"), None)
            if state is not None
            else None
        )
        if state is None or phase is not None:
            return label_of(phase) if phase is not None else TURN
        between = state.role in ("hub", "resume") and state.parent
        return BETWEEN if between else ANYWHERE if state.role == "procedure" else TURN

    def group_of_row(self, row: Transition) -> str:
        """Return the group to which a transition belongs."""
        whole = self.states[row.source].kind == "turn" and len(self.groups) > 1
        return ANYWHERE if whole else self.group_of_state(row.source)

    # what happens ---------------------------------------------------------------------------------

    def of_row(self, row: Transition) -> str:
        """Return what happens when a transition fires: "After untap, then Upkeep"."""
        if not self.graph.played:
            return ""
        source = self.states[row.source]
        head = self._from(source)
        if row.doc and not row.says:
            return upper_first(f"{head}: {lower_first(line(row.doc))}")
        why = plain_words(self.model, row)
        if row.layer == "skip" and why and (left_out := self._left_out(row)):
            return f"{label_of(left_out)} is left out: {why}"
        return upper_first(f"{head}{': ' if why else ''}{why}, then {self._to(source, row.target)}")

    def _left_out(self, row: Transition) -> State | None:
        """Return the step or phase that a transition passes over from its beginning to its end, if
        it does.
        """
        source, target = self.states[row.source], self.states.get(row.target or "")
        place = self._place(source)
        passes = target is not None and (source.role, target.role) == ("before", "after")
        return place if target is not None and passes and place is self._place(target) else None

    def _from(self, state: State) -> str:
        if state.kind == "turn":
            return "any step"
        if state.kind == "phase":
            return f"any step of {label_of(state)}"
        return self.of_state(state)

    def _to(self, source: State, target: str | None) -> str:
        if target is None:
            return "nothing happens"
        there = self.states[target]
        place = self._place(there)
        entered = (
            place is not None and place != self._place(source) and there.role in ("before", "begin")
        )
        return label_of(place) if entered and place is not None else label_of(there)

    def _place(self, state: State) -> State | None:
        """Return the step that a state is part of, or else the phase."""
        path = self.model.path(state.id)
        return next((s for kind in ("step", "phase") for s in path if s.kind == kind), None)

    def of_state(self, state: State) -> str:
        """Return a state as people know it, with the step that it is part of if its own name does
        not say it.
        """
        place, own = self._place(state), label_of(state)
        if place is None or place is state or label_of(place).casefold() in own.casefold():
            return own
        return f"{label_of(place)}: {own}"

    # targets --------------------------------------------------------------------------------------

    def rows_of(self, criterion: str, target: Target) -> tuple[str, ...]:
        """Return the transitions that a target consists of or is about."""
        ids: tuple[str, ...] = (target.id,)
        if criterion == "literals":
            ids = (target.id.rpartition(" where ")[0],)
        elif criterion == "mcdc":
            ids = (target.id.partition(" needs: ")[0],)
        elif " ; " in target.id:
            ids = tuple(target.id.split(" ; "))
        return ids if all(id in self.rows for id in ids) else ()

    def said(self, criterion: str, target: Target) -> str:
        """Return a target in words."""
        rows = [self.rows[id] for id in self.rows_of(criterion, target)]
        if not self.graph.played or (rows and not self.of_row(rows[0])):
            return ""
        if criterion == "states" and target.id in self.states:
            return self._state(self.states[target.id])
        if criterion == "rules":
            return self._rule(target.id)
        if not rows:
            return upper_first(line(target.text))
        said = ", then: ".join(map(self.of_row, rows))
        if criterion == "literals":
            return f"{said} ({self._literal(rows[0], target)})"
        if criterion == "mcdc":
            return f"{said} ({plain(target.text)})"
        return said

    def _state(self, state: State) -> str:
        kind = f", the whole {state.kind}" if state.kind in ("phase", "step") else ""
        return f"{self.of_state(state)}{kind}"

    def _literal(self, row: Transition, target: Target) -> str:
        term, _, held = target.id.rpartition(" where ")[2].rpartition(" ")
        known = next((guard_words([each]) for each in row.guard if str(each) == term), term)
        return f"“{known}” {held}"

    def _rule(self, rule: str) -> str:
        return upper_first(few(list(dict.fromkeys(self._cited_in(rule)))))

    def _cited_in(self, rule: str) -> Iterator[str]:
        states, rows, facts = cited(self.graph).get(rule, ({}, {}, {}))
        yield from (label_of(self._place(self.states[id]) or self.states[id]) for id in states)
        yield from (self._from(self.states[self.rows[id].source]) for id in rows)
        yield from (lower_first(line(self.model.fact(name).doc)) for name in facts)

    def group_of(self, criterion: str, target: Target) -> str:
        """Return the group to which a target belongs."""
        rows = self.rows_of(criterion, target)
        if rows:
            return self.group_of_row(self.rows[rows[-1]])
        if criterion == "rules":
            states, cited_rows, _ = cited(self.graph).get(target.id, ({}, {}, {}))
            first = next(iter(states), "") or next((self.rows[id].source for id in cited_rows), "")
            return self.group_of_state(first)
        if criterion == "refusals":
            return self.group_of_state(target.id.rpartition(" in ")[2])
        return self.group_of_state(target.id.partition(" > ")[0])
