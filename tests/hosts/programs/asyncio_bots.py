"""Bots on asyncio, with saving. Called once more, it goes on from the file."""

import asyncio
import json
import random
from pathlib import Path

import fsm
from fsm.hosts import saving, write_safely


class Table(fsm.aio.StackHost):
    async def on_priority(self, request: fsm.Priority) -> fsm.Answer:
        await asyncio.sleep(0)  # ask the bot, or the browser, of request.player
        if random.random() < 0.8:
            return request.passed()
        self.stack.append("Opt")
        return request.acted()


async def main(file: Path, turn: int) -> None:
    saved = json.loads(file.read_text(encoding="utf-8")) if file.exists() else None
    game = (
        fsm.TurnController.restore("magic", saved["turn"])
        if saved
        else fsm.TurnController("magic", ["Ann", "Ben"])
    )
    table = Table(**saved["table"]) if saved else Table()
    with saving(game, lambda: write_safely(file, {"turn": game.snapshot(), "table": vars(table)})):
        await fsm.aio.drive(game, table, until=lambda request: request.at.turn == turn)


asyncio.run(main(Path("table.json"), turn=2))  # called once more, it goes on from there
