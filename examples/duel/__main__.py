"""python -m duel [--seed N] [--name YOU]: a duel against a simple opponent, at the prompt or by a
script on stdin.
"""

from __future__ import annotations

import argparse
from random import Random

from rich.console import Console

from .game import Game, Mind
from .opponent import Opponent
from .screen import HELP, Person

FOE = "Rook"


def main() -> None:
    """Play one duel."""
    parser = argparse.ArgumentParser(
        prog="duel", description="A duel with cards against a simple opponent."
    )
    parser.add_argument("--seed", type=int, help="shuffle like this, to play the same duel again")
    parser.add_argument("--name", default="Alice", help="your name")
    asked = parser.parse_args()
    if asked.name == FOE:
        parser.error(f"{FOE} is the opponent's name; take another")
    console = Console()
    random = Random(asked.seed)
    person = Person(console)
    minds: list[tuple[str, Mind]] = [(asked.name, person), (FOE, Opponent())]
    random.shuffle(minds)
    console.print(HELP, highlight=False, style="dim")
    game = Game(dict(minds), random, person.tell)
    winner = game.run()
    console.print(f"{winner.name} wins in turn {game.at.turn}.", style="bold")


if __name__ == "__main__":
    main()
