"""Random tables over the whole language: what is not refused is built, played without getting stuck,
saved and restored.
"""

from __future__ import annotations

from typing import Any

import hypothesis
from hypothesis import HealthCheck, given, settings, strategies as st

import fsm
from fsm import Order
from fsm.errors import RulesetError
from fsm.rulesets import (
    Act,
    Again,
    Back,
    Cut,
    During,
    Fact,
    Phase,
    Role,
    Step,
    Table,
    Then,
    Window,
)
from support.amounts import amount

FACTS = ("lit", "won", "tired")
ROLES = ("active", "opponents", "everyone", "dared", "guest")
GUARDS = (
    "",
    "",
    *FACTS,
    *(f"not {fact}" for fact in FACTS),
    "first_turn",
    "window_acted",
    "s0_begun",
)
KINDS = ("priority", "alternating", "solo", "once")
LACKING = ("extra_turn", "extra_phase", "extra_step", "skip_turn", "skip_phase", "skip_step")


class Drawn:
    """Draws the parts of one table, with names that are not there twice."""

    def __init__(self, draw: Any) -> None:
        self.draw, self.steps, self.phases, self.acts = draw, 0, 0, 0
        self.home = list[str]()

    def of(self, *values: Any) -> Any:
        return self.draw(st.sampled_from(values))

    def chance(self) -> bool:
        return bool(self.draw(st.booleans()))

    def act(self, *, plain: bool = False) -> Act:
        self.acts += 1
        decides = self.of((), (), *FACTS)
        ends = self.of("", "", "end_of_turn", "end_of_phase", "truce")
        if plain:
            return Act(f"a{self.acts}", decides=decides, ends=ends)
        return Act(
            f"a{self.acts}", when=self.of(*GUARDS), decides=decides, by=self.of(*ROLES), ends=ends
        )

    def window(self, depth: int) -> Window:
        self.acts += 1
        kind, by = self.of("", "", *KINDS), self.of("", "", "nobody", *ROLES)
        good = kind == "alternating" and by != "nobody" and self.chance()
        during = [self.during(depth)] if self.chance() else []
        return Window(
            name=f"w{self.acts}",
            kind=kind,
            passing="for_good" if good else "",
            by=by,
            when=self.of(*GUARDS),
            opens=self.of("natural", "natural", "conditional"),
            during=tuple(during),
        )

    def during(self, depth: int) -> During:
        acts = [self.act(plain=True) for _ in range(self.of(0, 1, 1, 2))]
        event = f"e{self.of(0, 1)}"
        if depth < 2 and self.chance():
            return During(event, *acts, self.phase(depth + 1), unless=self.of("", "first_turn"))
        if self.home and self.chance():
            return During(event, *acts, Then(self.of(*self.home)))
        return During(event, *acts, self.act(plain=True))

    def step(self, depth: int) -> Step:
        name, self.steps = f"s{self.steps}", self.steps + 1
        does: list[Any] = [self.act(plain=True)]
        for _ in range(self.of(1, 2, 3)):
            does.append(self.window(depth) if self.chance() else self.act())
        if self.chance():
            does.append(self.of(Again("first_turn, window_acted"), Back(does[0].name, "tired")))
        to = self.of("", "", "end_of_phase", *self.home)
        then = (Then(to, self.of(*FACTS)),) if to else ()
        return Step(name, *does, unless=self.of("", "", *GUARDS), then=then)

    def phase(self, depth: int = 0) -> Phase:
        name, self.phases = f"p{self.phases}", self.phases + 1
        outer, self.home, steps = self.home, list[str](), list[Step]()
        for _ in range(self.of(1, 1, 2)):
            steps.append(self.step(depth))
            self.home.append(steps[-1].name)
        self.home = outer
        cut = Cut("e2", *[Act(f"c{name}")] * self.of(0, 1), to=self.of("", steps[-1].name))
        return Phase(
            name, *steps, unless=self.of("", "", *GUARDS), cut=cut if self.chance() else ()
        )


@st.composite
def tables(draw: Any) -> Table:
    """A table that may be wrong."""
    of = Drawn(draw)
    first = Phase("first", Act("decide", decides=FACTS))
    phases = [first, *(of.phase() for _ in range(of.of(1, 2, 3)))]
    return Table(
        "random",
        *phases,
        window=of.of(*KINDS),
        stack=of.of("", "top", "all", "none"),
        order=of.of("alternating", "token"),
        members=of.of("together", "one_by_one"),
        over=of.of("one_left", "never"),
        roles=(Role("dared"), Role("guest", "nobody", until=of.of("phase", "turn", "game"))),
        cut=Cut("e3", to=of.of("", phases[-1].name)) if of.chance() else (),
        facts=Fact("won", until=of.of("turn", "phase")) if of.chance() else (),
        lacks=", ".join(word for word in LACKING if of.chance()),
    )


def played(game: fsm.TurnController, data: Any) -> None:
    """Answer once, in any way."""
    request: Any = game.request
    facts = {name: data.draw(st.booleans()) for name in request.facts}
    model = game.model
    orders: list[Order] = []
    events = [event for event in model.signals if event != model.leaving]
    what = data.draw(st.sampled_from(["", "", "", "signal", "appoint", "leave"]))
    if what == "signal" and events:
        orders.append(fsm.Signal(data.draw(st.sampled_from(events))))
    elif what == "appoint":
        orders.append(fsm.Appoint("guest", data.draw(st.sampled_from(game.players))))
    elif what == "leave" and model.leaving:
        orders.append(fsm.Leave("C"))
    if isinstance(request, fsm.Priority):
        good = (
            {"for_good": True} if "for_good" in request.manner and data.draw(st.booleans()) else {}
        )
        acts = data.draw(st.sampled_from([False, False, True]))
        answer = (
            request.acted(*orders, **facts) if acts else request.passed(*orders, **good, **facts)
        )
    elif isinstance(request, fsm.Perform) and len(request.by) > 1:
        player = data.draw(st.sampled_from(["", *request.waits_for]))
        answer = request.done(*orders, player=player, **facts)
    else:
        answer = request.done(*orders, **facts)
    try:
        game.answer(answer)
    except fsm.errors.OrderError:
        game.answer(request.quiet())


@settings(
    max_examples=amount(2, 200),
    deadline=None,
    phases=[hypothesis.Phase.generate],  # to make such a table smaller takes minutes
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.data_too_large,
        HealthCheck.filter_too_much,
    ],
)
@given(tables(), st.data())
def test_what_is_not_refused_is_played(table: Table, data: Any) -> None:
    try:
        model = table.build()
    except RulesetError as error:
        assert error.problems
        return
    assert fsm.Model.from_json(model.to_json()) == model
    teams = data.draw(st.sampled_from([[], [["A", "B"]], [["A", "C"]]]))
    game = fsm.TurnController(table, ["A", "B", "C"], teams=teams)
    for _ in range(30):
        if isinstance(game.request, fsm.Over):
            break
        played(game, data)
    again = fsm.TurnController.restore(table, game.snapshot())
    assert again.request == game.request
