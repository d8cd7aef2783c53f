"""Star Wars: Unlimited, Comprehensive Rules 5.3 to 5.5. Unofficial."""

from fsm.rulesets import Act, Phase, Step, Table, Window

TRIGGERS = Window(by="nobody")
"""What has triggered is handled; nobody acts."""
SWU = Table("swu",
    Phase("action",
        Step("action_starts", TRIGGERS),
        Step("actions", Window(passing="for_good")),  # passed(Appoint("active", "Ben"), for_good=True)
        Step("action_ends", Act("phase_effects_end", ends="end_of_phase"), TRIGGERS),
        rule="5.4"),
    Phase("regroup",
        Step("regroup_starts", TRIGGERS),
        Step("draw", Act("draw_two", by="everyone")),
        Step("resource", Window(kind="once", label="Resource a card")),
        Step("ready", Act("ready_cards", by="everyone")),
        Step("regroup_ends", Act("effects_end", ends=("end_of_phase", "end_of_round")), TRIGGERS),
        rule="5.5"),
    turn="round", order="token", active="the player with the initiative", window="alternating",
    title="Star Wars: Unlimited", lacks="extra_turn, extra_step, skip_turn")
