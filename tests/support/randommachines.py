"""Random machines of the transitions library as plain data, and what happens when one is built and
used.

`used(plan, cls)` gives a log of every callback with what it was called with, every result,
exception and state. Two classes of machine do the same if their logs are equal.
"""

from __future__ import annotations

import copy
import logging
import pickle
import re
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from typing import Any

import transitions
from hypothesis import strategies as st
from transitions import core

EVENTS = ("go", "hop")
ADDRESS = re.compile(r"(@|0x)[0-9a-f]{6,}")
Spot = Enum("Spot", "s0 s1 s2 s3", start=0, module=__name__)
NAMES = tuple(Spot.__members__)


class Trouble(Exception):
    """Raised by callbacks."""


class Halt(BaseException):
    """Raised by callbacks, and no Exception."""


@dataclass
class Recorder:
    """The log of one run, and how often each callback was called: what it does depends on that."""

    doings: dict[str, tuple[Any, ...]]
    log: list[Any] = field(default_factory=list)
    calls: dict[str, int] = field(default_factory=dict)
    nested: int = 0

    def called(self, name: str, owner: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        self.log.append((name, where(owner), tuple(map(seen, args)), tuple(sorted(kwargs.items()))))
        doings = self.doings.get(name, (None,))
        self.calls[name] = number = self.calls.get(name, -1) + 1
        return self.do(
            doings[number % len(doings)], owner or (args and getattr(args[0], "model", None)), args
        )

    def do(self, doing: Any, owner: Any, args: tuple[Any, ...]) -> Any:
        match doing:
            case "trouble":
                raise Trouble(len(self.log))
            case "halt":
                raise Halt(len(self.log))
            case "go" | "hop" if owner is not None and self.nested < 12:
                self.nested += 1
                self.log.append(("nested", doing, owner.trigger(doing)))
            case "result" if args and isinstance(args[0], core.EventData):
                args[0].result = "changed"  # type: ignore[assignment]
        return doing


RECORDER = [Recorder({})]


def where(owner: Any) -> Any:
    """The model and its state."""
    return None if owner is None else (owner.label, owner.state, getattr(owner, "place", None))


def seen(value: Any) -> Any:
    """An argument of a callback as data."""
    if not isinstance(value, core.EventData):
        return value
    row = value.transition
    return (
        *(
            "event",
            value.event.name,
            value.state.name,
            value.result,
            value.args,
            tuple(sorted(value.kwargs.items())),
        ),
        *(
            row and (row.source, row.dest),
            repr(value.error),
            value.machine.name,
            where(value.model),
        ),
    )


def free(*args: Any, **kwargs: Any) -> Any:
    """A callback that is no method; to be imported by its name, too."""
    return RECORDER[0].called("free", None, args, kwargs)


def also_free(*args: Any, **kwargs: Any) -> Any:
    return RECORDER[0].called("also_free", None, args, kwargs)


PARTIAL = partial(also_free, "given")


def method(name: str) -> Any:
    def called(self: Any, *args: Any, **kwargs: Any) -> Any:
        return RECORDER[0].called(name, self, args, kwargs)

    called.__name__ = name
    return called


METHODS = ("m0", "m1", "m2", "m3", "m4", "m5")
GUARDS = ("g0", "g1", "g2")


class Told:
    """Callbacks for a model: methods of all sorts, and attributes that cannot be called."""

    label = "told"
    state: Any = None
    yes = True
    zero = 0

    m0, m1, m2, m3, m4, m5 = map(method, METHODS)
    g0, g1, g2 = map(method, GUARDS)

    @staticmethod
    def fixed(*args: Any, **kwargs: Any) -> Any:
        return RECORDER[0].called("fixed", None, args, kwargs)

    @classmethod
    def of_class(cls, *args: Any, **kwargs: Any) -> Any:
        return RECORDER[0].called("of_class", None, args, kwargs)

    @property
    def asked(self) -> bool:
        return bool(RECORDER[0].called("asked", self, (), {}))

    def on_enter_s1(self, *args: Any, **kwargs: Any) -> None:
        RECORDER[0].called("on_enter_s1", self, args, kwargs)


class Plain(Told):
    """A model of which nothing is special."""


class Other(Told):
    """A model of another class, with a callback on the instance that is elsewhere a method."""

    label = "other"

    def __init__(self) -> None:
        self.m1 = partial(self.m0, "instead")


class Kept(Told):
    """A model whose state is a property that counts."""

    label = "kept"
    _state: Any = None
    moves = 0

    @property
    def state(self) -> Any:
        return self._state

    @state.setter
    def state(self, value: Any) -> None:
        self.moves += 1
        self._state = value


MODELS = {"plain": Plain, "other": Other, "kept": Kept}

methods = st.sampled_from(
    [*METHODS, "fixed", "of_class", "free", "randommachines.free", "PARTIAL", "yes", "nobody"]
)
usual = st.sampled_from(METHODS)
callbacks = st.lists(st.one_of(usual, usual, usual, methods), min_size=1, max_size=3)
shared = st.sampled_from(["shared a", "shared b"])  # one list object handed in at several places
seldom: st.SearchStrategy[Any] = st.one_of(st.none(), st.just([]), callbacks, callbacks, shared)
guard = st.sampled_from([*GUARDS, *GUARDS, "yes", "zero", "asked", "also_free"])
guards = st.one_of(st.none(), st.lists(guard, max_size=2))
names = st.sampled_from(NAMES)
events = st.sampled_from(EVENTS)
answers = st.sampled_from([True, True, False, 1, 0, "yes", None])
doing = st.sampled_from([*[None] * 16, "trouble", "halt", "go", "hop", "result"])


@st.composite
def rows(draw: Any) -> dict[str, Any]:
    """One transition."""
    source = st.one_of(
        names, names, st.lists(names, min_size=1, max_size=3, unique=True), st.just("*")
    )
    row = {
        "trigger": draw(events),
        "source": draw(source),
        "dest": draw(st.one_of(names, names, names, st.sampled_from(["=", None, "nowhere"]))),
        "conditions": draw(guards),
        "unless": draw(st.one_of(st.none(), st.none(), guards)),
    }
    return row | {slot: draw(seldom) for slot in ("prepare", "before", "after")}


@st.composite
def states(draw: Any, name: str) -> dict[str, Any]:
    """One state; a foreign one is an object of the library's own class, whose lists are its own."""
    foreign = draw(st.sampled_from([False] * 6 + [True]))
    lists = callbacks if foreign else seldom
    return {
        "name": name,
        "on_enter": draw(lists),
        "on_exit": draw(lists),
        "final": draw(st.booleans()),
        "ignore_invalid_triggers": draw(st.sampled_from([None, None, True, False])),
        "foreign": foreign,
    }


MACHINE_SLOTS = ("prepare_event", "before_state_change", "after_state_change", "on_final")
LAST_SLOTS = ("finalize_event", "on_exception")


@st.composite
def options(draw: Any) -> dict[str, Any]:
    """The arguments of the machine's constructor."""
    flag = st.sampled_from([False, False, True])
    return {
        **{slot: draw(seldom) for slot in MACHINE_SLOTS},
        **{slot: draw(st.one_of(st.none(), st.just([]), callbacks)) for slot in LAST_SLOTS},
        **{name: draw(flag) for name in ("send_event", "queued", "auto_transitions")},
        "ignore_invalid_triggers": draw(st.sampled_from([None, True, False])),
        "model_attribute": draw(st.sampled_from(["state", "state", "state", "place", "odd place"])),
        "name": draw(st.sampled_from([None, "named"])),
    }


model_names = st.sampled_from(sorted(MODELS))
arguments = st.sampled_from([((), {}), ((), {}), ((1,), {}), ((), {"k": 2}), ((1, "x"), {"k": 2})])
slots = st.sampled_from(["prepare", "before", "after"])
one = st.one_of(usual, usual, methods)

fire = st.tuples(st.just("fire"), events, st.sampled_from([0, 0, 1]), arguments)
other_steps = st.one_of(
    st.tuples(st.just("by_name"), events, st.sampled_from([0, 1]), arguments),
    st.tuples(st.just("by_name"), st.sampled_from(["unknown", "to_s1"]), st.just(0), arguments),
    st.tuples(st.just("may"), events, st.sampled_from([0, 1]), arguments),
    st.tuples(st.just("to"), names, st.sampled_from([0, 1]), arguments),
    st.tuples(st.just("dispatch"), events, arguments),
    st.tuples(st.just("is"), names),
    st.tuples(st.just("on_state"), st.sampled_from(["on_enter", "on_exit"]), names, one),
    st.tuples(st.just("on_event"), slots, events, one),
    st.tuples(st.just("on_row"), slots, st.integers(0, 20), one),
    st.tuples(st.just("set_row"), slots, st.integers(0, 20), seldom),
    st.tuples(st.just("turn_row"), st.integers(0, 20), st.one_of(names, st.none())),
    st.tuples(st.just("guard_row"), st.integers(0, 20), st.sampled_from(GUARDS), st.booleans()),
    st.tuples(st.just("reguard_row"), st.integers(0, 20), st.sampled_from(GUARDS), st.booleans()),
    st.tuples(st.just("take_row"), st.integers(0, 20)),
    st.tuples(st.just("set_state"), st.sampled_from(["on_enter", "on_exit"]), names, seldom),
    st.tuples(st.just("final"), names, st.booleans()),
    st.tuples(st.just("machine_append"), st.sampled_from([*MACHINE_SLOTS, *LAST_SLOTS]), one),
    st.tuples(st.just("machine_set"), st.sampled_from([*MACHINE_SLOTS, *LAST_SLOTS]), seldom),
    st.tuples(st.just("send_event"), st.booleans()),
    st.tuples(st.just("log"), st.booleans()),
    st.tuples(st.just("add_row"), rows()),
    st.tuples(
        st.just("remove_row"),
        events,
        st.one_of(names, st.just("*")),
        st.one_of(names, st.just("*")),
    ),
    st.tuples(st.just("add_state"), st.sampled_from(["nowhere", "s1"]), seldom),
    st.tuples(st.just("delete_state"), st.sampled_from(["nowhere", "s3"])),
    st.tuples(st.just("put"), st.sampled_from([*NAMES, "lost"]), st.sampled_from([0, 1])),
    st.tuples(st.just("add_model"), model_names),
    st.tuples(st.just("remove_model"), st.sampled_from([0, 1])),
    st.tuples(st.just("copy"), st.sampled_from(["pickle", "deepcopy"])),
)


@st.composite
def plans(draw: Any) -> dict[str, Any]:
    """A machine, what its callbacks do, and what is done with it."""
    return {
        "enum": draw(st.sampled_from([False, False, True])),
        "states": [draw(states(name)) for name in NAMES],
        "rows": draw(st.lists(rows(), min_size=2, max_size=8)),
        "shared": {"shared a": draw(callbacks), "shared b": draw(callbacks)},
        "options": draw(options()),
        "models": draw(
            st.sampled_from(
                [["plain"], ["plain"], ["kept"], ["other"], ["plain", "other"], ["self"]]
            )
        ),
        "doings": {
            name: tuple(draw(st.lists(doing, max_size=3))) or (None,) for name in (*METHODS, "free")
        }
        | {
            name: tuple(draw(st.lists(answers, min_size=1, max_size=3)))
            for name in (*GUARDS, "asked", "also_free")
        },
        "steps": draw(st.lists(st.one_of(fire, fire, fire, other_steps), min_size=10, max_size=20)),
    }


class Usage:
    """One plan with machines of one class."""

    def __init__(self, plan: dict[str, Any], cls: type[Any]) -> None:
        self.plan = plan
        self.recorder = RECORDER[0] = Recorder(plan["doings"])
        self.shared = {name: self.funcs(value) for name, value in plan["shared"].items()}
        self.models = [MODELS[name]() if name != "self" else None for name in plan["models"]]
        made = {
            "states": list(map(self.state, plan["states"])),
            "initial": self.value("s0"),
            **self.options(),
        }
        with_self = None in self.models
        kind = type("Self", (Told, cls), {}) if with_self else cls
        self.machine = kind("self" if with_self else self.models, **made)
        if with_self:
            self.models = [self.machine]
        for row in plan["rows"]:
            self.noted(("row",), partial(self.add_row, row))

    def value(self, name: str | None) -> Any:
        return Spot[name] if self.plan["enum"] and name in NAMES else name

    def func(self, name: str) -> Any:
        return {"free": free, "also_free": also_free, "PARTIAL": PARTIAL}.get(name, name)

    def funcs(self, wanted: Any) -> Any:
        if isinstance(wanted, str) and wanted.startswith("shared"):
            return self.shared[wanted]
        return wanted if wanted is None else list(map(self.func, wanted))

    def options(self) -> dict[str, Any]:
        made = dict(self.plan["options"])
        return made | {slot: self.funcs(made[slot]) for slot in (*MACHINE_SLOTS, *LAST_SLOTS)}

    def state(self, plan: dict[str, Any]) -> Any:
        made = {name: value for name, value in plan.items() if name != "foreign"}
        made |= {slot: self.funcs(made[slot]) for slot in ("on_enter", "on_exit")} | {
            "name": self.value(plan["name"])
        }
        return transitions.State(**made) if plan["foreign"] else made

    def add_row(self, plan: dict[str, Any]) -> None:
        made = plan | {
            slot: self.funcs(plan[slot])
            for slot in ("prepare", "before", "after", "conditions", "unless")
        }
        source = plan["source"]
        made["source"] = (
            source
            if source == "*"
            else list(map(self.value, [source] if type(source) is str else source))
        )
        self.machine.add_transition(**made | {"dest": self.value(plan["dest"])})

    def noted(self, step: Any, do: Any) -> None:
        try:
            outcome: tuple[Any, ...] = ("returned", do())
        except (Exception, Halt) as error:
            outcome = ("raised", type(error).__name__, ADDRESS.sub("@", str(error)))
        attribute = self.machine.model_attribute
        self.recorder.log.append(
            (step[0], outcome, [getattr(m, attribute, None) for m in self.models])
        )

    def use(self) -> list[Any]:
        logger, heard = logging.getLogger("transitions.core"), Heard(self.recorder.log)
        logger.addHandler(heard)
        try:
            for step in self.plan["steps"]:
                self.noted(step, partial(getattr(self, f"do_{step[0]}"), *step[1:]))
        finally:
            logger.removeHandler(heard)
            logger.setLevel(logging.NOTSET)
        return self.recorder.log

    def model(self, number: int) -> Any:
        return self.models[number % len(self.models)]

    def row(self, number: int) -> Any:
        rows = self.machine.get_transitions()
        return rows[number % len(rows)]

    def do_fire(self, event: str, model: int, given: Any) -> Any:
        return getattr(self.model(model), event)(*given[0], **given[1])

    def do_by_name(self, event: str, model: int, given: Any) -> Any:
        return self.model(model).trigger(event, *given[0], **given[1])

    def do_may(self, event: str, model: int, given: Any) -> Any:
        return getattr(self.model(model), f"may_{event}")(*given[0], **given[1])

    def do_to(self, name: str, model: int, given: Any) -> Any:
        prefix = (
            "to"
            if self.machine.model_attribute == "state"
            else f"to_{self.machine.model_attribute}"
        )
        return getattr(self.model(model), f"{prefix}_{name}")(*given[0], **given[1])

    def do_dispatch(self, event: str, given: Any) -> Any:
        return self.machine.dispatch(event, *given[0], **given[1])

    def do_is(self, name: str) -> Any:
        return [self.machine.is_state(self.value(name), model) for model in self.models]

    def do_on_state(self, slot: str, name: str, func: str) -> None:
        getattr(self.machine, f"{slot}_{name}")(self.func(func))

    def do_on_event(self, slot: str, event: str, func: str) -> None:
        getattr(self.machine, f"{slot}_{event}")(self.func(func))

    def do_on_row(self, slot: str, number: int, func: str) -> None:
        getattr(self.row(number), slot).append(self.func(func))

    def do_set_row(self, slot: str, number: int, funcs: Any) -> None:
        setattr(self.row(number), slot, self.funcs(funcs) or [])

    def do_turn_row(self, number: int, dest: str | None) -> None:
        self.row(number).dest = dest

    def do_guard_row(self, number: int, guard: str, target: bool) -> None:
        row = self.row(number)
        row.conditions.insert(0, row.condition_cls(guard, target))

    def do_reguard_row(self, number: int, guard: str, target: bool) -> None:
        for condition in self.row(number).conditions:
            condition.func, condition.target = guard, target

    def do_take_row(self, number: int) -> None:
        row = self.row(number)
        for event in self.machine.events.values():
            for rows in event.transitions.values():
                if row in rows:
                    rows.remove(row)

    def do_set_state(self, slot: str, name: str, funcs: Any) -> None:
        state = self.machine.get_state(name)
        found = self.funcs(funcs) or []
        foreign = any(each["foreign"] for each in self.plan["states"] if each["name"] == name)
        setattr(state, slot, list(found) if foreign else found)

    def do_final(self, name: str, value: bool) -> None:
        self.machine.get_state(name).final = value

    def do_machine_append(self, slot: str, func: str) -> None:
        getattr(self.machine, slot).append(self.func(func))

    def do_machine_set(self, slot: str, funcs: Any) -> None:
        setattr(self.machine, slot, self.funcs(funcs))

    def do_send_event(self, value: bool) -> None:
        self.machine.send_event = value

    def do_log(self, value: bool) -> None:
        logging.getLogger("transitions.core").setLevel(logging.DEBUG if value else logging.NOTSET)

    def do_add_row(self, row: dict[str, Any]) -> None:
        self.add_row(row)

    def do_remove_row(self, event: str, source: str, dest: str) -> None:
        self.machine.remove_transition(event, source, dest)

    def do_add_state(self, name: str, funcs: Any) -> None:
        self.machine.add_state(self.value(name), on_enter=self.funcs(funcs))

    def do_delete_state(self, name: str) -> None:
        del self.machine.states[name]

    def do_put(self, name: str, model: int) -> None:
        setattr(self.model(model), self.machine.model_attribute, self.value(name))

    def do_add_model(self, name: str) -> None:
        model = MODELS[name]()
        self.machine.add_model(model)
        self.models.append(model)

    def do_remove_model(self, number: int) -> None:
        self.machine.remove_model(self.model(number))

    def do_copy(self, how: str) -> None:
        if self.models == [self.machine]:
            return
        both = (self.machine, self.models)
        self.machine, self.models = (
            copy.deepcopy(both) if how == "deepcopy" else pickle.loads(pickle.dumps(both))
        )


class Heard(logging.Handler):
    """What the library logs becomes part of the log."""

    def __init__(self, log: list[Any]) -> None:
        super().__init__()
        self.log = log

    def emit(self, record: logging.LogRecord) -> None:
        self.log.append((record.levelname, record.getMessage()))


def used(plan: dict[str, Any], cls: type[Any]) -> list[Any]:
    """The log of building a machine of this class by the plan and using it."""
    try:
        return Usage(plan, cls).use()
    except (Trouble, ValueError, AttributeError) as error:
        return [("not built", type(error).__name__, ADDRESS.sub("@", str(error)))]
