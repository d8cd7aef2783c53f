"""What a Model's scenarios may say: the words it knows, and those it refuses, each with the reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fsm.model import Duration, Event, Fact, Model, Setting, State
from fsm.scenarios.checklist import CHECKS
from fsm.scenarios.vocabulary import VERBS
from fsm.scenarios.wording import ANCHORS, STEP_AFTER_PHASE
from fsm.scenarios.words import Words


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words of one Model.

    `verbs` and `expectations` are those it knows, `refused` those it does not, by name with the reason;
    `refused_parts` are fields (or values) of verbs it does know: "add_step.you_get". `stages` are the
    actions and windows of each step, by the step's name, in the model's order; `actions` the words of
    `tba_order`; `facts` what `tell` may tell; `signals` what `signal` may send.
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


def vocabulary_of(model: Model) -> Vocabulary:
    """Every word that a scenario of this Model may use."""
    words = Words(model)
    verbs = {verb.name: refusal(words, *verb.needs) for verb in VERBS.values()}
    checks = {check.name: refusal(words, check.needs) for check in CHECKS.values()}
    return Vocabulary(
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
        facts=tuple(words.told.values()),
        signals=tuple(event for event in model.events if not event.completion),
    )


def _parts(words: Words, verbs: list[str]) -> Iterator[tuple[str, str]]:
    for name in verbs:
        for field in VERBS[name].fields:
            why = refusal(words, field.needs)
            if why:
                yield f"{name}.{field.name}", why
    if "add_step" in verbs and not words.knows(STEP_AFTER_PHASE):
        yield f"add_step.after: {ANCHORS[1]}", refusal(words, STEP_AFTER_PHASE)


def refusal(words: Words, *needs: str) -> str:
    """Why the Model refuses a word with these needs, as a clause; "" when it does not."""
    missing = next((need for need in needs if not words.knows(need)), "")
    return f"it needs {' or '.join(_named(*one.split(':')) for one in missing.split('|'))}" if missing else ""


def _named(kind: str, name: str, level: str = "") -> str:
    if kind == "test":
        return _TESTS.get(name, name).format(level)
    if name == "assign_*":
        return "an action that assigns damage"
    return f"the {kind} {name}"


_TESTS = {
    "extra_due": "extra {}s",
    "skip_due": "effects that skip a {}",
    "only_another": "phases that hold only one step",
}
