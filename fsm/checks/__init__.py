"""What is wrong with a Model before it is played: findings, and proofs over every game within
bounds.

findings = fsm.checks.check(model)
proof = fsm.checks.prove(model, fsm.checks.Bounds(turns=2))
print(proof.positions, proof.ok, [property.name for property in proof.violated])
"""

from __future__ import annotations

from fsm.lazily import names_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fsm.checks.checking import check as check, report as report
    from fsm.checks.finding import Allowance as Allowance, Finding as Finding, Report as Report
    from fsm.checks.proof import Proof as Proof, Witness as Witness, prove as prove
    from fsm.checks.surroundings import Bounds as Bounds

__dir__, __all__ = names_from(
    __name__,
    {
        "fsm.checks.checking": "check report",
        "fsm.checks.finding": "Allowance Finding Report",
        "fsm.checks.surroundings": "Bounds",
        "fsm.checks.proof": "Proof Witness prove",
    },
)
