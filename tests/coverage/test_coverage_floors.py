"""Minimum coverage: one total over everything, or a threshold by criterion."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fsm.coverage.reports import Result, below, floors_asked, results_of
from support.smallmodels import LAMP, OFF, ON, recorded

CRITERIA = ("states", "transitions")


def lamps(count: int, *steps: tuple[str, str]) -> list[Result]:
    """Results of the same model under several names."""
    (one,) = results_of(recorded(LAMP, list(steps)), [("lamp", LAMP)], CRITERIA)
    return [replace(one, name=f"lamp{number}") for number in range(count)]


HALF = ((ON, "off"), (OFF, "on"))


def problems(results: list[Result], text: str) -> tuple[str, ...]:
    return below(results, floors_asked([text]))


def test_a_total_counts_all_machines_and_criteria_and_is_one_problem() -> None:
    results = [*lamps(25, *HALF), *lamps(1, (ON, "off"))]
    taken = sum(len(c.covered) for r in results for c in r.coverages)
    asked = sum(c.asked for r in results for c in r.coverages)
    share = 100 * taken / asked
    assert problems(results, f"{share - 0.01}") == ()
    (said,) = problems(results, f"{share + 0.01}")
    assert said.startswith("total ") and f"({taken} of {asked})" in said
    assert "; the least: lamp0 transitions " in said and said.count(",") == 2
    assert "\n" not in said


def test_the_worst_come_first() -> None:
    (said,) = problems([*lamps(3, *HALF), replace(lamps(1, (ON, "off"))[0], name="worst")], "100")
    assert "; the least: worst transitions" in said


def test_a_criterion_fails_once_with_a_few_machines() -> None:
    (said,) = problems(lamps(25, *HALF), "transitions=100")
    head, *lines = said.splitlines()
    assert head == "transitions: 25 of 25 machines are below 100%"
    assert (
        len(lines) == 6
        and lines[0].strip().startswith("lamp0: ")
        and lines[-1].strip() == "and 20 more"
    )


def test_one_machine_below_is_one_line() -> None:
    (said,) = problems(lamps(1, *HALF), "transitions=100")
    assert (
        said.startswith("lamp0: transitions ")
        and said.endswith(" is below 100%")
        and "\n" not in said
    )


@pytest.mark.parametrize("text", ["rules=1", "rules=0"])
def test_a_criterion_that_was_not_measured_is_said(text: str) -> None:
    assert problems(lamps(1, *HALF), text) == (
        "lamp0: rules is not measured: it is not among the criteria",
    )
