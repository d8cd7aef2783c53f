"""Reads a Model of a turn into plain values. Views of a turn look at a Model nowhere else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from fsm.errors import DrawError
from fsm.model import Model, State, Transition
from fsm.model.model import ModelLike, as_model, per_model
from fsm.views.reading import (
    END,
    HOLE,
    Line,
    Mark,
    Note,
    Part,
    Phase,
    Reason,
    Step,
    Turn,
    Way,
    acting_words,
)
from fsm.views.ways import Chart, as_one, grouped, ids, sources
from fsm.wording import (
    cited_rule,
    doc_of,
    few,
    label_of,
    listed,
    lower_first,
    plain,
    plain_words,
    source_of,
    upper_first,
)

_MARKS: tuple[Mark, ...] = ("", "hollow", "full")
HUES = 4


def is_turn(model: Model) -> bool:
    """Return whether a model is a turn: it has phases or steps, and states that finish."""
    return model.played and any(state.kind in ("phase", "step") for state in model.states)


def read(model: ModelLike) -> Turn:
    """Read a turn.

    Parameters
    ----------
    model
        The model of a turn.

    Returns
    -------
    Turn
        What is to be said of it.

    Raises
    ------
    DrawError
        If the model has no phases or steps.
    """
    found = as_model(model)
    if not is_turn(found):
        raise DrawError(f"{found.name} has no phases and no steps, so it is no turn to read")
    return _turn(found)


@per_model
def _turn(model: Model) -> Turn:
    return _Reader(model).turn()


class _Reader:
    def __init__(self, model: Model) -> None:
        self.model = model
        self.chart = Chart(model)
        self.ways = self.chart.ways()
        # Of steps that are left out together, a way around them tells it.
        self.omissions = grouped(
            filter(self.chart.omits, model.transitions),
            lambda row: (model.path(row.source)[2:3], row.guard, row.rule),
        )
        self.term = _term(model.window) if model.window else ""
        self.acting = acting_words(self.term)
        top = self.chart.top
        self.word = label_of(model.state(top)).lower() if top else "turn"
        self.hues: dict[str, int] = {}
        self.told = set[str]()
        self.within = Chart(model, within=True).ways()
        self.window = Chart(model.window or model, within=True)
        openings = model.of_kind("window") if model.window else ()
        self.openings = grouped(openings, lambda window: window.enters)
        self.loops = {id: self.window.stages(id, self.window.model.states) for id in self.openings}
        self.acted_in = [
            id for id, loop in self.loops.items() if any(s.asks == "priority" for s in loop)
        ]

    def turn(self) -> Turn:
        model = self.model
        outermost = [
            state
            for state in model.states
            if state.kind in ("phase", "step") and state.parent in ("", self.chart.top)
        ]
        cuts = [*self.chart.cuts()]
        leading = [cut for cut in cuts if cut.target != HOLE]
        names = {s.id: label_of(s) for s in model.states if s.composite or s.kind == "final"}
        turn = Turn(
            title=plain(model.title) or plain(model.name),
            edition=plain(model.rulebook) or plain(model.edition),
            word=self.word,
            term=self.term,
            phases=tuple(map(self._phase, outermost)),
            ways=(*self.ways, *as_one(leading, lambda way: (way.target, way.words))),
            notes=tuple(self._notes()),
            names=names | {END: f"next {self.word}", HOLE: "nowhere"},
            extra=self._extra(),
            after=self._after(),
            windows=tuple(self._windows()),
        )
        return replace(turn, endings=tuple(self._endings(turn, cuts)))

    # phases and steps -----------------------------------------------------------------------------

    def _phase(self, state: State) -> Phase:
        family = state.family or state.id
        hue = self.hues.setdefault(family, len(self.hues) % HUES)
        phase = Phase(state.id, label_of(state), hue=hue, family=family)
        if state.kind == "step":
            return replace(phase, id=f"phase of {state.id}", parts=(self._step(state),))
        return replace(
            phase,
            rule=self._box_rule(state),
            parts=tuple(self._parts(state)),
            left_out=self._left_out(state),
        )

    def _parts(self, state: State) -> list[Part]:
        """The steps of a phase, and each phase inside it after the step that leads to it."""
        children = self.model.children(state.id)
        parts: list[Part] = [self._step(part) for part in children if part.kind == "step"]
        for phase in [self._phase(part) for part in children if part.kind == "phase"]:
            inside = [step.id for step in phase.steps]
            leading = [way.source for way in self.ways if way.target in inside]
            after = [place for place, part in enumerate(parts, 1) if part.id in leading]
            parts.insert(min(after, default=len(parts)), phase)
        return parts

    def _box_rule(self, state: State) -> str:
        """The citation of a box, unless it only repeats the title of a box."""
        rule = cited_rule(state.rule)
        section = source_of(rule).casefold()
        titles = [label_of(holder).casefold() for holder in self.model.path(state.id)]
        repeats = section in titles or section.removesuffix(f" {state.kind}") in titles
        return "" if repeats else rule

    def _left_out(self, state: State) -> tuple[Reason, ...]:
        rows = [
            row
            for alike in self.omissions.values()
            for row in alike
            if self.model.state(row.source).parent == state.id
            and (state.kind == "phase" or len(alike) == 1)
        ]
        said = grouped(rows, lambda row: plain_words(self.model, row))
        return tuple(Reason(words, sources(alike), ids(alike)) for words, alike in said.items())

    def _step(self, state: State) -> Step:
        inside = self.model.children(state.id)
        stages = [s for s in inside if s.kind in ("action", "window") and s.role != "end"]
        # the turn's ways tell what leads out of the ordinary course
        ways = [way for way in self.within if way.kind == "next" or way.target == HOLE]
        rows = [row for stage in stages for row in self.chart.all_rows[stage.id]]
        lines = [*self._numbered(stages, ways, label_of(state), state.id), *self._refusals(rows)]
        order = [stage.id for stage in stages]
        lines.sort(key=lambda line: order.index(line.state))
        briefly = [self._briefly(stage, state) for stage in stages if stage.kind == "action"]
        return Step(
            id=state.id,
            title=label_of(state),
            rule=self._box_rule(state),
            words=plain(state.says) or ", ".join(dict.fromkeys(briefly)),
            mark=max((line.mark for line in lines), key=_MARKS.index, default=""),
            lines=tuple(lines),
            left_out=self._left_out(state),
            start=next((leaf.id for leaf in inside if leaf.role == "begin"), ""),
            states=tuple(leaf.id for leaf in inside),
        )

    def _briefly(self, stage: State, step: State) -> str:
        """What is done in a stage, at a glance."""
        said = plain_words(self.model, stage)
        if label_of(stage).casefold() == label_of(step).casefold() and not stage.says:
            said = lower_first(plain(stage.doc.partition(",")[0])) or said
        for row in self.chart.rows(stage.id):
            if row.target == stage.id:
                said += f" (again if {self.chart.words(row)})"
        return said

    # numbered lists -------------------------------------------------------------------------------

    def _numbered(
        self, stages: Sequence[State], ways: Iterable[Way], title: str = "", start: str = ""
    ) -> Iterator[Line]:
        """Number the lines of the stages under a title, with the ways between them.

        The condition of a way from the start or from the line before is told in a line. Any other
        way has a line of its own, without a number, after that of its source. A transition is told
        once in all lists.
        """
        numbers = {HOLE: 0} | {stage.id: number for number, stage in enumerate(stages, 1)}
        before = {start}
        for number, stage in enumerate(stages, 1):
            text, mark = self._text(stage, title)
            into = [way for way in ways if way.target == stage.id and way.source in before]
            always = {way.source for way in into if not way.words}
            conditions = [f"if {way.words}" for way in into if way.source not in always]
            details = [*conditions, plain(doc_of(stage))]
            yield Line(
                number,
                text,
                detail="; ".join(filter(None, details)),
                rule=cited_rule(stage.rule),
                mark=mark,
                state=stage.id,
                tells=self._first(id for way in into for id in way.tells),
            )
            for way in ways:
                goal = numbers.get(way.target, number + 1)
                worth_telling = goal <= number or (way.words and goal > number + 1)
                if way.source == stage.id and worth_telling:
                    text = _goes(way, number, goal)
                    yield Line(0, text, "", way.rule, "", stage.id, self._first(way.tells))
            before = {start, stage.id}

    def _first(self, ids: Iterable[str]) -> tuple[str, ...]:
        """The transitions of these that no line before has told."""
        found = tuple(id for id in ids if id not in self.told)
        self.told.update(found)
        return found

    def _text(self, stage: State, title: str) -> tuple[str, Mark]:
        """What a stage is called under a title, and whether players may act in it."""
        if stage.kind == "window":
            text, mark = self._opening(stage)
            if mark and stage.opens.startswith("conditional"):
                return f"{text} only if something triggered", "hollow"
            return text, mark
        label = label_of(stage)
        if label.casefold() == title.casefold():
            label = plain(stage.says) or label
        return upper_first(label), "full" if stage.asks == "priority" else ""

    def _opening(self, window: State) -> tuple[str, Mark]:
        """What happens as a window opens, and whether players may act in it."""
        if window.enters in self.acted_in:
            return upper_first(self.acting), "full"
        return "What has triggered is handled", ""

    def _refusals(self, rows: Iterable[Transition]) -> Iterator[Line]:
        """What is tried, but does nothing, each once, in the state that comes last."""
        idle = [row for row in rows if row.target is None and row.doc]
        for (doc, rule), alike in grouped(idle, lambda row: (row.doc, source_of(row.rule))).items():
            text = upper_first(plain(doc))
            tells = self._first(ids(alike))
            yield Line(0, text, rule=rule, state=alike[-1].source, tells=tells)

    # windows --------------------------------------------------------------------------------------

    def _windows(self) -> Iterator[Step]:
        """What happens in each kind of window. If players may act in several, the places of each
        are named.
        """
        ways = self.window.ways()
        for entered, windows in self.openings.items():
            stages = self.loops[entered]
            text, mark = self._opening(windows[0])
            if mark and len(self.acted_in) > 1:
                steps = [self.model.enclosing(window.id, "step") or window for window in windows]
                text += f" in {few([*dict.fromkeys(map(label_of, steps))])}"
            yield Step(
                id=entered or "window",
                title=f"Each time that {lower_first(text)}",
                rule=cited_rule("".join(s.rule for s in self.window.model.of_kind("phase")[:1])),
                mark=mark,
                lines=tuple(self._numbered(stages, ways)),
                states=tuple(stage.id for stage in stages),
            )

    # endings --------------------------------------------------------------------------------------

    def _endings(self, turn: Turn, cuts: Sequence[Way]) -> Iterator[Step]:
        """What happens, in order, when a turn is cut short. Endings that are alike are one."""
        alike = grouped(
            filter(self._procedure, cuts),
            lambda cut: (cut.words, *map(label_of, self._procedure(cut))),
        )
        titles = Counter(title for title, *_ in alike)
        after = {END: f"the next {self.word}"}
        for (title, *_), same in alike.items():
            row = self.model.transition(*same[0].tells)
            if titles[title] > 1 and len(same) == 1:
                title += f" in {label_of(self.model.state(row.source))}"
            ends = {after.get(cut.target, turn.place(cut.target)) for cut in same}
            goal = "what follows" if len(ends) > 1 else "".join(ends)
            label = f"The turn goes on with {goal}"
            last = State("", "final", label=label, rule=row.rule)
            stages = self._procedure(same[0])
            inside = [stage.id for stage in stages]
            ways = [way if way.target in inside else replace(way, target="") for way in self.within]
            tried = [r for r in self.chart.all_rows[self.chart.top] if r.event == row.event]
            idle = [replace(line, state="") for line in self._refusals(tried) if line.tells]
            lines = (*self._numbered([*stages, last], ways), *idle)
            yield Step(row.event, upper_first(title), cited_rule(row.rule), lines=lines)

    def _procedure(self, cut: Way) -> list[State]:
        """The stages with which a way cuts short."""
        procedures = [state for state in self.model.states if state.role == "procedure"]
        row = self.model.transition(*cut.tells)
        return self.chart.stages(row.target or "", procedures)

    # what is said once ----------------------------------------------------------------------------

    def _notes(self) -> Iterator[Note]:
        skips = [row for row in self.model.transitions if row.generic and row.layer == "skip"]
        if skips:
            words = f"An effect can skip any {self._places(skips)}"
            yield Note(words, source_of(skips[0].rule), ids(skips))
        ends = [s for s in self.model.states if s.kind == "action" and s.role == "end" and s.parent]
        for said, alike in grouped(ends, lambda end: plain_words(self.model, end)).items():
            place = self.model.path(alike[-1].id)[1].kind
            yield Note(f"{upper_first(said)} as each {place} ends", sources(alike))
        start = self.model.state(self.model.initial)
        if start.kind == "action" and start.role == "procedure":
            words = plain_words(self.model, start)
            yield Note(f"Before the first {self.word} of the game, {words}", source_of(start.rule))

    def _extra(self) -> Note | None:
        """Where extra phases and steps come in."""
        hubs = self.chart.inner_hubs
        rows = [row for row in self.model.transitions if row.generic and row.target in hubs]
        text = f"after any {self._places(rows)}"
        return Note(text, sources(rows), ids(rows)) if rows else None

    def _places(self, rows: Iterable[Transition]) -> str:
        """The kinds of places in which these start, as the game calls them."""
        around = [self.model.path(row.source)[1].kind for row in rows]
        names = {"turn": self.word, "phase": "phase", "step": "step"}
        return listed([name for kind, name in names.items() if kind in around], "or")

    def _after(self) -> Note:
        rows = [row for row in self.chart.all_rows[self.chart.hub] if row.layer == "extra"]
        more = f"; extra {self.word}s first" if rows else ""
        return Note(f"next {self.word}{more}", sources(rows), ids(rows))


def _goes(way: Way, number: int, goal: int) -> str:
    """Where a way goes on after a line."""
    if goal == 0:
        return way.words
    where = "once more" if goal == number else f"{'back to' if goal < number else 'on with'} {goal}"
    return upper_first(f"{way.words}: {where}" if way.words else where)


def _term(window: Model) -> str:
    """What players get in a window, as it calls it. "" if it cites no rule and has no word."""
    asking = [label_of(state) for state in window.states if state.asks == "priority"]
    if not asking or not any(row.rule for row in window.transitions):
        return ""
    *before, last = asking[0].split()
    return last if before and last.istitle() else last.lower()
