"""Tables on a terminal and in a file: they fit, and no word that people type is broken."""

from __future__ import annotations

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from fsm.cli import cli
from fsm.cli.columns import laid_out

words = st.text("abcdefg_", min_size=1, max_size=30)
texts = st.lists(words, max_size=9).map(" ".join)


@pytest.mark.parametrize(
    "command", ["rulesets", "rulesets magic", "rulesets grand-archive", "check magic --rules"]
)
def test_every_table_fits_80_columns(command: str) -> None:
    shown = CliRunner().invoke(cli, command.split())
    tables, _, _ = shown.output.partition("\n\nmagic: ")  # a sentence
    assert shown.exit_code == 0
    assert max(map(len, tables.splitlines())) <= 80


def test_a_reference_names_each_option_in_full() -> None:
    shown = CliRunner().invoke(cli, ["rulesets", "magic"]).output
    assert "\nOPTIONS\n" in shown
    assert "\nfirst_main_counts_skipped\n" in shown


@given(
    st.integers(1, 4).flatmap(lambda n: st.lists(st.tuples(*[texts] * n), min_size=1, max_size=6)),
    st.integers(40, 100),
)
def test_rows_keep_their_words_and_fit(rows: list[tuple[str, ...]], room: int) -> None:
    head = tuple(f"head{n}" for n in range(len(rows[0])))
    found = laid_out([head, *rows], room)
    assert all(len(line) <= room or " " not in line.strip() for lines in found for line in lines)
    for row, lines in zip(rows, found[1:], strict=True):
        assert set(" ".join(lines).split()) <= {word for text in row for word in text.split()}
    written = {word for lines in found for line in lines for word in line.split()}
    assert written == {word for row in (head, *rows) for text in row for word in text.split()}
