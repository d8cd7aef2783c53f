"""What `fsm.draw` and `fsm draw` take and refuse: views, formats, themes, links, files."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

import fsm
from fsm.errors import DrawError
from fsm.views import tabulate
from support.drawings import loaded, made, picture, run
from support.drawnsvg import SVG, faults, read

PATTERN = "https://example.org/cr#{rule}"


@pytest.mark.parametrize(
    ("wrong", "kind", "said"),
    [
        ({"view": "trun"}, "unknown-view", "view 'trun' is unknown; did you mean 'turn'?"),
        ({"view": "step:upkep_step"}, "unknown-view", "did you mean 'step:upkeep_step'?"),
        ({"view": "ending:end_trun"}, "unknown-view", "did you mean 'ending:end_turn'?"),
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
    model = replace(loaded("magic"), window=None)
    for show in (fsm.draw, tabulate):
        with pytest.raises(DrawError, match="has no window model"):
            show(model, view="window")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["magci"], "did you mean 'magic'?"),
        (["magic", "--format", "htlm"], "did you mean 'html'?"),
        (["magic", "--format", "txt", "--theme", "dark"], "has no theme"),
        (["magic", "--format", "md", "--link", PATTERN], "has no link"),
        (["magic", "--format", "html", "--against", "magic-2010"], "has no overlay"),
        (["magic", "--at", "upkep"], "'upkep' is not a state of magic"),
        (["magic", "--at", "upkeep_window/prio"], "did you mean 'priority'"),
        (["magic", "--trace", "none.jsonl"], "none.jsonl: No such file"),
    ],
)
def test_bad_arguments_get_one_clear_line_and_no_file(
    arguments: list[str], said: str, tmp_path: Path
) -> None:
    done = run("draw", *arguments, "-o", tmp_path / "turn.svg")
    assert (done.exit_code, done.stdout) == (2, "")
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("ending", ["svg", "dot", "mmd", "json", "md", "html", "txt"])
def test_the_ending_of_a_file_names_its_format(ending: str) -> None:
    starts = {"svg": "<svg", "dot": "digraph", "mmd": "---", "json": "{", "html": "<!DOCTYPE"}
    assert made("draw", "magic-2010", ending=ending).startswith(starts.get(ending, ("#", "Magic")))
    done = run("draw", "magic", "-o", "turn.jpg")
    assert (done.exit_code, "does not end in .svg, .png" in done.stderr) == (2, True)


# citations as links -------------------------------------------------------------------------------


def links(svg: str) -> dict[str, str]:
    """Where each link leads, and the words in it."""
    found: dict[str, str] = {}
    for a in ET.fromstring(svg).iter(f"{SVG}a"):
        found[a.get("href", "")] = found.get(a.get("href", ""), "") + "".join(a.itertext())
    return found


def test_every_step_way_and_box_leads_to_its_rule() -> None:
    svg = fsm.draw("magic", link=PATTERN)
    found = links(svg)
    for rule in ("510.4", "506", "508.8"):
        assert rule in found[f"https://example.org/cr#{rule}"]
    for step in loaded("magic").of_kind("step"):
        assert step.label in found[f"https://example.org/cr#{step.rule}"]
    assert read(svg).texts == picture("magic").texts
    assert faults(svg) == []


def test_a_rule_from_outside_stays_inside_its_address() -> None:
    model, rule = loaded("lanterns:LANTERNS"), '"><script>x</script> javascript:alert(1) &'
    states = tuple(replace(s, rule=rule) for s in model.states)
    svg = fsm.draw(replace(model, states=states), link=PATTERN)
    assert all(href.startswith("https://example.org/cr#%22%3E%3Cscript") for href in links(svg))
    assert links(svg)
    assert faults(svg) == []


@pytest.mark.parametrize(
    "pattern",
    [
        "javascript:alert('{rule}')",
        "data:text/html,{rule}",
        "file:///etc/{rule}",
        "//example.org/{rule}",
        "https://example.org/cr",
        "https://{rule}.example.org/",
        "https://example.org/ {rule}",
        "{rule}",
    ],
)
def test_other_patterns_are_refused(pattern: str) -> None:
    with pytest.raises(DrawError, match="is no pattern for citations; write a web address"):
        fsm.draw("magic", link=pattern)
