"""The rows of a ruleset's table: what a rulebook says of each phase and step, as plain values.

A ruleset file is one `Table`, in the order of its rulebook. `fsm.rulesets.frame` expands it into a Model.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from fsm.errors import RulesetError, suggest
from fsm.model import Duration, Event, Fact, Layer, Model, Opens, Setting, State, Transition


@dataclass(frozen=True, slots=True)
class Act:
    """A turn-based action.

    `when`: only if this guard holds. `marks`: durations run out here. `tells`: the game facts
    that it decides, which the answer must tell.
    """

    name: str
    label: str
    rule: str
    when: str = ""
    doc: str = ""
    marks: str = ""
    tells: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Absent:
    """The step is left out when this guard holds (a rule says so, not an effect)."""

    when: str
    rule: str
    doc: str = ""


@dataclass(frozen=True, slots=True)
class Then:
    """Where the turn goes after a step, instead of simply to the next. `when` "" is the else row."""

    to: str
    when: str = ""
    rule: str = ""
    layer: Layer = "core"
    doc: str = ""


@dataclass(frozen=True, slots=True)
class Again:
    """After its window the step begins once more when this guard holds."""

    when: str
    rule: str
    doc: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """One row of the table.

    `opens`: who may act, "natural", "conditional" or "" for nobody, by `window_rule` (or `rule`).
    `closing`: actions after the window. `absent`, `then`, `again`: what is special about it.
    """

    name: str
    label: str
    rule: str
    actions: tuple[Act, ...] = ()
    opens: Opens = ""
    window_rule: str = ""
    closing: tuple[Act, ...] = ()
    absent: tuple[Absent, ...] = ()
    then: tuple[Then, ...] = ()
    again: Again | None = None
    begin: str = "begin"
    doc: str = ""

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
    that ends with it. `noted`: when an effect skips it, the turn notes that (the test `missed`).
    """

    name: str
    label: str
    rule: str
    steps: tuple[Step, ...]
    family: str = ""
    clears: str = ""
    noted: bool = False
    swap: Swap | None = None
    extra_rule: str = ""

    @property
    def kin(self) -> str:
        """The word effects use for phases like this one."""
        return self.family or self.name


@dataclass(frozen=True, slots=True)
class FrameRules:
    """The citations of what every step and phase has in common, and the action that ends a step."""

    skip: str
    begin: str
    end: str
    extra_turn: str
    extra_phase: str
    extra_step: str
    step_after_phase: str
    no_turn: str
    turn: str
    end_action: Act | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """A whole ruleset: phases in order, what is common, what is written out, and the window."""

    name: str
    title: str
    edition: str
    phases: tuple[Phase, ...]
    rules: FrameRules
    window: Model
    window_label: str = "Priority"
    facts: tuple[Fact, ...] = ()
    events: tuple[Event, ...] = ()
    states: tuple[State, ...] = ()
    transitions: tuple[Transition, ...] = ()
    durations: tuple[Duration, ...] = ()
    settings: tuple[Setting, ...] = ()
    options: tuple[tuple[str, object], ...] = ()

    @property
    def families(self) -> tuple[str, ...]:
        """The words effects use for phases, each once."""
        return tuple(dict.fromkeys(phase.kin for phase in self.phases))

    @property
    def steps(self) -> tuple[Step, ...]:
        """All steps, in the order of the table."""
        return tuple(step for phase in self.phases for step in phase.steps)

    def can_lack(self, step: Step) -> bool:
        """Can a phase that should have this step hold only another? Not where each such phase has one step."""
        kin = next(phase.kin for phase in self.phases if step in phase.steps)
        return any(len(phase.steps) > 1 for phase in self.phases if phase.kin == kin)

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
        phases = tuple(replace(p, steps=change(p.steps)) for p in self.phases)
        return replace(self, name=name or self.name, phases=phases)

    def _known(self, step: str) -> None:
        names = [s.name for s in self.steps]
        if step not in names:
            raise RulesetError(f"step {step!r} is not in {self.name}{suggest(step, names)}")

    def build(self) -> Model:
        """Expand the table into its Model. Raises ModelError when a row names what is not there."""
        from fsm.rulesets.frame import expand

        return expand(self)
