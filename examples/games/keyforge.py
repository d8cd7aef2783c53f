"""KeyForge, rulebook, steps 1 to 5. Unofficial."""

from typing import Any

from fsm.rulesets import Act, Phase, Table, Window


def nobody(name: str = "window", **words: Any) -> Window:
    """Nobody acts: what has triggered is handled."""
    return Window(name=name, by="nobody", **words)


KEYFORGE = Table("keyforge",
    Phase("start_of_turn", nobody()),
    Phase("forge", Act("forge_key"), nobody(), rule="Step 1"),
    Phase("house", Act("choose_house"), nobody(), Act("take_archives"), rule="Step 2"),
    Phase("main", Window(), rule="Step 3"),
    Phase("ready", Act("ready_cards"), rule="Step 4"),
    Phase("draw", Act("draw_to_six"), rule="Step 5"),
    # that "end of turn" effects come after the draw is not confirmed
    Phase("end_of_turn", nobody(), Act("call_check"), Act("turn_ends", ends="end_of_turn")),
    window="solo", title="KeyForge", lacks="extra_phase, extra_step")
