"""Says what a target of coverage is in the words of the rulebook, and where it belongs."""

from __future__ import annotations

from functools import cached_property

from fsm.coverage.target import Target
from fsm.model import Model, State, Transition
from fsm.model.graph import Graph
from fsm.wording import guard_words, label_of, line, lower_first, plain, plain_words, upper_first

CRITERIA = {
    "transitions": "Transitions taken",
    "states": "States entered",
    "rules": "Rules exercised",
    "literals": "Guard outcomes",
    "mcdc": "Cases of guards",
    "pairs": "Pairs of transitions",
    "refusals": "Events refused",
}
BETWEEN, ANYWHERE, TURN = "After any phase or step", "From any step", "Turn"


class TargetWords:
    """The words for the targets in one machine of a model."""

    def __init__(self, graph: Graph) -> None:
        self.model: Model = graph.model
        self.played = graph.played
        self.whole = graph.model is graph.whole
        self.rows = {row.id: row for row in self.model.transitions}
        self.states = {state.id: state for state in self.model.states}

    @cached_property
    def groups(self) -> list[str]:
        """All groups in the order of the rulebook. A machine without phases has one, called ""."""
        if not self.whole:
            return [line(self.model.title) or label_of(self.model.states[0])]
        phases = list(dict.fromkeys(map(label_of, self.model.of_kind("phase"))))
        return [TURN, *phases, BETWEEN, ANYWHERE] if phases and self.played else [""]

    def group_of(self, criterion: str, target: Target) -> str:
        """Return the group to which a target belongs: a phase, or what is outside of all."""
        rows = self.rows_of(criterion, target)
        id = rows[-1].source if rows else target.id.rpartition(" in ")[2].partition(" > ")[0]
        state = self.states.get(id)
        if len(self.groups) == 1 or state is None:
            return self.groups[0]
        if rows and state.kind == "turn":
            return ANYWHERE
        if phase := self.model.enclosing(id, "phase"):
            return label_of(phase)
        if state.role in ("hub", "resume") and state.parent:
            return BETWEEN
        return ANYWHERE if state.role == "procedure" else TURN

    def rows_of(self, criterion: str, target: Target) -> list[Transition]:
        """Return the transitions that a target consists of or is about."""
        mark = {"literals": " where ", "mcdc": " needs: "}.get(criterion)
        ids = [target.id.partition(mark)[0]] if mark else target.id.split(" ; ")
        return [self.rows[id] for id in ids if id in self.rows]

    def said(self, criterion: str, target: Target) -> str:
        """Return a target in words, or "" where only the names of a program say it."""
        rows = self.rows_of(criterion, target)
        if not self.played:
            return ""
        if not rows:
            state = self.states.get(target.id)
            return self._state(state) if state else upper_first(line(target.text))
        said = ", then: ".join(map(self._row, rows))
        if criterion == "literals":
            term, _, held = target.id.rpartition(" where ")[2].rpartition(" ")
            known = (guard_words([one]) for one in rows[0].guard if one == term)
            said += f" (“{next(known, term)}” {held})"
        elif criterion == "mcdc":
            said += f" ({plain(target.text)})"
        return said

    def _row(self, row: Transition) -> str:
        """Return what happens when a transition fires: "After untap, then Upkeep"."""
        source = self.states[row.source]
        head = self._state(source)
        if source.composite:
            head = "any step" + (f" of {label_of(source)}" if source.kind != "turn" else "")
        if row.doc and not row.says:
            return upper_first(f"{head}: {lower_first(line(row.doc))}")
        why = plain_words(self.model, row)
        if row.target is None:
            goal = "nothing happens"
        else:
            target = self.states[row.target]
            place, here = self._place(target), self._place(source)
            enters = place != here and target.role in ("before", "begin")
            left_out = place == here and (source.role, target.role) == ("before", "after")
            if left_out and why and place:
                return f"{label_of(place)} is left out: {why}"
            goal = label_of(place if enters and place else target)
        return upper_first(f"{head}{': ' if why else ''}{why}, then {goal}")

    def _place(self, state: State) -> State | None:
        """Return the step that a state is part of, or else the phase."""
        return self.model.enclosing(state.id, "step") or self.model.enclosing(state.id, "phase")

    def _state(self, state: State) -> str:
        """Return a state, with the step that it is part of if its own name does not say it."""
        place, own = self._place(state), label_of(state)
        if place is None or place == state or label_of(place).casefold() in own.casefold():
            return own
        return f"{label_of(place)}: {own}"
