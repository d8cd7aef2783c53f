"""Hosts in both loops: what is asked and told, and what is refused before anything runs."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from hosts.conftest import turn

import fsm
from fsm import Answer, Over, Perform, Priority, Request, Resolve, TurnController
from fsm.errors import AnswerError, HostError
from fsm.hosts import StackHost, Stops
from fsm.model import Fact
from fsm.rulesets import Act, Phase, Step, Table

Drive = Callable[..., Request | Over]


@pytest.mark.parametrize("name", ["magic", "grand-archive"])
def test_a_host_without_methods_plays_quiet_turns(name: str, drive: Drive) -> None:
    driven, by_hand = (TurnController(name, ["Ann", "Ben"]) for _ in range(2))
    drive(driven, fsm.BaseHost(), until=turn(4))
    for request in by_hand:
        if request.at.turn == 4:
            break
        by_hand.answer(request.quiet())
    assert driven.snapshot() == by_hand.snapshot()


# handlers -----------------------------------------------------------------------------------------


def test_requests_go_to_the_handler_of_their_action_or_kind(
    game: TurnController, drive: Drive
) -> None:
    heard = list[str]()

    host: Any = fsm.BaseHost()
    host.on_draw_card = lambda request: heard.append(f"{request.player} draws")
    host.on_perform = lambda request: heard.append(request.action)
    host.on_check_state = lambda request: heard.append(request.kind)
    drive(game, host, until=turn(4))
    assert [one for one in heard if "draw" in one] == ["Ben draws", "Ann draws"]
    assert {"untap_permanents", "check_state"} <= {*heard}


@pytest.mark.parametrize(
    ("handler", "words"),
    [
        ("on_drw_card", "did you mean 'on_draw_card'?"),
        ("on_prority", "did you mean 'on_priority'?"),
        ("on_expire", "did you mean 'on_expired'?"),
        ("reslove", "did you mean 'resolve'?"),
        ("stack_emty", "did you mean 'stack_empty'? If not, begin the name with an underscore"),
    ],
)
def test_a_misspelt_handler_or_fact_is_refused_before_anything_runs(
    handler: str, words: str, game: TurnController, drive: Drive
) -> None:
    kind = StackHost if handler == "reslove" else fsm.BaseHost
    wrong = type("Wrong", (kind,), {handler: lambda self, request: None})()
    first = game.request
    with pytest.raises(HostError, match=rf"^Wrong\.{handler}: .*{re.escape(words)}"):
        drive(game, wrong)
    assert game.request is first


@pytest.mark.parametrize(
    ("host", "words"),
    [
        (object(), r"object .* is no host: give an object of a class of fsm\.BaseHost"),
        (fsm.BaseHost, r"BaseHost'> is no host: give an object of a class of fsm\.BaseHost"),
    ],
    ids=["no host", "a class"],
)
def test_what_is_no_host_is_refused(
    host: Any, words: str, game: TurnController, drive: Drive
) -> None:
    with pytest.raises(HostError, match=words):
        drive(game, host)


# facts --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "members",
    [
        {"attackers_declared": property(lambda self: True)},
        {"attackers_declared": lambda self: True},
        {"on_declare_attackers": lambda self, request: setattr(self, "attackers_declared", True)},
        {
            "on_declare_attackers": lambda self, request: request.done(attackers_declared=True),
            "attackers_declared": False,
        },
    ],
    ids=["property", "method", "attribute that comes later", "answer first"],
)
def test_facts_are_told_by_the_answer_and_else_by_the_member_of_their_name(
    members: dict[str, Any], game: TurnController, drive: Drive
) -> None:
    host = type("Attacking", (fsm.BaseHost,), members)()
    drive(game, host, until=lambda request: request.at.step == "declare_blockers")
    assert game.position.turn == 1


def test_an_error_of_a_property_is_no_missing_member(game: TurnController, drive: Drive) -> None:
    member = property(lambda self: self.attackers)
    with pytest.raises(AttributeError, match="attackers"):
        drive(game, type("Wrong", (fsm.BaseHost,), {"attackers_declared": member})())


def test_a_fact_must_be_true_or_false(game: TurnController, drive: Drive) -> None:
    wrong = type("Wrong", (fsm.BaseHost,), {"attackers_declared": "a bear"})()
    with pytest.raises(AnswerError, match=r"'attackers_declared' must be true or false.*a bear"):
        drive(game, wrong)


@pytest.mark.parametrize(
    ("handler", "words"),
    [
        ("on_perform", r"request\.done\("),
        ("on_priority", r"request\.acted\("),
    ],
)
def test_an_order_is_no_answer(
    handler: str, words: str, game: TurnController, drive: Drive
) -> None:
    host: Any = fsm.BaseHost()
    setattr(host, handler, lambda request: fsm.AddPhase("combat"))
    with pytest.raises(HostError, match=rf"which is no answer; return {words}"):
        drive(game, host)


def test_a_host_that_acts_must_tell_whether_the_stack_is_empty(
    game: TurnController, drive: Drive
) -> None:
    class Acting(fsm.BaseHost):
        hand = 1

        def on_priority(self, request: Priority) -> Answer | None:
            self.hand -= 1
            return request.acted() if self.hand == 0 else None

    telling: Any = Acting()
    telling.stack_empty = True
    assert drive(game.fork(), telling, until=turn(2)).at.turn == 2
    with pytest.raises(HostError, match="Acting answers 'acted' and does not tell 'stack_empty'"):
        drive(game, Acting(), until=turn(2))


@pytest.mark.parametrize(("becalmed", "sold"), [(True, 0), (False, 2)])
def test_a_fact_that_only_an_order_makes_matter_is_told_by_the_host(
    becalmed: bool, sold: int, drive: Drive
) -> None:
    sold_in = list[int]()
    captain: Any = StackHost()
    captain.becalmed = becalmed
    captain.on_sail = lambda request: request.done(fsm.AddPhase("trade"))
    captain.on_sell = lambda request: sold_in.append(request.at.turn)
    port = Table(
        "port",
        Phase("sea", Step("wind", Act("sail"))),
        Phase("trade", Step("market", Act("sell")), unless="becalmed"),
        facts=Fact("becalmed", "there is no wind"),
    )
    drive(TurnController(port, ["Ann", "Ben"]), captain, until=turn(2))
    assert len(sold_in) == sold


def test_the_answer_of_one_of_several_players_is_not_that_of_all(drive: Drive) -> None:
    """Also if it leaves a fact out."""
    asked = list[str]()
    host: Any = fsm.BaseHost()

    def on_vote(request: Perform) -> Answer:
        asked.append(request.waits_for[0])
        return request.done(player=asked[-1])

    host.on_vote = on_vote
    votes = Step("s", Act("vote", by="everyone", decides="yes"), Act("cheer", when="yes"))
    drive(TurnController(Table("club", Phase("p", votes)), ["Ann", "Ben"]), host, until=turn(2))
    assert asked == ["Ann", "Ben"]


# the stack ----------------------------------------------------------------------------------------


class Casting(StackHost):
    """Casts two spells in turn 1. The one that resolves first triggers something."""

    def __init__(self) -> None:  # the stack is there without super().__init__()
        self.hand, self.resolved = ["Shock", "Bolt"], list[str]()

    def on_priority(self, request: Priority) -> Answer | None:
        if not self.hand:
            return None
        self.stack.append(self.hand.pop())
        return request.acted()

    def resolve(self, top: Any, request: Resolve) -> Answer | None:
        self.resolved.append(top)
        if top == "Shock":
            self.waiting.append("trigger")
        return request.done()


def test_a_stack_host_resolves_from_the_top_and_places_triggers(
    game: TurnController, drive: Drive
) -> None:
    host = Casting()
    drive(game, host, until=turn(2))
    assert host.resolved == ["Shock", "trigger", "Bolt"]
    assert host.stack == host.waiting == []


@pytest.mark.parametrize("name", ["magic", "magic-2010", "magic-classic", "grand-archive"])
def test_a_stack_host_empties_the_stack_when_the_turn_is_ended(name: str, drive: Drive) -> None:
    """Rules 723.1a and 723.1b: waiting triggers cease, and the stack is exiled."""

    class Ending(Casting):
        def resolve(self, top: Any, request: Resolve) -> Answer | None:
            if top == "trigger":  # before 2018, what waits is still put on the stack
                return None
            self.waiting.append("trigger")
            return request.done(fsm.EndTurn())

    host = Ending()
    drive(TurnController(name, ["Ann", "Ben"]), host, until=turn(2))
    assert host.hand == host.stack == host.waiting == []


# notices ------------------------------------------------------------------------------------------


def test_notices_come_before_the_request(game: TurnController, drive: Drive) -> None:
    heard = list[tuple[str, object]]()
    host: Any = fsm.BaseHost()

    def untap(request: Perform) -> Answer:
        heard.append(("untap", request.at.turn))
        orders = fsm.Effect("growth", "Ann"), fsm.DelayedTrigger("sacrifice", "end")
        return request.done(*orders if request.at.turn == 1 else ())

    host.on_untap_permanents = untap
    host.on_result = lambda result: heard.append((type(result.order).__name__, result.state))
    host.on_expired = lambda id: heard.append(("expired", id))
    host.on_triggered = lambda id: heard.append(("triggered", id))
    drive(game, host, until=lambda request: request.at.turn == 2 and request.at.step == "upkeep")
    assert heard == [
        ("untap", 1),
        ("Effect", "done"),
        ("DelayedTrigger", "waiting"),
        ("DelayedTrigger", "done"),
        ("triggered", "sacrifice"),
        ("expired", "growth"),
        ("untap", 2),
    ]


def test_before_asking_comes_after_the_notices_and_before_the_handler(
    game: TurnController, drive: Drive
) -> None:
    heard = list[str]()
    host: Any = fsm.BaseHost()
    host.on_phasing = lambda request: request.done(fsm.DelayedTrigger("bell", "upkeep"))
    host.on_triggered = heard.append
    host.before_asking = lambda request: heard.append(f"before {request.kind}")
    host.on_priority = lambda request: heard.append(request.player)
    drive(game, host, until=lambda request: request.at.step == "precombat_main")
    settled = "before check_state", "before priority"
    assert heard[heard.index("bell") :] == [
        *("bell", *settled, "Ann", *settled, "Ben"),
        "before perform",
    ]


# hosts that wrap others ---------------------------------------------------------------------------


ORDERS = {
    "stops outside": lambda host: stopped(late(host)),
    "limit outside": lambda host: late(stopped(host)),
    "twice": lambda host: stopped(late(stopped(host))),
}


def late(host: Any) -> fsm.aio.TimeLimit:
    return fsm.aio.TimeLimit(host, lambda request: 60, lambda request: request.quiet())


def stopped(host: Any) -> Stops:
    stops = Stops(fsm.load("magic"), ["Ann", "Ben"], host)
    stops.sleep("Ben")
    return stops


@pytest.mark.parametrize("wrap", ORDERS.values(), ids=ORDERS)
def test_limits_and_stops_nest_in_any_order(
    wrap: Callable[[Any], Any], game: TurnController, drive: Drive
) -> None:
    """Who is asleep is not asked, and nothing is done before it."""
    asked, before = list[str](), list[str]()
    host: Any = fsm.BaseHost()
    host.on_priority = lambda request: asked.append(request.player)
    host.before_asking = lambda request: before.append(request.player)
    drive(game, wrap(host), until=lambda request: request.at.step == "precombat_main")
    assert asked == ["Ann"]
    assert "Ben" not in before


# hosts that wait ----------------------------------------------------------------------------------


class Late(fsm.BaseHost):
    async def on_priority(self, request: Priority) -> Answer | None:
        return None


def test_a_host_that_has_to_be_awaited_is_sent_to_the_other_loop(game: TurnController) -> None:
    """Also if it is wrapped. The game waits where it was asked."""
    fsm.drive(game, fsm.BaseHost(), until=lambda request: request.kind == "priority")
    for host in (Late(), late(stopped(Late()))):
        with pytest.raises(
            HostError, match=r"Late\.on_priority.* has to be awaited.*fsm\.aio\.drive"
        ):
            fsm.drive(game, host)
        assert game.request.kind == "priority"


# where it ends ------------------------------------------------------------------------------------


def test_until_is_asked_before_anything_is_answered(game: TurnController, drive: Drive) -> None:
    first = game.request
    assert drive(game, fsm.BaseHost(), until=lambda request: True) is first
    assert game.request is first


def test_a_game_that_is_over_asks_nothing(game: TurnController, drive: Drive) -> None:
    end = game.order(fsm.Leave("Ben"))
    assert drive(game, fsm.BaseHost()) is end


def test_a_host_that_keeps_the_turn_where_it_is_is_stopped_with_the_fact(
    game: TurnController, drive: Drive
) -> None:
    host: Any = fsm.BaseHost()
    host.sba_performed = True
    words = "turn 1 of Ann, upkeep: more than 50 answers.* tells that sba_performed"
    with pytest.raises(HostError, match=words) as error:
        drive(game, host, limit=50)
    assert error.value.kind == "endless"


def test_players_who_act_without_end_are_stopped(game: TurnController, drive: Drive) -> None:
    class Endless(StackHost):
        def on_priority(self, request: Priority) -> Answer:
            self.stack.append("again")
            return request.acted()

    with pytest.raises(HostError, match=r"more than 50 answers.* not stack_empty"):
        drive(game, Endless(), limit=50)


def test_a_long_quiet_game_is_not_stopped(game: TurnController, drive: Drive) -> None:
    assert drive(game, fsm.BaseHost(), limit=60, until=turn(20)).at.turn == 20
