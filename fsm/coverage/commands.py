"""What the commands on recorded data do: `fsm cover report` and `transitions-cov report`, and so
on.

The two differ in how they read their arguments and in how they print.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from fsm.coverage import baseline, reports
from fsm.coverage.comparing import Difference, Taken, difference
from fsm.coverage.data import Data
from fsm.coverage.extension import extension
from fsm.coverage.files import ENDING, combine, save
from fsm.coverage.keeping import FOLDER, keeping
from fsm.coverage.reports.asjson import as_json
from fsm.coverage.reports.losses import lost_from, notes_on
from fsm.coverage.reports.options import split
from fsm.errors import CoverageError
from fsm.files import check_writable, write_files

MOST = 40
"""At most this many differences are printed in each direction."""
Paths = Sequence[str]


class Say(Protocol):
    """Prints a line."""

    def __call__(self, text: str, /, *, err: bool = False) -> None:
        """Print to standard output, or to standard error."""


@dataclass(frozen=True, slots=True)
class Commands:
    """The commands of one program.

    `program` is how it is called, `pytest` the run that records data, and `directory` where that
    puts it. `changed` prints a line of a difference, which begins with the sign "-" or "+".
    """

    program: str
    pytest: str
    directory: str
    say: Say
    changed: Callable[[str, str], None]

    def report(
        self,
        data: Paths,
        *,
        specs: Sequence[str] = (),
        criteria: Sequence[str] = (),
        kinds: Sequence[str] = (),
        lists: Paths = (),
        floors: Sequence[str] = (),
        baselines: Paths = (),
        as_data: bool = False,
    ) -> bool:
        """Report recorded data, as JSON or by `kinds`. Return whether nothing is wrong."""
        asked = [reports.report_asked(kind) for kind in kinds or ("term",)]
        least, names = reports.floors_asked(floors), reports.criteria_asked(criteria)
        check_writable(one.file or None for one in asked)
        models = [(spec, extension().named(spec)) for spec in specs]
        allowed = [one for path in lists for one in reports.read_allowed(path)]
        known = [(path, baseline.read_baseline(path)) for path in baselines]
        recorded = self.read(data)
        with self._keeping(data):
            results = reports.results_of(recorded, models, names, allowed)
            for line in (
                [as_json(results).rstrip("\n")] if as_data else reports.printed(results, asked)
            ):
                self.say(line)
            files = reports.written(results, asked)
        write_files(files)
        for path in () if as_data else files:
            self.say(f"written: {path}")
        compared = [(path, one.compare(recorded)) for path, one in known]
        for note in (
            note for path, found in compared for note in notes_on(path, found, self.program)
        ):
            self.say(note, err=True)
        lost = (problem for path, found in compared for problem in lost_from(path, found))
        problems = (*reports.below(results, least), *reports.wrong(allowed, results), *lost)
        for line in (line for problem in problems for line in problem.split("\n")):
            self.say(line, err=True)
        return not problems

    def combine(self, data: Paths, file: str) -> None:
        """Write recorded data to one file."""
        check_writable([file])
        found = self.read(data)
        save(found, file)
        for note in found.notes:
            self.say(note, err=True)
        self.say(f"written: {file}: {found.firings} firings of {_machines(len(found.seen))}")

    def baseline(self, data: Paths, file: str, criteria: Sequence[str] = ()) -> None:
        """Write a list of what was taken."""
        names = [name for text in criteria for name in split(text)]
        found = baseline.Baseline.of(self.read(data), names or baseline.DEFAULT)
        write_files({file: found.text})
        count = len({one.subject for one in found.taken})
        self.say(f"written: {file}: {len(found.taken)} lines of {_machines(count)}")

    def diff(self, base: str, now: str, *, as_data: bool = False) -> bool:
        """Print what was lost and gained since recorded data or a baseline. Return whether nothing
        was lost.
        """
        recorded, listed = self.read([now]), baseline.is_baseline(base)
        found = (
            baseline.read_baseline(base).compare(recorded)
            if listed
            else difference(self.read([base]), recorded)
        )
        if as_data:
            for line in json.dumps(_as_json(found), indent=1).split("\n"):
                self.say(line)
            return not found.lost
        for note in found.notes:
            self.say(note)
        for sign, items in (("-", found.lost), ("+", found.gained)):
            for item in items[:MOST]:
                self.changed(sign, f"{item.subject}: {item.kind} {item.id}")
            if len(items) > MOST:
                self.say(f"{sign} and {len(items) - MOST} more")
        self.say(f"{len(found.lost)} lost, {len(found.gained)} gained")
        return not found.lost

    def read(self, paths: Paths) -> Data:
        """Return the data in these files, or in the usual directory. Raises CoverageError if there
        are none.
        """
        for path in map(Path, paths or [self.directory]):
            if not path.exists():
                hint = "" if paths else f": run '{self.pytest}' first, or name files"
                raise CoverageError(f"{str(path)!r} does not exist{hint}")
            if path.is_dir() and not any(path.glob(f"*{ENDING}")):
                raise CoverageError(f"{str(path)!r} has no files *{ENDING} in it")
        return combine(list(paths) or [self.directory])

    def _keeping(self, paths: Paths) -> AbstractContextManager[None]:
        """Keep what is proved in the first directory of data."""
        folder = next((path for path in paths or [self.directory] if Path(path).is_dir()), None)
        return keeping(Path(folder) / FOLDER) if folder is not None else nullcontext()


def _machines(count: int) -> str:
    return f"{count} machine{'s' * (count != 1)}"


def _as_json(found: Difference) -> dict[str, object]:
    def plain(items: Sequence[Taken]) -> list[dict[str, str]]:
        return [
            {"subject": t.subject, "machine": t.machine, "kind": t.kind, "id": t.id} for t in items
        ]

    return {"lost": plain(found.lost), "gained": plain(found.gained), "notes": list(found.notes)}
