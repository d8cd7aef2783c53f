"""The difference between two models, as data. `fsm diff` prints it in words.

    from fsm.views.diff import diff
    for change in diff(a, b).changes:
        print(change.sign, change.what, change.id)

States and facts are matched by name, and renamed ones are recognised. Transitions are matched by
their source and event.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from fsm.model import Action, Duration, Event, Fact, Model, Setting, State, Term, Transition
from fsm.model.likeness import ModelLike, as_model
from fsm.model.model import PARTS, TEXTS

__all__ = ["Change", "Difference", "Field", "Order", "Rename", "as_json", "diff"]

Part: TypeAlias = State | Transition | Fact | Event | Duration | Setting
Pair: TypeAlias = tuple[Transition, Transition]
HEAD = ("name", "title", "edition", "options", "initial")
KINDS = ["turn", "phase", "step", "stage", "transition", "fact", "event", "duration", "setting"]
_NAMING = frozenset(
    {"id", "name", "family", "parent", "tells", "source", "target"} | {"guard", "actions", "test"}
)
"""The fields of parts that name states and facts."""


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a part, with its value on both sides."""

    name: str
    a: object
    b: object


@dataclass(frozen=True, slots=True)
class Rename:
    """A phase or step with another name. Its states and facts are renamed with it."""

    a: State
    b: State


@dataclass(frozen=True, slots=True)
class Change:
    """A part that only `b` has (+), that only `a` has (-), or that differs (~).

    Attributes
    ----------
    what
        "turn", "phase", "step", "stage", "transition", "fact", "event", "duration" or "setting".
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
    fields: tuple[Field, ...] = ()
    texts: tuple[Field, ...] = ()

    @property
    def sign(self) -> Literal["+", "-", "~"]:
        """ "+" for added, "-" for removed, "~" for changed."""
        if self.a is None:
            return "+"
        return "-" if self.b is None else "~"

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

    def field(self, name: str) -> Field | None:
        """Return the field of this name if it differs."""
        return next((f for f in self.fields if f.name == name), None)


@dataclass(frozen=True, slots=True)
class Order:
    """Transitions of one source and event that both models have, but in another order.

    `ids` are in the order in which `b` tries them. `was` has the place of each one in `a`.
    """

    source: str
    event: str
    ids: tuple[str, ...]
    was: tuple[int, ...]


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
    texts
        The parts of which words differ: citation, documentation, label or plain words.
    orders
        The transitions that are tried in another order.
    window
        The difference of the windows, or None if not both models have one.
    """

    a: Model
    b: Model
    old: Model
    renames: tuple[Rename, ...]
    head: tuple[Field, ...]
    changes: tuple[Change, ...]
    texts: tuple[Change, ...]
    orders: tuple[Order, ...]
    window: Difference | None = None

    @property
    def listed(self) -> bool:
        """Whether there is more to list than another name, edition or options."""
        own = (self.renames, self.changes, self.orders, self.texts)
        return any(own) or any(field.name == "initial" for field in self.head)

    @property
    def empty(self) -> bool:
        """Whether nothing differs, except perhaps the name."""
        head = any(field.name != "name" for field in self.head)
        return not (self.listed or head or (self.window and not self.window.empty))


def diff(a: ModelLike, b: ModelLike) -> Difference:
    """Compare two models.

    States and facts are matched by name, and renamed ones are recognised.

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
    a, b = as_model(a), as_model(b)
    renames = tuple(_renames(a, b))
    old = _with_names_of(b, a, renames)
    changes = list(_by_name(old.states, b.states))
    orders: list[Order] = []
    for rows in _groups(old, b):
        pairs = _pairs(*rows)
        changes += _rows(*rows, pairs)
        orders += _order(*rows, pairs)
    for kind in ("facts", "events", "durations", "settings"):
        changes += _by_name(getattr(old, kind), getattr(b, kind))
    return Difference(
        a,
        b,
        old,
        renames,
        head=tuple(_fields(old, b, HEAD)),
        changes=tuple(c for c in changes if c.sign != "~" or c.fields),
        texts=tuple(c for c in changes if c.texts),
        orders=tuple(orders),
        window=diff(a.window, b.window) if a.window and b.window else None,
    )


def merged(a: Iterable[str], b: Iterable[str]) -> list[str]:
    """Return names in b's order. A name that only `a` has comes after the one that it follows
    there.
    """
    names = list(b)
    index = 0
    for name in a:
        if name in names:
            index = names.index(name) + 1
        else:
            names.insert(index, name)
            index += 1
    return names


# parts --------------------------------------------------------------------------------------------


def _key(part: Part) -> str:
    return part.id if isinstance(part, State | Transition) else part.name


def _by_name(a: Sequence[Part], b: Sequence[Part]) -> Iterator[Change]:
    old, new = ({_key(part): part for part in parts} for parts in (a, b))
    for name in merged(old, new):
        yield from _change(old.get(name), new.get(name))


def _change(a: Part | None, b: Part | None) -> Iterator[Change]:
    part = a or b
    what = type(part).__name__.lower()
    if isinstance(part, State):
        what = part.kind if part.composite else "stage"
    if a is None or b is None:
        yield Change(what, a, b)
        return
    differing = list(_fields(a, b, a.__struct_fields__))
    fields = tuple(f for f in differing if f.name not in TEXTS)
    texts = tuple(f for f in differing if f.name in TEXTS)
    if differing:
        yield Change(what, a, b, fields, texts)


def _fields(a: object, b: object, names: Iterable[str]) -> Iterator[Field]:
    for name in names:
        old, new = getattr(a, name), getattr(b, name)
        same = {*old} == {*new} if name == "guard" else old == new
        if not same:
            yield Field(name, old, new)


# transitions --------------------------------------------------------------------------------------


def _groups(a: Model, b: Model) -> Iterator[tuple[list[Transition], list[Transition]]]:
    """Yield the transitions of each source and event in both models."""
    groups: dict[str, tuple[list[Transition], list[Transition]]] = {}
    for side, model in enumerate((b, a)):
        for row in model.transitions:
            both = groups.setdefault(f"{row.source} on {row.event}", ([], []))
            both[1 - side].append(row)
    yield from groups.values()


def _pairs(a: Sequence[Transition], b: Sequence[Transition]) -> list[Pair]:
    """Return which transitions are the same one in both models, the most alike first."""
    ranked = [(found, x, y) for x in a for y in b if (found := _unlikeness(x, y))]
    pairs: list[Pair] = []
    for _, x, y in sorted(ranked, key=lambda one: one[0]):
        if all(x is not old and y is not new for old, new in pairs):
            pairs.append((x, y))
    return pairs


def _unlikeness(x: Transition, y: Transition) -> tuple[int, int, bool, list[str]] | None:
    """Return how unlike two transitions are, or None if they are too unlike to be a pair.

    Equal ones come first, then those with equal conditions, with equal targets, and without
    conditions. It is the same if `x` and `y` change places.
    """
    target, guard = x.target == y.target, {*x.guard} ^ {*y.guard}
    if target and not guard:
        kind = 0
    elif x.guard and not guard:
        kind = 1
    elif target and (x.layer, x.generic) == (y.layer, y.generic):
        kind = 2
    elif not x.guard and not y.guard:
        kind = 3
    else:
        return None
    return kind, len(guard), not target, sorted((x.id, y.id))


def _rows(
    a: Sequence[Transition], b: Sequence[Transition], pairs: Sequence[Pair]
) -> Iterator[Change]:
    old = {new.id: row for row, new in pairs}
    for row in b:
        yield from _change(old.get(row.id), row)
    for row in a:
        if all(row is not x for x, _ in pairs):
            yield from _change(row, None)


def _order(
    a: Sequence[Transition], b: Sequence[Transition], pairs: Sequence[Pair]
) -> Iterator[Order]:
    places = sorted((b.index(new), a.index(old)) for old, new in pairs)
    was = [place for _, place in places]
    if was != sorted(was):
        ids = tuple(b[place].id for place, _ in places)
        yield Order(b[0].source, b[0].event, ids, tuple(sorted(was).index(p) for p in was))


# names --------------------------------------------------------------------------------------------


def _renames(a: Model, b: Model) -> Iterator[Rename]:
    """Find the phases and steps with another name: alone between the same neighbours, and made of
    the same parts. Outer ones come first.
    """
    queue = [("", "")]
    while queue:
        was, now = queue.pop(0)
        old = [state for state in a.children(was) if state.composite]
        new = [state for state in b.children(now) if state.composite]
        both = SequenceMatcher(None, [s.id for s in old], [s.id for s in new], autojunk=False)
        for kind, i, i_end, j, j_end in both.get_opcodes():
            if kind == "equal":
                queue += [(s.id, s.id) for s in old[i:i_end]]
            elif i_end - i == j_end - j == 1 and _renamed(a, b, old[i], new[j]):
                yield Rename(old[i], new[j])
                queue.append((old[i].id, new[j].id))


def _renamed(a: Model, b: Model, old: State, new: State) -> bool:
    elsewhere = any(s.id == old.id for s in b.states) or any(s.id == new.id for s in a.states)
    return not elsewhere and _alike(a, b, old, new)


def _alike(a: Model, b: Model, old: State, new: State) -> bool:
    """Say whether both consist of the same parts in the same order."""
    if _purpose(old) != _purpose(new):
        return False
    parts = a.children(old.id), b.children(new.id)
    return len(parts[0]) == len(parts[1]) and all(
        (x.composite and x.id == y.id) or _alike(a, b, x, y) for x, y in zip(*parts, strict=True)
    )


def _purpose(state: State) -> tuple[str, str]:
    if state.composite:
        return state.kind, ""
    return state.role, state.action if state.role == "action" else ""


def _with_names_of(b: Model, a: Model, renames: Sequence[Rename]) -> Model:
    """Return `a` with the names that `b` has."""
    words: dict[str, str] = {}
    for rename in renames:
        old, new = rename.a, rename.b
        words |= {old.family: new.family, old.name: new.name, old.id: new.id}
        for x, y in zip(a.children(old.id), b.children(new.id), strict=True):
            if not x.composite:
                words[x.id] = y.id
    words.pop("", None)
    if not words:
        return a
    renamed = _model_with(a, words)
    known = {fact.name for fact in a.facts}
    added = {(f.owner, f.test): f.name for f in b.facts if f.test and f.name not in known}
    kept = {fact.name for fact in b.facts}
    removed = [f for f in renamed.facts if f.name not in kept]
    facts = {f.name: added[f.owner, f.test] for f in removed if (f.owner, f.test) in added}
    return _model_with(renamed, facts)


def _model_with(model: Model, words: Mapping[str, str]) -> Model:
    changed = {kind: _with(getattr(model, kind), words) for kind in (*PARTS, "initial")}
    return replace(model, **changed)


def _with(value: Any, words: Mapping[str, str]) -> Any:
    """Return a value of a field with other names."""
    if isinstance(value, Term):
        return Term(words.get(value.fact, value.fact), value.value)
    if isinstance(value, Action) and value.name != "mark":  # marks are names of their own
        args = ", ".join(words.get(arg, arg) for arg in value.args)
        return Action(f"{value.name}({args})") if args else value
    if isinstance(value, str):
        return words.get(value, value)
    if isinstance(value, tuple):
        return tuple(_with(one, words) for one in value)
    if isinstance(value, msgspec.Struct):
        naming = _NAMING.intersection(value.__struct_fields__)
        if not isinstance(value, State | Fact):
            naming -= {"name"}
        return replace(value, **{name: _with(getattr(value, name), words) for name in naming})
    return value


# JSON ---------------------------------------------------------------------------------------------


def as_json(difference: Difference) -> dict[str, object]:
    """Return a difference as plain JSON values. Each kind of part has its own key."""
    d = difference
    own = dict(zip(_all_parts(d.old), _all_parts(d.a), strict=True))
    parts = {f"{kind}s": _changes(d, kind, own) for kind in KINDS}
    return {
        "a": _summary(d.a),
        "b": _summary(d.b),
        "same": d.empty,
        "head": _values(d.head),
        "renames": [{"what": r.a.kind, "a": r.a.id, "b": r.b.id} for r in d.renames],
        **parts,
        "orders": msgspec.to_builtins(d.orders),
        "texts": [{"what": c.what, "id": c.id, "fields": _values(c.texts)} for c in d.texts],
        "window": as_json(d.window) if d.window else None,
    }


def _all_parts(model: Model) -> list[Part]:
    return [part for kind in PARTS for part in getattr(model, kind)]


def _changes(
    difference: Difference, what: str, own: Mapping[Part, Part]
) -> dict[str, list[object]]:
    """Return the changes of one kind. What was removed has the name that it had."""
    told: dict[str, list[object]] = {"added": [], "removed": [], "changed": []}
    for change in difference.changes:
        if change.what != what:
            continue
        part = own[change.part] if change.b is None else change.part
        if change.sign == "~":
            told["changed"].append({"id": change.id, "fields": _values(change.fields)})
        else:
            values = msgspec.to_builtins(part, enc_hook=str)
            told["added" if change.b else "removed"].append({"id": _key(part), **values})
    return told


def _values(fields: Iterable[Field]) -> dict[str, object]:
    return {f.name: msgspec.to_builtins({"a": f.a, "b": f.b}, enc_hook=str) for f in fields}


def _summary(model: Model) -> dict[str, object]:
    names = ("name", "edition", "options", "fingerprint", "behaviour_fingerprint")
    counts = {"states": len(model.states), "transitions": len(model.transitions)}
    return {name: getattr(model, name) for name in names} | counts
