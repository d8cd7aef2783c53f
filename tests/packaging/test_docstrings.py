"""Public names are documented: what is given, returned and raised, in sections of numpydoc's style."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator
from functools import cached_property
from importlib import import_module
from typing import Any

import docstring_parser
import pytest
from docstring_parser import Docstring, DocstringStyle
from transitions import core

import fsm
from support.publicnames import PUBLIC

LIBRARY = (core.Condition, core.Event, core.Machine, core.State, core.Transition)
"""Classes of `transitions`, whose subclasses have its constructors."""


def offered() -> dict[str, Any]:
    """What is public and can have a docstring, each once, by the name under which it is defined."""
    values = (
        getattr(import_module(module), name)
        for module, names in PUBLIC.items()
        for name in names.split()
    )
    return {
        f"{v.__module__}.{v.__qualname__}": v
        for v in values
        if inspect.isclass(v) or inspect.isfunction(v)
    }


def function_of(value: object) -> Callable[..., object] | None:
    """The function that a member of a class consists of, or None."""
    value = (
        getattr(value, "fget", None)
        or getattr(value, "func", None)
        or getattr(value, "__func__", value)
    )
    return inspect.unwrap(value) if inspect.isfunction(value) else None


def methods(owner: type) -> Iterator[tuple[str, Callable[..., object]]]:
    """The public methods and properties of a class, but for those that a base class describes."""
    for name, value in vars(owner).items():
        function = function_of(value)
        described = any(
            getattr(getattr(base, name, None), "__doc__", None) for base in owner.__mro__[1:]
        )
        field = function is not None and function.__name__.startswith(
            "_"
        )  # described with the attributes of the class
        if function is not None and not name.startswith("_") and not field and not described:
            yield name, function


OFFERED = offered()
CLASSES = {name: value for name, value in OFFERED.items() if inspect.isclass(value)}
METHODS = {
    f"{name}.{method}": found for name, value in CLASSES.items() for method, found in methods(value)
}
FUNCTIONS = {
    name: inspect.unwrap(value) for name, value in OFFERED.items() if name not in CLASSES
} | METHODS
# Each method of these is described where it is first: a method of a host for asyncio may be a
# coroutine.
FIRST = {
    "fsm.embedding.aio.BaseHost.": "fsm.embedding.host.BaseHost.",
    "fsm.embedding.game.Game.": "fsm.engine.controller.TurnController.",
}
SAME = {
    name: first + name[len(same) :]
    for same, first in FIRST.items()
    for name in FUNCTIONS
    if name.startswith(same)
}
WITH_PARAMETERS = {
    name: function
    for name, function in FUNCTIONS.items()
    if name not in SAME and set(inspect.signature(function).parameters) - {"self", "cls"}
}


def parsed(value: object) -> Docstring:
    return docstring_parser.parse(inspect.getdoc(value) or "", DocstringStyle.NUMPYDOC)


def described(doc: Docstring) -> list[str]:
    """The names in the sections Parameters and Attributes."""
    return [name.strip().lstrip("*") for part in doc.params for name in part.arg_name.split(",")]


def raised(function: Callable[..., object]) -> Iterator[str]:
    """What the statements of a function raise: the names of classes, or of functions that make the
    error.
    """
    nodes: list[ast.AST] = [
        *ast.iter_child_nodes(ast.parse(textwrap.dedent(inspect.getsource(function))).body[0])
    ]
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            yield ast.unparse(node.exc.func)
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            nodes += ast.iter_child_nodes(node)


@pytest.mark.parametrize("name", sorted([*CLASSES, *FUNCTIONS]))
def test_it_has_a_docstring(name: str) -> None:
    value = CLASSES[name] if name in CLASSES else FUNCTIONS[name]
    assert value.__doc__
    assert not value.__doc__.startswith(f"{value.__name__}(")  # what a dataclass writes for itself


@pytest.mark.parametrize("name", sorted(WITH_PARAMETERS))
def test_parameters_and_results_are_described(name: str) -> None:
    function = WITH_PARAMETERS[name]
    signature, doc = inspect.signature(function), parsed(function)
    assert described(doc) == [
        parameter for parameter in signature.parameters if parameter not in {"self", "cls"}
    ]
    assert (doc.returns is None) == (
        signature.return_annotation in {"None", "NoReturn", "Iterator[None]"}
    )


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_errors_are_described(name: str) -> None:
    doc = parsed(FUNCTIONS[name])
    said = {error.type_name for error in doc.raises}
    found = set(raised(FUNCTIONS[name]))
    assert {error for error in found if error[0].isupper()} <= said
    assert bool(said) or not found
    assert "Raises" not in (doc.description or "")  # it has a section


@pytest.mark.parametrize(
    "name", sorted(n for n, c in CLASSES.items() if not issubclass(c, (Exception, *LIBRARY)))
)
def test_what_a_class_is_made_of_is_described(name: str) -> None:
    made = CLASSES[name]
    if not getattr(made, "_is_protocol", False):
        known = {field for base in made.__mro__ for field in described(parsed(base))}
        assert set(inspect.signature(made).parameters) <= known


def test_everything_public_is_looked_at() -> None:
    assert set(SAME.values()) <= {*FUNCTIONS, "fsm.engine.controller.TurnController.request"}
    assert {
        "fsm.engine.controller.TurnController.answer",
        "fsm.model.model.Model.from_json",
    } <= set(WITH_PARAMETERS)
    assert isinstance(vars(fsm.Model)["leaves"], cached_property)
    assert "fsm.model.model.Model.leaves" in FUNCTIONS
