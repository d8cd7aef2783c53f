"""The verbs of `given`, with what each does to the scripted game: changes of its state, and
orders.
"""

from __future__ import annotations

from fsm.model.elements import LEAVING
from fsm.scenarios.games import GAMES
from fsm.scenarios.scenario import Item
from fsm.scenarios.verbparts import (
    ACTIVE,
    CHANGE,
    CURRENT,
    EVERYONE,
    AddedPhases,
    AddedStep,
    Count,
    EventName,
    FactName,
    Flag,
    Id,
    Ids,
    Interdiction,
    Known,
    Label,
    Limit,
    On,
    PhaseAnchor,
    Player,
    Players,
    RoleName,
    Scoped,
    SkippedPhase,
    SkippedStep,
    Step,
    StepAnchor,
    StepOrPhase,
    StepOrPhaseOrChange,
    Then,
    TurnNumber,
    TurnScope,
    Until,
    Verb,
    Whose,
    Within,
    Words,
    Yes,
    YouGet,
    placed,
)
from fsm.scenarios.world import Ability, World
from fsm.state.orders import (
    AddPhase,
    AddStep,
    AddTurn,
    Appoint,
    ControlNextTurn,
    DelayedTrigger,
    Effect,
    EndPhase,
    EndTurn,
    ReverseTurnOrder,
    Signal,
    SkipPhase,
    SkipStep,
    SkipTurn,
    StandingTrigger,
    Withdraw,
)

_WORDS = Words()


def carry_out(world: World, item: Item) -> None:
    """Carry out one item now."""
    verb = VERBS[item.do]
    verb.act(
        world,
        item,
        **{f.parameter: item.then if f.name == "then" else item[f.name] for f in verb.fields},
    )


# orders to run and calendar -----------------------------------------------------------------------


@_WORDS.verb(needs=("test:extra_due:turn",))
def add_turn(
    world: World,
    item: Item,
    player: Player = ACTIVE,
    count: Count = 1,
    after: Within = "",
    id: Label = "",
    players: Players = (),
) -> None:
    """Extra turns, one at a time, directly after the current turn, or `after` the added turn with
    this `id`; latest first. `id` names what is added; `players` are several whom one effect names,
    a team takes the turn once.
    """
    player = "" if players else world.player_of(player)
    world.orders.append(AddTurn(player, count, id, after, players))


@_WORDS.verb(needs=("test:skip_due:turn",))
def skip_turn(
    world: World,
    item: Item,
    player: Player = EVERYONE,
    count: Count = 1,
    extra: Flag = False,
    scope: TurnScope = "next",
    id: Id = "",
    players: Players = (),
) -> None:
    """Each takes away the next turn that player would begin, natural or extra (`extra`: only extra
    turns); `each`: every one, until it is withdrawn; a team among the `players` skips once.
    """
    world.orders.append(SkipTurn(player, count, extra, scope, id, players))


@_WORDS.verb()
def control_next_turn(
    world: World,
    item: Item,
    player: Player,
    by: Player,
    extra_turn_after: Flag = False,
    in_: Within = "",
    id: Id = "",
) -> None:
    """`by` decides for `player` in the next turn that player really takes, or in the added turn
    with the `id` of `in`; then perhaps an extra turn for them.
    """
    world.orders.append(ControlNextTurn(player, by, extra_turn_after, in_, id))


@_WORDS.verb(needs=("by:role",), opening=False, added=True)
def appoint(world: World, item: Item, player: Player, role: RoleName = "defending") -> None:
    """`player` is the defending player, or has a role of the game's own, until this phase ends;
    nobody has it once that player has left; without this, every opponent has the role.
    """
    world.orders.append(Appoint(role, player))


@_WORDS.verb(needs=("test:extra_due:phase",))
def add_phase(
    world: World,
    item: Item,
    phases: AddedPhases,
    after: PhaseAnchor = "current_phase",
    count: Count = 1,
    player: Player = ACTIVE,
    you_get: YouGet = False,
    id: Label = "",
) -> None:
    """The phases, as one block, directly after that phase occurrence; later insertions come first.
    `id` names what is added.
    """
    anchor, nth = ("", 1) if isinstance(after, str) else (after["phase"], int(after.get("nth", 1)))
    world.orders.append(
        AddPhase(
            *phases,
            after=anchor,
            nth=nth,
            count=count,
            player=world.player_of(player),
            you_get=you_get,
            id=id,
        )
    )


@_WORDS.verb(needs=("test:extra_due:step",))
def add_step(
    world: World,
    item: Item,
    step: AddedStep,
    after: StepAnchor = CURRENT,
    before: Step = "",
    count: Count = 1,
    player: Player = ACTIVE,
    you_get: YouGet = False,
    id: Label = "",
) -> None:
    """Extra steps after the current step, after or before a named one, or after the current phase:
    then as phases that hold only that step. `id` names what is added.
    """
    after = after or ("" if before else "current_step")
    world.orders.append(AddStep(step, after, before, count, world.player_of(player), you_get, id))


@_WORDS.verb(needs=("test:skip_due:step",))
def skip_step(
    world: World,
    item: Item,
    step: SkippedStep,
    player: Player = EVERYONE,
    scope: Scoped = "next",
    in_: Within = "",
    id: Id = "",
    players: Players = (),
) -> None:
    """The step is passed over as though it did not exist; with `in` only in what was added with
    this `id`.
    """
    world.orders.append(SkipStep(step, player, scope, in_, id, players))


@_WORDS.verb(needs=("test:skip_due:phase",))
def skip_phase(
    world: World,
    item: Item,
    phase: SkippedPhase,
    player: Player = EVERYONE,
    scope: Scoped = "next",
    in_: Within = "",
    id: Id = "",
    players: Players = (),
) -> None:
    """The phase is passed over as though it did not exist; with `in` only in what was added with
    this `id`.
    """
    world.orders.append(SkipPhase(phase, player, scope, in_, id, players))


@_WORDS.verb()
def reverse_turn_order(world: World, item: Item) -> None:
    """From now on players take turns and receive priority the other way round; extra turns come as
    they would have.
    """
    world.orders.append(ReverseTurnOrder())


@_WORDS.verb()
def withdraw(world: World, item: Item, id: Known) -> None:
    """Ends what stands or waits under this `id`: skips, triggers, effects, and what was added and
    has not begun; what has begun is not undone.
    """
    world.effects[:] = (effect for effect in world.effects if effect != id)
    world.orders.append(Withdraw(id))


# endings, abilities, the rest of a game -----------------------------------------------------------


@_WORDS.verb(needs=("event:end_turn",), at="priority", opening=False)
def end_turn(world: World, item: Item, triggers_during: Ids = ()) -> None:
    """The end-the-turn procedure; listed triggers are raised by the procedure itself."""
    world.end(EndTurn(), triggers_during, happens=True)


@_WORDS.verb(needs=("event:end_phase",), at="priority", opening=False)
def end_phase(world: World, item: Item, triggers_during: Ids = ()) -> None:
    """The end-the-phase procedure, in a phase for which the ruleset has one; elsewhere it does
    nothing.
    """
    world.end(EndPhase(), triggers_during, happens=world.endable)


@_WORDS.verb()
def trigger(world: World, item: Item, id: Id) -> None:
    """An ability triggers now and waits."""
    world.trigger(id)


@_WORDS.verb()
def sba(world: World, item: Item) -> None:
    """A state-based action applies now."""
    world.sba = True


@_WORDS.verb()
def delayed_trigger(
    world: World,
    item: Item,
    id: Id,
    step: StepOrPhase,
    player: Player = ACTIVE,
    on: On = "next",
    in_: Within = "",
    then: Then = (),
) -> None:
    """Triggers once, at the next such step that begins after it was made, or as such a phase
    begins; `your_next`: at that player's next one; `your_next_turn`, `next_turn`: only in that
    player's next turn or in the turn after this one, lost if that turn lacks the step; with `in`
    only in what was added with this `id`.
    """
    player = world.player_of(player)
    world.abilities[id] = Ability(id, player, then)
    world.orders.append(DelayedTrigger(id, step, player, on, in_))


@_WORDS.verb()
def standing_trigger(
    world: World,
    item: Item,
    id: Id,
    step: StepOrPhaseOrChange = "",
    day_night_change: Yes = False,
    whose: Whose = "each",
    limit: Limit = "",
    then: Then = (),
) -> None:
    """Triggers at the beginning of each such step, or (`day_night_change`) as day becomes night or
    night day.
    """
    ability = Ability(id, "", then, whose, limit == "first_each_turn")
    if day_night_change or step == CHANGE:
        world.changes.append(ability)
        return
    world.abilities[id] = ability
    world.orders.append(StandingTrigger(id, step, whose, ability.once_a_turn))


@_WORDS.verb()
def effect(
    world: World,
    item: Item,
    id: Id,
    player: Player = ACTIVE,
    until: Until = "end_of_turn",
    in_: Within = "",
) -> None:
    """An effect with a duration, to track; with `in` the duration ends in what was added with this
    `id`.
    """
    world.effects.append(id)
    world.log.visit(world.where).made.add(id)
    world.orders.append(Effect(id, world.player_of(player), until, in_))


@_WORDS.verb(needs=(f"event:{LEAVING}",), opening=False)
def player_leaves(world: World, item: Item, player: Player = "", players: Players = ()) -> None:
    """Leaves the game now, or all these at the same time; when one player is left the game is over."""
    for one in players or (player,):
        if one not in world.left:
            world.leave(one)


@_WORDS.verb(opening=False)
def rollback(world: World, item: Item, to_turn: TurnNumber) -> None:
    """Restore the start of that turn and play it again (this item happens once, the others again)."""
    if to_turn <= world.turn:
        world.back_to = to_turn
    else:
        world.complaints.append(
            f"{item.place}: turn {to_turn} has not begun in {world.where}, so there is no way back to it"
        )


@_WORDS.verb(by_player=True, at="priority", opening=False, nested=False, added=True)
def cast(
    world: World,
    item: Item,
    player: Player = ACTIVE,
    id: Id = "",
    responds: Flag = False,
    interdiction: Interdiction = False,
    then: Then = (),
) -> None:
    """That player puts an object on the stack when they have priority with an empty stack
    (`responds`: while the previous object of this visit is on the stack); as it resolves, `then` is
    carried out (`interdiction`: nobody may act before it has resolved).
    """
    # the scripted game itself puts it on the stack, and what is carried out are the items of `then`


@_WORDS.verb(opening=False, added=True)
def tell(world: World, item: Item, fact: FactName, value: Flag = True) -> None:
    """In this visit the game tells this fact so, until the model has read it: any fact that the
    game tells.
    """
    world.given_facts[fact] = value
    world.tell(fact, value)


@_WORDS.verb(at="priority", opening=False, added=True)
def signal(world: World, item: Item, event: EventName) -> None:
    """The game sends this event: any that breaks the ordinary course of a turn; where nothing comes
    of it, it is not heard.
    """
    world.orders.append(Signal(event))


VERBS: dict[str, Verb] = placed(_WORDS.verbs, (verb for game in GAMES for verb in game.words.verbs))
"""All verbs. Schema, parser, documentation and game read this list."""
