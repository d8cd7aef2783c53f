"""The closed set of primitives: all that a guard may test and a transition's action may do.

A Model's facts (owner agenda or controller) name a test, its transitions name actions; both are
looked up here and nowhere else. Every test reads the `Run`, every action changes it. This is the
list an interpreter in another language has to implement; `docs/primitives.md` prints it as a table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fsm.errors import AnswerError
from fsm.model import Fact
from fsm.run import Run


@dataclass(frozen=True, slots=True)
class Test:
    """A named test: its arguments, what it answers, and the function that answers it."""

    name: str
    args: str
    doc: str
    run: Callable[..., bool]
    __test__ = False


@dataclass(frozen=True, slots=True)
class Do:
    """A named action: its arguments, what it does, and the function that does it."""

    name: str
    args: str
    doc: str
    run: Callable[..., None]


TESTS: dict[str, Test] = {}
ACTIONS: dict[str, Do] = {}


def _test(args: str = "") -> Callable[[Callable[..., bool]], Callable[..., bool]]:
    def register(function: Callable[..., bool]) -> Callable[..., bool]:
        name = function.__name__
        TESTS[name] = Test(name, args, function.__doc__ or "", function)
        return function

    return register


def _do(args: str = "") -> Callable[[Callable[..., None]], Callable[..., None]]:
    def register(function: Callable[..., None]) -> Callable[..., None]:
        name = function.__name__
        ACTIONS[name] = Do(name, args, function.__doc__ or "", function)
        return function

    return register


def holds(run: Run, fact: Fact) -> bool:
    """The value of a fact now. Raises AnswerError when the game has not told it."""
    if fact.timing == "latched":
        return fact.name in run.latched
    if fact.owner != "game":
        return TESTS[fact.test[0]].run(run, *fact.test[1:])
    if fact.name not in run.told:
        raise AnswerError(
            f"the answer does not tell the fact {fact.name!r} ({fact.doc}); "
            f"the model reads it now: add it to the answer's facts"
        )
    return run.told[fact.name]


# tests of the agenda -------------------------------------------------------------------------------


@_test("any level, family")
def skip_due(run: Run, level: str, family: str) -> bool:
    """Is the coming turn, phase or step of this family to be skipped?"""
    return run.agenda.skip_due(level, family) is not None


@_test("any level")
def extra_due(run: Run, level: str) -> bool:
    """Is an extra turn, phase or step due directly after the one just left?"""
    return bool(run.agenda.turns) if level == "turn" else run.agenda.extra_due(level) is not None


@_test("step")
def extra_before(run: Run, step: str) -> bool:
    """Is an extra step due directly before this step?"""
    return run.agenda.extra_before(step) is not None


@_test("level, family")
def candidate_is(run: Run, level: str, family: str) -> bool:
    """Is the extra phase or step about to begin of this family?"""
    return bool(getattr(run.agenda, f"candidate_{level}").what == family)


@_test("level")
def inside_extra(run: Run, level: str) -> bool:
    """Was the ordinary sequence of this level interrupted, so that it must be resumed?"""
    return bool(getattr(run.agenda, f"returns_{level}"))


@_test()
def inside_any_extra(run: Run) -> bool:
    """Is the coming step extra, or the phase that it is in?"""
    return bool(run.agenda.returns_phase or run.agenda.returns_step)


@_test("level, state")
def returns_to(run: Run, level: str, state: str) -> bool:
    """Does the interrupted sequence of this level go on at this state?"""
    stack = getattr(run.agenda, f"returns_{level}")
    return bool(stack and stack[-1].state == state)


@_test("step")
def only_another(run: Run, step: str) -> bool:
    """Does the current phase hold only one step, and not this one (nor is this one the extra step)?"""
    phase = run.agenda.current_phase
    return phase is not None and phase.only not in ("", step) and run.agenda.candidate_step.what != step


@_test("family")
def phase_under_way(run: Run, family: str) -> bool:
    """Is the game in a phase of this family, begun and not yet ended?"""
    phase = run.agenda.current_phase
    return phase is not None and phase.under_way and phase.family == family


@_test("level, family")
def begun(run: Run, level: str, family: str) -> bool:
    """Has a phase or step of this name or family begun this turn?"""
    return run.agenda.count(level, family) > 0


@_test("name")
def missed(run: Run, name: str) -> bool:
    """Has a step of this name been left out this turn, by the action `miss`?"""
    return name in run.agenda.missed


@_test()
def candidate_left(run: Run) -> bool:
    """Has everybody whose turn comes next left the game?"""
    return run.agenda.candidate_turn not in run.agenda.living


@_test()
def active_left(run: Run) -> bool:
    """Has everybody whose turn it is left the game?"""
    return bool(run.agenda.active) and run.agenda.active not in run.agenda.living


@_test("tally, number")
def tallied(run: Run, name: str, number: str) -> bool:
    """Has the action `tally` counted this at least this often in this turn?"""
    return run.agenda.tallies.get(name, 0) >= int(number)


# tests of the controller -----------------------------------------------------------------------------


@_test("number")
def starters_turn_is(run: Run, number: str) -> bool:
    """Is this the turn with this number of those that the side which plays first has taken?"""
    agenda = run.agenda
    return starter_active(run) and agenda.turns_taken.get(agenda.active) == int(number)


@_test("number")
def own_turn_is(run: Run, number: str) -> bool:
    """Is this the turn with this number of those that its side has taken in turn order (extra ones not counted)?"""
    agenda, turn = run.agenda, run.agenda.current_turn
    return turn is not None and not turn.extra and agenda.own_turns.get(agenda.active) == int(number)


@_test("number")
def turn_taken_is(run: Run, number: str) -> bool:
    """Is this the turn with this number of all that its side has taken, extra ones too?"""
    return run.agenda.turns_taken.get(run.agenda.active) == int(number)


@_test()
def starter_active(run: Run) -> bool:
    """Is it the turn of the side that plays first?"""
    return run.agenda.active == run.agenda.sides[0][0]


@_test("among")
def active_sits_last(run: Run, among: str) -> bool:
    """Is the active side the last in turn order, among those living, or all who were seated?"""
    sides = [side[0] for side in run.agenda.sides if among == "seated" or side[0] in run.agenda.living]
    return sides[-1:] == [run.agenda.active]


@_test()
def shared_turns(run: Run) -> bool:
    """Do several players share a turn, as a team?"""
    return any(len(side) > 1 for side in run.agenda.sides)


@_test("setting")
def setting(run: Run, name: str) -> bool:
    """Was this setting of the game switched on when it started?"""
    return run.settings.get(name, False)


@_test("number")
def more_sides_than(run: Run, number: str) -> bool:
    """Are more than this many sides (players, or teams) still in the game?"""
    return len(run.agenda.living) > int(number)


@_test("kind")
def window_opens(run: Run, kind: str) -> bool:
    """Is the window of the current stage of this kind (natural, conditional)?"""
    return run.model.state(run.state).opens == kind


@_test()
def everyone_passed(run: Run) -> bool:
    """Have all sides still in the game passed in succession?"""
    return all(side in run.passed for side in run.agenda.living)


@_test()
def holder_left(run: Run) -> bool:
    """Has the side that has priority left the game?"""
    return run.holder not in run.agenda.living


# actions on turns ----------------------------------------------------------------------------------------


@_do()
def next_player(run: Run) -> None:
    """The next side in turn order is the candidate for the next turn."""
    run.agenda.next_player()


@_do()
def take_turn(run: Run) -> None:
    """The newest extra turn is the candidate for the next turn."""
    run.agenda.take_turn()


@_do()
def begin_turn(run: Run) -> None:
    """The candidate's turn begins: it is counted; "until your next turn" runs out."""
    run.agenda.begin_turn()
    if not run.calendar.empty:
        run.calendar.bind_turn(run.agenda.active, run.agenda.turn, run.model.durations)
        run.expire("begin", "turn")


@_do()
def end_turn(run: Run) -> None:
    """The turn is over; what belonged to it and did not come is gone. Extra turns stay."""
    run.agenda.end_turn()
    run.expired += run.calendar.close_turn(run.agenda.turn)


@_do()
def miss_turn(run: Run) -> None:
    """The turn of a side that left does not begin; what lasted until then is over."""
    run.expired += run.calendar.miss_turn(run.agenda.candidate_turn, run.model.durations)


# actions on phases and steps ------------------------------------------------------------------------------


@_do("level, name, family")
def begin(run: Run, level: str, name: str, family: str) -> None:
    """A phase or step begins: "until" it runs out, then "at the beginning of" it triggers."""
    _begin(run, level, name, family, made_before=False)


@_do("level, name, family")
def begin_late(run: Run, level: str, name: str, family: str) -> None:
    """As `begin`, but a delayed trigger made in such a step this turn waits for another turn."""
    _begin(run, level, name, family, made_before=True)


def _begin(run: Run, level: str, name: str, family: str, *, made_before: bool) -> None:
    run.agenda.begin(level, name, family)
    if not run.calendar.empty:
        run.expire("begin", name, family)
        if level == "step":
            moment, first = run.moment("begin", name, family), run.agenda.count(level, name) == 1
            run.triggered += run.calendar.trigger(moment, first=first, made_before=made_before)


@_do("level, name, family")
def begin_quietly(run: Run, level: str, name: str, family: str) -> None:
    """As `begin`, but nothing triggers: the turn comes in from elsewhere, past the beginning."""
    run.agenda.begin(level, name, family)
    run.expire("begin", name, family)


@_do("level")
def end(run: Run, level: str) -> None:
    """The current phase or step ends, if it has not yet: "until end of" it runs out."""
    ended = run.agenda.end(level)
    if ended is not None:
        run.expire("end", ended.name, ended.family)


@_do("level")
def pass_over(run: Run, level: str) -> None:
    """What was about to begin does not exist: nothing is anchored to it."""
    run.agenda.pass_over(level)


@_do("level, name")
def miss(run: Run, level: str, name: str) -> None:
    """A rule leaves this phase or step out; it is noted for the rest of the turn."""
    run.agenda.pass_over(level)
    run.agenda.missed = (*run.agenda.missed, name)


@_do("any level, family")
def consume_skip(run: Run, level: str, family: str) -> None:
    """An effect skips it: a skip of the next occurrence is used up."""
    run.agenda.consume_skip(level, family)
    if level != "turn":
        run.agenda.pass_over(level)


@_do()
def suspend(run: Run) -> None:
    """The current phase and step wait, still under way, while another phase runs inside them."""
    run.agenda.suspend()


@_do()
def resume(run: Run) -> None:
    """The phase and step that waited go on."""
    run.agenda.resume()


@_do("tally")
def tally(run: Run, name: str) -> None:
    """Count this once more, until the turn ends."""
    run.agenda.tallies = {**run.agenda.tallies, name: run.agenda.tallies.get(name, 0) + 1}


@_do("level, state")
def push_return(run: Run, level: str, state: str) -> None:
    """The sequence of this level is interrupted, to go on at this state."""
    run.agenda.push_return(level, state)


@_do("level")
def pop_return(run: Run, level: str) -> None:
    """The interrupted sequence goes on where it was."""
    run.agenda.pop_return(level)


@_do("level")
def take_extra(run: Run, level: str) -> None:
    """The newest extra due after the phase or step just left is the next to begin."""
    extra = run.agenda.extra_due(level)
    assert extra is not None, "the guard of the row has asked"
    run.agenda.take(extra)


@_do("step")
def take_before(run: Run, step: str) -> None:
    """The newest extra due before this step is the next to begin."""
    extra = run.agenda.extra_before(step)
    assert extra is not None, "the guard of the row has asked"
    run.agenda.take(extra)


@_do("phase or turn")
def drop(run: Run, level: str) -> None:
    """Forget what hung inside the current phase, or everything of the current turn."""
    run.agenda.drop_phase() if level == "phase" else run.agenda.drop_turn()


# actions on facts and durations -----------------------------------------------------------------------------


@_do("fact")
def latch(run: Run, fact: str) -> None:
    """This fact holds from now on, until its scope is cleared."""
    run.latched |= {fact}


@_do("scope")
def clear(run: Run, scope: str) -> None:
    """Facts latched for this scope hold no longer."""
    gone = {f.name for m in (run.model, run.model.window) if m for f in m.facts if f.scope == scope}
    run.latched -= gone


@_do("moment")
def mark(run: Run, name: str) -> None:
    """A moment of the rules at which durations run out, such as "end of turn"."""
    run.expire("mark", name)


# actions on priority ------------------------------------------------------------------------------------------


@_do()
def priority_to_active(run: Run) -> None:
    """The active player (or who follows, if gone) is to receive priority; nobody has passed."""
    run.holder, run.passed = (run.agenda.from_active() or ("",))[0], ()


@_do()
def priority_to_next(run: Run) -> None:
    """The next side in turn order is to receive priority."""
    run.holder = run.agenda.following(run.holder)


@_do()
def note_pass(run: Run) -> None:
    """The holder of priority has passed."""
    run.passed = (*run.passed, run.holder)


@_do()
def note_action(run: Run) -> None:
    """The holder of priority has acted: earlier passes count no longer."""
    run.passed = ()
