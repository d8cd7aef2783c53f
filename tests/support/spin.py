"""Runs Spin as a second checker: it builds a verifier from the Promela of a Model and runs it once
for each property.

The programs `spin` and `gcc` (or `cc`) are needed.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from fsm.analysis.modelchecking.bounds import Bounds
from fsm.errors import FsmError
from fsm.model import Model
from fsm.rulesets.properties import Property
from fsm.state.orders import Order
from support.promela import claim_of, write

DEPTH = 2_000_000
MINUTES = 30
ERRORS = re.compile(r"errors: (\d+)")
STATES = re.compile(r"(\d+) states, stored")
INCOMPLETE = ("max search depth too small", "out of memory", "Search not completed")


@dataclass(frozen=True, slots=True)
class SpinResult:
    """Spin's result for one claim: whether it holds, and how many states were stored for it."""

    claim: str
    holds: bool
    states: int


class SpinVerifier:
    """A verifier that Spin has built in a folder. `check` runs it for one property."""

    def __init__(
        self,
        folder: Path,
        model: Model,
        bounds: Bounds,
        properties: Sequence[Property],
        orders: Sequence[Order] | None = None,
    ) -> None:
        self.folder = folder
        (folder / "model.pml").write_text(
            write(model, bounds, properties, orders), encoding="utf-8"
        )
        _run(folder, _program("spin"), "-a", "model.pml")
        # unoptimised, because compiling the one large function takes longer than running it
        _run(
            folder,
            _program("gcc", "cc"),
            "-O0",
            "-w",
            "-DVECTORSZ=4096",
            "-DMEMLIM=3000",
            "-o",
            "pan",
            "pan.c",
        )

    def check(self, property: Property | None = None) -> SpinResult:
        """Check one property, or for None that the game never gets stuck.

        Raises FsmError if the search could not be completed.
        """
        claim = claim_of(property) if property is not None else "never_stuck"
        text = _run(self.folder, str(self.folder / "pan"), "-a", f"-m{DEPTH}", "-N", claim)
        errors, states = ERRORS.search(text), STATES.search(text)
        if errors is None or (errors[1] == "0" and any(word in text for word in INCOMPLETE)):
            raise FsmError(f"Spin did not finish {claim!r}: {text[:300]}")
        return SpinResult(claim, errors[1] == "0", int(states[1]) if states else 0)


def _program(*names: str) -> str:
    found = next((path for path in map(shutil.which, names) if path), None)
    if found is None:
        raise FsmError(
            f"the program {names[0]!r} is not installed; on Debian: apt-get install spin gcc"
        )
    return found


def _run(folder: Path, *command: str) -> str:
    done = subprocess.run(
        command,
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=60 * MINUTES,
        check=False,
    )
    if done.returncode and "pan" not in Path(command[0]).name:
        raise FsmError(f"{Path(command[0]).name} failed: {(done.stdout + done.stderr)[-300:]}")
    return done.stdout + done.stderr
