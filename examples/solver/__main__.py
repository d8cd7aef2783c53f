"""python -m solver --life 12 --hand ritual fury: can Ann win before Ben's next turn, and how?"""

from __future__ import annotations

import argparse

from .puzzle import CARDS, OPPONENT, SOLVER, Board
from .search import Found, solve


def tell(found: Found) -> None:
    """The line of play, or that there is none."""
    if found.best is None:
        print(
            f"{SOLVER} cannot win before {OPPONENT}'s next turn: {found.positions} positions looked at."
        )
        return
    turns, attacks, cards = found.best.cost
    print(f"{SOLVER} wins: extra turns {turns}, attacks {attacks}, cards {cards}.")
    for at, words in found.best.line:
        print(f"  turn {at.turn}  {at.step.replace('_', ' '):22} {words}")
    print(f"Nothing cheaper wins ({found.positions} positions).")


def main() -> None:
    """Read the command line."""
    cards = "\n".join(f"  {name:8} {card.cost} mana: {card.text}" for name, card in CARDS.items())
    parser = argparse.ArgumentParser(
        prog="solver",
        description="Can Ann win before Ben's next turn? Ben only passes.",
        epilog=f"cards:\n{cards}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--life", type=int, default=13, help="of Ben")
    parser.add_argument("--power", type=int, default=3, help="of Ann's attacker")
    parser.add_argument("--lands", type=int, default=5, help="of Ann")
    parser.add_argument(
        "--hand",
        nargs="*",
        choices=list(CARDS),
        metavar="CARD",
        default=["ritual", "ritual", "cry", "twice", "fury"],
        help="Ann's cards",
    )
    asked = parser.parse_args()
    tell(solve(Board(asked.life, asked.power, asked.lands, asked.lands, tuple(sorted(asked.hand)))))


if __name__ == "__main__":
    main()
