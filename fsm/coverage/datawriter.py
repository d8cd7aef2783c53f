"""Writes Data as entries, which `fsm.coverage.datareader` reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from fsm.coverage.data import Data, Entry, FiringKey, Seen, Walk


def entries_of(data: Data) -> Iterator[Entry]:
    """Yield the entries for this data."""
    writer = _EntryWriter()
    for subject, seen in data.seen.items():
        model = data.models.get(subject)
        yield from writer.subject(subject.name, subject.fingerprint, seen, model)


class _EntryWriter:
    def __init__(self) -> None:
        self.names: dict[tuple[str, ...], int] = {}
        self.fresh: list[Entry] = []
        self.walks = 0

    def number(self, kind: str, *names: str) -> int:
        key = (kind, *names)
        if key not in self.names:
            self.names[key] = len(self.names)
            self.fresh.append([kind, self.names[key], *names])
        return self.names[key]

    def with_names(self, *entries: Entry) -> Iterator[Entry]:
        """Yield the entries of new names, then the entry that uses them."""
        yield from self.fresh
        self.fresh = []
        yield from entries

    def subject(self, name: str, fingerprint: str, seen: Seen, model: dict[str, Any] | None = None) -> Iterator[Entry]:
        subject = self.number("subject", name, fingerprint)
        if model is not None:
            yield from self.with_names(["model", subject, model])
        yield from self.with_names(*(["start", subject, state] for state in sorted(seen.starts)))
        for walk, count in seen.walks.items():
            yield from self.walk(subject, walk, count)
        kinds: tuple[tuple[str, Counter[Any]], ...] = (("literals", seen.literals), ("refused", seen.refused))
        for kind, counts in kinds:
            tables: dict[tuple[str, str], list[Any]] = {}
            for (machine, context, what), count in counts.items():
                tables.setdefault((machine, context), []).append([*what, count])
            for (machine, context), rows in tables.items():
                yield from self.with_names([kind, subject, machine, self.number("context", context), rows])

    def walk(self, subject: int, walk: Walk, count: int) -> Iterator[Entry]:
        if len(walk.contexts) == 1:
            context = self.number("context", walk.contexts[0][1])
            yield from self.with_names(["walks", subject, walk.machine, context, count, self.steps(walk.steps)])
            return
        ends = [start for start, _ in walk.contexts[1:]] + [len(walk.steps)]
        for _ in range(count):
            self.walks += 1
            for (start, name), end in zip(walk.contexts, ends, strict=True):
                part = self.steps(walk.steps[start:end])
                context = self.number("context", name)
                yield from self.with_names(["walk", self.walks, subject, walk.machine, context, part])

    def steps(self, steps: tuple[FiringKey, ...]) -> list[int]:
        return [self.number("step", *step) for step in steps]
