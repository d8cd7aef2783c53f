"""Reports in files: the page that needs nothing from outside, heat maps, JSON by its schema, lcov."""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import replace
from html.parser import HTMLParser
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import jsonschema
import pytest
import transitions

import fsm
from fsm.adapters import model_of
from fsm.coverage import Data, collecting, context, covered
from fsm.coverage.reports import Result, report_asked, results_of, written
from fsm.coverage.reports.ways import way_to
from fsm.model import Model
from fsm.rulesets import names
from support import tools
from support.amounts import THOROUGH, amount, sample, thorough
from support.foreignmachines import lamp
from support.wanderer import Wanderer

CRITERIA = ("states", "transitions", "literals", *["pairs"] * THOROUGH)
"""Which pairs of Magic are impossible takes seconds to prove."""
HOSTILE = "<script>alert('&\"]]>"


def data_of(model: Model, answers: int = 1500) -> Data:
    with collecting() as session:
        for seed in (3, 4):
            with context(f"test_{seed}"):
                list(Wanderer(model, seed).games(answers // 2))
    return session.data


def results(*specs: str) -> tuple[Result, ...]:
    models = [(spec, fsm.load(spec)) for spec in specs]
    data = Data()
    for _, model in models:
        data.update(data_of(model))
    return results_of(data, models, CRITERIA)


@pytest.fixture(scope="module")
def magic_result() -> tuple[Result, ...]:
    return results("magic")


def one(found: tuple[Result, ...], kind: str) -> str:
    return next(iter(written(found, [report_asked(kind)]).values()))


class Page(HTMLParser):
    """What a page refers to, what it is made of, and whether its tags close."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "link", "input", "br", "img"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attrs for name, attrs in self.tags if name == tag]


# the page -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sample(names(), 1, seed=9))
def test_a_page_is_one_file_without_scripts_and_small(name: str) -> None:
    text = one(results(name), "html")
    assert len(text.encode()) < 500_000
    page = Page(text)
    assert page.open == []
    assert not page.all("script") and not page.all("link") and not page.all("img")
    refers = [v for _, attrs in page.tags for k, v in attrs.items() if k in ("href", "src", "xlink:href", "action")]
    assert all(v is not None and v.startswith("#") for v in refers)
    policy = next(str(attrs["content"]) for attrs in page.all("meta") if "http-equiv" in attrs)
    assert policy.startswith("default-src 'none'; style-src 'sha256-") and "url(" not in text


@thorough
def test_a_page_of_all_rulesets_is_small_as_well() -> None:
    text = one(results(*names()), "html")
    assert len(text.encode()) < 500_000
    assert [f'id="machine-{n}"' in text for n in range(4)] == [True] * 4


def test_who_cannot_see_the_picture_can_read_the_page(magic_result: tuple[Result, ...]) -> None:
    page = Page(one(magic_result, "html"))
    assert page.all("html")[0]["lang"] == "en"
    ids = [attrs["id"] for _, attrs in page.tags if attrs.get("id")]
    assert len(ids) == len(set(ids))
    anchors = {str(attrs["href"])[1:] for attrs in page.all("a")}
    assert anchors <= set(ids)
    assert all(attrs.get("role") == "img" and attrs.get("aria-label") for attrs in page.all("svg"))
    assert len(page.all("caption")) == len(page.all("table"))
    assert all(attrs.get("scope") in ("row", "col") for attrs in page.all("th"))


def test_the_page_says_what_was_measured(magic_result: tuple[Result, ...]) -> None:
    text = one(magic_result, "html")
    coverage = magic_result[0].by("transitions")
    assert coverage is not None and coverage.missing
    possible = len(coverage.targets) - len(coverage.infeasible)
    assert f"{len(coverage.covered)}/{possible}" in text
    shown = set(re.findall(r'<th scope="row" title="[^"]*">(?:window: )?([^<]*)</th>', text))
    assert {target.id.replace(">", "&gt;") for target in coverage.missing} <= shown


@pytest.mark.parametrize("scheme", ["light", "dark"][: amount(1, 2)])
def test_a_browser_shows_it_in_both_colours(magic_result: tuple[Result, ...], tmp_path: Path, scheme: Any) -> None:
    program = tools.tool("chromium", "chromium-browser", "google-chrome")
    playwright = tools.package("playwright.sync_api")
    path = tmp_path / "page.html"
    path.write_text(one(magic_result, "html"), encoding="utf-8")
    said: list[str] = []
    with playwright.sync_playwright() as tool:
        browser = tool.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(color_scheme=scheme, viewport={"width": 390, "height": 800})
        page.on("console", lambda message: said.append(message.text))
        page.goto(path.as_uri())
        colours = page.evaluate("(s => [s.backgroundColor, s.color])(getComputedStyle(document.body))")
        wide = page.evaluate("document.documentElement.scrollWidth")
        browser.close()
    paper, ink = (sum(map(int, re.findall(r"\d+", colour)[:3])) for colour in colours)
    assert (paper > 600 > 200 > ink) if scheme == "light" else (paper < 200 < 600 < ink)
    assert wide <= 390 and said == []  # tables scroll in themselves; the policy refused nothing


# hostile names --------------------------------------------------------------------------------------------------------


def hostile() -> tuple[Result, ...]:
    machine = transitions.Machine(
        states=[HOSTILE, "b\n\x1b[31m"], initial=HOSTILE, name=HOSTILE, transitions=[[HOSTILE, HOSTILE, "b\n\x1b[31m"]]
    )
    with collecting() as session, context(HOSTILE):
        machine.trigger(HOSTILE)
    return results_of(session.data, [], CRITERIA)


def test_names_from_outside_are_text_everywhere(tmp_path: Path) -> None:
    found = hostile()
    for kind in ("html", "svg", "json", "lcov"):
        for path, text in written(found, [report_asked(f"{kind}:{tmp_path}/x.{kind}")]).items():
            assert Path(path).parent == tmp_path
            if kind == "html":
                assert "<script" not in text and Page(text).open == []
            if kind == "svg":
                ET.fromstring(text)
            assert "\x1b" not in text


# pictures, JSON, lcov -----------------------------------------------------------------------------------------------


def test_heat_maps_for_both_papers(magic_result: tuple[Result, ...]) -> None:
    maps = written(magic_result, [report_asked("svg:cover.svg")])
    assert list(maps) == ["cover.svg", "cover-dark.svg"]
    light, dark = maps.values()
    assert "never" in light and light != dark
    for text in maps.values():
        assert ET.fromstring(text).tag.endswith("svg")


def test_maps_of_several_machines_have_names_of_their_own() -> None:
    models = [("a:b", model_of(lamp())), ("a/b", model_of(lamp())), ("c", model_of(lamp()))]
    found = results_of(Data(), models, ["transitions"])
    assert list(written(found, [report_asked("svg:x.svg")])) == [
        *("x-a-b.svg", "x-a-b-dark.svg", "x-a-b-2.svg", "x-a-b-2-dark.svg", "x-c.svg", "x-c-dark.svg")
    ]


@pytest.mark.parametrize(
    "criteria", [("states", "transitions", "literals", "pairs"), ("round-trips", "rules", "refusals"), ("prime-paths",)]
)
def test_the_json_keeps_to_its_schema_and_adds_up(criteria: tuple[str, ...]) -> None:
    model = fsm.load("grand-archive")
    data = data_of(model)
    report = json.loads(one(results_of(data, [("grand-archive", model)], criteria), "json"))
    schema = json.loads(files("fsm").joinpath("schemas/coverage.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(report, schema)
    (machine,) = report["machines"]
    assert {c["criterion"] for c in machine["criteria"]} | set(machine["refused"]) == set(criteria)
    for each in machine["criteria"]:
        assert each["targets"] == len(each["items"]) == each["taken"] + each["missing"] + each["impossible"]
        expected = covered(model, each["criterion"], data)
        assert {(i["machine"], i["id"]): i["taken"] for i in each["items"] if i["taken"]} == expected.taken
        for item in each["items"]:
            assert sum(count for _, count in item.get("contexts", [])) == item["taken"]


@pytest.mark.parametrize("name", sample(names(), 1, seed=9))
def test_ways_are_walks_on_the_graph_that_end_with_what_was_asked(name: str) -> None:
    (result,) = results_of(
        data_of(fsm.load(name), 2), [(name, fsm.load(name))], ["transitions", "states", *["pairs"] * THOROUGH]
    )
    for coverage in result.coverages:
        for target in coverage.missing:
            way = way_to(result.model, coverage.criterion, target)
            own = result.model if target.machine == "turn" else result.model.window
            assert own is not None
            if target.id != own.initial and coverage.criterion != "states":
                assert way[0].at == own.initial
                assert [arc.row.id for arc in way[-(target.id.count(" ; ") + 1) :]] == target.id.split(" ; ")
            assert all(a.to == b.at for a, b in pairwise(way))


def test_lcov_has_a_line_for_each_row_of_a_listing(magic_result: tuple[Result, ...]) -> None:
    texts = written(magic_result, [report_asked("lcov:cover.info")])
    info, listing = texts.values()
    coverage, literals = magic_result[0].by("transitions"), magic_result[0].by("literals")
    assert coverage is not None and literals is not None
    lines = listing.splitlines()
    hits = {int(n): int(count) for n, count in re.findall(r"^DA:(\d+),(\d+)$", info, re.M)}
    assert len(hits) == len(coverage.targets) - len(coverage.infeasible)
    by_line = {lines[n - 1].split("  (")[0].strip(): count for n, count in hits.items()}
    assert by_line == {t.id: coverage.taken.get(t.key, 0) for t in coverage.targets if t not in coverage.infeasible}
    assert len(re.findall(r"^BRDA:", info, re.M)) == len(literals.targets) - len(literals.infeasible)
    assert "SF:cover-magic.txt\n" in info


def test_lcov_itself_reads_it(tmp_path: Path, magic_result: tuple[Result, ...]) -> None:
    program = tools.tool("lcov")
    for path, text in written(magic_result, [report_asked(f"lcov:{tmp_path}/cover.info")]).items():
        Path(path).write_text(text, encoding="utf-8")
    command = [program, "--summary", str(tmp_path / "cover.info"), "--rc", "branch_coverage=1"]
    done = subprocess.run(command, capture_output=True, text=True)
    coverage = magic_result[0].by("transitions")
    assert coverage is not None
    assert done.returncode == 0, done.stderr
    assert f"{len(coverage.covered)} of {len(coverage.targets)} lines" in done.stdout + done.stderr


def test_what_cannot_be_taken_is_said_and_not_counted() -> None:
    rows = [["x", "a", "b"], ["y", "c", "a"]]
    machine = transitions.Machine(states=["a", "b", "c"], initial="a", auto_transitions=False, transitions=rows)
    with collecting() as session:
        machine.x()
    found = results_of(session.data, [("M", model_of(machine))], ["transitions"])
    texts = written([replace(one, place="") for one in found], [report_asked("lcov:x.info")])
    info, listing = texts.values()
    assert "  c -> a on y  cannot be taken: " in listing
    assert "LF:1\n" in info
