"""Proofs over runs: everything that can happen in a game within bounds, and what is true of all of it.

from fsm.analysis.modelchecking import Bounds, prove
proof = prove(model, Bounds(turns=2))
print(proof.positions, proof.ok, [property.name for property in proof.violated])
"""

from fsm.analysis.modelchecking.bounds import FULL, Bounds
from fsm.analysis.modelchecking.proof import Proof, Witness, prove

__all__ = ["FULL", "Bounds", "Proof", "Witness", "prove"]
