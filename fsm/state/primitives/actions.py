"""The actions: what a transition may do to a run."""

from __future__ import annotations

from itertools import chain, pairwise

from fsm.model import Model
from fsm.model.model import per_model
from fsm.state.entries import Occurrence
from fsm.state.primitives.registry import do
from fsm.state.run import NOTHING_LATCHED, Run

# what they change, in several actions -------------------------------------------------------------

_OF_THE_STEP = "returns_step candidate_step cursor_step"
_OF_THE_TURN = f"{_OF_THE_STEP} cursor_phase returns_phase candidate_phase suspended extras"
_ENDED = (
    "current_turn current_phase current_step begun missed tallies skips controls turns appointed"
)
_BEGUN_TURN = "turn active decider turns_taken own_turns current_turn occurrences skips controls turns calendar"


def _begun(level: str, *_: str) -> str:
    inside = "current_step cursor_step" if level == "phase" else ""
    return f"candidate_{level} current_{level} cursor_{level} {inside} begun extras occurrences calendar"


def _ended(level: str) -> str:
    return f"current_{level} calendar{' appointed' if level == 'phase' else ''}"


def _skipped(level: str, family: str) -> str:
    return "skips" if level == "turn" else f"skips candidate_{level} cursor_{level}"


def _dropped(level: str) -> str:
    return _OF_THE_STEP if level == "phase" else _OF_THE_TURN


# actions on turns ---------------------------------------------------------------------------------


@do(writes="natural candidate_turn candidate_turn_extra candidate_turn_label")
def next_player(run: Run) -> None:
    """The next side in turn order is the candidate for the next turn."""
    run.agenda.next_player()


@do(writes="candidate_turn candidate_turn_extra candidate_turn_label turns")
def take_turn(run: Run) -> None:
    """The newest extra turn is the candidate for the next turn."""
    run.agenda.take_turn()


@do(writes=_BEGUN_TURN)
def begin_turn(run: Run) -> None:
    """The candidate's turn begins: it is counted; "until your next turn" runs out."""
    run.agenda.begin_turn()
    if not run.calendar.empty:
        run.calendar = run.calendar.bind_turn(run.moment("begin", "turn"), run.model.durations)
        run.expire("begin", "turn")


@do(writes=f"{_OF_THE_TURN} {_ENDED} calendar")
def end_turn(run: Run) -> None:
    """The turn is over; what belonged to it and did not come is gone. Extra turns stay."""
    run.agenda.end_turn()
    if not run.calendar.empty:
        run.calendar, expired = run.calendar.close_turn(run.agenda.turn, run.agenda.coming)
        run.expired += expired


@do(writes="calendar")
def miss_turn(run: Run) -> None:
    """The turn of a side that left does not begin; what lasted until then is over."""
    run.calendar, expired = run.calendar.miss_turn(run.agenda.candidate_turn, run.model.durations)
    run.expired += expired


# actions on phases and steps ----------------------------------------------------------------------


@do("level, name, family", writes=_begun)
def begin(run: Run, level: str, name: str, family: str) -> None:
    """A phase or step begins: "until" it runs out, then "at the beginning of" it triggers."""
    run.agenda.begin(level, name, family)
    if not run.calendar.empty:
        run.expire("begin", name, family)
        if level == "step":
            begun = run.agenda.begun
            names = _beginning(run.model, begun[-2] if len(begun) > 1 else None, begun[-1])
            earlier = _earlier(run.model, begun) if run.calendar.limited else frozenset[str]()
            run.calendar, triggered = run.calendar.trigger(
                run.moment("begin", *names), earlier=earlier
            )
            run.triggered += triggered


def _beginning(model: Model, before: Occurrence | None, step: Occurrence) -> tuple[str, ...]:
    """The names of what begins with a step: its own, and those of its phase if that is what began
    before it.
    """
    if before is None or before.level != "phase":
        return step.name, step.family
    return (step.name, step.family, *_own_names(model, before.name, before.family))


def _earlier(model: Model, begun: tuple[Occurrence, ...]) -> frozenset[str]:
    """The names of what began with the steps before the current one."""
    pairs = pairwise((None, *begun[:-1]))
    steps = (
        _beginning(model, before, step)
        for before, step in pairs
        if step is not None and step.level == "step"
    )
    return frozenset(chain.from_iterable(steps))


@per_model
def _own_names(model: Model, name: str, family: str) -> tuple[str, ...]:
    """Those of a phase's names that no step has."""
    steps = {word for step in model.of_kind("step") for word in (step.name, step.family)}
    return tuple(word for word in (name, family) if word not in steps)


@do("level, name, family", writes=_begun)
def begin_quietly(run: Run, level: str, name: str, family: str) -> None:
    """As `begin`, but nothing triggers: the turn comes in from elsewhere, past the beginning."""
    run.agenda.begin(level, name, family)
    run.expire("begin", name, family)


@do("level", writes=_ended)
def end(run: Run, level: str) -> None:
    """The current phase or step ends, if it has not yet: "until end of" it runs out."""
    ended = run.agenda.end(level)
    if ended is not None and not run.calendar.empty:
        run.expire("end", ended.name, ended.family)


@do("level", writes="candidate_LEVEL cursor_LEVEL")
def pass_over(run: Run, level: str) -> None:
    """What was about to begin does not exist: nothing is anchored to it."""
    run.agenda.pass_over(level)


@do("level, name", writes="candidate_LEVEL cursor_LEVEL missed")
def miss(run: Run, level: str, name: str) -> None:
    """A rule leaves this phase or step out; it is noted for the rest of the turn."""
    run.agenda.pass_over(level)
    run.agenda.missed = (*run.agenda.missed, name)


@do("any level, family", writes=_skipped)
def consume_skip(run: Run, level: str, family: str) -> None:
    """An effect skips it: a skip of the next occurrence is used up."""
    run.agenda.consume_skip(level, family)
    if level != "turn":
        run.agenda.pass_over(level)


@do(writes="suspended")
def suspend(run: Run) -> None:
    """The current phase and step wait, still under way, while another phase runs inside them."""
    run.agenda.suspend()


@do(writes="suspended current_phase current_step cursor_phase cursor_step")
def resume(run: Run) -> None:
    """The phase and step that waited go on."""
    run.agenda.resume()


@do("tally", writes="tallies")
def tally(run: Run, name: str) -> None:
    """Count this once more, until the turn ends."""
    run.agenda.tallies = {**run.agenda.tallies, name: run.agenda.tallies.get(name, 0) + 1}


@do("level, state", writes="returns_LEVEL")
def push_return(run: Run, level: str, state: str) -> None:
    """The sequence of this level is interrupted, to go on at this state."""
    run.agenda.push_return(level, state)


@do("level", writes="cursor_LEVEL candidate_LEVEL returns_LEVEL")
def pop_return(run: Run, level: str) -> None:
    """The interrupted sequence goes on where it was."""
    run.agenda.pop_return(level)


@do("level", writes="extras candidate_LEVEL")
def take_extra(run: Run, level: str) -> None:
    """The newest extra due after the phase or step just left is the next to begin."""
    extra = run.agenda.extra_due(level)
    assert extra is not None, "the guard of the row has asked"
    run.agenda.take(extra)


@do("step", writes="extras candidate_phase candidate_step")
def take_before(run: Run, step: str) -> None:
    """The newest extra due before this step is the next to begin."""
    extra = run.agenda.extra_before(step)
    assert extra is not None, "the guard of the row has asked"
    run.agenda.take(extra)


@do("phase or turn", writes=_dropped)
def drop(run: Run, level: str) -> None:
    """Forget what hung inside the current phase, or everything of the current turn."""
    run.agenda.drop_phase() if level == "phase" else run.agenda.drop_turn()


# actions on facts and durations -------------------------------------------------------------------


@do("fact", writes="latched")
def latch(run: Run, fact: str) -> None:
    """This fact holds from now on, until its scope is cleared."""
    if fact not in run.latched:
        run.latched |= {fact}


@do("scope", writes="latched")
def clear(run: Run, scope: str) -> None:
    """Facts latched for this scope hold no longer."""
    if run.latched:
        run.latched = (
            run.latched - _latched_for(run.model, scope) or NOTHING_LATCHED
        )  # one that was emptied is large


@per_model
def _latched_for(model: Model, scope: str) -> frozenset[str]:
    return frozenset(f.name for m in model.machines.values() for f in m.facts if f.scope == scope)


@do("moment", writes="calendar")
def mark(run: Run, name: str) -> None:
    """A moment of the rules at which durations run out, such as "end of turn"."""
    run.expire("mark", name)


# actions on priority ------------------------------------------------------------------------------


@do(writes="holder passed")
def priority_to_active(run: Run) -> None:
    """The active player (or who follows, if gone) is to receive priority; nobody has passed."""
    run.holder, run.passed = run.agenda.first, ()


@do(writes="holder")
def priority_to_next(run: Run) -> None:
    """The next side in turn order is to receive priority."""
    run.holder = run.agenda.following(run.holder)


@do(writes="passed")
def note_pass(run: Run) -> None:
    """The holder of priority has passed."""
    run.passed = (*run.passed, run.holder)


@do(writes="passed")
def note_action(run: Run) -> None:
    """The holder of priority has acted: earlier passes count no longer."""
    run.passed = ()
