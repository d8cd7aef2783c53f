"""The solver, run as its user runs it, and held against a search that knows no state machine."""

from __future__ import annotations

import re
import subprocess
import sys
from random import Random
from typing import NamedTuple

import pytest
from solver.puzzle import CARDS, Board, options
from solver.search import Node, solve

import fsm
from support.amounts import amount
from support.folders import EXAMPLES


def said(*words: str) -> str:
    command = [sys.executable, "-m", "solver", *words]
    done = subprocess.run(command, cwd=EXAMPLES, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_it_prints_the_line_of_play() -> None:
    lines = said("--life", "9", "--lands", "8", "--hand", "fury", "fury").splitlines()
    assert lines[0] == "Ann wins: extra turns 0, attacks 3, cards 2."
    assert [tuple(re.split(r"  +", line.strip())[1:]) for line in lines[1:-1]] == [
        ("declare attackers", "attack"),
        ("postcombat main", "cast fury"),
        ("declare attackers", "attack"),
        ("postcombat main", "cast fury"),
        ("declare attackers", "attack"),
    ]


def test_it_prints_what_its_page_says() -> None:
    page = (EXAMPLES / "solver" / "README.md").read_text("utf-8")
    assert page.split("```\n")[2] == said()


def test_a_second_turn_is_taken_only_when_there_is_no_other_way() -> None:
    both, one = (
        said("--life", "6", "--lands", "9", "--hand", "again", "fury"),
        said("--life", "6", "--hand", "again"),
    )
    assert both.startswith("Ann wins: extra turns 0, attacks 2")
    assert one.startswith("Ann wins: extra turns 1, attacks 2")


def test_it_says_when_there_is_no_way() -> None:
    assert said("--life", "4", "--hand").startswith("Ann cannot win before Ben's next turn")


def test_a_card_that_does_not_exist_is_an_error_in_one_line() -> None:
    command = [sys.executable, "-m", "solver", "--hand", "furry"]
    done = subprocess.run(command, cwd=EXAMPLES, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert "invalid choice: 'furry'" in done.stderr.splitlines()[-1]


# the same question, answered on a plain list of steps ---------------------------------------------

COMBAT = ("begin", "attack", "block", "strike", "damage", "leave")
TURN = ("untap", "upkeep", "draw", "main", *COMBAT, "main", "end", "cleanup")


class State(NamedTuple):
    """`coming`: the steps still to come, the current one first."""

    coming: tuple[str, ...]
    hand: tuple[str, ...]
    lands: int
    mana: int = 0
    cries: int = 0
    twice: bool = False
    ready: bool = True
    attacks: bool = False
    turns: int = 0
    dealt: int = 0


def most_damage(state: State, lands: int, power: int, seen: set[State]) -> int:
    """The most damage before the opponent's turn."""
    best, waiting = 0, [state]
    while waiting:
        now = waiting.pop()
        best = max(best, now.dealt)
        if now not in seen:
            seen.add(now)
            waiting += [
                *casts(now),
                *entered(now._replace(coming=now.coming[1:], mana=0), lands, power),
            ]
    return best


def casts(now: State) -> list[State]:
    """Every card cast now takes effect at once: nobody answers."""
    found = []
    for name in set(now.hand):
        card, left = CARDS[name], list(now.hand)
        left.remove(name)
        pool = min(now.mana, card.cost)
        if card.cost > now.mana + now.lands or not (card.quick or now.coming[0] == "main"):
            continue
        paid = now._replace(
            hand=tuple(left), mana=now.mana - pool, lands=now.lands - card.cost + pool
        )
        found.append(
            {
                "ritual": lambda p: p._replace(mana=p.mana + 3),
                "cry": lambda p: p._replace(cries=p.cries + 1),
                "twice": lambda p: p._replace(twice=True),
                "fury": lambda p: p._replace(
                    ready=True, coming=("main", *COMBAT, "main", *p.coming[1:])
                ),
                "again": lambda p: p._replace(turns=p.turns + 1),
            }[name](paid)
        )
    return found


def entered(now: State, lands: int, power: int) -> list[State]:
    """What can come of entering the next step; steps in which nobody can act are run through."""
    if not now.coming:
        again = now._replace(
            coming=TURN[1:], turns=now.turns - 1, lands=lands, ready=True, cries=0, twice=False
        )
        return [again] if now.turns else []
    step = now.coming[0]
    over = now._replace(coming=now.coming[1:])
    idle = step in ("block", "strike", "damage") and not now.attacks
    if step == "cleanup" or idle or (step == "strike" and not now.twice):
        return entered(over, lands, power)
    if step in ("strike", "damage"):
        return [now._replace(dealt=now.dealt + power + now.cries)]
    if step == "attack":
        return [now, now._replace(attacks=True, ready=False)] if now.ready else [now]
    return [now._replace(attacks=now.attacks and step != "main")]


@pytest.mark.parametrize("seed", range(amount(5, 30)))
def test_it_is_exact(seed: int) -> None:
    """The most damage by the plain search is the highest life at which the solver finds a win."""
    random = Random(seed)
    hand = tuple(sorted(random.choices(list(CARDS), k=random.randint(0, 4))))
    lands, power = random.randint(2, 6), random.randint(1, 3)
    most = most_damage(State(TURN[3:], hand, lands), lands, power, set())
    assert solve(Board(most, power, lands, lands, hand)).best is not None
    assert solve(Board(most + 1, power, lands, lands, hand)).best is None


def test_looking_ahead_leaves_the_position_alone() -> None:
    start = Node(
        fsm.TurnController(fsm.load("magic"), ["Ann", "Ben"]), Board(6, 3, 4, 4, ("fury",))
    )
    before = start.key
    [only] = options(start.board, start.turn.request)
    ahead = start.take(only)
    assert ahead.turn.position.step == "precombat_main"
    assert start.key == before != ahead.key
