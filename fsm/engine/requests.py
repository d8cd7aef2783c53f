"""What a controller asks, and what may be answered: plain values, and the check of an answer.

A request makes its own answers: `request.done(AddTurn("Ann"), first_strike_in_combat=True)`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import chain
from types import MappingProxyType
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias, final

import msgspec
from msgspec import Struct
from msgspec.structs import force_setattr

from fsm.errors import AnswerError, shown
from fsm.model import Fact, Model, State
from fsm.state.orders import Interruption, Order, Plain, Result
from fsm.state.scheduling import MOST_WAITING
from fsm.wording import blanks, position_words

Word = Literal["done", "acted", "passed", "out", ""]
"""What an answer says. "out" passes for the rest of the window. "" is for orders that are given
between two answers.
"""
RequestKind = Literal["perform", "priority", "check_state", "place_triggers", "resolve", "over"]
_NOTHING: Mapping[str, bool] = MappingProxyType({})
SHARED = 512
"""How many answers without orders are kept, to be shared."""


class Where(NamedTuple):
    """A visit of a step: the `iteration`-th of that step in the `turn`-th turn. Turn 0: before the
    game.
    """

    turn: int
    step: str
    iteration: int = 1

    def __str__(self) -> str:
        if not self.turn:
            return "before turn 1"
        return position_words(self.turn, self.step, visit=self.iteration)


class Position(Struct, frozen=True, gc=False):
    """Where a game stands: the words that a user interface or an error message needs.

    Attributes
    ----------
    turn
        The number of the turn. It counts the turns that really began, from 1.
    active
        The player whose turn it is. For a team, this is its first player.
    controller
        The player who decides for the active player.
    extra
        Whether the turn is an extra turn.
    phase
        The name of the phase.
    step
        The name of the step.
    iteration
        How many times the step has begun this turn, this one included.
    stage
        The id of the state in the model of the turn.
    """

    turn: int
    active: str
    controller: str
    extra: bool
    phase: str
    step: str
    iteration: int
    stage: str

    def __str__(self) -> str:
        place = blanks(self.step or self.phase or "between steps")
        return position_words(self.turn, place, player=self.active)


class Answer(Plain, frozen=True, eq=False):
    """The answer to a request.

    Attributes
    ----------
    word
        What the player did: "done", "acted", "passed" or "out". It is "" if orders are
        given between two answers, as `TurnController.order` does.
    facts
        The values of facts, by name.
    orders
        Effects on the turn: what is added, skipped or scheduled, and what interrupts it.
    automatic
        Whether nobody decided it. It makes no difference to the game, and answers are equal without
        regard to it.
    player
        The one of several players whose answer it is, or "" if it is that of all.
    """

    word: Word = "done"
    facts: Mapping[str, bool] = _NOTHING
    orders: tuple[Order, ...] = ()
    automatic: bool = False
    player: str = ""

    def __post_init__(self) -> None:
        """Copy the facts, so that an answer never changes."""
        if self.facts is not _NOTHING and isinstance(self.facts, Mapping):
            force_setattr(self, "facts", MappingProxyType(dict(self.facts)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Answer):
            return NotImplemented
        mine = self.word, self.facts, self.orders, self.player
        return mine == (other.word, other.facts, other.orders, other.player)

    def __ne__(self, other: object) -> bool:
        return not self == other  # that of a Struct without eq compares identities

    def __hash__(self) -> int:
        return hash((self.word, frozenset(self.facts.items()), self.orders))

    def __repr__(self) -> str:
        return f"Answer({self.word!r}, {dict(self.facts)}, {self.orders})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Answer, (self.word, dict(self.facts), self.orders, self.automatic, self.player)

    @classmethod
    def from_json(cls, data: object, *, trusted: bool) -> Answer:
        """Return the answer that plain JSON values describe. The controller decides whether it fits
        the request.

        Parameters
        ----------
        data
            Plain JSON values, as `to_json` returns them. Only what is not usual has to be there:
            `{"word": "passed"}`.
        trusted
            Whether the sender may tell facts and give orders, as a rules engine may. A player's
            browser may not: it chooses the word only.

        Returns
        -------
        Answer
            The answer.

        Raises
        ------
        AnswerError
            If the data does not describe an answer, or says more than the sender may.
        """
        try:
            answer = msgspec.convert(data, Answer)
        except (msgspec.ValidationError, RecursionError) as error:
            raise AnswerError(f"this is not an answer: {error}") from None
        if not trusted and (answer.facts or answer.orders or answer.player):
            text = "an answer that is not trusted chooses the word only"
            raise AnswerError(f"{text}: leave out facts, orders and player")
        return answer


@lru_cache(SHARED, typed=True)  # typed, since 1 equals True
def _shared(automatic: bool, word: Word, *facts: Any) -> Answer:
    """Return the one answer with this word and facts: each name, and then its value."""
    return Answer(word, dict(zip(facts[::2], facts[1::2], strict=True)), (), automatic)


def answer_of(
    word: Word, orders: tuple[Order, ...], facts: Mapping[str, bool], *, automatic: bool = False
) -> Answer:
    """Return the answer with this word. Answers without orders are shared, so that making one is
    fast.
    """
    if orders:
        return Answer(word, facts, orders, automatic)
    try:
        return _shared(automatic, word, *chain.from_iterable(facts.items()))
    except TypeError:  # a value that cannot be hashed, which the controller refuses
        return Answer(word, facts, (), automatic)


class RequestFields(Plain, frozen=True, omit_defaults=False):
    """What can be read of every request, and of `Over`.

    Attributes
    ----------
    at
        Where the game stands.
    state
        The id of the state that waits, in the model of the turn or of the window.
    quietly
        The answer when nothing happens.
    must_tell
        The facts that every answer must tell.
    expired
        The ids of the durations that have ended since the request before.
    triggered
        The ids of the "at the beginning of" triggers that have triggered since the request before,
        in this order.
    orders
        What became of the orders of the last answer, and of earlier ones that waited until then.
    by
        The players whose action it is, in the order in which the rules name them. It is empty if
        it is nobody's.
    kind
        The kind of the request, such as "check_state".
    """

    kind: ClassVar[RequestKind]
    at: Position
    state: str
    quietly: Answer
    must_tell: tuple[str, ...] = ()
    expired: tuple[str, ...] = ()
    triggered: tuple[str, ...] = ()
    orders: tuple[Result, ...] = ()
    by: tuple[str, ...] = ()

    @property
    def facts(self) -> Mapping[str, bool]:
        """The facts that an answer without orders may have to tell, with their values while nothing
        happens. Each of them that the model then reads must be told.

        With orders, the model may read others. An answer that lacks one is refused, and the error
        names it; `drive` asks the host for it.
        """
        return self.quietly.facts

    @property
    def player(self) -> str:
        """The first player of `by`, or "" if there is none."""
        return self.by[0] if self.by else ""

    @property
    def asks(self) -> str:
        """What is asked of whom, in a few words, or how the game has ended."""
        action = blanks(getattr(self, "action", ""))
        of = f"of {', '.join(self.by)}" if self.by else ""
        return " ".join(filter(None, (type(self).__name__, action, of)))

    @property
    def deciders(self) -> tuple[str, ...]:
        """The players to ask: those of `by`, but for the active player whoever controls the turn
        (CR 722.1).
        """
        at = self.at
        if at.controller == at.active:
            return self.by
        deciders = [at.controller if player == at.active else player for player in self.by]
        return tuple(dict.fromkeys(deciders))

    def to_json(self) -> dict[str, Any]:
        """Return plain JSON values: the name of the class under "is", and every field. The facts
        that may have to be told are listed by name.
        """
        data: dict[str, Any] = msgspec.to_builtins(self, enc_hook=dict)
        del data["quietly"]
        return {**data, "facts": [*self.facts]}

    def __str__(self) -> str:
        return f"{self.at}: {self.asks}"

    def __repr__(self) -> str:
        return f"<{self}>"


class _Answerable(RequestFields, frozen=True):
    """A request that can be answered.

    Attributes
    ----------
    action
        The name of the action that is to be performed, or "".
    manner
        The model's word for how it is done or which objects it is about, if the rulebook has
        several ways.
    """

    action: str = ""
    manner: str = ""

    def quiet(self, **facts: bool) -> Answer:
        """Return the answer when nothing happens.

        Parameters
        ----------
        **facts
            Facts that are told. Every other fact that may be read has its quiet value
            (`Fact.quiet`).

        Returns
        -------
        Answer
            The answer.
        """
        if not facts:
            return self.quietly
        return answer_of(self.quietly.word, (), {**self.facts, **facts}, automatic=True)


class _Doable(_Answerable, frozen=True):
    """A request with the one word "done"."""

    def done(self, *orders: Order, player: Any = "", **facts: bool) -> Answer:
        """Return the answer that it is done.

        Parameters
        ----------
        *orders
            What its effects order.
        player
            The one of several players, by name, whose answer it is. The game goes on with the last
            of them: a fact is true if one of them tells it true, and orders are carried out in turn
            order. Without a player it is the answer of all.
        **facts
            The values of facts, by name.

        Returns
        -------
        Answer
            The answer.
        """
        if player:
            return Answer("done", facts, orders, False, player)
        return answer_of("done", orders, facts)


class Perform(_Doable, frozen=True):
    """Perform a turn-based action: `action`.

    Attributes
    ----------
    answered
        Those of several players who have answered already, each for themselves.
    """

    kind: ClassVar[RequestKind] = "perform"
    answered: tuple[str, ...] = ()

    @property
    def waits_for(self) -> tuple[str, ...]:
        """The players who have still to answer. One answer may be that of all."""
        return tuple(player for player in self.by if player not in self.answered)


class Priority(_Answerable, frozen=True):
    """A player has priority, or the players of a team. Answer `acted` or `passed`."""

    kind: ClassVar[RequestKind] = "priority"

    def acted(self, *orders: Order, **facts: bool) -> Answer:
        """Return the answer that the player did something.

        Parameters
        ----------
        *orders
            What its effects order.
        **facts
            The values of facts, by name.

        Returns
        -------
        Answer
            The answer.
        """
        return answer_of("acted", orders, facts)

    def passed(self, *orders: Order, for_good: bool = False, **facts: bool) -> Answer:
        """Return the answer that the player passed.

        Parameters
        ----------
        *orders
            What is ordered.
        for_good
            Whether the player passes for the rest of the window. Only windows whose table says
            `passing="for_good"` allow it.
        **facts
            The values of facts, by name.

        Returns
        -------
        Answer
            The answer.
        """
        return answer_of("out" if for_good else "passed", orders, facts)


class CheckState(_Doable, frozen=True):
    """Perform all state-based actions that apply now, as one event."""

    kind: ClassVar[RequestKind] = "check_state"


class PlaceTriggers(_Doable, frozen=True):
    """Put the waiting triggers on the stack, in the order of `by`.

    With the manner "two_passes", the triggers that no other ability triggering has caused come
    first, then the rest (CR 603.3b).
    """

    kind: ClassVar[RequestKind] = "place_triggers"


class Resolve(_Doable, frozen=True):
    """Resolve the top object of the stack."""

    kind: ClassVar[RequestKind] = "resolve"


@final
class Over(RequestFields, frozen=True):
    """The game is over; nothing can be answered.

    Attributes
    ----------
    winners
        The players of the one side that is left. It is empty if no side or several are left.
    """

    kind: ClassVar[RequestKind] = "over"
    winners: tuple[str, ...] = ()

    @property
    def draw(self) -> bool:
        """Whether nobody has won (CR 104.4a)."""
        return not self.winners

    @property
    def asks(self) -> str:
        """How the game has ended, in words."""
        return f"Over, won by {' and '.join(self.winners)}" if self.winners else "Over, a draw"


Request: TypeAlias = Perform | Priority | CheckState | PlaceTriggers | Resolve
"""What a controller asks."""
KINDS: Mapping[str, type[Request]] = {
    "perform": Perform,
    "priority": Priority,
    "check": CheckState,
    "place": PlaceTriggers,
    "resolve": Resolve,
}
"""The kind of request for what a state asks (`fsm.model.State.asks`)."""


def check(answer: Answer, model: Model, state: State, known: Mapping[str, Fact]) -> None:
    """Raise AnswerError unless this answers what the state asks: with one of its words, and with
    facts of the names that are known.

    Orders are checked as they are given.
    """
    if not isinstance(answer, Answer):
        raise AnswerError(f"an answer must be an Answer, not a {type(answer).__name__}")
    if state.kind == "final":
        raise AnswerError("the game is over: there is nothing to answer", kind="game-over")
    _check_orders(answer)
    check_facts(answer.facts, model, known, "answer.facts")
    if answer.word not in ("", *state.words):
        right = " or ".join(map(repr, state.words))
        text = f"{state.id!r} was asked for; answer {right}, not {shown(answer.word)}"
        raise AnswerError(text, kind="wrong-word", place="answer.word", found=answer.word)
    if answer.word:
        _check_told(answer, state, known)


def _check_orders(answer: Answer) -> None:
    """Raise AnswerError if there are too many orders, or one that needs an answer and has none."""
    orders: object = answer.orders
    if not isinstance(orders, tuple) or len(orders) > MOST_WAITING:
        text = f"an answer carries a tuple of at most {MOST_WAITING} orders, not {shown(orders)}"
        raise AnswerError(text, place="answer.orders")
    for order in () if answer.word else orders:
        if isinstance(order, Interruption):
            text = f"{order!r} comes with an answer, not between two answers"
            raise AnswerError(f"{text}: something must resolve")


def _check_told(answer: Answer, state: State, known: Mapping[str, Fact]) -> None:
    """An answer tells what its state decides, and nothing that another state decides."""
    for name in answer.facts:
        if known[name].last and name not in state.tells:
            text = f"fact {name!r} is decided elsewhere, not by {state.id!r}; leave it out"
            raise AnswerError(text, kind="wrong-fact", place=f"answer.facts.{name}")
    for name in state.tells:
        if name not in answer.facts:
            text = f"the answer to {state.id!r} must tell the fact {name!r} ({known[name].doc})"
            raise AnswerError(text, kind="missing-fact", place=f"answer.facts.{name}")


def check_facts(facts: object, model: Model, known: Mapping[str, Fact], place: str) -> None:
    """Raise AnswerError unless the game tells these facts, and each of them is true or false."""
    if not isinstance(facts, Mapping):
        text = f"facts must be a mapping of names to true or false, not {shown(facts)}"
        raise AnswerError(text, place=place)
    for name, value in facts.items():
        AnswerError.known_name("fact", name, known, f"what {model.name} is told", place)
        if not isinstance(value, bool):
            text = f"fact {name!r} must be true or false, not {shown(value)}"
            raise AnswerError(text, kind="wrong-value", place=f"{place}.{name}", found=value)
