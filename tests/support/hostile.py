"""A model in which everything that comes from outside is as nasty as it gets, for every format."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import cycle, islice
from typing import Any, TypeVar

from msgspec.structs import replace

from fsm.model import Event, Fact, Model, State, Term, Transition

NASTY = (
    "<script>alert(1)</script>",
    "</text></svg><script>alert(1)</script>",
    "<foreignObject><body onload=alert(1)></foreignObject>",
    '" onload="alert(1)" x="',
    "' onclick='alert(1)",
    '<a href="http://evil.example/x">click</a>',
    "&amp; & &lt; &#60; &unknown; &#0; #quot; #35;",
    "]]> <![CDATA[ x ]]> <!-- --> --!>",
    "<?xml version='1.0'?><!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]>&e;",
    "url(http://evil.example/x.png) @import",
    "strict graph { node [label=x] } a -> b",
    "<b>bold</b> {a|b} <port> a:n",
    "back\\slash \\n \\N \\G \\l \\",
    '"; evil [URL="http://evil.example"]; "',
    "cluster_0",
    "end",
    "subgraph x",
    "%%{init: {'securityLevel': 'loose'}}%%",
    'click n0 "javascript:alert(1)"',
    "```\n`tick` **bold** __line__ ~~gone~~ //it// [[link]] $$x$$ fa:fa-car",
    "[a](http://evil.example) {c} ((d)) |e| --> f ==> g -.-> h; i --- j",
    "* | table | - # heading 1. list",
    "@enduml\n!include /etc/passwd",
    "__proto__",
    "constructor",
    "n0",
    "line one\nline two\r\n\ttabbed",
    "null\x00 bell\x07 escape\x1b[31m delete\x7f next\x85 line\u2028separator",
    "no letters \ufffe\uffff",
    "שלום עולם",
    "turned \u202eevil\u202c \u2066around\u2069 \u200f never closed \u202e",
    "dice 🎲 family 👩‍👩‍👧‍👦 flag 🏳️‍🌈",
    "z\u0300\u0301\u0302\u0303a\u0300lgo zero\u200bwidth\ufeff",
    "漢字かな交じり文",
    "x" * 5_000,
    "many words " * 500,
)
"""Markup, quotes, words of other formats, control characters, right to left, emoji, very long."""
TURNING = set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that turn the direction of what follows them."""

T = TypeVar("T", State, Transition, Fact, Event)


def spoilt(model: Model, first: int = 0) -> Model:
    """The same machine with nasty words; `first` is the number of the text that comes first."""
    words = islice(cycle(NASTY), first, None)
    states = _names(words, (s.id for s in model.states))
    facts = _names(words, (f.name for f in model.facts))

    def said(part: T, *fields: str) -> T:
        new: dict[str, Any] = {name: next(words) for name in fields if getattr(part, name)}
        return replace(part, **new)

    def state(old: State) -> State:
        tells = tuple(facts[name] for name in old.tells)
        parent = states.get(old.parent, "")
        new = replace(old, id=states[old.id], parent=parent, tells=tells)
        return said(new, "name", "label", "rule", "doc", "manner")

    def row(old: Transition) -> Transition:
        guard = tuple(Term(facts[term.fact], term.value) for term in old.guard)
        target = states[old.target] if old.target else None
        new = replace(old, source=states[old.source], target=target, guard=guard)
        return said(new, "rule", "doc", "says")

    return replace(
        model,
        name=next(words),
        title=next(words),
        edition=next(words),
        initial=states[model.initial],
        states=tuple(map(state, model.states)),
        transitions=tuple(map(row, model.transitions)),
        facts=tuple(said(replace(f, name=facts[f.name]), "doc", "rule") for f in model.facts),
        events=tuple(said(event, "doc") for event in model.events),
        window=spoilt(model.window, first + 7) if model.window else None,
    )


def _names(words: Iterator[str], names: Iterable[str]) -> dict[str, str]:
    """A nasty name for each, there only once."""
    return {name: f"{next(words).strip()} {number}" for number, name in enumerate(names)}
