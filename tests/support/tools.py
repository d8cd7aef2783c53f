"""Tools from outside that judge what this package writes. Where one is missing its tests are
skipped.

`.ci/run` installs them all and sets FSM_ALL_TOOLS, and then a missing one is a failure.
"""

from __future__ import annotations

import os
import shutil
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import NoReturn

import pytest

from support.folders import ROOT

NODE_FOLDER = ROOT / ".ci" / "node"
"""Where `npm ci` has put the Node packages that `.ci/node/package.json` names."""


def tool(name: str, *others: str) -> str:
    """The path of a program, under one of these names, beside this Python first; skips the test
    when there is none.
    """
    places = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)))
    found = next(
        (path for each in (name, *others) if (path := shutil.which(each, path=places))), None
    )
    return found or missing(f"the program {name!r}")


def node_packages(*names: str) -> Path:
    """The folder in which Node finds these packages; skips the test when one is missing there."""
    for name in names:
        if not (NODE_FOLDER / "node_modules" / name).is_dir():
            missing(f"the Node package {name!r} (npm ci in {NODE_FOLDER.name})")
    return NODE_FOLDER


def postgres(name: str) -> str:
    """The path of a program of PostgreSQL, which Debian does not put on the path; skips the test
    when there is none.
    """
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return str(found[-1]) if found else tool(name)


def package(name: str) -> ModuleType:
    """A Python package that the tests use where it is installed; skips the test when it is not."""
    try:
        return import_module(name)
    except ImportError:
        missing(f"the Python package {name.partition('.')[0]!r}")
        raise


def missing(what: str) -> NoReturn:
    """Skip the test, or fail where everything must be there."""
    if os.environ.get("FSM_ALL_TOOLS"):
        pytest.fail(f"{what} is missing, and FSM_ALL_TOOLS is set")
    pytest.skip(f"{what} is missing")
