"""Graphviz's drawing of a placed view against our own: the same boxes and arrow ends, within a
point.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

import fsm
from fsm.errors import DrawError
from fsm.rulesets import names
from fsm.views.drawing import draw, views_of
from support.amounts import THOROUGH, thorough
from support.drawnsvg import SVG
from support.inventedgames import tangle
from support.processes import Process, started

Point = tuple[float, float]
CLOSE = 1.0
MITER = 1.513
"""How far the stroke of an arrow head reaches beyond its corner, in widths of the stroke: the head
is 7.5 by 5.25.
"""
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def some_views(name: str) -> list[str]:
    """One view of each kind; every view in the thorough tests."""
    views = views_of(fsm.load(name))
    first = {view.partition(":")[0]: view for view in reversed(views)}
    return list(views) if THOROUGH else [view for view in views if view in first.values()]


VIEWS = [
    pytest.param(name, view, id=f"{name}-{view}") for name in names() for view in some_views(name)
]


def groups(svg: str) -> dict[str, ET.Element]:
    """The parts of a picture by id: boxes, nodes and lines."""
    return {
        g.get("id", ""): g
        for g in ET.fromstring(svg).iter(f"{SVG}g")
        if re.match(r"[bne]\d+$", g.get("id", ""))
    }


def corners(shape: ET.Element) -> list[Point]:
    tag, number = (
        shape.tag.removeprefix(SVG),
        {k: float(v) for k, v in shape.attrib.items() if _NUMBER.fullmatch(v)},
    )
    if tag == "rect":
        x, y = number["x"], number["y"]
        return [(x, y), (x + number["width"], y + number["height"])]
    if tag in ("circle", "ellipse"):
        x, y, r = number["cx"], number["cy"], number["r" if tag == "circle" else "rx"]
        return [(x - r, y - r), (x + r, y + r)]
    numbers = [float(n) for n in _NUMBER.findall(shape.get("points") or shape.get("d") or "")]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def shapes(group: ET.Element, *tags: str) -> list[ET.Element]:
    return [
        e for e in group.iter() if e.tag.removeprefix(SVG) in tags and e.get("stroke") != "none"
    ]


def area(group: ET.Element) -> tuple[float, ...]:
    """Left, top, right, bottom of all shapes of a node or box."""
    found = [
        p
        for shape in shapes(group, "rect", "circle", "ellipse", "polygon", "path")
        for p in corners(shape)
    ]
    (xs, ys) = zip(*found, strict=True) if found else ((), ())
    return (min(xs), min(ys), max(xs), max(ys)) if found else ()


def ends(group: ET.Element) -> list[Point]:
    """Where an arrow ends: the corner of its head, and where its stroke ends; of a line without
    head, its end.
    """
    heads = shapes(group, "polygon")
    if not heads:
        return [corners(path)[-1] for path in shapes(group, "path")[:1]]
    a, b, c = corners(heads[-1])[:3]
    base, tip = min(((a, b), c), ((b, c), a), ((c, a), b), key=lambda pair: _apart(*pair[0]))
    back = (base[0][0] + base[1][0]) / 2, (base[0][1] + base[1][1]) / 2
    long = MITER * float(heads[-1].get("stroke-width", "1")) / _apart(back, tip)
    return [tip, (tip[0] + (tip[0] - back[0]) * long, tip[1] + (tip[1] - back[1]) * long)]


def _apart(a: Point, b: Point) -> float:
    return float(((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5)


def differences(own: str, other: str) -> list[str]:
    """What is elsewhere in Graphviz's drawing, once both lie on each other with the first box or
    node.
    """
    here, there = groups(own), groups(other)
    assert here.keys() == there.keys()
    solid = [id for id in here if id[0] in "bn" and area(here[id])]
    (left, top, *_), (x, y, *_) = area(here[solid[0]]), area(there[solid[0]])
    across, down = left - x, top - y
    found = []
    for id in solid:
        moved = [v + (down if i % 2 else across) for i, v in enumerate(area(there[id]))]
        if max(abs(a - b) for a, b in zip(area(here[id]), moved, strict=True)) > CLOSE:
            found.append(f"{id}: {area(here[id])} is at {moved}")
    for id in (id for id in here if id[0] == "e"):
        # Graphviz before 10 puts the corner of a head where the line ends, later ones the end of
        # its stroke, as we do.
        tip, *others = ends(here[id])[-1], *((x + across, y + down) for x, y in ends(there[id]))
        if min(_apart(tip, end) for end in others) > CLOSE:
            found.append(f"{id}: ends at {tip}, or at {others}")
    return found


@pytest.mark.parametrize(("name", "view"), VIEWS)
def test_boxes_and_arrow_ends_are_where_graphviz_draws_them(name: str, view: str) -> None:
    model = fsm.load(name)
    own, other = draw(model, view=view), draw(model, view=view, engine="graphviz")
    assert len(groups(own)) > 2
    assert differences(own, other) == []


def test_a_picture_that_differs_is_told_apart() -> None:
    own = draw(fsm.load("magic"))
    first = next(iter(re.findall(r'<rect x="(\S+)" y="\S+" width="\S+" height="\S+" rx', own)))
    assert differences(own, own) == []
    assert differences(own, own.replace(f'x="{first}"', f'x="{float(first) + 2}"', 1))


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({"format": "png"}, r"png \(a picture\) has no engine: leave it out"),
        ({"format": "atlas"}, "atlas .* has no engine"),
        ({"link": "https://example.org/{rule}"}, "Graphviz draws no links to rules"),
    ],
)
def test_where_graphviz_makes_no_sense_it_is_refused(wanted: dict[str, Any], said: str) -> None:
    with pytest.raises(DrawError, match=said):
        draw(fsm.load("magic"), engine="graphviz", **wanted)


def test_an_unknown_engine_is_refused() -> None:
    with pytest.raises(DrawError, match="engine 'graphvis' is unknown; did you mean 'graphviz'"):
        draw(tangle(4), engine="graphvis")


# Graphviz as WebAssembly --------------------------------------------------------------------------


def drawn_without_dot(cache: Path) -> AbstractContextManager[Process]:
    """A new process that draws what Graphviz must lay out, with no program but Python, and says
    where the cache is.
    """
    code = "from support.inventedgames import tangle; from fsm.views.drawing import draw; print(draw(tangle(20)))"
    kept = {
        name: os.environ[name]
        for name in ("SYSTEMROOT", "HOME", "USERPROFILE")
        if name in os.environ
    }
    env = {
        **kept,
        "PATH": "",
        "XDG_CACHE_HOME": str(cache),
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    return started([sys.executable, "-c", code], env=env)


@pytest.mark.skipif(sys.platform != "linux", reason="the cache is elsewhere")
@thorough
def test_processes_share_the_compiled_graphviz_and_do_without_it(tmp_path: Path) -> None:
    """Three at the same time with a cache; then one whose cache folder cannot be made."""
    shared, file = tmp_path / "shared", tmp_path / "file"
    shared.mkdir()
    file.write_text("no folder")
    with ExitStack() as stack:
        caches = (shared, shared, shared, file)
        drawing = [stack.enter_context(drawn_without_dot(cache)) for cache in caches]
        assert [process.wait() for process in drawing] == [0] * 4
        assert [process.stderr for process in drawing] == [""] * 4
        [picture] = {process.stdout for process in drawing}
    assert picture.startswith("<svg")
    assert [path for path in shared.rglob("*") if path.stat().st_size > 100_000]
    assert file.read_text() == "no folder"
    assert sorted(tmp_path.iterdir()) == [file, shared]


def test_the_system_s_graphviz_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program called dot that says where it was found."""
    program = shutil.which("dot")
    if program is None or sys.platform == "win32":
        pytest.skip("no program dot to stand behind")
    (tmp_path / "dot").write_text(f'#!/bin/sh\ntouch {tmp_path}/asked\nexec {program} "$@"\n')
    (tmp_path / "dot").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    assert draw(tangle(20)).startswith("<svg")
    assert (tmp_path / "asked").exists()
