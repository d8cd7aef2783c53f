"""A picture in another language: a user's table of words, put in place of a model's words and of
the fixed ones.

words = load_words("deutsch.toml")
svg = draw(translated(model, words))
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from fsm.errors import DrawError
from fsm.files import read_text
from fsm.model import Fact, Model, State, Term, Transition
from fsm.views.drawing.fixedwords import FIXED, words_of
from fsm.views.drawing.options import Against, Counts, DrawOptions, Now, Taken

Translation = Mapping[str, str]


class TranslationError(DrawError):
    """A table of words is wrong: it cannot be read, or translates what nobody says."""


def load_words(path: str | Path) -> dict[str, str]:
    """The table in a JSON or TOML file: one object (or table) of texts by text.

    Raises TranslationError naming the file and what would be right.
    """
    file = Path(path)
    try:
        text = read_text(file, "utf-8-sig")
        data: object = json.loads(text) if file.suffix.lower() == ".json" else tomllib.loads(text)
    except OSError as error:
        raise TranslationError(f"{file}: this cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise TranslationError(
            f"{file}: this is not text in UTF-8; write the words as TOML or JSON"
        ) from None
    except (ValueError, RecursionError) as error:
        kind = "JSON" if file.suffix.lower() == ".json" else "TOML"
        raise TranslationError(f"{file}: this is not {kind} ({error})") from None
    if not isinstance(data, dict):
        raise TranslationError(
            f'{file}: this must be one object of texts by text, such as {{"Upkeep": "Versorgung"}}'
        )
    for key, said in data.items():
        if not isinstance(said, str):
            raise TranslationError(
                f"{file}: what {key!r} is called must be a text, not {type(said).__name__}"
            )
    return data


def translated(model: Model, table: Translation) -> Model:
    """The same model with other words, to be drawn, not played: the states' ids stay, so all leads
    where it did.

    Keys are a state's id or label, a fact's or an event's name, a title, an edition, a
    documentation text, a citation, a word that an action takes, or one of the words that pictures
    say by themselves (`fsm.views.drawing.fixedwords.FIXED`). Raises TranslationError for any other
    key, for an empty word, and when two facts or two events would be called the same.
    """
    known = {*FIXED, *(key for part in model.machines.values() for key in _keys(part))}
    for key, said in table.items():
        if key not in known:
            raise TranslationError(
                f"{key!r} is not said in a picture of {model.name}",
                kind="unknown-word",
                found=key,
                known=known,
            )
        if not said.strip():
            raise TranslationError(f"what {key!r} is called is empty; leave the key out to keep it")
    made = _translated(model, table)
    words_of(made).update((key, said) for key, said in table.items() if key in FIXED)
    return made


def carried(options: DrawOptions, model: Model, made: Model) -> DrawOptions:
    """What was asked of a picture of `model`, to be asked of its translation, whose transitions
    have other ids.
    """
    ids = _ids(model, made)
    inner = _ids(model.window, made.window) if model.window and made.window else {}
    over = options.overlay
    if isinstance(over, Taken):
        records = (replace(r, transition=(inner if r.machine == "window" else ids).get(r.transition, r.transition))
                   for r in over.records)  # fmt: skip
        return replace(options, overlay=Taken(tuple(records)))
    if isinstance(over, Now):
        both = inner | ids
        closed = {both.get(id, id): why for id, why in over.closed.items()}
        return replace(
            options,
            overlay=replace(over, open=tuple(both.get(id, id) for id in over.open), closed=closed),
        )
    if isinstance(over, Counts):
        turn, window = _renamed(over.turn, ids), _renamed(over.window, inner)
        return replace(options, overlay=replace(over, turn=turn, window=window))
    return options


def spoken_in(table: Translation, model: Model, options: DrawOptions) -> tuple[Model, DrawOptions]:
    """The model in the words of a table, and what was asked of it in the same. Raises
    TranslationError.
    """
    made = translated(model, table)
    over, (kind, _, name) = options.overlay, options.view.partition(":")
    if isinstance(over, Against):  # the other model may lack some of what the table names
        options = replace(options, overlay=replace(over, other=_translated(over.other, table)))
    if kind == "ending":
        options = replace(options, view=f"ending:{table.get(name, name)}")
    return made, carried(options, model, made)


def _ids(model: Model, made: Model) -> dict[str, str]:
    return {old.id: new.id for old, new in zip(model.transitions, made.transitions, strict=True)}


def _renamed(counts: Mapping[str, int], ids: Mapping[str, str]) -> dict[str, int]:
    return {ids.get(id, id): count for id, count in counts.items()}


def _keys(model: Model) -> Iterable[str]:
    """All that one model says."""
    yield from filter(None, (model.title, model.name, model.edition, model.rulebook))
    for s in model.states:
        yield from filter(None, (s.id, s.label, s.doc, s.rule, s.says))
    for t in model.transitions:
        yield from filter(
            None, (t.doc, t.rule, t.says, *(arg for action in t.actions for arg in action.args))
        )
    for f in model.facts:
        yield from filter(None, (f.name, f.doc, f.rule, f.says, f.denies))
    for e in model.events:
        yield from filter(None, ("" if e.completion else e.name, e.doc))


def _translated(model: Model, table: Translation) -> Model:
    facts = _names("fact", [f.name for f in model.facts], table)
    finishing = {e.name: e.name for e in model.events if e.completion}
    events = finishing | _names("event", [e.name for e in model.events if not e.completion], table)

    def say(text: str) -> str:
        return table.get(text, text) if text else ""

    def state(s: State) -> State:
        label = table.get(s.id) or say(s.label)
        return replace(
            s,
            label=label,
            doc=say(s.doc),
            rule=say(s.rule),
            says=say(s.says),
            tells=tuple(facts[f] for f in s.tells),
        )

    def row(t: Transition) -> Transition:
        guard = tuple(Term(facts[term.fact], term.value) for term in t.guard)
        does = tuple(
            replace(a, args=tuple(facts.get(arg) or say(arg) for arg in a.args)) for a in t.actions
        )
        return replace(
            t,
            event=events[t.event],
            guard=guard,
            actions=does,
            doc=say(t.doc),
            rule=say(t.rule),
            says=say(t.says),
        )

    def fact(f: Fact) -> Fact:
        told = replace(f, doc=say(f.doc), says=say(f.says), denies=say(f.denies))
        return replace(told, name=facts[f.name], rule=say(f.rule))

    return replace(
        model,
        title=say(model.title) or table.get(model.name, ""),
        edition=say(model.edition),
        rulebook=say(model.rulebook),
        states=tuple(map(state, model.states)),
        transitions=tuple(map(row, model.transitions)),
        facts=tuple(map(fact, model.facts)),
        events=tuple(replace(e, name=events[e.name], doc=say(e.doc)) for e in model.events),
        window=_translated(model.window, table) if model.window else None,
    )


def _names(what: str, names: Iterable[str], table: Translation) -> dict[str, str]:
    found: dict[str, str] = {}
    for name in names:
        said = table.get(name, name)
        other = next((old for old, new in found.items() if new == said), None)
        if other is not None:
            raise TranslationError(
                f"the {what}s {other!r} and {name!r} would both be called {said!r}; keep them apart"
            )
        found[name] = said
    return found
