"""The difference between two models: as data, and as text in the words of players.

    from fsm.views.diff import diff
    for change in diff(a, b).changes:
        print(change.sign, change.what, change.id)

Parts are matched by name, and renamed steps and phases are recognised. Transitions are matched by
their source, target and event. The order in which they are tried is not compared: `fsm check` names
those between which only their order decides. The text compares what the two readings say.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from fsm.model import Fact, Model, State, Transition
from fsm.model.elements import Part
from fsm.model.model import TEXTS, ModelLike, as_model
from fsm.model.valid import KINDS
from fsm.views.machines import read_machine
from fsm.views.reader import is_turn, read
from fsm.views.reading import Note
from fsm.views.tables import leading, notes_of
from fsm.wording import citation, label_of, merged, plain_words

__all__ = ["Change", "Difference", "Rename", "as_json", "diff"]

Fields: TypeAlias = dict[str, tuple[object, object]]
"""Fields that differ, by name, with their values on both sides."""
NAMING = {
    "initial",
    "states",
    "transitions",
    "facts",
    "durations",
    "id",
    "name",
    "family",
    "parent",
    "tells",
    "what",
    "source",
    "target",
    "guard",
    "actions",
    "test",
}
"""The fields of a model and of its parts in which states and facts are named."""
_NAME = re.compile(r"(?<=^not ).+|(?<!^mark\()(?<=[( ])\w+(?=[,)])")
"""A fact in a term, or an argument of an action. Marks have names of their own."""


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
        The kind of a state, or "transition", "fact", "event", "duration", "setting" or "role".
    id
        The id of the part, or its name.
    says
        What it means; of a transition, why it is taken.
    decides
        Whether it decides how a turn goes on.
    a, b
        The part in each model, with the names of `b`, or None.
    fields
        The fields that differ, without those that are only text.
    texts
        The fields that differ and are only text: citation, documentation, label, plain words.
    """

    sign: str
    what: str
    id: str
    says: str
    decides: bool
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
    fields
        What differs of the models themselves: their title, edition, starts, and the options that
        both have.
    renames
        The phases and steps that have another name.
    changes
        The parts that were added, removed or changed, those of the window last.
    """

    a: Model
    b: Model
    old: Model
    fields: Fields
    renames: tuple[Rename, ...]
    changes: tuple[Change, ...]

    @property
    def empty(self) -> bool:
        """Whether nothing differs, except perhaps the name."""
        differs = self.fields or self.renames or self.changes
        return not differs and self.a.options == self.b.options


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
    pairs = [*_pairs(a, b)]
    old = _renamed(a, b, pairs) if pairs else a
    fields = _unlike(_about(old), _about(b))
    renames = tuple(pair for pair in pairs if pair.a.composite)
    return Difference(a, b, old, fields, renames, tuple(_changes(old, b)))


def _about(model: Model) -> dict[str, object]:
    """Return what a model says of itself, where its machines start, and its options."""
    options = {f"option {name}": value for name, value in model.options.items()}
    starts = [machine.initial for machine in model.machines.values()]
    return {"title": model.title, "edition": model.edition, "starts": starts, **options}


def _matched(a: Mapping[Any, Any], b: Mapping[Any, Any]) -> Iterator[tuple[str, Any, Any]]:
    """Yield all that two sides have, in the order of `b`: its sign, and what it is on each."""
    for key in merged(a, b):
        sign = ""
        if key not in a:
            sign = "+"
        elif key not in b:
            sign = "-"
        yield sign, a.get(key), b.get(key)


# parts --------------------------------------------------------------------------------------------


def _changes(a: Model, b: Model) -> Iterator[Change]:
    for kind in KINDS:
        for sign, was, now in _matched(_parts(a, b, kind), _parts(b, a, kind)):
            part = now or was
            model = b if now else a
            what = getattr(part, "kind", kind.removesuffix("s"))
            says = getattr(part, "doc", "")
            if isinstance(part, Transition):
                says = plain_words(model, part)
            fields = {} if sign else _unlike(_values(was), _values(now))
            texts = {name: fields.pop(name) for name in tuple(fields) if name in TEXTS}
            if fields:
                sign = "~"
            if sign or texts:
                decides = _decides(model, part, fields)
                yield Change(sign, what, _key(part), says, decides, was, now, fields, texts)
    if a.window and b.window:
        yield from _changes(a.window, b.window)


def _decides(model: Model, part: Part, fields: Fields) -> bool:
    """Say whether a part decides how a turn goes on: a way that not every step has, by a condition
    or by what changed, a fact that such ways read, and all else but a state.
    """
    if isinstance(part, Transition):
        return not part.generic and bool(part.guard or fields)
    if isinstance(part, Fact):
        ways = [row for row in model.transitions if not row.generic]
        return any(term.fact == part.name for row in ways for term in row.guard)
    return not isinstance(part, State)


def _key(part: Any) -> str:
    return getattr(part, "id", "") or part.name


def _parts(model: Model, other: Model, kind: str) -> dict[object, Part]:
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


def _values(part: Part) -> dict[str, object]:
    """Return the fields of a part. The order of its conditions means nothing."""
    guard = {"guard": sorted(part.guard)} if isinstance(part, Transition) else {}
    return asdict(part) | guard


def _unlike(old: Mapping[str, object], new: Mapping[str, object]) -> Fields:
    return {name: (was, new[name]) for name, was in old.items() if new.get(name, was) != was}


# names --------------------------------------------------------------------------------------------


def _pairs(a: Model, b: Model) -> Iterator[Rename]:
    """Yield the phases and steps that have another name, and the states inside them. They stand in
    runs that are alike in both models.
    """
    new = _runs(b, a)
    for place, states in _runs(a, b).items():
        yield from map(Rename, states, new.get(place, ()))


def _runs(model: Model, other: Model) -> dict[object, list[State]]:
    """Return the phases and steps that only this model has, and the states inside them: those in a
    row by the state before them that both have, and what they are for.
    """
    known = {state.id for state in other.states}
    runs = defaultdict[str, list[State]](list)
    last = ""
    for state in model.states:
        if state.id in known:
            last = state.id
        elif state.composite or (state.parent and state.parent not in known):
            runs[last].append(state)
    return {(last, *map(_purpose, states)): states for last, states in runs.items()}


def _purpose(state: State) -> object:
    return state.role or state.kind, state.action if state.role == "action" else ""


def _renamed(a: Model, b: Model, pairs: Iterable[Rename]) -> Model:
    """Return `a` with the names that `b` has for these states, and for facts with the same test."""
    words = {"": ""}
    for old, new in pairs:  # the name of a step goes before that of what is done in it
        words = {old.family: new.family, old.name: new.name, old.id: new.id} | words
    facts = {fact.test: fact.name for fact in b.facts if fact.test}
    for fact in a.facts:
        test = tuple(_with(words, fact.test))
        words.setdefault(fact.name, facts.get(test, fact.name))
    return Model.from_json(_with(words, a.to_json()))


def _with(words: Mapping[str, str], value: Any) -> Any:
    """Return the plain value of a model, of a part or of a field with other names."""
    if isinstance(value, dict):
        if value.get("moment") == "mark":
            return value
        new = {name: _with(words, value[name]) for name in NAMING & value.keys()}
        return value | new
    if isinstance(value, str):
        return words.get(value) or _NAME.sub(lambda name: words.get(name[0], name[0]), value)
    return value and [_with(words, each) for each in value]


# JSON ---------------------------------------------------------------------------------------------


def as_json(difference: Difference) -> dict[str, object]:
    """Return a difference as plain JSON values, without the models: only the names of these."""
    value = {
        "a": difference.a.name,
        "b": difference.b.name,
        "same": difference.empty,
        "fields": difference.fields,
        "renames": difference.renames,
        "changes": difference.changes,
    }
    return msgspec.to_builtins(value, enc_hook=str)  # type: ignore[no-any-return]


# text ---------------------------------------------------------------------------------------------


class Section(NamedTuple):
    """What is said of one step, window, ending or state: notes by their texts."""

    title: str = ""
    notes: Mapping[str, Note] = {}


def lines_of(difference: Difference, *, rules: bool) -> Iterator[str]:
    """Tell what the reading of one model says, and that of the other does not. Lines of what
    differs begin with their signs.

    With `rules`, everything that differs only in words is told, too.
    """
    yield from (f"~ {text}" for text in _shown(difference.fields))
    for was, now in difference.renames:
        yield f"~ {was.kind} {label_of(was)} is now called {label_of(now)}"
    yield from _readings(difference)
    signs = Counter(change.sign for change in difference.changes)
    deciding = [_line(change) for change in difference.changes if change.sign and change.decides]
    counts = f"{signs['+']} came, {signs['-']} went, {signs['~']} changed"
    yield from ("", f"In the model: {counts}; {len(deciding)} of them decide")
    yield from deciding
    texts = [
        f"~ {change.what} {change.id}, {text}"
        for change in difference.changes
        for text in _shown(change.texts)
    ]
    if texts:
        yield f"Only in words: {len(texts)}{'' if rules else ' (--rules lists them)'}"
    if rules:
        yield from texts


def _line(change: Change) -> str:
    more = "; ".join(filter(None, [change.says, *_shown(change.fields)]))
    name = change.id.partition(" [")[0]  # of a transition, without its conditions
    return f"{change.sign} {change.what} {name}: {more}".removesuffix(": ")


def _readings(difference: Difference) -> Iterator[str]:
    """Tell what differs in each step, window, ending or state, below its title. Notes that only
    have other words are left out.
    """
    changed = {change.id for change in difference.changes if change.sign}
    for sign, was, now in _matched(_sections(difference.old), _sections(difference.b)):
        lines = [f"{sign or ' '} {(now or was).title}"]
        for mark, gone, came in _matched((was or Section()).notes, (now or Section()).notes):
            note = came or gone
            if mark and not (note.tells and changed.isdisjoint(note.tells)):
                lines.append(f"{mark}   {note.text}{citation(note.rule)}")
        if sign or lines[1:]:
            yield from lines


def _sections(model: Model) -> dict[str, Section]:
    if not is_turn(model):
        return {
            id: Section(title, {text: Note(text) for text in texts})
            for id, title, texts in leading(read_machine(model))
        }
    turn = read(model)
    sections = {"": Section(turn.title, {note.text: note for note in turn.notes})}
    for step in (*turn.steps, *turn.windows, *turn.endings):
        title = ": ".join(part.title for part in turn.around(step))
        sections[step.id] = Section(title, {note.text: note for note in notes_of(turn, step)})
    return sections


def _shown(fields: Fields) -> list[str]:
    return [f"{name}: {_value(old)} -> {_value(new)}" for name, (old, new) in fields.items()]


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple | list):
        value = ", ".join(value)
    return str(value) or "none"
