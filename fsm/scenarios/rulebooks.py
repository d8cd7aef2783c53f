"""What Magic and Grand Archive need of the scripted game: their own verbs, actions and facts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, ClassVar, Literal

from msgspec import Struct, field
from msgspec.structs import replace

from fsm.engine.requests import Perform
from fsm.scenarios import scenario
from fsm.scenarios.scenario import (
    ENDING,
    NOW,
    RESOLVING,
    ByPlayer,
    Item,
    Name,
    Number,
    Then,
    Verb,
    VerbRow,
)
from fsm.state.orders import Effect, EndPhase, Signal, StandingTrigger

if TYPE_CHECKING:
    from fsm.scenarios.playing import Game, VisitLog

COMBAT_DAMAGE = "combat_damage"
"""The name of combat damage as an object on the stack."""


# what the game remembers --------------------------------------------------------------------------


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
    blocked
        The attackers that have been blocked.
    had, doubled
        Those that had first or double strike, or double strike, as the first damage was assigned.
    done
        Those whose damage was dealt, or became an object.
    pending
        Those that have assigned damage which is not dealt yet.
    """

    attackers: int = 0
    declared: int = 0
    first_strike: bool = False
    creatures: dict[str, Combatant] = {}
    named: bool = False
    blocked: set[str] = set()
    had: set[str] = set()
    doubled: set[str] = set()
    done: set[str] = set()
    pending: list[str] = []

    def remove_attackers(self) -> None:
        """Remove all attackers from combat."""
        self.attackers, self.first_strike = 0, False
        self.creatures = {id: c for id, c in self.creatures.items() if c.side != "attacker"}

    def assign(self, manner: str) -> list[str]:
        """Return who assigns damage now: attackers first, then blockers, each in the order in which
        they came.
        """
        creatures = self.creatures.items()
        if manner == "first_or_double_strike":
            self.had.update(id for id, creature in creatures if creature.strikes_first)
            self.doubled.update(id for id, creature in creatures if creature.double_strike)
        found = list[str]()
        for id, creature in sorted(creatures, key=lambda one: one[1].side):
            wanted = MANNERS[manner](self, creature) and id not in self.pending
            if wanted and creature.power > 0 and self._has_aim(creature):
                found.append(id)
        self.pending += found
        return found

    def _has_aim(self, creature: Combatant) -> bool:
        """Say whether a creature has anything to deal damage to."""
        if creature.side == "blocker":
            return not creature.blocks or creature.blocks in self.creatures
        is_blocked = creature.id in self.blocked
        return not is_blocked or any(c.blocks == creature.id for c in self.creatures.values())

    def take(self) -> list[str]:
        """Return the creatures whose assigned damage is now dealt or becomes an object."""
        taken, self.pending = self.pending, []
        self.done.update(taken)
        return taken


class Memory(Struct):
    """What the game remembers only for these rulebooks.

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
        All mana, one by one: who has it, and the effect that keeps it while it is on, or "".
    must_attack
        "will pass" while the active player must attack and has not tried to pass; then "passed".
    distorted
        Whether time is distorted.
    """

    combat: Combat = field(default_factory=Combat)
    designation: str = "neither"
    changes: list[tuple[StandingTrigger, Item]] = []
    last_change: dict[str, int] = {}
    spells: int | None = None
    spells_before: int | None = None
    sagas: list[tuple[str, str]] = []
    mana: list[tuple[str, str]] = []
    must_attack: str = ""
    distorted: bool = False

    def begin_turn(self) -> None:
        """Forget what was said of the last turn. Count its spells anew."""
        self.spells_before, self.spells, self.must_attack = self.spells, 0, ""

    def begin_visit(self) -> None:
        """Forget what was said of the last visit."""
        self.combat.declared = 0
        self.combat.take()

    def note(self, visit: VisitLog) -> None:
        """Note what expectations ask of a visit that ends: its mana as it was before it emptied."""
        visit.designation = self.designation
        if visit.mana is None:
            visit.mana = Counter(player for player, _ in self.mana)

    def lose_players(self, game: Game) -> None:
        """Remove what players have who have left."""
        self.mana = [one for one in self.mana if one[0] not in game.left]
        if game.is_deserted:
            self.combat.remove_attackers()


# combat in Magic: verbs ---------------------------------------------------------------------------


class InCombat(Verb):
    """Happens in the combat under way. Outside combat it has no effect."""

    def happen(self, game: Game) -> None:
        if game.at is not None and game.at.phase == "combat":
            self.fight(game, game.memory.combat)

    def fight(self, game: Game, combat: Combat) -> None:
        """Change combat."""
        raise NotImplementedError


class Attackers(Verb, kw_only=True):
    """Declared at that declaration; flag: some attacker or blocker has first or double strike."""

    count: Number = 1
    first_strike: bool = False

    def happen(self, game: Game) -> None:
        if not game.is_deserted:
            combat = game.memory.combat
            combat.attackers += self.count
            combat.declared += self.count
            combat.first_strike |= self.first_strike and self.count > 0


class PutAttacking(InCombat, kw_only=True):
    """Put onto the battlefield attacking now; outside combat nothing attacks."""

    tells: ClassVar[str] = "put_in_attacking"
    count: Number = 1

    def fight(self, game: Game, combat: Combat) -> None:
        combat.attackers += self.count
        game.told[""][self.tells] = self.count > 0


class StateAttacking(PutAttacking):
    """An effect states that creatures already there are attacking; outside combat, none is."""

    tells: ClassVar[str] = "stated_attacking"


class RemoveAttackers(Verb):
    """No attacker is left in combat from now on, and first strike goes with them."""

    def happen(self, game: Game) -> None:
        game.memory.combat.remove_attackers()


class FirstStrike(InCombat, kw_only=True):
    """From now on some / no creature in this combat has first or double strike; outside combat it
    has no effect.
    """

    value: bool = True

    def fight(self, game: Game, combat: Combat) -> None:
        combat.first_strike = self.value


class Combatant(InCombat, kw_only=True):
    """A creature in combat from now on: declared with the declaration of attackers or blockers, at
    another time put in attacking or blocking; `blocks`: the attacker it blocks.
    """

    id: Name
    side: Literal["attacker", "blocker"]
    power: int = 1
    first_strike: bool = False
    double_strike: bool = False
    blocks: Name = ""

    @property
    def strikes_first(self) -> bool:
        """Whether it has first or double strike."""
        return self.first_strike or self.double_strike

    def fight(self, game: Game, combat: Combat) -> None:
        combat.creatures[self.id] = self
        combat.named = True
        combat.blocked.add(self.blocks)
        when = game.item.when
        if self.side == "attacker":
            at_once = when is not None and when.at != "priority"
            is_declared = at_once and game.where.step == "declare_attackers"
            (Attackers if is_declared else PutAttacking)().happen(game)


class ChangeCombatant(InCombat, kw_only=True):
    """That creature is so from now on."""

    id: Name
    power: int | None = None
    first_strike: bool | None = None
    double_strike: bool | None = None

    def fight(self, game: Game, combat: Combat) -> None:
        for name in ("power", "first_strike", "double_strike"):
            value = getattr(self, name)
            if value is not None and self.id in combat.creatures:
                combat.creatures[self.id] = replace(combat.creatures[self.id], **{name: value})


class RemoveCombatant(InCombat, kw_only=True):
    """That creature is in combat no longer; damage it has assigned is dealt all the same."""

    id: Name

    def fight(self, game: Game, combat: Combat) -> None:
        combat.creatures.pop(self.id, None)


MANNERS: Mapping[str, Callable[[Combat, Combatant], bool]] = {
    "": lambda combat, creature: True,
    "first_or_double_strike": lambda combat, creature: creature.strikes_first,
    "others_and_double_strike": lambda combat, creature: (
        creature.id not in combat.had or creature.double_strike
    ),
    "not_yet_assigned_or_double_strike": lambda combat, creature: (
        creature.id not in combat.done or creature.double_strike
    ),
    "not_yet_assigned_or_double_strike_unless_stopped": lambda combat, creature: (
        creature.id not in combat.done | combat.doubled or creature.double_strike
    ),
    "without_first_strike": lambda combat, creature: not creature.first_strike,
}
"""Decides who assigns damage, by the model's word for the manner."""


# hand, day and night, Sagas, mana in Magic: verbs -------------------------------------------------


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
        game.memory.spells = self.count


class Saga(Verb, kw_only=True):
    """That player controls a Saga from now on."""

    id: Name
    player: Name = ""

    def happen(self, game: Game) -> None:
        game.memory.sagas.append((self.id, self.player or game.player))


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
        game.memory.mana += [(player, kept)] * self.amount


class SpendMana(Verb, kw_only=True):
    """Mana from the player's pool, first what would be lost first."""

    player: Name = ""
    amount: Number = 1

    def happen(self, game: Game) -> None:
        player, mana = self.player or game.player, game.memory.mana
        mana.sort(key=lambda one: one[1] in game.effects)
        for one in [one for one in mana if one[0] == player][: self.amount]:
            mana.remove(one)


# Grand Archive: verbs -----------------------------------------------------------------------------


class Attack(ByPlayer, kw_only=True):
    """The active player declares an attack with priority and an empty stack, or (`card`) as an
    object put on the stack resolves; not `legal`: the declaration is undone.
    """

    card: bool = False
    legal: bool = True

    def happen(self, game: Game) -> None:
        game.give(Signal("attack"))
        game.told[""]["attack_declared"] = self.legal
        game.memory.must_attack = ""  # whatever comes of it, nothing is required any more


class MustAttack(Verb):
    """The active player may not go on without having tried to attack: they pass once and are
    refused, then the `attack` that is given comes.
    """

    def happen(self, game: Game) -> None:
        game.memory.must_attack = "will pass"


class Materialize(Verb, kw_only=True):
    """The turn player does materialize as that is asked: an object goes on the stack; as it
    resolves, `then` is carried out.
    """

    then: Then = ()

    def happen(self, game: Game) -> None:
        if not game.is_deserted:
            game.put(game.item.name or game.item.do, game.player, game.item.then)


class TimeDistorted(Verb, kw_only=True):
    """From now on time is distorted, or no longer."""

    value: bool = True

    def happen(self, game: Game) -> None:
        game.memory.distorted = self.value


_COMBAT = "the action declare_attackers"
_CREATURES = "the action assign_combat_damage or the action assign_attackers"
_DAY_NIGHT = "the action day_night"
_HAND = "the action discard_to_hand_size"
_MANA = "the action empty_mana or the action lose_mana"
ROWS = (
    VerbRow("end_combat", EndPhase, ENDING, f"{_COMBAT} and the event end_phase", RESOLVING),
    VerbRow("attackers", Attackers, needs=_COMBAT, home="declare_attackers"),
    VerbRow("put_attacking", PutAttacking, needs="the fact put_in_attacking", at=NOW),
    VerbRow("state_attacking", StateAttacking, needs=_COMBAT, at=NOW),
    VerbRow("remove_attackers", RemoveAttackers, needs=_COMBAT, at=NOW),
    VerbRow("first_strike", FirstStrike, needs=_COMBAT, at=NOW),
    VerbRow("combatant", Combatant, needs=_CREATURES, at=NOW),
    VerbRow("change_combatant", ChangeCombatant, needs=_CREATURES, at=NOW),
    VerbRow("remove_combatant", RemoveCombatant, needs=_CREATURES, at=NOW),
    VerbRow("hand_size", HandSize, needs=_HAND, home="discard_to_hand_size"),
    VerbRow("day_night", DayNight, needs=_DAY_NIGHT),
    VerbRow("spells_cast", SpellsCast, needs=_DAY_NIGHT),
    VerbRow("saga", Saga, needs="the action add_lore_counters"),
    VerbRow("add_mana", AddMana, needs=_MANA),
    VerbRow("spend_mana", SpendMana, needs=_MANA),
    VerbRow("attack", Attack, needs="the event attack", at=RESOLVING),
    VerbRow("must_attack", MustAttack, needs="the fact attack_required", at=NOW),
    VerbRow("materialize", Materialize, needs="the action materialize", home="materialize"),
    VerbRow("time_distorted", TimeDistorted, needs="the fact time_distorted"),
)
"""The verbs of these rulebooks."""
VERBS: Mapping[str, VerbRow] = {row.name: row for row in (*scenario.ROWS, *ROWS)}
"""All verbs. Reading, the schema and the documentation use this table."""


# actions and facts --------------------------------------------------------------------------------


def _assign(game: Game, request: Perform) -> None:
    if request.manner in MANNERS:
        game.visit.assigned += game.memory.combat.assign(request.manner)


def _put_damage_on_stack(game: Game, request: Perform) -> None:
    game.put(COMBAT_DAMAGE, deals=game.memory.combat.take())


def _designate(game: Game, value: str) -> None:
    """Set day or night. Abilities trigger when day becomes night or night becomes day."""
    memory = game.memory
    changed = {memory.designation, value} == {"day", "night"}
    memory.designation = value
    for ability, item in memory.changes if changed else ():
        concerns = ability.whose in ("each", *game.team)
        again = ability.first_each_turn and memory.last_change.get(ability.id) == game.where.turn
        if concerns and not again:
            memory.last_change[ability.id] = game.where.turn
            game.trigger(ability.id, "", item.then)


def _check_day_night(game: Game, request: Perform) -> None:
    """Perform the turn-based action, which depends on the spells of the turn before (CR 730.2)."""
    memory = game.memory
    if memory.spells_before is None:
        return
    if memory.designation == "day" and memory.spells_before == 0:
        _designate(game, "night")
    elif memory.designation == "night" and memory.spells_before >= 2:
        _designate(game, "day")


def _add_lore_counters(game: Game, request: Perform) -> None:
    owners = request.by
    game.visit.lore += [id for id, owner in game.memory.sagas if owner in owners]


def _empty_mana(game: Game, request: Perform) -> None:
    """Empty all mana that no effect keeps. Where it is lost with a loss of life, each mana costs
    one, but nothing to players whom others control (507.4).
    """
    memory, at = game.memory, request.at
    memory.note(game.visit)
    lost = Counter(player for player, kept in memory.mana if kept not in game.effects)
    memory.mana = [one for one in memory.mana if one[1] in game.effects]
    controlled = game.team if at.controller != at.active else ()
    for player in lost.keys() - controlled if request.action == "lose_mana" else ():
        game.visit.burned[player] += lost[player]


ACTIONS: Mapping[str, Callable[[Game, Perform], None]] = {
    "put_damage_on_stack": _put_damage_on_stack,
    "deal_combat_damage": lambda game, request: game.visit.dealt.extend(game.memory.combat.take()),
    "assign_combat_damage": _assign,
    "assign_attackers": _assign,
    "assign_unblocked": _assign,
    "assign_blockers": _assign,
    "day_night": _check_day_night,
    "add_lore_counters": _add_lore_counters,
    "empty_mana": _empty_mana,
    "lose_mana": _empty_mana,
}
"""What an action changes."""


def _has_first_strike(game: Game) -> bool:
    combat = game.memory.combat
    return combat.first_strike or any(c.strikes_first for c in combat.creatures.values())


def _damage_assigned(game: Game) -> bool:
    """Say whether somebody assigned damage here. If no creature is named, all attackers do."""
    combat = game.memory.combat
    return bool(game.visit.assigned) if combat.named else combat.attackers > 0


FACTS: Mapping[str, Callable[[Game], bool]] = {
    "attackers_declared": lambda game: game.memory.combat.declared > 0,
    "first_strike_in_combat": _has_first_strike,
    "damage_assigned": _damage_assigned,
    "attack_required": lambda game: bool(game.memory.must_attack) and not game.stack,
    "interdiction_on_stack": lambda game: any(thing.forbids for thing in game.stack),
    "time_distorted": lambda game: game.memory.distorted,
}
"""The facts that the game works out. Any other is false."""
