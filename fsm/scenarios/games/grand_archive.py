"""What Grand Archive needs of the scripted game: attacks, retaliation, materializing, time, interdiction."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from fsm.engine.requests import Signal
from fsm.scenarios.discrepancies import registers
from fsm.scenarios.gameparts import Act, GameParts
from fsm.scenarios.scenario import Item
from fsm.scenarios.verbparts import THEN, Verb, VerbField
from fsm.scenarios.world import GameState, StackObject, World


@dataclass
class Archive(GameState):
    """What the turn player must do and does, how many retaliate, and whether time is distorted."""

    entering: StackObject | None = None
    must_attack: bool = False
    refused: bool = False
    retaliators: int = 0
    distorted: bool = False

    def begin_turn(self, world: World) -> None:
        self.must_attack = self.refused = False

    def begin_visit(self, world: World) -> None:
        self.entering = None

    def tries_to_pass(self, world: World, item: Item) -> bool:
        """A player who must attack passes once, and is refused."""
        tries = self.must_attack and not self.refused and item.do == "attack"
        self.refused = self.refused or tries
        return tries


ACTS: dict[str, Act] = {}
_verb = registers(ACTS)


@_verb
def attack(world: World, item: Item) -> None:
    """Try to attack. Whatever comes of it, nothing is required any more."""
    world.signals.append(Signal("attack"))
    world.choices["declare_attack"] = item["legal"]
    world.of(Archive).must_attack = False


@_verb
def must_attack(world: World, item: Item) -> None:
    state = world.of(Archive)
    state.must_attack, state.refused = True, False


@_verb
def retaliators(world: World, item: Item) -> None:
    world.of(Archive).retaliators = item["count"]


@_verb
def materialize(world: World, item: Item) -> None:
    world.of(Archive).entering = StackObject(world.active, item.then, item.name or item.do)
    world.choices["materialize"] = True


@_verb
def time_distorted(world: World, item: Item) -> None:
    world.of(Archive).distorted = item["value"]
    world.tell("time_distorted", item["value"])


def _materialize(world: World, players: tuple[str, ...], manner: str) -> None:
    state = world.of(Archive)
    thing, state.entering = state.entering, None
    if thing is not None and players:
        world.stack.append(thing)


def _forbids(thing: StackObject) -> bool:
    return thing.cast is not None and bool(thing.cast.fields.get("interdiction"))


_added = partial(Verb, opening=False, added=True)

GRAND_ARCHIVE = GameParts(
    states=(Archive,),
    verbs={
        "end_phase": (
            _added(
                "attack",
                (VerbField("card", "flag", False), VerbField("legal", "flag", True)),
                "the active player declares an attack with priority and an empty stack, or (`card`) as an object put "
                "on the stack resolves; not `legal`: the declaration is undone",
                needs=("event:attack",),
                heard="attack",
                by_player=True,
                at="priority",
            ),
            _added(
                "must_attack",
                (),
                "the active player may not go on without having tried to attack: they pass once and are refused, then "
                "the `attack` that is given comes",
                needs=("fact:attack_required",),
            ),
            _added(
                "retaliators",
                (VerbField("count", "number", 1),),
                "so many retaliate as that is declared",
                needs=("action:order_retaliators|fact:several_retaliators",),
                home="declare_retaliation",
                at="begin",
                nested=False,
            ),
        ),
        "cast": (
            _added(
                "materialize",
                (VerbField("id", "id", ""), THEN),
                "the turn player does materialize as that is asked: an object goes on the stack; as it resolves, "
                "`then` is carried out",
                needs=("action:materialize",),
                home="materialize",
                at="begin",
                nested=False,
            ),
            Verb(
                "time_distorted",
                (VerbField("value", "flag", True),),
                "from now on time is distorted, or no longer",
                needs=("fact:time_distorted",),
                added=True,
            ),
        ),
    },
    acts=ACTS,
    facts={
        "interdiction_on_stack": lambda world: any(map(_forbids, world.stack)),
        "attack_required": lambda world: world.of(Archive).must_attack and not world.stack,
        "several_retaliators": lambda world: world.of(Archive).retaliators > 1,
        "time_distorted": lambda world: world.of(Archive).distorted,
    },
    actions={"materialize": _materialize},
)
