"""Checks the words of one scenario: whether its ruleset has a step, whether a player plays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from fsm.errors import ScenarioError, suggest
from fsm.scenarios.modelwords import ModelWords
from fsm.scenarios.verbparts import CHANGE

ANCHORS = ("current_step", "current_phase")
STEP_AFTER_PHASE = "test:only_another"


def wrong_at(place: str, where: str, text: str, **more: Any) -> ScenarioError:
    """Return the error for this place in the scenario that messages call `place`."""
    return ScenarioError(f"{place}: {where}: {text}", place=where, **more)


@dataclass(frozen=True)
class WordChecker:
    """Checks words against a ruleset and the players. Every error begins with `place`.

    A field kind whose words depend on the ruleset has a method `check_KIND`.
    """

    place: str
    words: ModelWords
    players: tuple[str, ...]

    def fail(self, where: str, text: str, **more: Any) -> NoReturn:
        """Raise the ScenarioError for this place in the scenario."""
        raise wrong_at(self.place, where, text, **more)

    def among(self, what: str, word: str, known: Iterable[str], where: str) -> None:
        known = list(known)
        if word not in known:
            text = f"{what} {word!r} is not in {self.words.model.name}"
            kind = f"unknown-{what.replace(' ', '-')}"
            self.fail(where, text, kind=kind, found=word, known=known, limit=20)

    def check_player(self, word: str, where: str) -> None:
        if word not in self.players:
            self.fail(
                where,
                f"player {word!r} does not play",
                kind="unknown-player",
                found=word,
                known=self.players,
            )

    def check_players(self, words: list[str], where: str) -> None:
        for number, word in enumerate(words):
            self.check_player(word, f"{where}[{number}]")
        if len(set(words)) != len(words):
            self.fail(where, "a player is named twice")

    def check_whose(self, word: str, where: str) -> None:
        if word not in ("each", *self.players):
            known = ("each", *self.players)
            self.fail(
                where,
                f"{word!r} is neither 'each' nor a player",
                kind="unknown-player",
                found=word,
                known=known,
            )

    def check_step(self, word: str, where: str) -> None:
        self.among("step", word, self.words.steps, where)

    def check_step_or_phase(self, word: str, where: str) -> None:
        families = (state.family for state in self.words.model.of_kind("step"))
        known = dict.fromkeys(
            (*self.words.steps, *families, *self.words.phases, *self.words.families)
        )
        self.among("step or phase", word, known, where)

    def check_step_or_phase_or_change(self, word: str, where: str) -> None:
        if word != CHANGE or not self.words.knows("action:day_night"):
            self.check_step_or_phase(word, where)

    def check_step_anchor(self, word: str, where: str) -> None:
        if word == "current_phase" and not self.words.knows(STEP_AFTER_PHASE):
            name = self.words.model.name
            self.fail(
                where, f"a step after a phase is not known in {name}; add the phase, or name a step"
            )
        if word not in ANCHORS and word not in self.words.steps:
            known = (*ANCHORS, *self.words.steps)
            what = f"neither {ANCHORS[0]!r}, {ANCHORS[1]!r} nor a step of {self.words.model.name}"
            self.fail(
                where, f"anchor {word!r} is {what}", kind="unknown-anchor", found=word, known=known
            )

    def check_phase(self, word: str, where: str) -> None:
        self.among("phase", word, self.words.families, where)

    def check_added_phases(self, words: list[str], where: str) -> None:
        for i, word in enumerate(words):
            self.check_phase(word, f"{where}[{i}]")
            self._has("an extra", "phase", word, "candidate_is", f"{where}[{i}]")

    def check_added_step(self, word: str, where: str) -> None:
        self.check_step(word, where)
        self._has("an extra", "step", word, "candidate_is", where)

    def check_skipped_phase(self, word: str, where: str) -> None:
        self.check_phase(word, where)
        self._has("skipping the", "phase", word, "skip_due", where)

    def check_skipped_step(self, word: str, where: str) -> None:
        self.check_step(word, where)
        self._has("skipping the", "step", word, "skip_due", where)

    def _has(self, what: str, level: str, word: str, test: str, where: str) -> None:
        """Check that the Model can do this with the step or phase, as far as its tests show."""
        if not self.words.knows(f"test:{test}:{level}:{word}"):
            self.fail(
                where,
                f"{what} {level} {word!r} is not known in {self.words.model.name}; leave it out",
            )

    def check_fact(self, word: str, where: str) -> None:
        known = self.words.reported
        if word not in known:
            text = f"fact {word!r} is not one the game tells in {self.words.model.name}"
            self.fail(where, text, kind="unknown-fact", found=word, known=known, limit=20)

    def check_event(self, word: str, where: str) -> None:
        leaving = self.words.model.leaving
        if word == leaving:
            self.fail(where, "write player_leaves, which says who leaves")
        self.among(
            "event", word, (event for event in self.words.signals if event != leaving), where
        )

    def check_stage(self, word: str, step: str, where: str) -> None:
        known = self.words.stages[step]
        if word not in known:
            listed = f"stages of {step}: {', '.join(known)}" if known else f"{step} has no stages"
            near = suggest(word, ("begin", "priority", *known), limit=0)
            self.fail(
                where,
                f"{word!r} is neither 'begin', 'priority' nor a stage of {step}{near} ({listed})",
            )

    def check_phase_anchor(self, anchor: str | Mapping[str, Any], where: str) -> None:
        if isinstance(anchor, str):
            if anchor != "current_phase":
                right = f'"current_phase", or an object such as {{"phase": "{self.words.families[-1]}", "nth": 1}}'
                self.fail(where, f"anchor {anchor!r} is unknown; write {right}")
            return
        self.among(
            "phase", anchor["phase"], (*self.words.families, *self.words.phases), f"{where}.phase"
        )

    def check_until(self, word: str, where: str) -> None:
        self.among("duration", word, (d.name for d in self.words.model.durations), where)
