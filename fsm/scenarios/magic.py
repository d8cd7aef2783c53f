"""What Magic needs of the scripted game: combat, hand, day and night, Sagas, mana."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from msgspec import Struct, field
from msgspec.structs import asdict, replace

from fsm.engine.requests import Perform, Position
from fsm.runs.where import Where
from fsm.scenarios.scenario import Item, Name, Number
from fsm.scenarios.verbs import Ending, Verb, VerbRow
from fsm.scenarios.words import Words
from fsm.state.orders import Effect, EndPhase

if TYPE_CHECKING:
    from fsm.scenarios.game import Game

# creatures in combat ------------------------------------------------------------------------------

COMBAT_DAMAGE = "combat_damage"
"""The name of combat damage as an object on the stack."""


class Creature(Struct):
    """A creature in combat. `blocks` is the attacker that it blocks; `blocked` means that it has
    been blocked.
    """

    id: str
    side: str
    power: int
    first_strike: bool
    double_strike: bool
    blocks: str
    blocked: bool = False

    @property
    def strikes_first(self) -> bool:
        """Whether it has first or double strike."""
        return self.first_strike or self.double_strike


class Combat(Struct):
    """One combat.

    Attributes
    ----------
    creatures
        The creatures that were named, by their ids.
    named
        Whether any creature was named. If none was, all attackers assign damage.
    had, doubled
        The creatures that had first or double strike as damage began, and those with double strike.
    done
        The creatures whose damage was dealt.
    pending
        The creatures that have assigned damage which is not dealt yet.
    """

    creatures: dict[str, Creature] = {}
    named: bool = False
    had: set[str] = set()
    doubled: set[str] = set()
    done: set[str] = set()
    pending: list[str] = []

    def add(self, creature: Creature) -> None:
        """Put a creature into combat. What it blocks becomes blocked."""
        self.creatures[creature.id] = creature
        self.named = True
        if creature.blocks in self.creatures:
            blocked = self.creatures[creature.blocks]
            self.creatures[creature.blocks] = replace(blocked, blocked=True)

    def remove_attackers(self) -> None:
        """Remove all attackers from combat."""
        self.creatures = {c.id: c for c in self.creatures.values() if c.side != "attacker"}

    def assign(self, manner: str) -> list[str]:
        """Return who assigns damage now: attackers first, then blockers, each in the order in which
        they came.
        """
        if manner == "first_or_double_strike":
            self.had |= {c.id for c in self.creatures.values() if c.strikes_first}
            self.doubled |= {c.id for c in self.creatures.values() if c.double_strike}
        found = list[str]()
        for creature in sorted(self.creatures.values(), key=lambda c: c.side != "attacker"):
            wanted = MANNERS[manner](self, creature) and creature.id not in self.pending
            if wanted and self._can_assign(creature):
                found.append(creature.id)
        self.pending += found
        return found

    def _can_assign(self, creature: Creature) -> bool:
        """Say whether it has power, and anything to deal damage to."""
        if creature.power <= 0:
            return False
        if creature.side == "attacker":
            blockers = [c for c in self.creatures.values() if c.blocks == creature.id]
            return not creature.blocked or bool(blockers)
        return not creature.blocks or creature.blocks in self.creatures

    def take(self) -> list[str]:
        """Return the creatures whose assigned damage is now dealt or becomes an object."""
        self.done.update(self.pending)
        taken, self.pending = self.pending, []
        return taken


MANNERS: Mapping[str, Callable[[Combat, Creature], bool]] = {
    "": lambda combat, creature: True,
    "first_or_double_strike": lambda combat, creature: creature.strikes_first,
    "others_and_double_strike": lambda combat, creature: (
        creature.id not in combat.had or creature.double_strike
    ),
    "not_yet_assigned_or_double_strike": lambda combat, creature: (
        creature.id not in combat.done or creature.double_strike
    ),
    "not_yet_assigned_or_double_strike_unless_stopped": lambda combat, creature: (
        creature.double_strike or creature.id not in combat.done | combat.doubled
    ),
    "without_first_strike": lambda combat, creature: not creature.first_strike,
}
"""Decides who assigns damage, by the model's word for the manner."""


# mana ---------------------------------------------------------------------------------------------


class Pool(Struct):
    """A player's mana: what can empty, and what effects keep, by the id of the effect."""

    loose: int = 0
    kept: dict[str, int] = {}

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


# what the game remembers --------------------------------------------------------------------------


class DayNightTrigger(Verb):
    """An ability that triggers as day becomes night, or night becomes day."""

    id: Name
    whose: Name = "each"
    limit: str = ""

    def happen(self, game: Game) -> None:
        game.magic.changes.append((self, game.item))


class Magic(Struct):
    """What only Magic remembers of a game. What is noted by visit is for expectations.

    Attributes
    ----------
    combat_phases, declarations
        The names of the phases that are combat, and of the steps in which attackers are declared.
    fighting
        Whether such a phase is under way.
    attackers, declared
        How many creatures attack, and how many are declared in this visit.
    first_strike
        Whether a creature has first strike, if none was named.
    combat
        The creatures that were named.
    assigned, dealt
        The creatures that assigned damage, and whose damage was dealt, by visit.
    hand
        How many cards the active player has, of how many.
    discards
        How many cards were discarded, by visit.
    designation
        Day or night now. `designations` has it as each visit ended.
    changes
        The abilities that trigger on day or night. `last_change` has the turn in which each did.
    spells, spells_before
        How many spells were cast this turn, and in the last one.
    sagas
        The Sagas with their players.
    lore
        The Sagas with the turns in which each got a lore counter.
    pools
        The mana of each player. `mana` has it as each visit ended.
    burns
        The life lost to mana burn: the turn and the number of the phase, the player, and how much.
    """

    combat_phases: frozenset[str]
    declarations: frozenset[str]
    fighting: bool = False
    attackers: int = 0
    declared: int = 0
    first_strike: bool = False
    combat: Combat = field(default_factory=Combat)
    assigned: dict[Where, list[str]] = {}
    dealt: dict[Where, list[str]] = {}
    hand: tuple[int, int] = (0, 0)
    discards: dict[Where, int] = {}
    designation: str = "neither"
    designations: dict[Where, str] = {}
    changes: list[tuple[DayNightTrigger, Item]] = []
    last_change: dict[str, int] = {}
    spells: int | None = None
    spells_before: int | None = None
    sagas: list[tuple[str, str]] = []
    lore: list[tuple[str, int]] = []
    pools: dict[str, Pool] = {}
    mana: dict[Where, dict[str, int]] = {}
    burns: list[tuple[tuple[int, int], str, int]] = []

    @classmethod
    def of(cls, words: Words) -> Magic:
        """Return what is remembered as a game of this model begins."""
        declarations = frozenset(words.actions.get("declare_attackers", ()))
        return cls(words.phases_with("declare_attackers"), declarations)

    # what happens to the turn

    def begin_turn(self) -> None:
        """Count the spells of a turn anew."""
        self.spells_before, self.spells = self.spells, 0

    def begin_visit(self) -> None:
        """Forget what was said of the last visit."""
        self.declared, self.hand = 0, (0, 0)
        self.combat.take()

    def leave_visit(self, where: Where) -> None:
        """Note what expectations ask of a visit that ends, or waits."""
        self.designations[where] = self.designation
        amounts = {player: pool.amount for player, pool in self.pools.items()}
        self.mana.setdefault(where, amounts)

    def resume_visit(self, where: Where) -> None:
        """Go on with a visit that waited while another phase was inside it."""
        self.mana.pop(where, None)

    def move(self, at: Position) -> None:
        """Come to a position."""
        if self.fighting and at.phase not in self.combat_phases:
            self.end_combat()
        self.fighting = at.phase in self.combat_phases

    def begin_phase(self) -> None:
        """Begin another phase: a combat is forgotten as the next one begins."""
        if self.fighting:
            self.end_combat()

    def end_combat(self) -> None:
        """Remove everything from combat."""
        self.attackers, self.declared, self.first_strike = 0, 0, False
        self.combat = Combat()

    def remove_attackers(self) -> None:
        """Remove all attackers from combat."""
        self.attackers, self.first_strike = 0, False
        self.combat.remove_attackers()

    def lose_player(self, game: Game, player: str) -> None:
        """Remove what a player has who leaves."""
        self.sagas = [(id, owner) for id, owner in self.sagas if owner != player]
        self.pools.pop(player, None)
        if game.team and game.left.issuperset(game.team):
            self.remove_attackers()

    # what verbs do

    def enter(self, game: Game, count: int, fact: str) -> None:
        """Let creatures attack that were not declared, and tell it by this fact."""
        if self.fighting and count:
            self.attackers += count
            game.report.add(fact)

    def designate(self, game: Game, value: str) -> None:
        """Set day or night. Abilities trigger when day becomes night or night becomes day."""
        changed = {self.designation, value} == {"day", "night"}
        self.designation = value
        for ability, item in self.changes if changed else ():
            concerns = ability.whose in ("each", *game.team)
            again = ability.limit and self.last_change.get(ability.id) == game.turn
            if concerns and not again:
                self.last_change[ability.id] = game.turn
                game.trigger(ability.id, "", item.then)

    def pool(self, player: str) -> Pool:
        """Return the mana of a player."""
        return self.pools.setdefault(player, Pool())


# combat: verbs ------------------------------------------------------------------------------------


class Attackers(Verb):
    """Declared at that declaration; flag: some attacker or blocker has first or double strike."""

    count: Number = 1
    first_strike: bool = False

    def happen(self, game: Game) -> None:
        magic = game.magic
        magic.declared += self.count
        magic.first_strike = magic.first_strike or (self.first_strike and self.count > 0)


class PutAttacking(Verb):
    """Put onto the battlefield attacking now; outside combat nothing attacks."""

    count: Number = 1

    def happen(self, game: Game) -> None:
        game.magic.enter(game, self.count, "put_in_attacking")


class StateAttacking(Verb):
    """An effect states that creatures already there are attacking; outside combat, none is."""

    count: Number = 1

    def happen(self, game: Game) -> None:
        game.magic.enter(game, self.count, "stated_attacking")


class RemoveAttackers(Verb):
    """No attacker is left in combat from now on, and first strike goes with them."""

    def happen(self, game: Game) -> None:
        game.magic.remove_attackers()


class FirstStrike(Verb):
    """From now on some / no creature in this combat has first or double strike; outside combat it
    has no effect.
    """

    value: bool = True

    def happen(self, game: Game) -> None:
        if game.magic.fighting:
            game.magic.first_strike = self.value
        else:  # a later combat must not inherit it
            game.complain(f"first_strike has no effect: {game.where} is in no combat")


class Combatant(Verb):
    """A creature in combat from now on: declared with the declaration of attackers or blockers, at
    another time put in attacking or blocking; `blocks`: the attacker it blocks.
    """

    id: Name
    side: Literal["attacker", "blocker"]
    power: int = 1
    first_strike: bool = False
    double_strike: bool = False
    blocks: Name = ""

    def happen(self, game: Game) -> None:
        magic = game.magic
        if not magic.fighting:
            game.complain(f"{self.id} is in no combat: {game.where} is not in one")
            return
        magic.combat.add(Creature(**asdict(self)))
        if self.side == "blocker":
            return
        if game.with_action and game.where.step in magic.declarations:
            magic.declared += 1
        else:
            magic.enter(game, 1, "put_in_attacking")


class ChangeCombatant(Verb):
    """That creature is so from now on; a `blocked` attacker assigns damage only while something
    blocks it.
    """

    id: Name
    power: int | None = None
    first_strike: bool | None = None
    double_strike: bool | None = None
    blocked: bool | None = None

    def happen(self, game: Game) -> None:
        creatures = game.magic.combat.creatures
        if self.id in creatures:
            changes = {name: value for name, value in asdict(self).items() if value is not None}
            creatures[self.id] = replace(creatures[self.id], **changes)
        else:
            game.complain(f"{self.id} is not in combat in {game.where}")


class RemoveCombatant(Verb):
    """That creature is in combat no longer; damage it has assigned is dealt all the same."""

    id: Name

    def happen(self, game: Game) -> None:
        if game.magic.combat.creatures.pop(self.id, None) is None:
            game.complain(f"{self.id} is not in combat in {game.where}")


# hand, day and night, Sagas, mana: verbs ----------------------------------------------------------


class HandSize(Verb):
    """The active player's hand as that cleanup starts."""

    cards: Number
    max: Number = 7

    def happen(self, game: Game) -> None:
        game.magic.hand = (self.cards, self.max)


class DayNight(Verb):
    """Set the designation."""

    value: Literal["day", "night", "neither"]

    def happen(self, game: Game) -> None:
        game.magic.designate(game, self.value)


class SpellsCast(Verb):
    """How many spells the active player has cast this turn."""

    count: Number

    def happen(self, game: Game) -> None:
        game.magic.spells = self.count


class Saga(Verb):
    """That player controls a Saga from now on."""

    id: Name
    player: Name = ""

    def happen(self, game: Game) -> None:
        game.magic.sagas.append((self.id, self.player or game.player))


class AddMana(Verb):
    """Mana into the player's pool; `until_...`: it does not empty before such an effect ends."""

    player: Name = ""
    amount: Number = 1
    persists: Literal["none", "until_end_of_turn", "until_end_of_combat"] = "none"

    def happen(self, game: Game) -> None:
        player = self.player or game.player
        pool = game.magic.pool(player)
        if self.persists == "none":
            pool.loose += self.amount
            return
        effect = f"mana of {game.item.place}"
        pool.kept[effect] = self.amount
        game.give(Effect(effect, player, self.persists.removeprefix("until_")))


class SpendMana(Verb):
    """Mana from the player's pool, first what would be lost first."""

    player: Name = ""
    amount: Number = 1

    def happen(self, game: Game) -> None:
        player = self.player or game.player
        pool = game.magic.pool(player)
        if self.amount > pool.amount:
            has = f"{player} has only {pool.amount} mana to spend in {game.where}"
            game.complain(f"{has}, not {self.amount}")
        pool.spend(self.amount)


_COMBAT = "the action declare_attackers"
_CREATURES = "an action that assigns damage"
_DAY_NIGHT = "the action day_night"
_MANA = "the action empty_mana or the action lose_mana"
VERBS: Mapping[str, VerbRow] = {
    "end_combat": VerbRow(EndPhase, Ending, needs=_COMBAT, at="priority", opening=False),
    "attackers": VerbRow(
        Attackers,
        needs=_COMBAT,
        at="begin",
        opening=False,
        nested=False,
        home="declare_attackers",
    ),
    "put_attacking": VerbRow(PutAttacking, needs="the fact put_in_attacking", opening=False),
    "state_attacking": VerbRow(StateAttacking, needs=_COMBAT, opening=False),
    "remove_attackers": VerbRow(RemoveAttackers, needs=_COMBAT, opening=False),
    "first_strike": VerbRow(FirstStrike, needs=_COMBAT, opening=False),
    "combatant": VerbRow(Combatant, needs=_CREATURES, opening=False),
    "change_combatant": VerbRow(ChangeCombatant, needs=_CREATURES, opening=False),
    "remove_combatant": VerbRow(RemoveCombatant, needs=_CREATURES, opening=False),
    "hand_size": VerbRow(
        HandSize,
        needs="the action discard_to_hand_size",
        at="begin",
        opening=False,
        nested=False,
        home="discard_to_hand_size",
    ),
    "day_night": VerbRow(DayNight, needs=_DAY_NIGHT),
    "spells_cast": VerbRow(SpellsCast, needs=_DAY_NIGHT),
    "saga": VerbRow(Saga, needs="the action add_lore_counters"),
    "add_mana": VerbRow(AddMana, needs=_MANA),
    "spend_mana": VerbRow(SpendMana, needs=_MANA),
}


# actions and facts --------------------------------------------------------------------------------


def _declare_attackers(game: Game, request: Perform) -> None:
    magic = game.magic
    if not request.by:
        magic.declared, magic.first_strike = 0, False
        magic.combat.remove_attackers()
    magic.attackers += magic.declared


def _assign(game: Game, request: Perform) -> None:
    if request.manner in MANNERS:
        assigned = game.magic.assigned.setdefault(game.where, [])
        assigned += game.magic.combat.assign(request.manner)


def _put_damage_on_stack(game: Game, request: Perform) -> None:
    taken = game.magic.combat.take()
    game.put(COMBAT_DAMAGE, "", resolve=lambda: _deal(game, taken))


def _deal(game: Game, creatures: list[str]) -> None:
    game.magic.dealt.setdefault(game.where, []).extend(creatures)


def _discard(game: Game, request: Perform) -> None:
    magic = game.magic
    cards, most = magic.hand if request.by else (0, 0)
    before = magic.discards.get(game.where, 0)
    magic.discards[game.where] = before + max(0, cards - most)


def _check_day_night(game: Game, request: Perform) -> None:
    """Perform the turn-based action, which depends on the spells of the turn before (CR 730.2)."""
    magic = game.magic
    if magic.spells_before is None:
        return
    if magic.designation == "day" and magic.spells_before == 0:
        magic.designate(game, "night")
    elif magic.designation == "night" and magic.spells_before >= 2:
        magic.designate(game, "day")


def _add_lore_counters(game: Game, request: Perform) -> None:
    for id, owner in game.magic.sagas:
        if owner in request.by:
            game.magic.lore.append((id, game.turn))


def _empty_mana(game: Game, request: Perform) -> None:
    game.magic.leave_visit(game.where)
    for pool in game.magic.pools.values():
        pool.release(game.effects)
        pool.loose = 0


def _burn_mana(game: Game, request: Perform) -> None:
    """Remove unspent mana, with a loss of one life for each. Players controlled by others lose no
    life (507.4).
    """
    magic, controlled = game.magic, game.team if game.decider != game.active else ()
    for player, pool in magic.pools.items():
        pool.release(game.effects)
        if pool.loose and player not in controlled:
            magic.burns.append((game.phase, player, pool.loose))
    _empty_mana(game, request)


ACTIONS: Mapping[str, Callable[[Game, Perform], None]] = {
    "declare_attackers": _declare_attackers,
    "remove_from_combat": lambda game, request: game.magic.end_combat(),
    "put_damage_on_stack": _put_damage_on_stack,
    "deal_combat_damage": lambda game, request: _deal(game, game.magic.combat.take()),
    "assign_*": _assign,
    "discard_to_hand_size": _discard,
    "day_night": _check_day_night,
    "add_lore_counters": _add_lore_counters,
    "empty_mana": _empty_mana,
    "lose_mana": _burn_mana,
}
"""What an action changes. A name that ends with "*" stands for every action that begins so."""


def _has_first_strike(game: Game) -> bool:
    creatures = game.magic.combat.creatures.values()
    return game.magic.first_strike or any(creature.strikes_first for creature in creatures)


def _damage_assigned(game: Game) -> bool:
    """Say whether somebody assigned damage here. If no creature is named, all attackers do."""
    magic = game.magic
    return bool(magic.assigned.get(game.where)) if magic.combat.named else magic.attackers > 0


FACTS: Mapping[str, Callable[[Game], bool]] = {
    "attackers_declared": lambda game: game.magic.declared > 0,
    "first_strike_in_combat": _has_first_strike,
    "damage_assigned": _damage_assigned,
}
"""The facts that the game works out. Any other is false."""
