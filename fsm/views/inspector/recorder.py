"""Writes a log of any machine of the `transitions` library.

Only the machine that is given is changed, not its class: its methods `callbacks` and `set_state`
are wrapped until the recorder is closed.
"""

from __future__ import annotations

import json
import os
import weakref
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from enum import Enum
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from fsm.errors import LogError

if TYPE_CHECKING:
    from transitions import Machine

_WRAPPED = ("callbacks", "set_state")


def log(
    machine: Machine, file: str | Path | TextIO, *, name: Callable[[Any], str | int] | None = None
) -> Recorder:
    """Write a line for each event of a machine from now on.

    Each line is written at once, so that a killed process leaves at most its last line torn.
    Several processes may append to one file.

    Parameters
    ----------
    machine
        A machine of any class of the library.
    file
        A path, to which lines are appended, or an open text file.
    name
        Returns the name of an object that the machine drives. By default it is made of the process
        and a number.

    Returns
    -------
    Recorder
        Close it, or use it in a `with` block, to stop.

    Raises
    ------
    LogError
        If the file cannot be opened.
    """
    return Recorder(machine, file, name)


class Recorder:
    """Writes what happens to the objects of one machine.

    If writing fails, nothing is raised, because the program must go on. `failed` then says why, and
    the rest is dropped.
    """

    def __init__(
        self,
        machine: Machine,
        file: str | Path | TextIO,
        name: Callable[[Any], str | int] | None = None,
    ) -> None:
        self.machine: Any = machine
        self.failed: str = ""
        self._name: Callable[[Any], str | int] = name or self._numbered
        self._numbers: dict[int, tuple[object, int]] = {}
        self._count: Iterator[int] = count(1)
        self._known: dict[int, object] = {}
        self._current: ContextVar[_OpenEvent | None] = ContextVar("fsm_event", default=None)
        self._changed: dict[int, _OpenEvent] = {}
        self._handle: int | None = None
        self._file: TextIO | None = None
        if isinstance(file, str | Path):
            try:
                self._handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
            except OSError as error:
                raise LogError(f"{file}: cannot be written: {error.strerror or error}") from None
        else:
            self._file = file
        self._wrap()

    def close(self) -> None:
        """Stop writing, and give the machine its own methods back."""
        for name in _WRAPPED:
            self.machine.__dict__.pop(name, None)
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    # the machine's methods ------------------------------------------------------------------------

    def _wrap(self) -> None:
        from transitions.extensions.asyncio import AsyncMachine

        machine = self.machine
        callbacks, set_state = machine.callbacks, machine.set_state

        def called(funcs: Any, event_data: Any) -> Any:
            self._before(funcs, event_data)
            try:
                return callbacks(funcs, event_data)
            finally:
                self._after(funcs, event_data)

        async def called_later(funcs: Any, event_data: Any) -> Any:
            self._before(funcs, event_data)
            try:
                return await callbacks(funcs, event_data)
            finally:
                self._after(funcs, event_data)

        def put(state: Any, model: Any = None) -> Any:
            result = set_state(state, model)
            for each in machine.models if model is None else [model]:
                self._put(each)
            return result

        machine.callbacks = called_later if isinstance(machine, AsyncMachine) else called
        machine.set_state = put

    def _before(self, funcs: Any, event_data: Any) -> None:
        """An event begins when its first callbacks to prepare it are called."""
        outer = self._current.get()
        if funcs is self.machine.prepare_event and (outer is None or outer.data is not event_data):
            self._write_changed(event_data.model)
            self._current.set(_OpenEvent(event_data, self._state(event_data.model), outer))

    def _after(self, funcs: Any, event_data: Any) -> None:
        """An event ends when its last callbacks have been called."""
        if funcs is not self.machine.finalize_event:
            return
        event = self._current.get()
        if event is not None and event.data is event_data:
            self._current.set(event.outer)
            self._write_event(event)
        elif event_data.event is not None:  # it was invalid, and nothing was prepared
            self._write_changed(event_data.model)
            self._write_event(
                _OpenEvent(event_data, self._state(event_data.model), None, invalid=True)
            )

    def _put(self, model: Any) -> None:
        """The state of an object was set, by the current event or by the program."""
        event, state = self._current.get(), self._state(model)
        if self._changed.get(id(model)) is not event:
            self._write_changed(model)
        if event is not None and event.data.model is model:
            event.changed, event.target = True, state
            self._changed[id(model)] = event
        else:
            self._remember(model)
            self._write({"start": True, "machine": self._name(model), "state": state})

    # records --------------------------------------------------------------------------------------

    def _write_changed(self, model: Any) -> None:
        """Write the event that has changed the state, before another one that its callbacks or
        other tasks trigger.
        """
        event = self._changed.get(id(model))
        if event is not None:
            self._write_event(event)

    def _write_event(self, event: _OpenEvent) -> None:
        if event.written:
            return
        event.written = True
        model, data = event.data.model, event.data
        self._changed.pop(id(model), None)
        name, state = self._name(model), event.target if event.changed else self._state(model)
        if self._remember(model):
            self._write({"start": True, "machine": name, "state": event.source})
        if getattr(data, "error", None) is not None and not event.changed and not event.invalid:
            failed = {"failed": data.event.name, "error": type(data.error).__name__}
            self._write({"machine": name, "state": state, **failed})
            return
        fired = event.changed or bool(data.result)
        self._write(
            {
                "event": data.event.name,
                "machine": name,
                "from": event.source,
                "state": state,
                "fired": fired,
            }
        )

    def _remember(self, model: Any) -> bool:
        """Remember that this object was written of. Return whether it is new."""
        new = id(model) not in self._known
        if new:
            self._known[id(model)] = _until_gone(model, self._known)
        return new

    def _numbered(self, model: Any) -> str:
        key = id(model)
        if key not in self._numbers:
            self._numbers[key] = _until_gone(model, self._numbers), next(self._count)
        return f"{os.getpid()}-{self._numbers[key][1]}"

    def _state(self, model: Any) -> Any:
        return _plain(getattr(model, self.machine.model_attribute, None))

    def _write(self, record: dict[str, Any]) -> None:
        if self.failed:
            return
        try:
            line = json.dumps(record, default=str) + "\n"
            if self._handle is not None:
                os.write(self._handle, line.encode())
            elif self._file is not None:
                self._file.write(line)
                self._file.flush()
        except (OSError, ValueError) as error:
            self.failed = f"the log cannot be written: {error}"


class _OpenEvent:
    """An event that is being processed: the state before it, the one that it has set, and the event
    it was made in.
    """

    __slots__ = ("changed", "data", "invalid", "outer", "source", "target", "written")

    def __init__(
        self, data: Any, source: Any, outer: _OpenEvent | None, *, invalid: bool = False
    ) -> None:
        self.data, self.source, self.outer, self.invalid = data, source, outer, invalid
        self.target: Any = None
        self.changed = self.written = False


def _plain(state: Any) -> Any:
    """Return the value of a state attribute as JSON."""
    if isinstance(state, list | tuple):
        return [_plain(one) for one in state]
    return state.name if isinstance(state, Enum) else state


def _until_gone(model: Any, known: dict[int, Any]) -> object:
    """Return what keeps the id() of an object from being taken for another object."""
    key = id(model)
    try:
        return weakref.ref(model, lambda _: known.pop(key, None))
    except TypeError:
        return model
