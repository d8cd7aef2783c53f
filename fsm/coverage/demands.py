"""What a user demands of coverage: least shares, what may be missing, and what must not be lost.

A TOML file beside the tests has the latter two. People write the list of what may be missing, with
a reason for each entry, and `fsm cover combine` writes the baseline of what was taken:

    [[allow]]
    of = "magic"       # the machine, its place may be left out; without `of`: of every machine
    criterion = "pairs"
    target = "draw_end -> draw_after ; draw_after -> step_hub [extra_step_due]"
    why = "no card adds a step there"

    [taken]
    "Door" = [
      "shut -> open on push",
      "shut -> open on push [paid] where paid fails",
    ]

An entry that may be missing is an error if its target was taken, is impossible, or does not exist.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby
from pathlib import Path
from typing import Annotated, NamedTuple

from msgspec import Meta, Struct

from fsm.coverage.criteria import criterion_of, literal_id
from fsm.coverage.data import Data
from fsm.coverage.target import Coverage, Result, total_of
from fsm.errors import CoverageError, suggest
from fsm.files import Shapes, read_data

Text = Annotated[str, Meta(min_length=1)]


class Allowed(Struct, frozen=True, forbid_unknown_fields=True):
    """A target that may be missing, and why. With "", `of` stands for every machine."""

    criterion: Text
    target: Text
    why: Text
    of: str = ""

    def coverage_in(self, result: Result) -> Coverage | None:
        """Return the coverage that this is about, or None."""
        return result.by(self.criterion) if self.of in ("", *result.names) else None


class Lists(Struct, frozen=True, forbid_unknown_fields=True):
    """A file: what may be missing, and the ids of what must be taken, by the names of machines."""

    allow: tuple[Allowed, ...] = ()
    taken: Mapping[str, tuple[str, ...]] = {}


def lists_in(path: str | Path) -> Lists:
    """Read a file. Raises CoverageError, naming the file and the place in it."""
    data = read_data(path, CoverageError)
    found: Lists = Shapes(str(path), CoverageError).value(data, Lists)
    for entry in found.allow:
        try:
            criterion_of(entry.criterion)
        except CoverageError as error:
            raise CoverageError(f"{path}: {error}") from None
    return found


# least shares -------------------------------------------------------------------------------------


class Floor(NamedTuple):
    """The least share, in percent, for one criterion, or of the total of all criteria if
    `criterion` is "".
    """

    criterion: str
    percent: float


def floor_asked(text: str) -> Floor:
    """Read a text such as "90" or "transitions=100". Raises CoverageError for anything else."""
    name, equals, number = text.rpartition("=")
    if equals:
        criterion_of(name)
    try:
        percent = float(number.removesuffix("%"))
    except ValueError:
        percent = -1.0
    if not 0 <= percent <= 100:
        hint = "write 90, or transitions=100,pairs=80"
        raise CoverageError(f"{text!r} is no share in percent; {hint}")
    return Floor(name, percent)


def below(results: Sequence[Result], floors: Sequence[Floor]) -> Iterator[str]:
    """Yield a problem for each floor that is not reached.

    If nothing was recorded, no floor is reached.
    """
    if floors and not results:
        yield "nothing was recorded of any machine"
    for floor in floors:
        for result in results:
            yield from _below(result, floor)
        total = total_of(chain.from_iterable(result.coverages for result in results))
        if not floor.criterion and total.share * 100 < floor.percent:
            yield f"total {total} is below {floor.percent:g}%"


def _below(result: Result, floor: Floor) -> Iterator[str]:
    coverage = result.by(floor.criterion)
    if coverage is not None and coverage.share * 100 < floor.percent:
        said = f"{floor.criterion} {total_of([coverage])}"
        yield f"{result.name}: {said} is below {floor.percent:g}%"


# what may be missing ------------------------------------------------------------------------------


def excused(result: Result, allowed: Iterable[Allowed]) -> Result:
    """Return the result with what may be missing."""
    coverages = list[Coverage]()
    for coverage in result.coverages:
        whys = {one.target: one.why for one in allowed if one.coverage_in(result) is coverage}
        known = {target.key: whys[target.id] for target in coverage.targets if target.id in whys}
        coverages.append(replace(coverage, allowed=known))
    return replace(result, coverages=tuple(coverages))


def overtaken(allowed: Iterable[Allowed], results: Sequence[Result]) -> Iterator[str]:
    """Yield a sentence for each entry that must go: its target was taken or is impossible, or there
    is none. What was not measured is not checked.
    """
    for entry in allowed:
        said = f"allowed to be missing: {entry.criterion} {entry.target!r}"
        names, known = list[str](), list[str]()
        for result in results:
            coverage = entry.coverage_in(result)
            if coverage is not None:
                names.append(result.name)
                known += [target.id for target in coverage.targets]
                ids = [target.id for target in coverage.of("taken", "refuted", "impossible")]
                if entry.target in ids:
                    yield f"{said} is taken or impossible in {result.name}: take it off the list"
        if names and entry.target not in known:
            yield f"{said} is not in {', '.join(names)}{suggest(entry.target, known)}"


# what must not be lost ----------------------------------------------------------------------------


class Taken(NamedTuple):
    """One thing that was taken: the name of its subject, and the id of a transition, or of a
    condition that failed.
    """

    subject: str
    id: str


@dataclass(frozen=True, slots=True)
class Difference:
    """The difference between two recordings.

    Attributes
    ----------
    lost
        What was taken only in the first recording, sorted.
    gained
        What was taken only in the second recording, sorted.
    """

    lost: tuple[Taken, ...]
    gained: tuple[Taken, ...]


def difference(before: Data | Lists, after: Data) -> Difference:
    """Compare two recordings by names and ids, since the model may have changed between them.

    Parameters
    ----------
    before
        The first recording, or a file with a baseline.
    after
        The second recording.

    Returns
    -------
    Difference
        What the second recording lost and gained: transitions, and conditions that failed.
    """
    old, now = frozenset(_taken_in(before)), frozenset(_taken_in(after))
    return Difference(tuple(sorted(old - now)), tuple(sorted(now - old)))


def _taken_in(told: Data | Lists) -> Iterator[Taken]:
    if isinstance(told, Lists):
        for name, ids in told.taken.items():
            yield from (Taken(name, id) for id in ids)
        return
    for subject, seen in told.seen.items():
        for _, _, id, _, vector in seen.taken:
            if "0" in vector:
                terms = id.rpartition(" [")[2].removesuffix("]").split(", ")
                id = literal_id(id, terms[vector.index("0")], False)
            yield Taken(subject.name, id)


def baseline_of(data: Data) -> str:
    """Return the text of a baseline."""
    taken, lines = sorted({*_taken_in(data)}), ["[taken]"]
    for name, group in groupby(taken, lambda one: one.subject):
        lines += [f"{_quoted(name)} = [", *(f"  {_quoted(one.id)}," for one in group), "]"]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """Return a text as TOML has it: as JSON, but for one character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
