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

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct

from fsm.coverage.criteria import criterion
from fsm.coverage.target import Coverage, Key, Result
from fsm.errors import CoverageError, FsmError, suggest
from fsm.files import read_data
from fsm.rulesets import load
from fsm.shapes import Shapes, all_of

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

    def meant(self, coverage: Coverage) -> dict[Key, str]:
        """Return the targets of a coverage that are meant, each with the reason."""
        found: dict[Key, str] = {}
        for target in coverage.targets if coverage.criterion == self.criterion else ():
            if target.id in self.targets:
                found[target.key] = self.why
        return found


class AllowedList:
    """The entries of lists, by their places."""

    def __init__(self) -> None:
        self._entries: dict[str, Allowed] = {}

    def read(self, path: str | Path) -> None:
        """Add the list in a TOML file. Raises CoverageError, naming the file and the entry."""
        data: Any = read_data(path, CoverageError, "TOML")
        if "allow" not in data:
            for name in ("tool", "fsm", "coverage"):
                data = data.get(name, {}) if isinstance(data, dict) else {}
        entries = data.get("allow", []) if isinstance(data, dict) else []
        if not isinstance(entries, list):
            raise CoverageError(f"{path}: 'allow' is a list; write [[allow]] before each entry")
        for number, raw in enumerate(entries, 1):
            place = f"{path}: entry {number}"
            shapes = Shapes(place, CoverageError)
            entry = shapes.value(raw, Allowed, "")
            if shapes.problems:
                raise all_of(shapes.problems)
            try:
                criterion(entry.criterion)
            except CoverageError as error:
                raise CoverageError(f"{place}: {error}") from None
            self._entries[place] = entry

    def of(self, names: Collection[str], coverage: Coverage) -> dict[Key, str]:
        """Return the targets of one criterion of the model of these names that may be missing, each
        with the reason.
        """
        found: dict[Key, str] = {}
        for entry in self._entries.values():
            if entry.of in ("", *names):
                found |= entry.meant(coverage)
        return found

    def wrong(self, results: Sequence[Result]) -> Iterator[str]:
        """Yield a sentence for each wrong entry. Entries for what was not measured are not checked,
        but for their names.
        """
        names = {name for result in results for name in result.names}
        for place, entry in self._entries.items():
            if entry.of and entry.of not in names:
                try:
                    load(entry.of, machines=True)
                except FsmError as error:
                    yield f"{place}: of {entry.of!r}: {error}"
            for target in entry.targets:
                yield from _wrong(place, entry, target, results)


def _wrong(place: str, entry: Allowed, wanted: str, results: Sequence[Result]) -> Iterator[str]:
    said, known, names = f"{place}: {entry.criterion} {wanted!r}", list[str](), list[str]()
    for result in results:
        coverage = result.by(entry.criterion)
        if coverage is None or entry.of not in ("", *result.names):
            continue
        names.append(result.name)
        for target in coverage.targets:
            known.append(target.id)
            if target.id == wanted and target.key in coverage.taken:
                yield f"{said} is taken after all, of {result.name}: take it off the list"
            elif target.id == wanted and target.infeasible:
                proof = f"cannot be taken, which is proved of {result.name}"
                yield f"{said} {proof}: take it off the list"
    if names and wanted not in known:
        yield f"{said} is not in {', '.join(names)}{suggest(wanted, known)}"
