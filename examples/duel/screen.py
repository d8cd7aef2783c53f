"""The person at the prompt: shows the table, asks, and asks again until the answer is one."""

from __future__ import annotations

import sys
from string import ascii_lowercase

from rich.console import Console
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from .cards import Card, Creature, Played, Side
from .game import Concede, Game

HELP = """\
Your creatures have small letters, the opponent's capital ones, your cards numbers.
  play a card   its number; a Spark has a target: "2 B", "2 a", "2" for the opponent
  attack        the letters of your attackers: "ac", or "all"
  block         your creature and whom it blocks: "aB cA"
  Enter         passes, or attacks or blocks with nobody
  help, concede what they say"""


class Person:
    """A person who types. What was typed wrongly is asked for again."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.last = ""

    # what a game asks of a mind -------------------------------------------------------------------

    def act(self, game: Game, side: Side, cards: list[Card]) -> Played | None:
        """A number and perhaps a target."""
        while words := self._ask(game, side, "play a card, or Enter to pass").split():
            numbered = {
                str(number): card for number, card in enumerate(side.hand, 1) if card in cards
            }
            number, *rest = words
            if number in numbered:
                card = numbered[number]
                target = self._target(game, side, rest) if card.effect == "spark" else None
                if target or (card.effect != "spark" and not rest):
                    return Played(card, side, target)
            self._no(
                "Play one of " + ", ".join(f"{number} {card}" for number, card in numbered.items())
            )
        return None

    def attack(self, game: Game, side: Side, able: list[Creature]) -> list[Creature]:
        """Letters of the attackers."""
        letters = {letter: one for letter, one in self._letters(side).items() if one in able}
        while letters:
            typed = self._ask(game, side, "attackers, or Enter for none")
            chosen = (
                list(letters) if typed == "all" else list(dict.fromkeys(typed.replace(" ", "")))
            )
            if all(letter in letters for letter in chosen):
                return [letters[letter] for letter in chosen]
            self._no("These can attack: " + " ".join(letters))
        return []

    def block(self, game: Game, side: Side, able: list[Creature]) -> dict[Creature, Creature]:
        """Pairs of letters, blocker and attacker."""
        mine = {letter: one for letter, one in self._letters(side).items() if one in able}
        theirs = self._letters(game.other(side), capital=True)
        theirs = {letter: one for letter, one in theirs.items() if one in game.attackers}
        while True:
            pairs = self._ask(game, side, "blocks, or Enter for none").split()
            right = all(len(pair) == 2 and pair[0] in mine and pair[1] in theirs for pair in pairs)
            if right and all(len({pair[end] for pair in pairs}) == len(pairs) for end in (0, 1)):
                return {mine[pair[0]]: theirs[pair[1]] for pair in pairs}
            self._no(
                f"These can block: {' '.join(mine)}; these attack: {' '.join(theirs)}; one for one"
            )

    def _target(self, game: Game, side: Side, words: list[str]) -> Creature | Side | None:
        foe = game.other(side)
        if not words:
            return foe
        return {**self._letters(side), **self._letters(foe, capital=True)}.get(words[0])

    @staticmethod
    def _letters(side: Side, capital: bool = False) -> dict[str, Creature]:
        letters = ascii_lowercase.upper() if capital else ascii_lowercase
        return dict(zip(letters, side.creatures, strict=False))

    # the screen -----------------------------------------------------------------------------------

    def tell(self, line: str) -> None:
        """Something has happened."""
        if line.startswith("---"):
            self.console.print(Rule(line.strip("- "), characters="─", style="blue"))
        else:
            self.console.print(f"  {line}", style="italic", highlight=False)

    def _ask(self, game: Game, side: Side, what: str) -> str:
        self._show(game, side)
        while True:
            try:
                typed = input(f"{game.at.step}: {what} > ").strip()
            except (EOFError, KeyboardInterrupt):
                self.console.print()
                raise Concede from None
            if not sys.stdin.isatty():
                self.console.print(
                    typed, highlight=False
                )  # a script's answers belong into the record
            if typed == "concede":
                raise Concede
            if typed != "help":
                return typed
            self.console.print(HELP, highlight=False)

    def _no(self, message: str) -> None:
        self.console.print(f"  {message}", style="red", highlight=False)

    def _show(self, game: Game, side: Side) -> None:
        """The table as it is, unless it was shown like this just now."""
        table = Table(box=None, show_header=False, padding=(0, 1))
        foe = game.other(side)
        table.add_row(*self._status(foe), self._creatures(foe, game, capital=True))
        for played in game.stack:
            table.add_row("", "", Text(f"coming: {played.card}", style="magenta"))
        table.add_row(*self._status(side), self._creatures(side, game))
        with self.console.capture() as shown:
            self.console.print(table, self._hand(game, side))
        if shown.get() != self.last:
            self.last = shown.get()
            self.console.print(table, self._hand(game, side))

    def _status(self, side: Side) -> tuple[Text, Text]:
        numbers = f"♥ {side.life:<2} ◆ {side.mana}/{side.crystals}  hand {len(side.hand)}  deck {len(side.deck)}"
        return Text(side.name, style="bold"), Text(numbers, style="cyan")

    def _creatures(self, side: Side, game: Game, capital: bool = False) -> Text:
        row = Text()
        for letter, one in self._letters(side, capital).items():
            marks = [
                word
                for word, holds in (
                    ("attacks", one in game.attackers),
                    ("blocks", one in game.blocks),
                    ("tired", not one.ready and one not in game.attackers),
                    ("new", one.new),
                    (f"wounds {one.wounds}", one.wounds),
                )
                if holds
            ]
            state = f" ({', '.join(marks)})" if marks else ""
            shown = (
                f"{letter} {one.card.name} {side.power(one)}/{one.card.toughness}{state}".replace(
                    " ", "\u00a0"
                )
            )
            row.append(
                f"{shown}   ",
                style="red" if one in game.attackers else "green" if one.ready else "dim",
            )
        return row if row else Text("no creatures", style="dim")

    def _hand(self, game: Game, side: Side) -> Text:
        row, cards = Text(), game.playable(side)
        for number, card in enumerate(side.hand, 1):
            line = f"    {number} {card} ◆{card.cost}" + (f": {card.text}" if card.text else "")
            row.append(
                line + "\n" * (number < len(side.hand)), style="yellow" if card in cards else "dim"
            )
        return row
