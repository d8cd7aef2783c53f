"""Reports in files: the page that needs nothing from outside, JSON by its schema, Markdown."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import transitions

import fsm
from fsm.adapters import model_of
from fsm.coverage import Data, collecting, context, covered
from fsm.coverage.reports import Result, report_asked, results_of, written
from fsm.coverage.reports.ways import way_to
from fsm.model import Model
from fsm.model.graph import graphs_of
from fsm.rulesets import names
from fsm.views.coverage.page import pages
from fsm.views.coverage.words import TargetWords
from support.amounts import THOROUGH, amount, sample, thorough
from support.explorerpage import chromium
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
        self.data: list[Any] = []
        self.words = ""
        self.feed(text)

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "script" and data.startswith("{"):
            self.data.append(json.loads(data))
        elif "script" not in self.open and "style" not in self.open:
            self.words += data

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


# the page -----------------------------------------------------------------------------------------


def pages_of(found: tuple[Result, ...], most: int = 400_000) -> str:
    """The page without ways, which take seconds to find."""
    return pages(found, "page.html", lambda result: {}, most=most)["page.html"]


@pytest.fixture(scope="module")
def magic_page(magic_result: tuple[Result, ...]) -> str:
    return pages_of(magic_result)


@pytest.mark.parametrize("name", sample(names(), 1, seed=9))
def test_a_page_is_one_file_that_asks_for_nothing_and_small(name: str) -> None:
    check_page(pages_of(results(name)))


def check_page(text: str, *links: str) -> None:
    """The page is at most 400 KB, runs only its own script, and links only within itself and to
    these files.
    """
    assert len(text.encode()) <= 400_000
    page = Page(text)
    assert page.open == []
    assert not page.all("link") and not page.all("img")
    refers = [
        v
        for _, attrs in page.tags
        for k, v in attrs.items()
        if k in ("href", "src", "xlink:href", "action")
    ]
    assert all(v is not None and v.startswith("#") for v in refers)
    assert {each["explorer"] for each in page.data if each["explorer"]} == set(links)
    policy = next(str(attrs["content"]) for attrs in page.all("meta") if "http-equiv" in attrs)
    assert re.fullmatch(
        "default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; base-uri 'none'",
        policy,
    )
    assert "url(" not in text


@thorough
def test_a_page_of_all_rulesets_is_small_as_well() -> None:
    text = pages_of(results(*names()))
    check_page(text)
    assert [f'id="machine-{n}"' in text for n in range(4)] == [True] * 4


def test_who_cannot_see_the_picture_can_read_the_page(magic_page: str) -> None:
    page = Page(magic_page)
    assert page.all("html")[0]["lang"] == "en"
    ids = [attrs["id"] for _, attrs in page.tags if attrs.get("id")]
    assert len(ids) == len(set(ids))
    assert all(
        attrs.get("role") in ("img", "group") and attrs.get("aria-label")
        for attrs in page.all("svg")[2:]
    )
    steps = [attrs["aria-label"] for attrs in page.all("g") if attrs.get("role") == "button"]
    assert any(str(label).startswith("Upkeep, ") for label in steps)


def test_the_page_has_every_target_in_words(
    magic_result: tuple[Result, ...], magic_page: str
) -> None:
    page = Page(magic_page)
    coverage = magic_result[0].by("transitions")
    assert coverage is not None and coverage.missing
    assert f"{len(coverage.covered)} of {coverage.asked}" in page.words
    (data,) = page.data
    (listed,) = [each for each in data["lists"] if each["criterion"] == "transitions"]
    rows = {
        data["rows"][subject][1]: (data["rows"][subject], rest)
        for subject, *rest in listed["items"]
    }
    assert rows.keys() == {target.id for target in coverage.targets}
    assert {id for id, (_, rest) in rows.items() if rest[1:2] == ["missing"]} == {
        t.id for t in coverage.missing
    }
    for target in coverage.targets:
        (words, _, rule, group), (count, *_) = rows[target.id]
        assert (
            "_" not in words and rule == target.rule and count == coverage.taken.get(target.key, 0)
        )
        assert data["groups"][group]
    first, _ = rows["untap_after -> upkeep_before"]
    assert first[0] == "After untap, then Upkeep" and data["groups"][first[3]] == "Beginning"


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (
            "draw_before -> draw_after [first_turn",
            "Draw is left out: first turn of the one who starts",
        ),
        (
            "declare_attackers_after -> end_of_combat_before",
            "After declare attackers: nobody attacks, then End of combat",
        ),
        ("end_turn_leave -> cleanup_begin [ending", "A new cleanup step, even from cleanup"),
        ("untap_after -> upkeep_before", "After untap, then Upkeep"),
    ],
)
def test_a_transition_has_the_words_of_the_ruleset_and_else_its_doc(row: str, words: str) -> None:
    graph = graphs_of(fsm.load("magic"))[0]
    taken = next(one for one in graph.model.transitions if one.id.startswith(row))
    assert words.lower() in TargetWords(graph).of_row(taken).lower()


def test_the_map_knows_what_its_parts_stand_for(magic_page: str) -> None:
    page = Page(magic_page)
    (data,) = page.data
    parts = {attrs["data-part"] for attrs in page.all("g") if "data-part" in attrs}
    assert parts == data["map"].keys()
    (upkeep,) = [part for part, (_, states) in data["map"].items() if "upkeep_window" in states]
    ids = {data["rows"][number][1] for number in data["map"][upkeep][0]}
    assert "upkeep_begin -> upkeep_window" in ids and "draw_begin -> draw_draw_card" not in ids


def test_long_lists_are_shortened_and_say_so(magic_result: tuple[Result, ...]) -> None:
    text = pages_of(magic_result, 130_000)
    assert len(text.encode()) <= 130_000
    (data,) = Page(text).data
    for coverage, listed in zip(magic_result[0].coverages, data["lists"], strict=True):
        assert len(listed["items"]) + listed["left"] == len(coverage.targets)
    assert any(listed["left"] for listed in data["lists"])


def test_a_missing_target_has_the_answers_that_take_it(tmp_path: Path) -> None:
    model = fsm.load("magic-classic")
    found = results_of(data_of(model), [("magic-classic", model)], ["transitions"])
    page, explorer = written(found, [report_asked(f"html:{tmp_path}/x.html")]).items()
    assert Path(explorer[0]).name == "x-explorer.html" and model.fingerprint in explorer[1]
    check_page(page[1], "x-explorer.html")
    (data,) = Page(page[1]).data
    ways = [
        item
        for item in data["lists"][0]["items"]
        if item[2:3] == ["missing"] and len(item) > 4 and item[4]
    ]
    assert ways and all(start.startswith(f"1~{model.fingerprint}~") for start in data["starts"])
    assert all(
        data["walks"][walk][0] < len(data["starts"])
        for *_, (walk, _) in (item[:5] for item in ways)
    )


@pytest.mark.parametrize("scheme", ["light", "dark"][: amount(1, 2)])
def test_a_browser_shows_it_in_both_colours(magic_page: str, tmp_path: Path, scheme: Any) -> None:
    path = tmp_path / "page.html"
    path.write_text(magic_page, encoding="utf-8")
    said: list[str] = []
    with chromium() as browser:
        page = browser.new_page(color_scheme=scheme, viewport={"width": 390, "height": 800})
        page.on("console", lambda message: said.append(message.text))
        page.goto(path.as_uri())
        colours = page.evaluate(
            "(s => [s.backgroundColor, s.color])(getComputedStyle(document.body))"
        )
        wide, high = page.evaluate(
            "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
        )
    paper, ink = (sum(map(int, re.findall(r"\d+", colour)[:3])) for colour in colours)
    assert (paper > 600 > 200 > ink) if scheme == "light" else (paper < 200 < 600 < ink)
    assert wide <= 390 and high < 6000 and said == []  # the policy refused nothing


# hostile names ------------------------------------------------------------------------------------


def hostile() -> tuple[Result, ...]:
    machine = transitions.Machine(
        states=[HOSTILE, "b\n\x1b[31m"],
        initial=HOSTILE,
        name=HOSTILE,
        transitions=[[HOSTILE, HOSTILE, "b\n\x1b[31m"]],
    )
    with collecting() as session, context(HOSTILE):
        machine.trigger(HOSTILE)
    return results_of(session.data, [], CRITERIA)


def test_names_from_outside_are_text_everywhere(tmp_path: Path) -> None:
    found = hostile()
    for kind in ("html", "json", "markdown"):
        for path, text in written(found, [report_asked(f"{kind}:{tmp_path}/x.{kind}")]).items():
            assert Path(path).parent == tmp_path
            if kind == "html":
                assert "<script>alert" not in text and Page(text).open == []
                assert len(Page(text).all("script")) == 2  # the data and the script of the page
            assert "\x1b" not in text


# JSON and Markdown --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "criteria",
    [
        ("states", "transitions", "literals", "pairs"),
        ("mcdc", "rules", "refusals"),
    ],
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
        assert (
            each["targets"]
            == len(each["items"])
            == each["taken"] + each["missing"] + each["impossible"]
        )
        expected = covered(model, each["criterion"], data)
        assert {
            (i["machine"], i["id"]): i["taken"] for i in each["items"] if i["taken"]
        } == expected.taken
        for item in each["items"]:
            assert sum(count for _, count in item.get("contexts", [])) == item["taken"]


@pytest.mark.parametrize("name", sample(names(), 1, seed=9))
def test_ways_are_walks_on_the_graph_that_end_with_what_was_asked(name: str) -> None:
    (result,) = results_of(
        data_of(fsm.load(name), 2),
        [(name, fsm.load(name))],
        ["transitions", "states", *["pairs"] * THOROUGH],
    )
    for coverage in result.coverages:
        for target in coverage.missing:
            way = way_to(result.model, coverage.criterion, target)
            own = result.model if target.machine == "turn" else result.model.window
            assert own is not None
            if target.id != own.initial and coverage.criterion != "states":
                assert way[0].at == own.initial
                assert [
                    arc.row.id for arc in way[-(target.id.count(" ; ") + 1) :]
                ] == target.id.split(" ; ")
            assert all(a.to == b.at for a, b in pairwise(way))


def worker(name: str) -> Result:
    """A machine of which two states and one transition were taken."""
    machine = transitions.Machine(
        states=["idle", "busy", "done"],
        initial="idle",
        transitions=[["start", "idle", "busy"], ["kick", "busy", None], ["end", "busy", "done"]],
        auto_transitions=False,
    )
    with collecting() as session:
        machine.start()
    return results_of(session.data, [(name, model_of(machine))], ["states", "transitions"])[0]


def test_markdown_has_a_table_and_what_is_missing() -> None:
    found = [worker("Worker"), worker("a|b <i>")]
    (text,) = written(found, [report_asked("markdown:out.md")]).values()
    assert "| Worker | 2/3 66.6% | 1/3 33.3% |" in text
    assert "| total | 4/6 66.6% | 2/6 33.3% |" in text
    assert "<details><summary>Worker: transitions not taken: 2</summary>" in text
    assert "- busy -&gt; \\(stays\\) on kick\n" in text
    assert r"| a\|b &lt;i&gt; |" in text and "<i>" not in text


def test_markdown_is_added_to_the_summary_of_a_job(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = [worker("Worker")]
    assert list(written(found, [report_asked("markdown")])) == ["fsm-coverage.md"]
    summary = tmp_path / "summary.md"
    summary.write_text("# Before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    ((path, text),) = written(found, [report_asked("markdown")]).items()
    assert path == str(summary)
    assert text.startswith("# Before\n\n## Coverage of state machines\n")
