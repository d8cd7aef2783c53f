"""The table of a ruleset, from which its Model is made.

A ruleset file is one `Table`, in the order of its rulebook. `fsm.rulesets.expand` makes it a Model.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, is_dataclass, replace
from itertools import chain
from typing import Any, Literal, TypeAlias

from fsm.errors import ModelError, RulesetError
from fsm.model import Duration, Event, Fact, Model, Role, Setting, State, Transition
from fsm.rulesets.expand import expand
from fsm.rulesets.parts import (
    Act,
    Cut,
    FrameRules,
    Kind,
    Named,
    Phase,
    Several,
    Stack,
    Whole,
    parts_of,
    several,
)
from fsm.rulesets.plan import Plan
from fsm.rulesets.problems import misshapen, problems_of, read_too_early
from fsm.rulesets.windows import PriorityRules
from fsm.state.primitives import misused_primitives

UNCITED = FrameRules()
"""The rules of a game whose rulebook has no numbers."""
Options: TypeAlias = tuple[tuple[str, str | int | bool], ...]
Change: TypeAlias = Callable[[Any], Several[Any]]
"""Returns what takes the place of a part of a table."""


@dataclass(frozen=True, slots=True, init=False)
class Table(Whole[Phase]):
    """A whole ruleset.

    `Table("court", Phase(...), Phase(...))` names its phases by position. All else has a default.

    Attributes
    ----------
    name
        The name.
    phases
        By position: the phases, in their order.
    before_game
        Actions that are performed once, before the first turn.
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
        skip_turn, skip_phase, skip_step.
    window
        The kind of its windows, or the rules of windows with priority, or a Model of the window.
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
        What the active player is called, if not so.
    cut
        Events that end the turn at once.
    over
        When the game is over: "one_left" when players leave until one side is left, or "never" but
        when nobody is left. The table's own rows for a player who leaves come instead.
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
    before_game: tuple[Act, ...]
    cut: tuple[Cut, ...]
    title: str
    edition: str
    rulebook: str
    lacks: str
    stack: Stack | Literal[""]
    active: str
    roles: tuple[Role, ...]
    facts: tuple[Fact, ...]
    events: tuple[Event, ...]
    states: tuple[State, ...]
    transitions: tuple[Transition, ...]
    durations: tuple[Duration, ...]
    settings: tuple[Setting, ...]
    rules: FrameRules = UNCITED
    window: Kind | PriorityRules | Model = "priority"
    window_label: str = "Priority"
    order: Literal["alternating", "token"] = "alternating"
    members: Literal["together", "one_by_one"] = "together"
    turn: str = "turn"
    over: Literal["one_left", "never"] = "one_left"
    options: Options = ()
    cite: Callable[[str], str] | None = None

    def changed(self, what: str, change: Change, *, name: str = "") -> Table:
        """Return this table with what has a name changed, as a house rule.

        Parameters
        ----------
        what
            The name of a phase, a step, or actions or windows. What is inside such a part stays.
        change
            A function that gets the part, and returns what takes its place: a part, several, or ().
        name
            The name of the new table. The default is the name of this one.

        Returns
        -------
        Table
            The new table.

        Raises
        ------
        RulesetError
            If there is no such part.
        """
        names = [at.part.name for at in parts_of(self) if isinstance(at.part, Named)]
        RulesetError.known_name("part", what, names, self.name)
        return replace(self, name=name or self.name, phases=_changed(self.phases, what, change))

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
        parts = parts_of(self)
        self._refuse(misshapen(parts))
        plan = Plan(self, parts)
        self._refuse(problems_of(plan))
        try:
            model = expand(plan)
        except ModelError as error:
            self._refuse([str(error).removeprefix(f"model {self.name!r}: ")])
        self._refuse([*misused_primitives(model), *read_too_early(model)])
        return model

    def _refuse(self, problems: Iterable[str]) -> None:
        found = [f"{self.name}: {problem}" for problem in problems]
        if found:
            raise RulesetError(
                found[0],
                kind="table",
                place=re.findall(r"[^:]+(?:: phase [^:]+)?", found[0])[0],
                problems=found,
            )


def _changed(value: Any, what: str, change: Change) -> Any:
    """Return a value of a table with what has this name changed."""
    if isinstance(value, tuple):
        return tuple(chain.from_iterable(several(_changed(one, what, change)) for one in value))
    if isinstance(value, Named) and value.name == what:
        return change(value)
    if not is_dataclass(value):
        return value
    return replace(  # type: ignore[type-var]
        value,
        **{
            field.name: _changed(getattr(value, field.name), what, change)
            for field in fields(value)
        },
    )
