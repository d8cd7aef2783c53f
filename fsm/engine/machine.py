"""The Machine: a Model as a real `transitions.Machine`, one for all games of a ruleset.

Flat: turn, phases and steps are data on it. A row whose source is composite counts for every state
inside. A game is not a registered model of the library's machine; `fire` takes it as an argument.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import transitions

from fsm.compiled import CompiledMachine, CompiledTransition
from fsm.errors import AnswerError, Stuck
from fsm.model import Action, Fact, Model, Term, Transition
from fsm.state.arguments import check_primitives
from fsm.state.primitives import ACTIONS, holds
from fsm.state.run import Run


@dataclass(slots=True)
class Firing:
    """What one event did: the transition that fired, and the facts consulted on the way."""

    transition: Transition | None = None
    guards: dict[str, bool] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Tried:
    """A row that could not fire: its guard's first fact that stood in the way, and its value.

    Or a fact by which a row fires that says "nothing happens"; no fact "" when that row has no guard.
    """

    transition: str
    fact: str
    value: bool | None
    doc: str
    rule: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an event is not possible now: every row tried, and the events that have rows here."""

    state: str
    event: str
    tried: tuple[Tried, ...]
    possible: tuple[str, ...]

    def __str__(self) -> str:
        why = "; ".join(map(_reason, self.tried)) or "no transition is there for it"
        can = ", ".join(self.possible) or "nothing"
        return f"{self.event!r} cannot fire in {self.state!r}: {why}; possible here: {can}"


class ModelTransition(CompiledTransition):
    """The library's transition, which remembers the Model's row and reports when it has fired."""

    def __init__(self, *args: Any, row: Transition | None = None, **kwargs: Any) -> None:
        kwargs["rule"] = row.rule if row is not None else ""
        super().__init__(*args, **kwargs)
        self.row = row

    def fired(self, model: object, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
        """Note it on the Firing, if `fire` has handed one on."""
        if args and isinstance(args[0], Firing):
            args[0].transition = self.row


class Machine(CompiledMachine):
    """A `transitions.Machine` whose triggers run generated code; `from_model` makes one of a Model.

    The constructor is the library's; see `CompiledMachine` for what is left to the library's own code.
    """

    transition_cls = ModelTransition
    definition: Model | None = None

    @classmethod
    def from_model(cls, model: Model, subject: object = None, *, attribute: str = "state") -> Machine:
        """The machine of a Model.

        `subject` is an object of your own to be driven by it, as with the library: it gets a method
        for each event; its attributes or methods named like the facts are the guards, its methods named
        like the actions are called. `attribute` is where the subject keeps its state.
        Raises ModelError when the model names a primitive that does not exist.
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
        """Fire `event` for a run; None when no row's guard holds, or there is no row at all."""
        assert self.definition is not None, "fire() is for machines made from a Model"
        if not self.definition.rows(getattr(run, self.model_attribute), event):
            return None
        firing = Firing()
        self.events[event].trigger(run, firing)
        return firing if firing.transition is not None else None

    def explain(self, run: Run, event: str) -> Refusal | None:
        """Why `event` cannot fire for this run now, or nothing comes of it; None when it can."""
        model = self.definition
        assert model is not None, "explain() is for machines made from a Model"
        state: str = getattr(run, self.model_attribute)
        tried: list[Tried] = []
        for row in model.rows(state, event):
            closed = next(filter(None, (_tried(model, run, row, term) for term in row.guard)), None)
            if closed is None and row.target is not None:
                return None
            if closed is None:
                tried += _stays(model, row)
                break
            tried.append(closed)
        return Refusal(state, event, tuple(tried), model.events_at(state))


def machine_of(model: Model, attribute: str) -> Machine:
    """The one machine that all games of this model share."""
    return model.kept(("machine", attribute), lambda: Machine.from_model(model, attribute=attribute))


def stuck(machine: Machine, run: Run, event: str) -> Stuck:
    """The error of a run that met a hole in its model."""
    return Stuck(f"nothing can fire here: {machine.explain(run, event)}")


def no_window(run: Run) -> Stuck:
    """The error of a run that came to a window of a model without a window model."""
    return Stuck(f"nothing can fire here: {run.state!r} is a window, and {run.model.name} has no window model")


def _firing(event_data: transitions.EventData) -> Firing | None:
    """What `fire` handed to the library along with the event, if it was `fire`."""
    found = next(iter(event_data.args), None)
    return found if isinstance(found, Firing) else None


@dataclass(frozen=True, slots=True)
class _Reads:
    """Reads one fact of a run, or of any object that has an attribute or method of that name."""

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
    """The callbacks of a row as objects that are given the library's EventData, and read run or subject from it."""
    facts = {f.name: _Reads(f) for f in model.facts}

    def callbacks(row: Transition) -> dict[str, Any]:
        conditions = [_Holds(facts[t.fact], t.value) for t in row.guard]
        return {"conditions": conditions, "before": [_Does(action) for action in row.actions]}

    return callbacks


def _by_name(row: Transition) -> dict[str, Any]:
    """The callbacks of a row in the library's own words: the names of the guards, called without an EventData."""
    return {
        "conditions": [t.fact for t in row.guard if t.value],
        "unless": [t.fact for t in row.guard if not t.value],
    }


def _named(model: Model) -> bool:
    """Can the library call all that the rows name? No actions, which may have arguments; no odd names of guards."""
    rows = model.transitions
    return not any(row.actions for row in rows) and all(t.fact.isidentifier() for row in rows for t in row.guard)


def _tried(model: Model, run: Run, row: Transition, term: Term) -> Tried | None:
    """Why this term keeps the row from firing; None when it does not."""
    fact = model.fact(term.fact)
    try:
        value: bool | None = holds(run, fact)
    except AnswerError:
        value = None
    if value == term.value:
        return None
    return Tried(row.id, fact.name, value, fact.doc, fact.rule or row.rule)


def _stays(model: Model, row: Transition) -> list[Tried]:
    """Why this row, which says "nothing happens", is the one that fires."""
    if not row.guard:
        return [Tried(row.id, "", None, row.doc, row.rule)]
    facts = [(model.fact(term.fact), term.value) for term in row.guard]
    return [Tried(row.id, fact.name, value, fact.doc, row.rule) for fact, value in facts]


def _reason(tried: Tried) -> str:
    """One reason, in words."""
    if not tried.fact:
        return f"{tried.doc or 'nothing happens'} ({tried.rule})"
    value = "unknown" if tried.value is None else str(tried.value).lower()
    return f"{tried.fact} is {value} ({tried.rule})"
