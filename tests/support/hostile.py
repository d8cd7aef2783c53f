"""A model in which everything that comes from outside is as nasty as it gets, for every format
there is.

`hostile_model()` is a turn with phases, steps, a window, signals and procedures; `spoilt(model)`
spoils any other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import cycle, islice
from typing import Any, TypeVar

from hypothesis import strategies as st

import fsm
from fsm.model import Event, Fact, Kind, Model, State, Term, Transition

MARKUP = (
    "<script>alert(1)</script>",
    "</text></svg><script>alert(1)</script>",
    "<foreignObject><body onload=alert(1)></foreignObject>",
    '" onload="alert(1)" x="',
    "' onclick='alert(1)",
    "javascript:alert(1)",
    '<a href="http://evil.example/x">click</a>',
    "&amp; & &lt; &#60; &unknown; &#0;",
    "]]> <![CDATA[ x ]]>",
    "<!-- --> --!>",
    "<?xml version='1.0'?><!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]>&e;",
    "url(http://evil.example/x.png) @import",
)
DOT = (
    "digraph",
    "strict graph { node [label=x] }",
    "a:n",
    "a -> b",
    "<b>bold</b>",
    "{a|b} <port>",
    "back\\slash \\n \\N \\G \\l \\",
    '"; evil [URL="http://evil.example"]; "',
    "cluster_0",
    "text_0",
)
DIAGRAMS = (
    "end",
    "subgraph x",
    "%%{init: {'securityLevel': 'loose'}}%%",
    'click n0 "javascript:alert(1)"',
    "#quot; #35; `code` $x$ {{y}}",
    "@enduml",
    "!include /etc/passwd",
    "* | table | [link](http://evil.example)",
    "__proto__",
    "constructor",
)
OURS = ("start", "next", "anywhere", "begin", "n0", "e0", "b0", "line0", "any_storm", "done")
LETTERS = (
    "line one\nline two\r\n\ttabbed",
    "null\x00 bell\x07 escape\x1b[31m delete\x7f next\x85 line\u2028separator",
    "lone \ud800 surrogate \ufffe\uffff",
    "שלום עולם",
    "مرحبا ١٢٣",
    "turned \u202eevil\u202c \u2066around\u2069 \u200f",
    "never closed \u202e",
    "dice 🎲 family 👩‍👩‍👧‍👦 flag 🏳️‍🌈",
    "z\u0300\u0301\u0302\u0303a\u0300lgo",
    "zero\u200bwidth\ufeff",
    "漢字かな交じり文",
    "   blanks   ",
)
LONG = ("x" * 10_000, "many words " * 1_000, "&" * 300)
NASTY: tuple[str, ...] = (*MARKUP, *DOT, *DIAGRAMS, *OURS, *LETTERS, *LONG)
"""Every nasty text."""

_T = TypeVar("_T", State, Transition, Fact, Event)


def hostile_model(first: int = 0, base: str = "magic") -> Model:
    """A ruleset whose every name, label, doc and citation is nasty; `first` is which text comes
    first.
    """
    return spoilt(fsm.load(base), first)


def spoilt(model: Model, first: int = 0) -> Model:
    """The same machine with nasty words; `first` is the number of the text that comes first."""
    return _Spoiler(model, first).spoilt()


class _Spoiler:
    def __init__(self, model: Model, first: int) -> None:
        self.model = model
        self.first = first
        self.words = islice(cycle(NASTY), first, None)
        self.states = self._names(s.id for s in model.states)
        self.facts = self._names(f.name for f in model.facts)
        self.events = self._names(e.name for e in model.events)

    def _names(self, names: Iterator[str]) -> Mapping[str, str]:
        """A nasty name for each, there only once."""
        found: dict[str, str] = {}
        for number, name in enumerate(names):
            word = next(self.words).strip()
            found[name] = word if word not in found.values() else f"{word} {number}"
        return found

    def spoilt(self) -> Model:
        model = self.model
        return replace(
            model,
            name=next(self.words),
            title=next(self.words),
            edition=next(self.words),
            initial=self.states[model.initial],
            states=tuple(map(self._state, model.states)),
            transitions=tuple(map(self._row, model.transitions)),
            facts=tuple(map(self._fact, model.facts)),
            events=tuple(map(self._event, model.events)),
            window=spoilt(model.window, self.first + 7) if model.window else None,
        )

    def _said(self, part: _T, *fields: str) -> _T:
        said: dict[str, Any] = {name: next(self.words) for name in fields if getattr(part, name)}
        return replace(part, **said)

    def _state(self, state: State) -> State:
        parent = self.states[state.parent] if state.parent else ""
        tells = tuple(self.facts[name] for name in state.tells)
        named = replace(state, id=self.states[state.id], parent=parent, tells=tells)
        return self._said(named, "name", "label", "rule", "doc", "manner")

    def _row(self, row: Transition) -> Transition:
        target = self.states[row.target] if row.target else None
        guard = tuple(Term(self.facts[term.fact], term.value) for term in row.guard)
        event = self.events.get(row.event, row.event)
        named = replace(
            row, source=self.states[row.source], target=target, event=event, guard=guard
        )
        return self._said(named, "rule", "doc")

    def _fact(self, fact: Fact) -> Fact:
        return self._said(replace(fact, name=self.facts[fact.name]), "doc", "rule")

    def _event(self, event: Event) -> Event:
        return self._said(replace(event, name=self.events.get(event.name, event.name)), "doc")


# small models of any shape ------------------------------------------------------------------------

texts = st.one_of(st.sampled_from(NASTY), st.text(max_size=12))


@st.composite
def small_models(draw: st.DrawFn) -> Model:
    """A small turn, or a plain machine, with any words at all."""
    phases = draw(st.integers(0, 2))
    words = [draw(texts) for _ in range(8)]
    names = _unique([draw(texts) for _ in range(12)])
    said = cycle(words)
    states: list[State] = []
    leaves: list[str] = []
    spare = iter(names)
    holders = [
        State(next(spare), "phase", label=next(said), rule=next(said)) for _ in range(phases)
    ]
    for holder in [*holders, None]:
        if holder is not None:
            states.append(holder)
        for _ in range(draw(st.integers(1, 2))):
            id = next(spare)
            kind: Kind = draw(st.sampled_from(("stage", "action", "choice", "window")))
            parent = holder.id if holder else ""
            states.append(
                State(id, kind, label=next(said), doc=next(said), rule=next(said), parent=parent)
            )
            leaves.append(id)
    facts = [Fact(name, next(said)) for name in _unique(words[:2])]
    events = (
        Event("done", "", True),
        *(Event(f"e {name}", next(said)) for name in _unique(words[2:4])),
    )
    rows: dict[str, Transition] = {}
    for _ in range(draw(st.integers(0, 8))):
        row = Transition(
            draw(st.sampled_from([s.id for s in states])),
            draw(st.sampled_from([*leaves, None])),
            draw(st.sampled_from([e.name for e in events])),
            draw(st.sampled_from([(), (Term(facts[0].name),), (Term(facts[-1].name, False),)])),
            rule=next(said),
            layer=draw(st.sampled_from(("core", "skip", "extra", "jump"))),
            doc=next(said),
        )
        rows[row.id] = row
    title, edition = next(said), next(said)
    return Model(
        "small",
        leaves[0],
        tuple(states),
        tuple(rows.values()),
        events,
        tuple(facts),
        title,
        edition,
    )


def _unique(names: Sequence[str]) -> list[str]:
    """The names as a Model may have them: none empty, none with spaces around it, each there once."""
    found: list[str] = []
    for number, name in enumerate(names):
        wanted = name.strip() or "empty"
        found.append(wanted if wanted not in found else f"{wanted} {number}")
    return found
