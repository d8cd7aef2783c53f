"""Says in words what differs between two models, in the order of the turn. What differs in every
step or phase alike is said once.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

from fsm.model import Event, Fact, Model, State, Transition
from fsm.model.reachability import reachable_from
from fsm.views.diff import Change, Difference, Order, Part, merged
from fsm.wording import condition_of, label_of, listed, plain, window_words

MANY = 3
"""An entry that so many steps or phases have alike is written once, for all of them."""
_UNSAID = ("kind", "name", "role", "asks", "family")
"""Fields of a state that follow from others, or that no reader knows."""
_SIGNS = {"+": "came", "-": "went", "~": "changed"}


@dataclass(frozen=True, slots=True)
class Entry:
    """What is said of one change, or of several alike: a sign, a line, and lines below it. `about`
    is the id of what changed.
    """

    sign: str
    text: str
    more: tuple[str, ...] = ()
    about: str = ""


@dataclass(slots=True)
class Section:
    """A heading with its entries. `more` counts what comes and goes with them and is not said."""

    title: str
    level: int = 0
    entries: list[Entry] = field(default_factory=list)
    more: int = 0


def totals(difference: Difference) -> str:
    """Count what was added, removed, changed and renamed, without the window."""
    signs = Counter[str](change.sign for change in difference.changes)
    counts = [f"{signs[sign]} {word}" for sign, word in _SIGNS.items()]
    return ", ".join([*counts, f"{len(difference.renames)} renamed"])


def opening(difference: Difference) -> Iterator[Entry]:
    """Describe what differs as a whole: options, the initial state, and names."""
    for head in difference.head:
        if head.name == "initial":
            yield Entry("~", f"it starts at {head.b}, was at {head.a}")
    old, new = difference.a.options, difference.b.options
    for name in new:
        if name in old and old[name] != new[name]:
            yield Entry("~", f"option {name}: {_shown(old[name])} -> {_shown(new[name])}")
    for rename in difference.renames:
        before, now = label_of(rename.a), label_of(rename.b)
        yield Entry("~", f"{rename.a.kind} {before} is now called {now}")


def texts_of(difference: Difference) -> list[str]:
    """Return a line for each text that differs: citation, label, documentation, plain words."""
    lines = []
    for change in difference.texts:
        for text in change.texts:
            said = f"{text.name} {text.a or 'none'} -> {text.b or 'none'}"
            lines.append(f"{change.what} {change.id}: {said}")
    return lines


# sections -----------------------------------------------------------------------------------------


def sections_of(difference: Difference) -> list[Section]:
    """Describe all changes and orders, but not those of the window."""
    return _Sections(difference).all()


class _Sections:
    """The sections by place: the id of a phase or step, "on EVENT", or "" for the turn."""

    def __init__(self, difference: Difference) -> None:
        self.difference = difference
        self.models = (difference.old, difference.b)
        self.states: dict[str, State] = {}
        self.events: dict[str, str] = {}
        self.framed: set[str] = set()
        for model in self.models:
            self.states |= {state.id: state for state in model.states}
            self.events |= _procedures(model)
            guards = chain.from_iterable(row.guard for row in model.transitions if row.generic)
            self.framed |= {term.fact for term in guards}
        self.lone = {c.id for c in difference.changes if c.what != "transition" and c.sign != "~"}
        self.found: dict[str, list[Entry]] = defaultdict(list)
        self.more = Counter[str]()

    def all(self) -> list[Section]:
        rest = Section("FACTS AND WORDS")
        for change in self.difference.changes:
            part = change.part
            if isinstance(part, State | Transition):
                self._add(change, part)
            elif isinstance(part, Event) and not part.completion:
                self.found[f"on {part.name}"].insert(0, entry_of(change, self.difference))
            elif isinstance(part, Fact) and change.sign != "~" and change.id in self.framed:
                rest.more += 1
            else:
                rest.entries.append(entry_of(change, self.difference))
        for order in self.difference.orders:
            row = self.difference.b.transition(order.ids[0])
            self.found[self._of_row(self.difference.b, row)].append(_reordered(order))
        return [*self._everywhere(), *self._in_order(), *([rest] if rest.entries else [])]

    def _add(self, change: Change, part: State | Transition) -> None:
        model = self.models[change.b is not None]
        if isinstance(part, State):
            place = self._of_state(model, part.id)
            minor = place in self.lone and part.id != place
        else:
            place = self._of_row(model, part, alone=change.sign != "~")
            minor = not change.field("actions") and self._minor(change)
        if minor:
            self.more[place] += 1
        else:
            self.found[place].append(entry_of(change, self.difference))

    def _of_state(self, model: Model, id: str) -> str:
        if id in self.events:
            return f"on {self.events[id]}"
        return next((s.id for s in model.path(id) if s.kind in ("phase", "step")), "")

    def _of_row(self, model: Model, row: Transition, *, alone: bool = False) -> str:
        """A phase or step that only one model has takes also the transitions that lead there."""
        places = [self._of_state(model, end) for end in (row.source, row.target) if end]
        new = [place for place in places if alone and place in self.lone]
        if not new and model.state(row.source).composite and row.event in model.signals:
            return f"on {row.event}"
        return (new or places)[0]

    def _minor(self, change: Change) -> bool:
        """Say whether a transition only comes or goes with a state, on the path through it."""
        touched: set[str] = set()
        for model, row in zip(self.models, (change.a, change.b), strict=True):
            if isinstance(row, Transition):
                source, target = (model.path(end or row.source) for end in (row.source, row.target))
                plain_step = source[1:] == target[1:] and not (
                    row.guard or row.event in model.signals
                )
                if not (row.generic or plain_step):
                    return False
                touched |= {state.id for state in (*source, *target)}
        return bool(touched & self.lone)

    def _everywhere(self) -> list[Section]:
        """Take entries that several steps or phases have alike out of their sections."""
        alike: dict[tuple[str, Entry], list[tuple[str, Entry]]] = defaultdict(list)
        for place in [place for place in self.found if place in self.states]:
            for entry in self.found[place]:
                if entry.about != place:
                    key = self.states[place].kind, self._without_name(entry, place)
                    alike[key].append((place, entry))
        sections: dict[str, Section] = {}
        for (kind, entry), same in alike.items():
            if len(same) >= MANY:
                for place, own in same:
                    self.found[place].remove(own)
                places = self._all_of(kind, [place for place, _ in same])
                title = f"{places.upper()} (here called X)"
                sections.setdefault(title, Section(title)).entries.append(entry)
        return list(sections.values())

    def _without_name(self, entry: Entry, place: str) -> Entry:
        """Return the entry with X in place of the name and label of its phase or step."""
        state = self.states[place]
        names = "|".join(map(re.escape, (label_of(state), state.name)))
        name = rf"(?<![a-z])({names})(?![a-z])"
        text, *more = (re.sub(name, "X", said, flags=re.I) for said in (entry.text, *entry.more))
        return Entry(entry.sign, text, tuple(more))

    def _all_of(self, kind: str, places: Sequence[str]) -> str:
        """Say "every step" or "every phase but these", or name them."""
        states = [s for s in self.difference.b.states if s.kind == kind and s.id not in self.lone]
        others = [label_of(state) for state in states if state.id not in places]
        if len(others) >= min(4, len(places)):
            return listed([label_of(self.states[place]) for place in places])
        return f"every {kind} but {listed(others)}" if others else f"every {kind}"

    def _in_order(self) -> Iterator[Section]:
        """Yield the sections in the order of the turn. A phase has one if one of its steps has."""
        ids = merged(*([s.id for s in model.states if s.composite] for model in self.models))
        events = merged(*(model.signals for model in self.models))
        full = {place for place in self.found if self.found[place]} | {*self.more}
        parents = {self.states[place].parent for place in full if place in self.states}
        phases = {state.id for state in self.states.values() if state.kind == "phase"}
        for place in ["", *ids, *(f"on {event}" for event in events)]:
            if place in full or place in parents & phases:
                level = int(place in self.states and place not in phases)
                entries = self.found.get(place, [])
                yield Section(self._title(place), level, entries, self.more[place])

    def _title(self, place: str) -> str:
        if not place:
            return (self.difference.b.title or "The turn").upper()
        if place not in self.states:
            events = (*self.difference.b.events, *self.difference.a.events)
            doc = next((e.doc for e in events if f"on {e.name}" == place), "")
            return f"On {place[3:]}{f': {doc}' if doc else ''}"
        was = next((r.a for r in self.difference.renames if r.b.id == place), None)
        title = label_of(self.states[place]) + (f" (was {label_of(was)})" if was else "")
        return title.upper() if self.states[place].kind == "phase" else title


def _procedures(model: Model) -> dict[str, str]:
    """Map each state that an event leads to outside the ordinary course to that event."""
    found: dict[str, str] = {}
    onward: dict[str, list[str]] = defaultdict(list)
    for row in model.transitions:
        if row.target and model.state(row.target).role == "procedure":
            onward[row.source].append(row.target)
            onward[f"on {row.event}"].append(row.target)
    for event in model.signals:
        for state in reachable_from(onward[f"on {event}"], lambda at: onward[at]):
            found.setdefault(state, event)
    return found


# one change ---------------------------------------------------------------------------------------


def entry_of(change: Change, difference: Difference) -> Entry:
    """Describe a change."""
    part, model = change.part, difference.old if change.b is None else difference.b
    if change.sign == "~" and isinstance(change.a, Transition) and isinstance(part, Transition):
        return _changed_row(change, (difference.old, change.a), (difference.b, part))
    more: tuple[str, ...] = ()
    if change.sign == "~":
        fields = [field for field in change.fields if field.name not in _UNSAID]
        more = tuple(f"{f.name}: {_shown(f.a)} -> {_shown(f.b)}" for f in fields)
    elif isinstance(part, State) and part.composite:
        more = (f"in it: {_contents(model.children(part.id))}",)
    if not isinstance(part, Transition):
        return Entry(change.sign, _of_part(change, part), more, change.id)
    when = condition_of(model, part.guard)
    text = ", ".join(filter(None, (_ends(model, part), when)))
    return Entry(change.sign, text + _cited(part), more)


def _changed_row(
    change: Change, old: tuple[Model, Transition], new: tuple[Model, Transition]
) -> Entry:
    names = {found.name for found in change.fields}
    more = []
    for word, (model, row) in (("was", old), ("now", new)):
        said = [_ends(model, row)] if names - {"guard", "actions"} else []
        if "guard" in names:
            said.append(condition_of(model, row.guard) or "in any other case")
        if "actions" in names:
            said.append(f"does {', '.join(row.actions) or 'nothing'}")
        more.append(f"{word}: {', '.join(said)}{_cited(row)}")
    return Entry("~", _ends(*new), tuple(more))


def _ends(model: Model, row: Transition) -> str:
    text = f"{row.source} -> {row.target or 'nothing happens'}"
    if row.event in model.signals:
        text += f" on {row.event}"
    return text if row.layer == "core" else f"{text} ({row.layer})"


def _of_part(change: Change, part: Part) -> str:
    name = label_of(part) if isinstance(part, State) else f"{change.what} {change.id}"
    doc = part.doc
    if isinstance(part, State) and part.kind == "window":
        doc = window_words(part.opens)
    return f"{name}{f': {doc}' if doc else ''}{_cited(part)}"


def _cited(part: Part) -> str:
    return f"  [{part.rule}]" if not isinstance(part, Event) and part.rule else ""


def _shown(value: object) -> str:
    """Return the value of a field for people."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        value = ", ".join(map(str, value))
    return plain(str(value or "nothing"))


def _contents(states: Sequence[State]) -> str:
    """Describe what happens in a step, or which steps are in a phase, in order."""
    shown = [s for s in states if s.role in ("action", "window") or s.composite]
    texts = [window_words(s.opens) if s.kind == "window" else label_of(s) for s in shown]
    return ", ".join(texts) or "nothing happens"


def _reordered(order: Order) -> Entry:
    places = zip(order.ids, order.was, strict=True)
    rows = [f"{n}. (was {was + 1}.) {id}" for n, (id, was) in enumerate(places, 1)]
    return Entry("~", f"{order.source}: the same rows, tried in another order", tuple(rows))
