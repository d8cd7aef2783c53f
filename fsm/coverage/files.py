"""Data files: JSON Lines, one append-only file for each process.

Files are used instead of a database for these reasons. Each file is written by one process, so
nothing has to be locked. What has been written stays readable when the process is killed: at most
the last line is torn, and the reader notices that. No side files are left behind. Files of many
machines and runs are combined by reading one after another.

Each line has what was counted of one subject since the line before. Its counts name texts by their
number in the line.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from fsm.coverage.data import TABLES, Data, Subject
from fsm.errors import CoverageError, FsmError
from fsm.files import opened, write_file
from fsm.model import Model
from fsm.model.model import per_model

FORMAT = "fsm-coverage-2"
ENDING = ".fsmcov"
HEAD = f"{json.dumps([FORMAT])}\n".encode()


class Part(msgspec.Struct, omit_defaults=True):
    """A line of a file. A note is of no subject."""

    subject: Subject | None = None
    texts: list[str] = []
    taken: list[tuple[int, int, int, int, int, int]] = []
    pairs: list[tuple[int, int, int, int, int, int, int]] = []
    starts: list[str] = []
    model: dict[str, Any] | None = None
    note: str = ""


def _lines_of(data: Data) -> Iterator[bytes]:
    """Yield the lines for this data."""
    for subject, seen in data.seen.items():
        numbers: dict[str, int] = {}
        part = Part(subject, starts=sorted(seen.starts))
        for name, counts in seen.tables:
            rows = getattr(part, name)
            for key, count in counts.items():
                rows.append((*[numbers.setdefault(text, len(numbers)) for text in key], count))
        part.texts = [*numbers]
        if subject in data.models:
            part.model = _json_of(data.models[subject])
        yield msgspec.json.encode(part) + b"\n"
    for note in data.notes:
        yield msgspec.json.encode(Part(note=note)) + b"\n"


@per_model
def _json_of(model: Model) -> dict[str, Any]:
    return model.to_json()


def _add(data: Data, part: Part) -> None:
    """Add what a line has. Raises FsmError or IndexError if it is none."""
    found = Data(notes=[part.note] if part.note else [])
    if part.subject is not None:
        seen = found.of(part.subject)
        seen.starts.update(part.starts)
        for name in TABLES:
            counts = getattr(seen, name)
            for *key, count in getattr(part, name):
                counts[tuple([part.texts[number] for number in key])] += count
        if part.model is not None:
            found.models[part.subject] = Model.from_json(part.model)
    data.update(found)


class DataWriter:
    """Appends data to a file of its own in this directory. The file is made when there is something
    to write.

    Raises CoverageError if the directory cannot be made. If writing fails later, nothing is raised,
    because the measured program must go on: `failed` then says why, and the rest is dropped.
    """

    def __init__(self, directory: str | Path) -> None:
        self.directory = Path(directory).absolute()
        self.path: Path | None = None
        self.failed = ""
        self._process = os.getpid()
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            text = f"{directory}: {error.strerror or error}; name another directory"
            raise CoverageError(text) from None

    def __call__(self, data: Data) -> None:
        """Append this data in one write."""
        if self._process != os.getpid():  # a forked child has a file of its own
            self.path, self.failed, self._process = None, "", os.getpid()
        if self.failed:
            return
        fresh = self.path is None
        path = self.path or self.directory / f"{os.getpid()}-{secrets.token_hex(6)}{ENDING}"
        self.path = path
        text = b"".join([HEAD * fresh, *_lines_of(data)])
        try:
            with open(path, "xb" if fresh else "r+b", buffering=0) as file:
                file.seek(0, os.SEEK_END)
                file.write(text)
        except OSError as error:
            self.failed = f"{path}: cannot be written: {error.strerror or error}"


def combine(paths: Iterable[str | Path]) -> Data:
    """Read coverage data from files and directories, and combine it.

    Parameters
    ----------
    paths
        Data files, and directories of data files.

    Returns
    -------
    Data
        The data of all files. If the process was killed while it wrote, the torn last line is left
        out, and a note says so.

    Raises
    ------
    CoverageError
        If a file cannot be read or is damaged. The message names the place.
    """
    data = Data()
    for path in map(Path, paths):
        for file in sorted(path.glob(f"*{ENDING}")) if path.is_dir() else [path]:
            data.update(read(file))
    return data


def read(path: str | Path) -> Data:
    """Read one data file.

    Parameters
    ----------
    path
        The file.

    Returns
    -------
    Data
        The data of the file. A torn last line is left out, and a note says so.

    Raises
    ------
    CoverageError
        If the file cannot be read or is damaged. The message names the place.
    """
    data = Data()
    with opened(path, CoverageError) as file:
        for number, line in enumerate(file, 1):
            place = f"{path}: line {number}"
            if not line.endswith(b"\n"):
                torn = "is torn and left out: the process that wrote it was killed"
                data.notes.append(f"{place} {torn}")
            elif number > 1:
                _take(data, place, line)
            elif line != HEAD:
                begins = f"a coverage file begins with {json.dumps([FORMAT])}; record it again"
                raise CoverageError(f"{place}: {begins}")
    return data


def _take(data: Data, place: str, line: bytes) -> None:
    try:
        _add(data, msgspec.json.decode(line, type=Part))
    except (ValueError, IndexError, RecursionError, FsmError):
        raise CoverageError(f"{place}: this is not an entry of a coverage file") from None


def save(data: Data, path: str | Path) -> None:
    """Write data to one file, which `read` can read.

    Parameters
    ----------
    data
        The data to write.
    path
        The file. An existing file is replaced.

    Raises
    ------
    CoverageError
        If the file cannot be written.
    """
    try:
        write_file(str(path), HEAD + b"".join(_lines_of(data)))
    except OSError as error:
        raise CoverageError(f"{path}: {error.strerror or error}") from None
