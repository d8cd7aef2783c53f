"""Citations as links: each cited rule in a picture leads to where it can be read, by the user's own
URL pattern.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from urllib.parse import quote, urlsplit
from xml.etree import ElementTree as ET

from fsm.errors import DrawError
from fsm.views.drawing.measures import CITATION
from fsm.views.drawing.placed import Placed

RULE = "{rule}"
_CITED = f"{CITATION:g}"
_SPACE = re.compile(r"[\s\x00-\x1f\x7f]")


def link_rules(root: ET.Element, placed: Placed, pattern: str) -> None:
    """Make the citations of a picture links, and each node with a rule one.

    `root` is the picture of the same placed diagram; `pattern` is a web address with "{rule}" where
    the number goes, such as "https://example.org/cr#{rule}". Raises DrawError for any other
    pattern.
    """
    check_pattern(pattern)
    rules = dict(_rules(placed))
    for holder in [root, *root.iter("g")]:
        for place, child in enumerate(list(holder)):
            found = rules.get(child.get("id", "")) if child.tag == "g" else None
            if found:
                holder[place] = _linked(child, found, pattern)


def check_pattern(pattern: str) -> None:
    """Raises DrawError unless this is an http or https address with "{rule}" in it."""
    try:
        parts = urlsplit(pattern.replace(RULE, "1"))
        good = (
            parts.scheme in ("http", "https")
            and bool(parts.hostname)
            and not _SPACE.search(pattern)
        )
    except ValueError:
        good = False
    if not good or RULE not in pattern.partition("//")[2].partition("/")[2]:
        raise DrawError(
            f"link {pattern!r} is no pattern for citations; write a web address with {RULE} in it, such as "
            f"https://example.org/rules#{RULE}"
        )


def address(pattern: str, rule: str) -> str:
    """Where a rule can be read."""
    return pattern.replace(RULE, quote(rule, safe=""))


def _rules(placed: Placed) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What each group of the picture cites, by its id there."""
    parts: list[tuple[str, str]] = [(f"n{i}", n.node.rule) for i, n in enumerate(placed.nodes)]
    parts += [(f"b{i}", b.box.rule) for i, b in enumerate(placed.boxes)]
    parts += [(f"e{i}", line.line.rule) for i, line in enumerate(placed.lines)]
    for id, rule in parts:
        if rule:
            yield id, tuple(part.strip() for part in rule.split(","))


def _linked(group: ET.Element, rules: Sequence[str], pattern: str) -> ET.Element:
    """A node leads to its rule as a whole; of a box or line only the citation does."""
    if group.get("id", "").startswith("n"):
        made = _link(rules[0], pattern)
        made.append(group)
        return made
    for text in group.findall("text"):
        if text.get("font-size") == _CITED and text.text:
            said, text.text = text.text, None
            _append(text, said, rules, pattern)
    return group


def _append(holder: ET.Element, said: str, rules: Sequence[str], pattern: str) -> None:
    """The words of a citation, with a link around each part between commas."""
    for number, part in enumerate(said.split(", ")):
        made = _link(_meant(part.strip(" ,…"), rules), pattern)
        made.text = part
        if number:
            holder[-1].tail = ", "
        holder.append(made)


def _meant(part: str, rules: Sequence[str]) -> str:
    """The rule that a part of a citation stands for: a long one may be broken over two lines."""
    return next(
        (rule for rule in rules if rule == part),
        next((r for r in rules if part and part in r), rules[0]),
    )


def _link(rule: str, pattern: str) -> ET.Element:
    return ET.Element("a", {"href": address(pattern, rule)})
