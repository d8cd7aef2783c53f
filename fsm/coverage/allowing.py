"""Targets that may be missing: a list in a TOML file beside the tests, with a reason for each
entry.

    [[allow]]                    # in pyproject.toml: [[tool.fsm.coverage.allow]]
    of = "magic"                 # the machine, its place may be left out; without `of`: those of every machine
    criterion = "pairs"
    target = "draw_end -> draw_after ; draw_after -> step_hub [extra_step_due]"    # or a list of them
    why = "no card adds a step there"

The list stays up to date: an entry is an error if its target was taken, is infeasible, or does not
exist.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fsm.coverage.criteria import criterion
from fsm.coverage.target import Coverage, Key, Result
from fsm.errors import CoverageError, FsmError, suggest
from fsm.files import read_toml
from fsm.rulesets import load

KEYS = {"of": str, "criterion": str, "target": str, "machine": str, "why": str}


@dataclass(frozen=True, slots=True)
class Allowed:
    """One target that may be missing, and why. With "", `of` and `machine` stand for every model
    and machine.

    `place` is the file and the number of the entry.
    """

    of: str
    criterion: str
    target: str
    why: str
    machine: str = ""
    place: str = ""

    def fits(self, names: Collection[str], criterion: str, key: Key) -> bool:
        """Say whether this entry means the target of what has these names."""
        same = (self.criterion, self.target) == (criterion, key[1])
        return same and self.of in ("", *names) and self.machine in ("", key[0])


def read_allowed(path: str | Path) -> tuple[Allowed, ...]:
    """Read the list from a TOML file. Raises CoverageError, naming the file and the entry."""
    data = read_toml(path, CoverageError)
    entries = data.get("allow", _within(data, "tool", "fsm", "coverage", "allow"))
    if not isinstance(entries, list):
        raise CoverageError(f"{path}: 'allow' is a list; write [[allow]] before each entry")
    return tuple(
        one
        for number, entry in enumerate(entries, 1)
        for one in _entry(f"{path}: entry {number}", entry)
    )


def _within(data: Any, *names: str) -> Any:
    for name in names:
        data = data.get(name, {}) if isinstance(data, dict) else {}
    return data or []


def _entry(place: str, entry: Any) -> Iterator[Allowed]:
    if not isinstance(entry, dict):
        raise CoverageError(f"{place} is no table; write criterion, target and why")
    for name, value in entry.items():
        if name not in KEYS:
            raise CoverageError(f"{place}: {name!r} is unknown{suggest(name, KEYS)}")
        listed = value if name == "target" and isinstance(value, list) else [value]
        if not listed or not all(isinstance(one, str) and one.strip() for one in listed):
            raise CoverageError(f"{place}: {name!r} must be a text that is not empty")
    for name in ("criterion", "target", "why"):
        if name not in entry:
            raise CoverageError(f"{place} has no {name!r}")
    _criterion(place, entry["criterion"])
    targets = entry["target"] if isinstance(entry["target"], list) else [entry["target"]]
    rest = (entry["why"], entry.get("machine", ""), place)
    yield from (
        Allowed(entry.get("of", ""), entry["criterion"], target, *rest) for target in targets
    )


def _criterion(place: str, name: str) -> None:
    try:
        criterion(name)
    except CoverageError as error:
        raise CoverageError(f"{place}: {error}") from None


def allowed_of(
    allowed: Iterable[Allowed], names: Collection[str], coverage: Coverage
) -> Mapping[Key, str]:
    """Return the targets of one criterion of the model of these names that may be missing, each
    with the reason.
    """
    own = [one for one in allowed if one.of in ("", *names) and one.criterion == coverage.criterion]
    return {
        t.key: one.why
        for t in coverage.targets
        for one in own
        if one.fits(names, coverage.criterion, t.key)
    }


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
