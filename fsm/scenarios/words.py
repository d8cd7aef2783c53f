"""What scenarios can name of a Model: its steps, phases, stages, actions and facts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from fsm.engine.semantics import semantics_of
from fsm.model import Fact, Model, State
from fsm.model.model import per_model
from fsm.runs.turns import turn_based
from fsm.state.scheduling import ACTIVE

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
    phases
        The names of the phases.
    stages
        The actions and windows of each step, by its name, in the model's order. `when` may name
        them.
    every_stage
        Every action and window of the turn by its id, also outside steps.
    actions
        The turn-based actions, with the names of the steps that have them.
    ordered_actions
        The actions that `tba_order` may name, in the model's order.
    facts
        The facts that the game tells, of the model and its window.
    roles
        The roles that players can be appointed to.
    has_stack
        Whether objects are put on a stack, from which they resolve.
    decided
        The names of the facts that are the last answer to an action.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self.steps: Mapping[str, str] = {step.name: step.id for step in model.of_kind("step")}
        self.phases = tuple(phase.name for phase in model.of_kind("phase"))
        self.every_stage = {state.id: state for state in model.leaves if _is_stage(state)}
        self.stages: dict[str, dict[str, State]] = {name: {} for name in self.steps}
        self.actions = defaultdict[str, set[str]](set)
        for state in model.leaves:
            step = model.enclosing(state.id, "step")
            if step is not None and _is_stage(state):
                self.stages[step.name][state.id] = state
            if state.action:
                self.actions[state.action].update([step.name] if step else [])
        based = [model.state(id).action for id in turn_based(model)]
        self.ordered_actions = tuple(dict.fromkeys(based))
        self.facts: Mapping[str, Fact] = semantics_of(model).facts
        names = semantics_of(model).names
        self.roles = set[str]().union(*names.roles.values(), [role.name for role in model.roles])
        if names.token:
            self.roles.add(ACTIVE)
        self.decided = {fact.name for fact in model.facts if fact.last}
        inside = model.window.states if model.window is not None else ()
        self.has_stack = any(state.asks == "resolve" for state in (*model.states, *inside))
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

    def has(self, word: str) -> bool:
        """Say whether the Model has anything of this name."""
        parts = self.steps, self.phases, self.every_stage, self.actions, self.facts
        return any(word in part for part in (*parts, self.model.signals))

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
