"""The actions: what a transition may do to a run."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import chain
from typing import TypeVar

from msgspec.structs import replace

from fsm.errors import StuckError
from fsm.model import Model
from fsm.model.model import per_model
from fsm.state.calendar import Moment
from fsm.state.guardtests import extra_before, extra_due, skip_due, taking_part
from fsm.state.orders import ABSENT, ENDED, LEFT, SKIPPED, ended
from fsm.state.primitives import TESTS, do
from fsm.state.run import (
    NOBODY,
    Candidate,
    Control,
    Extra,
    ExtraTurn,
    Interrupted,
    Occurrence,
    Progress,
    Return,
    Run,
    Skip,
)

_T = TypeVar("_T")

# turns --------------------------------------------------------------------------------------------


@do
def next_player(run: Run) -> None:
    """The next side in turn order is the candidate for the next turn."""
    step = -1 if run.reversed and run.natural != NOBODY else 1
    run.natural = (run.natural + step) % len(run.sides)
    run.next_side = run.natural
    run.set("turn", candidate=Candidate())


@do
def same_player(run: Run) -> None:
    """The side that has the token is the candidate for the next turn, too."""
    run.next_side = run.first
    run.set("turn", candidate=Candidate())


@do
def take_turn(run: Run) -> None:
    """The newest extra turn is the candidate for the next turn."""
    turn = extra_due(run, "turn")
    if not isinstance(turn, ExtraTurn):
        raise StuckError("no extra turn is scheduled that could be taken")
    run.turns = _changed(run.turns, turn)
    run.next_side = turn.side
    run.set("turn", candidate=Candidate(order=turn.order, extra=True))


@do
def begin_turn(run: Run, model: Model) -> None:
    """The candidate's turn begins: it is counted, what waited for it is bound; "until your next
    turn" runs out.
    """
    coming = run.turn.candidate
    label = coming.label
    run.turns_begun += 1
    run.active = run.next_side
    run.decider = run.head(run.active)
    most = most_counted(model)
    run.taken = _one_more(run, run.taken, most)
    if not coming.extra:
        run.own = _one_more(run, run.own, most)
    run.turn = Progress(current=Occurrence("turn", "turn", "turn", extra=coming.extra, label=label))
    run.note(coming)
    if label:
        due = [replace(turn, after_label="") for turn in run.turns if turn.after_label == label]
        later = [turn for turn in run.turns if turn.after_label != label]
        run.turns = (*due, *later)
    run.skips = tuple(_bound(run, skip) for skip in run.skips)
    _begin_control(run)
    run.announce("begin", "turn")


def _bound(run: Run, skip: Skip) -> Skip:
    """Bind a skip to the turn that begins, if it is about the whole of it."""
    binds = skip.order.scope == "all_next_turn" and skip.side == run.active
    return replace(skip, bound=True) if binds and skip.order.within in ("", *run.labels) else skip


def _begin_control(run: Run) -> None:
    """The newest control of this turn begins, if the player is still there. The others are over."""
    active = run.sides[run.active]
    labels = ("", *run.labels)
    due = [c for c in run.controls if c.seat in active and c.order.within in labels]
    for control in due:
        why = ""
        if control is not due[-1]:
            why = "a newer effect controls that turn"
        elif control.by in run.left:
            why = LEFT
        else:
            run.decider = control.by
        if control.order.extra_turn_after:
            run.turns = (ExtraTurn(run.active), *run.turns)
            why = ""
        run.note(control, why)
    run.controls = tuple(control for control in run.controls if control not in due)


def _changed(entries: tuple[_T, ...], old: _T, *new: _T) -> tuple[_T, ...]:
    """Return entries with others in place of one of those that are equal to this one."""
    at = entries.index(old)
    return (*entries[:at], *new, *entries[at + 1 :])


@do
def end_turn(run: Run, model: Model) -> None:
    """The turn is over; what belonged to it and did not come is gone. Extra turns stay."""
    drop(run, "turn")
    run.turn = run.phase = run.step = Progress()
    run.begun = run.tallies = ()
    run.appointed = _still_appointed(run, model, "game")
    labels = {""}
    for _ in {turn.after_label for turn in run.turns}:  # a turn may come after one that comes so
        labels.update([turn.label for turn in run.turns if turn.after_label in labels])
    run.lose(partial(_why_lost, run, labels), "turns", "skips", "controls")
    coming = tuple(turn.label for turn in run.turns)
    run.moments += (Moment("over", (), run.active, coming),)


def _why_lost(run: Run, labels: set[str], entry: ExtraTurn | Skip | Control) -> str:
    """Return why an entry is lost as the turn ends, or "" if it is for a later turn.

    If it needs a label, a turn with this label must still come.
    """
    if isinstance(entry, ExtraTurn):
        return "" if entry.after_label in labels else ended(entry.waits)
    if not run.members(entry.side if isinstance(entry, Skip) else run.side_of(entry.seat)):
        return LEFT
    over = (isinstance(entry, Skip) and entry.bound) or entry.order.within not in labels
    return ended(entry.waits) if over else ""


@do
def miss_turn(run: Run) -> None:
    """The turn of a side that left does not begin; what lasted until then is over."""
    run.note(run.turn.candidate, LEFT)
    run.moments += (Moment("missed", (), run.next_side, ()),)


def _one_more(run: Run, counts: tuple[int, ...], most: int) -> tuple[int, ...]:
    counts = counts or (0,) * len(run.sides)
    return tuple(min(n + (side == run.next_side), most) for side, n in enumerate(counts))


@per_model
def most_counted(model: Model) -> int:
    """One more than the largest number of turns that a test of this model compares."""
    facts = chain.from_iterable(machine.facts for machine in model.machines.values())
    tests = [fact.test for fact in facts if fact.test and TESTS[fact.test[0]].counts]
    return 1 + max([0, *(int(number) for _, number in tests)])


# phases and steps ---------------------------------------------------------------------------------


@do
def begin(run: Run, level: str, name: str, family: str, model: Model) -> None:
    """A phase or step begins: "until" it runs out, then "at the beginning of" it triggers."""
    begin_quietly(run, level, name, family)
    if level == "step":
        *earlier, names = _beginnings(run, model)
        before = frozenset(chain.from_iterable(earlier))
        run.moments += (Moment("trigger", names, run.active, run.labels, before),)


@do
def begin_quietly(run: Run, level: str, name: str, family: str) -> None:
    """As `begin`, but nothing triggers: the turn comes in from elsewhere, past the beginning."""
    sequence: Progress = getattr(run, level)
    candidate = sequence.candidate
    now = Occurrence(
        level,
        name,
        family,
        id=len(run.begun) + 1,
        iteration=1 + sum(o.level == level and o.name == name for o in run.begun),
        # while steps are interrupted, each that begins was added
        extra=candidate.extra or (level == "step" and bool(sequence.returns)),
        only=candidate.only,
        label=candidate.label,
    )
    run.note(candidate)
    run.set(level, candidate=Candidate(), current=now, cursor=now.id)
    if level == "phase":
        run.set("step", current=None, cursor=0)
    run.begun = (*run.begun, now)
    run.announce("begin", name, family)


@do
def end(run: Run, level: str, model: Model) -> None:
    """The current phase or step ends, if it has not yet: "until end of" it runs out."""
    over = getattr(run, level).under_way
    if over is None:
        return
    run.set(level, current=replace(over, under_way=False))
    if level == "phase":
        run.appointed = _still_appointed(run, model, "turn", "game")
    run.announce("end", over.name, over.family)


def _still_appointed(run: Run, model: Model, *until: str) -> tuple[tuple[str, int], ...]:
    """Return the appointments that last as long as one of these."""
    lasting = [role.name for role in model.roles if role.until in until]
    return tuple(pair for pair in run.appointed if pair[0] in lasting)


@do
def pass_over(run: Run, level: str) -> None:
    """What was about to begin does not exist: nothing is anchored to it (CR 500.11, 614.10a)."""
    _not_begun(run, level, ABSENT)


def _not_begun(run: Run, level: str, why: str) -> None:
    run.note(getattr(run, level).candidate, why)
    run.set(level, candidate=Candidate(), cursor=0)


@do
def consume_skip(run: Run, any_level: str, family: str) -> None:
    """An effect skips it: a skip of the next occurrence is used up."""
    skip = skip_due(run, any_level, family)
    _not_begun(run, any_level, SKIPPED)
    if skip is None or not skip.waits:
        return
    run.note(skip)
    told = () if skip.order.scope == "next" else (replace(skip, waits=""),)
    run.skips = _changed(run.skips, skip, *told)


@do
def suspend(run: Run) -> None:
    """The current phase and step wait, still under way, while another phase runs inside them."""
    run.suspended = (*run.suspended, (run.phase, run.step))
    run.set("phase", returns=())
    run.set("step", returns=())


@do
def resume(run: Run) -> None:
    """The phase and step that waited go on."""
    run.suspended, (run.phase, run.step) = _popped(run.suspended, "phase")


@do
def suspend_window(run: Run, state: str) -> None:
    """This window waits, with who has priority and who has passed."""
    waits = Interrupted(state, run.holder, run.passed, run.out)
    run.interrupted = (*run.interrupted, waits)


@do
def resume_window(run: Run) -> None:
    """The window that waited goes on."""
    run.interrupted, waited = _popped(run.interrupted, "window")
    run.holder = run.first if waited.holder == NOBODY else waited.holder  # it had not opened yet
    run.passed = waited.passed
    run.out = waited.out


@do
def break_off(run: Run, name: str, model: Model) -> None:
    """What runs inside this phase, or inside a phase of the turn, ends."""
    while run.suspended and (run.phase.current is None or run.phase.current.name != name):
        end(run, "step", model)
        end(run, "phase", model)
        _lose(run, run.step)
        _lose(run, run.phase)
        resume(run)
        run.interrupted = run.interrupted[:-1]


@do
def tally(run: Run, tally: str) -> None:
    """Count this once more, until the turn ends."""
    run.tallies = (*run.tallies, tally)


@do
def push_return(run: Run, level: str, state: str) -> None:
    """The sequence of this level is interrupted, to go on at this state."""
    now: Progress = getattr(run, level)
    run.set(level, returns=(*now.returns, Return(state, now.cursor, now.candidate)))


@do
def pop_return(run: Run, level: str) -> None:
    """The interrupted sequence goes on where it was."""
    outer, there = _popped(getattr(run, level).returns, f"sequence of {level}s")
    run.set(level, cursor=there.cursor, candidate=there.candidate, returns=outer)


def _popped(waiting: tuple[_T, ...], what: str) -> tuple[tuple[_T, ...], _T]:
    if not waiting:
        raise StuckError(f"no {what} was interrupted that could go on")
    return waiting[:-1], waiting[-1]


# A table has the rows that take extras, with the facts "extra_phase_due" and "extra_step_due": see
# fsm/rulesets/rows.py.
@do
def take_extra(run: Run, level: str) -> None:
    """The newest extra due after the phase or step just left is the next to begin."""
    _take(run, extra_due(run, level))


@do
def take_before(run: Run, step: str) -> None:
    """The newest extra due before this step is the next to begin."""
    _take(run, extra_before(run, step))


def _take(run: Run, extra: object) -> None:
    if not isinstance(extra, Extra):
        raise StuckError("nothing extra is due that could begin")
    run.extras = _changed(run.extras, extra)
    candidate = Candidate(extra.what, extra.only, order=extra.order, extra=True)
    run.set(extra.level, candidate=candidate)


@do
def drop(run: Run, phase_or_turn: str) -> None:
    """Forget what hung inside the current phase, or everything of the current turn."""
    _drop(run, "step")
    if phase_or_turn == "phase":
        return
    phase = run.phase.under_way
    _drop(run, "phase")
    if phase is not None:
        run.set("phase", cursor=phase.id)
    run.lose(lambda extra: ended(extra.waits), "extras")
    for waiting in chain(*run.suspended):
        _lose(run, waiting)
    run.suspended = run.interrupted = ()


def _drop(run: Run, level: str) -> None:
    """Forget what is about to begin on this level, and what was interrupted."""
    _lose(run, getattr(run, level))
    run.set(level, returns=(), candidate=Candidate(), cursor=0)


def _lose(run: Run, sequence: Progress) -> None:
    for candidate in (sequence.candidate, *(there.candidate for there in sequence.returns)):
        run.note(candidate, ENDED)


# facts and durations ------------------------------------------------------------------------------


@do
def latch(run: Run, fact: str) -> None:
    """This fact holds from now on, until its scope is cleared."""
    run.latched |= {fact}


@do
def clear(run: Run, scope: str, model: Model) -> None:
    """Facts latched for this scope hold no longer."""
    for machine in model.machines.values():
        run.latched -= {fact.name for fact in machine.facts if fact.scope == scope}


@do
def mark(run: Run, moment: str) -> None:
    """A moment of the rules at which durations run out, such as "end of turn"."""
    run.announce("mark", moment)


def _beginnings(run: Run, model: Model) -> Iterator[tuple[str, ...]]:
    """Yield the names of what has begun with each step of this turn: its own, and those of a phase
    that began just before.
    """
    steps = step_words(model)
    phase = list[str]()
    for begun in run.begun:
        names = [begun.name, begun.family]
        if begun.level == "step":
            yield (*names, *phase)
            phase = []
        else:
            phase = [name for name in names if name not in steps]


@per_model
def step_words(model: Model) -> frozenset[str]:
    """The names and families of the model's steps."""
    names = [(step.name, step.family) for step in model.of_kind("step")]
    return frozenset(chain.from_iterable(names))


# priority -----------------------------------------------------------------------------------------


@do
def priority_to_next(run: Run) -> None:
    """The next side in turn order is to receive priority. Who has passed for good does not."""
    for _ in run.sides:
        run.holder = run.following(run.holder)
        if run.holder not in run.out:
            return


@do
def priority_to_first(run: Run, model: Model) -> None:
    """Who acts first in this window (or who follows, if gone) is to receive priority; nobody has
    passed.
    """
    sides = taking_part(run, model)
    run.holder = sides[0] if sides else run.first
    run.passed = ()


@do
def priority_onward(run: Run, model: Model) -> None:
    """The next of those who take part in this window, and have not passed, receives priority."""
    left = [side for side in taking_part(run, model) if side not in run.passed]
    if left:
        run.holder = left[0]


@do
def all_in(run: Run) -> None:
    """Nobody has passed for good."""
    run.out = ()


@do
def note_out(run: Run) -> None:
    """The holder of priority has passed for the rest of the window."""
    run.out = (*run.out, run.holder)


@do
def note_pass(run: Run) -> None:
    """The holder of priority has passed."""
    run.passed = (*run.passed, run.holder)


@do
def note_action(run: Run) -> None:
    """The holder of priority has acted: earlier passes count no longer."""
    run.passed = ()
