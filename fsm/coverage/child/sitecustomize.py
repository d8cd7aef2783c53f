"""Starts the collection in a child process. Python runs this file when it starts.

The `sitecustomize` that it hides runs after it.
"""

import contextlib
import importlib.machinery
import importlib.util
import os
import sys

_here = os.path.dirname(os.path.abspath(__file__))
with contextlib.suppress(ImportError):
    from fsm.coverage import process_startup

    process_startup()

_found = importlib.machinery.PathFinder.find_spec(
    "sitecustomize", [path for path in sys.path if os.path.abspath(path) != _here]
)
if _found is not None and _found.loader is not None:
    _module = importlib.util.module_from_spec(_found)
    _found.loader.exec_module(_module)
