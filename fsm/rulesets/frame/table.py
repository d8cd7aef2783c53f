"""The table of a ruleset, from which its Model is made.

A ruleset file is one `Table`, in the order of its rulebook. `fsm.rulesets.frame.expand` expands it
into a Model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from fsm.errors import ModelError, RulesetError
from fsm.model import Model
from fsm.rulesets.frame.completing import completed
from fsm.rulesets.frame.expand import expand
from fsm.rulesets.frame.parts import Act, Phase, Step, TableParts, Window, stages
from fsm.rulesets.frame.problems import problems_of
from fsm.state.arguments import misused_primitives

_Named = TypeVar("_Named", Step, Phase)


@dataclass(frozen=True, slots=True, init=False)
class Table(TableParts):
    """A whole ruleset.

    `Table("court", Phase(...), Phase(...))` names its phases by position. All else has a default.

    Attributes
    ----------
    name
        The name.
    parts
        By position: the phases, in their order, which a title and an edition may precede.
    title
        What the game is called in documents. The default is the name in words.
    edition
        The edition of the rulebook.
    rulebook
        The rulebook with its date, in full, for readers to whom the edition says too little.
    phases
        The phases, in their order.
    rules
        The rules of what all steps and phases have in common.
    window
        The model of the window. The default is a window in which priority goes round.
    window_label
        What windows are called, if they have no label.
    over
        When the game is over: "one_left" when players leave until one side is left, or "never". The
        table's own rows for a player who leaves come first.
    before_game
        Actions that are performed once, before the first turn.
    facts
        The facts that guards read, besides those that actions decide and those that every table
        knows.
    events
        The events, besides those that say that something is finished, and those of a `During`.
    states
        States that are written out, for instance of procedures.
    transitions
        Transitions that are written out.
    durations
        How long effects can last. If there is none, all that an action or a phase `ends` is
        declared.
    settings
        The settings of a game.
    options
        The options with which the table was made, and their values.
    cite
        How the Model cites a rule that the table names, if the editions of its rulebook number
        their rules differently. It gets a citation and returns one, or "" to cite nothing.
    """

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
        beside = self._beside("step", after, before, [s.name for s in self.steps])
        return self._steps(lambda steps: _inserted(steps, step, beside, later=bool(after)), name)

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
        beside = self._beside("phase", after, before, [phase.name for phase in self.phases])
        return self._phases(
            lambda phases: _inserted(phases, phase, beside, later=bool(after)), name
        )

    def with_act(
        self,
        act: Act | Window,
        *,
        step: str = "",
        after: str = "",
        before: str = "",
        name: str = "",
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
        beside = after or before
        if not step:
            step = self._step_with(beside)
        self._known("step", step, [s.name for s in self.steps])

        def insert(old: Step) -> Step:
            parts = [[stage.name for stage in stages(part)] for part in old.does]
            if beside:
                self._known(
                    f"part of step {step!r}", beside, [word for names in parts for word in names]
                )
            at = next((i for i, names in enumerate(parts) if beside in names), len(parts) - 1) + (
                not before
            )
            return replace(old, does=(*old.does[:at], act, *old.does[at:]))

        return self._steps(
            lambda steps: tuple(insert(s) if s.name == step else s for s in steps), name
        )

    def changed(
        self,
        what: str,
        change: Callable[[Step], Step] | None = None,
        *,
        name: str = "",
        **fields: object,
    ) -> Table:
        """Return this table with one step or phase changed, as a house rule.

        Parameters
        ----------
        what
            The name of the step, or of the phase if no step has this name.
        change
            A function that gets the step and returns the changed one. Otherwise the fields say what
            changes.
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
        known = Step.__dataclass_fields__ if what in steps else Phase.__dataclass_fields__
        for field in fields:
            self._known(f"field of a {'step' if what in steps else 'phase'}", field, list(known))

        def with_fields(part: Any) -> Any:
            return replace(part, **fields)

        if what in steps:
            return self._steps(
                lambda all_: tuple(
                    (change or with_fields)(s) if s.name == what else s for s in all_
                ),
                name,
            )
        return self._phases(
            lambda all_: tuple(with_fields(p) if p.name == what else p for p in all_), name
        )

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
        self._known("step", step, [s.name for s in self.steps])
        return self._steps(lambda steps: tuple(s for s in steps if s.name != step), name)

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
        self._known("phase", phase, [p.name for p in self.phases])
        return replace(
            self, name=name or self.name, phases=tuple(p for p in self.phases if p.name != phase)
        )

    def _steps(self, change: Callable[[tuple[Step, ...]], tuple[Step, ...]], name: str) -> Table:
        def phase(old: Phase) -> Phase:
            return replace(
                old,
                steps=tuple(map(nested, change(old.steps))),
                inside=tuple(map(phase, old.inside)),
            )

        def nested(old: Step) -> Step:
            if all(during.nested is None for during in old.during):
                return old
            found = (
                replace(d, into=phase(d.nested)) if d.nested is not None else d for d in old.during
            )
            return replace(old, during=tuple(found))

        return replace(self, name=name or self.name, phases=tuple(map(phase, self.phases)))

    def _phases(self, change: Callable[[tuple[Phase, ...]], tuple[Phase, ...]], name: str) -> Table:
        def inside(old: Phase) -> Phase:
            steps = tuple(map(nested, old.steps))
            return replace(old, steps=steps, inside=change(old.inside))

        def nested(old: Step) -> Step:
            if all(during.nested is None for during in old.during):
                return old
            found = (
                replace(d, into=change((d.nested,))[0]) if d.nested is not None else d
                for d in old.during
            )
            return replace(old, during=tuple(found))

        return replace(self, name=name or self.name, phases=tuple(map(inside, change(self.phases))))

    def _beside(self, what: str, after: str, before: str, known: list[str]) -> str:
        """Return the step or phase beside which something is to come, which must be there."""
        if bool(after) == bool(before):
            raise RulesetError(
                f"{self.name}: say where the new {what} comes, by either after= or before="
            )
        self._known(what, after or before, known)
        return after or before

    def _known(self, what: str, name: str, known: list[str]) -> None:
        if name not in known:
            raise RulesetError(
                f"{what} {name!r} is not in {self.name}",
                kind=f"unknown-{what}",
                found=name,
                known=known,
            )

    def _step_with(self, part: str) -> str:
        """Return the only step that has a part of this name."""
        if not part:
            raise RulesetError(
                f"{self.name}: say where the new part comes, by step=, after= or before="
            )
        found = [step.name for step in self.steps if part in (stage.name for stage in step.stages)]
        if len(found) > 1:
            raise RulesetError(
                f"{self.name}: {part!r} is in {' and '.join(map(repr, found))}; name one by step="
            )
        self._known(
            "part",
            part,
            [part] if found else [stage.name for s in self.steps for stage in s.stages],
        )
        return found[0]

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
            model = expand(completed(self))
        except ModelError as error:
            raise RulesetError(str(error), problems=(str(error),)) from None
        self._refuse(misused_primitives(model))
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


def _inserted(
    parts: tuple[_Named, ...], new: _Named, beside: str, *, later: bool
) -> tuple[_Named, ...]:
    """Return these parts with a new one before or after the one of this name, if it is among them."""
    found = list(parts)
    for number in [number for number, part in enumerate(parts) if part.name == beside]:
        found.insert(number + later, new)
    return tuple(found)
