"""What `fsm.draw` and `fsm draw` take and refuse: views, formats, themes, files."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_type_hints

import pytest
from msgspec.structs import replace

import fsm
from fsm.errors import DrawError
from support.commandline import command
from support.drawings import loaded


@pytest.mark.parametrize(
    ("wrong", "kind", "said"),
    [
        ({"view": "trun"}, "unknown-view", "view 'trun' is unknown; did you mean 'turn'?"),
        ({"view": "phase:combt_phase"}, "unknown-view", "did you mean 'phase:combat_phase'?"),
        ({"theme": "drak"}, "unknown-theme", "theme 'drak' is unknown; did you mean 'dark'?"),
        ({"format": "gif"}, "unknown-format", "dot, html, json, md, mermaid, png, svg, txt"),
    ],
)
def test_an_unknown_name_is_refused_with_a_suggestion(
    wrong: dict[str, Any], kind: str, said: str
) -> None:
    with pytest.raises(DrawError) as refused:
        fsm.draw("magic", **wrong)
    assert said in str(refused.value)
    assert refused.value.kind == kind


def test_a_model_without_a_window_has_no_such_view() -> None:
    with pytest.raises(DrawError, match="view 'window' is unknown"):
        fsm.draw(replace(loaded("magic"), window=None), view="window")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["magic", "--format", "htlm"], "did you mean 'html'?"),
        (["magic", "--format", "txt", "--theme", "dark"], "has no theme"),
        (["magic", "--format", "html", "--against", "magic-2010"], "has no overlay"),
        (["magic", "--at", "upkep"], "state 'upkep' is not in magic"),
        (["magic", "--at", "upkeep_window/prio"], "did you mean 'priority'"),
        (["magic", "--trace", "none.jsonl"], "none.jsonl: this cannot be read: No such file"),
    ],
)
def test_bad_arguments_get_one_clear_line_and_no_file(
    arguments: list[str], said: str, tmp_path: Path
) -> None:
    done = command("draw", *arguments, "-o", tmp_path / "turn.svg")
    assert (done.exit_code, done.stdout) == (2, "")
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_the_types_of_its_arguments_can_be_asked_for() -> None:
    hints = get_type_hints(fsm.draw)
    assert hints["now"] == fsm.views.Now | None
