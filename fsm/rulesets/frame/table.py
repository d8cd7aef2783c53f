"""The rows of a ruleset's table: what a rulebook says of each phase and step, as plain values.

A ruleset file is one `Table`, in the order of its rulebook. `fsm.rulesets.frame.expand` expands it into a Model.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from fsm.errors import RulesetError, suggest
from fsm.model import Asks, Duration, Event, Fact, Layer, Model, Opens, Setting, State, Transition


@dataclass(frozen=True, slots=True)
class Act:
    """A turn-based action.

    `when`: only if this guard holds. `marks`: durations run out here. `tells`: the game facts
    that it decides, which the answer must tell. `manner`: how or by whom, in the rulebook's words.
    `asks`: what the host is asked, if not to perform it: to "check" or to "place" what waits.
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


@dataclass(frozen=True, slots=True)
class Window:
    """Players may act. `doc`: which abilities are placed as it opens. `when`: only if this guard holds."""

    rule: str
    opens: Opens = "natural"
    name: str = "window"
    label: str = ""
    when: str = ""
    doc: str = ""


@dataclass(frozen=True, slots=True)
class Either:
    """One of two actions: `first` when the guard holds, else `other`."""

    when: str
    first: Act
    other: Act


@dataclass(frozen=True, slots=True)
class Again:
    """At this place the step ends and begins once more when the guard holds. `do`: primitives applied on the way."""

    when: str
    rule: str
    doc: str = ""
    do: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Back:
    """At this place the step goes on with `to` when the guard holds: an action or window of its own, or any state."""

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
    """The step or phase is left out when this guard holds (a rule says so, not an effect).

    `spends`: an effect that skips it is used up all the same.
    """

    when: str
    rule: str
    doc: str = ""
    spends: bool = False


@dataclass(frozen=True, slots=True)
class Then:
    """Where the turn goes after a step (or phase), instead of simply to the next. `when` "" is the else row.

    `to`: a step after a step, a phase (or any state) after a phase.
    """

    to: str
    when: str = ""
    rule: str = ""
    layer: Layer = "core"
    doc: str = ""
    do: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class During:
    """While players may act in the window `at`, this event takes the turn elsewhere and back to that window.

    To the action `act`, and from there, when the guard `succeeds` holds, `into` a phase inside this one.
    `refused`: guards under which nothing happens.
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
    """One row of the table.

    `does`: actions and windows in their order; a window lets players act. `absent`, `then`, `during`:
    what is special about it. `begins`: the primitive with which it begins.
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
    """A phase of the same family takes this one's place when the guard holds."""

    phase: str
    when: str
    rule: str
    doc: str = ""


@dataclass(frozen=True, slots=True)
class Phase:
    """A phase and its steps.

    `family`: the word effects use, if several phases share it. `clears`: the scope of latched facts
    that ends with it. `marks`: durations run out as it ends. `noted`: when an effect skips it, the turn notes
    that (the test `missed`). `inside`: phases that run within this one, which waits, when a step's `during`
    leads into them.
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
    """The citations of what every step and phase has in common, and the actions that end a step or phase.

    A rulebook without extra turns, phases or steps, without effects that skip, or without players who
    leave (`no_turn`) leaves that citation empty; then the frame has no such rows. `skip_step`: if steps
    are skipped by another rule than `skip`, or ("") never. `phase_end_first`: what ends a phase comes
    before durations run out. `turn_clears`, `turn_marks`: a scope cleared as a turn begins, a moment as it ends.
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

    @property
    def skips_step(self) -> str:
        """The rule by which effects skip a step; "" when none does."""
        return self.skip if self.skip_step is None else self.skip_step


@dataclass(frozen=True, slots=True)
class Table:
    """A whole ruleset: phases in order, what is common, what is written out, and the window.

    `before_game`: actions performed once, before the first turn.
    """

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

    @property
    def families(self) -> tuple[str, ...]:
        """The words effects use for phases, each once."""
        return tuple(dict.fromkeys(phase.kin for phase in self.all_phases))

    @property
    def all_phases(self) -> tuple[Phase, ...]:
        """All phases, those inside another after it."""
        return tuple(p for phase in self.phases for p in (phase, *phase.inside))

    @property
    def steps(self) -> tuple[Step, ...]:
        """All steps, in the order of the table."""
        return tuple(step for phase in self.all_phases for step in phase.steps)

    def can_lack(self, step: Step) -> bool:
        """Can a phase that should have this step hold only another? Not where each such phase has one step."""
        if not self.rules.step_after_phase:
            return False
        kin = next(phase.kin for phase in self.all_phases if step in phase.steps)
        return any(len(phase.steps) > 1 for phase in self.all_phases if phase.kin == kin)

    def with_step(self, step: Step, *, where: Literal["after", "before"] = "after", of: str, name: str = "") -> Table:
        """A house rule: this table with one step more, beside the step called `of`."""
        self._known(of)

        def insert(steps: tuple[Step, ...]) -> tuple[Step, ...]:
            at = next((i for i, s in enumerate(steps) if s.name == of), None)
            if at is None:
                return steps
            at += where == "after"
            return (*steps[:at], step, *steps[at:])

        return self._steps(insert, name)

    def with_changed(self, step: str, change: Callable[[Step], Step], *, name: str = "") -> Table:
        """A house rule: this table with one step changed, as `change` returns it."""
        self._known(step)
        return self._steps(lambda steps: tuple(change(s) if s.name == step else s for s in steps), name)

    def without_step(self, step: str, *, name: str = "") -> Table:
        """A house rule: this table without a step."""
        self._known(step)
        return self._steps(lambda steps: tuple(s for s in steps if s.name != step), name)

    def _steps(self, change: Callable[[tuple[Step, ...]], tuple[Step, ...]], name: str) -> Table:
        return replace(self, name=name or self.name, phases=_changed(self.phases, change))

    def _known(self, step: str) -> None:
        names = [s.name for s in self.steps]
        if step not in names:
            raise RulesetError(f"step {step!r} is not in {self.name}{suggest(step, names)}")

    def build(self) -> Model:
        """Expand the table into its Model. Raises ModelError when a row names what is not there."""
        from fsm.rulesets.frame.expand import expand

        return expand(self)


def _changed(phases: tuple[Phase, ...], change: Callable[[tuple[Step, ...]], tuple[Step, ...]]) -> tuple[Phase, ...]:
    return tuple(replace(p, steps=change(p.steps), inside=_changed(p.inside, change)) for p in phases)
