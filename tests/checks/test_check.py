"""Each kind of finding, in a small model which has exactly that defect; and the same model without
it has none.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

import fsm
from fsm import rulesets
from fsm.checks import Allowance, Finding, check, report
from fsm.checks.finding import MEANING, SEVERITY
from fsm.coverage import targets
from fsm.model import Action, Duration, Event, Fact, Layer, Model, Setting, State, Term, Transition


def row(
    source: str,
    target: str | None,
    when: str = "",
    *do: str,
    on: str = "done",
    layer: Layer = "core",
) -> Transition:
    guard = tuple(Term.parse(part) for part in when.split(",") if part)
    return Transition(source, target, on, guard, tuple(map(Action.parse, do)), "1", layer)


def stage(id: str, parent: str = "turn") -> State:
    return State(id, "stage", parent=parent, rule="1")


def fact(name: str, *test: str, **more: str) -> Fact:
    owner = "agenda" if test else "game"
    return Fact(name, "", "1", **{"owner": owner, "test": test, **more})  # type: ignore[arg-type]


# A turn: draw a card; who is lucky may feast, who is not rests; then the turn is over.
TURN = Model(
    name="small",
    initial="hub",
    states=(
        State("hub", "choice", rule="1"),
        State("turn", "turn", rule="1"),
        State(
            "draw",
            "action",
            parent="turn",
            rule="1",
            asks="perform",
            action="draw",
            tells=("lucky",),
        ),
        State("pick", "choice", parent="turn", rule="1"),
        State(
            "feast",
            "action",
            parent="turn",
            rule="1",
            asks="perform",
            action="feast",
            role="action",
        ),
        State(
            "rest", "action", parent="turn", rule="1", asks="perform", action="rest", role="action"
        ),
        State("over", "stage", parent="turn", rule="1", role="end"),
    ),
    transitions=(
        row("hub", "draw"),
        row("draw", "pick"),
        row("pick", "feast", "lucky"),
        row("pick", "rest"),
        row("feast", "over"),
        row("rest", "over"),
        row("over", "hub"),
    ),
    events=(Event("done", completion=True),),
    facts=(fact("lucky"),),
)


def swapped(gone: str, *rows: Transition, model: Model = TURN, **more: tuple[object, ...]) -> Model:
    return model.without(gone).with_(transitions=rows, **more)  # type: ignore[arg-type]


def choosing(
    *rows: Transition, facts: tuple[Fact, ...] = (), states: tuple[State, ...] = ()
) -> Model:
    """The turn with other rows for its choice."""
    bare = TURN.without("pick -> feast [lucky]", "pick -> rest")
    return bare.with_(transitions=rows, facts=facts, states=states)


def only(model: Model) -> Finding:
    (finding,) = check(model)
    return finding


def test_the_small_turn_has_no_findings() -> None:
    assert check(TURN) == []


def test_a_state_to_which_nothing_leads() -> None:
    found = only(TURN.with_(states=[stage("attic")], transitions=[row("attic", "over")]))
    assert (found.kind, found.subject, found.severity, found.path) == (
        "unreachable",
        "attic",
        "warning",
        (),
    )


def test_a_state_to_which_only_a_row_leads_that_never_fires() -> None:
    model = TURN.with_(
        states=[stage("attic")], transitions=[row("pick", "attic", "lucky"), row("attic", "over")]
    )
    assert {(f.kind, f.subject) for f in check(model)} == {
        ("unreachable", "attic"),
        ("shadowed", "pick -> attic [lucky]"),
    }


def test_a_dead_end_with_a_way_there() -> None:
    found = only(TURN.without("feast -> over"))
    assert (found.kind, found.state, found.event) == ("dead end", "feast", "done")
    assert found.path == ("hub -> draw", "draw -> pick", "pick -> feast [lucky]")
    assert found.proved


def test_states_from_which_the_turn_cannot_end() -> None:
    found = only(
        swapped("feast -> over", row("feast", "nap"), row("nap", "feast"), states=(stage("nap"),))
    )
    assert (found.kind, found.subject, found.severity) == ("no way out", "feast", "error")
    assert "round and round through feast, nap" in found.message


def test_only_by_a_signal_is_no_way_for_a_turn_to_end() -> None:
    model = swapped("feast -> over", row("feast", "feast"))
    leaving = model.with_(
        events=[Event("quit")], transitions=[row("turn", "hub", on="quit", layer="jump")]
    )
    assert [f.kind for f in check(leaving)] == ["no way out"]


def test_a_gap() -> None:
    rows = row("pick", "feast", "lucky"), row("pick", "rest", "not lucky,tired")
    found = only(choosing(*rows, facts=(fact("tired"),)))
    assert (found.kind, found.subject, found.severity) == ("gap", "pick on done", "error")
    assert dict(found.witness) == {"lucky": False, "tired": False}
    assert found.guards == ("lucky", "not lucky, tired")
    assert (found.path, found.proved) == (("hub -> draw", "draw -> pick"), True)


def test_a_gap_that_is_not_found_with_the_first_fact_false() -> None:
    rows = row("pick", "feast", "lucky,tired"), row("pick", "rest", "not lucky")
    found = only(choosing(*rows, facts=(fact("tired"),)))
    assert (found.kind, dict(found.witness)) == ("gap", {"lucky": True, "tired": False})


def test_a_signal_that_is_not_heard_everywhere() -> None:
    model = TURN.with_(
        events=[Event("storm")], transitions=[row("pick", None, on="storm", layer="jump")]
    )
    assert {(f.kind, f.subject) for f in check(model)} >= {("gap", "over on storm")}


def test_two_rows_that_hold_at_once_where_none_is_the_otherwise() -> None:
    rows = (
        row("pick", "feast", "lucky"),
        row("pick", "rest", "tired"),
        row("pick", "rest", "not lucky,not tired"),
    )
    found = only(choosing(*rows, facts=(fact("tired"),)))
    assert (found.kind, found.subject, found.guards) == (
        "overlap",
        "pick on done",
        ("lucky", "tired"),
    )
    assert dict(found.witness) == {"lucky": True, "tired": True}
    assert check(choosing(*rows[:2], row("pick", "rest"), facts=(fact("tired"),))) == []


def group(*facts: Fact) -> Model:
    """A choice that reads one group of facts."""
    rows = [row("pick", "feast" if n else "rest", one.name) for n, one in enumerate(facts)]
    return choosing(*rows, row("pick", "rest"), facts=facts).with_(
        states=[State("eat", "phase", "eat", parent="turn", rule="1")]
    )


def of(name: str, *test: str, **more: str) -> Fact:
    return replace(fact(name, *test, **more), group="which")


def alone(facts: tuple[Fact, ...]) -> list[str]:
    return [f.message for f in check(group(*facts)) if f.kind == "broken group"]


@pytest.mark.parametrize(
    ("facts", "why"),
    [
        ((of("a"),), "'a' is its only fact"),
        ((of("a"), of("b", timing="latched")), "'b' is latched, and does not hold before"),
        ((of("a"), of("b", "begun", "phase", "eat")), "'a' is told by the game, 'b' by the agenda"),
        (
            (of("a", "begun", "phase", "eat"), of("b", "begun", "phase", "eat")),
            "'a' and 'b' ask the same",
        ),
        (
            (of("a", "begun", "phase", "eat"), of("b", "candidate_left")),
            "'a' and 'b' ask different things",
        ),
    ],
)
def test_a_one_of_group_that_is_broken(facts: tuple[Fact, ...], why: str) -> None:
    assert why in "\n".join(alone(facts))
    assert alone((of("a"), of("b"))) == []


def test_a_one_of_group_that_lacks_an_answer() -> None:
    magic = fsm.load("magic")
    lost = "extra_phase_is_combat"
    facts = tuple(f for f in magic.facts if f.name != lost)
    rows = tuple(t for t in magic.transitions if lost not in {term.fact for term in t.guard})
    (found,) = [
        f for f in check(replace(magic, facts=facts, transitions=rows)) if f.kind == "broken group"
    ]
    assert found.subject == "extra phase"
    assert "no fact for 'combat'" in found.message


def test_a_row_behind_one_that_always_holds_first() -> None:
    found = only(TURN.with_(transitions=[row("pick", "over")]))
    assert (found.kind, found.subject, found.severity) == ("shadowed", "pick -> over", "warning")


def test_a_guard_that_contradicts_itself() -> None:
    rows = (
        row("pick", "over", "lucky,not lucky"),
        row("pick", "feast", "lucky"),
        row("pick", "rest"),
    )
    assert (only(choosing(*rows)).kind, only(choosing(*rows)).guards) == (
        "contradiction",
        ("lucky, not lucky",),
    )


def test_a_guard_on_two_of_a_group_contradicts_itself() -> None:
    facts = of("a"), of("b")
    rows = row("pick", "over", "a,b"), row("pick", "feast", "a"), row("pick", "rest", "b")
    found = check(choosing(*rows, facts=facts))
    assert [(f.kind, f.subject) for f in found] == [
        ("contradiction", "pick -> over [a, b]"),
        ("unused", "fact lucky"),
    ]


def test_a_row_on_a_fact_that_nothing_latches() -> None:
    full = Fact("full", "", "1", "controller", "latched", "day")
    rows = row("pick", "over", "full"), row("pick", "feast", "lucky"), row("pick", "rest")
    found = only(choosing(*rows, facts=(full,)))
    assert (found.kind, found.subject) == ("never fires", "pick -> over [full]")
    assert "no transition latches 'full'" in found.message
    eaten = swapped(
        "feast -> over",
        row("feast", "over", "", "latch(full)"),
        model=choosing(*rows, facts=(full,)),
    )
    assert check(eaten) == []


def test_a_row_for_an_event_that_never_comes() -> None:
    found = only(
        TURN.with_(
            events=[Event("closed", completion=True)],
            transitions=[row("rest", "over", on="closed")],
        )
    )
    assert (found.kind, found.event) == ("never fires", "closed")
    assert "'closed' never comes in rest" in found.message


def test_a_row_that_what_came_before_excludes() -> None:
    states = (State("again", "choice", parent="turn", rule="1"),)
    rows = row("pick", "again", "lucky"), row("pick", "rest"), row("again", "feast", "lucky")
    found = only(choosing(*rows, row("again", "rest", "not lucky"), states=states))
    assert (found.kind, found.subject) == ("never fires", "again -> rest [not lucky]")
    assert check(choosing(*rows, row("again", "rest"), states=states)) == []


def test_what_only_an_extra_leads_to_although_it_is_no_extra() -> None:
    inn = (
        State("inn", "phase", parent="turn", rule="1"),
        stage("enter", "inn"),
        stage("leave", "inn"),
    )
    rows = (
        row("pick", "enter", "lucky", layer="extra"),
        row("pick", "feast", "tired"),
        row("pick", "rest"),
    )
    onward = row("enter", "leave"), row("leave", "over")
    model = choosing(*rows, *onward, facts=(fact("tired"),), states=inn)
    found = only(model)
    assert (found.kind, found.subject, found.state) == ("disconnected", "inn without extra", "inn")
    whole = [
        replace(t, layer="extra") if t.source in ("enter", "leave") else t
        for t in model.transitions
    ]
    assert check(replace(model, transitions=tuple(whole))) == []


def test_a_turn_that_without_the_skips_cannot_end() -> None:
    rows = row("feast", "over", "lucky", layer="skip"), row("feast", "feast")
    found = only(swapped("feast -> over", *rows))
    assert (found.kind, found.subject) == ("disconnected", "feast without skip")


def test_a_step_that_lacks_what_its_like_have() -> None:
    magic = fsm.load("magic")
    kinds = {f.kind for f in check(magic.without("draw_before -> draw_after [skip_draw]"))}
    assert "irregular" in kinds


USELESS = [
    (TURN.with_(facts=[fact("rich")]), "fact rich", "no transition reads the fact 'rich'"),
    (
        TURN.with_(events=[Event("storm")]),
        "event storm",
        "no transition waits for the event 'storm'",
    ),
    (
        replace(TURN, settings=(Setting("fast", rule="1"),)),
        "setting fast",
        "no fact that is read asks",
    ),
    (
        replace(TURN, durations=(Duration("long", "mark", "dusk", rule="1"),)),
        "duration long",
        "no mark of 'dusk'",
    ),
    (
        replace(TURN, durations=(Duration("long", "end", "dusk", rule="1"),)),
        "duration long",
        "no end of 'dusk'",
    ),
    (
        swapped("over -> hub", row("over", "hub", "", "tally(days)")),
        "action tally(days)",
        "how often 'days'",
    ),
    (
        swapped("over -> hub", row("over", "hub", "", "suspend")),
        "action suspend",
        "what waits never goes on",
    ),
    (
        swapped("over -> hub", row("over", "hub", "", "push_return(step, pick)")),
        "action push_return(step, pick)",
        "no transition does pop_return(step)",
    ),
]


@pytest.mark.parametrize(
    ("model", "subject", "words"), USELESS, ids=[subject for _, subject, _ in USELESS]
)
def test_what_is_there_for_nothing(model: Model, subject: str, words: str) -> None:
    found = only(model)
    assert (found.kind, found.subject) == ("unused", subject)
    assert words in found.message


def test_a_fact_that_is_only_told_or_latched_is_not_read() -> None:
    told = replace(TURN.state("draw"), tells=("lucky", "rich"))
    states = tuple(told if s.id == "draw" else s for s in TURN.states)
    found = only(replace(TURN, states=states, facts=(*TURN.facts, fact("rich"))))
    assert found.message == "no transition reads the fact 'rich', though 'draw' must tell it"
    full = Fact("full", "", "1", "controller", "latched", "day")
    latching = swapped("rest -> over", row("rest", "over", "", "latch(full)"), facts=(full,))
    assert "though 'rest -> over' latches it" in only(latching).message


def test_what_cites_no_rule() -> None:
    def uncited(**more: object) -> Finding:
        return only(replace(TURN, **more))  # type: ignore[arg-type]

    bare = [replace(TURN.state("over"), rule="")]
    states = tuple(bare[0] if s.id == "over" else s for s in TURN.states)
    assert (uncited(states=states).subject, uncited(states=states).severity) == (
        "state over",
        "note",
    )
    rows = tuple(replace(t, rule="") if t.id == "over -> hub" else t for t in TURN.transitions)
    assert (uncited(transitions=rows).kind, uncited(transitions=rows).subject) == (
        "citation",
        "over -> hub",
    )
    assert uncited(facts=(replace(TURN.facts[0], rule=""),)).subject == "fact lucky"
    assert uncited(durations=(Duration("long", "end", "turn"),)).subject == "duration long"


def test_what_a_window_lacks_is_found_there() -> None:
    magic = fsm.load("magic")
    assert magic.window is not None
    found = check(replace(magic, window=magic.window.without("resolve_top -> sba")))
    assert {(f.machine, f.kind, f.state) for f in found} >= {("window", "dead end", "resolve_top")}


def test_what_a_window_latches_is_offered_to_any_turn() -> None:
    """A turn may use a window without reading all that it tells."""
    magic = fsm.load("magic")
    again = [t.id for t in magic.transitions if Term("window_opened") in t.guard]
    without = magic.without(*again)
    facts = tuple(f for f in without.facts if f.name != "window_opened")
    assert [f for f in check(replace(without, facts=facts)) if f.kind == "unused"] == []


# allowing -----------------------------------------------------------------------------------------

ATTIC = TURN.with_(states=[stage("attic")], transitions=[row("attic", "over")])


def test_an_allowed_finding_is_told_as_allowed() -> None:
    found = report(ATTIC, [Allowance("unreachable", "attic", "a later edition uses it")])
    assert found.findings == ()
    assert [(f.subject, why) for f, why in found.allowed] == [("attic", "a later edition uses it")]


def test_an_allowance_that_fits_nothing_is_a_finding() -> None:
    (found,) = check(TURN, [Allowance("unreachable", "attic", "once it was")])
    assert (found.kind, found.subject) == ("idle allowance", "unreachable at attic")


def test_every_kind_has_a_severity_and_a_meaning() -> None:
    assert set(SEVERITY) == set(MEANING)


# the rulesets -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", rulesets.names())
def test_the_rulesets_are_clean_and_need_no_allowance(name: str) -> None:
    found = report(rulesets.load(name))
    assert (found.findings, found.allowed) == ((), ())


@pytest.mark.parametrize("name", rulesets.names())
def test_no_transition_of_a_ruleset_is_held_infeasible(name: str) -> None:
    assert [
        target.id for target in targets(rulesets.load(name), "transitions") if target.infeasible
    ] == []
