"""Data files: JSON Lines, one append-only file for each process.

Files are used instead of a database for these reasons. Each file is written by one process, so
nothing has to be locked. What has been written stays readable when the process is killed: at most
the last line is torn, and the reader notices that. No side files are left behind. Files of many
machines and runs are combined by reading one after another.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from fsm.coverage.data import Data, Entry
from fsm.coverage.entries import DataReader
from fsm.errors import CoverageError
from fsm.files import parse_json, regular

FORMAT = "fsm-coverage-1"
ENDING = ".fsmcov"


class DataWriter:
    """Appends entries to a file of its own in this directory. The file is made when there is
    something to write.

    Raises CoverageError if the directory cannot be made. If writing fails later, nothing is raised,
    because the measured program must go on: `failed` then says why, and the rest is dropped.
    """

    def __init__(self, directory: str | Path) -> None:
        self.directory = Path(directory).absolute()
        self.path: Path | None = None
        self.failed = ""
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CoverageError(
                f"{directory}: {error.strerror or error}; name another directory"
            ) from None

    def __call__(self, entries: list[Entry]) -> None:
        """Append these entries in one write."""
        if self.failed:
            return
        fresh = self.path is None
        if self.path is None:
            self.path = self.directory / f"{os.getpid()}-{secrets.token_hex(6)}{ENDING}"
        lines = [[FORMAT], *entries] if fresh else entries
        text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
        try:
            with open(self.path, "ab", buffering=0, opener=_make if fresh else _reopen) as file:
                file.write(text.encode())
        except OSError as error:
            self.failed = f"{self.path}: cannot be written: {error.strerror or error}"

    def after_fork(self) -> None:
        """Begin a new file in a forked child."""
        self.path, self.failed = None, ""


def _make(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_EXCL, 0o666)


def _reopen(path: str, flags: int) -> int:
    """Open the file again. If it is gone, it is not created, because it would lack its beginning."""
    return os.open(path, flags & ~os.O_CREAT)


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
    for path in _files(paths):
        data.update(read(path))
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
    reader, torn = DataReader(), ""
    try:
        with open(path, encoding="utf-8", errors="replace", newline="\n", opener=regular) as file:
            for number, line in enumerate(file, 1):
                if not line.endswith("\n"):
                    torn = f"{path}: line {number} is torn and left out: the process that wrote it was killed"
                    break
                _take(reader, path, number, line)
    except OSError as error:
        raise CoverageError(f"{path}: {error.strerror or error}") from None
    data = reader.data
    data.notes += [torn] if torn else []
    return data


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
    from fsm.coverage.entries import entries_of

    with writing(path) as write:
        for entry in entries_of(data):
            write([entry])


@contextmanager
def writing(path: str | Path) -> Iterator[Callable[[list[Entry]], None]]:
    """Give a function that takes entries for a data file. The file is replaced when the `with`
    block ends well.

    Raises CoverageError if the file cannot be written.
    """
    fresh = Path(f"{path}.{secrets.token_hex(4)}.part")
    try:
        with open(fresh, "w", encoding="utf-8", newline="\n") as file:

            def write(entries: list[Entry]) -> None:
                file.writelines(
                    json.dumps(entry, separators=(",", ":")) + "\n" for entry in entries
                )

            write([[FORMAT]])
            yield write
        fresh.replace(path)
    except BaseException as error:
        fresh.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise CoverageError(f"{path}: {error.strerror or error}") from None
        raise


def _take(reader: DataReader, path: str | Path, number: int, line: str) -> None:
    no_entry = "this is not an entry of a coverage file"
    try:
        entry = parse_json(line)
    except ValueError:
        raise CoverageError(f"{path}: line {number}: {no_entry}") from None
    try:
        if number == 1:
            _check_format(entry)
            return
        reader.take(entry)
    except (ValueError, KeyError, TypeError, OverflowError) as error:
        why = error if type(error) is ValueError else no_entry
        raise CoverageError(f"{path}: line {number}: {why}") from None


def _check_format(entry: object) -> None:
    if entry != [FORMAT]:
        raise ValueError(f"a coverage file begins with {json.dumps([FORMAT])}; record it again")


def _files(paths: Iterable[str | Path]) -> Iterator[Path]:
    for path in map(Path, paths):
        if path.is_dir():
            yield from sorted(path.glob(f"*{ENDING}"))
        else:
            yield path
