"""The table of a ruleset, from which its Model is made.

A ruleset file is one `Table`, in the order of its rulebook. `fsm.rulesets.frame.expand` expands it into a Model.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from fsm.errors import RulesetError, suggest
from fsm.model import Model
from fsm.rulesets.frame.expand import expand
from fsm.rulesets.frame.parts import Phase, Step, TableParts


@dataclass(frozen=True, slots=True)
class Table(TableParts):
    """A whole ruleset.

    Attributes
    ----------
    name
        The name.
    title
        What the game is called in documents.
    edition
        The edition of the rulebook.
    phases
        The phases, in their order.
    rules
        The rules of what all steps and phases have in common.
    window
        The model of the window.
    window_label
        What windows are called, if they have no label.
    before_game
        Actions that are performed once, before the first turn.
    facts
        The facts that guards read.
    events
        The events, besides those that say that something is finished.
    states
        States that are written out, for instance of procedures.
    transitions
        Transitions that are written out.
    durations
        How long effects can last.
    settings
        The settings of a game.
    options
        The options with which the table was made, and their values.
    """

    def with_step(self, step: Step, *, where: Literal["after", "before"] = "after", of: str, name: str = "") -> Table:
        """Return this table with one step more, as a house rule.

        Parameters
        ----------
        step
            The new step.
        where
            Whether it comes "after" or "before" the step `of`.
        of
            The name of a step.
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
        self._known(of)

        def insert(steps: tuple[Step, ...]) -> tuple[Step, ...]:
            at = next((i for i, s in enumerate(steps) if s.name == of), None)
            if at is None:
                return steps
            at += where == "after"
            return (*steps[:at], step, *steps[at:])

        return self._steps(insert, name)

    def with_changed(self, step: str, change: Callable[[Step], Step], *, name: str = "") -> Table:
        """Return this table with one step changed, as a house rule.

        Parameters
        ----------
        step
            The name of the step.
        change
            A function that gets the step and returns the changed one.
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
        self._known(step)
        return self._steps(lambda steps: tuple(change(s) if s.name == step else s for s in steps), name)

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
        self._known(step)
        return self._steps(lambda steps: tuple(s for s in steps if s.name != step), name)

    def _steps(self, change: Callable[[tuple[Step, ...]], tuple[Step, ...]], name: str) -> Table:
        return replace(self, name=name or self.name, phases=_changed(self.phases, change))

    def _known(self, step: str) -> None:
        names = [s.name for s in self.steps]
        if step not in names:
            raise RulesetError(f"step {step!r} is not in {self.name}{suggest(step, names)}")

    def build(self) -> Model:
        """Return the Model of this table.

        Returns
        -------
        Model
            The model.

        Raises
        ------
        ModelError
            If a row names something that is not there.
        """
        return expand(self)


def _changed(phases: tuple[Phase, ...], change: Callable[[tuple[Step, ...]], tuple[Step, ...]]) -> tuple[Phase, ...]:
    return tuple(replace(p, steps=change(p.steps), inside=_changed(p.inside, change)) for p in phases)
