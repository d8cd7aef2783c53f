"""What Grand Archive needs of the scripted game: attacks, retaliation, materializing, time,
interdiction.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from fsm.scenarios.gameparts import GameParts
from fsm.scenarios.scenario import Item
from fsm.scenarios.verbparts import Flag, Id, Number, Then, Words
from fsm.scenarios.world import GameState, StackObject, World
from fsm.state.orders import Signal


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


WORDS = Words()
_added = partial(WORDS.verb, opening=False, added=True)


@_added(after="end_phase", needs=("event:attack",), heard="attack", by_player=True, at="priority")
def attack(world: World, item: Item, card: Flag = False, legal: Flag = True) -> None:
    """The active player declares an attack with priority and an empty stack, or (`card`) as an
    object put on the stack resolves; not `legal`: the declaration is undone.
    """
    # whatever comes of it, nothing is required any more
    world.orders.append(Signal("attack"))
    world.choices["declare_attack"] = legal
    world.of(Archive).must_attack = False


@_added(after="end_phase", needs=("fact:attack_required",))
def must_attack(world: World, item: Item) -> None:
    """The active player may not go on without having tried to attack: they pass once and are
    refused, then the `attack` that is given comes.
    """
    state = world.of(Archive)
    state.must_attack, state.refused = True, False


@_added(
    after="end_phase",
    needs=("action:order_retaliators|fact:several_retaliators",),
    home="declare_retaliation",
    at="begin",
    nested=False,
)
def retaliators(world: World, item: Item, count: Number = 1) -> None:
    """So many retaliate as that is declared."""
    world.of(Archive).retaliators = count


@_added(after="cast", needs=("action:materialize",), home="materialize", at="begin", nested=False)
def materialize(world: World, item: Item, id: Id = "", then: Then = ()) -> None:
    """The turn player does materialize as that is asked: an object goes on the stack; as it
    resolves, `then` is carried out.
    """
    world.of(Archive).entering = StackObject(world.active, then, item.name or item.do)
    world.choices["materialize"] = True


@WORDS.verb(after="cast", needs=("fact:time_distorted",), added=True)
def time_distorted(world: World, item: Item, value: Flag = True) -> None:
    """From now on time is distorted, or no longer."""
    world.of(Archive).distorted = value
    world.tell("time_distorted", value)


def _materialize(world: World, players: tuple[str, ...], manner: str) -> None:
    state = world.of(Archive)
    thing, state.entering = state.entering, None
    if thing is not None and players:
        world.stack.append(thing)


def _forbids(thing: StackObject) -> bool:
    return thing.cast is not None and bool(thing.cast.fields.get("interdiction"))


GRAND_ARCHIVE = GameParts(
    WORDS,
    states=(Archive,),
    facts={
        "interdiction_on_stack": lambda world: any(map(_forbids, world.stack)),
        "attack_required": lambda world: world.of(Archive).must_attack and not world.stack,
        "several_retaliators": lambda world: world.of(Archive).retaliators > 1,
        "time_distorted": lambda world: world.of(Archive).distorted,
    },
    actions={"materialize": _materialize},
)
