"""Coverage of state machines: which states and transitions of your `transitions` machines the tests
take.

    from transitions_cov import collect, report

    with collect() as session:
        ...  # anything that triggers events on machines of the `transitions` library
    print(report(session.data, "term-missing"))

In a test, `traversed` records one machine:

    with traversed(door) as way:
        door.push()
    assert way.took("shut -> open")

For pytest: PYTEST_DONT_REWRITE.
"""

from __future__ import annotations

from fsm.extensions import extend_coverage
from fsm.lazily import names_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fsm.coverage import Coverage as Coverage
    from fsm.coverage import CoverageError as CoverageError
    from fsm.coverage import Data as Data
    from fsm.coverage import Session as Session
    from fsm.coverage import Subject as Subject
    from fsm.coverage import Target as Target
    from fsm.coverage import combine as combine
    from fsm.coverage import criteria as criteria
    from fsm.coverage.traversal import Traversal as Traversal
    from fsm.coverage.traversal import traversed as traversed
    from transitions_cov.measuring import collect as collect
    from transitions_cov.measuring import compare as compare
    from transitions_cov.measuring import covered as covered
    from transitions_cov.measuring import report as report
    from transitions_cov.measuring import subjects as subjects

__version__ = "0.1.0"

__dir__, __all__ = names_from(
    __name__,
    {
        "fsm.coverage": (
            "Coverage",
            "CoverageError",
            "Data",
            "Session",
            "Subject",
            "Target",
            "combine",
            "criteria",
        ),
        "fsm.coverage.traversal": ("Traversal", "traversed"),
        "transitions_cov.measuring": ("collect", "compare", "covered", "report", "subjects"),
    },
)


def _with_turn_fsm() -> object:
    from transitions_cov.turnfsm import TurnFsmExtension  # who only collects needs no extension

    return TurnFsmExtension()


extend_coverage(_with_turn_fsm)
