"""Says in words what differs between two models, in the order of the turn. What differs in several
steps or phases alike is said once.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from fsm.model import Model, State, Transition
from fsm.views.diff import Change, Difference, Part, merged
from fsm.wording import condition_of, label_of, listed, plain, window_words

MANY = 3
"""An entry that so many steps or phases have alike is written once, for all of them."""
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


class Entry(NamedTuple):
    """What is said of one change: a sign, a text, and what stands below it."""

    sign: str
    text: str
    more: tuple[str, ...] = ()


def lines_of(difference: Difference, *, rules: bool) -> Iterator[Line]:
    """Tell a difference and that of its window.

    With `rules`, each citation, label and documentation that differs is told, too.
    """
    yield from _own_lines(difference, rules=rules)
    said, inside = _totals(difference), difference.window
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
    was, now = difference.a.options, difference.b.options
    for name in now:
        if was.get(name, now[name]) != now[name]:
            yield Line("~", f"option {name}: {_shown(was[name])} -> {_shown(now[name])}")
    for before, after in difference.renames:
        yield Line("~", f"{before.kind} {label_of(before)} is now called {label_of(after)}")
    yield from _Sections(difference).lines()
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
        self.b, self.old = difference.b, difference.old
        self.states = {state.id: state for state in (*self.old.states, *self.b.states)}
        self.was = {new.id: f" (was {label_of(old)})" for old, new in difference.renames}
        self.lone = {c.id for c in difference.changes if c.sign in _LONE and c.id in self.states}
        self.generic: set[str] = set()
        for row in (*self.old.transitions, *self.b.transitions):
            self.generic.update(term.fact for term in row.guard if row.generic)
        self.entries = defaultdict[str, list[Entry]](list)
        self.more = Counter[str]()
        for change in difference.changes:
            if not change.sign:
                continue
            place = self._place(change)
            if self._goes_along(change, place):
                self.more[place] += 1
            else:
                self.entries[place].append(self._entry(change))
        for order in difference.orders:
            entry = Entry("~", f"{order.source}: tried in another order", order.ids)
            self.entries[self._home(self.b, order.source)].append(entry)

    def _home(self, model: Model, id: str) -> str:
        """The innermost phase or step of a state, or ""."""
        around = [state.id for state in model.path(id) if state.kind in ("phase", "step")]
        return around[0] if around else ""

    def _place(self, change: Change) -> str:
        """Where a change is told. A step that only one model has takes what leads there."""
        part, model = change.part, self.b if change.b else self.old
        if isinstance(part, State):
            return self._home(model, part.id)
        if not isinstance(part, Transition):
            return REST
        target = self._home(model, part.target or part.source)
        return target if target in self.lone else self._home(model, part.source)

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

    def lines(self) -> Iterator[Line]:
        """Tell all sections in the order of the turn. A phase has one if one of its steps has."""
        yield from self._alike()
        old = [state.id for state in self.old.states if state.composite]
        new = [state.id for state in self.b.states if state.composite]
        full = {place for place in self.entries if self.entries[place]} | {*self.more}
        around = {self.states[place].parent for place in full if place in self.states}
        for place in ["", *merged(old, new), REST]:
            state = self.states.get(place)
            inner = state is not None and state.kind == "step"
            if place in full or (place in around and place and not inner):
                yield from _headed(self._title(place), inner)
                yield from _told(self.entries[place], inner)
            if self.more[place]:
                yield Line("", f"(and {self.more[place]} more that go with it)", inner)

    def _title(self, place: str) -> str:
        if place == REST:
            return "FACTS AND WORDS"
        state = self.states.get(place)
        if state is None:
            return (plain(self.b.title) or "The turn").upper()
        title = label_of(state) + self.was.get(place, "")
        return title if state.kind == "step" else title.upper()

    def _alike(self) -> Iterator[Line]:
        """Tell what several steps or phases have alike, and take it out of their sections."""
        places = defaultdict[Entry, list[str]](list)
        own: dict[tuple[Entry, str], Entry] = {}
        for place in [place for place in self.entries if place in self.states]:
            for entry in self.entries[place]:
                alike = _without_name(entry, self.states[place])
                places[alike].append(place)
                own[alike, place] = entry
        titles = defaultdict[str, list[Entry]](list)
        for alike, those in places.items():
            if len(those) >= MANY and alike.text.strip("X"):
                titles[self._all(those)].append(alike)
                for place in those:
                    self.entries[place].remove(own[alike, place])
        for title, entries in titles.items():
            yield from _headed(f"{title.upper()} (here called X)")
            yield from _told(entries, 0)

    def _all(self, places: Sequence[str]) -> str:
        """Say "every step", or name them."""
        kind = self.states[places[0]].kind
        known = {state.id for state in self.b.of_kind(kind)}
        if known <= {*places}:
            return f"every {kind}"
        return listed([label_of(self.states[place]) for place in dict.fromkeys(places)])

    def _entry(self, change: Change) -> Entry:
        part, model = change.part, self.b if change.b else self.old
        if isinstance(part, Transition):
            return self._row(change, part, model)
        more = []
        if isinstance(part, State) and part.composite and change.sign in _LONE:
            more = [f"in it: {_contents(model.children(part.id))}"]
        for name, (old, new) in change.fields.items():
            more += [f"{name}: {_shown(old)} -> {_shown(new)}"] if name not in _UNSAID else []
        return Entry(change.sign, _said(change) + _cited(part), tuple(more))

    def _row(self, change: Change, row: Transition, model: Model) -> Entry:
        """What is said of a transition; if it has changed, how it was and is."""
        text = f"{row.source} -> {row.target or 'nothing happens'}"
        text += f" on {row.event}" if row.event in model.signals else ""
        text += f" ({row.layer})" if row.layer != "core" else ""
        more = []
        for name, (old, new) in change.fields.items():
            told = [f"{name} was: {_shown(old)}", f"{name} now: {_shown(new)}"]
            more += told if name != "guard" else []
        if "guard" in change.fields and isinstance(change.a, Transition):
            was, now = condition_of(self.old, change.a.guard), condition_of(model, row.guard)
            more += [f"was: {was or 'in any other case'}", f"now: {now or 'in any other case'}"]
        when = "" if "guard" in change.fields else condition_of(model, row.guard)
        said = ", ".join(filter(None, (text, when)))
        return Entry(change.sign, said + _cited(row), tuple(more))


def _told(entries: Sequence[Entry], level: int) -> Iterator[Line]:
    for entry in entries:
        yield Line(entry.sign, entry.text, level)
        for text in entry.more:
            yield Line("", text, level)


def _without_name(entry: Entry, state: State) -> Entry:
    """Return the entry with X in place of the name and label of its phase or step."""
    names = "|".join(map(re.escape, (label_of(state), state.name)))
    name = re.compile(rf"(?<![a-z])({names})(?![a-z])", re.IGNORECASE)
    more = [name.sub("X", said) for said in entry.more]
    return Entry(entry.sign, name.sub("X", entry.text), tuple(more))


def _said(change: Change) -> str:
    part, name = change.part, f"{change.what} {change.id}"
    doc = getattr(part, "doc", "")
    if isinstance(part, State):
        name = label_of(part)
        doc = window_words(part.opens) if part.kind == "window" else doc
    return f"{name}: {doc}" if doc else name


def _cited(part: Part) -> str:
    rule = getattr(part, "rule", "")
    return f"  [{rule}]" if rule else ""


def _shown(value: object) -> str:
    """Return the value of a field for people."""
    if isinstance(value, bool):
        return "yes" if value else "no"
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
