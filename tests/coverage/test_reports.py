"""`fsm cover report` and `baseline`: tables, pages and files, what may be missing, what must not be
lost.
"""

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
from transitions import Machine

import fsm
from fsm.coverage import collecting, context
from fsm.rulesets import Act, Phase, Step, Table, Window
from support.measured import cover, place

HOSTILE = "<script>alert('&\"]]>|\x1b[31m\x7f"
KICK, LOCK = "open -> shut on kick", "shut -> locked on lock"


class Door:
    """What a machine drives. It is never locked."""


def door(*events: str) -> None:
    rows = [
        ["push", "open", "shut"],
        ["pull", "shut", "open"],
        ["kick", "open", "shut"],
        ["lock", "shut", "locked"],
    ]
    states = ["open", "shut", "locked"]
    thing: Any = Door()
    Machine(thing, states, "open", rows, auto_transitions=False)  # a door
    for event in events:
        thing.trigger(event)


def hostile() -> None:
    machine = Machine(states=[HOSTILE, "b"], initial=HOSTILE, name=HOSTILE, auto_transitions=False)
    machine.add_transition(HOSTILE, HOSTILE, "b")
    machine.trigger(HOSTILE)


PLACE = place(__file__, "a door")


@pytest.fixture(scope="module")
def doors(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Data of a door that is pushed and pulled: 2 of 3 states, 2 of 4 transitions."""
    folder = tmp_path_factory.mktemp("doors")
    with collecting(folder), context("test_door"):
        door("push", "pull")
    return folder


@pytest.fixture(scope="module")
def names_from_outside(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Data of a machine with hostile names."""
    folder = tmp_path_factory.mktemp("hostile")
    with collecting(folder), context(HOSTILE):
        hostile()
    return folder


DAY = Table("day", Phase("light", Step("dawn", Act("draw")), Step("noon", Window())))


@pytest.fixture(scope="module")
def day(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a short game, the explorer beside it, and the data."""
    folder = tmp_path_factory.mktemp("day")
    with collecting(folder / "data"), context("test_day"):
        game = fsm.TurnController(DAY, ["Ann", "Ben"])
        for _ in range(6):
            game.answer(game.request.quiet())  # type: ignore[union-attr]
    done = cover("report", folder / "data", "--report", f"html:{folder / 'page.html'}")
    assert done.exit_code == 0, done.output
    return folder


# tables -------------------------------------------------------------------------------------------


def test_the_terminal_has_a_row_for_each_machine_and_a_total(
    doors: Path, names_from_outside: Path
) -> None:
    done = cover("report", doors, names_from_outside)
    rows = [line.split() for line in done.output.splitlines()]
    assert (done.exit_code, rows[0]) == (0, ["states", "transitions"])
    assert rows[1] == ["Door", f"({PLACE})", "2/3", "66.6%", "2/4", "50%"]
    assert rows[3] == ["total", "4/5", "80%", "3/5", "60%"]


def test_what_is_missing_comes_with_a_way_to_it(doors: Path) -> None:
    done = cover("report", doors, "--criteria", "transitions", "--report", "term-missing")
    *_, head, kick, way, lock, other_way = done.output.splitlines()
    assert head == f"Door ({PLACE}): 2 of 4 transitions; missing: 2"
    assert (kick, way) == (f"  {KICK}", "      by kick()")
    assert (lock, other_way) == (f"  {LOCK}", "      by push(), lock()")


def test_a_way_avoids_conditions_and_says_those_that_must_hold(tmp_path: Path) -> None:
    rows: list[Any] = [
        {"trigger": "press", "source": "off", "dest": "on", "unless": "is_worn_out"},
        ["press", "off", "broken"],
        ["hit", "*", "broken"],
    ]
    lamp: Any = type("Lamp", (), {"is_worn_out": False})()
    with collecting(tmp_path):
        Machine(lamp, ["off", "on", "broken"], "off", rows, auto_transitions=False)
        lamp.press()
    report = "--criteria", "transitions", "--report", "term-missing"
    told = cover("report", tmp_path, *report).output.splitlines()
    ways = dict(pairwise(told))
    assert ways["  broken -> broken on hit"] == "      by hit(), hit()"
    assert ways["  off -> broken on press"] == "      by press() if is_worn_out"


def test_markdown_has_a_table_and_what_is_missing(doors: Path, tmp_path: Path) -> None:
    file = tmp_path / "x.md"
    assert cover("report", doors, "--report", f"markdown:{file}").output == f"written: {file}\n"
    text = file.read_text("utf-8")
    assert text.startswith("## Coverage of state machines\n\n| ")
    assert "\n| --- | ---: | ---: |\n" in text
    assert "2/3 66.6% | 2/4 50% |" in text
    assert "2 of 4 transitions; missing: 2</summary>" in text
    assert "- shut -&gt; locked on lock (by push\\(\\), lock\\(\\))\n" in text


# files for programs and readers -------------------------------------------------------------------


def test_the_json_keeps_to_its_schema_and_adds_up(doors: Path, tmp_path: Path) -> None:
    criteria = ["states", "transitions", "literals", "rules"]
    words = ["--criteria", ",".join(criteria), "--report", f"json:{tmp_path / 'x.json'}"]
    assert cover("report", doors, *words).exit_code == 0
    report = json.loads((tmp_path / "x.json").read_text("utf-8"))
    jsonschema.validate(
        report, json.loads(files("fsm").joinpath("schemas/coverage.schema.json").read_text())
    )
    [machine] = report["machines"]
    assert [each["criterion"] for each in machine["criteria"]] == criteria
    for each in machine["criteria"]:
        items = each["items"]
        assert each["targets"] == len(items) == each["taken"] + each["missing"] + each["impossible"]
        assert sum(item["taken"] > 0 for item in items) == each["taken"]
        assert all(sum(i.get("contexts", {}).values()) == i["taken"] for i in items)


VOID = ("meta", "link", "input", "br", "img")


class Page(HTMLParser):
    """What a page refers to, its words, and whether its tags close."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(name, value or "") for name, value in attrs]
        self.open += [tag] * (tag not in VOID)

    def handle_endtag(self, tag: str) -> None:
        assert tag in VOID or self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] not in ("script", "style"):
            self.words += data.split()


def test_a_page_asks_for_nothing_from_elsewhere_and_is_small(day: Path) -> None:
    text = (day / "page.html").read_text("utf-8")
    page = Page(text)
    assert page.open == [] and len(text.encode()) <= 400_000
    assert "url(" not in text
    assert any("default-src 'none'" in value for _, value in page.attributes)
    links = {v for name, v in page.attributes if name in ("href", "src", "xlink:href", "action")}
    assert all(link.startswith("#") for link in links)


def test_a_page_has_the_counts_on_a_map_and_a_list_in_words(day: Path) -> None:
    text = (day / "page.html").read_text("utf-8")
    said = " ".join(Page(text).words)
    assert "States entered 30 of 37 81%" in said and "Transitions taken 25 of 62 40.3%" in said
    assert any(
        name == "aria-label" and value.startswith("Dawn, ") for name, value in Page(text).attributes
    )
    assert "dawn_before -&gt; step_hub" in text and "After dawn" in text and "test_day" in text


@pytest.mark.parametrize("kind", ["html", "markdown", "json", "term-missing"])
def test_names_from_outside_are_text_everywhere(
    names_from_outside: Path, tmp_path: Path, kind: str
) -> None:
    file = "" if kind == "term-missing" else f":{tmp_path / 'x'}"
    done = cover("report", names_from_outside, "--report", kind + file)
    text = (tmp_path / "x").read_text("utf-8") if file else done.output
    assert done.exit_code == 0 and "alert" in text and "\x1b" not in text
    if kind == "html":
        assert "<script>alert" not in text and Page(text).open == []
    if kind == "markdown":
        assert "<script" not in text


# floors -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("floor", "said"),
    [
        ("57", ""),
        ("58", "total 57.1% (4 of 7) is below 58%"),
        ("states=66,transitions=50", ""),
        ("transitions=51", "{}: transitions 50% (2 of 4) is below 51%"),
        ("rules=0", ""),
    ],
)
def test_less_than_asked_for_fails_and_says_what(doors: Path, floor: str, said: str) -> None:
    done = cover("report", doors, "--fail-under", floor)
    expected = said.format(f"Door ({PLACE})")
    assert done.exit_code == int(bool(said))
    assert done.stderr.startswith(expected) and bool(done.stderr) == bool(said)


# what may be missing ------------------------------------------------------------------------------


def entry(target: str, **more: str) -> str:
    told = {"criterion": "transitions", "target": target, "why": "nobody does that", **more}
    return "[[allow]]\n" + "".join(f"{name} = {value!r}\n" for name, value in told.items())


def allowing(doors: Path, folder: Path, text: str, name: str = "allow.toml", *more: str) -> Any:
    (folder / name).write_text(text, "utf-8")
    return cover("report", doors, "--criteria", "transitions", "--allow", folder / name, *more)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", "2/4"),
        (entry(KICK), "2/3"),
        (entry(KICK) + entry(LOCK, of="Door"), "2/2"),
        (entry(KICK, of="magic"), "2/4"),
    ],
    ids=["nothing", "one", "of a machine", "of another"],
)
def test_what_may_be_missing_is_left_out(
    doors: Path, tmp_path: Path, text: str, count: str
) -> None:
    done = allowing(doors, tmp_path, text)
    assert done.exit_code == 0, done.output
    assert count in done.output
    assert ("allowed to be missing and left out: " in done.output) == (count != "2/4")


def test_the_reports_in_files_have_the_reason(doors: Path, tmp_path: Path) -> None:
    words = [
        word for kind in ("json", "html") for word in ("--report", f"{kind}:{tmp_path}/x.{kind}")
    ]
    assert allowing(doors, tmp_path, entry(KICK), "allow.toml", *words).exit_code == 0
    for kind in ("json", "html"):
        assert "nobody does that" in (tmp_path / f"x.{kind}").read_text("utf-8")
    [machine] = json.loads((tmp_path / "x.json").read_text("utf-8"))["machines"]
    counts = machine["criteria"][0]
    assert (counts["taken"], counts["missing"], counts["allowed"]) == (2, 1, 1)


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        (entry("open -> shut on push"), 1, "'open -> shut on push' is taken or impossible in Door"),
        (entry("open -> shut on kik"), 1, f"is not in *; did you mean {KICK!r}?"),
        (entry(KICK, criterion="transition"), 2, "allow.toml: *did you mean 'transitions'?"),
        ("[[allow]\n", 2, "allow.toml: "),
        ("allow = 3\n", 2, "allow.toml: allow: 3 is not a list"),
        ("[[allow]]\ntarget = 'x'\nwhy = 'y'\n", 2, "allow[0]: this needs 'criterion'"),
        (entry(KICK) + entry(LOCK, reason="x"), 2, "allow[1]: 'reason' is not known here"),
        (entry(KICK, why=""), 2, "a text of length >= 1"),
    ],
)
def test_a_list_that_is_overtaken_or_wrong_says_which_entry(
    doors: Path, tmp_path: Path, text: str, code: int, said: str
) -> None:
    done = allowing(doors, tmp_path, text)
    assert done.exit_code == code
    assert re.search(re.escape(said).replace(r"\*", ".*"), done.stderr), done.stderr


def test_what_is_proved_impossible_need_not_be_allowed(tmp_path: Path) -> None:
    with collecting(tmp_path):
        machine = Machine(states=["a", "b"], initial="a", auto_transitions=False)
        machine.add_transition("go", "a", "=")
        machine.add_transition("back", "b", "a")
        machine.trigger("go")
    done = allowing(tmp_path, tmp_path, entry("b -> a on back"))
    assert done.exit_code == 1 and "is taken or impossible in Machine" in done.stderr


# a baseline ---------------------------------------------------------------------------------------


@pytest.fixture
def base(doors: Path, tmp_path: Path) -> Path:
    """The baseline of the door that is pushed and pulled."""
    file = tmp_path / "base.toml"
    done = cover("combine", doors, "-o", file)
    assert done.output == f"written: {file}\n"
    return file


def pushed(folder: Path, *events: str) -> Path:
    """Data of a door with other events."""
    with collecting(folder / "now"):
        door(*events)
    return folder / "now"


def test_a_baseline_has_a_sorted_line_for_each_thing_that_was_taken(base: Path) -> None:
    assert base.read_text("utf-8").splitlines() == [
        "[taken]",
        '"Door" = [',
        '  "open -> shut on push",',
        '  "shut -> open on pull",',
        "]",
    ]


def test_what_is_lost_fails_and_is_named(base: Path, tmp_path: Path) -> None:
    done = cover("report", pushed(tmp_path, "push"), "--baseline", base)
    assert done.exit_code == 1
    assert done.stderr.splitlines() == [
        f"{base}: 1 of what it lists is no longer taken",
        "    Door: shut -> open on pull",
    ]


def test_what_is_gained_is_said_and_fails_nothing(base: Path, tmp_path: Path) -> None:
    done = cover("report", pushed(tmp_path, "push", "pull", "kick"), "--baseline", base)
    assert done.exit_code == 0
    assert "1 more is taken than it lists" in done.stderr
    assert f"'fsm cover combine -o {base}'" in done.stderr


def test_lines_of_two_branches_are_merged_by_keeping_all(base: Path, doors: Path) -> None:
    head, name, *lines, end = base.read_text("utf-8").splitlines()
    base.write_text("\n".join([head, name, *reversed(lines), *lines, end]), "utf-8")
    done = cover("report", doors, "--baseline", base)
    assert (done.exit_code, done.stderr) == (0, "")


def test_a_baseline_holds_any_name(names_from_outside: Path, tmp_path: Path) -> None:
    cover("combine", names_from_outside, "-o", tmp_path / "base.toml")
    done = cover("diff", tmp_path / "base.toml", names_from_outside)
    assert (done.exit_code, done.output) == (0, "0 lost, 0 gained\n")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<<<<<<< HEAD\n", "base.toml: "),
        ("[taken]\nDoor = 'x'\n", "base.toml: taken.Door: 'x' is not a list"),
        ("[token]\n", "'token' is not known here; did you mean 'taken'?"),
    ],
)
def test_a_damaged_baseline_names_the_place(
    doors: Path, tmp_path: Path, text: str, said: str
) -> None:
    (tmp_path / "base.toml").write_text(text, "utf-8")
    done = cover("report", doors, "--baseline", tmp_path / "base.toml")
    assert done.exit_code == 2 and said in done.stderr
