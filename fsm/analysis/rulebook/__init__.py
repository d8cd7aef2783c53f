"""Rulebook watch: a rulebook that you have as plain text against the rules that a ruleset cites.

    found = report("magic", "rules.txt")
    found = compare("magic", "rules.txt", "newer-rules.txt")

Nothing of a rulebook is shipped. `fsm rulebook` prints what these functions find.
"""

from __future__ import annotations

from fsm.analysis.rulebook.book import BookRule, Rulebook, RulebookError
from fsm.analysis.rulebook.comparing import RuleChange
from fsm.analysis.rulebook.watching import (
    RulebookComparison,
    RulebookReport,
    RuleConcerned,
    RuleUse,
    compare,
    report,
)

__all__ = [
    "BookRule",
    "RuleChange",
    "RuleConcerned",
    "RuleUse",
    "Rulebook",
    "RulebookComparison",
    "RulebookError",
    "RulebookReport",
    "compare",
    "report",
]
