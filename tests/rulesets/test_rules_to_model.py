"""The page that leads from the clauses of rulebooks to the parts of the models."""

from __future__ import annotations

import pytest

from generate import pages
from rulemap import Clause, Document, documents, matching, parts
from support.folders import DOCS

DOCUMENTS = documents()
CLAUSES = [clause for document in DOCUMENTS for clause in document.every()]
UNCITED = ("event", "option", "order")
"""The kinds of parts that cite no rules."""


def named(one: Clause | Document) -> str:
    return f"{one.rule}: {one.says}" if isinstance(one, Clause) else one.title


def test_the_page_is_current() -> None:
    page = DOCS / "rules-to-model.md"
    assert page.read_text(encoding="utf-8") == pages()[page], "python docs/generate.py"


@pytest.mark.parametrize("clause", CLAUSES, ids=named)
def test_a_clause_is_carried_by_parts_that_exist_and_cite_it(clause: Clause) -> None:
    assert bool(clause.by) != bool(clause.host), (
        "a clause is in the model, or it says why it is the game's"
    )
    found: set[str] = set()
    for entry in clause.by:
        carriers = matching(entry, clause.ruleset)
        assert carriers, f"{entry} is not in {clause.ruleset}"
        if not entry.startswith(UNCITED):
            others = {
                part: sorted(rules)
                for part, rules in carriers.items()
                if not rules.intersection(clause.cites)
            }
            assert others == {}, "these cite other rules"
            found.update(*carriers.values())
    if any(not entry.startswith(UNCITED) for entry in clause.by):
        assert found.issuperset(clause.cites), "nothing that carries the clause cites this rule"


@pytest.mark.parametrize("document", DOCUMENTS, ids=named)
def test_every_rule_that_the_model_cites_there_is_a_clause_or_explained(document: Document) -> None:
    here = {
        rule for rules in parts(document.ruleset).values() for rule in rules if document.holds(rule)
    }
    clauses = {rule for clause in document.every() for rule in clause.cites}
    assert here - clauses == set(document.elsewhere)


def test_a_pattern_takes_brackets_literally() -> None:
    assert list(matching("transition turn_hub -> turn_before [extra_turn_due]", "magic")) == [
        "transition turn_hub -> turn_before [extra_turn_due]"
    ]
    assert matching("state no_such_state*", "magic") == {}
