"""Each part of the table language does in play what it says. A mistake in a table is named with its
place and remedy.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import fsm
from fsm.errors import RulesetError
from fsm.model import Duration, Fact as ModelFact
from fsm.rulesets import (
    Absent,
    Act,
    Again,
    Back,
    Cut,
    During,
    Either,
    Fact,
    FrameRules,
    Phase,
    PriorityRules,
    Step,
    Swap,
    Table,
    Then,
    Window,
)
from support.court import COURT, DUEL


class Told(fsm.BaseHost):
    """Notes what is asked, and tells each fact one value after another, then its quiet one."""

    def __init__(self, events: dict[str, str], facts: dict[str, list[bool]]) -> None:
        self.events, self.facts = dict(events), {name: [*told] for name, told in facts.items()}
        self.asked: list[str] = []

    def on_perform(self, request: fsm.Perform) -> None:
        self.asked.append(request.action)

    def on_priority(self, request: fsm.Priority) -> fsm.Answer | None:
        window = f"{request.at.step}?"
        if self.asked[-1:] != [window]:
            self.asked.append(window)
        event = self.events.pop(request.at.step, "")
        return request.acted(fsm.Signal(event)) if event else None

    def fact(self, name: str) -> bool:
        told = self.facts.get(name)
        return told.pop(0) if told else name == "stack_empty"


def asked(
    table: Table, *orders: Any, turns: int = 1, event: dict[str, str] | None = None, **facts: Any
) -> str:
    """What two players are asked in these turns: actions, and windows as "STEP?"."""
    host = Told(event or {}, facts)
    game = fsm.TurnController(table, ["Ann", "Ben"], orders=list(orders))
    fsm.drive(game, host, until=lambda request: request.at.turn > turns)
    return " ".join(host.asked)


def day(*steps: Step, **more: Any) -> Table:
    return Table("game", Phase("day", *steps), **more)


LIT = Act("ask", decides="lit")
ASKS = Step("ask", LIT)
GLOW = Act("glow", when="lit")
NIGHT = Phase("night", Step("sleep", Act("snore")))
CASES: dict[str, tuple[Table, dict[str, Any], str]] = {
    "acts and windows come in order": (day(Step("hall", Act("bow"), Window(), Act("sit"))), {}, "bow hall? sit"),
    "the first turn is known": (day(Step("draw", Act("draw", when="not first_turn"), Act("sit"))), {"turns": 2}, "sit draw sit"),
    "an act decides a fact": (day(ASKS, Step("glow", GLOW)), {"lit": [True]}, "ask glow"),
    "a fact may be false": (day(ASKS, Step("glow", GLOW)), {"lit": [False]}, "ask"),
    "a fact lives for the turn": (
        Table("g", Phase("day", ASKS), Phase("dusk", Step("glow", GLOW, Act("sit")))),
        {"lit": [True, False], "turns": 2},
        "ask glow sit ask sit",
    ),
    "a fact is the last answer": (
        Table("g", Phase("day", ASKS, Step("again", LIT), Step("glow", GLOW, Act("sit")))),
        {"lit": [True, False]},
        "ask ask sit",
    ),
    "a phase that another decides begins": (
        Table("g", Phase("p", Act("choose", decides="goes")), Phase("q", Act("go"), unless="not goes")),
        {"goes": [True, False], "turns": 2},
        "choose go choose",
    ),
    "who attacks no more has fought": (
        day(Step("s", Act("choose", decides="attacks"), then=Then("end_of_phase", "not attacks")), Step("fight", Act("fight"), then=Then("s"))),
        {"attacks": [True, False]},
        "choose fight choose",
    ),
    "a fact may be listed": (
        Table("g", Phase("day", ASKS), Phase("dusk", Step("glow", GLOW)), facts=Fact("lit", says="it is light", denies="it is dark")),
        {"lit": [True, False], "turns": 2},
        "ask glow ask",
    ),
    "it may be forgotten with its phase": (
        Table("g", Phase("day", Step("bask", Act("bask", when="lit")), ASKS, then=Then("day", "lit, not first_turn")), NIGHT, facts=Fact("lit", until="phase")),
        {"lit": [True, True, False], "turns": 2},
        "ask snore ask ask snore",
    ),
    "it is known whether somebody acted": (
        day(Step("hall", Window(), Act("bow", when="window_acted"), Act("sit"))),
        {"event": {"hall": ""}, "turns": 1},
        "hall? sit",
    ),
    "it is known what has begun": (
        Table("g", Phase("p", Act("choose"), unless="first_turn"), Phase("q", Act("go", when="p_begun"), Act("sit"))),
        {"turns": 2},
        "sit choose go sit",
    ),
    "guards may exclude each other": (
        day(ASKS, Step("x", Act("glow", when="lit"), Act("doze", when="not lit"))),
        {"lit": [True, False], "turns": 2},
        "ask glow ask doze",
    ),
    "then leads to a step": (
        day(Step("ask", LIT, then=(Then("c", "lit"), Then("b", layer="skip"))), Step("b", Act("b")), Step("c", Act("c"))),
        {"lit": [True]},
        "ask c",
    ),
    "a step that is left out leads back nowhere": (
        day(ASKS, Step("work", Act("work")), Step("sit", Act("sit"), unless="not lit", then=Then("work")), Step("rest", Act("rest"))),
        {},
        "ask work rest",
    ),
    "a step may be absent": (day(ASKS, Step("glow", Act("glow"), unless=Absent("not lit", "4.2"))), {}, "ask"),
    "unless is short": (day(ASKS, Step("glow", Act("glow"), unless="not lit")), {"lit": [True]}, "ask glow"),
    "a phase may be absent": (Table("g", Phase("dawn", Step("wake", Act("wake")), unless="first_turn"), NIGHT), {"turns": 2}, "snore wake snore"),
    "back within a step": (day(Step("duel", Act("bow"), Act("roll", decides="tied"), Back("roll", "tied"))), {"tied": [True, True, False]}, "bow roll roll roll"),
    "a step comes again": (
        day(Step("rest", Act("lie"), Window(opens="conditional"), Again("window_opened"))),
        {"sba_performed": [True]},
        "lie rest? lie",
    ),
    "either of two": (day(ASKS, Step("x", Either("lit", Act("glow"), Act("sit")))), {"lit": [False]}, "ask sit"),
    "a phase may be swapped for another": (
        Table("g", Phase("work", Step("w", Act("work")), family="main", swap=Swap("feast", "not first_turn")), Phase("feast", Step("f", Act("eat")), family="main")),
        {"turns": 2},
        "work eat eat eat",
    ),
    "an event leads to an act": (day(Step("hall", Window(during=During("shout", Act("answer"))))), {"event": {"hall": "shout"}}, "hall? answer hall?"),
    "an event may be refused": (
        day(Step("hall", Window(during=During("shout", Act("answer"), unless=Absent("first_turn"))))),
        {"event": {"hall": "shout"}},
        "hall?",
    ),
    "before the game": (day(Step("hall", Act("bow")), before_game=Act("shuffle")), {"turns": 2}, "shuffle bow bow"),
    "each step ends so": (day(ASKS, Step("b"), rules=FrameRules(end_action=Act("clean"))), {}, "ask clean clean"),
    "each phase ends so": (
        Table("g", Phase("day", ASKS), NIGHT, rules=FrameRules(phase_end_action=Act("clean"))),
        {},
        "ask clean snore clean",
    ),
    "a nested phase comes back to its window": (
        COURT,
        {"event": {"hall": "insult"}, "accepted": [True], "swords_drawn": [True]},
        "dress hall? throw_glove salute? draw_swords strike bout? hall? discard",
    ),
    "a nested phase declined": (COURT, {"event": {"hall": "insult"}}, "dress hall? throw_glove hall? discard"),
    "an event elsewhere": (day(Step("yard", Window()), Step("hall", Window(during=During("shout", Act("answer"))))), {"event": {"yard": "shout"}}, "yard? hall?"),
}  # fmt: skip


@pytest.mark.parametrize(("table", "told", "wanted"), CASES.values(), ids=CASES)
def test_a_part_does_what_it_says(table: Table, told: dict[str, Any], wanted: str) -> None:
    assert asked(table, **told) == wanted
    assert [finding.message for finding in fsm.check(table) if finding.kind == "cannot start"] == []


WORK = Table("game", Phase("day", Step("work", Act("work")), Step("rest", Act("rest"))), NIGHT)


@pytest.mark.parametrize(
    ("order", "wanted"),
    [
        (fsm.SkipStep("work"), "rest snore"),
        (fsm.SkipPhase("day"), "snore"),
        (fsm.AddPhase("day", after="night"), "work rest snore work rest"),
        (fsm.AddStep("rest", "work"), "work rest rest snore"),
        (fsm.AddTurn("Ben"), "work rest snore"),
        (fsm.SkipTurn("Ben"), "work rest snore"),
    ],
    ids=lambda order: type(order).__name__ if not isinstance(order, str) else "",
)
def test_effects_are_possible_unless_the_rules_lack_them(order: Any, wanted: str) -> None:
    assert asked(WORK, order) == wanted
    lacking = replace(
        WORK, lacks="extra_turn, extra_phase, extra_step, skip_turn, skip_phase, skip_step"
    )
    with pytest.raises(fsm.FsmError, match=" knows no "):
        asked(lacking, order)


@pytest.mark.parametrize(
    ("order", "wanted"),
    [
        (fsm.SkipPhase("noon"), "rise eat"),
        (fsm.SkipPhase("meal"), "eat eat"),
        (fsm.AddPhase("brunch", after="noon"), "rise eat rise eat"),
        (fsm.AddPhase("meal", after="brunch"), "rise eat eat eat"),
    ],
    ids=["one is skipped", "the next is skipped", "one is added", "the last is added"],
)  # fmt: skip
def test_orders_take_the_name_of_a_phase_or_of_its_family(order: Any, wanted: str) -> None:
    brunch = Phase("brunch", Act("rise"), family="meal")
    table = Table(
        "g",
        brunch,
        Phase("noon", Act("eat"), family="meal"),
        Phase("dusk", Act("eat"), family="meal"),
    )
    assert fsm.check(table) == []
    assert asked(table, order) == wanted


def test_citing_a_rule_switches_nothing_off() -> None:
    cited = replace(WORK, rules=FrameRules(turn="1", begin="2", end="3", extra_turn="4"))
    assert asked(cited, fsm.AddTurn("Ann"), turns=2).count("work") == 2
    assert asked(cited, fsm.SkipStep("work")) == "rest snore"


def test_an_act_ends_a_duration() -> None:
    class Watching(Told):
        def on_expired(self, id: str) -> None:
            self.asked.append(f"-{id}")

    host = Watching({}, {})
    effect = fsm.Effect("haste", "Ann", until="end_of_turn")
    game = fsm.TurnController(COURT, ["Ann", "Ben"], orders=[effect])
    fsm.drive(game, host, until=lambda request: request.at.turn == 2)
    assert host.asked == ["dress", "hall?", "-haste", "discard"]


def test_the_game_is_over_when_one_side_is_left() -> None:
    game = fsm.TurnController(COURT, ["Ann", "Ben", "Cleo"])
    assert not isinstance(game.order(fsm.Leave("Ben")), fsm.Over)
    over = game.order(fsm.Leave("Ann"))
    assert isinstance(over, fsm.Over) and over.winners == ("Cleo",)
    endless = replace(COURT, over="never")
    assert fsm.check(endless) == []
    game = fsm.TurnController(endless, ["Ann", "Ben"])
    assert not isinstance(game.order(fsm.Leave("Ben")), fsm.Over)
    over = game.order(fsm.Leave("Ann"))
    assert isinstance(over, fsm.Over) and over.draw


@pytest.mark.parametrize(
    ("members", "turns", "strikers"),
    [
        ("together", "Ann Cleo Ann", ("Cleo", "Dan")),
        ("one_by_one", "Ann Ben Cleo", ("Cleo", "Dan")),
    ],
)
def test_members_of_a_team_take_turns_together_or_one_by_one(
    members: Any, turns: str, strikers: tuple[str, ...]
) -> None:
    table = day(Step("fight", Act("rise"), Act("strike", by="opponents")), members=members)
    assert fsm.check(table) == []
    teams = [["Ann", "Ben"], ["Cleo", "Dan"]]
    game = fsm.TurnController(table, ["Ann", "Ben", "Cleo", "Dan"], teams=teams)
    active = []
    for request in game:
        if request.at.turn > 3:
            break
        if request.at.active == "Ann" and isinstance(request, fsm.Perform) and len(request.by) > 1:
            assert request.action == "rise" or request.by == strikers
        if isinstance(request, fsm.Perform) and request.action == "rise":
            active.append(request.at.active)
        game.answer(request.quiet())
    assert " ".join(active) == turns
    again = fsm.TurnController.restore(table, game.snapshot())
    assert not isinstance(again.order(fsm.Leave("Cleo")), fsm.Over)
    over = again.order(fsm.Leave("Dan"))
    assert isinstance(over, fsm.Over) and sorted(over.winners) == ["Ann", "Ben"]


# spelling -----------------------------------------------------------------------------------------


def test_labels_are_the_names_in_words_and_nothing_cites_a_rule() -> None:
    model = COURT.build()
    assert model.state("hall_throw_glove").label == "Throw glove"
    parts: list[Any] = [*model.states, *model.transitions, *model.facts]
    assert {part.rule for part in parts} == {""}


def test_a_picture_says_the_plain_words_of_a_table() -> None:
    ask = Step("ask", LIT, then=(Then("glow", "lit", says="it is bright"), Then("rest", layer="skip", says="it is dark")))  # fmt: skip
    table = day(ask, Step("glow", Act("glow", says="everybody glows")), Step("rest"))
    picture = fsm.draw(table)
    assert "it is bright" in picture and "it is dark" in picture and "verybody glows" in picture


def test_a_priority_window_is_there_unless_another_is_given() -> None:
    own = COURT.build().window
    assert own is not None
    model = day(Step("hall", Window()), window=own, window_label="Talk").build()
    assert model.window == own
    assert model.state("hall_window").label == "Talk"
    rules = PriorityRules(first="1.1")
    cited = day(Step("hall", Window()), window=rules).build().window
    assert cited is not None and cited.state("open").rule == "1.1"


# mistakes -----------------------------------------------------------------------------------------


def small(*parts: Any, **more: Any) -> Table:
    """A game of two steps, of which the first has these parts."""
    return day(Step("work", *parts, **more), Step("rest", Window()))


LISTED = Table("court", *COURT.phases, durations=Duration("end_of_turn", "mark", "end_of_turn"))
TESTED = ModelFact("lit", "", test=("starter_turn_is", "1"), owner="controller")
WRONG: list[tuple[Table, str]] = [
    (small(Act("a", when="first_trun")), "phase 'day', step 'work', part 1: fact 'first_trun' is unknown; did you mean 'first_turn'?"),
    (small(Act("a", when="rain")), "let an action decide it, decides='rain', or list it in facts"),
    (small(Window(opens="condtional")), "part 1: Window.opens must be "),  # type: ignore[arg-type]
    (small(Act("a", asks="preform")), "part 1: Act.asks must be "),  # type: ignore[arg-type]
    (small(Act("a", by="opponets")), "by='opponets' is unknown; did you mean 'opponents'?"),
    (small(Act("a"), 5), "Step.does[1] must be Act or Window or Either or Again or Back, not 5"),
    (small(Act("a"), Act("a")), "game: state 'work_a' is there twice; names are unique"),
    (small(Act("do it")), "write 'do_it', and what people read as label"),
    (small(then=Then("rset")), "phase 'day', step 'work', then: step 'rset' is unknown; did you mean 'rest'?"),
    (small(Act("a", by="dared")), "phase 'day', step 'work', part 1: by='dared' is unknown; declare it: roles=Role('dared')"),
    (small(Window(during=During("insult"))), "during 'insult': it leads nowhere"),
    (small(Window(during=During("insult", DUEL, Act("a")))), "during 'insult': actions come first, and then one Phase or Then"),
    (small(Window(during=During("insult", Then("rset")))), "during 'insult', parts: step 'rset' is unknown; did you mean 'rest'?"),
    (Table("g", Phase("p", Step("s", then=Then("w"))), Phase("q", Step("w"))), "step 'w' is unknown in this phase; write Then('end_of_phase') here, and Phase('p', ..., then=Then(PHASE))"),
    (Table("g", Phase("p", Step("s"), Act("a"))), "phase 'p': Phase.steps[1] must be Step, not Act("),
    (Table("g", Phase("p", Act("a", when="lit")), Phase("q", LIT)), "'lit' is decided by 'ask', which always comes later in the turn"),
    (small(Act("a", when="first_turn or first_round")), "a guard has no 'or'"),
    (day(Step("s", Window(during=During("x", Phase("day", Act("a")))))), "state 'day_phase' is there twice"),
    (Table("g", Phase("p", Step("s", Window(during=During("x", Act("a")))), cut=Cut("x"))), "event 'x' is a During of the same phase; rename one"),
    (Table("g", Phase("p", Act("a")), window="solitary"), "Table.window must be 'priority' or 'alternating' or 'solo' or 'once' or PriorityRules or Model, not 'solitary'"),
    (Table("g", Phase("p", Act("a")), order="tokn"), "Table.order must be 'alternating' or 'token', not 'tokn'"),
    (Table("g", Phase("p", Act("a")), lacks="extra_tun"), "lacks: 'extra_tun' is unknown; did you mean 'extra_turn'?"),
    (small(Window(passing="for_good")), "passing='for_good' belongs to alternating windows"),
    (Table("g", Phase("p", Act("a"), family="q"), Phase("q", Act("b"))), "its family is called like the phase 'q'"),
    (day(Step("kin dle")), "write 'kin_dle', and what people read as label"),
    (small(Act("a", ends="until night")), "write 'until_night'"),
    (Table("g", Phase("p")), "phase 'p': it has no step"),
    (Table("g"), "there is no phase"),
    (Table("g", Step("s")), "Table.phases[0] must be Phase, not Step("),  # type: ignore[arg-type]
    (Table("g", "p"), "Table.phases[0] must be Phase, not 'p'"),  # type: ignore[arg-type]
    (replace(COURT, over="last"), "Table.over must be "),  # type: ignore[arg-type]
    (COURT.changed("night", lambda night: DUEL), "state 'duel_phase' is there twice"),
    (LISTED.changed("levee", lambda levee: Step("levee", Act("a", ends="end_of_trun"))), "duration 'end_of_trun' is unknown; did you mean 'end_of_turn'?"),
    (day(Step("s", unless="lit"), facts=TESTED), "there is no test 'starter_turn_is'; did you mean 'starters_turn_is'?"),
]  # fmt: skip


@pytest.mark.parametrize(("table", "says"), WRONG, ids=[says[:40] for _, says in WRONG])
def test_a_mistake_is_named_with_its_place(table: Table, says: str) -> None:
    with pytest.raises(RulesetError) as raised:
        table.build()
    [problem] = [problem for problem in raised.value.problems if says in problem]
    assert problem.startswith(f"{table.name}: ")
    assert problem in [finding.message for finding in fsm.check(table)]


def test_one_error_names_all_problems() -> None:
    table = day(Step("kin dle", Act("x y")), Step("b", Window(opens="x")))  # type: ignore[arg-type]
    with pytest.raises(RulesetError) as raised:
        table.build()
    assert len(raised.value.problems) == 3
    assert str(raised.value).startswith(raised.value.problems[0])
    assert [finding.kind for finding in fsm.check(table)] == ["cannot start"] * 3


# deriving -----------------------------------------------------------------------------------------


BALL = Step("ball", Act("dance"))


@pytest.mark.parametrize(
    ("table", "wanted"),
    [
        (WORK.changed("work", lambda work: (work, BALL)), "work dance rest snore"),
        (WORK.changed("work", lambda work: (BALL, work)), "dance work rest snore"),
        (WORK.changed("rest", lambda rest: ()), "work snore"),
        (WORK.changed("night", lambda night: ()), "work rest"),
        (WORK.changed("night", lambda night: (Phase("dusk", Act("eat")), night)), "work rest eat snore"),
        (WORK.changed("snore", lambda snore: (Act("yawn"), snore)), "work rest yawn snore"),
        (WORK.changed("rest", lambda rest: replace(rest, unless="first_turn")), "work snore"),
    ],
    ids=["step after", "step before", "no step", "no phase", "phase", "act", "field"],
)  # fmt: skip
def test_a_game_is_derived_from_another(table: Table, wanted: str) -> None:
    assert asked(table) == wanted
    assert asked(WORK) == "work rest snore", "the first is as it was"


def test_deriving_names_what_is_not_there() -> None:
    with pytest.raises(RulesetError, match="part 'hal' is not in court; did you mean 'hall'"):
        COURT.changed("hal", lambda hall: ())
