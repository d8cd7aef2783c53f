"""The vocabulary of a Model's scenarios: the words that it accepts, and those that it refuses, each
with the reason.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fsm.model import Duration, Event, Fact, Model, Setting, State
from fsm.scenarios.expectations import CHECKS
from fsm.scenarios.modelwords import ModelWords
from fsm.scenarios.verbs import VERBS
from fsm.scenarios.wordchecks import ANCHORS, STEP_AFTER_PHASE


@dataclass(frozen=True, slots=True)
class ModelVocabulary:
    """The words of one Model.

    `refused` maps the words that the Model does not accept to the reasons. `refused_parts` does so
    for fields and values of verbs that it accepts, like "add_step.you_get". `stages` has the
    actions and windows of each step, by the step's name and in the model's order. `actions` are the
    words of `tba_order`, `facts` those of `tell`, and `signals` those of `signal`.
    """

    model: Model
    verbs: tuple[str, ...]
    expectations: tuple[str, ...]
    refused: Mapping[str, str]
    refused_parts: Mapping[str, str]
    steps: tuple[State, ...]
    phases: tuple[str, ...]
    families: tuple[str, ...]
    stages: Mapping[str, tuple[State, ...]]
    actions: tuple[str, ...]
    durations: tuple[Duration, ...]
    settings: tuple[Setting, ...]
    facts: tuple[Fact, ...]
    signals: tuple[Event, ...]


def vocabulary_of(model: Model) -> ModelVocabulary:
    """Return every word that a scenario of this Model may use."""
    words = ModelWords(model)
    verbs = {verb.name: refusal(words, *verb.needs) for verb in VERBS.values()}
    checks = {check.name: refusal(words, check.needs) for check in CHECKS.values()}
    return ModelVocabulary(
        model=model,
        verbs=tuple(name for name, why in verbs.items() if not why),
        expectations=tuple(name for name, why in checks.items() if not why),
        refused={name: why for name, why in (*verbs.items(), *checks.items()) if why},
        refused_parts=dict(_parts(words, [name for name, why in verbs.items() if not why])),
        steps=model.of_kind("step"),
        phases=words.phases,
        families=words.families,
        stages={step: tuple(stages.values()) for step, stages in words.stages.items()},
        actions=words.ordered_actions,
        durations=model.durations,
        settings=model.settings,
        facts=tuple(words.reported.values()),
        signals=tuple(event for event in model.events if not event.completion),
    )


def _parts(words: ModelWords, verbs: list[str]) -> Iterator[tuple[str, str]]:
    for name in verbs:
        for field in VERBS[name].fields:
            why = refusal(words, field.kind.needs)
            if why:
                yield f"{name}.{field.name}", why
    if "add_step" in verbs and not words.knows(STEP_AFTER_PHASE):
        yield f"add_step.after: {ANCHORS[1]}", refusal(words, STEP_AFTER_PHASE)


def refusal(words: ModelWords, *needs: str) -> str:
    """Return why the Model refuses a word with these needs, as a clause, or "" if it accepts the
    word.
    """
    missing = next((need for need in needs if not words.knows(need)), "")
    return (
        f"it needs {' or '.join(_named(*one.split(':')) for one in missing.split('|'))}"
        if missing
        else ""
    )


def _named(kind: str, name: str, level: str = "") -> str:
    if kind == "test":
        return _TESTS.get(name, name).format(level)
    if name == "assign_*":
        return "an action that assigns damage"
    if kind == "by":
        return "an action that is done by a role"
    return f"the {kind} {name}"


_TESTS = {
    "extra_due": "extra {}s",
    "skip_due": "effects that skip a {}",
    "only_another": "phases that hold only one step",
}
