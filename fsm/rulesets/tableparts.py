"""What a table consists of, as one plain value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from fsm.model import Duration, Event, Fact, Model, Role, Setting, State, Transition
from fsm.rulesets.parts import Act, Cut, FrameRules, Kind, Phase, Stack, Step, fill, label_of

UNCITED = FrameRules()
"""The rules of a game whose rulebook has no numbers."""


@dataclass(frozen=True, slots=True, init=False)
class TableParts:
    """What a table consists of. `Table` describes each field."""

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


def _with_inner(phase: Phase, found: list[Phase]) -> None:
    if phase not in found:
        found.append(phase)
        for inner in phase.within:
            _with_inner(inner, found)
