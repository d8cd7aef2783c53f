"""Reads a Model of a turn into plain values. Views of a turn look at a Model nowhere else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from msgspec.structs import replace

from fsm.errors import DrawError
from fsm.model import Model, State, Transition
from fsm.model.likeness import ModelLike, as_model
from fsm.model.model import per_model
from fsm.views.procedures import endings_of, read_window
from fsm.views.reading import END, HOLE, Line, Mark, Note, Part, Phase, Reason, Step, Turn, Way
from fsm.views.ways import Chart, joined, merged, sources
from fsm.wording import (
    cited_rule,
    doc_of,
    label_of,
    listed,
    lower_first,
    plain,
    plain_words,
    source_of,
    upper_first,
)

_PASSED_THROUGH = frozenset({"before", "after", "hub", "resume", "procedure"})
_STAGES = frozenset({"", "action", "window"})
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
        self.top = next((state.id for state in model.of_kind("turn")), "")
        hubs = [state for state in model.states if state.role == "hub"]
        self.first = next((hub.id for hub in hubs if hub.parent in ("", self.top)), "")
        self.hubs = {hub.id for hub in hubs if hub.id != self.first}
        self.omissions = _omissions(model)
        self.passing = {row.id for row in chain.from_iterable(self.omissions.values())}
        self.chart = Chart(model, self.home, self.told)
        self.windows = [part for name, part in model.machines.items() if name != "turn"]
        self.term = next(filter(None, map(_term, self.windows)), "")
        self.acting = f"players get {self.term}" if self.term else "players may act"
        self.word = label_of(model.state(self.top)).lower() if self.top else "turn"
        self.hues: dict[str, int] = {}

    def turn(self) -> Turn:
        model = self.model
        ways = self.chart.ways()
        phases = [self._phase(state) for state in model.states if self._is_outermost(state)]
        names = {
            state.id: label_of(state)
            for state in model.states
            if state.composite or state.kind == "final"
        }
        windows = [read_window(window, self.acting, model.leaving) for window in self.windows]
        word = self.word
        turn = Turn(
            title=plain(model.title) or plain(model.name),
            edition=plain(model.rulebook) or plain(model.edition),
            word=word,
            term=self.term,
            phases=tuple(_placed(phase, ways) for phase in phases),
            ways=(*ways, *merged(self._cuts(), anywhere=True)),
            notes=tuple(self._notes()),
            names=names | {END: f"next {word}", HOLE: "nowhere"},
            extra=self._extra(),
            after=self._after(),
            windows=tuple(windows),
        )
        return replace(turn, endings=tuple(endings_of(self.chart, turn)))

    # phases and steps -----------------------------------------------------------------------------

    def _is_outermost(self, state: State) -> bool:
        """Whether it is a phase or step in none."""
        around = [holder.kind for holder in self.model.path(state.id)[1:]]
        return state.kind in ("phase", "step") and not {"phase", "step"} & {*around}

    def _phase(self, state: State) -> Phase:
        family = state.family or state.id
        hue = self.hues.setdefault(family, len(self.hues) % HUES)
        if state.kind == "step":
            alone = f"phase of {state.id}"
            return Phase(alone, label_of(state), "", hue, family, (self._step(state),))
        inside = self.model.children(state.id)
        parts: list[Part] = [self._step(part) for part in inside if part.kind == "step"]
        parts += [self._phase(part) for part in inside if part.kind == "phase"]
        rule, left_out = self._box_rule(state), self._left_out(state.id)
        return Phase(state.id, label_of(state), rule, hue, family, tuple(parts), left_out)

    def _box_rule(self, state: State) -> str:
        """The citation of a box, unless it only repeats the title of a box."""
        titles = {label_of(holder).casefold() for holder in self.model.path(state.id)}
        titles |= {f"{title} {state.kind}" for title in titles}
        rule = cited_rule(state.rule)
        return "" if source_of(rule).casefold() in titles else rule

    def _step(self, state: State) -> Step:
        inside = [leaf for leaf in self.model.leaves if leaf.parent == state.id]
        stages = [s for s in inside if s.role in _STAGES and s.kind in ("action", "window")]
        numbers = {stage.id: i + 1 for i, stage in enumerate(stages)}
        lines = list[Line]()
        for stage in stages:
            lines += self._lines(stage, numbers)
        marks = {line.mark for line in lines}
        mark: Mark = "full" if "full" in marks else "hollow" if "hollow" in marks else ""
        done = dict.fromkeys(self._briefly(s, state) for s in stages if s.kind == "action")
        return Step(
            id=state.id,
            title=label_of(state),
            rule=self._box_rule(state),
            words=plain(state.says) or ", ".join(done),
            mark=mark,
            lines=tuple(lines),
            left_out=self._left_out(state.id),
            start=next((leaf.id for leaf in inside if leaf.role == "begin"), ""),
            states=tuple(leaf.id for leaf in inside),
        )

    def _briefly(self, stage: State, step: State) -> str:
        """What is done in a stage, at a glance."""
        same = label_of(stage).casefold() == label_of(step).casefold()
        label = (same and plain(stage.doc.partition(",")[0])) or label_of(stage)
        loops = [row for row in self.chart.rows(stage.id) if row.target == stage.id]
        again = [f" (again if {self.chart.words(row)})" for row in loops]
        return (plain(stage.says) or lower_first(label)) + "".join(again)

    def _lines(self, stage: State, numbers: dict[str, int]) -> Iterator[Line]:
        """What happens in a stage, and where it goes on in its step if not with the next stage."""
        number = numbers[stage.id]
        into = [row for row in self._within(stage) if row.target == stage.id]
        into = [row for row in into if numbers.get(row.source, 0) < number]
        into = [row for row in into if row.guard or row.event in self.model.signals]
        text, mark = self._text(stage)
        detail = [f"if {self.chart.words(row)}" for row in into] + [plain(doc_of(stage))]
        yield Line(
            number=number,
            text=text,
            detail="; ".join(dict.fromkeys(filter(None, detail))),
            rule=cited_rule(stage.rule),
            mark=mark,
            state=stage.id,
            tells=tuple(row.id for row in into),
        )
        for row in self._within(stage):
            if row.source == stage.id and numbers.get(row.target or "", number + 1) <= number:
                words = self._back(row, numbers)
                yield Line(0, words, "", source_of(row.rule), "", stage.id, (row.id,))
        yield from self._refusals(stage)

    def _within(self, stage: State) -> list[Transition]:
        """The transitions by which the step of a stage goes on within itself."""
        inside = [self.chart.rows(state.id) for state in self.model.children(stage.parent)]
        return [row for row in chain.from_iterable(inside) if self.chart.stays(row)]

    def _back(self, row: Transition, numbers: dict[str, int]) -> str:
        """Where a step goes on when it goes back within itself."""
        where = "Once more" if row.target == row.source else f"Back to {numbers[row.target or '']}"
        said = self.chart.words(row)
        return f"{where} if {said}" if said else where

    def _refusals(self, stage: State) -> Iterator[Line]:
        """What is tried in a stage, but does nothing there."""
        found: dict[tuple[str, str], list[Transition]] = {}
        for state in self.model.children(stage.parent):
            for row in self.chart.all_rows(state.id):
                if row.target is None and row.doc and row.event != self.model.leaving:
                    found.setdefault((row.doc, source_of(row.rule)), []).append(row)
        for (doc, rule), rows in found.items():
            if rows[-1].source == stage.id:
                tells = tuple(row.id for row in rows)
                yield Line(0, upper_first(plain(doc)), "", rule, "", stage.id, tells)

    def _text(self, stage: State) -> tuple[str, Mark]:
        """What a stage is called in the list of its step, and whether players may act in it."""
        if stage.kind == "window":
            acting = upper_first(self.acting)
            only = stage.opens.startswith("conditional")
            return (f"{acting} only if something triggered", "hollow") if only else (acting, "full")
        label = label_of(stage)
        same = label.casefold() == label_of(self.model.state(stage.parent)).casefold()
        return upper_first((same and plain(stage.says)) or label), ""

    def _left_out(self, id: str) -> tuple[Reason, ...]:
        found: dict[str, Reason] = {}
        for row in self.omissions.get(id, ()):
            words = plain_words(self.model, row)
            old = found.get(words, Reason(words))
            rule = joined(old.rule, source_of(row.rule))
            found[words] = Reason(words, rule, (*old.tells, row.id))
        return tuple(found.values())

    # ways -----------------------------------------------------------------------------------------

    def home(self, state: State) -> str:
        """The step to which a state belongs, or an end; "" for a state that is passed through."""
        if state.kind == "final":
            return state.id
        if state.id == self.first:
            return END
        if not state.parent or state.composite or state.role in _PASSED_THROUGH:
            return ""
        return state.parent if self.model.state(state.parent).kind == "step" else ""

    def told(self, row: Transition) -> bool:
        """Whether every turn may take a transition: it is no effect, no omission, and not rare."""
        interrupts = self.model.state(row.source).kind == "choice"
        return not (
            row.generic
            or row.id in self.passing
            or (interrupts and row.event in self.model.signals)
            or any(action.name == "push_return" for action in row.actions)
            or row.rule.startswith("no rule")
        )

    def _cuts(self) -> Iterator[Way]:
        """The ways out of a whole phase or turn, each to where it leads in the end."""
        for row in self.model.transitions:
            source = self.model.state(row.source)
            signal = row.event in self.model.signals
            if source.composite and row.target and not row.generic and signal:
                end, path = self.chart.end_of(row)
                if end:
                    words = plain(row.says) or self.chart.event_words(row.event)
                    where = "" if source.kind == "turn" else source.id
                    rule = source_of(row.rule)
                    yield Way(where, end, "cut short", words, rule, (row.id,), (path,))

    # what is said once ----------------------------------------------------------------------------

    def _notes(self) -> Iterator[Note]:
        yield from self._effects()
        yield from self._expiries()
        start = self.model.state(self.model.initial)
        if start.kind == "action" and start.role == "procedure":
            words = plain_words(self.model, start)
            rule = source_of(start.rule)
            yield Note(f"Before the first {self.word} of the game, {words}", rule)

    def _effects(self) -> Iterator[Note]:
        """What effects can skip."""
        skips = [row for row in self.model.transitions if row.generic and row.layer == "skip"]
        if not skips:
            return
        kinds = {self.model.state(self.model.state(row.source).parent).kind for row in skips}
        by_rule: dict[str, int] = {}
        for row in skips:
            rule = source_of(row.rule)
            by_rule[rule] = by_rule.get(rule, 0) + 1
        rule = max(by_rule, key=by_rule.__getitem__)
        names = {"turn": self.word, "phase": "phase", "step": "step"}
        said = listed([word for kind, word in names.items() if kind in kinds], "or")
        yield Note(f"An effect can skip any {said}", rule, tuple(row.id for row in skips))

    def _expiries(self) -> Iterator[Note]:
        """What happens as each step or phase ends."""
        found: dict[tuple[str, str], set[str]] = {}
        for state in self.model.states:
            if state.kind == "action" and state.role == "end" and state.parent:
                said = upper_first(plain(state.says) or label_of(state))
                kinds = found.setdefault((said, source_of(state.rule)), set())
                kinds.add(self.model.state(state.parent).kind)
        for (said, rule), kinds in found.items():
            yield Note(f"{said} as each {'step' if 'step' in kinds else 'phase'} ends", rule)

    def _extra(self) -> Note | None:
        """Where extra phases and steps come in."""
        rows = [row for row in self.model.transitions if row.target in self.hubs and row.generic]
        kinds = {self.model.state(self.model.state(row.source).parent).kind for row in rows}
        if not kinds:
            return None
        said = listed([kind for kind in ("phase", "step") if kind in kinds], "or")
        return Note(f"after any {said}", sources(rows), tuple(row.id for row in rows))

    def _after(self) -> Note:
        rows = [row for row in self.chart.all_rows(self.first) if row.layer == "extra"]
        word = self.word
        text = f"next {word}; extra {word}s first" if rows else f"next {word}"
        return Note(text, sources(rows), tuple(row.id for row in rows))


def _term(window: Model) -> str:
    """What players get in a window, as it calls it. "" if it cites no rule and has no word."""
    asking = [state for state in window.states if state.asks == "priority"]
    if not asking or not any(row.rule for row in window.transitions):
        return ""
    last = label_of(asking[0]).split()[-1]
    return last if last.istitle() and len(label_of(asking[0]).split()) > 1 else last.lower()


def _placed(phase: Phase, ways: Iterable[Way]) -> Phase:
    """The phase with those inside it directly after the step that leads to them."""
    parts: list[Part] = [part for part in phase.parts if isinstance(part, Step)]
    for inner in phase.parts:
        if isinstance(inner, Phase):
            placed = _placed(inner, ways)
            first = {step.id for step in placed.steps[:1]}
            leading = {way.source for way in ways if way.target in first}
            at = [i for i, part in enumerate(parts) if part.id in leading] or [len(parts) - 1]
            parts.insert(at[0] + 1, placed)
    return replace(phase, parts=tuple(parts))


def _omissions(model: Model) -> dict[str, list[Transition]]:
    """The transitions by which a step or phase is left out, by its id.

    Under "" are those that leave out several steps alike: another way or reason tells them.
    """
    alike: dict[object, list[Transition]] = {}
    for row in model.transitions:
        if row.layer == "skip" and not row.generic and row.target:
            source, target = model.state(row.source), model.state(row.target)
            if (source.role, target.role) == ("before", "after") and source.parent == target.parent:
                around = model.state(source.parent).parent
                alike.setdefault((around, row.guard, row.rule), []).append(row)
    found: dict[str, list[Transition]] = {}
    for rows in alike.values():
        for row in rows:
            own = model.state(model.state(row.source).parent)
            whole = own.kind == "phase" or len(rows) == 1
            found.setdefault(own.id if whole else "", []).append(row)
    return found
