"""How a ruleset's table becomes a Model: the turn and its phases. `frame_steps` has what one step
becomes.

Every turn, phase and step gets the same frame: *before* (is it skipped, does something come
first?), *begin*, what happens in it, *end*, *after* (is something extra due, or was this itself
extra?). Each level has a *hub*, where extras start, and a *resume*, where the interrupted sequence
goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise, zip_longest
from typing import TypeVar

from msgspec.structs import replace

from fsm.errors import RulesetError
from fsm.model import Duration, Fact, Model, Setting, State, Transition
from fsm.rulesets.frame.facts import facts
from fsm.rulesets.frame.parts import UNCITED, Phase, TableParts
from fsm.rulesets.frame.rows import CLOSED, DONE, extra, row, skip
from fsm.rulesets.frame.states import states as states_of
from fsm.rulesets.frame.steps import (
    clears,
    phase_ends,
    step_after,
    step_before,
    step_during,
    step_inside,
)

_Part = TypeVar("_Part", State, Transition, Fact, Duration, Setting)


def expand(table: TableParts) -> Model:
    """The Model of a table. Raises ModelError or RulesetError when a row names what is not there."""
    every = tuple(states_of(table))

    def cited(parts: tuple[_Part, ...]) -> tuple[_Part, ...]:
        return _recited(parts, table.cite)

    return Model(
        name=table.name,
        title=table.title,
        edition=table.edition,
        rulebook=table.rulebook,
        initial=every[1].id,
        states=cited((*every, *table.states)),
        transitions=cited(
            (
                *(*_before_game(table), *_turn(table), *_phases(table), *_hubs(table)),
                *table.transitions,
            )
        ),
        events=(DONE, CLOSED, *table.events),
        facts=cited((*table.facts, *facts(table))),
        durations=cited(table.durations),
        settings=cited(table.settings),
        options=dict(table.options),
        window=_window(table),
    )


def _window(table: TableParts) -> Model | None:
    window, cite = table.window, table.cite
    if window is None or cite is None:
        return window
    states, transitions = _recited(window.states, cite), _recited(window.transitions, cite)
    facts = _recited(window.facts, cite)
    if (states, transitions, facts) == (window.states, window.transitions, window.facts):
        return window
    return replace(window, states=states, transitions=transitions, facts=facts)


def _recited(parts: tuple[_Part, ...], cite: Callable[[str], str] | None) -> tuple[_Part, ...]:
    """Cite the rules as the table says. Rules of which it says only that they are there are left
    out.
    """
    new = {
        rule: "" if rule == UNCITED else cite(rule) if cite else rule
        for rule in {part.rule for part in parts}
    }
    if all(rule == changed for rule, changed in new.items()):
        return parts
    return tuple(
        [
            part if part.rule == new[part.rule] else replace(part, rule=new[part.rule])
            for part in parts
        ]
    )


def _before_game(table: TableParts) -> Iterator[Transition]:
    places = [f"before_game_{act.name}" for act in table.before_game]
    for here, following in pairwise([*places, "before_game_over", "turn_hub"] if places else ()):
        yield row(here, following, rule=table.rules.turn)


def _turn(table: TableParts) -> Iterator[Transition]:
    rules, first = table.rules, f"{table.phases[0].name}_phase_before"
    if rules.extra_turn:
        yield row(
            "turn_hub",
            "turn_before",
            "extra_turn_due",
            ["take_turn"],
            rule=rules.extra_turn,
            layer="extra",
            doc="the newest extra turn first",
        )
    yield row(
        "turn_hub",
        "turn_before",
        do=["next_player"],
        rule=rules.turn,
        doc="the next player in turn order",
    )
    if rules.no_turn:
        yield row(
            "turn_before",
            "turn_hub",
            "candidate_left",
            ["miss_turn"],
            rule=rules.no_turn,
            layer="skip",
            doc="a player who left takes no turn",
        )
    if rules.skip:
        yield skip(
            "turn_before",
            "turn_hub",
            "skip_turn",
            ["consume_skip(turn, turn)"],
            rules.skip,
            "an effect skips the turn",
        )
    yield row(
        "turn_before", "turn_begin", do=["begin_turn", *clears(rules.turn_clears)], rule=rules.turn
    )
    yield row("turn_begin", first, rule=rules.turn)
    yield row("turn_end", "turn_hub", do=["end_turn"], rule=rules.turn)


def _phases(table: TableParts) -> Iterator[Transition]:
    for phase, following in zip_longest(table.phases, table.phases[1:]):
        yield from _phase(
            table,
            phase,
            [
                row(
                    f"{phase.name}_phase_after",
                    f"{following.name}_phase_before" if following else "turn_end",
                    rule=table.rules.turn,
                )
            ],
        )
        for inner in phase.within:
            yield from _phase(table, inner, list(_back(phase, inner)))


def _phase(table: TableParts, phase: Phase, onward: Sequence[Transition]) -> Iterator[Transition]:
    yield from _phase_before(table, phase)
    for step, after in zip_longest(phase.steps, phase.steps[1:]):
        yield from step_before(table, step)
        yield from step_inside(table, phase, step)
        yield from step_during(step)
        yield from step_after(table, phase, step, f"{after.name}_before" if after else "")
    yield from _phase_after(table, phase, onward)


def _back(outer: Phase, inner: Phase) -> Iterator[Transition]:
    """From a phase inside another back to the window out of which it came."""
    for step in outer.steps:
        for during in step.during:
            if during.phase == inner.name:
                yield row(
                    f"{inner.name}_phase_after",
                    f"{step.name}_{during.at}",
                    do=["resume"],
                    rule=during.back or during.rule,
                    doc=f"back in {step.label.lower()}, where it waited",
                )


def _phase_before(table: TableParts, phase: Phase) -> Iterator[Transition]:
    p, rules = f"{phase.name}_phase", table.rules
    consume = [
        f"consume_skip(phase, {phase.kin})",
        *([f"miss(phase, {phase.name})"] if phase.noted else []),
    ]
    for absent in phase.absences:
        yield row(
            f"{p}_before",
            f"{p}_after",
            absent.when,
            ["pass_over(phase)"],
            rule=absent.rule,
            layer="skip",
            doc=absent.doc,
            says=absent.says,
        )
    if rules.skip:
        yield skip(
            f"{p}_before",
            f"{p}_after",
            f"skip_{phase.kin}_phase",
            consume,
            rules.skip,
            "an effect skips the phase",
        )
    if phase.swap:
        swap, other = phase.swap, _named(table, phase.swap.phase)
        do = [f"begin(phase, {other.name}, {other.kin})", f"push_return(phase, {p}_after)"]
        yield row(
            f"{p}_before",
            f"{other.name}_phase_begin",
            swap.when,
            do,
            rule=swap.rule,
            doc=swap.doc,
        )
    do = [*clears(phase.clears), f"begin(phase, {phase.name}, {phase.kin})"]
    yield row(f"{p}_before", f"{p}_begin", do=do, rule=phase.rule)
    yield row(f"{p}_begin", f"{phase.steps[0].name}_before", rule=phase.rule)


def _phase_after(
    table: TableParts, phase: Phase, onward: Sequence[Transition]
) -> Iterator[Transition]:
    p, rules = f"{phase.name}_phase", table.rules
    late = phase_ends(phase) if rules.phase_end_first else []
    yield row(f"{p}_end", f"{p}_after", do=late, rule=rules.end)
    if rules.extra_phase:
        take = [f"push_return(phase, {p}_after)", "take_extra(phase)"]
        yield extra(
            f"{p}_after",
            "phase_hub",
            "extra_phase_due",
            take,
            rules.extra_phase,
            "an extra phase comes directly after this one",
        )
        yield extra(
            f"{p}_after",
            "phase_resume",
            "inside_extra_phase",
            [],
            rules.extra_phase,
            "this phase was extra: go on where it came in",
        )
    for then in phase.then:
        to = (
            f"{then.to}_phase_before"
            if then.to in (phase.name for phase in table.all_phases)
            else then.to
        )
        yield row(
            f"{p}_after",
            to,
            then.when,
            then.do,
            rule=then.rule,
            layer=then.layer,
            doc=then.doc,
            says=then.says,
        )
    yield from onward


def _hubs(table: TableParts) -> Iterator[Transition]:
    rules = table.rules
    for family in table.families if rules.extra_phase else ():
        home = [phase for phase in table.all_phases if phase.kin == family][-1]
        rule = home.extra_rule or rules.extra_phase
        yield extra("phase_hub", f"{home.name}_phase_before", f"extra_phase_is_{family}", [], rule)
    for phase in table.all_phases if rules.extra_phase else ():
        after, pop = f"{phase.name}_phase_after", ["pop_return(phase)"]
        yield extra("phase_resume", after, f"phase_returns_to_{after}", pop, rules.extra_phase)
    for step in table.steps if rules.extra_step else ():
        yield extra(
            "step_hub", f"{step.name}_before", f"extra_step_is_{step.name}", [], rules.extra_step
        )
    for place in (
        (place for step in table.steps for place in step.places) if rules.extra_step else ()
    ):
        yield extra(
            "step_resume", place, f"step_returns_to_{place}", ["pop_return(step)"], rules.extra_step
        )


def _named(table: TableParts, name: str) -> Phase:
    found = {phase.name: phase for phase in table.all_phases}
    if name not in found:
        raise RulesetError(
            f"{table.name}: phase {name!r} is unknown",
            kind="unknown-phase",
            found=name,
            known=found,
        )
    return found[name]
