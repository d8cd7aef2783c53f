"""The effects of each verb on the scripted game: changes of its state, orders and signals."""

from __future__ import annotations

from collections.abc import Callable

from fsm.engine.requests import Signal
from fsm.scenarios.combatverbs import COMBAT_ACTS
from fsm.scenarios.scenario import Item
from fsm.scenarios.units import object_name
from fsm.scenarios.vocabulary import CHANGE
from fsm.scenarios.world import Ability, StackObject, World
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

Act = Callable[[World, Item], None]
ACTS: dict[str, Act] = dict(COMBAT_ACTS)


def carry_out(world: World, item: Item) -> None:
    """Carry out one item now."""
    ACTS[item.do](world, item)


def _verb(act: Act) -> Act:
    ACTS[act.__name__] = act
    return act


def _player(world: World, item: Item) -> str:
    """Return the player of an item. The default is the active player, or before turn 1 the first player."""
    return str(item["player"] or world.active or world.players[0])


# orders to agenda and calendar -------------------------------------------------------------------------


@_verb
def add_turn(world: World, item: Item) -> None:
    world.orders.append(AddTurn(_player(world, item), item["count"]))


@_verb
def skip_turn(world: World, item: Item) -> None:
    world.orders.append(SkipTurn(_player(world, item), item["count"]))


@_verb
def control_next_turn(world: World, item: Item) -> None:
    world.orders.append(ControlNextTurn(item["player"], item["by"], item["extra_turn_after"]))


@_verb
def add_phase(world: World, item: Item) -> None:
    after = item["after"]
    anchor, nth = ("", 1) if isinstance(after, str) else (after["phase"], int(after.get("nth", 1)))
    world.orders.append(AddPhase(item["phases"], anchor, nth, item["count"], _player(world, item), item["you_get"]))


@_verb
def add_step(world: World, item: Item) -> None:
    after = item["after"] or ("" if item["before"] else "current_step")
    player = _player(world, item)
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
    world.orders.append(Effect(item["id"], _player(world, item), item["until"]))


@_verb
def delayed_trigger(world: World, item: Item) -> None:
    player = _player(world, item)
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


def _end(world: World, item: Item, event: str, *, happens: bool) -> None:
    """Send the signal. Triggers of the ending procedure only trigger if there is such a procedure."""
    world.signals.append(Signal(event))
    if happens:
        world.ending = True
        for id in item["triggers_during"]:
            world.trigger(id)


@_verb
def end_turn(world: World, item: Item) -> None:
    _end(world, item, "end_turn", happens=True)


@_verb
def end_phase(world: World, item: Item) -> None:
    _end(world, item, "end_phase", happens=world.endable)


@_verb
def end_combat(world: World, item: Item) -> None:
    _end(world, item, "end_phase", happens=world.in_combat and world.endable)


@_verb
def player_leaves(world: World, item: Item) -> None:
    if item["player"] not in world.left:
        world.leave(item["player"])


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
def hand_size(world: World, item: Item) -> None:
    world.hand = (item["cards"], item["max"])


@_verb
def trigger(world: World, item: Item) -> None:
    world.trigger(item["id"])


@_verb
def sba(world: World, item: Item) -> None:
    world.sba = True


@_verb
def day_night(world: World, item: Item) -> None:
    world.designate(item["value"])


@_verb
def spells_cast(world: World, item: Item) -> None:
    world.spells = item["count"]


@_verb
def saga(world: World, item: Item) -> None:
    world.sagas.append((item["id"], _player(world, item)))


@_verb
def tell(world: World, item: Item) -> None:
    world.given_facts[item["fact"]] = item["value"]
    (world.facts_to_report.add if item["value"] else world.facts_to_report.discard)(item["fact"])


@_verb
def signal(world: World, item: Item) -> None:
    world.signals.append(Signal(item["event"]))


@_verb
def materialize(world: World, item: Item) -> None:
    world.entering = StackObject(world.active, item.then, object_name((item,)))
    world.choices["materialize"] = True


@_verb
def time_distorted(world: World, item: Item) -> None:
    world.distorted = item["value"]
    (world.facts_to_report.add if item["value"] else world.facts_to_report.discard)("time_distorted")


@_verb
def add_mana(world: World, item: Item) -> None:
    pool = world.pool(_player(world, item))
    if item["persists"] == "none":
        pool.loose += item["amount"]
    else:
        pool.kept += item["amount"]


@_verb
def spend_mana(world: World, item: Item) -> None:
    player = _player(world, item)
    pool = world.pool(player)
    held = pool.loose + pool.kept
    if item["amount"] > held:
        world.complaints.append(
            f"{item.place}: {player} has only {held} mana to spend in {world.where}, not {item['amount']}"
        )
    loose = min(item["amount"], pool.loose)
    pool.loose -= loose
    pool.kept -= min(item["amount"] - loose, pool.kept)
