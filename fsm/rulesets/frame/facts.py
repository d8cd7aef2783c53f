"""The facts of the frame: what its rows ask the agenda."""

from __future__ import annotations

from collections.abc import Iterator

from fsm.model import Fact
from fsm.rulesets.frame.parts import Step, TableParts


def facts(table: TableParts) -> Iterator[Fact]:
    """All facts of the frame: of turns, of levels, of phases, of steps."""
    rules = table.rules
    if rules.skip:
        yield _agenda(
            "skip_turn", "an effect skips this turn", rules.skip, "skip_due", "turn", "turn"
        )
    if rules.no_turn:
        doc = "the player whose turn it would be has left the game"
        yield _agenda("candidate_left", doc, rules.no_turn, "candidate_left")
    levels = [("phase", rules.extra_phase), ("step", rules.extra_step)]
    for level, rule in [("turn", rules.extra_turn), *levels]:
        if rule:
            yield _agenda(
                f"extra_{level}_due", f"an extra {level} comes next", rule, "extra_due", level
            )
    for level, rule in levels:
        if rule:
            doc = f"this {level} was extra: resume where it came in"
            yield _agenda(f"inside_extra_{level}", doc, rule, "inside_extra", level)
    yield from _phase_facts(table)
    for step in table.steps:
        yield from _step_facts(table, step)


def _phase_facts(table: TableParts) -> Iterator[Fact]:
    rules = table.rules
    for family in table.families:
        skip, extra = f"an effect skips this {family} phase", f"the extra phase is a {family} phase"
        if rules.skip:
            yield _agenda(f"skip_{family}_phase", skip, rules.skip, "skip_due", "phase", family)
        if rules.extra_phase:
            test = ("candidate_is", "phase", family)
            yield _agenda(
                f"extra_phase_is_{family}", extra, rules.extra_phase, *test, group="extra phase"
            )
    for phase in table.all_phases if rules.extra_phase else ():
        after, doc = (
            f"{phase.name}_phase_after",
            f"the turn goes on after the {phase.label.lower()} phase",
        )
        test = ("returns_to", "phase", after)
        yield _agenda(
            f"phase_returns_to_{after}", doc, rules.extra_phase, *test, group="phase return"
        )


def _step_facts(table: TableParts, step: Step) -> Iterator[Fact]:
    s, name, rules = step.name, step.label.lower(), table.rules
    lacks, before = (
        f"the phase holds only another step than {name}",
        f"an extra step comes directly before {name}",
    )
    if rules.skips_step:
        yield _agenda(
            f"skip_{s}",
            f"an effect skips this step ({name})",
            rules.skips_step,
            "skip_due",
            "step",
            s,
        )
    if table.can_lack(step):
        yield _agenda(f"phase_lacks_{s}", lacks, rules.step_after_phase, "only_another", s)
    if not rules.extra_step:
        return
    yield _agenda(f"extra_before_{s}", before, rules.extra_step, "extra_before", s)
    test = ("candidate_is", "step", s)
    yield _agenda(
        f"extra_step_is_{s}",
        f"the extra step is: {name}",
        rules.extra_step,
        *test,
        group="extra step",
    )
    for place in step.places:
        doc, test = f"the phase goes on at {place.replace('_', ' ')}", ("returns_to", "step", place)
        yield _agenda(f"step_returns_to_{place}", doc, rules.extra_step, *test, group="step return")


def _agenda(name: str, doc: str, rule: str, *test: str, group: str = "") -> Fact:
    return Fact(
        name, doc, rule, "agenda", "live", about="what is scheduled", group=group, test=test
    )
