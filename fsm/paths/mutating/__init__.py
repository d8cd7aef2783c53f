"""A mutation run: every small change of a model, and the game that notices it or the proof that none can.

DeMillo, Lipton and Sayward, "Hints on test data selection" (1978). `run` does it for one model;
`python -m fsm.paths.mutation` is the command.
"""

from fsm.paths.mutating.equivalence import Proof, why_equivalent
from fsm.paths.mutating.mutants import Mutant, mutants
from fsm.paths.mutating.noticing import Judge, notices
from fsm.paths.mutating.outcome import Outcome
from fsm.paths.mutating.running import run

__all__ = ["Judge", "Mutant", "Outcome", "Proof", "mutants", "notices", "run", "why_equivalent"]
