"""What Magic needs of the scripted game besides combat: hand size, day and night, Sagas, mana and
mana burn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Annotated

from fsm.runs.where import Where
from fsm.scenarios.discrepancies import Discrepancy, ExpectEntry, Missing, at_visit, where_of
from fsm.scenarios.gameparts import GameParts
from fsm.scenarios.jsonshapes import FIRST, NUMBER, WHERE, WORD, list_of, object_of
from fsm.scenarios.modelwords import ModelWords
from fsm.scenarios.outcome import Outcome
from fsm.scenarios.scenario import Item
from fsm.scenarios.verbparts import ACTIVE, Id, Kind, Number, Player, Words
from fsm.scenarios.world import GameState, World
from fsm.state.orders import Effect

PERSISTS = ("none", "until_end_of_turn", "until_end_of_combat")
DESIGNATIONS = ("day", "night", "neither")
Designation = Annotated[str, Kind("designation", {"enum": list(DESIGNATIONS)})]
Persists = Annotated[str, Kind("persists", {"enum": list(PERSISTS)})]
_HAS_MANA = "action:empty_mana|action:lose_mana"

WORDS = Words()


# cards in hand ------------------------------------------------------------------------------------


@dataclass
class Hand(GameState):
    """How many cards the active player has, of how many, and how many were discarded in each visit."""

    size: tuple[int, int] = (0, 0)
    discards: dict[Where, int] = field(default_factory=dict)

    def begin_visit(self, world: World) -> None:
        self.size = (0, 0)


@WORDS.verb(
    after="end_phase",
    needs=("action:discard_to_hand_size",),
    home="discard_to_hand_size",
    at="begin",
    opening=False,
    nested=False,
)
def hand_size(world: World, item: Item, cards: Number, max: Number = 7) -> None:
    """The active player's hand as that cleanup starts."""
    world.of(Hand).size = (cards, max)


def _discard(world: World, players: tuple[str, ...], manner: str) -> None:
    hand = world.of(Hand)
    cards, most = hand.size if players else (0, 0)
    hand.discards[world.where] = hand.discards.get(world.where, 0) + max(0, cards - most)


@WORDS.check("turn", after="priority", schema=object_of(("count",), iteration=FIRST, count=NUMBER))
def discards(outcome: Outcome, entry: ExpectEntry) -> Iterator[Discrepancy]:
    """How many cards were discarded to hand size in that cleanup."""
    claim = entry["discards"]
    for step in sorted(ModelWords(outcome.model).actions.get("discard_to_hand_size", ())):
        where = Where(entry["turn"], step, claim.get("iteration", 1))
        got = at_visit(outcome, where, lambda v: outcome.log.of(Hand).discards.get(v.where, 0))
        yield f"discards in {where}", claim["count"], got


# day and night ------------------------------------------------------------------------------------


@dataclass
class DayNight(GameState):
    """Day or night, now and as each visit ended, and what it depends on: the spells of this turn
    and of the last.
    """

    designation: str = "neither"
    spells: int | None = None
    spells_before: int | None = None
    seen: dict[Where, str] = field(default_factory=dict)

    def begin_turn(self, world: World) -> None:
        self.spells_before, self.spells = self.spells, 0

    def leave_visit(self, world: World) -> None:
        self.seen[world.where] = self.designation

    def designate(self, world: World, value: str) -> None:
        """Set day or night. Abilities trigger when day becomes night or night becomes day."""
        changed = {self.designation, value} == {"day", "night"}
        self.designation = value
        for ability in world.changes if changed else ():
            mine = ability.whose in ("each", *world.team)
            if mine and not (ability.once_a_turn and ability.last == world.turn):
                ability.last = world.turn
                world.trigger(ability.id, ability.player, ability.then)


@WORDS.verb(after="rollback", needs=("action:day_night",))
def day_night(world: World, item: Item, value: Designation) -> None:
    """Set the designation."""
    world.of(DayNight).designate(world, value)


@WORDS.verb(after="rollback", needs=("action:day_night",))
def spells_cast(world: World, item: Item, count: Number) -> None:
    """How many spells the active player has cast this turn."""
    world.of(DayNight).spells = count


def _check_day_night(world: World, players: tuple[str, ...], manner: str) -> None:
    """Perform the turn-based action, which depends on the spells of the turn before (CR 730.2)."""
    state = world.of(DayNight)
    if state.spells_before is None:
        return
    if state.designation == "day" and state.spells_before == 0:
        state.designate(world, "night")
    elif state.designation == "night" and state.spells_before >= 2:
        state.designate(world, "day")


@WORDS.visit_check(
    after="put_on_stack", schema={"enum": list(DESIGNATIONS)}, needs="action:day_night"
)
def designation(outcome: Outcome, entry: ExpectEntry) -> Iterator[Discrepancy]:
    """Day or night there, as that visit ends."""
    where = where_of(entry)
    got = at_visit(outcome, where, lambda v: outcome.log.of(DayNight).seen.get(where, ""))
    yield f"day or night in {where}", entry["designation"], got


# Sagas --------------------------------------------------------------------------------------------


@dataclass
class Sagas(GameState):
    """The Sagas with their players, and the turns in which each got a lore counter."""

    owners: list[tuple[str, str]] = field(default_factory=list)
    lore: list[tuple[str, int]] = field(default_factory=list)

    def lose_player(self, world: World, player: str) -> None:
        self.owners = [(id, owner) for id, owner in self.owners if owner != player]


@WORDS.verb(after="rollback", needs=("action:add_lore_counters",))
def saga(world: World, item: Item, id: Id, player: Player = ACTIVE) -> None:
    """That player controls a Saga from now on."""
    world.of(Sagas).owners.append((id, world.player_of(player)))


def _add_lore_counters(world: World, players: tuple[str, ...], manner: str) -> None:
    sagas = world.of(Sagas)
    sagas.lore += [(id, world.turn) for id, owner in sagas.owners if owner in players]


@WORDS.check("lore", after="put_on_stack", schema=list_of(FIRST), needs="action:add_lore_counters")
def on_turns(outcome: Outcome, entry: ExpectEntry) -> Iterator[Discrepancy]:
    """Turns in which that Saga got a turn-based lore counter."""
    got = [turn for id, turn in outcome.log.of(Sagas).lore if id == entry["lore"]]
    yield f"turns in which Saga {entry['lore']} gets a lore counter", list(entry["on_turns"]), got


# mana ---------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Pool:
    """A player's mana: what can empty, and what effects keep for a time, by the id of the effect."""

    loose: int = 0
    kept: dict[str, int] = field(default_factory=dict)

    @property
    def amount(self) -> int:
        """How much mana it is."""
        return self.loose + sum(self.kept.values())

    def release(self, effects: Sequence[str]) -> None:
        """Turn mana whose effect has ended into mana that can empty."""
        for effect in [effect for effect in self.kept if effect not in effects]:
            self.loose += self.kept.pop(effect)

    def spend(self, amount: int) -> None:
        """Remove mana, first what can empty."""
        spent = min(amount, self.loose)
        self.loose -= spent
        for effect, held in self.kept.items():
            self.kept[effect] = held - min(amount - spent, held)
            spent += held - self.kept[effect]


@dataclass(frozen=True, slots=True)
class ManaBurn:
    """Life that a player lost to mana burn at the end of a phase: its turn and its number in it."""

    phase: tuple[int, int]
    player: str
    amount: int


@dataclass
class Mana(GameState):
    """The mana of each player, what was unspent in each visit before it emptied, and the life lost
    by it.
    """

    pools: dict[str, Pool] = field(default_factory=dict)
    seen: dict[Where, dict[str, int]] = field(default_factory=dict)
    burns: list[ManaBurn] = field(default_factory=list)

    def resume_visit(self, world: World) -> None:
        self.seen.pop(world.where, None)

    def leave_visit(self, world: World) -> None:
        self.seen.setdefault(
            world.where, {player: pool.amount for player, pool in self.pools.items()}
        )

    def lose_player(self, world: World, player: str) -> None:
        self.pools.pop(player, None)

    def pool(self, player: str) -> Pool:
        """Return the mana of a player."""
        return self.pools.setdefault(player, Pool())


@WORDS.verb(after="rollback", needs=(_HAS_MANA,))
def add_mana(
    world: World,
    item: Item,
    player: Player = ACTIVE,
    amount: Number = 1,
    persists: Persists = "none",
) -> None:
    """Mana into the player's pool; `until_...`: it does not empty before such an effect ends."""
    player = world.player_of(player)
    pool = world.of(Mana).pool(player)
    if persists == "none":
        pool.loose += amount
        return
    effect = f"mana of {item.place}"
    pool.kept[effect] = amount
    world.effects.append(effect)
    world.orders.append(Effect(effect, player, persists.removeprefix("until_")))


@WORDS.verb(after="rollback", needs=(_HAS_MANA,))
def spend_mana(world: World, item: Item, player: Player = ACTIVE, amount: Number = 1) -> None:
    """Mana from the player's pool, first what would be lost first."""
    player = world.player_of(player)
    pool = world.of(Mana).pool(player)
    if amount > pool.amount:
        world.complaints.append(
            f"{item.place}: {player} has only {pool.amount} mana to spend in {world.where}, not {amount}"
        )
    pool.spend(amount)


def _empty(world: World, players: tuple[str, ...], manner: str) -> None:
    mana = world.of(Mana)
    mana.leave_visit(world)
    for pool in mana.pools.values():
        pool.release(world.effects)
        pool.loose = 0


def _burn(world: World, players: tuple[str, ...], manner: str) -> None:
    """Remove unspent mana, with a loss of one life for each. Players controlled by others lose no
    life (507.4).
    """
    mana, controlled = world.of(Mana), world.team if world.decider != world.active else ()
    for pool in mana.pools.values():
        pool.release(world.effects)
    lost = {player: pool.loose for player, pool in mana.pools.items() if player not in controlled}
    mana.burns += [
        ManaBurn(world.phase, player, amount) for player, amount in lost.items() if amount
    ]
    _empty(world, players, manner)


@WORDS.check(
    after="put_on_stack",
    schema=object_of(("turn", "step", "player", "amount"), **WHERE, player=WORD, amount=NUMBER),
    needs=_HAS_MANA,
)
def mana_at(outcome: Outcome, entry: ExpectEntry) -> Iterator[Discrepancy]:
    """Unspent mana while that step is under way: what is there just before it empties."""
    claim = entry["mana_at"]
    where, player = where_of(claim), claim["player"]
    got = at_visit(
        outcome, where, lambda v: outcome.log.of(Mana).seen.get(where, {}).get(player, 0)
    )
    yield f"mana of {player} in {where}", claim["amount"], got


@WORDS.check(
    after="put_on_stack",
    schema=object_of(
        ("turn", "phase", "player", "amount"),
        turn=FIRST,
        phase=WORD,
        iteration=FIRST,
        player=WORD,
        amount=NUMBER,
    ),
    needs="action:lose_mana",
)
def burn(outcome: Outcome, entry: ExpectEntry) -> Iterator[Discrepancy]:
    """How much life that player loses by unspent mana as that phase ends."""
    claim = entry["burn"]
    player, nth = claim["player"], claim.get("iteration", 1)
    phases = [
        v.phase_id for v in outcome.visits if (v.turn, v.phase) == (claim["turn"], claim["phase"])
    ]
    ids = list(dict.fromkeys(phases))
    got: object = Missing("no such phase")
    if len(ids) >= nth:
        burns = outcome.log.of(Mana).burns
        phase = claim["turn"], ids[nth - 1]
        got = sum(b.amount for b in burns if (b.phase, b.player) == (phase, player))
    where = Where(claim["turn"], claim["phase"], nth)
    yield f"life that {player} loses by mana in {where}", claim["amount"], got


MAGIC = GameParts(
    WORDS,
    states=(Hand, DayNight, Sagas, Mana),
    contexts={"lore": ("saga",)},
    actions={
        "discard_to_hand_size": _discard,
        "day_night": _check_day_night,
        "add_lore_counters": _add_lore_counters,
        "empty_mana": _empty,
        "lose_mana": _burn,
    },
)
