"""The difference between two models: as data, and as text in the words of players.

    from fsm.views.diff import diff
    for change in diff(a, b).changes:
        print(change.sign, change.what, change.id)

Parts are matched by name, and renamed steps and phases are recognised. Transitions are matched by
their source, target and event. The text compares what the two readings say.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

import msgspec

from fsm.model import Duration, Event, Fact, Model, Role, Setting, State, Transition
from fsm.model.model import TEXTS, ModelLike, as_model, per_model
from fsm.views.machines import read_machine
from fsm.views.reader import is_turn, read
from fsm.views.reading import Note, Step
from fsm.views.tables import after, before, leading, note_of
from fsm.wording import citation, label_of, merged, plain_words

__all__ = ["Change", "Difference", "Rename", "as_json", "diff"]

Part: TypeAlias = State | Transition | Fact | Event | Duration | Setting | Role
Fields: TypeAlias = Mapping[str, tuple[object, object]]
"""Fields that differ, by name, with their values on both sides."""
KINDS = ("states", "transitions", "facts", "events", "durations", "settings", "roles")
_NAMING = {
    "id",
    "name",
    "family",
    "parent",
    "tells",
    "source",
    "target",
    "guard",
    "actions",
    "test",
}
"""The fields that name states and facts."""
_WORD = re.compile(r"\w+")


class Rename(NamedTuple):
    """A phase or step with another name. Its states and facts are renamed with it."""

    a: State
    b: State


@dataclass(frozen=True, slots=True)
class Change:
    """A part that only `b` has (+), that only `a` has (-), or that differs (~).

    Attributes
    ----------
    what
        "turn", "phase", "step", "stage", "transition", "fact", "event", "duration", "setting" or
        "role".
    a, b
        The part in each model, with the names of `b`, or None.
    fields
        The fields that differ, without those that are only text. The field "order" of a state has
        its transitions as they are tried, if `b` tries them in another order.
    texts
        The fields that differ and are only text: citation, documentation, label, plain words.
    """

    what: str
    a: Part | None
    b: Part | None
    fields: Fields = field(default_factory=dict)
    texts: Fields = field(default_factory=dict)

    @property
    def sign(self) -> str:
        """ "+" for added, "-" for removed, "~" for changed, "" if only texts have changed."""
        if self.a is None:
            return "+"
        if self.b is None:
            return "-"
        return "~" if self.fields else ""

    @property
    def part(self) -> Part:
        """The part in `b`, or in `a` if it went."""
        part = self.b or self.a
        assert part is not None, "a change is of something"
        return part

    @property
    def id(self) -> str:
        """The id of the part, or its name."""
        return _key(self.part)


@dataclass(frozen=True)
class Difference:
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

Tried: TypeAlias = Mapping[str, list[str]]
"""The transitions of each state that both models have, in the order in which they are tried."""


def _key(part: Part) -> str:
    return part.id if isinstance(part, State | Transition) else part.name


def _changes(a: Model, b: Model) -> Iterator[Change]:
    orders = _tried(a, b), _tried(b, a)
    for kind in KINDS:
        old = _matched(a, b, kind)
        new = _matched(b, a, kind)
        for key in merged(old, new):
            change = _change(old.get(key), new.get(key), orders)
            if change.sign or change.texts:
                yield change


def _matched(model: Model, other: Model, kind: str) -> dict[object, Part]:
    """Return the parts of one kind by what they are matched by: their ids or names. A transition
    with an id that the other model has not is matched by what it does and from where to where.
    """
    known = {_key(part) for part in getattr(other, kind)}
    parts: dict[object, Part] = {}
    alike = Counter[object]()
    for part in getattr(model, kind):
        key: object = _key(part)
        if isinstance(part, Transition) and key not in known:
            course = part.source, part.target, part.event, part.layer, part.generic
            alike[course] += 1
            key = course, alike[course]
        parts[key] = part
    return parts


def _change(a: Part | None, b: Part | None, orders: tuple[Tried, Tried]) -> Change:
    part = b or a
    what = type(part).__name__.lower()
    if isinstance(part, State):
        what = part.kind if part.composite else "stage"
    if a is None or b is None:
        return Change(what, a, b)
    differing = dict(_differing(a, b))
    was, now = (tried.get(_key(b)) for tried in orders)
    if isinstance(b, State) and was != now:
        differing["order"] = was, now
    texts = {name: differing.pop(name) for name in tuple(differing) if name in TEXTS}
    return Change(what, a, b, differing, texts)


def _differing(a: Part, b: Part) -> Iterator[tuple[str, tuple[object, object]]]:
    """Yield the fields that differ. The order of conditions means nothing."""
    for name in a.__struct_fields__:
        old = getattr(a, name)
        new = getattr(b, name)
        same = {*old} == {*new} if name == "guard" else old == new
        if not same:
            yield name, (old, new)


def _tried(model: Model, other: Model) -> Tried:
    known = {row.id for row in other.transitions}
    tried = defaultdict[str, list[str]](list)
    for row in sorted(model.transitions, key=lambda row: row.event):
        if row.id in known:
            tried[row.source].append(row.id)
    return tried


# names --------------------------------------------------------------------------------------------


def _renames(a: Model, b: Model, known: Set[str], was: str = "", now: str = "") -> Iterator[Rename]:
    """Find the phases and steps with another name: alone between the same neighbours, and made of
    the same parts. `known` are the ids that both models have.
    """
    places = _places(b, now)
    for place, old in _places(a, was).items():
        new = places.get(place)
        if old.id in known:
            yield from _renames(a, b, known, old.id, old.id)
        elif new and new.id not in known and _made_of(a, old, known) == _made_of(b, new, known):
            yield Rename(old, new)
            yield from _renames(a, b, known, old.id, new.id)


def _places(model: Model, parent: str) -> dict[tuple[str, str], State]:
    """Return the phases and steps directly inside a state, by the ids of their neighbours."""
    inside = [state for state in model.children(parent) if state.composite]
    ids = ["", *(state.id for state in inside), ""]
    return {(ids[i], ids[i + 2]): state for i, state in enumerate(inside)}


def _made_of(model: Model, state: State, known: Set[str]) -> object:
    """Return what a state is for, and of which parts it consists."""
    kind = state.kind if state.composite else state.role
    parts = [
        part.id if part.composite and part.id in known else _made_of(model, part, known)
        for part in model.children(state.id)
    ]
    return kind, state.action if kind == "action" else "", parts


def _words(a: Model, b: Model, renames: Iterable[Rename]) -> dict[str, str]:
    """Return what `b` calls the renamed parts of `a`, and the facts that are about them."""
    words: dict[str, str] = {}
    for old, new in renames:
        words |= {old.family: new.family, old.name: new.name, old.id: new.id}
        for part, other in zip(a.children(old.id), b.children(new.id), strict=True):
            if not part.composite:
                words[part.id] = other.id
    words.pop("", None)
    facts = {(fact.owner, fact.test): fact.name for fact in b.facts if fact.test}
    for fact in a.facts:
        test = tuple(words.get(word, word) for word in fact.test)
        if (fact.owner, test) in facts:
            words[fact.name] = facts[fact.owner, test]
    return words


def _renamed(model: Model, words: Mapping[str, str]) -> Model:
    data = model.to_json()
    data["initial"] = words.get(model.initial, model.initial)
    for part in (*data["states"], *data["transitions"], *data["facts"]):
        for name in _NAMING & part.keys():
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
    negated = "not " if name.startswith("not ") else ""
    name = name.removeprefix(negated)
    return negated + words.get(name, name)


# JSON ---------------------------------------------------------------------------------------------


def as_json(difference: Difference) -> dict[str, object]:
    """Return a difference as plain JSON values. What went has the names that `a` has."""
    own = dict(zip(_parts(difference.old), _parts(difference.a), strict=True))
    changes: list[object] = []
    for change in difference.changes:
        part = change.part if change.b else own[change.part]
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
    """What is said of one step, window, ending or state: notes by their texts."""

    group: str
    title: str
    said: Mapping[str, Note]


def lines_of(difference: Difference, *, rules: bool) -> Iterator[Line]:
    """Tell what the reading of one model says, and that of the other does not.

    With `rules`, everything that differs only in words is told, too.
    """
    yield from _names(difference)
    yield from _by_section(difference)
    yield from _in_the_model(difference)
    texts = [*_texts(difference), *(_texts(difference.window) if difference.window else ())]
    if texts:
        more = "" if rules else " (--rules lists them)"
        yield Line("head", f"Only in words: {len(texts)}{more}")
        yield from texts if rules else ()


def _names(difference: Difference) -> Iterator[Line]:
    options = difference.b.options
    for name, old in difference.a.options.items():
        if options.get(name, old) != old:
            yield Line("~", f"option {name}: {_shown(old, options[name])}")
    for was, now in difference.renames:
        yield Line("~", f"{was.kind} {label_of(was)} is now called {label_of(now)}")


def _by_section(difference: Difference) -> Iterator[Line]:
    a = _sections(difference.old)
    b = _sections(difference.b)
    changed = {change.id for change in difference.all if change.sign}
    group = ""
    for id in merged(a, b):
        lines = [*_compared(a.get(id), b.get(id), changed)]
        section = b.get(id) or a[id]
        if lines and section.group != group:
            group = section.group
            yield from (Line("head", ""), Line("head", group.upper()))
        yield from lines


def _compared(old: Section | None, new: Section | None, changed: Set[str]) -> Iterator[Line]:
    """Yield what differs in a section, below its title, but for what only has other words."""
    section = new or old
    assert section is not None, "one of both models has it"
    was = old.said if old else {}
    now = new.said if new else {}
    lines = []
    for text in merged(was, now):
        note = now.get(text) or was[text]
        same = text in was and text in now
        if not same and not (note.tells and changed.isdisjoint(note.tells)):
            lines.append(Line("+" if text in now else "-", text + citation(note.rule), 1))
    if old is None or new is None:
        yield Line("+" if new else "-", section.title)
    elif lines:
        yield Line("head", section.title, 1)
    yield from lines


def _sections(model: Model) -> dict[str, Section]:
    found: dict[str, Section] = {}
    if not is_turn(model):
        for id, title, said in leading(read_machine(model)):
            found[id] = Section("", title, {text: Note(text) for text in said})
        return found
    turn = read(model)
    found[""] = Section("", turn.title, {note.text: note for note in turn.notes})
    for step in turn.steps:
        phase = turn.phase_of(step.id)
        notes = (*before(turn, step), *map(note_of, step.lines), *after(turn, step))
        found[step.id] = _section(phase.title if phase else "", step, notes)
    for step in turn.windows:
        found[step.id] = _section("In each window", step, map(note_of, step.lines))
    for step in turn.endings:
        found[step.id] = _section(
            f"When a {turn.word} is cut short", step, map(note_of, step.lines)
        )
    return found


def _section(group: str, step: Step, notes: Iterable[Note]) -> Section:
    return Section(group, step.title, {note.text: note for note in notes})


def _in_the_model(difference: Difference) -> Iterator[Line]:
    """Count what differs in the models, and name what decides."""
    signs = Counter(change.sign for change in difference.all)
    counts = f"{signs['+']} came, {signs['-']} went, {signs['~']} changed"
    lines = [*_deciding(difference), *(_deciding(difference.window) if difference.window else ())]
    some = "; those that decide:" if lines else ""
    yield from (Line("head", ""), Line("head", f"In the model: {counts}{some}"))
    yield from lines


def _deciding(difference: Difference) -> Iterator[Line]:
    for change in difference.changes:
        model = difference.b if change.b else difference.old
        if _decides(change, model):
            yield Line(change.sign, _told(change, model))


def _decides(change: Change, model: Model) -> bool:
    """Whether a part decides how a turn goes on: no state does, no way that every step has or that
    needs no condition, and no fact that only such ways read.
    """
    part = change.b or change.a
    if isinstance(part, State) or not change.sign:
        return "order" in change.fields
    if isinstance(part, Transition):
        return not part.generic and bool(part.guard or change.fields)
    return not isinstance(part, Fact) or part.name in _own_facts(model)


@per_model
def _own_facts(model: Model) -> set[str]:
    """The facts that ways read which not every step has."""
    found = set[str]()
    for row in model.transitions:
        found.update(term.fact for term in row.guard if not row.generic)
    return found


def _told(change: Change, model: Model) -> str:
    """What a part is called and means, and its fields that differ."""
    part = change.b or change.a
    assert part is not None, "a change is of something"
    if isinstance(part, Transition):
        goal = part.target or "nothing happens"
        said = f"{part.source} -> {goal}: {plain_words(model, part)}"
    else:
        said = f"{change.what} {change.id}: {getattr(part, 'doc', '')}"
    fields = [f"{name} {_shown(*values)}" for name, values in change.fields.items()]
    return "; ".join([said.removesuffix(": "), *fields])


def _texts(difference: Difference) -> Iterator[Line]:
    for change in difference.changes:
        for name, values in change.texts.items():
            yield Line("~", f"{change.what} {change.id}: {name} {_shown(*values)}")


def _shown(*values: object) -> str:
    texts = []
    for value in values:
        if isinstance(value, bool):
            value = "yes" if value else "no"
        parts = value if isinstance(value, tuple | list) else [value]
        texts.append(", ".join(map(str, parts)) or "none")
    return " -> ".join(texts)
