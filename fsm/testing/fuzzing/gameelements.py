"""The elements of random games of a Model: its facts, events and settings, and the orders that it
takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import get_args
from zlib import crc32

from fsm.engine.answers import latched_facts, quiet_facts
from fsm.engine.controller import TurnController
from fsm.errors import OrderError
from fsm.model import Model
from fsm.model.permodel import per_model
from fsm.state.agenda import Agenda
from fsm.state.orders import (
    AddPhase,
    AddStep,
    AddTurn,
    Appoint,
    ControlNextTurn,
    DelayedTrigger,
    DelayOn,
    Effect,
    Order,
    ReverseTurnOrder,
    Scope,
    SkipPhase,
    SkipStep,
    SkipTurn,
    StandingTrigger,
    Withdraw,
)
from fsm.state.scheduling import roles_by_phase

Make = Callable[[Random, tuple[str, ...], str], Order]
"""Makes an order from a random generator, the players and an id."""
SCOPES: tuple[Scope, ...] = ("next", "next", "this_turn", "all_next_turn")


class GameElements:
    """The elements of random games of one Model.

    `makers` make the kinds of orders that its games accept anywhere. `roles` are those in which
    somebody can be appointed, by phase. `ordinary` has the signals that belong to the ordinary
    course, by state.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self.steps: tuple[str, ...] = tuple(dict.fromkeys(s.name for s in model.of_kind("step")))
        self.families: tuple[str, ...] = tuple(
            dict.fromkeys(s.family for s in model.of_kind("phase"))
        )
        self.labels: tuple[str, ...] = tuple(
            dict.fromkeys(w for s in model.of_kind("phase") for w in (s.family, s.name))
        )
        self.beginnings: tuple[str, ...] = tuple(dict.fromkeys((*self.steps, *self.labels)))
        self.durations: tuple[str, ...] = tuple(d.name for d in model.durations)
        self.settings: tuple[str, ...] = tuple(s.name for s in model.settings)
        self.events: tuple[str, ...] = model.signals
        self.ordinary: dict[str, tuple[str, ...]] = {
            s.id: found for s in model.leaves if (found := _ordinary(model, s.id, self.events))
        }
        self.latched: tuple[str, ...] = tuple(sorted(latched_facts(model)))
        self.quiet: frozenset[str] = frozenset(quiet_facts(model))
        self.window: frozenset[str] = frozenset(
            f.name for f in (model.window.facts if model.window is not None else ())
        )
        self.roles: Mapping[str, frozenset[str]] = roles_by_phase(model)
        self.ends: bool = _ends_when_alone(model, self.events)
        self.makers: tuple[Make, ...] = tuple(
            make for make in self._makers() if self._accepted(make)
        )

    def order(self, random: Random, players: tuple[str, ...], id: str) -> Order:
        """Return a random order for one of these players. If it is named at all, it is named after
        the id.
        """
        return random.choice(self.makers)(random, players, id)

    def appointment(self, random: Random, agenda: Agenda) -> Order | None:
        """Return the appointment of a random opponent, or None if nobody can be appointed now."""
        phase = agenda.current_phase
        if phase is None or not phase.under_way or phase.name not in self.roles:
            return None
        opponents = [
            player
            for side in agenda.living
            if side != agenda.active
            for player in agenda.members(side)
        ]
        choices = [
            Appoint(role, player) for role in sorted(self.roles[phase.name]) for player in opponents
        ]
        return random.choice(choices) if choices else None

    def _accepted(self, make: Make) -> bool:
        order = make(Random(0), ("A", "B"), "x")
        try:
            TurnController(self.model, ("A", "B"), orders=(order,))
        except OrderError:
            return False
        return True

    def _makers(self) -> Iterator[Make]:
        yield lambda r, players, id: AddTurn(
            r.choice(players), r.choice((1, 1, 2)), _label(id), _label(f"after {id}")
        )
        yield lambda r, players, id: SkipTurn(r.choice(players), id=_label(id))
        yield lambda r, players, id: SkipTurn(
            _whose(r, players), 1, True, r.choice(("next", "each")), _label(id)
        )
        yield lambda r, players, id: Withdraw(r.choice(("x", "y")))
        yield lambda r, players, id: ReverseTurnOrder()
        yield lambda r, players, id: ControlNextTurn(
            r.choice(players), r.choice(players), r.random() < 0.5, _label(id)
        )
        if self.durations:
            yield lambda r, players, id: Effect(
                f"l{id}", r.choice(players), r.choice(self.durations), _label(id)
            )
        if self.families:
            yield lambda r, players, id: AddPhase((r.choice(self.families),), id=_label(id))
            yield lambda r, players, id: AddPhase(
                r.choice(self.families),
                r.choice(self.families),
                after=r.choice(self.labels),
                nth=r.choice((1, 1, 2)),
            )
            yield lambda r, players, id: AddPhase(
                (r.choice(self.families),), player=r.choice(players), you_get=True
            )
            yield lambda r, players, id: SkipPhase(
                r.choice(self.families), _whose(r, players), r.choice(SCOPES), _label(id)
            )
        if self.steps:
            yield from self._step_makers()

    def _step_makers(self) -> Iterator[Make]:
        yield lambda r, players, id: AddStep(r.choice(self.steps), id=_label(id))
        yield lambda r, players, id: AddStep(r.choice(self.steps), r.choice(self.steps))
        yield lambda r, players, id: AddStep(
            r.choice(self.steps), "current_step", r.choice(self.steps)
        )
        yield lambda r, players, id: AddStep(r.choice(self.steps), "current_phase", id=_label(id))
        yield lambda r, players, id: SkipStep(
            r.choice(self.steps), _whose(r, players), r.choice(SCOPES), _label(id)
        )
        yield lambda r, players, id: DelayedTrigger(
            f"d{id}",
            r.choice(self.beginnings),
            r.choice(players),
            r.choice(get_args(DelayOn)),
            _label(id),
        )
        yield lambda r, players, id: StandingTrigger(
            f"s{id}", r.choice(self.beginnings), _whose(r, players) or "each", r.random() < 0.3
        )


@per_model
def game_elements_of(model: Model) -> GameElements:
    """Return the elements of this model. They are computed once."""
    return GameElements(model)


def _label(id: str) -> str:
    """Return no label, or one of two, so that orders are bound to what others add. It follows from
    the id.
    """
    return ("", "", "", "x", "y")[crc32(id.encode()) % 5]


def _whose(random: Random, players: tuple[str, ...]) -> str:
    return random.choice(("", *players))


def _ordinary(model: Model, state: str, events: tuple[str, ...]) -> tuple[str, ...]:
    rows = ((event, row) for event in events for row in model.rows(state, event))
    return tuple(
        dict.fromkeys(
            event for event, row in rows if row.layer == "core" and row.target is not None
        )
    )


def _ends_when_alone(model: Model, events: tuple[str, ...]) -> bool:
    """Whether a game is over when everybody has left. If not, somebody must stay."""
    rows = [t for t in model.transitions if t.event == model.leaving and t.target is not None]
    return model.leaving in events and any(
        model.state(t.target or "").kind == "final" for t in rows
    )
