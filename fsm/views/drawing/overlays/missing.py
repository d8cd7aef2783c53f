"""What the caption of a coverage says: the sum, and what was never taken, with its rule."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from fsm.views.drawing.diagram import ANYWHERE, Line
from fsm.views.drawing.overlays.pictureindex import PictureIndex, Ways
from fsm.wording import citation, cited_rule, label_of, lower_first, plain, rules_of

MOST, FEW = 8, 3
_NUMBER = re.compile(r"^\d+ +")


def caption(
    index: PictureIndex,
    counts: Mapping[str, int],
    nodes: Mapping[str, int],
    lines: Mapping[str, int],
    *,
    whole: bool,
) -> str:
    """The sum of states and transitions, then what is missing; `nodes` and `lines` are the counts
    drawn, by id.

    Summed up is the `whole` model, or what is drawn of it.
    """
    rows = [t for t in index.rows.values() if whole or t.id in index.drawn]
    rows = [t for t in rows if not index.model.state(t.source).stand_in]
    taken = [t for t in rows if counts.get(t.id, 0) > 0]
    states = [s for s in index.model.leaves if not s.stand_in]
    leaves = [s.id for s in states if whole or nodes.get(s.id) is not None]
    seen = {
        state
        for t in index.rows.values()
        if counts.get(t.id, 0) > 0
        for state in (t.source, t.target)
    }
    said = [*_turns(index, counts), f"States {len(seen.intersection(leaves))} of {len(leaves)},"]
    said.append(f"transitions {len(taken)} of {len(rows)}{'' if whole else ' here'}.")
    named = list(dict.fromkeys((*_names(index, nodes, lines), *_elsewhere(index, counts))))
    if named:
        more = [f"and {len(named) - MOST} more"] if len(named) > MOST else []
        said.append(f"Never: {', '.join([*named[:MOST], *more])}.")
    unseen = len([t for t in rows if t not in taken and t.id not in index.drawn])
    return " ".join(
        [*said, *([f"Never, and not drawn as lines: {unseen} transitions."] if unseen else [])]
    )


def _turns(index: PictureIndex, counts: Mapping[str, int]) -> list[str]:
    """How many turns began, where a model has any."""
    turns = [s.id for s in index.model.of_kind("turn")]
    begins = {s.id for s in index.model.leaves if s.role == "begin" and s.parent in turns}
    count = sum(counts.get(t.id, 0) for t in index.rows.values() if t.target in begins)
    return [f"{count} turn{'' if count == 1 else 's'}."] if begins else []


def _names(
    index: PictureIndex, nodes: Mapping[str, int], lines: Mapping[str, int]
) -> Iterator[str]:
    """What is drawn and was never taken: boxes and nodes, then lines between nodes that were."""
    placed, never = index.placed, {id for id, count in nodes.items() if not count}
    boxes = {box for box in index.boxes if _all_never(index, box, nodes)}
    yield from (
        lower_first(_label(index, box)) + citation(_rule(index, box))
        for box in index.boxes
        if box in boxes
    )
    for node in (p.node for p in placed.nodes):
        if node.id in never and node.kind != "choice" and node.box not in boxes:
            yield lower_first(node.title) + citation(node.rule or _rule(index, node.id))
    for line in (p.line for p in placed.lines):
        if not lines.get(line.id, 1) and not {line.source, line.target} & never:
            yield _called(index, line) + citation(line.rule)


def _elsewhere(index: PictureIndex, counts: Mapping[str, int]) -> Iterator[str]:
    """What was taken from some states and not from others, where one line is drawn for all."""
    for ways in index.ways.values():
        if partly(ways, counts):
            taken = {row.source for row in ways.rows if counts.get(row.id)}
            others = dict.fromkeys(row.source for row in ways.rows if row.source not in taken)
            never = [label_of(index.model.state(id)) for id in others]
            called = _called(index, replace(ways.line, words=ways.line.words[1:]))
            yield f"{called} from {', '.join(never[:FEW])}{' and others' if len(never) > FEW else ''}"


def partly(ways: Ways, counts: Mapping[str, int]) -> str:
    """From how many states a line was taken that starts at all: " from 2 of 3"; "" if from all or
    none of them.
    """
    sources = {row.source for row in ways.rows}
    taken = {row.source for row in ways.rows if counts.get(row.id)}
    some = ways.line.source == ANYWHERE.id and taken and taken != sources
    return f" from {len(taken)} of {len(sources)}" if some else ""


def _all_never(index: PictureIndex, box: str, nodes: Mapping[str, int]) -> bool:
    inside = [p.node.id for p in index.placed.nodes if p.node.box == box and p.node.id in nodes]
    return bool(inside) and not any(nodes[id] for id in inside)


def _called(index: PictureIndex, line: Line) -> str:
    """What a line is called: by its event, else by its ends."""
    words = _NUMBER.sub("", plain(" ".join(line.words))).partition(" / ")[0]
    if words and not words.startswith(("[", "else", "/")):
        return words
    ends = " → ".join(lower_first(_label(index, end)) for end in (line.source, line.target))
    return ends if words.startswith("/") else f"{ends} {words}".strip()


def _label(index: PictureIndex, end: str) -> str:
    known = {s.id: label_of(s) for s in index.model.states}
    titles = {n.node.id: n.node.title for n in index.placed.nodes}
    return known.get(end) or titles.get(end) or "begin"


def _rule(index: PictureIndex, state: str) -> str:
    """The rules of a state, or of what leads there."""
    own = [s.rule for s in index.model.states if s.id == state and s.rule]
    return cited_rule(
        own[0] if own else rules_of(t for t in index.rows.values() if t.target == state)
    )
