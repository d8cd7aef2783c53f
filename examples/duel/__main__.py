"""python -m duel [--seed N]: a duel against a simple opponent, at the prompt or by a script."""

import argparse
from random import Random

from .game import Game, Mind
from .minds import HELP, Opponent, Person


def main() -> None:
    parser = argparse.ArgumentParser(prog="duel", description="A duel with cards.")
    parser.add_argument("--seed", type=int, help="shuffle like this, to play the same duel again")
    random = Random(parser.parse_args().seed)
    minds: list[tuple[str, Mind]] = [("Alice", Person()), ("Rook", Opponent())]
    random.shuffle(minds)
    print(HELP)
    game = Game(dict(minds), random)
    print(f"{game.run()} wins in turn {game.at.turn}.")


if __name__ == "__main__":
    main()
