"""Combat of Magic, in all editions: who attacks and blocks, and who assigns damage."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial

from fsm.engine.requests import Position, Signal
from fsm.runs.where import Where
from fsm.scenarios.combat import COMBAT_DAMAGE, MANNERS, Combat, Combatant
from fsm.scenarios.discrepancies import Checker, Discrepancy, ExpectEntry, at_visit, registers, where_of
from fsm.scenarios.gameparts import Act, GameParts
from fsm.scenarios.jsonshapes import WORD, list_of
from fsm.scenarios.modelwords import ASSIGN, ModelWords
from fsm.scenarios.outcome import Outcome
from fsm.scenarios.scenario import Item
from fsm.scenarios.verbparts import DURING, Verb, VerbField, visit_check
from fsm.scenarios.world import GameState, StackObject, World


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


# verbs ---------------------------------------------------------------------------------------------

ACTS: dict[str, Act] = {}
_verb = registers(ACTS)


@_verb
def end_combat(world: World, item: Item) -> None:
    world.end("end_phase", item, happens=world.of(Fight).under_way and world.endable)


@_verb
def attackers(world: World, item: Item) -> None:
    fight = world.of(Fight)
    fight.declared += item["count"]
    fight.first_strike = fight.first_strike or (item["first_strike"] and item["count"] > 0)


def _enter(world: World, item: Item, fact: str) -> None:
    fight = world.of(Fight)
    if fight.under_way and item["count"]:
        fight.attackers += item["count"]
        world.facts_to_report.add(fact)


ACTS["put_attacking"] = partial(_enter, fact="put_in_attacking")
ACTS["state_attacking"] = partial(_enter, fact="stated_attacking")


@_verb
def combatant(world: World, item: Item) -> None:
    """Declare a creature together with the declaration. At any other time, it is put into combat attacking."""
    fight = world.of(Fight)
    if not fight.under_way:
        world.complaints.append(f"{item.place}: {item['id']} is in no combat: {world.where} is not in one")
        return
    fields = {name: item[name] for name in ("id", "side", "power", "first_strike", "double_strike", "blocks")}
    fight.combat.add(Combatant(**fields))
    if item["side"] == "attacker" and fight.is_declared(world):
        fight.declared += 1
    elif item["side"] == "attacker":
        fight.attackers += 1
        world.facts_to_report.add("put_in_attacking")


@_verb
def change_combatant(world: World, item: Item) -> None:
    creature = world.of(Fight).combat.creatures.get(item["id"])
    if creature is None:
        _absent(world, item)
        return
    for name in ("power", "first_strike", "double_strike", "blocked"):
        if item[name] is not None:
            setattr(creature, name, item[name])


@_verb
def remove_combatant(world: World, item: Item) -> None:
    if world.of(Fight).combat.creatures.pop(item["id"], None) is None:
        _absent(world, item)


def _absent(world: World, item: Item) -> None:
    world.complaints.append(f"{item.place}: {item['id']} is not in combat in {world.where}")


@_verb
def remove_attackers(world: World, item: Item) -> None:
    world.of(Fight).remove_attackers()


@_verb
def first_strike(world: World, item: Item) -> None:
    """Set first strike for the current combat. Outside combat there is none, and a later one must not inherit it."""
    fight = world.of(Fight)
    if fight.under_way:
        fight.first_strike = item["value"]
    else:
        world.complaints.append(f"{item.place}: first_strike has no effect: {world.where} is in no combat")


def _signal(world: World, item: Item) -> None:
    world.signals.append(Signal(item.do))


ACTS |= dict.fromkeys(("made_to_block", "put_in_blocking"), _signal)


# actions and facts ---------------------------------------------------------------------------------


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


# checks --------------------------------------------------------------------------------------------

CHECKERS: dict[str, Checker] = {}
_checks = registers(CHECKERS)


@_checks
def assigns(outcome: Outcome, entry: ExpectEntry) -> Iterator[Discrepancy]:
    where = where_of(entry)
    got = at_visit(outcome, where, lambda visit: outcome.log.of(Fight).assigned.get(where, []))
    yield f"who assigns damage in {where}", list(entry["assigns"]), got


@_checks
def dealt(outcome: Outcome, entry: ExpectEntry) -> Iterator[Discrepancy]:
    where = where_of(entry)
    got = at_visit(outcome, where, lambda visit: outcome.log.of(Fight).dealt.get(where, []))
    yield f"whose damage is dealt in {where}", list(entry["dealt"]), got


_fight = partial(Verb, needs=("action:declare_attackers",), opening=False)
_creature = partial(Verb, needs=("action:declare_attackers", "action:assign_*"), opening=False, added=True)
_block = partial(Verb, fields=(), at="priority", opening=False, added=True)
_ENDING = Verb(
    "end_combat",
    (DURING,),
    "the end-the-combat-phase procedure; outside combat it does nothing",
    needs=("event:end_phase", "action:declare_attackers"),
    at="priority",
    opening=False,
)
_FIGHTING = (
    _fight(
        "attackers",
        (VerbField("count", "number", 1), VerbField("first_strike", "flag", False)),
        "declared at that declaration; flag: some attacker or blocker has first or double strike",
        home="declare_attackers",
        at="begin",
        nested=False,
    ),
    _fight(
        "put_attacking",
        (VerbField("count", "number", 1),),
        "put onto the battlefield attacking now; outside combat nothing attacks",
        needs=("fact:put_in_attacking",),
    ),
    _fight(
        "state_attacking",
        (VerbField("count", "number", 1),),
        "an effect states that creatures already there are attacking; outside combat nothing attacks",
        added=True,
    ),
    _fight("remove_attackers", (), "no attacker is left in combat from now on, and first strike goes with them"),
    _fight(
        "first_strike",
        (VerbField("value", "flag", True),),
        "from now on some / no creature in this combat has first or double strike; outside combat it has no effect",
    ),
    _creature(
        "combatant",
        (
            VerbField("id", "id"),
            VerbField("side", "side"),
            VerbField("power", "power", 1),
            VerbField("first_strike", "flag", False),
            VerbField("double_strike", "flag", False),
            VerbField("blocks", "id", ""),
        ),
        "a creature in combat from now on: declared with the declaration of attackers or blockers, at another "
        "time put in attacking or blocking; `blocks`: the attacker it blocks",
        sides=(("attacker", "declare_attackers"), ("blocker", "declare_blockers")),
    ),
    _creature(
        "change_combatant",
        (
            VerbField("id", "id"),
            VerbField("power", "power", None),
            VerbField("first_strike", "flag", None),
            VerbField("double_strike", "flag", None),
            VerbField("blocked", "flag", None),
        ),
        "that creature is so from now on; a `blocked` attacker assigns damage only while something blocks it",
    ),
    _creature(
        "remove_combatant",
        (VerbField("id", "id"),),
        "that creature is in combat no longer; damage it has assigned is dealt all the same",
    ),
    _block("made_to_block", doc="an effect makes a creature block", needs=("event:made_to_block",)),
    _block("put_in_blocking", doc="a creature is put in blocking", needs=("event:put_in_blocking",)),
)
_damage = partial(visit_check, schema=list_of(WORD), needs="action:assign_*", lists="creature", made_by=("combatant",))

COMBAT = GameParts(
    states=(Fight,),
    verbs={"end_turn": (_ENDING,), "end_phase": _FIGHTING},
    acts=ACTS,
    kinds={"side": {"enum": ["attacker", "blocker"]}, "power": {"type": "integer"}},
    checks={
        "resolves": (
            _damage(
                "assigns",
                "exactly who assigned damage in that visit: attackers first, then blockers, each as they came",
            ),
            _damage("dealt", "exactly whose damage was dealt in that visit"),
        )
    },
    checkers=CHECKERS,
    objects={COMBAT_DAMAGE: "action:put_damage_on_stack"},
    facts={
        "attackers_declared": lambda world: world.of(Fight).declared > 0,
        "first_strike_in_combat": lambda world: world.of(Fight).first_strike or world.of(Fight).combat.first_strike,
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
