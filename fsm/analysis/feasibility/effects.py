"""What the primitives read and change. From this follows when a test gives the same result twice.

Names are fields of `fsm.state.run.Run` and of its agenda; "candidate", "current", "cursor" and "returns" have their
level. A test that is not listed here may give any result at any time. An action that is not listed may change
everything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

from fsm.model import Action
from fsm.state.agenda import Agenda
from fsm.state.run import Run

Fields = frozenset[str]
EVERYTHING: Fields = frozenset((*Agenda.__slots__, *Run.__slots__))
BY_ANSWERS: Fields = frozenset(("turns", "skips", "controls", "extras", "left", "calendar", "told"))
"""What the orders and the signal of an answer can change before anything fires."""


def _level(names: str) -> Callable[..., Fields]:
    """Return a function that puts the level, its first argument, into these names."""
    return lambda level="", *_: frozenset(name.replace("LEVEL", level) for name in names.split())


def _skips(level: str, *_: str) -> Fields:
    return frozenset(("skips", "turn", "players", "teams", "candidate_turn" if level == "turn" else "active"))


def _extras(level: str, *_: str) -> Fields:
    return frozenset(("turns",) if level == "turn" else ("extras", f"cursor_{level}"))


READS: dict[str, Callable[..., Fields]] = {
    "skip_due": _skips,
    "extra_due": _extras,
    "extra_before": _level("extras"),
    "candidate_is": _level("candidate_LEVEL"),
    "inside_extra": _level("returns_LEVEL"),
    "inside_any_extra": _level("returns_phase returns_step"),
    "returns_to": _level("returns_LEVEL"),
    "only_another": _level("current_phase candidate_step"),
    "phase_under_way": _level("current_phase"),
    "begun": _level("begun"),
    "missed": _level("missed"),
    "candidate_left": _level("candidate_turn players teams left"),
    "active_left": _level("active players teams left"),
    "tallied": _level("tallies"),
    "starters_turn_is": _level("active players teams turns_taken"),
    "own_turn_is": _level("current_turn own_turns active players teams"),
    "turn_taken_is": _level("turns_taken active players teams"),
    "starter_active": _level("active players teams"),
    "active_sits_last": _level("active players teams left"),
    "shared_turns": _level("players teams"),
    "setting": _level("settings"),
    "more_sides_than": _level("players teams left"),
    "window_opens": _level("state"),
    "everyone_passed": _level("passed players teams left"),
    "holder_left": _level("holder players teams left"),
}

_STEP = "returns_step candidate_step cursor_step"
_TURN = f"{_STEP} cursor_phase returns_phase candidate_phase suspended extras"
_ENDS_TURN = f"{_TURN} current_turn current_phase current_step begun missed tallies skips"
_BEGINS_TURN = "turn active decider turns_taken own_turns current_turn occurrences skips controls turns calendar"
_RESUMES = "suspended current_phase current_step cursor_phase cursor_step"


def _begins(level: str, *_: str) -> Fields:
    inside = ("current_step", "cursor_step") if level == "phase" else ()
    own = (f"candidate_{level}", f"current_{level}", f"cursor_{level}")
    return frozenset((*own, *inside, "begun", "extras", "occurrences", "calendar"))


def _consumes(level: str, *_: str) -> Fields:
    return frozenset(("skips",) if level == "turn" else ("skips", f"candidate_{level}", f"cursor_{level}"))


def _drops(level: str, *_: str) -> Fields:
    return frozenset((_STEP if level == "phase" else _TURN).split())


WRITES: dict[str, Callable[..., Fields]] = {
    "next_player": _level("natural candidate_turn candidate_turn_extra"),
    "take_turn": _level("candidate_turn candidate_turn_extra turns"),
    "begin_turn": _level(_BEGINS_TURN),
    "end_turn": _level(f"{_ENDS_TURN} calendar"),
    "miss_turn": _level("calendar"),
    "begin": _begins,
    "begin_late": _begins,
    "begin_quietly": _begins,
    "end": _level("current_LEVEL calendar"),
    "pass_over": _level("candidate_LEVEL cursor_LEVEL"),
    "miss": _level("candidate_LEVEL cursor_LEVEL missed"),
    "consume_skip": _consumes,
    "suspend": _level("suspended"),
    "resume": _level(_RESUMES),
    "tally": _level("tallies"),
    "push_return": _level("returns_LEVEL"),
    "pop_return": _level("cursor_LEVEL candidate_LEVEL returns_LEVEL"),
    "take_extra": _level("extras candidate_LEVEL"),
    "take_before": _level("extras candidate_phase candidate_step"),
    "drop": _drops,
    "latch": _level("latched"),
    "clear": _level("latched"),
    "mark": _level("calendar"),
    "priority_to_active": _level("holder passed"),
    "priority_to_next": _level("holder"),
    "note_pass": _level("passed"),
    "note_action": _level("passed"),
}


@cache
def reads(test: tuple[str, ...]) -> Fields:
    """Return the fields that a test with these arguments may read."""
    return READS[test[0]](*test[1:]) if test and test[0] in READS else EVERYTHING


def writes(actions: Iterable[Action]) -> Fields:
    """Return the fields that these actions may change."""
    return frozenset().union(*map(_written, actions))


@cache
def _written(action: Action) -> Fields:
    return WRITES[action.name](*action.args) if action.name in WRITES else EVERYTHING
