"""A game of Grand Archive at random: what players do and what cards do, by seed. It knows no order
of anything.

Two accounts of the turn ask it the same questions, and it notes each with its answer: equal notes,
equal turns.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from fsm import AddTurn, Effect, SkipPhase, SkipTurn
from fsm.orders import Order

PHASES = ("wake_up", "materialize", "recollection", "draw", "main", "combat", "end")
BUSY = 60
"""How many things happen in one game, before everybody only passes."""


@dataclass(frozen=True)
class Layer:
    """Something on the Effects Stack."""

    id: int
    interdiction: bool = False
    attack_card: bool = False


@dataclass(frozen=True)
class Outcome:
    """What came of a resolution: orders, and at most one signal ("player_left": of `player`)."""

    orders: tuple[Order, ...] = ()
    signal: str = ""
    player: str = ""


@dataclass
class Game:
    """`notes` are what was asked, in order, each with where, and what came of it."""

    players: tuple[str, ...]
    seed: int
    notes: list[str] = field(default_factory=list)
    where: str = ""
    stack: list[Layer] = field(default_factory=list)
    waiting: int = 0
    unsettled: bool = False
    distorted: bool = False
    retaliators: int = 0
    left: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.random = Random(self.seed)
        self.budget = self.random.choice((0, 5, BUSY, BUSY))
        self.made = 0

    # what is asked --------------------------------------------------------------------------------

    def notice(self, what: str, ids: list[str]) -> None:
        """Durations have run out, or abilities have triggered."""
        for id in sorted(ids):
            self._note(f"{what} {id}")
            self.waiting += what == "triggered"

    def perform(self, action: str, players: list[str]) -> None:
        """A turn-based action, of these players."""
        self._note(f"{action} by {' '.join(players)}")
        if action == "banish_stack":
            self.stack.clear()
        elif action == "materialize" and players and self._happens(2):
            self._put(self._layer())
        elif action == "declare_retaliation":
            self.retaliators = self.random.randrange(4)
        self._stir(8)

    def declare(self) -> bool:
        """An attack is declared: does nothing make it fail?"""
        legal = self.random.random() < 0.8
        self._note(f"declare_attack: {legal}")
        return legal

    def check(self) -> bool:
        """A state-based check: did it change anything?"""
        found, self.unsettled = self.unsettled, False
        self._note(f"check: {found}")
        if found:
            self._stir(4)
        return found

    def place(self, players: list[str]) -> None:
        """Put what waits on the Effects Stack."""
        self._note(f"place {self.waiting} for {' '.join(players)}")
        for _ in range(self.waiting):
            self._put(self._layer())
        self.waiting = 0

    def decide(self, player: str, *, slow: bool) -> str:
        """What the player with Opportunity does: pass, refused (to pass), act, attack, or concede."""
        choice = "pass"
        if self._happens(6):
            choice = self.random.choice(
                ["act"] * 5 + (["attack", "attack", "attack", "refused"] if slow else [])
            )
        elif len(self.players) - len(self.left) > 1 and self._happens(90):
            choice = "concede"
        self._note(f"{player}: {choice}")
        if choice == "act":
            self._put(self._layer(slow=slow))
            self._stir(6)
        elif choice == "concede":
            self._leave(player)
        return choice

    def resolve(self, *, finishing: bool = False) -> Outcome:
        """The top of the Effects Stack resolves. `finishing`: the turn player has lost, only orders
        come of it.
        """
        layer = self.stack.pop()
        self._stir(3)
        outcome = Outcome(tuple(self._orders()))
        if not finishing:
            outcome = Outcome(outcome.orders, *self._break(layer))
        self._note(f"resolve {layer.id}: {outcome}")
        return outcome

    # what comes of it -----------------------------------------------------------------------------

    def _note(self, text: str) -> None:
        self.notes.append(f"{self.where}: {text}")

    def _happens(self, one_in: int) -> bool:
        happens = self.budget > 0 and self.random.randrange(one_in) == 0
        self.budget -= happens
        return happens

    def _stir(self, one_in: int) -> None:
        self.waiting += self._happens(one_in)
        self.unsettled = self.unsettled or self._happens(one_in)

    def _put(self, layer: Layer) -> None:
        self.stack.append(layer)

    def _layer(self, *, slow: bool = False) -> Layer:
        self.made += 1
        kind = self.random.randrange(8)
        return Layer(
            self.made, interdiction=kind == 0, attack_card=kind in ((1, 2, 3) if slow else (1,))
        )

    def _orders(self) -> list[Order]:
        if not self._happens(3):
            return []
        player, random = self.random.choice(self.players), self.random
        until = random.choice(("end_of_turn", *(f"end_of_{phase}" for phase in PHASES)))
        self.distorted ^= random.randrange(3) == 0
        orders: list[Order] = [
            Effect(f"effect-{self.made}", player, until),
            SkipPhase(random.choice(PHASES), player),
            random.choice((AddTurn(player), SkipTurn(player))),
        ]
        return random.sample(orders, random.randrange(3))

    def _break(self, layer: Layer) -> tuple[str, str]:
        """Does this break the course of the turn?"""
        if layer.attack_card:
            return "attack", ""
        if not self._happens(8):
            return "", ""
        signal = self.random.choice(("end_phase", "end_phase", "end_turn", "player_left"))
        living = [player for player in self.players if player not in self.left]
        player = self.random.choice(living) if signal == "player_left" else ""
        if player:
            self._leave(player)
        return signal, player

    def _leave(self, player: str) -> None:
        self.left.add(player)
