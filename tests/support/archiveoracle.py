"""A plain reading of Grand Archive's turn: a script from top to bottom, written from the rules of
August 2026.

It knows nothing of the model. The only words it shares with the package are the orders that a game
gives. What the rules leave open it reads as the ruleset's defaults do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from fsm import AddTurn, Effect, EndPhase, EndTurn, Leave, Order, Signal, SkipPhase, SkipTurn
from support.oraclegame import Moment

PHASES = ("wake_up", "materialize", "recollection", "draw", "main", "combat", "end")


class PhaseEnded(Exception):
    """An effect ends the phase."""


class TurnEnded(Exception):
    """An effect ends the turn."""


class Attack(Exception):
    """The turn player attacks."""


class Lost(Exception):
    """The turn player has lost the game."""


class NothingMore(Exception):
    """Only one player is left, or the moments are all read."""


class ArchiveOracle:
    """Reads the moments of a game and says what each of them asks."""

    def __init__(
        self, seats: Sequence[str], watched: Sequence[str], moments: Sequence[Moment]
    ) -> None:
        self.seats, self.watched, self.moments = list(seats), watched, list(moments)
        self.read: list[str] = []
        self.left: set[str] = set()
        self.turn_player, self.number, self.extra, self.current = "", 0, False, ""
        self.own_turns: Counter[str] = Counter()
        self.extra_turns: list[str] = []
        self.skipped: Counter[tuple[str, str]] = Counter()
        self.effects: list[Effect] = []
        self.told: list[str] = []
        self.facts: Mapping[str, bool] = {}
        self.fighting = self.ending = self.changed = False

    @property
    def over(self) -> bool:
        """Is at most one player left?"""
        return len(self.order()) < 2

    def follow(self) -> None:
        """Say what each moment asks, until there are no more."""
        seat = -1
        try:
            self.perform("place_champions", everyone=True)
            while True:
                extra = bool(self.extra_turns)
                if not extra:
                    seat = (seat + 1) % len(self.seats)
                player = self.extra_turns.pop(0) if extra else self.seats[seat]
                if player not in self.left and not self.skip("turn", player):
                    self.turn(player, extra)
        except NothingMore:
            pass

    # the turn (1, 4, 5, 6) ------------------------------------------------------------------------

    def turn(self, player: str, extra: bool) -> None:
        self.turn_player, self.extra, self.number = player, extra, self.number + 1
        self.own_turns[player] += not extra
        self.ending, self.current = False, ""
        try:
            self.until_end()
            self.end()
        except TurnEnded:
            self.end_the_turn()
        except Lost:
            self.lose()

    def until_end(self) -> None:
        first = not self.extra and self.own_turns[self.turn_player] == 1
        starts = first and self.turn_player == self.seats[0] and len(self.seats) == 2
        self.phase("wake_up", self.wake_up, never=first)
        self.phase("materialize", self.materialize, never=first or self.facts["time_distorted"])
        self.phase("recollection", self.recollection, never=first)
        self.phase("draw", self.draw, never=starts)
        self.phase("main", self.main)
        if self.facts["time_distorted"] and not first:
            self.phase("materialize", self.materialize)

    def phase(self, name: str, inside: Callable[[], None], *, never: bool = False) -> None:
        if never or self.skip(name, self.turn_player):
            return
        self.current = name
        try:
            inside()
        except PhaseEnded:
            self.perform("banish_stack")
        self.close_phase()

    def skip(self, what: str, player: str) -> bool:
        """Is this phase or turn skipped? Then a skip is used up."""
        due = self.skipped[what, player] > 0
        self.skipped[what, player] -= due
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
                self.perform("declare_attack")
                if self.facts["attack_declared"]:
                    self.combat()

    def end(self) -> None:
        if self.skip("end", self.turn_player):
            return
        self.ending = True
        self.begin("end")
        try:
            self.window("N")
            self.clean_up()
        except (PhaseEnded, TurnEnded):
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
        self.perform("banish_stack")
        self.stop_fighting()
        self.close_phase()
        self.ending = True
        try:
            self.clean_up()
        except (PhaseEnded, TurnEnded):
            self.end_the_turn()

    def lose(self) -> None:
        """What is pending finishes; then the end phase of that turn."""
        while not self.facts["stack_empty"]:
            self.ask("resolve")
            self.check()
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
        if self.skip("combat", self.turn_player):
            return
        self.fighting = True
        for part in (self.fight, self.end_of_combat):
            try:
                part()
            except PhaseEnded:
                self.perform("banish_stack")
        self.fighting = False
        self.until("end_of_combat")

    def fight(self) -> None:
        self.begin("retaliation")
        self.window("C")
        self.window("N")
        self.perform("declare_retaliation", everyone=True)
        several = self.facts["several_retaliators"]
        self.window("C")
        self.begin("damage")
        self.window("N")
        if several:
            self.perform("order_retaliators")
        self.perform("deal_combat_damage")

    def end_of_combat(self) -> None:
        self.begin("end_of_combat")
        self.place()
        self.check()
        self.place()
        self.perform("remove_roles")
        self.perform("discard_intent")
        self.window("C")

    # opportunity (2) ------------------------------------------------------------------------------

    def window(self, kind: str, place: str = "") -> None:
        self.settle()
        if kind != "N" and self.facts["stack_empty"]:
            return
        holder, passed = self.order()[0], set[str]()
        while True:
            if not self.facts["interdiction_on_stack"]:
                word = self.opportunity(holder, place)
                if word == "refused":
                    continue
                passed = passed | {holder} if word == "passed" else set()
                if not passed.issuperset(self.order()):
                    holder = self.after(holder) if word == "passed" else holder
                    self.settle()
                    continue
                if self.facts["stack_empty"]:
                    return
            interdicted = self.facts["interdiction_on_stack"]
            self.resolve(place)
            holder, passed = self.order()[0], set()
            if self.facts["stack_empty"] and kind == "C" and not interdicted:
                return

    def opportunity(self, holder: str, place: str) -> str:
        """What the player with Opportunity does: an attack is tried as soon as it may be."""
        free = place == "M2" and holder == self.turn_player and self.facts["stack_empty"]
        orders = self.ask("priority", holder)
        if free and self.attacks(orders):
            raise Attack
        word = self.read_answer
        return "refused" if word == "passed" and self.facts["attack_required"] and free else word

    def settle(self) -> None:
        while True:
            self.changed |= self.check()
            if not self.facts["triggers_waiting"]:
                return
            self.place()
            self.changed = True

    def resolve(self, place: str) -> None:
        orders = self.ask("resolve")
        if place and self.facts["stack_empty"] and self.attacks(orders):
            raise Attack
        self.settle()

    def attacks(self, orders: Sequence[Order]) -> bool:
        """Does the turn player attack with these orders, and may?"""
        first = not self.extra and self.own_turns[self.turn_player] == 1
        last = [seat for seat in self.seats if seat not in self.left][-1]
        return Signal("attack") in orders and (not first or self.turn_player == last)

    def order(self) -> list[str]:
        """The living players in turn order, from the turn player or who follows."""
        return self.round(self.turn_player) if self.turn_player else self.round(self.seats[0])

    def round(self, first: str) -> list[str]:
        start = self.seats.index(first)
        seats = self.seats[start:] + self.seats[:start]
        return [seat for seat in seats if seat not in self.left]

    def after(self, player: str) -> str:
        return next(seat for seat in self.round(player) if seat != player)

    # what is to be seen ---------------------------------------------------------------------------

    def begin(self, step: str) -> None:
        self.told += [f"triggered at-{step}"] if step in self.watched else []

    def until(self, moment: str) -> None:
        self.told += [f"expired {effect.id}" for effect in self.effects if effect.until == moment]
        self.effects = [effect for effect in self.effects if effect.until != moment]

    def close_phase(self) -> None:
        """The phase under way ends, whichever it is."""
        self.until(f"end_of_{self.current}")
        self.current = ""

    def perform(self, action: str, *, everyone: bool = False) -> None:
        players = [player for player in self.order() if everyone or player == self.turn_player]
        self.ask(action, *players)

    def check(self) -> bool:
        """Check until nothing has changed; has anything?"""
        self.ask("check_state")
        if not self.facts["sba_performed"]:
            return False
        self.check()
        return True

    def place(self) -> None:
        self.ask("place_triggers", *self.order())

    def ask(self, what: str, *players: str) -> tuple[Order, ...]:
        """This is asked now. What is ordered comes to pass, and what has run out was told."""
        if not self.moments:
            raise NothingMore
        moment = self.moments.pop(0)
        asked = ", ".join([*sorted(self.told), " ".join((what, *players))])
        wanted = f"{self.number} {self.turn_player}: {asked}"
        self.read.append(wanted)
        found = f"{moment.at.turn} {moment.at.active}: {moment.asked}"
        before = "\n".join(self.read[-15:-1])
        assert found == wanted, f"after\n{before}\nthe oracle has\n{wanted}\nthe machine\n{found}"
        self.told, self.facts, self.read_answer = [], moment.facts, moment.answer.word
        for order in moment.answer.orders:
            self.take(order)
        return moment.answer.orders

    def take(self, order: Order) -> None:
        match order:
            case AddTurn():
                self.extra_turns.insert(0, order.player)
            case SkipTurn():
                self.skipped["turn", order.player] += 1
            case SkipPhase():
                self.skipped[order.phase, order.player] += 1
            case Effect():
                self.effects.append(order)
            case Leave():
                self.left.update(order.players)
                if self.over:
                    raise NothingMore
                if self.turn_player in order.players and not self.ending:
                    raise Lost
            case EndTurn():
                raise TurnEnded
            case EndPhase():
                raise PhaseEnded
