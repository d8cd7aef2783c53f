"""Writes data as entries, and reads them.

An entry is a list of JSON values. Each name is written once and has a number from then on:

    ["subject", number, name, fingerprint]    ["step", number, transition, state]    ["context", number, name]
    ["subject", number, name, fingerprint, place, grows]         of a plain machine; grows is "" or "grows"
    ["model", subject, {...}]                                    a subject's Model, if it is no built-in ruleset
    ["model", subject, {...}, true]                              the order of its transitions says nothing
    ["start", subject, state]                                    a state in which runs of it begin
    ["firings", subject, machine, context, [[step, count], ...]]
    ["pairs", subject, machine, context, [[step, step, count], ...]]
    ["literals", subject, machine, context, [[transition, term, held, count], ...]]
    ["refused", subject, machine, context, [[state, event, count], ...]]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from fsm.coverage.data import Data, Entry, FiringKey, Subject


class EntryWriter:
    """Collects entries. `model_of` returns the Model of a subject as JSON, or None if it is not
    written.

    It also returns whether the order of the transitions says something.
    """

    def __init__(self, model_of: Callable[[Subject], tuple[dict[str, Any] | None, bool]]) -> None:
        self._model_of = model_of
        self._names: dict[tuple[str, ...], int] = {}
        self._entries: list[Entry] = []

    def taken(self) -> list[Entry]:
        """Return the entries that were put since the last call."""
        entries, self._entries = self._entries, []
        return entries

    def put(self, *values: Any) -> None:
        """Add an entry."""
        self._entries.append([*values])

    def subject(self, subject: Subject) -> int:
        """Return the number of a subject."""
        fresh = not self.knows(subject)
        number = self._number(*_subject_names(subject))
        if fresh:
            self.model(subject)
        return number

    def model(self, subject: Subject) -> None:
        """Write the Model of a subject, again if it has changed."""
        model, ordered = self._model_of(subject)
        if model is not None:
            self.put("model", self.subject(subject), model, *([] if ordered else [True]))

    def knows(self, subject: Subject) -> bool:
        """Say whether anything was written about a subject."""
        return _subject_names(subject) in self._names

    def step(self, step: FiringKey) -> int:
        """Return the number of a firing."""
        return self._number("step", *step)

    def context(self, name: str) -> int:
        """Return the number of a context."""
        return self._number("context", name)

    def table(self, kind: str, subject: Subject, counts: Counter[tuple[str, str, Any]]) -> None:
        """Add entries for what was counted, by machine and context."""
        tables: dict[tuple[str, str], list[Entry]] = {}
        for (machine, context, what), count in counts.items():
            tables.setdefault((machine, context), []).append([*self._columns(kind, what), count])
        for (machine, context), rows in tables.items():
            self.put(kind, self.subject(subject), machine, self.context(context), rows)

    def _columns(self, kind: str, what: Any) -> Iterable[Any]:
        if kind == "firings":
            return (self.step(what),)
        return map(self.step, what) if kind == "pairs" else what

    def _number(self, kind: str, *names: str) -> int:
        key = (kind, *names)
        number = self._names.get(key)
        if number is None:
            number = self._names[key] = len(self._names)
            self.put(kind, number, *names)
        return number


def _subject_names(subject: Subject) -> tuple[str, ...]:
    plain = (
        (subject.place, "grows" if subject.grows else "") if subject.place or subject.grows else ()
    )
    return ("subject", subject.name, subject.fingerprint, *plain)


def entries_of(data: Data) -> Iterator[Entry]:
    """Yield the entries for this data."""
    writer = EntryWriter(lambda subject: (data.models.get(subject), subject not in data.unordered))
    for subject, seen in data.seen.items():
        number = writer.subject(subject)
        for state in sorted(seen.starts):
            writer.put("start", number, state)
        for name, counter in seen.counters.items():
            writer.table(name, subject, counter)
        yield from writer.taken()


class DataReader:
    """Reads entries one by one into `data`. Raises ValueError, KeyError or TypeError for an invalid
    entry.
    """

    def __init__(self) -> None:
        self.data = Data()
        self._names: dict[tuple[str, int], tuple[str, ...]] = {}
        self._kinds: dict[str, Callable[..., None]] = {
            "subject": self._name,
            "step": self._name,
            "context": self._name,
            "model": self._model,
            "start": self._start,
            "firings": self._counts,
            "pairs": self._counts,
            "literals": self._counts,
            "refused": self._counts,
        }

    def take(self, entry: Any) -> None:
        """Read one entry."""
        kind, *rest = entry
        self._kinds[kind](kind, *rest)

    def take_all(self, entries: Iterable[Any]) -> None:
        """Read several entries."""
        for entry in entries:
            self.take(entry)

    def _name(self, kind: str, number: int, *names: str) -> None:
        lengths = {"context": (1,), "step": (2,), "subject": (2, 4)}[kind]
        if len(names) not in lengths or not all(isinstance(name, str) for name in names):
            raise ValueError(f"{names!r} is no {kind}")
        self._names[kind, int(number)] = names

    def _subject(self, number: int) -> Subject:
        name, fingerprint, *more = self._names["subject", number]
        place, grows = more or ("", "")
        return Subject(name, fingerprint, place, bool(grows))

    def _model(self, _: str, number: int, model: dict[str, Any], unordered: bool = False) -> None:
        if not isinstance(model, dict):
            raise ValueError("a model is a JSON object")
        self.data.add_model(self._subject(number), model)
        if unordered:
            self.data.unordered.add(self._subject(number))

    def _start(self, _: str, number: int, state: str) -> None:
        self.data.of(self._subject(number)).starts.add(str(state))

    def _counts(
        self, kind: str, subject: int, machine: str, context: int, rows: list[list[Any]]
    ) -> None:
        counter = self.data.of(self._subject(subject)).counters[kind]
        key = str(machine), self._names["context", context][0]
        for *what, count in rows:
            counter[*key, self._counted(kind, what)] += int(count)

    def _counted(self, kind: str, what: list[Any]) -> object:
        if kind == "firings":
            (step,) = what
            return self._names["step", step]
        if kind == "pairs":
            first, second = what
            return self._names["step", first], self._names["step", second]
        if kind == "literals":
            transition, term, held = what
            return str(transition), str(term), bool(held)
        state, event = what
        return str(state), str(event)
