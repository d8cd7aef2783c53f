"""The reference of one ruleset as plain tables: its stages, the words of its scenarios, and its
options.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from fsm.model import Model
from fsm.rulesets import BUILT_IN, load, options
from fsm.scenarios.expect import CHECKS
from fsm.scenarios.reading import refused
from fsm.scenarios.rulebooks import VERBS
from fsm.scenarios.scenario import Words, words_of
from fsm.views.ways import grouped
from fsm.wording import blanks, few

Row: TypeAlias = Mapping[str, str]
"""A row of a table: its cells by the heads of their columns."""
Tables: TypeAlias = Mapping[str, Sequence[Row]]
"""The rows of each table, by its title."""
OPENS = {
    "natural": "players may act",
    "conditional": "players may act, if something is there",
    "conditional_round": "players may act, if something is there, and once more",
}
"""When players may act in a window."""
DEFAULTS = {
    "two_players": "yes with 2 players",
    "two_sides": "yes with 2 sides and as many players in each",
    True: "yes",
    False: "no",
}
"""The defaults of settings in words."""


def reference_of(spec: str) -> Tables:
    """The reference of a ruleset, by its specification. An empty table is left out. Raises
    RulesetError when there is no such ruleset.
    """
    model = load(spec)
    words = words_of(model)
    tables = {**_of_turn(words), **_of_scenarios(words), **_of_games(model)}
    name = spec.partition("?")[0]
    if name in BUILT_IN:
        tables["Options"] = [
            {
                "option": option,
                "values, the default first": ", ".join(map(_text, of.values)),
                "meaning": of.doc,
            }
            for option, of in options(name).items()
        ]
    return {title: rows for title, rows in tables.items() if rows}


def _of_turn(words: Words) -> Tables:
    model = words.model
    outside = [
        state
        for state in model.leaves
        if state.asks == "perform" and not model.enclosing(state.id, "step")
    ]
    return {
        "Stages": [
            {
                "step": step,
                "stage": stage.id,
                "what happens": ": ".join(
                    filter(None, (stage.label, OPENS.get(stage.opens, stage.doc)))
                ),
                "turn-based action": stage.action,
                "rule": stage.rule,
            }
            for step, stages in words.stages.items()
            for stage in stages.values()
        ],
        "Asked at other times": [
            {
                "action": action,
                "what happens": states[0].doc or states[0].label,
                "stages": few([state.id for state in states]),
                "rule": states[0].rule,
            }
            for action, states in grouped(outside, lambda state: state.action).items()
        ],
        "Phases and steps": [
            {
                "phase": phase.name,
                "effects call it": phase.family or phase.name,
                "steps": " ".join(s.name for s in model.children(phase.id) if s.kind == "step"),
            }
            for phase in model.of_kind("phase")
        ],
    }


def _of_scenarios(words: Words) -> Tables:
    unknown = refused(words.model)
    return {
        "What may be given": [
            {
                "verb": name,
                "fields": ", ".join(field.encode_name for field in verb.own_fields),
                "meaning": verb.meaning,
            }
            for name, verb in VERBS.items()
            if name not in unknown
        ],
        "What may be expected": [
            {"key": name, "holds when": check.doc}
            for name, check in CHECKS.items()
            if name not in unknown
        ],
        "Refused": [{"word": word, "why": why} for word, why in unknown.items()],
        "Facts that a scenario can tell": [
            {
                "fact": fact.name,
                "meaning": fact.doc
                + f" (until the end of: {blanks(fact.scope)})" * (fact.timing == "latched"),
                "rule": fact.rule,
            }
            for fact in words.facts.values()
        ],
    }


def _of_games(model: Model) -> Tables:
    return {
        "Signals": [
            {"event": event.name, "meaning": event.doc}
            for event in model.events
            if not event.completion
        ],
        "Durations": [
            {"name": each.name, "meaning": each.doc, "rule": each.rule} for each in model.durations
        ],
        "Settings of a game": [
            {"setting": each.name, "meaning": each.doc, "default": DEFAULTS[each.default]}
            for each in model.settings
        ],
    }


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
