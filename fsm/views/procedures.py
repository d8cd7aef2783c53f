"""Reads what happens in an order of its own: a window, and the endings of a turn."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from fsm.model import Model, State, Transition
from fsm.views.reading import END, Line, Step, Turn, Way
from fsm.views.ways import Chart
from fsm.wording import cited_rule, label_of, plain, source_of, upper_first

# the window ---------------------------------------------------------------------------------------


def read_window(model: Model, acting: str, leaving: str) -> Step:
    """Return what happens each time that players may act, as a numbered list."""
    stages = [state for state in model.states if state.kind in ("action", "window", "final")]
    numbers = {stage.id: i for i, stage in enumerate(stages, 1)}
    chart = Chart(
        model,
        home=lambda state: state.id if state.id in numbers else "",
        told=lambda row: row.event != leaving,
    )
    ways = chart.ways()
    lines: list[Line] = []
    for stage in stages:
        lines += _window_lines(stage, numbers, ways)
    phases = model.of_kind("phase")
    rule = cited_rule(phases[0].rule) if phases else ""
    title = f"Each time that {acting}"
    return Step(
        id="window",
        title=title,
        rule=rule,
        mark="full",
        lines=tuple(lines),
        states=tuple(numbers),
    )


def _window_lines(stage: State, numbers: dict[str, int], ways: Sequence[Way]) -> Iterator[Line]:
    number = numbers[stage.id]
    details: list[str] = []
    tells: list[str] = []
    for way in ways:
        ahead = numbers.get(way.source) == number - 1
        if way.target == stage.id and way.words and ahead:
            details.append(f"if {way.words}")
            tells += way.tells
    details.append(plain(stage.doc))
    left = [way for way in ways if way.source == stage.id]
    for way in left:
        if not way.words and numbers[way.target] <= number:
            details.append(_goes(numbers, way))
            tells += way.tells
    yield Line(
        number,
        text=upper_first(label_of(stage)),
        detail="; ".join(filter(None, details)),
        rule=cited_rule(stage.rule),
        mark="full" if stage.asks == "priority" else "",
        state=stage.id,
        tells=tuple(tells),
    )
    for way in left:
        if way.words and numbers[way.target] != number + 1:
            text = f"{upper_first(way.words)}: {_goes(numbers, way)}"
            yield Line(
                number=0,
                text=text,
                rule=way.rule,
                state=stage.id,
                tells=way.tells,
            )


def _goes(numbers: dict[str, int], way: Way) -> str:
    here = numbers[way.source]
    there = numbers[way.target]
    if here == there:
        return "once more"
    if there < here:
        return f"back to {there}"
    return f"on with {there}"


# endings ------------------------------------------------------------------------------------------


def endings_of(chart: Chart, turn: Turn) -> Iterator[Step]:
    """Return what happens, in order, when a turn is cut short. Endings that are alike are one."""
    alike = _alike(chart)
    titles = Counter(title for title, *_ in alike)
    events = set[str]()
    told = set[str]()
    for (title, *_), rows in alike.items():
        row = rows[0]
        if titles[title] > 1 and len(rows) == 1:
            title = f"{title} in {label_of(chart.model.state(row.source))}"
        lines: list[Line] = []
        for line in (*_ending(chart, row), _last(chart, turn, rows), *_idle(chart, row)):
            if line.number or row.event not in events:
                tells = tuple(id for id in line.tells if id not in told)
                lines.append(replace(line, number=line.number and len(lines) + 1, tells=tells))
                told.update(tells)
        events.add(row.event)
        yield Step(row.event, title, cited_rule(row.rule), lines=tuple(lines))


def _alike(chart: Chart) -> dict[tuple[str, ...], list[Transition]]:
    """The transitions that begin endings, by the title and the actions of the ending."""
    found = defaultdict[tuple[str, ...], list[Transition]](list)
    for row in chart.model.transitions:
        if row.target and row.event in chart.model.signals:
            target = chart.model.state(row.target)
            if target.role == "procedure":
                title = upper_first(plain(row.says) or chart.event_words(row.event))
                actions = map(label_of, _actions(chart, row))
                found[title, *actions].append(row)
    return found


def _actions(chart: Chart, row: Transition) -> list[State]:
    """What is done in an ending, in order. Where it depends, the first way is taken."""
    found: dict[str, State] = {}
    here = chart.model.state(row.target or "")
    while here.id not in found and not chart.home(here) and here.role == "procedure":
        found[here.id] = here
        for onward in chart.rows(here.id):
            if onward.target and onward.target not in found:
                here = chart.model.state(onward.target)
                break
    return [state for state in found.values() if state.kind == "action"]


def _ending(chart: Chart, row: Transition) -> Iterator[Line]:
    into: list[Transition] = []
    for state in _actions(chart, row):
        onward = chart.rows(state.id)
        details = [f"if {chart.words(r)}" for r in into if r.target == state.id and r.guard]
        details.append(plain(state.doc))
        details += [plain(r.doc) for r in onward if r.target == state.id]
        yield Line(
            1,
            label_of(state),
            detail="; ".join(filter(None, details)),
            rule=cited_rule(state.rule),
            state=state.id,
            tells=tuple(r.id for r in onward),
        )
        into = onward


def _last(chart: Chart, turn: Turn, rows: Sequence[Transition]) -> Line:
    """Where the turn goes on."""
    ends = {chart.end_of(row)[0] for row in rows}
    goal = "what follows"
    if len(ends) == 1:
        [end] = ends
        goal = "the next turn" if end in ("", END) else turn.place(end)
    return Line(1, f"The turn goes on with {goal}", rule=cited_rule(rows[0].rule))


def _idle(chart: Chart, row: Transition) -> Iterator[Line]:
    """When the same event does nothing."""
    for other in chart.model.transitions:
        whole = chart.model.state(other.source).kind == "turn"
        if whole and other.event == row.event and other.target is None and other.doc:
            text = upper_first(plain(other.doc))
            yield Line(0, text, rule=source_of(other.rule), tells=(other.id,))
