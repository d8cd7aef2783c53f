"""What is known of the result of a test, right after an action or from the results of other tests
at the same moment.

This module contains only what `fsm.state.primitives` guarantees. Anything that is not listed may
have any result.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from fsm.model import Action, Fact

ResultClause = tuple[tuple[str, bool], ...]
"""Facts with values, at least one of which is true."""
_EMPTIED: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "drop": {"phase": ("step",), "turn": ("phase", "step")},
    "end_turn": {"": ("phase", "step")},
}
_ONE_ANSWER = ("phase_under_way", "candidate_is", "returns_to")
"""Tests that hold for only one last argument at a time."""
_BEGINS = ("begin", "begin_quietly")
_PASSES = ("pass_over", "miss", "consume_skip")


def emptied(action: Action) -> tuple[str, ...]:
    """Return the levels of the return stacks that this action empties."""
    return _EMPTIED.get(action.name, {}).get(action.args[0] if action.args else "", ())


@cache
def result_after(action: Action, test: tuple[str, ...]) -> bool | None:
    """Return the result of the test right after the action, or None if it does not follow from the
    action alone.
    """
    name, about = test[0] if test else "", test[1:]
    if action.name in _BEGINS:
        return _begun(action.args, name, about)
    if action.name == "push_return" and name == "returns_to" and about[0] == action.args[0]:
        return about == action.args
    if action.name == "push_return":
        return (
            True
            if name == "inside_any_extra" or (name == "inside_extra" and about == action.args[:1])
            else None
        )
    if (
        action.name in _PASSES
        and about[:1] == action.args[:1]
        and name in ("candidate_is", "extra_due")
    ):
        return False if about[0] != "turn" else None
    if action.name == "miss" and name == "missed" and about == action.args[1:]:
        return True
    if name == "phase_under_way" and (
        action.name == "end_turn" or (action.name, action.args) == ("end", ("phase",))
    ):
        return False
    return _forgotten(action, name, about)


def _begun(args: tuple[str, ...], name: str, about: tuple[str, ...]) -> bool | None:
    level, *names = args
    if name == "phase_under_way" and level == "phase":
        return about == args[2:]
    if name == "candidate_is" and about[0] == level:
        return False
    return True if name == "begun" and about[0] == level and about[1] in names else None


def _forgotten(action: Action, name: str, about: tuple[str, ...]) -> bool | None:
    gone = emptied(action)
    if name in ("inside_extra", "returns_to", "candidate_is") and about[0] in gone:
        return False
    if name == "extra_due" and (about[0] in gone and (about[0] == "step" or len(gone) > 1)):
        return False
    if len(gone) > 1 and name in ("inside_any_extra", "extra_before"):
        return False
    return False if action.name == "end_turn" and name in ("begun", "missed") else None


class ContradictoryResults:
    """Finds results of tests that cannot occur at the same moment."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        self.against: dict[tuple[str, bool], list[ResultClause]] = {}
        live = [fact for fact in facts if fact.test and fact.timing != "latched"]
        for clause in (*_pairs(live), *_extras(live)):
            for name, value in clause:
                self.against.setdefault((name, not value), []).append(clause)
        self.asked = {fact.name: fact.test for fact in live if fact.test[0] in _ONE_ANSWER}

    def impossible(self, values: Mapping[str, bool]) -> bool:
        """Say whether these values can never occur together."""
        return self._answered_twice(values) or any(
            all(values.get(name, value) != value for name, value in clause)
            for known in values.items()
            for clause in self.against.get(known, ())
        )

    def _answered_twice(self, values: Mapping[str, bool]) -> bool:
        """Say whether two tests hold that ask the same and expect different answers."""
        answers: dict[tuple[str, ...], str] = {}
        for name, value in values.items():
            test = self.asked.get(name) if value else None
            if test is not None and answers.setdefault(test[:-1], test[-1]) != test[-1]:
                return True
        return False


def _pairs(facts: list[Fact]) -> Iterator[ResultClause]:
    """Relate the step that comes to the only one of the phase, and where a sequence goes on to its
    interruption.
    """
    named: dict[tuple[str, ...], list[str]] = {}
    for fact in facts:
        named.setdefault(fact.test, []).append(fact.name)
    for fact in facts:
        name, *about = fact.test
        if name == "only_another":
            yield from (
                ((step, False), (fact.name, False))
                for step in named.get(("candidate_is", "step", *about), ())
            )
        if name == "returns_to":
            yield from (
                ((fact.name, False), (inside, True))
                for inside in named.get(("inside_extra", about[0]), ())
            )


def _extras(facts: list[Fact]) -> Iterator[ResultClause]:
    """Relate inside_any_extra to inside_extra for phase and step."""
    named = {fact.test: fact.name for fact in facts}
    any_, levels = (
        named.get(("inside_any_extra",)),
        [named.get(("inside_extra", x)) for x in ("phase", "step")],
    )
    if any_ is None:
        return
    yield from (((any_, True), (level, False)) for level in levels if level)
    if all(levels):
        yield (any_, False), *((level, True) for level in levels if level)
