"""Combat of Magic, in all editions: who attacks and blocks, and who assigns damage."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated

from fsm.engine.requests import Position
from fsm.runs.where import Where
from fsm.scenarios.combat import COMBAT_DAMAGE, MANNERS, Combat, Combatant
from fsm.scenarios.discrepancies import Discrepancy, ExpectEntry, at_visit, where_of
from fsm.scenarios.gameparts import GameParts
from fsm.scenarios.jsonshapes import words_of
from fsm.scenarios.modelwords import ASSIGN, ModelWords
from fsm.scenarios.outcome import Outcome
from fsm.scenarios.scenario import Item
from fsm.scenarios.verbparts import Flag, Id, Ids, Kind, MaybeFlag, Number, Words
from fsm.scenarios.world import GameState, StackObject, World
from fsm.state.orders import EndPhase, Signal


@dataclass
class Fight(GameState):
    """What attacks, and the creatures in combat. `assigned` and `dealt` have creatures, by visit.

    Attributes
    ----------
    phases
        The names of the phases that are combat.
    declarations
        The names of the steps in which attackers are declared.
    under_way
        Whether such a phase is under way.
    """

    phases: frozenset[str] = frozenset()
    declarations: frozenset[str] = frozenset()
    under_way: bool = False
    attackers: int = 0
    declared: int = 0
    first_strike: bool = False
    combat: Combat = field(default_factory=Combat)
    assigned: dict[Where, list[str]] = field(default_factory=dict)
    dealt: dict[Where, list[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, words: ModelWords) -> Fight:
        found = words.actions.get("declare_attackers", frozenset())
        return cls(words.phases_with("declare_attackers"), found)

    def begin_visit(self, world: World) -> None:
        self.declared = 0
        self.combat.take()

    def move(self, world: World, at: Position) -> None:
        if self.under_way and at.phase not in self.phases:
            self.leave()
        self.under_way = at.phase in self.phases

    def begin_phase(self, world: World) -> None:
        if self.under_way:
            self.leave()

    def lose_player(self, world: World, player: str) -> None:
        if world.team and all(p in world.left for p in world.team):
            self.remove_attackers()

    def leave(self) -> None:
        """Remove everything from combat."""
        self.attackers, self.declared, self.first_strike = 0, 0, False
        self.combat = Combat()

    def remove_attackers(self) -> None:
        """Remove all attackers from combat."""
        self.attackers, self.first_strike = 0, False
        self.combat.leave("attacker")

    def is_declared(self, world: World) -> bool:
        """Say whether what attacks now was declared."""
        return world.with_action and world.where.step in self.declarations

    def deal(self, where: Where, creatures: tuple[str, ...]) -> None:
        """Note whose damage is dealt in this visit."""
        self.dealt.setdefault(where, []).extend(creatures)


# verbs --------------------------------------------------------------------------------------------

Side = Annotated[str, Kind("side", {"enum": ["attacker", "blocker"]})]
Power = Annotated[int, Kind("power", {"type": "integer"})]
MaybePower = Annotated[int | None, Kind("power", {"type": "integer"})]

WORDS = Words()
_fight = partial(WORDS.verb, after="end_phase", opening=False)
_COMBAT = "action:declare_attackers"
_CREATURES = (_COMBAT, "action:assign_*")


@WORDS.verb(after="end_turn", needs=("event:end_phase", _COMBAT), at="priority", opening=False)
def end_combat(world: World, item: Item, triggers_during: Ids = ()) -> None:
    """The end-the-combat-phase procedure; outside combat it does nothing."""
    world.end(EndPhase(), triggers_during, happens=world.of(Fight).under_way and world.endable)


@_fight(needs=(_COMBAT,), home="declare_attackers", at="begin", nested=False)
def attackers(world: World, item: Item, count: Number = 1, first_strike: Flag = False) -> None:
    """Declared at that declaration; flag: some attacker or blocker has first or double strike."""
    fight = world.of(Fight)
    fight.declared += count
    fight.first_strike = fight.first_strike or (first_strike and count > 0)


def _enter(world: World, count: int, fact: str) -> None:
    fight = world.of(Fight)
    if fight.under_way and count:
        fight.attackers += count
        world.facts_to_report.add(fact)


@_fight(needs=("fact:put_in_attacking",))
def put_attacking(world: World, item: Item, count: Number = 1) -> None:
    """Put onto the battlefield attacking now; outside combat nothing attacks."""
    _enter(world, count, "put_in_attacking")


@_fight(needs=(_COMBAT,), added=True)
def state_attacking(world: World, item: Item, count: Number = 1) -> None:
    """An effect states that creatures already there are attacking; outside combat nothing attacks."""
    _enter(world, count, "stated_attacking")


@_fight(needs=(_COMBAT,))
def remove_attackers(world: World, item: Item) -> None:
    """No attacker is left in combat from now on, and first strike goes with them."""
    world.of(Fight).remove_attackers()


@_fight(needs=(_COMBAT,))
def first_strike(world: World, item: Item, value: Flag = True) -> None:
    """From now on some / no creature in this combat has first or double strike; outside combat it
    has no effect.
    """
    # outside combat there is none to set it for, and a later one must not inherit it
    fight = world.of(Fight)
    if fight.under_way:
        fight.first_strike = value
    else:
        world.complaints.append(
            f"{item.place}: first_strike has no effect: {world.where} is in no combat"
        )


@_fight(
    needs=_CREATURES,
    added=True,
    sides=(("attacker", "declare_attackers"), ("blocker", "declare_blockers")),
)
def combatant(
    world: World,
    item: Item,
    id: Id,
    side: Side,
    power: Power = 1,
    first_strike: Flag = False,
    double_strike: Flag = False,
    blocks: Id = "",
) -> None:
    """A creature in combat from now on: declared with the declaration of attackers or blockers, at
    another time put in attacking or blocking; `blocks`: the attacker it blocks.
    """
    fight = world.of(Fight)
    if not fight.under_way:
        world.complaints.append(f"{item.place}: {id} is in no combat: {world.where} is not in one")
        return
    fight.combat.add(Combatant(id, side, power, first_strike, double_strike, blocks))
    if side == "attacker" and fight.is_declared(world):
        fight.declared += 1
    elif side == "attacker":
        fight.attackers += 1
        world.facts_to_report.add("put_in_attacking")


@_fight(needs=_CREATURES, added=True)
def change_combatant(
    world: World,
    item: Item,
    id: Id,
    power: MaybePower = None,
    first_strike: MaybeFlag = None,
    double_strike: MaybeFlag = None,
    blocked: MaybeFlag = None,
) -> None:
    """That creature is so from now on; a `blocked` attacker assigns damage only while something
    blocks it.
    """
    creature = world.of(Fight).combat.creatures.get(id)
    if creature is None:
        _absent(world, item, id)
        return
    changes = {
        "power": power,
        "first_strike": first_strike,
        "double_strike": double_strike,
        "blocked": blocked,
    }
    for name, value in changes.items():
        if value is not None:
            setattr(creature, name, value)


@_fight(needs=_CREATURES, added=True)
def remove_combatant(world: World, item: Item, id: Id) -> None:
    """That creature is in combat no longer; damage it has assigned is dealt all the same."""
    if world.of(Fight).combat.creatures.pop(id, None) is None:
        _absent(world, item, id)


def _absent(world: World, item: Item, id: str) -> None:
    world.complaints.append(f"{item.place}: {id} is not in combat in {world.where}")


@_fight(needs=("event:made_to_block",), at="priority", added=True)
def made_to_block(world: World, item: Item) -> None:
    """An effect makes a creature block."""
    world.orders.append(Signal("made_to_block"))


@_fight(needs=("event:put_in_blocking",), at="priority", added=True)
def put_in_blocking(world: World, item: Item) -> None:
    """A creature is put in blocking."""
    world.orders.append(Signal("put_in_blocking"))


# actions and facts --------------------------------------------------------------------------------


def _declare_attackers(world: World, players: tuple[str, ...], manner: str) -> None:
    fight = world.of(Fight)
    if not players:
        fight.declared, fight.first_strike = 0, False
        fight.combat.leave("attacker")
    fight.attackers += fight.declared


def _remove_from_combat(world: World, players: tuple[str, ...], manner: str) -> None:
    world.of(Fight).leave()


def _assign(world: World, players: tuple[str, ...], manner: str) -> None:
    if manner in MANNERS:
        fight = world.of(Fight)
        fight.assigned.setdefault(world.where, []).extend(fight.combat.assign(manner))


def _put_damage_on_stack(world: World, players: tuple[str, ...], manner: str) -> None:
    taken = world.of(Fight).combat.take()
    world.stack.append(StackObject("", id=COMBAT_DAMAGE, resolve=partial(_deal, creatures=taken)))


def _deal(world: World, creatures: tuple[str, ...]) -> None:
    world.of(Fight).deal(world.where, creatures)


def _deal_damage(world: World, players: tuple[str, ...], manner: str) -> None:
    _deal(world, world.of(Fight).combat.take())


def _damage_assigned(world: World) -> bool:
    """Say whether somebody assigned damage here. If no creature is named, all attackers do."""
    fight = world.of(Fight)
    return bool(fight.assigned.get(world.where)) if fight.combat.given else fight.attackers > 0


# checks -------------------------------------------------------------------------------------------

_damage = partial(
    WORDS.visit_check,
    after="resolves",
    schema=words_of(),
    needs="action:assign_*",
    lists="creature",
    made_by=("combatant",),
)


@_damage()
def assigns(outcome: Outcome, entry: ExpectEntry) -> Iterator[Discrepancy]:
    """Exactly who assigned damage in that visit: attackers first, then blockers, each as they came."""
    where = where_of(entry)
    got = at_visit(outcome, where, lambda visit: outcome.log.of(Fight).assigned.get(where, []))
    yield f"who assigns damage in {where}", list(entry["assigns"]), got


@_damage()
def dealt(outcome: Outcome, entry: ExpectEntry) -> Iterator[Discrepancy]:
    """Exactly whose damage was dealt in that visit."""
    where = where_of(entry)
    got = at_visit(outcome, where, lambda visit: outcome.log.of(Fight).dealt.get(where, []))
    yield f"whose damage is dealt in {where}", list(entry["dealt"]), got


COMBAT = GameParts(
    WORDS,
    states=(Fight,),
    objects={COMBAT_DAMAGE: "action:put_damage_on_stack"},
    facts={
        "attackers_declared": lambda world: world.of(Fight).declared > 0,
        "first_strike_in_combat": lambda world: (
            world.of(Fight).first_strike or world.of(Fight).combat.first_strike
        ),
        "damage_assigned": _damage_assigned,
    },
    actions={
        "declare_attackers": _declare_attackers,
        "remove_from_combat": _remove_from_combat,
        "put_damage_on_stack": _put_damage_on_stack,
        "deal_combat_damage": _deal_damage,
        f"{ASSIGN}*": _assign,
    },
)
