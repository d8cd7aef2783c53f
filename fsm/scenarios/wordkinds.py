"""What a verb of the scenario format is made of.

A verb or a field that not every ruleset knows says what it `needs` of the Model (see `Words.knows`); a
model that lacks it refuses the word.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

At = Literal["either", "begin", "priority"]


class Absent:
    """The default of a field that has none: the file must give it."""

    def __repr__(self) -> str:
        return "required"


REQUIRED: Final = Absent()
ACTIVE: Final = "the active player"
CURRENT: Final = "the current one"
EVERYONE: Final = "everyone"

SCOPES = ("next", "each", "this_turn", "all_next_turn")
PERSISTS = ("none", "until_end_of_turn")
DESIGNATIONS = ("day", "night", "neither")
CHANGE = "day_night_change"


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a verb. `kind` names a row of `fsm.scenarios.schema.KINDS`."""

    name: str
    kind: str
    default: object = REQUIRED
    needs: str = ""

    @property
    def required(self) -> bool:
        """Must the file give it?"""
        return self.default is REQUIRED


@dataclass(frozen=True, slots=True)
class Verb:
    """One verb of `given`. `at`: when it may happen; `opening`: may it stand without a `when`?

    `nested`: may it stand in a `then` list? `home`: the turn-based action to whose steps it belongs;
    `heard`: the event that must lead somewhere from its step. `added`: it is this project's, not the
    format's.
    """

    name: str
    fields: tuple[Field, ...]
    doc: str
    needs: tuple[str, ...] = ()
    at: At = "either"
    opening: bool = True
    nested: bool = True
    home: str = ""
    heard: str = ""
    added: bool = False

    def field(self, name: str) -> Field | None:
        """The field with this name, if the verb has it."""
        return next((f for f in self.fields if f.name == name), None)


COUNT: Final = Field("count", "count", 1)
PLAYER: Final = Field("player", "player", ACTIVE)
THEN: Final = Field("then", "then", ())
