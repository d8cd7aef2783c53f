"""The parts of a Model as frozen values: states, events, facts, guards, actions, transitions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import force_setattr

Kind = Literal["turn", "phase", "step", "action", "window", "stage", "choice", "final"]
StateRole = Literal[
    "", "before", "begin", "action", "window", "end", "after", "hub", "resume", "procedure"
]
Layer = Literal["core", "skip", "extra", "jump"]
Owner = Literal["game", "agenda", "controller"]
Timing = Literal["live", "latched", "once"]
Asks = Literal["", "perform", "priority", "check", "place", "resolve"]
Opens = Literal["", "natural", "conditional", "conditional_round"]
By = Literal["active", "defending", "active_and_defending", "opponents", "everyone"]
"""Who performs an action. The defending players are all opponents, unless one of them has been
appointed.

A model can have roles of its own, too: see `Role`.
"""
FOR_GOOD = "for_good"
"""The manner of a window whose players may pass for good."""

TAKING_PART = "taking_part"
"""The manner of a window in which only those who have its role act, also of a team."""
ONE_BY_ONE = "one_by_one"
"""The manner of a turn that each member of a team takes alone."""

COMPOSITE: frozenset[str] = frozenset({"turn", "phase", "step"})
STAND_IN = "stand-in"
"""The family of states that only a Model has: for not having started, for being in a state and in
none inside it.
"""
LAYERS: tuple[Layer, ...] = ("core", "skip", "extra", "jump")
LEAVING = "player_left"
"""The event by which a player leaves the game."""


class Term(str):
    """One literal of a guard: a fact or its negation. It is the text "fact" or "not fact".

    `Term("fact", False)` is the term "not fact".

    Attributes
    ----------
    fact
        The name of the fact.
    value
        The value that the fact must have.
    """

    __slots__ = ("fact", "value")
    fact: str
    value: bool

    def __new__(cls, text: str, value: bool = True) -> Term:
        """Return the term that a text says, or the other one if `value` is False."""
        word = text.strip()
        negated = word.startswith("not ")
        fact = word[4:].strip() if negated else word
        holds = value is not negated
        term = super().__new__(cls, fact if holds else f"not {fact}")
        term.fact = fact
        term.value = holds
        return term


def values_text(values: Iterable[tuple[str, bool]]) -> str:
    """Return values of facts as a ruleset writes them in a guard: "fact, not other"."""
    return ", ".join(Term(fact, value) for fact, value in values)


class Action(str):
    """One primitive that a transition applies. It is the text "name" or "name(a, b)".

    Attributes
    ----------
    name
        The name of the primitive.
    args
        Its arguments.
    """

    __slots__ = ("args", "name")
    name: str
    args: tuple[str, ...]

    def __new__(cls, text: str) -> Action:
        """Return the action that a text says."""
        parts = [part.strip() for part in text.split(",")]
        action = super().__new__(cls, ", ".join(parts))
        action.name, _, args = action.removesuffix(")").partition("(")
        action.args = tuple(args.split(", ")) if args else ()
        return action


class Part(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A part of a Model."""


class Fact(Part, frozen=True):
    """A named value, true or false, that guards read.

    Attributes
    ----------
    name
        The name.
    doc
        What the fact means.
    rule
        The rule that it comes from.
    owner
        Who knows it. A fact of the "game" comes with an answer. Facts of the "agenda" and of the
        "controller" are computed by `test`.
    timing
        "live" is read as it stands. "latched" stays true until its scope is cleared. "once" is
        live, and the model reads it in one place only.
    scope
        The scope of a latched fact.
    last
        Whether a latched fact of the game is the last answer: an answer that tells it false ends
        it. Only actions that decide it tell it.
    group
        The name of a set of facts of which exactly one is true, or "".
    test
        The name of a primitive test and its arguments. See `fsm.state.primitives`.
    quiet
        The value of a fact of the game while everybody passes and nothing happens. With None it is
        true for "stack_empty" and false for any other fact. A proof that a turn ends supposes that
        the other value of a fact of the window, or of a fact that states this value, is not told
        for ever.
    says, denies
        What a player would say if the fact is true, and if it is false: "a creature attacks",
        "nobody attacks".
    """

    name: str
    doc: str = ""
    rule: str = ""
    owner: Owner = "game"
    timing: Timing = "live"
    scope: str = ""
    group: str = ""
    test: tuple[str, ...] = ()
    quiet: bool | None = None
    says: str = ""
    denies: str = ""
    last: bool = False

    @property
    def is_quietly(self) -> bool:
        """The value that a game tells while nothing happens."""
        return self.name == "stack_empty" if self.quiet is None else self.quiet


class Event(Part, frozen=True):
    """Something that can make a transition fire.

    Attributes
    ----------
    name
        The name.
    doc
        What it means.
    completion
        Whether it says only that the state is finished. Such an event is not shown in pictures.
    """

    name: str
    doc: str = ""
    completion: bool = False


class State(Part, frozen=True):
    """One state of a model, on any level.

    A turn, phase or step is composite: it contains other states. An "action" asks the host for one
    thing. A "window" runs the model of the window. A "stage" asks nobody. A "choice" takes no time.
    A "final" state ends the run, or closes the window if it is in the model of a window.

    Attributes
    ----------
    id
        The id. Transitions name it.
    kind
        The kind.
    name
        The short name, as scenarios use it, for instance "upkeep".
    label
        The name for people.
    parent
        The id of the state that contains it, or "".
    role
        What the state is for. Pictures collapse states by role, never by name.
    rule
        The rule that it comes from.
    doc
        What happens in it. For a window, which abilities are placed as it opens.
    family
        The word that effects use if several states share it, for instance "main".
    asks
        What an action asks of the host.
    action
        The name of the action that the host performs.
    opens
        When a window opens. The model of the window says what the words mean.
    enters
        The state of the window's model that a window enters, if there are several kinds of windows.
        See the test `window_enters`.
    tells
        The facts that an action decides. The answer must tell them.
    manner
        How an action is done or which objects it is about, if the rulebook has several ways.
        "for_good": who passes here may pass for the rest of the window. "taking_part": only those
        of the window's role act in it, also of a team. "one_by_one", of a turn: members of a team
        take turns one by one.
    by
        Who performs an action, or who acts first in a window, or takes part in it: see `By`, or a
        role of the game's own. What the game does by itself is the active player's.
    says
        What a player would say is done in it, for instance "the active player attacks". That of a
        step is said instead of what its actions say.
    """

    id: str
    kind: Kind
    name: str = ""
    label: str = ""
    parent: str = ""
    role: StateRole = ""
    rule: str = ""
    doc: str = ""
    family: str = ""
    asks: Asks = ""
    action: str = ""
    opens: Opens = ""
    tells: tuple[str, ...] = ()
    manner: str = ""
    by: str = "active"
    says: str = ""
    enters: str = ""

    @property
    def composite(self) -> bool:
        """Is this a turn, phase or step, which contains other states?"""
        return self.kind in COMPOSITE

    @property
    def stand_in(self) -> bool:
        """Is it a state only of the Model, not of the machine that the Model was read from? It is
        never counted.
        """
        return self.family == STAND_IN

    @property
    def words(self) -> tuple[str, ...]:
        """The events that end this state in the ordinary course; for an action, what may be
        answered.
        """
        if self.composite or self.kind == "final":
            return ()
        if self.kind == "window":
            return ("closed",)
        if self.asks != "priority":
            return ("done",)
        return ("acted", "passed", "out") if self.manner == FOR_GOOD else ("acted", "passed")


class Transition(Part, frozen=True):
    """A transition: from its source, an event leads to its target if the guard holds.

    Transitions with the same source and event are tried in the order of the model. The first one
    whose guard holds fires.

    Attributes
    ----------
    source
        The id of the source. It may be composite: then the transition can fire in every state
        inside.
    target
        The id of the target. None means that nothing happens and the run stays in its state.
    event
        The name of the event.
    guard
        The terms that must all hold, as terms or as texts.
    actions
        The actions that it applies, as actions or as texts.
    rule
        The rule that it comes from.
    layer
        Whether it belongs to the ordinary course, or is a skip, an extra or a jump.
    generic
        Whether every step or phase has the same transition.
    doc
        What it means.
    says
        What a player would say if it is taken, for instance "nobody attacks".
    """

    source: str
    target: str | None
    event: str = "done"
    guard: tuple[Term, ...] = ()
    actions: tuple[Action, ...] = ()
    rule: str = ""
    layer: Layer = "core"
    generic: bool = False
    doc: str = ""
    says: str = ""

    def __post_init__(self) -> None:
        """Make terms and actions of texts."""
        for name, kind in (("guard", Term), ("actions", Action)):
            parts = getattr(self, name)
            if isinstance(parts, tuple):
                made = [kind(part) if isinstance(part, str) else part for part in parts]
                force_setattr(self, name, tuple(made))

    @property
    def id(self) -> str:
        """Stable and readable: "upkeep_window -> upkeep_end on closed"."""
        on = f" on {self.event}" if self.event != "done" else ""
        guard = f" [{', '.join(self.guard)}]" if self.guard else ""
        return f"{self.source} -> {self.target or '(stays)'}{on}{guard}"


class Duration(Part, frozen=True):
    """How long an effect can last. It ends at a moment that the model announces.

    Attributes
    ----------
    name
        The name.
    moment
        "begin" or "end" of a turn, phase or step, or "mark" for an action `mark(what)`.
    what
        The family of the turn, phase or step, or the name of the mark.
    whose
        "any", or "yours" if only turns of the effect's player count.
    turn
        "any", or "next" if only the next turn of that player that really begins counts. The effect
        is over with that turn at the latest.
    rule
        The rule that it comes from.
    doc
        What it means.
    """

    name: str
    moment: Literal["begin", "end", "mark"]
    what: str
    whose: Literal["any", "yours"] = "any"
    turn: Literal["any", "next"] = "any"
    rule: str = ""
    doc: str = ""


class Role(Part, frozen=True):
    """A role that players can have, besides those of `By`. An order `Appoint` gives it to a player.

    Attributes
    ----------
    name
        The name.
    default
        Who has it while nobody is appointed. Of somebody appointed who leaves the game, nobody has
        it.
    until
        How long an appointment lasts.
    """

    name: str
    default: Literal["active", "opponents", "everyone", "nobody"] = "opponents"
    until: Literal["phase", "turn", "game"] = "phase"


class Setting(Part, frozen=True):
    """A choice of yes or no for one game. It is fixed when the game starts.

    A setting is not an option, since it makes no other model.

    Attributes
    ----------
    name
        The name.
    doc
        What it means.
    rule
        The rule that it comes from.
    default
        The default: yes, no, or yes exactly if two players, or two sides of as many players, start
        the game.
    """

    name: str
    doc: str = ""
    rule: str = ""
    default: bool | Literal["two_players", "two_sides"] = False

    def standing(self, sizes: Sequence[int]) -> bool:
        """Return the default in a game.

        Parameters
        ----------
        sizes
            How many players each side has.

        Returns
        -------
        bool
            The default.
        """
        if isinstance(self.default, bool):
            return self.default
        two = len(sizes) == 2 and sizes[0] == sizes[1]
        return two and (self.default == "two_sides" or sizes[0] == 1)
