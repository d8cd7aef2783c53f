"""What cites a rule that is missing from a rulebook, has changed in it, or has another number
there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from fsm.analysis.checks.citing import split
from fsm.views.drawing.diagram import Box, Line, Node
from fsm.views.drawing.options import CitedRules, RuleTrouble
from fsm.views.drawing.overlays.pictureindex import PictureIndex
from fsm.views.drawing.placed import Overlay, Paint, Placed

_Part = TypeVar("_Part", Node, Box, Line)
_Rules = Mapping[str, tuple[str, ...]]
_PAINTS: Mapping[RuleTrouble, Paint] = {
    "missing": Paint("never", 3.0),
    "changed": Paint("open", 3.0),
    "renumbered": Paint("closed", 3.0),
}
"""How each kind is painted; of several, the first one counts."""
_LEGEND = {
    "never": "cites a rule that is not there",
    "can go there": "cites a rule that changed",
    "not now: a guard is closed": "cites a rule with a new number",
}
_SAID: Mapping[RuleTrouble, str] = {
    "missing": "Not there",
    "changed": "Changed",
    "renumbered": "With a new number",
}
_STEPS = frozenset({"card", "action", "window", "stage"})
_MOST = 10
_SHARE = 0.5
"""A rule that a larger share of the steps cites is told in the caption only."""


def with_rules(placed: Placed, index: PictureIndex, cited: CitedRules) -> Placed:
    """The picture with what cites one of these rules marked, and its other lines pale."""
    states = {state.id: state for state in index.model.states}
    nodes = {n.node.id: _known(cited, _of_node(index, n.node.id)) for n in placed.nodes}
    boxes = {id: _known(cited, [states[id].rule]) for id in index.boxes if id in states}
    lines = {id: _known(cited, (row.rule for row in ways.rows)) for id, ways in index.ways.items()}
    everywhere = _everywhere([nodes[n.node.id] for n in placed.nodes if n.node.kind in _STEPS])
    here, around, along = (_without(part, everywhere) for part in (nodes, boxes, lines))
    overlay = Overlay(
        _paints(here, cited),
        _paints(around, cited),
        _paints(along, cited),
        Paint("faded"),
        caption=_caption(
            cited,
            everywhere,
            {rule for part in (nodes, boxes, lines) for n in part.values() for rule in n},
        ),
    )
    return replace(
        placed,
        diagram=replace(placed.diagram, legend={**placed.diagram.legend, **_LEGEND}),
        nodes=tuple(replace(n, node=_told(n.node, here, cited)) for n in placed.nodes),
        boxes=tuple(replace(b, box=_told(b.box, around, cited)) for b in placed.boxes),
        lines=tuple(replace(p, line=_told(p.line, along, cited)) for p in placed.lines),
        overlay=overlay,
    )


def _of_node(index: PictureIndex, node: str) -> list[str]:
    """The citations of the states that a node shows, and of the transitions that stay inside it."""
    states = index.states_of(node)
    rows = [
        row for row in index.rows.values() if row.source in states and row.id not in index.drawn
    ]
    return [state.rule for state in index.model.states if state.id in states | {node}] + [
        row.rule for row in rows
    ]


def _known(cited: CitedRules, citations: Iterable[str]) -> tuple[str, ...]:
    """The rules of these citations with which something is the matter."""
    every = dict.fromkeys(rule for citation in citations for rule in split(citation))
    return tuple(rule for rule in every if rule in cited.rules)


def _everywhere(nodes: Collection[tuple[str, ...]]) -> frozenset[str]:
    counts = Counter(rule for rules in nodes for rule in rules)
    return frozenset(rule for rule, count in counts.items() if count > max(2, _SHARE * len(nodes)))


def _without(part: _Rules, rules: Collection[str]) -> _Rules:
    found = {id: tuple(rule for rule in own if rule not in rules) for id, own in part.items()}
    return {id: own for id, own in found.items() if own}


def _paints(part: _Rules, cited: CitedRules) -> dict[str, Paint]:
    order = list(_PAINTS)
    return {
        id: _PAINTS[min((cited.rules[rule][0] for rule in rules), key=order.index)]
        for id, rules in part.items()
    }


def _told(part: _Part, marked: _Rules, cited: CitedRules) -> _Part:
    """The part with what is the matter in its tooltip."""
    tips: list[str] = [f"{rule}: {cited.rules[rule][1]}" for rule in marked.get(part.id, ())]
    return replace(part, tooltip="\n".join((part.tooltip, *tips))) if tips else part


def _caption(cited: CitedRules, everywhere: Collection[str], shown: Collection[str]) -> str:
    """Which rules are marked, and which concern nearly every step."""
    said = [cited.about]
    for trouble, words in _SAID.items():
        rules = [
            rule for rule, (kind, _) in cited.rules.items() if kind == trouble and rule in shown
        ]
        more = f" and {len(rules) - _MOST} more" if len(rules) > _MOST else ""
        said += [f"{words}: {', '.join(rules[:_MOST])}{more}."] if rules else []
    said += (
        [f"In nearly every step, and not marked: {', '.join(sorted(everywhere))}."]
        if everywhere
        else []
    )
    said += [] if shown else ["Nothing on this picture cites such a rule."]
    return " ".join(said)
