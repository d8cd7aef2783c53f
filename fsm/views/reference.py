"""The reference of one ruleset as plain tables: its stages, the words of its scenarios, and its
options.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from fsm.model import Model, State
from fsm.rulesets import BUILT_IN, load, options
from fsm.scenarios.expect import CHECKS
from fsm.scenarios.reading import refused
from fsm.scenarios.rulebooks import VERBS
from fsm.scenarios.scenario import Words, words_of
from fsm.wording import blanks, few

Row = tuple[str, ...]
OPENS = {
    "conditional": "players may act, if something is there",
    "conditional_round": "players may act, if something is there, and once more",
}
"""When players may act in a window that does not always open."""


@dataclass(frozen=True, slots=True)
class Section:
    """One table of the reference. An empty one is left out."""

    title: str
    head: Row
    rows: tuple[Row, ...]


def reference_of(spec: str) -> tuple[Section, ...]:
    """The reference of a ruleset, by its specification. Raises RulesetError when there is none."""
    model = load(spec)
    words = words_of(model)
    unknown = refused(model)
    signals = [(event.name, event.doc) for event in model.events if not event.completion]
    durations = [(each.name, each.doc, each.rule) for each in model.durations]
    stages = ("step", "stage", "what happens", "turn-based action", "rule")
    sections: list[tuple[str, Row, Iterable[Row]]] = [
        ("Stages", stages, _stages(words)),
        ("Asked at other times", ("action", "what happens", "stages", "rule"), _elsewhere(words)),
        ("Phases and steps", ("phase", "effects call it", "steps"), _phases(model)),
        ("What may be given", ("verb", "fields", "meaning"), _verbs(unknown)),
        ("What may be expected", ("key", "holds when"), _expectations(unknown)),
        ("Refused", ("word", "why"), unknown.items()),
        ("Facts that a scenario can tell", ("fact", "meaning", "rule"), _told(words)),
        ("Signals", ("event", "meaning"), signals),
        ("Durations", ("name", "meaning", "rule"), durations),
        ("Settings of a game", ("setting", "meaning", "default"), _settings(model)),
        ("Options", ("option", "values, the default first", "meaning"), _options(spec)),
    ]
    found = [Section(title, head, tuple(rows)) for title, head, rows in sections]
    return tuple(section for section in found if section.rows)


def _stages(words: Words) -> Iterator[Row]:
    for step, stages in words.stages.items():
        for stage in stages.values():
            yield step, stage.id, _happens(stage), stage.action, stage.rule


def _elsewhere(words: Words) -> Iterator[Row]:
    """Actions that end steps and phases, come before the game, or belong to a procedure."""
    within = set[str]()
    within.update(*words.stages.values())
    actions = defaultdict[str, list[State]](list)
    for state in words.model.leaves:
        if state.asks == "perform" and state.id not in within:
            actions[state.action].append(state)
    for action, states in actions.items():
        first = states[0]
        ids = [state.id for state in states]
        yield action, first.doc or first.label, few(ids), first.rule


def _happens(stage: State) -> str:
    if stage.kind != "window":
        if stage.doc:
            return f"{stage.label}: {stage.doc}"
        return stage.label
    return f"{stage.label}: {OPENS.get(stage.opens, 'players may act')}"


def _phases(model: Model) -> Iterator[Row]:
    for phase in model.of_kind("phase"):
        steps = (state.name for state in model.children(phase.id) if state.kind == "step")
        yield phase.name, phase.family or phase.name, " ".join(steps)


def _verbs(unknown: Mapping[str, str]) -> Iterator[Row]:
    for name, row in VERBS.items():
        if name not in unknown:
            yield name, ", ".join(field.encode_name for field in row.own_fields), row.meaning


def _expectations(unknown: Mapping[str, str]) -> Iterator[Row]:
    for name, check in CHECKS.items():
        if name not in unknown:
            yield name, check.doc


def _told(words: Words) -> Iterator[Row]:
    for fact in words.facts.values():
        until = f" (until the end of: {blanks(fact.scope)})" if fact.timing == "latched" else ""
        yield fact.name, fact.doc + until, fact.rule


def _settings(model: Model) -> Iterator[Row]:
    words = {
        "two_players": "yes with 2 players",
        "two_sides": "yes with 2 sides and as many players in each",
        True: "yes",
        False: "no",
    }
    for setting in model.settings:
        yield setting.name, setting.doc, words[setting.default]


def _options(spec: str) -> Iterator[Row]:
    name = spec.partition("?")[0]
    if name in BUILT_IN:
        for option, of in options(name).items():
            yield (
                option,
                ", ".join(str(v).lower() if isinstance(v, bool) else str(v) for v in of.values),
                of.doc,
            )
