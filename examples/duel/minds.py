"""Two minds that decide: the person at the prompt, and a simple opponent."""

from __future__ import annotations

import sys
from string import ascii_lowercase

from .cards import CRY, FOG, SPARK, WIND, Card, Creature, Played, Side
from .game import Concede, Game

HELP = """\
Your creatures have small letters, the opponent's capital ones, your cards numbers.
  play a card   its number; a Spark has a target: "2 B", "2 a", "2" for the opponent
  attack, block the letters of your attackers: "ac"; a blocker and whom it blocks: "aB cA"
  Enter passes, or attacks or blocks with nobody; help and concede are what they say"""


class Person:
    """A person who types. What was typed wrongly is asked for again."""

    def act(self, game: Game, side: Side, cards: list[Card]) -> Played | None:
        numbered = {str(n): card for n, card in enumerate(side.hand, 1) if card in cards}
        foe = game.other(side)
        while words := self._ask(game, side, "play a card, or Enter to pass").split():
            card, where = numbered.get(words[0]), words[1:]
            targets: dict[str, Creature | Side] = {**letters(side), **letters(foe, capital=True)}
            target = targets.get(where[0]) if where else foe
            if card is SPARK and target is not None:
                return Played(card, side, target)
            if card is not None and card is not SPARK and not where:
                return Played(card, side)
            print("  Play one of", ", ".join(f"{n} {card}" for n, card in numbered.items()))
        return None

    def attack(self, game: Game, side: Side, able: list[Creature]) -> list[Creature]:
        mine = {letter: one for letter, one in letters(side).items() if one in able}
        while not {*(typed := self._ask(game, side, "attackers, or Enter for none"))} <= {*mine}:
            print("  These can attack:", *mine)
        return [one for letter, one in mine.items() if letter in typed]

    def block(self, game: Game, side: Side, able: list[Creature]) -> dict[Creature, Creature]:
        mine = {letter: one for letter, one in letters(side).items() if one in able}
        theirs = letters(game.other(side), capital=True)
        theirs = {letter: one for letter, one in theirs.items() if one in game.attackers}
        pairs = {f"{a}{b}": (mine[a], theirs[b]) for a in mine for b in theirs}
        while True:
            typed = self._ask(game, side, "blocks, or Enter for none").split()
            blocks = dict(pairs[pair] for pair in typed if pair in pairs)
            if len(typed) == len(blocks) == len({*blocks.values()}):
                return blocks
            print("  These can block:", *mine, "these attack:", *theirs, "one for one")

    def _ask(self, game: Game, side: Side, what: str) -> str:
        for one in (game.other(side), side):
            named = letters(one, capital=one is not side).items()
            there = [f"{letter} {c.card}{'' if c.ready else ' tired'}" for letter, c in named]
            print(f"{one.name}: {one.life} life, {one.mana} of {one.crystals} crystals;", *there)
        print(*(f"[{number} {card} for {card.cost}]" for number, card in enumerate(side.hand, 1)))
        while True:
            try:
                typed = input(f"{game.at.step}: {what} > ").strip()
            except (EOFError, KeyboardInterrupt):
                typed = "concede"
            if not sys.stdin.isatty():
                print(typed)  # a script's answers belong into the record
            if typed == "concede":
                raise Concede(side.name)
            if typed != "help":
                return typed
            print(HELP)


def letters(side: Side, capital: bool = False) -> dict[str, Creature]:
    names = ascii_lowercase.upper() if capital else ascii_lowercase
    return dict(zip(names, side.creatures, strict=False))


class Opponent:
    """Spends its crystals, and fights where it does not lose by it."""

    def act(self, game: Game, side: Side, cards: list[Card]) -> Played | None:
        foe, combat = game.other(side), game.at.step == "block" and len(game.attackers) > 1
        small = [one for one in foe.creatures if one.left <= 2]
        worth = {
            SPARK: foe.life <= 2 or bool(small),
            CRY: combat and side is game.active,
            WIND: combat and side is game.active,
            FOG: len(foe.creatures) > len(side.creatures) and not game.turn.run.skips,
        }
        for card in sorted(cards, key=lambda card: -card.cost):
            if worth.get(card, True) and not game.stack:
                return Played(card, side, foe if foe.life <= 2 or not small else small[0])
        return None

    def attack(self, game: Game, side: Side, able: list[Creature]) -> list[Creature]:
        foe = game.other(side)
        blockers = [one for one in foe.creatures if one.ready]
        return [one for one in able if not any(beats(foe, b, side, one) for b in blockers)]

    def block(self, game: Game, side: Side, able: list[Creature]) -> dict[Creature, Creature]:
        foe, blocks = game.other(side), dict[Creature, Creature]()
        ending = sum(map(foe.power, game.attackers)) >= side.life
        for attacker in game.attackers:
            free = [one for one in able if one not in blocks]
            good = [one for one in free if ending or not beats(foe, attacker, side, one)]
            if good:
                blocks[min(good, key=lambda one: one.card.cost)] = attacker
        return blocks


def beats(side: Side, one: Creature, foe: Side, other: Creature) -> bool:
    """Say whether one kills another, and lives or is the cheaper."""
    kills, dies = side.power(one) >= other.left, foe.power(other) >= one.left
    return kills and (not dies or one.card.cost < other.card.cost)
