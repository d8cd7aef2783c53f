"""Pictures in other words: a user's table for the model's words and for those that pictures say by
themselves.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

import fsm
from fsm.model import Model
from fsm.rulesets import names
from fsm.views.drawing.endingview import ending_views
from fsm.views.drawing.fixedwords import FIXED, IN_LEGENDS
from fsm.views.drawing.options import Counts, DrawOptions, Now, OverlayOption
from fsm.views.drawing.pipeline import svg
from fsm.views.drawing.stages import stage_views
from fsm.views.drawing.translating import TranslationError, carried, load_words, translated
from support.drawnsvg import collisions, read
from support.inventedgames import towns

MAGIC = fsm.load("magic")
GERMAN = {
    "Upkeep": "Versorgung",
    "declare_attackers_step": "Angreifer deklarieren",
    "attackers_declared": "Angreifer deklariert",
    "combat_under_way": "Kampf läuft",
    "end_turn": "Zugende",
    "an effect ends the turn": "ein Effekt beendet den Zug",
    "else": "sonst",
    "not": "nicht",
    "from any step": "aus jedem Segment",
    "Small numbers cite the rule.": "Kleine Zahlen nennen die Regel.",
    "small numbers cite them": "kleine Zahlen nennen sie",
    "a creature attacks": "eine Kreatur greift an",
    "cut short": "abgebrochen",
    "turn begins": "Zug beginnt",
}
GERMANY = translated(MAGIC, GERMAN)


def words(model: Model, view: str = "turn") -> list[str]:
    return read(svg(model, DrawOptions(view))).words


def test_labels_facts_and_fixed_words_are_the_user_s() -> None:
    said = words(GERMANY)
    assert {"Angreifer deklarieren", "Zug beginnt", "abgebrochen", "eine Kreatur greift an"} <= {
        text.lstrip("●○") for text in said
    }
    assert any("Versorgung" in text for text in said)
    assert any("kleine Zahlen nennen sie" in text for text in said)
    assert not {"Upkeep", "Declare attackers", "turn begins"} & set(said)


def test_rows_of_an_ending_are_the_user_s() -> None:
    said = words(GERMANY, ending_views(GERMANY)[0])
    assert ending_views(GERMANY)[0] == "ending:Zugende"
    assert {"2 [Kampf läuft]", "3 sonst", "aus jedem Segment"} <= set(said)
    assert "Ein Effekt beendet den Zug." in " ".join(said)


def test_states_keep_their_ids_and_rows_their_places() -> None:
    assert [s.id for s in GERMANY.states] == [s.id for s in MAGIC.states]
    assert [(t.source, t.target) for t in GERMANY.transitions] == [
        (t.source, t.target) for t in MAGIC.transitions
    ]
    assert translated(MAGIC, {}) == MAGIC


def test_nothing_meets_in_other_words() -> None:
    for view in ("turn", "window", *ending_views(GERMANY)):
        assert collisions(read(svg(GERMANY, DrawOptions(view)))) == []


def test_what_is_laid_over_comes_along() -> None:
    counts = Counts({t.id: i for i, t in enumerate(MAGIC.transitions)})
    options = carried(DrawOptions(overlay=counts), MAGIC, GERMANY)
    assert options.overlay == Counts({t.id: i for i, t in enumerate(GERMANY.transitions)})
    row = next(t for t in MAGIC.rows("declare_attackers_after") if "attackers_declared" in t.id)
    now = carried(DrawOptions(overlay=Now(row.source, open=(row.id,))), MAGIC, GERMANY).overlay
    assert isinstance(now, Now)
    assert now.open == (row.id.replace("attackers_declared", "Angreifer deklariert"),)


def test_words_of_the_model_are_no_fixed_words() -> None:
    base = towns()
    step = replace(base.state("wake"), label="something else", doc="to begin or not to begin")
    model = replace(base, states=tuple(step if s.id == "wake" else s for s in base.states))
    drawn = read(
        svg(translated(model, {"else": "sonst", "not": "nicht", "begin": "Beginn"}), DrawOptions())
    )
    assert any(text.endswith("something else") for text in drawn.words)
    assert any("to begin or not to begin" in tip for tip in drawn.tooltips)


@pytest.mark.parametrize("name", names())
def test_every_word_of_a_picture_can_be_translated(name: str) -> None:
    """With every text of the model and every fixed word replaced, no letter of the old ones is
    left.
    """
    model = fsm.load(name)
    table = {key: f"{i:04d}" for i, key in enumerate(sorted({*FIXED, *_texts(model)}))}
    made = translated(model, table)
    for view in ("turn", "window", *ending_views(made), *stage_views(made)[::3]):
        picture = read(svg(made, DrawOptions(view)))
        left = {w for text in picture.words for w in re.findall(r"[A-Za-z][A-Za-z.]+", text)}
        assert not left, (view, left)


@pytest.mark.parametrize("kind", ["now", "counts"])
def test_every_word_of_an_overlay_can_be_translated(kind: str) -> None:
    table = {key: f"{i:04d}" for i, key in enumerate(sorted({*FIXED, *_texts(MAGIC)}))}
    made = translated(MAGIC, table)
    row = MAGIC.rows("upkeep_window", "closed")[0]
    over: dict[str, OverlayOption] = {
        "now": Now(row.source, open=(row.id,)),
        "counts": Counts({t.id: 3 for t in MAGIC.transitions}),
    }
    options = carried(DrawOptions(overlay=over[kind]), MAGIC, made)
    left = {
        w
        for text in read(svg(made, options)).words
        for w in re.findall(r"[A-Za-z][A-Za-z.]+", text)
    }
    assert not left


def _texts(model: Model) -> set[str]:
    found = {model.title, model.edition, model.rulebook}
    for s in model.states:
        found |= {s.id, s.label, s.doc, s.rule, s.says}
    found |= {
        text
        for t in model.transitions
        for text in (t.doc, t.rule, t.says, *(x for a in t.actions for x in a.args))
    }
    found |= {text for f in model.facts for text in (f.name, f.doc, f.rule, f.says, f.denies)}
    found |= {text for e in model.events if not e.completion for text in (e.name, e.doc)}
    return {text for text in found if text} | (_texts(model.window) if model.window else set())


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"Upkep": "x"}, "'Upkep' is not said in a picture of magic; did you mean 'Upkeep'?"),
        (
            {"form any step": "x"},
            "'form any step' is not said in a picture of magic; did you mean 'from any step'?",
        ),
        ({"Upkeep": " "}, "what 'Upkeep' is called is empty; leave the key out to keep it"),
        (
            {"first_turn": "x", "attackers_declared": "x"},
            "the facts 'attackers_declared' and 'first_turn' would both be called 'x'; keep them apart",
        ),
    ],
)
def test_a_wrong_table_is_refused(table: dict[str, str], said: str) -> None:
    with pytest.raises(TranslationError) as refused:
        translated(MAGIC, table)
    assert str(refused.value) == said


def test_tables_are_toml_or_json(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(
        'Upkeep = "Versorgung"\n"from any step" = "von überall"\n', encoding="utf-8"
    )
    (tmp_path / "a.json").write_text(
        '{"Upkeep": "Versorgung", "from any step": "von überall"}', encoding="utf-8"
    )
    assert (
        load_words(tmp_path / "a.toml")
        == load_words(tmp_path / "a.json")
        == {
            "Upkeep": "Versorgung",
            "from any step": "von überall",
        }
    )


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.toml", b"Upkeep = ", "this is not TOML"),
        ("a.json", b"{", "this is not JSON"),
        ("a.json", b"[1]", "this must be one object of texts by text"),
        ("a.json", b'{"Upkeep": 3}', "what 'Upkeep' is called must be a text, not int"),
        ("a.toml", b"[deeper]\nx = 1", "what 'deeper' is called must be a text, not dict"),
        ("a.toml", b"\xff\xfe", "this is not text in UTF-8"),
        ("a.json", b"[" * 100_000, "this is not JSON"),
    ],
)
def test_a_file_that_is_no_table_is_refused(
    tmp_path: Path, name: str, text: bytes, said: str
) -> None:
    (tmp_path / name).write_bytes(text)
    with pytest.raises(TranslationError, match=re.escape(f"{tmp_path / name}: {said}")):
        load_words(tmp_path / name)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TranslationError, match="cannot be read"):
        load_words(tmp_path / "none.toml")


def test_legend_words_are_all_known() -> None:
    assert set(IN_LEGENDS) <= FIXED
