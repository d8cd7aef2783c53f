"""Writes a test for each survivor of a mutation run: it passes on the machine, and fails on the
changed one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, starmap

from fsm.model import Term
from fsm.model.elements import guard_text
from fsm.testing.machinesource import MachineSource
from fsm.testing.machinetests import Case, ending, file_of
from fsm.testing.machineways import PlannedStep, WaySearch, fails
from fsm.testing.mutants import Mutant, differences
from fsm.testing.mutatedtests import change

MOST = 8
"""At most this many ways to a difference are tried for each survivor."""


def tests_for(
    survivors: Sequence[Mutant], source: MachineSource, command: str
) -> tuple[str, int, list[str]]:
    """Return a file of tests, how many there are, and a note on each survivor that has none."""
    search, notes = WaySearch(source.fresh), list[str]()
    cases: dict[str, Case] = {}
    for mutant in survivors:
        found = _cases(search, mutant)
        case = next((case for case in found if _notices(search, mutant, case)), None)
        if case is None:
            notes.append(f"no test for this: {mutant}; none was found that fails with it")
            continue
        known = cases.get(repr(case), case)
        cases[repr(case)] = Case(case.words, (*known.about, str(mutant)), case.start, case.steps)
    title = f"Tests of `{source.spec}` for changes that no test has noticed."
    told = {"title": title, "command": command, "missing": ()}
    text = file_of(search.original, source, [*cases.values()], silent=False, **told)
    return text if cases else "", len(cases), notes


def _cases(search: WaySearch, mutant: Mutant) -> Iterator[Case]:
    """Yield tests that may notice the change."""
    model = search.known.model
    for difference in islice(differences(model, mutant), MOST):
        at, event, answers = difference.at, difference.event, difference.answers
        plans = (plan[:-1] for plan in search.plans.values() if plan[-1].at == at)
        before = next(plans, None)
        told = PlannedStep(event, at, tuple(answers.items()))
        run = search.run((*before, told)) if before is not None else None
        if run is not None:
            target = model.transition(run.taken[0]).target if run.taken else None
            said = guard_text(starmap(Term, answers.items()), " and ")
            words = f"{event} when {at}{f' if {said}' if said else ''} {ending(at, target)}"
            yield Case(words, (), run.start, run.steps)


def _notices(search: WaySearch, mutant: Mutant, case: Case) -> bool:
    """Say whether a test passes on the machine, and fails on the changed one."""
    changed = search.make()
    change(changed, mutant, search.known.subject.name)
    return not fails(search.make(), case.steps) and fails(changed, case.steps)
