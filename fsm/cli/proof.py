"""The options and the output of `fsm check --prove`."""

from __future__ import annotations

import gc
import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fsm.cli.options import bound, with_options

if TYPE_CHECKING:
    from fsm.checks.proof import Proof
    from fsm.checks.surroundings import Bounds
    from fsm.model import Model

HERE = "."
proof_options = with_options(
    click.option(
        "--prove",
        is_flag=True,
        help="Explore all that can happen within bounds; prove the properties.",
    ),
    bound("players", 2, "With --prove: players."),
    bound("turns", 2, "With --prove: turns."),
    bound("stack", 2, "With --prove: objects on the stack at most.", least=0),
    bound(
        "pending",
        1,
        "With --prove: extra or skipped turns, phases, steps pending, of a kind.",
        least=0,
    ),
    click.option(
        "--together",
        default="1",
        show_default=True,
        metavar="N|all",
        help="With --prove: so many pending at the same time, of all kinds.",
    ),
    click.option(
        "--witnesses",
        default=HERE,
        show_default=True,
        metavar="FOLDER",
        help="With --prove: where to write the shortest way to what is wrong.",
    ),
)
"""The options of `fsm check` for a proof."""


def bounds_of(players: int, turns: int, stack: int, pending: int, together: str) -> Bounds:
    """Return the bounds of these options."""
    from fsm.checks.surroundings import FULL, Bounds

    if together != "all" and not together.isdigit():
        raise click.BadParameter(
            f"{together!r} is no number; write a number, or all", param_hint="--together"
        )
    return Bounds(turns, players, stack, pending, FULL if together == "all" else int(together))


@dataclass(frozen=True, slots=True)
class Proved:
    """A proof as it is printed: as values and as lines, with the texts of its witnesses by name."""

    ok: bool
    values: dict[str, object]
    lines: list[str]
    witnesses: dict[str, str]


def print_proofs(
    rulesets: Sequence[str], output: str, *, witnesses: str, jobs: int, cluster: str, **bounds: Any
) -> bool:
    """Prove, write the witnesses and print the results. Return whether all is well. `bounds` are
    options of `Bounds`.

    An interrupt ends it with what is proved until then.
    """
    import fsm

    within = bounds_of(**bounds)
    if witnesses != HERE:
        _check_folder(Path(witnesses))
    models = [(ruleset, fsm.load(ruleset)) for ruleset in rulesets]
    several, found, interrupted = len(rulesets) > 1, list[tuple[Proved, list[str]]](), False
    try:
        with _proofs(models, within, jobs, cluster) as proofs:
            for ruleset, proved in zip(rulesets, proofs, strict=True):
                found.append(
                    (proved, _write(proved, witnesses, _as_file_name(ruleset) if several else ""))
                )
    except KeyboardInterrupt:
        interrupted = several
        if not several:
            raise
    if output == "json":
        values = [{**proved.values, "files": paths} for proved, paths in found]
        click.echo(json.dumps(values if several else values[0], indent=2))
    else:
        _print(found)
    if interrupted:
        raise click.Abort(f"interrupted after {len(found)} of {len(rulesets)} rulesets")
    return all(proved.ok for proved, _ in found)


@contextmanager
def _proofs(
    rulesets: Sequence[tuple[str, Model]], within: Bounds, jobs: int, cluster: str
) -> Iterator[Iterator[Proved]]:
    """Give the proofs in order. One progress bar counts the rulesets, or the positions of a single
    one.
    """
    from fsm.cli.show import with_bar
    from fsm.parallel import spread

    if len(rulesets) > 1 or cluster:
        with spread(partial(proved, within), rulesets, jobs=jobs, cluster=cluster) as results:
            yield with_bar(results, len(rulesets), "rulesets proved")
    else:
        with _bar() as progress:
            yield (proved(within, ruleset, progress) for ruleset in rulesets)


def proved(
    within: Bounds, ruleset: tuple[str, Model], progress: Callable[[int, int], None] | None = None
) -> Proved:
    """Prove one ruleset, given as its specification and its Model."""
    from fsm.checks.proof import prove

    spec, model = ruleset
    with _no_garbage_collected():
        proof = prove(model, within, spec=spec, progress=progress)
    files = {
        f"{w.name.replace('[', '-').rstrip(']')}{w.file.ending}": w.file.text  # a name may say a step in brackets
        for w in proof.witnesses
    }
    return Proved(proof.ok, proof.as_dict(), list(_lines(proof)), files)


@contextmanager
def _no_garbage_collected() -> Iterator[None]:
    """Let Python not look for unused cycles of objects. A proof makes none, and looking would take
    much of its time.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _check_folder(folder: Path) -> None:
    """Raise OSError if the folder cannot be written or made."""
    from fsm.files import check_writable

    there = next(place for place in (folder, *folder.resolve().parents) if place.exists())
    try:
        check_writable([str(there / "proof")])
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(folder)) from None


@contextmanager
def _bar() -> Iterator[Callable[[int, int], None] | None]:
    """Show a progress bar on a terminal: nodes explored of those known so far."""
    if not sys.stderr.isatty():
        yield None
        return
    with click.progressbar(
        range(1), label="places explored", show_eta=False, show_pos=True, file=sys.stderr
    ) as bar:

        def reach(done: int, known: int) -> None:
            bar.length = known
            bar.update(done - bar.pos)

        yield reach


def _as_file_name(ruleset: str) -> str:
    """Return a ruleset's name as a part of the name of a file."""
    return re.sub(r"[^\w.-]+", "-", ruleset).strip("-") + "-"


def _write(proved: Proved, folder: str, ruleset: str) -> list[str]:
    from fsm.files import write_files

    files = {
        str(Path(folder) / f"proof-{ruleset}{name}"): text
        for name, text in proved.witnesses.items()
    }
    if files:
        Path(folder).mkdir(parents=True, exist_ok=True)
        write_files(files)
    return list(files)


def _print(found: Sequence[tuple[Proved, Sequence[str]]]) -> None:
    from fsm.cli.show import say

    for number, (proved, paths) in enumerate(found):
        for line in [""] * (number > 0) + proved.lines + [f"written: {path}" for path in paths]:
            say(line)


def _lines(proof: Proof) -> Iterator[str]:
    """Yield what a proof has found."""
    explored, judged = proof.seconds
    yield (
        f"{proof.ruleset}, within {proof.bounds}: {proof.positions:,} positions, {proof.transitions:,} transitions; "
        f"{explored:.0f} s to explore, {judged:.0f} s to judge"
    )
    for trouble in proof.troubles:
        yield f"{trouble.kind}: {trouble.what}"
    loops = {
        w.name: f"; its last {w.loop} answers can be given for ever"
        for w in proof.witnesses
        if w.loop
    }
    for verdict in proof.verdicts:
        name = verdict.property.name
        if not verdict.holds:
            yield f"broken: {name}: {verdict.property.says} ({verdict.property.rule}){loops.get(name, '')}"
    idle = [v.property.name for v in proof.verdicts if not v.armed]
    if idle:
        yield f"never came up: {', '.join(idle)}"
    held = sum(v.holds for v in proof.verdicts)
    yield (
        f"{held} of {len(proof.verdicts)} properties hold; no position is stuck or ambiguous"
        if not proof.troubles
        else f"{held} of {len(proof.verdicts)} properties hold"
    )
