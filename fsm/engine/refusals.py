"""Says why an event is refused: as data, in words, and as the error for a run that cannot go on."""

from __future__ import annotations

from dataclasses import dataclass

from fsm.errors import AnswerError, StuckError
from fsm.model import Model, Term, Transition
from fsm.state.primitives import holds
from fsm.state.run import Run
from fsm.wording import citation, value_words


@dataclass(frozen=True, slots=True)
class Tried:
    """A transition that could not fire, and the fact of its guard that prevented it.

    A transition that says "nothing happens" is reported as tried when it fires: `fact` is then a
    fact of its guard, or "" if it has no guard.

    Attributes
    ----------
    transition
        The id of the transition.
    fact
        The name of the fact.
    value
        The value of the fact, or None if it is not known.
    doc
        What the fact means.
    rule
        The rule that the transition or the fact cites.
    """

    transition: str
    fact: str
    value: bool | None
    doc: str
    rule: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an event is not possible now. `str` of it is a sentence.

    Attributes
    ----------
    state
        The id of the state that the run is in.
    event
        The name of the event.
    tried
        The transitions that were tried.
    possible
        The names of the events that are possible instead.
    note
        The reason if it is not a transition that could not fire, or "".
    """

    state: str
    event: str
    tried: tuple[Tried, ...]
    possible: tuple[str, ...]
    note: str = ""

    @property
    def reasons(self) -> tuple[str, ...]:
        """The reasons in words, one for each transition that was tried."""
        return (
            (self.note,)
            if self.note
            else tuple(map(_reason, self.tried)) or ("no transition is there for it",)
        )

    @property
    def decisive(self) -> str:
        """The reasons in one clause. A transition that says "nothing happens" is the whole reason."""
        return (
            self.reasons[-1] if self.tried and not self.tried[-1].fact else "; ".join(self.reasons)
        )

    @property
    def rule(self) -> str:
        """The rule of the last transition that was tried, or ""."""
        return self.tried[-1].rule if self.tried else ""

    def __str__(self) -> str:
        can = ", ".join(self.possible) or "nothing"
        return f"{self.event!r} cannot fire in {self.state!r}: {'; '.join(self.reasons)}; possible here: {can}"


def refusal_of(model: Model, run: Run, state: str, event: str) -> Refusal | None:
    """Return why an event cannot fire for a run in this state of the model, or None if it can."""
    tried: list[Tried] = []
    for row in model.rows(state, event):
        closed = next(filter(None, (_tried(model, run, row, term) for term in row.guard)), None)
        if closed is None and row.target is not None:
            return None
        if closed is None:
            tried += _stays(model, row)
            break
        tried.append(closed)
    return Refusal(
        state,
        event,
        tuple(tried),
        tuple(other for other in model.events_at(state) if other != event),
    )


def stuck(why: Refusal | None) -> StuckError:
    """Return the error for a run that has no transition to fire."""
    return StuckError(f"nothing can fire here: {why}")


def no_window(run: Run) -> StuckError:
    """Return the error for a run that comes to a window state if the model has no window model."""
    return StuckError(
        f"nothing can fire here: {run.state!r} is a window, and {run.model.name} has no window model"
    )


def _tried(model: Model, run: Run, row: Transition, term: Term) -> Tried | None:
    """Return why this term prevents the transition from firing, or None if it does not."""
    fact = model.fact(term.fact)
    try:
        value: bool | None = holds(run, fact)
    except AnswerError:
        value = None
    if value == term.value:
        return None
    return Tried(row.id, fact.name, value, fact.doc, fact.rule or row.rule)


def _stays(model: Model, row: Transition) -> list[Tried]:
    """Return why this transition, which says "nothing happens", is the one that fires."""
    if not row.guard:
        return [Tried(row.id, "", None, row.doc, row.rule)]
    facts = [(model.fact(term.fact), term.value) for term in row.guard]
    return [Tried(row.id, fact.name, value, fact.doc, row.rule) for fact, value in facts]


def _reason(tried: Tried) -> str:
    """Return one reason in words."""
    if not tried.fact:
        return f"{tried.doc or 'nothing happens'}{citation(tried.rule)}"
    return f"{value_words(tried.fact, tried.value)}{citation(tried.rule)}"
