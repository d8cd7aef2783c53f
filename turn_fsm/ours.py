"""Is the package `fsm` that Python finds the one of turn-fsm?

The distribution fsmpy installs a package `fsm` as well. What is left depends on the order, as pip
overwrites files:

- fsmpy came last: `fsm/__init__.py` is theirs.
- turn-fsm came last: `fsm/__init__.py` is ours, and their other files lie beside it. Then `import
  fsm` warns.
- fsmpy was uninstalled after that: `fsm/__init__.py` is gone.
"""

from __future__ import annotations

import os
from importlib.machinery import PathFinder

_AGAIN = "pip install --force-reinstall --no-deps turn-fsm"
MIXED = (
    "fsmpy and turn-fsm both install a package 'fsm' and overwrite each other's files: keep them in separate "
    f"environments; here, run pip uninstall fsmpy, then {_AGAIN}"
)


def trouble() -> str:
    """Why `import fsm` does not find turn-fsm, in a sentence with the remedy; "" when it does.
    Imports nothing.
    """
    spec = PathFinder.find_spec("fsm")
    if spec is None:
        return ""
    if spec.origin is None:
        [folder, *_] = spec.submodule_search_locations or ["fsm"]
        return f"{folder} has no __init__.py, as after uninstalling fsmpy: run {_AGAIN}"
    with open(spec.origin, encoding="utf-8", errors="replace") as file:
        if "TurnController" in file.read():
            return ""
    if os.path.isfile(
        os.path.join(os.path.dirname(spec.origin), "lazily.py")
    ):  # ours, beside another __init__.py
        return MIXED
    return f"{spec.origin} hides the package 'fsm' of turn-fsm: rename it, or start where it is not on sys.path"
