"""Says what a target of coverage is in the words of the rulebook."""

from __future__ import annotations

from fsm.coverage.target import Target
from fsm.model import State, Transition
from fsm.model.graph import Graph
from fsm.wording import blanks, label_of, line, plain, plain_words, upper_first

CRITERIA = {
    "transitions": "Transitions taken",
    "states": "States entered",
    "rules": "Rules exercised",
    "literals": "Guard outcomes",
    "pairs": "Pairs of transitions",
}


class TargetWords:
    """The words for the targets in one machine of a model."""

    def __init__(self, graph: Graph) -> None:
        self.model = graph.model
        self.played = graph.played
        self.rows = {row.id: row for row in self.model.transitions}
        self.states = {state.id: state for state in self.model.states}

    def rows_of(self, target: Target) -> list[Transition]:
        """Return the transitions that a target consists of or is about."""
        return [self.rows[id] for id in target.rows]

    def said(self, criterion: str, target: Target) -> str:
        """Return a target in words, or "" where only the names of a program say it."""
        rows = self.rows_of(target)
        if not self.played:
            return ""
        if target.id in self.states:
            return self._state(target.id)
        if not rows:
            return upper_first(line(target.text))
        said = ", then: ".join(map(self._row, rows))
        if criterion == "literals":
            return f"{said} ({blanks(target.id.rpartition(' where ')[2])})"
        return said

    def _row(self, row: Transition) -> str:
        """Return what happens when a transition fires: "Declare attackers: nobody attacks, then
        End of combat".
        """
        source = self.states[row.source]
        head = "Any step" if source.kind == "turn" else self._state(row.source)
        why = plain(row.says) or line(row.doc) or plain_words(self.model, row)
        goal = self._state(row.target) if row.target else "nothing happens"
        if why:
            return f"{head}: {why}, then {goal}"
        return f"{head}, then {goal}"

    def _state(self, id: str) -> str:
        """Return a state, with the step that it is part of if its own name does not say it."""
        state = self.states[id]
        place = self._place(state)
        own = label_of(state)
        if place is None or label_of(place).casefold() in own.casefold():
            return own
        return f"{label_of(place)}: {own}"

    def _place(self, state: State) -> State | None:
        """Return the step that a state is part of, or else the phase."""
        return self.model.enclosing(state.id, "step") or self.model.enclosing(state.id, "phase")
