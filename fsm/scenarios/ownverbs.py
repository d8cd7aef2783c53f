"""Verbs of a game of one's own: what `given` can say of it besides the verbs that every game has."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from itertools import islice
from typing import Any, TypeVar

from fsm.errors import ScenarioError, suggest
from fsm.scenarios.jsonshapes import FLAG, NUMBER, WORD
from fsm.scenarios.scenario import Item
from fsm.scenarios.shape import forget_words
from fsm.scenarios.verbparts import At, Kind, Verb, VerbField, meaning_of
from fsm.scenarios.verbs import VERBS
from fsm.scenarios.world import World
from fsm.state.orders import Order, Signal

_KINDS = {
    str: Kind("own_word", WORD),
    int: Kind("own_number", NUMBER),
    bool: Kind("own_flag", FLAG),
}
_OWN: list[str] = []
_Does = TypeVar("_Does", bound=Callable[..., None])


class ScriptedTurn:
    """What a verb can do: it changes what the scripted game answers next.

    Attributes
    ----------
    world
        The state of the scripted game.
    player
        The player whose turn it is.
    """

    def __init__(self, world: World) -> None:
        self.world: World = world
        self.player: str = world.active

    def order(self, *orders: Order) -> None:
        """Give orders with the next answer.

        Parameters
        ----------
        orders
            The orders.
        """
        self.world.orders += orders

    def signal(self, event: str) -> None:
        """Raise an event of the ruleset with the next answer.

        Parameters
        ----------
        event
            The name of the event.
        """
        self.world.orders.append(Signal(event))

    def tell(self, fact: str, value: bool = True) -> None:
        """Tell a fact in this visit of the step, until the model has read it.

        Parameters
        ----------
        fact
            The name of the fact.
        value
            Its value.
        """
        self.world.given_facts[fact] = value
        self.world.tell(fact, value)

    def trigger(self, id: str) -> None:
        """Let an ability trigger now. It waits to be put on the stack.

        Parameters
        ----------
        id
            The id of the ability.
        """
        self.world.trigger(id)


def verb(*, event: str = "") -> Callable[[_Does], _Does]:
    """Return a decorator that makes a function a verb of `given`, for scenarios of any ruleset that
    has the event.

    The name of the function is the verb, and its docstring is the meaning. The first parameter is a
    `ScriptedTurn`. The others are the fields, of type str, int or bool. Import the module with your
    verbs before scenarios are read.

    Parameters
    ----------
    event
        The event that a ruleset must have so that scenarios can use the verb. The verb then happens
        while a player has priority. If it is "", any ruleset has the verb, and it happens whenever
        its `when` comes up.

    Returns
    -------
    callable
        The decorator. It returns the function unchanged.

    Raises
    ------
    ScenarioError
        If there is a verb of this name, or if a field has another type.
    """

    def register(does: _Does) -> _Does:
        name = does.__name__
        if name in VERBS:
            raise ScenarioError(f"verb {name!r} is there already; give the function another name")

        def act(world: World, item: Item, **fields: Any) -> None:
            does(ScriptedTurn(world), **fields)

        needs = (f"event:{event}",) if event else ()
        at: At = "priority" if event else "either"
        VERBS[name] = Verb(
            name,
            _fields(does),
            meaning_of(does),
            act,
            needs=needs,
            at=at,
            opening=False,
            added=True,
        )
        _OWN.append(name)
        forget_words()
        return does

    return register


def _fields(does: Callable[..., None]) -> tuple[VerbField, ...]:
    found: list[VerbField] = []
    for parameter in islice(inspect.signature(does, eval_str=True).parameters.values(), 1, None):
        if parameter.annotation not in _KINDS:
            known = [kind.__name__ for kind in _KINDS]
            words = f"verb {does.__name__!r}: field {parameter.name!r} must have the type str, int or bool"
            raise ScenarioError(words + suggest(str(parameter.annotation), known, limit=0))
        found.append(
            VerbField(
                parameter.name.removesuffix("_"), _KINDS[parameter.annotation], parameter.default
            )
        )
    return tuple(found)
