"""What Magic needs of the scripted game: combat, hand, day and night, Sagas, mana."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, ClassVar, Literal

from msgspec import Struct, field

from fsm.engine.requests import Perform
from fsm.scenarios.scenario import Item, Name, Number
from fsm.scenarios.verbs import ENDING, NOW, RESOLVING, StackObject, Verb, VerbRow
from fsm.state.orders import Effect, EndPhase, StandingTrigger

if TYPE_CHECKING:
    from fsm.scenarios.game import Game, VisitLog

# what the game remembers --------------------------------------------------------------------------

COMBAT_DAMAGE = "combat_damage"
"""The name of combat damage as an object on the stack."""
ASSIGNING = ("assign_combat_damage", "assign_attackers", "assign_unblocked", "assign_blockers")
"""The actions with which creatures assign damage."""


class Creature(Struct):
    """A creature in combat.

    Attributes
    ----------
    id, side, power, first_strike, double_strike, blocks
        As `Combatant` says.
    blocked
        Whether it has been blocked.
    had, doubled
        Whether it had first or double strike, or double strike, as the first damage was assigned.
    done
        Whether its damage was dealt, or became an object.
    """

    id: str
    side: str
    power: int
    first_strike: bool
    double_strike: bool
    blocks: str
    blocked: bool = False
    had: bool = False
    doubled: bool = False
    done: bool = False

    @property
    def strikes_first(self) -> bool:
        """Whether it has first or double strike."""
        return self.first_strike or self.double_strike


MANNERS: Mapping[str, Callable[[Creature], bool]] = {
    "": lambda creature: True,
    "first_or_double_strike": lambda creature: creature.strikes_first,
    "others_and_double_strike": lambda creature: not creature.had or creature.double_strike,
    "not_yet_assigned_or_double_strike": lambda creature: (
        not creature.done or creature.double_strike
    ),
    "not_yet_assigned_or_double_strike_unless_stopped": lambda creature: (
        not (creature.done or creature.doubled) or creature.double_strike
    ),
    "without_first_strike": lambda creature: not creature.first_strike,
}
"""Decides who assigns damage, by the model's word for the manner."""


class Combat(Struct):
    """One combat.

    Attributes
    ----------
    attackers, declared
        How many creatures attack, and how many were declared in this visit.
    first_strike
        Whether a creature has first strike, if none was named.
    creatures
        The creatures that were named, by their ids.
    named
        Whether any creature was named. If none was, all attackers assign damage.
    pending
        The creatures that have assigned damage which is not dealt yet.
    """

    attackers: int = 0
    declared: int = 0
    first_strike: bool = False
    creatures: dict[str, Creature] = {}
    named: bool = False
    pending: list[str] = []

    def remove_attackers(self) -> None:
        """Remove all attackers from combat."""
        self.attackers, self.first_strike = 0, False
        self.creatures = {c.id: c for c in self.creatures.values() if c.side != "attacker"}

    def assign(self, manner: str) -> list[str]:
        """Return who assigns damage now: attackers first, then blockers, each in the order in which
        they came.
        """
        creatures = self.creatures.values()
        if manner == "first_or_double_strike":
            for creature in creatures:
                creature.had |= creature.strikes_first
                creature.doubled |= creature.double_strike
        found = list[str]()
        for creature in sorted(creatures, key=lambda c: c.side != "attacker"):
            wanted = MANNERS[manner](creature) and creature.id not in self.pending
            if wanted and creature.power > 0 and self._has_aim(creature):
                found.append(creature.id)
        self.pending += found
        return found

    def _has_aim(self, creature: Creature) -> bool:
        """Say whether a creature has anything to deal damage to."""
        if creature.side == "blocker":
            return not creature.blocks or creature.blocks in self.creatures
        blockers = [c for c in self.creatures.values() if c.blocks == creature.id]
        return not creature.blocked or bool(blockers)

    def take(self) -> list[str]:
        """Return the creatures whose assigned damage is now dealt or becomes an object."""
        taken, self.pending = self.pending, []
        for id in self.creatures.keys() & taken:
            self.creatures[id].done = True
        return taken


class Magic(Struct):
    """What only Magic remembers of a game.

    Attributes
    ----------
    combat
        The combat under way, or an empty one.
    designation
        Day or night.
    changes
        The abilities that trigger on day or night. `last_change` has the turn in which each did.
    spells, spells_before
        How many spells were cast this turn, and in the last one.
    sagas
        The Sagas with their players.
    mana
        The mana of each player: by the player, and the effect that keeps it while it is on, or "".
    """

    combat: Combat = field(default_factory=Combat)
    designation: str = "neither"
    changes: list[tuple[StandingTrigger, Item]] = []
    last_change: dict[str, int] = {}
    spells: int | None = None
    spells_before: int | None = None
    sagas: list[tuple[str, str]] = []
    mana: Counter[tuple[str, str]] = field(default_factory=Counter)

    def begin_turn(self) -> None:
        """Count the spells of a turn anew."""
        self.spells_before, self.spells = self.spells, 0

    def begin_visit(self) -> None:
        """Forget what was said of the last visit."""
        self.combat.declared = 0
        self.combat.take()

    def note(self, visit: VisitLog) -> None:
        """Note what expectations ask of a visit that ends: its mana as it was before it emptied."""
        visit.designation = self.designation
        if visit.mana is None:
            visit.mana = Counter()
            for (player, _), amount in self.mana.items():
                visit.mana[player] += amount

    def lose_players(self, game: Game) -> None:
        """Remove what players have who have left."""
        self.mana = Counter({key: n for key, n in self.mana.items() if key[0] not in game.left})
        if game.is_deserted:
            self.combat.remove_attackers()


# combat: verbs ------------------------------------------------------------------------------------


def _fights(game: Game) -> bool:
    """Say whether combat is under way."""
    model, steps = game.words.model, game.words.actions.get("declare_attackers", ())
    phases = [model.enclosing(game.words.steps[step], "phase") for step in steps]
    return any(phase and game.at and phase.name == game.at.phase for phase in phases)


def _creature(game: Game, id: str) -> Creature | None:
    """Return a creature in combat. If it is none, the item has no effect."""
    creature = game.magic.combat.creatures.get(id)
    if creature is None:
        game.complain(f"{id} is not in combat in {game.where}")
    return creature


class Attackers(Verb, kw_only=True):
    """Declared at that declaration; flag: some attacker or blocker has first or double strike."""

    count: Number = 1
    first_strike: bool = False

    def happen(self, game: Game) -> None:
        if not game.is_deserted:
            combat = game.magic.combat
            combat.attackers += self.count
            combat.declared += self.count
            combat.first_strike |= self.first_strike and self.count > 0


class PutAttacking(Verb, kw_only=True):
    """Put onto the battlefield attacking now; outside combat nothing attacks."""

    tells: ClassVar[str] = "put_in_attacking"
    count: Number = 1

    def happen(self, game: Game) -> None:
        if _fights(game) and self.count:
            game.magic.combat.attackers += self.count
            game.told[""][self.tells] = True


class StateAttacking(PutAttacking):
    """An effect states that creatures already there are attacking; outside combat, none is."""

    tells: ClassVar[str] = "stated_attacking"


class RemoveAttackers(Verb):
    """No attacker is left in combat from now on, and first strike goes with them."""

    def happen(self, game: Game) -> None:
        game.magic.combat.remove_attackers()


class FirstStrike(Verb, kw_only=True):
    """From now on some / no creature in this combat has first or double strike; outside combat it
    has no effect.
    """

    value: bool = True

    def happen(self, game: Game) -> None:
        if _fights(game):
            game.magic.combat.first_strike = self.value
        else:  # a later combat must not inherit it
            game.complain(f"first_strike has no effect: {game.where} is in no combat")


class Combatant(Verb, kw_only=True):
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
        combat = game.magic.combat
        if not _fights(game):
            game.complain(f"{self.id} is in no combat: {game.where} is not in one")
            return
        strikes = self.first_strike, self.double_strike
        combat.creatures[self.id] = Creature(self.id, self.side, self.power, *strikes, self.blocks)
        combat.named = True
        if self.blocks in combat.creatures:
            combat.creatures[self.blocks].blocked = True
        declares = game.where.step in game.words.actions.get("declare_attackers", ())
        if self.side == "attacker":
            (Attackers if game.with_action and declares else PutAttacking)().happen(game)


class ChangeCombatant(Verb, kw_only=True):
    """That creature is so from now on; a `blocked` attacker assigns damage only while something
    blocks it.
    """

    id: Name
    power: int | None = None
    first_strike: bool | None = None
    double_strike: bool | None = None
    blocked: bool | None = None

    def happen(self, game: Game) -> None:
        creature = _creature(game, self.id)
        for name in ("power", "first_strike", "double_strike", "blocked"):
            value = getattr(self, name)
            if creature is not None and value is not None:
                setattr(creature, name, value)


class RemoveCombatant(Verb, kw_only=True):
    """That creature is in combat no longer; damage it has assigned is dealt all the same."""

    id: Name

    def happen(self, game: Game) -> None:
        if _creature(game, self.id) is not None:
            del game.magic.combat.creatures[self.id]


# hand, day and night, Sagas, mana: verbs ----------------------------------------------------------


class HandSize(Verb, kw_only=True):
    """The active player's hand as that cleanup starts."""

    cards: Number
    max: Number = 7

    def happen(self, game: Game) -> None:
        if not game.is_deserted:
            game.visit.discards += max(0, self.cards - self.max)


class DayNight(Verb, kw_only=True):
    """Set the designation."""

    value: Literal["day", "night", "neither"]

    def happen(self, game: Game) -> None:
        _designate(game, self.value)


class SpellsCast(Verb, kw_only=True):
    """How many spells the active player has cast this turn."""

    count: Number

    def happen(self, game: Game) -> None:
        game.magic.spells = self.count


class Saga(Verb, kw_only=True):
    """That player controls a Saga from now on."""

    id: Name
    player: Name = ""

    def happen(self, game: Game) -> None:
        game.magic.sagas.append((self.id, self.player or game.player))


class AddMana(Verb, kw_only=True):
    """Mana into the player's pool; `until_...`: it does not empty before such an effect ends."""

    player: Name = ""
    amount: Number = 1
    persists: Literal["none", "until_end_of_turn", "until_end_of_combat"] = "none"

    def happen(self, game: Game) -> None:
        player, kept = self.player or game.player, ""
        if self.persists != "none":
            kept = f"mana of {game.item.place}"
            game.give(Effect(kept, player, self.persists.removeprefix("until_")))
        game.magic.mana[player, kept] += self.amount


class SpendMana(Verb, kw_only=True):
    """Mana from the player's pool, first what would be lost first."""

    player: Name = ""
    amount: Number = 1

    def happen(self, game: Game) -> None:
        player, left = self.player or game.player, self.amount
        mana = game.magic.mana
        for key in sorted(mana, key=lambda key: key[1] in game.effects):
            spent = min(left, mana[key]) if key[0] == player else 0
            mana[key] -= spent
            left -= spent
        if left:
            has = f"{player} has only {self.amount - left} mana to spend in {game.where}"
            game.complain(f"{has}, not {self.amount}")


_COMBAT = "the action declare_attackers"
_CREATURES = "the action assign_combat_damage or the action assign_attackers"
_DAY_NIGHT = "the action day_night"
_MANA = "the action empty_mana or the action lose_mana"
ROWS = (
    VerbRow("end_combat", EndPhase, ENDING, f"{_COMBAT} and the event end_phase", RESOLVING),
    VerbRow("attackers", Attackers, home="declare_attackers"),
    VerbRow("put_attacking", PutAttacking, needs="the fact put_in_attacking", at=NOW),
    VerbRow("state_attacking", StateAttacking, needs=_COMBAT, at=NOW),
    VerbRow("remove_attackers", RemoveAttackers, needs=_COMBAT, at=NOW),
    VerbRow("first_strike", FirstStrike, needs=_COMBAT, at=NOW),
    VerbRow("combatant", Combatant, needs=_CREATURES, at=NOW),
    VerbRow("change_combatant", ChangeCombatant, needs=_CREATURES, at=NOW),
    VerbRow("remove_combatant", RemoveCombatant, needs=_CREATURES, at=NOW),
    VerbRow("hand_size", HandSize, home="discard_to_hand_size"),
    VerbRow("day_night", DayNight, needs=_DAY_NIGHT),
    VerbRow("spells_cast", SpellsCast, needs=_DAY_NIGHT),
    VerbRow("saga", Saga, needs="the action add_lore_counters"),
    VerbRow("add_mana", AddMana, needs=_MANA),
    VerbRow("spend_mana", SpendMana, needs=_MANA),
)


# actions and facts --------------------------------------------------------------------------------


def _assign(game: Game, request: Perform) -> None:
    if request.manner in MANNERS:
        game.visit.assigned += game.magic.combat.assign(request.manner)


def _put_damage_on_stack(game: Game, request: Perform) -> None:
    taken = game.magic.combat.take()
    game.put(StackObject(COMBAT_DAMAGE, "", resolve=lambda: game.visit.dealt.extend(taken)))


def _designate(game: Game, value: str) -> None:
    """Set day or night. Abilities trigger when day becomes night or night becomes day."""
    magic = game.magic
    changed = {magic.designation, value} == {"day", "night"}
    magic.designation = value
    for ability, item in magic.changes if changed else ():
        concerns = ability.whose in ("each", *game.team)
        again = ability.first_each_turn and magic.last_change.get(ability.id) == game.where.turn
        if concerns and not again:
            magic.last_change[ability.id] = game.where.turn
            game.trigger(ability.id, "", item.then)


def _check_day_night(game: Game, request: Perform) -> None:
    """Perform the turn-based action, which depends on the spells of the turn before (CR 730.2)."""
    magic = game.magic
    if magic.spells_before is None:
        return
    if magic.designation == "day" and magic.spells_before == 0:
        _designate(game, "night")
    elif magic.designation == "night" and magic.spells_before >= 2:
        _designate(game, "day")


def _add_lore_counters(game: Game, request: Perform) -> None:
    owners = request.by
    game.visit.lore += [id for id, owner in game.magic.sagas if owner in owners]


def _empty_mana(game: Game, request: Perform) -> None:
    """Empty all mana that no effect keeps. Where it is lost with a loss of life, each mana costs
    one, but nothing to players whom others control (507.4).
    """
    magic, at = game.magic, request.at
    magic.note(game.visit)
    controlled = game.team if at.controller != at.active else ()
    for player, kept in [*magic.mana]:
        if kept not in game.effects:
            lost = magic.mana.pop((player, kept))
            burns = request.action == "lose_mana" and player not in controlled
            game.visit.burned[player] += lost if burns else 0


ACTIONS: Mapping[str, Callable[[Game, Perform], None]] = {
    "put_damage_on_stack": _put_damage_on_stack,
    "deal_combat_damage": lambda game, request: game.visit.dealt.extend(game.magic.combat.take()),
    **dict.fromkeys(ASSIGNING, _assign),
    "day_night": _check_day_night,
    "add_lore_counters": _add_lore_counters,
    "empty_mana": _empty_mana,
    "lose_mana": _empty_mana,
}
"""What an action changes."""


def _has_first_strike(game: Game) -> bool:
    combat = game.magic.combat
    return combat.first_strike or any(c.strikes_first for c in combat.creatures.values())


def _damage_assigned(game: Game) -> bool:
    """Say whether somebody assigned damage here. If no creature is named, all attackers do."""
    combat = game.magic.combat
    return bool(game.visit.assigned) if combat.named else combat.attackers > 0


FACTS: Mapping[str, Callable[[Game], bool]] = {
    "attackers_declared": lambda game: game.magic.combat.declared > 0,
    "first_strike_in_combat": _has_first_strike,
    "damage_assigned": _damage_assigned,
}
"""The facts that the game works out. Any other is false."""
