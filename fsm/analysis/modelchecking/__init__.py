"""Bounded model checking: explores every game within bounds and proves properties of all of them.

from fsm.analysis.modelchecking import Bounds, prove
proof = prove(model, Bounds(turns=2))
print(proof.positions, proof.ok, [property.name for property in proof.violated])
"""

from fsm.analysis.modelchecking.bounds import FULL, Bounds
from fsm.analysis.modelchecking.proof import Proof, Witness, prove

__all__ = ["FULL", "Bounds", "Proof", "Witness", "prove"]
