"""The report as an lcov tracefile, for editors and services.

The lines of a plain machine are those on which its transitions are written. Another model, such as
a ruleset, has a listing instead, a file beside the tracefile. The count of a line (DA) is how often
its transitions fired. Each transition is a branch (BRDA) of a line that has several, and so is each
literal that holds or fails. What no run can take is not counted. Branches of a line that was not
reached have "-" for a count, as the format asks for.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from fsm.coverage.reports.files import names_of
from fsm.coverage.reports.sources import source_of
from fsm.coverage.target import Coverage, Result, Target
from fsm.wording import plain


@dataclass(slots=True)
class _Line:
    """A line of a file: the counts of its transitions, and of the literals of each."""

    text: str = ""
    transitions: list[int] = field(default_factory=list)
    literals: list[list[int]] = field(default_factory=list)

    def add(self, result: Result, target: Target) -> None:
        """Add a transition, if a run can take it."""
        coverage, literals = result.by("transitions"), result.by("literals")
        if coverage is not None and target not in coverage.infeasible:
            self.transitions.append(coverage.taken.get(target.key, 0))
            self.literals.append(list(_counts(target, literals)) if literals is not None else [])

    @property
    def branches(self) -> Iterator[tuple[int, int, int]]:
        """The block, the number and the count of each branch."""
        several = self.transitions if len(self.transitions) > 1 else []
        for block, counts in enumerate([several, *self.literals]):
            yield from ((block, number, count) for number, count in enumerate(counts))


def lcov(results: Sequence[Result], file: str) -> dict[str, str]:
    """Return the tracefile, and a listing FILE-NAME.txt for each machine without source lines, by
    path.
    """
    files, records = dict[str, str](), dict[str, dict[int, _Line]]()
    for result, name in zip(results, names_of(results), strict=True):
        source, coverage = source_of(result), result.by("transitions")
        if source is None:
            listing = str(Path(file).with_name(f"{Path(file).stem}-{name}.txt"))
            found = dict(enumerate(_listing(result), 1))
            files[listing] = "".join(f"{line.text}\n" for line in found.values())
            records[_relative(listing)] = found
        else:
            found = records.setdefault(source.path_from(os.getcwd()), {})
            for target in coverage.targets if coverage else ():
                found.setdefault(source.line_of(target), _Line()).add(result, target)
    text = "".join(f"{line}\n" for path, found in records.items() for line in _record(path, found))
    return {file: text, **files}


def _relative(path: str) -> str:
    whole = Path(path).absolute()
    return (whole.relative_to(Path.cwd()) if whole.is_relative_to(Path.cwd()) else whole).as_posix()


def _listing(result: Result) -> Iterator[_Line]:
    coverage, machine = result.by("transitions"), ""
    yield _Line(
        plain(
            f"{result.name}: {result.model.title or result.model.name} {result.model.edition}"
        ).rstrip()
    )
    for target in coverage.targets if coverage else ():
        if target.machine != machine:
            machine = target.machine
            yield _Line(f"{plain(machine)}:")
        rule = f"  ({plain(target.rule)})" if target.rule else ""
        cannot = f"  cannot be taken: {plain(target.infeasible)}" if target.infeasible else ""
        line = _Line(f"  {plain(target.id)}{rule}{cannot}")
        line.add(result, target)
        yield line


def _record(path: str, lines: dict[int, _Line]) -> Iterator[str]:
    yield "TN:"
    yield f"SF:{path}"
    counted = {number: line for number, line in sorted(lines.items()) if line.transitions}
    reached = {number: sum(line.transitions) for number, line in counted.items()}
    branches = [(number, *branch) for number, line in counted.items() for branch in line.branches]
    for number, block, branch, count in branches:
        yield f"BRDA:{number},{block},{branch},{count if reached[number] else '-'}"
    if branches:
        yield f"BRF:{len(branches)}"
        yield f"BRH:{sum(count > 0 and reached[number] > 0 for number, _, _, count in branches)}"
    yield from (f"DA:{number},{count}" for number, count in reached.items())
    yield f"LF:{len(reached)}"
    yield f"LH:{sum(count > 0 for count in reached.values())}"
    yield "end_of_record"


def _counts(row: Target, literals: Coverage) -> Iterator[int]:
    """Yield how often each literal of a transition decided, by holding and by failing."""
    for target in literals.targets:
        own = target.machine == row.machine and target.id.startswith(f"{row.id} where ")
        if own and target not in literals.infeasible:
            yield literals.taken.get(target.key, 0)
