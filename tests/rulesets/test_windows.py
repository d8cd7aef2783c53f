"""Who acts in each kind of window, in which order, and when it closes; which roles players have; how
several of them answer.
"""

from __future__ import annotations

from typing import Any

import pytest

import fsm
from fsm import Order
from fsm.errors import AnswerError, OrderError
from fsm.rulesets import Act, Cut, During, Phase, Role, Step, Table, Then, Window
from support.amounts import sample


def told(request: fsm.Request | fsm.Over, **facts: bool) -> dict[str, bool]:
    """What an answer tells: what is given, else as if nothing happened."""
    return {**request.facts, **{name: v for name, v in facts.items() if name in request.facts}}


def walk(
    table: Table, moves: str, players: str = "ABC", *, stack: str = "", until: int = 1, **facts: Any
) -> str:
    """Whom a game asks what. `moves` are the answers in windows: "a" acts, "p" passes, "o" passes
    for good. `stack` says how many objects wait when all have passed.
    """
    game = fsm.TurnController(table, [*players])
    asked, waiting, height = list[str](), [*moves], [int(n) for n in stack]
    left = 0
    while not isinstance(game.request, fsm.Over) and game.request.at.turn <= until:
        request = game.request
        if isinstance(request, fsm.Priority):
            move = waiting.pop(0) if waiting else "p"
            asked.append(request.player + move)
            if move == "a":
                left = height.pop(0) if height else left
            given = told(request, stack_empty=left == 0)
            orders = [fsm.Signal("go")] if move == "g" else []
            if move in "ag":
                game.answer(request.acted(*orders, **given))
            else:
                game.answer(request.passed(for_good=move == "o", **given))
        else:
            if isinstance(request, fsm.Resolve):
                asked.append("resolve")
                left -= 1
            if isinstance(request, fsm.Perform):
                asked.append(request.action)
            game.answer(request.done(**told(request, stack_empty=left == 0, **facts)))
    return " ".join(asked)


def hall(*windows: Window, **more: Any) -> Table:
    return Table("hall", Phase("day", *windows), **more)


KINDS: dict[str, tuple[Table, str, str, str]] = {
    "priority": (hall(Window()), "aapp", "", "Aa Aa Ap Bp Cp"),
    "priority starts anew when somebody acts": (hall(Window()), "papp", "", "Ap Ba Bp Cp Ap"),
    "priority, one object resolves": (hall(Window()), "appp", "2", "Aa Ap Bp Cp resolve Ap Bp Cp resolve Ap Bp Cp"),
    "alternating": (hall(Window(), window="alternating"), "aap", "", "Aa Ba Cp Ap Bp"),
    "alternating with a chain": (
        hall(Window(), window="alternating", stack="all"),
        "aa",
        "12",
        "Aa Ba Cp Ap Bp resolve resolve Ap Bp Cp",
    ),
    "who passes for good is out": (
        hall(Window(passing="for_good"), window="alternating"),
        "oaapp",
        "",
        "Ao Ba Ca Bp Cp",
    ),
    "solo is the active player's": (hall(Window(), window="solo"), "aa", "", "Aa Aa Ap"),
    "solo of everyone": (hall(Window(by="everyone"), window="solo"), "apap", "", "Aa Ap Ba Bp Cp"),
    "once": (hall(Window(), window="once"), "apa", "", "Aa Bp Ca"),
    "once by the opponents": (hall(Window(by="opponents"), window="once"), "aa", "", "Ba Ca"),
    "nobody": (hall(Window(by="nobody")), "", "", ""),
    "several kinds": (
        hall(Window(), Window(name="talk", kind="once"), Window(name="rest", kind="alternating")),
        "pppppp",
        "",
        "Ap Bp Cp Ap Bp Cp Ap Bp Cp",
    ),
    "the defender is first": (
        hall(Window(by="defender"), window="alternating", roles=Role("defender")),
        "",
        "",
        "Bp Cp Ap",
    ),
    "nobody has the role": (
        hall(Window(by="guest"), window="solo", roles=Role("guest", "nobody")),
        "",
        "",
        "",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("table", "moves", "stack", "wanted"), KINDS.values(), ids=KINDS)
def test_who_acts_in_a_window(table: Table, moves: str, stack: str, wanted: str) -> None:
    assert walk(table, moves, stack=stack) == wanted


def test_of_a_team_only_who_has_the_role_acts_in_a_solo_window() -> None:
    table = hall(Window(by="guest"), window="solo", roles=Role("guest", "nobody", until="game"))
    appointed = [fsm.Appoint("guest", "B")]
    game = fsm.TurnController(table, ["A", "B", "C"], teams=[["A", "B"]], orders=appointed)
    for request in game:
        if isinstance(request, fsm.Priority):
            assert (request.player, request.by) == ("B", ("B",))
            return
        game.answer(request.quiet())


COMBINED = [
    (kind, stack, players)
    for kind in ("priority", "alternating", "solo", "once")
    for stack in ("top", "all", "none")
    for players in (2, 3)
]


@pytest.mark.parametrize(("kind", "stack", "players"), sample(COMBINED, 5), ids=str)
def test_every_kind_plays_with_every_stack(kind: Any, stack: Any, players: int) -> None:
    table = hall(Window(), window=kind, stack=stack)
    assert fsm.check(table) == []
    window = table.build().window
    assert window is not None and len(window.states) <= 10 and len(window.transitions) <= 24
    assert walk(table, "a", "ABC"[:players]).startswith("Aa")


def test_a_table_without_windows_has_no_model_of_one() -> None:
    table = Table("dice", Phase("day", Act("roll")))
    assert table.build().window is None
    assert fsm.check(table) == []


# where the turn goes out of a window --------------------------------------------------------------

INNER = Phase("inner", Step("inside", Window(), Act("do_it")))
DEEP = Phase("deep", Step("below", Window(during=During("go", INNER))))
OUT: dict[str, tuple[Table, str, str]] = {
    "back to the second of two windows": (
        Table("t", Phase("day", Step("s", Act("x"), Window(during=During("go", INNER)), Act("y"), Window(name="w", during=During("go", INNER)), Act("z")))),
        "ppgppppp",
        "x Ap Bp y Ag Ap Bp do_it Ap Bp z",
    ),
    "nested as deep as it is written": (
        Table("t", Phase("day", Step("s", Window(during=During("go", DEEP)), Act("z")))),
        "gg",
        "Ag Ag Ap Bp do_it Ap Bp Ap Bp z",
    ),
    "alternating goes on with the next player": (
        Table("t", Phase("day", Step("s", Window(during=During("go", INNER)), Act("z"))), window="alternating"),
        "gpp",
        "Ag Ap Bp do_it Bp Ap z",
    ),
    "an event ends the step": (
        Table("t", Phase("day", Step("s", Window(during=During("go", Then("u"))), Act("never")), Step("v", Act("v")), Step("u", Act("u")))),
        "g",
        "Ag u",
    ),
    "a cut ends the phase and what runs in it": (
        Table("t", Phase("day", Step("s", Window(during=During("in", INNER)), Act("never")), cut=Cut("go")), Phase("eve", Act("z"))),
        "g",
        "Ag z",
    ),
    "a cut leads to a step": (
        Table("t", Phase("day", Step("s", Window(), Act("never")), Step("u", Window(), Act("u")), cut=Cut("go", Act("clean"), to="u"))),
        "gg",
        "Ag clean Ag Ap Bp u",
    ),
    "a cut ends the turn": (
        Table("t", Phase("day", Step("s", Window(), Act("never"))), Phase("eve", Act("z")), Phase("end", Window(), Act("rest")), cut=Cut("go", Act("clean"), to="end")),
        "gg",
        "Ag clean Ag Ap Bp rest",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("table", "moves", "wanted"), OUT.values(), ids=OUT)
def test_an_event_leads_out_of_a_window(table: Table, moves: str, wanted: str) -> None:
    assert walk(table, moves, "AB") == wanted
    assert fsm.check(table) == []


def test_without_a_cut_no_turn_can_be_ended() -> None:
    game = fsm.TurnController(hall(Window()), ["A", "B"])
    while not isinstance(game.request, fsm.Priority):
        game.answer(game.request.quiet())  # type: ignore[union-attr]
    with pytest.raises(OrderError, match=r"event 'end_turn' is not in hall.*cut=Cut\('end_turn'\)"):
        game.answer(game.request.acted(fsm.EndTurn(), stack_empty=True))


# roles --------------------------------------------------------------------------------------------

BLOCKS = Table(
    "blocks",
    Phase("fight", Act("name_defender"), Act("block", by="defender", decides="blocked"), Act("hit", when="not blocked")),
    Phase("rest", Act("sit")),
    roles=Role("defender", "nobody"),
)  # fmt: skip


def to_block(*orders: Order, players: str = "ABCD", **more: Any) -> fsm.Request | fsm.Over:
    """What is asked after somebody was appointed."""
    game = fsm.TurnController(BLOCKS, [*players], **more)
    assert isinstance(game.request, fsm.Perform)
    return game.answer(game.request.done(*orders))


def test_who_is_appointed_acts_alone_and_else_nobody_does() -> None:
    request = to_block(fsm.Appoint("defender", "C"), teams=[["A", "B"], ["C", "D"]])
    assert isinstance(request, fsm.Perform) and (request.action, request.by) == ("block", ("C",))
    request = to_block()
    assert isinstance(request, fsm.Perform) and request.action == "hit", "nobody blocks"
    request = to_block(fsm.Appoint("defender", "C"), fsm.Leave("C"))
    assert isinstance(request, fsm.Perform) and request.action == "hit", "who blocks has left"


@pytest.mark.parametrize(
    ("order", "says"),
    [
        (fsm.Appoint("defendr", "C"), "did you mean 'defender'?"),
        (fsm.Appoint("active", "C"), "role 'active' is not in"),
        (fsm.Effect("x", "A", until="end_of_fight_phase"), "end_of_fight"),
    ],
    ids=["role", "active", "duration"],
)
def test_what_nobody_can_be_is_refused(order: Order, says: str) -> None:
    with pytest.raises(OrderError, match=says):
        to_block(order)


def test_an_effect_lasts_until_the_end_of_the_phase_under_way() -> None:
    game = fsm.TurnController(BLOCKS, ["A", "B"])
    request = game.answer(game.request.done(fsm.Effect("x", "A", until="end_of_phase")))  # type: ignore[union-attr]
    assert request.expired == ()
    request = game.answer(request.done())  # type: ignore[union-attr]
    assert (request.at.phase, request.expired) == ("rest", ("x",))
    fresh = fsm.TurnController(BLOCKS, ["A", "B"], orders=[])
    with pytest.raises(OrderError, match="duration 'end_of_phase' is not in"):
        fsm.TurnController(BLOCKS, ["A", "B"], orders=[fsm.Effect("x", "A", until="end_of_phase")])
    assert fresh.request.at.phase == "fight"


def test_a_token_stays_until_somebody_gets_it() -> None:
    table = Table("t", Phase("day", Act("give"), Act("work")), order="token", turn="round")
    game = fsm.TurnController(table, ["A", "B", "C"])
    seen = []
    for number in range(6):
        seen.append(game.request.player)
        orders = [fsm.Appoint("active", "B")] if number == 2 else []
        game.answer(game.request.done(*orders))  # type: ignore[union-attr]
    assert "".join(seen) == "AAABBB"
    game.order(fsm.Leave("B"))
    assert game.request.player == "C"


# several players ----------------------------------------------------------------------------------

BID = Table("bid", Phase("p", Act("bid", by="everyone", decides="high"), Act("win", when="high"), Act("sit")))  # fmt: skip


def test_several_players_answer_one_by_one() -> None:
    game = fsm.TurnController(BID, ["A", "B", "C"])
    request: Any = game.request
    request = game.answer(request.done(fsm.AddTurn("B"), player="B", high=True))
    assert (request.action, request.by, request.waits_for) == ("bid", ("A", "B", "C"), ("A", "C"))
    again = fsm.TurnController.restore(BID, game.snapshot())
    assert again.request == request
    for player in ("B", "Z"):
        with pytest.raises(AnswerError, match="still to answer"):
            game.answer(request.done(player=player, high=False))
    request = game.answer(request.done(player="C", high=False))
    request = game.answer(request.done(player="A", high=False))
    assert request.action == "win", "one of them told it true"
    request = again.answer(again.request.done(high=False))  # type: ignore[union-attr]
    assert request.action == "win", "one answer for those who are left"


def test_what_another_has_made_impossible_comes_to_nothing() -> None:
    game = fsm.TurnController(BID, ["A", "B", "C"])
    request: Any = game.request
    for player in ("A", "B"):
        request = game.answer(request.done(fsm.Leave("C"), player=player, high=False))
    request = game.answer(request.done(player="C", high=False))
    assert request.action == "sit"
    assert [result.order for result in request.orders] == [fsm.Leave("C")]


def test_who_leaves_is_not_waited_for() -> None:
    game = fsm.TurnController(BID, ["A", "B", "C"])
    request: Any = game.request
    for player in ("A", "B"):
        request = game.answer(request.done(player=player, high=False))
    assert request.waits_for == ("C",)
    assert game.order(fsm.Leave("C")).action == "sit"  # type: ignore[union-attr]


def test_a_fact_is_told_where_it_is_decided() -> None:
    game = fsm.TurnController(BID, ["A", "B"])
    with pytest.raises(AnswerError, match="must tell the fact 'high'"):
        game.answer(game.request.done())  # type: ignore[union-attr]
    game.answer(game.request.done(high=True))  # type: ignore[union-attr]
    with pytest.raises(AnswerError, match="'high' is decided elsewhere, not by 'p_win'"):
        game.answer(game.request.done(high=False))  # type: ignore[union-attr]


def test_a_browser_answers_for_nobody_else() -> None:
    data = {"is": "Answer", "word": "done", "player": "B"}
    assert fsm.Answer.from_json(data, trusted=True).player == "B"
    with pytest.raises(AnswerError, match="leave out facts, orders and player"):
        fsm.Answer.from_json(data, trusted=False)
