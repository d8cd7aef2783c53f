"""Source text to a function: compiled once for all machines of equal source, and readable in
tracebacks.
"""

from __future__ import annotations

import linecache
from collections.abc import Callable
from functools import lru_cache
from types import CodeType
from typing import Any


@lru_cache(maxsize=4096)
def code_of(source: str, name: str) -> CodeType:
    """The code object of this source; its file name says `name` and the source's digest, and its
    lines can be read.
    """
    from hashlib import (
        sha256,
    )  # it loads a library of its own, which importing this package can do without

    digest = sha256(source.encode()).hexdigest()[:12]
    filename = f"<fsm {name} {digest}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    return compile(source, filename, "exec")


def function_of(source: str, name: str, names: dict[str, Any]) -> Callable[..., Any]:
    """The function `name` that the source defines, seeing `names` as its globals."""
    space = {"__name__": __name__, **names}
    exec(code_of(source, name), space)
    function: Callable[..., Any] = space[name]
    return function
