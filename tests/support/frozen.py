"""What must not change while the code is moved: texts that users see or keep, each as a digest.

    cd tests; python -m support.frozen        write the digests anew, to `tests/frozen.txt`

A digest that changes is a decision: the commit that changes it says why, in one line.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from hashlib import sha256
from importlib import import_module
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from click.testing import CliRunner

import fsm
from fsm.rulesets import names, options
from support.coveragegames import games_of
from support.folders import ROOT, SCENARIOS, TESTS

KEPT = TESTS / "frozen.txt"
VIEWS = ("turn", "window")
DRAWN = ("svg", "dot", "mermaid", "plantuml", "md", "html", "txt")
OUT = "OUT"
WHOLE = ("scxml", "xstate", "json", "atlas")


def outputs() -> Iterator[tuple[str, str]]:
    """The name of each text, and the text."""
    for spec in _specs():
        yield f"fingerprint of {spec}", fsm.load(spec).fingerprint
    for name in names():
        yield from _code(name)
        yield from _games(name)
    for command in _commands():
        yield f"fsm {' '.join(command)}", _run(command)


def digests() -> dict[str, str]:
    """The digest of each text, by its name."""
    return {name: sha256(text.encode()).hexdigest()[:16] for name, text in outputs()}


def kept() -> dict[str, str]:
    """The digests that are kept."""
    lines = KEPT.read_text(encoding="utf-8").splitlines()
    return {name: digest for digest, _, name in (line.partition(" ") for line in lines)}


def _specs() -> Iterator[str]:
    for name in names():
        yield name
        for option, of in options(name).items():
            yield from (f"{name}?{option}={_written(value)}" for value in of.values[1:])


def _written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _code(name: str) -> Iterator[tuple[str, str]]:
    """The code that is generated of a ruleset."""
    write: Callable[..., str] = import_module("fsm.engine.generated").write
    model = fsm.load(name)
    yield f"generated code of {name}", write(model)
    yield f"generated code of {name}, nothing scheduled", write(model, idle=True)
    machine = fsm.engine.Machine.from_model(model)
    yield f"triggers of {name}", "\n".join(machine.source(event) for event in sorted(machine.events))


def _games(name: str) -> Iterator[tuple[str, str]]:
    """What is recorded of the stored games: traces, snapshots, requests."""
    model = fsm.load(name)
    played = [game.play(model) for game in games_of(name)]
    yield f"traces of the games of {name}", "\n".join(line for game in played for line in game.trace.lines())
    yield f"snapshots of the games of {name}", "\n".join(json.dumps(game.snapshot()) for game in played)
    data_of, covered = (getattr(import_module("fsm.coverage"), what) for what in ("data_of", "covered"))
    data = data_of(model, [game.trace for game in played])
    for criterion in ("states", "transitions", "literals", "rules"):
        found = covered(model, criterion, data)
        lines = [f"{found}", *(f"{t.key} {t.text} {t.infeasible} {found.taken.get(t.key)}" for t in found.targets)]
        yield f"coverage of {name} by its games, {criterion}", "\n".join(lines)


def _commands() -> Iterator[list[str]]:
    for name in names():
        cases = sorted(path.relative_to(ROOT).as_posix() for path in (SCENARIOS / name).glob("*.json"))
        yield ["run", *cases]
        yield ["run", "--json", "--verbose", *cases]
        yield ["rulesets", name]
        yield ["check", name, "--json"]
        yield ["check", name, "--rules"]
        yield ["draw", name, "--views"]
        for format, view in product(DRAWN, VIEWS):
            yield ["draw", name, "--format", format, "--view", view, "-o", OUT]
        for format in WHOLE:
            yield ["draw", name, "--format", format, "-o", OUT]
    yield from (["rulesets"], ["run"], ["run", "--verbose"])
    yield ["diff", "magic-2010", "magic"]
    yield ["diff", "magic-classic", "magic-2010", "--json", "--rules"]
    yield ["paths", "grand-archive", "--effort", "3000", "--format", "scenario", "-o", OUT]
    yield ["explore", "magic", "-o", OUT]


def _run(command: list[str]) -> str:
    """What a command prints, or writes to its file, run in the root of the checkout."""
    with TemporaryDirectory() as folder:
        file = Path(folder, "written")
        there = [str(file) if word == OUT else word for word in command]
        found = CliRunner().invoke(import_module("fsm.cli").cli, there, prog_name="fsm")
        if found.exit_code == 2:
            raise AssertionError(f"{command}: {found.output}")
        return file.read_text(encoding="utf-8") if file.exists() else f"{found.exit_code}\n{found.stdout}"


if __name__ == "__main__":
    import os

    os.chdir(ROOT)
    KEPT.write_text("".join(f"{digest} {name}\n" for name, digest in digests().items()), encoding="utf-8", newline="\n")
