"""The puzzle: one attacker, a few cards, an opponent who only passes; and all that can be answered
to a request.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from fsm import AddPhase, AddTurn
from fsm.engine import Answer, CheckState, Over, Perform, Priority, Request, Resolve, Signal
from fsm.orders import Order

SOLVER, OPPONENT = "Ann", "Ben"


@dataclass(frozen=True)
class Card:
    """A card of the solver. A quick one can be cast whenever there is priority, others in an empty
    main phase.
    """

    cost: int
    text: str
    quick: bool = True


CARDS = {
    "ritual": Card(1, "adds three mana, until the step ends"),
    "cry": Card(1, "the attacker gets +1 power until end of turn"),
    "twice": Card(2, "the attacker deals first-strike and ordinary damage this turn"),
    "fury": Card(
        4, "untap the attacker; after this phase come another combat and main phase", quick=False
    ),
    "again": Card(5, "another turn after this one", quick=False),
}


@dataclass(frozen=True)
class Board:
    """Everything but the turn. `lands` are untapped of `all_lands`, `mana` floats until the step
    ends.
    """

    life: int
    power: int
    lands: int
    all_lands: int
    hand: tuple[str, ...]
    mana: int = 0
    cries: int = 0
    twice: bool = False
    ready: bool = True
    attacks: bool = False
    stack: tuple[str, ...] = ()

    def cast(self, name: str) -> Board:
        """The card is paid for, with floating mana first, and on the stack."""
        hand, floating = list(self.hand), min(self.mana, CARDS[name].cost)
        hand.remove(name)
        lands = self.lands - (CARDS[name].cost - floating)
        return replace(
            self,
            hand=tuple(hand),
            lands=lands,
            mana=self.mana - floating,
            stack=(*self.stack, name),
        )

    def castable(self, step: str) -> list[str]:
        """Different cards that can be cast now."""
        slow = step.endswith("main") and not self.stack
        names = dict.fromkeys(name for name in self.hand if CARDS[name].quick or slow)
        return [name for name in names if CARDS[name].cost <= self.lands + self.mana]


@dataclass(frozen=True)
class Option:
    """One thing that can be done: in words (none when there is no choice), what comes of it, and
    the answer.
    """

    words: str
    board: Board
    answer: Answer


def options(board: Board, request: Request | Over) -> list[Option]:
    """All that can be done at this request, by whoever is asked."""
    at = request.at
    match request:
        case Priority(player=player):
            names = board.castable(at.step) if player == SOLVER == at.active else []
            casts = [Option(f"cast {name}", board.cast(name), Answer("acted")) for name in names]
            return [*casts, Option("", board, Answer("passed"))]
        case Perform(action="declare_attackers") if at.active == SOLVER and board.ready:
            attack = replace(board, ready=False, attacks=True)
            return [
                Option("attack", attack, _told(attackers=True)),
                Option("", board, _told(attackers=False)),
            ]
        case Resolve():
            name, under = board.stack[-1], replace(board, stack=board.stack[:-1])
            after, orders = _effect(name, under)
            return [Option("", after, Answer(orders=orders))]
        case CheckState() if board.life <= 0:
            return [Option("", board, Answer(signal=Signal("player_left", OPPONENT)))]
        case Perform(action=action):
            return [Option("", _perform(board, action, request), _told(attackers=False))]
        case _:
            return [Option("", board, Answer())]


def with_facts(answer: Answer, board: Board, request: Request | Over) -> Answer:
    """The answer with every fact that the request names."""
    holds = {
        "stack_empty": not board.stack,
        "first_strike_in_combat": board.twice and board.attacks,
    }
    facts = {name: answer.facts.get(name, holds.get(name, False)) for name in request.facts}
    return Answer(answer.word, facts, answer.orders, answer.signal)


def _told(*, attackers: bool) -> Answer:
    return Answer(facts={"attackers_declared": attackers})


def _effect(name: str, board: Board) -> tuple[Board, tuple[Order, ...]]:
    match name:
        case "ritual":
            return replace(board, mana=board.mana + 3), ()
        case "cry":
            return replace(board, cries=board.cries + 1), ()
        case "twice":
            return replace(board, twice=True), ()
        case "fury":
            return replace(board, ready=True), (AddPhase(("combat", "main")),)
        case _:
            return board, (AddTurn(SOLVER),)


def _perform(board: Board, action: str, request: Perform) -> Board:
    match action:
        case "untap_permanents" if request.at.active == SOLVER:
            return replace(board, lands=board.all_lands, ready=True)
        case "empty_mana" if board.mana:
            return replace(board, mana=0)
        case "deal_combat_damage" if request.at.step == "combat_damage" or board.twice:
            return replace(board, life=board.life - board.power - board.cries)
        case "remove_from_combat" if board.attacks:
            return replace(board, attacks=False)
        case "remove_damage_and_end_effects":
            return replace(board, cries=0, twice=False)
        case _:
            return board
