"""The front door: what `import fsm` offers, and how little it loads."""

from __future__ import annotations

import inspect
import re
import sys
from importlib import import_module
from pathlib import Path
from typing import get_args

import pytest

import fsm
from fsm import errors
from support import processes
from support.folders import ROOT
from support.publicnames import PUBLIC

NAMES = set(PUBLIC["fsm"].split())
HEAVY = ["click", "graphviz", "jsonschema", "rich", "transitions"]


def fresh(code: str) -> str:
    """What this code prints in a process of its own, with warnings as errors."""
    done = processes.run([sys.executable, "-W", "error", "-c", code])
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.strip()


def test_a_model_has_the_same_fingerprint_in_every_process() -> None:
    assert (
        fresh("import fsm; print(fsm.load('magic').fingerprint)") == fsm.load("magic").fingerprint
    )


def test_the_front_door_offers_what_it_says() -> None:
    assert set(fsm.__all__) == NAMES
    assert set(dir(fsm)) >= NAMES
    for name in NAMES:
        for kind in get_args(getattr(fsm, name)) or [getattr(fsm, name)]:  # Request is a union
            assert kind.__module__.startswith("fsm.")


@pytest.mark.parametrize("package", PUBLIC)
def test_a_package_offers_these_names(package: str) -> None:
    module = import_module(package)
    assert sorted(module.__all__) == sorted(PUBLIC[package].split())
    for name in module.__all__:
        assert getattr(module, name) is not None
    assert set(dir(module)) >= set(module.__all__)


LAZY = [
    path
    for path in sorted((ROOT / "fsm").rglob("__init__.py"))
    if "names_from(" in path.read_text("utf-8")
]


@pytest.mark.parametrize(
    "path", LAZY, ids=[path.parent.relative_to(ROOT).as_posix() for path in LAZY]
)
def test_type_checkers_see_the_names_that_are_imported_late(path: Path) -> None:
    text = path.read_text("utf-8")
    seen = {
        (m, n)
        for m, n, as_n in re.findall(r"^    from ([\w.]+) import (\w+) as (\w+)$", text, re.M)
        if n == as_n
    }
    package = ".".join(path.parent.relative_to(ROOT).parts)
    declared = re.findall(
        r'(?:"(fsm[\w.]+)": |folders=)\(([^)]*)\)', text[text.index("names_from(") :]
    )
    assert seen == {
        (module or package, name)
        for module, names in declared
        for name in re.findall(r"\w+", names)
    }


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'fsm' has no attribute 'Modle'"):
        fsm.Modle  # type: ignore[attr-defined] # noqa: B018


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


# errors -------------------------------------------------------------------------------------------

ERRORS = [
    e for e in vars(errors).values() if inspect.isclass(e) and e.__module__ == errors.__name__
]


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
