"""The reference of one ruleset as plain tables: its stages, the words of its scenarios, and its
options.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fsm.model import Model, State
from fsm.rulesets import BUILT_IN, load, options
from fsm.rulesets.stated_properties import numbers_of_editions
from fsm.scenarios.expect import CHECKS
from fsm.scenarios.game import VERBS
from fsm.scenarios.vocabulary import meaning_of, refused
from fsm.scenarios.words import Words, words_of
from fsm.wording import blanks, window_words

Row = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """One table of the reference. An empty one is left out."""

    title: str
    head: Row
    rows: tuple[Row, ...]


def reference_of(spec: str) -> tuple[Section, ...]:
    """The reference of a ruleset, by its specification. Raises RulesetError when there is none."""
    model = load(spec)
    words, unknown = words_of(model), refused(model)
    sections = (
        Section(
            "Stages",
            ("step", "stage", "what happens", "turn-based action", "rule"),
            tuple(_stages(words)),
        ),
        Section(
            "Asked at other times",
            ("action", "what happens", "stages", "rule"),
            tuple(_elsewhere(words)),
        ),
        Section("Phases and steps", ("phase", "effects call it", "steps"), tuple(_phases(model))),
        Section("What may be given", ("verb", "fields", "meaning"), tuple(_verbs(unknown))),
        Section("What may be expected", ("key", "holds when"), tuple(_expectations(unknown))),
        Section("Refused", ("word", "why"), tuple(unknown.items())),
        Section("Facts that a scenario can tell", ("fact", "meaning", "rule"), tuple(_told(words))),
        Section(
            "Signals",
            ("event", "meaning"),
            tuple((e.name, e.doc) for e in model.events if not e.completion),
        ),
        Section(
            "Durations",
            ("name", "meaning", "rule"),
            tuple((d.name, d.doc, d.rule) for d in model.durations),
        ),
        Section("Settings of a game", ("setting", "meaning", "default"), tuple(_settings(model))),
        Section("Numbers of rules by edition", *numbers_of_editions(model.name)),
        Section(
            "Options", ("option", "values, the default first", "meaning"), tuple(_options(spec))
        ),
    )
    return tuple(section for section in sections if section.rows)


def _stages(words: Words) -> Iterator[Row]:
    for step, stages in words.stages.items():
        for stage in stages.values():
            yield step, stage.id, _happens(stage), stage.action, stage.rule


def _elsewhere(words: Words) -> Iterator[Row]:
    """Actions that end steps and phases, come before the game, or belong to a procedure."""
    within = {id for stages in words.stages.values() for id in stages}
    others = [
        state for state in words.model.leaves if state.asks == "perform" and state.id not in within
    ]
    for action in dict.fromkeys(state.action for state in others):
        states = [state for state in others if state.action == action]
        shown = ", ".join(state.id for state in states[:3]) + (", ..." if len(states) > 3 else "")
        yield action, states[0].doc or states[0].label, shown, states[0].rule


def _happens(stage: State) -> str:
    if stage.kind != "window":
        return f"{stage.label}: {stage.doc}" if stage.doc else stage.label
    return f"{stage.label}: {window_words(stage.opens)}"


def _phases(model: Model) -> Iterator[Row]:
    for phase in model.of_kind("phase"):
        steps = (state.name for state in model.children(phase.id) if state.kind == "step")
        yield phase.name, phase.family or phase.name, " ".join(steps)


def _verbs(unknown: Mapping[str, str]) -> Iterator[Row]:
    for name, row in VERBS.items():
        if name not in unknown:
            yield name, ", ".join(field.encode_name for field in row.own_fields), meaning_of(row)


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
