"""The rulebook watch: rulebooks of any making against what a ruleset cites, and one edition against
another.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from textwrap import fill

import pytest

from fsm.analysis.rulebook import RulebookComparison, RulebookError, RulebookReport, compare, report
from fsm.errors import FsmError
from fsm.model import Model, State
from fsm.rulesets import names
from support.amounts import sample
from support.counting import exponent, operations
from support.folders import ROOT
from support.madeuprules import BARN, CHECK_TOML, GAME, NOTES, book_of_words

SEEDS = sorted((ROOT.parent / "shared" / "seeds").glob("*.txt"))


@pytest.fixture
def file(tmp_path: Path) -> Callable[[str | bytes], Path]:
    """Write a file, and return its path."""

    def written(text: str | bytes) -> Path:
        path = tmp_path / f"rules{len(list(tmp_path.iterdir()))}.txt"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return written


Write = Callable[[str | bytes], Path]


def of_one(path: Path) -> RulebookReport:
    return report(GAME, path, NOTES)


def of_two(old: Path, new: Path) -> RulebookComparison:
    return compare(GAME, old, new, NOTES)


def told(found: RulebookComparison) -> list[tuple[str, str, str]]:
    """What happened to which number, of all rules."""
    every = [one.change for one in found.concerned] + list(found.others)
    return sorted(
        (change.kind + f" ({change.only})" * bool(change.only), change.old, change.new)
        for change in every
    )


def test_the_rules_of_a_book(file: Write) -> None:
    book = of_one(file(BARN)).book
    assert list(book.rules) == [
        "1", "100", "100.1", "2", "200", "200.1", "200.2", "200.2a", "200.3", "201", "201.1", "201.2", "201.3",
        "201.3a", "202", "202.1", "202.1a",
    ]  # fmt: skip
    assert (book.effective, book.twice) == ("March 3, 2031", ())
    assert book.rules["200"].text == "Morning"
    assert book.rules["201.3"].text == "Eggs stay in the basket."
    assert book.rules["202.1a"].text.endswith("puts it out at once."), "and nothing of the glossary"


def test_what_belongs_to_the_rule_above(file: Write) -> None:
    book = of_one(file(BARN)).book
    fed = "Every animal that is awake is fed, the smallest one first, unless rule 202.1. says that it is night."
    assert book.rules["201.1"].text == fed
    assert book.rules["202.1"].text == "The lamp is put out."
    assert book.rules["200.2a"].text.endswith("See rules 201.1 and 202.1.")
    assert book.rules["200.2a"].examples.count("Example: ") == 2


def test_what_nobody_cites_or_explains(file: Write) -> None:
    found = of_one(file(BARN))
    assert (found.cited, found.absent, found.sections) == (6, (), {})
    assert [rule.number for rule in found.uncited] == ["200.3", "201.3", "201.3a"]
    assert [rule.number for rule in found.below] == ["200.2a"], "200.2 is cited"
    assert found.good is False


def test_the_notes_beside_a_ruleset_are_read(file: Write, tmp_path: Path) -> None:
    (tmp_path / "barn.json").write_text(json.dumps(GAME.to_json()), "utf-8")
    (tmp_path / "barn.check.toml").write_text(CHECK_TOML, "utf-8")
    path = file(BARN)
    assert report(str(tmp_path / "barn.json"), path) == of_one(path)
    assert report(GAME, path).uncited == (), "without notes no section is known to be modelled"


def test_a_book_whose_rules_are_all_treated(file: Write) -> None:
    kept = ("200. ", "200.1", "200.2.", "201.1", "201.2", "202.1", "202.1a", "100.1")
    found = of_one(file("\n\n".join(line for line in BARN.splitlines() if line.startswith(kept))))
    assert (found.good, found.uncited, found.below) == (True, (), ())


def test_a_cited_rule_that_is_missing(file: Write) -> None:
    found = of_one(file(BARN.replace("202.1a Whoever", "202.2. Whoever")))
    assert [(use.number, use.by) for use in found.absent] == [
        ("202.1a", ("transition feed -> wake",))
    ]
    assert [rule.number for rule in found.uncited if rule.number.startswith("202")] == ["202.2"]


def test_sections_that_are_missing(file: Write) -> None:
    found = of_one(
        file(BARN.partition("201. Feeding\n\n201.1")[0].partition("100. General\n\n100.1")[2])
    )
    assert {section: [use.number for use in uses] for section, uses in found.sections.items()} == {
        "201": ["201.1"],
        "202": ["202.1", "202.1a"],
    }
    assert found.absent == ()
    assert found.sections["202"][0].by == ("transition feed -> wake [dark]", "fact dark")
    assert found.sections["202"][0].says == "the lamp"


VARIANTS: dict[str, Callable[[str], bytes]] = {
    "with a byte order mark": lambda text: text.encode("utf-8-sig"),
    "UTF-16": lambda text: text.encode("utf-16"),
    "Windows-1252": lambda text: text.encode("cp1252"),
    "CRLF": lambda text: text.replace("\n", "\r\n").encode(),
    "CR": lambda text: text.replace("\n", "\r").encode(),
    "straight quotes": lambda text: (
        text.replace("’", "'").replace("“", '"').replace("”", '"').encode()
    ),
    "other dashes": lambda text: text.replace(" — ", "--").encode(),
    "no-break spaces": lambda text: text.replace("the farmer", "the\xa0 farmer").encode(),
    "soft hyphens": lambda text: text.replace("basket", "bas\xadket").encode(),
    "no empty lines": lambda text: text.replace("\n\n", "\n").encode(),
    "Markdown": lambda text: text.replace(
        "\n200. Morning\n\n", "\n# 200. Morning\n\n---\n\n**200.** Morning\n\n"
    ).encode(),
    "a contents with pages": lambda text: text.replace(
        "201. Feeding\n202.", "201. Feeding ........ 12\n202.", 1
    ).encode(),
    "wrapped": lambda text: text.replace(" all of the ", " all\n   of the ").encode(),
}


@pytest.mark.parametrize("width", sample(range(20, 80), 8))
def test_how_lines_are_wrapped_does_not_matter(width: int, file: Write) -> None:
    wrapped = "\n".join(fill(line, width, break_on_hyphens=False) for line in BARN.splitlines())
    assert told(of_two(file(BARN), file(wrapped))) == []


@pytest.mark.parametrize("variant", VARIANTS)
def test_how_a_file_is_written_does_not_matter(variant: str, file: Write) -> None:
    found = of_two(file(BARN), file(VARIANTS[variant](BARN)))
    assert (told(found), found.good, found.kept) == ([], True, 17)


def test_capitals_matter(file: Write) -> None:
    assert told(of_two(file(BARN), file(BARN.replace("The lamp", "The Lamp")))) == [
        ("changed", "202.1", "202.1")
    ]


def test_a_section_with_a_new_number(file: Write) -> None:
    found = of_two(file(BARN), file(BARN.replace("202", "203")))
    assert told(found) == [
        ("renumbered", old, old.replace("202", "203")) for old in ("202", "202.1", "202.1a")
    ]
    assert found.good is False
    by = {one.change.old: one.use.by for one in found.concerned}
    assert by["202.1"] == ("transition feed -> wake [dark]", "fact dark")


def test_a_new_rule_moves_those_after_it(file: Write) -> None:
    new = BARN.replace("201.3", "201.4").replace(
        "201.4. Eggs", "201.3. Geese come last.\n\n201.4. Eggs"
    )
    found = of_two(file(BARN), file(new))
    assert told(found) == [
        ("came", "", "201.3"),
        ("renumbered", "201.3", "201.4"),
        ("renumbered", "201.3a", "201.4a"),
    ]
    assert all(one.modelled and not one.use.by for one in found.concerned)


def test_a_reference_that_leads_elsewhere_is_a_change(file: Write) -> None:
    found = of_two(file(BARN), file(BARN.replace("see rule 201.3", "see rule 201.2")))
    assert told(found) == [("changed (references)", "200.2", "200.2")]
    assert found.concerned[0].words == (("201.3,", "201.2,"),)


def test_a_reference_out_of_a_fragment_is_taken_as_most_of_its_like(file: Write) -> None:
    fragment = "\n\n".join(
        f"200.{n}. Rule {w} (see rule 614.10)." for n, w in enumerate(("one", "two", "three"), 1)
    )
    assert told(of_two(file(fragment), file(fragment.replace("614", "615")))) == []
    one = fragment.replace("614.10", "614.12", 1)
    assert told(of_two(file(fragment), file(one))) == [("changed (references)", "200.1", "200.1")]


def test_other_words(file: Write) -> None:
    found = of_two(file(BARN), file(BARN.replace("takes an egg", "takes two eggs")))
    assert told(found) == [("changed", "200.2", "200.2")]
    assert found.concerned[0].words == (("an egg", "two eggs"),)
    assert found.concerned[0].use.by == ("transition wake -> feed",)


def test_wholly_other_words_under_the_same_number(file: Write) -> None:
    assert told(
        of_two(file(BARN), file(BARN.replace("The cock may crow", "No noise is made before noon")))
    ) == [("changed", "200.3", "200.3")]


def test_other_examples(file: Write) -> None:
    found = of_two(file(BARN), file(BARN.replace("The hen has left.", "The hen is gone.")))
    assert told(found) == [("changed (examples)", "200.2a", "200.2a")]


def test_a_rule_with_a_new_number_and_slightly_other_words(file: Write) -> None:
    new = BARN.replace("200.3. The cock may crow.", "").replace(
        "202.1a Whoever still carries a lamp puts", "202.7. Whoever carries a lamp puts"
    )
    assert told(of_two(file(BARN), file(new))) == [
        ("renumbered and changed", "202.1a", "202.7"),
        ("went", "200.3", ""),
    ]


def test_the_same_words_in_two_places(file: Write) -> None:
    """As rules of two procedures that do the same: each goes with the rule above it."""
    twins = "".join(
        f"{n}. {title}\n\n{n}.1. First, {title}.\n\n{n}.1a Look around (see rule {n}.1b).\n\n{n}.1b Go on.\n\n"
        for n, title in ((200, "stand"), (201, "walk"), (203, "run"))
    )
    found = of_two(file(twins), file(twins.replace("203", "205").replace("201", "203")))
    expected = {"201": "203", "203": "205"}
    assert told(found) == [
        ("renumbered", f"{old}{rest}", f"{new}{rest}")
        for old, new in expected.items()
        for rest in ("", ".1", ".1a", ".1b")
    ]


def test_a_rule_is_found_by_those_below_it(file: Write) -> None:
    """There are no headings, and the rule above the same words has other words now."""
    old = "200.1. Stand up.\n\n200.1a Look.\n\n200.1b Stretch.\n\n200.2. Walk.\n\n200.2a Look.\n\n200.2b Do not run.\n"
    new = (
        "201.1. Sit.\n\n201.1a Look.\n\n201.1b Wait.\n\n201.2. Now one gets up.\n\n201.2a Look.\n\n201.2b Stretch.\n\n"
        "201.3. Walk.\n\n201.3a Look.\n\n201.3b Do not run.\n"
    )
    assert told(of_two(file(old), file(new))) == [
        ("came", "", "201.1"), ("came", "", "201.1a"), ("came", "", "201.1b"),
        ("renumbered", "200.1a", "201.2a"), ("renumbered", "200.1b", "201.2b"),
        ("renumbered", "200.2", "201.3"), ("renumbered", "200.2a", "201.3a"), ("renumbered", "200.2b", "201.3b"),
        ("renumbered and changed", "200.1", "201.2"),
    ]  # fmt: skip


def test_what_is_not_modelled_is_told_apart(file: Write) -> None:
    found = of_two(file(BARN), file(BARN.replace("two farmers", "two or three farmers")))
    assert (found.good, found.concerned, [change.old for change in found.others]) == (
        True,
        (),
        ["100.1"],
    )


def test_a_number_that_stands_there_twice_with_other_words(file: Write) -> None:
    book = of_one(file(BARN + "\n202.1. Every lamp in the barn is put out.")).book
    assert book.twice == ("202.1",)
    assert book.rules["202.1"].text == "Every lamp in the barn is put out."


WRONG = {
    b"": "no rule with a number was found; name the plain text of a rulebook, with rules such as '200.1'",
    b"Dear farmers,\nthere are 3 eggs.\n": "no rule with a number was found",
    b"%PDF-1.7\n200.1. Eggs": "is a PDF file; save its text as a .txt file and name that",
    b"PK\x03\x04 200.1": "is an office document or an archive; save its text",
    b"\x1f\x8b\x08": "is a compressed file; save its text",
    b"200.1. \x00\x01\x02": "is not text; name the plain text of a rulebook",
    b"<!DOCTYPE html><p>200.1. Eggs": "is a web page; open it in a browser, save what it shows as text",
    b"500.1. A turn.\n\n514.3a And so on.": "barn knows none of its rules, 500.1 to 514.3a; name the ruleset of this "
    "rulebook with --ruleset; this one cites Barn 2031, such as '200.1'",
}


@pytest.mark.parametrize("data", WRONG)
def test_a_wrong_file_is_one_clear_error(data: bytes, file: Write) -> None:
    path = file(data)
    with pytest.raises(RulebookError) as error:
        of_one(path)
    assert str(error.value).startswith(f"{path}: {WRONG[data]}")
    assert (error.value.place, bool(error.value.remedy)) == (str(path), True)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    for path, why in (
        (tmp_path, "this is a folder, not a file"),
        (tmp_path / "absent.txt", "No such file"),
    ):
        with pytest.raises(RulebookError, match=f"cannot be read \\({why}"):
            of_one(path)


def test_a_file_that_is_too_large(tmp_path: Path) -> None:
    path = tmp_path / "large.txt"
    with path.open("wb") as file:
        file.truncate(64 * 1024 * 1024 + 1)
    with pytest.raises(
        RulebookError, match="has more than 64 MB; name the plain text of a rulebook"
    ):
        of_one(path)


def test_a_second_file_needs_no_rule_that_is_cited(file: Write) -> None:
    found = of_two(file(BARN), file("500.1. A turn."))
    assert {change for change, *_ in told(found)} == {"went", "came"}


def test_a_ruleset_that_cites_nothing(file: Write) -> None:
    bare = Model(name="bare", initial="here", states=(State("here", "final"),), transitions=())
    with pytest.raises(
        RulebookError,
        match="bare cites no rule, so no rulebook can be held against it; name another",
    ):
        report(bare, file(BARN))


PAGES = """\
  • Contents
  • General Rules
    • General Rules - Ending the Game
    • Turn Order - End Phase
    • Turn Order - Main Phase
    • Combat Phase - Attacking and the Combat Phase
On this page
Export as PDF
  1. Game Mechanics
  2. Game Mechanics - Turn Order

Turn Order - End Phase

This is the last phase.

General Rules

  1. Whatever waits goes onto the pile.
    1. What comes late waits.
    2. What comes too late waits longer.
  2. All may act.

And they may act again.

  3. Everybody tidies up.

PreviousTurn Order - Main PhaseNextTurn Order - Combat Phase

Last updated 3 months ago

Turn Order - Main Phase
1. It begins.
2. It goes on.

Special rounds
1. They are rare.

Timing and Permissions
Opportunity
1. It is what lets people act.
1.2. It is given in turn.
"""


def test_pages_with_numbered_lists(file: Write) -> None:
    found = report("grand-archive", file(PAGES))
    rules = found.book.rules
    assert [number for number in rules if rules[number].text] == [
        "End Phase", "End Phase GR1", "End Phase GR1.1", "End Phase GR1.2", "End Phase GR2", "End Phase GR3",
        "Main GR1", "Main GR2", "Special rounds 1", "Opportunity 1", "Opportunity 1.2",
    ]  # fmt: skip
    assert rules["End Phase GR2"].text == "All may act. And they may act again."
    assert rules["End Phase GR3"].text == "Everybody tidies up."
    assert rules["Main GR2"].text == "It goes on."
    assert [use.number for use in found.absent] == [
        "End Phase GR4", "Opportunity 4", "Opportunity 7", "Opportunity 8", "Opportunity 8.1", "Opportunity 9",
        "Opportunity 11",
    ]  # fmt: skip
    assert [rule.number for rule in found.below] == ["End Phase GR1.2"], "the notes explain GR1.1"


def test_two_editions_of_pages(file: Write) -> None:
    new = PAGES.replace("  3. Everybody", "  3. Nobody talks.\n  4. Everybody").replace(
        "3 months ago", "4 months ago"
    )
    found = compare("grand-archive", file(PAGES), file(new))
    assert told(found) == [
        ("came", "", "End Phase GR3"),
        ("renumbered", "End Phase GR3", "End Phase GR4"),
    ]
    [moved] = [one for one in found.concerned if one.use.by]
    assert any(part.startswith("transition ") for part in moved.use.by)


@pytest.mark.parametrize("ruleset", sample(names(), 2))
def test_a_wrong_kind_of_rulebook(ruleset: str, file: Write) -> None:
    pages = ruleset == "grand-archive"
    with pytest.raises(FsmError, match=r"no rule with a number was found|knows none of its rules"):
        report(
            ruleset, file("900000 eggs\n" if pages else "Turn Order - End Phase\n\nIt is short.\n")
        )


def test_the_cost_grows_as_the_file_does(file: Write) -> None:
    old = {sections: file(book_of_words(sections)) for sections in (8, 24)}
    new = {sections: file(book_of_words(sections, first=201)) for sections in old}
    other = {sections: file(book_of_words(sections, seed=2)) for sections in old}
    costs = [
        {n: operations(partial(of_one, old[n])) for n in old},
        {n: operations(partial(of_two, old[n], new[n])) for n in old},
        {n: operations(partial(of_two, old[n], other[n])) for n in old},
    ]
    assert max(map(exponent, costs)) < 1.1


@pytest.mark.skipif(not SEEDS, reason="the documents of the user are not here")
def test_the_documents_of_the_user() -> None:
    """They are fragments: what of the ruleset's sections is in them is all there, and is cited or
    explained.
    """
    expected = {
        "000": ("magic", 16, []),
        "002": ("magic-classic", 33, ["310.1"]),
        "003": ("magic", 14, ["500.5a"]),
        "004": ("grand-archive?edition=OLD", 4, []),
    }
    for path in SEEDS:
        ruleset, rules, absent = expected.get(path.name[:3], ("magic-2010", 0, []))
        if not rules:
            with pytest.raises(RulebookError, match="no rule with a number was found"):
                report(ruleset, path)
            continue
        found = report(ruleset, path)
        assert (len(found.book.rules), [use.number for use in found.absent]) == (rules, absent)
        assert (found.uncited, found.below, found.book.twice) == ((), (), ())
