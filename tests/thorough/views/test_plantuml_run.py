"""PlantUML accepts every view and overlay, and draws the titles and labels."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path
from xml.etree import ElementTree as ET

import fsm
from fsm.views.drawing.options import DrawOptions
from fsm.views.drawing.plantuml import plantuml
from fsm.views.drawing.textview import text_view
from fsm.wording import plain
from support.hostilemodels import HOSTILE, hostile
from support.inventedgames import towns
from support.manyviews import OVERLAYS, every_view
from support.tools import tool

MAGIC = fsm.load("magic")


def judged(
    folder: Path, texts: Mapping[str, str], *options: str
) -> subprocess.CompletedProcess[str]:
    """What one process says of all these texts."""
    for name, text in texts.items():
        (folder / f"{name}.puml").write_text(text, encoding="utf-8")
    command = [
        tool("plantuml"),
        "-charset",
        "UTF-8",
        *options,
        *(str(folder / f"{name}.puml") for name in texts),
    ]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)


def said(picture: Path) -> str:
    """The words of a picture, in the order in which they stand there."""
    texts = [e.text or "" for e in ET.parse(picture).iter("{http://www.w3.org/2000/svg}text")]
    return " ".join(" ".join(texts).replace("\N{WORD JOINER}", "").split())


def test_plantuml_accepts_every_view_and_overlay(tmp_path: Path) -> None:
    texts = {
        f"view{i}": plantuml(model, options) for i, (_, model, options) in enumerate(every_view())
    }
    texts |= {
        f"overlay{i}": plantuml(MAGIC, options) for i, options in enumerate(OVERLAYS.values())
    }
    done = judged(tmp_path, texts, "-checkonly", "-failfast2")
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    assert len(texts) > 30


def test_plantuml_refuses_a_broken_text(tmp_path: Path) -> None:
    done = judged(
        tmp_path,
        {"broken": plantuml(MAGIC, DrawOptions()).replace("state ", "sta te ", 1)},
        "-tsvg",
        "-failfast2",
    )
    assert done.returncode != 0


def test_plantuml_draws_titles_and_labels(tmp_path: Path) -> None:
    models = {"magic": MAGIC, "towns": towns(), "hostile": hostile()}
    done = judged(
        tmp_path,
        {name: plantuml(model, DrawOptions()) for name, model in models.items()},
        "-tsvg",
        "-failfast2",
    )
    assert (done.returncode, done.stderr) == (0, "")
    for name, model in models.items():
        words, diagram = said(tmp_path / f"{name}.svg"), text_view(model, DrawOptions()).diagram
        titles = [n.title for n in diagram.nodes if n.kind not in ("choice", "lookup")]
        titles += [box.title for box in diagram.boxes]
        assert [title for title in titles if title not in words] == [], name
    words = said(tmp_path / "hostile.svg")
    assert [word for word in HOSTILE if plain(word) not in words] == []
