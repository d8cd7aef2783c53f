"""The result of a mutation run of one model, as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from benchmarks.mutation.equivalence import Proof
from benchmarks.mutation.mutants import Mutant
from fsm.model import Model
from fsm.testing.generation.path import Path


@dataclass(frozen=True)
class Outcome:
    """The mutants of a run, by what was found out about them.

    `tried` are all mutants. `by_paths` and `by_games` are those noticed by paths of the criteria
    and by games made for mutants, each with the game up to the answer that shows the difference.
    `proved` and `known` are equivalent to the model, by a proof or a written reason. `left` are all
    others. `refuted` are noticed although there is a reason why they could not be. `played` is the
    number of answers tried.
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
        """The mutants that a game notices."""
        return {**self.by_paths, **self.by_games}

    @property
    def explained(self) -> bool:
        """Whether every mutant is noticed or equivalent to the model."""
        return not self.left and not self.refuted

    def of_kind(self, kind: str) -> tuple[int, int, int, int, int, int]:
        """Count the mutants of a kind: all, noticed by paths, by games, proved, known, left."""
        groups = (self.tried, self.by_paths, self.by_games, self.proved, self.known, self.left)
        counts = [sum(mutant.kind == kind for mutant in group) for group in groups]
        return counts[0], counts[1], counts[2], counts[3], counts[4], counts[5]
