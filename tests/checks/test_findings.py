"""Each kind of finding is shown by one fault in a small turn. The same turn without it is clean."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

import fsm
from fsm.checks import Allowance, Finding, check, report
from fsm.model import Duration, Event, Fact, Model, Setting, State
from support.smallturn import TURN, choice, choosing, extended, row, stage, swapped

LUCKY = row("pick", "feast", "lucky")
TIRED = Fact("tired", "", "1")
FULL = Fact("full", "", "1", "controller", "latched", "day")
RESTS = row("pick", "rest")
ATTIC = extended(TURN, states=[stage("attic")], transitions=[row("attic", "over")])
INN = (State("inn", "phase", parent="turn", rule="1"), stage("enter", "inn"), stage("leave", "inn"))


@pytest.fixture(scope="module")
def classic() -> Model:
    return fsm.load("magic-classic")


def only(model: Model) -> Finding:
    [finding] = check(model)
    return finding


def assert_found(model: Model, kind: str, subject: str, words: str) -> None:
    """Assert that this is the only finding."""
    finding = only(model)
    assert (finding.kind, finding.subject) == (kind, subject)
    assert words in finding.message


def test_a_sound_turn_has_no_finding() -> None:
    assert check(TURN) == []


STOPS = {
    "no way on": (
        TURN.without("feast -> over"),
        "dead end",
        "feast on done",
        "'feast' has no transition for 'done': a run stops there",
    ),
    "round and round": (
        swapped("feast -> over", row("feast", "nap"), row("nap", "feast"), states=[stage("nap")]),
        "no way out",
        "feast",
        "only round and round through feast, nap",
    ),
    "out by a signal only": (
        extended(
            swapped("feast -> over", row("feast", "feast")),
            events=[Event("quit")],
            transitions=[row("turn", "hub", on="quit", layer="jump")],
        ),
        "no way out",
        "feast",
        "nothing leads from 'feast' to an end",
    ),
    "no row holds": (
        choosing(LUCKY, row("pick", "rest", "not lucky,tired"), facts=[TIRED]),
        "gap",
        "pick on done",
        "in 'pick' no row for 'done' holds when not lucky, not tired",
    ),
    "two rows hold": (
        choosing(
            LUCKY,
            row("pick", "rest", "tired"),
            row("pick", "rest", "not lucky,not tired"),
            facts=[TIRED],
        ),
        "overlap",
        "pick on done",
        "two rows for 'done' hold when lucky, tired",
    ),
    "a signal is not heard everywhere": (
        extended(
            TURN,
            events=[Event("storm")],
            transitions=[
                row(state, None, on="storm", layer="jump")
                for state in ("draw", "pick", "feast", "rest")
            ],
        ),
        "gap",
        "over on storm",
        "",
    ),
}


@pytest.mark.parametrize(("model", "kind", "subject", "words"), STOPS.values(), ids=STOPS)
def test_where_a_run_stops_is_an_error(model: Model, kind: str, subject: str, words: str) -> None:
    assert_found(model, kind, subject, words)
    assert only(model).severity == "error"


NEVER = {
    "no row leads there": (ATTIC, "unreachable", "attic", "no transition that can fire leads to"),
    "behind a row that always holds": (
        extended(TURN, transitions=[row("pick", "over")]),
        "shadowed",
        "pick -> over",
        "in pick a row above is taken whenever it is tried",
    ),
    "a guard against itself": (
        choosing(row("pick", "over", "lucky,not lucky"), LUCKY, RESTS),
        "shadowed",
        "pick -> over [lucky, not lucky]",
        "lucky and not lucky: these contradict each other",
    ),
    "a fact that nothing latches": (
        choosing(row("pick", "over", "full"), LUCKY, RESTS, facts=[FULL]),
        "never fires",
        "pick -> over [full]",
        "no transition latches 'full'",
    ),
    "an event that never comes": (
        extended(
            TURN,
            events=[Event("closed", completion=True)],
            transitions=[row("rest", "over", on="closed")],
        ),
        "never fires",
        "rest -> over on closed",
        "'closed' never comes in rest",
    ),
    "what came before excludes it": (
        choosing(
            row("pick", "again", "lucky"),
            RESTS,
            row("again", "feast", "lucky"),
            row("again", "rest", "not lucky"),
            states=[choice("again")],
        ),
        "never fires",
        "again -> rest [not lucky]",
        "on every way into again",
    ),
    "only an extra leads there": (
        choosing(
            row("pick", "enter", "lucky", layer="extra"),
            row("pick", "feast", "tired"),
            RESTS,
            row("enter", "leave"),
            row("leave", "over"),
            facts=[TIRED],
            states=INN,
        ),
        "disconnected",
        "inn without extra",
        "without the layer 'extra', nothing leads to 'inn'",
    ),
}


@pytest.mark.parametrize(("model", "kind", "subject", "words"), NEVER.values(), ids=NEVER)
def test_what_never_happens_is_a_warning(model: Model, kind: str, subject: str, words: str) -> None:
    assert_found(model, kind, subject, words)
    assert only(model).severity == "warning"


def test_a_row_on_a_fact_that_is_latched_may_fire() -> None:
    eats = row("feast", "over", do="latch(full)")
    model = choosing(row("pick", "over", "full"), LUCKY, RESTS, facts=[FULL])
    assert check(extended(model.without("feast -> over"), transitions=[eats])) == []


UNUSED = {
    "fact tired": (extended(TURN, facts=[TIRED]), "no transition reads the fact 'tired'"),
    "fact full": (
        swapped("rest -> over", row("rest", "over", do="latch(full)"), facts=[FULL]),
        "no transition reads the fact 'full'",
    ),
    "event storm": (extended(TURN, events=[Event("storm")]), "no transition waits for the event"),
    "setting fast": (
        replace(TURN, settings=(Setting("fast", rule="1"),)),
        "no fact that is read asks for the setting",
    ),
    "duration long": (
        replace(TURN, durations=(Duration("long", "mark", "dusk", rule="1"),)),
        "never runs out: no mark of 'dusk' comes",
    ),
}


@pytest.mark.parametrize("subject", UNUSED)
def test_what_nothing_reads_is_unused(subject: str) -> None:
    model, words = UNUSED[subject]
    assert_found(model, "unused", subject, words)


def test_a_step_that_lacks_what_its_like_have_is_irregular(classic: Model) -> None:
    found = check(classic.without("draw_before -> draw_after [skip_draw]"))
    [irregular] = [finding for finding in found if finding.kind == "irregular"]
    assert irregular.subject == "draw_before without skip_due"


def test_a_fault_of_the_window_is_found_there(classic: Model) -> None:
    assert classic.window is not None
    holed = replace(classic, window=classic.window.without("resolve_top -> sba"))
    found = {(finding.machine, finding.kind, finding.state) for finding in check(holed)}
    assert ("window", "dead end", "resolve_top") in found


# allowances ---------------------------------------------------------------------------------------


def test_an_allowed_finding_is_told_with_its_reason() -> None:
    found = report(ATTIC, [Allowance("unreachable", "attic", "a later edition uses it")])
    assert found.findings == ()
    [(finding, why)] = found.allowed
    assert (finding.subject, why) == ("attic", "a later edition uses it")
    assert report(ATTIC, [Allowance("unreachable", "*", "all of them")]).findings == ()


def test_an_allowance_that_fits_nothing_is_a_finding() -> None:
    [idle] = check(TURN, [Allowance("unreachable", "attic", "once it was")])
    assert (idle.kind, idle.subject) == ("idle allowance", "unreachable at attic")


@pytest.mark.parametrize("name", fsm.rulesets.names())
def test_the_rulesets_have_no_finding_and_need_no_allowance(name: str) -> None:
    found = report(fsm.load(name))
    assert (found.findings, found.allowed) == ((), ())
