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
from difflib import SequenceMatcher
from typing import Any, NamedTuple, TypeAlias

import msgspec

from fsm.model import Duration, Event, Fact, Model, Role, Setting, State, Transition
from fsm.model.model import TEXTS, ModelLike, as_model, per_model
from fsm.views.machines import read_machine
from fsm.views.reader import is_turn, read
from fsm.views.reading import Note, Step
from fsm.views.tables import after, before, leading
from fsm.wording import citation, label_of, merged, plain_words

__all__ = ["Change", "Difference", "Rename", "as_json", "diff"]

Part: TypeAlias = State | Transition | Fact | Event | Duration | Setting | Role
Fields: TypeAlias = Mapping[str, tuple[object, object]]
"""Fields that differ, by name, with their values on both sides."""
NAMED = ("facts", "events", "durations", "settings", "roles")
"""The parts that are matched by their names, apart from states."""
_NAMING = {
    "states": ("id", "name", "family", "parent", "tells"),
    "transitions": ("source", "target", "guard", "actions"),
    "facts": ("name", "test"),
}
"""The fields that name states and facts, as JSON."""
_SIGNS = {"+": "came", "-": "went", "~": "changed"}
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
    def id(self) -> str:
        """The id of the part, or its name."""
        part = self.b or self.a
        assert part is not None, "a change is of something"
        return _key(part)


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
        heads = []
        for model in (self.old, self.b):
            heads.append((model.title, model.edition, model.options, model.initial))
        own = self.renames or self.changes or heads[0] != heads[1]
        return not own and (self.window is None or self.window.empty)


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
    renames = tuple(_renames(a, b))
    old = _with_names_of(b, a, renames)
    pairs = [*_by_name(old.states, b.states), *_rows(old, b)]
    for kind in NAMED:
        pairs += _by_name(getattr(old, kind), getattr(b, kind))
    orders = _tried(old, b), _tried(b, old)
    changes = (_change(was, now, orders) for was, now in pairs)
    window = diff(a.window, b.window) if a.window and b.window else None
    return Difference(a, b, old, renames, tuple(filter(None, changes)), window)


# parts --------------------------------------------------------------------------------------------

Pair: TypeAlias = tuple[Part | None, Part | None]
Tried: TypeAlias = Mapping[str, list[str]]
"""The transitions of each state that both models have, in the order in which they are tried."""


def _key(part: Part) -> str:
    return part.id if isinstance(part, State | Transition) else part.name


def _by_name(a: Sequence[Part], b: Sequence[Part]) -> Iterator[Pair]:
    old = {_key(part): part for part in a}
    new = {_key(part): part for part in b}
    for name in merged(old, new):
        yield old.get(name), new.get(name)


def _rows(a: Model, b: Model) -> Iterator[Pair]:
    """Match transitions by their ids, and the others by what they do and from where to where."""
    old = {row.id: row for row in a.transitions}
    gone = old.keys() - {row.id for row in b.transitions}
    others = defaultdict[object, list[Transition]](list)
    for row in a.transitions:
        if row.id in gone:
            others[_course(row)].append(row)
    for row in b.transitions:
        alike = others[_course(row)]
        was = old.get(row.id) or (alike.pop(0) if alike else None)
        yield was, row
    for rows in others.values():
        yield from ((row, None) for row in rows)


def _course(row: Transition) -> object:
    return row.source, row.target, row.event, row.layer, row.generic


def _change(a: Part | None, b: Part | None, orders: tuple[Tried, Tried]) -> Change | None:
    what = _what(b or a)
    if a is None or b is None:
        return Change(what, a, b)
    found = dict(_differing(a, b))
    was, now = (tried.get(_key(b)) for tried in orders)
    if isinstance(b, State) and was != now:
        found["order"] = was, now
    texts = {name: found.pop(name) for name in tuple(found) if name in TEXTS}
    return Change(what, a, b, found, texts) if found or texts else None


def _what(part: Part | None) -> str:
    if isinstance(part, State):
        return part.kind if part.composite else "stage"
    return type(part).__name__.lower()


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
    found = defaultdict[str, list[str]](list)
    for row in sorted(model.transitions, key=lambda row: row.event):
        if row.id in known:
            found[row.source].append(row.id)
    return found


# names --------------------------------------------------------------------------------------------


def _renames(a: Model, b: Model, was: str = "", now: str = "") -> Iterator[Rename]:
    """Find the phases and steps with another name: alone between the same neighbours, and made of
    the same parts.
    """
    old = [state for state in a.children(was) if state.composite]
    new = [state for state in b.children(now) if state.composite]
    both = SequenceMatcher(None, [s.id for s in old], [s.id for s in new], autojunk=False)
    for kind, i, i_end, j, j_end in both.get_opcodes():
        if kind == "equal":
            for state in old[i:i_end]:
                yield from _renames(a, b, state.id, state.id)
        elif i_end - i == j_end - j == 1 and _is_alike(a, b, old[i], new[j]):
            yield Rename(old[i], new[j])
            yield from _renames(a, b, old[i].id, new[j].id)


def _is_alike(a: Model, b: Model, old: State, new: State) -> bool:
    """Say whether both consist of the same parts in the same order."""
    if _purpose(old) != _purpose(new):
        return False
    parts = a.children(old.id)
    others = b.children(new.id)
    if len(parts) != len(others):
        return False
    for part, other in zip(parts, others, strict=True):
        same = part.composite and part.id == other.id
        if not same and not _is_alike(a, b, part, other):
            return False
    return True


def _purpose(state: State) -> tuple[str, str]:
    kind = state.kind if state.composite else state.role
    return kind, state.action if kind == "action" else ""


def _with_names_of(b: Model, a: Model, renames: Sequence[Rename]) -> Model:
    """Return `a` with the names that `b` has."""
    words: dict[str, str] = {}
    for old, new in renames:
        words |= {old.family: new.family, old.name: new.name, old.id: new.id}
        for part, other in zip(a.children(old.id), b.children(new.id), strict=True):
            if not part.composite:
                words[part.id] = other.id
    words.pop("", None)
    if not words:
        return a
    renamed = _renamed(a, words)
    tests = {(fact.owner, fact.test): fact.name for fact in b.facts if fact.test}
    facts = {fact.name: tests.get((fact.owner, fact.test), fact.name) for fact in renamed.facts}
    return _renamed(renamed, facts)


def _renamed(model: Model, words: Mapping[str, str]) -> Model:
    data = model.to_json()
    data["initial"] = words.get(model.initial, model.initial)
    for kind, fields in _NAMING.items():
        for part in data[kind]:
            for name in part.keys() & {*fields}:
                part[name] = _with(part[name], words)
    return Model.from_json(data)


def _with(value: Any, words: Mapping[str, str]) -> Any:
    """Return the value of a field with other names: of an action, in its arguments only."""
    if not isinstance(value, str):
        return value and [_with(each, words) for each in value]
    name, bracket, inside = value.partition("(")
    if name == "mark":  # marks are names of their own
        return value
    if bracket:
        return f"{name}({_WORD.sub(lambda word: words.get(word[0], word[0]), inside)}"
    negated = "not " if name.startswith("not ") else ""
    name = name.removeprefix(negated)
    return negated + words.get(name, name)


# JSON ---------------------------------------------------------------------------------------------


def as_json(difference: Difference) -> dict[str, object]:
    """Return a difference as plain JSON values. What went has the names that `a` has."""
    a = difference.a
    b = difference.b
    own = dict(zip(_parts(difference.old), _parts(a), strict=True))
    changes: list[object] = []
    for change in difference.changes:
        part = own[change.a] if change.a and not change.b else change.b
        assert part is not None, "a change is of something"
        told: dict[str, object]
        told = {"sign": change.sign, "what": change.what, "id": _key(part)}
        for name, fields in (("fields", change.fields), ("texts", change.texts)):
            told[name] = {key: {"a": old, "b": new} for key, (old, new) in fields.items()}
        changes.append(told if change.a and change.b else {**told, "part": part})
    value = {
        "a": _summary(a),
        "b": _summary(b),
        "same": difference.empty,
        "renames": [{"what": r.a.kind, "a": r.a.id, "b": r.b.id} for r in difference.renames],
        "changes": changes,
        "window": as_json(difference.window) if difference.window else None,
    }
    return msgspec.to_builtins(value, enc_hook=str)  # type: ignore[no-any-return]


def _parts(model: Model) -> list[Part]:
    found: list[Part] = [*model.states, *model.transitions]
    for kind in NAMED:
        found += getattr(model, kind)
    return found


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
        notes = (*before(turn, step), *_notes(step), *after(turn, step))
        found[step.id] = _section(phase.title if phase else "", step, notes)
    for step in turn.windows:
        found[step.id] = _section("In each window", step, _notes(step))
    for step in turn.endings:
        found[step.id] = _section(f"When a {turn.word} is cut short", step, _notes(step))
    return found


def _section(group: str, step: Step, notes: Iterable[Note]) -> Section:
    return Section(group, step.title, {note.text: note for note in notes})


def _notes(step: Step) -> Iterator[Note]:
    for line in step.lines:
        text = f"{line.text}: {line.detail}" if line.detail else line.text
        yield Note(text, line.rule, tuple(filter(None, (line.state, *line.tells))))


def _in_the_model(difference: Difference) -> Iterator[Line]:
    """Count what differs in the models, and name what decides."""
    signs = Counter(change.sign for change in difference.all)
    counts = ", ".join(f"{signs[sign]} {word}" for sign, word in _SIGNS.items())
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
