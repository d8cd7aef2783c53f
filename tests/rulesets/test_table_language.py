"""The table language in its short spelling: parts by position, facts that declare themselves, and
what is refused.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import fsm
from fsm.errors import RulesetError
from fsm.model import Duration, Fact
from fsm.orders import Effect, Leave
from fsm.rulesets import Act, Again, Back, During, FrameRules, Phase, Step, Table, Then, Window
from support.court import COURT, DUEL, INSULT

LISTED = Table("court", *COURT.phases, durations=Duration("end_of_turn", "mark", "end_of_turn"))
LIT = Table(
    "court", *COURT.phases, facts=Fact("lit", "", test=("starter_turn_is", "1"), owner="controller")
)


def small(*parts: Any, **more: Any) -> Table:
    """A game of two steps, of which the first has these parts."""
    return Table("small", Phase("day", Step("work", *parts, **more), Step("rest", Window())))


def problems(table: Table) -> tuple[str, ...]:
    with pytest.raises(RulesetError) as raised:
        table.build()
    assert str(raised.value).startswith(raised.value.problems[0])
    return raised.value.problems


# program 8 of the interface -----------------------------------------------------------------------


class Guests(fsm.BaseHost):
    stack_empty = accepted = swords_drawn = True

    def on_priority(self, request: fsm.Priority) -> fsm.Answer | None:
        return request.acted(fsm.Signal("insult")) if request.at.step == "hall" else None

    def on_strike(self, request: fsm.Perform) -> fsm.Answer:
        return request.done(fsm.Leave("Ben"))


def test_the_court_has_no_findings() -> None:
    assert fsm.check(COURT) == []


def test_a_duel_at_court_ends_the_game() -> None:
    end = fsm.drive(fsm.TurnController(COURT, ["Ann", "Ben"]), Guests())
    assert isinstance(end, fsm.Over)
    assert end.winners == ("Ann",)


def test_a_nested_phase_comes_back_to_the_window_where_it_was_entered() -> None:
    class Once(Guests):
        asked: list[str]

        def __init__(self) -> None:
            self.asked = []

        def on_priority(self, request: fsm.Priority) -> fsm.Answer | None:
            self.asked.append(request.at.step)
            again = self.asked.count("hall") > 1
            return (
                request.acted(fsm.Signal("insult"))
                if request.at.step == "hall" and not again
                else None
            )

        def on_strike(self, request: fsm.Perform) -> fsm.Answer:
            return request.done()

    host = Once()
    fsm.drive(
        fsm.TurnController(COURT, ["Ann", "Ben"]), host, until=lambda request: request.at.turn == 2
    )
    visited = [step for n, step in enumerate(host.asked) if step != host.asked[n - 1] or n == 0]
    assert visited == ["hall", "salute", "bout", "hall"]


def test_who_declines_stays_in_the_window() -> None:
    class Declines(Guests):
        accepted = False
        glove = 0

        def on_throw_glove(self, request: fsm.Perform) -> None:
            self.glove += 1

        def on_priority(self, request: fsm.Priority) -> fsm.Answer | None:
            first = request.at.step == "hall" and not self.glove
            return request.acted(fsm.Signal("insult")) if first else None

    host = Declines()
    end = fsm.drive(
        fsm.TurnController(COURT, ["Ann", "Ben"]), host, until=lambda request: request.at.turn == 2
    )
    assert (host.glove, end.at.turn) == (1, 2)


# what is there by default -------------------------------------------------------------------------


def test_labels_are_the_names_in_words_and_nothing_cites_a_rule() -> None:
    model = COURT.build()
    assert model.state("hall_throw_glove").label == "Throw glove"
    assert {state.rule for state in model.states} | {row.rule for row in model.transitions} == {""}
    assert {fact.rule for fact in model.facts} == {""}


def test_the_long_spelling_makes_the_same_model() -> None:
    short = Table(
        "g",
        Phase(
            "p",
            Step("s", Act("a", "A", "1"), Window("2"), label="S", rule="3"),
            label="P",
            rule="4",
        ),
    )
    long = Table(name="g", title="G", edition="", phases=(Phase("p", "P", "4", (
        Step("s", "S", "3", (Act("a", "A", "1"), Window("2"))),
    )),))  # fmt: skip
    assert short.build() == long.build()


def test_facts_durations_and_events_declare_themselves() -> None:
    model = COURT.build()
    facts = {
        fact.name: (fact.owner, fact.timing, fact.scope)
        for fact in model.facts
        if fact.about != "what is scheduled"
    }
    assert facts["swords_drawn"] == ("game", "latched", "duel")
    assert facts["accepted"] == ("game", "once", "")
    assert facts["first_turn"][0] == "controller"
    assert [duration.name for duration in model.durations] == ["end_of_turn"]
    assert {"insult", "player_left"} <= {event.name for event in model.events}


def test_a_fact_of_its_own_holds_until_the_phase_ends() -> None:
    steps = (Step("ask", Act("ask", decides="lit")), Step("glow", Act("glow", when="lit")))
    game = Table(
        "g",
        Phase("dusk", *steps),
        Phase("night", Step("dark", Act("glimmer", when="lit"), Act("snore"))),
    )
    turn = fsm.TurnController(game, ["Ann", "Ben"])
    asked = []
    while turn.request.at.turn == 1:
        request = turn.request
        assert isinstance(request, fsm.Perform)
        asked.append(request.action)
        turn.answer(request.quiet(lit=True) if request.action == "ask" else request.quiet())
    assert asked == ["ask", "glow", "snore"]


def test_a_duration_that_an_action_ends_can_be_ordered() -> None:
    class Watching(fsm.BaseHost):
        def __init__(self) -> None:
            self.ended: list[str] = []

        def on_expired(self, id: str) -> None:
            self.ended.append(id)

    host = Watching()
    haste = Effect("haste", "Ann", until="end_of_turn")
    game = fsm.TurnController(COURT, ["Ann", "Ben"], orders=[haste])
    fsm.drive(game, host, until=lambda request: request.at.turn == 2)
    assert host.ended == ["haste"]


def test_extras_and_skips_are_possible_unless_the_rules_say_no() -> None:
    names = {fact.name for fact in small(Window()).build().facts}
    assert {"extra_turn_due", "extra_phase_due", "extra_step_due", "skip_work"} <= names
    without = replace(small(Window()), rules=FrameRules(extra_turn="", skip=""))
    names = {fact.name for fact in without.build().facts}
    assert "extra_phase_due" in names
    assert not names & {"extra_turn_due", "skip_work"}


def test_rules_that_cite_a_rulebook_leave_out_what_they_do_not_cite() -> None:
    cited = replace(small(Window()), rules=FrameRules(turn="1", begin="2", end="3"))
    assert not {fact.name for fact in cited.build().facts} & {
        "extra_turn_due",
        "extra_step_due",
        "skip_work",
    }


def test_the_game_is_over_when_one_side_is_left() -> None:
    class Quitters(fsm.BaseHost):
        left = 0

        def on_priority(self, request: fsm.Priority) -> fsm.Answer:
            self.left += 1
            return request.passed(Leave(request.player))

    host = Quitters()
    end = fsm.drive(fsm.TurnController(small(Window()), ["Ann", "Ben", "Cleo"]), host)
    assert isinstance(end, fsm.Over)
    assert (host.left, len(end.winners)) == (2, 1)


def test_a_game_that_is_never_over_is_a_finding() -> None:
    [finding] = fsm.check(replace(small(Window()), over="never"))
    assert finding.kind == "never over"


# one name where several may stand -----------------------------------------------------------------


def test_the_missing_comma_is_no_mistake() -> None:
    bare = Phase(
        "p",
        "P",
        "1",
        (Step("s", "S", "2", (Act("a", decides=("lit"))), then=Then("t", "lit")), Step("t")),
    )
    full = Phase(
        "p",
        "P",
        "1",
        (Step("s", "S", "2", (Act("a", decides=("lit",)),), then=(Then("t", "lit"),)), Step("t")),
    )
    assert Table("g", bare).build() == Table("g", full).build()
    one: Any = "latch(lit)"
    assert (
        Again("lit", do=one).do
        == Back("a", "lit", do=one).do
        == Then("a", do=one).do
        == ("latch(lit)",)
    )


# what is refused, with place and remedy -----------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (small(Act("a", when="first_trun")), "phase 'day', step 'work', part 1: fact 'first_trun' is unknown; did you"),
        (small(Act("a", when="rain")), "let an action decide it, Act(..., decides='rain'), or list it in facts"),
        (small(Window(opens="condtional")), "part 1: Window.opens must be '' or 'natural' or 'conditional'"),  # type: ignore[arg-type]
        (small(Act("a", asks="preform")), "part 1: Act.asks must be '' or 'perform'"),  # type: ignore[arg-type]
        (small(Act("a", by="opponets")), "by='opponets' is neither known nor a role of your own; did you mean"),
        (small(Act("a"), 5), "part 2 is 5, but must be an Act, Window, Either, Again or Back"),
        (small(Act), "part 1 is <class"),
        (small(Act("a"), Act("a")), "phase 'day', step 'work': part 'a' is there twice"),
        (small(Act("do it")), "write 'do_it', and what people read as label"),
        (small(then=Then("rset")), "then: step 'rset' is unknown; did you mean 'rest'?"),
        (small(Window(), during=During("insult", DUEL)), "during 'insult': it has no action"),
        (small(during=INSULT), "during 'insult': window 'window' is unknown"),
        (Table("g", Phase("p", Step("kin dle"))), "write 'kin_dle', and what people read as label"),
        (Table("g", Phase("p", Step("s", Act("a", ends="until night")))), "write 'until_night'"),
        (Table("g", Phase("p")), "phase 'p': it has no step"),
        (Table("g"), "there is no phase"),
        (Table("g", Step("s")), "phase 1 is Step("),  # type: ignore[arg-type]
        (Table("g", "p", "q", "r"), "phase 1 is 'r', but must be a Phase"),
        (replace(COURT, over="last"), "Table.over must be 'one_left' or 'never'"),  # type: ignore[arg-type]
        (COURT.without_phase("night").with_phase(DUEL, after="audience"), "the table: phase 'duel' is there twice"),
        (
            LISTED.changed("levee", does=Act("a", ends="end_of_trun")),
            "no duration ends by 'end_of_trun'; did you mean 'end_of_turn'?",
        ),
        (
            LIT.changed("levee", unless="lit"),
            "fact 'lit' names the test 'starter_turn_is', which does not exist; did you mean 'starters_turn_is'?",
        ),
    ],
)  # fmt: skip
def test_a_mistake_is_named_with_its_place(table: Table, said: str) -> None:
    [problem] = [problem for problem in problems(table) if said in problem]
    assert problem.startswith(f"{table.name}: ")
    assert problem in [finding.message for finding in fsm.check(table)]


def test_one_error_names_all_problems() -> None:
    table = Table(
        "g",
        Phase("p", Step("kin dle", Act("x", by="not me")), Step("b", Window(opens="x"))),  # type: ignore[arg-type]
    )
    assert len(problems(table)) == 3
    assert [finding.kind for finding in fsm.check(table)] == ["cannot start"] * 3


# deriving -----------------------------------------------------------------------------------------


def steps_of(table: Table) -> list[str]:
    return [step.name for step in table.steps]


def test_a_table_is_derived_from_another() -> None:
    assert steps_of(COURT.with_step(Step("ball", Window()), after="hall")) == [
        "levee", "hall", "ball", "salute", "bout", "sleep",
    ]  # fmt: skip
    assert steps_of(COURT.with_step(Step("bow", Window()), before="bout"))[2:5] == [
        "salute",
        "bow",
        "bout",
    ]
    assert steps_of(COURT.without_step("salute")) == ["levee", "hall", "bout", "sleep"]
    assert steps_of(COURT.without_phase("morning")) == ["hall", "salute", "bout", "sleep"]
    assert steps_of(COURT.with_phase(Phase("noon", Step("lunch")), before="audience", name="c"))[
        :2
    ] == [
        "levee",
        "lunch",
    ]
    drawing = COURT.with_act(Act("wake"), before="dress").with_act(Act("bow"), step="levee")
    assert [part.name for part in drawing.steps[0].stages] == ["wake", "dress", "draw_card", "bow"]
    assert "swords_drawn" not in [
        t.fact for row in COURT.changed("bout", unless="").build().transitions for t in row.guard
    ]


@pytest.mark.parametrize(
    ("derive", "said"),
    [
        (lambda: COURT.with_step(Step("ball")), "by either after= or before="),
        (
            lambda: COURT.with_step(Step("ball"), after="hal"),
            "step 'hal' is not in court; did you mean 'hall'?",
        ),
        (lambda: COURT.with_phase(Phase("noon"), after="morn"), "phase 'morn' is not in court"),
        (lambda: COURT.without_phase("nigth"), "did you mean 'night'?"),
        (lambda: COURT.with_act(Act("x")), "say where the new part comes"),
        (
            lambda: COURT.with_act(Act("x"), after="window"),
            "'window' is in 'hall' and 'salute' and 'bout' and 'sleep'",
        ),
        (
            lambda: COURT.changed("levee", unles=""),
            "field of a step 'unles' is not in court; did you mean 'unless'?",
        ),
    ],
)
def test_deriving_names_what_is_not_there(derive: Any, said: str) -> None:
    with pytest.raises(RulesetError) as raised:
        derive()
    assert said in str(raised.value)
