"""A simple opponent: it spends its crystals, and fights where it does not lose by it."""

from __future__ import annotations

from .cards import Card, Creature, Played, Side
from .game import Game


class Opponent:
    """Looks no further than the moment."""

    def act(self, game: Game, side: Side, cards: list[Card]) -> Played | None:
        """The first thing worth doing, the most expensive first."""
        if game.stack:
            return None
        for card in sorted(cards, key=lambda card: -card.cost):
            target = self._target(game, side) if card.effect == "spark" else None
            if target or (card.effect != "spark" and self._worth(game, side, card)):
                return Played(card, side, target)
        return None

    def _worth(self, game: Game, side: Side, card: Card) -> bool:
        if card.effect in ("war_cry", "second_wind"):
            return game.at.step == "block" and side is game.active and len(game.attackers) > 1
        if card.effect == "thick_fog":
            return (
                len(game.other(side).creatures) > len(side.creatures) and not game.turn.agenda.skips
            )
        return True

    def _target(self, game: Game, side: Side) -> Creature | Side | None:
        foe = game.other(side)
        if foe.life <= 2:
            return foe
        return max(
            (one for one in foe.creatures if one.card.cost > 1 and one.left <= 2),
            default=None,
            key=lambda one: one.card.cost,
        )

    def attack(self, game: Game, side: Side, able: list[Creature]) -> list[Creature]:
        """Whoever no blocker beats; everybody, when that may end it."""
        foe = game.other(side)
        blockers = [one for one in foe.creatures if one.ready]
        bold = [one for one in able if not any(self._beats(foe, b, side, one) for b in blockers)]
        strength = sorted((side.power(one) for one in able), reverse=True)[len(blockers) :]
        return able if sum(strength) >= foe.life else bold

    def block(self, game: Game, side: Side, able: list[Creature]) -> dict[Creature, Creature]:
        """Good trades; any block at all, when it would be the end."""
        foe, blocks = game.other(side), dict[Creature, Creature]()
        for attacker in sorted(game.attackers, key=foe.power, reverse=True):
            free = [one for one in able if one not in blocks]
            coming = sum(foe.power(one) for one in game.attackers if one not in blocks.values())
            good = [one for one in free if not self._beats(foe, attacker, side, one)]
            if good or (free and coming >= side.life):
                blocks[min(good or free, key=lambda one: one.card.cost)] = attacker
        return blocks

    def _beats(self, side: Side, one: Creature, foe: Side, other: Creature) -> bool:
        """Does `one` kill `other`, and lives or is the cheaper?"""
        kills, dies = side.power(one) >= other.left, foe.power(other) >= one.left
        return kills and (not dies or one.card.cost < other.card.cost)
