"""A plain reading of Grand Archive's turn: a script from top to bottom, written from the rules of
August 2026.

It knows nothing of the model: the only words it shares with the package are the orders a game
gives. What the rules leave open it reads as the ruleset's defaults do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from fsm import AddTurn, Effect, SkipPhase, SkipTurn
from fsm.orders import Order
from support.archivegame import Game


class EndPhase(Exception):
    """An effect ends the phase."""


class EndTurn(Exception):
    """An effect ends the turn."""


class Attack(Exception):
    """The turn player attacks."""


class Lost(Exception):
    """The turn player has lost the game."""


class GameOver(Exception):
    """Only one player is left."""


class Reading:
    """Plays a game. Its notes are what there is to see."""

    def __init__(self, game: Game, watched: tuple[str, ...] = ()) -> None:
        self.game, self.seats, self.watched = game, game.players, watched
        self.turn_player, self.number, self.extra, self.current = "", 0, False, ""
        self.own_turns: Counter[str] = Counter()
        self.extra_turns: list[str] = []
        self.skipped_turns: Counter[str] = Counter()
        self.skipped: Counter[tuple[str, str]] = Counter()
        self.effects: list[Effect] = []
        self.over_now: list[str] = []
        self.begun_now: list[str] = []
        self.fighting = self.ending = self.changed = False

    def play(self, turns: int) -> None:
        """So many turns, fewer when the game is over before."""
        seat = -1
        try:
            self.perform("place_champions")
            while self.number < turns:
                extra = bool(self.extra_turns)
                if not extra:
                    seat = (seat + 1) % len(self.seats)
                player = self.extra_turns.pop(0) if extra else self.seats[seat]
                if player in self.game.left:
                    continue
                if self.skipped_turns[player]:
                    self.skipped_turns[player] -= 1
                    continue
                self.turn(player, extra)
        except GameOver:
            pass

    # the turn (1, 4, 5, 6) ------------------------------------------------------------------------

    def turn(self, player: str, extra: bool) -> None:
        self.turn_player, self.extra, self.number = player, extra, self.number + 1
        self.own_turns[player] += not extra
        self.ending, self.current = False, ""
        try:
            self.until_end()
            self.end()
        except EndTurn:
            self.end_the_turn()
        except Lost:
            self.lose()

    def until_end(self) -> None:
        first = self.first
        self.phase("wake_up", self.wake_up, never=first)
        self.phase("materialize", self.materialize, never=first or self.game.distorted)
        self.phase("recollection", self.recollection, never=first)
        self.phase(
            "draw",
            self.draw,
            never=first and self.turn_player == self.seats[0] and len(self.seats) == 2,
        )
        self.phase("main", self.main)
        if self.game.distorted and not first:
            self.phase("materialize", self.materialize)

    @property
    def first(self) -> bool:
        return not self.extra and self.own_turns[self.turn_player] == 1

    def phase(self, name: str, inside: Callable[[], None], *, never: bool = False) -> None:
        if never or self.skip(name):
            return
        self.current = name
        try:
            inside()
        except EndPhase:
            self.banish()
        self.close_phase()

    def skip(self, name: str) -> bool:
        due = self.skipped[name, self.turn_player] > 0
        self.skipped[name, self.turn_player] -= due
        return due

    def wake_up(self) -> None:
        self.begin("wake_up")
        self.perform("wake")
        self.window("C")

    def materialize(self) -> None:
        self.begin("materialize")
        self.window("C")
        self.perform("materialize")
        self.window("C")
        self.window("C")

    def recollection(self) -> None:
        self.begin("recollection")
        self.perform("add_charge_counters")
        self.window("C")
        self.window("N")
        self.perform("recollect")
        self.window("C")

    def draw(self) -> None:
        self.begin("draw")
        self.perform("draw_card")
        self.window("C")

    def main(self) -> None:
        self.begin("main")
        window = "M1"
        while window:
            try:
                self.window("C" if window == "M1" else "N", place=window)
                window = "M2" if window == "M1" else ""
            except Attack:
                window = "M2"
                self.at()
                if self.game.declare():
                    self.combat()

    def end(self) -> None:
        if self.skip("end"):
            return
        self.ending = True
        self.begin("end")
        try:
            self.window("N")
            self.clean_up()
        except (EndPhase, EndTurn):
            self.end_the_turn()

    def clean_up(self) -> None:
        """E3 and E4, until nothing changes."""
        self.changed = True
        while self.changed:
            self.until("end_of_turn")
            self.perform("clean_up")
            self.changed = False
            self.window("C, and a round")
        self.until("end_of_end")

    def end_the_turn(self) -> None:
        self.banish()
        self.stop_fighting()
        self.close_phase()
        self.ending = True
        try:
            self.clean_up()
        except (EndPhase, EndTurn):
            self.end_the_turn()

    def lose(self) -> None:
        """What is pending finishes; then the end phase of that turn."""
        while self.game.stack:
            self.at()
            self.take(self.game.resolve(finishing=True).orders)
            while self.check():
                pass
        self.stop_fighting()
        self.close_phase()
        self.end()

    def stop_fighting(self) -> None:
        if self.fighting:
            self.perform("clear_combat")
            self.until("end_of_combat")
        self.fighting = False

    # combat (3) -----------------------------------------------------------------------------------

    def combat(self) -> None:
        if self.skip("combat"):
            return
        self.fighting = True
        try:
            self.fight()
        except EndPhase:
            self.banish()
        self.begin("end_of_combat")
        try:
            self.end_of_combat()
        except EndPhase:
            self.banish()
        self.fighting = False
        self.until("end_of_combat")

    def fight(self) -> None:
        self.begin("retaliation")
        self.window("C")
        self.window("N")
        self.perform("declare_retaliation")
        several = self.game.retaliators > 1
        self.window("C")
        self.begin("damage")
        self.window("N")
        if several:
            self.perform("order_retaliators")
        self.perform("deal_combat_damage")

    def end_of_combat(self) -> None:
        self.place()
        while self.check():
            pass
        self.place()
        self.perform("remove_roles")
        self.perform("discard_intent")
        self.window("C")

    # opportunity (2) ------------------------------------------------------------------------------

    def window(self, kind: str, place: str = "") -> None:
        self.settle()
        game = self.game
        if kind != "N" and not game.stack:
            return
        holder, passed = self.order()[0], set[str]()
        while True:
            if any(layer.interdiction for layer in game.stack):
                self.resolve(place)
                holder, passed = self.order()[0], set()
                continue
            self.at()
            slow = place == "M2" and holder == self.turn_player and not game.stack
            choice = game.decide(holder, slow=slow)
            if choice == "refused":
                continue
            if choice in ("act", "attack"):
                if choice == "attack" and self.may_attack:
                    raise Attack
                self.settle()
                passed = set()
                continue
            passed.add(holder)
            if choice == "concede":
                self.gone(holder)
            if not passed.issuperset(self.order()):
                holder = self.after(holder)
                self.settle()
                continue
            if not game.stack:
                return
            self.resolve(place)
            holder, passed = self.order()[0], set()
            if not game.stack and kind == "C":
                return

    def settle(self) -> None:
        while True:
            while self.check():
                self.changed = True
            if not self.game.waiting:
                return
            self.place()
            self.changed = True

    def resolve(self, place: str) -> None:
        self.at()
        outcome = self.game.resolve()
        self.take(outcome.orders)
        if outcome.signal == "player_left":
            self.gone(outcome.player)
        elif outcome.signal == "end_turn":
            raise EndTurn
        elif outcome.signal == "end_phase":
            raise EndPhase
        elif outcome.signal == "attack" and place and not self.game.stack and self.may_attack:
            raise Attack
        self.settle()

    @property
    def may_attack(self) -> bool:
        living = [seat for seat in self.seats if seat not in self.game.left]
        return not self.first or self.turn_player == living[-1]

    def gone(self, player: str) -> None:
        if len(self.game.left) >= len(self.seats) - 1:
            raise GameOver
        if player == self.turn_player and not self.ending:
            raise Lost

    def order(self) -> list[str]:
        """The living players in turn order, from the turn player or who follows."""
        start = self.seats.index(self.turn_player) if self.turn_player else 0
        return [
            seat for seat in self.seats[start:] + self.seats[:start] if seat not in self.game.left
        ]

    def after(self, player: str) -> str:
        at = self.seats.index(player) + 1
        return next(
            seat for seat in self.seats[at:] + self.seats[:at] if seat not in self.game.left
        )

    # what is to be seen ---------------------------------------------------------------------------

    def begin(self, step: str) -> None:
        self.begun_now += [f"at-{step}"] if step in self.watched else []

    def until(self, moment: str) -> None:
        self.over_now += [effect.id for effect in self.effects if effect.until == moment]
        self.effects = [effect for effect in self.effects if effect.until != moment]

    def close_phase(self) -> None:
        """The phase under way ends, whichever it is."""
        self.until(f"end_of_{self.current}")
        self.current = ""

    def at(self) -> None:
        """Where the next note stands; what has run out or triggered is told before it."""
        self.game.where = f"{self.number} {self.turn_player}"
        over, begun, self.over_now, self.begun_now = self.over_now, self.begun_now, [], []
        self.game.notice("expired", over)
        self.game.notice("triggered", begun)

    def perform(self, action: str) -> None:
        self.at()
        everyone = action in ("place_champions", "declare_retaliation")
        players = self.order() if everyone else [p for p in self.order() if p == self.turn_player]
        self.game.perform(action, players)

    def banish(self) -> None:
        self.perform("banish_stack")

    def check(self) -> bool:
        self.at()
        return self.game.check()

    def place(self) -> None:
        self.at()
        self.game.place(self.order())

    def take(self, orders: tuple[Order, ...]) -> None:
        for order in orders:
            if isinstance(order, AddTurn):
                self.extra_turns.insert(0, order.player)
            elif isinstance(order, SkipTurn):
                self.skipped_turns[order.player] += 1
            elif isinstance(order, SkipPhase):
                self.skipped[order.phase, order.player] += 1
            elif isinstance(order, Effect):
                self.effects.append(order)
