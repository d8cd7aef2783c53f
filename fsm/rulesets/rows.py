"""The short way to write transitions, facts and the states of procedures: guards and actions as
text.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache, partial
from itertools import chain
from typing import Any, TypeAlias

from fsm.model import Action, Duration, Event, Fact, Layer, State, Term, Transition
from fsm.model.elements import Owner
from fsm.rulesets.parts import Absent, Then, guard

DONE = Event("done", "the state is finished", completion=True)
CLOSED = Event("closed", "the window has closed", completion=True)


def row(
    source: str,
    target: str | None,
    rule: str = "",
    when: str = "",
    do: Iterable[str] = (),
    *,
    event: str = "done",
    layer: Layer = "core",
    generic: bool = False,
    doc: str = "",
    says: str = "",
) -> Transition:
    """Return a transition. Its guard and its actions are written as text.

    Parameters
    ----------
    source
        The id of the source.
    target
        The id of the target, or None if nothing happens.
    rule
        The rule that it comes from.
    when
        The guard, for instance "a, not b". "" holds always.
    do
        The actions, for instance "clear(combat)".
    event
        The name of the event.
    layer
        The layer.
    generic
        Whether every step or phase has the same transition.
    doc
        What it means.
    says
        What a player would say if it is taken.

    Returns
    -------
    Transition
        The transition.
    """
    return Transition(
        source,
        target,
        event,
        guard(when),
        tuple(map(Action, filter(None, do))),
        rule,
        layer,
        generic,
        doc,
        says,
    )


def ruled(
    part: Absent | Then,
    source: str,
    target: str | None,
    do: Iterable[str] = (),
    *,
    event: str = "done",
    layer: Layer = "core",
) -> Transition:
    """A row with the guard, the rule and the words of a part of a table."""
    rule, when, doc, says = part.rule, part.when, part.doc, part.says
    return row(source, target, rule, when, do, event=event, layer=layer, doc=doc, says=says)


jump = partial(row, layer="jump")
"""A row that breaks the ordinary course of the turn."""


def perform(id: str, label: str, rule: str, action: str, doc: str) -> State:
    """An action of a procedure, such as ending the turn."""
    return State(
        id, "action", id, label, "turn", "procedure", rule, doc, asks="perform", action=action
    )


def check(id: str, rule: str, label: str = "State-based actions") -> State:
    """The check in a procedure, after which nobody may act."""
    doc = "nobody gets priority, no triggers are placed"
    return State(id, "action", id, label, "turn", "procedure", rule, doc, asks="check")


def tested(owner: Owner, name: str, doc: str, rule: str, *test: str, **words: Any) -> Fact:
    """A fact that a test answers. `words`: what it is `about`, what it `says` and `denies`."""
    return Fact(name, doc, rule, owner, test=test, **words)


agenda_fact = partial(tested, "agenda", about="this turn")
"""A fact about this turn: what has begun, what is under way."""
controller_fact = partial(tested, "controller", about="the game")
"""A fact about the game: who plays, whose turn it is, with which settings."""


# parts with texts in braces -----------------------------------------------------------------------

Part: TypeAlias = State | Transition | Fact | Duration
Template: TypeAlias = Part | tuple[str, Part]
"""A part of a Model with texts in braces, and what it needs, as "a, not b"."""


def filled(
    templates: Iterable[Template], words: Mapping[str, str], there: Collection[str] = ()
) -> Iterator[Any]:
    """The parts whose needs are there, with these words in them. An action without text goes."""
    for template in templates:
        need, part = template if isinstance(template, tuple) else ("", template)
        if all((term.fact in there) is term.value for term in _needs(need)):
            fields = [_filled(getattr(part, name), words) for name in part.__struct_fields__]
            yield type(part)(*fields)


_needs = cache(guard)


def _filled(value: Any, words: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return value.format_map(words) if "{" in value else value
    if isinstance(value, tuple):
        return tuple(filter(None, [_filled(part, words) for part in value]))
    return value


def facts_read(guards: Iterable[Iterable[Term]]) -> set[str]:
    """The facts that guards read."""
    return {term.fact for term in chain.from_iterable(guards)}
