"""The game: what its turn asks for, done to the cards on the table."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Protocol

import fsm
from fsm import AddPhase, Answer, CheckState, Effect, Leave, Perform, Priority, Resolve, SkipPhase
from fsm.hosts import Position, StackHost

from .cards import CRY, FOG, MOST_CRYSTALS, SPARK, WIND, Card, Creature, Played, Side
from .rules import DUEL


class Concede(Exception):
    """The player of this name gives up."""


class Mind(Protocol):
    """Who decides for a side: which card is played, who attacks, and which attacker each blocks."""

    def act(self, game: Game, side: Side, cards: list[Card]) -> Played | None: ...
    def attack(self, game: Game, side: Side, able: list[Creature]) -> list[Creature]: ...
    def block(self, game: Game, side: Side, able: list[Creature]) -> dict[Creature, Creature]: ...


class Game(StackHost):
    """A duel between two. The turn is the controller's; everything else is here."""

    def __init__(self, minds: Mapping[str, Mind], random: Random) -> None:
        super().__init__()
        self.minds = minds
        self.sides = {name: Side.begin(name, random) for name in minds}
        self.turn = fsm.TurnController(DUEL, list(minds))
        self.attackers: list[Creature] = []
        self.blocks: dict[Creature, Creature] = {}

    def run(self) -> str:
        """Play to the end. Return who has won."""
        try:
            fsm.drive(self.turn, self)
        except Concede as conceding:
            self.turn.order(Leave(str(conceding)))
        assert self.turn.over is not None
        return self.turn.over.winners[0]

    @property
    def at(self) -> Position:
        return self.turn.position

    @property
    def active(self) -> Side:
        return self.sides[self.at.active]

    def other(self, side: Side) -> Side:
        return next(other for other in self.sides.values() if other is not side)

    def playable(self, side: Side) -> list[Card]:
        main = side is self.active and self.at.step == "main" and not self.stack
        combat = side is self.active and self.at.phase == "combat"
        timely = [card for card in side.hand if (combat if card is WIND else main or card.quick)]
        return [card for card in timely if card.cost <= side.mana]

    def on_priority(self, request: Priority) -> Answer:
        """Somebody may act. Who can play nothing is not asked."""
        side = self.sides[request.player]
        cards = self.playable(side)
        played = self.minds[side.name].act(self, side, cards) if cards else None
        if played is None:
            return request.passed()
        side.mana -= played.card.cost
        side.hand.remove(played.card)
        self.stack.append(played)
        print(f"  {side.name} plays {played.card}.")
        return request.acted()

    def on_check_state(self, request: CheckState) -> Answer:
        """The dead leave the table; whoever has no life left has lost."""
        dead = 0
        for side in self.sides.values():
            for creature in [one for one in side.creatures if one.left <= 0]:
                side.creatures.remove(creature)
                print(f"  {side.name}'s {creature.card.name} dies.")
                dead += 1
        beaten = [name for name, side in self.sides.items() if side.life <= 0]
        return request.done(*([Leave(*beaten)] if beaten else []), sba_performed=dead > 0)

    def resolve(self, top: Played, request: Resolve) -> Answer | None:
        """The card played last takes effect. What changes the turn is an order."""
        side = top.side
        if top.card is SPARK:
            self._hurt(top.target, 2)
        elif top.card is CRY:
            side.cries.append(f"{side.name}'s cry {id(top)}")
            return request.done(Effect(side.cries[-1], side.name, "dusk"))
        elif top.card is FOG:
            return request.done(SkipPhase("combat", self.other(side).name))
        elif top.card is WIND:
            for creature in side.creatures:
                creature.ready = True
            return request.done(AddPhase("combat"))
        else:
            side.creatures.append(Creature(top.card))
        return None

    def on_expired(self, id: str) -> None:
        for side in self.sides.values():
            side.cries = [cry for cry in side.cries if cry != id]

    def on_ready(self, request: Perform) -> None:
        side = self.active
        print(f"--- turn {self.at.turn}: {side.name} ---")
        side.crystals = side.mana = min(side.crystals + 1, MOST_CRYSTALS)
        for creature in side.creatures:
            creature.ready, creature.new = True, False

    def on_draw_card(self, request: Perform) -> Answer | None:
        if not self.active.deck:
            return request.done(Leave(request.player))
        self.active.hand.append(self.active.deck.pop())
        return None

    def on_attack(self, request: Perform) -> Answer:
        side = self.active
        able = [creature for creature in side.creatures if creature.ready and not creature.new]
        self.attackers = self.minds[side.name].attack(self, side, able) if able else []
        for creature in self.attackers:
            creature.ready = False
        if self.attackers:
            names = ", ".join(str(creature.card) for creature in self.attackers)
            print(f"  {side.name} attacks with {names}.")
        return request.done(attacked=bool(self.attackers))

    def on_block(self, request: Perform) -> None:
        side = self.sides[request.player]
        able = [creature for creature in side.creatures if creature.ready]
        self.blocks = self.minds[side.name].block(self, side, able) if able else {}
        for blocker, attacker in self.blocks.items():
            print(f"  {side.name}'s {blocker.card} blocks {attacker.card}.")

    def on_fight(self, request: Perform) -> None:
        side, foe = self.active, self.other(self.active)
        blockers = {attacker: blocker for blocker, attacker in self.blocks.items()}
        for attacker in [one for one in self.attackers if one in side.creatures]:
            blocker = blockers.get(attacker)
            if blocker is None:
                self._hurt(foe, side.power(attacker))
            elif blocker in foe.creatures:
                self._hurt(blocker, side.power(attacker))
                self._hurt(attacker, foe.power(blocker))

    def on_retreat(self, request: Perform) -> None:
        self.attackers, self.blocks = [], {}

    def on_rest(self, request: Perform) -> None:
        for side in self.sides.values():
            for creature in side.creatures:
                creature.wounds = 0

    def _hurt(self, target: Creature | Side | None, damage: int) -> None:
        if isinstance(target, Side):
            target.life -= damage
            print(f"  {target.name} takes {damage} and is at {target.life}.")
        elif target is not None:
            target.wounds += damage
