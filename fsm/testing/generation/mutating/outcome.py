"""The result of a mutation run of one model, as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fsm.model import Model
from fsm.testing.generation.mutating.equivalence import Proof
from fsm.testing.generation.mutating.mutants import Mutant
from fsm.testing.generation.path import Path


@dataclass(frozen=True)
class Outcome:
    """`tried`: all mutants of the run. `by_paths`, `by_games`: those noticed, each with the game that does, cut after
    the answer that does: a path of the criteria, or a game made for mutants. `proved`, `known`: those that are the
    same as the model, proved or by a written reason. `left`: all others. `played`: so many answers were tried.

    `refuted`: those that are noticed although there is a reason why they could not be.
    """

    model: Model
    tried: tuple[Mutant, ...]
    by_paths: Mapping[Mutant, Path]
    by_games: Mapping[Mutant, Path]
    proved: Mapping[Mutant, Proof]
    known: Mapping[Mutant, str]
    left: tuple[Mutant, ...]
    refuted: tuple[Mutant, ...]
    played: int

    @property
    def noticed(self) -> Mapping[Mutant, Path]:
        """Those that a game notices."""
        return {**self.by_paths, **self.by_games}

    @property
    def explained(self) -> bool:
        """Is every mutant noticed, or the same as the model?"""
        return not self.left and not self.refuted

    def of_kind(self, kind: str) -> tuple[int, int, int, int, int, int]:
        """How many of a kind there are; noticed by paths, by games; the same as proved, as written; left."""
        groups = (self.tried, self.by_paths, self.by_games, self.proved, self.known, self.left)
        counts = [sum(mutant.kind == kind for mutant in group) for group in groups]
        return counts[0], counts[1], counts[2], counts[3], counts[4], counts[5]
