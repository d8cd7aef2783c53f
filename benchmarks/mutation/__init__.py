"""Mutation runs: every small change of a model, with a game that notices it or a proof that none
can.

DeMillo, Lipton and Sayward, "Hints on test data selection" (1978). `run` does it for one model;
`python -m benchmarks.mutation` is the command.
"""

from benchmarks.mutation.equivalence import Proof, why_equivalent
from benchmarks.mutation.mutants import Mutant, mutants
from benchmarks.mutation.noticing import Judge, notices
from benchmarks.mutation.outcome import Outcome
from benchmarks.mutation.running import run

__all__ = ["Judge", "Mutant", "Outcome", "Proof", "mutants", "notices", "run", "why_equivalent"]
