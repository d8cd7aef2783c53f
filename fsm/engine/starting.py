"""How a game comes to the step with which it starts, if it starts in the middle.

Turns that come before are passed over from the transition that begins a turn to the one that ends
it. The turn itself is played quietly as far as the step. So only the Model says which steps come
before, and what is remembered of them.
"""

from __future__ import annotations

from contextlib import suppress
from copy import copy

from fsm.engine.answers import check_facts
from fsm.engine.semantics import SILENT_LIMIT, TURN, WINDOW, Fired, NothingFires, Semantics, Told
from fsm.errors import FsmError, StuckError, shown
from fsm.model import Model
from fsm.model.fieldtypes import misfit
from fsm.model.model import per_model
from fsm.state.run import Run
from fsm.state.setup import Players, StartAt

MOST_TURNS = 10_000
"""A game starts at most in this turn."""


def go_to(semantics: Semantics, run: Run, players: Players, start: StartAt) -> Run:
    """Return the run of a game just before the step begins with which it starts.

    Parameters
    ----------
    semantics, players
        Those of the game.
    run
        The run of the game at its beginning.
    start
        The step.

    Raises
    ------
    FsmError
        If the start names what is not there, or the step does not begin in such a turn.
    """
    _check(semantics, players, start)
    for _ in range(start.turn - 1):
        begin_next_turn(semantics, run)
        run.moments = ()  # else they grow with the turns
    if start.player:
        run.natural = (run.side_of(players.index(start.player)) - 1) % len(run.sides)
    if not begin_next_turn(semantics, run):
        raise StuckError(f"no turn of {semantics.model.name} begins")
    run = _Search(semantics, start, run).found(players[run.head(run.active)])
    run.moments = run.results = ()
    return run


def begin_next_turn(semantics: Semantics, run: Run) -> bool:
    """Let the current turn end where it stands, and the next one begin. Say whether one begins.

    No phase or step is played. A fact that only the game knows is taken as it is in a quiet game.
    """
    ends = _turn_ends(semantics.model)
    if run.current is not None and ends:
        run.frame, run.state = "", ends
    turns, told = run.turns_begun, Told(semantics.quiet)
    with suppress(NothingFires):
        for _ in range(SILENT_LIMIT):
            if run.turns_begun > turns:
                return True
            if _microstep(semantics, run, told) is None:
                return False
    return False


def _microstep(semantics: Semantics, run: Run, told: Told) -> Fired | None:
    """Fire one transition while nobody does anything. Return None if there is none to fire."""
    event = semantics.onward(run)
    if event is None:
        words = semantics.waiting(run).words
        if not words:
            return None
        event = WINDOW if run.frame else TURN, words[-1]
    return semantics.microstep(run, *event, told, [])


@per_model
def _turn_ends(model: Model) -> str:
    """Return the state in which a turn ends, or "" if no turn does."""
    ends = [row.source for row in model.transitions if "end_turn" in row.actions]
    return ends[0] if ends else ""


def _check(semantics: Semantics, players: Players, start: StartAt) -> None:
    """Raise FsmError if a start names what is not there."""
    if not isinstance(start, StartAt):
        raise FsmError(f"start must be a StartAt, not {shown(start)}")
    model, wrong = semantics.model, misfit(start)
    if not wrong and not 1 <= start.turn <= MOST_TURNS:
        wrong = f"a game starts in turn 1 to {MOST_TURNS}, not in turn {shown(start.turn)}"
    if not wrong and start.turn > 1 and not _turn_ends(model):
        wrong = f"{model.name} has no transition that ends a turn, so that no turn follows another"
    if wrong:
        raise FsmError(wrong, place="start")
    steps = [state.name for state in model.of_kind("step")]
    turn_of = f"player {shown(start.player)}, in whose turn the game starts, does not play"
    for kind, name, known, text in (
        ("player", start.player, players, turn_of),
        ("step", start.step, steps, f"step {shown(start.step)} is not in {model.name}"),
    ):
        if name and name not in known:
            kind, place = f"unknown-{kind}", f"start.{kind}"
            raise FsmError(text, kind=kind, place=place, found=name, known=known, limit=20)
    check_facts(start.facts, model, semantics.facts, "start.facts")


class _Search:
    """Looks for the beginning of a step in a turn that is quiet, but for facts and events."""

    def __init__(self, semantics: Semantics, start: StartAt, run: Run) -> None:
        self.semantics, self.model, self.start = semantics, semantics.model, start
        self.told = Told({**semantics.quiet, **start.facts})
        self.latches = {name for name in semantics.latching if start.facts.get(name)}
        self.asked = set[str]()  # these are told where they are asked for, and others anywhere
        for state in semantics.states.values():
            self.asked |= {*state.tells}
        self.steps, self.around = set[str](), set[str]()
        for step in self.model.of_kind("step"):
            if start.step in ("", step.name):
                self.steps.add(step.id)
                self.around |= {state.id for state in self.model.path(step.id)}
        self.todo: list[tuple[Run, frozenset[str]]] = [(run, frozenset())]
        self.tried = set[tuple[str, str]]()
        self.read = dict[str, None]()
        self.left_out = ""

    def found(self, active: str) -> Run:
        """Return the run just before the step begins, by the way with the fewest events."""
        for run, heard in self.todo:
            found = self._through_turn(run, heard)
            if found is not None:
                return found
        start = self.start
        where = f"step {start.step!r} does not begin in turn {start.turn}, that of {active}"
        raise FsmError(f"{where}{self._why_not()}")

    def _through_turn(self, run: Run, heard: frozenset[str]) -> Run | None:
        """Play the rest of a turn, in which these facts were told. Return where the step begins."""
        turns = run.turns_begun
        with suppress(NothingFires):
            for _ in range(SILENT_LIMIT):
                state = self.semantics.waiting(run)
                if state.kind == "action":
                    told = self.latches - self.asked.difference(state.tells)
                    heard |= told
                    run.latched |= told
                    self._interrupt(run, heard)
                before = copy(run)
                fired = _microstep(self.semantics, run, self.told)
                if fired is None or run.turns_begun != turns or run.current is None:
                    return None
                if fired.machine == TURN and self._begins(fired):
                    self._check_heard(heard)
                    return before
        return None

    def _begins(self, fired: Fired) -> bool:
        """Say whether the step begins. If not, note what was read, and what leaves the step out."""
        target, source = self.model.state(fired.target), self.model.state(fired.source)
        if target.role == "begin" and target.parent in self.steps:
            return True
        self.read |= dict.fromkeys(name for name, _ in fired.guards)
        row = fired.row.transition
        skips = row.layer == "skip" and source.role == "before" and source.parent in self.around
        if skips and not self.left_out:
            self.left_out = f": {row.doc or 'it is left out'} ({row.rule})"
        return False

    def _interrupt(self, run: Run, heard: frozenset[str]) -> None:
        """Note where the events of the model lead from here."""
        for event in self.model.signals:
            if event == self.model.leaving or (run.state, event) in self.tried:
                continue
            self.tried.add((run.state, event))
            branch = copy(run)
            with suppress(NothingFires):
                if self.semantics.interrupt(branch, event, self.told, []) is not None:
                    self.todo.append((branch, heard))

    def _check_heard(self, heard: frozenset[str]) -> None:
        """Raise FsmError if a fact was given that no game has told by now."""
        for fact in sorted(self.latches - heard):
            step = self.start.step or "the first step"
            text = f"no game has told {fact!r} when {step!r} begins in turn {self.start.turn}"
            remedy = "leave the fact out, or start later"
            raise FsmError(text, kind="early-fact", place="start.facts", found=fact, remedy=remedy)

    def _why_not(self) -> str:
        """Return why the step does not begin, or the facts of the turn that may change that."""
        window = self.model.window
        inside = {fact.name for fact in window.facts} if window is not None else set[str]()
        facts = self.semantics.facts.keys() - inside - self.start.facts.keys()
        names = [name for name in self.read if name in facts]
        if self.left_out or not names:
            return self.left_out or ", as the facts are told"
        return f": tell those of these facts that hold: {', '.join(names)}"
