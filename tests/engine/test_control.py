"""Whom a request is asked of: control of a turn (CR 722), reversed turn order (103.1), appointed
players (506.2a). `cards/turns.json` has who decides in which turn.
"""

from __future__ import annotations

import pytest

from fsm import (
    Appoint,
    CheckState,
    ControlNextTurn,
    Leave,
    PlaceTriggers,
    ReverseTurnOrder,
)
from fsm.errors import OrderError
from fsm.model import Model
from support.playing import (
    actives,
    attack,
    resolved,
    started,
    through,
    to,
    to_action,
    unchanged,
)


def test_requests_name_whom_to_ask(magic: Model) -> None:
    """The one who decides stands in for the active player only."""
    game = resolved(magic, "end", ControlNextTurn("B", "A"), players="ABC")
    request = to_action(game, "draw_card", turn=2)
    assert (request.by, request.deciders) == (("B",), ("A",))
    game.answer(request.quiet())
    asked = []
    while game.position.step == "draw":
        asked += [(game.request.player, *game.request.deciders)] * bool(game.request.by)
        game.answer(game.request.quiet())  # type: ignore[union-attr]
    assert asked[:3] == [("B", "A"), ("C", "C"), ("A", "A")]


def test_who_has_left_controls_nobody(magic: Model) -> None:
    """Rule 800.4a: neither in a turn under way nor later."""
    game = resolved(magic, "end", ControlNextTurn("B", "C"), players="ABC")
    later = game.fork()
    later.order(Leave("C"))
    assert to(later, "upkeep", turn=2).at.controller == "B"
    assert to(game, "upkeep", turn=2).at.controller == "C"
    game.order(Leave("C"))
    assert to(game, "draw").at.controller == "B"
    order = ControlNextTurn("A", "C")
    unchanged(game, lambda: game.order(order), OrderError, "'C' has left the game already")


# the turn order is reversed -----------------------------------------------------------------------


def test_priority_and_triggers_go_the_other_way_round_and_pass_over_who_left(magic: Model) -> None:
    game = resolved(magic, "end", ReverseTurnOrder(), players="ABCD", turn=2)
    place = game.answer(to(game, "upkeep", CheckState, turn=3).quiet(triggers_waiting=True))
    assert isinstance(place, PlaceTriggers) and place.by == ("A", "D", "C", "B")
    game.order(Leave("D"))
    asked = []
    while game.position.step == "upkeep":
        asked += [game.request.player] * (game.request.kind == "priority")
        game.answer(game.request.quiet())  # type: ignore[union-attr]
    assert asked == ["A", "C", "B"]
    assert actives(game, through=5) == "ACB"


# roles --------------------------------------------------------------------------------------------


def test_every_opponent_defends_unless_one_is_appointed(magic: Model) -> None:
    """Rules 506.2a and 509.1: until the phase ends."""
    game = started(magic, "ABC")
    attack(game)
    assert to_action(game, "declare_blockers").by == ("B", "C")
    through(game, 1)
    with pytest.raises(OrderError, match="nobody defends now; appoint in the phase"):
        game.order(Appoint("defending", "C"))
    to(game, "beginning_of_combat")
    game.order(Appoint("defending", "C"))
    game.order(Appoint("defending", "A"))
    attack(game)
    assert to_action(game, "declare_blockers").by == ("A",)
    through(game, 2)
    attack(game)
    assert to_action(game, "declare_blockers").by == ("A", "B")


def test_nobody_takes_the_role_of_an_appointed_player_who_has_left(magic: Model) -> None:
    """Rule 506.2a: nobody else was attacked. So nobody blocks, and only A assigns damage."""
    game = started(magic, "ABCD")
    to(game, "beginning_of_combat")
    game.order(Appoint("defending", "B"))
    attack(game)
    game.order(Leave("B"))
    assert to_action(game, "declare_blockers").by == ()
    assert to_action(game, "assign_combat_damage").by == ("A",)
    through(game, 1)
    attack(game)
    assert to_action(game, "declare_blockers").by == ("D", "A")
