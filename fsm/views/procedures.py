"""Writes what happens in a place as numbered lines: in a step, a window, the endings of a turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from fsm.model import Model, State, Transition
from fsm.views.reading import END, Line, Mark, Step, Turn, Way
from fsm.views.ways import Chart, grouped, ids
from fsm.wording import cited_rule, doc_of, label_of, plain, source_of, upper_first


def _numbered(
    stages: Sequence[State],
    into: Iterable[Way],
    remarks: Iterable[Way],
    aside: Iterable[Way] = (),
    title: str = "",
    acting: str = "",
) -> Iterator[Line]:
    """Number the lines of stages. Each tells the ways into it, and what its remarks say.

    What ways say aside has lines of its own, without a number, after that of their source.
    """
    for number, stage in enumerate(stages, 1):
        text, mark = _text(stage, title, acting)
        ways = [way for way in into if way.target == stage.id]
        conditions = [f"if {way.words}" for way in ways if way.words]
        more = [way.words for way in remarks if way.source == stage.id]
        details = dict.fromkeys([*conditions, plain(doc_of(stage)), *more])
        yield Line(
            number,
            text,
            detail="; ".join(filter(None, details)),
            rule=cited_rule(stage.rule),
            mark=mark,
            state=stage.id,
            tells=tuple(id for way in ways for id in way.tells),
        )
        for way in aside:
            if way.source == stage.id:
                yield Line(0, way.words, rule=way.rule, state=stage.id, tells=way.tells)


def _text(stage: State, title: str, acting: str) -> tuple[str, Mark]:
    """What a stage is called under a title, and whether players may act in it."""
    if stage.kind == "window":
        if stage.opens.startswith("conditional"):
            return f"{upper_first(acting)} only if something triggered", "hollow"
        return upper_first(acting), "full"
    label = label_of(stage)
    if label.casefold() == title.casefold():
        label = plain(stage.says) or label
    return upper_first(label), "full" if stage.asks == "priority" else ""


def _goes(here: int, there: int) -> str:
    """Where it goes on after a line, if not with the next one."""
    if here == there:
        return "once more"
    return f"back to {there}" if there < here else f"on with {there}"


def step_lines(chart: Chart, step: State, stages: Sequence[State], acting: str) -> Iterator[Line]:
    """Return what happens in a step, and where it goes on if not with the next stage."""
    numbers = {stage.id: number for number, stage in enumerate(stages, 1)}
    inside = chart.model.children(step.id)
    into: list[Way] = []
    aside: list[Way] = []
    for row in (row for leaf in inside for row in chart.rows(leaf.id) if chart.stays(row)):
        here = numbers.get(row.source, 0)
        there = numbers.get(row.target or "", len(stages) + 1)
        words = chart.words(row)
        way = Way(row.source, row.target or "", "next", words, source_of(row.rule), (row.id,))
        if there <= here:
            back = upper_first(_goes(here, there))
            aside.append(replace(way, words=f"{back} if {words}" if words else back))
        elif words:
            into.append(way)
    aside += refusals(row for leaf in inside for row in chart.all_rows(leaf.id))
    return _numbered(stages, into, (), aside, label_of(step), acting)


def refusals(rows: Iterable[Transition]) -> Iterator[Way]:
    """What is tried, but does nothing, each once, from where it does so last."""
    idle = [row for row in rows if row.target is None and row.doc]
    for (doc, rule), alike in grouped(idle, lambda row: (row.doc, source_of(row.rule))).items():
        yield Way(alike[-1].source, "", "next", upper_first(plain(doc)), rule, ids(alike))


def read_window(model: Model, acting: str) -> Step:
    """Return what happens each time that players may act, as a numbered list."""
    stages = [state for state in model.states if state.kind in ("action", "window", "final")]
    numbers = {stage.id: number for number, stage in enumerate(stages, 1)}
    into: list[Way] = []
    remarks: list[Way] = []
    aside: list[Way] = []
    for way in Chart(model, numbers).ways():
        here = numbers[way.source]
        there = numbers.get(way.target, here + 1)
        goes = _goes(here, there)
        if there == here + 1:
            into.append(way)
        elif way.words:
            aside.append(replace(way, words=f"{upper_first(way.words)}: {goes}"))
        elif there <= here:
            remarks.append(replace(way, words=goes))
    return Step(
        id="window",
        title=f"Each time that {acting}",
        rule="".join(cited_rule(phase.rule) for phase in model.of_kind("phase")[:1]),
        mark="full",
        lines=tuple(_numbered(stages, into, remarks, aside)),
        states=tuple(numbers),
    )


# endings ------------------------------------------------------------------------------------------


def endings_of(chart: Chart, turn: Turn) -> Iterator[Step]:
    """Return what happens, in order, when a turn is cut short. Endings that are alike are one."""
    alike = grouped(_beginnings(chart), lambda row: _title_and_texts(chart, row))
    titles = Counter(title for title, *_ in alike)
    told = set[str]()
    for (title, *texts), rows in alike.items():
        row = rows[0]
        if titles[title] > 1 and len(rows) == 1:
            title += f" in {label_of(chart.model.state(row.source))}"
        goal = f"The turn goes on with {_goal(chart, turn, rows)}"
        last = Line(len(texts) + 1, goal, rule=cited_rule(row.rule))
        same = (other for other in chart.all_rows(chart.top) if other.event == row.event)
        idle = [Line(0, way.words, rule=way.rule, tells=way.tells) for way in refusals(same)]
        lines: list[Line] = []
        for line in (*_ending(chart, row), last, *idle):
            tells = tuple(id for id in line.tells if id not in told)
            if line.number or tells:
                lines.append(replace(line, tells=tells))
                told.update(tells)
        yield Step(row.event, title, cited_rule(row.rule), lines=tuple(lines))


def _beginnings(chart: Chart) -> Iterator[Transition]:
    """The transitions that begin endings."""
    for row in chart.model.transitions:
        signal = row.event in chart.model.signals
        if row.target and signal and chart.model.state(row.target).role == "procedure":
            yield row


def _title_and_texts(chart: Chart, row: Transition) -> tuple[str, ...]:
    texts = (line.text for line in _ending(chart, row))
    return (upper_first(chart.signal_words(row)), *texts)


def _ending(chart: Chart, row: Transition) -> Iterator[Line]:
    """What is done in an ending, in order."""
    ways = [*_course(chart, row)]
    stages = [chart.model.state(way.target) for way in ways]
    rows = [row for stage in stages for row in chart.rows(stage.id) if row.target == row.source]
    again = [Way(row.source, row.source, words=plain(row.doc)) for row in rows]
    return _numbered([stage for stage in stages if stage.kind == "action"], ways, again)


def _course(chart: Chart, row: Transition | None) -> Iterator[Way]:
    """The ways into the states of an ending, each with what leads on. The first is taken."""
    passed = set[str | None]()
    while row is not None and chart.model.state(row.target or "").role == "procedure":
        onward = chart.rows(row.target or "")
        asked = row.guard and chart.model.state(row.source).kind == "action"
        words = chart.words(row) if asked else ""
        yield Way(row.source, row.target or "", words=words, tells=ids(onward))
        passed.add(row.target)
        row = next((other for other in onward if other.target not in passed), None)


def _goal(chart: Chart, turn: Turn, rows: Sequence[Transition]) -> str:
    """Where the turn goes on after an ending."""
    ends = {way.target for row in rows for way in chart.last_way(row)}
    if len(ends) > 1:
        return "what follows"
    [end] = ends or {END}
    return "the next turn" if end == END else turn.place(end)
