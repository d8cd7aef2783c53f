"""Writes the results of mutation runs as text and as a page of documentation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from benchmarks.mutation.equivalence import Proof
from benchmarks.mutation.mutants import KINDS, Mutant
from benchmarks.mutation.outcome import Outcome

FEW = 2
"""Up to this many similar mutants are listed one by one. For more, only their states are listed."""
COLUMNS = (
    "ruleset",
    "mutants",
    "",
    "noticed by paths",
    "by games made for them",
    "proved the same",
    "the same, by a written reason",
    "left",
)
INTRODUCTION = """\
# Mutation run

Would a test fail if a ruleset were wrong? A mutation run tries it: every transition is removed once, every literal of a
guard flipped once, every two neighbouring rows of one state and event swapped once. A mutant is *noticed* when a
generated path, played on it, no longer fires the same: then the test made of that path fails. All mutants are tried.

First come the paths made for {criteria}. For what they do not notice, and what is not proved to be the
same machine, games are made that head for the mutant's rows. Every mutant that is counted as noticed was played.
"""
REGENERATE = """
This page is written by

    python -m benchmarks.mutation --markdown -o docs/mutation.md

which takes a few minutes for each ruleset; `python -m benchmarks.mutation magic --sample 60` tries some of
the mutants. It fails when a mutant is neither noticed nor explained. `tests/testing/test_paths_mutation.py` tries a
sample.
"""
EXPLAINED = """
## The same as their model

No game can notice these. *Proved* means: wherever model and mutant would fire rows with different effects, the guards
of both rows and of those above them are solved together with all that is known of the facts, back to the beginning of a
game if need be (`benchmarks/mutation/equivalence.py`).
"""


def as_text(outcome: Outcome) -> str:
    """Return one run as text: the figures, and each mutant that no game notices with the reason."""
    lines = [f"{outcome.model.name}: {len(outcome.tried)} mutants, {len(outcome.noticed)} noticed"
             f" ({len(outcome.by_paths)} by paths, {len(outcome.by_games)} by games made for them),"
             f" {len(outcome.proved)} proved the same, {len(outcome.known)} the same by a written reason,"
             f" {len(outcome.left)} left"]  # fmt: skip
    lines += [f"  {mutant}: {proof}" for mutant, proof in outcome.proved.items()]
    lines += [f"  {mutant}: by a written reason: {why}" for mutant, why in outcome.known.items()]
    lines += [
        f"  {mutant}: NOT EXPLAINED: no game of {outcome.played} answers notices it"
        for mutant in outcome.left
    ]
    lines += [
        f"  {mutant}: NOTICED, though it is explained as the same" for mutant in outcome.refuted
    ]
    return "\n".join(lines)


def as_markdown(outcomes: Sequence[Outcome], criteria: Iterable[str]) -> str:
    """Return a page about these runs."""
    parts = [
        INTRODUCTION.format(criteria=" and ".join(f"`{name}`" for name in criteria)),
        _table(outcomes),
        REGENERATE,
    ]
    parts.append(EXPLAINED)
    for outcome in outcomes:
        if outcome.proved or outcome.known or outcome.left:
            parts.append("\n".join(("", f"### {outcome.model.name}", "", *_explained(outcome), "")))
    return "\n".join(line.rstrip() for line in "".join(parts).splitlines()) + "\n"


def _table(outcomes: Sequence[Outcome]) -> str:
    rows = [COLUMNS, ("---", "---", *["---:"] * (len(COLUMNS) - 2))]
    for outcome in outcomes:
        rows += [(outcome.model.name, kind, *map(str, outcome.of_kind(kind))) for kind in KINDS]
    return "\n" + "\n".join(f"| {' | '.join(row)} |" for row in rows) + "\n"


def _explained(outcome: Outcome) -> Iterator[str]:
    groups: dict[tuple[str, str, str, str], list[Mutant]] = {}
    for mutant, proof in outcome.proved.items():
        groups.setdefault((*_where(mutant), mutant.kind, proof.reason), []).append(mutant)
    for (machine, source, kind, reason), found in sorted(
        groups.items(), key=lambda each: each[0][::-1]
    ):
        where = f"`{source}`" if machine == "turn" else f"`{source}` of the window"
        if len(found) > FEW:
            yield f"- {where}, {kind}, {len(found)} of them: {reason}"
        else:
            yield from (
                f"- {where}, {kind}: {_which(mutant)}: {_why(outcome.proved[mutant])}"
                for mutant in found
            )
    for mutant, why in outcome.known.items():
        yield f"- `{_where(mutant)[1]}`, {mutant.kind}: {_which(mutant)}: by a written reason: {why}"
    yield from (f"- **not explained**: {mutant}" for mutant in outcome.left)


def _why(proof: Proof) -> str:
    return proof.details or proof.reason


def _where(mutant: Mutant) -> tuple[str, str]:
    return mutant.machine, mutant.rows[0].split(" -> ")[0]


def _which(mutant: Mutant) -> str:
    """Name the rows of a mutant by their targets and guards."""
    return " / ".join(f"`{part.split(' -> ')[-1]}`" for part in mutant.what)
