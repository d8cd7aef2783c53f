"""Reads a Model of a turn into plain values. Views of a turn look at a Model nowhere else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from fsm.errors import DrawError
from fsm.model import Model, State, Transition
from fsm.model.model import ModelLike, as_model, per_model
from fsm.views.procedures import endings_of, read_window, step_lines
from fsm.views.reading import (
    END,
    HOLE,
    Mark,
    Note,
    Part,
    Phase,
    Reason,
    Step,
    Turn,
    acting_words,
)
from fsm.views.ways import Chart, grouped, ids, sources
from fsm.wording import (
    cited_rule,
    label_of,
    listed,
    lower_first,
    plain,
    plain_words,
    source_of,
    upper_first,
)

_STAGES = frozenset({"", "action", "window"})
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
        self.omissions = [row for row in model.transitions if self.chart.omits(row)]
        self.alike = Counter(map(self._condition, self.omissions))
        self.windows = [model.window] if model.window else []
        self.term = "".join(map(_term, self.windows))
        self.acting = acting_words(self.term)
        top = self.chart.top
        self.word = label_of(model.state(top)).lower() if top else "turn"
        self.hues: dict[str, int] = {}

    def turn(self) -> Turn:
        model = self.model
        phases = [self._phase(state) for state in model.states if self._is_outermost(state)]
        names = {s.id: label_of(s) for s in model.states if s.composite or s.kind == "final"}
        turn = Turn(
            title=plain(model.title) or plain(model.name),
            edition=plain(model.rulebook) or plain(model.edition),
            word=self.word,
            term=self.term,
            phases=tuple(phases),
            ways=(*self.ways, *self.chart.cuts()),
            notes=tuple(self._notes()),
            names=names | {END: f"next {self.word}", HOLE: "nowhere"},
            extra=self._extra(),
            after=self._after(),
            windows=tuple(read_window(window, self.acting) for window in self.windows),
        )
        return replace(turn, endings=tuple(endings_of(self.chart, turn)))

    # phases and steps -----------------------------------------------------------------------------

    def _is_outermost(self, state: State) -> bool:
        """Whether it is a phase or step in none."""
        kinds = [holder.kind for holder in self.model.path(state.id) if holder.kind != "turn"]
        return kinds in (["phase"], ["step"])

    def _phase(self, state: State) -> Phase:
        family = state.family or state.id
        hue = self.hues.setdefault(family, len(self.hues) % HUES)
        phase = Phase(state.id, label_of(state), hue=hue, family=family)
        if state.kind == "step":
            return replace(phase, id=f"phase of {state.id}", parts=(self._step(state),))
        rule = self._box_rule(state)
        return replace(
            phase, rule=rule, parts=tuple(self._parts(state)), left_out=self._left_out(state)
        )

    def _parts(self, state: State) -> list[Part]:
        """The steps of a phase, and each phase inside it after the step that leads to it."""
        inside = self.model.children(state.id)
        parts: list[Part] = [self._step(part) for part in inside if part.kind == "step"]
        for part in inside:
            if part.kind == "phase":
                phase = self._phase(part)
                first = {step.id for step in phase.steps[:1]}
                leading = {way.source for way in self.ways if way.target in first}
                at = [i for i, part in enumerate(parts, 1) if part.id in leading]
                parts.insert((at or [len(parts)])[0], phase)
        return parts

    def _box_rule(self, state: State) -> str:
        """The citation of a box, unless it only repeats the title of a box."""
        rule = cited_rule(state.rule)
        section = source_of(rule).casefold()
        for holder in self.model.path(state.id):
            title = label_of(holder).casefold()
            if section in (title, f"{title} {state.kind}"):
                return ""
        return rule

    def _condition(self, row: Transition) -> object:
        """What is the same of omissions of several steps alike. A way around them tells it."""
        return self.model.path(row.source)[2:3], row.guard, row.rule

    def _left_out(self, state: State) -> tuple[Reason, ...]:
        rows = [
            row
            for row in self.omissions
            if self.model.state(row.source).parent == state.id
            and (state.kind == "phase" or self.alike[self._condition(row)] == 1)
        ]
        said = grouped(rows, lambda row: plain_words(self.model, row))
        return tuple(Reason(words, sources(alike), ids(alike)) for words, alike in said.items())

    def _step(self, state: State) -> Step:
        inside = self.model.children(state.id)
        asking = [leaf for leaf in inside if leaf.kind in ("action", "window")]
        stages = [leaf for leaf in asking if leaf.role in _STAGES]
        lines = tuple(step_lines(self.chart, state, stages, self.acting))
        briefly = [self._briefly(stage, state) for stage in stages if stage.kind == "action"]
        return Step(
            id=state.id,
            title=label_of(state),
            rule=self._box_rule(state),
            words=plain(state.says) or ", ".join(dict.fromkeys(briefly)),
            mark=max((line.mark for line in lines), key=_MARKS.index, default=""),
            lines=lines,
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

    # what is said once ----------------------------------------------------------------------------

    def _notes(self) -> Iterator[Note]:
        skips = [row for row in self.model.transitions if row.generic and row.layer == "skip"]
        if skips:
            [(rule, _)] = Counter(source_of(row.rule) for row in skips).most_common(1)
            places = listed(self._places(row.source for row in skips), "or")
            yield Note(f"An effect can skip any {places}", rule, ids(skips))
        ends = [s for s in self.model.states if s.kind == "action" and s.role == "end" and s.parent]
        words_and_rule = grouped(ends, lambda s: (plain_words(self.model, s), source_of(s.rule)))
        for (said, rule), alike in words_and_rule.items():
            place = self._places(state.id for state in alike)[-1]
            yield Note(f"{upper_first(said)} as each {place} ends", rule)
        start = self.model.state(self.model.initial)
        if start.kind == "action" and start.role == "procedure":
            words = plain_words(self.model, start)
            yield Note(f"Before the first {self.word} of the game, {words}", source_of(start.rule))

    def _extra(self) -> Note | None:
        """Where extra phases and steps come in."""
        rows = [
            row
            for row in self.model.transitions
            if row.generic
            and row.target
            and row.target != self.chart.hub
            and self.model.state(row.target).role == "hub"
        ]
        places = listed(self._places(row.source for row in rows), "or")
        return Note(f"after any {places}", sources(rows), ids(rows)) if rows else None

    def _places(self, ids: Iterable[str]) -> list[str]:
        """The kinds of places in which these states are, as the game calls them."""
        around = [holder.kind for id in ids for holder in self.model.path(id)[1:2]]
        words = {"turn": self.word, "phase": "phase", "step": "step"}
        return [word for kind, word in words.items() if kind in around]

    def _after(self) -> Note:
        rows = [row for row in self.chart.all_rows(self.chart.hub) if row.layer == "extra"]
        more = f"; extra {self.word}s first" if rows else ""
        return Note(f"next {self.word}{more}", sources(rows), ids(rows))


def _term(window: Model) -> str:
    """What players get in a window, as it calls it. "" if it cites no rule and has no word."""
    asking = [label_of(state) for state in window.states if state.asks == "priority"]
    if not asking or not any(row.rule for row in window.transitions):
        return ""
    *before, last = asking[0].split()
    return last if before and last.istitle() else last.lower()
