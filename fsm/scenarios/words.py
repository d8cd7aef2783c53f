"""What scenarios can name of a Model: its steps, phases, stages, actions and facts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain

from fsm.engine.semantics import semantics_of
from fsm.model import Fact, Model, State
from fsm.model.model import per_model

DUE = {"extra_due": "extra", "skip_due": "skipped"}
"""The tests that say which orders a model knows."""


class Words:
    """The names in one Model that scenarios may use.

    Attributes
    ----------
    model
        The Model.
    steps
        The ids of the steps by name, in the model's order.
    every_stage
        Every action and window of the turn by its id, also outside steps.
    stages
        Those of each step, by its name, in the model's order. `when` may name them.
    actions
        The turn-based actions.
    facts
        The facts that the game tells, of the model and its window.
    roles
        The roles that players can be appointed to.
    has_stack
        Whether objects are put on a stack, from which they resolve.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self.steps: Mapping[str, str] = {step.name: step.id for step in model.of_kind("step")}
        self.every_stage = {state.id: state for state in model.leaves if _is_stage(state)}
        self.stages: dict[str, dict[str, State]] = {name: {} for name in self.steps}
        for id, state in self.every_stage.items():
            step = model.enclosing(id, "step")
            if step is not None:
                self.stages[step.name][id] = state
        self.actions = {state.action for state in model.leaves if state.action}
        self.facts: Mapping[str, Fact] = semantics_of(model).facts
        self.roles = semantics_of(model).names.roles
        states = chain.from_iterable(machine.states for machine in model.machines.values())
        self.has_stack = any(state.asks == "resolve" for state in states)
        self._things = frozenset(self._every_thing())

    def _every_thing(self) -> Iterator[str]:
        """Yield what verbs may need."""
        yield from (f"the action {action}" for action in self.actions)
        for machine in self.model.machines.values():
            yield from (f"the event {event.name}" for event in machine.events)
        yield from (f"the fact {fact}" for fact in self.facts)
        for test in semantics_of(self.model).names.tests:
            if len(test) == 2 and test[0] in DUE:
                yield f"{DUE[test[0]]} {test[1]}s"
        if self.roles:
            yield "a role"
        if {*self.model.signals} - {self.model.leaving}:
            yield "an event"

    def lacks(self, need: str) -> str:
        """Return why the Model refuses what has this need, or "" if it has what is needed.

        A need is "the action NAME", "the event NAME", "the fact NAME", or several with " or " or
        " and " between them.
        """
        for one in need.split(" and ") if need else ():
            if self._things.isdisjoint(one.split(" or ")):
                return f"it needs {one}"
        return ""

    def usually_at(self, step: str) -> str:
        """Return where in a step something happens by default: "priority" if players always get it
        there, else "begin".
        """
        inside = self.model.window
        if inside is None:
            return "begin"
        acting = {state.id for state in inside.states if state.asks == "priority"}
        for _ in inside.states:  # in some windows nobody gets there
            acting.update(row.source for row in inside.transitions if row.target in acting)
        windows = [state for state in self.stages[step].values() if state.opens == "natural"]
        entered = {window.enters or inside.initial for window in windows}
        return "begin" if acting.isdisjoint(entered) else "priority"


def _is_stage(state: State) -> bool:
    """Say whether something can happen at this state."""
    return state.kind == "window" or (state.kind == "action" and bool(state.asks))


@per_model
def words_of(model: Model) -> Words:
    """Return the names in a Model that scenarios may use."""
    return Words(model)
