"""Writes data as entries, which `fsm.coverage.datareader` reads.

An entry is a list of JSON values. Each name is written once and has a number from then on:

    ["subject", number, name, fingerprint]    ["step", number, transition, state]    ["context", number, name]
    ["subject", number, name, fingerprint, place, grows]         of a plain machine; grows is "" or "grows"
    ["model", subject, {...}]                                    a subject's Model, if it is no built-in ruleset
    ["model", subject, {...}, true]                              the order of its transitions says nothing
    ["start", subject, state]                                    a state in which runs of it begin
    ["walk", walk, subject, machine, context, [steps]]           more of a walk, which may go on
    ["walks", subject, machine, context, count, [steps]]         so many whole walks alike
    ["literals", subject, machine, context, [[transition, term, held, count], ...]]
    ["refused", subject, machine, context, [[state, event, count], ...]]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from fsm.coverage.data import Data, Entry, FiringKey, Subject, Walk


class EntryWriter:
    """Collects entries. `model_of` returns the Model of a subject as JSON, or None if it is not
    written.

    It also returns whether the order of the transitions says something.
    """

    def __init__(self, model_of: Callable[[Subject], tuple[dict[str, Any] | None, bool]]) -> None:
        self._model_of = model_of
        self._names: dict[tuple[str, ...], int] = {}
        self._entries: list[Entry] = []
        self._walks = 0

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

    def new_walk(self) -> int:
        """Return the number of another walk."""
        self._walks += 1
        return self._walks

    def tables(
        self, kind: str, counts: Iterable[tuple[tuple[Subject, str, str, Any], int]]
    ) -> None:
        """Add entries for what was counted, by subject, machine and context."""
        tables: dict[tuple[Subject, str, str], list[Entry]] = {}
        for (subject, machine, context, what), count in counts:
            tables.setdefault((subject, machine, context), []).append([*what, count])
        for (subject, machine, context), rows in tables.items():
            self.put(kind, self.subject(subject), machine, self.context(context), rows)

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
        for walk, count in seen.walks.items():
            _put_walk(writer, number, walk, count)
            yield from writer.taken()
        writer.tables(
            "literals", (((subject, *key), count) for key, count in seen.literals.items())
        )
        writer.tables("refused", (((subject, *key), count) for key, count in seen.refused.items()))
        yield from writer.taken()


def _put_walk(writer: EntryWriter, subject: int, walk: Walk, count: int) -> None:
    if len(walk.contexts) == 1:
        context = writer.context(walk.contexts[0][1])
        writer.put(
            "walks",
            subject,
            walk.machine,
            context,
            count,
            [writer.step(step) for step in walk.steps],
        )
        return
    for _ in range(count):
        number = writer.new_walk()
        for name, steps in walk.parts():
            context = writer.context(name)
            writer.put(
                "walk",
                number,
                subject,
                walk.machine,
                context,
                [writer.step(step) for step in steps],
            )
