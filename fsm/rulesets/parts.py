"""The parts of a ruleset's table: what a rulebook says of each phase and step, as plain values.
`parts_of` has them one by one, each with its place.
"""

from __future__ import annotations

from dataclasses import MISSING, dataclass, fields, is_dataclass
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, TypeAlias, TypeVar

from fsm.errors import RulesetError
from fsm.model import Asks, Fact as ModelFact, Layer, Opens, Term

if TYPE_CHECKING:
    from fsm.rulesets.table import Table

_T = TypeVar("_T")
_P = TypeVar("_P")
Several: TypeAlias = _T | tuple[_T, ...]
"""One value, or several."""
Kind = Literal["priority", "alternating", "solo", "once"]
"""Who acts in a window, and when it closes."""
Stack = Literal["top", "all", "none"]
END_OF_PHASE = "end_of_phase"
"""The target of a `Then` that ends the phase."""


def label_of(name: object) -> str:
    """Return a name as people read it: "throw_glove" is "Throw glove"."""
    return str(name).replace("_", " ").capitalize()


def several(value: Any) -> tuple[Any, ...]:
    """Return a tuple of what may be one value or several. One text is one value."""
    if isinstance(value, tuple | list):
        return tuple(value)
    return () if value in (None, "") else (value,)


def guard(text: str) -> tuple[Term, ...]:
    """Read a guard, "a, not b"; "" is the empty guard, which always holds."""
    return tuple(Term(part) for part in text.split(",") if part.strip())


class Named:
    """A part with a name and a label."""

    __slots__ = ()
    name: str
    label: str

    @property
    def text(self) -> str:
        """The label, or the name in words."""
        return self.label or label_of(self.name)


class Whole(Generic[_P]):
    """What has parts. They stand by position, after its name, and its other fields by name."""

    __slots__ = ()

    def __init__(self, name: str = "", *parts: _P, **words: object) -> None:
        own: Any = fields(self)  # type: ignore[arg-type]
        for word in words:
            known = [field.name for field in own]
            RulesetError.known_name("field", word, known, type(self).__name__)
        inner = own[1].name
        given = {own[0].name: name, **words, inner: (*parts, *several(words.get(inner)))}
        for field in own:
            value: Any = given.get(field.name, "" if field.default is MISSING else field.default)
            if str(field.type).startswith("tuple"):
                value = several(value)
            if field.name == "unless":
                rule = str(given.get("rule", ""))
                value = tuple(Absent(one, rule) if isinstance(one, str) else one for one in value)
            object.__setattr__(self, field.name, value)


@dataclass(frozen=True, slots=True)
class Act(Named):
    """A turn-based action.

    Attributes
    ----------
    name
        The name.
    label
        The name for people. The default is the name in words.
    rule
        The rule that says so.
    doc
        What is done.
    when
        The action takes place only if this guard holds.
    ends
        The duration that ends here, or several, or "". The table declares those that it does not
        list.
    decides
        The fact that the action decides, or several. The answer must tell them. Unless the table
        lists it, such a fact is the last answer, and it is false when a turn begins.
    manner
        How it is done or which objects it is about, in the rulebook's words.
    asks
        What the host is asked: to perform the action, to "check", or to "place" what waits.
    by
        Who performs it: the "active" player or team, the "defending" players, the
        "active_and_defending" players, all "opponents" of the active player, or "everyone"; or one
        of the table's roles. What the game does by itself is the active player's.
    says
        What a player would say is done, for instance "the active player attacks". The default is
        the label.
    """

    name: str
    label: str = ""
    rule: str = ""
    doc: str = ""
    when: str = ""
    ends: Several[str] = ""
    decides: Several[str] = ()
    manner: str = ""
    asks: Asks = "perform"
    by: str = "active"
    says: str = ""


@dataclass(frozen=True, slots=True)
class Absent:
    """A rule by which something is left out if the guard holds. Effects that skip it need none.

    Attributes
    ----------
    when
        The guard, for instance "a, not b".
    rule
        The rule that says so.
    doc
        What it means.
    says
        What a player would say if it is so, for instance "nobody attacks".
    """

    when: str
    rule: str = ""
    doc: str = ""
    says: str = ""


@dataclass(frozen=True, slots=True)
class Again(Absent):
    """At this place the step ends and begins once more if the guard holds.

    Attributes
    ----------
    do
        Primitives that are applied on the way.
    """

    do: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Then:
    """Where the turn goes after a step or phase, instead of to the next one.

    Attributes
    ----------
    to
        After a step, the name of a step of its phase, or "end_of_phase". After a phase, and of a
        `Swap`, the name of a phase. After a phase also any state.
    when
        The guard. "" holds always.
    rule
        The rule that says so.
    doc
        What it means.
    says
        What a player would say if it is so, for instance "nobody attacks".
    layer
        The layer of the transition.
    do
        Primitives that are applied on the way.
    """

    to: str
    when: str = ""
    rule: str = ""
    doc: str = ""
    says: str = ""
    layer: Layer = "core"
    do: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Back(Then):
    """At this place the step goes on elsewhere if the guard holds: at an action or window of the
    step, or in any state.
    """


@dataclass(frozen=True, slots=True)
class Swap(Then):
    """A phase of the same family takes the place of this one if the guard holds."""


@dataclass(frozen=True, slots=True, init=False)
class During(Whole["Act | Phase | Then"]):
    """While players may act in a window, an event takes the turn elsewhere, and back to it.

    `During("insult", Act("throw_glove"), DUEL)` leads through the action into the phase. After it
    the window goes on. `During("attack", Then("layer_step"))` closes the window, ends its step and
    goes on with another one. Elsewhere nothing happens when the event comes.

    Attributes
    ----------
    event
        The event. The table declares it if it does not list it.
    parts
        By position: actions, and a nested phase or a `Then`.
    rule
        The rule that says so.
    when
        The guard under which the turn goes from the last action into the phase.
    unless
        Nothing happens if this guard holds. An `Absent`, or several, say more of it.
    doc
        What it means.
    back
        The rule by which the turn goes back to the window. The default is `rule`.
    says
        What a player would say if the event comes, and if the turn goes into the phase.
    """

    event: str
    parts: tuple[Act | Phase | Then, ...]
    rule: str
    when: str
    unless: tuple[Absent, ...]
    doc: str
    back: str
    says: str

    @property
    def acts(self) -> tuple[Act, ...]:
        """The actions on the way."""
        return tuple(part for part in self.parts if isinstance(part, Act))

    @property
    def phase(self) -> Phase | None:
        """The nested phase, if there is one."""
        return next((part for part in self.parts if isinstance(part, Phase)), None)


@dataclass(frozen=True, slots=True)
class Window(Named):
    """A window: players may act.

    Attributes
    ----------
    rule
        The rule that says so.
    doc
        Which abilities are placed as it opens.
    opens
        When it opens: always ("natural"), or only if something happened ("conditional"). A model of
        the window that you give may know more words.
    name
        The name. It must differ from the other windows of the step.
    label
        The name for people. The default is the table's `window_label`.
    when
        The window is there only if this guard holds.
    kind
        Who acts. "priority": all, and who acts may act again. "alternating": all, one action after
        the other. "solo": those of `by`, one after the other. "once": those of `by`, who act or
        pass once. The default is the table's `window`.
    by
        Who acts first, or who takes part: a role, or "nobody". Then checks, triggers and the stack
        are handled until nothing is left. The default is "active", and for "once" "everyone".
    passing
        "for_good" lets a player pass for the rest of an alternating window.
    during
        Events that take the turn elsewhere while players may act.
    """

    rule: str = ""
    doc: str = ""
    opens: Opens = "natural"
    name: str = "window"
    label: str = ""
    when: str = ""
    kind: Kind | Literal[""] = ""
    by: str = ""
    passing: Literal["", "for_good"] = ""
    during: Several[During] = ()


@dataclass(frozen=True, slots=True)
class Either:
    """One of two actions.

    Attributes
    ----------
    when
        The guard that decides.
    first
        The action if the guard holds.
    other
        The action if it does not.
    """

    when: str
    first: Act
    other: Act


Stage: TypeAlias = Act | Window
Part: TypeAlias = Act | Window | Either | Again | Back


def ways_of(part: Part) -> tuple[tuple[Stage, str], ...]:
    """The actions and windows that a part of a step consists of, each with its guard."""
    if isinstance(part, Either):
        return (part.first, part.when), (part.other, "")
    return ((part, part.when),) if isinstance(part, Act | Window) else ()


@dataclass(frozen=True, slots=True, init=False)
class Step(Named, Whole["Part"]):
    """One row of the table: a step. `Step("levee", Act("dress"), Window())` names its parts.

    Attributes
    ----------
    name
        The name.
    does
        By position: its actions and windows, in their order.
    label
        The name for people. The default is the name in words.
    rule
        The rule that says so.
    unless
        The step is left out if this guard holds. An `Absent`, or several, say more of it.
    then
        Where the turn goes after it, if not to the next step.
    says
        What a player would say is done in it, in one go. The default is what its actions say.
    """

    name: str
    does: tuple[Part, ...]
    label: str
    rule: str
    unless: tuple[Absent, ...]
    then: tuple[Then, ...]
    says: str

    @property
    def durings(self) -> list[tuple[Window, During]]:
        """The events that take the turn elsewhere, each with its window."""
        windows = [part for part in self.does if isinstance(part, Window)]
        return [(window, during) for window in windows for during in several(window.during)]

    @property
    def stages(self) -> list[Stage]:
        """Its actions and windows in their order, and then the actions on the way out of it."""
        found = [stage for part in self.does for stage, _ in ways_of(part)]
        return found + [act for _, during in self.durings for act in during.acts]

    @property
    def leavings(self) -> tuple[Then, ...]:
        """Where the turn goes if an event has ended it. A fact says so."""
        found = dict[str, Then]()
        for _, during in self.durings:
            last = during.parts[-1]
            if isinstance(last, Then):
                fact = f"{self.name}_to_{last.to}"
                said = during.says or label_of(during.event).lower()
                found[fact] = Then(last.to, fact, during.rule, says=said, do=(f"clear({fact})",))
        return tuple(found.values())

    @property
    def again(self) -> Again | None:
        """The part that makes it begin once more, if there is one."""
        return next((part for part in self.does if isinstance(part, Again)), None)

    @property
    def endings(self) -> tuple[str, ...]:
        """What stands before the names of the states in which it ends: once, or again."""
        return (self.name, f"{self.name}_again") if self.again else (self.name,)

    @property
    def places(self) -> tuple[str, ...]:
        """The states at which a sequence interrupted by an extra step can go on."""
        return (f"{self.name}_before", *(f"{here}_after" for here in self.endings))


@dataclass(frozen=True, slots=True, init=False)
class Cut(Whole[Act]):
    """An event ends the phase, or the turn, at once. Phases that run inside it end, too.

    `EndTurn()` and `EndPhase()` raise "end_turn" and "end_phase", a `Signal` any other event.
    Outside the phase, and in the step or phase that the cut leads to, nothing happens.

    Attributes
    ----------
    event
        The event.
    acts
        By position: actions that are performed first.
    to
        The step of the phase, or the phase of the turn, with which it goes on. Without it, it ends.
    rule
        The rule that says so.
    says
        What a player would say if the event comes.
    """

    event: str
    acts: tuple[Act, ...]
    to: str
    rule: str
    says: str


@dataclass(frozen=True, slots=True, init=False)
class Phase(Named, Whole[Step]):
    """A phase and its steps. `Phase("morning", Step(...), Step(...))` names its steps.

    `Phase("draw", Act("draw_card"))` has one step with the phase's name.

    Attributes
    ----------
    name
        The name.
    steps
        By position: its steps, in their order, or the parts of its only step.
    label
        The name for people. The default is the name in words.
    rule
        The rule that says so.
    family
        The word that effects use if several phases share it.
    ends
        The duration that ends with the phase, or "".
    noted
        The fact that an effect has skipped the phase, which holds until the turn is over, or "".
    swap
        The phase that may take its place.
    unless
        The phase is left out if this guard holds. An `Absent`, or several, say more of it.
    then
        Where the turn goes after it, if not to the next phase.
    extra_rule
        The rule by which such a phase is added, if it is another than for other phases.
    cut
        Events that end the phase at once.
    """

    name: str
    steps: tuple[Step, ...]
    label: str
    rule: str
    family: str
    ends: str
    noted: str
    unless: tuple[Absent, ...]
    then: tuple[Then, ...]
    extra_rule: str
    cut: tuple[Cut, ...]
    swap: Swap | None = None

    def __init__(self, name: str = "", *parts: Step | Part, **words: object) -> None:
        given: Any = parts  # the types are checked when the table is built
        if parts and all(isinstance(part, Part) for part in parts):
            alike = {word: words.get(word, "") for word in ("label", "rule")}
            given = (Step(name, *given, **alike),)
        Whole.__init__(self, name, *given, **words)

    @property
    def kin(self) -> str:
        """The word effects use for phases like this one."""
        return self.family or self.name

    @property
    def within(self) -> list[Phase]:
        """The phases into which events lead out of its windows."""
        found = [during.phase for step in self.steps for _, during in step.durings]
        return [phase for phase in dict.fromkeys(found) if phase is not None]


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameRules:
    """The rules of what all steps and phases have in common, and the actions that end a step or
    phase.

    Attributes
    ----------
    turn
        The rule of the course of a turn.
    begin
        The rule by which a step or phase begins.
    end
        The rule by which a step or phase ends.
    skip
        The rule by which effects skip turns, phases and steps.
    extra_turn
        The rule of extra turns.
    extra_phase
        The rule of extra phases.
    extra_step
        The rule of extra steps.
    step_after_phase
        The rule of steps that are added after a phase.
    no_turn
        The rule by which a player who has left takes no turn.
    leaves
        The rule by which the game goes on when a player leaves.
    wins
        The rule by which the game is over when one side is left.
    over
        The rule of the end of the game.
    end_action
        The action that ends each step. It comes after durations end, also those of a phase that
        ends with the step.
    phase_end_action
        The action that ends each phase, if it is another one.
    phase_end_first
        Whether what ends a phase comes before durations end.
    """

    turn: str = ""
    begin: str = ""
    end: str = ""
    skip: str = ""
    extra_turn: str = ""
    extra_phase: str = ""
    extra_step: str = ""
    step_after_phase: str = ""
    no_turn: str = ""
    leaves: str = ""
    wins: str = ""
    over: str = ""
    end_action: Act | None = None
    phase_end_action: Act | None = None
    phase_end_first: bool = False


class Fact(ModelFact, frozen=True):
    """A fact of the table. If an action decides it, it is the last answer.

    Attributes
    ----------
    until
        When such a fact is forgotten: when a "turn" begins, or when the "phase" of the action does.
    """

    until: Literal["turn", "phase"] = "turn"


# where they stand ---------------------------------------------------------------------------------


class At(NamedTuple):
    """A part of a table, its phase and step, and its place in words."""

    part: Any
    phase: Any = None
    step: Any = None
    where: str = ""

    def says(self, problem: str) -> str:
        """Return what is wrong with it, after its place."""
        return f"{self.where}: {problem}"

    @property
    def guard(self) -> tuple[Term, ...]:
        """Its guard."""
        return guard(getattr(self.part, "when", ""))

    @property
    def marks(self) -> list[str]:
        """The durations that end with it. That of the phase under way has the phase's name."""
        phase = self.phase.name if self.phase else "phase"
        ends = several(getattr(self.part, "ends", ()))
        return [f"end_of_{phase}" if one == END_OF_PHASE else one for one in ends]


def parts_of(table: Table) -> list[At]:
    """The table and every part of it, each before those in it. A phase that several windows lead
    into is there once.
    """
    found: list[At] = []
    _gather(At(table, where="table"), found)
    return found


def _gather(at: At, found: list[At]) -> None:
    if isinstance(at.part, Phase) and at in found:
        return
    found.append(at)
    for field in fields(at.part):
        for number, part in enumerate(several(getattr(at.part, field.name)), 1):
            word = f"part {number}" if field.name == "does" else field.name
            if is_dataclass(type(part)):
                _gather(_inside(at, part, word), found)


def _inside(at: At, part: Any, word: str) -> At:
    """A part that stands directly in another."""
    if isinstance(part, Phase):
        return At(part, part, None, f"phase {part.name!r}")
    if isinstance(part, Step | During):
        name = part.event if isinstance(part, During) else part.name
        word = f"{type(part).__name__.lower()} {name!r}"
    step = part if isinstance(part, Step) else at.step
    return At(part, at.phase, step, f"{at.where}, {word}")
