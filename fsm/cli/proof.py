"""The options and the output of `fsm check --prove`."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fsm.cli.options import bound, with_options

if TYPE_CHECKING:
    from fsm.analysis.modelchecking.bounds import Bounds
    from fsm.analysis.modelchecking.proof import Proof

HERE = "."
proof_options = with_options(
    click.option("--prove", is_flag=True, help="Explore all that can happen within bounds; prove the properties."),
    bound("players", 2, "With --prove: players."),
    bound("turns", 2, "With --prove: turns."),
    bound("stack", 2, "With --prove: objects on the stack at most.", least=0),
    bound("pending", 1, "With --prove: extra or skipped turns, phases, steps pending, of a kind.", least=0),
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
    from fsm.analysis.modelchecking.bounds import FULL, Bounds

    if together != "all" and not together.isdigit():
        raise click.BadParameter(f"{together!r} is no number; write a number, or all", param_hint="--together")
    return Bounds(turns, players, stack, pending, FULL if together == "all" else int(together))


def print_proof(ruleset: str, output: str, *, witnesses: str, **bounds: Any) -> bool:
    """Prove, write the witnesses and print the result. Return whether all is well. `bounds` are options of `Bounds`."""
    import fsm
    from fsm.analysis.modelchecking.proof import prove

    within = bounds_of(**bounds)
    if witnesses != HERE:
        _check_folder(Path(witnesses))
    with _bar() as progress:
        proof = prove(fsm.load(ruleset), within, spec=ruleset, progress=progress)
    paths = _write(proof, witnesses)
    if output == "json":
        click.echo(json.dumps({**proof.as_dict(), "files": paths}, indent=2))
    else:
        _print(proof, paths)
    return proof.ok


def _check_folder(folder: Path) -> None:
    """Raise OSError if the folder cannot be written or made."""
    from fsm.outputfiles import check_writable

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
    with click.progressbar(range(1), label="places explored", show_eta=False, show_pos=True, file=sys.stderr) as bar:

        def reach(done: int, known: int) -> None:
            bar.length = known
            bar.update(done - bar.pos)

        yield reach


def _write(proof: Proof, folder: str) -> list[str]:
    from fsm.outputfiles import write_files

    files = {
        str(Path(folder) / f"proof-{w.name.replace('[', '-').rstrip(']')}{w.file.ending}"): w.file.text
        for w in proof.witnesses
    }
    if files:
        Path(folder).mkdir(parents=True, exist_ok=True)
        write_files(files)
    return list(files)


def _print(proof: Proof, paths: list[str]) -> None:
    from fsm.cli.show import say

    explored, judged = proof.seconds
    say(
        f"{proof.ruleset}, within {proof.bounds}: {proof.positions:,} positions, {proof.transitions:,} transitions; "
        f"{explored:.0f} s to explore, {judged:.0f} s to judge"
    )
    for trouble in proof.troubles:
        say(f"{trouble.kind}: {trouble.what}")
    loops = {w.name: f"; its last {w.loop} answers can be given for ever" for w in proof.witnesses if w.loop}
    for verdict in proof.verdicts:
        name = verdict.property.name
        if not verdict.holds:
            say(f"broken: {name}: {verdict.property.says} ({verdict.property.rule}){loops.get(name, '')}")
    idle = [v.property.name for v in proof.verdicts if not v.armed]
    if idle:
        say(f"never came up: {', '.join(idle)}")
    held = sum(v.holds for v in proof.verdicts)
    say(
        f"{held} of {len(proof.verdicts)} properties hold; no position is stuck or ambiguous"
        if not proof.troubles
        else f"{held} of {len(proof.verdicts)} properties hold"
    )
    for path in paths:
        say(f"written: {path}")
