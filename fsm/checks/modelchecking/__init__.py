"""Bounded model checking: explores every game within bounds and proves properties of all of them.

from fsm.checks.modelchecking import Bounds, prove
proof = prove(model, Bounds(turns=2))
print(proof.positions, proof.ok, [property.name for property in proof.violated])
"""

from fsm.checks.modelchecking.bounds import FULL, Bounds
from fsm.checks.modelchecking.proof import Proof, Witness, prove

__all__ = ["FULL", "Bounds", "Proof", "Witness", "prove"]
