"""Orders: what a game may ask of the turn structure, as plain values that ride on answers.

An order is a value: equal and hashable, to JSON and back with its name under "is".
`fsm.state.scheduling` says what each of them does.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeAlias, get_args

import msgspec
from msgspec import Meta, Struct, StructMeta
from msgspec.structs import astuple

from fsm.errors import OrderError, shown
from fsm.model.valid import misfit
from fsm.wording import blanks

Scope = Literal["next", "each", "this_turn", "all_next_turn"]
MOST = 1000
"""How many turns, phases, steps, skips and controls an order adds at most, and a run holds.

No game needs more, and a mistake in a host must not fill the memory.
"""
Count: TypeAlias = Annotated[int, Meta(ge=1, le=MOST)]
DelayOn = Literal["next", "your_next", "your_next_turn", "next_turn"]


class Plain(
    Struct,
    frozen=True,
    tag_field="is",
    tag=True,
    omit_defaults=True,
    repr_omit_defaults=True,
    forbid_unknown_fields=True,
    gc=False,
):
    """A value to and from JSON: the name of its class under "is", and the fields that differ from
    their defaults.
    """

    def to_json(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return msgspec.to_builtins(self, enc_hook=dict)  # type: ignore[no-any-return]


class _Several(StructMeta):
    """The classes whose first field is filled by names one by one."""

    def __call__(cls: type[Any], *names: str, **fields: Any) -> Any:
        """Make a value of several names, and of fields by their names."""
        fields = {cls.__struct_fields__[0]: names, **fields}
        return super().__call__(**fields)


class _OfSeveral(Plain, frozen=True, metaclass=_Several):
    """An order whose first field is filled by names one by one."""

    def __reduce__(self) -> tuple[Any, ...]:
        return msgspec.convert, (msgspec.to_builtins(self), type(self))


class AddTurn(Plain, frozen=True):
    """Add extra turns directly after the current turn, or after another one. The newest comes first
    (CR 500.7).

    Attributes
    ----------
    player
        The player who takes them.
    count
        How many.
    id
        A label for what is added. Other orders can be bound to it by `within`, and it can be
        withdrawn.
    after
        The `id` with which another turn is added, or "". The turns come directly after that turn.
        If no turn with this id begins, nothing is added.
    players
        Several players whom one effect names, instead of `player`. A team takes the turns once (CR
        805.8).
    """

    player: str = ""
    count: Count = 1
    id: str = ""
    after: str = ""
    players: tuple[str, ...] = ()


class SkipTurn(Plain, frozen=True):
    """Skip the next turns that a player would begin (CR 614.10a).

    Attributes
    ----------
    player
        The name of the player, or "" for everyone, each for themselves.
    count
        How many.
    extra
        Whether only extra turns are skipped.
    scope
        "next" is used up by one skip. "each" always holds.
    id
        A label by which it can be withdrawn.
    players
        Several players whom one effect names, instead of `player`. A team skips once (CR 805.8).
    """

    player: str = ""
    count: Count = 1
    extra: bool = False
    scope: Literal["next", "each"] = "next"
    id: str = ""
    players: tuple[str, ...] = ()
    within: ClassVar[str] = ""


class ControlNextTurn(Plain, frozen=True):
    """Let one player decide for another in the next turn that the other really takes (CR 722.1).

    The order is refused if `by` has left the game: who has left controls nobody (CR 800.4a).

    Attributes
    ----------
    player
        The player whose turn it is.
    by
        The player who decides.
    extra_turn_after
        Whether `player` takes an extra turn after that turn.
    within
        The `id` with which a turn is added, or "". Only the control of that turn changes.
    id
        A label by which it can be withdrawn.
    """

    player: str
    by: str
    extra_turn_after: bool = False
    within: str = ""
    id: str = ""


class AddPhase(_OfSeveral, frozen=True):
    """Add phases as one block directly after a phase (CR 500.8): `AddPhase("combat", "main",
    after="main")`.

    Parameters
    ----------
    *names
        The names or families of the phases, one by one.
    phases
        The names or families of the phases as a tuple, instead.
    after
        The name or family of a phase, or "" for the current phase.
    nth
        Which phase of that name or family in this turn is meant, from 1.
    count
        How many times the block is added.
    player
        The player whom the effect names, for `you_get`.
    you_get
        Whether nothing is added unless it is the turn of `player` (CR 500.10a).
    id
        A label for what is added. Other orders can be bound to it by `within`, and it can be
        withdrawn.
    """

    phases: tuple[str, ...]
    after: str = ""
    nth: Count = 1
    count: Count = 1
    player: str = ""
    you_get: bool = False
    id: str = ""

    if TYPE_CHECKING:

        def __init__(  # noqa: PLR0913 - the fields
            self,
            *names: str,
            phases: tuple[str, ...] = (),
            after: str = "",
            nth: int = 1,
            count: int = 1,
            player: str = "",
            you_get: bool = False,
            id: str = "",
        ) -> None: ...


class AddStep(Plain, frozen=True):
    """Add an extra step (CR 500.9, 500.10).

    The main phases of Magic have no steps (CR 505.2). Add the phase, `AddPhase("main")`. If
    `step` is one of them all the same, it is performed inside whatever phase it is, with the scheme
    and the lore counters that an added phase would not have (CR 505.1a).

    Attributes
    ----------
    step
        The name of the step.
    after
        "current_step", "current_phase" to add a phase that holds only this step, or the name of a
        step: the current one or the next one of that name.
    before
        The name of a step: the step is added before the next one of that name. Then `after` is not
        used.
    count
        How many times the step is added.
    player
        The player whom the effect names, for `you_get`.
    you_get
        Whether nothing is added unless it is the turn of `player` (CR 500.10a).
    id
        A label for what is added. Other orders can be bound to it by `within`, and it can be
        withdrawn.
    """

    step: str
    after: str = "current_step"
    before: str = ""
    count: Count = 1
    player: str = ""
    you_get: bool = False
    id: str = ""


class SkipPhase(Plain, frozen=True):
    """Skip phases as though they did not exist (CR 614.10).

    Attributes
    ----------
    phase
        The name or family of what is skipped.
    player
        The player who skips, or "" for everyone, each for themselves.
    scope
        "next" is used up by one skip. "each" always holds. "this_turn" and "all_next_turn" hold for
        all in this turn or in the next turn.
    within
        The `id` with which a turn, phase or step is added, or "". Only phases within it are
        skipped, or itself. If nothing with this id begins, nothing happens.
    id
        A label by which it can be withdrawn.
    players
        Several players whom one effect names, instead of `player`. A team skips once (CR 805.8).
    """

    phase: str
    player: str = ""
    scope: Scope = "next"
    within: str = ""
    id: str = ""
    players: tuple[str, ...] = ()


class SkipStep(Plain, frozen=True):
    """Skip steps as though they did not exist (CR 614.10).

    Attributes
    ----------
    step
        The name or family of what is skipped.
    player
        The player who skips, or "" for everyone, each for themselves.
    scope
        "next" is used up by one skip. "each" always holds. "this_turn" and "all_next_turn" hold for
        all in this turn or in the next turn.
    within
        The `id` with which a turn, phase or step is added, or "". Only steps within it are skipped,
        or itself. If nothing with this id begins, nothing happens.
    id
        A label by which it can be withdrawn.
    players
        Several players whom one effect names, instead of `player`. A team skips once (CR 805.8).
    """

    step: str
    player: str = ""
    scope: Scope = "next"
    within: str = ""
    id: str = ""
    players: tuple[str, ...] = ()


class DelayedTrigger(Plain, frozen=True):
    """Create a delayed trigger. It triggers once, as the next such step begins (CR 603.7).

    Attributes
    ----------
    id
        An id. The request after the step has begun names it, and it can be withdrawn by it.
    step
        The name or family of the step, or of a phase. The beginning of a phase is its first step
        that begins.
    player
        The player whose trigger it is, or "" for the active player.
    on
        "next" is the next such step that begins. "your_next" is the next one of `player`, which may
        be in this turn. "your_next_turn" and "next_turn" are the first one in the next turn of
        `player`, or in the turn after this one, whoever's it is. The trigger is lost if that turn
        lacks the step.
    within
        The `id` with which a turn, phase or step is added, or "". Only steps within it count, or
        itself. If nothing with this id begins, nothing happens.
    """

    id: str
    step: str
    player: str = ""
    on: DelayOn = "next"
    within: str = ""


class StandingTrigger(Plain, frozen=True):
    """Create a standing "at the beginning of" trigger (CR 603.2b).

    Attributes
    ----------
    id
        An id. The request after the step has begun names it, and it can be withdrawn by it.
    step
        The name or family of the step, or of a phase. The beginning of a phase is its first step
        that begins.
    whose
        The player in whose turns it triggers, or "each" for every turn.
    first_each_turn
        Whether it triggers only at the first such step of a turn.
    """

    id: str
    step: str
    whose: str = "each"
    first_each_turn: bool = False
    within: ClassVar[str] = ""


class Effect(Plain, frozen=True):
    """Begin an effect with a duration (CR 611.2).

    Attributes
    ----------
    id
        An id. The request after the duration has ended names it, and it can be withdrawn by it.
    player
        The player whose effect it is.
    until
        The name of one of the model's durations.
    within
        The `id` with which a turn, phase or step is added, or "". The duration ends only within it.
        If nothing with this id is to come any more, the duration ends with the turn.
    """

    id: str
    player: str
    until: str = "end_of_turn"
    within: str = ""


class ReverseTurnOrder(Plain, frozen=True):
    """Reverse the order in which the players take turns and receive priority, from now on (CR
    103.1).

    Extra turns come as they would have.
    """


class Withdraw(Plain, frozen=True):
    """End what stands or waits under a label: skips, triggers, effects, control, and
    what was added.

    What has begun is not undone, and what has triggered is not taken back (CR 614.10a). An effect
    that is withdrawn is not reported as ended.

    Attributes
    ----------
    id
        The `id` of earlier orders.
    """

    id: str


class Leave(_OfSeveral, frozen=True):
    """Let players leave the game, all at the same time (CR 104.3a, 800.4a).

    They leave after the transition of the answer's word. `TurnController.order` lets them leave
    between two answers.

    Parameters
    ----------
    *names
        Their names: `Leave("Ben", "Cleo")`.
    players
        Their names as a tuple, instead.
    """

    players: tuple[str, ...]

    if TYPE_CHECKING:

        def __init__(self, *names: str, players: tuple[str, ...] = ()) -> None: ...


class Appoint(Plain, frozen=True):
    """Say who has a role in the phase under way, such as which of several opponents is the
    defending player.

    The last one appointed counts, until the phase ends (CR 506.2a, 507.1). If that player leaves
    the game, nobody has the role. Without an appointment every opponent has it. A player of a team
    is appointed with the team.

    Attributes
    ----------
    role
        The role: "defending", which an opponent has, or a role of the game's own, which an action's
        `by` names.
    player
        The player who has it.
    """

    role: str
    player: str


class Signal(Plain, frozen=True):
    """Raise an event of the model, which interrupts the ordinary course of the turn.

    It fires after the transition of the answer's word. Of several signals, each fires where the one
    before has led.

    Attributes
    ----------
    event
        The name of the event, but not that of players who leave, for whom there is `Leave`.
    """

    event: str


class EndTurn(Plain, frozen=True):
    """End the turn at once, by the procedure of the rulebook (CR 723.1). It is the event "end_turn"
    of the model.
    """

    event: ClassVar[str] = "end_turn"


class EndPhase(Plain, frozen=True):
    """End the phase at once, by the procedure of the rulebook (CR 723.2). It is the event
    "end_phase" of the model.
    """

    event: ClassVar[str] = "end_phase"


Interruption: TypeAlias = Signal | EndTurn | EndPhase
Order: TypeAlias = (
    AddTurn
    | SkipTurn
    | ControlNextTurn
    | AddPhase
    | AddStep
    | SkipPhase
    | SkipStep
    | DelayedTrigger
    | StandingTrigger
    | Effect
    | ReverseTurnOrder
    | Withdraw
    | Leave
    | Appoint
    | Signal
    | EndTurn
    | EndPhase
)


class Result(Plain, frozen=True):
    """What became of an order.

    Attributes
    ----------
    order
        The order.
    state
        "done" when what it does has begun or is in force: an added turn, phase or step began, a
        skip was used, a trigger triggered. "waiting" while it, or a part of it, is still to come.
        "nothing" if it has no effect. An order that does several things is done as soon as nothing
        of it waits any more and something of it was done.
    why
        What it waits for, or why it, or a part of it, came to nothing.
    rule
        The number of the rule by which it came to nothing, if the model cites one for it, or "".
    """

    order: Order
    state: Literal["done", "waiting", "nothing"]
    why: str = ""
    rule: str = ""


def order_words(order: Order) -> str:
    """Return what an order does, in a few words: "extra combat phase"."""
    kind, *words = [word.lower() for word in re.findall("[A-Z][a-z]*", type(order).__name__)]
    value = next(iter(astuple(order)), "")
    what = blanks(value if isinstance(value, str) else " and ".join(value))
    adjective = {"add": "extra", "skip": "skipped"}.get(kind)
    if adjective and words == ["turn"]:
        return f"{adjective} turn of {what}"
    said = [adjective, what, *words] if adjective else [kind, *words, what]
    return " ".join(filter(None, said))


LEFT, SKIPPED, WITHDRAWN = "that player has left the game", "it was skipped", "it was withdrawn"
ABSENT, ENDED = "a rule leaves it out", "what it was in ended first"


def ended(waited_for: str) -> str:
    """Return why something has come to nothing that waited for this when the turn ended."""
    return f"the turn ended; it waited {waited_for}"


def next_one(what: str, player: str = "", within: str = "") -> str:
    """Return what something waits for: the next turn, phase or step."""
    of = player and f" of {player}"
    inside = within and f" within {within!r}"
    return f"for the next {blanks(what)}{of}{inside}"


def with_result(results: tuple[Result, ...], result: Result) -> tuple[Result, ...]:
    """Add a result. It takes the place of one that says that the same order waits."""
    for place, earlier in enumerate(results):
        if earlier.state == "waiting" and earlier.order == result.order:
            return (*results[:place], result, *results[place + 1 :])
    return (*results, result)


_READER = msgspec.json.Decoder(Order)


def checked(order: object) -> Order:
    """Return the order.

    Raises OrderError unless it is an order that can be read back from its JSON. What is of a class
    derived from one of the orders could not be.
    """
    why = "it cannot be written as JSON"
    try:
        if _READER.decode(msgspec.json.encode(order)) == order:
            return order  # type: ignore[return-value]
    except (msgspec.MsgspecError, TypeError, UnicodeEncodeError) as error:
        why = str(error)
    if order.__class__ not in get_args(Order):
        raise OrderError(f"{shown(order)} is not an order")
    raise OrderError(misfit(order) or f"{shown(order)}: {why}")
