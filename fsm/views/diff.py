"""The difference between two models: as data, and as text in the words of players.

    from fsm.views.diff import diff
    for change in diff(a, b).changes:
        print(change.sign, change.what, change.id)

Parts are matched by name, and renamed steps and phases are recognised. Transitions are matched by
their source, target and event. The text compares what the two readings say.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from operator import attrgetter
from typing import Any, NamedTuple, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from fsm.model import Fact, Model, State, Transition
from fsm.model.elements import Part
from fsm.model.model import TEXTS, ModelLike, as_model
from fsm.views.machines import read_machine
from fsm.views.reader import is_turn, read
from fsm.views.reading import Note
from fsm.views.tables import after, before, leading, note_of
from fsm.wording import citation, label_of, merged, plain_words

__all__ = ["Change", "Difference", "Rename", "as_json", "diff"]

Fields: TypeAlias = dict[str, tuple[object, object]]
"""Fields that differ, by name, with their values on both sides."""
Tried: TypeAlias = dict[str, list[str]]
"""Transitions by their sources, in the order in which they are tried."""
Notes: TypeAlias = Mapping[str, Note]
"""What is said of something: notes by their texts."""
KINDS = ("states", "transitions", "facts", "events", "durations", "settings", "roles")
NAMING = {
    *("initial", "id", "name", "family", "parent", "tells"),
    *("source", "target", "guard", "actions", "test"),
}
"""The fields that name states and facts."""
_WORD = re.compile(r"\w+")


class Rename(NamedTuple):
    """A phase or step with another name. Its states and facts are renamed with it."""

    a: State
    b: State


class Change(Struct, frozen=True):
    """A part that only `b` has (+), that only `a` has (-), or that differs (~).

    Attributes
    ----------
    sign
        "+" for added, "-" for removed, "~" for changed, "" if only texts have changed.
    what
        "turn", "phase", "step", "stage", "transition", "fact", "event", "duration", "setting" or
        "role".
    id
        The id of the part, or its name.
    a, b
        The part in each model, with the names of `b`, or None.
    fields
        The fields that differ, without those that are only text. The field "order" of a state has
        its transitions as they are tried, if `b` tries them in another order.
    texts
        The fields that differ and are only text: citation, documentation, label, plain words.
    """

    sign: str
    what: str
    id: str
    a: Part | None
    b: Part | None
    fields: Fields
    texts: Fields


class Difference(Struct, frozen=True):
    """All that differs from one model to another.

    Attributes
    ----------
    a, b
        The models.
    old
        `a` with the names of `b`.
    renames
        The phases and steps that have another name.
    changes
        The parts that were added, removed or changed.
    window
        The difference of the windows, or None if not both models have one.
    """

    a: Model
    b: Model
    old: Model
    renames: tuple[Rename, ...]
    changes: tuple[Change, ...]
    window: Difference | None = None

    @property
    def all(self) -> tuple[Change, ...]:
        """The changes, and those inside the windows."""
        return self.changes + (self.window.changes if self.window else ())

    @property
    def empty(self) -> bool:
        """Whether nothing differs, except perhaps the name."""
        names = ("title", "edition", "options", "initial")
        own = any(getattr(self.old, name) != getattr(self.b, name) for name in names)
        inside = self.window is not None and not self.window.empty
        return not (own or inside or self.renames or self.changes)


def diff(a: ModelLike, b: ModelLike) -> Difference:
    """Compare two models.

    Parts are matched by name, and renamed steps and phases are recognised.

    Parameters
    ----------
    a
        The first Model, or what names it or is made into it.
    b
        The second Model, likewise.

    Returns
    -------
    Difference
        All that differs from `a` to `b`, including their windows.
    """
    a = as_model(a)
    b = as_model(b)
    known = {state.id for state in a.states} & {state.id for state in b.states}
    renames = tuple(_renames(a, b, known))
    old = _renamed(a, _words(a, b, renames)) if renames else a
    window = diff(a.window, b.window) if a.window and b.window else None
    return Difference(a, b, old, renames, tuple(_changes(old, b)), window)


# parts --------------------------------------------------------------------------------------------


def _key(part: Part) -> str:
    return str(getattr(part, "id", "") or getattr(part, "name", ""))


def _changes(a: Model, b: Model) -> Iterator[Change]:
    orders = _tried(a, b), _tried(b, a)
    for kind in KINDS:
        old = _matched(a, b, kind)
        new = _matched(b, a, kind)
        for key in merged(old, new):
            was = old.get(key)
            now = new.get(key)
            fields = _differing(was, now, orders) if was and now else {}
            texts = {name: fields.pop(name) for name in tuple(fields) if name in TEXTS}
            sign = _sign(key, old, new) or ("~" if fields else "")
            part = now or old[key]
            what = kind.removesuffix("s")
            if isinstance(part, State):
                what = part.kind if part.composite else "stage"
            if sign or texts:
                yield Change(sign, what, _key(part), was, now, fields, texts)


def _sign(key: object, a: Mapping[Any, object], b: Mapping[Any, object]) -> str:
    if key not in a:
        return "+"
    return "" if key in b else "-"


def _matched(model: Model, other: Model, kind: str) -> dict[object, Part]:
    """Return the parts of one kind by what they are matched by: their ids or names. A transition
    with an id that the other model has not is matched by what it does and from where to where.
    """
    known = {_key(part) for part in getattr(other, kind)}
    parts: dict[object, Part] = {}
    for part in getattr(model, kind):
        key: object = _key(part)
        if isinstance(part, Transition) and key not in known:
            key = part.source, part.target, part.event, part.layer, part.generic
            while key in parts:
                key = key, "another"
        parts[key] = part
    return parts


def _differing(a: Part, b: Part, orders: tuple[Tried, Tried]) -> Fields:
    """Return the fields that differ. The order of conditions means nothing."""
    old = asdict(a)
    new = asdict(b)
    if isinstance(a, State):
        old["order"], new["order"] = (tried.get(a.id) for tried in orders)
    if isinstance(a, Transition) and {*old["guard"]} == {*new["guard"]}:
        del old["guard"]
    return {name: (was, new[name]) for name, was in old.items() if was != new[name]}


def _tried(model: Model, other: Model) -> Tried:
    """Return the transitions that both models have, as one tries them."""
    known = {row.id for row in other.transitions}
    tried: Tried = {}
    for row in sorted(model.transitions, key=attrgetter("event")):
        if row.id in known:
            tried.setdefault(row.source, []).append(row.id)
    return tried


# names --------------------------------------------------------------------------------------------


def _renames(a: Model, b: Model, known: Set[str], was: str = "", now: str = "") -> Iterator[Rename]:
    """Yield the phases and steps inside a state that have another name. `known` are the ids that
    both models have.
    """
    new = _places(b, now, known)
    for place, old in _places(a, was, known).items():
        if place in new:
            if old.id not in known:
                yield Rename(old, new[place])
            yield from _renames(a, b, known, old.id, new[place].id)


def _places(model: Model, parent: str, known: Set[str]) -> dict[object, State]:
    """Return the phases and steps directly inside a state by their ids, and those that only this
    model has by their neighbours and what they are made of.
    """
    inside = [state for state in model.children(parent) if state.composite]
    ids = ["", *(state.id for state in inside), ""]
    places: dict[object, State] = {}
    for i, state in enumerate(inside):
        place: object = state.id
        if state.id not in known:
            place = ids[i], ids[i + 2], _made_of(model, state, known)
        places[place] = state
    return places


def _made_of(model: Model, state: State, known: Set[str]) -> object:
    """Return what a state is for, and of which parts it consists."""
    kind = state.kind if state.composite else state.role
    parts = tuple(
        part.id if part.composite and part.id in known else _made_of(model, part, known)
        for part in model.children(state.id)
    )
    return kind, state.action if kind == "action" else "", parts


def _words(a: Model, b: Model, renames: Iterable[Rename]) -> dict[str, str]:
    """Return what `b` calls the renamed parts of `a`, and the facts that are about them."""
    words: dict[str, str] = {}
    for old, new in renames:
        words |= {old.family: new.family, old.name: new.name, old.id: new.id}
        parts = zip(a.children(old.id), b.children(new.id), strict=True)
        words |= {part.id: other.id for part, other in parts}
    words.pop("", None)
    facts = {fact.test: fact.name for fact in b.facts if fact.test}
    for fact in a.facts:
        test = tuple(words.get(word, word) for word in fact.test)
        if test in facts:
            words[fact.name] = facts[test]
    return words


def _renamed(model: Model, words: Mapping[str, str]) -> Model:
    data = model.to_json()
    for part in (data, *data["states"], *data["transitions"], *data["facts"]):
        for name in NAMING & part.keys():
            part[name] = _with(part[name], words)
    return Model.from_json(data)


def _with(value: Any, words: Mapping[str, str]) -> Any:
    """Return the value of a field with other names: of an action, in its arguments only."""
    if not isinstance(value, str):
        return value and [_with(each, words) for each in value]
    name, bracket, arguments = value.partition("(")
    if name == "mark":  # marks are names of their own
        return value
    if bracket:
        return name + bracket + _WORD.sub(lambda word: words.get(word[0], word[0]), arguments)
    fact = value.removeprefix("not ")
    return value.removesuffix(fact) + words.get(fact, fact)


# JSON ---------------------------------------------------------------------------------------------


def as_json(difference: Difference) -> dict[str, object]:
    """Return a difference as plain JSON values. What went has the names that `a` has."""
    own: dict[Part | None, Part]
    own = dict(zip(_parts(difference.old), _parts(difference.a), strict=True))
    changes: list[object] = []
    for change in difference.changes:
        part = change.b or own[change.a]
        values = {
            "sign": change.sign,
            "what": change.what,
            "id": _key(part),
            "fields": _sides(change.fields),
            "texts": _sides(change.texts),
        }
        changes.append(values if change.a and change.b else {**values, "part": part})
    value = {
        "a": _summary(difference.a),
        "b": _summary(difference.b),
        "same": difference.empty,
        "renames": [{"what": r.a.kind, "a": r.a.id, "b": r.b.id} for r in difference.renames],
        "changes": changes,
        "window": as_json(difference.window) if difference.window else None,
    }
    return msgspec.to_builtins(value, enc_hook=str)  # type: ignore[no-any-return]


def _sides(fields: Fields) -> object:
    return {name: {"a": old, "b": new} for name, (old, new) in fields.items()}


def _parts(model: Model) -> list[Part]:
    return [part for kind in KINDS for part in getattr(model, kind)]


def _summary(model: Model) -> dict[str, object]:
    names = ("name", "edition", "options", "initial", "fingerprint", "behaviour_fingerprint")
    counts = {"states": len(model.states), "transitions": len(model.transitions)}
    return {name: getattr(model, name) for name in names} | counts


# text ---------------------------------------------------------------------------------------------


class Line(NamedTuple):
    """A line: its sign ("+", "-", "~", "head" for a heading), its text, and how deep it stands."""

    sign: str
    text: str
    level: int = 0


class Section(NamedTuple):
    """What is said of one step, window, ending or state."""

    group: str
    title: str
    notes: Notes


NOTHING = Section("", "", {})
"""What is said of a section that a model does not have."""


def lines_of(difference: Difference, *, rules: bool) -> Iterator[Line]:
    """Tell what the reading of one model says, and that of the other does not.

    With `rules`, everything that differs only in words is told, too.
    """
    yield from _names(difference)
    yield from _by_section(difference)
    yield from _in_the_model(difference)
    texts = [
        f"{change.what} {change.id}: {name} {_shown(*values)}"
        for change in difference.all
        for name, values in change.texts.items()
    ]
    if texts:
        more = "" if rules else " (--rules lists them)"
        yield Line("head", f"Only in words: {len(texts)}{more}")
    if rules:
        yield from (Line("~", text) for text in texts)


def _names(difference: Difference) -> Iterator[Line]:
    options = difference.b.options
    for name, old in difference.a.options.items():
        if options.get(name, old) != old:
            yield Line("~", f"option {name}: {_shown(old, options[name])}")
    for was, now in difference.renames:
        yield Line("~", f"{was.kind} {label_of(was)} is now called {label_of(now)}")


def _by_section(difference: Difference) -> Iterator[Line]:
    """Tell what differs in each step, window, ending or state, below its title."""
    a = _sections(difference.old)
    b = _sections(difference.b)
    changed = {change.id for change in difference.all if change.sign}
    group = ""
    for id in merged(a, b):
        section = b.get(id) or a[id]
        sign = _sign(id, a, b)
        lines = [*_compared(a.get(id, NOTHING).notes, b.get(id, NOTHING).notes, changed)]
        if not (lines or sign):
            continue
        if section.group != group:
            group = section.group
            yield from (Line("head", ""), Line("head", group.upper()))
        yield Line(sign, section.title) if sign else Line("head", section.title, 1)
        yield from lines


def _compared(a: Notes, b: Notes, changed: Set[str]) -> Iterator[Line]:
    """Yield the notes that one side does not have, but for those that only have other words."""
    for text in merged(a, b):
        note = b.get(text) or a[text]
        sign = _sign(text, a, b)
        if sign and not (note.tells and changed.isdisjoint(note.tells)):
            yield Line(sign, text + citation(note.rule), 1)


def _sections(model: Model) -> dict[str, Section]:
    if not is_turn(model):
        return {
            id: Section("", title, {text: Note(text) for text in said})
            for id, title, said in leading(read_machine(model))
        }
    turn = read(model)
    sections = {"": Section("", turn.title, {note.text: note for note in turn.notes})}
    groups = {
        "": turn.steps,
        "In each window": turn.windows,
        f"When a {turn.word} is cut short": turn.endings,
    }
    for group, steps in groups.items():
        for step in steps:
            phase = turn.phase_of(step.id)
            notes = (*before(turn, step), *map(note_of, step.lines), *after(turn, step))
            title = phase.title if phase else group
            sections[step.id] = Section(title, step.title, {note.text: note for note in notes})
    return sections


def _in_the_model(difference: Difference) -> Iterator[Line]:
    """Count what differs in the models, and name what decides."""
    signs = Counter(change.sign for change in difference.all)
    counts = f"{signs['+']} came, {signs['-']} went, {signs['~']} changed"
    lines = [*_deciding(difference), *(_deciding(difference.window) if difference.window else ())]
    some = "; those that decide:" if lines else ""
    yield from (Line("head", ""), Line("head", f"In the model: {counts}{some}"))
    yield from lines


def _deciding(difference: Difference) -> Iterator[Line]:
    """Tell the parts that decide how a turn goes on: states only by the order of their ways, ways
    that not every step has by a condition, and facts that such ways read.
    """
    for change in difference.changes:
        part = change.b or change.a
        model = difference.b if change.b else difference.old
        decides = True
        text = f"{change.what} {change.id}: {getattr(part, 'doc', '')}"
        if isinstance(part, State):
            decides = "order" in change.fields
        elif isinstance(part, Fact):
            ways = [row for row in model.transitions if not row.generic]
            decides = any(term.fact == part.name for row in ways for term in row.guard)
        elif isinstance(part, Transition):
            decides = not part.generic and bool(part.guard or change.fields)
            goal = part.target or "nothing happens"
            text = f"{part.source} -> {goal}: {plain_words(model, part)}"
        fields = [f"{name} {_shown(*values)}" for name, values in change.fields.items()]
        if change.sign and decides:
            yield Line(change.sign, "; ".join([text.removesuffix(": "), *fields]))


def _shown(*values: object) -> str:
    texts = []
    for value in values:
        if isinstance(value, bool):
            value = "yes" if value else "no"
        parts = value if isinstance(value, tuple | list) else [value]
        texts.append(", ".join(map(str, parts)) or "none")
    return " -> ".join(texts)
