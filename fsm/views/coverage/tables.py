"""The tables of the page: missing targets with a path, impossible ones with the reason, taken ones with the tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape

from fsm.coverage.reports.results import Result, percent
from fsm.coverage.reports.ways import way_text, way_to
from fsm.coverage.target import Coverage, Target
from fsm.wording import plain

MOST = {"missing": 150, "allowed": 150, "impossible": 60, "refuted": 60, "taken": 400}
MOST_TESTS = 3
LONG = 70
STATES = 6


def tables(result: Result, coverage: Coverage, scale: float = 1.0) -> str:
    """Return a folded section for one criterion, with a table for each kind of target, `scale` of its full length."""
    head = f"{coverage.criterion}: {len(coverage.covered)} of {coverage.asked} taken ({percent(coverage)})"
    open = " open" if coverage.missing and coverage.criterion == "transitions" else ""
    return f"<details{open}><summary>{escape(head)}</summary>{''.join(_kinds(result, coverage, scale))}</details>"


def _kinds(result: Result, coverage: Coverage, scale: float) -> Iterator[str]:
    most = {kind: max(4, int(count * scale)) for kind, count in MOST.items()}
    many = len(coverage.targets) > 1000
    ways = {t.key: way_to(result.model, coverage.criterion, t) for t in coverage.missing}
    nearest = sorted(coverage.missing, key=lambda t: len(ways[t.key]) or 10**6)
    yield _table("missing", "a way there on the graph", nearest, most, lambda t: way_text(ways[t.key], STATES))
    allowed = "allowed to be missing"
    yield _table("allowed", "why", coverage.excused, most, lambda t: coverage.allowed[t.key], title=allowed)
    yield _table("impossible", "why no run can take it", coverage.infeasible, most, lambda t: t.infeasible)
    refuted = "held impossible, and yet taken"
    yield _table("refuted", "why it was held impossible", coverage.refuted, most, lambda t: t.infeasible, title=refuted)
    taken = () if many else coverage.covered
    yield _table("taken", "tests", taken, most, lambda t: _tests(coverage.by.get(t.key, {})), coverage)


def _table(
    kind: str,
    what: str,
    targets: Sequence[Target],
    most: Mapping[str, int],
    say: Callable[[Target], str],
    coverage: Coverage | None = None,
    title: str = "",
) -> str:
    """Return a table with a limited number of rows, or "" if there are none."""
    if not targets:
        return ""
    shown = targets[: most[kind]]
    rows = "".join(_row(target, say(target), coverage) for target in shown)
    times = '<th scope="col">times</th>' if coverage is not None else ""
    more = f"<p>And {len(targets) - len(shown)} more, in the JSON report.</p>" if len(targets) > len(shown) else ""
    return (
        f'<div class="wide"><table class="{kind}"><caption>{escape(title or kind)}: {len(targets)}</caption>'
        f'<thead><tr><th scope="col">what</th><th scope="col">rule</th>{times}<th scope="col">{what}</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></div>{more}"
    )


def _row(target: Target, said: str, coverage: Coverage | None) -> str:
    times = f"<td>{coverage.taken.get(target.key, 0)}</td>" if coverage is not None else ""
    where = "window: " if target.machine == "window" else ""
    cells = f"<td>{escape(plain(target.rule))}</td>{times}<td>{escape(plain(said))}</td>"
    head = f'<th scope="row" title="{escape(plain(target.text))}">{where}{escape(plain(target.id))}</th>'
    return f"<tr>{head}{cells}</tr>"


def _tests(by: Mapping[str, int]) -> str:
    """Return the number of tests and the names of the first ones."""
    names = sorted(by)
    shown = ", ".join(_short(name) for name in names[:MOST_TESTS])
    more = f" and {len(names) - MOST_TESTS} more" if len(names) > MOST_TESTS else ""
    return f"{len(names)}: {shown}{more}" if names else ""


def _short(name: str) -> str:
    """Return the name of a test. Of a long name, the end is kept, which says most."""
    return "outside any test" if not name else name if len(name) <= LONG else f"...{name[-LONG:]}"
