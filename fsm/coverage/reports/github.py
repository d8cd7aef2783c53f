"""The report as annotations of GitHub: warnings at the lines of the transitions that were not
taken.

GitHub shows ten warnings of each step, so no more are written.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from fsm.coverage.reports.missing import own_missing
from fsm.coverage.reports.sources import source_of
from fsm.coverage.target import Result
from fsm.wording import few, plain

MOST = 10
"""GitHub shows this many warnings of a step."""
MOST_TARGETS = 8
"""At most this many targets are named in a warning."""


def warnings(results: Sequence[Result]) -> Iterator[str]:
    """Yield a workflow command for each line with something that was not taken. The last one counts
    what is left.
    """
    found = [command for result in results for command in _of(result)]
    yield from found[: MOST if len(found) <= MOST else MOST - 1]
    if len(found) > MOST:
        left = f"{len(found) - MOST + 1} more places have something that was not taken"
        yield _command(f"{left}: the other reports have all of them", title="state machines")


def _of(result: Result) -> Iterator[str]:
    source = source_of(result)
    lines: dict[int, list[str]] = {}
    for coverage in result.coverages:
        for target in own_missing(result, coverage):
            line = source.line_of(target) if source is not None else 0
            lines.setdefault(line, []).append(f"{coverage.criterion}: {plain(target.id)}")
    at = (
        {"file": source.path_from(os.environ.get("GITHUB_WORKSPACE") or os.getcwd())}
        if source is not None
        else {}
    )
    for line, missing in lines.items():
        where = at | {"line": str(line)} if at else {}
        yield _command(
            few(missing, MOST_TARGETS, "\n"),
            **where,
            title=f"{plain(result.name)}: not taken by any test",
        )


def _command(message: str, **properties: str) -> str:
    """Return a workflow command, escaped as GitHub reads it."""
    given = ",".join(f"{name}={_escaped(value, ':,')}" for name, value in properties.items())
    return f"::warning {given}::{_escaped(message)}"


def _escaped(text: str, more: str = "") -> str:
    return "".join(f"%{ord(c):02X}" if c in f"%\r\n{more}" else c for c in text)
