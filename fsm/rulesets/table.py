"""The table of a ruleset, from which its Model is made.

A ruleset file is one `Table`, in the order of its rulebook. `fsm.rulesets.expand` makes it a Model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, is_dataclass, replace
from typing import Any, Literal, TypeAlias

from fsm.errors import ModelError, RulesetError
from fsm.model import Duration, Event, Fact, Model, Role, Setting, State, Transition
from fsm.rulesets.expand import expand
from fsm.rulesets.parts import (
    Act,
    Cut,
    FrameRules,
    Kind,
    Phase,
    Stack,
    Stage,
    Step,
    fill,
    label_of,
    stages,
)
from fsm.rulesets.plan import Plan
from fsm.rulesets.problems import problems_of, read_too_early
from fsm.state.arguments import misused_primitives

UNCITED = FrameRules()
"""The rules of a game whose rulebook has no numbers."""
Change: TypeAlias = Callable[[Any], tuple[Any, ...]]
"""Returns what takes the place of a part of a table."""


@dataclass(frozen=True, slots=True, init=False)
class Table:
    """A whole ruleset.

    `Table("court", Phase(...), Phase(...))` names its phases by position. All else has a default.

    Attributes
    ----------
    name
        The name.
    phases
        By position: the phases, in their order.
    title
        What the game is called in documents. The default is the name in words.
    edition
        The edition of the rulebook.
    rulebook
        The rulebook with its date, in full, for readers to whom the edition says too little.
    rules
        The rules of what all steps and phases have in common.
    lacks
        What the rulebook lacks, in words: extra_turn, extra_phase, extra_step, step_after_phase,
        skip_turn, skip_phase, skip_step, leaving.
    window
        The kind of its windows, or a Model of the window.
    stack
        "top": one object resolves, then players may act ("priority" has it). "all": a chain
        resolves as a whole. "none": there is no stack (the other kinds have none).
    window_label
        What windows are called, if they have no label.
    roles
        Who can perform actions besides the active player, the opponents and everyone.
    order
        "alternating": turns go round. "token": the active player stays until an order `Appoint`
        moves the token.
    members
        How members of a team take turns: "together", or "one_by_one", each as if alone. They are no
        opponents of each other, and win together.
    turn
        What a turn is called.
    active
        What the active player is called.
    cut
        Events that end the turn at once.
    over
        When the game is over: "one_left" when players leave until one side is left, or "never". The
        table's own rows for a player who leaves come first.
    before_game
        Actions that are performed once, before the first turn.
    facts
        The facts that guards read, besides those that actions decide and those that every table
        knows. A `Fact` of an action's may say how long it lasts.
    events
        The events, besides those that say that something is finished, those of a `During` and those
        of a `Cut`.
    states
        States that are written out, for instance of procedures.
    transitions
        Transitions that are written out.
    durations
        How long effects can last. If there is none, what an action or a phase `ends` is declared,
        besides those that every table knows.
    settings
        The settings of a game.
    options
        The options with which the table was made, and their values.
    cite
        How the Model cites a rule that the table names, if the editions of its rulebook number
        their rules differently. It gets a citation and returns one, or "" to cite nothing.
    """

    name: str
    phases: tuple[Phase, ...]
    title: str
    edition: str
    rulebook: str
    rules: FrameRules
    lacks: str
    window: Kind | Model
    stack: Literal["", "top", "all", "none"]
    window_label: str
    roles: Role | tuple[Role, ...]
    order: Literal["alternating", "token"]
    members: Literal["together", "one_by_one"]
    turn: str
    active: str
    cut: Cut | tuple[Cut, ...]
    over: Literal["one_left", "never"]
    before_game: Act | tuple[Act, ...]
    facts: Fact | tuple[Fact, ...]
    events: Event | tuple[Event, ...]
    states: State | tuple[State, ...]
    transitions: Transition | tuple[Transition, ...]
    durations: Duration | tuple[Duration, ...]
    settings: Setting | tuple[Setting, ...]
    options: tuple[tuple[str, str | int | bool], ...]
    cite: Callable[[str], str] | None

    def __init__(
        self,
        name: str,
        *parts: Phase,
        phases: tuple[Phase, ...] = (),
        title: str = "",
        edition: str = "",
        rulebook: str = "",
        rules: FrameRules = UNCITED,
        lacks: str = "",
        window: Kind | Model = "priority",
        stack: Literal["", "top", "all", "none"] = "",
        window_label: str = "Priority",
        roles: Role | tuple[Role, ...] = (),
        order: Literal["alternating", "token"] = "alternating",
        members: Literal["together", "one_by_one"] = "together",
        turn: str = "turn",
        active: str = "the active player",
        cut: Cut | tuple[Cut, ...] = (),
        over: Literal["one_left", "never"] = "one_left",
        before_game: Act | tuple[Act, ...] = (),
        facts: Fact | tuple[Fact, ...] = (),
        events: Event | tuple[Event, ...] = (),
        states: State | tuple[State, ...] = (),
        transitions: Transition | tuple[Transition, ...] = (),
        durations: Duration | tuple[Duration, ...] = (),
        settings: Setting | tuple[Setting, ...] = (),
        options: tuple[tuple[str, str | int | bool], ...] = (),
        cite: Callable[[str], str] | None = None,
    ) -> None:
        fill(self, locals(), phases=(*parts, *phases))

    @property
    def text(self) -> str:
        """What the game is called in documents."""
        return self.title or label_of(self.name)

    @property
    def resolving(self) -> Stack:
        """How its stack resolves."""
        if self.stack:
            return self.stack
        return "top" if self.window == "priority" else "none"

    @property
    def all_phases(self) -> tuple[Phase, ...]:
        """All phases, those into which events lead after the one that waits for them."""
        found: list[Phase] = []
        for phase in self.phases:
            _with_inner(phase, found)
        return tuple(found)

    @property
    def steps(self) -> tuple[Step, ...]:
        """All steps, in the order of the table."""
        return tuple(step for phase in self.all_phases for step in phase.steps)

    def with_step(self, step: Step, *, after: str = "", before: str = "", name: str = "") -> Table:
        """Return this table with one step more, as a house rule.

        Parameters
        ----------
        step
            The new step.
        after
            The name of the step after which it comes.
        before
            The name of the step before which it comes, instead.
        name
            The name of the new table. The default is the name of this one.

        Returns
        -------
        Table
            The new table.

        Raises
        ------
        RulesetError
            If there is no such step.
        """
        return self._with(step, [other.name for other in self.steps], after, before, name)

    def with_phase(
        self, phase: Phase, *, after: str = "", before: str = "", name: str = ""
    ) -> Table:
        """Return this table with one phase more, as a house rule.

        Parameters
        ----------
        phase
            The new phase.
        after
            The name of the phase after which it comes.
        before
            The name of the phase before which it comes, instead.
        name
            The name of the new table. The default is the name of this one.

        Returns
        -------
        Table
            The new table.

        Raises
        ------
        RulesetError
            If there is no such phase in the ordinary course of the turn.
        """
        return self._with(phase, [other.name for other in self.phases], after, before, name)

    def with_act(
        self, act: Stage, *, step: str = "", after: str = "", before: str = "", name: str = ""
    ) -> Table:
        """Return this table with one action or window more in a step, as a house rule.

        Parameters
        ----------
        act
            The new action or window.
        step
            The name of the step. It can be left out if only one step has the part that `after` or
            `before` names.
        after
            The name of the part of the step after which it comes. The default is the last one.
        before
            The name of the part of the step before which it comes, instead.
        name
            The name of the new table. The default is the name of this one.

        Returns
        -------
        Table
            The new table.

        Raises
        ------
        RulesetError
            If there is no such step or part, or if several steps have the part.
        """
        beside, homes = after or before, [*self.steps]
        if step:
            self._known("step", step, [home.name for home in homes])
            homes = [home for home in homes if home.name == step]
        elif not beside:
            raise RulesetError(
                f"{self.name}: say where the new part comes, by step=, after= or before="
            )
        if beside:
            self._known("part", beside, [stage.name for home in homes for stage in home.stages])
            homes = [home for home in homes if beside in [stage.name for stage in home.stages]]
        home, *others = homes
        if others:
            steps = " and ".join(repr(other.name) for other in homes)
            raise RulesetError(f"{self.name}: {beside!r} is in {steps}; name one by step=")
        at = len(home.does)
        for number, part in enumerate(home.does):
            if beside in [stage.name for stage in stages(part)]:
                at = number + (not before)
        return self.changed(home.name, does=(*home.does[:at], act, *home.does[at:]), name=name)

    def changed(self, what: str, *, name: str = "", **fields: object) -> Table:
        """Return this table with one step or phase changed, as a house rule.

        Parameters
        ----------
        what
            The name of the step, or of the phase if no step has this name.
        name
            The name of the new table. The default is the name of this one.
        fields
            The fields that change, with their new values, for instance `unless=""`.

        Returns
        -------
        Table
            The new table.

        Raises
        ------
        RulesetError
            If there is no such step or phase, or if it has no such field.
        """
        steps, phases = [s.name for s in self.steps], [phase.name for phase in self.all_phases]
        self._known("step or phase", what, [*steps, *phases])
        kind: Any = Step if what in steps else Phase
        for field in fields:
            self._known(f"field of a {kind.__name__.lower()}", field, kind.__dataclass_fields__)

        def change(part: Any) -> tuple[Any, ...]:
            named = isinstance(part, kind) and part.name == what
            return (replace(part, **fields) if named else part,)

        return self._changed(change, name)

    def without_step(self, step: str, *, name: str = "") -> Table:
        """Return this table without one step, as a house rule.

        Parameters
        ----------
        step
            The name of the step.
        name
            The name of the new table. The default is the name of this one.

        Returns
        -------
        Table
            The new table.

        Raises
        ------
        RulesetError
            If there is no such step.
        """
        return self._without(Step, step, [other.name for other in self.steps], name)

    def without_phase(self, phase: str, *, name: str = "") -> Table:
        """Return this table without one phase, as a house rule.

        Parameters
        ----------
        phase
            The name of the phase.
        name
            The name of the new table. The default is the name of this one.

        Returns
        -------
        Table
            The new table.

        Raises
        ------
        RulesetError
            If there is no such phase in the ordinary course of the turn.
        """
        return self._without(Phase, phase, [other.name for other in self.phases], name)

    def _changed(self, change: Change, name: str) -> Table:
        return replace(self, name=name or self.name, phases=_rebuilt(self.phases, change))

    def _with(
        self, new: Step | Phase, known: list[str], after: str, before: str, name: str
    ) -> Table:
        what, beside = type(new).__name__.lower(), after or before
        if bool(after) == bool(before):
            raise RulesetError(
                f"{self.name}: say where the new {what} comes, by either after= or before="
            )
        self._known(what, beside, known)

        def change(part: Any) -> tuple[Any, ...]:
            if not isinstance(part, type(new)) or part.name != beside:
                return (part,)
            return (part, new) if after else (new, part)

        return self._changed(change, name)

    def _without(self, kind: Any, gone: str, known: list[str], name: str) -> Table:
        self._known(kind.__name__.lower(), gone, known)
        return self._changed(
            lambda part: () if isinstance(part, kind) and part.name == gone else (part,), name
        )

    def _known(self, what: str, name: str, known: Iterable[str]) -> None:
        RulesetError.known_name(what, name, known, self.name)

    def build(self) -> Model:
        """Return the Model of this table.

        Returns
        -------
        Model
            The model.

        Raises
        ------
        RulesetError
            If something is wrong with the table. The text says the first problem, and `problems`
            has all of them.
        """
        self._refuse(problems_of(self))
        try:
            plan = Plan(self)
            model = expand(plan)
        except ModelError as error:
            raise RulesetError(str(error), problems=(str(error),)) from None
        self._refuse([*misused_primitives(model), *read_too_early(plan, model)])
        return model

    def _refuse(self, problems: Iterable[str]) -> None:
        found = tuple(f"{self.name}: {problem}" for problem in problems)
        if found:
            more = f" (and {len(found) - 1} more; `problems` has all, and `fsm check` prints them)"
            name, _, rest = found[0].partition(": ")
            place = f"{name}: {rest.partition(': ')[0]}" if rest.startswith("phase ") else name
            raise RulesetError(
                found[0] + more * (len(found) > 1), kind="table", place=place, problems=found
            )


def _rebuilt(value: Any, change: Change) -> Any:
    """Return a value of a table with every part in it changed, those inside a part first."""
    if isinstance(value, tuple):
        return tuple(new for part in value for new in change(_rebuilt(part, change)))
    if not is_dataclass(value) or isinstance(value, type):
        return value
    fields: dict[str, Any] = {}
    for field in ("steps", "does", "during", "parts"):
        if hasattr(value, field):
            fields[field] = _rebuilt(getattr(value, field), change)
    return replace(value, **fields) if fields else value


def _with_inner(phase: Phase, found: list[Phase]) -> None:
    if phase not in found:
        found.append(phase)
        for inner in phase.within:
            _with_inner(inner, found)
