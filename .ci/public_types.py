"""Ask type checkers whether every public name has a complete type and is seen as an attribute of
`fsm`.

They also check `tests/packaging/typed.py`, which says what they must refuse.

The package must be installed here as its users have it, from a wheel. Run it with PYTHONPATH=tests.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from support.publicnames import PUBLIC

TYPED = Path(__file__).parent.parent / "tests" / "packaging" / "typed.py"
STRICT = {"typeCheckingMode": "strict", "reportUnnecessaryTypeIgnoreComment": "error"}


def run(*command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a module of this environment away from the checkout."""
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    clean = {
        name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "MYPYPATH"}
    }
    return subprocess.run(
        [sys.executable, "-m", *command],
        cwd=cwd,
        env={**clean, "PATH": path},
        capture_output=True,
        encoding="utf-8",
    )


def homes() -> set[str]:
    """The names of the public names, as they are imported and where they are defined."""
    found = {f"{module}.{name}" for module in PUBLIC for name in PUBLIC[module].split()}
    for module, names in PUBLIC.items():
        for value in (getattr(import_module(module), name) for name in names.split()):
            if hasattr(value, "__qualname__"):
                found.add(f"{value.__module__}.{value.__qualname__}")
    return found


def incomplete(symbols: list[dict[str, Any]]) -> Iterator[str]:
    """What pyright knows too little about: public names that it does not see, and public symbols
    without a type.

    pyright takes every module without an underscore for public. Here, only the public names and
    their members count.
    """
    seen = {
        name for symbol in symbols for name in (symbol["name"], *symbol.get("alternateNames", ()))
    }
    public = homes()
    yield from (f"{name}: not seen" for name in sorted(public - seen) if name.startswith("fsm."))
    ours = [
        symbol
        for symbol in symbols
        if any(f"{symbol['name']}.".startswith(f"{name}.") for name in public)
    ]
    for symbol in ours:
        if not symbol["isTypeKnown"]:
            why = (
                symbol["diagnostics"][0]["message"]
                if symbol["diagnostics"]
                else "a part of it has no type"
            )
            yield f"{symbol['name']}: {' '.join(why.split())}"
    print(f"types: {len(ours)} public symbols of {len(symbols)}")


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        place = Path(name).resolve()
        interpreter = ("--pythonpath", sys.executable)
        done = run(
            "pyright",
            *interpreter,
            "--verifytypes",
            "fsm",
            "--ignoreexternal",
            "--outputjson",
            cwd=place,
        )
        wrong = list(incomplete(json.loads(done.stdout)["typeCompleteness"]["symbols"]))
        lines = [f"{module}.{name}" for module in PUBLIC for name in PUBLIC[module].split()]
        (place / "names.py").write_text(
            "import fsm\n\nNAMES: list[object] = [\n    " + ",\n    ".join(lines) + ",\n]\n"
        )
        (place / "typed.py").write_text(TYPED.read_text(encoding="utf-8"), encoding="utf-8")
        (place / "pyrightconfig.json").write_text(json.dumps(STRICT), encoding="utf-8")
        for checker in (("pyright", *interpreter), ("mypy", "--strict")):
            done = run(
                *checker, *(("names.py", "typed.py") if checker[0] == "mypy" else ()), cwd=place
            )
            print(f"types: {checker[0]}: {done.stdout.strip().splitlines()[-1]}")
            if done.returncode:
                wrong.append(done.stdout + done.stderr)
    if wrong:
        raise SystemExit("\n".join(("types: not complete", *wrong)))


if __name__ == "__main__":
    main()
