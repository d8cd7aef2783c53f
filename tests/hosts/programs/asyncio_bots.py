"""Bots on asyncio, with saving. Called once more, it goes on from the file."""

import asyncio
import random
from pathlib import Path

import fsm


class Table(fsm.aio.StackHost):
    async def on_priority(self, request: fsm.Priority) -> fsm.Answer:
        await asyncio.sleep(0)  # ask the bot, or the browser, of request.player
        if random.random() < 0.8:
            return request.passed()
        self.stack.append("Opt")
        return request.acted()


async def main(file: Path, turn: int) -> None:
    table = Table()
    if file.exists():
        game = fsm.hosts.load_game(file, state=table)
    else:
        game = fsm.TurnController("magic", ["Ann", "Ben"])
    with fsm.hosts.saving(game, file, state=table):  # a line an answer
        await fsm.aio.drive(game, table, until=lambda request: request.at.turn == turn)


asyncio.run(main(Path("table.jsonl"), turn=2))  # called once more, it goes on from there
