"""A quick dataclass stays what it was: frozen, equal, hashable, copied and pickled. Only its making
is new.
"""

from __future__ import annotations

import copy
import inspect
import pickle
from dataclasses import FrozenInstanceError, dataclass, field, replace

import pytest

from fsm.compiled.quickinit import quick


@dataclass(frozen=True, slots=True)
class Plain:
    """A point."""

    x: int
    y: int = 2
    names: list[str] = field(default_factory=lambda: ["new"])
    note: str = field(default="", compare=False, repr=False)


@quick
@dataclass(frozen=True, slots=True)
class Point:
    """A point."""

    x: int
    y: int = 2
    names: list[str] = field(default_factory=lambda: ["new"])
    note: str = field(default="", compare=False, repr=False)


@quick
@dataclass(frozen=True, slots=True)
class Space(Point):
    """A point with one field more, checked after it is made."""

    z: int = 3

    def __post_init__(self) -> None:
        if self.z < 0:
            raise ValueError("z is less than 0")


def test_it_is_made_as_before() -> None:
    for args, more in (((1,), {}), ((1, 5), {}), ((1,), {"y": 7}), ((1, 2, ["a"]), {"note": "n"})):
        point, plain = Point(*args, **more), Plain(*args, **more)
        assert repr(point) == repr(plain).replace("Plain", "Point")
        assert point.note == plain.note
    assert Point(1).names is not Point(1).names
    assert str(inspect.signature(Point)) == str(inspect.signature(Plain))
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'x'"):
        Point()  # type: ignore[call-arg]


def test_it_stays_frozen() -> None:
    for point in (Point(1), Space(1, z=4)):
        with pytest.raises(FrozenInstanceError):
            point.x = 2  # type: ignore[misc]
        with pytest.raises(FrozenInstanceError):
            del point.y


def test_it_is_equal_and_hashed_by_its_fields() -> None:
    assert Point(1, note="a") == Point(1, note="b") != Point(2)
    assert Point(1) != Space(1)
    assert hash(Point(1, names=())) == hash(Plain(1, names=()))  # type: ignore[arg-type]


def test_it_is_copied_and_pickled() -> None:
    for point in (Point(1, 2, ["a"], "n"), Space(1, z=4)):
        for twin in (
            copy.copy(point),
            copy.deepcopy(point),
            pickle.loads(pickle.dumps(point)),
            replace(point),
        ):
            assert type(twin) is type(point)
            assert (twin, twin.note) == (point, point.note)


def test_a_subclass_of_a_quick_class() -> None:
    assert Space(1, z=4) == Space(1, 2, ["new"], "", 4)
    with pytest.raises(ValueError, match="less than 0"):
        Space(1, z=-1)

    class Named(Point):
        """Its objects have a dictionary, so the twin of Point does not fit."""

    assert Named(1).y == 2
    assert type(Named(1)) is Named
