"""What `import fsm` offers: the names that are promised, and errors with one root."""

from __future__ import annotations

from importlib import import_module

import pytest

import fsm
from support.publicnames import PUBLIC


@pytest.mark.parametrize("package", PUBLIC)
def test_a_package_offers_the_promised_names(package: str) -> None:
    module = import_module(package)
    names = PUBLIC[package].split()
    assert sorted(module.__all__) == sorted(names)
    assert set(names) <= set(dir(module))
    assert [name for name in names if getattr(module, name, None) is None] == []


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'fsm' has no attribute 'Modle'"):
        fsm.Modle  # type: ignore[attr-defined] # noqa: B018


def test_every_error_is_an_fsm_error() -> None:
    errors = [getattr(fsm.errors, name) for name in PUBLIC["fsm.errors"].split()]
    assert all(issubclass(error, fsm.FsmError) for error in errors)


def test_a_long_name_in_an_error_is_cut() -> None:
    with pytest.raises(fsm.errors.RulesetError) as refused:
        fsm.load("up keep " * 1000)
    assert len(str(refused.value)) < 400
    assert len(str(refused.value.to_json())) < 1500
