"""Finds entries in the list of allowed targets that the measured coverage contradicts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fsm.coverage.allowing import Allowed
from fsm.coverage.target import Result
from fsm.errors import FsmError, suggest
from fsm.rulesets import load


def wrong(allowed: Sequence[Allowed], results: Sequence[Result]) -> tuple[str, ...]:
    """Return one sentence for each wrong entry of the list. Entries for what was not measured are
    not checked.
    """
    return tuple(dict.fromkeys(why for one in allowed for why in _wrong(one, results)))


def _unknown(one: Allowed) -> Iterator[str]:
    """Say if there is no model of the name, for an entry of a model that was not measured."""
    try:
        load(one.of, machines=True)
    except FsmError as error:
        yield f"{one.place}: of {one.of!r}: {error}"


def _wrong(one: Allowed, results: Sequence[Result]) -> Iterator[str]:
    own = [
        (result, found)
        for result in results
        if one.of in ("", *result.names) and (found := result.by(one.criterion))
    ]
    meant = [(r, c, t) for r, c in own for t in c.targets if one.fits(r.names, c.criterion, t.key)]
    said = f"{one.place}: {one.criterion} {one.target!r}"
    if one.of and one.of not in {name for result in results for name in result.names}:
        yield from _unknown(one)
    if own and not meant:
        names = [
            t.id for _, coverage in own for t in coverage.targets if one.machine in ("", t.machine)
        ]
        yield f"{said} is not in {', '.join(r.name for r, _ in own)}{suggest(one.target, names)}"
    for result, coverage, target in meant:
        if target.key in coverage.taken:
            yield f"{said} is taken after all, of {result.name}: take it off the list"
        elif target.infeasible:
            yield f"{said} cannot be taken, which is proved of {result.name}: take it off the list"
