"""The words that pictures say by themselves, and how a user's table replaces them, never inside a
model's own words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from fsm.model import Model
from fsm.model.permodel import per_model
from fsm.views.drawing.diagram import Box, Diagram, Line, Node
from fsm.wording import (
    PERFORMERS,
    blanks,
    cited_rule,
    label_of,
    lower_first,
    plain,
    unnumbered,
    upper_first,
)

IN_TEXTS: tuple[str, ...] = (
    *(
        "Small numbers cite the rule.",
        "NO WAY ON from",
        "nothing happens",
        "otherwise",
        "else",
        "not",
        "done",
        "at",
    ),
    *(
        "from any step",
        "from any state",
        "from anywhere in it",
        "from anywhere in",
        "Any of these",
        "unless",
        "what follows it",
        "the next turn",
        "to",
    ),
    *(
        "from any",
        "from",
        "after any",
        "before any",
        "before or after any",
        "before or after",
        "before",
        "after",
    ),
    *(
        "can be skipped",
        "leaves out",
        "As any",
        "As",
        "ends",
        "end",
        "extras of this",
        "are dropped",
        "is over",
    ),
    *(
        "what lasts until",
        "what waited goes on",
        "noted",
        "any",
        "turn",
        "phase",
        "step",
        "or",
        "and",
        "but",
        "if",
    ),
    *(
        "again",
        "back to",
        "on",
        "in",
        "next turn",
        "extra turns first",
        "before the first turn",
        "Begin",
    ),
    *(
        "the turn begins",
        "a turn at a glance",
        "or from any step",
        "taken",
        "closed now",
        "can be taken now",
    ),
    *(
        "the phase",
        "each of its steps",
        "each step",
        "As each step ends",
        "it",
        "Before and after",
        "next",
        "the",
    ),
    *(
        "to another place",
        "extra ones can come",
        "From anywhere in the turn",
        "Now",
        "Never",
        "States",
    ),
    *(
        "An effect can skip any",
        "small numbers cite them",
        "small numbers cite the rule",
        "small words name the section",
    ),
    *(
        "as each",
        "The game ends as soon as",
        "Before the first turn of the game",
        "if an effect has added one",
    ),
    *("in order", "no", "FROM ANY STEP", "In any step but", "In any phase but"),
    *(
        "transitions",
        "of",
        "here",
        "turns",
        "more",
        "drawn as lines",
        "No window is open.",
        "Not on this picture.",
    ),
    *filter(None, PERFORMERS.values()),
)
"""Phrases in captions, labels, notes and tooltips; a longer one goes before one that it contains."""
IN_LEGENDS: tuple[str, ...] = (
    *("begin", "end", "action: the game does it", "window: players may act", "players may act"),
    *("only if something happened", "choice: first guard that holds", "is something extra due?"),
    *("turn begins", "turn ends", "which way? read the labels", "place for extra phases and steps"),
    *("normal course", "left out", "again or extra", "cut short"),
    *("core", "skipped", "extra", "jump out of everything", "jump", "what then happens"),
    *(
        "now here",
        "can go there",
        "not now: a guard is closed",
        "never",
        "under 10% of the most",
        "10 to 60%",
    ),
    *(
        "Arrows",
        "initial state",
        "final state",
        "transition",
        "transition from a state",
        "from any state inside",
    ),
    *("current state", "can happen now", "not now: a condition is false"),
    *("over 60%", "the order in which lines were taken; 7×: seven times in all"),
)
"""Whole texts of the legend."""
FIXED: frozenset[str] = frozenset({*IN_TEXTS, *IN_LEGENDS})


@per_model
def words_of(model: Model) -> dict[str, str]:
    """Return the fixed words that a translated Model carries. `translated` adds them, so other
    models have none.
    """
    return {}


def spoken(diagram: Diagram, model: Model) -> Diagram:
    """The diagram as it is read: with the fixed words that its model carries, without numbers that
    are the ruleset's.

    To be called before anything is placed.
    """
    words = words_of(model)
    speaker = _Speaker(words, model) if words else str

    def speak(text: str) -> str:
        return unnumbered(speaker(text))

    return replace(
        diagram,
        title=speak(diagram.title),
        caption=tuple(map(speak, diagram.caption)),
        nodes=tuple(_node(n, speak) for n in diagram.nodes),
        boxes=tuple(_box(b, speak) for b in diagram.boxes),
        lines=tuple(_line(o, speak) for o in diagram.lines),
        words={**diagram.words, **words},
    )


def say(text: str, words: Mapping[str, str]) -> str:
    """A text with other fixed words, where no model is at hand."""
    return _Speaker(words, None)(text) if words else text


def goal_of(diagram: Diagram, line: Line) -> str:
    """Where a line leads, in words: "to " and the name of that place."""
    if line.goal:
        return say(f"to {line.goal}", diagram.words)
    node = diagram.node(line.target)
    title = (node.title or node.tooltip.partition("\n")[0]) if node else ""
    return (
        f"{say('to', diagram.words)} {title}" if title else say("to another place", diagram.words)
    )


def _node(node: Node, say: Callable[[str], str]) -> Node:
    said, tip = tuple(map(say, node.lines)), say(node.tooltip)
    return replace(node, title=say(node.title), lines=said, rule=cited_rule(node.rule), tooltip=tip)


def _box(box: Box, say: Callable[[str], str]) -> Box:
    notes = tuple(replace(note, words=say(note.words)) for note in box.notes)
    return replace(box, notes=notes, rule=cited_rule(box.rule), tooltip=say(box.tooltip))


def _line(line: Line, say: Callable[[str], str]) -> Line:
    origin = line.origin or ("from any step" if line.ring else "")
    words, rule, tip = tuple(map(say, line.words)), cited_rule(line.rule), say(line.tooltip)
    return replace(
        line, words=words, rule=rule, origin=say(origin), goal=say(line.goal), tooltip=tip
    )


class _Speaker:
    """Replaces fixed words in a text; what the model says itself is left as it is."""

    def __init__(self, words: Mapping[str, str], model: Model | None) -> None:
        said = {key: word for key, word in words.items() if key in IN_TEXTS}
        self.words = {
            first(key): first(word)
            for key, word in said.items()
            for first in (lower_first, upper_first)
        }
        self.words |= said
        fixed = re.compile(_any(self.words))
        own = {
            text for text in (_own(model) if model else ()) if len(text) > 1 and fixed.search(text)
        }
        self.own = own
        self.found = re.compile(_any([*own, *self.words]))

    def __call__(self, text: str) -> str:
        return self.found.sub(self._said, text) if self.words else text

    def _said(self, match: re.Match[str]) -> str:
        return match[0] if match[0] in self.own else self.words[match[0]]


def _any(texts: Iterable[str]) -> str:
    """Any of these as whole words, the longest first."""
    longest = sorted(set(texts), key=lambda text: (-len(text), text))
    return rf"(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w)"


def _own(model: Model) -> Iterator[str]:
    """Every text that the model itself brings into a picture."""
    for part in (model, *([model.window] if model.window else [])):
        said = [
            part.title,
            part.name,
            part.edition,
            *(s.doc for s in part.states),
            *(s.rule for s in part.states),
        ]
        said += [part.rulebook, *(s.says for s in part.states)]
        said += [text for t in part.transitions for text in (t.doc, t.rule, t.says)]
        said += [text for f in part.facts for text in (f.doc, f.rule, f.says, f.denies)] + [
            e.doc for e in part.events
        ]
        said += [label_of(s) for s in part.states] + [blanks(f.name) for f in part.facts]
        said += [blanks(name) for name in part.signals]
        for text in dict.fromkeys(map(plain, said)):
            yield from {text, lower_first(text), upper_first(text), text.upper()}
