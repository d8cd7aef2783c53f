"""The TurnController: a game's turn, step by step. No I/O, and it never waits.

It says what it needs next (`request`) and takes the answer (`answer`). Between two requests it fires
whatever needs no answer. It knows the kinds of states, never their names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from fsm.agenda import Agenda
from fsm.calendar import Calendar
from fsm.errors import AnswerError, FsmError, Stuck, suggest
from fsm.machine import Machine, Refusal, machine_of, stuck
from fsm.model import Fact, Model, State, Transition
from fsm.orders import Order
from fsm.requests import Answer, Check, Over, Perform, Place, Position, Priority, Request, Resolve, Signal
from fsm.run import Run
from fsm.scheduling import apply
from fsm.trace import Head, Record, Trace

SILENT_LIMIT = 10_000
"""How many firings may follow one another without a request, before the run counts as stuck."""


class TurnController:
    """Runs the turns of one game by its Model.

    `players` are their names in seat order, the first takes turn 1. `teams` are groups of them that
    share turns. `settings` switch the model's settings, by name; `orders` are in force before turn 1.
    Raises FsmError when they do not fit.
    """

    def __init__(
        self,
        model: Model,
        players: Sequence[str],
        *,
        teams: Sequence[Sequence[str]] = (),
        settings: Mapping[str, bool] | None = None,
        orders: Sequence[Order] = (),
    ) -> None:
        sides = _sides(players, teams)
        chosen = _settings(model, len(sides), settings or {})
        self.model = model
        self.trace = Trace(
            Head(model.name, model.fingerprint, tuple(players), tuple(map(tuple, teams)), chosen, tuple(orders))
        )
        self._watchers: list[Callable[[Record], None]] = []
        self._run = Run(model, Agenda(sides), settings=chosen, state=model.initial)
        for order in orders:
            apply(order, self._run)
        self._turn, self._window = _machines(model)
        self._pending: list[Record] = []
        self.request: Request = self._advance()
        self._commit(None)

    # what a host uses ----------------------------------------------------------------------------

    def answer(self, answer: Answer) -> Request:
        """Take the answer to `request`; returns the next request.

        Raises AnswerError, OrderError or Stuck, or what a watcher raises; then nothing has changed and it
        can be answered again.
        """
        before, request, recorded = self._run.copy(), self.request, len(self.trace.entries)
        self._pending = []
        try:
            self._take(answer)
            if answer.signal is not None:
                self._signal(answer.signal)
            self.request = self._advance()
            self._run.told = {}
            self._commit(answer)
        except BaseException:
            self._run, self.request = before, request
            del self.trace.entries[recorded:]
            raise
        return self.request

    @property
    def agenda(self) -> Agenda:
        """What is scheduled; to be read, not changed."""
        return self._run.agenda

    @property
    def calendar(self) -> Calendar:
        """Durations and triggers waited for; to be read, not changed."""
        return self._run.calendar

    @property
    def position(self) -> Position:
        """Where the game stands."""
        return self.request.at

    @property
    def facts(self) -> frozenset[str]:
        """The latched facts that hold now."""
        return self._run.latched

    def why_not(self, event: str) -> Refusal | None:
        """Why this event cannot fire now, as data; None when it can."""
        signals = _events(self.model)
        refusal = (self._turn if event in signals else self._machine()).explain(self._run, event)
        if refusal is None or not self._run.frame:
            return refusal
        heard = [name for name in signals if self.model.rows(self._run.state, name)]
        return replace(refusal, possible=tuple(dict.fromkeys((*refusal.possible, *heard))))

    def watch(self, watcher: Callable[[Record], None]) -> None:
        """Call `watcher` with every record, once the answer that caused it is taken in."""
        self._watchers.append(watcher)

    def snapshot(self) -> dict[str, object]:
        """Everything about this game's turn as plain JSON values; `restore` takes it."""
        from fsm.snapshot import dump

        return dump(self.model, self._run, self.trace.head)

    @classmethod
    def restore(cls, model: Model, data: object) -> TurnController:
        """The controller a snapshot was taken of. Raises SnapshotError when it does not fit."""
        from fsm.snapshot import load

        run, head = load(model, data)
        controller = cls.__new__(cls)
        controller.model, controller._run, controller._watchers = model, run, []
        controller.trace = Trace(head, complete=False)
        controller._turn, controller._window = _machines(model)
        controller._pending = []
        controller.request = controller._advance()
        return controller

    # taking an answer ------------------------------------------------------------------------------

    def _take(self, answer: Answer) -> None:
        _check_kinds(answer)
        state = self._waiting()
        words = state.words
        if isinstance(self.request, Over):
            raise AnswerError("the game is over: there is nothing to answer")
        if answer.word not in words:
            raise AnswerError(
                f"{state.id!r} was asked for; answer {' or '.join(map(repr, words))}, not {answer.word!r}"
            )
        self._tell(state, answer.facts)
        self._run.expired = self._run.triggered = ()
        if answer.signal is not None:
            self._check_signal(answer.signal)
        for order in answer.orders:
            apply(order, self._run)
        self._fire(self._machine(), answer.word)

    def _tell(self, state: State, facts: Mapping[str, bool]) -> None:
        known = _game_facts(self.model)
        for name, value in facts.items():
            if name not in known:
                raise AnswerError(f"fact {name!r} is not one the game tells in {self.model.name}{suggest(name, known)}")
            if not isinstance(value, bool):
                raise AnswerError(f"fact {name!r} must be true or false, not {value!r}")
        for name in state.tells:
            if name not in facts:
                raise AnswerError(f"the answer to {state.id!r} must tell the fact {name!r} ({known[name].doc})")
        self._run.told = dict(facts)
        self._run.latched |= {n for n, value in facts.items() if value and known[n].timing == "latched"}

    def _check_signal(self, signal: Signal) -> None:
        if signal.event not in _events(self.model):
            raise AnswerError(
                f"{self.model.name} knows no signal {signal.event!r}{suggest(signal.event, _events(self.model))}"
            )
        if signal.event != "player_left":
            return
        players = [p for side in self.agenda.sides for p in side]
        if signal.player not in players:
            raise AnswerError(f"player {signal.player!r} is not in this game{suggest(signal.player, players)}")
        if signal.player in self.agenda.left:
            raise AnswerError(f"player {signal.player!r} has left the game already")

    def _signal(self, signal: Signal) -> None:
        run, window = self._run, self.model.window
        if signal.event == "player_left":
            run.agenda.left = (*run.agenda.left, signal.player)
        if not self.model.rows(run.state, signal.event):
            return
        if self._fire(self._turn, signal.event).target is not None:
            run.frame = ""
        elif window is not None and run.frame and self._window and window.rows(run.frame, signal.event):
            self._fire(self._window, signal.event)

    # going on until something is asked --------------------------------------------------------------

    def _advance(self) -> Request:
        for _ in range(SILENT_LIMIT):
            state = self._waiting()
            if state.kind == "final" and not self._run.frame:
                return self._ask(state)
            if state.kind == "final":
                self._run.frame = ""
                self._fire(self._turn, "closed")
            elif state.kind == "window":
                self._open(state)
            elif state.kind == "action":
                return self._ask(state)
            else:
                self._fire(self._machine(), "done")
        raise Stuck(f"{SILENT_LIMIT} transitions fired and nothing was asked; every phase and turn seems to be skipped")

    def _waiting(self) -> State:
        window = self.model.window
        if self._run.frame and window is not None:
            return window.state(self._run.frame)
        return self.model.state(self._run.state)

    def _machine(self) -> Machine:
        return self._window if self._run.frame and self._window is not None else self._turn

    def _open(self, state: State) -> None:
        if self.model.window is None:
            raise Stuck(f"nothing can fire here: {state.id!r} is a window, and {self.model.name} has no window model")
        self._run.frame = self.model.window.initial

    def _fire(self, machine: Machine, event: str) -> Transition:
        run = self._run
        source: str = getattr(run, machine.model_attribute)
        firing = machine.fire(run, event)
        if firing is None or firing.transition is None:
            raise stuck(machine, run, event)
        self._pending.append(_record(run, machine, source, event, firing.transition, firing.guards))
        return firing.transition

    def _commit(self, answer: Answer | None) -> None:
        if answer is not None:
            self.trace.entries.append(answer)
        fired, self._pending = self._pending, []
        self.trace.entries.extend(fired)
        for watcher in self._watchers:
            for record in fired:
                watcher(record)

    # asking --------------------------------------------------------------------------------------------

    def _ask(self, state: State) -> Request:
        run = self._run
        at, notices = _position(run), {"expired": run.expired, "triggered": run.triggered}
        agenda = run.agenda
        if state.kind == "final":
            return Over(at, state.id, **notices)
        facts = self._facts_asked(state)
        if state.asks == "perform":
            return Perform(at, state.id, facts, **notices, action=state.action, players=agenda.members(agenda.active))
        if state.asks == "priority":
            players = agenda.members(run.holder)
            return Priority(at, state.id, facts, **notices, player=players[0] if players else "", players=players)
        if state.asks == "place":
            players = tuple(p for side in agenda.from_active() for p in agenda.members(side))
            return Place(at, state.id, facts, **notices, players=players, manner=state.action)
        if state.asks in ("check", "resolve"):
            return (Check if state.asks == "check" else Resolve)(at, state.id, facts, **notices)
        raise Stuck(f"nothing can fire here: {state.id!r} is an action, but asks for nothing")

    def _facts_asked(self, state: State) -> tuple[str, ...]:
        run, agenda = self._run, self._run.agenda
        detours = bool(agenda.extras or agenda.returns_phase or agenda.returns_step)
        asked = dict.fromkeys(state.tells)
        model = self.model.window if run.frame else self.model
        assert model is not None
        for word in state.words:
            facts, closes = _facts_after(model, state.id, word, detours)
            asked.update(dict.fromkeys(facts))
            if closes:
                asked.update(dict.fromkeys(_facts_after(self.model, run.state, "closed", detours)[0]))
        return tuple(asked)


_KINDS: tuple[tuple[str, type | tuple[type, ...], str], ...] = (
    ("facts", Mapping, "a mapping of names to true or false"),
    ("orders", (tuple, list), "a tuple of orders"),
    ("signal", (Signal, type(None)), "a Signal or None"),
)


def _check_kinds(answer: object) -> None:
    if not isinstance(answer, Answer):
        raise AnswerError(f"an answer must be an Answer, not a {type(answer).__name__}")
    for name, kind, right in _KINDS:
        if not isinstance(getattr(answer, name), kind):
            raise AnswerError(f"an answer's {name} must be {right}, not {getattr(answer, name)!r}")


def _sides(players: Sequence[str], teams: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    if isinstance(players, str) or not players or len(set(players)) != len(players):
        raise FsmError(f"players must be one or more different names, not {players!r}")
    teamed = [p for team in teams for p in team]
    for player in teamed:
        if player not in players:
            raise FsmError(f"team member {player!r} is no player{suggest(player, players)}")
    if len(set(teamed)) != len(teamed) or any(not team for team in teams):
        raise FsmError(f"teams must be groups of different players, not {teams!r}")
    of = {p: tuple(team) for team in teams for p in team}
    return tuple(dict.fromkeys(of.get(p, (p,)) for p in players))


def _settings(model: Model, sides: int, chosen: Mapping[str, bool]) -> dict[str, bool]:
    known = {s.name: s for s in model.settings}
    for name, value in chosen.items():
        if name not in known:
            raise FsmError(f"setting {name!r} is not in {model.name}{suggest(name, known)}")
        if not isinstance(value, bool):
            raise FsmError(f"setting {name!r} must be true or false, not {value!r}")
    return {n: chosen.get(n, sides == s.sides if s.sides is not None else s.default) for n, s in known.items()}


def _machines(model: Model) -> tuple[Machine, Machine | None]:
    window = machine_of(model.window, "frame") if model.window is not None else None
    return machine_of(model, "state"), window


def _events(model: Model | None) -> tuple[str, ...]:
    return tuple(e.name for e in model.events if not e.completion) if model is not None else ()


@lru_cache(maxsize=256)
def _game_facts(model: Model) -> Mapping[str, Fact]:
    return {f.name: f for m in (model, model.window) if m is not None for f in m.facts if f.owner == "game"}


@lru_cache(maxsize=8192)
def _facts_after(model: Model, state: str, event: str, detours: bool) -> tuple[tuple[str, ...], bool]:
    """The game facts that may be read before the next request, and whether a window may close.

    Without `detours` nothing extra is pending, so rows that only lead to extras and back are left out.
    """
    found: dict[str, None] = {}
    seen: set[str] = set()
    todo, closes = [(state, event)], False
    while todo:
        here, word = todo.pop()
        for row in model.rows(here, word):
            if row.generic and row.layer == "extra" and not detours:
                continue
            found.update((t.fact, None) for t in row.guard if _is_told(model.fact(t.fact)))
            target = model.state(row.target) if row.target is not None else None
            if target is None or target.id in seen:
                continue
            seen.add(target.id)
            closes = closes or target.kind == "final"
            if target.kind in ("choice", "stage"):
                todo.append((target.id, "done"))
    return tuple(found), closes


def _is_told(fact: Fact) -> bool:
    return fact.owner == "game" and fact.timing != "latched"


def _position(run: Run) -> Position:
    agenda, phase, step = run.agenda, run.agenda.current_phase, run.agenda.current_step
    return Position(
        turn=agenda.turn,
        active=agenda.active,
        controller=agenda.decider,
        extra=agenda.current_turn is not None and agenda.current_turn.extra,
        phase=phase.name if phase is not None else "",
        step=step.name if step is not None else "",
        iteration=step.iteration if step is not None else 0,
        stage=run.state,
    )


def _record(
    run: Run, machine: Machine, source: str, event: str, row: Transition, guards: Mapping[str, bool]
) -> Record:
    at, phase, step = _position(run), run.agenda.current_phase, run.agenda.current_step
    return Record(
        machine="turn" if machine.model_attribute == "state" else "window",
        event=event,
        transition=row.id,
        source=source,
        target=getattr(run, machine.model_attribute),
        guards=tuple(guards.items()),
        actions=tuple(map(str, row.actions)),
        turn=at.turn,
        active=at.active,
        extra=at.extra,
        phase=at.phase,
        step=at.step,
        iteration=at.iteration,
        extra_phase=phase is not None and phase.extra,
        extra_step=step is not None and step.extra,
        phase_id=phase.id if phase is not None else 0,
        step_id=step.id if step is not None else 0,
    )
