"""Says in words what differs between two models, in the order of the turn."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from fsm.model import Model, State, Transition
from fsm.views.diff import Change, Difference, Part, merged
from fsm.wording import condition_of, label_of, plain, window_words

REST = "(facts and words)"
"""The place of what is no state and no transition."""
_UNSAID = ("kind", "name", "role", "asks", "family")
"""Fields of a state that follow from others, or that no reader knows."""
_LONE = ("+", "-")
_SIGNS = {"+": "came", "-": "went", "~": "changed"}


class Line(NamedTuple):
    """A line: its sign ("+", "-", "~", "head" for a heading, "" for more about the line above), its
    text, and how deep it stands.
    """

    sign: str
    text: str
    level: int = 0


def lines_of(difference: Difference, *, rules: bool) -> Iterator[Line]:
    """Tell a difference and that of its window.

    With `rules`, each citation, label and documentation that differs is told, too.
    """
    yield from _own_lines(difference, rules=rules)
    said = _totals(difference)
    inside = difference.window
    if inside is not None and (inside.renames or inside.changes or inside.orders):
        yield from _headed(f"Inside each window: {inside.b.title or inside.b.name}")
        yield from _own_lines(inside, rules=rules)
        said += f"; in the window {_totals(inside)}"
    yield from _headed(said)


def _headed(title: str, level: int = 0) -> Iterator[Line]:
    yield Line("head", "")
    yield Line("head", title, level)


def _totals(difference: Difference) -> str:
    signs = Counter(change.sign for change in difference.changes)
    counts = [f"{signs[sign]} {word}" for sign, word in _SIGNS.items()]
    return ", ".join([*counts, f"{len(difference.renames)} renamed"])


def _own_lines(difference: Difference, *, rules: bool) -> Iterator[Line]:
    if "initial" in difference.head:
        old, new = difference.head["initial"]
        yield Line("~", f"it starts at {new}, was at {old}")
    was = difference.a.options
    now = difference.b.options
    for name in now:
        if was.get(name, now[name]) != now[name]:
            yield Line("~", f"option {name}: {_shown(was[name])} -> {_shown(now[name])}")
    for before, after in difference.renames:
        yield Line("~", f"{before.kind} {label_of(before)} is now called {label_of(after)}")
    yield from _Sections(difference).all()
    texts = []
    for change in difference.changes:
        for name, (old, new) in change.texts.items():
            said = f"{name} {old or 'none'} -> {new or 'none'}"
            texts.append(Line("", f"{change.what} {change.id}: {said}"))
    if texts:
        more = "" if rules else " (--rules lists them)"
        yield Line("head", "")
        yield Line("~", f"only in words: {len(texts)}{more}")
        yield from texts if rules else ()


class _Sections:
    """What is said, by place: the id of a phase or step, "" for the turn, or `REST`."""

    def __init__(self, difference: Difference) -> None:
        self.b = difference.b
        self.old = difference.old
        self.states = {state.id: state for state in (*self.old.states, *self.b.states)}
        self.was = {new.id: f" (was {label_of(old)})" for old, new in difference.renames}
        changed = [change for change in difference.changes if change.sign in _LONE]
        self.lone = {change.id for change in changed if change.id in self.states}
        self.generic = _read_by_every_step(self.old) | _read_by_every_step(self.b)
        self.lines = defaultdict[str, list[Line]](list)
        self.more = Counter[str]()
        for change in difference.changes:
            place = self._place(change)
            if self._goes_along(change, place):
                self.more[place] += 1
            elif change.sign:
                self.lines[place] += self._told(change)
        for order in difference.orders:
            lines = self.lines[self._home(self.b, order.source)]
            lines.append(Line("~", f"{order.source}: tried in another order"))
            lines += [Line("", id) for id in order.ids]

    def _home(self, model: Model, id: str) -> str:
        """The innermost phase or step of a state, or ""."""
        for state in model.path(id):
            if state.kind in ("phase", "step"):
                return state.id
        return ""

    def _place(self, change: Change) -> str:
        """Where a change is told. A step that only one model has takes what leads there."""
        part = change.part
        model = self.b if change.b else self.old
        if isinstance(part, State):
            return self._home(model, part.id)
        if not isinstance(part, Transition):
            return REST
        target = self._home(model, part.target or part.source)
        if target in self.lone:
            return target
        return self._home(model, part.source)

    def _goes_along(self, change: Change, place: str) -> bool:
        """Whether a change goes without saying, since a state comes or goes: what is inside it,
        ways that need no condition, and what every step has.
        """
        part = change.part
        if isinstance(part, State):
            return place in self.lone and part.id != place
        if change.sign not in _LONE:
            return False
        if not isinstance(part, Transition):
            return change.id in self.generic
        decides = part.guard or part.event in self.b.signals
        return not decides or (part.generic and place in self.lone)

    def all(self) -> Iterator[Line]:
        """Tell all sections in the order of the turn. A phase has one if one of its steps has."""
        old = [state.id for state in self.old.states if state.composite]
        new = [state.id for state in self.b.states if state.composite]
        full = self.lines.keys() | self.more.keys()
        around = {self.states[place].parent for place in full if place in self.states}
        for place in ["", *merged(old, new), REST]:
            state = self.states.get(place)
            inner = state is not None and state.kind == "step"
            is_phase = state is not None and state.kind == "phase"
            if place in full or (is_phase and place in around):
                yield from _headed(self._title(place), inner)
                yield from (line._replace(level=int(inner)) for line in self.lines[place])
            if self.more[place]:
                yield Line("", f"(and {self.more[place]} more that go with it)", inner)

    def _title(self, place: str) -> str:
        if place == REST:
            return "FACTS AND WORDS"
        state = self.states.get(place)
        if state is None:
            return (plain(self.b.title) or "The turn").upper()
        title = label_of(state) + self.was.get(place, "")
        if state.kind == "step":
            return title
        return title.upper()

    def _told(self, change: Change) -> Iterator[Line]:
        """What is said of a change, and below it how its fields were and are."""
        part = change.part
        model = self.b if change.b else self.old
        rule = getattr(part, "rule", "")
        cited = f"  [{rule}]" if rule else ""
        if isinstance(part, Transition):
            yield Line(change.sign, self._row(part, model, change) + cited)
        else:
            yield Line(change.sign, _said(change) + cited)
        if isinstance(part, State) and part.composite and change.sign in _LONE:
            yield Line("", f"in it: {_contents(model.children(part.id))}")
        for name, (old, new) in change.fields.items():
            if isinstance(change.a, Transition) and name == "guard":
                was = condition_of(self.old, change.a.guard)
                now = self._when(part, model)
                yield Line("", f"was: {was or 'in any other case'}")
                yield Line("", f"now: {now or 'in any other case'}")
            elif name not in _UNSAID:
                yield Line("", f"{name}: {_shown(old)} -> {_shown(new)}")

    def _row(self, row: Transition, model: Model, change: Change) -> str:
        text = f"{row.source} -> {row.target or 'nothing happens'}"
        if row.event in model.signals:
            text += f" on {row.event}"
        if row.layer != "core":
            text += f" ({row.layer})"
        when = "" if "guard" in change.fields else self._when(row, model)
        if when:
            return f"{text}, {when}"
        return text

    def _when(self, part: Part, model: Model) -> str:
        if isinstance(part, Transition):
            return condition_of(model, part.guard)
        return ""


def _read_by_every_step(model: Model) -> set[str]:
    """The facts that the transitions read which every step has."""
    found = set[str]()
    for row in model.transitions:
        if row.generic:
            found.update(term.fact for term in row.guard)
    return found


def _said(change: Change) -> str:
    part = change.part
    name = f"{change.what} {change.id}"
    doc = getattr(part, "doc", "")
    if isinstance(part, State):
        name = label_of(part)
        doc = window_words(part.opens) if part.kind == "window" else doc
    if doc:
        return f"{name}: {doc}"
    return name


def _shown(value: object) -> str:
    """Return the value of a field for people."""
    if isinstance(value, bool):
        if value:
            return "yes"
        return "no"
    if isinstance(value, tuple):
        value = ", ".join(map(str, value))
    return plain(str(value or "nothing"))


def _contents(states: Sequence[State]) -> str:
    """Describe what happens in a step, or which steps are in a phase, in order."""
    told = []
    for state in states:
        if state.kind == "window":
            told.append(window_words(state.opens))
        elif state.composite or state.role == "action":
            told.append(label_of(state))
    return ", ".join(told) or "nothing happens"
