"""The parts of the words of the scenario format: the verbs of `given`, and the checks of `expect`.

A word is a function that is registered with `Words`. Its name is the word, its docstring is the
meaning that documents show, and the parameters of a verb are its fields:

    @WORDS.verb(needs=("test:extra_due:turn",))
    def add_turn(world: World, item: Item, player: Player = ACTIVE, count: Count = 1) -> None:
        \"\"\"Extra turns, one at a time, directly after the current turn; latest first.\"\"\"

A word or a kind of field that only some rulesets have names what it `needs` of the Model (see
`ModelWords.knows`). A Model without it refuses the word.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from keyword import iskeyword
from typing import Annotated, Any, Final, Literal, Protocol, TypeVar, get_args

from fsm.scenarios.discrepancies import Checker
from fsm.scenarios.jsonshapes import (
    COUNT,
    FIRST,
    FLAG,
    MOST,
    NUMBER,
    WORD,
    Schema,
    list_of,
    words_of,
)
from fsm.scenarios.scenario import Item
from fsm.state.orders import DelayOn, Scope
from fsm.wording import lower_first

At = Literal["either", "begin", "priority"]

ACTIVE: Final = "the active player"
CURRENT: Final = "the current one"
EVERYONE: Final = "everyone"

SCOPES: tuple[str, ...] = get_args(Scope)
CHANGE = "day_night_change"


@dataclass(frozen=True, slots=True, eq=False)
class Kind:
    """A kind of field: the JSON Schema of its values. `WordChecker.check_NAME` checks words that a
    ruleset has.
    """

    name: str
    schema: Schema
    needs: str = ""


@dataclass(frozen=True, slots=True)
class VerbField:
    """One field of a verb."""

    name: str
    kind: Kind
    default: object

    @property
    def parameter(self) -> str:
        """The name of the parameter. A field with the name of a Python keyword is a parameter such
        as `in_`.
        """
        return f"{self.name}_" if iskeyword(self.name) else self.name

    @property
    def required(self) -> bool:
        """Whether the file must give it."""
        return self.default is inspect.Parameter.empty


_FLAG = Kind("flag", FLAG)
_PHASE_ANCHOR: Schema = {
    "type": ["string", "object"],
    "properties": {"phase": WORD, "nth": FIRST},
    "required": ["phase"],
    "additionalProperties": False,
}

Player = Annotated[str, Kind("player", WORD)]
Players = Annotated[tuple[str, ...], Kind("players", words_of(minItems=1))]
Step = Annotated[str, Kind("step", WORD)]
AddedStep = Annotated[str, Kind("added_step", WORD)]
AddedPhases = Annotated[tuple[str, ...], Kind("added_phases", words_of(minItems=1, maxItems=MOST))]
SkippedStep = Annotated[str, Kind("skipped_step", WORD)]
SkippedPhase = Annotated[str, Kind("skipped_phase", WORD)]
FactName = Annotated[str, Kind("fact", WORD)]
EventName = Annotated[str, Kind("event", WORD)]
PhaseAnchor = Annotated[str | Mapping[str, Any], Kind("phase_anchor", _PHASE_ANCHOR)]
StepAnchor = Annotated[str, Kind("step_anchor", WORD)]
StepOrPhase = Annotated[str, Kind("step_or_phase", WORD)]
StepOrPhaseOrChange = Annotated[str, Kind("step_or_phase_or_change", WORD)]
Count = Annotated[int, Kind("count", COUNT)]
Number = Annotated[int, Kind("number", NUMBER)]
TurnNumber = Annotated[int, Kind("turn", FIRST)]
Flag = Annotated[bool, _FLAG]
YouGet = Annotated[bool, Kind("flag", FLAG, needs="test:only_another")]
Interdiction = Annotated[bool, Kind("flag", FLAG, needs="fact:interdiction_on_stack")]
MaybeFlag = Annotated[bool | None, _FLAG]
Yes = Annotated[bool, Kind("yes", {"const": True}, needs="action:day_night")]
Id = Annotated[str, Kind("id", WORD)]
Ids = Annotated[tuple[str, ...], Kind("ids", words_of())]
Scoped = Annotated[Scope, Kind("scope", {"enum": list(SCOPES)})]
On = Annotated[DelayOn, Kind("on", {"enum": list(get_args(DelayOn))})]
RoleName = Annotated[str, Kind("role", WORD)]
Whose = Annotated[str, Kind("whose", WORD)]
Limit = Annotated[str, Kind("limit", {"enum": ["first_each_turn"]})]
Until = Annotated[str, Kind("until", WORD)]
TurnScope = Annotated[Literal["next", "each"], Kind("turn_scope", {"enum": ["next", "each"]})]
Known = Annotated[str, Kind("known_id", WORD)]
Label = Annotated[str, Kind("label", WORD)]
Within = Annotated[str, Kind("within", WORD)]
Then = Annotated[tuple[Item, ...], Kind("then", list_of({"$ref": "#/$defs/then"}))]


Act = Callable[..., None]
"""What a verb does. It gets the world, the item, and the fields by name."""


@dataclass(frozen=True, slots=True)
class Verb:
    """One verb of `given`.

    `after` is the word after which documents show it. `at` says when it may happen. `opening`
    allows it without a `when`, and `nested` in a `then` list. `home` is the turn-based action to
    whose steps it belongs. `heard` is an event that must lead somewhere from its step. `by_player`
    is for what a player does; all else happens as an object resolves. `sides` has the actions with
    which it happens by default, by the value of its field `side`. `added` marks verbs that this
    project has added to the format.
    """

    name: str
    fields: tuple[VerbField, ...]
    doc: str
    act: Act
    after: str = ""
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
    """A check that an entry of `expect` can make. It needs the keys in `beside`, and may have those
    in `may`.

    `schema` is the JSON Schema of its value. `after` and `needs` are as for verbs. `lists` says
    what its value lists, if an item of `given` must have made that. `made_by` are the verbs that
    make it; if there are none, all do.
    """

    name: str
    doc: str
    checker: Checker
    beside: tuple[str, ...]
    schema: Schema
    may: tuple[str, ...] = ()
    after: str = ""
    needs: str = ""
    lists: str = ""
    made_by: tuple[str, ...] = ()


_Act = TypeVar("_Act", bound=Act)


class Words:
    """The verbs and the checks that one module registers."""

    def __init__(self) -> None:
        self.verbs: list[Verb] = []
        self.checks: list[ExpectCheck] = []

    def verb(self, **limits: Any) -> Callable[[_Act], _Act]:
        """Return a decorator that registers a verb. `limits` are the last fields of Verb."""

        def register(act: _Act) -> _Act:
            self.verbs.append(
                Verb(act.__name__, tuple(_fields(act)), meaning_of(act), act, **limits)
            )
            return act

        return register

    def check(self, *beside: str, schema: Schema, **limits: Any) -> Callable[[Checker], Checker]:
        """Return a decorator that registers a check, which needs these keys. `limits` are fields of
        ExpectCheck.
        """

        def register(checker: Checker) -> Checker:
            self.checks.append(
                ExpectCheck(
                    checker.__name__, meaning_of(checker), checker, beside, schema, **limits
                )
            )
            return checker

        return register

    def visit_check(self, *, schema: Schema, **limits: Any) -> Callable[[Checker], Checker]:
        """Return a decorator that registers a check of one visit of a step."""
        return self.check("turn", "step", schema=schema, may=("iteration",), **limits)


def _fields(act: Act) -> Iterator[VerbField]:
    """Yield the fields of a verb: the parameters after the world and the item."""
    for parameter in islice(inspect.signature(act, eval_str=True).parameters.values(), 2, None):
        yield VerbField(
            parameter.name.removesuffix("_"),
            parameter.annotation.__metadata__[0],
            parameter.default,
        )


def meaning_of(word: Callable[..., object]) -> str:
    """Return the docstring as documents show it: a clause in one line."""
    return lower_first(" ".join((word.__doc__ or "").split())).removesuffix(".")


class _Named(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def after(self) -> str: ...


_N = TypeVar("_N", bound=_Named)


def placed(words: Iterable[_N], additions: Iterable[_N]) -> dict[str, _N]:
    """Return words by name, in the order of documents. Each addition comes after the word that it
    names.
    """
    additions = tuple(additions)
    ordered = ((word, *(more for more in additions if more.after == word.name)) for word in words)
    return {word.name: word for group in ordered for word in group}
