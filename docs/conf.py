"""How Sphinx builds the documentation site: `tox run -e docs`, or `sphinx-build -c docs .
build/site`.

The source folder is the repository, not `docs`: then pages such as CHANGELOG.md and the gallery are
part of the site as they stand, and every link that works on GitHub works here. `homepage.py` has
what is computed while the site is built.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import fsm

sys.path.insert(0, str(Path(__file__).parent))
from homepage import COMBAT, copy_gallery, sizes, write_pages, write_pictures

project = "turn-fsm"
author = "the turn-fsm authors"
version = release = fsm.__version__
language = "en"
smartquotes_action = "D"  # dashes; quotes stay as they are typed
html_show_copyright = False

extensions = [
    "myst_parser",  # reads Markdown
    "sphinx.ext.autodoc",  # the reference of the Python interface, from its docstrings
    "sphinx.ext.napoleon",  # reads the sections of these docstrings
    "sphinx_copybutton",  # copies code without its prompts
]
root_doc = "docs/index"
# Sphinx walks the whole source folder. It does not enter what is excluded.
include_patterns = [
    *("docs/**.md", "diagrams/README.md", "examples/*/README.md", "fsm/**/README.md"),
    "[B-Z]*.md",
]
exclude_patterns = [".*", "build", "dist", "tests", "benchmarks", "README.md", "**/node_modules"]
suppress_warnings = ["myst.header", "ref.python"]  # small headings after a title; two classes of one name
nitpicky = True
default_role = "code"  # `single backticks` in docstrings are code
nitpick_ignore_regex = [  # types in signatures: of the standard library, which this site has not, or private
    ("py:class", r".*"),
    ("py:exc", r"(?!fsm\.).*"),
    ("py:obj", r"(typing|collections)\..*"),
]

myst_enable_extensions = ["attrs_block", "attrs_inline", "colon_fence", "substitution"]
myst_substitutions = {"size": sizes(), "combat": COMBAT}
myst_heading_anchors = 4  # links to headings work as on GitHub

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
napoleon_google_docstring = False
napoleon_use_ivar = True
napoleon_use_rtype = False
maximum_signature_line_length = 88
python_use_unqualified_type_names = True
add_module_names = False

copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
copybutton_only_copy_prompt_lines = False

html_theme = "furo"
pygments_style, pygments_dark_style = "default", "github-dark"
html_title = "turn-fsm"
html_static_path = ["_static"]
html_extra_path = ["llms.txt"]
templates_path = ["_templates"]
html_css_files = ["site.css"]
html_favicon = "_static/logo.svg"
html_copy_source = False
html_show_sourcelink = False
html_show_search_summary = False  # a page that was opened as a file may not read others
html_permalinks_icon = "#"
SECTIONS = {
    "docs/tutorials/first-game": "Tutorials",
    "docs/how-to/index": "How-to",
    "docs/reference/index": "Reference",
    "docs/explanation/index": "Explanation",
    "diagrams/README": "Gallery",
    "docs/architecture": "Contribute",
}
html_context = {"sections": SECTIONS}
FONTS = {
    "font-stack": 'Helvetica, Arial, "Liberation Sans", "DejaVu Sans", sans-serif',
    "font-stack--monospace": '"Liberation Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace',
}


def colours(ink: str, muted: str, go: str, paper: str, soft: str, rule: str) -> dict[str, str]:
    """Return the colours of the theme, by the names of the palette that the pictures have."""
    return {
        **dict.fromkeys(("color-brand-primary", "color-foreground-primary"), ink),
        **dict.fromkeys(("color-foreground-secondary", "color-foreground-muted"), muted),
        **dict.fromkeys(("color-brand-content", "color-brand-visited", "color-link", "color-link--visited"), go),
        "color-background-primary": paper,
        "color-background-secondary": soft,
        "color-code-background": soft,
        "color-background-border": rule,
    }


html_theme_options = {
    "light_css_variables": FONTS | colours("#1B1F24", "#57606A", "#0969DA", "#FFFFFF", "#F6F8FA", "#D0D7DE"),
    "dark_css_variables": colours("#E6EDF3", "#9DA7B3", "#79B8FF", "#0D1117", "#12171E", "#3D444D"),
    "top_of_page_buttons": [],
}

PICTURE = re.compile(
    r'(?:<a href="[^"]+">)?<picture>\s*<source media="\(prefers-color-scheme: dark\)" srcset="(?P<dark>[^"]+)">'
    r'\s*<img alt="(?P<alt>[^"]*)" src="(?P<light>[^"]+)">\s*</picture>(?:</a>)?'
)


def _both(found: re.Match[str]) -> str:
    """Return a picture for light and for dark paper."""
    return "\n".join(f"![{found['alt']}]({found[paper]}){{.only-{paper}}}" for paper in ("light", "dark"))


SOUGHT = {
    "docs/install": ("install", "pip", "version"),
    "docs/faq": ("board game", "which games"),
    "docs/tutorials/first-game": ("tutorial", "first game", "getting started"),
    "docs/tutorials/program": ("example",),
    "docs/cookbook": ("extra turn", "extra combat", "skip", "end the turn", "effect", "until your next turn"),
    "docs/recipes": ("auction", "worker placement", "simultaneous", "alternating", "yu-gi-oh", "pokemon"),
    "docs/how-to/saving": ("save", "save game", "load game", "snapshot", "undo", "redo", "look ahead"),
    "docs/how-to/hosts": ("host", "asyncio", "timeout", "time limit", "auto pass", "wrapper"),
    "docs/how-to/panel": ("panel", "button", "live page", "watch", "possible"),
    "docs/how-to/server": ("server", "json", "websocket", "database", "many games", "migrate"),
    "docs/how-to/tests": ("generate tests", "mutation", "paths"),
    "docs/reference/tables": ("table", "guard", "window"),
    "docs/checking": ("bounds", "proof", "property"),
}
"""What readers look for, and the page that a search for it finds first."""


def read_as_github(app: Any, page: str, source: list[str]) -> None:
    """Write pictures for light and dark paper, which GitHub reads as HTML, as MyST reads it. Add what
    the search finds a page by.
    """
    text = PICTURE.sub(_both, source[0])
    if page in SOUGHT:
        words = ", ".join(f"! {word}" for word in SOUGHT[page])
        text = text.replace("\n\n", f"\n\n```{{index}} {words}\n```\n\n", 1)
    source[0] = text


def mark_section(app: Any, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Tell the template in which section of the bar a page is."""
    parents = {child: parent for parent, children in app.env.toctree_includes.items() for child in children}
    within = {page}
    while page in parents:
        page = parents[page]
        within.add(page)
    context["within"] = within


def finish(app: Any, error: Exception | None) -> None:
    """Add what is no page of Sphinx."""
    if error is None and app.builder.name == "html":
        write_pages(Path(app.outdir))
        write_pictures(Path(app.outdir, "_static"))
        copy_gallery(Path(app.outdir, "diagrams"))


def setup(app: Any) -> dict[str, bool]:
    """Connect the functions of this file with Sphinx."""
    app.connect("source-read", read_as_github)
    app.connect("html-page-context", mark_section)
    app.connect("build-finished", finish)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
