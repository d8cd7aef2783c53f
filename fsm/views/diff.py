"""The difference between two models, as data. `fsm diff` prints it in words.

    from fsm.views.diff import diff
    for change in diff(a, b).changes:
        print(change.sign, change.what, change.id)

States and facts are matched by name, and renamed steps and phases are recognised. Transitions are
matched by their source, target and event.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any, NamedTuple, TypeAlias

import msgspec

from fsm.model import Duration, Event, Fact, Model, Role, Setting, State, Transition
from fsm.model.model import TEXTS, ModelLike, as_model

__all__ = ["Change", "Difference", "Order", "Rename", "as_json", "diff"]

Part: TypeAlias = State | Transition | Fact | Event | Duration | Setting | Role
Fields: TypeAlias = Mapping[str, tuple[object, object]]
"""Fields that differ, by name, with their values on both sides."""
HEAD = ("name", "title", "edition", "options", "initial")
NAMED = ("facts", "events", "durations", "settings", "roles")
"""The parts that are matched by their names, apart from states."""
KINDS = ("turns", "phases", "steps", "stages", "transitions", *NAMED)
_NAMING = {
    "states": ("id", "name", "family", "parent", "tells"),
    "transitions": ("source", "target", "guard", "actions"),
    "facts": ("name", "test"),
}
"""The fields that name states and facts, as JSON."""
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
        The fields that differ, without those that are only text.
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
        if self.fields:
            return "~"
        return ""

    @property
    def part(self) -> Part:
        """The part as it is in `b`, or as it was in `a` if it was removed."""
        part = self.b or self.a
        assert part is not None, "a change is of something"
        return part

    @property
    def id(self) -> str:
        """The id of `part`, or its name."""
        return _key(self.part)


class Order(NamedTuple):
    """Transitions of one source and event that `b` tries in another order: their ids, as in `b`."""

    source: str
    event: str
    ids: tuple[str, ...]


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
    head
        The fields of the models themselves that differ, such as edition and options.
    changes
        The parts that were added, removed or changed.
    orders
        The transitions that are tried in another order.
    window
        The difference of the windows, or None if not both models have one.
    """

    a: Model
    b: Model
    old: Model
    renames: tuple[Rename, ...]
    head: Fields
    changes: tuple[Change, ...]
    orders: tuple[Order, ...]
    window: Difference | None = None

    @property
    def empty(self) -> bool:
        """Whether nothing differs, except perhaps the name."""
        own = self.renames or self.changes or self.orders or self.head.keys() - {"name"}
        return not own and (self.window is None or self.window.empty)


def diff(a: ModelLike, b: ModelLike) -> Difference:
    """Compare two models.

    States and facts are matched by name, and renamed steps and phases are recognised.

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
    changes = [*_by_name(old.states, b.states), *_rows(old, b)]
    for kind in NAMED:
        changes += _by_name(getattr(old, kind), getattr(b, kind))
    head = _fields(old, b, HEAD)
    window = diff(a.window, b.window) if a.window and b.window else None
    orders = tuple(_orders(old, b))
    return Difference(
        a=a,
        b=b,
        old=old,
        renames=renames,
        head=head,
        changes=tuple(changes),
        orders=orders,
        window=window,
    )


def merged(a: Iterable[str], b: Iterable[str]) -> list[str]:
    """Return names in b's order. A name that only `a` has comes after the one that it follows
    there.
    """
    names = list(b)
    index = 0
    for name in a:
        if name not in names:
            names.insert(index, name)
        index = names.index(name) + 1
    return names


# parts --------------------------------------------------------------------------------------------


def _key(part: Part) -> str:
    if isinstance(part, State | Transition):
        return part.id
    return part.name


def _by_name(a: Sequence[Part], b: Sequence[Part]) -> Iterator[Change]:
    old = {_key(part): part for part in a}
    new = {_key(part): part for part in b}
    for name in merged(old, new):
        yield from _change(old.get(name), new.get(name))


def _rows(a: Model, b: Model) -> Iterator[Change]:
    """Match transitions by their ids, and the others by what they do and from where to where."""
    old = {row.id: row for row in a.transitions}
    gone = old.keys() - {row.id for row in b.transitions}
    others = defaultdict[object, list[Transition]](list)
    for row in a.transitions:
        if row.id in gone:
            others[_course(row)].append(row)
    for row in b.transitions:
        was = old.get(row.id)
        alike = others[_course(row)]
        if was is None and alike:
            was = alike.pop(0)
        yield from _change(was, row)
    for rows in others.values():
        for row in rows:
            yield from _change(row, None)


def _course(row: Transition) -> object:
    return row.source, row.target, row.event, row.layer, row.generic


def _change(a: Part | None, b: Part | None) -> Iterator[Change]:
    part = b or a
    what = type(part).__name__.lower()
    if isinstance(part, State):
        what = part.kind if part.composite else "stage"
    if a is None or b is None:
        yield Change(what, a, b)
        return
    names = {*a.__struct_fields__}
    fields = _fields(a, b, names - TEXTS)
    texts = _fields(a, b, names & TEXTS)
    if fields or texts:
        yield Change(
            what=what,
            a=a,
            b=b,
            fields=fields,
            texts=texts,
        )


def _fields(a: object, b: object, names: Iterable[str]) -> Fields:
    found = {}
    for name in sorted(names):
        old = getattr(a, name)
        new = getattr(b, name)
        same = {*old} == {*new} if name == "guard" else old == new
        if not same:
            found[name] = old, new
    return found


def _orders(a: Model, b: Model) -> Iterator[Order]:
    """Find what is tried in another order, of the transitions that both models have."""
    was = _tried(a, b)
    now = _tried(b, a)
    for place in now:
        if was[place] != now[place]:
            yield Order(*place, tuple(now[place]))


def _tried(model: Model, other: Model) -> dict[tuple[str, str], list[str]]:
    known = {row.id for row in other.transitions}
    found = defaultdict[tuple[str, str], list[str]](list)
    for row in model.transitions:
        if row.id in known:
            found[row.source, row.event].append(row.id)
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
    """Return a difference as plain JSON values. Each kind of part has its own key."""
    a = difference.a
    b = difference.b
    own = dict(zip(_parts(difference.old), _parts(a), strict=True))
    parts: dict[str, dict[str, list[object]]] = {}
    for kind in KINDS:
        parts[kind] = {"added": [], "removed": [], "changed": []}
    texts: list[object] = []
    for change in difference.changes:
        told = parts[f"{change.what}s"]
        if change.b is None:
            part = own[change.part]
            told["removed"].append({"id": _key(part), **_plain(part)})
        elif change.a is None:
            told["added"].append({"id": change.id, **_plain(change.b)})
        elif change.fields:
            told["changed"].append({"id": change.id, "fields": _values(change.fields)})
        if change.texts:
            fields = _values(change.texts)
            texts.append({"what": change.what, "id": change.id, "fields": fields})
    return {
        "a": _summary(a),
        "b": _summary(b),
        "same": difference.empty,
        "head": _values(difference.head),
        "renames": [{"what": r.a.kind, "a": r.a.id, "b": r.b.id} for r in difference.renames],
        **parts,
        "orders": [order._asdict() for order in difference.orders],
        "texts": texts,
        "window": as_json(difference.window) if difference.window else None,
    }


def _parts(model: Model) -> list[Part]:
    found: list[Part] = [*model.states, *model.transitions]
    for kind in NAMED:
        found += getattr(model, kind)
    return found


def _plain(value: object) -> Any:
    return msgspec.to_builtins(value, enc_hook=str)


def _values(fields: Fields) -> dict[str, object]:
    return {name: {"a": _plain(old), "b": _plain(new)} for name, (old, new) in fields.items()}


def _summary(model: Model) -> dict[str, object]:
    names = ("name", "edition", "options", "fingerprint", "behaviour_fingerprint")
    counts = {"states": len(model.states), "transitions": len(model.transitions)}
    return {name: getattr(model, name) for name in names} | counts
