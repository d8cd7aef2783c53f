"""A game that no rulebook knows, for whatever must not depend on a name: a table and its Model."""

from __future__ import annotations

from fsm.model import Event, Model
from fsm.rulesets import Act, Again, Phase, Step, Table, Then, Window, row

STORM = ["drop(turn)", "begin(phase, night, night)", "begin(step, sleep, sleep)"]
TOWNS = Table(
    "towns",
    Phase(
        "morning",
        Step("wake", Act("wake_up"), Act("feed_the_goats")),
        Step("council", Act("count_the_votes"), Window()),
    ),
    Phase(
        "war",
        Step(
            "march",
            Act("move", decides="marched"),
            Window(),
            then=(Then("siege", "marched"), Then("retreat", layer="skip")),
        ),
        Step("siege", Act("dig"), Window()),
        Step("storming", Act("run"), Window()),
        Step("retreat", Act("go_home"), Window()),
    ),
    Phase("night", Step("sleep", Window(opens="conditional"), Again("window_opened"))),
    title="The Seven Towns",
    edition="2nd edition",
    events=Event("storm", "the sky falls"),
    transitions=row("turn", "sleep_begin", do=STORM, event="storm", layer="jump", rule="2.1"),
)


def towns() -> Model:
    """A small game: three phases, a skip arc, a fork, a repeated step, a signal."""
    return TOWNS.build()
