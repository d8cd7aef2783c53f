"""Words for records, and for what could have come instead of one that no run explains."""

from __future__ import annotations

from collections.abc import Iterable

from fsm.coverage.logs.bare import FIRED, BareMachine, Config
from fsm.coverage.logs.mismatch import Mismatch
from fsm.coverage.logs.records import Record, Sight
from fsm.coverage.logs.steps import Configs, Steps
from fsm.errors import suggest

MOST_EXPECTED = 8
"""A refusal names at most this many events that could have come."""
MOST_STATES = 4


def in_words(at: Configs, sight: Sight) -> tuple[str, str]:
    """Return where an object is and what was recorded of it, in words."""
    return _either(map(config_in_words, at)), _seen(sight)


def config_in_words(config: Config) -> str:
    """Return a configuration in words."""
    return " and ".join(config)


def refusal_of(
    steps: Steps, line: int, record: Record, at: Configs, *, first: bool, lost: int
) -> Mismatch:
    """Return the refusal of a record of an object in these configurations.

    `first` means that the run was assumed to begin there. `lost` is the number of damaged lines
    before the record.
    """
    before, seen = in_words(at, record.sight)
    machine = f" of machine {record.machine!r}" if record.machine != "" else ""
    though = "" if record.sight.event else ", though it was"
    where = f"{though} in {before}" if before else ""
    hints = [*_unknown(steps.bare, record.sight)] or [*_explaining(steps, record.sight, at, first)]
    hints += [f"damaged lines before it: {lost}"] if lost else []
    return Mismatch(line, f"{seen}{where}{machine}", _expected(steps.bare, at), "; ".join(hints))


def _seen(sight: Sight) -> str:
    fired = {None: "", True: ", fired,", False: ", not fired,"}[sight.fired]
    source = f" from {config_in_words(sight.source)}" if sight.source else ""
    to = f" to {config_in_words(sight.state)}" if sight.state else ""
    said = [name if value else f"not {name}" for name, value in sight.conditions]
    when = f" when {' and '.join(said)}" if said else ""
    if not sight.event:
        return f"the state {config_in_words(sight.state or sight.source)}"
    return f"{sight.event!r}{fired}{source}{to}{when}"


def _expected(bare: BareMachine, at: Configs) -> list[str]:
    found: dict[str, dict[str, None]] = {}
    for config in at:
        for event in bare.events:
            for move in bare.moves(config, event):
                if move.kind == FIRED:
                    found.setdefault(event, {})[config_in_words(move.to)] = None
    words = [f"{event} (to {_either(targets)})" for event, targets in found.items()]
    if len(words) > MOST_EXPECTED:
        words[MOST_EXPECTED:] = [f"{len(words) - MOST_EXPECTED} events more"]
    return words or ["nothing: no event of the machine is possible there"]


def _unknown(bare: BareMachine, sight: Sight) -> Iterable[str]:
    if sight.event and not bare.has_event(sight.event):
        yield f"{sight.event!r} is no event of {bare.name}{suggest(sight.event, bare.events)}"
    for name in dict.fromkeys((*sight.source, *sight.state)):
        if bare.state_named(name) is None:
            yield f"{name!r} is no state of {bare.name}{suggest(name, bare.parents)}"


def _explaining(steps: Steps, sight: Sight, at: Configs, first: bool) -> Iterable[str]:
    ways = steps.explained_by(at, sight)
    if ways:
        yield f"{', or '.join(map(' then '.join, ways))} unseen before it would explain it"
    if first and steps.explained_by(steps.anywhere(), sight) == ((),):
        yield "if the log begins in the middle, let runs start in 'any' state"


def _either(words: Iterable[str]) -> str:
    found = list(words)
    if len(found) > MOST_STATES:
        found[MOST_STATES:] = [f"{len(found) - MOST_STATES} other states"]
    return " or ".join(found)
