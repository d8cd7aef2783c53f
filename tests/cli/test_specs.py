"""A machine is named as `module:machine` or by its file, as in `shop/door.py:door`."""

from __future__ import annotations

import pytest

from support.commandline import DOOR, read, refused, says, written


@pytest.fixture(autouse=True)
def shop(here: object) -> None:
    written("shop/__init__.py", "")
    written("shop/door.py", DOOR)
    written("json.py", DOOR)


@pytest.mark.parametrize("spec", ["shop.door:door", "shop/door.py:door", "./shop/door.py:door"])
def test_a_file_is_the_module_that_it_is_imported_as(spec: str) -> None:
    says("check", spec)
    says("paths --format pytest -o test_door.py", spec)
    assert "from shop.door import door as original" in read("test_door.py")


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("shop/window.py:door", "there is no file 'shop/window.py'"),
        ("json.py:door", "Python finds another module 'json'"),
        ("shop/door.py:dor", "has no 'dor'; did you mean 'door'?"),
        ("shop/door.py", "(or name module:attribute, FILE.py:TABLE, or a model's .json file)"),
    ],
)
def test_a_wrong_spec_is_refused_by_each_command(spec: str, said: str) -> None:
    for line in ("check", "draw -o door.svg", "paths"):
        assert said in refused(line, spec)
