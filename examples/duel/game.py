"""The game: what its turn asks for, done to the cards on the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Protocol

import fsm
from fsm import Answer, CheckState, Perform, Priority, Resolve
from fsm.engine.requests import Word
from fsm.hosts import Position
from fsm.orders import AddPhase, Effect, Leave, Order, SkipPhase

from .cards import MOST_CRYSTALS, Card, Creature, Played, Side
from .rules import DUEL


class Concede(Exception):
    """A player gives up."""


class Mind(Protocol):
    """Who decides for a side: the person at the prompt, or the opponent."""

    def act(self, game: Game, side: Side, cards: list[Card]) -> Played | None:
        """Play one of these cards, or pass."""

    def attack(self, game: Game, side: Side, able: list[Creature]) -> list[Creature]:
        """Which of these creatures attack."""

    def block(self, game: Game, side: Side, able: list[Creature]) -> dict[Creature, Creature]:
        """Which of these creatures block, and which attacker each; at most one blocker for an
        attacker.
        """


class Game(fsm.BaseHost):
    """A duel between two. The turn is the controller's; everything else is here."""

    def __init__(
        self, minds: Mapping[str, Mind], random: Random, tell: Callable[[str], None]
    ) -> None:
        self.minds, self.tell = minds, tell
        self.sides = {name: Side.begin(name, random) for name in minds}
        self.turn = fsm.TurnController(DUEL.build(), list(minds))
        self.stack: list[Played] = []
        self.attackers: list[Creature] = []
        self.blocks: dict[Creature, Creature] = {}
        self.loser: Side | None = None

    def run(self) -> Side:
        """Play to the end; returns who has won."""
        fsm.drive(self.turn, self)
        assert self.loser is not None
        return self.other(self.loser)

    @property
    def at(self) -> Position:
        """Where the turn stands."""
        return self.turn.position

    @property
    def active(self) -> Side:
        """Whose turn it is."""
        return self.sides[self.at.active]

    def other(self, side: Side) -> Side:
        """The opponent."""
        return next(other for other in self.sides.values() if other is not side)

    def playable(self, side: Side) -> list[Card]:
        """The cards in hand that can be played now."""
        return [card for card in side.hand if card.cost <= side.mana and self._timely(card, side)]

    def _timely(self, card: Card, side: Side) -> bool:
        if card.effect == "second_wind":
            return side is self.active and self.at.phase == "combat"
        return card.quick or (side is self.active and self.at.step == "main" and not self.stack)

    # what the turn asks for -----------------------------------------------------------------------

    def on_perform(self, request: Perform) -> Answer | None:
        """A turn-based action: the method of that name does it."""
        action: Callable[[Side], Answer | None] = getattr(self, f"_{request.action}")
        side = self.sides[request.player]
        try:
            return action(side)
        except Concede:
            return self._lost(side)

    def on_priority(self, request: Priority) -> Answer:
        """Somebody may act; who can play nothing is not asked."""
        side = self.sides[request.player]
        cards = self.playable(side)
        try:
            played = self.minds[side.name].act(self, side, cards) if cards else None
        except Concede:
            return self._lost(side)
        if played is None:
            return request.passed()
        side.mana -= played.card.cost
        side.hand.remove(played.card)
        self.stack.append(played)
        self.tell(f"{side.name} plays {played.card}{self._at(played)}.")
        return request.acted()

    def on_check_state(self, request: CheckState) -> Answer:
        """The dead leave the table; whoever has no life left has lost."""
        dead = [
            (side, one) for side in self.sides.values() for one in side.creatures if one.left <= 0
        ]
        for side, one in dead:
            side.creatures.remove(one)
            self.tell(f"{side.name}'s {one.card.name} dies.")
        beaten = next((side for side in self.sides.values() if side.life <= 0), None)
        if beaten:
            return self._lost(beaten)
        return request.done(sba_performed=bool(dead))

    def on_resolve(self, request: Resolve) -> Answer | None:
        """The card played last takes effect."""
        played = self.stack.pop()
        if played.card.toughness:
            played.side.creatures.append(Creature(played.card))
            return None
        effect: Callable[[Played], tuple[Order, ...]] = getattr(self, f"_{played.card.effect}")
        return request.done(*effect(played))

    @property
    def stack_empty(self) -> bool:
        """What the turn wants to know besides."""
        return not self.stack

    def on_expired(self, id: str) -> None:
        """War cries fade."""
        for side in self.sides.values():
            side.cries = [cry for cry in side.cries if cry != id]

    # turn-based actions ---------------------------------------------------------------------------

    def _ready(self, side: Side) -> None:
        self.tell(f"--- turn {self.at.turn}: {side.name} ---")
        side.crystals = side.mana = min(side.crystals + 1, MOST_CRYSTALS)
        for creature in side.creatures:
            creature.ready, creature.new = True, False

    def _draw_card(self, side: Side) -> Answer | None:
        if not side.deck:
            self.tell(f"{side.name} has no card left to draw.")
            return self._lost(side)
        side.hand.append(side.deck.pop())
        return None

    def _attack(self, side: Side) -> Answer:
        able = [creature for creature in side.creatures if creature.ready and not creature.new]
        self.attackers = self.minds[side.name].attack(self, side, able) if able else []
        for creature in self.attackers:
            creature.ready = False
        if self.attackers:
            self.tell(
                f"{side.name} attacks with {', '.join(str(one.card) for one in self.attackers)}."
            )
        return Answer(facts={"attacked": bool(self.attackers)})

    def _block(self, defender: Side) -> None:
        able = [creature for creature in defender.creatures if creature.ready]
        alive = any(one in self.active.creatures for one in self.attackers)
        self.blocks = (
            self.minds[defender.name].block(self, defender, able) if able and alive else {}
        )
        for blocker, attacker in self.blocks.items():
            self.tell(f"{defender.name}'s {blocker.card} blocks {attacker.card}.")

    def _fight(self, side: Side) -> None:
        defender, blocked = (
            self.other(side),
            {attacker: blocker for blocker, attacker in self.blocks.items()},
        )
        for attacker in self.attackers:
            blocker = blocked.get(attacker)
            if attacker not in side.creatures:
                continue
            if blocker is None:
                self._hurt(defender, side.power(attacker))
            elif blocker in defender.creatures:
                self._hurt(blocker, side.power(attacker))
                self._hurt(attacker, defender.power(blocker))

    def _retreat(self, side: Side) -> None:
        self.attackers, self.blocks = [], {}

    def _rest(self, side: Side) -> None:
        for creature in (one for each in self.sides.values() for one in each.creatures):
            creature.wounds = 0

    # what spells do; those that change the turn say so in orders ----------------------------------

    def _spark(self, played: Played) -> tuple[Order, ...]:
        self._hurt(played.target, 2)
        return ()

    def _war_cry(self, played: Played) -> tuple[Order, ...]:
        cry = f"{played.side.name}'s cry {id(played)}"
        played.side.cries.append(cry)
        return (Effect(cry, played.side.name, "dusk"),)

    def _thick_fog(self, played: Played) -> tuple[Order, ...]:
        return (SkipPhase("combat", self.other(played.side).name),)

    def _second_wind(self, played: Played) -> tuple[Order, ...]:
        for creature in played.side.creatures:
            creature.ready = True
        return (AddPhase("combat"),)

    def _hurt(self, target: Creature | Side | None, damage: int) -> None:
        if isinstance(target, Side):
            target.life -= damage
            self.tell(f"{target.name} takes {damage} and is at {target.life}.")
        elif target is not None:
            target.wounds += damage

    def _lost(self, side: Side) -> Answer:
        self.loser = side
        word: Word = "passed" if isinstance(self.turn.request, Priority) else "done"
        return Answer(word, orders=(Leave(side.name),))

    def _at(self, played: Played) -> str:
        if played.target is None:
            return ""
        return (
            f" at {played.target.name if isinstance(played.target, Side) else played.target.card}"
        )
