"""Undo to a person's last decision."""

import fsm


class Duel(fsm.BaseHost):
    cards = 7

    def on_draw_card(self, request: fsm.Perform) -> None:
        self.cards += 1

    def on_priority(self, request: fsm.Priority) -> fsm.Answer | None:
        return request.passed() if request.player == "Ann" and request.at.step == "upkeep" else None


duel = Duel()
game = fsm.History(fsm.TurnController("magic", ["Ann", "Ben"]), state=duel)
fsm.drive(game, duel, until=lambda request: request.at.turn == 3)
game.undo_to("Ann")
assert (game.position.turn, game.position.step, duel.cards) == (2, "upkeep", 7)
