"""The Machine: a Model as a `transitions.Machine`. All games of a model share one.

The machine is flat: turn, phases and steps are not states of it. A transition whose source is composite is added for
every state inside. A game is not a registered model of the library's machine: `fire` takes it as an argument.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import transitions

from fsm.compiled import CompiledMachine, CompiledTransition
from fsm.engine.refusals import Refusal, refusal_of
from fsm.model import Action, Fact, Model, Transition
from fsm.state.arguments import check_primitives
from fsm.state.primitives import ACTIONS, holds
from fsm.state.run import Run


@dataclass(slots=True)
class Firing:
    """What one event did: the transition that fired, and the facts that its guards read."""

    transition: Transition | None = None
    guards: dict[str, bool] = field(default_factory=dict)


class ModelTransition(CompiledTransition):
    """A transition of the library that keeps the Model's transition and reports when it has fired."""

    def __init__(self, *args: Any, row: Transition | None = None, **kwargs: Any) -> None:
        kwargs["rule"] = row.rule if row is not None else ""
        super().__init__(*args, **kwargs)
        self.row = row

    def fired(self, model: object, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
        """Store the transition in the Firing, if `fire` has passed one."""
        if args and isinstance(args[0], Firing):
            args[0].transition = self.row


class Machine(CompiledMachine):
    """A `transitions.Machine` whose triggers run generated code. `from_model` makes one from a Model.

    The constructor is that of the library. `CompiledMachine` says what the library's own code still does.

    Attributes
    ----------
    definition
        The Model from which the machine was made, or None.
    """

    transition_cls: type[transitions.Transition] = ModelTransition
    definition: Model | None = None

    @classmethod
    def from_model(cls, model: Model, subject: object = None, *, attribute: str = "state") -> Machine:
        """Return the machine of a Model.

        Parameters
        ----------
        model
            The model.
        subject
            An object of your own that the machine drives, as in the library. It gets a method for each event. Its
            attributes or methods with the names of facts are the guards. Its methods with the names of actions are
            called.
        attribute
            The name of the attribute in which the subject keeps its state.

        Returns
        -------
        Machine
            The machine.

        Raises
        ------
        ModelError
            If the model names a primitive that does not exist.
        """
        check_primitives(model)
        machine = cls(
            model=subject,
            states=[{"name": s.id, "final": s.kind == "final"} for s in model.leaves],
            initial=model.initial,
            auto_transitions=False,
            send_event=not (subject is not None and _named(model)),
            model_attribute=attribute,
            name=model.name,
        )
        machine.definition = model
        callbacks = _reading(model) if machine.send_event else _by_name
        for leaf in model.leaves:
            for event in model.events:
                for row in model.rows(leaf.id, event.name):
                    machine.add_transition(event.name, leaf.id, row.target, row=row, **callbacks(row))
        return machine

    def fire(self, run: Run, event: str) -> Firing | None:
        """Fire an event for a run.

        Parameters
        ----------
        run
            The run. It is changed.
        event
            The name of the event.

        Returns
        -------
        Firing or None
            What happened, or None if the state has no transition for the event or no guard holds.
        """
        assert self.definition is not None, "fire() is for machines made from a Model"
        if not self.definition.rows(getattr(run, self.model_attribute), event):
            return None
        firing = Firing()
        self.events[event].trigger(run, firing)
        return firing if firing.transition is not None else None

    def explain(self, run: Run, event: str) -> Refusal | None:
        """Say why an event cannot fire for a run now.

        Parameters
        ----------
        run
            The run. It is not changed.
        event
            The name of the event.

        Returns
        -------
        Refusal or None
            The reasons, or None if the event can fire. An event that would change nothing has a Refusal too.
        """
        assert self.definition is not None, "explain() is for machines made from a Model"
        return refusal_of(self.definition, run, getattr(run, self.model_attribute), event)


def _firing(event_data: transitions.EventData) -> Firing | None:
    """Return the Firing that `fire` has passed to the library, or None if something else triggered the event."""
    found = next(iter(event_data.args), None)
    return found if isinstance(found, Firing) else None


@dataclass(frozen=True, slots=True)
class _Reads:
    """Reads one fact of a run, or of any other object that has an attribute or method of that name."""

    fact: Fact

    def __call__(self, event_data: transitions.EventData) -> bool:
        subject: object = event_data.model
        if not isinstance(subject, Run):
            found: object = getattr(subject, self.fact.name)
            return bool(found() if callable(found) else found)
        firing = _firing(event_data) or Firing()
        if self.fact.name not in firing.guards:
            firing.guards[self.fact.name] = holds(subject, self.fact)
        return bool(firing.guards[self.fact.name])


@dataclass(frozen=True, slots=True)
class _Holds:
    """Compares one fact with the value that a guard wants."""

    reads: _Reads
    value: bool

    def __call__(self, event_data: transitions.EventData) -> bool:
        return self.reads(event_data) == self.value


@dataclass(frozen=True, slots=True)
class _Does:
    """Applies one primitive to a run, or calls the method of that name of any other object."""

    action: Action

    def __call__(self, event_data: transitions.EventData) -> None:
        subject: object = event_data.model
        if isinstance(subject, Run):
            ACTIONS[self.action.name].run(subject, *self.action.args)
            return
        method: Callable[..., object] | None = getattr(subject, self.action.name, None)
        if method is not None:
            method(*self.action.args)


def _reading(model: Model) -> Callable[[Transition], dict[str, Any]]:
    """Return a function that makes the callbacks of a transition: objects that get the library's EventData."""
    facts = {f.name: _Reads(f) for f in model.facts}

    def callbacks(row: Transition) -> dict[str, Any]:
        conditions = [_Holds(facts[t.fact], t.value) for t in row.guard]
        return {"conditions": conditions, "before": [_Does(action) for action in row.actions]}

    return callbacks


def _by_name(row: Transition) -> dict[str, Any]:
    """Return the callbacks of a transition as names of guards. The library calls them without EventData."""
    return {
        "conditions": [t.fact for t in row.guard if t.value],
        "unless": [t.fact for t in row.guard if not t.value],
    }


def _named(model: Model) -> bool:
    """Can the library call all guards by name?

    It cannot if there are actions, which may have arguments, or facts whose names are no identifiers.
    """
    rows = model.transitions
    return not any(row.actions for row in rows) and all(t.fact.isidentifier() for row in rows for t in row.guard)
