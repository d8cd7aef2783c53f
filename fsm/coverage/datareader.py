"""Reads entries, as `fsm.coverage.datawriter` writes them, into Data."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from fsm.coverage.data import Data, FiringKey, Subject, Walk


@dataclass
class _Growing:
    """A walk that is recorded in parts."""

    subject: Subject
    machine: str
    steps: list[FiringKey] = field(default_factory=list)
    contexts: list[tuple[int, str]] = field(default_factory=list)


class DataReader:
    """Reads entries one by one into `data`. Raises ValueError, KeyError or TypeError for an invalid
    entry.
    """

    def __init__(self) -> None:
        self._data = Data()
        self._names: dict[tuple[str, int], tuple[str, ...]] = {}
        self._firings: dict[int, FiringKey] = {}
        self._walks: dict[int, _Growing] = {}
        self._kinds: dict[str, Callable[..., None]] = {
            "subject": self._name,
            "step": self._name,
            "context": self._name,
            "model": self._model,
            "start": self._start,
            "walk": self._walk,
            "walks": self._whole,
            "literals": self._literals,
            "refused": self._refused,
        }

    def take(self, entry: Any) -> None:
        """Read one entry."""
        kind, *rest = entry
        self._kinds[kind](kind, *rest)

    def take_all(self, entries: Iterable[Any]) -> None:
        """Read several entries."""
        for entry in entries:
            self.take(entry)

    @property
    def data(self) -> Data:
        """The data of all entries read so far."""
        data = Data()
        data.update(self._data)
        for walk in self._walks.values():
            done = Walk(walk.machine, tuple(walk.steps), tuple(walk.contexts))
            data.of(walk.subject).walks[done] += 1
        return data

    def _name(self, kind: str, number: int, *names: str) -> None:
        lengths = {"context": (1,), "step": (2,), "subject": (2, 4)}[kind]
        if len(names) not in lengths or not all(isinstance(name, str) for name in names):
            raise ValueError(f"{names!r} is no {kind}")
        self._names[kind, int(number)] = names
        if kind == "step":
            self._firings[int(number)] = names  # type: ignore[assignment]

    def _subject(self, number: int) -> Subject:
        name, fingerprint, *more = self._names["subject", number]
        place, grows = more or ("", "")
        return Subject(name, fingerprint, place, bool(grows))

    def _model(self, _: str, number: int, model: dict[str, Any], unordered: bool = False) -> None:
        if not isinstance(model, dict):
            raise ValueError("a model is a JSON object")
        self._data.add_model(self._subject(number), model)
        if unordered:
            self._data.unordered.add(self._subject(number))

    def _start(self, _: str, number: int, state: str) -> None:
        self._data.of(self._subject(number)).starts.add(str(state))

    def _context(self, number: int) -> str:
        return self._names["context", number][0]

    def _steps(self, numbers: Iterable[int]) -> tuple[FiringKey, ...]:
        return tuple(map(self._firings.__getitem__, numbers))

    def _walk(
        self, _: str, number: int, subject: int, machine: str, context: int, steps: list[int]
    ) -> None:
        if number not in self._walks:
            self._walks[number] = _Growing(self._subject(subject), str(machine))
        walk = self._walks[number]
        name = self._context(context)
        if not walk.contexts or walk.contexts[-1][1] != name:
            walk.contexts.append((len(walk.steps), name))
        walk.steps += self._steps(steps)

    def _whole(
        self, _: str, subject: int, machine: str, context: int, count: int, steps: list[int]
    ) -> None:
        walk = Walk(str(machine), self._steps(steps), ((0, self._context(context)),))
        self._data.of(self._subject(subject)).walks[walk] += int(count)

    def _literals(
        self, _: str, subject: int, machine: str, context: int, rows: list[list[Any]]
    ) -> None:
        literals, name = self._data.of(self._subject(subject)).literals, self._context(context)
        for transition, term, held, count in rows:
            literals[str(machine), name, (str(transition), str(term), bool(held))] += int(count)

    def _refused(
        self, _: str, subject: int, machine: str, context: int, rows: list[list[Any]]
    ) -> None:
        refused, name = self._data.of(self._subject(subject)).refused, self._context(context)
        for state, event, count in rows:
            refused[str(machine), name, (str(state), str(event))] += int(count)
