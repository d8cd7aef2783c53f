"""Pictures, tables and texts of any game: other editions, options, holes, and random tables."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

import fsm
from fsm.rulesets import Act, Back, During, Phase, Step, Table, Then, Window, options
from fsm.views import tabulate
from support.amounts import sample
from support.drawings import BUILT_IN, GAMES, OWN, loaded, views
from support.drawnsvg import faults
from support.hostile import NASTY

EDITIONS = [
    f"{name}?{option}={str(value).lower() if isinstance(value, bool) else value}"
    for name in BUILT_IN
    for option, kind in options(name).items()
    for value in kind.values
]
"""Each ruleset with each value of each of its options."""


@pytest.mark.parametrize("game", [*EDITIONS, *OWN, *GAMES])
def test_every_view_of_a_game_is_drawn_well(game: str) -> None:
    for view in views(game):
        assert faults(fsm.draw(loaded(game), view=view)) == [], view


@pytest.mark.parametrize("ruleset", BUILT_IN)
def test_so_is_a_turn_with_a_hole(ruleset: str) -> None:
    for row in loaded(ruleset).transitions[::9]:
        less = loaded(ruleset).without(row.id)
        assert faults(fsm.draw(less)) == [], row.id


words = st.one_of(
    st.sampled_from(["Dawn", "Battle of wits and swords", "Trade", "Muster the guard", "Go"]),
    st.sampled_from([word for word in NASTY if word.isprintable() and len(word) < 40]),
)
guards = st.sampled_from(["", "first_turn", "not first_turn", "window_opened"])


def windows_of(place: str) -> st.SearchStrategy[Window]:
    """Windows, of which some have a phase inside."""
    steps = [Step(f"in_{place}_{n}", Act(f"fight_{place}_{n}")) for n in range(2)]
    last = Step(f"last_{place}", Act(f"rest_{place}"), unless="first_turn")
    inner = Phase(f"inner_{place}", *steps, last)
    answer = Act(f"answer_{place}", decides=f"yes_{place}")
    during = During(f"call_{place}", answer, inner, when=f"yes_{place}")
    return st.sampled_from([Window(), Window(), Window(during=during)])


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """A table of one to four phases of up to five steps, with any words."""
    phases = []
    for p in range(draw(st.integers(1, 4))):
        steps = []
        for s in range(draw(st.integers(1, 5))):
            names = range(draw(st.integers(0, 3)))
            acts = [Act(f"do_{p}_{s}_{n}", draw(words), when=draw(guards)) for n in names]
            windows = [draw(windows_of(f"{p}_{s}"))] * draw(st.integers(0 if acts else 1, 1))
            choice = Act(f"choose_{p}_{s}", draw(words), decides=f"chosen_{p}_{s}")
            then = [Then("end_of_phase", f"chosen_{p}_{s}")] * draw(st.integers(0, 1))
            back = [Back(f"choose_{p}_{s}", f"chosen_{p}_{s}")] * draw(st.integers(0, 1))
            choices: list[Act | Back] = [choice, *back] if then or back else []
            step = Step(
                f"s_{p}_{s}",
                *acts,
                *windows,
                *choices,
                label=draw(words),
                rule=f"{p}.{s}",
                unless=draw(st.sampled_from(["", "", "first_turn"])),
                then=tuple(then),
            )
            steps.append(step)
        phases.append(Phase(f"p_{p}", *steps, label=draw(words)))
    last = Phase("last", Step("idle", Window()))
    return Table("random", *phases, last, title=draw(words))


@settings(max_examples=300, suppress_health_check=list(HealthCheck))
@given(tables())
def test_any_table_is_drawn_well_and_told_whole(table: Table) -> None:
    model = table.build()
    for view in ("turn", *sample([f"phase:{p.id}" for p in model.of_kind("phase")], 1)):
        assert faults(fsm.draw(model, view=view)) == [], view
    for format in ("mermaid", "dot", "html", "txt"):
        assert len(str(fsm.draw(model, format=format))) > 100
    assert len(tabulate(model).splitlines()) > len(model.of_kind("step"))
