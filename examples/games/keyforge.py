"""KeyForge, rulebook, steps 1 to 5. Unofficial."""

from fsm.rulesets import Act, Phase, Table, Window

TRIGGERS = Window(by="nobody")
"""What has triggered is handled; nobody acts."""
KEYFORGE = Table("keyforge",
    Phase("start_of_turn", TRIGGERS),
    Phase("forge", Act("forge_key"), TRIGGERS, rule="Step 1"),
    Phase("house", Act("choose_house"), TRIGGERS, Act("take_archives"), rule="Step 2"),
    Phase("main", Window(), rule="Step 3"),
    Phase("ready", Act("ready_cards"), rule="Step 4"),
    Phase("draw", Act("draw_to_six"), rule="Step 5"),
    # that "end of turn" effects come after the draw is not confirmed
    Phase("end_of_turn", TRIGGERS, Act("call_check"), Act("turn_ends", ends="end_of_turn")),
    window="solo", title="KeyForge", lacks="extra_phase, extra_step")
