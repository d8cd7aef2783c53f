"""Hosts in both loops: what is asked and told, and what is refused before anything runs."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from typing import Any

import pytest

import fsm
from fsm import Answer, Over, Perform, Priority, Request, Resolve, TurnController
from fsm.errors import AnswerError, HostError
from fsm.hosts import AutoPass, HostWarning, StackHost, Stops, ask
from fsm.model import Fact
from fsm.rulesets import Act, Phase, Step, Table

Drive = Callable[..., Request | Over]


def turn(number: int) -> Callable[[Request], bool]:
    return lambda request: request.at.turn == number


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

    class Players(StackHost):
        def on_draw_card(self, request: Perform) -> None:
            heard.append(f"{request.player} draws")

        def on_perform(self, request: Perform) -> Answer:
            heard.append(request.action)
            return request.done()

        def on_check_state(self, request: fsm.CheckState) -> None:
            heard.append(request.kind)

    drive(game, Players(), until=turn(4))
    assert [one for one in heard if "draw" in one] == ["Ben draws", "Ann draws"]
    assert {"untap_permanents", "check_state"} <= {*heard}


@pytest.mark.parametrize(
    ("handler", "words"),
    [
        ("on_drw_card", "did you mean 'on_draw_card'?"),
        ("on_prority", "did you mean 'on_priority'?"),
        ("on_expire", "did you mean 'on_expired'?"),
        ("on_upkeep", "upkeep is a step, not an action; fsm.hosts.entering tells"),
    ],
)
def test_a_misspelt_handler_is_refused_before_anything_runs(
    handler: str, words: str, game: TurnController, drive: Drive
) -> None:
    wrong = type("Wrong", (fsm.BaseHost,), {handler: lambda self, request: None})()
    first = game.request
    with pytest.raises(HostError, match=rf"^Wrong\.{handler}: .*{re.escape(words)}"):
        drive(game, wrong)
    assert game.request is first


@pytest.mark.parametrize(
    ("host", "words"),
    [
        (type("Wrong", (fsm.BaseHost,), {"on_draw_card": 3})(), r"Wrong\.on_draw_card must be a"),
        (object(), r"object is no host: derive it from fsm\.BaseHost"),
        (fsm.BaseHost, r"BaseHost is a class: give BaseHost\(\), an object of it"),
    ],
    ids=["no method", "no host", "a class"],
)
def test_what_is_no_host_is_refused(
    host: Any, words: str, game: TurnController, drive: Drive
) -> None:
    with pytest.raises(HostError, match=words):
        drive(game, host)


def test_what_is_no_answer_is_refused(game: TurnController, drive: Drive) -> None:
    host: Any = fsm.BaseHost()
    host.on_perform = lambda request: "done"
    with pytest.raises(AnswerError, match="an answer must be an Answer, not a str"):
        drive(game, host)


# facts --------------------------------------------------------------------------------------------


class Later(fsm.BaseHost):
    """Has the member when it is needed."""

    def on_declare_attackers(self, request: Perform) -> None:
        self.attackers_declared = True


class ByName(fsm.BaseHost):
    def fact(self, name: str) -> bool | None:
        return True if name == "attackers_declared" else None


class ByAnswer(fsm.BaseHost):
    attackers_declared = False

    def on_declare_attackers(self, request: Perform) -> Answer:
        return request.done(attackers_declared=True)


@pytest.mark.parametrize(
    "member",
    [True, property(lambda self: True), lambda self: True],
    ids=["attribute", "property", "method"],
)
def test_members_tell_the_facts_of_their_name(
    member: object, game: TurnController, drive: Drive
) -> None:
    host = type("Attacking", (fsm.BaseHost,), {"attackers_declared": member})()
    drive(game, host, until=lambda request: request.at.step == "declare_blockers")
    assert game.position.turn == 1


@pytest.mark.parametrize("host", [Later, ByName, ByAnswer])
def test_what_the_answer_tells_counts_first_and_fact_is_asked_last(
    host: type[fsm.BaseHost], game: TurnController, drive: Drive
) -> None:
    drive(game, host(), until=lambda request: request.at.step == "declare_blockers")
    assert game.position.turn == 1


def test_an_error_of_a_property_is_no_missing_member(game: TurnController, drive: Drive) -> None:
    member = property(lambda self: self.attackers)
    with pytest.raises(AttributeError, match="attackers"):
        drive(game, type("Wrong", (fsm.BaseHost,), {"attackers_declared": member})())


def test_a_fact_must_be_true_or_false(game: TurnController, drive: Drive) -> None:
    wrong = type("Wrong", (fsm.BaseHost,), {"attackers_declared": "a bear"})()
    with pytest.raises(HostError, match=r"Wrong\.attackers_declared must be true or fals.*a bear"):
        drive(game, wrong)


def test_a_host_that_acts_must_tell_whether_the_stack_is_empty(
    game: TurnController, drive: Drive
) -> None:
    class Acting(fsm.BaseHost):
        acts = True

        def on_priority(self, request: Priority) -> Answer | None:
            acts, self.acts = self.acts, False
            return request.acted() if acts else None

    class Telling(Acting):
        stack_empty = True

    assert drive(game.fork(), Telling(), until=turn(2)).at.turn == 2
    with pytest.raises(HostError, match="Acting answers 'acted' and does not tell 'stack_empty'"):
        drive(game, Acting(), until=turn(2))


@pytest.mark.parametrize(("becalmed", "sold"), [(True, 0), (False, 2)])
def test_a_fact_that_only_an_order_makes_matter_is_told_by_the_host(
    becalmed: bool, sold: int, drive: Drive
) -> None:
    class Captain(StackHost):
        sold = 0

        def on_sail(self, request: Perform) -> Answer:
            return request.done(fsm.AddPhase("trade"))

        def on_sell(self, request: Perform) -> None:
            self.sold += 1

    port = Table(
        "port",
        Phase("sea", Step("wind", Act("sail"))),
        Phase("trade", Step("market", Act("sell")), unless="becalmed"),
        facts=[Fact("becalmed", "there is no wind")],
    )
    captain: Any = Captain()
    captain.becalmed = becalmed
    drive(TurnController(port, ["Ann", "Ben"]), captain, until=turn(2))
    assert captain.sold == sold


@pytest.mark.parametrize(
    ("member", "value", "fact"),
    [
        ("stack_emtpy", True, "stack_empty"),
        ("stack_is_empty", property(lambda self: True), "stack_empty"),
        ("attackers_declred", lambda self: True, "attackers_declared"),
    ],
)
def test_a_member_like_a_misspelt_fact_is_warned_of(
    member: str, value: object, fact: str, game: TurnController, drive: Drive
) -> None:
    misspelt = type("Misspelt", (fsm.BaseHost,), {member: value})()
    with pytest.warns(HostWarning, match=rf"^Misspelt\.{member}: .* did you mean '{fact}'\?"):
        drive(game, misspelt, until=turn(1))


def test_an_attribute_like_a_misspelt_fact_is_warned_of(game: TurnController) -> None:
    host: Any = fsm.BaseHost()
    host.triggers_wait = True
    with pytest.warns(HostWarning, match="did you mean 'triggers_waiting'"):
        fsm.drive(game, host, until=turn(1))


class Unsuspicious(StackHost):
    """Members that are private, resemble a fact that is told or none, or cannot tell one."""

    _stack_emtpy = sba_performed_now = monarch = True
    sba_performed = False
    stack_emptied = 3

    def stack_emptyy(self, player: str) -> bool:
        return True


def test_other_members_are_left_alone(game: TurnController, drive: Drive) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        drive(game, Unsuspicious(), until=turn(2))


# the stack ----------------------------------------------------------------------------------------


class Casting(StackHost):
    """Casts two spells in turn 1. The one that resolves first triggers something."""

    def __init__(self) -> None:
        super().__init__()
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


def test_what_raises_while_it_resolves_stays_on_the_stack(
    game: TurnController, drive: Drive
) -> None:
    class Failing(Casting):
        def resolve(self, top: Any, request: Resolve) -> Answer | None:
            raise ConnectionError

    host = Failing()
    with pytest.raises(ConnectionError):
        drive(game, host)
    assert isinstance(game.request, Resolve)
    assert host.stack == ["Bolt", "Shock"]


def test_what_has_left_the_stack_while_it_resolves_takes_nothing_with_it(
    game: TurnController, drive: Drive
) -> None:
    class Leaving(Casting):
        def resolve(self, top: Any, request: Resolve) -> Answer | None:
            self.resolved.append(self.stack.pop())
            return None

    host = Leaving()
    drive(game, host, until=turn(2))
    assert host.resolved == ["Shock", "Bolt"]


def test_an_empty_stack_cannot_resolve(game: TurnController, drive: Drive) -> None:
    wrong = type("Wrong", (StackHost,), {"stack_empty": False})()
    with pytest.raises(HostError, match=r"Wrong\.stack is empty, but the turn was told that it is"):
        drive(game, wrong)


# notices ------------------------------------------------------------------------------------------


class Noticing(fsm.BaseHost):
    def __init__(self) -> None:
        self.heard = list[tuple[str, object]]()

    def on_untap_permanents(self, request: Perform) -> Answer | None:
        self.heard.append(("untap", request.at.turn))
        if request.at.turn > 1:
            return None
        return request.done(fsm.Effect("growth", "Ann"), fsm.DelayedTrigger("sacrifice", "end"))

    def on_result(self, result: fsm.Result) -> None:
        self.heard.append((type(result.order).__name__, result.state))

    def on_expired(self, id: str) -> None:
        self.heard.append(("expired", id))

    def on_triggered(self, id: str) -> None:
        self.heard.append(("triggered", id))


def test_notices_come_before_the_request(game: TurnController, drive: Drive) -> None:
    host = Noticing()
    drive(game, host, until=lambda request: request.at.turn == 2 and request.at.step == "upkeep")
    assert host.heard == [
        ("untap", 1),
        ("Effect", "done"),
        ("DelayedTrigger", "waiting"),
        ("DelayedTrigger", "done"),
        ("triggered", "sacrifice"),
        ("expired", "growth"),
        ("untap", 2),
    ]


# hosts that wait ----------------------------------------------------------------------------------


class Late(fsm.aio.BaseHost):
    async def on_priority(self, request: Priority) -> Answer | None:
        return None


@pytest.mark.parametrize("wrapped", [False, True], ids=["alone", "wrapped"])
def test_a_host_that_has_to_be_awaited_is_sent_to_the_other_loop(
    wrapped: bool, game: TurnController
) -> None:
    host: Any = AutoPass(Late(), Stops(game.model, ["Ann", "Ben"])) if wrapped else Late()
    first = game.request
    with pytest.raises(HostError, match=r"Late\.on_priority has to be awaited.*fsm\.aio\.drive"):
        fsm.drive(game, host)
    assert game.request is first


def test_an_awaitable_out_of_a_plain_method_is_sent_to_the_other_loop(game: TurnController) -> None:
    host: Any = fsm.BaseHost()
    host.on_perform = lambda request: Late().on_priority(request)
    for loop in (fsm.drive, ask):
        with pytest.raises(HostError, match=r"of BaseHost has to be awaited.*fsm\.aio\.drive"):
            loop(game, host)


# where it ends ------------------------------------------------------------------------------------


def test_until_is_asked_before_anything_is_answered(game: TurnController, drive: Drive) -> None:
    first = game.request
    assert drive(game, fsm.BaseHost(), until=lambda request: True) is first
    assert game.request is first


def test_a_game_that_is_over_asks_nothing(game: TurnController, drive: Drive) -> None:
    end = game.order(fsm.Leave("Ben"))
    assert drive(game, fsm.BaseHost()) is end
    with pytest.raises(AnswerError, match="game is over"):
        ask(game, fsm.BaseHost())


def test_a_host_that_keeps_the_turn_where_it_is_is_stopped_with_the_fact(
    game: TurnController, drive: Drive
) -> None:
    host: Any = fsm.BaseHost()
    host.sba_performed = True
    words = "turn 1 of Ann, upkeep: more than 50 answers.* sba_performed is true"
    with pytest.raises(HostError, match=words) as error:
        drive(game, host, limit=50)
    assert error.value.kind == "endless"


def test_players_who_act_may_do_so_for_longer_but_not_for_ever(
    game: TurnController, drive: Drive
) -> None:
    class Endless(StackHost):
        def on_priority(self, request: Priority) -> Answer:
            self.stack.append("again")
            return request.acted()

    host = Endless()
    with pytest.raises(HostError, match="players act without end"):
        drive(game, host, limit=5)
    assert len(host.stack) > 50


def test_a_long_quiet_game_is_not_stopped(game: TurnController, drive: Drive) -> None:
    assert drive(game, fsm.BaseHost(), limit=60, until=turn(20)).at.turn == 20
