"""How one row of a ruleset's table becomes states and transitions.

Every turn, phase and step gets the same frame: *before* (is it skipped, does something come first?),
*begin*, what happens in it, *end*, *after* (is something extra due, or was this itself extra?).
Each level has a *hub*, where extras start, and a *resume*, where the interrupted sequence goes on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fsm.errors import RulesetError, suggest
from fsm.model import Action, Event, Fact, Layer, Model, State, Term, Transition
from fsm.rulesets.table import Absent, Act, Phase, Step, Table

DONE = Event("done", "the state is finished", completion=True)
CLOSED = Event("closed", "the window has closed", completion=True)


def guard(text: str) -> tuple[Term, ...]:
    """Read a guard, "a, not b"; "" is the empty guard, which always holds."""
    return tuple(Term.parse(part) for part in text.split(",") if part.strip())


def row(
    source: str,
    target: str | None,
    when: str = "",
    do: Iterable[str] = (),
    *,
    event: str = "done",
    rule: str = "",
    layer: Layer = "core",
    generic: bool = False,
    doc: str = "",
) -> Transition:
    """One transition, written the short way: guard and actions as text."""
    return Transition(source, target, event, guard(when), tuple(map(Action.parse, do)), rule, layer, generic, doc)


def expand(table: Table) -> Model:
    """The Model of a table. Raises ModelError or RulesetError when a row names what is not there."""
    frame = _Frame(table)
    return Model(
        name=table.name,
        title=table.title,
        edition=table.edition,
        initial="turn_hub",
        states=(*frame.states(), *table.states),
        transitions=(*frame.transitions(), *table.transitions),
        events=(DONE, CLOSED, *table.events),
        facts=(*table.facts, *frame.facts()),
        durations=table.durations,
        settings=table.settings,
        options=table.options,
        window=table.window,
    )


class _Frame:
    """One table on its way to become a Model."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.rules = table.rules
        self.steps = {step.name: step for step in table.steps}
        self.families = tuple(dict.fromkeys(p.kin for p in table.phases))

    # states ------------------------------------------------------------------------------------

    def states(self) -> Iterator[State]:
        rules = self.rules
        yield State("turn", "turn", "turn", "Turn", rule=rules.turn)
        yield State("turn_hub", "choice", label="Next turn", role="hub", rule=rules.extra_turn, doc="extra turns first, newest first")
        yield State("turn_before", "choice", label="Before the turn", parent="turn", role="before", rule=rules.skip)
        yield State("turn_begin", "stage", label="Turn begins", parent="turn", role="begin", rule=rules.turn)
        for phase in self.table.phases:
            yield from self._phase_states(phase)
        yield State("phase_hub", "choice", label="Extra phase", parent="turn", role="hub", rule=rules.extra_phase, doc="newest first, then go on")
        yield State("phase_resume", "choice", label="After an extra phase", parent="turn", role="resume", rule=rules.extra_phase)
        yield State("step_hub", "choice", label="Extra step", parent="turn", role="hub", rule=rules.extra_step, doc="newest first, then go on")
        yield State("step_resume", "choice", label="After an extra step", parent="turn", role="resume", rule=rules.extra_step)
        yield State("turn_end", "stage", label="Turn ends", parent="turn", role="end", rule=rules.turn)

    def _phase_states(self, phase: Phase) -> Iterator[State]:
        id, rules = f"{phase.name}_phase", self.rules
        yield State(id, "phase", phase.name, phase.label, "turn", rule=phase.rule, family=phase.kin)
        yield State(f"{id}_before", "choice", label=f"Before the {phase.label.lower()} phase", parent=id, role="before", rule=rules.skip)
        yield State(f"{id}_begin", "stage", label=f"{phase.label} phase begins", parent=id, role="begin", rule=rules.begin)
        for step in phase.steps:
            yield from self._step_states(step, id)
        yield State(f"{id}_end", "stage", label=f"{phase.label} phase ends", parent=id, role="end", rule=rules.end)
        yield State(f"{id}_after", "choice", label=f"After the {phase.label.lower()} phase", parent=id, role="after", rule=rules.extra_phase)

    def _step_states(self, step: Step, phase: str) -> Iterator[State]:
        s, id, rules = step.name, f"{step.name}_step", self.rules
        yield State(id, "step", s, step.label, phase, rule=step.rule, family=s, doc=step.doc)
        yield State(f"{s}_before", "choice", label=f"Before {step.label.lower()}", parent=id, role="before", rule=rules.skip)
        yield State(f"{s}_begin", "stage", label=f"{step.label} begins", parent=id, role="begin", rule=rules.begin)
        yield from (self._action(step, act) for act in step.actions)
        if step.opens:
            yield State(f"{s}_window", "window", label="Priority", parent=id, role="window", rule=step.window_rule, opens=step.opens)
        yield from (self._action(step, act) for act in step.closing)
        for suffix in ("", "_again")[: 2 if step.again else 1]:
            yield self._end(f"{s}{suffix}_end", step, id)
            yield State(f"{s}{suffix}_after", "choice", label=f"After {step.label.lower()}", parent=id, role="after", rule=rules.extra_step)

    def _action(self, step: Step, act: Act) -> State:
        id, parent = f"{step.name}_{act.name}", f"{step.name}_step"
        return State(id, "action", act.name, act.label, parent, "action", act.rule, act.doc, asks="perform", action=act.name, tells=act.tells)

    def _end(self, id: str, step: Step, parent: str) -> State:
        act, label = self.rules.end_action, f"{step.label} ends"
        if act is None:
            return State(id, "stage", label=label, parent=parent, role="end", rule=self.rules.end)
        return State(id, "action", act.name, label, parent, "end", self.rules.end, act.doc, asks="perform", action=act.name)

    # facts of the agenda --------------------------------------------------------------------------

    def facts(self) -> Iterator[Fact]:
        rules = self.rules
        yield _agenda("skip_turn", "an effect skips this turn", rules.skip, "skip_due", "turn", "turn")
        yield _agenda("candidate_left", "whose turn it would be has left the game", rules.no_turn, "candidate_left")
        for level, rule in (("turn", rules.extra_turn), ("phase", rules.extra_phase), ("step", rules.extra_step)):
            yield _agenda(f"extra_{level}_due", f"an extra {level} comes next", rule, "extra_due", level)
        for level, rule in (("phase", rules.extra_phase), ("step", rules.extra_step)):
            yield _agenda(f"inside_extra_{level}", f"this {level} was extra: resume where it came in", rule, "inside_extra", level)
        for family in self.families:
            yield _agenda(f"skip_{family}_phase", f"an effect skips this {family} phase", rules.skip, "skip_due", "phase", family)
            yield _agenda(f"extra_phase_is_{family}", f"the extra phase is a {family} phase", rules.extra_phase, "candidate_is", "phase", family, group="extra phase")
        for phase in self.table.phases:
            after = f"{phase.name}_phase_after"
            yield _agenda(f"phase_returns_to_{after}", f"the turn goes on after the {phase.label.lower()} phase", rules.extra_phase, "returns_to", "phase", after, group="phase return")
        for step in self.table.steps:
            yield from self._step_facts(step)

    def _step_facts(self, step: Step) -> Iterator[Fact]:
        s, name, rules = step.name, step.label.lower(), self.rules
        yield _agenda(f"skip_{s}", f"an effect skips this step ({name})", rules.skip, "skip_due", "step", s)
        yield _agenda(f"phase_lacks_{s}", f"the phase holds only another step than {name}", rules.step_after_phase, "only_another", s)
        yield _agenda(f"extra_before_{s}", f"an extra step comes directly before {name}", rules.extra_step, "extra_before", s)
        yield _agenda(f"extra_step_is_{s}", f"the extra step is: {name}", rules.extra_step, "candidate_is", "step", s, group="extra step")
        for place in self._return_places(step):
            yield _agenda(f"step_returns_to_{place}", f"the phase goes on at {place.replace('_', ' ')}", rules.extra_step, "returns_to", "step", place, group="step return")

    def _return_places(self, step: Step) -> tuple[str, ...]:
        places = (f"{step.name}_before", f"{step.name}_after")
        return (*places, f"{step.name}_again_after") if step.again else places

    # transitions ------------------------------------------------------------------------------------

    def transitions(self) -> Iterator[Transition]:
        yield from self._turn_rows()
        for phase, following in zip(self.table.phases, [*self.table.phases[1:], None], strict=True):
            yield from self._phase_rows(phase, f"{following.name}_phase_before" if following else "turn_end")
        yield from self._hub_rows()

    def _turn_rows(self) -> Iterator[Transition]:
        rules, first = self.rules, self.table.phases[0].name
        yield row("turn_hub", "turn_before", "extra_turn_due", ["take_turn"], rule=rules.extra_turn, layer="extra", doc="the newest extra turn first")
        yield row("turn_hub", "turn_before", do=["next_player"], rule=rules.turn, doc="the next player in turn order")
        yield row("turn_before", "turn_hub", "candidate_left", ["miss_turn"], rule=rules.no_turn, layer="skip", doc="a player who left takes no turn")
        yield row("turn_before", "turn_hub", "skip_turn", ["consume_skip(turn, turn)"], rule=rules.skip, layer="skip", generic=True, doc="an effect skips the turn")
        yield row("turn_before", "turn_begin", do=["begin_turn"], rule=rules.turn)
        yield row("turn_begin", f"{first}_phase_before", rule=rules.turn)
        yield row("turn_end", "turn_hub", do=["end_turn"], rule=rules.turn)

    def _phase_rows(self, phase: Phase, following: str) -> Iterator[Transition]:
        p, rules = f"{phase.name}_phase", self.rules
        clears = [f"clear({phase.clears})"] if phase.clears else []
        yield row(f"{p}_before", f"{p}_after", f"skip_{phase.kin}_phase", [f"consume_skip(phase, {phase.kin})"], rule=rules.skip, layer="skip", generic=True, doc="an effect skips the phase")
        if phase.swap:
            swap, other = phase.swap, self._phase(phase.swap.phase)
            doings = [f"push_return(phase, {p}_after)", f"begin(phase, {other.name}, {other.kin})"]
            yield row(f"{p}_before", f"{other.name}_phase_begin", swap.when, doings, rule=swap.rule, doc=swap.doc)
        yield row(f"{p}_before", f"{p}_begin", do=[*clears, f"begin(phase, {phase.name}, {phase.kin})"], rule=phase.rule)
        yield row(f"{p}_begin", f"{phase.steps[0].name}_before", rule=phase.rule)
        for step, after in zip(phase.steps, [*phase.steps[1:], None], strict=True):
            yield from self._step_rows(step, after.name if after else "", p, clears)
        yield row(f"{p}_end", f"{p}_after", rule=rules.end)
        yield row(f"{p}_after", "phase_hub", "extra_phase_due", [f"push_return(phase, {p}_after)", "take_extra(phase)"], rule=rules.extra_phase, layer="extra", generic=True, doc="an extra phase comes directly after this one")
        yield row(f"{p}_after", "phase_resume", "inside_extra_phase", rule=rules.extra_phase, layer="extra", generic=True, doc="this phase was extra: go on where it came in")
        yield row(f"{p}_after", following, rule=rules.turn)

    def _step_rows(self, step: Step, following: str, phase: str, clears: list[str]) -> Iterator[Transition]:
        s, rules = step.name, self.rules
        yield row(f"{s}_before", f"{s}_after", f"phase_lacks_{s}", ["pass_over(step)"], rule=rules.step_after_phase, layer="skip", generic=True, doc="the phase holds only another step")
        for absent in step.absent:
            yield self._absent(step, absent)
        yield row(f"{s}_before", f"{s}_after", f"skip_{s}", [f"consume_skip(step, {s})"], rule=rules.skip, layer="skip", generic=True, doc="an effect skips the step")
        yield row(f"{s}_before", "step_hub", f"extra_before_{s}", [f"push_return(step, {s}_before)", f"take_before({s})"], rule=rules.extra_step, layer="extra", generic=True, doc="an extra step comes directly before this one")
        yield row(f"{s}_before", f"{s}_begin", do=[self._begin(step)], rule=step.rule)
        yield from self._inside(step)
        yield from self._after(step, f"{s}_after", following, phase, clears)
        if step.again:
            yield row(f"{s}_again_end", f"{s}_again_after", rule=rules.end)
            yield self._extra_due(f"{s}_again_after")
            yield row(f"{s}_again_after", f"{s}_begin", do=[self._begin(step)], rule=step.again.rule, layer="extra", doc=step.again.doc)

    def _begin(self, step: Step) -> str:
        return f"{step.begin}(step, {step.name}, {step.name})"

    def _absent(self, step: Step, absent: Absent) -> Transition:
        return row(f"{step.name}_before", f"{step.name}_after", absent.when, [f"miss(step, {step.name})"], rule=absent.rule, layer="skip", doc=absent.doc)

    def _inside(self, step: Step) -> Iterator[Transition]:
        """Begin, actions in order (a guarded one may be passed by), window, closing actions, end."""
        s = step.name
        chain = [*step.actions, *([None] if step.opens else []), *step.closing]
        here = f"{s}_begin"
        for index, act in enumerate([_START, *chain]):
            last = act is None and step.again is not None
            if act is not _START:
                here = f"{s}_window" if act is None else f"{s}_{act.name}"
            event = "closed" if act is None else "done"
            if last and step.again:
                yield row(here, f"{s}_again_end", step.again.when, ["end(step)"], event=event, rule=step.again.rule, layer="extra", doc=step.again.doc)
            yield from self._onward(step, here, event, chain[index:])

    def _onward(self, step: Step, here: str, event: str, rest: list[Act | None]) -> Iterator[Transition]:
        s = step.name
        for act in rest:
            if act is None:
                yield row(here, f"{s}_window", event=event, rule=step.window_rule)
                return
            marks = [f"mark({act.marks})"] if act.marks else []
            yield row(here, f"{s}_{act.name}", act.when, marks, event=event, rule=act.rule)
            if not act.when:
                return
        yield row(here, f"{s}_end", do=["end(step)"], event=event, rule=self.rules.end)

    def _after(self, step: Step, here: str, following: str, phase: str, clears: list[str]) -> Iterator[Transition]:
        rules, onward = self.rules, f"{following}_before" if following else f"{phase}_end"
        yield row(f"{step.name}_end", here, rule=rules.end)
        yield self._extra_due(here)
        yield row(here, "step_resume", "inside_extra_step", rule=rules.extra_step, layer="extra", generic=True, doc="this step was extra: go on where it came in")
        for then in step.then:
            if then.to not in self.steps:
                raise RulesetError(f"{self.table.name}: step {step.name!r} leads to {then.to!r}, which is no step{suggest(then.to, self.steps)}")
            yield row(here, f"{then.to}_before", then.when, rule=then.rule, layer=then.layer, doc=then.doc)
        if not step.then or step.then[-1].when:
            yield row(here, onward, do=[] if following else ["end(phase)", *clears], rule=rules.turn)

    def _extra_due(self, here: str) -> Transition:
        return row(here, "step_hub", "extra_step_due", [f"push_return(step, {here})", "take_extra(step)"], rule=self.rules.extra_step, layer="extra", generic=True, doc="an extra step comes directly after this one")

    def _hub_rows(self) -> Iterator[Transition]:
        rules = self.rules
        for family in self.families:
            home = [p for p in self.table.phases if p.kin == family][-1]
            yield row("phase_hub", f"{home.name}_phase_before", f"extra_phase_is_{family}", rule=home.extra_rule or rules.extra_phase, layer="extra", generic=True)
        for phase in self.table.phases:
            after = f"{phase.name}_phase_after"
            yield row("phase_resume", after, f"phase_returns_to_{after}", ["pop_return(phase)"], rule=rules.extra_phase, layer="extra", generic=True)
        for step in self.table.steps:
            yield row("step_hub", f"{step.name}_before", f"extra_step_is_{step.name}", rule=rules.extra_step, layer="extra", generic=True)
        for step in self.table.steps:
            for place in self._return_places(step):
                yield row("step_resume", place, f"step_returns_to_{place}", ["pop_return(step)"], rule=rules.extra_step, layer="extra", generic=True)

    def _phase(self, name: str) -> Phase:
        for phase in self.table.phases:
            if phase.name == name:
                return phase
        raise RulesetError(f"{self.table.name}: phase {name!r} is unknown{suggest(name, [p.name for p in self.table.phases])}")


_START = Act("", "", "")


def _agenda(name: str, doc: str, rule: str, *test: str, group: str = "") -> Fact:
    return Fact(name, doc, rule, "agenda", "live", about="what is scheduled", group=group, test=test)
