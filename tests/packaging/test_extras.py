"""Without an optional extra there is one sentence that says how to install it."""

from __future__ import annotations

import sys

import pytest

import fsm
from fsm import draw
from fsm.errors import DrawError


def test_without_the_extra_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(DrawError, match=r"pip install 'turn-fsm\[png\]'"):
        draw(fsm.load("magic"), format="png")
