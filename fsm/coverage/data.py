"""Recorded coverage, which is counts: how each guard came out, and what followed what; and its
files.

A vector says how a guard was evaluated: "110" if its third condition failed after two that held,
"111" if all held. So a transition fired if there is no 0 in its vector. All criteria but pairs are
read off these counts. Two records are added to one another.

Data files are JSON Lines, one append-only file for each process, so nothing has to be locked. What
has been written stays readable when the process is killed: at most the last line is torn, and the
reader notices that. Each line has what was counted of one subject since the line before. Its counts
name texts by their number in the line.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from fsm.errors import CoverageError, FsmError
from fsm.files import opened, write_file
from fsm.model import Model
from fsm.model.model import per_model

Step = tuple[str, str]
"""The id of a transition, and the state in which it fires."""
TABLES = "taken", "pairs"


@dataclass(slots=True)
class Seen:
    """What was recorded of one subject.

    The keys of the counts begin with the name of the machine and the context (test).

    Attributes
    ----------
    taken
        How often a guard came out so: transition, state, vector.
    pairs
        How often two firings followed one another in one game or on one object: transition and
        state, twice. They belong to the context of the second one.
    starts
        The states into which objects were put.
    """

    taken: Counter[tuple[str, str, str, str, str]] = field(default_factory=Counter)
    pairs: Counter[tuple[str, str, str, str, str, str]] = field(default_factory=Counter)
    starts: set[str] = field(default_factory=set)

    @property
    def tables(self) -> Iterator[tuple[str, Counter[Any]]]:
        """The counts by name, as files name them."""
        return ((name, getattr(self, name)) for name in TABLES)

    @property
    def firings(self) -> int:
        """The number of firings."""
        return sum(count for key, count in self.taken.items() if "0" not in key[-1])

    def update(self, other: Seen) -> None:
        """Add what was recorded elsewhere."""
        for name, counts in self.tables:
            counts.update(getattr(other, name))
        self.starts |= other.starts


@dataclass(slots=True)
class Data:
    """Recorded coverage of any number of models.

    Attributes
    ----------
    seen
        What was recorded, by subject.
    notes
        Problems with the data, one sentence each.
    models
        The Models of the subjects.
    """

    seen: dict[Subject, Seen] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    models: dict[Subject, Model] = field(default_factory=dict, compare=False)

    def of(self, subject: Subject) -> Seen:
        """Return the record of a subject. It is created if it does not exist, and you may add to
        it.

        Parameters
        ----------
        subject
            The subject.

        Returns
        -------
        Seen
            The record.
        """
        found = self.seen.get(subject)
        if found is None:
            found = self.seen[subject] = Seen()
        return found

    def update(self, other: Data) -> None:
        """Add what was recorded elsewhere. Of several Models of a machine, the one with most
        transitions is kept.

        Parameters
        ----------
        other
            The other data.
        """
        for subject, seen in other.seen.items():
            self.of(subject).update(seen)
        for subject, model in other.models.items():
            self.models[subject] = fuller(self.models.get(subject, model), model)
        self.notes += [note for note in other.notes if note not in self.notes]

    @property
    def firings(self) -> int:
        """The number of recorded firings."""
        return sum(seen.firings for seen in self.seen.values())


def fuller(first: Model, then: Model) -> Model:
    """Return the Model by which a machine is measured that changed, or that begins in several
    states: the one with most transitions, or else that begins in the state listed first.
    """
    return first if _fullness(first) >= _fullness(then) else then


def _fullness(model: Model) -> tuple[int, int]:
    states = [state.id for state in model.states]
    return len(model.transitions), -states.index(model.initial)


# subjects -----------------------------------------------------------------------------------------


class Subject(Struct, frozen=True, order=True):
    """Identifies the model to which recorded data belongs.

    A plain machine is identified by its definition and the place where it was made. Neither its
    initial state nor what it drives nor its callbacks matter: an object restored from a database is
    driven by the same machine as a new one. The definition is that of its first event, so a machine
    that changes later stays the same subject.

    Attributes
    ----------
    name
        The name of the model with its options: `name?option=value`. For a plain machine, the class
        of the object that it drives, or its own class.
    fingerprint
        The fingerprint of the model.
    place
        Where a plain machine was made, `file:line`, or "" if it was made before the collection
        began.
    """

    name: str
    fingerprint: str
    place: str = ""

    @property
    def label(self) -> str:
        """The name and the place, as reports show them."""
        return f"{self.name} ({self.place})" if self.place else self.name


@per_model
def subject_of(model: Model) -> Subject:
    """Return the subject under which data of a model is recorded.

    Parameters
    ----------
    model
        The Model.

    Returns
    -------
    Subject
        The name with the options, `name?option=value`, and the fingerprint.
    """
    options = "&".join(f"{name}={value}" for name, value in sorted(model.options.items()))
    fingerprint = model.fingerprint if model.played else _fingerprint(model)
    return Subject(f"{model.name}?{options}" if options else model.name, fingerprint)


def _fingerprint(model: Model) -> str:
    """Return a hash of the states and transitions of a plain machine.

    It leaves out names, docs and callbacks, and the states to which only a start leads.
    """
    entered = {row.target for row in model.transitions}
    states = [state for state in model.states if not state.stand_in or state.id in entered]
    known = {state.id for state in states}
    said: list[object] = [*sorted(model.options.items())]
    said += [[s.id, s.kind, s.label, s.parent, s.role, s.rule] for s in states]
    for row in model.transitions:
        if row.source in known:
            said.append([row.id, row.source, str(row.target), row.event, row.layer, row.rule])
    return hashlib.sha256(repr(said).encode()).hexdigest()[:16]


# files --------------------------------------------------------------------------------------------

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
