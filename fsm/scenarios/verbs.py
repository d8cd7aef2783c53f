"""The effects of each verb on the scripted game: changes of its state, orders and signals."""

from __future__ import annotations

from fsm.engine.requests import Signal
from fsm.scenarios.discrepancies import registers
from fsm.scenarios.gameparts import Act
from fsm.scenarios.games import GAMES
from fsm.scenarios.scenario import Item
from fsm.scenarios.vocabulary import CHANGE
from fsm.scenarios.world import Ability, World
from fsm.state.orders import (
    AddPhase,
    AddStep,
    AddTurn,
    ControlNextTurn,
    DelayedTrigger,
    Effect,
    SkipPhase,
    SkipStep,
    SkipTurn,
    StandingTrigger,
)

ACTS: dict[str, Act] = {name: act for game in GAMES for name, act in game.acts.items()}
_verb = registers(ACTS)


def carry_out(world: World, item: Item) -> None:
    """Carry out one item now."""
    ACTS[item.do](world, item)


# orders to agenda and calendar -------------------------------------------------------------------------


@_verb
def add_turn(world: World, item: Item) -> None:
    world.orders.append(AddTurn(world.player_of(item), item["count"]))


@_verb
def skip_turn(world: World, item: Item) -> None:
    world.orders.append(SkipTurn(world.player_of(item), item["count"]))


@_verb
def control_next_turn(world: World, item: Item) -> None:
    world.orders.append(ControlNextTurn(item["player"], item["by"], item["extra_turn_after"]))


@_verb
def add_phase(world: World, item: Item) -> None:
    after = item["after"]
    anchor, nth = ("", 1) if isinstance(after, str) else (after["phase"], int(after.get("nth", 1)))
    world.orders.append(AddPhase(item["phases"], anchor, nth, item["count"], world.player_of(item), item["you_get"]))


@_verb
def add_step(world: World, item: Item) -> None:
    after = item["after"] or ("" if item["before"] else "current_step")
    player = world.player_of(item)
    world.orders.append(AddStep(item["step"], after, item["before"], item["count"], player, item["you_get"]))


@_verb
def skip_step(world: World, item: Item) -> None:
    world.orders.append(SkipStep(item["step"], item["player"], item["scope"]))


@_verb
def skip_phase(world: World, item: Item) -> None:
    world.orders.append(SkipPhase(item["phase"], item["player"], item["scope"]))


@_verb
def effect(world: World, item: Item) -> None:
    world.effects.append(item["id"])
    world.log.visit(world.where).made.add(item["id"])
    world.orders.append(Effect(item["id"], world.player_of(item), item["until"]))


@_verb
def delayed_trigger(world: World, item: Item) -> None:
    player = world.player_of(item)
    world.abilities[item["id"]] = Ability(item["id"], player, item.then)
    world.orders.append(DelayedTrigger(item["id"], item["step"], player, item["on"]))


@_verb
def standing_trigger(world: World, item: Item) -> None:
    ability = Ability(item["id"], "", item.then, item["whose"], item["limit"] == "first_each_turn")
    if item[CHANGE] or item["step"] == CHANGE:
        world.changes.append(ability)
        return
    world.abilities[ability.id] = ability
    world.orders.append(StandingTrigger(ability.id, item["step"], ability.whose, ability.once_a_turn))


# endings --------------------------------------------------------------------------------------------------


@_verb
def end_turn(world: World, item: Item) -> None:
    world.end("end_turn", item, happens=True)


@_verb
def end_phase(world: World, item: Item) -> None:
    world.end("end_phase", item, happens=world.endable)


@_verb
def player_leaves(world: World, item: Item) -> None:
    for player in (*item["players"], *([item["player"]] if item["player"] else [])):
        if player not in world.left:
            world.leave(player)


@_verb
def rollback(world: World, item: Item) -> None:
    if item["to_turn"] <= world.turn:
        world.back_to = item["to_turn"]
    else:
        world.complaints.append(
            f"{item.place}: turn {item['to_turn']} has not begun in {world.where}, so there is no way back to it"
        )


# the rest of a game -----------------------------------------------------------------------------------------


@_verb
def trigger(world: World, item: Item) -> None:
    world.trigger(item["id"])


@_verb
def sba(world: World, item: Item) -> None:
    world.sba = True


@_verb
def tell(world: World, item: Item) -> None:
    world.given_facts[item["fact"]] = item["value"]
    world.tell(item["fact"], item["value"])


@_verb
def signal(world: World, item: Item) -> None:
    world.signals.append(Signal(item["event"]))
