"""Citations as links: which address, where, and nothing but web addresses."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

import fsm
from fsm.errors import DrawError
from fsm.model import Model
from fsm.rulesets import names
from fsm.views.drawing.linking import check_pattern
from fsm.views.drawing.options import DrawOptions
from fsm.views.drawing.pipeline import svg
from fsm.views.drawing.views import place
from support.drawnsvg import SVG, read
from support.hostile import hostile_model
from support.inventedgames import towns

PATTERN = "https://example.org/cr#{rule}"
RULESETS = [fsm.load(name) for name in names()]


def drawn(model: Model, view: str = "turn", pattern: str = PATTERN) -> ET.Element:
    return ET.fromstring(svg(model, DrawOptions(view, link=pattern)))


def links(root: ET.Element) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for a in root.iter(f"{SVG}a"):
        found.setdefault(a.get("href", ""), []).append("".join(a.itertext()).strip())
    return found


@pytest.mark.parametrize("model", RULESETS, ids=lambda m: m.name)
@pytest.mark.parametrize("view", ["turn", "window"])
def test_every_step_leads_to_its_rule(model: Model, view: str) -> None:
    root = drawn(model, view)
    groups = {
        a.find(f"{SVG}g").get("id"): a.get("href")  # type: ignore[union-attr]
        for a in root.iter(f"{SVG}a")
        if a.find(f"{SVG}g") is not None
    }
    for i, node in enumerate(place(model, view).nodes):
        if node.node.rule:
            assert groups[f"n{i}"].startswith("https://example.org/cr#")  # type: ignore[union-attr]
        else:
            assert f"n{i}" not in groups


def test_citations_of_lines_and_boxes_lead_to_their_rules() -> None:
    found = links(drawn(fsm.load("magic")))
    assert "510.4" in found["https://example.org/cr#510.4"]
    assert "506" in found["https://example.org/cr#506"]


def test_several_rules_of_one_line_are_several_links() -> None:
    found = links(drawn(fsm.load("grand-archive"), "window"))
    assert "Opportunity 7" in found["https://example.org/cr#Opportunity%207"]


def test_the_words_and_places_stay() -> None:
    model = fsm.load("magic")
    plain, again = svg(model, DrawOptions()), read(svg(model, DrawOptions(link=PATTERN)))
    assert again.texts == read(plain).texts
    assert again.lines == read(plain).lines


def test_a_rule_from_outside_stays_inside_its_address() -> None:
    base = towns()
    rule = '"><script>x</script> javascript:alert(1) &'
    hostile = replace(
        base, states=tuple(replace(s, rule=rule) if s.id == "wake" else s for s in base.states)
    )
    root = drawn(hostile)
    wanted = "https://example.org/cr#%22%3E%3Cscript%3Ex%3C%2Fscript%3E%20javascript%3Aalert%281%29%20%26"
    assert wanted in links(root)


def test_all_links_of_a_hostile_model_go_where_the_pattern_goes() -> None:
    assert all(
        href.startswith("https://example.org/cr#") for href in links(drawn(hostile_model(3)))
    )


@pytest.mark.parametrize(
    "pattern",
    [
        *(
            "javascript:alert('{rule}')",
            "data:text/html,{rule}",
            "file:///etc/{rule}",
            "//example.org/{rule}",
        ),
        *(
            "https://example.org/cr",
            "https://{rule}",
            "https://{rule}.example.org/",
            "https:///{rule}",
            "",
            "{rule}",
        ),
        *("https://example.org/ {rule}", "https://example.org/\n{rule}", "https://[/{rule}"),
    ],
)
def test_other_patterns_are_refused(pattern: str) -> None:
    with pytest.raises(
        DrawError, match=r"is no pattern for citations; write a web address with \{rule\} in it"
    ):
        check_pattern(pattern)
