"""Reads the options of commands for logs of machines: what a log records, and under which keys."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from fsm.coverage.logs.records import LogKeys
from fsm.coverage.reports.options import split
from fsm.errors import LogError

PARTS = {
    "event": "event",
    "state": "state",
    "from": "source",
    "id": "machine",
    "conditions": "conditions",
    "fired": "fired",
    "start": "start",
}
"""The parts of a record as options name them, and the fields of `LogKeys`."""


@dataclass(frozen=True, slots=True)
class LogOptions:
    """How logs are read: their keys, the events that they lack, and where runs may start."""

    keys: LogKeys
    only: tuple[str, ...] = ()
    unseen: tuple[str, ...] = ()
    starts: tuple[str, ...] = ()
    continued: bool = False

    @property
    def reading(self) -> dict[str, Any]:
        """The arguments of a `LogFollower`."""
        return {"only": self.only, "unseen": self.unseen, "starts": self.starts}


def log_options_asked(
    *,
    only: Iterable[str] = (),
    unseen: Iterable[str] = (),
    starts: Iterable[str] = (),
    keys: Iterable[str] = (),
    where: Iterable[str] = (),
    continued: bool = False,
    **key_of: str | None,
) -> LogOptions:
    """Read the options. Lists may be written with commas, keys are "PART=KEY", and `where` has
    "KEY=VALUE".

    `key_of` has the keys with options of their own, as `event_key`. Raises LogError if an option is
    wrong.
    """
    fields = {PARTS[name.removesuffix("_key")]: key for name, key in key_of.items() if key}
    for part, key in (_pair(text, "--key") for text in keys):
        if part not in PARTS:
            raise LogError(
                f"--key: there is no part {part!r}", kind="unknown-part", found=part, known=PARTS
            )
        fields[PARTS[part]] = key
    return LogOptions(
        LogKeys(**fields, where=tuple(_pair(text, "--where") for text in where)),
        only=_listed(only),
        unseen=_listed(unseen),
        starts=_listed(starts),
        continued=continued,
    )


def _listed(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(word for text in texts for word in split(text))


def _pair(text: str, option: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not sign or not name or not value:
        raise LogError(f"{option}: {text!r} must be written as NAME=VALUE")
    return name, value
