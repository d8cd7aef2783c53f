"""Build the wheel and the sdist, have them judged, install the wheel in a new environment
elsewhere, and use it there.

The backend must be installed here, with build, twine, check-wheel-contents and pyroma: the
dependency group `package`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PLUGIN = "pytest_turn_fsm.py"
IN_SDIST = (
    *(
        PLUGIN,
        "pyproject.toml",
        "README.md",
        "LICENSE",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
    ),
    *("tox.ini", ".ci/run", ".pre-commit-config.yaml", ".pre-commit-hooks.yaml"),
)
WHOLE = ("fsm", "tests", "examples", "docs", "diagrams")
"""Folders of which the sdist has every file that the repository has: its own tests pass from it."""


def say(*words: object) -> None:
    print("package:", *words, flush=True)


def run(*command: object, cwd: Path, **environment: str) -> str:
    """Run a command away from the source tree; its output is shown only when it fails."""
    clean = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"} | environment
    done = subprocess.run(
        [str(c) for c in command], cwd=cwd, env=clean, capture_output=True, encoding="utf-8"
    )
    if done.returncode != 0:
        words = " ".join(map(str, command))
        raise SystemExit(
            f"package: {words} ended with {done.returncode}\n{done.stdout}{done.stderr}"
        )
    return done.stdout


def check_contents(wheel: Path, sdist: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    missing = sorted({PLUGIN, *tracked("fsm")} - set(names))
    ours = (PLUGIN, "turn_fsm-", "fsm/")
    stray = [name for name in names if not name.startswith(ours)]
    if missing or stray:
        raise SystemExit(f"package: the wheel lacks {missing} and should not hold {stray}")
    with tarfile.open(sdist) as tar:
        held = {name.partition("/")[2] for name in tar.getnames()}
    absent = sorted({*IN_SDIST, *(name for folder in WHOLE for name in tracked(folder))} - held)
    if absent:
        raise SystemExit(f"package: the sdist lacks {absent}")
    say(
        f"{wheel.name}: {len(names)} files, {wheel.stat().st_size // 1024} KiB; "
        f"{sdist.name}: {len(held)} files, {sdist.stat().st_size // 1024} KiB"
    )


def tracked(folder: str) -> list[str]:
    """The files of a folder, but for what running Python left there."""
    files = (path for path in (ROOT / folder).rglob("*") if path.is_file())
    return [path.relative_to(ROOT).as_posix() for path in files if "__pycache__" not in path.parts]


def judge(wheel: Path, sdist: Path) -> None:
    """What the package index, and those who look after it, would say."""
    run(sys.executable, "-m", "twine", "check", "--strict", wheel, sdist, cwd=ROOT)
    run(sys.executable, "-m", "check_wheel_contents", wheel, cwd=ROOT)
    run(sys.executable, "-m", "pyroma", "--min", "10", sdist, cwd=ROOT)
    say(f"nothing is wrong with {wheel.name} and {sdist.name}")


def environment(folder: Path) -> tuple[Path, tuple[object, ...]]:
    """A new environment: its folder of programs, and the command that installs into it."""
    venv.create(folder)
    bin_dir = folder / ("Scripts" if os.name == "nt" else "bin")
    pip = (
        sys.executable,
        "-m",
        "pip",
        "--python",
        bin_dir / "python",
        "--disable-pip-version-check",
    )
    return bin_dir, (*pip, "install", "--quiet")


def use(wheel: Path, place: Path) -> None:
    """Install the wheel into a new environment and play the showcase with it."""
    bin_dir, install = environment(place / "venv")
    python = bin_dir / "python"
    run(*install, "--no-compile", wheel, cwd=place)
    where = run(python, "-c", "import fsm; print(fsm.__file__)", cwd=place).strip()
    if not Path(where).is_relative_to(place):
        raise SystemExit(f"package: fsm was imported from {where}, not from the new environment")
    say(run(bin_dir / "fsm", "--version", cwd=place).strip())
    shown = run(
        bin_dir / "fsm", "run", "--svg", "turn.svg", cwd=place, PATH=""
    )  # no Graphviz, no other program
    if "ok   showcase" not in shown or "</svg>" not in (place / "turn.svg").read_text("utf-8"):
        raise SystemExit(f"package: 'fsm run --svg' did not do its work:\n{shown}")
    say(f"the installed wheel plays and draws; with all it needs it takes {size(Path(where))} MB")


def size(inside: Path) -> int:
    """The megabytes of the folder where packages are installed."""
    folder = inside.parents[1]
    return round(sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6)


def main() -> None:
    build = (sys.executable, "-m", "build", "--no-isolation", "--outdir")
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor() as at_once:
        place = Path(name).resolve()
        run(*build, place / "dist", ROOT, cwd=place)
        [wheel], [sdist] = (place / "dist").glob("*.whl"), (place / "dist").glob("*.tar.gz")
        check_contents(wheel, sdist)
        for done in (at_once.submit(judge, wheel, sdist), at_once.submit(use, wheel, place)):
            done.result()


if __name__ == "__main__":
    main()
