"""What a Model's words are: the steps, phases, actions and durations that a scenario may name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from fsm.model import Model


@dataclass(frozen=True)
class Words:
    """The vocabulary of one Model, computed from it and from nothing else."""

    model: Model

    @cached_property
    def steps(self) -> Mapping[str, str]:
        """The steps by name, with their state ids, in the model's order."""
        return {s.name: s.id for s in self.model.of_kind("step")}

    @cached_property
    def phases(self) -> tuple[str, ...]:
        """The phases as `expect` calls them."""
        return tuple(s.name for s in self.model.of_kind("phase"))

    @cached_property
    def families(self) -> tuple[str, ...]:
        """The phases as effects call them."""
        return tuple(dict.fromkeys(s.family or s.name for s in self.model.of_kind("phase")))

    @cached_property
    def actions(self) -> Mapping[str, frozenset[str]]:
        """The turn-based actions, with the names of the steps they belong to."""
        found: dict[str, set[str]] = {}
        for state in self.model.leaves:
            step = self.model.enclosing(state.id, "step")
            if state.action:
                found.setdefault(state.action, set()).update({step.name} if step else ())
        return {action: frozenset(steps) for action, steps in found.items()}

    @cached_property
    def ordered_actions(self) -> tuple[str, ...]:
        """The actions that `tba_order` may name, in the model's order."""
        return tuple(dict.fromkeys(self.model.state(id).action for id in turn_based(self.model)))

    @cached_property
    def with_priority(self) -> frozenset[str]:
        """The steps in which players always get priority."""
        return frozenset(
            name for name, id in self.steps.items() if any(s.opens == "natural" for s in self.model.children(id))
        )

    def phases_with(self, action: str) -> frozenset[str]:
        """The names of the phases one of whose steps has this action."""
        homes = (self.model.enclosing(self.steps[step], "phase") for step in self.actions.get(action, ()))
        return frozenset(home.name for home in homes if home)

    def knows(self, need: str) -> bool:
        """Has the model this fact, action, event or test? `need` is "" or "fact:NAME" and so on."""
        return not need or need in self._known

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self._everything())

    def _everything(self) -> Iterator[str]:
        yield from (f"action:{action}" for action in self.actions)
        for model in (self.model, self.model.window):
            if model is not None:
                yield from (f"event:{event.name}" for event in model.events)
                yield from (f"fact:{fact.name}" for fact in model.facts)
                yield from (f"test:{fact.test[0]}" for fact in model.facts if fact.test)


def turn_based(model: Model) -> tuple[str, ...]:
    """The states of turn-based actions: those of a step before players may act, not what ends the step."""
    found: list[str] = []
    for step in model.of_kind("step"):
        before_window = True
        for state in model.children(step.id):
            before_window = before_window and state.kind != "window"
            if before_window and state.role == "action" and state.action:
                found.append(state.id)
    return tuple(found)
