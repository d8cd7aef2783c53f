"""A game that starts in the middle: its run is what a quiet game of the same Model has become when
a step begins.

Turns that come before are passed over from the transition that begins a turn to the one that ends
it. The turn itself is played quietly as far as the step. So only the Model says which steps come
before, and what is remembered of them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace

from fsm.engine.answers import game_facts, latched_facts, latches, quiet_facts, take_facts
from fsm.engine.requesting import SILENT_LIMIT
from fsm.engine.requests import Signal
from fsm.engine.semantics import TURN, WINDOW, Fired, NothingFires, semantics_of, waiting
from fsm.errors import FsmError, StuckError, shown
from fsm.model import Fact, Model, Transition
from fsm.model.model import per_model
from fsm.state.run import Run
from fsm.state.setup import GameHeader, StartAt, give_orders, run_of

MOST_TURNS = 10_000
"""A game starts at most in this turn."""


@dataclass(frozen=True, slots=True)
class _Way:
    """A way to the beginning of a step: the run just before it, and the signals that led there."""

    run: Run
    signals: tuple[str, ...] = ()


def first_run(model: Model, head: GameHeader) -> Run:
    """Return the run of a game that is about to start, at its beginning or in the middle.

    Raises
    ------
    FsmError
        If the game cannot start there.
    OrderError
        If an order does not fit.
    """
    if head.start is None:
        return run_of(model, head)
    run = _way_to(model, head, head.start).run
    give_orders(run, head.orders)
    return run


def assumptions(model: Model, head: GameHeader) -> tuple[str, ...]:
    """Return what is assumed of the time before a game starts in the middle, one sentence each."""
    return tuple(_assumptions(model, head, head.start)) if head.start is not None else ()


def checked_start(model: Model, start: object, players: tuple[str, ...]) -> StartAt:
    """Return a copy that its giver cannot change any more. Raises FsmError if it names what is not
    there.
    """
    if not isinstance(start, StartAt):
        raise FsmError(f"start must be a StartAt, not {shown(start)}")
    turn, player, step, facts = start.turn, start.player, start.step, start.facts
    if type(turn) is not int or not 1 <= turn <= MOST_TURNS:
        raise FsmError(f"a game starts in turn 1 to {MOST_TURNS}, not in turn {shown(turn)}")
    if player not in ("", *players):
        text = f"player {shown(player)}, in whose turn the game starts, does not play"
        raise FsmError(
            text, kind="unknown-player", place="start.player", found=player, known=players
        )
    steps = {state.name: None for state in model.of_kind("step")}
    if step not in ("", *steps):
        raise FsmError(
            f"step {shown(step)} is not in {model.name}",
            kind="unknown-step",
            place="start.step",
            found=step,
            known=steps,
            limit=20,
        )
    if not isinstance(facts, Mapping):
        raise FsmError(
            f"the facts of a start must be a mapping of names to true or false, not {shown(facts)}"
        )
    for name, value in facts.items():
        if name not in game_facts(model):
            text = f"fact {shown(name)} is not one the game tells in {model.name}"
            raise FsmError(
                text, kind="unknown-fact", place="start.facts", found=name, known=game_facts(model)
            )
        if not isinstance(value, bool):
            raise FsmError(f"fact {name!r} must be true or false, not {shown(value)}")
    return replace(start, facts=dict(facts))


def begin_next_turn(run: Run) -> bool:
    """Let the current turn end where it stands, and let the next one begin. Return False if none
    begins.

    No phase or step is played. A fact that only the game knows is taken as it is in a quiet game.
    """
    agenda = run.agenda
    if agenda.current_turn is not None:
        run.frame, run.state = "", _turn_ends(run.model)
    turn, quiet = agenda.turn, _QuietGame(run.model, {})
    with suppress(NothingFires):
        for _ in range(SILENT_LIMIT):
            if agenda.turn > turn:
                return True
            if quiet.microstep(run) is None and not run.frame:
                return False
    return False


@per_model
def _turn_ends(model: Model) -> str:
    """Return the state in which a turn ends."""
    for row in model.transitions:
        if any(action.name == "end_turn" for action in row.actions):
            return row.source
    raise FsmError(
        f"{model.name} has no transition that ends a turn, so that no turn follows another"
    )


class _QuietGame:
    """Plays on while everybody passes and nothing happens, but for facts that are told otherwise."""

    def __init__(self, model: Model, told: Mapping[str, bool]) -> None:
        self.told = {**{name: name in quiet_facts(model) for name in game_facts(model)}, **told}
        self.latches = latches(told, latched_facts(model))
        self._semantics = semantics_of(model)

    def microstep(self, run: Run) -> Fired | None:
        """Fire one transition. Return None if there is none to fire, or a window has opened."""
        pending = self._semantics.pending(run)
        if pending is None:
            words = waiting(run).words
            if not words:
                return None
            take_facts(run, self.told, self.latches)
            pending = WINDOW if run.frame else TURN, words[-1]
        return self._semantics.microstep(run, *pending, self._read, _ignore)

    def signal(self, run: Run, event: str) -> None:
        """Fire the transitions of a signal, where the run waits."""
        take_facts(run, self.told, self.latches)
        self._semantics.signal(run, Signal(event), self._read, _ignore)

    def waits(self, run: Run) -> bool:
        """Is something asked?"""
        return self._semantics.pending(run) is None

    def _read(self, run: Run, fact: Fact) -> bool:
        return fact.name in run.latched if fact.timing == "latched" else self.told[fact.name]


def _ignore(fired: Fired) -> None:
    """Make no record: what comes before the game has not been played."""


def _way_to(model: Model, head: GameHeader, start: StartAt) -> _Way:
    """Return the shortest way by signals to the beginning of the step. Raises FsmError if there is
    none.
    """
    game, asked = _QuietGame(model, start.facts), dict[str, None]()
    left_out: list[Transition] = []
    first = _Way(_begun_turn(model, head, start))
    todo, tried = deque([first]), set[tuple[str, str]]()
    while todo:
        way = todo.popleft()
        for before, fired in _rest_of_turn(game, way.run):
            if fired is None:
                for event in model.signals:
                    branch = _signalled(game, way, before, event, tried)
                    todo += [branch] if branch is not None else []
            elif _begins(model, fired, start.step):
                before.latched |= game.latches
                before.expired, before.triggered, before.told = (), (), game.told
                return replace(way, run=before)
            elif fired.machine == TURN:
                asked.update(
                    dict.fromkeys(name for name in fired.guards if name in game_facts(model))
                )
                left_out += [fired.row.transition] if _leaves_out(model, fired, start.step) else []
    raise _refusal(first.run, start, left_out, asked)


def _rest_of_turn(game: _QuietGame, run: Run) -> Iterator[tuple[Run, Fired | None]]:
    """Yield every firing of the rest of a quiet turn with the run before it, and None for it where
    the run waits.
    """
    turn = run.agenda.turn
    with suppress(NothingFires):
        for _ in range(SILENT_LIMIT):
            before = run.copy()
            if game.waits(run):
                yield before, None
            fired = game.microstep(run)
            if (
                run.agenda.turn != turn
                or run.agenda.current_turn is None
                or (fired is None and not run.frame)
            ):
                return
            if fired is not None:
                yield before, fired


def _signalled(
    game: _QuietGame, way: _Way, here: Run, event: str, tried: set[tuple[str, str]]
) -> _Way | None:
    """Return the way on from here by a signal, if it leads anywhere, and has not been tried in this
    state.
    """
    model = here.model
    if event == model.leaving or (here.state, event) in tried or not model.rows(here.state, event):
        return None
    tried.add((here.state, event))
    run = here.copy()
    with suppress(NothingFires):
        game.signal(run, event)
        return _Way(run, (*way.signals, event))
    return None


def _begun_turn(model: Model, head: GameHeader, start: StartAt) -> Run:
    """Return the run at the beginning of the turn in which the game starts."""
    run = run_of(model, replace(head, orders=()))
    agenda = run.agenda
    for _ in range(start.turn - 1):
        begin_next_turn(run)
    side = agenda.side(start.player)
    if side:
        order = [members[0] for members in agenda.sides]
        agenda.natural = order[order.index(side) - 1]
    if not begin_next_turn(run):
        raise StuckError(f"no turn of {model.name} begins")
    return run


def _begins(model: Model, fired: Fired, step: str) -> bool:
    """Does this step begin with this firing, or any if it is ""?"""
    if fired.machine == WINDOW:
        return False
    target = model.state(fired.target)
    if target.role != "begin" or not target.parent:
        return False
    owner = model.state(target.parent)
    return owner.kind == "step" and step in ("", owner.name)


def _leaves_out(model: Model, fired: Fired, step: str) -> bool:
    """Is this the firing by which the step, or its phase, is left out?"""
    if fired.row.transition.layer != "skip" or model.state(fired.source).role != "before":
        return False
    owner = model.state(model.state(fired.source).parent)
    return any(
        state.name == step and owner in model.path(state.id) for state in model.of_kind("step")
    )


def _refusal(
    run: Run, start: StartAt, left_out: list[Transition], asked: Mapping[str, None]
) -> FsmError:
    """Return the error for a step that does not begin, with the reason or the facts that may change
    that.
    """
    where = (
        f"step {start.step!r} does not begin in turn {run.agenda.turn}, that of {run.agenda.active}"
    )
    if left_out:
        return FsmError(f"{where}: {left_out[0].doc or 'it is left out'} ({left_out[0].rule})")
    window = (
        {fact.name for fact in run.model.window.facts}
        if run.model.window is not None
        else set[str]()
    )
    facts = [name for name in asked if name not in start.facts and name not in window]
    if not facts:
        return FsmError(f"{where}, as the facts are told")
    return FsmError(f"{where}: tell those of these facts that hold: {', '.join(facts)}")


def _assumptions(model: Model, head: GameHeader, start: StartAt) -> Iterator[str]:
    run = _begun_turn(model, head, start)
    turn, active, way = run.agenda.turn, run.agenda.active, _way_to(model, head, start)
    if turn > 1:
        yield f"Turns 1 to {turn - 1} went round in turn order, and nothing is remembered of them."
    usual = _begun_turn(model, head, replace(start, player="")).agenda.active
    if active != usual:
        yield f"Turn {turn} would have been that of {usual}; the turns before that of {active} were skipped."
    if model.state(model.initial).kind in ("action", "window"):
        yield "What happens before the first turn has happened."
    steps = [occurrence.name for occurrence in way.run.agenda.begun if occurrence.level == "step"]
    if steps:
        yield f"In turn {turn} these steps took place, and nothing is remembered of them: {', '.join(steps)}."
    for event in way.signals:
        yield f"The event {event} came in turn {turn}."
    told = [f"{name} was {str(value).lower()}" for name, value in start.facts.items()]
    yield (
        f"{' and '.join(told)}; nothing else happened."
        if told
        else "Nothing happened that the game would report."
    )
