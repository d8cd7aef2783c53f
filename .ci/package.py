"""Build wheel and sdist, install the wheel in a new environment elsewhere, and use it there."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
IN_WHEEL = ("fsm/__init__.py", "fsm/py.typed", "fsm/cli/__init__.py")
IN_SDIST = ("pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "tox.ini", "fsm/__init__.py", "tests")


def say(*words: object) -> None:
    print("package:", *words, flush=True)


def run(*command: object, cwd: Path) -> str:
    """Run a command away from the source tree; its output is shown only when it fails."""
    clean = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run([str(c) for c in command], cwd=cwd, env=clean, capture_output=True, text=True)
    if done.returncode != 0:
        words = " ".join(map(str, command))
        raise SystemExit(f"package: {words} ended with {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def check_contents(wheel: Path, sdist: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    source = {p.relative_to(ROOT).as_posix() for p in (ROOT / "fsm").rglob("*") if p.suffix in (".py", ".json")}
    missing = sorted({*IN_WHEEL, *source} - set(names))
    stray = [n for n in names if not n.startswith(("fsm/", "pytest_turn_fsm.py", "turn_fsm-"))]
    if missing or stray:
        raise SystemExit(f"package: the wheel lacks {missing} and should not hold {stray}")
    with tarfile.open(sdist) as tar:
        held = {name.partition("/")[2] for name in tar.getnames()}
    absent = [name for name in IN_SDIST if not any(h == name or h.startswith(f"{name}/") for h in held)]
    if absent:
        raise SystemExit(f"package: the sdist lacks {absent}")
    say(f"{wheel.name}: {len(names)} files, {wheel.stat().st_size // 1024} KiB; {sdist.name}: {len(held)} files")


def use(wheel: Path, place: Path) -> None:
    """Install the wheel into a new environment and play the showcase with it."""
    venv.create(place / "venv", with_pip=True)
    bin_dir = place / "venv" / ("Scripts" if os.name == "nt" else "bin")
    run(bin_dir / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel, cwd=place)
    where = run(bin_dir / "python", "-c", "import fsm; print(fsm.__file__)", cwd=place).strip()
    if not Path(where).is_relative_to(place):
        raise SystemExit(f"package: fsm was imported from {where}, not from the new environment")
    say(run(bin_dir / "fsm", "--version", cwd=place).strip())
    shown = run(bin_dir / "fsm", "run", "--svg", "turn.svg", cwd=place)
    if "transitions of the model taken" not in shown or "</svg>" not in (place / "turn.svg").read_text("utf-8"):
        raise SystemExit(f"package: 'fsm run --svg' did not do its work:\n{shown}")
    say("the installed wheel plays the showcase and draws it")


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        place = Path(name).resolve()
        run(sys.executable, "-m", "build", "--outdir", place / "dist", ROOT, cwd=place)
        [wheel], [sdist] = (place / "dist").glob("*.whl"), (place / "dist").glob("*.tar.gz")
        check_contents(wheel, sdist)
        use(wheel, place)


if __name__ == "__main__":
    main()
