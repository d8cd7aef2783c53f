"""The parts of a ruleset's table: what a rulebook says of each phase and step, as plain values."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, TypeVar

from fsm.model import (
    Asks,
    By,
    Duration,
    Event,
    Fact,
    Layer,
    Model,
    Opens,
    Setting,
    State,
    Transition,
)

_V = TypeVar("_V")
UNCITED = "?"
"""A rule that is there although the table cites no rulebook. A Model has "" instead."""


def label_of(name: object) -> str:
    """Return a name as people read it: "throw_glove" is "Throw glove"."""
    return str(name).replace("_", " ").capitalize()


def several(value: Any) -> tuple[Any, ...]:
    """Return a tuple of what may be one value or several. One text is one value, and not its
    letters.
    """
    if isinstance(value, tuple | list):
        return tuple(value)
    return () if value in (None, "") else (value,)


def _fill(part: object, **values: object) -> None:
    """Set the fields of a frozen part."""
    for name, value in values.items():
        object.__setattr__(part, name, value)


@dataclass(frozen=True, slots=True, init=False)
class Act:
    """A turn-based action.

    Attributes
    ----------
    name
        The name.
    label
        The name for people. The default is the name in words.
    rule
        The rule that says so.
    when
        The action takes place only if this guard holds.
    doc
        What is done.
    ends
        The duration that ends here, or "". The table declares it if it has no such duration.
    decides
        The facts that the action decides, or the one. The answer must tell them. The table declares
        those that it does not list: such a fact holds until the phase ends.
    manner
        How it is done or which objects it is about, in the rulebook's words.
    asks
        What the host is asked: to perform the action, to "check", or to "place" what waits.
    by
        Who performs it: the "active" player or team, the "defending" players, the
        "active_and_defending" players, all "opponents" of the active player, or "everyone"; or a
        role of your own, such as "dared", which an order `Appoint("dared", player)` gives to a
        player until the phase ends. Without it, all opponents have the role. What the game does by
        itself is the active player's.
    says
        What a player would say is done, for instance "the active player attacks". The default is
        the label.
    """

    name: str
    label: str
    rule: str
    when: str
    doc: str
    ends: str
    decides: tuple[str, ...]
    manner: str
    asks: Asks
    by: By | str
    says: str

    def __init__(
        self,
        name: str,
        label: str = "",
        rule: str = "",
        when: str = "",
        doc: str = "",
        ends: str = "",
        decides: str | Iterable[str] = (),
        manner: str = "",
        asks: Asks = "perform",
        by: By | str = "active",
        *,
        says: str = "",
    ) -> None:
        label = label or label_of(name)
        _fill(
            self,
            name=name,
            label=label,
            rule=rule,
            when=when,
            doc=doc,
            ends=ends,
            decides=several(decides),
        )
        _fill(self, manner=manner, asks=asks, by=by, says=says)


@dataclass(frozen=True, slots=True)
class Window:
    """A window: players may act.

    Attributes
    ----------
    rule
        The rule that says so.
    opens
        When it opens. The model of the window says what the words mean.
    name
        The name. It must differ from the other windows of the step.
    label
        The name for people. The default is the table's `window_label`.
    when
        The window is there only if this guard holds.
    doc
        Which abilities are placed as it opens.
    """

    rule: str = ""
    opens: Opens = "natural"
    name: str = "window"
    label: str = ""
    when: str = ""
    doc: str = ""


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


@dataclass(frozen=True, slots=True)
class Again:
    """At this place the step ends and begins once more if the guard holds.

    Attributes
    ----------
    when
        The guard, for instance "a, not b".
    rule
        The rule that says so.
    doc
        What it means.
    do
        Primitives that are applied on the way.
    says
        What a player would say if it is so, for instance "nobody attacks".
    """

    when: str
    rule: str = ""
    doc: str = ""
    do: tuple[str, ...] = ()
    says: str = ""

    def __post_init__(self) -> None:
        _fill(self, do=several(self.do))


@dataclass(frozen=True, slots=True)
class Back:
    """At this place the step goes on elsewhere if the guard holds.

    Attributes
    ----------
    to
        An action or window of the step, or any state.
    when
        The guard, for instance "a, not b".
    rule
        The rule that says so.
    doc
        What it means.
    layer
        The layer of the transition.
    do
        Primitives that are applied on the way.
    says
        What a player would say if it is so, for instance "nobody attacks".
    """

    to: str
    when: str
    rule: str = ""
    doc: str = ""
    layer: Layer = "core"
    do: tuple[str, ...] = ()
    says: str = ""

    def __post_init__(self) -> None:
        _fill(self, do=several(self.do))


Part: TypeAlias = Act | Window | Either | Again | Back


def stages(part: Part) -> tuple[Act | Window, ...]:
    """The actions and windows that a part consists of."""
    if isinstance(part, Either):
        return (part.first, part.other)
    return (part,) if isinstance(part, Act | Window) else ()


@dataclass(frozen=True, slots=True)
class Absent:
    """A rule by which a step or phase is left out if the guard holds. Effects that skip it need
    none.

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
class Then:
    """Where the turn goes after a step or phase, instead of to the next one.

    Attributes
    ----------
    to
        After a step, the name of a step. After a phase, the name of a phase, or any state.
    when
        The guard. "" holds always.
    rule
        The rule that says so.
    layer
        The layer of the transition.
    doc
        What it means.
    do
        Primitives that are applied on the way.
    says
        What a player would say if it is so, for instance "nobody attacks".
    """

    to: str
    when: str = ""
    rule: str = ""
    layer: Layer = "core"
    doc: str = ""
    do: tuple[str, ...] = ()
    says: str = ""

    def __post_init__(self) -> None:
        _fill(self, do=several(self.do))


@dataclass(frozen=True, slots=True, init=False)
class During:
    """While players may act in a window, an event takes the turn elsewhere and back to that window.

    The turn goes to an action, and from there into a nested phase if there is one. The table
    declares the event if it does not list it. Elsewhere nothing happens when the event comes.

    `During("insult", Act("throw_glove"), DUEL)` names its parts by position. `During(event, rule,
    act, into="duel")` is the longer spelling, in which the phase is one of the outer phase's
    `inside`.

    Attributes
    ----------
    event
        The event.
    parts
        By position: the action, and the nested phase; or the rule, the action, and the name of a
        phase.
    rule
        The rule that says so.
    act
        The action.
    into
        The nested phase, or the name of a phase inside this one, or "".
    when
        The guard under which the turn goes from the action into the phase.
    refused
        The guards under which nothing happens.
    at
        The name of the window.
    layer
        The layer of the transition.
    doc
        What it means.
    back
        The rule by which the turn goes back to the window. The default is `rule`.
    do
        Primitives that are applied on the way into the phase.
    says
        What a player would say if the event comes, and if the turn goes into the phase.
    """

    event: str
    rule: str
    act: Act
    into: Phase | str
    when: str
    refused: tuple[Absent, ...]
    at: str
    layer: Layer
    doc: str
    back: str
    do: tuple[str, ...]
    says: str

    def __init__(
        self,
        event: str,
        *parts: Act | Phase | str,
        rule: str = "",
        act: Act | None = None,
        into: Phase | str = "",
        when: str = "",
        refused: Absent | Iterable[Absent] = (),
        at: str = "window",
        layer: Layer = "core",
        doc: str = "",
        back: str = "",
        do: str | Iterable[str] = (),
        says: str = "",
    ) -> None:
        for part in parts:
            if isinstance(part, str) and act is None:
                rule = part
            elif isinstance(part, Act):
                act = part
            else:
                into = part  # anything else is refused as the table is built
        _fill(
            self,
            event=event,
            rule=rule,
            act=act,  # no action is refused as the table is built
            into=into,
            when=when,
            refused=several(refused),
            at=at,
        )
        _fill(self, layer=layer, doc=doc, back=back, do=several(do), says=says)

    @property
    def nested(self) -> Phase | None:
        """The nested phase, if it stands here."""
        return self.into if isinstance(self.into, Phase) else None

    @property
    def phase(self) -> str:
        """The name of the phase into which the turn goes, or ""."""
        return self.into.name if isinstance(self.into, Phase) else self.into


@dataclass(frozen=True, slots=True, init=False)
class Step:
    """One row of the table: a step.

    `Step("levee", Act("dress"), Window())` names its parts by position. `Step(name, label, rule,
    (parts...))` is the longer spelling of tables that follow a rulebook.

    Attributes
    ----------
    name
        The name.
    parts
        By position: its actions and windows, in their order, which a label and a rule may precede.
    label
        The name for people. The default is the name in words.
    rule
        The rule that says so.
    does
        Its actions and windows, in their order.
    unless
        The step is left out if this guard holds: the short form of one `Absent`.
    absent
        The rules by which it is left out.
    then
        Where the turn goes after it, if not to the next step.
    during
        Events that take the turn elsewhere while players may act.
    doc
        What the step is for.
    says
        What a player would say is done in it, in one go. The default is what its actions say.
    """

    name: str
    label: str
    rule: str
    does: tuple[Part, ...]
    absent: tuple[Absent, ...]
    then: tuple[Then, ...]
    during: tuple[During, ...]
    doc: str
    says: str
    unless: str

    def __init__(
        self,
        name: str,
        *parts: Part | str | Iterable[Part],
        label: str = "",
        rule: str = "",
        does: Part | Iterable[Part] = (),
        unless: str = "",
        absent: Absent | Iterable[Absent] = (),
        then: Then | Iterable[Then] = (),
        during: During | Iterable[During] = (),
        doc: str = "",
        says: str = "",
    ) -> None:
        (label, rule), given = _texts(parts, label, rule)
        _fill(
            self,
            name=name,
            label=label or label_of(name),
            rule=rule,
            does=(*given, *several(does)),
            unless=unless,
        )
        _fill(
            self,
            absent=several(absent),
            then=several(then),
            during=several(during),
            doc=doc,
            says=says,
        )

    @property
    def absences(self) -> tuple[Absent, ...]:
        """All rules by which it is left out."""
        return (*self.absent, *([Absent(self.unless, self.rule)] if self.unless else []))

    @property
    def stages(self) -> tuple[Act | Window, ...]:
        """Its actions and windows, in their order."""
        return tuple(stage for part in self.does for stage in stages(part))

    @property
    def again(self) -> Again | None:
        """The part that makes it begin once more, if there is one."""
        return next((part for part in self.does if isinstance(part, Again)), None)

    @property
    def places(self) -> tuple[str, ...]:
        """The states at which a sequence interrupted by an extra step can go on."""
        again = (f"{self.name}_again_after",) if self.again else ()
        return (f"{self.name}_before", f"{self.name}_after", *again)


def _texts(parts: Iterable[Any], label: str, rule: str) -> tuple[tuple[str, str], list[Any]]:
    """Divide positional arguments: a label and a rule in front, if they are texts, and the parts
    themselves.
    """
    texts, rest = [label, rule], list(parts)
    for number in range(2):
        if rest and isinstance(rest[0], str):
            texts[number] = rest.pop(0)
    return (texts[0], texts[1]), [part for given in rest for part in several(given)]


@dataclass(frozen=True, slots=True)
class Swap:
    """A phase of the same family takes the place of this one if the guard holds.

    Attributes
    ----------
    phase
        The name of the other phase.
    when
        The guard, for instance "a, not b".
    rule
        The rule that says so.
    doc
        What it means.
    """

    phase: str
    when: str
    rule: str = ""
    doc: str = ""


@dataclass(frozen=True, slots=True, init=False)
class Phase:
    """A phase and its steps.

    `Phase("morning", Step(...), Step(...))` names its steps by position. `Phase(name, label, rule,
    (steps...))` is the longer spelling of tables that follow a rulebook.

    Attributes
    ----------
    name
        The name.
    parts
        By position: its steps, in their order, which a label and a rule may precede.
    label
        The name for people. The default is the name in words.
    rule
        The rule that says so.
    steps
        The steps, in their order.
    family
        The word that effects use if several phases share it.
    clears
        The scope of latched facts that ends with the phase, or "".
    ends
        The duration that ends with the phase, or "".
    noted
        Whether the turn notes that an effect has skipped the phase, for the test `missed`.
    swap
        The phase that may take its place.
    unless
        The phase is left out if this guard holds: the short form of one `Absent`.
    absent
        The rules by which it is left out.
    then
        Where the turn goes after it, if not to the next phase.
    inside
        Phases that run within this one, which waits. A `During` that has its phase leads into that
        without being named here.
    extra_rule
        The rule by which such a phase is added, if it is another than for other phases.
    """

    name: str
    label: str
    rule: str
    steps: tuple[Step, ...]
    family: str
    clears: str
    ends: str
    noted: bool
    swap: Swap | None
    absent: tuple[Absent, ...]
    then: tuple[Then, ...]
    inside: tuple[Phase, ...]
    extra_rule: str
    unless: str

    def __init__(
        self,
        name: str,
        *parts: Step | str | Iterable[Step],
        label: str = "",
        rule: str = "",
        steps: Step | Iterable[Step] = (),
        family: str = "",
        clears: str = "",
        ends: str = "",
        noted: bool = False,
        swap: Swap | None = None,
        unless: str = "",
        absent: Absent | Iterable[Absent] = (),
        then: Then | Iterable[Then] = (),
        inside: Phase | Iterable[Phase] = (),
        extra_rule: str = "",
    ) -> None:
        (label, rule), given = _texts(parts, label, rule)
        _fill(
            self,
            name=name,
            label=label or label_of(name),
            rule=rule,
            steps=(*given, *several(steps)),
        )
        _fill(
            self,
            family=family,
            clears=clears,
            ends=ends,
            noted=noted,
            swap=swap,
            extra_rule=extra_rule,
        )
        _fill(
            self, unless=unless, absent=several(absent), then=several(then), inside=several(inside)
        )

    @property
    def kin(self) -> str:
        """The word effects use for phases like this one."""
        return self.family or self.name

    @property
    def absences(self) -> tuple[Absent, ...]:
        """All rules by which it is left out."""
        return (*self.absent, *([Absent(self.unless, self.rule)] if self.unless else []))

    @property
    def within(self) -> tuple[Phase, ...]:
        """The phases that run within this one: those of `inside`, and those into which a `During`
        leads.
        """
        nested = (during.nested for step in self.steps for during in step.during)
        return tuple(
            dict.fromkeys((*self.inside, *(phase for phase in nested if phase is not None)))
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameRules:
    """The rules of what all steps and phases have in common, and the actions that end a step or
    phase.

    A rule that is "" says that the rulebook has no extra turns, phases or steps, no effects that
    skip, or no players who leave. The model then has no such transitions. If the table cites a
    rulebook, so that `turn` has a rule, the same is true of rules that are left out. If it cites
    none, what is left out is possible.

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
    skip_step
        The rule by which effects skip steps, if it is another. "" means that no effect skips a
        step.
    extra_turn
        The rule of extra turns.
    extra_phase
        The rule of extra phases.
    extra_step
        The rule of extra steps.
    step_after_phase
        The rule of steps that are added after a phase. If there are no extra steps, there are none
        of these.
    no_turn
        The rule by which a player who has left takes no turn.
    end_action
        The action that ends each step. It comes after durations end, also those of a phase that
        ends with the step.
    phase_end_action
        The action that ends each phase, if it is another one.
    phase_end_first
        Whether what ends a phase comes before durations end.
    turn_clears
        The scope of latched facts that is cleared as a turn begins, or "".
    """

    turn: str = ""
    begin: str = ""
    end: str = ""
    skip: str = UNCITED
    skip_step: str | None = None
    extra_turn: str = UNCITED
    extra_phase: str = UNCITED
    extra_step: str = UNCITED
    step_after_phase: str = UNCITED
    no_turn: str = UNCITED
    end_action: Act | None = None
    phase_end_action: Act | None = None
    phase_end_first: bool = False
    turn_clears: str = ""

    def __post_init__(self) -> None:
        if self.turn:
            _fill(self, **{name: "" for name in _POSSIBLE if getattr(self, name) == UNCITED})
        elif not self.extra_step and self.step_after_phase == UNCITED:
            _fill(self, step_after_phase="")

    @property
    def skips_step(self) -> str:
        """The rule by which effects skip a step; "" when none does."""
        return self.skip if self.skip_step is None else self.skip_step


_POSSIBLE = ("skip", "extra_turn", "extra_phase", "extra_step", "step_after_phase", "no_turn")
"""The rules that say that something is possible."""

Over = Literal["one_left", "never"]
"""When a game is over: when only one side is left, or never."""


@dataclass(frozen=True, slots=True, init=False)
class TableParts:
    """What a table consists of. `Table` describes each field."""

    name: str
    title: str
    edition: str
    rulebook: str
    phases: tuple[Phase, ...]
    rules: FrameRules
    window: Model | None
    window_label: str
    before_game: tuple[Act, ...]
    facts: tuple[Fact, ...]
    events: tuple[Event, ...]
    states: tuple[State, ...]
    transitions: tuple[Transition, ...]
    durations: tuple[Duration, ...]
    settings: tuple[Setting, ...]
    options: tuple[tuple[str, str | int | bool], ...]
    over: Over
    cite: Callable[[str], str] | None
    _kept: dict[str, Any] = field(init=False, repr=False, compare=False)

    def __init__(
        self,
        name: str,
        *parts: Phase | str | Iterable[Phase] | FrameRules | Model,
        title: str = "",
        edition: str = "",
        rulebook: str = "",
        phases: Phase | Iterable[Phase] = (),
        rules: FrameRules | None = None,
        window: Model | None = None,
        window_label: str = "Priority",
        over: Over = "one_left",
        before_game: Act | Iterable[Act] = (),
        facts: Fact | Iterable[Fact] = (),
        events: Event | Iterable[Event] = (),
        states: State | Iterable[State] = (),
        transitions: Transition | Iterable[Transition] = (),
        durations: Duration | Iterable[Duration] = (),
        settings: Setting | Iterable[Setting] = (),
        options: Iterable[tuple[str, str | int | bool]] = (),
        cite: Callable[[str], str] | None = None,
    ) -> None:
        (title, edition), given = _texts(parts, title, edition)
        rules = next((part for part in given if isinstance(part, FrameRules)), rules)
        window = next((part for part in given if isinstance(part, Model)), window)
        given = [part for part in given if not isinstance(part, FrameRules | Model)]
        _fill(
            self,
            name=name,
            title=title or label_of(name),
            edition=edition,
            phases=(*given, *several(phases)),
        )
        _fill(
            self, rules=rules or FrameRules(), window=window, window_label=window_label, over=over
        )
        _fill(self, before_game=several(before_game), facts=several(facts), events=several(events))
        _fill(
            self,
            states=several(states),
            transitions=several(transitions),
            durations=several(durations),
        )
        _fill(
            self,
            rulebook=rulebook,
            settings=several(settings),
            options=tuple(options),
            cite=cite,
            _kept={},
        )

    @property
    def families(self) -> tuple[str, ...]:
        """The words effects use for phases, each once."""
        return tuple(dict.fromkeys(phase.kin for phase in self.all_phases))

    def ends_with_step(self, phase: Phase) -> bool:
        """Say whether a phase ends together with its last step, so that the same action ends both.

        Parameters
        ----------
        phase
            A phase of the table.

        Returns
        -------
        bool
            True if steps end with an action, and some duration ends with the phase: the action
            comes after it.
        """
        rules = self.rules
        if rules.end_action is None or rules.phase_end_action is not None or rules.phase_end_first:
            return False
        return bool(phase.ends) or any(
            d.moment == "end" and d.what in (phase.name, phase.kin) for d in self.durations
        )

    @property
    def all_phases(self) -> tuple[Phase, ...]:
        """All phases, those inside another after it."""
        return self._once(
            "phases", lambda: tuple(p for phase in self.phases for p in (phase, *phase.within))
        )

    @property
    def steps(self) -> tuple[Step, ...]:
        """All steps, in the order of the table."""
        return self._once(
            "steps", lambda: tuple(step for phase in self.all_phases for step in phase.steps)
        )

    def can_lack(self, step: Step) -> bool:
        """Say whether a phase that should have this step can hold only another one.

        Parameters
        ----------
        step
            A step of the table.

        Returns
        -------
        bool
            False if each phase that should have the step has only one step, or if no rule adds
            steps after a phase.
        """
        if not self.rules.step_after_phase:
            return False
        homes = self._once(
            "homes",
            lambda: {id(step): phase.kin for phase in self.all_phases for step in phase.steps},
        )
        kin = homes.get(id(step)) or next(
            phase.kin for phase in self.all_phases if step in phase.steps
        )
        return kin in self._once(
            "long", lambda: {phase.kin for phase in self.all_phases if len(phase.steps) > 1}
        )

    def _once(self, key: str, make: Callable[[], _V]) -> _V:
        """Return what is computed once for the table, when it is first asked for."""
        kept = self._kept
        found: _V = kept[key] if key in kept else kept.setdefault(key, make())
        return found
