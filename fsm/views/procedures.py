"""Reads what happens in an order of its own: a window, and the endings of a turn."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from msgspec.structs import replace

from fsm.model import Model, State, Transition
from fsm.views.reading import END, Line, Step, Way
from fsm.views.ways import Chart
from fsm.wording import cited_rule, label_of, plain, source_of, upper_first

# the window ---------------------------------------------------------------------------------------


def read_window(model: Model, acting: str, leaving: str) -> Step:
    """Return what happens each time that players may act, as a numbered list."""
    stages = [state for state in model.states if state.kind in ("action", "window", "final")]
    numbers = {stage.id: i + 1 for i, stage in enumerate(stages)}
    chart = Chart(
        model,
        home=lambda state: state.id if state.id in numbers else "",
        told=lambda row: row.event != leaving,
    )
    ways = chart.ways()
    lines = list[Line]()
    for stage in stages:
        lines += _window_lines(stage, numbers, ways)
    rule = next((cited_rule(state.rule) for state in model.of_kind("phase")), "")
    title = f"Each time that {acting}"
    return Step("window", title, rule, "", "full", tuple(lines), states=tuple(numbers))


def _window_lines(stage: State, numbers: dict[str, int], ways: tuple[Way, ...]) -> Iterator[Line]:
    number = numbers[stage.id]
    left = [way for way in ways if way.source == stage.id]
    into = [way for way in ways if way.target == stage.id and way.words]
    came = [way for way in into if numbers[way.source] == number - 1]
    silent = [way for way in left if not way.words and numbers[way.target] <= number]
    conditions, goals = [f"if {way.words}" for way in came], [_goes(numbers, way) for way in silent]
    detail = filter(None, [*conditions, plain(stage.doc), *goals])
    tells = [way.tells for way in (*came, *silent)]
    yield Line(
        number=number,
        text=upper_first(label_of(stage)),
        detail="; ".join(detail),
        rule=cited_rule(stage.rule),
        mark="full" if stage.asks == "priority" else "",
        state=stage.id,
        tells=tuple(chain.from_iterable(tells)),
    )
    for way in left:
        if way.words and numbers[way.target] != number + 1:
            text = f"{upper_first(way.words)}: {_goes(numbers, way)}"
            yield Line(0, text, "", way.rule, "", stage.id, way.tells)


def _goes(numbers: dict[str, int], way: Way) -> str:
    here, there = numbers[way.source], numbers[way.target]
    if here == there:
        return "once more"
    return f"back to {there}" if there < here else f"on with {there}"


# endings ------------------------------------------------------------------------------------------


def endings_of(chart: Chart) -> Iterator[Step]:
    """Return what happens, in order, when a turn is cut short. Endings that are alike are one."""
    alike: dict[tuple[str, ...], list[tuple[Transition, list[Line]]]] = {}
    for row in chart.model.transitions:
        target = chart.model.state(row.target) if row.target else None
        if target is None or row.event not in chart.model.signals or target.role != "procedure":
            continue
        title = upper_first(plain(row.says) or chart.event_words(row.event))
        lines = [*_ending(chart, row)]
        key = (title, *(line.text for line in lines[:-1]))
        alike.setdefault(key, []).append((row, lines))
    titles = [title for title, *_ in alike]
    events, told = set[str](), set[str]()
    for (title, *_), found in alike.items():
        step = _joined(chart, title, found, alone=titles.count(title) == 1)
        idle = () if step.id in events else _idle(chart, found[0][0])
        lines = [_telling(line, told) for line in (*step.lines, *idle)]
        events.add(step.id)
        yield replace(step, lines=tuple(lines))


def _telling(line: Line, told: set[str]) -> Line:
    """The line, which tells no transition that is told already."""
    tells = tuple(id for id in line.tells if id not in told)
    told.update(tells)
    return replace(line, tells=tells)


def _joined(
    chart: Chart, title: str, found: list[tuple[Transition, list[Line]]], *, alone: bool
) -> Step:
    """One ending, which starts with any of these transitions."""
    row, (*lines, last) = found[0]
    if len({lines[-1].text for _, lines in found}) > 1:
        last = replace(last, text="The turn goes on with what follows")
    if not alone and len(found) == 1:
        title += f" in {label_of(chart.model.state(row.source))}"
    return Step(row.event, title, cited_rule(row.rule), lines=(*lines, last))


def _ending(chart: Chart, row: Transition) -> Iterator[Line]:
    number = 1
    into: list[Transition] = []
    for here in _procedure(chart, row):
        if here.kind == "action":
            onward = chart.rows(here.id)
            loops = [plain(r.doc) for r in onward if r.target == here.id]
            when = [f"if {chart.words(r)}" for r in into if r.target == here.id and r.guard]
            detail = "; ".join(filter(None, [*when, plain(here.doc), *loops]))
            tells = tuple(r.id for r in onward)
            yield Line(number, label_of(here), detail, cited_rule(here.rule), "", here.id, tells)
            number += 1
            into = onward
    end, _ = chart.end_of(row)
    yield Line(number, f"The turn goes on with {_goal(chart, end)}", rule=cited_rule(row.rule))


def _procedure(chart: Chart, row: Transition) -> Iterator[State]:
    """The states of an ending, in order. Where it depends, the first way is taken."""
    seen = set[str]()
    here = chart.model.state(row.target or "")
    while here.id not in seen and not chart.home(here) and here.role == "procedure":
        seen.add(here.id)
        yield here
        onward = [r.target for r in chart.rows(here.id) if r.target and r.target not in seen]
        if onward:
            here = chart.model.state(onward[0])


def _goal(chart: Chart, end: str) -> str:
    """What the turn goes on with: a phase if the step is its first."""
    if not end or end == END:
        return "the next turn"
    phase = chart.model.enclosing(end, "phase")
    steps = [s for s in chart.model.children(phase.id) if s.kind == "step"] if phase else []
    if phase is not None and steps and steps[0].id == end:
        return label_of(phase)
    return label_of(chart.model.state(end))


def _idle(chart: Chart, row: Transition) -> Iterator[Line]:
    """When the same event does nothing."""
    for other in chart.model.transitions:
        same = other.event == row.event and chart.model.state(other.source).kind == "turn"
        if same and other.target is None and other.doc:
            text = upper_first(plain(other.doc))
            yield Line(0, text, "", source_of(other.rule), "", "", (other.id,))
