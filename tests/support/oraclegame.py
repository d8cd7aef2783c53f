"""Random games for the oracles: what happens is drawn first, then a table plays it with the engine
and notes each moment. An oracle reads these moments and says where each must be.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from fsm import (
    Answer,
    CheckState,
    EndPhase,
    EndTurn,
    Leave,
    Order,
    Over,
    Perform,
    PlaceTriggers,
    Priority,
    Request,
    Resolve,
    Signal,
    StandingTrigger,
    TurnController,
)
from fsm.hosts import Position
from fsm.model import Model

Sides: TypeAlias = tuple[tuple[str, ...], ...]
NOTHING_HAPPENS_AT = (
    "empty_mana",
    "lose_mana",
    "cease_triggers",
    "exile_stack",
    "remove_stack",
    "remove_from_combat",
    "clear_combat",
    "end_combat_effects",
)
"""A step ends, or the turn is being ended: there the games order nothing."""


@dataclass(frozen=True)
class Deed:
    """Something that happens, after so many requests at which nothing does.

    While a player has priority it is an object: orders, end and leaving come as it resolves.
    `cause`: there is something to see to, "sba" or "trigger".
    """

    after: int = 0
    orders: tuple[Order, ...] = ()
    ends: str = ""
    leaves: str = ""
    attacks: bool = False
    cause: str = ""
    choice: str = ""


NOTHING = Deed()


@dataclass(frozen=True)
class Story:
    """A game: the sides, the orders before it, what happens, how many requests are answered.

    `attacks`, `strikes`, `distorted`: facts of the table, by number of the step, starting over.
    """

    sides: Sides
    orders: tuple[Order, ...] = ()
    deeds: tuple[Deed, ...] = ()
    length: int = 200
    attacks: tuple[bool, ...] = (True,)
    strikes: tuple[bool, ...] = (False,)
    distorted: tuple[bool, ...] = (False,)


@dataclass(frozen=True)
class Moment:
    """What was asked, where, and what was answered; `facts` are all those of the table then."""

    at: Position
    asked: str
    answer: Answer
    facts: Mapping[str, bool]

    def ends(self, what: type[EndTurn | EndPhase]) -> bool:
        """Does this answer end the turn, or the phase?"""
        return any(isinstance(order, what) for order in self.answer.orders)


@dataclass
class Table:
    """Plays a story with the engine. `moments` are what came of it."""

    model: Model
    story: Story
    moments: list[Moment] = field(default_factory=list)
    stack: list[Deed] = field(default_factory=list)
    waiting: int = 0
    unsettled: bool = False
    steps: int = 0
    left: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        sides = self.story.sides
        players = [player for side in sides for player in side]
        teams = [side for side in sides if len(side) > 1]
        orders = self.story.orders
        self.game = TurnController(self.model, players, teams=teams, orders=orders)
        self.deeds = list(self.story.deeds)
        self.quiet = self.deeds[0].after if self.deeds else 0

    def play(self) -> list[Moment]:
        """Answer until the game is over, or has gone on for long enough."""
        while len(self.moments) < self.story.length and self.game.over is None:
            request = self.game.request
            assert not isinstance(request, Over)
            deed = self._deed(request)
            answer, facts = self._answer(request, deed)
            self.moments.append(Moment(request.at, asked(request), answer, facts))
            after = self.game.answer(answer)
            self.steps += (after.at.turn, after.at.step) != (request.at.turn, request.at.step)
        return self.moments

    def _deed(self, request: Request) -> Deed:
        if isinstance(request, Resolve | PlaceTriggers) or not self.deeds:
            return NOTHING
        if isinstance(request, Perform) and request.action in NOTHING_HAPPENS_AT:
            return NOTHING
        if self.quiet:
            self.quiet -= 1
            return NOTHING
        deed = self.deeds.pop(0)
        self.quiet = self.deeds[0].after if self.deeds else 0
        return deed

    # what is answered ----------------------------------------------------------------------------

    def _answer(self, request: Request, deed: Deed) -> tuple[Answer, Mapping[str, bool]]:
        word, orders = "done", deed.orders
        if isinstance(request, Priority):
            word, orders = self._decide(request, deed)
        elif isinstance(request, Resolve):
            top = self.stack.pop()
            deed, orders = replace(top, cause=""), self._comes_of(top, request)
            self._cause(top.cause)
        elif isinstance(request, PlaceTriggers):
            self.stack += [NOTHING] * self.waiting
            self.waiting = 0
        else:
            self._cause(deed.cause)
            orders = () if isinstance(request, CheckState) else orders
        if isinstance(request, Perform):
            self._perform(request.action, deed)
        facts = self._facts(request, deed)
        if isinstance(request, CheckState):
            self.unsettled = False
        kept = tuple(order for order in orders if not self._of_nobody(order))
        self.left.update(leaving(kept))
        read = set(request.facts)
        if kept:  # orders may lead anywhere, so all that can be told is told
            read |= {*self.game.semantics.live}
        told = {name: facts[name] for name in read & facts.keys()}
        if facts["put_in_attacking"]:
            told["put_in_attacking"] = True
        return Answer(word, told, kept), facts  # type: ignore[arg-type]

    def _decide(self, request: Priority, deed: Deed) -> tuple[str, tuple[Order, ...]]:
        if deed.choice == "concede":
            return "passed", (Leave(request.player),)
        if deed == NOTHING or deed.choice == "refused":
            return "passed", ()
        if deed.choice == "attack" and self._is_free(request):
            return "acted", (Signal("attack"),)
        self.stack.append(deed)
        return "acted", ()

    def _is_free(self, request: Request) -> bool:
        """May the turn player attack now?"""
        holds = isinstance(request, Priority) and request.player == request.at.active
        return holds and request.at.stage == "main_window" and not self.stack

    def _perform(self, action: str, deed: Deed) -> None:
        if "stack" in action:
            self.stack.clear()
        elif action == "materialize" and deed != NOTHING:
            self.stack.append(deed)

    def _comes_of(self, deed: Deed, request: Resolve) -> tuple[Order, ...]:
        """The orders of an object that resolves."""
        if request.state == "lost_resolve":
            return deed.orders
        if deed.leaves:
            return (*deed.orders, *[Leave(deed.leaves)] * (deed.leaves not in self.left))
        ends: dict[str, Order] = {
            "turn": EndTurn(),
            "phase": EndPhase(),
            "attack": Signal("attack"),
        }
        return (*deed.orders, ends[deed.ends]) if deed.ends else deed.orders

    def _cause(self, cause: str) -> None:
        self.waiting += cause == "trigger"
        self.unsettled |= cause == "sba"

    def _of_nobody(self, order: Order) -> bool:
        """Does somebody order it who has left? That is refused."""
        return getattr(order, "by", "") in self.left

    def _facts(self, request: Request, deed: Deed) -> Mapping[str, bool]:
        story, number, combat = self.story, self.steps, request.at.phase == "combat"
        attacks = story.attacks[number % len(story.attacks)]
        strikes = story.strikes[number % len(story.strikes)]
        return {
            "attackers_declared": combat and attacks,
            "attack_declared": attacks,
            "put_in_attacking": combat and isinstance(request, Resolve) and deed.attacks,
            "first_strike_in_combat": strikes,
            "several_retaliators": strikes,
            "damage_assigned": False,
            "attack_required": deed.choice == "refused" and self._is_free(request),
            "interdiction_on_stack": any(one.choice == "interdiction" for one in self.stack),
            "time_distorted": story.distorted[number % len(story.distorted)],
            "sba_performed": self.unsettled,
            "triggers_waiting": self.waiting > 0,
            "stack_empty": not self.stack,
        }


def leaving(orders: tuple[Order, ...]) -> list[str]:
    """Who leaves the game by these orders."""
    return [player for order in orders if isinstance(order, Leave) for player in order.players]


def asked(request: Request) -> str:
    """What is asked, in a line."""
    told = [f"expired {id}" for id in sorted(request.expired)]
    told += [f"triggered {id}" for id in sorted(request.triggered)]
    players = " ".join(request.by)
    return ", ".join([*told, f"{words(request)} {players}".strip()])


def words(request: Request) -> str:
    """What is asked of whom."""
    if isinstance(request, Perform):
        return request.action
    return "priority" if isinstance(request, Priority) else request.kind


def watching(*steps: str) -> tuple[Order, ...]:
    """Something triggers at the beginning of each of these steps."""
    return tuple(StandingTrigger(f"at-{step}", step) for step in steps)
