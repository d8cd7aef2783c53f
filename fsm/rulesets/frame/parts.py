"""The parts of a ruleset's table: what a rulebook says of each phase and step, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from fsm.model import Asks, By, Duration, Event, Fact, Layer, Model, Opens, Setting, State, Transition


@dataclass(frozen=True, slots=True)
class Act:
    """A turn-based action.

    Attributes
    ----------
    name
        The name.
    label
        The name for people.
    rule
        The rule that says so.
    when
        The action takes place only if this guard holds.
    doc
        What is done.
    marks
        The mark at which durations end here, or "".
    tells
        The facts that the action decides. The answer must tell them.
    manner
        How it is done or which objects it is about, in the rulebook's words.
    asks
        What the host is asked: to perform the action, to "check", or to "place" what waits.
    by
        Who performs it: the "active" player or team, the "defending" players, the "active_and_defending" players,
        all "opponents" of the active player, or "everyone". What the game does by itself is the active player's.
    """

    name: str
    label: str
    rule: str
    when: str = ""
    doc: str = ""
    marks: str = ""
    tells: tuple[str, ...] = ()
    manner: str = ""
    asks: Asks = "perform"
    by: By = "active"


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

    rule: str
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
    """

    when: str
    rule: str
    doc: str = ""
    do: tuple[str, ...] = ()


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
    """

    to: str
    when: str
    rule: str
    doc: str = ""
    layer: Layer = "core"
    do: tuple[str, ...] = ()


Part: TypeAlias = Act | Window | Either | Again | Back


def stages(part: Part) -> tuple[Act | Window, ...]:
    """The actions and windows that a part consists of."""
    if isinstance(part, Either):
        return (part.first, part.other)
    return (part,) if isinstance(part, Act | Window) else ()


@dataclass(frozen=True, slots=True)
class Absent:
    """A rule by which a step or phase is left out if the guard holds. Effects that skip it need none.

    Attributes
    ----------
    when
        The guard, for instance "a, not b".
    rule
        The rule that says so.
    doc
        What it means.
    spends
        Whether an effect that skips the step or phase is used up all the same.
    """

    when: str
    rule: str
    doc: str = ""
    spends: bool = False


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
    """

    to: str
    when: str = ""
    rule: str = ""
    layer: Layer = "core"
    doc: str = ""
    do: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class During:
    """While players may act in a window, an event takes the turn elsewhere and back to that window.

    The turn goes to an action, and from there into a phase inside this one if there is such a phase.

    Attributes
    ----------
    event
        The event.
    rule
        The rule that says so.
    act
        The action.
    into
        The name of the phase inside this one, or "".
    succeeds
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
    """

    event: str
    rule: str
    act: Act
    into: str = ""
    succeeds: str = ""
    refused: tuple[Absent, ...] = ()
    at: str = "window"
    layer: Layer = "core"
    doc: str = ""
    back: str = ""
    do: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """One row of the table: a step.

    Attributes
    ----------
    name
        The name.
    label
        The name for people.
    rule
        The rule that says so.
    does
        Its actions and windows, in their order.
    absent
        The rules by which it is left out.
    then
        Where the turn goes after it, if not to the next step.
    during
        Events that take the turn elsewhere while players may act.
    begins
        The primitive with which it begins.
    doc
        What the step is for.
    """

    name: str
    label: str
    rule: str
    does: tuple[Part, ...] = ()
    absent: tuple[Absent, ...] = ()
    then: tuple[Then, ...] = ()
    during: tuple[During, ...] = ()
    begins: str = "begin"
    doc: str = ""

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
    rule: str
    doc: str = ""


@dataclass(frozen=True, slots=True)
class Phase:
    """A phase and its steps.

    Attributes
    ----------
    name
        The name.
    label
        The name for people.
    rule
        The rule that says so.
    steps
        The steps, in their order.
    family
        The word that effects use if several phases share it.
    clears
        The scope of latched facts that ends with the phase, or "".
    marks
        The mark at which durations end with the phase, or "".
    noted
        Whether the turn notes that an effect has skipped the phase, for the test `missed`.
    swap
        The phase that may take its place.
    absent
        The rules by which it is left out.
    then
        Where the turn goes after it, if not to the next phase.
    inside
        Phases that run within this one, which waits. `During` leads into them.
    extra_rule
        The rule by which such a phase is added, if it is another than for other phases.
    """

    name: str
    label: str
    rule: str
    steps: tuple[Step, ...]
    family: str = ""
    clears: str = ""
    marks: str = ""
    noted: bool = False
    swap: Swap | None = None
    absent: tuple[Absent, ...] = ()
    then: tuple[Then, ...] = ()
    inside: tuple[Phase, ...] = ()
    extra_rule: str = ""

    @property
    def kin(self) -> str:
        """The word effects use for phases like this one."""
        return self.family or self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameRules:
    """The rules of what all steps and phases have in common, and the actions that end a step or phase.

    Leave a rule empty if the rulebook has none: no extra turns, phases or steps, no effects that skip, or no players
    who leave. The model then has no such transitions.

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
        The rule by which effects skip steps, if it is another. "" means that no effect skips a step.
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
    end_action
        The action that ends each step. It comes after durations end, also those of a phase that ends with the step.
    phase_end_action
        The action that ends each phase, if it is another one.
    phase_end_first
        Whether what ends a phase comes before durations end.
    turn_clears
        The scope of latched facts that is cleared as a turn begins, or "".
    turn_marks
        The mark at which durations end as a turn ends, or "".
    moments
        Whether the host is asked as each turn, phase and step begins, and as each turn ends.
    would_begin
        Whether the order `AskBefore` can be given. The host is then asked before what effects can skip.
    """

    turn: str
    begin: str
    end: str
    skip: str = ""
    skip_step: str | None = None
    extra_turn: str = ""
    extra_phase: str = ""
    extra_step: str = ""
    step_after_phase: str = ""
    no_turn: str = ""
    end_action: Act | None = None
    phase_end_action: Act | None = None
    phase_end_first: bool = False
    turn_clears: str = ""
    turn_marks: str = ""
    moments: bool = False
    would_begin: bool = False

    @property
    def skips_step(self) -> str:
        """The rule by which effects skip a step; "" when none does."""
        return self.skip if self.skip_step is None else self.skip_step


@dataclass(frozen=True, slots=True)
class TableParts:
    """What a table consists of. `Table` describes each field."""

    name: str
    title: str
    edition: str
    phases: tuple[Phase, ...]
    rules: FrameRules
    window: Model
    window_label: str = "Priority"
    before_game: tuple[Act, ...] = ()
    facts: tuple[Fact, ...] = ()
    events: tuple[Event, ...] = ()
    states: tuple[State, ...] = ()
    transitions: tuple[Transition, ...] = ()
    durations: tuple[Duration, ...] = ()
    settings: tuple[Setting, ...] = ()
    options: tuple[tuple[str, str | int | bool], ...] = ()

    def asks_before(self, level: str) -> str:
        """Return the rule by which the host can be asked before something begins.

        Parameters
        ----------
        level
            "turn", "phase" or "step".

        Returns
        -------
        str
            The rule by which effects skip it, or "" if the host is not asked.
        """
        rules = self.rules
        rule = rules.skips_step if level == "step" else rules.skip
        return rule if rules.would_begin else ""

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
            True if steps end with an action, and some duration ends with the phase: the action comes after it.
        """
        rules = self.rules
        if rules.end_action is None or rules.phase_end_action is not None or rules.phase_end_first:
            return False
        return bool(phase.marks) or any(d.moment == "end" and d.what in (phase.name, phase.kin) for d in self.durations)

    @property
    def all_phases(self) -> tuple[Phase, ...]:
        """All phases, those inside another after it."""
        return tuple(p for phase in self.phases for p in (phase, *phase.inside))

    @property
    def steps(self) -> tuple[Step, ...]:
        """All steps, in the order of the table."""
        return tuple(step for phase in self.all_phases for step in phase.steps)

    def can_lack(self, step: Step) -> bool:
        """Say whether a phase that should have this step can hold only another one.

        Parameters
        ----------
        step
            A step of the table.

        Returns
        -------
        bool
            False if each phase that should have the step has only one step, or if no rule adds steps after a phase.
        """
        if not self.rules.step_after_phase:
            return False
        kin = next(phase.kin for phase in self.all_phases if step in phase.steps)
        return any(len(phase.steps) > 1 for phase in self.all_phases if phase.kin == kin)
