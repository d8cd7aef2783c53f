"""The smallest host: it is told of one action, and passes otherwise."""

import fsm


class Goldfish(fsm.BaseHost):
    def on_draw_card(self, request: fsm.Perform) -> None:
        print(f"turn {request.at.turn}: {request.player} draws")


fsm.drive(
    fsm.TurnController("magic", ["Ann", "Ben"]),
    Goldfish(),
    until=lambda request: request.at.turn > 3,
)
