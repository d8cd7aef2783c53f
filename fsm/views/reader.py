"""Reads a Model of a turn into plain values. Views of a turn look at a Model nowhere else."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain

from msgspec.structs import replace

from fsm.errors import DrawError
from fsm.model import Model, State, Transition
from fsm.model.model import ModelLike, as_model, per_model
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
        kinds = [holder.kind for holder in self.model.path(state.id)]
        own = kinds[0]
        around = kinds[1:]
        return own in ("phase", "step") and not {"phase", "step"}.intersection(around)

    def _phase(self, state: State) -> Phase:
        family = state.family or state.id
        hue = self.hues.setdefault(family, len(self.hues) % HUES)
        label = label_of(state)
        if state.kind == "step":
            return Phase(
                id=f"phase of {state.id}",
                title=label,
                rule="",
                hue=hue,
                family=family,
                parts=(self._step(state),),
            )
        parts: list[Part] = []
        for part in self.model.children(state.id):
            if part.kind == "step":
                parts.append(self._step(part))
        for part in self.model.children(state.id):
            if part.kind == "phase":
                parts.append(self._phase(part))
        rule = self._box_rule(state)
        left_out = self._left_out(state.id)
        return Phase(
            id=state.id,
            title=label,
            rule=rule,
            hue=hue,
            family=family,
            parts=tuple(parts),
            left_out=left_out,
        )

    def _box_rule(self, state: State) -> str:
        """The citation of a box, unless it only repeats the title of a box."""
        rule = cited_rule(state.rule)
        section = source_of(rule).casefold()
        for holder in self.model.path(state.id):
            title = label_of(holder).casefold()
            if section in (title, f"{title} {state.kind}"):
                return ""
        return rule

    def _step(self, state: State) -> Step:
        inside = [leaf for leaf in self.model.leaves if leaf.parent == state.id]
        asking = [leaf for leaf in inside if leaf.kind in ("action", "window")]
        stages = [leaf for leaf in asking if leaf.role in _STAGES]
        numbers = {stage.id: i for i, stage in enumerate(stages, 1)}
        lines: list[Line] = []
        briefly: list[str] = []
        for stage in stages:
            lines += self._lines(stage, numbers)
            if stage.kind == "action":
                briefly.append(self._briefly(stage, state))
        marks = [line.mark for line in lines]
        begins = [leaf.id for leaf in inside if leaf.role == "begin"]
        return Step(
            id=state.id,
            title=label_of(state),
            rule=self._box_rule(state),
            words=plain(state.says) or ", ".join(dict.fromkeys(briefly)),
            mark=max(marks, key=_MARKS.index, default=""),
            lines=tuple(lines),
            left_out=self._left_out(state.id),
            start="".join(begins[:1]),
            states=tuple(leaf.id for leaf in inside),
        )

    def _briefly(self, stage: State, step: State) -> str:
        """What is done in a stage, at a glance."""
        label = label_of(stage)
        if label.casefold() == label_of(step).casefold():
            label = plain(stage.doc.partition(",")[0]) or label
        said = plain(stage.says) or lower_first(label)
        for row in self.chart.rows(stage.id):
            if row.target == stage.id:
                said += f" (again if {self.chart.words(row)})"
        return said

    def _lines(self, stage: State, numbers: dict[str, int]) -> Iterator[Line]:
        """What happens in a stage, and where it goes on in its step if not with the next stage."""
        number = numbers[stage.id]
        within: list[Transition] = []
        for state in self.model.children(stage.parent):
            within += filter(self.chart.stays, self.chart.rows(state.id))
        into = []
        for row in within:
            ahead = numbers.get(row.source, 0) < number
            if row.target == stage.id and ahead and (row.guard or row.event in self.model.signals):
                into.append(row)
        conditions = [f"if {self.chart.words(row)}" for row in into]
        details = dict.fromkeys([*conditions, plain(doc_of(stage))])
        text, mark = self._text(stage)
        yield Line(
            number,
            text,
            detail="; ".join(filter(None, details)),
            rule=cited_rule(stage.rule),
            mark=mark,
            state=stage.id,
            tells=tuple(row.id for row in into),
        )
        for row in within:
            if row.source == stage.id and numbers.get(row.target or "", number + 1) <= number:
                words = self._back(row, numbers)
                rule = source_of(row.rule)
                yield Line(
                    number=0,
                    text=words,
                    rule=rule,
                    state=stage.id,
                    tells=(row.id,),
                )
        yield from self._refusals(stage)

    def _back(self, row: Transition, numbers: dict[str, int]) -> str:
        """Where a step goes on when it goes back within itself."""
        where = "Once more" if row.target == row.source else f"Back to {numbers[row.target or '']}"
        said = self.chart.words(row)
        if said:
            return f"{where} if {said}"
        return where

    def _refusals(self, stage: State) -> Iterator[Line]:
        """What is tried in a stage, but does nothing there."""
        found = defaultdict[tuple[str, str], list[Transition]](list)
        for state in self.model.children(stage.parent):
            for row in self.chart.all_rows(state.id):
                if row.target is None and row.doc and row.event != self.model.leaving:
                    found[row.doc, source_of(row.rule)].append(row)
        for (doc, rule), rows in found.items():
            if rows[-1].source == stage.id:
                text = upper_first(plain(doc))
                tells = tuple(row.id for row in rows)
                yield Line(
                    number=0,
                    text=text,
                    rule=rule,
                    state=stage.id,
                    tells=tells,
                )

    def _text(self, stage: State) -> tuple[str, Mark]:
        """What a stage is called in the list of its step, and whether players may act in it."""
        if stage.kind == "window":
            acting = upper_first(self.acting)
            if stage.opens.startswith("conditional"):
                return f"{acting} only if something triggered", "hollow"
            return acting, "full"
        label = label_of(stage)
        if label.casefold() == label_of(self.model.state(stage.parent)).casefold():
            label = plain(stage.says) or label
        return upper_first(label), ""

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
        if self.model.state(state.parent).kind == "step":
            return state.parent
        return ""

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
            if not (source.composite and row.target and signal) or row.generic:
                continue
            end, path = self.chart.end_of(row)
            if end:
                where = "" if source.kind == "turn" else source.id
                words = plain(row.says) or self.chart.event_words(row.event)
                rule = source_of(row.rule)
                yield Way(
                    source=where,
                    target=end,
                    kind="cut short",
                    words=words,
                    rule=rule,
                    tells=(row.id,),
                    paths=(path,),
                )

    # what is said once ----------------------------------------------------------------------------

    def _notes(self) -> Iterator[Note]:
        skips = [row for row in self.model.transitions if row.generic and row.layer == "skip"]
        if skips:
            rules = Counter(source_of(row.rule) for row in skips)
            said = self._kinds(skips, {"turn": self.word, "phase": "phase", "step": "step"})
            [(rule, _)] = rules.most_common(1)
            tells = tuple(row.id for row in skips)
            yield Note(f"An effect can skip any {said}", rule, tells)
        yield from self._expiries()
        start = self.model.state(self.model.initial)
        if start.kind == "action" and start.role == "procedure":
            words = plain_words(self.model, start)
            text = f"Before the first {self.word} of the game, {words}"
            yield Note(text, source_of(start.rule))

    def _expiries(self) -> Iterator[Note]:
        """What happens as each step or phase ends."""
        found = defaultdict[tuple[str, str], set[str]](set)
        for state in self.model.states:
            if state.kind == "action" and state.role == "end" and state.parent:
                said = upper_first(plain(state.says) or label_of(state))
                kind = self.model.state(state.parent).kind
                found[said, source_of(state.rule)].add(kind)
        for (said, rule), kinds in found.items():
            place = "step" if "step" in kinds else "phase"
            yield Note(f"{said} as each {place} ends", rule)

    def _extra(self) -> Note | None:
        """Where extra phases and steps come in."""
        rows = [row for row in self.model.transitions if row.target in self.hubs and row.generic]
        said = self._kinds(rows, {"phase": "phase", "step": "step"})
        tells = tuple(row.id for row in rows)
        if said:
            return Note(f"after any {said}", sources(rows), tells)
        return None

    def _kinds(self, rows: Iterable[Transition], names: dict[str, str]) -> str:
        """What these transitions leave: "phase or step"."""
        around = [self.model.state(row.source).parent for row in rows]
        kinds = {self.model.state(id).kind for id in around}
        return listed([word for kind, word in names.items() if kind in kinds], "or")

    def _after(self) -> Note:
        rows = [row for row in self.chart.all_rows(self.first) if row.layer == "extra"]
        more = f"; extra {self.word}s first" if rows else ""
        tells = tuple(row.id for row in rows)
        return Note(f"next {self.word}{more}", sources(rows), tells)


def _term(window: Model) -> str:
    """What players get in a window, as it calls it. "" if it cites no rule and has no word."""
    asking = [state for state in window.states if state.asks == "priority"]
    if not asking or not any(row.rule for row in window.transitions):
        return ""
    last = label_of(asking[0]).split()[-1]
    if last.istitle() and len(label_of(asking[0]).split()) > 1:
        return last
    return last.lower()


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
            source = model.state(row.source)
            target = model.state(row.target)
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
