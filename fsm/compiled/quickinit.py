"""Fast constructors for frozen dataclasses.

The constructor that `dataclass` writes for a frozen class calls `object.__setattr__` once for each
field. The one written here makes the new object an instance of a twin class for a moment: the same
slots, but not frozen. Its fields are then plain assignments, and at the end the object gets its own
class back. Nothing else of the class changes.
"""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import Any, TypeVar

_C = TypeVar("_C", bound=type[Any])


def quick(cls: _C) -> _C:
    """Decorate a dataclass that has `frozen=True, slots=True`, so that its objects are made more
    than twice as fast.
    """
    given: Any = cls.__init__
    made = [field for field in fields(cls) if field.init]
    parameters = ", ".join(field.name for field in made)
    defaults = given.__defaults__ or ()
    names: dict[str, Any] = {
        "own": cls,
        "given": given,
        "twin": twin_of(cls),
        "become": object.__setattr__,
    }
    lines = [
        f"def __init__(self, {parameters}):",
        "    if self.__class__ is not own:",  # a subclass may have other slots
        f"        return given(self, {parameters})",
        "    become(self, '__class__', twin)",
    ]
    for position, field in enumerate(made, len(defaults) - len(made)):
        value = field.name
        if field.default_factory is not MISSING:
            names |= {f"make_{value}": field.default_factory, f"absent_{value}": defaults[position]}
            value = f"make_{value}() if {value} is absent_{value} else {value}"
        lines.append(f"    self.{field.name} = {value}")
    lines.append("    self.__class__ = own")
    if hasattr(cls, "__post_init__"):
        lines.append("    self.__post_init__()")
    exec("\n".join(lines), names)
    function = names["__init__"]
    for name in ("__defaults__", "__annotations__", "__module__", "__qualname__", "__doc__"):
        setattr(function, name, getattr(given, name))
    cls.__init__ = function
    return cls


def twin_of(cls: type[Any]) -> type[Any]:
    """Return a class with the same slots, whose objects are made without values, and whose
    attributes can be set.
    """
    plain = {name: getattr(object, name) for name in ("__init__", "__setattr__", "__delattr__")}
    return type(f"{cls.__name__}_being_made", cls.__bases__, {"__slots__": cls.__slots__, **plain})
