"""Names in a recording: its fields, and what its words mean in the Model, as a JSON or TOML file.

    {"fields": {"turn": "turnNumber", "player": "who", "step": "state.step"},
     "steps": {"Untap Step": "untap", "M1": "precombat_main", "Waiting": ""},
     "phases": {"Fight": "combat"},
     "players": ["Ann", "Ben", "Cy"],
     "lines": "states",
     "complete": false}

Every entry is optional. A word that means "" is ignored. With `lines` "steps", each step has one
line as it begins; with "states", equal lines in a row are the same visit. `complete` says whether
the recording shows every step, also those in which nobody may act.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fsm.conformance.observations import Level
from fsm.errors import LogError, suggest
from fsm.files import read_data
from fsm.model import Kind, Model

FIELDS = ("turn", "player", "phase", "step", "game", "players")
KEYS = ("fields", "steps", "phases", "players", "lines", "complete")
LINES = ("steps", "states")


@dataclass(frozen=True, slots=True)
class RowNames:
    """Maps FIELDS to paths in a line, and the recorder's words for steps and phases to the Model's
    names.
    """

    paths: Mapping[str, str] = field(default_factory=lambda: {name: name for name in FIELDS})
    steps: Mapping[str, str] = field(default_factory=dict)
    phases: Mapping[str, str] = field(default_factory=dict)
    players: tuple[str, ...] = ()
    states: bool = False
    complete: bool = True

    def meaning(
        self, model: Model, phase_word: str, step_word: str
    ) -> tuple[str, str, Level] | None:
        """Return the phase, step and level that these words mean, or None if they are to be
        ignored.

        A phase that has a single step means that step. Words that fit nothing in the Model mean the
        step "".
        """
        phase, step = self.phases.get(phase_word, phase_word), self.steps.get(step_word, step_word)
        if not phase and not step:
            return None
        if not step:
            inside = [s.name for s in model.of_kind("step") if phase in _homes(model, s.id)]
            return (phase, inside[0], "step") if len(inside) == 1 else (phase, "", "phase")
        homes = {
            home for s in model.of_kind("step") if s.name == step for home in _homes(model, s.id)
        }
        if phase and homes and phase not in homes:
            return phase, "", "step"
        return phase, step, "step"


def _homes(model: Model, step: str) -> tuple[str, ...]:
    found = model.enclosing(step, "phase")
    return (found.name, found.family) if found is not None else ()


def read_names(path: str | Path, model: Model) -> RowNames:
    """Read a file of names. Raises LogError, which names the file, the place and the remedy."""
    return names_of(read_data(path, LogError), model, str(path))


def names_of(data: object, model: Model, place: str = "names") -> RowNames:
    """Read names from plain values. `place` begins every error message."""
    given = _object(data, place)
    _known(given, KEYS, place)
    fields = _words(given.get("fields", {}), f"{place}: fields")
    _known(fields, FIELDS, f"{place}: fields")
    lines, complete = given.get("lines", "steps"), given.get("complete", True)
    if lines not in LINES:
        raise LogError(f"{place}: lines must be 'steps' or 'states', not {lines!r:.40}")
    if not isinstance(complete, bool):
        raise LogError(f"{place}: complete must be true or false, not {complete!r:.40}")
    return RowNames(
        {name: fields.get(name, name) for name in FIELDS},
        _places(given.get("steps", {}), model, "step", f"{place}: steps"),
        _places(given.get("phases", {}), model, "phase", f"{place}: phases"),
        _players(given.get("players", []), f"{place}: players"),
        lines == "states",
        complete,
    )


def _object(data: object, place: str) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise LogError(f"{place}: must be an object of names, not {data!r:.40}")
    return data


def _known(given: Mapping[str, Any], known: tuple[str, ...], place: str) -> None:
    for name in given:
        if name not in known:
            raise LogError(f"{place}: {name!r} is not known{suggest(name, known)}")


def _words(data: object, place: str) -> dict[str, str]:
    for name, word in _object(data, place).items():
        if not isinstance(word, str):
            raise LogError(f"{place}: {name!r} must stand for a word, not {word!r:.40}")
    return _object(data, place)


def _places(data: object, model: Model, kind: Kind, place: str) -> dict[str, str]:
    words = _words(data, place)
    known = {name for s in model.of_kind(kind) for name in (s.name, s.family) if name}
    for name, word in words.items():
        if word and word not in known:
            wrong = f"{name!r} is to mean {word!r}, which is no {kind} of {model.name}"
            raise LogError(f"{place}: {wrong}{suggest(word, known)}")
    return words


def _players(data: object, place: str) -> tuple[str, ...]:
    if (
        not isinstance(data, list)
        or not all(isinstance(p, str) and p for p in data)
        or len(set(data)) != len(data)
    ):
        raise LogError(f"{place}: must be a list of different names, not {data!r:.40}")
    return tuple(data)
