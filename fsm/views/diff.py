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
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any, NamedTuple, TypeAlias

import msgspec

from fsm.model import Duration, Event, Fact, Model, Role, Setting, State, Transition
from fsm.model.model import TEXTS, ModelLike, as_model
from fsm.views.machines import read_machine
from fsm.views.reader import is_turn, read
from fsm.views.reading import Step, merged
from fsm.views.tables import after, before, leading
from fsm.wording import citation, label_of

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
    texts = {name: found.pop(name) for name in TEXTS & found.keys()}
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
    """What is said of one step, window, ending or state: each sentence with its citation."""

    group: str
    title: str
    said: Mapping[str, str]


def lines_of(difference: Difference, *, rules: bool) -> Iterator[Line]:
    """Tell what the reading of one model says, and that of the other does not.

    With `rules`, each citation, label and documentation that differs is told, too.
    """
    options = difference.b.options
    for name, old in difference.a.options.items():
        if options.get(name, old) != old:
            yield Line("~", f"option {name}: {_shown(old, options[name])}")
    for was, now in difference.renames:
        yield Line("~", f"{was.kind} {label_of(was)} is now called {label_of(now)}")
    a = _sections(difference.old)
    b = _sections(difference.b)
    group = ""
    for id in merged(a, b):
        section = b.get(id) or a[id]
        lines = [*_compared(section.title, a.get(id), b.get(id))]
        if lines and section.group != group:
            group = section.group
            yield from (Line("head", ""), Line("head", group.upper()))
        yield from lines
    yield from _in_the_model(difference, rules=rules)


def _compared(title: str, old: Section | None, new: Section | None) -> Iterator[Line]:
    """Yield what differs in a section, below its title."""
    sign = "+" if old is None else "-" if new is None else "head"
    was, now = (section.said if section else {} for section in (old, new))
    differs = [text for text in merged(was, now) if (text in was) != (text in now)]
    if differs or sign != "head":
        yield Line(sign, title, int(sign == "head"))
    for text in differs:
        came, said = ("+", now) if text in now else ("-", was)
        yield Line(came, text + citation(said[text]), 1)


def _sections(model: Model) -> dict[str, Section]:
    if not is_turn(model):
        machine = read_machine(model)
        told = leading(machine)
        return {id: Section("", title, dict.fromkeys(said, "")) for id, title, said in told}
    turn = read(model)
    found = {"": Section("", turn.title, {note.text: note.rule for note in turn.notes})}
    for step in turn.steps:
        phase = turn.phase_of(step.id)
        notes = (*before(turn, step), *after(turn, step))
        said = _said(step) | {note.text: note.rule for note in notes}
        found[step.id] = Section(phase.title if phase else "", step.title, said)
    for step in (*turn.windows, *turn.endings):
        found[step.id] = Section("In an order of its own", step.title, _said(step))
    return found


def _said(step: Step) -> dict[str, str]:
    found = {}
    for line in step.lines:
        found[f"{line.text}: {line.detail}" if line.detail else line.text] = line.rule
    return found


def _in_the_model(difference: Difference, *, rules: bool) -> Iterator[Line]:
    """Count what differs in the models, and name what decides: no states, and no ways that every
    step has or that need no condition.
    """
    changes = [*difference.changes, *(difference.window.changes if difference.window else ())]
    signs = Counter(change.sign for change in changes if change.sign)
    counts = [f"{signs[sign]} {word}" for sign, word in _SIGNS.items()]
    said = ", ".join([*counts, f"{len(difference.renames)} renamed"])
    yield from (Line("head", ""), Line("head", f"In the model: {said}"))
    for change in filter(_decides, changes):
        fields = [f"{name} {_shown(*values)}" for name, values in change.fields.items()]
        said = f"{change.what} {change.id}"
        yield Line(change.sign, ": ".join(filter(None, (said, "; ".join(fields)))))
    texts = [*_in_words(changes)]
    if texts:
        more = "" if rules else " (--rules lists them)"
        yield Line("head", f"Only in words: {len(texts)}{more}")
        yield from texts if rules else ()


def _in_words(changes: Sequence[Change]) -> Iterator[Line]:
    """Yield each field that is only text and differs."""
    for change in changes:
        for name, values in change.texts.items():
            yield Line("~", f"{change.what} {change.id}: {name} {_shown(*values)}")


def _decides(change: Change) -> bool:
    part = change.b or change.a
    if isinstance(part, State):
        return "order" in change.fields
    if isinstance(part, Transition) and (part.generic or not part.guard):
        return bool(change.fields) and not part.generic
    return bool(change.sign)


def _shown(*values: object) -> str:
    texts = []
    for value in values:
        if isinstance(value, bool):
            value = "yes" if value else "no"
        parts = value if isinstance(value, tuple | list) else [value]
        texts.append(", ".join(map(str, parts)) or "none")
    return " -> ".join(texts)
