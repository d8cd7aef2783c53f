"""Every primitive as one table: arrange a run, apply the primitive, and what must then hold.

A test's rows say what it answers. An action's rows name *every* field it changes: the others must
stay.
"""

from __future__ import annotations

import runpy
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import pytest

import fsm
from fsm.rulesets import names
from fsm.state.agenda import Agenda
from fsm.state.calendar import Calendar, DelayedEntry, LastingEntry, StandingEntry
from fsm.state.entries import (
    Candidate,
    Occurrence,
    PendingControl,
    PendingExtra,
    PendingSkip,
    PendingTurn,
    Return,
    Suspended,
)
from fsm.state.primitives import ACTIONS, TESTS
from fsm.state.run import Run
from support.folders import DOCS

MAGIC = fsm.load("magic")
PLAYERS = ("A", "B", "C")


def phase(id: int, name: str, family: str = "", **rest: Any) -> Occurrence:
    return Occurrence(id, "phase", name, family or name, **rest)


def step(id: int, name: str, **rest: Any) -> Occurrence:
    return Occurrence(id, "step", name, name, **rest)


def run_of(arranged: Mapping[str, Any]) -> Run:
    """A run in which these fields are set; a name is a field of agenda, calendar or run."""
    rest = dict(arranged)
    agenda = Agenda(rest.pop("players", PLAYERS), **_taken(rest, Agenda))
    calendar = Calendar(**_taken(rest, Calendar))
    return Run(rest.pop("model", MAGIC), agenda, calendar, **rest)


def _taken(rest: dict[str, Any], kind: type) -> dict[str, Any]:
    return {f.name: rest.pop(f.name) for f in fields(kind) if f.name in rest}


def seen(run: Run) -> dict[str, Any]:
    """Every field of the run, its agenda and its calendar."""
    holders: dict[str, Any] = {"agenda": run.agenda, "calendar": run.calendar}
    found = {f.name: getattr(run, f.name) for f in fields(run) if f.name not in holders}
    for holder in holders.values():
        found.update({f.name: getattr(holder, f.name) for f in fields(holder)})
    return found


Arranged = dict[str, Any]
UPKEEP_SKIP = PendingSkip("step", "upkeep", "A", "next")
SKIP_WITHIN = PendingSkip("step", "upkeep", "A", "next", within="x")
THAT_TURN = Occurrence(1, "turn", "turn", "turn", extra=True, label="x")
TURN_SKIP = PendingSkip("turn", "turn", "A", "next")
EXTRA_COMBAT = PendingExtra("phase", "combat", after=5)
EXTRA_UPKEEP = PendingExtra("step", "upkeep", after=7)
BEFORE_DRAW = PendingExtra("step", "upkeep", anchor="draw", before=True)

TURN = Occurrence(1, "turn", "turn", "turn")
EXTRA_TURN = Occurrence(1, "turn", "turn", "turn", extra=True)
WAITING = Suspended(phase(2, "main"), step(3, "main"), 2, 3)

# (test, arguments, arranged, what it answers)
ASKED: list[tuple[str, tuple[str, ...], Arranged, bool]] = [
    ("skip_due", ("step", "upkeep"), {"active": "A"}, False),
    ("skip_due", ("step", "upkeep"), {"active": "A", "skips": (UPKEEP_SKIP,)}, True),
    ("skip_due", ("step", "upkeep"), {"active": "A", "skips": (SKIP_WITHIN,)}, False),
    (
        "skip_due",
        ("step", "upkeep"),
        {"active": "A", "skips": (SKIP_WITHIN,), "current_turn": THAT_TURN},
        True,
    ),
    (
        "skip_due",
        ("step", "upkeep"),
        {"active": "A", "skips": (SKIP_WITHIN,), "current_phase": phase(2, "beginning", label="x")},
        True,
    ),
    (
        "skip_due",
        ("step", "upkeep"),
        {
            "active": "A",
            "skips": (SKIP_WITHIN,),
            "current_step": step(2, "upkeep", under_way=False, label="x"),
        },
        False,
    ),
    (
        "skip_due",
        ("step", "upkeep"),
        {"active": "A", "skips": (SKIP_WITHIN,), "candidate_step": Candidate("upkeep", label="x")},
        True,
    ),
    ("skip_due", ("step", "draw"), {"active": "A", "skips": (UPKEEP_SKIP,)}, False),
    ("skip_due", ("step", "upkeep"), {"active": "B", "skips": (UPKEEP_SKIP,)}, False),
    (
        "skip_due",
        ("phase", "combat"),
        {"active": "B", "skips": (PendingSkip("phase", "combat", "", "each"),)},
        True,
    ),
    (
        "skip_due",
        ("phase", "main"),
        {"active": "A", "turn": 3, "skips": (PendingSkip("phase", "main", "A", "this_turn", 3),)},
        True,
    ),
    (
        "skip_due",
        ("phase", "main"),
        {"active": "A", "turn": 4, "skips": (PendingSkip("phase", "main", "A", "this_turn", 3),)},
        False,
    ),
    (
        "skip_due",
        ("step", "draw"),
        {"active": "A", "turn": 4, "skips": (PendingSkip("step", "draw", "A", "all_next_turn"),)},
        False,
    ),
    (
        "skip_due",
        ("step", "draw"),
        {
            "active": "A",
            "turn": 4,
            "skips": (PendingSkip("step", "draw", "A", "all_next_turn", 4),),
        },
        True,
    ),
    (
        "skip_due",
        ("turn", "turn"),
        {"active": "B", "candidate_turn": "A", "skips": (TURN_SKIP,)},
        True,
    ),
    (
        "skip_due",
        ("turn", "turn"),
        {"active": "A", "candidate_turn": "B", "skips": (TURN_SKIP,)},
        False,
    ),
    ("extra_due", ("turn",), {}, False),
    ("extra_due", ("turn",), {"turns": (PendingTurn("C"),)}, True),
    ("extra_due", ("phase",), {"cursor_phase": 5, "extras": (EXTRA_COMBAT,)}, True),
    ("extra_due", ("phase",), {"cursor_phase": 6, "extras": (EXTRA_COMBAT,)}, False),
    (
        "extra_due",
        ("phase",),
        {"cursor_phase": 0, "extras": (PendingExtra("phase", "combat", anchor="main"),)},
        False,
    ),
    ("extra_due", ("step",), {"cursor_step": 7, "extras": (EXTRA_UPKEEP,)}, True),
    (
        "extra_due",
        ("step",),
        {"cursor_step": 5, "cursor_phase": 7, "extras": (EXTRA_UPKEEP,)},
        False,
    ),
    ("extra_before", ("draw",), {"extras": (BEFORE_DRAW,)}, True),
    ("extra_before", ("upkeep",), {"extras": (BEFORE_DRAW,)}, False),
    (
        "extra_before",
        ("draw",),
        {"extras": (PendingExtra("step", "upkeep", anchor="draw"),)},
        False,
    ),
    ("candidate_is", ("phase", "combat"), {"candidate_phase": Candidate("combat")}, True),
    ("candidate_is", ("phase", "main"), {"candidate_phase": Candidate("combat")}, False),
    ("candidate_is", ("step", "upkeep"), {"candidate_step": Candidate("upkeep")}, True),
    ("candidate_is", ("step", "upkeep"), {}, False),
    ("inside_any_extra", (), {"returns_phase": (Return("main_after", 1),)}, True),
    ("inside_any_extra", (), {"returns_step": (Return("draw_after", 1),)}, True),
    ("inside_any_extra", (), {}, False),
    ("inside_extra", ("phase",), {"returns_phase": (Return("main_after", 1),)}, True),
    ("inside_extra", ("phase",), {"returns_step": (Return("draw_after", 1),)}, False),
    ("inside_extra", ("step",), {"returns_step": (Return("draw_after", 1),)}, True),
    (
        "returns_to",
        ("step", "draw_after"),
        {"returns_step": (Return("upkeep_after", 1), Return("draw_after", 2))},
        True,
    ),
    (
        "returns_to",
        ("step", "upkeep_after"),
        {"returns_step": (Return("upkeep_after", 1), Return("draw_after", 2))},
        False,
    ),
    ("returns_to", ("step", "draw_after"), {}, False),
    ("only_another", ("upkeep",), {"current_phase": phase(1, "beginning", only="draw")}, True),
    ("only_another", ("draw",), {"current_phase": phase(1, "beginning", only="draw")}, False),
    ("only_another", ("draw",), {"current_phase": phase(1, "beginning")}, False),
    ("only_another", ("draw",), {}, False),
    ("phase_under_way", ("combat",), {"current_phase": phase(1, "combat")}, True),
    ("phase_under_way", ("main",), {"current_phase": phase(1, "precombat_main", "main")}, True),
    ("phase_under_way", ("main",), {"current_phase": phase(1, "combat")}, False),
    ("phase_under_way", ("combat",), {"current_phase": phase(1, "combat", under_way=False)}, False),
    ("phase_under_way", ("combat",), {}, False),
    (
        "begun",
        ("phase", "main"),
        {"begun": (phase(1, "beginning"), phase(2, "precombat_main", "main"))},
        True,
    ),
    (
        "begun",
        ("phase", "precombat_main"),
        {"begun": (phase(2, "precombat_main", "main", under_way=False),)},
        True,
    ),
    ("begun", ("phase", "combat"), {"begun": (phase(1, "beginning"),)}, False),
    ("begun", ("phase", "upkeep"), {"begun": (step(1, "upkeep"),)}, False),
    ("missed", ("draw",), {"missed": ("draw",)}, True),
    ("missed", ("draw",), {"missed": ("upkeep",)}, False),
    ("candidate_left", (), {"candidate_turn": "B", "left": ("B",)}, True),
    ("candidate_left", (), {"candidate_turn": "B", "left": ("A",)}, False),
    ("candidate_left", (), {"candidate_turn": "A", "teams": (("A", "B"),), "left": ("A",)}, False),
    (
        "candidate_left",
        (),
        {"candidate_turn": "A", "teams": (("A", "B"),), "left": ("A", "B")},
        True,
    ),
    ("starters_turn_is", ("1",), {"active": "A", "turn": 1, "turns_taken": (1, 0, 0)}, True),
    ("starters_turn_is", ("1",), {"active": "A", "turn": 2, "turns_taken": (1, 1, 0)}, True),
    ("starters_turn_is", ("1",), {"active": "B", "turn": 1, "turns_taken": (0, 1, 0)}, False),
    ("starters_turn_is", ("1",), {"active": "B", "turn": 2, "turns_taken": (1, 1, 0)}, False),
    ("starters_turn_is", ("1",), {"active": "A", "turn": 3, "turns_taken": (2, 0, 0)}, False),
    ("own_turn_is", ("1",), {"active": "B", "current_turn": TURN, "own_turns": (0, 1, 0)}, True),
    (
        "own_turn_is",
        ("1",),
        {"active": "B", "current_turn": EXTRA_TURN, "own_turns": (0, 1, 0)},
        False,
    ),
    ("own_turn_is", ("1",), {"active": "B", "current_turn": TURN, "own_turns": (1, 2, 0)}, False),
    ("own_turn_is", ("1",), {"active": "B"}, False),
    ("starter_active", (), {"active": "A"}, True),
    ("starter_active", (), {"active": "B"}, False),
    ("active_sits_last", ("living",), {"active": "C"}, True),
    ("active_sits_last", ("living",), {"active": "B"}, False),
    ("active_sits_last", ("living",), {"active": "B", "left": ("C",)}, True),
    ("active_sits_last", ("seated",), {"active": "B", "left": ("C",)}, False),
    ("active_sits_last", ("seated",), {"active": "C", "left": ("A",)}, True),
    ("shared_turns", (), {}, False),
    ("shared_turns", (), {"teams": (("A", "B"),)}, True),
    ("active_left", (), {"active": "A", "left": ("A",)}, True),
    ("active_left", (), {"active": "A", "left": ("B",)}, False),
    ("active_left", (), {"active": "", "left": ("A",)}, False),
    ("active_left", (), {"active": "A", "teams": (("A", "B"),), "left": ("A",)}, False),
    ("tallied", ("storm", "2"), {"tallies": {"storm": 2}}, True),
    ("tallied", ("storm", "2"), {"tallies": {"storm": 1, "calm": 5}}, False),
    ("tallied", ("storm", "1"), {}, False),
    ("setting", ("first_draw_skipped",), {"settings": {"first_draw_skipped": True}}, True),
    ("setting", ("first_draw_skipped",), {"settings": {"first_draw_skipped": False}}, False),
    ("setting", ("first_draw_skipped",), {}, False),
    ("more_sides_than", ("2",), {}, True),
    ("more_sides_than", ("3",), {}, False),
    ("more_sides_than", ("2",), {"left": ("B",)}, False),
    ("more_sides_than", ("1",), {"teams": (("A", "B"),), "left": ("A",)}, True),
    ("window_opens", ("natural",), {"state": "upkeep_window"}, True),
    ("window_opens", ("natural",), {"state": "cleanup_window"}, False),
    ("window_opens", ("conditional",), {"state": "cleanup_window"}, True),
    ("window_opens", ("conditional_round",), {"state": "cleanup_window"}, False),
    ("everyone_passed", (), {"passed": ("B", "C", "A")}, True),
    ("everyone_passed", (), {"passed": ("B", "C")}, False),
    ("everyone_passed", (), {"passed": ("B", "C"), "left": ("A",)}, True),
    ("everyone_passed", (), {"passed": ("A", "B"), "left": ("A",)}, False),
    ("holder_left", (), {"holder": "B", "left": ("B",)}, True),
    ("holder_left", (), {"holder": "B", "left": ("A",)}, False),
    ("holder_left", (), {"holder": "A", "teams": (("A", "B"),), "left": ("A",)}, False),
]

# (action, arguments, arranged, every field that changes, with its new value)
DONE: list[tuple[str, tuple[str, ...], Arranged, dict[str, Any]]] = [
    # turns
    ("next_player", (), {}, {"natural": "A", "candidate_turn": "A"}),
    (
        "next_player",
        (),
        {"natural": "A", "candidate_turn": "A"},
        {"natural": "B", "candidate_turn": "B"},
    ),
    (
        "next_player",
        (),
        {"natural": "C", "candidate_turn": "C"},
        {"natural": "A", "candidate_turn": "A"},
    ),
    (
        "next_player",
        (),
        {"natural": "A", "candidate_turn": "C", "candidate_turn_extra": True, "left": ("B",)},
        {"natural": "B", "candidate_turn": "B", "candidate_turn_extra": False},
    ),
    (
        "take_turn",
        (),
        {"natural": "A", "turns": (PendingTurn("C"), PendingTurn("B"))},
        {"turns": (PendingTurn("B"),), "candidate_turn": "C", "candidate_turn_extra": True},
    ),
    (
        "take_turn",
        (),
        {"natural": "A", "turns": (PendingTurn("C", "x"),)},
        {
            "turns": (),
            "candidate_turn": "C",
            "candidate_turn_extra": True,
            "candidate_turn_label": "x",
        },
    ),
    (
        "next_player",
        (),
        {"natural": "A", "candidate_turn_label": "x"},
        {"natural": "B", "candidate_turn": "B", "candidate_turn_label": ""},
    ),
    (
        "begin_turn",
        (),
        {"candidate_turn": "A", "turn": 1, "turns_taken": (1, 3, 0), "own_turns": (0, 2, 0)},
        {
            "turn": 2,
            "turns_taken": (2, 3, 0),
            "own_turns": (1, 2, 0),
            "active": "A",
            "decider": "A",
            "occurrences": 1,
            "current_turn": Occurrence(1, "turn", "turn", "turn"),
        },
    ),
    (
        "begin_turn",
        (),
        {"candidate_turn": "B"},
        {
            "turn": 1,
            "active": "B",
            "decider": "B",
            "turns_taken": (0, 1, 0),
            "own_turns": (0, 1, 0),
            "occurrences": 1,
            "current_turn": Occurrence(1, "turn", "turn", "turn"),
        },
    ),
    (
        "begin_turn",
        (),
        {
            "candidate_turn": "B",
            "candidate_turn_extra": True,
            "turn": 4,
            "occurrences": 50,
            "active": "A",
            "decider": "A",
            "controls": (PendingControl("C", "A"), PendingControl("B", "C", True)),
        },
        {
            "turn": 5,
            "active": "B",
            "decider": "C",
            "turns_taken": (0, 1, 0),
            "occurrences": 51,
            "current_turn": Occurrence(51, "turn", "turn", "turn", extra=True),
            "controls": (PendingControl("C", "A"),),
            "turns": (PendingTurn("B"),),
        },
    ),
    (
        "begin_turn",
        (),
        {
            "candidate_turn": "B",
            "skips": (
                PendingSkip("step", "draw", "B", "all_next_turn"),
                PendingSkip("step", "draw", "A", "all_next_turn"),
            ),
        },
        {
            "turn": 1,
            "active": "B",
            "decider": "B",
            "turns_taken": (0, 1, 0),
            "own_turns": (0, 1, 0),
            "occurrences": 1,
            "current_turn": Occurrence(1, "turn", "turn", "turn"),
            "skips": (
                PendingSkip("step", "draw", "B", "all_next_turn", 1),
                PendingSkip("step", "draw", "A", "all_next_turn"),
            ),
        },
    ),
    (
        "begin_turn",
        (),
        {
            "candidate_turn": "B",
            "turn": 1,
            "occurrences": 9,
            "lasting": (
                LastingEntry("mine", "B", "your_next_turn", 1),
                LastingEntry("theirs", "A", "your_next_turn", 1),
                LastingEntry("long", "B", "end_of_your_next_turn", 1),
            ),
            "delayed": (
                DelayedEntry("soon", "B", "upkeep", "your_next_turn", 1),
                DelayedEntry("any", "B", "upkeep", "next", 1),
            ),
        },
        {
            "turn": 2,
            "active": "B",
            "decider": "B",
            "turns_taken": (0, 1, 0),
            "own_turns": (0, 1, 0),
            "occurrences": 10,
            "current_turn": Occurrence(10, "turn", "turn", "turn"),
            "expired": ("mine",),
            "lasting": (
                LastingEntry("theirs", "A", "your_next_turn", 1),
                LastingEntry("long", "B", "end_of_your_next_turn", 1, 2),
            ),
            "delayed": (
                DelayedEntry("soon", "B", "upkeep", "your_next_turn", 1, turn=2),
                DelayedEntry("any", "B", "upkeep", "next", 1),
            ),
        },
    ),
    (
        "end_turn",
        (),
        {
            "turn": 2,
            "current_turn": Occurrence(1, "turn", "turn", "turn"),
            "current_phase": phase(2, "ending"),
            "current_step": step(3, "cleanup"),
            "begun": (phase(2, "ending"),),
            "missed": ("draw",),
            "tallies": {"storm": 3},
            "suspended": (WAITING,),
            "turns": (PendingTurn("A", "x"),),
            "extras": (EXTRA_COMBAT,),
            "skips": (
                PendingSkip("step", "draw", "A", "this_turn", 2),
                PendingSkip("step", "draw", "A", "next", within="gone"),
                UPKEEP_SKIP,
            ),
            "controls": (
                PendingControl("B", "A", within="gone"),
                PendingControl("A", "B", within="x"),
            ),
            "delayed": (
                DelayedEntry("lost", "A", "draw", "your_next_turn", 1, turn=2),
                DelayedEntry("kept", "A", "draw", "next", 1),
            ),
            "lasting": (
                LastingEntry("over", "A", "end_of_combat_on_your_next_turn", 1, 2),
                LastingEntry("on", "A", "your_next_turn", 1),
            ),
        },
        {
            "current_turn": None,
            "current_phase": None,
            "current_step": None,
            "begun": (),
            "missed": (),
            "tallies": {},
            "suspended": (),
            "extras": (),
            "skips": (UPKEEP_SKIP,),
            "controls": (PendingControl("A", "B", within="x"),),
            "delayed": (DelayedEntry("kept", "A", "draw", "next", 1),),
            "lasting": (LastingEntry("on", "A", "your_next_turn", 1),),
            "expired": ("over",),
        },
    ),
    (
        "miss_turn",
        (),
        {
            "candidate_turn": "B",
            "lasting": (
                LastingEntry("over", "B", "your_next_turn", 1),
                LastingEntry("also", "B", "your_next_upkeep", 1),
                LastingEntry("a", "A", "your_next_turn", 1),
                LastingEntry("eot", "B", "end_of_turn", 1),
            ),
        },
        {
            "lasting": (
                LastingEntry("a", "A", "your_next_turn", 1),
                LastingEntry("eot", "B", "end_of_turn", 1),
            ),
            "expired": ("over", "also"),
        },
    ),
    # phases and steps
    (
        "begin_quietly",
        ("step", "end", "end"),
        {
            "active": "A",
            "turn": 3,
            "standing": (StandingEntry("each", "end", "each", False),),
            "lasting": (LastingEntry("mine", "A", "your_next_end_step", 1),),
        },
        {
            "occurrences": 1,
            "current_step": step(1, "end"),
            "cursor_step": 1,
            "begun": (step(1, "end"),),
            "lasting": (),
            "expired": ("mine",),
        },
    ),
    (
        "suspend",
        (),
        {
            "current_phase": phase(2, "main"),
            "current_step": step(3, "main"),
            "cursor_phase": 2,
            "cursor_step": 3,
        },
        {"suspended": (WAITING,)},
    ),
    (
        "resume",
        (),
        {
            "current_phase": phase(4, "combat", under_way=False),
            "current_step": step(5, "blows", under_way=False),
            "cursor_phase": 4,
            "cursor_step": 5,
            "suspended": (WAITING,),
        },
        {
            "current_phase": phase(2, "main"),
            "current_step": step(3, "main"),
            "cursor_phase": 2,
            "cursor_step": 3,
            "suspended": (),
        },
    ),
    ("tally", ("storm",), {}, {"tallies": {"storm": 1}}),
    (
        "tally",
        ("storm",),
        {"tallies": {"storm": 1, "calm": 4}},
        {"tallies": {"storm": 2, "calm": 4}},
    ),
    (
        "begin",
        ("phase", "precombat_main", "main"),
        {
            "occurrences": 4,
            "candidate_phase": Candidate("main", extra=True),
            "current_step": step(4, "draw"),
            "cursor_step": 4,
            "extras": (
                PendingExtra("phase", "combat", anchor="main", nth=1),
                PendingExtra("phase", "main", anchor="main", nth=2),
            ),
        },
        {
            "occurrences": 5,
            "candidate_phase": Candidate(),
            "current_phase": phase(5, "precombat_main", "main", extra=True),
            "cursor_phase": 5,
            "current_step": None,
            "cursor_step": 0,
            "begun": (phase(5, "precombat_main", "main", extra=True),),
            "extras": (
                PendingExtra("phase", "combat", after=5, anchor="main", nth=1),
                PendingExtra("phase", "main", anchor="main", nth=2),
            ),
        },
    ),
    (
        "begin",
        ("step", "upkeep", "upkeep"),
        {
            "active": "A",
            "turn": 3,
            "occurrences": 6,
            "lasting": (
                LastingEntry("gone", "A", "your_next_upkeep", 1),
                LastingEntry("theirs", "B", "your_next_upkeep", 1),
            ),
            "delayed": (
                DelayedEntry("now", "B", "upkeep", "next", 2),
                DelayedEntry("later", "A", "upkeep", "your_next_turn", 3),
                DelayedEntry("draw", "A", "draw", "next", 2),
            ),
            "standing": (
                StandingEntry("each", "upkeep", "each", False),
                StandingEntry("B's", "upkeep", "B", False),
                StandingEntry("first", "upkeep", "A", True),
            ),
        },
        {
            "occurrences": 7,
            "current_step": step(7, "upkeep"),
            "cursor_step": 7,
            "begun": (step(7, "upkeep"),),
            "expired": ("gone",),
            "lasting": (LastingEntry("theirs", "B", "your_next_upkeep", 1),),
            "triggered": ("now", "each", "first"),
            "delayed": (
                DelayedEntry("later", "A", "upkeep", "your_next_turn", 3),
                DelayedEntry("draw", "A", "draw", "next", 2),
            ),
        },
    ),
    (
        "begin",
        ("step", "upkeep", "upkeep"),
        {
            "active": "A",
            "turn": 3,
            "occurrences": 7,
            "begun": (step(7, "upkeep", under_way=False),),
            "standing": (
                StandingEntry("each", "upkeep", "each", False),
                StandingEntry("first", "upkeep", "A", True),
            ),
        },
        {
            "occurrences": 8,
            "current_step": step(8, "upkeep", iteration=2),
            "cursor_step": 8,
            "begun": (step(7, "upkeep", under_way=False), step(8, "upkeep", iteration=2)),
            "triggered": ("each",),
        },
    ),
    (
        "begin",
        ("phase", "precombat_main", "main"),
        {
            "active": "A",
            "turn": 3,
            "standing": (StandingEntry("each", "precombat_main", "each", False),),
        },
        {
            "occurrences": 1,
            "current_phase": phase(1, "precombat_main", "main"),
            "cursor_phase": 1,
            "begun": (phase(1, "precombat_main", "main"),),
        },
    ),
    (
        "begin",
        ("step", "end", "end"),
        {
            "active": "A",
            "turn": 3,
            "delayed": (DelayedEntry("made in it", "A", "end", "next", 3, "end"),),
        },
        {
            "occurrences": 1,
            "current_step": step(1, "end"),
            "cursor_step": 1,
            "begun": (step(1, "end"),),
            "triggered": ("made in it",),
            "delayed": (),
        },
    ),
    (
        "end",
        ("phase",),
        {
            "current_phase": phase(5, "combat"),
            "begun": (phase(3, "combat"), phase(5, "combat")),
            "lasting": (
                LastingEntry("over", "B", "end_of_combat", 1),
                LastingEntry("on", "A", "end_of_turn", 1),
            ),
        },
        {
            "current_phase": phase(5, "combat", under_way=False),
            "expired": ("over",),
            "lasting": (LastingEntry("on", "A", "end_of_turn", 1),),
        },
    ),
    (
        "end",
        ("phase",),
        {
            "current_phase": phase(5, "combat", under_way=False),
            "lasting": (LastingEntry("on", "B", "end_of_combat", 1),),
        },
        {},
    ),
    ("end", ("step",), {}, {}),
    (
        "pass_over",
        ("step",),
        {"candidate_step": Candidate("upkeep", extra=True), "cursor_step": 4},
        {"candidate_step": Candidate(), "cursor_step": 0},
    ),
    (
        "pass_over",
        ("phase",),
        {"candidate_phase": Candidate("combat"), "cursor_phase": 4, "cursor_step": 5},
        {"candidate_phase": Candidate(), "cursor_phase": 0},
    ),
    (
        "miss",
        ("step", "draw"),
        {"cursor_step": 4, "missed": ("untap",)},
        {"cursor_step": 0, "missed": ("untap", "draw")},
    ),
    (
        "consume_skip",
        ("step", "upkeep"),
        {"active": "A", "cursor_step": 4, "skips": (UPKEEP_SKIP, UPKEEP_SKIP)},
        {"skips": (UPKEEP_SKIP,), "cursor_step": 0},
    ),
    (
        "consume_skip",
        ("step", "upkeep"),
        {"active": "A", "skips": (PendingSkip("step", "upkeep", "B", "next"), UPKEEP_SKIP)},
        {"skips": (PendingSkip("step", "upkeep", "B", "next"),)},
    ),
    (
        "consume_skip",
        ("phase", "combat"),
        {"active": "A", "cursor_phase": 2, "skips": (PendingSkip("phase", "combat", "A", "each"),)},
        {"cursor_phase": 0},
    ),
    (
        "consume_skip",
        ("turn", "turn"),
        {"candidate_turn": "A", "cursor_phase": 2, "skips": (TURN_SKIP,)},
        {"skips": ()},
    ),
    (
        "push_return",
        ("phase", "combat_phase_after"),
        {"cursor_phase": 6, "returns_phase": (Return("x", 1),)},
        {"returns_phase": (Return("x", 1), Return("combat_phase_after", 6))},
    ),
    (
        "push_return",
        ("step", "draw_before"),
        {"cursor_step": 0},
        {"returns_step": (Return("draw_before", 0),)},
    ),
    (
        "push_return",
        ("step", "draw_before"),
        {"cursor_step": 3, "candidate_step": Candidate("draw", extra=True)},
        {"returns_step": (Return("draw_before", 3, Candidate("draw", extra=True)),)},
    ),
    (
        "pop_return",
        ("step",),
        {"cursor_step": 9, "returns_step": (Return("x", 1), Return("draw_after", 6))},
        {"cursor_step": 6, "returns_step": (Return("x", 1),)},
    ),
    (
        "pop_return",
        ("phase",),
        {"cursor_phase": 9, "returns_phase": (Return("draw_after", 6),)},
        {"cursor_phase": 6, "returns_phase": ()},
    ),
    (
        "take_extra",
        ("phase",),
        {
            "cursor_phase": 5,
            "extras": (
                PendingExtra("phase", "beginning", "upkeep", after=4),
                PendingExtra("phase", "beginning", "upkeep", after=5),
                EXTRA_COMBAT,
            ),
        },
        {
            "extras": (PendingExtra("phase", "beginning", "upkeep", after=4), EXTRA_COMBAT),
            "candidate_phase": Candidate("beginning", "upkeep", extra=True),
        },
    ),
    (
        "take_extra",
        ("step",),
        {"cursor_step": 7, "extras": (EXTRA_UPKEEP, EXTRA_UPKEEP)},
        {"extras": (EXTRA_UPKEEP,), "candidate_step": Candidate("upkeep", extra=True)},
    ),
    (
        "take_before",
        ("draw",),
        {"extras": (EXTRA_UPKEEP, BEFORE_DRAW)},
        {"extras": (EXTRA_UPKEEP,), "candidate_step": Candidate("upkeep", extra=True)},
    ),
    (
        "drop",
        ("phase",),
        {
            "returns_step": (Return("x", 1),),
            "candidate_step": Candidate("upkeep"),
            "cursor_step": 4,
            "returns_phase": (Return("y", 1),),
            "cursor_phase": 3,
            "extras": (EXTRA_COMBAT,),
            "turns": (PendingTurn("A"),),
        },
        {"returns_step": (), "candidate_step": Candidate(), "cursor_step": 0},
    ),
    (
        "drop",
        ("turn",),
        {
            "returns_step": (Return("x", 1),),
            "candidate_step": Candidate("upkeep"),
            "cursor_step": 4,
            "returns_phase": (Return("y", 1),),
            "candidate_phase": Candidate("main"),
            "cursor_phase": 3,
            "extras": (EXTRA_COMBAT,),
            "turns": (PendingTurn("A"),),
            "skips": (UPKEEP_SKIP,),
        },
        {
            "returns_step": (),
            "candidate_step": Candidate(),
            "cursor_step": 0,
            "returns_phase": (),
            "candidate_phase": Candidate(),
            "cursor_phase": 0,
            "extras": (),
        },
    ),
    (
        "drop",
        ("turn",),
        {
            "current_phase": phase(3, "ending"),
            "cursor_phase": 0,
            "returns_phase": (Return("y", 1),),
        },
        {"returns_phase": (), "cursor_phase": 3},
    ),
    # facts and durations
    (
        "latch",
        ("attackers_declared",),
        {"latched": frozenset({"window_opened"})},
        {"latched": frozenset({"window_opened", "attackers_declared"})},
    ),
    (
        "clear",
        ("combat",),
        {"latched": frozenset({"window_opened", "attackers_declared", "put_in_attacking"})},
        {"latched": frozenset({"window_opened"})},
    ),
    (
        "clear",
        ("window",),
        {"latched": frozenset({"window_opened", "something_happened", "attackers_declared"})},
        {"latched": frozenset({"attackers_declared"})},
    ),
    (
        "mark",
        ("end_of_turn",),
        {
            "active": "A",
            "turn": 3,
            "lasting": (
                LastingEntry("a", "A", "end_of_turn", 3),
                LastingEntry("b", "B", "end_of_turn", 1),
                LastingEntry("c", "A", "end_of_your_next_turn", 3),
                LastingEntry("d", "A", "end_of_your_next_turn", 1, 3),
            ),
        },
        {
            "lasting": (LastingEntry("c", "A", "end_of_your_next_turn", 3),),
            "expired": ("a", "b", "d"),
        },
    ),
    # priority
    (
        "priority_to_active",
        (),
        {"active": "B", "holder": "C", "passed": ("A", "C")},
        {"holder": "B", "passed": ()},
    ),
    ("priority_to_active", (), {"active": "B", "holder": "A", "left": ("B",)}, {"holder": "C"}),
    ("priority_to_next", (), {"holder": "A", "passed": ("A",)}, {"holder": "B"}),
    ("priority_to_next", (), {"holder": "A", "left": ("B",)}, {"holder": "C"}),
    ("priority_to_next", (), {"holder": "C", "left": ("C",)}, {"holder": "A"}),
    ("note_pass", (), {"holder": "B", "passed": ("A",)}, {"passed": ("A", "B")}),
    ("note_action", (), {"holder": "B", "passed": ("A",)}, {"passed": ()}),
]


@pytest.mark.parametrize(
    ("name", "args", "arranged", "answer"), ASKED, ids=[f"{a[0]}-{i}" for i, a in enumerate(ASKED)]
)
def test_a_test_answers_and_changes_nothing(
    name: str, args: tuple[str, ...], arranged: Arranged, answer: bool
) -> None:
    run = run_of(arranged)
    assert TESTS[name].run(run, *args) is answer
    assert seen(run) == seen(run_of(arranged))


@pytest.mark.parametrize(
    ("name", "args", "arranged", "changes"), DONE, ids=[f"{a[0]}-{i}" for i, a in enumerate(DONE)]
)
def test_an_action_changes_what_it_says_and_nothing_else(
    name: str, args: tuple[str, ...], arranged: Arranged, changes: dict[str, Any]
) -> None:
    run = run_of(arranged)
    ACTIONS[name].run(run, *args)
    assert seen(run) == {**seen(run_of(arranged)), **changes}


def test_every_test_has_a_row_for_both_answers() -> None:
    assert {(name, answer) for name, _, _, answer in ASKED} == {
        (name, a) for name in TESTS for a in (True, False)
    }


def test_every_action_has_a_row() -> None:
    assert {row[0] for row in DONE} == set(ACTIONS)


def test_every_primitive_is_documented_in_one_sentence() -> None:
    for name, doc in [(p.name, p.doc) for p in TESTS.values()] + [
        (p.name, p.doc) for p in ACTIONS.values()
    ]:
        assert doc.endswith((".", "?")), name
        assert "\n" not in doc, name


def test_the_models_use_only_primitives_that_exist_and_every_kind_of_them() -> None:
    other = fsm.load("magic?first_main_counts_skipped=true")
    arts = [fsm.load(name) for name in names()]
    models = [other, *arts, *(model.window for model in arts if model.window)]
    asked = {f.test[0] for m in models for f in m.facts if f.test}
    done = {a.name for m in models for t in m.transitions for a in t.actions}
    assert asked == set(TESTS)
    assert done == set(ACTIONS)


# the document -------------------------------------------------------------------------------------


def test_the_document_is_current() -> None:
    generate = runpy.run_path(str(DOCS / "generate.py"))
    assert (DOCS / "primitives.md").read_text(encoding="utf-8") == generate["primitives"](), (
        "python docs/generate.py"
    )


@pytest.mark.parametrize(
    ("name", "args", "arranged", "answer"), [row for row in ASKED if TESTS[row[0]].scheduled]
)
def test_what_asks_for_the_scheduled_is_false_in_an_idle_agenda(
    name: str, args: tuple[str, ...], arranged: Arranged, answer: bool
) -> None:
    """The generated code relies on it: it leaves such tests out while the agenda is idle."""
    assert not (answer and run_of(arranged).agenda.idle)
