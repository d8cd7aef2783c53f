"""The explorer in a real browser: opened from disk, with the network off, watched for whatever it
should not do.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from support.tools import package, tool

QUIET = ("background-networking", "component-update", "sync", "gpu", "quic")
ARGS = ["--no-sandbox", "--no-first-run", *(f"--disable-{name}" for name in QUIET)]
DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
LAPTOP: dict[str, Any] = {"viewport": {"width": 1366, "height": 768}}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
}
CONTRASTS = """(svg) => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgb = (colour, under) => {
    canvas.fillStyle = under; canvas.fillRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = (colour) => colour.map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0);
  const paper = getComputedStyle(document.body).backgroundColor, shapes = [], found = [];
  for (const one of svg.querySelectorAll("rect,path,polygon,circle,ellipse,text")) {
    const style = getComputedStyle(one);
    if (!one.checkVisibility()) continue;
    if (one.tagName !== "text") { if (style.fill !== "none") shapes.push([one, style.fill]); continue; }
    const box = one.getBBox(), inside = one.getScreenCTM();
    const middle = new DOMPoint(box.x + box.width / 2, box.y + box.height / 2).matrixTransform(inside);
    const isOver = ([shape]) => shape.isPointInFill(middle.matrixTransform(shape.getScreenCTM().inverse()));
    const under = shapes.filter(isOver)
      .reduce((below, [, fill]) => `rgb(${rgb(fill, below)})`, paper);
    const [high, low] = [light(rgb(style.fill, under)), light(rgb("#0000", under))].sort((a, b) => b - a);
    found.push([(high + 0.05) / (low + 0.05), one.textContent]);
  }
  return found.sort(([a], [b]) => a - b);
}"""
"""The contrasts of the texts of a picture with what is painted under them, which axe cannot tell:
least first.
"""
SHORT = 5_000
"""Milliseconds that anything on the page may take to appear."""


def violations(page: Any) -> list[tuple[str, list[str]]]:
    """What axe finds on a page, and where."""
    axe = package("axe_playwright_python.sync_playwright").Axe()
    found = axe.run(page).response["violations"]
    return [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in found]


@contextmanager
def chromium(environment: dict[str, str] | None = None) -> Iterator[Any]:
    """A running Chromium, with these variables besides; skips the test where it, or Playwright, is
    not there.
    """
    program = tool("chromium", "chromium-browser", "google-chrome")
    with package("playwright.sync_api").sync_playwright() as playwright:
        variables = {**os.environ, **(environment or {})}
        browser = playwright.chromium.launch(executable_path=program, args=ARGS, env=variables)
        try:
            yield browser
        finally:
            browser.close()


class Visitor:
    """Somebody who has the page open. `asked` is every address the browser asked for, `wrong` all
    that went wrong.
    """

    def __init__(
        self, browser: Any, file: Path, *, hash: str = "", level: str = "newcomer", **context: Any
    ) -> None:
        self.context = browser.new_context(**(context or DESKTOP))
        self.context.set_offline(True)
        self.page = self.context.new_page()
        self.page.set_default_timeout(SHORT)
        self.asked: list[str] = []
        self.wrong: list[str] = []
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on(
            "console",
            lambda message: self.wrong.append(message.text) if message.type == "error" else None,
        )
        self.page.on("dialog", self._dismiss)
        self.address = file.resolve().as_uri()
        self.page.goto(self.address + hash)
        self.page.wait_for_selector("html[data-ready]", state="attached")
        if level != "newcomer":
            self.page.evaluate(f"document.querySelector('[name=level][value={level}]').click()")

    def _dismiss(self, dialog: Any) -> None:
        self.wrong.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def close(self) -> None:
        """Close the page; nothing may have gone wrong, nothing may have been asked for but the
        file.
        """
        asked = {url.partition("#")[0] for url in self.asked}
        self.context.close()
        assert self.wrong == []
        assert asked == {self.address}

    # what the visitor reads

    def text(self, selector: str) -> str:
        """The text of one element, in one line."""
        return " ".join(self.page.locator(selector).inner_text().split())

    def _texts(self, selector: str) -> list[str]:
        """The text of each element, in one line."""
        return [" ".join(words.split()) for words in self.page.locator(selector).all_inner_texts()]

    @property
    def now(self) -> str:
        """What the page says of where the game stands."""
        return self.text("#now")

    @property
    def place(self) -> str:
        """The step that the page says the game is in."""
        return self.text("#now strong")

    @property
    def moves(self) -> list[str]:
        """What can happen."""
        return self._texts("#moves .move .text")

    @property
    def closed(self) -> list[str]:
        """What cannot happen, and why."""
        return self._texts("#moves .closed .text")

    @property
    def ways(self) -> list[str]:
        """The open ways of a newcomer, by their titles."""
        return self._texts("#moves .move strong")

    @property
    def path(self) -> list[str]:
        """How the game got here: turns, steps, what was skipped."""
        found = self.page.locator("#path button").all_text_contents()
        return [words.partition(". ")[2] or words for words in found]

    @property
    def problem(self) -> str:
        """What the page complains of, "" when it does not."""
        return self.text("#problem span") if self.page.locator("#problem").is_visible() else ""

    # what the visitor does

    def press(self, button: str) -> None:
        """Press the button with this id."""
        self.page.click(f"#{button}")

    def way(self, title: str) -> None:
        """Take the way whose title has these words."""
        self.page.locator("#moves .move", has_text=title).click()

    def until(self, place: str, most: int = 80) -> None:
        """Go on with what comes first until the game is in this step."""
        for _ in range(most):
            if self.place == place:
                return
            self.press("step")
        raise AssertionError(f"{place} did not come; the page stands at {self.now}")
