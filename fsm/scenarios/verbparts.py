"""The parts of the words of the scenario format: the verbs of `given`, and the checks of `expect`.

A verb or a field that only some rulesets have names what it `needs` of the Model (see `ModelWords.knows`). A Model
without it refuses the word.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from fsm.scenarios.jsonshapes import Schema

At = Literal["either", "begin", "priority"]


class NoDefault:
    """Marks a field without a default, which the file must give."""

    def __repr__(self) -> str:
        return "required"


REQUIRED: Final = NoDefault()
ACTIVE: Final = "the active player"
CURRENT: Final = "the current one"
EVERYONE: Final = "everyone"

SCOPES = ("next", "each", "this_turn", "all_next_turn")
CHANGE = "day_night_change"


@dataclass(frozen=True, slots=True)
class VerbField:
    """One field of a verb. `kind` names a row of `fsm.scenarios.schema.KINDS`."""

    name: str
    kind: str
    default: object = REQUIRED
    needs: str = ""

    @property
    def required(self) -> bool:
        """Whether the file must give it."""
        return self.default is REQUIRED


@dataclass(frozen=True, slots=True)
class Verb:
    """One verb of `given`.

    `at` says when it may happen. `opening` allows it without a `when`, and `nested` in a `then` list. `home` is the
    turn-based action to whose steps it belongs. `heard` is an event that must lead somewhere from its step. `by_player`
    is for what a player does; all else happens as an object resolves. `sides` has the actions with which it happens by
    default, by the value of its field `side`. `added` marks verbs that this project has added to the format.
    """

    name: str
    fields: tuple[VerbField, ...]
    doc: str
    needs: tuple[str, ...] = ()
    at: At = "either"
    opening: bool = True
    nested: bool = True
    home: str = ""
    heard: str = ""
    by_player: bool = False
    sides: tuple[tuple[str, str], ...] = ()
    added: bool = False

    def field(self, name: str) -> VerbField | None:
        """Return the field with this name, or None."""
        return next((f for f in self.fields if f.name == name), None)


@dataclass(frozen=True, slots=True)
class ExpectCheck:
    """A check that an entry of `expect` can make. It needs the keys in `beside`, and may have those in `may`.

    `schema` is the JSON Schema of its value. `needs` is as for verbs. `lists` says what its value lists, if an item of
    `given` must have made that. `made_by` are the verbs that make it; if there are none, all do.
    """

    name: str
    beside: tuple[str, ...]
    may: tuple[str, ...]
    doc: str
    schema: Schema
    needs: str = ""
    lists: str = ""
    made_by: tuple[str, ...] = ()


def visit_check(
    name: str, doc: str, schema: Schema, needs: str = "", lists: str = "", made_by: tuple[str, ...] = ()
) -> ExpectCheck:
    """Return a check of one visit of a step."""
    return ExpectCheck(name, ("turn", "step"), ("iteration",), doc, schema, needs, lists, made_by)


COUNT: Final = VerbField("count", "count", 1)
PLAYER: Final = VerbField("player", "player", ACTIVE)
THEN: Final = VerbField("then", "then", ())
DURING: Final = VerbField("triggers_during", "ids", ())
