"""BaseHost and StackHost, plain and for asyncio: what is asked, what is told, and what is refused
before it begins.
"""

from __future__ import annotations

import asyncio
import re
import warnings
from collections.abc import Callable
from typing import Any

import pytest

import fsm
from fsm import Answer, DelayedTrigger, Effect, Over, Perform, Priority, Request, Resolve
from fsm.errors import AnswerError, HostError
from fsm.hosts import AutoPass, Game, HostWarning, StackHost, Stops, ask
from fsm.model import Fact
from fsm.rulesets import Act, During, Phase, Step, Table, Window, names

Drive = Callable[..., Request | Over]


def plainly(game: Game, host: Any, **options: Any) -> Request | Over:
    return fsm.drive(game, host, **options)


def waiting(game: Game, host: Any, **options: Any) -> Request | Over:
    return asyncio.run(fsm.aio.drive(game, host, **options))


@pytest.fixture(params=[plainly, waiting])
def drive(request: pytest.FixtureRequest) -> Drive:
    """Each of the two ways to drive."""
    driven: Drive = request.param
    return driven


def game(name: str = "magic") -> fsm.TurnController:
    return fsm.TurnController(name, ["Ann", "Ben"])


def turn(number: int) -> Callable[[Request], bool]:
    return lambda request: request.at.turn == number


@pytest.mark.parametrize("name", names())
def test_a_host_without_methods_plays_quiet_turns(name: str, drive: Drive) -> None:
    """As answering quietly by hand does."""
    driven, by_hand = game(name), game(name)
    drive(driven, fsm.BaseHost(), until=turn(4))
    for request in by_hand:
        if request.at.turn == 4:
            break
        by_hand.answer(request.quiet())
    assert driven.snapshot() == by_hand.snapshot()


def test_actions_go_to_their_method_and_else_to_on_perform(drive: Drive) -> None:
    class Table(fsm.BaseHost):
        def __init__(self) -> None:
            self.drawn = list[str]()
            self.others = set[str]()

        def on_draw_card(self, request: Perform) -> None:
            self.drawn.append(request.player)

        def on_perform(self, request: Perform) -> Answer:
            self.others.add(request.action)
            return request.done()

    table = Table()
    drive(game(), table, until=turn(4))
    assert table.drawn == ["Ben", "Ann"]
    assert "untap_permanents" in table.others and "draw_card" not in table.others


def test_a_method_may_be_an_attribute(drive: Drive) -> None:
    class Table(fsm.BaseHost):
        pass

    drawn, table = list[str](), Table()
    table.on_draw_card = lambda request: drawn.append(request.player)  # type: ignore[attr-defined]
    drive(game(), table, until=turn(3))
    assert drawn == ["Ben"]


@pytest.mark.parametrize(
    ("handler", "said"),
    [
        (
            "on_drw_card",
            "Wrong.on_drw_card: magic asks for no such thing; did you mean 'on_draw_card'?",
        ),
        (
            "on_prority",
            "Wrong.on_prority: magic asks for no such thing; did you mean 'on_priority'?",
        ),
        ("on_expire", "Wrong.on_expire: magic asks for no such thing; did you mean 'on_expired'?"),
    ],
)
def test_a_misspelt_handler_is_refused_before_anything_runs(
    handler: str, said: str, drive: Drive
) -> None:
    wrong = type("Wrong", (fsm.BaseHost,), {handler: lambda self, request: None})()
    playing = game()
    before = playing.request
    with pytest.raises(HostError) as error:
        drive(playing, wrong)
    assert str(error.value) == said
    assert playing.request is before


@pytest.mark.parametrize("place", ["upkeep", "combat"])
def test_a_handler_that_has_the_name_of_a_step_or_phase_is_told_of_entering(
    place: str, drive: Drive
) -> None:
    host = type("Table", (fsm.BaseHost,), {f"on_{place}": lambda self, request: None})()
    with pytest.raises(
        HostError, match=rf"Table\.on_{place}: .* not an action; fsm.hosts.entering tells"
    ):
        drive(game(), host, until=turn(2))


def test_a_handler_that_cannot_be_called_is_refused(drive: Drive) -> None:
    wrong = type("Wrong", (fsm.BaseHost,), {"on_draw_card": True})()
    with pytest.raises(HostError, match=r"Wrong\.on_draw_card must be a method"):
        drive(game(), wrong)


def test_an_object_that_is_no_host_is_told_of_base_host(drive: Drive) -> None:
    with pytest.raises(HostError, match=r"object is no host: derive it from fsm\.BaseHost"):
        drive(game(), object())


# facts --------------------------------------------------------------------------------------------


def test_facts_are_told_by_members_of_their_name(drive: Drive) -> None:
    """By an attribute, a property and a method; what the answer tells counts first."""

    class Table(fsm.BaseHost):
        attackers_declared = True
        checks = 0

        @property
        def triggers_waiting(self) -> bool:
            return False

        def sba_performed(self) -> bool:
            self.checks += 1
            return False

    table, playing = Table(), game()
    drive(playing, table, until=lambda request: request.at.step == "declare_blockers")
    assert playing.position.turn == 1 and table.checks > 0


def test_an_error_of_a_property_is_no_missing_member(drive: Drive) -> None:
    """A member that is there and raises AttributeError was taken for one that is not there."""

    class Table(fsm.BaseHost):
        @property
        def attackers_declared(self) -> bool:
            return bool(self.attackers)  # type: ignore[attr-defined]

    playing = game()
    with pytest.raises(AttributeError, match="attackers"):
        drive(playing, Table(), until=turn(2))
    assert isinstance(playing.request, Perform) and playing.request.action == "declare_attackers"


def test_a_fact_may_get_its_member_while_the_game_is_played(drive: Drive) -> None:
    class Table(fsm.BaseHost):
        def on_declare_attackers(self, request: Perform) -> None:
            if request.at.turn == 2:
                self.attackers_declared = True

    playing = game()
    drive(
        playing,
        Table(),
        until=lambda request: request.at.step == "declare_blockers" or request.at.turn == 3,
    )
    assert playing.position.step == "declare_blockers"


def test_facts_without_a_member_are_asked_by_name(drive: Drive) -> None:
    asked = set[str]()

    class Table(fsm.BaseHost):
        stack_empty = True

        def fact(self, name: str) -> bool | None:
            asked.add(name)
            return True if name == "attackers_declared" else None

    drive(game(), Table(), until=lambda request: request.at.step == "declare_blockers")
    assert {"attackers_declared", "sba_performed"} <= asked and "stack_empty" not in asked


def test_a_fact_must_be_true_or_false(drive: Drive) -> None:
    class Table(fsm.BaseHost):
        attackers_declared = "a bear"

    with pytest.raises(
        HostError, match=r"Table\.attackers_declared must be true or false, .* not 'a bear'"
    ):
        drive(game(), Table())


class Acting(fsm.BaseHost):
    """Acts once, in the upkeep of turn 1."""

    acts = True

    def on_priority(self, request: Priority) -> Answer | None:
        if not self.acts:
            return None
        self.acts = False
        return request.acted()


def test_a_host_that_acts_must_tell_whether_the_stack_is_empty(drive: Drive) -> None:
    with pytest.raises(
        HostError, match=r"Acting answers 'acted' and does not tell 'stack_empty'.*StackHost"
    ):
        drive(game(), Acting(), until=turn(2))


def test_a_host_that_acts_and_tells_it_is_heard(drive: Drive) -> None:
    class Telling(Acting):
        stack_empty = True

    assert drive(game(), Telling(), until=turn(2)).at.turn == 2


# the stack ----------------------------------------------------------------------------------------


class Casting(StackHost):
    """Casts two spells in turn 1; the first resolves last, and triggers something as it resolves."""

    def __init__(self) -> None:
        super().__init__()
        self.hand, self.resolved = ["Shock", "Bolt"], list[str]()

    def on_priority(self, request: Priority) -> Answer | None:
        if request.at.step != "precombat_main" or not self.hand:
            return None
        self.stack.append(self.hand.pop())
        return request.acted()

    def resolve(self, top: Any, request: Resolve) -> Answer | None:
        assert self.stack[-1] is top, "it is taken off afterwards"
        self.resolved.append(top)
        if top == "Shock":
            self.waiting.append("trigger")
        return request.done()


class Waiting(fsm.aio.StackHost):
    """The same with coroutines."""

    __init__ = Casting.__init__

    async def on_priority(self, request: Priority) -> Answer | None:
        await asyncio.sleep(0)
        return Casting.on_priority(self, request)  # type: ignore[arg-type]

    async def resolve(self, top: Any, request: Resolve) -> Answer | None:
        await asyncio.sleep(0)
        return Casting.resolve(self, top, request)  # type: ignore[arg-type]


def test_a_stack_host_resolves_from_the_top_and_places_triggers(drive: Drive) -> None:
    host = Casting()
    drive(game(), host, until=turn(2))
    assert host.resolved == ["Shock", "trigger", "Bolt"]
    assert host.stack == host.waiting == []


def test_what_raises_while_it_resolves_stays_on_the_stack(drive: Drive) -> None:
    class Failing(Casting):
        def resolve(self, top: Any, request: Resolve) -> Answer | None:
            raise ConnectionError

    host, playing = Failing(), game()
    with pytest.raises(ConnectionError):
        drive(playing, host)
    assert isinstance(playing.request, Resolve) and len(host.stack) == 2


def test_what_is_cancelled_while_it_resolves_stays_on_the_stack() -> None:
    class Slow(fsm.aio.StackHost):
        async def on_priority(self, request: Priority) -> Answer | None:
            if self.stack:
                return None
            self.stack.append("Shock")
            return request.acted()

        async def resolve(self, top: Any, request: Resolve) -> Answer | None:
            await asyncio.sleep(60)
            return None

    host, playing = Slow(), game()
    with pytest.raises(TimeoutError):
        asyncio.run(asyncio.wait_for(fsm.aio.drive(playing, host), 0.05))
    assert isinstance(playing.request, Resolve) and host.stack == ["Shock"]


# notices ------------------------------------------------------------------------------------------


class Exhausted(fsm.BaseHost):
    """Each of its methods can run out of what was prepared for it, as in a test with prepared
    input.
    """

    def __init__(self, where: str) -> None:
        self.where = where

    def give(self, where: str) -> None:
        if where == self.where:
            next(iter(()))

    def on_draw_card(self, request: Perform) -> Answer:
        return request.done(
            fsm.AddPhase(("combat",)), Effect("e", "Ben"), DelayedTrigger("d", "end")
        )

    def on_untap_permanents(self, request: Perform) -> None:
        self.give("handler")

    def on_result(self, result: fsm.Result) -> None:
        self.give("result")

    def on_expired(self, id: str) -> None:
        self.give("expired")

    def on_triggered(self, id: str) -> None:
        self.give("triggered")

    @property
    def attackers_declared(self) -> bool:
        self.give("member")
        return False

    def fact(self, name: str) -> None:
        self.give("fact")


@pytest.mark.parametrize("where", ["handler", "result", "expired", "triggered", "member", "fact"])
def test_a_host_may_raise_whatever_it_likes(where: str) -> None:
    """StopIteration, too, which Python does not let out of a generator."""
    with pytest.raises(StopIteration):
        fsm.drive(game(), Exhausted(where), until=turn(4))


def test_notices_come_before_the_request(drive: Drive) -> None:
    class Table(fsm.BaseHost):
        stack_empty = True

        def __init__(self) -> None:
            self.heard = list[tuple[str, str]]()

        def on_untap_permanents(self, request: Perform) -> Answer | None:
            if request.at.turn > 1:
                return None
            return request.done(fsm.Effect("growth", "Ann"), fsm.DelayedTrigger("sacrifice", "end"))

        def on_result(self, result: fsm.Result) -> None:
            self.heard.append((type(result.order).__name__, result.state))

        def on_expired(self, id: str) -> None:
            self.heard.append(("expired", id))

        def on_triggered(self, id: str) -> None:
            self.heard.append(("triggered", id))

    table = Table()
    drive(game(), table, until=turn(2))
    assert table.heard == [
        ("Effect", "done"),
        ("DelayedTrigger", "waiting"),
        ("DelayedTrigger", "done"),
        ("triggered", "sacrifice"),
        ("expired", "growth"),
    ]


# hosts that wait ----------------------------------------------------------------------------------


class Late(fsm.aio.BaseHost):
    """Has to be awaited."""

    async def on_priority(self, request: Priority) -> Answer | None:
        return None


@pytest.mark.parametrize("wrapped", [False, True])
def test_a_host_that_waits_is_told_of_aio(wrapped: bool) -> None:
    playing = game()
    host: Any = AutoPass(Late(), Stops(playing.model, ["Ann", "Ben"])) if wrapped else Late()
    with pytest.raises(HostError, match=r"Late\.on_priority has to be awaited.*fsm\.aio\.drive"):
        fsm.drive(playing, host)
    assert playing.position.stage == "untap_phasing"


def test_an_awaitable_that_comes_as_a_surprise_is_told_of_aio() -> None:
    async def late() -> Answer:
        return Answer()

    class Hidden(fsm.BaseHost):
        def on_perform(self, request: Perform) -> Any:
            return late()

    with pytest.raises(HostError, match=r"a method of Hidden has to be awaited.*fsm\.aio\.drive"):
        fsm.drive(game(), Hidden())
    with pytest.raises(HostError, match=r"fsm\.aio\.drive"):
        ask(game(), Hidden())


def test_a_request_that_changes_while_somebody_is_waited_for_is_asked_anew() -> None:
    """Ben leaves while he is asked: what waits for him is cancelled, and Cleo is asked."""
    playing = fsm.TurnController("magic", ["Ann", "Ben", "Cleo"])
    asked, cancelled = list[str](), list[str]()

    class Table(fsm.aio.BaseHost):
        async def on_priority(self, request: Priority) -> Answer | None:
            asked.append(request.player)
            if request.player != "Ben":
                return None
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                cancelled.append(request.player)
                raise
            return None

    async def table() -> None:
        driving = asyncio.create_task(
            fsm.aio.drive(playing, Table(), until=lambda r: r.at.step == "draw")
        )
        while "Ben" not in asked:
            await asyncio.sleep(0)
        playing.order(fsm.Leave("Ben"))
        await driving

    asyncio.run(asyncio.wait_for(table(), 5))
    assert cancelled == ["Ben"]
    assert asked[:3] == ["Ann", "Ben", "Cleo"]


def test_an_order_that_leaves_the_request_as_it_is_lets_the_host_go_on() -> None:
    playing = fsm.TurnController("magic", ["Ann", "Ben", "Cleo"])
    asked = list[str]()

    class Table(fsm.aio.BaseHost):
        async def on_priority(self, request: Priority) -> Answer | None:
            asked.append(request.player)
            await asyncio.sleep(0)
            return None

    async def table() -> None:
        driving = asyncio.create_task(
            fsm.aio.drive(playing, Table(), until=lambda r: r.at.step == "draw")
        )
        while not asked:
            await asyncio.sleep(0)
        playing.order(fsm.Leave("Cleo"))
        await driving

    asyncio.run(asyncio.wait_for(table(), 5))
    assert asked == ["Ann", "Ben"]


# no end -------------------------------------------------------------------------------------------


def test_a_host_that_keeps_the_turn_where_it_is_is_stopped_with_the_fact(drive: Drive) -> None:
    class Table(fsm.BaseHost):
        sba_performed = True

    with pytest.raises(
        HostError, match=r"turn 1 of Ann, upkeep: more than 50 answers.*sba_performed is true"
    ):
        drive(game(), Table(), limit=50)


def test_endless_cleanup_steps_are_stopped(drive: Drive) -> None:
    class Table(fsm.BaseHost):
        stack_empty = True

        def sba_performed(self) -> bool:
            return self.cleaning

        cleaning = False

        def on_priority(self, request: Priority) -> Answer | None:
            self.cleaning = False
            return request.passed()

        def on_perform(self, request: Perform) -> Answer | None:
            self.cleaning = request.at.step == "cleanup"
            return None

    with pytest.raises(
        HostError, match=r"turn 1 of Ann, cleanup: more than 100 answers, and nobody has acted"
    ):
        drive(game(), Table(), limit=100)


def test_who_acts_is_not_stopped(drive: Drive) -> None:
    class Table(fsm.BaseHost):
        stack_empty = False
        count = 0

        def on_priority(self, request: Priority) -> Answer | None:
            self.count += 1
            return request.acted()

    table = Table()
    drive(game(), table, limit=10, until=lambda request: table.count > 100)
    assert table.count == 101


def test_a_long_quiet_game_is_not_stopped(drive: Drive) -> None:
    assert drive(game(), fsm.BaseHost(), limit=60, until=turn(20)).at.turn == 20


# the rest -----------------------------------------------------------------------------------------


def test_until_is_asked_before_anything_is_answered(drive: Drive) -> None:
    playing = game()
    first = playing.request
    assert drive(playing, fsm.BaseHost(), until=lambda request: True) is first
    assert playing.trace.answers == []


def test_a_game_that_is_over_asks_nothing(drive: Drive) -> None:
    playing = game()
    end = playing.order(fsm.Leave("Ben"))
    assert drive(playing, fsm.BaseHost()) is end
    with pytest.raises(AnswerError, match="game is over"):
        ask(playing, fsm.BaseHost())


def test_a_handler_that_returns_something_else_is_told_so(drive: Drive) -> None:
    class Wrong(fsm.BaseHost):
        def on_perform(self, request: Perform) -> Any:
            return "done"

    with pytest.raises(AnswerError, match="an answer must be an Answer, not a str"):
        drive(game(), Wrong())


def test_answers_that_nobody_decided_are_marked(drive: Drive) -> None:
    class Table(fsm.BaseHost):
        def on_priority(self, request: Priority) -> Answer | None:
            return request.passed() if request.player == "Ann" else None

    past = fsm.History(game())
    drive(past, Table(), until=turn(2))
    decided = past.decisions
    assert all(isinstance(one.request, Priority) and one.request.player == "Ann" for one in decided)
    assert len(decided) == sum(not one.automatic for one in past.answers) > 0


DUEL = Phase("duel", Step("fight", Act("strike")))
PORT = Table(
    "port",
    Phase(
        "sea",
        Step(
            "sail",
            Window(),
            during=During("board", Act("throw_hooks", decides="hooked"), DUEL, when="hooked"),
        ),
    ),
    Phase("trade", Step("sell", Act("sell_loot")), unless="becalmed"),
    facts=[Fact("becalmed", "there is no wind")],
)


@pytest.mark.parametrize("member", [False, True, None])
def test_a_fact_that_is_read_because_of_an_order_is_told_as_any_other(member: bool | None) -> None:
    class Captain(StackHost):
        hooked = True
        fought = False
        sold = 0

        def on_priority(self, request: fsm.Priority) -> fsm.Answer | None:
            return None if self.fought else request.acted(fsm.Signal("board"))

        def on_strike(self, request: fsm.Perform) -> fsm.Answer:
            self.fought = True
            return request.done(fsm.AddPhase("trade"))

        def on_sell_loot(self, request: fsm.Perform) -> None:
            self.sold += 1

    if member is not None:
        Captain.becalmed = member  # type: ignore[attr-defined]
    host = Captain()
    fsm.drive(
        fsm.TurnController(PORT, ["Ann", "Ben"]), host, until=lambda request: request.at.turn == 2
    )
    assert host.sold == (0 if member else 2)


def test_a_host_whose_players_act_without_end_is_stopped() -> None:
    class Endless(StackHost):
        def on_priority(self, request: fsm.Priority) -> fsm.Answer:
            self.stack.append("again")
            return request.acted()

    with pytest.raises(HostError, match="more than 500 answers, and players act without end"):
        fsm.drive(fsm.TurnController("magic", ["Ann", "Ben"]), Endless(), limit=5)


class Misspelt(fsm.BaseHost):
    stack_emtpy = True


class MisspeltProperty(StackHost):
    @property
    def stack_is_empty(self) -> bool:
        return True


class MisspeltMethod(fsm.BaseHost):
    def attackers_declred(self) -> bool:
        return True


class MisspeltAttribute(fsm.BaseHost):
    def __init__(self) -> None:
        self.triggers_wait = True


@pytest.mark.parametrize(
    ("host", "words"),
    [
        (Misspelt, "Misspelt.stack_emtpy: magic has no such fact; did you mean 'stack_empty'?"),
        (MisspeltProperty, "stack_is_empty: magic has no such fact; did you mean 'stack_empty'?"),
        (
            MisspeltMethod,
            "attackers_declred: magic has no such fact; did you mean 'attackers_declared'?",
        ),
        (
            MisspeltAttribute,
            "triggers_wait: magic has no such fact; did you mean 'triggers_waiting'?",
        ),
    ],
)
def test_a_member_like_a_misspelt_fact_is_warned_of(
    host: type[fsm.BaseHost], words: str, drive: Drive
) -> None:
    with pytest.warns(HostWarning, match=re.escape(words)):
        drive(game(), host(), until=lambda request: True)


class Unsuspicious(StackHost):
    """Members that resemble no fact, resemble one that is told, are private, or cannot tell one."""

    _stack_emtpy = True
    sba_performed = False
    sba_performed_now = False
    stack_emptied = 3
    monarch = True

    def declare_attackers(self) -> None: ...

    def stack_emptyy(self, player: str) -> bool:
        return True


def test_other_members_are_left_alone(drive: Drive) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        drive(game(), Unsuspicious(), until=lambda request: request.at.turn == 2)
