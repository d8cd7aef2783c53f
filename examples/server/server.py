"""The tables, and what goes over the network: one JSON object a line, in both directions."""

import asyncio
from asyncio import Future, StreamReader, StreamWriter
from hmac import compare_digest
from pathlib import Path
from typing import Any

import msgspec

import fsm
from fsm.errors import AnswerError, FsmError, StaleAnswerError
from fsm.hosts import load_game, saving

LONGEST, BEHIND = 4096, 1_000_000  # bytes in a line, and bytes that wait for who does not read


class Said(msgspec.Struct, forbid_unknown_fields=True):
    """Opens a game with a secret for each seat, joins it, or plays. Who has no seat looks on."""

    open: str = ""
    seats: dict[str, str] = {}
    join: str = ""
    seat: str = ""
    secret: str = ""
    to: int = -1
    answer: dict[str, Any] | None = None
    undo: bool | None = None
    leave: bool = False


def tell(line: StreamWriter, news: dict[str, Any]) -> None:
    """Send somebody a line. Who does not read is cut off."""
    line.write(msgspec.json.encode(news) + b"\n")
    if line.transport.get_write_buffer_size() > BEHIND:
        line.transport.abort()


class Table(fsm.hosts.StackHost):
    """A game of Magic in which a spell is a name on the stack, and who sits and looks on there."""

    def __init__(self, file: Path, seats: dict[str, str], seconds: float) -> None:
        super().__init__()
        self.file, self.seats, self.seconds = file, seats, seconds
        self.lines: dict[StreamWriter, str] = {}
        self.agreed = list[str]()
        self.decision: Future[fsm.Answer] | None = None
        if file.exists():
            self.game: Any = load_game(file, state=self)
        else:
            self.game = fsm.History(fsm.TurnController("magic", [*seats]), state=self)

    def save(self) -> dict[str, Any]:
        """Return what is kept with the game, and goes back with it."""
        return {"seats": self.seats, "stack": [*self.stack], "waiting": [*self.waiting]}

    def load(self, saved: dict[str, Any]) -> None:
        self.seats, self.stack, self.waiting = saved["seats"], saved["stack"], saved["waiting"]

    async def play(self) -> None:
        """Play to the end. An answer is saved before anybody sees what it has led to."""
        host = fsm.aio.TimeLimit(self, lambda request: self.seconds, lambda r: r.quiet())
        while self.game.over is None:
            try:
                with saving(self.game, self.file):
                    self.game.undo(0)  # of an answer that could not be saved nothing is left
                    await fsm.aio.drive(self.game, host)
            except OSError as error:
                self.show(trouble=f"the game cannot be saved: {error}")
                await asyncio.sleep(1)
        self.show()

    async def on_priority(self, request: fsm.Priority) -> fsm.Answer:
        """Wait for the player, who casts a spell or passes."""
        self.decision = asyncio.get_running_loop().create_future()
        self.agreed = []
        self.show()
        answer = await self.decision
        if answer.word == "acted":
            self.stack.append(f"a spell of {request.player}")
        return answer

    def hear(self, seat: str, said: Said) -> None:
        """Take what a player says. Raises FsmError if it may not be said."""
        request = self.game.request
        if said.leave:
            self.game.order(fsm.Leave(seat))
        elif said.undo is not None and not self.game.over:
            self.consent(seat, said.undo)
        elif said.to != self.game.number or self.decision is None or self.decision.done():
            raise StaleAnswerError(f"request {said.to} is answered: {self.game.number} waits")
        elif seat not in request.deciders:
            raise AnswerError(f"{seat} is not asked, but {', '.join(request.deciders)}")
        else:
            answer = fsm.Answer.from_json(said.answer, trusted=False)  # a word, and no more
            if answer.word not in self.game.waiting.words:
                raise AnswerError(f"answer one of {self.game.waiting.words}")
            self.decision.set_result(answer)

    def consent(self, seat: str, agrees: bool) -> None:
        """Go back to the last decision of who asked for it, once all who still play agree."""
        self.agreed = [*dict.fromkeys((*self.agreed, seat))] if agrees else []
        gone = [self.game.players[number] for number in self.game.run.left]
        if self.agreed and {*self.game.players} <= {*self.agreed, *gone}:
            self.agreed, asker = [], self.agreed[0]
            self.game.undo_to(asker)  # which cancels the open question
        self.show()

    def view(self, **more: Any) -> dict[str, Any]:
        """Return what everybody may see."""
        request, number = self.game.request, self.game.number
        asked = request.deciders if request.kind == "priority" else ()
        shown = {"number": number, "request": request.to_json(), "waits_for": asked}
        return {**shown, "stack": self.stack, "undo": self.agreed, **more}

    def show(self, **more: str) -> None:
        """Tell everybody at the table."""
        for line in self.lines:
            tell(line, self.view(**more))


class Server:
    """The games of a folder, one file each. A decision may take so many seconds."""

    def __init__(self, folder: Path, seconds: float = 60) -> None:
        self.folder, self.seconds = folder, seconds
        self.tables: dict[str, Table] = {}
        self.playing = set[asyncio.Task[None]]()

    async def listen(self, port: int) -> asyncio.Server:
        """Listen. A game that was saved goes on when somebody comes back to it."""
        self.folder.mkdir(exist_ok=True)
        return await asyncio.start_server(self.meet, "127.0.0.1", port, limit=LONGEST)

    async def serve(self, port: int) -> None:
        """Say at which port, and serve until somebody ends the process."""
        async with await self.listen(port) as listening:
            print(f"port {listening.sockets[0].getsockname()[1]}", flush=True)
            await listening.serve_forever()

    def table(self, name: str, seats: dict[str, str]) -> Table:
        """Return a game. One that was saved goes on, and with seats, a new one begins."""
        if name not in self.tables:
            file = self.folder / f"{name}.jsonl"
            if not name.isalnum() or not (seats or file.exists()):
                raise FsmError("there is no such game", found=name, known=self.tables)
            self.tables[name] = Table(file, seats, self.seconds)
            self.playing.add(asyncio.create_task(self.tables[name].play(), name=name))
        return self.tables[name]

    def open(self, said: Said) -> None:
        """Open a game. Who is in doubt whether it was opened may say so again."""
        if self.table(said.open, said.seats).seats != said.seats:
            raise FsmError(f"no game is opened as {said.open!r}: take other letters, and seats")

    def join(self, line: StreamWriter, said: Said) -> Table:
        """Let somebody sit down with the secret of the seat, or look on."""
        table = self.table(said.join, {})
        secret = table.seats.get(said.seat, "")
        if said.seat and not (secret and compare_digest(secret.encode(), said.secret.encode())):
            raise FsmError("this is not the secret of that seat")
        table.lines[line] = said.seat
        tell(line, table.view())
        return table

    async def meet(self, reader: StreamReader, line: StreamWriter) -> None:
        """Hear somebody, until the connection ends. Whatever is wrong is answered by one line."""
        table: Table | None = None
        try:
            async for text in reader:
                try:
                    said = msgspec.json.decode(text, type=Said)
                    if said.open:
                        self.open(said)
                    elif said.join:
                        table = self.join(line, said)
                    elif table is not None and table.lines[line]:
                        table.hear(table.lines[line], said)
                    else:
                        raise FsmError("sit down at a table first")
                except (FsmError, msgspec.DecodeError, ValueError, OSError) as error:
                    tell(line, {"error": str(error)})
        except (ConnectionError, ValueError):
            pass  # it is gone, or has sent too long a line
        finally:
            for each in self.tables.values():
                each.lines.pop(line, None)
            line.close()
