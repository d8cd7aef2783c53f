"""The words for parts of a model: names, guards, values of facts, actions, rules and positions in a
game.

The terms of a guard are its text as a ruleset writes it, for identifiers and checks. What a
player would say is in the ruleset, and `plain_words` has it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from fsm.model import By, Model, State, Term, Transition

_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
_TURNING = re.compile("[\u202a-\u202e\u2066-\u2069]")
LONGEST, LONGEST_SENTENCE = 160, 600
# What a rulebook leaves open is cited with a number of our own: "no rule (U-24)".
_OUR_NUMBER = re.compile(r" ?\([A-Z]+-\d+\)")
_NUMBERED = re.compile(r"^(\D*[^\W\d]{2}) (?:[A-Z]*\d[\d.]*|[A-Z])$")


# text ---------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def plain(text: str, longest: int = LONGEST) -> str:
    """Return a text as one line without control characters, cut off at a sane length, because it
    comes from outside.

    Marks that change the direction of the text after them are removed too: letters have a direction
    of their own, and no name may turn the text around it.
    """
    text = " ".join(_UNPRINTABLE.sub(" ", _TURNING.sub("", text[: 4 * longest])).split())
    return text if len(text) <= longest else text[: longest - 1] + "…"


def line(text: str) -> str:
    """Return a text of the model as one line, without control characters and a final full stop."""
    return plain(text, LONGEST_SENTENCE).rstrip(".")


def lower_first(text: str) -> str:
    """Return the text with a small first letter, unless it begins with an abbreviation or a name of
    several words.
    """
    _, _, rest = text.partition(" ")
    if text[1:2].isupper() or rest[:1].isupper():
        return text
    return text[:1].lower() + text[1:]


def upper_first(text: str) -> str:
    """Return the text with a capital first letter."""
    return text[:1].upper() + text[1:]


def merged(a: Iterable[Any], b: Iterable[Any]) -> list[Any]:
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


def listed(words: Sequence[str], last: str = "and") -> str:
    """Join words: "a, b and c"."""
    return f"{', '.join(words[:-1])} {last} {words[-1]}" if len(words) > 1 else "".join(words)


def many(number: int, what: str) -> str:
    """Return a number of things: "1 turn", "1,200 turns"."""
    return f"{number:,} {what}{'s' * (number != 1)}"


def few(words: Sequence[str], most: int = 3, between: str = ", ") -> str:
    """Join the first words, and say how many more there are: "a, b, c and 4 more"."""
    return between.join(words[:most]) + f" and {len(words) - most} more" * (len(words) > most)


# names and facts ----------------------------------------------------------------------------------


def blanks(name: str) -> str:
    """Return a name as people read it, with blanks for underscores."""
    return plain(name.replace("_", " "))


def label_of(state: State) -> str:
    """Return the name of a state for people."""
    return plain(state.label) or blanks(state.name or state.id)


_PERFORMERS: dict[By | str, str] = {
    "active": "",
    "defending": "by the defending players",
    "active_and_defending": "by the active player, then the defending players",
    "opponents": "by each opponent in turn order",
    "everyone": "by each player in turn order",
}


def doc_of(state: State) -> str:
    """Return what happens in a state, after who performs it if not the active player."""
    by = _PERFORMERS.get(state.by, f"by the {blanks(state.by)}")
    return "; ".join(part for part in (by, state.doc) if part)


# plain words --------------------------------------------------------------------------------------


def plain_words(model: Model, part: State | Term | Transition) -> str:
    """Return what a player would say of a part: the ruleset's own words, or else the names that the
    model has.

    Of a state, that is what is done in it; of a term, that the fact has this value; of a
    transition, why it is taken. It is "" for a transition that needs no reason.
    """
    if isinstance(part, State):
        return plain(part.says) or lower_first(label_of(part))
    if isinstance(part, Term):
        fact = model.fact(part.fact)
        name = blanks(fact.name)
        if part.value:
            return plain(fact.says) or name
        return plain(fact.denies) or f"not {name}"
    if part.says:
        return plain(part.says)
    guard = ", ".join(dict.fromkeys(plain_words(model, term) for term in part.guard))
    event = blanks(part.event) if part.event in model.signals else ""
    return ", ".join(filter(None, (event, guard)))


# rules --------------------------------------------------------------------------------------------


def source_of(rule: str) -> str:
    """Return a citation for readers who look nothing up by a number of ours: "" for what has no
    rule.

    A numbered section that has a name is called by its name: "Ending Phases GR1" is "Ending
    Phases".
    """
    return ", ".join(
        dict.fromkeys(_NUMBERED.sub(r"\1", part) for part in cited_rule(rule).split(", "))
    )


def cited_rule(rule: str) -> str:
    """Return a citation without what a ruleset writes for itself: its numbers, and that there is no
    rule.
    """
    parts = _OUR_NUMBER.sub("", plain(rule)).split(", ")
    return ", ".join(part for part in parts if part != "no rule")


def citation(rule: str) -> str:
    """Return a citation to put after what it is about: " (510.4)", or "" if there is none."""
    return f" ({rule})" if rule else ""


# positions ----------------------------------------------------------------------------------------


def position_words(turn: int, step: str, *, visit: int = 1, player: str = "") -> str:
    """Return which visit to a step: "turn 3 draw (visit 2)", or "turn 3 of Ann, draw (visit 2)"."""
    whose = f" of {player}," if player else ""
    again = f" (visit {visit})" if visit > 1 else ""
    return f"turn {turn}{whose} {step}{again}"
