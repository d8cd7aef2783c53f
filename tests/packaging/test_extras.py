"""Without an optional extra there is one sentence that says how to install it."""

from __future__ import annotations

import sys
from typing import Literal

import pytest

import fsm
from fsm.errors import DrawError
from fsm.views.drawing import draw, raster


@pytest.mark.parametrize("format", ["png", "pdf"])
def test_without_the_extra_it_says_so(
    format: Literal["png", "pdf"], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, raster.CONVERTERS[format], None)
    with pytest.raises(DrawError, match=rf"pip install 'turn-fsm\[{format}\]'"):
        draw(fsm.load("magic"), format=format)
