"""The report as an lcov tracefile, for editors and services. The transitions of the Model are the lines of a listing.

A transition is a line (DA), and a literal that holds or fails is a branch of it (BRDA). The line of an infeasible
transition says why, and it is not counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fsm.coverage.reports.files import names_of
from fsm.coverage.target import Coverage, Result, Target
from fsm.wording import plain


@dataclass(slots=True)
class _Line:
    text: str
    target: Target | None = None


def lcov(results: Sequence[Result], file: str) -> dict[str, str]:
    """Return the tracefile and a listing for each machine, FILE-NAME.txt, by path."""
    files, records = dict[str, str](), list[str]()
    for result, name in zip(results, names_of(results), strict=True):
        listing = str(Path(file).with_name(f"{Path(file).stem}-{name}.txt"))
        lines = list(_listing(result))
        files[listing] = "".join(f"{line.text}\n" for line in lines)
        records += _record(result, lines, str(Path(listing).absolute()))
    return {file: "".join(f"{line}\n" for line in records), **files}


def _listing(result: Result) -> Iterator[_Line]:
    coverage, machine = result.by("transitions"), ""
    yield _Line(plain(f"{result.name}: {result.model.title or result.model.name} {result.model.edition}").rstrip())
    for target in coverage.targets if coverage else ():
        if target.machine != machine:
            machine = target.machine
            yield _Line(f"{plain(machine)}:")
        rule = f"  ({plain(target.rule)})" if target.rule else ""
        cannot = f"  cannot be taken: {plain(target.infeasible)}" if target.infeasible else ""
        yield _Line(f"  {plain(target.id)}{rule}{cannot}", target)


def _record(result: Result, lines: Sequence[_Line], path: str) -> Iterator[str]:
    yield "TN:"
    yield f"SF:{path}"
    rows = [(n, line.target) for n, line in enumerate(lines, 1) if line.target is not None]
    coverage, literals = result.by("transitions"), result.by("literals")
    if literals is not None:
        branches = [branch for n, target in rows for branch in _branches(n, target, literals)]
        yield from (f"BRDA:{n},0,{i},{count or (0 if reached else '-')}" for n, i, count, reached in branches)
        yield f"BRF:{len(branches)}"
        yield f"BRH:{sum(count > 0 for _, _, count, _ in branches)}"
    counted = [(n, t) for n, t in rows if coverage is not None and t not in coverage.infeasible]
    taken = [coverage.taken.get(target.key, 0) for _, target in counted] if coverage is not None else []
    yield from (f"DA:{n},{count}" for (n, _), count in zip(counted, taken, strict=True))
    yield f"LF:{len(counted)}"
    yield f"LH:{sum(count > 0 for count in taken)}"
    yield "end_of_record"


def _branches(number: int, row: Target, literals: Coverage) -> Iterator[tuple[int, int, int, bool]]:
    found = [t for t in literals.targets if t.machine == row.machine and t.id.startswith(f"{row.id} where ")]
    possible = [t for t in found if t not in literals.infeasible]
    reached = any(t.key in literals.taken for t in possible)
    for index, target in enumerate(possible):
        yield number, index, literals.taken.get(target.key, 0), reached
