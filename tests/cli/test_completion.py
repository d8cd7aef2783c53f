"""What a shell offers when Tab is pressed, asked as the shells' scripts ask."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from click.shell_completion import get_completion_class

import fsm.cli.bashwords  # noqa: F401  (the program imports it when a shell asks)
from fsm.cli import COMMANDS, cli
from fsm.coverage.criteria import criteria
from fsm.model import Model
from fsm.rulesets import names
from fsm.views.drawing import format_names, views_of

Ask = Callable[..., list[str]]


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch) -> Ask:
    """The words that a shell is offered for a line that ends where the cursor is."""

    def asked(line: str, shell: str = "zsh") -> list[str]:
        monkeypatch.setenv("COMP_WORDS", line)
        monkeypatch.setenv("COMP_CWORD", str(len(line.split()) - (not line.endswith(" "))))
        found = get_completion_class(shell)
        assert found is not None
        text = found(cli, {}, "fsm", "_FSM_COMPLETE").complete()
        if shell == "bash":
            return [item.partition(",")[2] for item in text.splitlines()]
        return [f"{kind}:{value}" if kind != "plain" else value for kind, value in _threes(text)]

    return asked


def _threes(text: str) -> list[tuple[str, str]]:
    """Zsh's lines: kind, value and help of each."""
    lines = text.splitlines()
    return list(zip(lines[::3], [value.replace("\\:", ":") for value in lines[1::3]], strict=True))


def test_commands(ask: Ask) -> None:
    assert ask("fsm ") == list(COMMANDS)
    assert ask("fsm di") == ["diff"]
    assert ask("fsm cover ") == ["baseline", "combine", "diff", "from-log", "report"]


@pytest.mark.parametrize(
    "line",
    ["draw", "explore", "check", "diff", "diff magic", "fuzz", "paths", "rulesets", "conform x.log --ruleset",
     "draw magic --against", "cover report --of"],
)  # fmt: skip
def test_rulesets_where_a_ruleset_is_named(ask: Ask, line: str) -> None:
    assert ask(f"fsm {line} ") == list(names())
    assert ask(f"fsm {line} magic-") == ["magic-2010", "magic-classic"]


def test_options_of_a_ruleset_that_are_not_yet_there(ask: Ask) -> None:
    found = ask("fsm draw magic?")
    assert "magic?extra_draw_on_first_turn=false" in found
    more = ask("fsm draw magic?extra_draw_on_first_turn=false&")
    assert more and set(more) == {
        word.replace("?", "?extra_draw_on_first_turn=false&")
        for word in found
        if "extra_draw" not in word
    }
    assert ask("fsm draw magic-classic?edition=2006") == ["magic-classic?edition=2006-10"]


def test_a_model_file_where_nothing_built_in_fits(ask: Ask) -> None:
    assert ask("fsm draw min") == ["file:min"]
    assert ask("fsm draw magic?nothing") == ["file:magic?nothing"]


@pytest.mark.parametrize(
    "line", ["run", "draw magic -o", "cover report", "cover diff", "conform", "fuzz magic --out"]
)
def test_files(ask: Ask, line: str) -> None:
    assert ask(f"fsm {line} sc") == ["file:sc"]


def test_views_are_those_of_the_ruleset_already_typed(ask: Ask, magic: Model) -> None:
    assert ask("fsm draw magic --view ") == list(views_of(magic))
    assert ask("fsm draw -o x.svg magic --theme dark --view win") == ["window"]
    assert "phase:materialize_phase" in ask("fsm draw grand-archive --view phase:")
    assert ask("fsm draw --view ") == ["turn", "window"]
    assert ask("fsm draw nothing --view ") == []


def test_states_criteria_formats_themes_layers_and_reports(ask: Ask, magic: Model) -> None:
    assert (
        ask("fsm paths magic --to ")
        == ask("fsm draw magic --at ")
        == [state.id for state in magic.states]
    )
    assert ask("fsm paths magic --criterion ") == list(criteria())
    assert ask("fsm cover report --criteria states,pa") == ["states,pairs"]
    assert ask("fsm draw magic --format ") == list(format_names())
    assert ask("fsm rulesets --format ") == ["text", "json"]
    assert (
        ask("fsm draw magic --theme ")
        == ask("fsm run --theme ")
        == ask("fsm diff --theme ")
        == ["light", "dark"]
    )
    assert ask("fsm draw magic --layers core,s") == ["core,skip"]
    assert ask("fsm cover report --report term") == ["term", "term-missing"]


def test_bash_cuts_words_and_gets_the_rest_of_them(ask: Ask) -> None:
    """Bash passes "phase:co" as three words and keeps "phase:" on the line."""
    assert ask("fsm draw magic --view phase : co", "bash") == ["combat_phase"]
    assert "combat_phase" in ask("fsm draw magic --view phase :", "bash")
    assert ask("fsm draw magic --view = step : upk", "bash") == ["upkeep_step"]
    assert ask("fsm draw magic --view = step", "bash")[0] == "step:untap_step"
    assert ask("fsm draw magic-classic?edition = 2006", "bash") == ["2006-10"]
    assert ask("fsm draw magic --view win", "bash") == ["window"]
    assert ask("fsm draw ", "bash") == list(names())


def test_a_bash_that_does_not_cut_words_gets_whole_ones(ask: Ask) -> None:
    """As with COMP_WORDBREAKS without the colon."""
    assert ask("fsm draw magic --view phase:co", "bash") == ["phase:combat_phase"]


def test_what_is_wrong_is_not_completed_and_not_complained_of(
    ask: Ask, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ask("fsm drax ma") == []
    assert ask("fsm draw magic?nothing=1 --view ") == []
    assert capsys.readouterr() == ("", "")
