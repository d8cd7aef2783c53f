"""The report as Markdown, for the summary of a GitHub job or a comment: a table, then what is
missing.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from fsm.coverage.lists import missing_in, table
from fsm.coverage.target import Result
from fsm.files import read_text
from fsm.wording import plain

SUMMARY = "GITHUB_STEP_SUMMARY"
"""The variable by which GitHub names the file of a job's summary."""
MOST_MACHINES = 50
MOST_MISSING = 20


def default_file() -> str:
    """Return the file of the summary, or the usual one if GitHub names none."""
    return os.environ.get(SUMMARY) or "fsm-coverage.md"


def text_of(results: Sequence[Result], file: str) -> str:
    """Return the text of this file. It is added to what a summary has already."""
    own = "\n".join(lines(results)) + "\n"
    if file != os.environ.get(SUMMARY) or not Path(file).is_file():
        return own
    before = read_text(file)
    return (before.rstrip("\n") + "\n\n" if before.strip() else "") + own


def lines(results: Sequence[Result]) -> Iterator[str]:
    """Yield the lines of the report."""
    yield "## Coverage of state machines"
    yield ""
    if not results:
        yield "Nothing was recorded of any machine."
        return
    head, *rows = table(results, MOST_MACHINES)
    yield _row(head)
    yield f"| --- |{' ---: |' * (len(head) - 1)}"
    yield from map(_row, rows)
    if len(results) > MOST_MACHINES:
        yield ""
        yield f"{len(results) - MOST_MACHINES} more machines are left out, of which less was recorded."
    for result in results[:MOST_MACHINES]:
        for list in missing_in(result, MOST_MISSING):
            yield from ("", f"<details><summary>{escaped(list.head)}</summary>", "")
            for text, way in list.targets:
                yield f"- {escaped(text)}" + f" (by {escaped(way)})" * bool(way)
            if list.left:
                yield f"- and {list.left} more"
            yield from ("", "</details>")


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(escaped(' '.join(cell.split())) for cell in cells)} |"


def escaped(text: str) -> str:
    """Return a text in one line in which Markdown and HTML see nothing special."""
    safe = plain(text, 600).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"([\\`*_{}\[\]()#+!|~$@])", r"\\\1", safe)
