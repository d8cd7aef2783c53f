"""A machine without its callbacks: what an event can do in a configuration, whatever the conditions
say.

A bare machine has the states and transitions of a user's machine, in plain classes of the
`transitions` library. It has none of the callbacks. Each guard is replaced by a question, and every
combination of answers that the facts allow is tried. So parallel, nested, internal and automatic
transitions do what the library makes of them, and nothing of the user's is run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from transitions import Machine, MachineError
from transitions.extensions.nesting import HierarchicalMachine, NestedState

from fsm.adapters.building import TOGETHER, Building
from fsm.adapters.reading import Arrow, MachineState, arrows, initial_of, places
from fsm.errors import LogError, shown, suggest
from fsm.model import Model, Term, Transition
from fsm.model.solving import Values, assign, ways_to_fail

Config = tuple[str, ...]
"""The innermost states that an object is in: one, or one of each parallel region."""
Facts = tuple[tuple[str, bool], ...]
"""What conditions were said to be, sorted."""
FIRED, HELD, IGNORED, REFUSED = "fired", "held back", "ignored", "refused"
MOST_WAYS = 4096
"""One event in one configuration is followed in at most this many ways."""


class Move(NamedTuple):
    """One way in which an event can be processed in a configuration.

    `taken` and `failed` are the transitions that fired and those whose guards did not hold, by
    number, in order and with the configuration at that moment. `kind` is REFUSED if the event is
    invalid there, IGNORED if the machine ignores that, and HELD if no guard held.
    """

    kind: str
    to: Config
    taken: tuple[tuple[int, Config], ...] = ()
    failed: tuple[tuple[int, Config], ...] = ()


class BareMachine:
    """What is needed of a machine to follow a log of it. Made by `of_machine` or `of_model`."""

    def __init__(
        self, name: str, states: Mapping[str, str], initial: Config, events: tuple[str, ...]
    ) -> None:
        self.name, self.parents, self.initial, self.events = name, states, initial, events
        """`parents` has the state that each state is in, or "". `events` are the machine's own,
        without `to_STATE`.
        """
        self.rows: list[Transition | None] = []
        self.ignoring: frozenset[str] = frozenset()
        self.aliases: dict[str, str] = {}
        self._all_events = dict.fromkeys(events)
        self._process: Callable[[_Subject, str], object] = _nothing
        self._moves: dict[tuple[Config, str], tuple[Move, ...]] = {}
        self._answers: dict[int, bool] = {}
        self._taken: list[tuple[int, Config]] = []
        self._failed: list[tuple[int, Config]] = []
        self._subject = _Subject()

    # questions ------------------------------------------------------------------------------------

    def has_event(self, event: str) -> bool:
        """Say whether the machine has this event, also if it is one of the triggers `to_STATE`."""
        return event in self._all_events

    def state_named(self, name: str) -> str | None:
        """Return the state that a log means by this name, or None."""
        return name if name in self.parents else self.aliases.get(name)

    def active(self, config: Config) -> frozenset[str]:
        """Return the states that are active in a configuration, with those that contain them."""
        found: set[str] = set()
        for id in config:
            while id and id not in found:
                found.add(id)
                id = self.parents.get(id, "")
        return frozenset(found)

    def guard(self, row: int) -> tuple[Term, ...]:
        """Return the guard of a transition."""
        found = self.rows[row]
        return found.guard if found is not None else ()

    def moves(self, config: Config, event: str, facts: Facts = ()) -> tuple[Move, ...]:
        """Return each way in which an event can be processed, if these facts were recorded.

        A fact has one value while an event is processed. Raises LogError if there are too many
        ways.
        """
        key = (config, event)
        found = self._moves.get(key)
        if found is None:
            found = self._moves[key] = tuple(dict.fromkeys(self._explored(config, event)))
        return tuple(move for move in found if self._agrees(move, facts)) if facts else found

    def decided(self, move: Move, facts: Facts = ()) -> Iterator[tuple[int, Term, bool]]:
        """Yield the terms that certainly decided: all of a guard that held, the first one of a
        guard that failed.
        """
        values = dict(facts)
        for row, _ in move.taken:
            for term in self.guard(row):
                values[term.fact] = term.value
                yield row, term, True
        for row, _ in move.failed:
            *before, last = self.guard(row)
            for term in before:
                if values.get(term.fact) is not term.value:
                    if term.fact in values:
                        yield row, term, False
                    break
            else:
                yield row, last, False

    # exploring ------------------------------------------------------------------------------------

    def _explored(self, config: Config, event: str) -> Iterator[Move]:
        """Try every combination of answers that the facts allow."""
        pending: list[dict[int, bool]] = [{}]
        tried = 0
        while pending:
            given = pending.pop()
            tried += 1
            if tried > MOST_WAYS:
                where = " and ".join(config)
                raise LogError(
                    f"{event!r} in {where} can go more than {MOST_WAYS} ways; record what conditions said"
                )
            self._answers = dict(given)
            move = self._tried(config, event)
            asked = list(self._answers)
            for number in range(len(given), len(asked)):
                pending.append(
                    {**{row: self._answers[row] for row in asked[:number]}, asked[number]: False}
                )
            if self._agrees(move, ()):
                yield move

    def _tried(self, config: Config, event: str) -> Move:
        subject = self._subject
        subject.state = list(config) if len(config) > 1 else config[0]
        self._taken, self._failed = [], []
        try:
            done = self._process(subject, event)
        except (MachineError, AttributeError):
            return Move(IGNORED if self.ignoring.issuperset(config) else REFUSED, config)
        kind = FIRED if done or self._taken else HELD
        return Move(
            kind,
            tuple(_flat(subject.state)),
            tuple(self._taken),
            tuple(dict.fromkeys(self._failed)),
        )

    def _agrees(self, move: Move, facts: Facts) -> bool:
        """Say whether facts can have such values that these transitions fire and these guards fail."""
        values: Values = dict(facts)
        if not all(assign(values, term) for row, _ in move.taken for term in self.guard(row)):
            return False
        guards = [self.guard(row) for row, _ in move.failed]
        return next(ways_to_fail(values, guards, assign), None) is not None

    # callbacks of the bare machine ----------------------------------------------------------------

    def _ask(self, row: int) -> bool:
        """Answer instead of the guard of a transition."""
        answer = self._answers.setdefault(row, True)
        if not answer:
            self._failed.append((row, tuple(_flat(self._subject.state))))
        return answer

    def _note(self, row: int) -> None:
        """Note that a transition fires."""
        self._taken.append((row, tuple(_flat(self._subject.state))))

    # building -------------------------------------------------------------------------------------

    def add_row(self, row: Transition | None, guarded: bool) -> dict[str, Any]:
        """Return what a transition of the bare machine has besides trigger, source and destination."""
        number = len(self.rows)
        self.rows.append(row)
        asked = {"conditions": [partial(self._ask, number)]} if guarded else {}
        return {"before": [partial(self._note, number)], **asked}

    def driven_by(
        self, process: Callable[[_Subject, str], object], events: Mapping[str, Any]
    ) -> None:
        """Set the function that processes an event, and all events."""
        self._process = process
        self._all_events = dict.fromkeys(events)


class _Subject:
    """The object that a bare machine drives."""

    state: Any = ""


def _nothing(subject: _Subject, event: str) -> object:
    raise MachineError(event)


def _flat(value: Any) -> Iterator[str]:
    if isinstance(value, list | tuple):
        for one in value:
            yield from _flat(one)
    else:
        yield value


# of a Model ---------------------------------------------------------------------------------------


def of_model(model: Model) -> BareMachine:
    """Return the bare machine of a Model. Raises LogError if the Model has lost what several states
    at once do.
    """
    if any(event.name == TOGETHER for event in model.events):
        raise LogError(f"{model.name} has parallel states; name the machine itself, not its Model")
    events = tuple(event.name for event in model.events)
    bare = BareMachine(model.name, {s.id: s.parent for s in model.states}, (model.initial,), events)
    bare.aliases = _aliases((s.label, s.id) for s in model.states if s.label not in bare.parents)
    machine: Any = _plain([s.id for s in model.leaves])
    for state, event, rows in model.choices:
        for row in rows:
            machine.add_transition(
                event, state.id, row.target, **bare.add_row(row, bool(row.guard))
            )
    bare.driven_by(lambda subject, event: machine.events[event].trigger(subject), machine.events)
    return bare


# of a machine -------------------------------------------------------------------------------------


def of_machine(machine: Any, row_of: Callable[[Any], Transition | None]) -> BareMachine:
    """Return the bare machine of a machine of the library. `row_of` finds the Model's transition
    for one of it.
    """
    found = places(machine)
    known = {place.id for place in found}
    rows = [arrow for arrow in arrows(machine) if {arrow.source, arrow.target} <= {*known, None}]
    parents = {place.id: place.parent for place in found}
    title, events = Building(machine).title, tuple(dict.fromkeys(arrow.event for arrow in rows))
    bare = BareMachine(title, parents, _initial(machine, found), events)
    bare.aliases = _aliases(
        alias for place in found for alias in _names(place) if alias[0] not in known
    )
    bare.ignoring = frozenset(place.id for place in found if _ignores(place, machine))
    twin: Any = (_nested if isinstance(machine, HierarchicalMachine) else _flat_twin)(
        machine, rows, bare, row_of
    )
    nested = isinstance(machine, HierarchicalMachine)
    triggers = dict.fromkeys((*events, *twin.events))
    bare.driven_by(
        twin.trigger_event if nested else lambda s, e: twin.events[e].trigger(s), triggers
    )
    return bare


def _flat_twin(
    machine: Any, rows: list[Arrow], bare: BareMachine, row_of: Callable[[Any], Transition | None]
) -> Any:
    twin: Any = _plain(list(machine.states), auto_transitions=bool(machine.auto_transitions))
    for arrow in rows:
        twin.add_transition(
            arrow.event, arrow.source, arrow.target, **_replaced(arrow, bare, row_of)
        )
    return twin


def _nested(
    machine: Any, rows: list[Arrow], bare: BareMachine, row_of: Callable[[Any], Transition | None]
) -> Any:
    scopes: dict[str, list[dict[str, Any]]] = {}
    separator = str(machine.state_cls.separator)
    for arrow in rows:
        ends = {
            "source": _within(arrow.source, arrow.scope, separator),
            "dest": None if arrow.target is None else _within(arrow.target, arrow.scope, separator),
        }
        own = {"trigger": arrow.event, **ends, **_replaced(arrow, bare, row_of)}
        scopes.setdefault(arrow.scope, []).append(own)
    states = [_state(name, state, "", separator, scopes) for name, state in machine.states.items()]
    kind = type("BareState", (NestedState,), {"separator": separator})
    cls = type("BareNestedMachine", (HierarchicalMachine,), {"state_cls": kind})
    automatic = bool(machine.auto_transitions)
    return cls(
        model=None,
        states=states,
        transitions=scopes.get("", []),
        initial=None,
        auto_transitions=automatic,
    )


def _plain(states: list[str], *, auto_transitions: bool = False) -> Machine:
    return Machine(model=None, states=states, initial=None, auto_transitions=auto_transitions)


def _replaced(
    arrow: Arrow, bare: BareMachine, row_of: Callable[[Any], Transition | None]
) -> dict[str, Any]:
    return bare.add_row(row_of(arrow.transition), bool(arrow.transition.conditions))


def _state(
    name: str, state: Any, parent: str, separator: str, scopes: Mapping[str, Any]
) -> dict[str, Any]:
    id = f"{parent}{separator}{name}" if parent else name
    children = [_state(one, inner, id, separator, scopes) for one, inner in state.states.items()]
    own: dict[str, Any] = {"name": name}
    if children:
        first = [getattr(one, "name", one) for one in _listed(state.initial)]
        own |= {"children": children, "transitions": scopes.get(id, [])}
        own |= {"initial": first if len(first) > 1 else first[0]} if first else {}
    return own


def _within(id: str, scope: str, separator: str) -> str:
    return id.removeprefix(f"{scope}{separator}") if scope else id


def _listed(value: Any) -> list[Any]:
    return [] if value is None else list(value) if isinstance(value, list | tuple) else [value]


def _initial(machine: Any, found: tuple[MachineState, ...]) -> Config:
    """Return the configuration in which the machine puts a new object, or () if it does not say."""
    of = {place.id: place for place in found}
    labels = {place.label: place.id for place in reversed(found)}

    def entered(id: str) -> Iterator[str]:
        if not of[id].initial:
            yield id
        for inner in of[id].initial:
            yield from entered(inner)

    names = (name if name in of else labels.get(name, "") for name in initial_of(machine))
    return tuple(id for name in names if name for id in entered(name))


def _ignores(place: MachineState, machine: Any) -> bool:
    own = getattr(place.state, "ignore_invalid_triggers", None)
    return bool(getattr(machine, "ignore_invalid_triggers", None) if own is None else own)


def _names(place: MachineState) -> Iterator[tuple[str, str]]:
    """Yield what else a log may call a state: its last name, and the member of an Enum or its
    value.
    """
    yield place.label, place.id
    value = getattr(place.state, "value", place.label)
    if value != place.label:
        yield str(value), place.id
        yield str(getattr(value, "value", value)), place.id


def _aliases(pairs: Iterator[tuple[str, str]]) -> dict[str, str]:
    """Return the names that mean one state only."""
    found: dict[str, set[str]] = {}
    for name, id in pairs:
        found.setdefault(name, set()).add(id)
    return {name: ids.pop() for name, ids in found.items() if len(ids) == 1}


def config_of(bare: BareMachine, names: tuple[str, ...]) -> Config:
    """Return the configuration of states that a user names. Raises LogError if one is unknown."""
    found = []
    for name in names:
        id = bare.state_named(name)
        if id is None:
            raise LogError(f"{shown(name)} is no state of {bare.name}{suggest(name, bare.parents)}")
        found.append(id)
    return tuple(found)
