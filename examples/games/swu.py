"""Star Wars: Unlimited, Comprehensive Rules 5.3 to 5.5. Unofficial."""

from typing import Any

from fsm.rulesets import Act, Phase, Step, Table, Window


def nobody(name: str = "window", **words: Any) -> Window:
    """Nobody acts: what has triggered is handled."""
    return Window(name=name, by="nobody", **words)


SWU = Table("swu",
    Phase("action",
        Step("action_starts", nobody()),
        Step("actions", Window(passing="for_good")),  # passed(Appoint("active", "Ben"), for_good=True)
        Step("action_ends", Act("phase_effects_end", ends="end_of_phase"), nobody()),
        rule="5.4"),
    Phase("regroup",
        Step("regroup_starts", nobody()),
        Step("draw", Act("draw_two", by="everyone")),
        Step("resource", Window(kind="once", label="Resource a card")),
        Step("ready", Act("ready_cards", by="everyone")),
        Step("regroup_ends", Act("effects_end", ends=("end_of_phase", "end_of_round")), nobody()),
        rule="5.5"),
    turn="round", order="token", active="the player with the initiative", window="alternating",
    title="Star Wars: Unlimited", lacks="extra_turn, extra_step, skip_turn")
