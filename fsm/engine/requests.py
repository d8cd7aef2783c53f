"""What a controller asks, and what may be answered: plain values, no I/O.

A request makes its own answers: `request.done(AddTurn("Ann"), first_strike_in_combat=True)`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import lru_cache
from types import MappingProxyType
from typing import Any, ClassVar, Literal, NoReturn, TypeAlias, final, get_args

from fsm.compiled.quickinit import quick
from fsm.engine.codec import decode, whole
from fsm.errors import AnswerError
from fsm.model import Fact
from fsm.state.orders import Interruption, Order, is_interruption
from fsm.state.orders import Signal as Signal
from fsm.wording import BETWEEN_STEPS, blanks, position_words

Word = Literal["done", "acted", "passed", ""]
"""What an answer says. "" is for orders that are given between two answers."""
RequestKind = Literal[
    "perform",
    "priority",
    "check_state",
    "place_triggers",
    "resolve",
    "over",
]
_NOTHING: Mapping[str, bool] = MappingProxyType({})
SHARED = 512
"""How many answers without orders are kept, to be shared."""


@quick
@dataclass(frozen=True, slots=True)
class Position:
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
        return position_words(
            self.turn, blanks(self.step or self.phase or BETWEEN_STEPS), player=self.active
        )


@quick
@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a request.

    Attributes
    ----------
    word
        What the player did: "done", "acted" or "passed". It is "" if orders are
        given between two answers, as `TurnController.order` does.
    facts
        The values of facts, by name.
    orders
        Effects on the turn: what is added, skipped or scheduled, and what interrupts it.
    signal
        An older spelling of one more order, the last one, that interrupts the turn; or None.
    automatic
        Whether nobody decided it. It makes no difference to the game, and answers are equal without
        regard to it.
    """

    word: Word = "done"
    facts: Mapping[str, bool] = field(default_factory=lambda: _NOTHING)
    orders: tuple[Order, ...] = ()
    signal: Signal | None = None
    automatic: bool = field(default=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Copy the facts, so that an answer never changes."""
        facts = self.facts
        if facts is not _NOTHING and facts.__class__ in (dict, MappingProxyType):
            object.__setattr__(self, "facts", MappingProxyType(dict(facts)))

    def __repr__(self) -> str:
        given = [repr(self.word), dict(self.facts), self.orders, self.signal]
        while not given[-1]:
            given.pop()
        return f"Answer({', '.join(map(str, given))})"

    def __reduce__(self) -> tuple[type[Answer], tuple[object, ...]]:
        """Copy and pickle the facts as a dict: a view that cannot be changed cannot be pickled."""
        return Answer, tuple(
            dict(self.facts) if f.name == "facts" else getattr(self, f.name) for f in fields(self)
        )

    def to_json(self) -> dict[str, object]:
        """Return plain JSON values, for `from_json`."""
        return dict(whole(self))

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
        given = {"is": "Answer", **data} if isinstance(data, dict) and "word" in data else data
        try:
            answer = decode(given, ANSWER_PARTS)
        except (ValueError, TypeError, RecursionError) as error:
            raise AnswerError(f"this is not an answer: {error}") from None
        if not isinstance(answer, Answer):
            raise AnswerError(
                'this is not an answer: send an object with "is": "Answer", or with a "word"'
            )
        if not trusted:
            for name in ("facts", "orders", "signal"):
                if getattr(answer, name):
                    raise AnswerError(
                        f"an answer that is not trusted chooses the word only: leave out {name!r}"
                    )
        return answer

    @property
    def interruptions(self) -> tuple[Interruption, ...]:
        """The orders that interrupt the turn, and the signal."""
        found = tuple(filter(is_interruption, self.orders))
        return found if self.signal is None else (*found, self.signal)


ANSWER_PARTS: tuple[type, ...] = (Answer, *get_args(Order))
"""The classes that the JSON of an answer is made of."""


class FactNames(tuple[str, ...]):
    """The names of the facts that an answer may have to tell, with what the model says of these
    facts.

    Parameters
    ----------
    names
        The names.
    must_tell
        Those that every answer must tell.
    facts
        The model's facts by name. A fact that is not among them has the usual quiet value.
    """

    must_tell: tuple[str, ...]
    quiet: Mapping[str, bool]
    _quiet_answers: dict[Word, Answer]

    def __new__(
        cls,
        names: Iterable[str],
        must_tell: tuple[str, ...] = (),
        facts: Mapping[str, Fact] | None = None,
    ) -> FactNames:
        """Look up the quiet value of each fact."""
        made, known = super().__new__(cls, names), facts or {}
        made.must_tell = must_tell
        made.quiet = {name: (known.get(name) or Fact(name, "")).is_quietly for name in made}
        made._quiet_answers = {}
        return made

    def quiet_answer(self, word: Word) -> Answer:
        """Return the answer of this word with the quiet value of every fact."""
        found = self._quiet_answers.get(word)
        if found is None:
            found = self._quiet_answers[word] = answer_of(word, (), self.quiet, automatic=True)
        return found


def answer_of(
    word: Word, orders: tuple[Order, ...], facts: Mapping[str, bool], *, automatic: bool = False
) -> Answer:
    """Return the answer with this word. Answers without orders are shared, so that making one is
    fast.
    """
    if orders:
        return Answer(word, facts, orders)
    try:
        return _shared(automatic, word, *facts, *facts.values())
    except TypeError:  # a value that cannot be hashed, which the controller refuses
        return Answer(word, facts)


@lru_cache(SHARED, typed=True)  # typed, since 1 equals True
def _shared(automatic: bool, word: Word, *facts: Any) -> Answer:
    """Return the one answer with this word and facts: first their names, then their values."""
    count = len(facts) // 2
    told = MappingProxyType(dict(zip(facts[:count], facts[count:], strict=True)))
    return Answer(word, told, automatic=automatic)


DONE, ACTED, PASSED = (
    answer_of("done", (), {}),
    answer_of("acted", (), {}),
    answer_of("passed", (), {}),
)


@quick
@dataclass(frozen=True, slots=True, repr=False)
class RequestFields:
    """What can be read of every request, and of `Over`.

    Attributes
    ----------
    at
        Where the game stands.
    state
        The id of the state that waits, in the model of the turn or of the window.
    facts
        The names of the facts that the answer may have to tell. Each of them that the model then
        reads must be told.
    expired
        The ids of the durations that have ended since the request before.
    triggered
        The ids of the "at the beginning of" triggers that have triggered since the request before,
        in this order.
    kind
        The kind of the request, such as "check_state".
    quiet_word
        The word of the answer when nobody does anything.
    """

    kind: ClassVar[RequestKind]
    quiet_word: ClassVar[Word] = "done"
    at: Position
    state: str
    facts: tuple[str, ...] = ()
    expired: tuple[str, ...] = ()
    triggered: tuple[str, ...] = ()

    @property
    def by(self) -> tuple[str, ...]:
        """The players whose action it is, in the order in which the rules name them. It is empty if
        it is nobody's.
        """
        return ()

    @property
    def player(self) -> str:
        """The first player of `by`, or "" if there is none."""
        return next(iter(self.by), "")

    @property
    def asks(self) -> str:
        """What is asked of whom, in a few words."""
        of = f" of {', '.join(self.by)}" if self.by else ""
        return f"{type(self).__name__}{of}"

    @property
    def deciders(self) -> tuple[str, ...]:
        """The players to ask: those of `by`, but for the active player whoever controls the turn
        (CR 722.1).
        """
        at, by = self.at, self.by
        if at.controller == at.active or at.active not in by:
            return by
        return tuple(
            dict.fromkeys(at.controller if player == at.active else player for player in by)
        )

    def to_json(self) -> dict[str, object]:
        """Return plain JSON values: the name of the class under "is", and every field."""
        return dict(whole(self))

    def __str__(self) -> str:
        return f"{self.at}: {self.asks}"

    def __repr__(self) -> str:
        return f"<{self}>"

    @property
    def must_tell(self) -> tuple[str, ...]:
        """The facts that every answer must tell."""
        return fact_names_of(self).must_tell


@quick
@dataclass(frozen=True, slots=True, repr=False)
class _Answerable(RequestFields):
    """A request that can be answered."""

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
        names, word = fact_names_of(self), self.quiet_word
        if not facts:
            return names.quiet_answer(word)
        return answer_of(word, (), {**names.quiet, **facts}, automatic=True)


@quick
@dataclass(frozen=True, slots=True, repr=False)
class _Doable(_Answerable):
    """A request with the one word "done"."""

    def done(self, *orders: Order, **facts: bool) -> Answer:
        """Return the answer that it is done.

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
        return answer_of("done", orders, facts) if orders or facts else DONE


def fact_names_of(request: RequestFields) -> FactNames:
    """Return the facts of a request with what the model says of them, which is not known if it was
    read from JSON.
    """
    facts = request.facts
    return facts if isinstance(facts, FactNames) else FactNames(facts)


@quick
@dataclass(frozen=True, slots=True, repr=False)
class Perform(_Doable):
    """Perform a turn-based action.

    Attributes
    ----------
    action
        The name of the action.
    manner
        The model's word for how it is done or which objects it is about, if the rulebook has
        several ways.
    players
        The players who perform it: the active one, the defending ones or others, as the model says
        (`State.by`). Several are listed from the active player in turn order (CR 101.4). It is
        empty if nobody of them is left.
    """

    kind: ClassVar[RequestKind] = "perform"
    action: str = ""
    manner: str = ""
    players: tuple[str, ...] = ()

    @property
    def by(self) -> tuple[str, ...]:
        """The players whose action it is, as in `players`."""
        return self.players

    @property
    def asks(self) -> str:
        """Which action is asked of whom."""
        return f"{type(self).__name__} {blanks(self.action)}{' by ' if self.by else ''}{', '.join(self.by)}"


@quick
@dataclass(frozen=True, slots=True, repr=False)
class Priority(_Answerable):
    """A player has priority. Answer `acted` or `passed`.

    Attributes
    ----------
    player
        The player who has priority.
    players
        All players who have it together. In games without teams, this is the one player.
    """

    kind: ClassVar[RequestKind] = "priority"
    quiet_word: ClassVar[Word] = "passed"
    player: str = ""
    players: tuple[str, ...] = ()

    @property
    def by(self) -> tuple[str, ...]:
        """The players whose action it is, as in `players`."""
        return self.players

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
        return answer_of("acted", orders, facts) if orders or facts else ACTED

    def passed(self, *orders: Order, **facts: bool) -> Answer:
        """Return the answer that the player passed.

        Parameters
        ----------
        *orders
            What is ordered.
        **facts
            The values of facts, by name.

        Returns
        -------
        Answer
            The answer.
        """
        return answer_of("passed", orders, facts) if orders or facts else PASSED


@quick
@dataclass(frozen=True, slots=True, repr=False)
class CheckState(_Doable):
    """Perform all state-based actions that apply now, as one event."""

    kind: ClassVar[RequestKind] = "check_state"


@quick
@dataclass(frozen=True, slots=True, repr=False)
class PlaceTriggers(_Doable):
    """Put the waiting triggers on the stack.

    Attributes
    ----------
    players
        The players in the order in which they do it.
    manner
        The model's word for how it is done. With "two_passes", the triggers that no other ability
        triggering has caused come first, then the rest (CR 603.3b).
    """

    kind: ClassVar[RequestKind] = "place_triggers"
    players: tuple[str, ...] = ()
    manner: str = ""

    @property
    def by(self) -> tuple[str, ...]:
        """The players whose action it is, as in `players`."""
        return self.players


@quick
@dataclass(frozen=True, slots=True, repr=False)
class Resolve(_Doable):
    """Resolve the top object of the stack."""

    kind: ClassVar[RequestKind] = "resolve"


@final
@quick
@dataclass(frozen=True, slots=True, repr=False)
class Over(RequestFields):
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
    def outcome(self) -> str:
        """How the game has ended, in words."""
        return f"won by {' and '.join(self.winners)}" if self.winners else "a draw"

    @property
    def asks(self) -> str:
        """That nothing is asked, and how the game has ended."""
        return f"Over, {self.outcome}"


Request: TypeAlias = Perform | Priority | CheckState | PlaceTriggers | Resolve
"""What a controller asks."""

_ANSWERS = ("done", "acted", "passed", "quiet")
"""The methods that make answers."""


class _NoAnswer:
    """Stands for an answer that a request does not have, and says which it has. A `__getattr__`
    would slow all down.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, request: RequestFields | None, kind: type[RequestFields]) -> NoReturn:
        text = f"{kind.__name__!r} has no answer {self.name!r}"
        if request is not None:
            fitting = [f"{answer}(...)" for answer in _ANSWERS if hasattr(kind, answer)]
            right = (
                f"answer it by {' or '.join(fitting)}"
                if fitting
                else "the game is over, and nothing is asked"
            )
            text = f"{request!r} has no answer {self.name!r}; {right}"
        raise AttributeError(text, name=self.name, obj=request)


for _kind in (Perform, Priority, CheckState, PlaceTriggers, Resolve, Over):
    for _name in _ANSWERS:
        if not hasattr(_kind, _name):
            setattr(_kind, _name, _NoAnswer(_name))
