"""The search: the cheapest way to win, or the certainty that there is none. Every branch is a fork
of the turn.
"""

from __future__ import annotations

import heapq
import json
from dataclasses import dataclass, field
from itertools import count

import fsm
from fsm.engine import Over, Position

from .puzzle import OPPONENT, SOLVER, Board, Option, options, with_facts

Cost = tuple[int, int, int]
"""Extra turns, attacks, cards: fewer turns count before fewer attacks, and those before fewer
cards.
"""


@dataclass(frozen=True)
class Node:
    """A position in which the solver decides. `line` is how it came about."""

    turn: fsm.TurnController
    board: Board
    cost: Cost = (0, 0, 0)
    line: tuple[tuple[Position, str], ...] = ()

    @property
    def key(self) -> str:
        """Equal for positions from which the same can follow."""
        return json.dumps(self.turn.snapshot()) + repr(self.board)

    def take(self, option: Option) -> Node:
        """The next position with a choice in it, or where all is decided, after this option; on a
        fork.
        """
        fork, at = self.turn.fork(), self.turn.position
        board = _settle(fork, option)
        turns, attacks, cards = self.cost
        new_turn = fork.position.turn > at.turn
        cost = (
            turns + new_turn,
            attacks + (option.words == "attack"),
            cards + option.words.startswith("cast"),
        )
        return Node(
            fork, board, cost, (*self.line, (at, option.words)) if option.words else self.line
        )

    @property
    def won(self) -> bool:
        """Has the opponent left the game?"""
        return isinstance(self.turn.request, Over)

    @property
    def lost(self) -> bool:
        """Has the opponent's next turn begun?"""
        return self.turn.position.active == OPPONENT


def _settle(turn: fsm.TurnController, option: Option) -> Board:
    """Answer with this option, and go on while there is but one and all is open; what has become of
    the board.
    """
    while True:
        board = option.board
        request = turn.answer(with_facts(option.answer, board, turn.request))
        decided = isinstance(request, Over) or request.at.active == OPPONENT
        if decided or len(found := options(board, request)) > 1:
            return board
        [option] = found


@dataclass
class Found:
    """What the search says: the way to win, or None; and in how many positions it looked for it."""

    best: Node | None = None
    positions: int = 0
    seen: set[str] = field(default_factory=set)


def solve(board: Board, ruleset: str = "magic") -> Found:
    """The cheapest win for the player whose turn it is, before the opponent's next turn."""
    start = Node(fsm.TurnController(fsm.load(ruleset), [SOLVER, OPPONENT]), board)
    found, number, waiting = Found(), count(), [(start.cost, 0, start)]
    while waiting:
        _, _, node = heapq.heappop(waiting)
        if node.won:
            found.best = node
            return found
        if node.lost or (key := node.key) in found.seen:
            continue
        found.seen.add(key)
        found.positions += 1
        for option in options(node.board, node.turn.request):
            following = node.take(option)
            heapq.heappush(waiting, (following.cost, next(number), following))
    return found
