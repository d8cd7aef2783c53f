"""Mutation runs: every small change of a model, with a game that notices it or a proof that none can.

DeMillo, Lipton and Sayward, "Hints on test data selection" (1978). `run` does it for one model;
`python -m fsm.testing.generation.mutation` is the command.
"""

from fsm.testing.generation.mutating.equivalence import Proof, why_equivalent
from fsm.testing.generation.mutating.mutants import Mutant, mutants
from fsm.testing.generation.mutating.noticing import Judge, notices
from fsm.testing.generation.mutating.outcome import Outcome
from fsm.testing.generation.mutating.running import run

__all__ = ["Judge", "Mutant", "Outcome", "Proof", "mutants", "notices", "run", "why_equivalent"]
