"""What the commands on recorded data do: `fsm cover report` and so on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from fsm.coverage import baseline, reports
from fsm.coverage.comparing import difference
from fsm.coverage.data import Data
from fsm.coverage.files import ENDING, combine, save
from fsm.coverage.keeping import FOLDER, keeping
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
        criteria: Sequence[str] = (),
        kinds: Sequence[str] = (),
        lists: Paths = (),
        floors: Sequence[str] = (),
        baselines: Paths = (),
    ) -> bool:
        """Report recorded data. Return whether nothing is wrong."""
        asked = [reports.report_asked(kind) for kind in kinds or ("term",)]
        least, names = reports.floors_asked(floors), reports.criteria_asked(criteria)
        check_writable(one.file or None for one in asked)
        allowed = [one for path in lists for one in reports.read_allowed(path)]
        known = [(path, baseline.read_baseline(path)) for path in baselines]
        recorded = self.read(data)
        with self._keeping(data):
            results = reports.results_of(recorded, [], names, allowed)
            for line in reports.printed(results, asked):
                self.say(line)
            files = reports.written(results, asked)
        write_files(files)
        for path in files:
            self.say(f"written: {path}")
        compared = [(path, one.compare(recorded)) for path, one in known]
        for note in (note for path, found in compared for note in notes_on(path, found)):
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

    def diff(self, base: str, now: str) -> bool:
        """Print what was lost and gained since recorded data or a baseline. Return whether nothing
        was lost.
        """
        recorded, listed = self.read([now]), baseline.is_baseline(base)
        found = (
            baseline.read_baseline(base).compare(recorded)
            if listed
            else difference(self.read([base]), recorded)
        )
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
