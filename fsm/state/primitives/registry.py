"""What a primitive is: its name, its arguments, one sentence, and a function; and how one is registered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Test:
    """A named test: its arguments, what it answers, and the function that answers it.

    `scheduled`: it asks for what is scheduled or interrupted, so it is false in an idle agenda.
    """

    name: str
    args: str
    doc: str
    run: Callable[..., bool]
    scheduled: bool = False
    __test__ = False


@dataclass(frozen=True, slots=True)
class Do:
    """A named action: its arguments, what it does, and the function that does it."""

    name: str
    args: str
    doc: str
    run: Callable[..., None]


TESTS: dict[str, Test] = {}
ACTIONS: dict[str, Do] = {}


def test(args: str = "", *, scheduled: bool = False) -> Callable[[Callable[..., bool]], Callable[..., bool]]:
    """Register a function as the test of its name; its docstring is what the test asks."""

    def register(function: Callable[..., bool]) -> Callable[..., bool]:
        name = function.__name__
        TESTS[name] = Test(name, args, function.__doc__ or "", function, scheduled)
        return function

    return register


def do(args: str = "") -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Register a function as the action of its name; its docstring is what the action does."""

    def register(function: Callable[..., None]) -> Callable[..., None]:
        name = function.__name__
        ACTIONS[name] = Do(name, args, function.__doc__ or "", function)
        return function

    return register
