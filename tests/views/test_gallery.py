"""The gallery in `diagrams/` shows the models as they are; renderers may differ by a few points."""

from __future__ import annotations

import importlib.util
import re
from functools import cache
from types import ModuleType

import pytest

from support.drawnsvg import read
from support.folders import ROOT

GALLERY = ROOT / "diagrams"
KEPT = sorted(
    path.relative_to(GALLERY).as_posix()
    for path in GALLERY.rglob("*")
    if path.suffix in (".svg", ".mmd")
)
TOLERANCE = 3.0


@cache
def drawing() -> ModuleType:
    spec = importlib.util.spec_from_file_location("gallery_drawing", GALLERY / "draw.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def drawn() -> dict[str, str]:
    return dict(drawing().gallery())


def test_it_has_every_picture_and_no_other() -> None:
    assert sorted(drawn()) == sorted([*KEPT, "README.md"]), "run python diagrams/draw.py"


@pytest.mark.parametrize(
    "path", [path for path in KEPT if path.endswith(".svg") and "timeline" not in path]
)
def test_a_picture_is_of_the_model_as_it_is(path: str) -> None:
    kept, now = read((GALLERY / path).read_text("utf-8")), read(drawn()[path])
    assert kept.words == now.words, "run python diagrams/draw.py"
    assert sorted(kept.tooltips) == sorted(now.tooltips), "run python diagrams/draw.py"
    assert len(kept.lines) == len(now.lines)
    for (words, old), (_, new) in zip(kept.texts, now.texts, strict=True):
        assert max(abs(a - b) for a, b in zip(old, new, strict=True)) <= TOLERANCE, (
            f"{words!r} has moved"
        )
    for old, new in zip(sorted(kept.boxes), sorted(now.boxes), strict=True):
        assert max(abs(a - b) for a, b in zip(old, new, strict=True)) <= TOLERANCE, (
            "a box has moved"
        )


@pytest.mark.parametrize(
    "path", [path for path in KEPT if path.endswith(".mmd") or "timeline" in path]
)
def test_what_needs_no_renderer_is_the_same_to_the_letter(path: str) -> None:
    assert (GALLERY / path).read_text("utf-8") == drawn()[path], "run python diagrams/draw.py"


def test_the_index_shows_every_picture() -> None:
    index = (GALLERY / "README.md").read_text("utf-8")
    assert index == drawn()["README.md"], "run python diagrams/draw.py"
    assert set(re.findall(r'<a href="([^"]+)"', index)) == {
        p for p in KEPT if re.search(r"(?<!-dark)\.svg$", p)
    }
    linked = set(re.findall(r'(?:srcset|src)="([^"]+)"', index)) | set(
        re.findall(r"\]\(([^)#]+)\)", index)
    )
    assert linked == set(KEPT)
