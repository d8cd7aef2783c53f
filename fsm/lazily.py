"""Public names of a package that are imported when they are first used, so that starting stays
quick.

A package declares them once for Python and once for type checkers; `.ci/public_types.py` says
whether these see every name.

    if TYPE_CHECKING:
        from fsm.engine.requests import Answer as Answer

    __dir__, __all__ = names_from(__name__, {"fsm.engine.requests": "Answer Over"})
"""

from __future__ import annotations

import sys
from importlib import import_module

TYPE_CHECKING = False  # as in typing, whose import would cost more than this module
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def names_from(
    package: str,
    homes: Mapping[str, str],
    modules: str = "",
) -> tuple[Callable[[], list[str]], list[str]]:
    """The `__dir__` and `__all__` of a package, which gets a `__getattr__` too.

    Type checkers do not see that `__getattr__`: with it, they would let any name pass.

    `homes` are its public names, by module, with blanks between them; so are `modules`, those
    inside it that are there without being imported.
    """
    inside = modules.split()
    home = dict[str, str]()
    for module, names in homes.items():
        home |= dict.fromkeys(names.split(), module)

    def get(name: str) -> object:
        if name in inside:
            return import_module(f"{package}.{name}")
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(home[name]), name)

    vars(sys.modules[package])["__getattr__"] = get
    return lambda: sorted([*home, *inside]), sorted(home)
