"""The short way to write transitions: guards and actions as text."""

from __future__ import annotations

from collections.abc import Iterable

from fsm.model import Action, Event, Layer, Term, Transition

DONE = Event("done", "the state is finished", completion=True)
CLOSED = Event("closed", "the window has closed", completion=True)


def guard(text: str) -> tuple[Term, ...]:
    """Read a guard, "a, not b"; "" is the empty guard, which always holds."""
    return tuple(Term.parse(part) for part in text.split(",") if part.strip())


def row(
    source: str,
    target: str | None,
    when: str = "",
    do: Iterable[str] = (),
    *,
    event: str = "done",
    rule: str = "",
    layer: Layer = "core",
    generic: bool = False,
    doc: str = "",
) -> Transition:
    """One transition; see `fsm.parts.Transition` for what its fields mean."""
    return Transition(source, target, event, guard(when), tuple(map(Action.parse, do)), rule, layer, generic, doc)


def skip(source: str, target: str, when: str, do: Iterable[str], rule: str, doc: str) -> Transition:
    """A row that the frame makes for every step or phase alike: it is passed over."""
    return row(source, target, when, do, rule=rule, layer="skip", generic=True, doc=doc)


def extra(source: str, target: str, when: str, do: Iterable[str], rule: str, doc: str = "") -> Transition:
    """A row that the frame makes for every step or phase alike: to something extra, or back from it."""
    return row(source, target, when, do, rule=rule, layer="extra", generic=True, doc=doc)
