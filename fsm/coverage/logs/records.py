"""Logs of machines: JSON Lines, one object for each event, as any program can write them.

    {"event": "push"}
    {"event": "push", "machine": 7, "from": "shut", "state": "open", "conditions": {"is_oiled":
    true}, "fired": true} {"start": true, "machine": 8, "state": "shut"}

Each key is optional, but a record has an event or a state. Other keys and other lines are ignored.

- `event`: the event that was triggered. A record without one says only in which state the object
  is.
- `state` and `from`: the state after and before the event. Several states at once are a list.
- `machine`: which object it is, a word or a number. The records of several objects may be mixed.
- `conditions`: what conditions said, by name.
- `fired`: whether a transition fired.
- `start`: whether a new object is meant from here on, or one that was put into this state.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from json import JSONDecodeError
from pathlib import Path
from typing import Any, NamedTuple

from fsm.coverage.logs.bare import Facts
from fsm.errors import LogError, shown
from fsm.files import LINE_LIMIT, DamagedLine, file_lines

EXAMPLE_LINE = '{"event": "push", "state": "open"}'
MOST_KEPT = 100_000
"""At most this many different sights are kept, so that memory does not grow with the log."""


@dataclass(frozen=True, slots=True)
class LogKeys:
    """Where a log has what: the key of each part of a record. A dot leads into an inner object.

    Attributes
    ----------
    event, state, source, machine, conditions, fired, start
        The keys. `source` is the state before the event.
    where
        Pairs of a key and a value. Lines that have another value there are ignored.
    """

    event: str = "event"
    state: str = "state"
    source: str = "from"
    machine: str = "machine"
    conditions: str = "conditions"
    fired: str = "fired"
    start: str = "start"
    where: tuple[tuple[str, str], ...] = ()


class Sight(NamedTuple):
    """What a record says of an event and of the states around it. "" and () mean that it does not
    say.
    """

    event: str = ""
    state: tuple[str, ...] = ()
    source: tuple[str, ...] = ()
    conditions: Facts = ()
    fired: bool | None = None


class Record(NamedTuple):
    """One record: the object that it is about, and whether a run of it begins here."""

    machine: str | int
    start: bool
    sight: Sight


class MachineLog:
    """A log as a stream of records, each with the number of its line. Iterating reads it.

    Attributes
    ----------
    read
        How many lines were read so far.
    skipped_lines
        How many of them were damaged, so that a record may be missing.
    other_lines
        How many are not about the machine: text, or objects without an event and a state.
    """

    def __init__(
        self, lines: Iterable[bytes | None], keys: LogKeys | None = None, *, name: str = "the log"
    ) -> None:
        self.name, self._lines = name, lines
        self.read = self.skipped_lines = self.other_lines = 0
        self.damage = self.text = ""
        self._reader = _RecordReader(keys or LogKeys())

    @classmethod
    def open(
        cls, path: str | Path, keys: LogKeys | None = None, limit: int = LINE_LIMIT
    ) -> MachineLog:
        """Return the log in this file, which may be compressed with gzip."""
        return cls(file_lines(Path(path), limit), keys, name=str(path))

    @property
    def problem(self) -> str:
        """A sentence about the first damaged line, or else the first that is text, or ""."""
        return self.damage or self.text

    def __iter__(self) -> Iterator[tuple[int, Record]]:
        record_in, found, number = self._reader.record_in, 0, 0
        for number, line in enumerate(self._lines, 1):
            self.read = number
            try:
                record = record_in(line)
            except DamagedLine as error:
                self.skipped_lines += 1
                self.damage = self.damage or f"line {number}: {error}"
                continue
            except _NoObject:
                self.other_lines += 1
                self.text = self.text or f"line {number}: it is no JSON object"
                continue
            if record is None:
                self.other_lines += not (line is None or line.isspace())
                continue
            found += 1
            yield number, record
        if not found:
            first = f"; {self.problem}" if self.problem else ""
            raise LogError(
                f"{self.name}: shows no event ({number} lines read, {self.skipped_lines} damaged{first}); wanted are "
                f"lines such as {EXAMPLE_LINE}, or say which keys to read"
            )


class _NoObject(Exception):
    """The line is text, or another JSON value than an object."""


class _RecordReader:
    """Reads lines. Equal parts of records are made once."""

    def __init__(self, keys: LogKeys) -> None:
        self._paths = {
            f.name: _path(getattr(keys, f.name)) for f in fields(keys) if f.name != "where"
        }
        self._simple = all(len(path) == 1 for path in self._paths.values())
        self._where = tuple((_path(key), value) for key, value in keys.where)
        self._decode = json.JSONDecoder().decode
        self._sights: dict[tuple[Any, ...], Sight] = {}

    def record_in(self, line: bytes | None) -> Record | None:
        """Return the record in a line, or None if it has none. Raises DamagedLine or _NoObject."""
        if line is None:
            raise DamagedLine("it is too long")
        text = line.decode("utf-8", "replace").lstrip("\ufeff").strip()
        if not text:
            return None
        if text[0] != "{":
            raise _NoObject
        try:
            data = self._decode(text)
        except JSONDecodeError as error:
            torn = "it is torn" if not line.endswith(b"\n") else "it is not JSON"
            raise DamagedLine(
                f"{torn} ({error.msg.lower()} at character {error.pos + 1})"
            ) from None
        except (ValueError, RecursionError):
            raise DamagedLine("it is no JSON that can be read") from None
        if any(_word(_at(data, path)) != value for path, value in self._where):
            return None
        parts = {name: _at(data, path) for name, path in self._paths.items()}
        return self._record(**parts)

    def _record(
        self,
        event: object,
        state: object,
        source: object,
        machine: object,
        conditions: object,
        fired: object,
        start: object,
    ) -> Record | None:
        if event is None and state is None and source is None:
            return None
        if machine is None:
            machine = ""
        elif type(machine) is not str and type(machine) is not int:
            raise DamagedLine(f"its machine must be a word or a number, not {shown(machine)}")
        if conditions is None and type(state) is not list and type(source) is not list:
            key = (event, state, source, fired)
            sight = self._sights.get(key) if all(map(_plain, key)) else None
            if sight is None:
                if len(self._sights) >= MOST_KEPT:
                    self._sights.clear()
                sight = self._sights[key] = _sight(event, state, source, None, fired)
        else:
            sight = _sight(event, state, source, conditions, fired)
        return Record(machine, start is True, sight)


def _plain(value: object) -> bool:
    return value is None or type(value) in (str, bool)


def _path(key: str) -> tuple[str, ...]:
    return (key, *key.split(".")) if "." in key else (key,)


def _at(data: dict[str, Any], path: tuple[str, ...]) -> object:
    """Return the value at a path, or None. Its first part is the whole key, which may have dots in
    it.
    """
    found: object = data.get(path[0])
    if found is None and len(path) > 1:
        found = data
        for name in path[1:]:
            if not isinstance(found, dict):
                return None
            found = found.get(name)
    return found


def _word(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _sight(
    event: object, state: object, source: object, conditions: object, fired: object
) -> Sight:
    if event is not None and (not isinstance(event, str) or not event):
        raise DamagedLine(f"its event must be a word, not {shown(event)}")
    if fired is not None and not isinstance(fired, bool):
        raise DamagedLine(f"what it says of having fired must be true or false, not {shown(fired)}")
    if conditions is None:
        conditions = {}
    if not isinstance(conditions, dict) or not all(
        isinstance(value, bool) for value in conditions.values()
    ):
        raise DamagedLine(
            f"its conditions must be names with true or false, not {shown(conditions)}"
        )
    facts = tuple(sorted(conditions.items()))
    return Sight(event or "", tuple(_states(state)), tuple(_states(source)), facts, fired)


def _states(value: object) -> Iterator[str]:
    """Yield the names of the states in a value."""
    if isinstance(value, list):
        for one in value:
            yield from _states(one)
    elif isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
        yield str(value)
    elif value is not None:
        raise DamagedLine(f"its state must be a word or a list of words, not {shown(value)}")
