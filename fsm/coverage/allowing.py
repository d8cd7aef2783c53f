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
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct

from fsm.coverage.criteria import criterion
from fsm.coverage.target import Coverage, Key, Result
from fsm.errors import CoverageError, FsmError, suggest
from fsm.files import read_data
from fsm.rulesets import load
from fsm.shapes import Shapes

Text = Annotated[str, Meta(min_length=1)]


class Allowed(Struct, frozen=True, forbid_unknown_fields=True):
    """Targets that may be missing, and why. With "", `of` stands for every machine."""

    criterion: Text
    target: tuple[Text, ...] | Text
    why: Text
    of: str = ""

    @property
    def targets(self) -> tuple[str, ...]:
        """The ids of the targets."""
        return (self.target,) if isinstance(self.target, str) else self.target

    def means(self, names: Collection[str], coverage: Coverage) -> bool:
        """Say whether this is about one criterion of the machine of these names."""
        return coverage.criterion == self.criterion and self.of in ("", *names)


Lists = Mapping[str, Allowed]
"""The entries of lists, by their places."""


def allowed_in(paths: Iterable[str | Path]) -> Lists:
    """Read the lists in TOML files. Raises CoverageError, naming the file and the entry."""
    found = dict[str, Allowed]()
    for path in paths:
        data: Any = read_data(path, CoverageError)
        if "allow" not in data:
            for name in ("tool", "fsm", "coverage"):
                data = data.get(name, {}) if isinstance(data, dict) else {}
        entries = data.get("allow", []) if isinstance(data, dict) else []
        if not isinstance(entries, list):
            raise CoverageError(f"{path}: 'allow' is a list; write [[allow]] before each entry")
        for number, raw in enumerate(entries, 1):
            place = f"{path}: entry {number}"
            found[place] = _entry(raw, place)
    return found


def _entry(raw: object, place: str) -> Allowed:
    entry: Allowed = Shapes(place, CoverageError).value(raw, Allowed)
    try:
        criterion(entry.criterion)
    except CoverageError as error:
        raise CoverageError(f"{place}: {error}") from None
    return entry


def allowed_of(lists: Lists, names: Collection[str], coverage: Coverage) -> dict[Key, str]:
    """Return the targets of one criterion of the machine of these names that may be missing, each
    with the reason.
    """
    whys = dict[str, str]()
    for entry in lists.values():
        if entry.means(names, coverage):
            whys |= dict.fromkeys(entry.targets, entry.why)
    return {target.key: whys[target.id] for target in coverage.targets if target.id in whys}


def wrong_in(lists: Lists, results: Sequence[Result]) -> Iterator[str]:
    """Yield a sentence for each wrong entry. Entries for what was not measured are not checked, but
    for their names.
    """
    names = {name for result in results for name in result.names}
    for place, entry in lists.items():
        if entry.of and entry.of not in names:
            try:
                load(entry.of, machines=True)
            except FsmError as error:
                yield f"{place}: of {entry.of!r}: {error}"
        for target in entry.targets:
            said = f"{place}: {entry.criterion} {target!r}"
            yield from (f"{said} {why}" for why in _wrong(entry, target, results))


def _wrong(entry: Allowed, wanted: str, results: Sequence[Result]) -> Iterator[str]:
    known, names = list[str](), list[str]()
    for result in results:
        for coverage in result.coverages:
            if not entry.means(result.names, coverage):
                continue
            names.append(result.name)
            known += [target.id for target in coverage.targets]
            kinds = {coverage.kind(target) for target in coverage.targets if target.id == wanted}
            if kinds & {"taken", "refuted"}:
                yield f"is taken after all, of {result.name}: take it off the list"
            if "impossible" in kinds:
                proof = f"cannot be taken, which is proved of {result.name}"
                yield f"{proof}: take it off the list"
    if names and wanted not in known:
        yield f"is not in {', '.join(names)}{suggest(wanted, known)}"
