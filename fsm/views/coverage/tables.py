"""The tables of the page: missing targets with a path, impossible ones with the reason, taken ones with the tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from fsm.coverage.reports.totals import percent
from fsm.coverage.reports.ways import way_text, way_to
from fsm.coverage.target import Coverage, Result, Target
from fsm.views.html import Html, element, joined
from fsm.wording import plain

MOST = {"missing": 150, "allowed": 150, "impossible": 60, "refuted": 60, "taken": 400}
MOST_TESTS = 3
LONG = 70
STATES = 6


def tables(result: Result, coverage: Coverage, scale: float = 1.0) -> Html:
    """Return a folded section for one criterion, with a table for each kind of target, `scale` of its full length."""
    head = f"{coverage.criterion}: {len(coverage.covered)} of {coverage.asked} taken ({percent(coverage.share)})"
    shown = bool(coverage.missing) and coverage.criterion == "transitions"
    return element("details", element("summary", head), *_kinds(result, coverage, scale), open=shown)


def _kinds(result: Result, coverage: Coverage, scale: float) -> Iterator[Html]:
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
) -> Html:
    """Return a table with a limited number of rows, or "" if there are none."""
    if not targets:
        return Html()
    shown = targets[: most[kind]]
    times = ["times"] if coverage is not None else []
    heads = element("tr", *(element("th", head, scope="col") for head in ("what", "rule", *times, what)))
    rows = (_row(target, say(target), coverage) for target in shown)
    caption = element("caption", f"{title or kind}: {len(targets)}")
    table = element("table", caption, element("thead", heads), element("tbody", *rows), class_=kind)
    more = f"And {len(targets) - len(shown)} more, in the JSON report."
    return joined([element("div", table, class_="wide"), element("p", more) if len(targets) > len(shown) else ""])


def _row(target: Target, said: str, coverage: Coverage | None) -> Html:
    where = "window: " if target.machine == "window" else ""
    head = element("th", f"{where}{plain(target.id)}", scope="row", title=plain(target.text))
    times = [str(coverage.taken.get(target.key, 0))] if coverage is not None else []
    return element("tr", head, *(element("td", cell) for cell in (plain(target.rule), *times, plain(said))))


def _tests(by: Mapping[str, int]) -> str:
    """Return the number of tests and the names of the first ones."""
    names = sorted(by)
    shown = ", ".join(_short(name) for name in names[:MOST_TESTS])
    more = f" and {len(names) - MOST_TESTS} more" if len(names) > MOST_TESTS else ""
    return f"{len(names)}: {shown}{more}" if names else ""


def _short(name: str) -> str:
    """Return the name of a test. Of a long name, the end is kept, which says most."""
    return "outside any test" if not name else name if len(name) <= LONG else f"...{name[-LONG:]}"
